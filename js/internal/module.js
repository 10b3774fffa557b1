// SPDX-License-Identifier: Apache-2.0 OR MIT
// The WebAssembly module of a family: unpacked at its first use, and how its functions are called.
import { inflate } from "./inflate.js";

/**
 * What the module exports. Pointers, lengths and status are numbers.
 * @typedef {{
 *   memory: WebAssembly.Memory,
 *   __heap_base: WebAssembly.Global,
 *   codekem_kem_at: (index: number) => number,
 *   [name: string]: any,
 * }} Exports
 */

/** Workspaces start at multiples of this many bytes; keys may as well. */
const ALIGNMENT = 64;
const PAGE = 65536;

/** @param {number} place */
const align = (place) => Math.ceil(place / ALIGNMENT) * ALIGNMENT;

/** @param {string} text */
function fromBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** One instance of a family's module. The calls of one thread use it one after the other. */
export class Module {
  #packed;
  /** @type {Exports | undefined} */
  #exports;
  #simd = false;

  /** @param {{ text: string, lengths: number[] }} packed A family's generated file. */
  constructor(packed) {
    this.#packed = packed;
  }

  /** @returns {Exports} */
  #loaded() {
    if (this.#exports === undefined) {
      const { text, lengths } = this.#packed;
      const both = inflate(fromBase64(text), lengths[0] + lengths[1]);
      const simd = both.subarray(0, lengths[0]);
      this.#simd = WebAssembly.validate(simd);
      const module = new WebAssembly.Module(this.#simd ? simd : both.subarray(lengths[0]));
      this.#exports = /** @type {Exports} */ (new WebAssembly.Instance(module).exports);
    }
    return this.#exports;
  }

  /** Whether the module with vectors runs. @returns {boolean} */
  usesSimd() {
    this.#loaded();
    return this.#simd;
  }

  /**
   * Reads a member of a KEM's description (codekem_kem in codekem.h).
   * @param {number} index The KEM.
   * @param {number} offset Of the member, in bytes.
   * @returns {number}
   */
  #member(index, offset) {
    const { memory, codekem_kem_at } = this.#loaded();
    return new DataView(memory.buffer).getUint32(codekem_kem_at(index) + offset, true);
  }

  /**
   * Calls a function of the library and wipes all that it was given and has returned.
   *
   * @param {string} name
   * @param {number} index The KEM.
   * @param {(Uint8Array | number)[]} buffers The arguments behind the KEM: inputs, and lengths of
   *   outputs.
   * @param {number} [workspaceMember] Where the KEM's description has the length of the workspace
   *   for this function; none if it takes none.
   * @returns {{ status: number, outputs: Uint8Array<ArrayBuffer>[] }}
   */
  call(name, index, buffers, workspaceMember) {
    const exports = this.#loaded();
    const { memory } = exports;
    const start = align(exports.__heap_base.value);
    const workspace = workspaceMember === undefined ? 0 : this.#member(index, workspaceMember);
    let end = align(start + workspace);
    const places = buffers.map((buffer) => {
      const place = end;
      end = align(place + (typeof buffer === "number" ? buffer : buffer.length));
      return place;
    });
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    const bytes = new Uint8Array(memory.buffer);
    try {
      buffers.forEach((buffer, i) => {
        if (typeof buffer !== "number") bytes.set(buffer, places[i]);
      });
      const status = exports[name](
        exports.codekem_kem_at(index),
        ...places,
        ...(workspaceMember === undefined ? [] : [start, workspace]),
      );
      const outputs = buffers.flatMap((buffer, i) =>
        typeof buffer === "number" ? [bytes.slice(places[i], places[i] + buffer)] : [],
      );
      return { status, outputs };
    } finally {
      bytes.fill(0, start, end);
    }
  }

  /** The memory, for tests. @returns {Uint8Array} */
  memory() {
    return new Uint8Array(this.#loaded().memory.buffer);
  }
}
