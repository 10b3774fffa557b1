// SPDX-License-Identifier: Apache-2.0 OR MIT
// The plots of a report, drawn by Vega where scripts run: hover, choice of rows, linear or
// logarithmic, pictures to keep. Without it, and on paper, the drawings in the page are shown.
"use strict";

const views = [];

// The colours of the page, as they are now.
function themed() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const [ink, soft, grid, paper] = ["ink", "soft", "grid", "paper"].map(colour);
  const font = "system-ui, sans-serif";
  const words = { labelColor: ink, titleColor: ink, labelFont: font, titleFont: font };
  return {
    background: paper,
    font,
    padding: { left: 5, right: 25, top: 5, bottom: 5 },
    axis: {
      ...words, gridColor: grid, domainColor: ink, tickColor: ink, labelFontSize: 12,
      titleFontSize: 12, titleFontWeight: "normal", labelSeparation: 6, labelFlush: false,
    },
    legend: { ...words, labelFontSize: 12, symbolSize: 80, columnPadding: 24 },
    view: { stroke: "transparent" },
    bar: { stroke: paper },
    rule: { color: soft },
    title: { color: soft, fontWeight: "normal" },
  };
}

// Every encoding of a specification, of its layers, too.
function encodings(spec) {
  return [spec, ...(spec.layer ?? [])].map((part) => part.encoding ?? {});
}

// Where a chart says what it was measured on, in lines that fit.
function said(source, width) {
  const letters = Math.max(20, Math.floor(width / 5.5));
  const text = source.match(new RegExp(`.{1,${letters}}(\\s|$)`, "g")).map((line) => line.trim());
  return { text, orient: "bottom", anchor: "start", fontSize: 10, offset: 8 };
}

function specification(figure) {
  const { made, left, linear } = figure;
  const style = getComputedStyle(document.documentElement);
  const coloured = JSON.stringify(made.spec).replace(
    /"(series-\d+)"/g, (_, name) => JSON.stringify(style.getPropertyValue(`--${name}`).trim()));
  const spec = { width: "container", ...JSON.parse(coloured) };
  const width = figure.place.clientWidth;
  const narrow = width < 480;
  if (made.source !== "") spec.title = said(made.source, width - 60);
  spec.data.values = spec.data.values.filter(
    (row) => made.choices.every((column) => !left[column].has(String(row[column]))));
  if (made.step !== null) {
    const counts = made.by.map(
      (column) => new Set(spec.data.values.map((row) => row[column])).size);
    spec.height = Math.max(1, counts.reduce((all, count) => all * count, made.step));
  }
  for (const encoding of encodings(spec)) {
    for (const channel of made.logarithmic) {
      const scale = encoding[channel]?.scale;
      if (scale !== undefined && linear) Object.assign(scale, { type: "linear", zero: true });
    }
    for (const channel of ["color", "fill", "stroke", "shape"]) {
      const legend = encoding[channel]?.legend;
      if (legend && narrow) {
        Object.assign(legend, { columns: 1, labelLimit: figure.place.clientWidth - 170 });
      }
    }
    if (narrow && encoding.x?.title) {  // in lines
      encoding.x.title = encoding.x.title.match(/.{1,34}(\s|$)/g).map((line) => line.trim());
    }
  }
  return { ...spec, config: themed() };
}

async function draw(figure) {
  figure.view?.finalize();
  const made = await window.vegaEmbed(figure.place, specification(figure), {
    renderer: "svg", actions: false, tooltip: { theme: "custom" },
  });
  figure.view = made.view;
  figure.place.querySelector("svg")?.setAttribute("aria-label", figure.words);
}

// --- What a reader may choose --------------------------------------------------------------------

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function choice(text, checked, changed) {
  const box = element("input", { type: "checkbox", checked });
  box.addEventListener("change", () => changed(box.checked));
  return element("label", {}, box, ` ${text}`);
}

// A set of boxes for each column by which rows can be left out.
function choices(figure) {
  return figure.made.choices.map((column) => {
    const values = [...new Set(figure.made.spec.data.values.map((row) => String(row[column])))];
    const boxes = values.map((value) => choice(value, true, (wanted) => {
      figure.left[column][wanted ? "delete" : "add"](value);
      draw(figure);
    }));
    return values.length < 2 ? "" : element(
      "fieldset", {}, element("legend", { textContent: `Show: ${column}` }), ...boxes);
  });
}

// A view with the words of the figure in it, for a picture that is kept.
async function kept(figure) {
  const spec = specification(figure);
  const width = 640;
  const words = figure.made.title.match(/.{1,90}(\s|$)/g).map((line) => line.trim());
  const source = figure.made.source === "" ? [] : said(figure.made.source, width).text;
  spec.title = { text: words, subtitle: source, anchor: "start", fontSize: 13, fontWeight: "bold" };
  const place = document.createElement("div");
  return (await window.vegaEmbed(place, { ...spec, width }, { renderer: "svg", actions: false }))
    .view;
}

function save(name, address) {
  element("a", { href: address, download: name }).click();
}

function pictures(figure) {
  const name = figure.place.closest("figure").id;
  return [["SVG", "svg"], ["PNG", "png"]].map(([text, kind]) => {
    const button = element("button", { type: "button", textContent: `Save as ${text}` });
    button.addEventListener("click", async () => {
      save(`${name}.${kind}`, await (await kept(figure)).toImageURL(kind, 2));
    });
    return button;
  });
}

function controls(figure) {
  const scale = figure.made.logarithmic.length === 0 ? [] : [
    choice("logarithmic", true, (wanted) => { figure.linear = !wanted; draw(figure); })];
  return element(
    "details", { className: "choose" },
    element("summary", { textContent: "Choose what is shown, or keep the picture" }),
    ...choices(figure), element("div", { className: "row" }, ...scale, ...pictures(figure)));
}

// --- All figures ---------------------------------------------------------------------------------

for (const source of document.querySelectorAll("script[type='application/json'][data-chart]")) {
  const made = JSON.parse(source.textContent);
  const holder = source.closest("figure");
  const still = holder.querySelector(".still");
  const place = element("div", { className: "live" });
  const figure = {
    made, place, linear: false, words: still.querySelector("[role='img']").ariaLabel,
    left: Object.fromEntries(made.choices.map((column) => [column, new Set()])),
  };
  still.before(place);
  holder.classList.add("drawn");
  holder.append(controls(figure));
  views.push(figure);
}

// Drawn when they are near: the page opens at once.
const near = new IntersectionObserver((entries) => {
  for (const entry of entries.filter((each) => each.isIntersecting)) {
    near.unobserve(entry.target);
    draw(views.find((figure) => figure.place === entry.target));
  }
}, { rootMargin: "600px" });
for (const figure of views) near.observe(figure.place);

function again() {
  for (const figure of views) if (figure.view !== undefined) draw(figure);
}

new MutationObserver(again).observe(
  document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
let width = window.innerWidth;
window.addEventListener("resize", () => {
  if (window.innerWidth !== width) again();
  width = window.innerWidth;
});
