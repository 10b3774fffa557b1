// SPDX-License-Identifier: Apache-2.0 OR MIT
// The page: shows what the worker does.
/* global WORKER, VERSIONS, LICENCES -- texts that build.mjs puts here */

const byId = (id) => document.getElementById(id);
const OPERATIONS = ["keygen", "encapsulate", "decapsulate"];
const SHOWN_BYTES = 24;

const number = (value) => value.toLocaleString("en");
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** One run by clocks that browsers make coarse, so not even three digits are known. */
const once = (time) => (time < 0.1 ? "less than 0.1 ms" : `${time.toFixed(1)} ms`);

/** Milliseconds with three digits. */
function milliseconds(value) {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
worker.onerror = (event) => {
  event.preventDefault();
  setVerdict("This browser cannot run it: WebAssembly is missing or switched off.", "bad");
};

// --- The exchange --------------------------------------------------------------------------------

function setVerdict(text, kind = "") {
  byId("verdict").textContent = text;
  byId("verdict").className = `verdict ${kind}`;
}

/** Shows a value: what it is, how long, and its first bytes. */
function show(step, lines) {
  byId(`shown-${step}`).replaceChildren(
    ...lines.flatMap(([text, bytes]) => {
      const line = [element("p", text)];
      if (bytes) {
        const rest = bytes.length > SHOWN_BYTES ? "…" : "";
        line.push(element("code", hex(bytes.subarray(0, SHOWN_BYTES)) + rest));
      }
      return line;
    }),
  );
}

/** Only the steps up to the next one can be taken. */
function allow(next) {
  OPERATIONS.forEach((step, i) => {
    byId(step).disabled = i > next;
    if (i >= next) byId(`shown-${step}`).replaceChildren();
  });
}

const answers = {
  hello({ simd, kems }) {
    for (const scheme of ["HQC", "BIKE", "ML-KEM"]) {
      const group = element("optgroup", undefined, { label: scheme });
      for (const { name, category } of kems.filter((row) => row.scheme === scheme))
        group.append(element("option", `${name} (category ${category})`, { value: name }));
      byId("kem").append(group);
    }
    byId("tables").append(...[1, 3, 5].map((category) => makeTable(category, kems)));
    byId("engine").textContent = simd
      ? "with vectors"
      : "without vectors, which this browser lacks";
    allow(0);
    byId("measure").disabled = false;
  },
  keygen({ time, publicKey, secretBytes }) {
    allow(1);
    show("keygen", [
      [`Public key, ${number(publicKey.length)} bytes:`, publicKey],
      [`The secret key has ${number(secretBytes)} bytes. It took ${once(time)}.`],
    ]);
    setVerdict("Alice has keys. Now Bob makes a secret.");
  },
  encapsulate({ time, cipherText, sharedSecret }) {
    allow(2);
    show("encapsulate", [
      [`Ciphertext, ${number(cipherText.length)} bytes:`, cipherText],
      ["Bob's secret:", sharedSecret],
      [`It took ${once(time)}.`],
    ]);
    setVerdict("Bob has a secret and has sent the ciphertext. Now Alice opens it.");
  },
  decapsulate({ time, sharedSecret, same }) {
    show("decapsulate", [["Alice's secret:", sharedSecret], [`It took ${once(time)}.`]]);
    if (same) setVerdict("✓ Both hold the same secret.", "good");
    else
      setVerdict(
        "✗ The secrets differ, because the ciphertext was changed. Alice's is random; nobody " +
          "learns from it why.",
        "bad",
      );
  },
};

for (const step of OPERATIONS) {
  byId(step).addEventListener("click", () => {
    worker.postMessage({ step, kem: byId("kem").value, alter: byId("alter").checked });
  });
}

byId("kem").addEventListener("change", () => {
  allow(0);
  setVerdict("");
});

// --- The measurement -----------------------------------------------------------------------------

/** The cells and bars of each KEM, and its times. */
const rows = new Map();

function makeTable(category, kems) {
  const table = element("table");
  table.append(element("caption", `Category ${category}`));
  const head = element("tr");
  head.append(element("th", "KEM", { scope: "col" }));
  for (const text of ["keys", "encap.", "decap.", "sum, ms", "bytes sent"])
    head.append(element("th", text, { scope: "col" }));
  const body = element("tbody");
  for (const { name, sent } of kems.filter((row) => row.category === category)) {
    const line = element("tr");
    line.append(element("th", name, { scope: "row" }));
    const cells = [...OPERATIONS, "sum"].map(() => element("td", "–"));
    line.append(...cells, element("td", number(sent)));
    const bars = OPERATIONS.map((step) => element("i", undefined, { class: step }));
    const bar = element("div", undefined, { class: "bar" });
    bar.append(...bars);
    const cell = element("td", undefined, { colspan: "6" });
    cell.append(bar);
    const barLine = element("tr", undefined, { class: "bars", "aria-hidden": "true" });
    barLine.append(cell);
    body.append(line, barLine);
    rows.set(name, { category, cells, bars, times: null });
  }
  const top = element("thead");
  top.append(head);
  table.append(top, body);
  return table;
}

const sum = (values) => values.reduce((a, b) => a + b, 0);

function showTimes(name, times) {
  const { category, cells } = Object.assign(rows.get(name), { times });
  [...times, sum(times)].forEach((time, i) => {
    cells[i].textContent = milliseconds(time);
  });
  const group = [...rows.values()].filter((row) => row.category === category && row.times);
  const longest = Math.max(...group.map((row) => sum(row.times)));
  for (const row of group)
    row.bars.forEach((bar, i) => {
      bar.style.width = `${(100 * row.times[i]) / longest}%`;
    });
}

/** One sentence for who cannot see the bars, and for everybody else. */
function summary() {
  const ratio = (a, b) => sum(rows.get(a).times) / sum(rows.get(b).times);
  const [first, ...others] = [
    ["HQC-1", "ML-KEM-512"],
    ["HQC-3", "ML-KEM-768"],
    ["HQC-5", "ML-KEM-1024"],
  ].map(([a, b]) => `${a} takes ${ratio(a, b).toFixed(2)} times as long as ${b}`);
  return `Measured. An exchange with ${first}, ${others.join(", and ")} (noble) here.`;
}

let measuring = false;

function setMeasuring(value) {
  measuring = value;
  byId("measure").textContent = value ? "Stop" : "Measure all";
  byId("progress").hidden = !value;
  for (const id of ["kem", "alter"]) byId(id).disabled = value;
}

byId("measure").addEventListener("click", () => {
  worker.postMessage({ step: measuring ? "stop" : "measure" });
  byId("measured").textContent = measuring ? "Stopped." : "Measuring…";
  byId("progress").value = 0;
  setMeasuring(!measuring);
  OPERATIONS.forEach((step) => {
    byId(step).disabled = true;
  });
  if (!measuring) allow(0);
});

worker.onmessage = ({ data }) => {
  if (data.step !== undefined) {
    answers[data.step](data);
  } else if (measuring) {
    byId("progress").value = data.progress;
    if (data.times) showTimes(data.name, data.times);
    if (data.done) {
      setMeasuring(false);
      allow(0);
      byId("measured").textContent = summary();
    }
  }
};

byId("version").textContent = VERSIONS.codekem;
byId("noble-version").textContent = VERSIONS.noble;
byId("licences").textContent = LICENCES;
worker.postMessage({ step: "hello" });
