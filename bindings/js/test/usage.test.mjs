// SPDX-License-Identifier: Apache-2.0 OR MIT
// Wrong arguments, objects that lie, randomness, what stays in memory, threads.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { Worker } from "node:worker_threads";

import * as codekem from "codekem";
// Not for users: the instance is needed here to look into its memory.
import * as bikePacked from "./node_modules/codekem/internal/bike_module.js";
import * as hqcPacked from "./node_modules/codekem/internal/hqc_module.js";
import { makeKem } from "./node_modules/codekem/internal/kem.js";
import { Module } from "./node_modules/codekem/internal/module.js";
import { BIKE_L1, HQC_1 } from "./node_modules/codekem/internal/parameters.js";

const kems = Object.values(codekem);
const STACK = 65536;
const compiled = (family) =>
  new WebAssembly.Module(readFileSync(`node_modules/codekem/${family}.wasm`));

/** Runs work while prototypes that many programs use do something else. */
function changed(work) {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
  const nothing = { configurable: true, value: () => undefined };
  const zero = { configurable: true, get: () => 0 };
  const changes = [
    [typedArray, "length", zero],
    [typedArray, "byteLength", zero],
    [typedArray, Symbol.toStringTag, zero],
    [Uint8Array, Symbol.species, { configurable: true, get: () => Float64Array }],
    [WebAssembly.Memory.prototype, "buffer", zero],
    [WebAssembly.Global.prototype, "value", zero],
    [Math, "ceil", nothing],
    [Array.prototype, Symbol.iterator, nothing],
    [Array.prototype, 4, { configurable: true, set() {} }],
    ...["set", "fill", "slice", "subarray"].map((name) => [typedArray, name, nothing]),
    ...["map", "flatMap", "forEach", "push"].map((name) => [Array.prototype, name, nothing]),
    ...["getUint32", "setUint32"].map((name) => [DataView.prototype, name, nothing]),
    [globalThis, "Uint8Array", { configurable: true, value: Float64Array }],
  ];
  const before = changes.map(([object, name]) => Object.getOwnPropertyDescriptor(object, name));
  const { defineProperty } = Object;
  try {
    for (let i = 0; i < changes.length; i++) {
      const change = changes[i];
      defineProperty(change[0], change[1], change[2]);
    }
    work();
  } finally {
    for (let i = 0; i < changes.length; i++) {
      const object = changes[i][0];
      const name = changes[i][1];
      if (before[i] === undefined) delete object[name];
      else defineProperty(object, name, before[i]);
    }
  }
}

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
    const malformed = new Uint8Array(kem.lengths.publicKey).fill(0xff);
    assert.ok(!kem.checkPublicKey(malformed));
    assert.throws(() => kem.encapsulate(malformed), {
      message: `${kem.name}: publicKey is malformed: no honest party can have made it`,
    });
    const zeros = new Uint8Array(kem.lengths.publicKey);
    if (!kem.checkPublicKey(zeros)) assert.throws(() => kem.encapsulate(zeros), /malformed/);
    assert.ok(!kem.checkSecretKey(new Uint8Array(kem.lengths.secretKey).fill(0xff)));
    assert.ok(!kem.checkCipherText(new Uint8Array(kem.lengths.cipherText).fill(0xff)));
  });

  test(`${kem.name}: every ciphertext of the right length is taken`, () => {
    for (const byte of [0, 1, 0x80, 0xff]) {
      const odd = new Uint8Array(cipherText.length).fill(byte);
      const secret = kem.decapsulate(odd, secretKey);
      assert.equal(secret.length, 32);
      assert.deepEqual(kem.decapsulate(odd, secretKey), secret);
      assert.notDeepEqual(secret, sharedSecret);
    }
  });

  test(`${kem.name}: what an array says of itself does not matter`, () => {
    const lies = [
      { length: { get: () => 0 } },
      { byteLength: { value: 1 } },
      { byteOffset: { value: 5 }, buffer: { get: () => new ArrayBuffer(9) } },
      { [Symbol.toStringTag]: { value: "Float64Array" } },
      { [Symbol.iterator]: { value: () => [][Symbol.iterator]() } },
      { subarray: { value: () => new Uint8Array() }, slice: { value: () => new Uint8Array() } },
      { constructor: { value: Float64Array }, set: { value() {} }, fill: { value() {} } },
    ];
    for (const lie of lies) {
      const liar = (bytes) => Object.defineProperties(bytes.slice(), lie);
      assert.deepEqual(kem.decapsulate(liar(cipherText), liar(secretKey)), sharedSecret);
      assert.deepEqual(kem.getPublicKey(liar(secretKey)), publicKey);
      const sent = kem.encapsulate(liar(publicKey));
      assert.deepEqual(kem.decapsulate(sent.cipherText, secretKey), sent.sharedSecret);
      const seed = new Uint8Array(kem.lengths.seed).fill(3);
      assert.deepEqual(kem.keygen(liar(seed)), kem.keygen(seed));
      assert.throws(() => kem.decapsulate(liar(cipherText.subarray(1)), secretKey), RangeError);
    }
    for (const Other of [Float64Array, Int8Array, DataView]) {
      const length = cipherText.length * (Other.BYTES_PER_ELEMENT ?? 1);
      const liar = Object.defineProperties(new Other(new ArrayBuffer(length)), {
        [Symbol.toStringTag]: { value: "Uint8Array" },
        length: { value: cipherText.length },
        byteLength: { value: cipherText.length },
      });
      assert.throws(() => kem.decapsulate(liar, secretKey), TypeError);
      Object.setPrototypeOf(liar, Uint8Array.prototype);
      assert.throws(() => kem.decapsulate(liar, secretKey), TypeError);
    }
    assert.throws(() => kem.decapsulate(new Proxy(cipherText, {}), secretKey), TypeError);
    const gone = cipherText.slice();
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    assert.throws(() => kem.decapsulate(gone, secretKey), RangeError);
    const shared = new Uint8Array(new SharedArrayBuffer(secretKey.length));
    shared.set(secretKey);
    const growing = new Uint8Array(
      new ArrayBuffer(cipherText.length, { maxByteLength: 2 * cipherText.length }),
    );
    growing.set(cipherText);
    assert.deepEqual(kem.decapsulate(growing, shared), sharedSecret);
    growing.buffer.resize(cipherText.length + 1);
    assert.throws(() => kem.decapsulate(growing, secretKey), RangeError);
    assert.deepEqual(kem.decapsulate(cipherText, secretKey), sharedSecret);
  });

  test(`${kem.name}: what is changed in prototypes later does not matter`, () => {
    const seed = new Uint8Array(kem.lengths.seed).fill(9);
    const msg = new Uint8Array(kem.lengths.msg).fill(8);
    const expected = kem.keygen(seed);
    const sent = kem.encapsulate(expected.publicKey, msg);
    let got;
    changed(() => {
      const pair = kem.keygen(seed);
      const again = kem.encapsulate(pair.publicKey, msg);
      got = { pair, again, secret: kem.decapsulate(again.cipherText, pair.secretKey) };
    });
    assert.deepEqual(got, { pair: expected, again: sent, secret: sent.sharedSecret });
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

test("arguments that share memory are taken as if they did not", () => {
  for (const kem of kems) {
    const { publicKey, secretKey } = kem.keygen();
    const msg = publicKey.subarray(1, 1 + kem.lengths.msg);
    const sent = kem.encapsulate(publicKey, msg);
    assert.deepEqual(sent, kem.encapsulate(publicKey, msg.slice()));
    const both = new Uint8Array(Math.max(secretKey.length, sent.cipherText.length));
    both.set(secretKey);
    const ct = both.subarray(0, kem.lengths.cipherText);
    const secret = kem.decapsulate(ct, both.subarray(0, secretKey.length));
    assert.deepEqual(secret, kem.decapsulate(ct.slice(), secretKey));
  }
});

test("a check that cannot be made is an error, not a malformed key", () => {
  const zeros = (length) => new Uint8Array(length);
  const answers = (status) => makeKem({ call: () => ({ status, outputs: [] }) }, "hqc", HQC_1);
  const { publicKey, secretKey, cipherText } = codekem.hqc1.lengths;
  for (const [status, good] of [
    [0, true],
    [4, false],
    [5, false],
    [6, false],
  ]) {
    assert.equal(answers(status).checkPublicKey(zeros(publicKey)), good);
    assert.equal(answers(status).checkSecretKey(zeros(secretKey)), good);
    assert.equal(answers(status).checkCipherText(zeros(cipherText)), good);
  }
  for (const status of [1, 2, 3, 7, 8, 9, 10]) {
    const message = new RegExp(`codekem status ${status}\\)`);
    assert.throws(() => answers(status).checkPublicKey(zeros(publicKey)), message);
    assert.throws(() => answers(status).checkSecretKey(zeros(secretKey)), message);
    assert.throws(() => answers(status).checkCipherText(zeros(cipherText)), message);
  }
});

test("the same seed gives the same keys", () => {
  const seed = new Uint8Array(32).fill(7);
  assert.deepEqual(codekem.hqc1.keygen(seed), codekem.hqc1.keygen(seed));
  assert.deepEqual(seed, new Uint8Array(32).fill(7));
});

test("without a source of randomness the error says what to do", async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    const without = await import("./node_modules/codekem/internal/kem.js?without");
    const kem = without.makeKem(new Module(hqcPacked), "hqc", HQC_1);
    assert.throws(() => kem.keygen(), /crypto.getRandomValues is missing here: pass/);
    const { publicKey } = kem.keygen(new Uint8Array(32));
    assert.throws(() => kem.encapsulate(publicKey), /crypto.getRandomValues is missing here: pass/);
    // A program may add one; and the one that was there from the beginning stays.
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
    assert.notDeepEqual(kem.keygen(), kem.keygen());
    const zeros = { getRandomValues: (bytes) => bytes };
    Object.defineProperty(globalThis, "crypto", { value: zeros, configurable: true });
    assert.deepEqual(kem.keygen(), kem.keygen());
    assert.notDeepEqual(codekem.hqc1.keygen(), codekem.hqc1.keygen());
  } finally {
    Object.defineProperty(globalThis, "crypto", own);
  }
});

