// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Calls of the C library by JNI, for Java before 22. For Java 22 and later META-INF/versions/22 has
 * another class of this name, by java.lang.foreign. Addresses are numbers; 0 is NULL.
 */
final class Native {
  private static long chosen;

  private Native() {}

  /** Tells whether the small library codekem_jni must be loaded first, by loadGlue. */
  static boolean needsGlue() {
    return true;
  }

  /** Loads codekem_jni; throws IllegalArgumentException if it cannot be loaded. */
  static void loadGlue(Path path) {
    try {
      System.load(path.toAbsolutePath().toString());
    } catch (UnsatisfiedLinkError e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** A library that may be the one. */
  static final class Candidate implements AutoCloseable {
    private long handle;

    /** Throws IllegalArgumentException if the file is no library for this machine. */
    Candidate(Path path) {
      boolean windows = System.getProperty("os.name").startsWith("Windows");
      handle =
          openLibrary(
              (path + "\0")
                  .getBytes(windows ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8));
      if (handle == 0) {
        throw new IllegalArgumentException("Cannot open library: " + path);
      }
    }

    boolean has(String function) {
      return symbol(handle, function) != 0;
    }

    /** Returns the address of the text of its version. */
    long version() {
      return call(symbol(handle, "codekem_version"));
    }

    /** Makes it the library that all calls go to. */
    void choose() {
      chosen = handle;
      handle = 0;
    }

    /** Lets it go again unless it was chosen. */
    @Override
    public void close() {
      if (handle != 0) {
        closeLibrary(handle);
      }
    }
  }

  /** The functions, known once a library is chosen. */
  private static final class Functions {
    static final long KEYPAIR = symbol(chosen, "codekem_kem_keypair_with");
    static final long ENCAPS = symbol(chosen, "codekem_kem_encaps_with");
    static final long DECAPS = symbol(chosen, "codekem_kem_decaps_with");
    static final long CHECK_PUBLIC_KEY = symbol(chosen, "codekem_kem_check_public_key");
    static final long CHECK_SECRET_KEY = symbol(chosen, "codekem_kem_check_secret_key_with");
    static final long DERIVE_PUBLIC_KEY = symbol(chosen, "codekem_kem_derive_public_key_with");
    static final long RANDOM = symbol(chosen, "codekem_random_system");
    static final long FIND = symbol(chosen, "codekem_kem_find");
    static final long VERSION = symbol(chosen, "codekem_version");
    static final long BACKEND = symbol(chosen, "codekem_backend_current");
    static final long STATUS_TEXT = symbol(chosen, "codekem_status_text");
  }

  static int keypair(long kem, long publicKey, long secretKey, long options) {
    return call4(Functions.KEYPAIR, kem, publicKey, secretKey, options);
  }

  /**
   * Fills an array with a ciphertext, which the library writes into room first: an array of the
   * heap stays where it is only while no garbage is collected at all.
   */
  static int encaps(
      long kem, byte[] ciphertext, long room, long shared, long publicKey, long options) {
    return callInto(ciphertext, room, Functions.ENCAPS, kem, shared, publicKey, options);
  }

  static int decaps(long kem, long shared, long ciphertext, long secretKey, long options) {
    return call5(Functions.DECAPS, kem, shared, ciphertext, secretKey, options);
  }

  static int checkPublicKey(long kem, long publicKey) {
    return call2(Functions.CHECK_PUBLIC_KEY, kem, publicKey);
  }

  static int checkSecretKey(long kem, long secretKey, long options) {
    return call3(Functions.CHECK_SECRET_KEY, kem, secretKey, options);
  }

  static int derivePublicKey(long kem, long publicKey, long secretKey, long options) {
    return call4(Functions.DERIVE_PUBLIC_KEY, kem, publicKey, secretKey, options);
  }

  /** Fills memory with random bytes of the operating system; returns whether it could. */
  static boolean random(long address, long length) {
    return fill(Functions.RANDOM, address, length);
  }

  static long find(long name) {
    return callText(Functions.FIND, name);
  }

  static long version() {
    return call(Functions.VERSION);
  }

  static long backend() {
    return call(Functions.BACKEND);
  }

  static long statusText(int status) {
    return callStatus(Functions.STATUS_TEXT, status);
  }

  private static long symbol(long handle, String name) {
    return symbolOf(handle, (name + "\0").getBytes(StandardCharsets.US_ASCII));
  }

  /* Of codekem_jni.c. */

  /** Returns the address of a direct buffer. */
  static native long address(ByteBuffer direct);

  /** Returns memory of C as a buffer. */
  static native ByteBuffer at(long address, long length);

  private static native long openLibrary(byte[] path);

  private static native void closeLibrary(long handle);

  private static native long symbolOf(long handle, byte[] name);

  private static native long call(long function);

  private static native long callText(long function, long text);

  private static native long callStatus(long function, int status);

  private static native boolean fill(long function, long out, long length);

  private static native int call2(long function, long a, long b);

  private static native int call3(long function, long a, long b, long c);

  private static native int call4(long function, long a, long b, long c, long d);

  private static native int call5(long function, long a, long b, long c, long d, long e);

  /** Calls a function whose second argument is room, and copies what it wrote there into out. */
  private static native int callInto(
      byte[] out, long room, long function, long a, long c, long d, long e);
}
