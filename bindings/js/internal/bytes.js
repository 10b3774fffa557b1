// SPDX-License-Identifier: Apache-2.0 OR MIT
// Byte arrays as the engine knows them. Objects can lie: a subclass may have another `length`, any
// object another Symbol.toStringTag, and prototypes can be changed. So what is asked here are the
// engine's own functions as they were when this file was loaded.

export const Bytes = Uint8Array;
const { apply } = Reflect;
const typedArray = Object.getPrototypeOf(Bytes.prototype);
const { set: setBytes, fill: fillBytes } = typedArray;

/** @type {(name: PropertyKey) => any} */
const getterOf = (name) => Object.getOwnPropertyDescriptor(typedArray, name)?.get;
const getKind = getterOf(Symbol.toStringTag);
const getLength = getterOf("length");

/** Whether value is a Uint8Array of any realm. @param {unknown} value */
export const isBytes = (value) => apply(getKind, value, []) === "Uint8Array";

/** The true length; 0 if the memory has gone elsewhere. @param {Uint8Array} bytes */
export const lengthOf = (bytes) => /** @type {number} */ (apply(getLength, bytes, []));

/**
 * Copies all of source to target; throws a RangeError if there is no room.
 * @param {Uint8Array} target
 * @param {Uint8Array} source
 */
export const copyTo = (target, source) => {
  apply(setBytes, target, [source]);
};

/**
 * Fills with zeros.
 * @param {Uint8Array} bytes
 * @param {number} [start]
 * @param {number} [end]
 */
export const wipe = (bytes, start, end) => {
  apply(fillBytes, bytes, [0, start, end]);
};

/**
 * Returns a copy that nobody else holds.
 * @param {Uint8Array} source
 * @returns {Uint8Array<ArrayBuffer>}
 */
export const copyOf = (source) => {
  const copy = new Bytes(lengthOf(source));
  copyTo(copy, source);
  return copy;
};
