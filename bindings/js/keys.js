// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keys in files; keys.d.ts says how it is used. Secret bytes of arrays that are made here on the
// way are wiped.
import { Bytes, copyOf, copyTo, isBytes, lengthOf, wipe } from "./internal/bytes.js";
import { IDENTIFIERS } from "./internal/identifiers.js";

/** @typedef {import("./internal/types.js").Kem} Kem */

// The first byte of each element, with its tag.
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;
const SEED = 0x80;
const ATTRIBUTES = 0xa0; // behind the private key
const PUBLIC_KEY = 0x81; // behind the attributes, since version 1

const MAX_IDENTIFIER = 128;
const LINE = 64;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** @type {(hex: string) => Uint8Array<ArrayBuffer>} */
const fromHex = (hex) => {
  const out = new Bytes(hex.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return out;
};

/** @type {(bytes: Uint8Array) => string} */
const toHex = (bytes) => {
  let out = "";
  for (let i = 0; i < bytes.length; i++) out += (bytes[i] | 0x100).toString(16).slice(1);
  return out;
};

/** Says whether two arrays are equal, in a time that depends on their lengths alone. */
/** @type {(a: Uint8Array, b: Uint8Array) => boolean} */
const same = (a, b) => {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i] ^ b[i];
  return difference === 0;
};

// --- Writing -------------------------------------------------------------------------------------

/**
 * Returns the parts as one element, and wipes those that were elements themselves.
 * @param {number} tag
 * @param {...Uint8Array} parts
 */
function element(tag, ...parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const header = [tag];
  if (length < 0x80) header.push(length);
  else if (length < 0x100) header.push(0x81, length);
  else header.push(0x82, length >> 8, length & 0xff); // no key has 64 KiB
  const out = new Bytes(header.length + length);
  copyTo(out, Bytes.from(header));
  let end = header.length;
  for (const part of parts) {
    copyTo(out.subarray(end), part);
    end += part.length;
    wipe(part);
  }
  return out;
}

/** @type {(kem: Kem) => Uint8Array<ArrayBuffer>} */
const algorithm = (kem) =>
  element(SEQUENCE, element(OBJECT_IDENTIFIER, fromHex(IDENTIFIERS[kem.name][0])));

/**
 * The seed and the secret key in what a caller has given, as copies; the seed is null if it is not
 * known. HQC's secret keys end in their seed.
 * @param {Kem} kem
 * @param {Uint8Array} key
 */
function partsOf(kem, key) {
  const { seed: seedLength, secretKey: secretLength } = kem.lengths;
  const length = isBytes(key) ? lengthOf(key) : -1;
  if (length === -1)
    throw new TypeError(`${kem.name}: a key is a Uint8Array, its seed or its secret key`);
  if (length === seedLength) {
    const seed = copyOf(key);
    return { seed, secretKey: kem.keygen(seed).secretKey };
  }
  if (length !== secretLength)
    throw new RangeError(
      `${kem.name}: a private key has ${seedLength} bytes as a seed, ${secretLength} as a ` +
        `secret key, not ${length}`,
    );
  const secretKey = copyOf(key);
  if (!kem.checkSecretKey(secretKey)) throw new Error(`${kem.name}: the secret key is malformed`);
  const atEnd = kem.info.type === "hqc";
  return { seed: atEnd ? secretKey.slice(secretLength - seedLength) : null, secretKey };
}

/**
 * @param {Kem} kem
 * @param {Uint8Array} key
 * @param {string} [form]
 */
function exportPrivate(kem, key, form) {
  const { seed, secretKey } = partsOf(kem, key);
  const chosen = form ?? (seed === null ? "expanded" : "seed");
  let content;
  if (chosen === "expanded") content = element(OCTET_STRING, secretKey.slice());
  else if (chosen !== "seed" && chosen !== "both")
    throw new RangeError('form is "seed", "both" or "expanded"');
  else if (seed === null) throw new Error(`${kem.name}: the seed of this key is not known`);
  else if (chosen === "seed") content = element(SEED, seed.slice());
  else
    content = element(
      SEQUENCE,
      element(OCTET_STRING, seed.slice()),
      element(OCTET_STRING, secretKey.slice()),
    );
  if (seed !== null) wipe(seed);
  wipe(secretKey);
  const version = element(INTEGER, new Bytes(1));
  return element(SEQUENCE, version, algorithm(kem), element(OCTET_STRING, content));
}

/** @type {typeof import("./keys.js").exportKey} */
export function exportKey(format, kem, key, form) {
  if (!(kem?.name in IDENTIFIERS)) throw new TypeError("the second argument is a KEM: hqc1, say");
  if (format === "pkcs8") return exportPrivate(kem, key, form);
  if (format !== "spki") throw new RangeError('format is "spki" or "pkcs8"');
  if (!kem.checkPublicKey(key)) throw new Error(`${kem.name}: the public key is malformed`);
  const bits = element(BIT_STRING, new Bytes(1), copyOf(key));
  return element(SEQUENCE, algorithm(kem), bits);
}

