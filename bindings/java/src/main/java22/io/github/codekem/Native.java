// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.ProviderException;

/**
 * Calls of the C library by java.lang.foreign, for Java 22 and later; earlier ones have another
 * class of this name, by JNI. Addresses are numbers, which pointers of 64 bits are passed as; 0 is
 * NULL.
 */
final class Native {
  private static SymbolLookup chosen;

  private Native() {}

  /** Nothing must be loaded before the library. */
  static boolean needsGlue() {
    return false;
  }

  /** Is never called. */
  static void loadGlue(Path path) {
    throw new AssertionError(path);
  }

  /** A library that may be the one. */
  static final class Candidate implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final SymbolLookup library;
    private boolean wanted;

    /**
     * Throws IllegalArgumentException if the file is no library for this machine, and
     * IllegalCallerException if Java allows no native calls.
     */
    Candidate(Path path) {
      SymbolLookup found = null;
      try {
        found = SymbolLookup.libraryLookup(path, arena);
      } finally {
        if (found == null) {
          arena.close();
        }
      }
      library = found;
    }

    boolean has(String function) {
      return library.find(function).isPresent();
    }

    /** Returns the address of the text of its version. */
    long version() {
      try {
        return (long) function(library, "codekem_version", JAVA_LONG, 0).invokeExact();
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /** Makes it the library that all calls go to. */
    void choose() {
      chosen = library;
      wanted = true;
    }

    /** Lets it go again unless it was chosen. */
    @Override
    public void close() {
      if (!wanted) {
        arena.close();
      }
    }
  }

  /** The functions, known once a library is chosen; constants, so that calls are compiled. */
  private static final class Functions {
    static final MethodHandle KEYPAIR = of("codekem_kem_keypair_with", JAVA_INT, 4);
    // The one call that makes thousands of bytes for the heap writes them there. The garbage
    // collector waits meanwhile: for some microseconds, a millisecond or two without vectors.
    static final MethodHandle ENCAPS =
        Linker.nativeLinker()
            .downcallHandle(
                chosen.find("codekem_kem_encaps_with").orElseThrow(),
                FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.critical(true));
    static final MethodHandle DECAPS = of("codekem_kem_decaps_with", JAVA_INT, 5);
    static final MethodHandle CHECK_PUBLIC_KEY = of("codekem_kem_check_public_key", JAVA_INT, 2);
    static final MethodHandle CHECK_SECRET_KEY =
        of("codekem_kem_check_secret_key_with", JAVA_INT, 3);
    static final MethodHandle DERIVE_PUBLIC_KEY =
        of("codekem_kem_derive_public_key_with", JAVA_INT, 4);
    static final MethodHandle RANDOM = of("codekem_random_system", JAVA_BOOLEAN, 3);
    static final MethodHandle FIND = of("codekem_kem_find", JAVA_LONG, 1);
    static final MethodHandle VERSION = of("codekem_version", JAVA_LONG, 0);
    static final MethodHandle BACKEND = of("codekem_backend_current", JAVA_LONG, 0);
    static final MethodHandle STATUS_TEXT =
        Linker.nativeLinker()
            .downcallHandle(
                chosen.find("codekem_status_text").orElseThrow(),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT));

    private static MethodHandle of(String name, MemoryLayout result, int addresses) {
      return function(chosen, name, result, addresses);
    }
  }

  /** Returns a function of that many addresses. */
  private static MethodHandle function(
      SymbolLookup library, String name, MemoryLayout result, int addresses) {
    FunctionDescriptor type = FunctionDescriptor.of(result);
    for (int i = 0; i < addresses; i++) {
      type = type.appendArgumentLayouts(JAVA_LONG);
    }
    return Linker.nativeLinker().downcallHandle(library.find(name).orElseThrow(), type);
  }

  static int keypair(long kem, long publicKey, long secretKey, long options) {
    try {
      return (int) Functions.KEYPAIR.invokeExact(kem, publicKey, secretKey, options);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Fills an array with a ciphertext; room, which the other class needs, is not touched. */
  static int encaps(
      long kem, byte[] ciphertext, long room, long shared, long publicKey, long options) {
    try {
      return (int)
          Functions.ENCAPS.invokeExact(
              kem, MemorySegment.ofArray(ciphertext), shared, publicKey, options);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int decaps(long kem, long shared, long ciphertext, long secretKey, long options) {
    try {
      return (int) Functions.DECAPS.invokeExact(kem, shared, ciphertext, secretKey, options);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int checkPublicKey(long kem, long publicKey) {
    try {
      return (int) Functions.CHECK_PUBLIC_KEY.invokeExact(kem, publicKey);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int checkSecretKey(long kem, long secretKey, long options) {
    try {
      return (int) Functions.CHECK_SECRET_KEY.invokeExact(kem, secretKey, options);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int derivePublicKey(long kem, long publicKey, long secretKey, long options) {
    try {
      return (int) Functions.DERIVE_PUBLIC_KEY.invokeExact(kem, publicKey, secretKey, options);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Fills memory with random bytes of the operating system; returns whether it could. */
  static boolean random(long address, long length) {
    try {
      return (boolean) Functions.RANDOM.invokeExact(0L, address, length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long find(long name) {
    try {
      return (long) Functions.FIND.invokeExact(name);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long version() {
    try {
      return (long) Functions.VERSION.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long backend() {
    try {
      return (long) Functions.BACKEND.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long statusText(int status) {
    try {
      return (long) Functions.STATUS_TEXT.invokeExact(status);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Returns the address of a direct buffer. */
  static long address(ByteBuffer direct) {
    return MemorySegment.ofBuffer(direct).address();
  }

  /** Returns memory of C as a buffer. */
  static ByteBuffer at(long address, long length) {
    return MemorySegment.ofAddress(address).reinterpret(length).asByteBuffer();
  }

  /** Returns what a method handle has thrown as what may be thrown here. */
  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException runtime ? runtime : new ProviderException(e);
  }
}
