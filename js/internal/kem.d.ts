// SPDX-License-Identifier: Apache-2.0 OR MIT
import type { Module } from "./module.js";

/** Lengths in bytes. */
export interface Lengths {
  readonly publicKey: number;
  readonly secretKey: number;
  readonly cipherText: number;
  readonly sharedSecret: number;
  /** Of the seed that `keygen` takes. */
  readonly seed: number;
  /** Of the randomness that `encapsulate` takes. */
  readonly msg: number;
  /** The same, under the name that it has in noble-post-quantum. */
  readonly msgRand: number;
}

export interface KeyPair {
  publicKey: Uint8Array<ArrayBuffer>;
  secretKey: Uint8Array<ArrayBuffer>;
}

export interface Encapsulated {
  /** To be sent to the owner of the secret key. */
  cipherText: Uint8Array<ArrayBuffer>;
  sharedSecret: Uint8Array<ArrayBuffer>;
}

/**
 * A key encapsulation mechanism.
 *
 * All byte strings are `Uint8Array`; results are fresh ones that nothing else holds. Every function
 * throws a `TypeError` for an argument of another type and a `RangeError` for one of another
 * length. No function takes a time that depends on a secret, as far as the engine lets WebAssembly
 * run as it is written; README.md says what that means.
 */
export interface Kem {
  /** As in the specification: "HQC-1", "BIKE-L1". */
  readonly name: string;
  readonly info: { readonly type: string };
  readonly lengths: Lengths;

  /**
   * Makes a key pair.
   * @param seed Random bytes, `lengths.seed` of them; by default from `crypto.getRandomValues`.
   *   The same seed gives the same keys, so whoever has it has the secret key.
   */
  keygen(seed?: Uint8Array): KeyPair;

  /**
   * Makes a new shared secret and the ciphertext that brings it to the owner of the secret key.
   * @param publicKey Used without a check; `checkPublicKey` checks it.
   * @param msg Random bytes, `lengths.msg` of them, for tests; by default from
   *   `crypto.getRandomValues`. Never use one twice.
   */
  encapsulate(publicKey: Uint8Array, msg?: Uint8Array): Encapsulated;

  /**
   * Returns the shared secret in a ciphertext. One that was not made for this key gives another,
   * pseudorandom secret and no error: the two sides see in what follows that they differ.
   */
  decapsulate(cipherText: Uint8Array, secretKey: Uint8Array): Uint8Array<ArrayBuffer>;

  /** Returns the public key that belongs to a secret key. */
  getPublicKey(secretKey: Uint8Array): Uint8Array<ArrayBuffer>;

  /** Whether an honest party can have made this public key, as far as can be seen. */
  checkPublicKey(publicKey: Uint8Array): boolean;

  /** Whether all parts of a secret key fit together, its public key included. */
  checkSecretKey(secretKey: Uint8Array): boolean;

  /** Whether an honest party can have made this ciphertext, as far as can be seen. */
  checkCipherText(cipherText: Uint8Array): boolean;

  /** Whether the engine runs the module with vectors; if not, the one without does the work. */
  usesSimd(): boolean;
}

export function makeKem(module: Module, index: number, name: string, sizes: number[]): Kem;