// --- Reading -------------------------------------------------------------------------------------

/** @typedef {{ data: Uint8Array<ArrayBuffer>, at: number, end: number }} Reader */

/**
 * Takes the element with a tag off the front; returns its content, or null if another is there, or
 * its length is not in DER.
 * @param {Reader} from
 * @param {number} tag
 * @returns {Reader | null}
 */
function take(from, tag) {
  const { data, at, end } = from;
  if (end - at < 2 || data[at] !== tag) return null;
  let start = at + 2;
  let length = data[at + 1];
  if (length >= 0x80) {
    const bytes = length - 0x80;
    if (bytes < 1 || bytes > 4 || bytes > end - start) return null;
    length = 0;
    for (let i = 0; i < bytes; i++) length = length * 256 + data[start++];
    if (length < 0x80 || length < 256 ** (bytes - 1)) return null; // there is a shorter form
  }
  if (length > end - start) return null;
  from.at = start + length;
  return { data, at: start, end: start + length };
}

/** @type {(reader: Reader) => number} */
const left = (reader) => reader.end - reader.at;

/** @type {(reader: Reader) => Uint8Array<ArrayBuffer>} */
const rest = (reader) => reader.data.slice(reader.at, reader.end);

/** @type {(reader: Reader) => void} */
const atEnd = (reader) => {
  if (left(reader) !== 0) throw new Error("the key has something behind its end");
};

/** Says whether these are numbers, none of them cut off or longer than it need be. */
/** @type {(content: Uint8Array) => boolean} */
const isIdentifier = (content) => {
  let ended = true;
  for (let i = 0; i < content.length; i++) {
    if (ended && content[i] === 0x80) return false;
    ended = content[i] < 0x80;
  }
  return ended && content.length > 0 && content.length <= MAX_IDENTIFIER;
};

/** Returns an object identifier in numbers. */
/** @type {(content: Uint8Array) => string} */
const dotted = (content) => {
  let out = "";
  let number = 0n;
  for (let i = 0; i < content.length; i++) {
    number = (number << 7n) | BigInt(content[i] & 0x7f);
    if (content[i] >= 0x80) continue;
    if (out === "") {
      const first = number < 80n ? number / 40n : 2n; // the first two are in one
      out = `${first}`;
      number -= 40n * first;
    }
    out += `.${number}`;
    number = 0n;
  }
  return out;
};

/**
 * Takes off the AlgorithmIdentifier, which must be that of the KEM, without parameters.
 * @param {Reader} info
 * @param {Kem} kem
 */
function takeAlgorithm(info, kem) {
  const identifier = take(info, SEQUENCE);
  const found = identifier && take(identifier, OBJECT_IDENTIFIER);
  const content = found && left(found) <= MAX_IDENTIFIER ? rest(found) : new Bytes(0);
  if (!identifier || !isIdentifier(content))
    throw new Error("the key has no object identifier that can be read");
  const hex = toHex(content);
  if (!IDENTIFIERS[kem.name].includes(hex)) {
    for (const name of Object.keys(IDENTIFIERS))
      if (IDENTIFIERS[name].includes(hex))
        throw new Error(`this is a key of ${name}, not of ${kem.name}`);
    const text = dotted(content).slice(0, 100);
    throw new Error(`this is a key of another algorithm, with the object identifier ${text}`);
  }
  if (left(identifier) !== 0)
    throw new Error("the key has parameters beside its object identifier, and none belong there");
}

/** @type {(bits: Reader | null) => Uint8Array<ArrayBuffer>} */
const wholeBits = (bits) => {
  if (!bits || left(bits) === 0 || bits.data[bits.at] !== 0)
    throw new Error("the key has no bit string, of whole bytes, with the public key");
  return bits.data.slice(bits.at + 1, bits.end);
};

/** @type {(info: Reader) => number} */
const takeVersion = (info) => {
  const version = take(info, INTEGER);
  if (!version || left(version) === 0)
    throw new Error("the private key does not begin with the version of a PrivateKeyInfo");
  if (left(version) > 1 || version.data[version.at] > 1)
    throw new Error("the private key is of a later version than 0 and 1, the only ones known");
  return version.data[version.at];
};

/** Returns the seed and the secret key, of which one may be null. @param {Reader} content */
function readContent(content) {
  const both = take(content, SEQUENCE);
  const from = both ?? content;
  const seed = take(from, both ? OCTET_STRING : SEED);
  const secretKey = both || !seed ? take(from, OCTET_STRING) : null;
  const good = both ? seed && secretKey : seed || secretKey;
  if (!good || left(from) !== 0 || left(content) !== 0)
    throw new Error("the private key is neither a seed, nor a secret key, nor both");
  return { seed: seed && rest(seed), secretKey: secretKey && rest(secretKey) };
}

/** @type {(kem: Kem, what: string, bytes: Uint8Array, length: number) => void} */
const checkLength = (kem, what, bytes, length) => {
  if (bytes.length !== length)
    throw new Error(`${kem.name}: a ${what} has ${length} bytes, not ${bytes.length}`);
};

