// SPDX-License-Identifier: Apache-2.0 OR MIT
// What every KEM of this package can do; types.d.ts says how it is used.
import { Bytes, copyOf, isBytes, lengthOf, wipe } from "./bytes.js";
import {
  CHECK_WORKSPACE,
  DECAPS_WORKSPACE,
  ENCAPS_WORKSPACE,
  KEYPAIR_WORKSPACE,
} from "./parameters.js";

/** @typedef {import("./types.js").Kem} Kem */
/** @typedef {import("./types.js").Lengths} Lengths */

const SHARED_SECRET = 32;
// What the library returns for a malformed key or ciphertext (codekem.h); 0 is success.
const FIRST_MALFORMED = 4;
const LAST_MALFORMED = 6;

/**
 * Throws unless value is a Uint8Array (of any realm) of length bytes. No value is shown.
 *
 * @param {unknown} value
 * @param {number} length
 * @param {string} what Name of the argument, with the KEM's.
 */
function check(value, length, what) {
  if (!isBytes(value)) throw new TypeError(`${what} must be a Uint8Array of ${length} bytes`);
  const given = lengthOf(/** @type {Uint8Array} */ (value));
  if (given !== length) throw new RangeError(`${what} must have ${length} bytes, not ${given}`);
}

// The source that is there when this file is loaded; else one that the program has added later.
const early = globalThis.crypto;
const draw = early?.getRandomValues;
const { apply } = Reflect;

/**
 * @param {number} length
 * @returns {Uint8Array<ArrayBuffer>}
 */
function random(length) {
  const bytes = new Bytes(length);
  if (typeof draw === "function") {
    apply(draw, early, [bytes]);
  } else {
    if (typeof globalThis.crypto?.getRandomValues !== "function")
      throw new Error("crypto.getRandomValues is missing here: pass the seed or msg yourself");
    globalThis.crypto.getRandomValues(bytes);
  }
  return bytes;
}

/**
 * @param {import("./module.js").Module} module
 * @param {"bike" | "hqc"} type
 * @param {import("./parameters.js").Parameters} parameters
 * @returns {Kem}
 */
export function makeKem(module, type, parameters) {
  const [, name, publicKey, secretKey, cipherText, seed, msg] = parameters;
  /** @type {Lengths} */
  const lengths = Object.freeze({
    publicKey,
    secretKey,
    cipherText,
    sharedSecret: SHARED_SECRET,
    seed,
    msg,
    msgRand: msg,
  });

  /** @type {(operation: string, status: number) => Error} */
  const failed = (operation, status) =>
    new Error(`${name}: ${operation} failed (codekem status ${status})`);

  /**
   * @param {string} operation
   * @param {readonly (Uint8Array | number)[]} buffers
   * @param {number} workspace
   * @param {boolean} [seeded]
   */
  const run = (operation, buffers, workspace, seeded) => {
    const call = `codekem_kem_${operation}_with`;
    const { status, outputs } = module.call(parameters, call, buffers, workspace, seeded);
    if (status !== 0) throw failed(operation, status);
    return outputs;
  };

  /** @type {(operation: string, input: Uint8Array, workspace?: number) => boolean} */
  const passes = (operation, input, workspace) => {
    const call = `codekem_kem_${operation}`;
    const { status } = module.call(parameters, call, [input], workspace);
    if (status !== 0 && (status < FIRST_MALFORMED || status > LAST_MALFORMED))
      throw failed(operation, status);
    return status === 0;
  };

  return Object.freeze({
    name,
    info: Object.freeze({ type }),
    lengths,

    /** @param {Uint8Array} [given] */
    keygen(given) {
      if (given !== undefined) check(given, seed, `${name}: seed`);
      const used = given ?? random(seed);
      const outputs = run("keypair", [publicKey, secretKey, used], KEYPAIR_WORKSPACE, true);
      if (given === undefined) wipe(used);
      return { publicKey: outputs[0], secretKey: outputs[1] };
    },

    /** @param {Uint8Array} pk @param {Uint8Array} [given] */
    encapsulate(pk, given) {
      check(pk, publicKey, `${name}: publicKey`);
      if (given !== undefined) check(given, msg, `${name}: msg`);
      const key = copyOf(pk); // what is checked is what is used, whatever another thread writes
      if (!passes("check_public_key", key))
        throw new Error(`${name}: publicKey is malformed: no honest party can have made it`);
      const used = given ?? random(msg);
      const buffers = [cipherText, SHARED_SECRET, key, used];
      const outputs = run("encaps", buffers, ENCAPS_WORKSPACE, true);
      if (given === undefined) wipe(used);
      return { cipherText: outputs[0], sharedSecret: outputs[1] };
    },

    /** @param {Uint8Array} ct @param {Uint8Array} sk */
    decapsulate(ct, sk) {
      check(ct, cipherText, `${name}: cipherText`);
      check(sk, secretKey, `${name}: secretKey`);
      return run("decaps", [SHARED_SECRET, ct, sk], DECAPS_WORKSPACE)[0];
    },

    /** @param {Uint8Array} sk */
    getPublicKey(sk) {
      check(sk, secretKey, `${name}: secretKey`);
      return run("derive_public_key", [publicKey, sk], CHECK_WORKSPACE)[0];
    },

    /** @param {Uint8Array} pk */
    checkPublicKey(pk) {
      check(pk, publicKey, `${name}: publicKey`);
      return passes("check_public_key", pk);
    },

    /** @param {Uint8Array} sk */
    checkSecretKey(sk) {
      check(sk, secretKey, `${name}: secretKey`);
      return passes("check_secret_key_with", sk, CHECK_WORKSPACE);
    },

    /** @param {Uint8Array} ct */
    checkCipherText(ct) {
      check(ct, cipherText, `${name}: cipherText`);
      return passes("check_ciphertext", ct);
    },

    usesSimd: () => module.usesSimd(),
    /** @param {object} [given] */
    ready: (given) => module.ready(parameters, given),
  });
}
