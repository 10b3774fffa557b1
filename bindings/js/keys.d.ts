// SPDX-License-Identifier: Apache-2.0 OR MIT
import type { Bytes, Kem } from "./internal/types.js";

export interface PublicKey {
  publicKey: Bytes;
}

export interface PrivateKey extends PublicKey {
  secretKey: Bytes;
  /** From which `keygen` makes both; not there if it is not known, as of BIKE's secret keys. */
  seed?: Bytes;
}

/**
 * Returns a public key as SubjectPublicKeyInfo, in DER. Throws for a malformed key.
 * @param key As `keygen` returns it.
 */
export declare function exportKey(format: "spki", kem: Kem, key: Uint8Array): Bytes;

/**
 * Returns a private key as PrivateKeyInfo (PKCS #8), in DER. Throws for a malformed key, and if the
 * form needs a seed that is not known.
 * @param key The seed, or the secret key as `keygen` returns it.
 * @param form What stands in the file; by default the seed if it is known. HQC's secret keys have
 *   their seed in them; of a BIKE key, give the seed.
 */
export declare function exportKey(
  format: "pkcs8",
  kem: Kem,
  key: Uint8Array,
  form?: "seed" | "both" | "expanded",
): Bytes;

/**
 * Reads a key in DER (bytes) or PEM (text), with whatever form is in it, and checks it. Throws an
 * `Error` for what is no key of this KEM, and for parts that do not belong together.
 */
export declare function importKey(format: "spki", kem: Kem, data: Uint8Array | string): PublicKey;
export declare function importKey(format: "pkcs8", kem: Kem, data: Uint8Array | string): PrivateKey;

/** Returns the PEM of what `exportKey` has returned. */
export declare function toPem(format: "spki" | "pkcs8", der: Uint8Array): string;
