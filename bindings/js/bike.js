// SPDX-License-Identifier: Apache-2.0 OR MIT
// BIKE [specification v5.1]; bike.d.ts says how it is used.
import * as packed from "./internal/bike_module.js";
import { makeKem } from "./internal/kem.js";
import { Module } from "./internal/module.js";
// parameters: made by parameters/generate.py
import { BIKE_L1, BIKE_L3, BIKE_L5 } from "./internal/parameters.js";
// parameters: end

const module = /* @__PURE__ */ new Module(packed);

// kems: made by parameters/generate.py
export const bikeL1 = /* @__PURE__ */ makeKem(module, "bike", BIKE_L1);
export const bikeL3 = /* @__PURE__ */ makeKem(module, "bike", BIKE_L3);
export const bikeL5 = /* @__PURE__ */ makeKem(module, "bike", BIKE_L5);
// kems: end
