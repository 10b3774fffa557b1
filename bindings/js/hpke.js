// SPDX-License-Identifier: Apache-2.0 OR MIT
// KEMs for the packages hpke and @hpke/core; hpke.d.ts says how it is used.
// @ts-ignore a package with its types would be a dependency
import * as crypto from "node:crypto";

import { Bytes, copyOf, lengthOf, wipe } from "./internal/bytes.js";

/** @typedef {import("./internal/types.js").Kem} Kem */
/** @typedef {Uint8Array<ArrayBuffer>} Array */

const encoder = new TextEncoder();
const LABEL = encoder.encode("DeriveKeyPair");

/** @type {(number: number) => number[]} */
const inTwoBytes = (number) => [number >> 8, number & 0xff];

// What a key holds: bytes to be published; or a seed, and what follows from it.
const held = new WeakMap();

/** A key of an HPKE library. Its bytes are not among its properties. */
class Key {
  /**
   * @param {string} name
   * @param {"public" | "private"} type
   * @param {boolean} extractable
   */
  constructor(name, type, extractable) {
    this.algorithm = Object.freeze({ name });
    this.type = type;
    this.extractable = extractable;
    this.usages = Object.freeze([]);
    Object.freeze(this);
  }
}

/**
 * What both forms are made of.
 * @param {Kem} kem
 * @param {number} id
 */
function parts(kem, id) {
  if (typeof kem?.keygen !== "function")
    throw new TypeError("the first argument is a KEM: hqc1, say, or a hybrid");
  if (!Number.isInteger(id) || id < 0 || id > 0xffff)
    throw new RangeError("the identifier of a KEM is a number of 16 bits");
  const { name, lengths } = kem;

  /** @type {(key: any, type: string) => any} */
  const contentOf = (key, type) => {
    const content = held.get(key);
    if (key?.type !== type || content?.kem !== kem)
      throw new TypeError(`this is no ${type} key of ${name}`);
    return content;
  };

  /** @type {(bytes: Uint8Array) => Key} */
  const publicKey = (bytes) => {
    if (!kem.checkPublicKey(bytes)) throw new Error(`${name}: the public key is malformed`);
    const key = new Key(name, "public", true);
    held.set(key, { kem, bytes: copyOf(bytes) });
    return key;
  };

  /** @type {(seed: Uint8Array, extractable: boolean) => Key} */
  const privateKey = (seed, extractable) => {
    const pair = kem.keygen(seed);
    const key = new Key(name, "private", extractable);
    held.set(key, { kem, seed: copyOf(seed), ...pair });
    return key;
  };

  /** @type {(seed: Array, extractable: boolean) => { publicKey: Key, privateKey: Key }} */
  const pairOf = (seed, extractable) => {
    const key = privateKey(seed, extractable);
    wipe(seed);
    return { publicKey: publicKey(held.get(key).publicKey), privateKey: key };
  };

  return {
    publicKey,
    privateKey,
    generate: (/** @type {boolean} */ extractable) =>
      pairOf(new Bytes(crypto.randomBytes(lengths.seed)), extractable),

    /** As draft-ietf-hpke-pq-05 does it, by its KDF SHAKE256. */
    /** @type {(ikm: Uint8Array, extractable: boolean) => ReturnType<typeof pairOf>} */
    derive(ikm, extractable) {
      if (lengthOf(ikm) < lengths.seed)
        throw new Error(`${name}: the input keying material has less than ${lengths.seed} bytes`);
      const hash = crypto.createHash("shake256", { outputLength: lengths.seed });
      hash
        .update(ikm)
        .update("HPKE-v1KEM")
        .update(new Bytes(inTwoBytes(id)));
      hash.update(new Bytes(inTwoBytes(LABEL.length))).update(LABEL);
      hash.update(new Bytes(inTwoBytes(lengths.seed)));
      return pairOf(copyOf(hash.digest()), extractable);
    },

    publicBytes: (/** @type {any} */ key) => copyOf(contentOf(key, "public").bytes),

    /** @type {(key: any) => Array} */
    privateBytes(key) {
      const { seed } = contentOf(key, "private");
      if (!key.extractable) throw new TypeError(`${name}: the private key is not extractable`);
      return copyOf(seed);
    },

    /** @type {(key: any) => import("./internal/types.js").Encapsulated} */
    encapsulate: (key) => kem.encapsulate(contentOf(key, "public").bytes),

    /** @type {(enc: Uint8Array, key: any) => Array} */
    decapsulate: (enc, key) =>
      /** @type {Array} */ (kem.decapsulate(enc, contentOf(key, "private").secretKey)),
  };
}

