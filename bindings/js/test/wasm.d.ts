// SPDX-License-Identifier: Apache-2.0 OR MIT
// What bundlers for the edge make of such an import; for the check of this package's own files.
declare module "*.wasm?module" {
  const module: object;
  export default module;
}
