// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

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

  /* Statuses of codekem.h; from the first to the last they say that what was given is malformed. */
  private static final int OK = 0;
  private static final int FIRST_MALFORMED = 4;
  private static final int LAST_MALFORMED = 6;

  /* Members of codekem_kem and codekem_options (codekem.h) by their offsets, with pointers of 64
   * bits. */
  // offsets: made by parameters/generate.py
  private static final int OFFSET_PUBLIC_KEY = 32;
  private static final int OFFSET_SECRET_KEY = 40;
  private static final int OFFSET_CIPHERTEXT = 48;
  private static final int OFFSET_SHARED_SECRET = 56;
  private static final int OFFSET_KEYPAIR_SEED = 64;
  private static final int OFFSET_ENCAPS_SEED = 72;
  private static final int OFFSET_KEYPAIR_WORKSPACE = 80;
  private static final int OFFSET_ENCAPS_WORKSPACE = 88;
  private static final int OFFSET_DECAPS_WORKSPACE = 96;
  private static final int OFFSET_CHECK_WORKSPACE = 128;
  private static final int BYTES_READ = 136;
  private static final int OPTION_SIZE = 0;
  private static final int OPTION_SEED = 8;
  private static final int OPTION_WORKSPACE = 32;
  private static final int OPTION_WORKSPACE_LENGTH = 40;
  private static final int OPTIONS_BYTES = 56;
  // offsets: end

  final String name;
  final String oid; // that is written
  private final List<String> readOids; // of others, by which keys are read, too
  private volatile Sizes sizes;

  /** What the library says, which is asked when it is first needed. */
  private static final class Sizes {
    final long kem;
    final int publicKey;
    final int secretKey;
    final int ciphertext;
    final int sharedSecret;
    final int keypairSeed;
    final int encapsSeed;
    final int workspace; // for any operation
    final int open; // in the memory of a call: where workspace, options and secrets end
    // Of calls that are over: the last one's, which costs no lock, and those of other threads.
    final AtomicReference<Room> last = new AtomicReference<>();
    final ArrayBlockingQueue<Room> idle =
        new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

    Sizes(long kem) {
      this.kem = kem;
      ByteBuffer members = Native.at(kem, BYTES_READ).order(ByteOrder.nativeOrder());
      publicKey = Math.toIntExact(members.getLong(OFFSET_PUBLIC_KEY));
      secretKey = Math.toIntExact(members.getLong(OFFSET_SECRET_KEY));
      ciphertext = Math.toIntExact(members.getLong(OFFSET_CIPHERTEXT));
      sharedSecret = Math.toIntExact(members.getLong(OFFSET_SHARED_SECRET));
      keypairSeed = Math.toIntExact(members.getLong(OFFSET_KEYPAIR_SEED));
      encapsSeed = Math.toIntExact(members.getLong(OFFSET_ENCAPS_SEED));
      long most = 0;
      for (int offset :
          new int[] {
            OFFSET_KEYPAIR_WORKSPACE,
            OFFSET_ENCAPS_WORKSPACE,
            OFFSET_DECAPS_WORKSPACE,
            OFFSET_CHECK_WORKSPACE
          }) {
        most = Math.max(most, members.getLong(offset));
      }
      workspace = Memory.rounded(Math.toIntExact(most));
      open = workspace + OPTIONS_BYTES + sharedSecret + encapsSeed;
    }
  }

  /** What calls use, one after the other: memory, and an array of the heap for a ciphertext. */
  private static final class Room {
    final Memory memory;
    final byte[] ciphertext;
    byte[] publicKey; // whose copy the memory has, or null

    Room(Sizes s) {
      memory = new Memory(s.open + s.publicKey + s.ciphertext);
      ciphertext = new byte[s.ciphertext];
    }
  }

  /**
   * The memory of one call: a workspace, then options and secrets, which are wiped at its end, then
   * a public key and a ciphertext, which are not: that would take longer than the call of C itself.
   */
  private static final class Call implements AutoCloseable {
    private final Sizes s;
    private final Room room;
    private final Memory memory;
    private int secretEnd;

    Call(Sizes s) {
      this.s = s;
      Room found = s.last.getAndSet(null);
      if (found == null) {
        found = s.idle.poll();
      }
      room = found != null ? found : new Room(s);
      memory = room.memory;
      secretEnd = s.workspace + OPTIONS_BYTES;
    }

    /** Returns codekem_options with the workspace and a seed of this call, or 0 for none. */
    long options(long seed) {
      int at = s.workspace;
      ByteBuffer bytes = memory.bytes;
      bytes.putLong(at + OPTION_SIZE, OPTIONS_BYTES);
      bytes.putLong(at + OPTION_SEED, seed);
      bytes.putLong(at + OPTION_WORKSPACE, memory.address);
      bytes.putLong(at + OPTION_WORKSPACE_LENGTH, s.workspace);
      return memory.address + at;
    }

    /** Returns the address of so many bytes for a secret: zeros, of which nothing stays. */
    long secret(int length) {
      long found = memory.address + secretEnd;
      secretEnd += length;
      if (secretEnd > s.open) {
        throw new IndexOutOfBoundsException("no room for a secret of " + length + " bytes");
      }
      return found;
    }

    long copySecret(byte[] data) {
      int at = secretEnd;
      long found = secret(data.length);
      memory.bytes.put(at, data);
      return found;
    }

    /** Returns the address of a new public key. */
    long publicKey() {
      room.publicKey = null;
      return memory.address + s.open;
    }

    /** Returns the address of a public key, which whoever has the array never changes. */
    long copyPublicKey(byte[] key) {
      if (room.publicKey != key) {
        room.publicKey = null; // in case that it has another length
        memory.bytes.put(s.open, key, 0, s.publicKey);
        room.publicKey = key;
      }
      return memory.address + s.open;
    }

    long ciphertext() {
      return memory.address + s.open + s.publicKey;
    }

    long copyCiphertext(byte[] ciphertext) {
      memory.bytes.put(s.open + s.publicKey, ciphertext, 0, s.ciphertext);
      return ciphertext();
    }

    /** Fills an array with the bytes of a buffer. */
    byte[] read(long buffer, byte[] out) {
      memory.bytes.get((int) (buffer - memory.address), out);
      return out;
    }

    @Override
    public void close() {
      memory.wipe(s.workspace, s.open - s.workspace); // the library has wiped its workspace
      if (!s.last.compareAndSet(null, room)) {
        s.idle.offer(room); // or else the garbage collector frees it
      }
      Reference.reachabilityFence(memory);
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
      byte[] text = (name + "\0").getBytes(StandardCharsets.US_ASCII);
      Memory memory = new Memory(text.length);
      memory.bytes.put(0, text);
      long kem = Native.find(memory.address);
      Reference.reachabilityFence(memory);
      if (kem == 0) {
        throw new ProviderException("codekem: the native library has no " + name);
      }
      found = new Sizes(kem);
      sizes = found;
    }
    return found;
  }

  /** Fills a seed of a key pair with random bytes of the operating system. */
  void drawKeypairSeed(long seed) {
    if (!Native.random(seed, sizes().keypairSeed)) {
      throw new ProviderException("codekem: the source of randomness failed");
    }
  }

  /** Fills secretKey and returns the public key, both from a seed; all are addresses. */
  byte[] keypair(long secretKey, long seed) {
    Sizes s = sizes();
    try (Call call = new Call(s)) {
      long publicKey = call.publicKey();
      check(Native.keypair(s.kem, publicKey, secretKey, call.options(seed)));
      return call.read(publicKey, new byte[s.publicKey]);
    }
  }

  /**
   * Fills sharedSecret and makes a ciphertext, both from a public key and a seed, or from
   * randomness of the operating system if that is null. Returns what wanted makes of the
   * ciphertext, an array that the next call uses again, so it may keep a copy alone: a new array
   * for each call would take longer than all else here.
   */
  <T> T encaps(
      byte[] sharedSecret, byte[] publicKey, byte[] seed, Function<byte[], T> wanted) {
    Sizes s = sizes();
    try (Call call = new Call(s)) {
      byte[] ciphertext = call.room.ciphertext;
      long shared = call.secret(sharedSecret.length);
      long key = call.copyPublicKey(publicKey);
      long options = call.options(seed == null ? 0 : call.copySecret(seed));
      check(Native.encaps(s.kem, ciphertext, call.ciphertext(), shared, key, options));
      call.read(shared, sharedSecret);
      return wanted.apply(ciphertext);
    }
  }

  /** Fills sharedSecret from a ciphertext and the address of a secret key. */
  void decaps(byte[] sharedSecret, byte[] ciphertext, long secretKey) {
    Sizes s = sizes();
    try (Call call = new Call(s)) {
      long shared = call.secret(sharedSecret.length);
      long given = call.copyCiphertext(ciphertext);
      check(Native.decaps(s.kem, shared, given, secretKey, call.options(0)));
      call.read(shared, sharedSecret);
    }
  }

  /** Tells whether an honest party can have made the public key, as far as that can be seen. */
  boolean isGoodPublicKey(byte[] publicKey) {
    Sizes s = sizes();
    try (Call call = new Call(s)) {
      return isGood(Native.checkPublicKey(s.kem, call.copyPublicKey(publicKey)));
    }
  }

  /** Tells whether the parts of the secret key at an address belong together. */
  boolean isGoodSecretKey(long secretKey) {
    Sizes s = sizes();
    try (Call call = new Call(s)) {
      return isGood(Native.checkSecretKey(s.kem, secretKey, call.options(0)));
    }
  }

  /** Returns the public key that belongs to the good secret key at an address. */
  byte[] publicKeyOf(long secretKey) {
    Sizes s = sizes();
    try (Call call = new Call(s)) {
      long publicKey = call.publicKey();
      check(Native.derivePublicKey(s.kem, publicKey, secretKey, call.options(0)));
      return call.read(publicKey, new byte[s.publicKey]);
    }
  }

  /** Tells whether the memory of calls that are over holds no secret; for tests. */
  boolean isIdleMemoryWiped() {
    Sizes s = sizes();
    List<Room> rooms = new ArrayList<>(s.idle);
    rooms.add(s.last.get());
    for (Room room : rooms) {
      if (!room.memory.isWiped(0, s.open)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the version of the native library. */
  static String libraryVersion() {
    NativeLibrary.load();
    return NativeLibrary.text(Native.version());
  }

  /** Returns the name of the back end in use, or null if CODEKEM_CPU names none that can run. */
  static String backend() {
    NativeLibrary.load();
    return NativeLibrary.text(Native.backend());
  }

  /** Tells whether a check has passed; throws if it could not be made. */
  private static boolean isGood(int status) {
    if (status >= FIRST_MALFORMED && status <= LAST_MALFORMED) {
      return false;
    }
    check(status);
    return true;
  }

  private static void check(int status) {
    if (status != OK) {
      throw new ProviderException("codekem: " + NativeLibrary.text(Native.statusText(status)));
    }
  }
}