/** @type {typeof import("./hpke.js").kemForHpke} */
export function kemForHpke(kem, id) {
  const of = parts(kem, id);
  const made = Object.freeze({
    id,
    type: /** @type {const} */ ("KEM"),
    name: kem.name,
    Nsecret: kem.lengths.sharedSecret,
    Nenc: kem.lengths.cipherText,
    Npk: kem.lengths.publicKey,
    Nsk: kem.lengths.seed,
    /** @type {(ikm: Uint8Array, extractable: boolean) => Promise<any>} */
    DeriveKeyPair: async (ikm, extractable) => of.derive(ikm, extractable),
    /** @type {(extractable: boolean) => Promise<any>} */
    GenerateKeyPair: async (extractable) => of.generate(extractable),
    /** @type {(key: any) => Promise<Array>} */
    SerializePublicKey: async (key) => of.publicBytes(key),
    /** @type {(key: Uint8Array) => Promise<any>} */
    DeserializePublicKey: async (key) => of.publicKey(key),
    /** @type {(key: any) => Promise<Array>} */
    SerializePrivateKey: async (key) => of.privateBytes(key),
    /** @type {(key: Uint8Array, extractable: boolean) => Promise<any>} */
    DeserializePrivateKey: async (key, extractable) => of.privateKey(key, extractable),
    /** @type {(key: any) => Promise<{ shared_secret: any, enc: any }>} */
    async Encap(key) {
      const { sharedSecret, cipherText } = of.encapsulate(key);
      return { shared_secret: sharedSecret, enc: cipherText };
    },
    /** @type {(enc: Uint8Array, key: any) => Promise<Array>} */
    Decap: async (enc, key) => of.decapsulate(enc, key),
  });
  return () => made;
}

/** Returns the bytes of what a library may give as a buffer. */
/** @type {(data: ArrayBufferLike | ArrayBufferView) => Uint8Array} */
const bytesOf = (data) =>
  ArrayBuffer.isView(data)
    ? new Bytes(data.buffer, data.byteOffset, data.byteLength)
    : new Bytes(data);

/** @type {typeof import("./hpke.js").kemForHpkeCore} */
export function kemForHpkeCore(kem, id) {
  const of = parts(kem, id);
  /** @type {(given: any) => any} */
  const publicOf = (given) => given?.publicKey ?? given;
  /** @type {(given: any) => any} */
  const privateOf = (given) => given?.privateKey ?? given;
  /** @type {(params: any) => void} */
  const refuseSender = (params) => {
    if (params.senderKey !== undefined || params.senderPublicKey !== undefined)
      throw new Error(`${kem.name} has no mode that authenticates the sender`);
  };
  return Object.freeze({
    id,
    secretSize: kem.lengths.sharedSecret,
    encSize: kem.lengths.cipherText,
    publicKeySize: kem.lengths.publicKey,
    privateKeySize: kem.lengths.seed,
    /** @type {(key: any) => Promise<ArrayBuffer>} */
    serializePublicKey: async (key) => of.publicBytes(key).buffer,
    /** @type {(key: ArrayBufferLike | ArrayBufferView) => Promise<any>} */
    deserializePublicKey: async (key) => of.publicKey(bytesOf(key)),
    /** @type {(key: any) => Promise<ArrayBuffer>} */
    serializePrivateKey: async (key) => of.privateBytes(key).buffer,
    /** @type {(key: ArrayBufferLike | ArrayBufferView) => Promise<any>} */
    deserializePrivateKey: async (key) => of.privateKey(bytesOf(key), true),
    /** @type {(format: string, key: any, isPublic?: boolean) => Promise<any>} */
    async importKey(format, key, isPublic = true) {
      if (format !== "raw") throw new Error(`${kem.name}: keys have the format "raw" alone`);
      return isPublic ? of.publicKey(bytesOf(key)) : of.privateKey(bytesOf(key), true);
    },
    generateKeyPair: async () => of.generate(true),
    /** @type {(ikm: ArrayBufferLike | ArrayBufferView) => Promise<any>} */
    deriveKeyPair: async (ikm) => of.derive(bytesOf(ikm), true),
    /** @type {(params: any) => Promise<{ sharedSecret: ArrayBuffer, enc: ArrayBuffer }>} */
    async encap(params) {
      refuseSender(params);
      const made = of.encapsulate(publicOf(params.recipientPublicKey));
      return {
        sharedSecret: /** @type {ArrayBuffer} */ (made.sharedSecret.buffer),
        enc: /** @type {ArrayBuffer} */ (made.cipherText.buffer),
      };
    },
    /** @type {(params: any) => Promise<ArrayBuffer>} */
    async decap(params) {
      refuseSender(params);
      return of.decapsulate(bytesOf(params.enc), privateOf(params.recipientKey)).buffer;
    },
  });
}
