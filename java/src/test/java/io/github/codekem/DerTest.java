// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.KeyFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Encodings that are none. */
class DerTest {
  private static final Kem KEM = Kem.ALL.get(3);

  private static KeyFactory factory() throws Exception {
    return KeyFactory.getInstance("HQC-1", new CodekemProvider());
  }

  private static CodekemPrivateKey key() throws Exception {
    return new CodekemPrivateKey(KEM, new byte[KEM.keypairSeedBytes()], null);
  }

  private static InvalidKeySpecException refused(byte[] der) {
    InvalidKeySpecException e =
        assertThrows(
            InvalidKeySpecException.class,
            () -> factory().generatePrivate(new PKCS8EncodedKeySpec(der)));
    assertThrows(
        InvalidKeySpecException.class, () -> factory().generatePublic(new X509EncodedKeySpec(der)));
    return e;
  }

  @Test
  void seedAloneIsAKey() throws Exception {
    byte[] whole = Der.writePublic(KEM.oid, new byte[0]); // its header has 4 bytes
    byte[] identifier = Arrays.copyOfRange(whole, 4, 6 + whole[5]);
    byte[] seed = new byte[32];
    byte[] content = concat(new byte[] {(byte) 0x80, 32}, seed);
    byte[] body =
        concat(
            new byte[] {2, 1, 0, 0x30, (byte) identifier.length},
            identifier,
            new byte[] {4, (byte) content.length},
            content);
    byte[] der = concat(new byte[] {0x30, (byte) body.length}, body);
    CodekemPrivateKey found =
        (CodekemPrivateKey) factory().generatePrivate(new PKCS8EncodedKeySpec(der));
    assertEquals(key(), found);
    assertArrayEquals(seed, found.getSeed());
  }

  private static byte[] concat(byte[]... parts) {
    byte[] out = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int end = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, out, end, part.length);
      end += part.length;
    }
    return out;
  }

  @Test
  void everyByteOfTheFrameCounts() throws Exception {
    CodekemPrivateKey key = key();
    byte[] good = key.getEncoded();
    for (int i = 0; i < good.length - KEM.secretKeyBytes(); i++) {
      byte[] bad = good.clone();
      bad[i] ^= 0x21;
      refused(bad);
    }
    for (int length = 0; length < 100; length++) {
      refused(Arrays.copyOf(good, length));
    }
    refused(Arrays.copyOf(good, good.length - 1));
    assertEquals(
        "the key has something behind its end",
        refused(Arrays.copyOf(good, good.length + 1)).getMessage());
    byte[] pub = key.getPublicKey().getEncoded();
    for (int i = 0; i < pub.length - KEM.publicKeyBytes(); i++) {
      byte[] bad = pub.clone();
      bad[i] ^= 0x21;
      refused(bad);
    }
  }

  @Test
  void seedAndSecretKeyMustBelongTogether() throws Exception {
    byte[] other = new byte[32];
    other[0] = 1;
    byte[] der = Der.writePrivate(KEM.oid, other, key().getRaw());
    assertEquals("the seed and the secret key do not belong together", refused(der).getMessage());
    byte[] secretKey = key().getRaw();
    secretKey[secretKey.length - 1] ^= 1;
    assertEquals(
        "the secret key is malformed",
        refused(Der.writePrivate(KEM.oid, null, secretKey)).getMessage());
    assertEquals(
        "a secret key of HQC-1 has 2321 bytes, not 10",
        refused(Der.writePrivate(KEM.oid, null, new byte[10])).getMessage());
  }

  @Test
  void keysOfAnotherKemAreRefused() throws Exception {
    Kem other = Kem.ALL.get(4);
    byte[] der = new CodekemPrivateKey(other, new byte[32], null).getEncoded();
    assertEquals("this is a key of HQC-3, not of HQC-1", refused(der).getMessage());
  }

  @Test
  void identifiersComeBack() throws Exception {
    for (Kem kem : Kem.ALL) {
      byte[] der = Der.writePublic(kem.oid, new byte[3]);
      assertEquals(kem.oid, Der.readPublic(der).oid());
      assertArrayEquals(new byte[3], Der.readPublic(der).publicKey());
    }
  }
}
