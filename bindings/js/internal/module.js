// SPDX-License-Identifier: Apache-2.0 OR MIT
// The WebAssembly module of a family: unpacked at its first use, and how its functions are called.
// What of JavaScript's objects is used here is taken when this file is loaded, as in bytes.js.
import { Bytes, copyTo, lengthOf, wipe } from "./bytes.js";
import { inflate } from "./inflate.js";
import {
  LENGTHS,
  OPTIONS_BYTES,
  OPTION_SEED,
  OPTION_SIZE,
  OPTION_WORKSPACE,
  OPTION_WORKSPACE_LENGTH,
} from "./parameters.js";

/** @typedef {import("./parameters.js").Parameters} Parameters */

/**
 * What the module exports. Pointers, lengths and status are numbers.
 * @typedef {{
 *   memory: WebAssembly.Memory,
 *   __heap_base: WebAssembly.Global,
 *   codekem_kem_at: (index: number) => number,
 *   [name: string]: any,
 * }} Exports
 */

/**
 * Where the module comes from: packed as text (a family's generated file), or compiled elsewhere.
 * @typedef {{ text: string, lengths: number[] } | { compiled: unknown }} Source
 */

/** Workspaces start at multiples of this many bytes; keys may as well. */
const ALIGNMENT = 64;
const PAGE = 1 << 16;
// Where codekem_kem (codekem.h) has its name.
const NAME = 0;
const SHARED_SECRET = 32;

const { apply } = Reflect;
const wasm = /** @type {typeof WebAssembly | undefined} */ (globalThis.WebAssembly);
const { Module: Compiled, Instance, CompileError, instantiate, validate } = wasm ?? {};
const exportsOf = Compiled?.exports;
/** @type {(name: "Memory" | "Global" | "Instance", property: string) => any} */
const own = (name, property) =>
  wasm && Object.getOwnPropertyDescriptor(wasm[name].prototype, property);
const getBuffer = own("Memory", "buffer")?.get;
const grow = own("Memory", "grow")?.value;
const getValue = own("Global", "value")?.get;
const getExports = own("Instance", "exports")?.get;

/** @type {(instance: WebAssembly.Instance) => Exports} */
const exported = (instance) => apply(getExports, instance, []);

/** @param {number} place */
const align = (place) => (place + ALIGNMENT - 1) & -ALIGNMENT;

/** All of a memory, as it is now. @param {WebAssembly.Memory} memory */
const bytesOf = (memory) => new Bytes(/** @type {ArrayBuffer} */ (apply(getBuffer, memory, [])));

/** @type {(bytes: Uint8Array, place: number) => number} */
const readNumber = (bytes, place) =>
  (bytes[place] | (bytes[place + 1] << 8) | (bytes[place + 2] << 16) | (bytes[place + 3] << 24)) >>>
  0;

/** @type {(bytes: Uint8Array, place: number, value: number) => void} */
const writeNumber = (bytes, place, value) => {
  for (let i = 0; i < 4; i++) bytes[place + i] = value >>> (8 * i);
};

