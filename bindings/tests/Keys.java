// SPDX-License-Identifier: Apache-2.0 OR MIT

import io.github.codekem.CodekemPem;
import io.github.codekem.CodekemPrivateKey;
import io.github.codekem.CodekemProvider;
import io.github.codekem.CodekemPublicKey;
import io.github.codekem.RawKeySpec;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.Security;
import java.security.spec.InvalidKeySpecException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Reads and writes keys for bindings/tests/key_exchange.py, whose head has the lines of standard
 * input and output.
 */
class Keys {
  private static final HexFormat HEX = HexFormat.of();

  public static void main(String[] arguments) throws Exception {
    Security.addProvider(new CodekemProvider());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      try {
        System.out.println(
            words[0].equals("write")
                ? write(words[1], HEX.parseHex(words[2]), words[3])
                : read(words[1], text(words[3])));
      } catch (InvalidKeySpecException e) {
        System.out.println("error " + e.getMessage());
      }
    }
  }

  private static String text(String hex) {
    return new String(HEX.parseHex(hex), StandardCharsets.ISO_8859_1);
  }

  private static String hex(String text) {
    return HEX.formatHex(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String write(String name, byte[] seed, String form) throws Exception {
    CodekemPrivateKey key =
        (CodekemPrivateKey)
            KeyFactory.getInstance(name, "Codekem").generatePrivate(new RawKeySpec(seed));
    String text =
        form.equals("default")
            ? CodekemPem.write(key)
            : CodekemPem.write(key, CodekemPrivateKey.Form.valueOf(form.toUpperCase(Locale.ROOT)));
    return hex(text) + " " + hex(CodekemPem.write(key.getPublicKey()));
  }

  private static String read(String kind, String text) throws InvalidKeySpecException {
    if (kind.equals("public")) {
      CodekemPublicKey key = CodekemPem.readPublic(text);
      return "ok %s %s".formatted(key.getAlgorithm(), HEX.formatHex(key.getRaw()));
    }
    CodekemPrivateKey key = CodekemPem.readPrivate(text);
    byte[] seed = key.getSeed();
    return "ok %s %s %s %s"
        .formatted(
            key.getAlgorithm(),
            HEX.formatHex(key.getPublicKey().getRaw()),
            HEX.formatHex(key.getRaw()),
            seed == null ? "-" : HEX.formatHex(seed));
  }
}
