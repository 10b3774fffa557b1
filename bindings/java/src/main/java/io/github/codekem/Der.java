// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;

/**
 * Keys in DER: SubjectPublicKeyInfo, and PrivateKeyInfo whose content is a seed, a secret key, or
 * both, as the provider for OpenSSL and the command write them.
 *
 * <pre>
 * CodekemPrivateKey ::= CHOICE {
 *     seed        [0] IMPLICIT OCTET STRING,
 *     secretKey   OCTET STRING,
 *     both        SEQUENCE { seed OCTET STRING, secretKey OCTET STRING }
 * }
 * </pre>
 */
final class Der {
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int SEQUENCE = 0x30;
  private static final int SEED = 0x80;
  private static final int ATTRIBUTES = 0xA0;
  private static final int PUBLIC_KEY = 0x81; // since version 1 of PrivateKeyInfo
  private static final int MAX_OID_BYTES = 128;

  private Der() {}

  /** A private key as found: seed or secret key may be null, not both; the public key may be. */
  record PrivateParts(String oid, byte[] seed, byte[] secretKey, byte[] publicKey) {
    void wipe() {
      Der.wipe(seed);
      Der.wipe(secretKey);
    }
  }

  /** A public key as found. */
  record PublicParts(String oid, byte[] publicKey) {}

  static void wipe(byte[] data) {
    if (data != null) {
      Arrays.fill(data, (byte) 0);
    }
  }

  // --- Writing -----------------------------------------------------------------------------------

  static byte[] writePublic(String oid, byte[] publicKey) {
    return element(SEQUENCE, algorithm(oid), element(BIT_STRING, new byte[1], publicKey));
  }

  /** Returns the key with its seed, its secret key, or both; one may be null. */
  static byte[] writePrivate(String oid, byte[] seed, byte[] secretKey) {
    byte[] secret = secretKey == null ? null : element(OCTET_STRING, secretKey);
    byte[] content;
    if (seed == null) {
      content = secret.clone();
    } else if (secret == null) {
      content = element(SEED, seed);
    } else {
      byte[] first = element(OCTET_STRING, seed);
      content = element(SEQUENCE, first, secret);
      wipe(first);
    }
    byte[] octets = element(OCTET_STRING, content);
    byte[] whole = element(SEQUENCE, element(INTEGER, new byte[1]), algorithm(oid), octets);
    wipe(secret);
    wipe(content);
    wipe(octets);
    return whole;
  }

  private static byte[] algorithm(String oid) {
    return element(SEQUENCE, element(OBJECT_IDENTIFIER, encodeOid(oid)));
  }