/** @param {string} text */
function fromBase64(text) {
  const letters = atob(text);
  const bytes = new Bytes(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

function needWebAssembly() {
  if (wasm === undefined)
    throw new Error(
      "codekem: this engine has no WebAssembly, without which the package cannot work; " +
        "node --jitless and the lockdown mode of browsers switch it off",
    );
}

/** Says what to do where WebAssembly is not made from bytes. @param {unknown} error */
function explained(error) {
  if (CompileError === undefined || !(error instanceof CompileError)) return error;
  return new Error(
    "codekem: this engine compiles no WebAssembly from bytes. A page's Content-Security-Policy " +
      "needs 'wasm-unsafe-eval'; elsewhere import codekem/hqc.wasm or codekem/bike.wasm as a " +
      "module of the program and give it to ready(), as README.md shows",
    { cause: error },
  );
}

/**
 * Throws unless value is a WebAssembly.Module; shows nothing of it.
 * @param {unknown} value
 * @returns {WebAssembly.Module}
 */
function checkedModule(value) {
  needWebAssembly();
  try {
    exportsOf?.(/** @type {WebAssembly.Module} */ (value));
  } catch (cause) {
    throw new TypeError(
      "codekem: this is no WebAssembly.Module; the import of codekem/hqc.wasm or " +
        "codekem/bike.wasm must give one (a setting of the bundler)",
      { cause },
    );
  }
  return /** @type {WebAssembly.Module} */ (value);
}

/**
 * Returns the address of a KEM's description; throws if the module has another one in its place.
 * @param {Exports} exports
 * @param {Parameters} parameters
 */
function findKem(exports, parameters) {
  const name = parameters[1];
  const address = exports.codekem_kem_at?.(parameters[0]) ?? 0;
  let same = address !== 0;
  if (same) {
    const bytes = bytesOf(exports.memory);
    const text = readNumber(bytes, address + NAME);
    for (let i = 0; i <= name.length; i++)
      same &&= bytes[text + i] === (i < name.length ? name.charCodeAt(i) : 0);
    for (let i = 0; i < 6; i++) {
      const length = i < 3 ? parameters[2 + i] : i === 3 ? SHARED_SECRET : parameters[1 + i];
      same &&= readNumber(bytes, address + LENGTHS + 4 * i) === length;
    }
  }
  if (!same) throw new Error(`codekem: this is not the module of ${name} of this version`);
  return address;
}

/** One instance of a family's module. The calls of one thread use it one after the other. */
export class Module {
  #source;
  /** @type {WebAssembly.Module | undefined} */
  #module;
  /** @type {Exports | undefined} */
  #exports;
  #simd = true; // what is compiled elsewhere has vectors

  /** @param {Source} source */
  constructor(source) {
    this.#source = source;
  }

  /** The module: as bytes that this engine runs, or compiled. */
  #unpacked() {
    needWebAssembly();
    const source = this.#source;
    if ("compiled" in source) return checkedModule(source.compiled);
    const { text, lengths } = source;
    const both = inflate(fromBase64(text), lengths[0] + lengths[1]);
    const simd = new Bytes(both.buffer, 0, lengths[0]);
    this.#simd = validate?.(simd) === true;
    return this.#simd ? simd : new Bytes(both.buffer, lengths[0]);
  }

  /** @returns {Exports} */
  #loaded() {
    if (this.#exports === undefined) {
      if (this.#module === undefined) {
        const unpacked = this.#unpacked();
        try {
          this.#module =
            unpacked instanceof Bytes
              ? new /** @type {any} */ (Compiled)(unpacked)
              : /** @type {WebAssembly.Module} */ (unpacked);
        } catch (error) {
          throw explained(error);
        }
      }
      this.#exports = exported(new /** @type {any} */ (Instance)(this.#module));
    }
    return /** @type {Exports} */ (this.#exports);
  }

  /**
   * Loads the module without keeping the thread from other work.
   * @param {Parameters} parameters A KEM that must be in it.
   * @param {unknown} [given] The module, compiled elsewhere.
   * @returns {Promise<void>}
   */
  async ready(parameters, given) {
    if (given === undefined && this.#exports !== undefined) return;
    const from = given === undefined ? (this.#module ?? this.#unpacked()) : checkedModule(given);
    let made;
    try {
      made = await /** @type {any} */ (instantiate)(from);
    } catch (error) {
      throw explained(error);
    }
    const module = from instanceof Bytes ? made.module : from;
    const exports = exported(from instanceof Bytes ? made.instance : made);
    findKem(exports, parameters);
    if (this.#exports === undefined) {
      this.#module = module;
      this.#exports = exports;
      if (given !== undefined) this.#simd = true;
    }
  }

  /** Whether the module with vectors runs. @returns {boolean} */
  usesSimd() {
    this.#loaded();
    return this.#simd;
  }

  /**
   * Calls a function of the library and wipes all that it was given and has returned.
   *
   * @param {Parameters} parameters The KEM.
   * @param {string} name
   * @param {readonly (Uint8Array | number)[]} buffers The arguments behind the KEM, four at most:
   *   lengths of outputs, two at most, then inputs.
   * @param {number} [workspaceMember] Where the KEM's description has the length of the workspace
   *   for this function; none if it takes no options.
   * @param {boolean} [seeded] Whether the last of buffers is a seed, which goes into the options.
   * @returns {{ status: number, outputs: Uint8Array<ArrayBuffer>[] }}
   */
  call(parameters, name, buffers, workspaceMember, seeded = false) {
    const exports = this.#loaded();
    const { memory } = exports;
    const kem = findKem(exports, parameters);
    const start = align(apply(getValue, exports.__heap_base, []));
    const workspace =
      workspaceMember === undefined ? 0 : readNumber(bytesOf(memory), kem + workspaceMember);
    const options = align(start + workspace);
    let end = align(options + OPTIONS_BYTES);
    // Functions of WebAssembly ignore arguments that are too many. All elements are there from the
    // beginning: to set one that is not would ask the prototype.
    const places = [0, 0, 0, 0, 0];
    const args = [kem, 0, 0, 0, 0, 0];
    const count = buffers.length;
    for (let i = 0; i < count; i++) {
      const buffer = buffers[i];
      args[1 + i] = places[i] = end;
      end = places[i + 1] = align(end + (typeof buffer === "number" ? buffer : lengthOf(buffer)));
    }
    args[seeded ? count : 1 + count] = options;
    const missing = end - bytesOf(memory).length;
    if (missing > 0) apply(grow, memory, [(missing + PAGE - 1) >>> 16]);
    const bytes = bytesOf(memory);
    try {
      writeNumber(bytes, options + OPTION_SIZE, OPTIONS_BYTES);
      writeNumber(bytes, options + OPTION_SEED, seeded ? places[count - 1] : 0);
      writeNumber(bytes, options + OPTION_WORKSPACE, start);
      writeNumber(bytes, options + OPTION_WORKSPACE_LENGTH, workspace);
      for (let i = 0; i < count; i++) {
        const buffer = buffers[i];
        // The view ends where the next one begins, should the buffer have grown in another thread.
        if (typeof buffer !== "number")
          copyTo(new Bytes(bytes.buffer, places[i], places[i + 1] - places[i]), buffer);
      }
      const status = apply(exports[name], undefined, args);
      const outputs = [new Bytes(0), new Bytes(0)];
      for (let i = 0; i < count; i++) {
        const length = buffers[i];
        if (typeof length === "number") {
          outputs[i] = new Bytes(length);
          copyTo(outputs[i], new Bytes(bytes.buffer, places[i], length));
        }
      }
      wipe(bytes, start, end);
      return { status, outputs };
    } catch (error) {
      // Nobody knows what an interrupted call has left, and where its stack ends.
      this.#exports = undefined;
      wipe(bytes);
      throw error;
    }
  }

  /** The memory, for tests. @returns {Uint8Array} */
  memory() {
    return bytesOf(this.#loaded().memory);
  }
}
