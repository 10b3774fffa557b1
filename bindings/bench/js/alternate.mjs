// SPDX-License-Identifier: Apache-2.0 OR MIT
// Times codekem beside liboqs-js and noble-post-quantum, in turns; run by measure.py in the folder
// where they are installed: node alternate.mjs ROUNDS SECONDS. Prints JSON, in microseconds.
import { ml_kem768 } from "@noble/post-quantum/ml-kem.js";
import { createHQC128, createHQC192, createHQC256 } from "@oqs/liboqs-js";
import * as codekem from "codekem";

/** Microseconds on the processor: other programs do not count. */
function processor() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Returns the microseconds of one run of work. */
function time(work, seconds) {
  const start = processor();
  const end = performance.now() + 1000 * seconds;
  let count = 0;
  do {
    work();
    count++;
  } while (performance.now() < end);
  return (processor() - start) / count;
}

/** The three operations of a KEM with the functions of noble. */
function operations(kem) {
  const { publicKey, secretKey } = kem.keygen();
  const { cipherText } = kem.encapsulate(publicKey);
  return [
    () => kem.keygen(),
    () => kem.encapsulate(publicKey),
    () => kem.decapsulate(cipherText, secretKey),
  ];
}

async function liboqs(create) {
  const kem = await create();
  const { publicKey, secretKey } = kem.generateKeyPair();
  const { ciphertext } = kem.encapsulate(publicKey);
  return [
    () => kem.generateKeyPair(),
    () => kem.encapsulate(publicKey),
    () => kem.decapsulate(ciphertext, secretKey),
  ];
}

const LEVELS = {
  "HQC-1": { codekem: codekem.hqc1, liboqs: createHQC128 },
  "HQC-3": { codekem: codekem.hqc3, liboqs: createHQC192 },
  "HQC-5": { codekem: codekem.hqc5, liboqs: createHQC256 },
};

async function turns(rounds, seconds) {
  const pairs = { "ML-KEM-768": [operations(codekem.hqc1), operations(ml_kem768)] };
  for (const [level, sides] of Object.entries(LEVELS))
    pairs[level] = [operations(sides.codekem), await liboqs(sides.liboqs)];
  const results = {};
  for (const [name, sides] of Object.entries(pairs)) {
    // The engine compiles what runs often.
    for (const work of sides.flat()) for (let i = 0; i < 10; i++) time(work, seconds);
    const found = sides.map(() => []);
    for (let round = 0; round < rounds; round++)
      sides.forEach((side, i) => found[i].push(side.map((work) => time(work, seconds))));
    results[name] = { ours: found[0], peer: found[1] };
  }
  return { simd: codekem.hqc1.usesSimd(), pairs: results };
}

const [rounds, seconds] = process.argv.slice(2).map(Number);
console.log(JSON.stringify(await turns(rounds, seconds)));
process.exit(0);
