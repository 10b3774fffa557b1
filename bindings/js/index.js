// SPDX-License-Identifier: Apache-2.0 OR MIT
// All KEMs. Import codekem/hqc.js or codekem/bike.js instead if one family is enough.
// kems: made by parameters/generate.py
export { bikeL1, bikeL3, bikeL5 } from "./bike.js";
export { hqc1, hqc3, hqc5 } from "./hqc.js";
// kems: end
