// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactorySpi;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;

/** Reads and writes keys of one KEM, and checks what it reads. */
final class CodekemKeyFactory extends KeyFactorySpi {
  private final Kem kem;

  CodekemKeyFactory(Kem kem) {
    this.kem = kem;
  }

  @Override
  protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
    byte[] bytes;
    if (spec instanceof X509EncodedKeySpec encoded) {
      Der.PublicParts parts = Der.readPublic(encoded.getEncoded());
      checkOid(parts.oid());
      bytes = parts.publicKey();
    } else if (spec instanceof RawKeySpec raw) {
      bytes = raw.getBytes();
    } else {
      throw new InvalidKeySpecException(
          "public keys are read from X509EncodedKeySpec and RawKeySpec");
    }
    if (bytes.length != kem.publicKeyBytes()) {
      throw new InvalidKeySpecException(
          "a public key of %s has %d bytes, not %d"
              .formatted(kem.name, kem.publicKeyBytes(), bytes.length));
    }
    if (!kem.isGoodPublicKey(bytes)) {
      throw new InvalidKeySpecException("the public key is malformed");
    }
    return new CodekemPublicKey(kem, bytes);
  }

  @Override
  protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
    if (spec instanceof PKCS8EncodedKeySpec encoded) {
      byte[] der = encoded.getEncoded();
      Der.PrivateParts parts = null;
      try {
        parts = Der.readPrivate(der);
        checkOid(parts.oid());
        CodekemPrivateKey key = new CodekemPrivateKey(kem, parts.seed(), parts.secretKey());
        byte[] publicKey = parts.publicKey();
        if (publicKey != null && !Arrays.equals(publicKey, key.getPublicKey().bytes)) {
          key.destroy();
          throw new InvalidKeySpecException("public and secret key do not belong together");
        }
        return key;
      } finally {
        Der.wipe(der);
        if (parts != null) {
          parts.wipe();
        }
      }
    }
    if (spec instanceof RawKeySpec raw) {
      byte[] bytes = raw.getBytes();
      try {
        return bytes.length == kem.keypairSeedBytes()
            ? new CodekemPrivateKey(kem, bytes, null)
            : new CodekemPrivateKey(kem, null, bytes);
      } finally {
        Der.wipe(bytes);
      }
    }
    throw new InvalidKeySpecException(
        "private keys are read from PKCS8EncodedKeySpec and RawKeySpec");
  }

  private void checkOid(String oid) throws InvalidKeySpecException {
    if (kem.hasOid(oid)) {
      return;
    }
    for (Kem other : Kem.ALL) {
      if (other.hasOid(oid)) {
        throw new InvalidKeySpecException(
            "this is a key of %s, not of %s".formatted(other.name, kem.name));
      }
    }
    throw new InvalidKeySpecException(
        "this is not a key of %s; it names another algorithm, by the object identifier %s"
            .formatted(kem.name, oid.length() <= 80 ? oid : oid.substring(0, 80) + "..."));
  }

  @Override
  protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> type)
      throws InvalidKeySpecException {
    try {
      if (engineTranslateKey(key) instanceof CodekemPublicKey publicKey) {
        if (type.isAssignableFrom(X509EncodedKeySpec.class)) {
          return type.cast(new X509EncodedKeySpec(publicKey.getEncoded()));
        }
        if (type.isAssignableFrom(RawKeySpec.class)) {
          return type.cast(new RawKeySpec(publicKey.bytes));
        }
      } else if (engineTranslateKey(key) instanceof CodekemPrivateKey privateKey) {
        privateKey.checkAlive();
        if (type.isAssignableFrom(PKCS8EncodedKeySpec.class)) {
          byte[] encoded = privateKey.getEncoded();
          if (encoded == null) {
            throw new InvalidKeySpecException("the key has been destroyed");
          }
          return type.cast(new PKCS8EncodedKeySpec(encoded));
        }
        if (type.isAssignableFrom(RawKeySpec.class)) {
          return type.cast(new RawKeySpec(privateKey.getRaw()));
        }
      }
    } catch (InvalidKeyException | IllegalStateException e) { // the key has been destroyed
      throw new InvalidKeySpecException(e.getMessage(), e);
    }
    throw new InvalidKeySpecException("no such key specification: " + type.getName());
  }

  /** Takes keys of this provider as they are, and others by their encoding. */
  @Override
  protected Key engineTranslateKey(Key key) throws InvalidKeyException {
    if (key == null) {
      throw new InvalidKeyException("the key is null");
    }
    if (key instanceof CodekemPublicKey own && own.kem == kem) {
      return own;
    }
    if (key instanceof CodekemPrivateKey own && own.kem == kem) {
      own.checkAlive();
      return own;
    }
    byte[] encoded = key.getEncoded();
    try {
      if (key instanceof PublicKey && "X.509".equals(key.getFormat()) && encoded != null) {
        return engineGeneratePublic(new X509EncodedKeySpec(encoded));
      }
      if (key instanceof PrivateKey && "PKCS#8".equals(key.getFormat()) && encoded != null) {
        return engineGeneratePrivate(new PKCS8EncodedKeySpec(encoded));
      }
    } catch (InvalidKeySpecException e) {
      throw new InvalidKeyException(e.getMessage(), e);
    } finally {
      if (key instanceof PrivateKey) {
        Der.wipe(encoded);
      }
    }
    throw new InvalidKeyException("this is not a key of " + kem.name + " that can be read");
  }
}
