// SPDX-License-Identifier: Apache-2.0 OR MIT
// Wrong arguments, randomness, what stays in memory, threads.
import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { Worker } from "node:worker_threads";

import * as codekem from "codekem";
// Not for users: the instance is needed here to look into its memory.
import * as bikePacked from "./node_modules/codekem/internal/bike_module.js";
import * as hqcPacked from "./node_modules/codekem/internal/hqc_module.js";
import { makeKem } from "./node_modules/codekem/internal/kem.js";
import { Module } from "./node_modules/codekem/internal/module.js";

const kems = Object.values(codekem);
const STACK = 65536;

for (const kem of kems) {
  const { publicKey, secretKey } = kem.keygen();
  const { cipherText, sharedSecret } = kem.encapsulate(publicKey);
  const calls = {
    keygen: [new Uint8Array(kem.lengths.seed)],
    encapsulate: [publicKey, new Uint8Array(kem.lengths.msg)],
    decapsulate: [cipherText, secretKey],
    getPublicKey: [secretKey],
    checkPublicKey: [publicKey],
    checkSecretKey: [secretKey],
    checkCipherText: [cipherText],
  };

  test(`${kem.name}: exchange with randomness of the system`, () => {
    assert.deepEqual(kem.decapsulate(cipherText, secretKey), sharedSecret);
    assert.notDeepEqual(kem.keygen().publicKey, publicKey);
    assert.notDeepEqual(kem.encapsulate(publicKey).sharedSecret, sharedSecret);
  });

  test(`${kem.name}: a wrong length is a RangeError, another type a TypeError`, () => {
    for (const [name, good] of Object.entries(calls)) {
      for (let i = 0; i < good.length; i++) {
        const call = (value) => () => kem[name](...good.with(i, value));
        for (const length of [0, good[i].length - 1, good[i].length + 1]) {
          assert.throws(call(new Uint8Array(length)), (error) => {
            assert.ok(error instanceof RangeError);
            assert.match(
              error.message,
              new RegExp(`^${kem.name}: \\w+ must have ${good[i].length}`),
            );
            return true;
          });
        }
        const wrong = [null, 5, "text", [...good[i]], good[i].buffer, new Uint16Array(good[i])];
        wrong.push(
          new DataView(good[i].buffer),
          { length: good[i].length },
          new Int8Array(good[i]),
        );
        for (const value of wrong) assert.throws(call(value), TypeError);
      }
    }
    assert.throws(() => kem.encapsulate(), TypeError);
    assert.throws(() => kem.decapsulate(cipherText), TypeError);
  });

  test(`${kem.name}: no secret stands in an error`, () => {
    for (const value of [secretKey.subarray(1), Buffer.from(secretKey).toString("hex")]) {
      assert.throws(
        () => kem.decapsulate(cipherText, value),
        (error) => {
          const shown = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
          assert.ok(shown.length < 2000);
          assert.ok(!shown.includes(Buffer.from(secretKey.subarray(1, 9)).toString("hex")));
          assert.ok(!shown.includes(secretKey.subarray(1, 9).join(",")));
          return true;
        },
      );
    }
  });

  test(`${kem.name}: the checks tell good from bad`, () => {
    assert.ok(kem.checkPublicKey(publicKey));
    assert.ok(!kem.checkPublicKey(new Uint8Array(kem.lengths.publicKey).fill(0xff)));
    assert.ok(!kem.checkSecretKey(new Uint8Array(kem.lengths.secretKey).fill(0xff)));
    assert.ok(!kem.checkCipherText(new Uint8Array(kem.lengths.cipherText).fill(0xff)));
  });

  test(`${kem.name}: results are the caller's, arguments stay as they are`, () => {
    const copies = [publicKey, secretKey, cipherText].map((bytes) => bytes.slice());
    const first = kem.decapsulate(cipherText, secretKey);
    first.fill(0);
    assert.deepEqual(kem.decapsulate(cipherText, secretKey), sharedSecret);
    assert.deepEqual([publicKey, secretKey, cipherText], copies);
    assert.equal(first.buffer.byteLength, 32);
  });

  test(`${kem.name}: Buffer, parts of larger buffers and arrays of other realms are taken`, () => {
    const large = new Uint8Array(secretKey.length + 7);
    large.set(secretKey, 7);
    assert.deepEqual(kem.decapsulate(cipherText, large.subarray(7)), sharedSecret);
    assert.deepEqual(
      kem.decapsulate(Buffer.from(cipherText), Buffer.from(secretKey)),
      sharedSecret,
    );
    const foreign = vm.runInNewContext(`new Uint8Array(${cipherText.length})`);
    foreign.set(cipherText);
    assert.ok(!(foreign instanceof Uint8Array));
    assert.deepEqual(kem.decapsulate(foreign, secretKey), sharedSecret);
  });
}

