// SPDX-License-Identifier: Apache-2.0 OR MIT
// Does the work of the page in a thread of its own. Secret keys never leave it.
import { hqc1 } from "../index.js";
import { KEMS } from "./kems.js";

const kemOf = (name) => KEMS.find((row) => row.name === name).kem;

/** Runs work once and returns its result with the milliseconds that it took. */
function timed(work) {
  const start = performance.now();
  const result = work();
  return { result, time: performance.now() - start };
}

/** What the exchange is at: the KEM, and what Alice and Bob hold. */
let state = {};

const steps = {
  keygen({ kem }) {
    const { result, time } = timed(() => kemOf(kem).keygen());
    state = { kem: kemOf(kem), ...result };
    return { time, publicKey: result.publicKey, secretBytes: result.secretKey.length };
  },
  encapsulate() {
    const { result, time } = timed(() => state.kem.encapsulate(state.publicKey));
    Object.assign(state, result);
    return { time, ...result };
  },
  decapsulate({ alter }) {
    const received = state.cipherText.slice();
    if (alter) received[received.length >> 1] ^= 1;
    const { result, time } = timed(() => state.kem.decapsulate(received, state.secretKey));
    const same = result.every((byte, i) => byte === state.sharedSecret[i]);
    return { time, sharedSecret: result, same };
  },
};

// --- Measuring -----------------------------------------------------------------------------------

const ROUNDS = 8; // of which the fastest counts, for other programs use the processor, too
const BATCH = 10; // milliseconds that a batch takes at least; clocks of browsers are coarse
const WARM_UP = 60;

/** Lets messages in: the page may have asked to stop. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

let stopped = false;

/** Runs work for at least so many milliseconds and returns those of one run. */
function batch(work, least) {
  const start = performance.now();
  let count = 0;
  let taken;
  do {
    work();
    count++;
    taken = performance.now() - start;
  } while (taken < least);
  return taken / count;
}

async function measure() {
  stopped = false;
  const rows = KEMS.map(({ name, kem }) => {
    const { publicKey, secretKey } = kem.keygen();
    const { cipherText } = kem.encapsulate(publicKey);
    const work = [
      () => kem.keygen(),
      () => kem.encapsulate(publicKey),
      () => kem.decapsulate(cipherText, secretKey),
    ];
    return { name, work, samples: [[], [], []] };
  });
  // Round 0 is for the engine, which compiles what runs often.
  for (let round = 0; round <= ROUNDS; round++) {
    for (let i = 0; i < rows.length; i++) {
      const { name, work, samples } = rows[i];
      for (let operation = 0; operation < work.length && !stopped; operation++) {
        const time = batch(work[operation], round === 0 ? WARM_UP : BATCH);
        if (round > 0) samples[operation].push(time);
        await pause();
      }
      if (stopped) return;
      postMessage({
        progress: (round * rows.length + i + 1) / ((ROUNDS + 1) * rows.length),
        name,
        times: round > 0 ? samples.map((values) => Math.min(...values)) : null,
      });
    }
  }
  postMessage({ progress: 1, done: true });
}

/** What the page needs to know of the KEMs, so that it has no other copy of them. */
function hello() {
  const kems = KEMS.map(({ kem, ...row }) => ({
    ...row,
    sent: kem.lengths.publicKey + kem.lengths.cipherText,
  }));
  return { step: "hello", simd: hqc1.usesSimd(), kems };
}

onmessage = ({ data }) => {
  if (data.step === "measure") measure();
  else if (data.step === "stop") stopped = true;
  else if (data.step === "hello") postMessage(hello());
  else postMessage({ step: data.step, ...steps[data.step](data) });
};
