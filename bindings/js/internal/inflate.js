// SPDX-License-Identifier: Apache-2.0 OR MIT
// DEFLATE [RFC 1951], for the modules in this package: browsers have it, but not synchronously.
// What is unpacked is a constant of the package, so damaged streams are not looked for.

/**
 * A Huffman code: how many symbols have each length, and the symbols in the order of their codes.
 * @typedef {{ counts: Uint16Array, symbols: Uint16Array }} Code
 */

/**
 * @param {ArrayLike<number>} lengths The length of each symbol's code, 0 for none.
 * @returns {Code}
 */
function makeCode(lengths) {
  const counts = new Uint16Array(16);
  const next = new Uint16Array(16);
  const symbols = new Uint16Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) counts[lengths[i]]++;
  counts[0] = 0;
  for (let i = 1; i < 16; i++) next[i] = next[i - 1] + counts[i - 1];
  for (let i = 0; i < lengths.length; i++) {
    if (lengths[i] > 0) symbols[next[lengths[i]]++] = i;
  }
  return { counts, symbols };
}

// The order in which the lengths of the code for lengths come.
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * The least length or distance of each symbol, from their numbers of further bits.
 * @param {number} least
 * @param {number[]} bits
 */
function bases(least, bits) {
  return bits.map((_, i) => bits.slice(0, i).reduce((sum, b) => sum + (1 << b), least));
}

const LENGTH_BITS = [...Array(28).keys()].map((i) => (i < 4 ? 0 : (i >> 2) - 1)).concat(0);
const DISTANCE_BITS = [...Array(30).keys()].map((i) => (i < 2 ? 0 : (i >> 1) - 1));
const LENGTHS = bases(3, LENGTH_BITS);
LENGTHS[28] = 258; // the one length that has two symbols
const DISTANCES = bases(1, DISTANCE_BITS);

/**
 * @param {Uint8Array} input A raw DEFLATE stream.
 * @param {number} length The number of bytes in it.
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function inflate(input, length) {
  const out = new Uint8Array(length);
  let written = 0;
  let position = 0; // in bits

  /** @param {number} count */
  const bits = (count) => {
    let value = 0;
    for (let i = 0; i < count; i++, position++) {
      value |= ((input[position >> 3] >> (position & 7)) & 1) << i;
    }
    return value;
  };

  /** @param {Code} code */
  const symbol = ({ counts, symbols }) => {
    let first = 0;
    let index = 0;
    let value = 0;
    for (let i = 1; i < 16; i++) {
      value = (value << 1) | ((input[position >> 3] >> (position & 7)) & 1);
      position++;
      if (value - first < counts[i]) return symbols[index + value - first];
      index += counts[i];
      first = (first + counts[i]) << 1;
    }
    throw new Error("codekem: the module in this package is damaged");
  };

  const readCodes = () => {
    const literals = bits(5) + 257;
    const distances = bits(5) + 1;
    const count = bits(4) + 4;
    const lengths = new Uint8Array(19);
    for (let i = 0; i < count; i++) lengths[ORDER[i]] = bits(3);
    const code = makeCode(lengths);
    /** @type {number[]} */
    const all = [];
    while (all.length < literals + distances) {
      const value = symbol(code);
      if (value < 16) {
        all.push(value);
      } else {
        const repeated = value === 16 ? all[all.length - 1] : 0;
        const times = value === 16 ? 3 + bits(2) : value === 17 ? 3 + bits(3) : 11 + bits(7);
        for (let i = 0; i < times; i++) all.push(repeated);
      }
    }
    return [makeCode(all.slice(0, literals)), makeCode(all.slice(literals))];
  };

  const fixedCodes = () => {
    const lengths = Array.from({ length: 288 }, (_, i) =>
      i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8,
    );
    return [makeCode(lengths), makeCode(Array(30).fill(5))];
  };

  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      position = ((position + 7) & ~7) + 32; // behind the count and its complement
      const count = input[(position >> 3) - 4] | (input[(position >> 3) - 3] << 8);
      out.set(input.subarray(position >> 3, (position >> 3) + count), written);
      written += count;
      position += 8 * count;
      continue;
    }
    const [literals, distances] = kind === 1 ? fixedCodes() : readCodes();
    for (let value; (value = symbol(literals)) !== 256;) {
      if (value < 256) {
        out[written++] = value;
      } else {
        const end = written + LENGTHS[value - 257] + bits(LENGTH_BITS[value - 257]);
        const way = symbol(distances);
        const distance = DISTANCES[way] + bits(DISTANCE_BITS[way]);
        for (; written < end; written++) out[written] = out[written - distance];
      }
    }
  }
  return out;
}
