// SPDX-License-Identifier: Apache-2.0 OR MIT
// What every KEM of this package can do; kem.d.ts says how it is used.

/** @typedef {import("./kem.js").Kem} Kem */
/** @typedef {import("./kem.js").Lengths} Lengths */

// Where codekem_kem (codekem.h) has the lengths of workspaces.
const KEYPAIR_WORKSPACE = 40;
const ENCAPS_WORKSPACE = 44;
const DECAPS_WORKSPACE = 48;
const CHECK_WORKSPACE = 64;

const SHARED_SECRET = 32;

/**
 * Throws unless value is a Uint8Array (of any realm) of length bytes. No value is shown.
 *
 * @param {unknown} value
 * @param {number} length
 * @param {string} what Name of the argument, with the KEM's.
 */
function check(value, length, what) {
  // The getter of all typed arrays, which tells them apart even where subclasses lie.
  if (!ArrayBuffer.isView(value) || /** @type {any} */ (value)[Symbol.toStringTag] !== "Uint8Array")
    throw new TypeError(`${what} must be a Uint8Array of ${length} bytes`);
  if (value.byteLength !== length)
    throw new RangeError(`${what} must have ${length} bytes, not ${value.byteLength}`);
}

/**
 * @param {number} length
 * @returns {Uint8Array<ArrayBuffer>}
 */
function random(length) {
  if (typeof globalThis.crypto?.getRandomValues !== "function")
    throw new Error("crypto.getRandomValues is missing here: pass the seed or msg yourself");
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
}

/**
 * @param {import("./module.js").Module} module
 * @param {number} index Its number in the module.
 * @param {string} name
 * @param {number[]} sizes In bytes: public key, secret key, ciphertext, and the randomness that
 *   keygen and encapsulate take.
 * @returns {Kem}
 */
export function makeKem(module, index, name, [publicKey, secretKey, cipherText, seed, msg]) {
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

  /**
   * @param {string} operation
   * @param {(Uint8Array | number)[]} buffers
   * @param {number} workspace
   */
  const run = (operation, buffers, workspace) => {
    const { status, outputs } = module.call(`codekem_kem_${operation}`, index, buffers, workspace);
    if (status !== 0) throw new Error(`${name}: ${operation} failed (codekem status ${status})`);
    return outputs;
  };

  /** @type {(operation: string, input: Uint8Array, workspace?: number) => boolean} */
  const passes = (operation, input, workspace) =>
    module.call(`codekem_kem_${operation}`, index, [input], workspace).status === 0;

  return Object.freeze({
    name,
    info: Object.freeze({ type: name.startsWith("HQC") ? "hqc" : "bike" }),
    lengths,

    /** @param {Uint8Array} [given] */
    keygen(given) {
      if (given !== undefined) check(given, seed, `${name}: seed`);
      const used = given ?? random(seed);
      const [pk, sk] = run("keypair_workspace", [publicKey, secretKey, used], KEYPAIR_WORKSPACE);
      if (given === undefined) used.fill(0);
      return { publicKey: pk, secretKey: sk };
    },

    /** @param {Uint8Array} pk @param {Uint8Array} [given] */
    encapsulate(pk, given) {
      check(pk, publicKey, `${name}: publicKey`);
      if (given !== undefined) check(given, msg, `${name}: msg`);
      const used = given ?? random(msg);
      const buffers = [cipherText, SHARED_SECRET, pk, used];
      const [ct, ss] = run("encaps_workspace", buffers, ENCAPS_WORKSPACE);
      if (given === undefined) used.fill(0);
      return { cipherText: ct, sharedSecret: ss };
    },

    /** @param {Uint8Array} ct @param {Uint8Array} sk */
    decapsulate(ct, sk) {
      check(ct, cipherText, `${name}: cipherText`);
      check(sk, secretKey, `${name}: secretKey`);
      return run("decaps_workspace", [SHARED_SECRET, ct, sk], DECAPS_WORKSPACE)[0];
    },

    /** @param {Uint8Array} sk */
    getPublicKey(sk) {
      check(sk, secretKey, `${name}: secretKey`);
      return run("derive_public_key_workspace", [publicKey, sk], CHECK_WORKSPACE)[0];
    },

    /** @param {Uint8Array} pk */
    checkPublicKey(pk) {
      check(pk, publicKey, `${name}: publicKey`);
      return passes("check_public_key", pk);
    },

    /** @param {Uint8Array} sk */
    checkSecretKey(sk) {
      check(sk, secretKey, `${name}: secretKey`);
      return passes("check_secret_key_workspace", sk, CHECK_WORKSPACE);
    },

    /** @param {Uint8Array} ct */
    checkCipherText(ct) {
      check(ct, cipherText, `${name}: cipherText`);
      return passes("check_ciphertext", ct);
    },

    usesSimd: () => module.usesSimd(),
  });
}
