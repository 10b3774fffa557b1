// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.io.Serial;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.security.InvalidKeyException;
import java.security.KeyRep;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * A private key of one KEM. It is encoded as a PrivateKeyInfo ("PKCS#8"). One of BIKE is for one
 * exchange only; HQC's may be used again.
 *
 * <p>The secret lies outside the heap, where the garbage collector makes no copies of it. It is
 * wiped by {@link #destroy}, or when the garbage collector drops the key, nobody promises when;
 * what {@link #getEncoded} and {@link #getRaw} return is the caller's to wipe.
 */
public final class CodekemPrivateKey implements PrivateKey {
  @Serial private static final long serialVersionUID = 1L;

  private static final Cleaner CLEANER = Cleaner.create();
  private static final int NO_SEED = -1;

  final transient Kem kem;
  private final transient CodekemPublicKey publicKey;
  private final transient Memory memory; // the secret key first
  private final transient int seedAt; // where in memory the seed is, or NO_SEED
  private final transient Cleaner.Cleanable wiping;
  // Wiping waits for operations with the key.
  private final transient ReadWriteLock lock = new ReentrantReadWriteLock();
  private transient boolean destroyed;

  /** Makes a key with a seed from the operating system. */
  CodekemPrivateKey(Kem kem) {
    this.kem = kem;
    memory = newMemory(kem, true);
    wiping = wipingOf(memory);
    seedAt = kem.secretKeyBytes();
    kem.drawKeypairSeed(memory.address + seedAt);
    publicKey = new CodekemPublicKey(kem, kem.keypair(memory.address, memory.address + seedAt));
    Reference.reachabilityFence(this);
  }

  /** Makes a key from a seed, a secret key, or both; one may be null. They are copied. */
  CodekemPrivateKey(Kem kem, byte[] seed, byte[] secretKey) throws InvalidKeySpecException {
    this.kem = kem;
    int secretBytes = kem.secretKeyBytes();
    checkLength(kem, "seed", seed, kem.keypairSeedBytes());
    checkLength(kem, "secret key", secretKey, secretBytes);
    memory = newMemory(kem, seed != null);
    wiping = wipingOf(memory);
    if (seed != null) {
      seedAt = secretBytes;
    } else {
      seedAt = kem.hasSeedAtEnd() ? secretBytes - kem.keypairSeedBytes() : NO_SEED;
    }
    boolean good = true;
    byte[] found;
    if (seed != null) {
      memory.bytes.put(seedAt, seed);
      found = kem.keypair(memory.address, memory.address + seedAt);
      good = secretKey == null || isSecretKey(secretKey);
    } else {
      memory.bytes.put(0, secretKey);
      good = kem.isGoodSecretKey(memory.address);
      found = good ? kem.publicKeyOf(memory.address) : null;
    }
    Reference.reachabilityFence(this); // or else the memory may be wiped during a call
    if (!good) {
      wiping.clean();
      throw new InvalidKeySpecException(
          seed == null
              ? "the secret key is malformed"
              : "the seed and the secret key do not belong together");
    }
    publicKey = new CodekemPublicKey(kem, found);
  }

  private static Memory newMemory(Kem kem, boolean withSeed) {
    return new Memory(kem.secretKeyBytes() + (withSeed ? kem.keypairSeedBytes() : 0));
  }

  private Cleaner.Cleanable wipingOf(Memory memory) {
    return CLEANER.register(this, () -> memory.wipe(0, memory.bytes.capacity()));
  }

  private static void checkLength(Kem kem, String what, byte[] data, int expected)
      throws InvalidKeySpecException {
    if (data != null && data.length != expected) {
      throw new InvalidKeySpecException(
          "a %s of %s has %d bytes, not %d".formatted(what, kem.name, expected, data.length));
    }
  }

  private boolean isSecretKey(byte[] secretKey) {
    byte[] mine = memory.copy(0, kem.secretKeyBytes());
    try {
      return MessageDigest.isEqual(mine, secretKey);
    } finally {
      Der.wipe(mine);
    }
  }

  /** Runs an operation while nobody wipes the key. */
  private <T> T use(Supplier<T> operation) {
    lock.readLock().lock();
    try {
      if (destroyed) {
        throw new IllegalStateException("the key has been destroyed");
      }
      return operation.get();
    } finally {
      lock.readLock().unlock();
      Reference.reachabilityFence(this);
    }
  }

  /** Recovers a shared secret. */
  byte[] decapsulate(byte[] ciphertext) {
    byte[] shared = new byte[kem.sharedSecretBytes()];
    return use(
        () -> {
          kem.decaps(shared, ciphertext, memory.address);
          return shared;
        });
  }

  /** Throws unless the key can be used. */
  void checkAlive() throws InvalidKeyException {
    if (isDestroyed()) {
      throw new InvalidKeyException("the key has been destroyed");
    }
  }

  /** Returns the name of the KEM, such as "HQC-1". */
  @Override
  public String getAlgorithm() {
    return kem.name;
  }

  /** Returns the public key that belongs to this one. */
  public CodekemPublicKey getPublicKey() {
    return publicKey;
  }

  @Override
  public String getFormat() {
    return isDestroyed() ? null : "PKCS#8";
  }

  /** What of a key stands in its encoding. */
  public enum Form {
    /** The seed, from which readers make the key. */
    SEED,
    /** Seed and secret key. */
    BOTH,
    /** The secret key, as {@link #getRaw} returns it. */
    EXPANDED
  }

  /**
   * Returns the key as its seed or, if that is not known, its secret key; null if it has been
   * destroyed.
   */
  @Override
  public byte[] getEncoded() {
    return getEncoded(seedAt == NO_SEED ? Form.EXPANDED : Form.SEED);
  }

  /**
   * Returns the key in a form; null if it has been destroyed.
   *
   * @throws IllegalStateException if the form has the seed, and it is not known
   */
  public byte[] getEncoded(Form form) {
    if (form != Form.EXPANDED && seedAt == NO_SEED) {
      throw new IllegalStateException("the seed of this key is not known");
    }
    byte[] secretKey = null;
    byte[] ownSeed = null;
    lock.readLock().lock(); // until the end: nobody destroys the key meanwhile
    try {
      if (destroyed) {
        return null;
      }
      secretKey = form == Form.SEED ? null : getRaw();
      ownSeed = form == Form.EXPANDED ? null : getSeed();
      return Der.writePrivate(kem.oid, ownSeed, secretKey);
    } finally {
      lock.readLock().unlock();
      Der.wipe(secretKey);
      Der.wipe(ownSeed);
    }
  }

  /** Returns the secret key as the specification of the KEM encodes it. */
  public byte[] getRaw() {
    return use(() -> memory.copy(0, kem.secretKeyBytes()));
  }

  /**
   * Returns the seed from which the key was made, or null if it is not known. HQC's secret keys
   * hold it; BIKE's do not.
   */
  public byte[] getSeed() {
    return use(() -> seedAt == NO_SEED ? null : memory.copy(seedAt, kem.keypairSeedBytes()));
  }

  /** Wipes the secret. The key cannot be used any more. */
  @Override
  public void destroy() {
    lock.writeLock().lock();
    try {
      destroyed = true;
      wiping.clean();
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public boolean isDestroyed() {
    lock.readLock().lock();
    try {
      return destroyed;
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Tells whether no byte of the secret is left; for tests. */
  boolean isWiped() {
    return memory.isWiped(0, memory.bytes.capacity());
  }

  /** Compares in constant time. A key that has been destroyed equals itself alone. */
  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof CodekemPrivateKey key) || kem != key.kem) {
      return false;
    }
    byte[] theirs;
    try {
      theirs = key.getRaw();
    } catch (IllegalStateException e) {
      return false; // it has been destroyed
    }
    try {
      return use(() -> isSecretKey(theirs));
    } catch (IllegalStateException e) {
      return false; // this one has
    } finally {
      Der.wipe(theirs);
    }
  }

  @Override
  public int hashCode() {
    return publicKey.hashCode();
  }

  @Override
  public String toString() {
    return "private key of " + kem.name;
  }

  @Serial
  private Object writeReplace() throws ObjectStreamException {
    byte[] encoded = getEncoded();
    if (encoded == null) {
      throw new java.io.NotSerializableException("the key has been destroyed");
    }
    return new KeyRep(KeyRep.Type.PRIVATE, getAlgorithm(), "PKCS#8", encoded);
  }

  @Serial
  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw new InvalidObjectException("keys are written as KeyRep, which reads them again");
  }
}
