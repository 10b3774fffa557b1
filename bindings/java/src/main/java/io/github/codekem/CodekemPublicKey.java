// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.io.Serial;
import java.security.KeyRep;
import java.security.PublicKey;
import java.util.Arrays;

/** A public key of one KEM. It is encoded as a SubjectPublicKeyInfo ("X.509"). */
public final class CodekemPublicKey implements PublicKey {
  @Serial private static final long serialVersionUID = 1L;

  final transient Kem kem;
  final transient byte[] bytes;

  /** Takes over bytes, which have the right length. */
  CodekemPublicKey(Kem kem, byte[] bytes) {
    this.kem = kem;
    this.bytes = bytes;
  }

  /** Returns the name of the KEM, such as "HQC-1". */
  @Override
  public String getAlgorithm() {
    return kem.name;
  }

  @Override
  public String getFormat() {
    return "X.509";
  }

  @Override
  public byte[] getEncoded() {
    return Der.writePublic(kem.oid, bytes);
  }

  /** Returns the key as the specification of the KEM encodes it. */
  public byte[] getRaw() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CodekemPublicKey key
        && kem == key.kem
        && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "public key of " + kem.name;
  }

  @Serial
  private Object writeReplace() throws ObjectStreamException {
    return new KeyRep(KeyRep.Type.PUBLIC, getAlgorithm(), getFormat(), getEncoded());
  }

  @Serial
  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw new InvalidObjectException("keys are written as KeyRep, which reads them again");
  }
}
