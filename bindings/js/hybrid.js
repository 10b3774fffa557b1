// SPDX-License-Identifier: Apache-2.0 OR MIT
// A KEM and an elliptic curve as one KEM; hybrid.d.ts says how it is used. Curves and hashes are
// those of Node's crypto, which Deno, Bun and workers have, too.
// @ts-ignore a package with its types would be a dependency
import * as crypto from "node:crypto";

import { Bytes, copyOf, isBytes, lengthOf, wipe } from "./internal/bytes.js";

/** @typedef {import("./internal/types.js").Kem} Kem */
/** @typedef {Uint8Array<ArrayBuffer>} Array */

const SEED = 32; // of a key pair
const SCALAR = 32; // of each group, as its secrets
const SHARED_SECRET = 32;

/** @type {(...parts: readonly Uint8Array[]) => Array} */
const concat = (...parts) => {
  const out = new Bytes(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};

/** @type {(hex: string, bytes: Uint8Array) => Array} */
const behind = (hex, bytes) => concat(Buffer.from(hex, "hex"), bytes);
/** @type {any} */
const { Buffer } = globalThis;

/**
 * A nominal group of draft-irtf-cfrg-concrete-hybrid-kems-04, 3.1. They throw an Error for what is
 * no element.
 * @typedef {object} Group
 * @property {number} element bytes
 * @property {number} seed bytes, of one or more candidates for a scalar
 * @property {(seed: Uint8Array) => Array} scalar
 * @property {(scalar: Uint8Array) => Array} multiple of the generator
 * @property {(scalar: Uint8Array, element: Uint8Array) => Array} secret
 */

/** @type {(scalar: Uint8Array) => any} */
const x25519Key = (scalar) => {
  const key = behind("302e020100300506032b656e04220420", scalar); // PKCS #8
  const found = crypto.createPrivateKey({ key, format: "der", type: "pkcs8" });
  wipe(key);
  return found;
};

/** @type {Group} */
const x25519 = {
  element: 32,
  seed: SCALAR,
  scalar: (seed) => copyOf(seed),
  multiple(scalar) {
    const key = crypto.createPublicKey(x25519Key(scalar));
    return copyOf(key.export({ format: "der", type: "spki" }).subarray(-32));
  },
  secret(scalar, element) {
    const key = behind("302a300506032b656e032100", element); // SubjectPublicKeyInfo
    const publicKey = crypto.createPublicKey({ key, format: "der", type: "spki" });
    const privateKey = x25519Key(scalar);
    try {
      return copyOf(crypto.diffieHellman({ privateKey, publicKey }));
    } catch {
      // All zeros, as points of small order give, is an error there. The draft hashes it.
      return new Bytes(SCALAR);
    }
  },
};

/** @type {(scalar: Uint8Array) => any} */
const p256Key = (scalar) => {
  const key = crypto.createECDH("prime256v1");
  key.setPrivateKey(scalar); // throws for 0, and for what is not below the order
  return key;
};

/** @type {Group} */
const p256 = {
  element: 65,
  seed: 4 * SCALAR,
  scalar(seed) {
    for (let at = 0; at < seed.length; at += SCALAR) {
      const candidate = seed.slice(at, at + SCALAR);
      try {
        p256Key(candidate);
        return copyOf(candidate);
      } catch {
        wipe(candidate);
      }
    }
    throw new Error("no scalar can be drawn from this seed, which is not random");
  },
  multiple: (scalar) => copyOf(p256Key(scalar).getPublicKey()),
  secret(scalar, element) {
    if (element[0] !== 4) throw new Error("this is no uncompressed point");
    return copyOf(p256Key(scalar).computeSecret(element));
  },
};

/** @type {Readonly<Record<string, Group>>} */
const GROUPS = { X25519: x25519, P256: p256 };

/** @type {typeof import("./hybrid.js").hybrid} */
export function hybrid(kem, groupName = "X25519") {
  if (typeof kem?.keygen !== "function")
    throw new TypeError("the first argument is a KEM: hqc1, say");
  if (!Object.hasOwn(GROUPS, groupName)) throw new RangeError('the group is "X25519" or "P256"');
  const group = GROUPS[groupName];
  const name = `${kem.name}-${groupName}`;
  const label = `codekem-${name}-UG-v0`;
  const of = kem.lengths;
  const publicKeyLength = of.publicKey + group.element;
  const scalarAt = SEED + of.secretKey;
  const publicAt = scalarAt + SCALAR;
  const lengths = Object.freeze({
    publicKey: publicKeyLength,
    secretKey: publicAt + publicKeyLength,
    cipherText: of.cipherText + group.element,
    sharedSecret: SHARED_SECRET,
    seed: SEED,
    msg: of.msg + group.seed,
    msgRand: of.msg + group.seed,
  });

  /** Returns a copy, after a look at what it is. */
  /** @type {(value: unknown, length: number, what: string) => Array} */
  const owned = (value, length, what) => {
    if (!isBytes(value))
      throw new TypeError(`${name}: ${what} must be a Uint8Array of ${length} bytes`);
    const bytes = /** @type {Uint8Array} */ (value);
    if (lengthOf(bytes) !== length)
      throw new RangeError(`${name}: ${what} must have ${length} bytes, not ${lengthOf(bytes)}`);
    return copyOf(bytes);
  };

  /** The secret of a scalar and what should be an element. */
  /** @type {(scalar: Uint8Array, element: Uint8Array, what: string) => Array} */
  const secretOf = (scalar, element, what) => {
    try {
      return group.secret(scalar, element);
    } catch {
      throw new Error(`${name}: ${what} ends in no point of ${groupName}`);
    }
  };

  /** The universal combiner, 5.1.3. */
  /** @type {(kem: Uint8Array, group: Uint8Array, ct: Uint8Array, pk: Uint8Array) => Array} */
  const combine = (ofKem, ofGroup, cipherText, publicKey) => {
    const hash = crypto.createHash("sha3-256");
    for (const part of [ofKem, ofGroup, cipherText, publicKey, label]) hash.update(part);
    wipe(ofKem);
    wipe(ofGroup);
    return copyOf(hash.digest());
  };

  /** @type {(seed: Array) => { publicKey: Array, secretKey: Array }} */
  const expand = (seed) => {
    const outputLength = of.seed + group.seed;
    const stream = crypto.createHash("shake256", { outputLength }).update(seed).digest();
    const pair = kem.keygen(copyOf(stream.subarray(0, of.seed)));
    const scalar = group.scalar(copyOf(stream.subarray(of.seed)));
    const publicKey = concat(pair.publicKey, group.multiple(scalar));
    const secretKey = concat(seed, pair.secretKey, scalar, publicKey);
    for (const bytes of [stream, pair.secretKey, scalar]) wipe(bytes);
    return { publicKey, secretKey };
  };

  /** @type {Kem} */
  const made = {
    name,
    info: Object.freeze({ type: "hybrid" }),
    lengths,

    keygen(given) {
      const seed =
        given === undefined ? new Bytes(crypto.randomBytes(SEED)) : owned(given, SEED, "seed");
      const pair = expand(seed);
      wipe(seed);
      return pair;
    },

    encapsulate(pk, given) {
      const publicKey = owned(pk, lengths.publicKey, "publicKey");
      const seed =
        given === undefined
          ? new Bytes(crypto.randomBytes(lengths.msg))
          : owned(given, lengths.msg, "msg");
      const scalar = group.scalar(seed.slice(of.msg));
      const ofGroup = secretOf(scalar, publicKey.subarray(of.publicKey), "publicKey");
      const inner = kem.encapsulate(publicKey.slice(0, of.publicKey), seed.slice(0, of.msg));
      const cipherText = concat(inner.cipherText, group.multiple(scalar));
      const sharedSecret = combine(inner.sharedSecret, ofGroup, cipherText, publicKey);
      wipe(seed);
      wipe(scalar);
      return { cipherText, sharedSecret };
    },

    decapsulate(ct, sk) {
      const cipherText = owned(ct, lengths.cipherText, "cipherText");
      const secretKey = owned(sk, lengths.secretKey, "secretKey");
      try {
        const scalar = secretKey.subarray(scalarAt, publicAt);
        const ofGroup = secretOf(scalar, cipherText.subarray(of.cipherText), "cipherText");
        const ofKem = kem.decapsulate(
          cipherText.subarray(0, of.cipherText),
          secretKey.subarray(SEED, scalarAt),
        );
        return combine(ofKem, ofGroup, cipherText, secretKey.subarray(publicAt));
      } finally {
        wipe(secretKey);
      }
    },

    getPublicKey(sk) {
      const secretKey = owned(sk, lengths.secretKey, "secretKey");
      const publicKey = secretKey.slice(publicAt);
      wipe(secretKey);
      return publicKey;
    },

    checkPublicKey(pk) {
      const publicKey = owned(pk, lengths.publicKey, "publicKey");
      return (
        kem.checkPublicKey(publicKey.slice(0, of.publicKey)) && isElement(publicKey, of.publicKey)
      );
    },

    checkSecretKey(sk) {
      const secretKey = owned(sk, lengths.secretKey, "secretKey");
      const again = expand(secretKey.slice(0, SEED)).secretKey;
      const same = crypto.timingSafeEqual(again, secretKey);
      wipe(again);
      wipe(secretKey);
      return same;
    },

    checkCipherText(ct) {
      const cipherText = owned(ct, lengths.cipherText, "cipherText");
      return (
        kem.checkCipherText(cipherText.slice(0, of.cipherText)) &&
        isElement(cipherText, of.cipherText)
      );
    },

    usesSimd: () => kem.usesSimd(),
    ready: (module) => kem.ready(module),
  };

  /** @type {(bytes: Uint8Array, at: number) => boolean} */
  const isElement = (bytes, at) => {
    const one = new Bytes(SCALAR).fill(1);
    try {
      group.secret(one, bytes.subarray(at));
      return true;
    } catch {
      return false;
    }
  };
  return Object.freeze(made);
}
