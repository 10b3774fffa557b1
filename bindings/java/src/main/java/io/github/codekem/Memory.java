// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory outside the heap, where the garbage collector makes no copies. It is freed when the object
 * is dropped, so whoever passes its address keeps the object until the call is over.
 */
final class Memory {
  /** Workspaces of the library begin at multiples of so many bytes, and so does all memory. */
  static final int ALIGNMENT = 64;

  private static final byte[] ZEROS = new byte[4096];

  final ByteBuffer bytes;
  final long address;

  Memory(int length) {
    int rounded = rounded(length);
    bytes =
        ByteBuffer.allocateDirect(rounded + ALIGNMENT)
            .alignedSlice(ALIGNMENT)
            .order(ByteOrder.nativeOrder());
    address = Native.address(bytes);
  }

  /** Returns a length that is a multiple of the alignment. */
  static int rounded(int length) {
    return Math.addExact(length, -length & (ALIGNMENT - 1));
  }

  /** Returns a copy of length bytes. */
  byte[] copy(int from, int length) {
    byte[] found = new byte[length];
    bytes.get(from, found);
    return found;
  }

  /** Overwrites bytes with zeros. */
  void wipe(int from, int length) {
    for (int done = 0; done < length; done += ZEROS.length) {
      bytes.put(from + done, ZEROS, 0, Math.min(ZEROS.length, length - done));
    }
  }

  /** Tells whether bytes are zeros; for tests. */
  boolean isWiped(int from, int length) {
    for (byte value : copy(from, length)) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }
}
