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

// --- Traces --------------------------------------------------------------------------------------

const bar = document.getElementById("trace");

function choose(cell) {
  for (const other of document.querySelectorAll(".chosen")) other.classList.remove("chosen");
  cell.classList.add("chosen");
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
