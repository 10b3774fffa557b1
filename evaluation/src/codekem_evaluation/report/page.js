// SPDX-License-Identifier: Apache-2.0 OR MIT
// The page of a report: tables that sort, the trace of a number, light or dark. Without it, all is
// there to read.
"use strict";

// --- Sorting -------------------------------------------------------------------------------------

// What cannot be compared (no value) stays last in both directions.
function valueOf(cell) {
  const text = cell.dataset.value;
  if (text === undefined) return null;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function sortBy(header) {
  const table = header.closest("table");
  const column = [...header.parentNode.children].indexOf(header);
  const down = header.getAttribute("aria-sort") === "ascending";
  for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [valueOf(row.cells[column]), row]);
  rows.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "number" && typeof b === "number"
      ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
    return down ? -order : order;
  });
  body.append(...rows.map(([, row]) => row));
}

for (const button of document.querySelectorAll("thead button")) {
  button.addEventListener("click", () => sortBy(button.parentNode));
}

// --- Which rows ----------------------------------------------------------------------------------

const MANY = 8;  // rows from which on a table has a filter

function rowsMatch(table, words) {
  for (const row of table.tBodies[0].rows) {
    const text = row.textContent.toLowerCase();
    row.classList.toggle("left-out", !words.every((word) => text.includes(word)));
  }
}

for (const table of document.querySelectorAll("table")) {
  const bar = document.createElement("div");
  bar.className = "filter";
  const disputed = table.querySelectorAll("tr.disputed").length;
  const show = document.createElement("button");
  show.type = "button";
  const fold = (short) => {
    table.classList.toggle("short", short);
    show.textContent = `${short ? "Show" : "Hide"} ${disputed} rows of Classic McEliece`;
  };
  if (table.tBodies[0].rows.length >= MANY) {
    const box = document.createElement("input");
    box.type = "search";
    box.placeholder = "Only rows with …";
    box.ariaLabel = `Only rows of this table with these words: ${table.caption.textContent}`;
    box.addEventListener("input", () => {
      rowsMatch(table, box.value.toLowerCase().split(/\s+/).filter(Boolean));
      if (disputed > 0 && box.value !== "") fold(false);
    });
    bar.append(box);
  }
  if (disputed > 0) {
    show.addEventListener("click", () => fold(!table.classList.contains("short")));
    fold(true);
    bar.append(show);
  }
  if (bar.children.length > 0) table.closest(".scroll").before(bar);
}

// --- Traces --------------------------------------------------------------------------------------

const bar = document.getElementById("trace");

function choose(cell) {
  for (const other of document.querySelectorAll(".chosen")) other.classList.remove("chosen");
  cell.classList.add("chosen");
  bar.classList.add("of-cell");
  const name = cell.dataset.trace;
  bar.textContent = name === undefined ? cell.textContent
    : `codekem-evaluation trace ${bar.dataset.run} '${name}'`;
}

document.addEventListener("click", (event) => {
  const cell = event.target.closest("tbody td, tbody th");
  if (cell !== null && cell.dataset.trace !== undefined) choose(cell);
});

// A table is one stop of the tabulator key; the arrows go from cell to cell inside.
for (const region of document.querySelectorAll(".scroll:has(table)")) {
  region.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[
      event.key];
    if (step === undefined || event.target.closest("thead") !== null) return;
    const rows = region.querySelector("tbody").rows;
    const now = region.querySelector(".chosen");
    const row = now === null ? 0 : [...rows].indexOf(now.parentNode) + step[0];
    const column = now === null ? 0 : now.cellIndex + step[1];
    const next = rows[Math.min(Math.max(row, 0), rows.length - 1)];
    const cell = next.cells[Math.min(Math.max(column, 0), next.cells.length - 1)];
    event.preventDefault();
    choose(cell);
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}

// --- Light or dark -------------------------------------------------------------------------------

const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme === undefined
    ? window.matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
});

// On paper are the tables that are meant for it; afterwards all is as before.
let folded = [];
window.addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details.printed:not([open])")];
  for (const part of folded) part.open = true;
});
window.addEventListener("afterprint", () => {
  for (const part of folded) part.open = false;
});

// A link to a table or a figure opens what it is folded in.
function unfold() {
  const part = document.getElementById(location.hash.slice(1))?.closest("details");
  if (part) part.open = true;
}
window.addEventListener("hashchange", unfold);
unfold();
