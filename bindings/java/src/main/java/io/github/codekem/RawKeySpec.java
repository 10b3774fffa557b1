// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.security.spec.KeySpec;

/**
 * A key as plain bytes, as the specification of the KEM encodes it, for the key factories: a public
 * key, a secret key or, by its length, the seed of a secret key.
 */
public final class RawKeySpec implements KeySpec {
  private final byte[] bytes;

  /** Copies the bytes. */
  public RawKeySpec(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  /** Returns a copy of the bytes. */
  public byte[] getBytes() {
    return bytes.clone();
  }
}
