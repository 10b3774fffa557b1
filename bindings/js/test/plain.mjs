// SPDX-License-Identifier: Apache-2.0 OR MIT
// Loaded before the tests, it makes an engine without vectors of this one.
WebAssembly.validate = () => false;
process.env.CODEKEM_TEST = "plain";
