// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.security.InvalidParameterException;
import java.security.Provider;
import java.util.List;

/**
 * The security provider "Codekem": KeyPairGenerator, KeyFactory and KEM for the parameter sets of
 * BIKE and HQC, by their names.
 *
 * <pre>{@code
 * Security.addProvider(new CodekemProvider());
 * KeyPair pair = KeyPairGenerator.getInstance("HQC-1", "Codekem").generateKeyPair();
 * KEM kem = KEM.getInstance("HQC-1", "Codekem");
 * }</pre>
 */
public final class CodekemProvider extends Provider {
  /** The name of the provider. */
  public static final String NAME = "Codekem";

  /** The version of this package and of the library in it. */
  public static final String VERSION = "0.1.0";

  @java.io.Serial private static final long serialVersionUID = 1L;

  /** Makes the provider. The native library is loaded when it is first used. */
  public CodekemProvider() {
    super(NAME, VERSION, "BIKE and HQC, code-based post-quantum KEMs, by the C library codekem");
    for (Kem kem : Kem.ALL) {
      putService(new KemService(this, "KeyPairGenerator", kem, CodekemKeyPairGenerator.class));
      putService(new KemService(this, "KeyFactory", kem, CodekemKeyFactory.class));
      putService(new KemService(this, "KEM", kem, CodekemKem.class));
    }
  }

  /**
   * Returns the name of the code for this processor that the library has chosen, such as "avx512"
   * or "portable"; null if the environment variable CODEKEM_CPU names one that cannot run here.
   */
  public static String backend() {
    return Kem.backend();
  }

  /** Returns the version of the native library. */
  public static String libraryVersion() {
    return Kem.libraryVersion();
  }

  private static final class KemService extends Service {
    private final Kem kem;

    KemService(Provider provider, String type, Kem kem, Class<?> spi) {
      super(provider, type, kem.name, spi.getName(), List.of(kem.oid, "OID." + kem.oid), null);
      this.kem = kem;
    }

    @Override
    public Object newInstance(Object parameter) {
      if (parameter != null) {
        throw new InvalidParameterException(getType() + " takes no parameter");
      }
      return switch (getType()) {
        case "KeyPairGenerator" -> new CodekemKeyPairGenerator(kem);
        case "KeyFactory" -> new CodekemKeyFactory(kem);
        default -> new CodekemKem(kem);
      };
    }
  }
}
