// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.pqc.crypto.hqc.HQCKEMExtractor;
import org.bouncycastle.pqc.crypto.hqc.HQCKEMGenerator;
import org.bouncycastle.pqc.crypto.hqc.HQCKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.hqc.HQCKeyPairGenerator;
import org.bouncycastle.pqc.crypto.hqc.HQCParameters;
import org.bouncycastle.pqc.crypto.hqc.HQCPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.hqc.HQCPublicKeyParameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HQC of Bouncy Castle 1.86, which is that of the tag v5.0.0: the library has it, too, and
 * exchanges agree in both directions. The provider has the revision of the specification, which
 * does not.
 */
class BouncyCastleTest {
  private final SecureRandom random = new SecureRandom();

  private static HQCParameters parameters(int level) {
    return switch (level) {
      case 1 -> HQCParameters.hqc128;
      case 3 -> HQCParameters.hqc192;
      default -> HQCParameters.hqc256;
    };
  }

  /** Tells whether they recover the secret that we encapsulate to their public key. */
  private boolean ourCiphertextAgrees(
      Kem kem, HQCPublicKeyParameters publicKey, HQCPrivateKeyParameters privateKey) {
    byte[] shared = new byte[32];
    byte[] seed = new byte[kem.encapsSeedBytes()];
    random.nextBytes(seed);
    byte[] ciphertext = kem.encaps(shared, publicKey.getEncoded(), seed, byte[]::clone);
    return Arrays.equals(shared, new HQCKEMExtractor(privateKey).extractSecret(ciphertext));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void tagAgreesInBothDirections(int level) {
    Kem kem = new Kem("HQC-" + level + "-v5.0.0", null);
    HQCKeyPairGenerator generator = new HQCKeyPairGenerator();
    generator.init(new HQCKeyGenerationParameters(random, parameters(level)));
    AsymmetricCipherKeyPair theirs = generator.generateKeyPair();
    HQCPublicKeyParameters publicKey = (HQCPublicKeyParameters) theirs.getPublic();
    HQCPrivateKeyParameters privateKey = (HQCPrivateKeyParameters) theirs.getPrivate();
    assertTrue(ourCiphertextAgrees(kem, publicKey, privateKey));

    SecretWithEncapsulation sent = new HQCKEMGenerator(random).generateEncapsulated(publicKey);
    byte[] shared = new byte[32];
    Memory memory = new Memory(kem.secretKeyBytes() + kem.keypairSeedBytes());
    memory.bytes.put(0, privateKey.getEncoded());
    kem.decaps(shared, sent.getEncapsulation(), memory.address);
    assertTrue(kem.isGoodSecretKey(memory.address));
    assertArrayEquals(publicKey.getEncoded(), kem.publicKeyOf(memory.address));
    assertArrayEquals(sent.getSecret(), shared);

    // A key pair of ours, their ciphertext.
    byte[] ours = kem.keypair(memory.address, memory.address + kem.secretKeyBytes());
    SecretWithEncapsulation second =
        new HQCKEMGenerator(random)
            .generateEncapsulated(new HQCPublicKeyParameters(parameters(level), ours));
    kem.decaps(shared, second.getEncapsulation(), memory.address);
    assertArrayEquals(second.getSecret(), shared);
    Reference.reachabilityFence(memory);
  }

  /** The sizes are the same, the secrets are not: what a mix-up looks like. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void revisionsDoNotMix(int level) {
    HQCKeyPairGenerator generator = new HQCKeyPairGenerator();
    generator.init(new HQCKeyGenerationParameters(random, parameters(level)));
    AsymmetricCipherKeyPair theirs = generator.generateKeyPair();
    assertFalse(
        ourCiphertextAgrees(
            new Kem("HQC-" + level, null),
            (HQCPublicKeyParameters) theirs.getPublic(),
            (HQCPrivateKeyParameters) theirs.getPrivate()));
  }
}
