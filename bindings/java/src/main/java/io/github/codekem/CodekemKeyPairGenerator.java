// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.NamedParameterSpec;

/**
 * Makes key pairs of one KEM, with seeds from the given source of randomness, or from the operating
 * system.
 */
final class CodekemKeyPairGenerator extends KeyPairGeneratorSpi {
  private final Kem kem;
  private SecureRandom random;

  CodekemKeyPairGenerator(Kem kem) {
    this.kem = kem;
  }

  @Override
  public void initialize(int keysize, SecureRandom random) {
    throw new InvalidParameterException("keys of " + kem.name + " have one size only");
  }

  @Override
  public void initialize(AlgorithmParameterSpec parameters, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    if (parameters != null
        && !(parameters instanceof NamedParameterSpec named
            && named.getName().equalsIgnoreCase(kem.name))) {
      throw new InvalidAlgorithmParameterException(
          "the only parameters are NamedParameterSpec(\"" + kem.name + "\")");
    }
    this.random = random;
  }

  @Override
  public KeyPair generateKeyPair() {
    if (random == null) {
      CodekemPrivateKey key = new CodekemPrivateKey(kem);
      return new KeyPair(key.getPublicKey(), key);
    }
    byte[] seed = new byte[kem.keypairSeedBytes()];
    random.nextBytes(seed);
    try {
      CodekemPrivateKey key = new CodekemPrivateKey(kem, seed, null);
      return new KeyPair(key.getPublicKey(), key);
    } catch (InvalidKeySpecException e) {
      throw new ProviderException(e); // cannot be: the seed has its length
    } finally {
      Der.wipe(seed);
    }
  }
}
