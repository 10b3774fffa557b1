// SPDX-License-Identifier: Apache-2.0 OR MIT
import type { Kem } from "./internal/types.js";

/**
 * Returns a KEM and an elliptic curve as one KEM, which is secure as long as either is: the
 * framework UG of draft-irtf-cfrg-hybrid-kems-12, with SHAKE256 and SHA3-256. It needs Node's
 * `crypto`, which Deno, Bun and workers have, too.
 *
 * Public keys and ciphertexts are those of the KEM, and an element of the group behind them. A
 * secret key begins with its seed of 32 bytes, from which `keygen` makes it again: the rest need
 * not be stored. What ends in no point of P-256 is an `Error`.
 */
export declare function hybrid(kem: Kem, group?: "X25519" | "P256"): Kem;
