// SPDX-License-Identifier: Apache-2.0 OR MIT
/** A `WebAssembly.Module`, where the engine or the bundler makes one of an import. */
declare const module: object;
export default module;
