// SPDX-License-Identifier: Apache-2.0 OR MIT

import io.github.codekem.CodekemProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Security;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.crypto.KEM;

/**
 * Steps of an exchange with files, as the command codekem does it with --format pem: keys in PEM,
 * ciphertexts and secrets as bytes.
 *
 * <pre>
 * Exchange KEM keygen PUBLIC SECRET
 * Exchange KEM encaps PUBLIC CIPHERTEXT SHARED
 * Exchange KEM decaps SECRET CIPHERTEXT SHARED
 * </pre>
 */
class Exchange {
  public static void main(String[] arguments) throws Exception {
    Security.addProvider(new CodekemProvider());
    String name = arguments[0];
    KeyFactory factory = KeyFactory.getInstance(name, "Codekem");
    KEM kem = KEM.getInstance(name, "Codekem");
    Path first = Path.of(arguments[2]);
    Path second = Path.of(arguments[3]);
    switch (arguments[1]) {
      case "keygen" -> {
        KeyPair pair = KeyPairGenerator.getInstance(name, "Codekem").generateKeyPair();
        write(first, "PUBLIC KEY", pair.getPublic().getEncoded());
        write(second, "PRIVATE KEY", pair.getPrivate().getEncoded());
      }
      case "encaps" -> {
        KEM.Encapsulated sent =
            kem.newEncapsulator(factory.generatePublic(new X509EncodedKeySpec(read(first))))
                .encapsulate();
        Files.write(second, sent.encapsulation());
        Files.write(Path.of(arguments[4]), sent.key().getEncoded());
      }
      default -> {
        byte[] shared =
            kem.newDecapsulator(factory.generatePrivate(new PKCS8EncodedKeySpec(read(first))))
                .decapsulate(Files.readAllBytes(second))
                .getEncoded();
        Files.write(Path.of(arguments[4]), shared);
      }
    }
    System.out.println(CodekemProvider.backend());
  }

  private static void write(Path path, String label, byte[] der) throws Exception {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        path, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, body));
  }

  private static byte[] read(Path path) throws Exception {
    String text = Files.readString(path, StandardCharsets.US_ASCII);
    return Base64.getMimeDecoder().decode(text.replaceAll("-----[A-Z ]*-----", ""));
  }
}
