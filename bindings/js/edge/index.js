// SPDX-License-Identifier: Apache-2.0 OR MIT
// index.js for the engines of hqc.js and bike.js in this folder.
// kems: made by parameters/generate.py
export { bikeL1, bikeL3, bikeL5 } from "./bike.js";
export { hqc1, hqc3, hqc5 } from "./hqc.js";
// kems: end
