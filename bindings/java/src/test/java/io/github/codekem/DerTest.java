// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @Test
  void everyFormComesBackInPem() throws Exception {
    for (Kem kem : Kem.ALL) {
      byte[] seed = new byte[kem.keypairSeedBytes()];
      CodekemPrivateKey key = new CodekemPrivateKey(kem, seed, null);
      CodekemPublicKey publicKey = key.getPublicKey();
      assertEquals(publicKey, CodekemPem.readPublic(CodekemPem.write(publicKey)));
      CodekemPrivateKey bare = new CodekemPrivateKey(kem, null, key.getRaw());
      for (CodekemPrivateKey.Form form : CodekemPrivateKey.Form.values()) {
        String text = CodekemPem.write(key, form);
        CodekemPrivateKey found = CodekemPem.readPrivate("a text\n" + text + "another\n");
        assertEquals(key, found);
        boolean known = kem.hasSeedAtEnd() || form != CodekemPrivateKey.Form.EXPANDED;
        assertArrayEquals(known ? seed : null, found.getSeed());
        if (kem.hasSeedAtEnd() || form == CodekemPrivateKey.Form.EXPANDED) {
          assertEquals(text, CodekemPem.write(bare, form));
        } else {
          assertThrows(IllegalStateException.class, () -> CodekemPem.write(bare, form));
        }
      }
      String text = CodekemPem.write(key);
      assertEquals(CodekemPem.write(key, CodekemPrivateKey.Form.SEED), text);
      assertTrue(!kem.hasSeedAtEnd() || text.length() < 150);
      key.destroy();
      assertThrows(IllegalStateException.class, () -> CodekemPem.write(key));
    }
  }

  @Test
  void wrongPemIsSaid() throws Exception {
    String text = CodekemPem.write(key());
    Map<String, String> cases = new HashMap<>();
    cases.put("", "not in PEM");
    cases.put(text.substring(0, 80), "not in PEM");
    cases.put(CodekemPem.write(key().getPublicKey()), "is a PUBLIC KEY, where a PRIVATE KEY");
    cases.put(text.replace("PRIVATE", "ENCRYPTED PRIVATE"), "the key is encrypted");
    cases.put(text.replaceFirst("\n", "\n!"), "not base64");
    cases.put(text.replaceFirst("\n", "\nComment: x\n\n"), "not base64");
    cases.put(
        "-----BEGIN PRIVATE KEY-----\nMDQCAQAwCwYJYIZIAWUDBAQBBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUW"
            + "FxgZGhscHR4f\n-----END PRIVATE KEY-----\n",
        "object identifier 2.16.840.1.101.3.4.4.1");
    for (Map.Entry<String, String> one : cases.entrySet()) {
      InvalidKeySpecException e =
          assertThrows(
              InvalidKeySpecException.class, () -> CodekemPem.readPrivate(one.getKey()));
      assertTrue(e.getMessage().contains(one.getValue()), e.getMessage());
    }
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
    byte[] good = key.getEncoded(CodekemPrivateKey.Form.BOTH);
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

  /** The parts that keys of key_encoding.json name. */
  private static Map<String, byte[]> parts(Kem kem) throws Exception {
    byte[] seed = new byte[kem.keypairSeedBytes()];
    CodekemPrivateKey key = new CodekemPrivateKey(kem, seed, null);
    byte[] publicKey = key.getPublicKey().bytes;
    byte[] changed = publicKey.clone();
    changed[40] ^= 1;
    byte[] padded = publicKey.clone();
    padded[padded.length - 1] ^= (byte) 0x80;
    byte[] otherSeed = seed.clone();
    otherSeed[0] = 1;
    byte[] whole = Der.writePublic(kem.oid, new byte[0]); // its headers have 6 bytes
    byte[] oid = Arrays.copyOfRange(whole, 6, 6 + whole[5]);
    Map<String, byte[]> parts = new HashMap<>();
    parts.put("OID", oid);
    parts.put("HEAD", Arrays.copyOf(oid, oid.length - 1));
    parts.put("LAST", Arrays.copyOfRange(oid, oid.length - 1, oid.length));
    parts.put("SEED", seed);
    parts.put("SECRET", key.getRaw());
    parts.put("PUBLIC", publicKey);
    parts.put("OTHER", new CodekemPrivateKey(kem, otherSeed, null).getPublicKey().bytes);
    parts.put("CHANGED", changed);
    parts.put("PADDED", padded);
    parts.put("SHORT", Arrays.copyOf(publicKey, publicKey.length - 1));
    return parts;
  }

  private static byte[] element(int tag, byte[] content) {
    byte[] length = BigInteger.valueOf(content.length).toByteArray();
    if (content.length < 0x80) {
      return concat(new byte[] {(byte) tag, (byte) content.length}, content);
    }
    length = length[0] == 0 ? Arrays.copyOfRange(length, 1, length.length) : length;
    return concat(new byte[] {(byte) tag, (byte) (0x80 | length.length)}, length, content);
  }

  /** Returns the bytes that words stand for, up to the brace that closes them. */
  private static byte[] made(Iterator<String> words, Map<String, byte[]> parts) {
    byte[] out = new byte[0];
    while (words.hasNext()) {
      String word = words.next();
      if (word.equals("}")) {
        break;
      }
      if (word.endsWith("{")) {
        int tag = Integer.parseInt(word.substring(0, word.length() - 1), 16);
        out = concat(out, element(tag, made(words, parts)));
      } else if (parts.containsKey(word)) {
        out = concat(out, parts.get(word));
      } else {
        String[] digits = word.split("\\*");
        String repeated = digits[0].repeat(digits.length == 1 ? 1 : Integer.parseInt(digits[1]));
        out = concat(out, HexFormat.of().parseHex(repeated));
      }
    }
    return out;
  }

  private static String readError(String name, String kind, byte[] der) throws Exception {
    KeyFactory factory = KeyFactory.getInstance(name, new CodekemProvider());
    try {
      if (kind.equals("private")) {
        factory.generatePrivate(new PKCS8EncodedKeySpec(der));
      } else {
        factory.generatePublic(new X509EncodedKeySpec(der));
      }
      return null;
    } catch (InvalidKeySpecException e) {
      return e.getMessage();
    }
  }

  /** The command and the provider for OpenSSL read the same ones. */
  @ParameterizedTest
  @CsvSource({"HQC-1,private", "HQC-1,public", "BIKE-L1,private", "BIKE-L1,public"})
  void keysOfTheTableForAllReaders(String name, String kind) throws Exception {
    Kem kem = Kem.ALL.stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
    JsonObject table;
    try (Reader text =
        new InputStreamReader(
            DerTest.class.getResourceAsStream("/key_encoding.json"), StandardCharsets.US_ASCII)) {
      table = new Gson().fromJson(text, JsonObject.class);
    }
    Map<String, byte[]> parts = parts(kem);
    for (JsonElement row : table.getAsJsonArray(kind)) {
      JsonObject one = row.getAsJsonObject();
      if (one.has("only") && !one.getAsJsonArray("only").contains(new JsonPrimitive(name))) {
        continue;
      }
      String what = one.get("what").getAsString();
      byte[] der = made(List.of(one.get("key").getAsString().split(" ")).iterator(), parts);
      String error = readError(name, kind, der);
      assertEquals(one.get("good").getAsBoolean(), error == null, what + ": " + error);
      if (one.has("says")) {
        assertTrue(error.contains(one.get("says").getAsString()), what + ": " + error);
      }
    }
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
