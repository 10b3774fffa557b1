// SPDX-License-Identifier: Apache-2.0 OR MIT

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.pqc.crypto.hqc.HQCKEMExtractor;
import org.bouncycastle.pqc.crypto.hqc.HQCKEMGenerator;
import org.bouncycastle.pqc.crypto.hqc.HQCKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.hqc.HQCKeyPairGenerator;
import org.bouncycastle.pqc.crypto.hqc.HQCParameters;
import org.bouncycastle.pqc.crypto.hqc.HQCPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.hqc.HQCPublicKeyParameters;

/**
 * Answers the lines of run.py by Bouncy Castle's HQC, which is that of the tag v5.0.0: {@code
 * run.py --program 'java -cp bcprov.jar BouncyCastle.java' FILE}.
 */
class BouncyCastle {
  private static final HexFormat HEX = HexFormat.of();
  private static final Map<String, HQCParameters> SETS =
      Map.of(
          "HQC-1-v5.0.0", HQCParameters.hqc128,
          "HQC-3-v5.0.0", HQCParameters.hqc192,
          "HQC-5-v5.0.0", HQCParameters.hqc256);

  /** Gives bytes in the order in which they are asked for. */
  private static final class Given extends SecureRandom {
    private static final long serialVersionUID = 1;
    private final byte[] given;
    private int position;

    Given(byte[] given) {
      this.given = given;
    }

    @Override
    public void nextBytes(byte[] out) {
      System.arraycopy(given, position, out, 0, out.length);
      position += out.length;
    }
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String said;
      try {
        said = answer(line.split(" "));
      } catch (RuntimeException e) {
        said = "refused " + e;
      }
      System.out.println(said);
    }
  }

  private static byte[] bytes(String text) {
    return HEX.parseHex(text.equals("-") ? "" : text);
  }

  private static String answer(String[] words) {
    HQCParameters set = SETS.get(words[1]);
    if (set == null) {
      return "inexpressible";
    }
    byte[] first = bytes(words[2]);
    switch (words[0]) {
      case "keygen" -> {
        HQCKeyPairGenerator generator = new HQCKeyPairGenerator();
        generator.init(new HQCKeyGenerationParameters(new Given(first), set));
        AsymmetricCipherKeyPair pair = generator.generateKeyPair();
        return HEX.formatHex(((HQCPublicKeyParameters) pair.getPublic()).getEncoded())
            + " "
            + HEX.formatHex(((HQCPrivateKeyParameters) pair.getPrivate()).getEncoded());
      }
      case "encaps" -> {
        Given given = new Given(bytes(words[3]));
        SecretWithEncapsulation made =
            new HQCKEMGenerator(given).generateEncapsulated(new HQCPublicKeyParameters(set, first));
        if (given.position != given.given.length) {
          return "inexpressible";
        }
        return HEX.formatHex(made.getEncapsulation()) + " " + HEX.formatHex(made.getSecret());
      }
      default -> {
        return HEX.formatHex(
            new HQCKEMExtractor(new HQCPrivateKeyParameters(set, first))
                .extractSecret(bytes(words[3])));
      }
    }
  }
}
