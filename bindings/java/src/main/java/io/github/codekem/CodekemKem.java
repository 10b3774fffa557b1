// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Objects;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;
import javax.crypto.KEMSpi;
import javax.crypto.spec.SecretKeySpec;

/** One KEM as javax.crypto.KEM has it. It has no parameters. */
final class CodekemKem implements KEMSpi {
  private final Kem kem;

  CodekemKem(Kem kem) {
    this.kem = kem;
  }

  @Override
  public EncapsulatorSpi engineNewEncapsulator(
      PublicKey publicKey, AlgorithmParameterSpec spec, SecureRandom random)
      throws InvalidAlgorithmParameterException, InvalidKeyException {
    refuseParameters(spec);
    if (new CodekemKeyFactory(kem).engineTranslateKey(publicKey) instanceof CodekemPublicKey key) {
      return new Encapsulator(key, random);
    }
    throw new InvalidKeyException("this is no public key of " + kem.name);
  }

  @Override
  public DecapsulatorSpi engineNewDecapsulator(PrivateKey privateKey, AlgorithmParameterSpec spec)
      throws InvalidAlgorithmParameterException, InvalidKeyException {
    refuseParameters(spec);
    if (new CodekemKeyFactory(kem).engineTranslateKey(privateKey)
        instanceof CodekemPrivateKey key) {
      return new Decapsulator(key);
    }
    throw new InvalidKeyException("this is no private key of " + kem.name);
  }

  private void refuseParameters(AlgorithmParameterSpec spec)
      throws InvalidAlgorithmParameterException {
    if (spec != null) {
      throw new InvalidAlgorithmParameterException(kem.name + " has no parameters");
    }
  }

  /** Returns a part of a shared secret as a key, and wipes the array. */
  private static SecretKeySpec keyOf(byte[] shared, int from, int to, String algorithm) {
    try {
      return new SecretKeySpec(shared, from, to - from, algorithm);
    } finally {
      Der.wipe(shared);
    }
  }

  private static void checkArguments(int from, int to, int size, String algorithm) {
    Objects.checkFromToIndex(from, to, size);
    Objects.requireNonNull(algorithm, "the name of an algorithm is needed");
  }

  /** random is null for randomness of the operating system. */
  private record Encapsulator(CodekemPublicKey key, SecureRandom random)
      implements EncapsulatorSpi {
    @Override
    public KEM.Encapsulated engineEncapsulate(int from, int to, String algorithm) {
      checkArguments(from, to, engineSecretSize(), algorithm);
      byte[] shared = new byte[engineSecretSize()];
      byte[] seed = random == null ? null : new byte[key.kem.encapsSeedBytes()];
      if (random != null) {
        random.nextBytes(seed);
      }
      try {
        // Encapsulated copies the ciphertext, as its constructor promises.
        return key.kem.encaps(
            shared,
            key.bytes,
            seed,
            ciphertext ->
                new KEM.Encapsulated(keyOf(shared, from, to, algorithm), ciphertext, null));
      } finally {
        Der.wipe(seed);
      }
    }

    @Override
    public int engineSecretSize() {
      return key.kem.sharedSecretBytes();
    }

    @Override
    public int engineEncapsulationSize() {
      return key.kem.ciphertextBytes();
    }
  }

  private record Decapsulator(CodekemPrivateKey key) implements DecapsulatorSpi {
    @Override
    public javax.crypto.SecretKey engineDecapsulate(
        byte[] encapsulation, int from, int to, String algorithm) throws DecapsulateException {
      checkArguments(from, to, engineSecretSize(), algorithm);
      if (encapsulation.length != engineEncapsulationSize()) {
        throw new DecapsulateException(
            "a ciphertext of %s has %d bytes, not %d"
                .formatted(key.kem.name, engineEncapsulationSize(), encapsulation.length));
      }
      byte[] shared;
      try {
        shared = key.decapsulate(encapsulation);
      } catch (IllegalStateException e) {
        throw new DecapsulateException(e.getMessage(), e); // the key has been destroyed
      }
      return keyOf(shared, from, to, algorithm);
    }

    @Override
    public int engineSecretSize() {
      return key.kem.sharedSecretBytes();
    }

    @Override
    public int engineEncapsulationSize() {
      return key.kem.ciphertextBytes();
    }
  }
}
