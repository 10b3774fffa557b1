// SPDX-License-Identifier: Apache-2.0 OR MIT
import type { Kem } from "./internal/types.js";

export type { Bytes, Encapsulated, Kem, KeyPair, Lengths } from "./internal/types.js";

// kems: made by parameters/generate.py
/** BIKE of NIST's category 1. Its specification claims no security against chosen ciphertexts
 * for keys that are used more than once; take a new key pair for each exchange. */
export declare const bikeL1: Kem;
/** BIKE of NIST's category 3. Its specification claims no security against chosen ciphertexts
 * for keys that are used more than once; take a new key pair for each exchange. */
export declare const bikeL3: Kem;
/** BIKE of NIST's category 5. Its specification claims no security against chosen ciphertexts
 * for keys that are used more than once; take a new key pair for each exchange. */
export declare const bikeL5: Kem;
// kems: end