for (const [packed, type, parameters] of [
  [hqcPacked, "hqc", HQC_1],
  [bikePacked, "bike", BIKE_L1],
]) {
  test(`${parameters[1]}: after a call nothing of it is left in the module's memory`, () => {
    const module = new Module(packed);
    const kem = makeKem(module, type, parameters);
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

test("ready loads the module beforehand, also twice at once and when it is there", async () => {
  const refused = WebAssembly.Module;
  WebAssembly.Module = function () {
    throw new RangeError("the main thread of an old browser");
  };
  try {
    const old = await import("./node_modules/codekem/internal/module.js?old");
    const module = new old.Module(hqcPacked);
    const kem = makeKem(module, "hqc", HQC_1);
    assert.throws(() => kem.keygen(), RangeError);
    await Promise.all([kem.ready(), kem.ready()]);
    const { publicKey, secretKey } = kem.keygen();
    await kem.ready();
    assert.deepEqual(kem.getPublicKey(secretKey), publicKey);
    assert.equal(kem.usesSimd(), codekem.hqc1.usesSimd());
  } finally {
    WebAssembly.Module = refused;
  }
});

test("a module that was compiled elsewhere is taken where none comes from bytes", async () => {
  const { Module: refused, instantiate } = WebAssembly;
  const refuse = (value) => {
    if (ArrayBuffer.isView(value)) throw new WebAssembly.CompileError("disallowed by embedder");
  };
  WebAssembly.Module = function (bytes) {
    refuse(bytes);
  };
  WebAssembly.Module.exports = refused.exports;
  WebAssembly.instantiate = async (value) => {
    refuse(value);
    return instantiate(value);
  };
  const edge = await import("./node_modules/codekem/internal/module.js?edge");
  Object.assign(WebAssembly, { Module: refused, instantiate });

  const kem = makeKem(new edge.Module(hqcPacked), "hqc", HQC_1);
  assert.throws(() => kem.keygen(), /compiles no WebAssembly from bytes.* ready\(\)/);
  await assert.rejects(kem.ready(), /compiles no WebAssembly from bytes.* ready\(\)/);
  const wrong = [null, 5, "hqc.wasm", {}, new Uint8Array(8), WebAssembly];
  for (const value of wrong) await assert.rejects(kem.ready(value), TypeError);
  await assert.rejects(kem.ready(compiled("bike")), /not the module of HQC-1/);
  assert.throws(() => kem.keygen(), /compiles no WebAssembly/);
  await kem.ready(compiled("hqc"));
  assert.ok(kem.usesSimd());
  const seed = new Uint8Array(32).fill(1);
  assert.deepEqual(kem.keygen(seed), codekem.hqc1.keygen(seed));

  const given = makeKem(new edge.Module({ compiled: compiled("bike") }), "bike", BIKE_L1);
  assert.equal(given.decapsulate(new Uint8Array(1573), given.keygen().secretKey).length, 32);
  const mixed = makeKem(new edge.Module({ compiled: compiled("bike") }), "hqc", HQC_1);
  assert.throws(() => mixed.keygen(), /not the module of HQC-1/);
  const bundled = makeKem(new edge.Module({ compiled: "/assets/hqc.wasm" }), "hqc", HQC_1);
  assert.throws(() => bundled.keygen(), /no WebAssembly.Module.*bundler/);
});

test("a call that ends in the middle leaves nothing behind and harms no later one", () => {
  const module = new Module(hqcPacked);
  const kem = makeKem(module, "hqc", HQC_1);
  const { publicKey, secretKey } = kem.keygen();
  const { cipherText, sharedSecret } = kem.encapsulate(publicKey);
  const memory = module.memory();
  // As a trap or a stack that is too small would end it: the arguments lie in the memory already.
  assert.throws(
    () => module.call(HQC_1, "no function", [32, cipherText, secretKey], 48),
    TypeError,
  );
  assert.ok(memory.every((byte) => byte === 0));
  assert.deepEqual(kem.decapsulate(cipherText, secretKey), sharedSecret);
});

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