/** @type {(info: Reader, kem: Kem) => import("./keys.js").PrivateKey} */
function readPrivate(info, kem) {
  const version = takeVersion(info);
  takeAlgorithm(info, kem);
  const content = take(info, OCTET_STRING);
  if (!content) throw new Error("the key has no octet string with the private key");
  take(info, ATTRIBUTES);
  const bits = take(info, PUBLIC_KEY);
  if (bits && version === 0)
    throw new Error("the private key has a public key, which its version 0 does not allow");
  const given = bits && wholeBits(bits);
  atEnd(info);
  const { seed, secretKey } = readContent(content);
  if (secretKey) checkLength(kem, "secret key", secretKey, kem.lengths.secretKey);
  if (seed) checkLength(kem, "seed", seed, kem.lengths.seed);
  const parts = partsOf(kem, /** @type {Uint8Array} */ (seed ?? secretKey));
  if (secretKey && !same(secretKey, parts.secretKey))
    throw new Error("seed and secret key do not belong together");
  const publicKey = kem.getPublicKey(parts.secretKey);
  if (given && !same(given, publicKey))
    throw new Error("public and secret key do not belong together");
  return { publicKey, secretKey: parts.secretKey, seed: parts.seed ?? undefined };
}

/** @type {(info: Reader, kem: Kem) => import("./keys.js").PublicKey} */
function readPublic(info, kem) {
  takeAlgorithm(info, kem);
  const publicKey = wholeBits(take(info, BIT_STRING));
  atEnd(info);
  checkLength(kem, "public key", publicKey, kem.lengths.publicKey);
  if (!kem.checkPublicKey(publicKey)) throw new Error(`${kem.name}: the public key is malformed`);
  return { publicKey };
}

/** @type {typeof import("./keys.js").importKey} */
export const importKey = /** @type {any} */ (
  /** @type {(format: string, kem: Kem, data: Uint8Array | string) => object} */
  (format, kem, data) => {
    if (!(kem?.name in IDENTIFIERS)) throw new TypeError("the second argument is a KEM: hqc1, say");
    if (format !== "spki" && format !== "pkcs8")
      throw new RangeError('format is "spki" or "pkcs8"');
    if (typeof data !== "string" && !isBytes(data))
      throw new TypeError("a key is a Uint8Array in DER, or a text in PEM");
    const der = typeof data === "string" ? fromPem(format, data) : copyOf(data);
    try {
      const reader = { data: der, at: 0, end: der.length };
      const info = take(reader, SEQUENCE);
      if (!info) throw new Error("the content is not a key in DER, or it is cut off");
      atEnd(reader);
      return format === "spki" ? readPublic(info, kem) : readPrivate(info, kem);
    } finally {
      wipe(der);
    }
  }
);

// --- PEM -----------------------------------------------------------------------------------------

const LABELS = { spki: "PUBLIC KEY", pkcs8: "PRIVATE KEY" };

/** @type {typeof import("./keys.js").toPem} */
export function toPem(format, der) {
  if (!(format in LABELS)) throw new RangeError('format is "spki" or "pkcs8"');
  if (!isBytes(der)) throw new TypeError("a key in DER is a Uint8Array");
  const bytes = copyOf(der);
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let j = 0; j < 4; j++)
      text += i + j > bytes.length ? "=" : BASE64[(word >> (18 - 6 * j)) & 63];
  }
  wipe(bytes);
  let lines = "";
  for (let i = 0; i < text.length; i += LINE) lines += `${text.slice(i, i + LINE)}\n`;
  return `-----BEGIN ${LABELS[format]}-----\n${lines}-----END ${LABELS[format]}-----\n`;
}

/** @type {(format: "spki" | "pkcs8", pem: string) => Uint8Array<ArrayBuffer>} */
function fromPem(format, pem) {
  const found = /^-----BEGIN ([^\n-]*)-----[ \t]*\r?\n([^-]*)^-----END \1-----[ \t]*\r?$/m.exec(
    pem,
  );
  if (!found) throw new Error("this is not in PEM, or it is cut off");
  if (found[1] === "ENCRYPTED PRIVATE KEY")
    throw new Error("the key is encrypted, which this package does not undo; openssl pkey does");
  if (found[1] !== LABELS[format])
    throw new Error(`this is a ${found[1].slice(0, 40)}, where a ${LABELS[format]} belongs`);
  const text = found[2].replace(/\s/g, "");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const out = new Bytes(Math.max(0, (text.length / 4) * 3 - padding) | 0);
  let word = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = i < text.length - padding ? BASE64.indexOf(text[i]) : 0;
    if (digit < 0 || text.length % 4 !== 0)
      throw new Error("the text between the first and the last line is not base64");
    word = (word << 6) | digit;
    if (i % 4 === 3) {
      for (let j = 0; j < 3; j++) {
        const place = (i >> 2) * 3 + j;
        if (place < out.length) out[place] = (word >> (16 - 8 * j)) & 0xff;
      }
      word = 0;
    }
  }
  return out;
}
