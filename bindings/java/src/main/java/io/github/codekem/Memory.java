// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory outside the heap, where the garbage collector makes no copies. It may be freed when the
 * object is dropped, so whoever passes its address keeps the object until the call is over.
 */
final class Memory {
  /** Workspaces of the library begin at multiples of so many bytes, and so does all memory. */
  static final int ALIGNMENT = 64;

  private static final byte[] ZEROS = new byte[4096];

  final ByteBuffer bytes;
  final long address;

  /** Takes memory that holds zeros. */
  Memory(int length) {
    int rounded = rounded(length);
    synchronized (Block.class) {
      if (Block.current == null || rounded > Block.current.bytes.remaining()) {
        Block.current = new Block(Math.max(rounded, Block.LENGTH));
      }
      ByteBuffer rest = Block.current.bytes;
      int begin = rest.position();
      bytes = rest.slice(begin, rounded).order(ByteOrder.nativeOrder());
      address = Block.current.address + begin;
      rest.position(begin + rounded);
    }
  }

  /**
   * What memory is cut from: a block for each key would take longer than all else that Java does
   * for the key. It is freed when all that was cut from it has been dropped; nothing is used twice.
   */
  private static final class Block {
    static final int LENGTH = 32768;
    static Block current; // guarded by Block.class

    final ByteBuffer bytes; // from the position on it is free
    final long address;

    Block(int length) {
      bytes = ByteBuffer.allocateDirect(length + ALIGNMENT).alignedSlice(ALIGNMENT);
      address = Native.address(bytes);
    }
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
