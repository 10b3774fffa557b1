// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.codekem.NativeLibrary.Functions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.ProviderException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;

/** A KEM of the C library. All operations may be called by several threads at once. */
final class Kem {
  /** An arc below the UUID e53b09e7-799c-4521-b80e-c84712029d2f: nobody has assigned any. */
  // arc: made by parameters/generate.py
  private static final String ARC = "2.25.304699757430427868466686181786647698735.";
  // arc: end

  /** All KEMs: there is one object for each. */
  // kems: made by parameters/generate.py
  static final List<Kem> ALL =
      List.of(
          new Kem("BIKE-L1", ARC + "1.1"),
          new Kem("BIKE-L3", ARC + "1.3"),
          new Kem("BIKE-L5", ARC + "1.5"),
          new Kem("HQC-1", ARC + "2.1", "2.16.840.1.101.3.4.4.4"),
          new Kem("HQC-3", ARC + "2.3", "2.16.840.1.101.3.4.4.5"),
          new Kem("HQC-5", ARC + "2.5", "2.16.840.1.101.3.4.4.6"));
  // kems: end

  private static final int ALIGNMENT = 64;

  /* Statuses of codekem.h; from the first to the last they say that what was given is malformed. */
  private static final int OK = 0;
  private static final int FIRST_MALFORMED = 4;
  private static final int LAST_MALFORMED = 6;

  /* Members of codekem_kem and codekem_options (codekem.h) by their offsets, with pointers of 64
   * bits. */
  // offsets: made by parameters/generate.py
  private static final long OFFSET_PUBLIC_KEY = 32;
  private static final long OFFSET_SECRET_KEY = 40;
  private static final long OFFSET_CIPHERTEXT = 48;
  private static final long OFFSET_SHARED_SECRET = 56;
  private static final long OFFSET_KEYPAIR_SEED = 64;
  private static final long OFFSET_ENCAPS_SEED = 72;
  private static final long OFFSET_KEYPAIR_WORKSPACE = 80;
  private static final long OFFSET_ENCAPS_WORKSPACE = 88;
  private static final long OFFSET_DECAPS_WORKSPACE = 96;
  private static final long OFFSET_CHECK_WORKSPACE = 128;
  private static final long BYTES_READ = 136;
  private static final long OPTION_SIZE = 0;
  private static final long OPTION_SEED = 8;
  private static final long OPTION_WORKSPACE = 32;
  private static final long OPTION_WORKSPACE_LENGTH = 40;
  private static final long OPTIONS_BYTES = 56;
  // offsets: end

  final String name;
  final String oid; // that is written
  private final List<String> readOids; // of others, by which keys are read, too
  private volatile Sizes sizes;

  /** What the library says, which is asked when it is first needed. */
  private static final class Sizes {
    final MemorySegment kem;
    final int publicKey;
    final int secretKey;
    final int ciphertext;
    final int sharedSecret;
    final int keypairSeed;
    final int encapsSeed;
    final long workspace; // for any operation
    // Memory of calls that are over: workspace, which the library has wiped, and buffers.
    final ArrayBlockingQueue<MemorySegment> idle =
        new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

    Sizes(MemorySegment kem) {
      this.kem = kem;
      publicKey = Math.toIntExact(kem.get(JAVA_LONG, OFFSET_PUBLIC_KEY));
      secretKey = Math.toIntExact(kem.get(JAVA_LONG, OFFSET_SECRET_KEY));
      ciphertext = Math.toIntExact(kem.get(JAVA_LONG, OFFSET_CIPHERTEXT));
      sharedSecret = Math.toIntExact(kem.get(JAVA_LONG, OFFSET_SHARED_SECRET));
      keypairSeed = Math.toIntExact(kem.get(JAVA_LONG, OFFSET_KEYPAIR_SEED));
      encapsSeed = Math.toIntExact(kem.get(JAVA_LONG, OFFSET_ENCAPS_SEED));
      long most = 0;
      for (long offset :
          new long[] {
            OFFSET_KEYPAIR_WORKSPACE,
            OFFSET_ENCAPS_WORKSPACE,
            OFFSET_DECAPS_WORKSPACE,
            OFFSET_CHECK_WORKSPACE
          }) {
        most = Math.max(most, kem.get(JAVA_LONG, offset));
      }
      workspace = most + (-most & (ALIGNMENT - 1));
    }
  }

