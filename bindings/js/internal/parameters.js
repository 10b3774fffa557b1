// SPDX-License-Identifier: Apache-2.0 OR MIT
// The KEMs: number in the module of their family, name, and lengths in bytes of public key, secret
// key, ciphertext, and of the randomness that keygen and encapsulate take.

/** @typedef {readonly [number, string, number, number, number, number, number]} Parameters */

/** @type {Parameters} */
export const BIKE_L1 = [0, "BIKE-L1", 1541, 5223, 1573, 64, 32];
/** @type {Parameters} */
export const BIKE_L3 = [1, "BIKE-L3", 3083, 10105, 3115, 64, 32];
/** @type {Parameters} */
export const BIKE_L5 = [2, "BIKE-L5", 5122, 16494, 5154, 64, 32];

/** @type {Parameters} */
export const HQC_1 = [0, "HQC-1", 2241, 2321, 4433, 32, 32];
/** @type {Parameters} */
export const HQC_3 = [1, "HQC-3", 4514, 4602, 8978, 32, 40];
/** @type {Parameters} */
export const HQC_5 = [2, "HQC-5", 7237, 7333, 14421, 32, 48];
