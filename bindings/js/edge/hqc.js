// SPDX-License-Identifier: Apache-2.0 OR MIT
// hqc.js for engines that take WebAssembly as a module of the program and compile none from bytes.
import compiled from "../hqc.wasm?module";
import { makeKem } from "../internal/kem.js";
import { Module } from "../internal/module.js";
import { HQC_1, HQC_3, HQC_5 } from "../internal/parameters.js";

const module = /* @__PURE__ */ new Module({ compiled });

export const hqc1 = /* @__PURE__ */ makeKem(module, HQC_1);
export const hqc3 = /* @__PURE__ */ makeKem(module, HQC_3);
export const hqc5 = /* @__PURE__ */ makeKem(module, HQC_5);