  /** The memory of one call: a workspace, and behind it buffers, which are wiped at its end. */
  private final class Call implements AutoCloseable {
    final MemorySegment memory;
    private final Sizes s = sizes();
    private long end = s.workspace;

    Call() {
      MemorySegment found = s.idle.poll();
      memory =
          found != null
              ? found
              : Arena.ofAuto()
                  .allocate(
                      s.workspace
                          + s.publicKey
                          + s.ciphertext
                          + s.sharedSecret
                          + s.keypairSeed
                          + s.encapsSeed
                          + Long.BYTES
                          + OPTIONS_BYTES,
                      ALIGNMENT);
    }

    /** Returns codekem_options with the workspace and a seed of this call, or NULL for none. */
    MemorySegment options(MemorySegment seed) {
      end += -end & (Long.BYTES - 1);
      MemorySegment options = buffer(OPTIONS_BYTES);
      options.set(JAVA_LONG, OPTION_SIZE, OPTIONS_BYTES);
      options.set(ADDRESS, OPTION_SEED, seed);
      options.set(ADDRESS, OPTION_WORKSPACE, memory);
      options.set(JAVA_LONG, OPTION_WORKSPACE_LENGTH, s.workspace);
      return options;
    }

    MemorySegment buffer(long length) {
      MemorySegment found = memory.asSlice(end, length);
      end += length;
      return found;
    }

    MemorySegment copy(byte[] data) {
      return copy(MemorySegment.ofArray(data));
    }

    MemorySegment copy(MemorySegment data) {
      return buffer(data.byteSize()).copyFrom(data);
    }

    @Override
    public void close() {
      memory.asSlice(s.workspace, end - s.workspace).fill((byte) 0);
      s.idle.offer(memory); // or else the garbage collector frees it
    }
  }

  Kem(String name, String oid, String... readOids) {
    this.name = name;
    this.oid = oid;
    this.readOids = List.of(readOids);
  }

  /** Tells whether keys with an object identifier are this KEM's. */
  boolean hasOid(String found) {
    return found.equals(oid) || readOids.contains(found);
  }

  /** Tells whether the last bytes of a secret key are the seed that makes all of it. */
  boolean hasSeedAtEnd() {
    return name.startsWith("HQC");
  }

  int publicKeyBytes() {
    return sizes().publicKey;
  }

  int secretKeyBytes() {
    return sizes().secretKey;
  }

  int ciphertextBytes() {
    return sizes().ciphertext;
  }

  int sharedSecretBytes() {
    return sizes().sharedSecret;
  }

  int keypairSeedBytes() {
    return sizes().keypairSeed;
  }

  int encapsSeedBytes() {
    return sizes().encapsSeed;
  }

