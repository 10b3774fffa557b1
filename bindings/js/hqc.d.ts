// SPDX-License-Identifier: Apache-2.0 OR MIT
import type { Kem } from "./internal/types.js";

export type { Bytes, Encapsulated, Kem, KeyPair, Lengths } from "./internal/types.js";

// kems: made by parameters/generate.py
/** HQC of NIST's category 1. */
export declare const hqc1: Kem;
/** HQC of NIST's category 3. */
export declare const hqc3: Kem;
/** HQC of NIST's category 5. */
export declare const hqc5: Kem;
// kems: end
