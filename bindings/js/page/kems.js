// SPDX-License-Identifier: Apache-2.0 OR MIT
// The KEMs of the page.
import { ml_kem1024, ml_kem512, ml_kem768 } from "@noble/post-quantum/ml-kem.js";
// imports: made by parameters/generate.py
import { bikeL1, bikeL3, bikeL5, hqc1, hqc3, hqc5 } from "../index.js";
// imports: end

/** Each with its category of strength; ML-KEM first: the others are compared with it. */
export const KEMS = [
  // kems: made by parameters/generate.py
  { name: "ML-KEM-512", scheme: "ML-KEM", category: 1, kem: ml_kem512 },
  { name: "HQC-1", scheme: "HQC", category: 1, kem: hqc1 },
  { name: "BIKE-L1", scheme: "BIKE", category: 1, kem: bikeL1 },
  { name: "ML-KEM-768", scheme: "ML-KEM", category: 3, kem: ml_kem768 },
  { name: "HQC-3", scheme: "HQC", category: 3, kem: hqc3 },
  { name: "BIKE-L3", scheme: "BIKE", category: 3, kem: bikeL3 },
  { name: "ML-KEM-1024", scheme: "ML-KEM", category: 5, kem: ml_kem1024 },
  { name: "HQC-5", scheme: "HQC", category: 5, kem: hqc5 },
  { name: "BIKE-L5", scheme: "BIKE", category: 5, kem: bikeL5 },
  // kems: end
];