  private static byte[] element(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    byte[] announced = encodeLength(length);
    byte[] out = new byte[1 + announced.length + length];
    out[0] = (byte) tag;
    System.arraycopy(announced, 0, out, 1, announced.length);
    int end = 1 + announced.length;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, out, end, part.length);
      end += part.length;
    }
    return out;
  }

  private static byte[] encodeLength(int length) {
    if (length < 0x80) {
      return new byte[] {(byte) length};
    }
    int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
    byte[] out = new byte[1 + bytes];
    out[0] = (byte) (0x80 | bytes);
    for (int i = 1; i <= bytes; i++) {
      out[i] = (byte) (length >>> (8 * (bytes - i)));
    }
    return out;
  }

  private static byte[] encodeOid(String oid) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String[] arcs = oid.split("\\.");
    put(out, new BigInteger(arcs[0]).multiply(BigInteger.valueOf(40)).add(new BigInteger(arcs[1])));
    for (int i = 2; i < arcs.length; i++) {
      put(out, new BigInteger(arcs[i]));
    }
    return out.toByteArray();
  }

  /** Writes a number in groups of 7 bits. */
  private static void put(ByteArrayOutputStream out, BigInteger number) {
    int groups = Math.max(1, (number.bitLength() + 6) / 7);
    for (int i = groups - 1; i >= 0; i--) {
      out.write(number.shiftRight(7 * i).intValue() & 0x7F | (i > 0 ? 0x80 : 0));
    }
  }

  // --- Reading -----------------------------------------------------------------------------------

  static PublicParts readPublic(byte[] der) throws InvalidKeySpecException {
    Reader info = new Reader(der).whole();
    String oid = info.algorithm();
    byte[] publicKey = bits(info.take(BIT_STRING));
    info.end();
    return new PublicParts(oid, publicKey);
  }

  /** Returns the content of a bit string of whole bytes. */
  private static byte[] bits(Reader bits) throws InvalidKeySpecException {
    if (bits == null || bits.length() < 1 || bits.data[bits.start] != 0) {
      throw new InvalidKeySpecException("the key has no bit string, of whole bytes, with the key");
    }
    return Arrays.copyOfRange(bits.data, bits.start + 1, bits.end);
  }

  /** Takes off the version, 0 or 1; the latter may have a public key. */
  private static int takeVersion(Reader info) throws InvalidKeySpecException {
    Reader version = info.take(INTEGER);
    if (version == null || version.length() == 0) {
      throw new InvalidKeySpecException(
          "the private key does not begin with the version of a PrivateKeyInfo");
    }
    int number = version.data[version.start];
    if (version.length() > 1 || number < 0 || number > 1) {
      throw new InvalidKeySpecException(
          "the private key is of a later version than 0 and 1, the only ones known");
    }
    return number;
  }

  /** Takes off the public key behind a private one; returns null if there is none. */
  private static byte[] takePublicKey(Reader info, int version) throws InvalidKeySpecException {
    Reader bits = info.take(PUBLIC_KEY);
    if (bits == null) {
      return null;
    }
    if (version == 0) {
      throw new InvalidKeySpecException(
          "the private key has a public key, which its version 0 does not allow");
    }
    return bits(bits);
  }

  static PrivateParts readPrivate(byte[] der) throws InvalidKeySpecException {
    Reader info = new Reader(der).whole();
    int version = takeVersion(info);
    String oid = info.algorithm();
    Reader content = info.take(OCTET_STRING);
    if (content == null) {
      throw new InvalidKeySpecException("the key has no octet string with the private key");
    }
    info.take(ATTRIBUTES);
    byte[] publicKey = takePublicKey(info, version);
    info.end();
    Reader both = content.take(SEQUENCE);
    Reader seed;
    Reader secretKey;
    boolean good;
    if (both != null) {
      seed = both.take(OCTET_STRING);
      secretKey = both.take(OCTET_STRING);
      good = seed != null && secretKey != null && both.length() == 0;
    } else {
      secretKey = content.take(OCTET_STRING);
      seed = secretKey == null ? content.take(SEED) : null;
      good = secretKey != null || seed != null;
    }
    if (!good || content.length() != 0) {
      throw new InvalidKeySpecException(
          "the private key is neither a seed, nor a secret key, nor both");
    }
    return new PrivateParts(
        oid,
        seed == null ? null : seed.bytes(),
        secretKey == null ? null : secretKey.bytes(),
        publicKey);
  }

  /** A range of bytes, from whose front elements are taken. */
  private static final class Reader {
    final byte[] data;
    int start;
    final int end;

    Reader(byte[] data) {
      this(data, 0, data.length);
    }

    Reader(byte[] data, int start, int end) {
      this.data = data;
      this.start = start;
      this.end = end;
    }

    int length() {
      return end - start;
    }

    byte[] bytes() {
      return Arrays.copyOfRange(data, start, end);
    }

    /** Takes the content of the element with a tag off; returns null if another is there. */
    Reader take(int tag) {
      if (length() < 2 || (data[start] & 0xFF) != tag) {
        return null;
      }
      int at = start + 2;
      long announced = data[start + 1] & 0xFF;
      if (announced >= 0x80) {
        int bytes = (int) announced - 0x80;
        if (bytes < 1 || bytes > 4 || bytes > end - at) {
          return null;
        }
        announced = 0;
        for (int i = 0; i < bytes; i++) {
          announced = announced << 8 | (data[at++] & 0xFF);
        }
        // DER has one form for each length, the shortest.
        if (announced < 0x80 || announced >>> (8 * (bytes - 1)) == 0) {
          return null;
        }
      }
      if (announced > end - at) {
        return null;
      }
      start = at + (int) announced;
      return new Reader(data, at, start);
    }

    /** Takes off the sequence that must be all there is. */
    Reader whole() throws InvalidKeySpecException {
      Reader info = take(SEQUENCE);
      if (info == null) {
        throw new InvalidKeySpecException("the content is not a key in DER, or it is cut off");
      }
      end();
      return info;
    }

    /** Throws unless everything has been taken. */
    void end() throws InvalidKeySpecException {
      if (length() != 0) {
        throw new InvalidKeySpecException("the key has something behind its end");
      }
    }

    /** Takes off the AlgorithmIdentifier, which must have no parameters. */
    String algorithm() throws InvalidKeySpecException {
      Reader identifier = take(SEQUENCE);
      Reader oid = identifier == null ? null : identifier.take(OBJECT_IDENTIFIER);
      if (oid == null || oid.length() > MAX_OID_BYTES || !oid.isIdentifier()) {
        throw new InvalidKeySpecException("the key has no object identifier that can be read");
      }
      if (identifier.length() != 0) {
        throw new InvalidKeySpecException(
            "the key has parameters beside its object identifier, and none belong there");
      }
      return oid.identifier();
    }

    /** Tells whether numbers of an object identifier are here, none cut off or too long. */
    private boolean isIdentifier() {
      boolean ended = true;
      for (int i = start; i < end; i++) {
        if (ended && (data[i] & 0xFF) == 0x80) {
          return false;
        }
        ended = data[i] >= 0;
      }
      return ended && length() > 0;
    }

    /** Returns the object identifier in numbers. */
    private String identifier() {
      StringBuilder text = new StringBuilder();
      BigInteger arc = BigInteger.ZERO;
      for (int i = start; i < end; i++) {
        arc = arc.shiftLeft(7).or(BigInteger.valueOf(data[i] & 0x7F));
        if (data[i] >= 0) {
          if (text.isEmpty()) { // the first two arcs are in one number
            BigInteger first = arc.divide(BigInteger.valueOf(40)).min(BigInteger.TWO);
            text.append(first);
            arc = arc.subtract(first.multiply(BigInteger.valueOf(40)));
          }
          text.append('.').append(arc);
          arc = BigInteger.ZERO;
        }
      }
      return text.toString();
    }
  }
}