test("the same seed gives the same keys", () => {
  const seed = new Uint8Array(32).fill(7);
  assert.deepEqual(codekem.hqc1.keygen(seed), codekem.hqc1.keygen(seed));
  assert.deepEqual(seed, new Uint8Array(32).fill(7));
});

test("without a source of randomness the error says what to do", () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    assert.throws(() => codekem.hqc1.keygen(), /crypto.getRandomValues is missing here: pass/);
    codekem.hqc1.keygen(new Uint8Array(32));
  } finally {
    Object.defineProperty(globalThis, "crypto", own);
  }
});

for (const [packed, name, sizes] of [
  [hqcPacked, "HQC-1", [2241, 2321, 4433, 32, 32]],
  [bikePacked, "BIKE-L1", [1541, 5223, 1573, 64, 32]],
]) {
  test(`${name}: after a call nothing of it is left in the module's memory`, () => {
    const module = new Module(packed);
    const kem = makeKem(module, 0, name, sizes);
    const { publicKey, secretKey } = kem.keygen();
    // The choice of the back end is made at the first call; the rest must be as before.
    const before = module.memory().slice();
    const { cipherText, sharedSecret } = kem.encapsulate(publicKey);
    assert.deepEqual(kem.decapsulate(cipherText, secretKey), sharedSecret);
    assert.throws(() => kem.decapsulate(cipherText, new Uint8Array(1)), RangeError);
    kem.checkSecretKey(secretKey);
    const after = Buffer.from(module.memory());
    for (const bytes of [secretKey, cipherText, sharedSecret]) {
      for (let i = 0; i + 16 <= bytes.length; i += 16) {
        const part = bytes.subarray(i, i + 16);
        // BIKE's secret keys have stretches of few bits, which stand elsewhere by chance.
        if (new Set(part).size > 8) assert.equal(after.indexOf(part), -1);
      }
    }
    // On the stack, which is in front, are addresses and lengths of the last call and no more.
    assert.ok(after.subarray(0, STACK).filter((byte) => byte !== 0).length < 64);
    assert.deepEqual(after.subarray(STACK, before.length), Buffer.from(before.subarray(STACK)));
    assert.ok(after.subarray(before.length).every((byte) => byte === 0));
  });
}

test("threads work side by side", async () => {
  const work = `
    import { parentPort } from "node:worker_threads";
    import { bikeL1, hqc1 } from "codekem";
    for (const kem of [hqc1, bikeL1]) {
      for (let i = 0; i < 5; i++) {
        const { publicKey, secretKey } = kem.keygen();
        const { cipherText, sharedSecret } = kem.encapsulate(publicKey);
        const same = Buffer.compare(sharedSecret, kem.decapsulate(cipherText, secretKey)) === 0;
        parentPort.postMessage(same);
      }
    }`;
  const url = new URL("worker.mjs", import.meta.url);
  const { writeFileSync } = await import("node:fs");
  writeFileSync(url, work);
  const results = await Promise.all(
    Array.from({ length: 4 }, () => {
      const worker = new Worker(url);
      const messages = [];
      worker.on("message", (message) => messages.push(message));
      return new Promise((resolve, reject) => {
        worker.on("exit", () => resolve(messages));
        worker.on("error", reject);
      });
    }),
  );
  assert.deepEqual(results, Array(4).fill(Array(10).fill(true)));
});
