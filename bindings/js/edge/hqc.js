// SPDX-License-Identifier: Apache-2.0 OR MIT
// hqc.js for engines that take WebAssembly as a module of the program and compile none from bytes.
import compiled from "../hqc.wasm?module";
import { makeKem } from "../internal/kem.js";
import { Module } from "../internal/module.js";
// parameters: made by parameters/generate.py
import { HQC_1, HQC_3, HQC_5 } from "../internal/parameters.js";
// parameters: end

const module = /* @__PURE__ */ new Module({ compiled });

// kems: made by parameters/generate.py
export const hqc1 = /* @__PURE__ */ makeKem(module, "hqc", HQC_1);
export const hqc3 = /* @__PURE__ */ makeKem(module, "hqc", HQC_3);
export const hqc5 = /* @__PURE__ */ makeKem(module, "hqc", HQC_5);
// kems: end
