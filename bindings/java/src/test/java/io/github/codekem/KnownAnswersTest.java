// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The library's known answers: keys and ciphertexts from seeds, and altered inputs. */
class KnownAnswersTest {
  static Stream<Kem> kems() {
    return Kem.ALL.stream();
  }

  static JsonObject answers() throws Exception {
    try (Reader text =
        new InputStreamReader(
            KnownAnswersTest.class.getResourceAsStream("/answers.json"),
            StandardCharsets.US_ASCII)) {
      return new Gson().fromJson(text, JsonObject.class);
    }
  }

  private static byte[] bytes(JsonObject record, String name) {
    return HexFormat.of().parseHex(record.get(name).getAsString());
  }

  private static String digest(byte[] data) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
  }

  /** Applies runs of changes to a value, or to zeros. */
  private static byte[] changed(JsonObject change, List<byte[]> bases, int length) {
    JsonElement of = change.get("of");
    byte[] out = of.isJsonNull() ? new byte[length] : bases.get(of.getAsInt()).clone();
    for (JsonElement run : change.getAsJsonArray("xor")) {
      JsonArray numbers = run.getAsJsonArray();
      int first = numbers.get(0).getAsInt();
      for (int i = first; i < first + numbers.get(1).getAsInt(); i++) {
        out[i] ^= (byte) numbers.get(2).getAsInt();
      }
    }
    return out;
  }

  @Test
  void versionIsThatOfTheLibrary() throws Exception {
    assertEquals(answers().get("version").getAsString(), CodekemProvider.libraryVersion());
    assertEquals(CodekemProvider.VERSION, CodekemProvider.libraryVersion());
    assertEquals(6, answers().getAsJsonObject("kems").size());
    System.out.println("back end " + CodekemProvider.backend());
  }

  @ParameterizedTest
  @MethodSource("kems")
  void answersHold(Kem kem) throws Exception {
    JsonObject known = answers().getAsJsonObject("kems").getAsJsonObject(kem.name);
    assertEquals(known.get("public_key_bytes").getAsInt(), kem.publicKeyBytes());
    assertEquals(known.get("secret_key_bytes").getAsInt(), kem.secretKeyBytes());
    assertEquals(known.get("ciphertext_bytes").getAsInt(), kem.ciphertextBytes());
    assertEquals(known.get("shared_secret_bytes").getAsInt(), kem.sharedSecretBytes());
    List<byte[]> secretKeys = new ArrayList<>();
    List<byte[]> ciphertexts = new ArrayList<>();
    for (JsonElement element : known.getAsJsonArray("records")) {
      JsonObject record = element.getAsJsonObject();
      CodekemPrivateKey key = new CodekemPrivateKey(kem, bytes(record, "keypair_seed"), null);
      byte[] publicKey = key.getPublicKey().getRaw();
      byte[] shared = new byte[kem.sharedSecretBytes()];
      byte[] seed = bytes(record, "encaps_seed");
      byte[] ciphertext = kem.encaps(shared, publicKey, seed, byte[]::clone);
      assertEquals(record.get("public_key_sha256").getAsString(), digest(publicKey));
      assertEquals(record.get("secret_key_sha256").getAsString(), digest(key.getRaw()));
      assertEquals(record.get("ciphertext_sha256").getAsString(), digest(ciphertext));
      assertArrayEquals(bytes(record, "shared_secret"), shared);
      assertArrayEquals(shared, key.decapsulate(ciphertext));
      assertArrayEquals(bytes(record, "keypair_seed"), key.getSeed());
      secretKeys.add(key.getRaw());
      ciphertexts.add(ciphertext);
    }
    assertEquals(5, secretKeys.size());
    JsonArray rejections = known.getAsJsonArray("rejections");
    assertTrue(rejections.size() >= 12);
    for (JsonElement element : rejections) {
      JsonObject rejection = element.getAsJsonObject();
      byte[] ciphertext =
          changed(rejection.getAsJsonObject("ciphertext"), ciphertexts, kem.ciphertextBytes());
      byte[] secretKey =
          changed(rejection.getAsJsonObject("secret_key"), secretKeys, kem.secretKeyBytes());
      byte[] shared = new byte[kem.sharedSecretBytes()];
      // Below the checks of keys: some of these would not pass.
      Memory secret = new Memory(secretKey.length);
      secret.bytes.put(0, secretKey);
      kem.decaps(shared, ciphertext, secret.address);
      Reference.reachabilityFence(secret);
      assertArrayEquals(
          bytes(rejection, "shared_secret"), shared, rejection.get("what").getAsString());
    }
    assertTrue(kem.isIdleMemoryWiped());
  }
}
