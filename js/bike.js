// SPDX-License-Identifier: Apache-2.0 OR MIT
// BIKE [specification v5.1]; bike.d.ts says how it is used.
import * as packed from "./internal/bike_module.js";
import { makeKem } from "./internal/kem.js";
import { Module } from "./internal/module.js";

const module = /* @__PURE__ */ new Module(packed);

export const bikeL1 = /* @__PURE__ */ makeKem(module, 0, "BIKE-L1", [1541, 5223, 1573, 64, 32]);
export const bikeL3 = /* @__PURE__ */ makeKem(module, 1, "BIKE-L3", [3083, 10105, 3115, 64, 32]);
export const bikeL5 = /* @__PURE__ */ makeKem(module, 2, "BIKE-L5", [5122, 16494, 5154, 64, 32]);
