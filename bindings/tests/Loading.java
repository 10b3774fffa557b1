// SPDX-License-Identifier: Apache-2.0 OR MIT

import io.github.codekem.CodekemProvider;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.Security;

/** Makes a key several times and prints what is thrown each time, a line for each. */
class Loading {
  public static void main(String[] arguments) {
    Security.addProvider(new CodekemProvider());
    for (int i = 0; i < 3; i++) {
      try {
        KeyPairGenerator.getInstance("HQC-1", "Codekem").generateKeyPair();
        KeyFactory.getInstance("HQC-1", "Codekem");
        System.out.println("loaded");
      } catch (Throwable e) {
        System.out.println(e.toString().replace('\n', ' '));
      }
    }
  }
}
