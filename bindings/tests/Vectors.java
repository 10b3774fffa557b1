// SPDX-License-Identifier: Apache-2.0 OR MIT

import io.github.codekem.CodekemPrivateKey;
import io.github.codekem.CodekemProvider;
import io.github.codekem.RawKeySpec;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.Security;
import java.util.HexFormat;
import javax.crypto.KEM;

/** Answers the lines of tests/wycheproof/run.py, which has them. */
class Vectors {
  private static final HexFormat HEX = HexFormat.of();

  /** Gives bytes that are asked for once, all of them. */
  private static final class Given extends SecureRandom {
    private static final long serialVersionUID = 1;
    private final byte[] given;

    Given(byte[] given) {
      this.given = given;
    }

    @Override
    public void nextBytes(byte[] out) {
      if (out.length != given.length) {
        throw new IllegalArgumentException("asked for " + out.length + " bytes");
      }
      System.arraycopy(given, 0, out, 0, out.length);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Security.addProvider(new CodekemProvider());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String said;
      try {
        said = answer(line.split(" "));
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        said = "refused " + e.getMessage();
      }
      System.out.println(said);
    }
  }

  private static byte[] bytes(String text) {
    return HEX.parseHex(text.equals("-") ? "" : text);
  }

  private static String answer(String[] words) throws GeneralSecurityException {
    KeyFactory factory = KeyFactory.getInstance(words[1], "Codekem");
    KEM kem = KEM.getInstance(words[1], "Codekem");
    RawKeySpec first = new RawKeySpec(bytes(words[2]));
    switch (words[0]) {
      case "keygen" -> {
        CodekemPrivateKey key = (CodekemPrivateKey) factory.generatePrivate(first);
        RawKeySpec made = factory.getKeySpec(key.getPublicKey(), RawKeySpec.class);
        return HEX.formatHex(made.getBytes()) + " " + HEX.formatHex(key.getRaw());
      }
      case "encaps" -> {
        KEM.Encapsulated sent =
            kem.newEncapsulator(factory.generatePublic(first), new Given(bytes(words[3])))
                .encapsulate();
        return HEX.formatHex(sent.encapsulation()) + " " + HEX.formatHex(sent.key().getEncoded());
      }
      default -> {
        if (first.getBytes().length == 32) { // which means a seed in Java, and not in a vector
          throw new IllegalArgumentException("a seed in place of a secret key");
        }
        return HEX.formatHex(
            kem.newDecapsulator(factory.generatePrivate(first))
                .decapsulate(bytes(words[3]))
                .getEncoded());
      }
    }
  }
}
