// SPDX-License-Identifier: Apache-2.0 OR MIT

import io.github.codekem.CodekemProvider;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.KEM;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.AsymmetricCipherKeyPairGenerator;
import org.bouncycastle.crypto.EncapsulatedSecretExtractor;
import org.bouncycastle.crypto.EncapsulatedSecretGenerator;
import org.bouncycastle.pqc.crypto.hqc.HQCKEMExtractor;
import org.bouncycastle.pqc.crypto.hqc.HQCKEMGenerator;
import org.bouncycastle.pqc.crypto.hqc.HQCKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.hqc.HQCKeyPairGenerator;
import org.bouncycastle.pqc.crypto.hqc.HQCParameters;
import org.bouncycastle.pqc.crypto.hqc.HQCPrivateKeyParameters;
import org.bouncycastle.pqc.legacy.bike.BIKEKEMExtractor;
import org.bouncycastle.pqc.legacy.bike.BIKEKEMGenerator;
import org.bouncycastle.pqc.legacy.bike.BIKEKeyGenerationParameters;
import org.bouncycastle.pqc.legacy.bike.BIKEKeyPairGenerator;
import org.bouncycastle.pqc.legacy.bike.BIKEParameters;
import org.bouncycastle.pqc.legacy.bike.BIKEPrivateKeyParameters;

/**
 * Times KEMs of the provider and of Bouncy Castle on request.
 *
 * <p>Each line of the input is "ours" or "peer", a KEM and a number of repetitions, "ours HQC-1
 * 20". The answer is a line with the smallest time of key generation, encapsulation and
 * decapsulation, in nanoseconds.
 */
class Measure {
  /** Something that may throw. */
  interface Operation {
    Object run() throws Exception;
  }

  private static final SecureRandom RANDOM = new SecureRandom();

  private static Operation[] ours(String name) throws Exception {
    CodekemProvider provider = new CodekemProvider();
    KeyPairGenerator generator = KeyPairGenerator.getInstance(name, provider);
    KeyPair pair = generator.generateKeyPair();
    KEM kem = KEM.getInstance(name, provider);
    KEM.Encapsulator sender = kem.newEncapsulator(pair.getPublic());
    KEM.Decapsulator receiver = kem.newDecapsulator(pair.getPrivate());
    byte[] ciphertext = sender.encapsulate().encapsulation();
    return new Operation[] {
      generator::generateKeyPair, sender::encapsulate, () -> receiver.decapsulate(ciphertext)
    };
  }

  private static Operation[] peer(String name) {
    AsymmetricCipherKeyPairGenerator generator;
    EncapsulatedSecretGenerator sender;
    if (name.equals("HQC-1")) {
      generator = new HQCKeyPairGenerator();
      generator.init(new HQCKeyGenerationParameters(RANDOM, HQCParameters.hqc128));
      sender = new HQCKEMGenerator(RANDOM);
    } else {
      generator = new BIKEKeyPairGenerator();
      generator.init(new BIKEKeyGenerationParameters(RANDOM, BIKEParameters.bike128));
      sender = new BIKEKEMGenerator(RANDOM);
    }
    AsymmetricCipherKeyPair pair = generator.generateKeyPair();
    EncapsulatedSecretExtractor receiver =
        name.equals("HQC-1")
            ? new HQCKEMExtractor((HQCPrivateKeyParameters) pair.getPrivate())
            : new BIKEKEMExtractor((BIKEPrivateKeyParameters) pair.getPrivate());
    byte[] ciphertext = sender.generateEncapsulated(pair.getPublic()).getEncapsulation();
    return new Operation[] {
      generator::generateKeyPair,
      () -> sender.generateEncapsulated(pair.getPublic()),
      () -> receiver.extractSecret(ciphertext)
    };
  }

  private static long smallest(int repetitions, Operation operation) throws Exception {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < repetitions; i++) {
      long begin = System.nanoTime();
      operation.run();
      best = Math.min(best, System.nanoTime() - begin);
    }
    return best;
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, Operation[]> found = new HashMap<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      String key = words[0] + words[1];
      if (!found.containsKey(key)) {
        found.put(key, words[0].equals("ours") ? ours(words[1]) : peer(words[1]));
      }
      StringBuilder answer = new StringBuilder();
      for (Operation operation : found.get(key)) {
        answer.append(smallest(Integer.parseInt(words[2]), operation)).append(' ');
      }
      System.out.println(answer.toString().trim());
    }
  }
}
