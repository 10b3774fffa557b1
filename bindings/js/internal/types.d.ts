// SPDX-License-Identifier: Apache-2.0 OR MIT

/**
 * A `Uint8Array` whose memory is an ArrayBuffer and no shared one. TypeScript before 5.7 does not
 * tell them apart, and has no name for it.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor["from"]>;

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
  publicKey: Bytes;
  secretKey: Bytes;
}

export interface Encapsulated {
  /** To be sent to the owner of the secret key. */
  cipherText: Bytes;
  sharedSecret: Bytes;
}

/**
 * A key encapsulation mechanism.
 *
 * All byte strings are `Uint8Array`; results are fresh ones that nothing else holds. Every function
 * throws a `TypeError` for an argument of another type and a `RangeError` for one of another
 * length; a public key that no honest party can have made is an `Error`. What an argument is and
 * how long is asked of the engine, not of its properties. No function takes a time that depends on
 * a secret, as far as the engine lets WebAssembly run as it is written; README.md says what that
 * means.
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
   * @param publicKey Checked as `checkPublicKey` does; a malformed one is an `Error`.
   * @param msg Random bytes, `lengths.msg` of them, for tests; by default from
   *   `crypto.getRandomValues`. Never use one twice.
   */
  encapsulate(publicKey: Uint8Array, msg?: Uint8Array): Encapsulated;

  /**
   * Returns the shared secret in a ciphertext. One that was not made for this key gives another,
   * pseudorandom secret and no error: the two sides see in what follows that they differ. Every
   * string of the right length is taken, also those that `checkCipherText` finds odd.
   */
  decapsulate(cipherText: Uint8Array, secretKey: Uint8Array): Bytes;

  /** Returns the public key that belongs to a secret key. */
  getPublicKey(secretKey: Uint8Array): Bytes;

  /** Whether an honest party can have made this public key, as far as can be seen. */
  checkPublicKey(publicKey: Uint8Array): boolean;

  /** Whether all parts of a secret key fit together, its public key included. */
  checkSecretKey(secretKey: Uint8Array): boolean;

  /** Whether an honest party can have made this ciphertext, as far as can be seen. */
  checkCipherText(cipherText: Uint8Array): boolean;

  /** Whether the engine runs the module with vectors; if not, the one without does the work. */
  usesSimd(): boolean;

  /**
   * Loads the family's module before the first call needs it, without blocking. It may be left out,
   * but for the main thread of old browsers that compile nothing larger than 4 kB there at once.
   * @param module The `WebAssembly.Module` of codekem/hqc.wasm or codekem/bike.wasm, for engines
   *   that compile none from bytes. It serves all KEMs of its family.
   */
  ready(module?: object): Promise<void>;
}
