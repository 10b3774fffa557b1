// SPDX-License-Identifier: Apache-2.0 OR MIT

/** BIKE and HQC, code-based post-quantum KEMs, as a security provider. */
module io.github.codekem {
  exports io.github.codekem;

  provides java.security.Provider with
      io.github.codekem.CodekemProvider;
}
