// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keys in PEM, of any KEM: the text around their encodings in DER. A text may have other lines
 * before and behind the key.
 */
public final class CodekemPem {
  private static final String PUBLIC = "PUBLIC KEY";
  private static final String PRIVATE = "PRIVATE KEY";
  private static final int LINE = 64;
  private static final Pattern PEM =
      Pattern.compile(
          "^-----BEGIN ([^\\n-]*)-----[ \\t]*\\r?\\n([^-]*)^-----END \\1-----[ \\t]*\\r?$",
          Pattern.MULTILINE);

  private CodekemPem() {}

  /** Returns a public key in PEM. */
  public static String write(CodekemPublicKey key) {
    return write(PUBLIC, key.getEncoded());
  }

  /**
   * Returns a private key in PEM, as its seed or, if that is not known, its secret key.
   *
   * @throws IllegalStateException if the key has been destroyed
   */
  public static String write(CodekemPrivateKey key) {
    return writePrivate(key.getEncoded());
  }

  /**
   * Returns a private key in PEM, in a form.
   *
   * @throws IllegalStateException if the key has been destroyed, or the form has the seed, and it
   *     is not known
   */
  public static String write(CodekemPrivateKey key, CodekemPrivateKey.Form form) {
    return writePrivate(key.getEncoded(form));
  }

  private static String writePrivate(byte[] der) {
    if (der == null) {
      throw new IllegalStateException("the key has been destroyed");
    }
    try {
      return write(PRIVATE, der);
    } finally {
      Der.wipe(der);
    }
  }

  private static String write(String label, byte[] der) {
    String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, body);
  }

  /**
   * Reads the public key that is first in a text.
   *
   * @throws InvalidKeySpecException if it is malformed, or of an algorithm that is not here
   */
  public static CodekemPublicKey readPublic(String text) throws InvalidKeySpecException {
    byte[] der = read(PUBLIC, text);
    PublicKey key =
        new CodekemKeyFactory(kemOf(Der.readPublic(der).oid()))
            .engineGeneratePublic(new X509EncodedKeySpec(der));
    return (CodekemPublicKey) key;
  }

  /**
   * Reads the private key that is first in a text, in any form. It must not be encrypted.
   *
   * @throws InvalidKeySpecException if it is malformed, or of an algorithm that is not here
   */
  public static CodekemPrivateKey readPrivate(String text) throws InvalidKeySpecException {
    byte[] der = read(PRIVATE, text);
    try {
      Der.PrivateParts parts = Der.readPrivate(der);
      parts.wipe();
      PrivateKey key =
          new CodekemKeyFactory(kemOf(parts.oid()))
              .engineGeneratePrivate(new PKCS8EncodedKeySpec(der));
      return (CodekemPrivateKey) key;
    } finally {
      Der.wipe(der);
    }
  }

  private static Kem kemOf(String oid) throws InvalidKeySpecException {
    for (Kem kem : Kem.ALL) {
      if (kem.hasOid(oid)) {
        return kem;
      }
    }
    throw new InvalidKeySpecException(
        "this is a key of another algorithm, with the object identifier "
            + oid.substring(0, Math.min(oid.length(), 100)));
  }

  /** Returns the DER in a text. */
  private static byte[] read(String label, String text) throws InvalidKeySpecException {
    Matcher found = PEM.matcher(text);
    if (!found.find()) {
      throw new InvalidKeySpecException("this is not in PEM, or it is cut off");
    }
    String kind = found.group(1);
    if (kind.equals("ENCRYPTED PRIVATE KEY")) {
      throw new InvalidKeySpecException(
          "the key is encrypted: javax.crypto.EncryptedPrivateKeyInfo decrypts it");
    }
    if (!kind.equals(label)) {
      throw new InvalidKeySpecException(
          "this is a %.40s, where a %s belongs".formatted(kind, label));
    }
    byte[] body = found.group(2).replaceAll("\\s", "").getBytes(StandardCharsets.ISO_8859_1);
    try {
      return Base64.getDecoder().decode(body);
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException(
          "the text between the first and the last line is not base64");
    } finally {
      Arrays.fill(body, (byte) 0);
    }
  }
}