  private Sizes sizes() {
    Sizes found = sizes;
    if (found == null) {
      NativeLibrary.load();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment kem = (MemorySegment) Functions.FIND.invokeExact(arena.allocateFrom(name));
        if (kem.equals(MemorySegment.NULL)) {
          throw new ProviderException("codekem: the native library has no " + name);
        }
        found = new Sizes(kem.reinterpret(BYTES_READ));
      } catch (Throwable e) {
        throw unexpected(e);
      }
      sizes = found;
    }
    return found;
  }

  /** Fills secretKey and returns the public key, both from a seed. */
  byte[] keypair(MemorySegment secretKey, MemorySegment seed) {
    try (Call call = new Call()) {
      MemorySegment publicKey = call.buffer(sizes.publicKey);
      check(
          (int)
              Functions.KEYPAIR.invokeExact(
                  sizes.kem, publicKey, secretKey, call.options(call.copy(seed))));
      return publicKey.toArray(JAVA_BYTE);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Fills sharedSecret and returns the ciphertext, both from a public key and a seed. */
  byte[] encaps(byte[] sharedSecret, byte[] publicKey, byte[] seed) {
    try (Call call = new Call()) {
      MemorySegment ciphertext = call.buffer(sizes.ciphertext);
      MemorySegment shared = call.buffer(sharedSecret.length);
      check(
          (int)
              Functions.ENCAPS.invokeExact(
                  sizes.kem,
                  ciphertext,
                  shared,
                  call.copy(publicKey),
                  call.options(call.copy(seed))));
      MemorySegment.copy(shared, JAVA_BYTE, 0, sharedSecret, 0, sharedSecret.length);
      return ciphertext.toArray(JAVA_BYTE);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Fills sharedSecret from a ciphertext and a secret key. */
  void decaps(byte[] sharedSecret, byte[] ciphertext, MemorySegment secretKey) {
    try (Call call = new Call()) {
      MemorySegment shared = call.buffer(sharedSecret.length);
      check(
          (int)
              Functions.DECAPS.invokeExact(
                  sizes.kem,
                  shared,
                  call.copy(ciphertext),
                  secretKey,
                  call.options(MemorySegment.NULL)));
      MemorySegment.copy(shared, JAVA_BYTE, 0, sharedSecret, 0, sharedSecret.length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Tells whether an honest party can have made the public key, as far as that can be seen. */
  boolean isGoodPublicKey(byte[] publicKey) {
    try (Call call = new Call()) {
      return isGood((int) Functions.CHECK_PUBLIC_KEY.invokeExact(sizes.kem, call.copy(publicKey)));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Tells whether the parts of the secret key belong together. */
  boolean isGoodSecretKey(MemorySegment secretKey) {
    try (Call call = new Call()) {
      return isGood(
          (int)
              Functions.CHECK_SECRET_KEY.invokeExact(
                  sizes.kem, secretKey, call.options(MemorySegment.NULL)));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Returns the public key that belongs to a good secret key. */
  byte[] publicKeyOf(MemorySegment secretKey) {
    try (Call call = new Call()) {
      MemorySegment publicKey = call.buffer(sizes.publicKey);
      check(
          (int)
              Functions.DERIVE_PUBLIC_KEY.invokeExact(
                  sizes.kem, publicKey, secretKey, call.options(MemorySegment.NULL)));
      return publicKey.toArray(JAVA_BYTE);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Tells whether the memory of calls that are over holds nothing but zeros; for tests. */
  boolean isIdleMemoryWiped() {
    for (MemorySegment memory : sizes().idle) {
      byte[] zeros = new byte[Math.toIntExact(memory.byteSize())];
      if (memory.mismatch(MemorySegment.ofArray(zeros)) != -1) {
        return false;
      }
    }
    return !sizes().idle.isEmpty();
  }

  /** Returns the version of the native library. */
  static String libraryVersion() {
    NativeLibrary.load();
    try {
      return NativeLibrary.text((MemorySegment) Functions.VERSION.invokeExact());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Returns the name of the back end in use, or null if CODEKEM_CPU names none that can run. */
  static String backend() {
    NativeLibrary.load();
    try {
      return NativeLibrary.text((MemorySegment) Functions.BACKEND.invokeExact());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Tells whether a check has passed; throws if it could not be made. */
  private static boolean isGood(int status) throws Throwable {
    if (status >= FIRST_MALFORMED && status <= LAST_MALFORMED) {
      return false;
    }
    check(status);
    return true;
  }

  private static void check(int status) throws Throwable {
    if (status != OK) {
      MemorySegment text = (MemorySegment) Functions.STATUS_TEXT.invokeExact(status);
      throw new ProviderException("codekem: " + NativeLibrary.text(text));
    }
  }

  /** Returns what a method handle has thrown as what may be thrown here. */
  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException runtime ? runtime : new ProviderException(e);
  }
}
