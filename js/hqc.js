// SPDX-License-Identifier: Apache-2.0 OR MIT
// HQC [specification of 2025-08-22, as submitted to NIST]; hqc.d.ts says how it is used.
import * as packed from "./internal/hqc_module.js";
import { makeKem } from "./internal/kem.js";
import { Module } from "./internal/module.js";

const module = /* @__PURE__ */ new Module(packed);

export const hqc1 = /* @__PURE__ */ makeKem(module, 0, "HQC-1", [2241, 2321, 4433, 32, 32]);
export const hqc3 = /* @__PURE__ */ makeKem(module, 1, "HQC-3", [4514, 4602, 8978, 32, 40]);
export const hqc5 = /* @__PURE__ */ makeKem(module, 2, "HQC-5", [7237, 7333, 14421, 32, 48]);
