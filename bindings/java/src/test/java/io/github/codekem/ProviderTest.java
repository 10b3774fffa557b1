// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The provider as programs use it. */
class ProviderTest {
  private static final String PROVIDER = CodekemProvider.NAME;

  @BeforeAll
  static void addProvider() {
    Security.addProvider(new CodekemProvider());
  }

  static Stream<String> names() {
    return Kem.ALL.stream().map(kem -> kem.name);
  }

  private static KeyPair generate(String name) throws Exception {
    return KeyPairGenerator.getInstance(name, PROVIDER).generateKeyPair();
  }

  private static KEM.Encapsulated encapsulate(PublicKey key) throws Exception {
    return KEM.getInstance(key.getAlgorithm(), PROVIDER).newEncapsulator(key).encapsulate();
  }

  @Test
  void serviceLoaderFindsTheProvider() {
    assertTrue(
        ServiceLoader.load(java.security.Provider.class).stream()
            .anyMatch(found -> found.type() == CodekemProvider.class));
  }

  @ParameterizedTest
  @MethodSource("names")
  void bothSidesHaveTheSameSecret(String name) throws Exception {
    KeyPair pair = generate(name);
    KEM kem = KEM.getInstance(name);
    KEM.Encapsulator sender = kem.newEncapsulator(pair.getPublic());
    KEM.Decapsulator receiver = kem.newDecapsulator(pair.getPrivate());
    assertEquals(PROVIDER, sender.providerName());
    assertEquals(32, sender.secretSize());
    assertEquals(32, receiver.secretSize());
    KEM.Encapsulated sent = sender.encapsulate();
    assertEquals(sender.encapsulationSize(), sent.encapsulation().length);
    assertNull(sent.params());
    SecretKey received = receiver.decapsulate(sent.encapsulation());
    assertArrayEquals(sent.key().getEncoded(), received.getEncoded());
    SecretKey part = receiver.decapsulate(sent.encapsulation(), 8, 24, "AES");
    assertEquals("AES", part.getAlgorithm());
    assertArrayEquals(Arrays.copyOfRange(received.getEncoded(), 8, 24), part.getEncoded());
    assertFalse(Arrays.equals(sent.encapsulation(), sender.encapsulate().encapsulation()));
    // Implicit rejection: a strange key gives another secret, and no error.
    SecretKey wrong =
        kem.newDecapsulator(generate(name).getPrivate()).decapsulate(sent.encapsulation());
    assertFalse(Arrays.equals(received.getEncoded(), wrong.getEncoded()));
  }

  /** Calls find the copy of a public key that the call before has left. */
  @ParameterizedTest
  @MethodSource("names")
  void secretsAreForTheKeyOfTheirCall(String name) throws Exception {
    KeyPair[] pairs = {generate(name), generate(name)};
    KEM kem = KEM.getInstance(name, PROVIDER);
    KeyFactory factory = KeyFactory.getInstance(name, PROVIDER);
    RawKeySpec raw = factory.getKeySpec(pairs[1].getPublic(), RawKeySpec.class);
    List<Callable<Object>> between =
        List.of(() -> "nothing", () -> generate(name), () -> factory.generatePublic(raw));
    for (Callable<Object> other : between) {
      for (KeyPair pair : List.of(pairs[0], pairs[0], pairs[1], pairs[0])) {
        KEM.Encapsulated sent = kem.newEncapsulator(pair.getPublic()).encapsulate();
        SecretKey received =
            kem.newDecapsulator(pair.getPrivate()).decapsulate(sent.encapsulation());
        assertEquals(sent.key(), received);
        assertNotNull(other.call());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void keysComeBackFromTheirEncodings(String name) throws Exception {
    KeyPair pair = generate(name);
    KeyFactory factory = KeyFactory.getInstance(name, PROVIDER);
    CodekemPrivateKey key = (CodekemPrivateKey) pair.getPrivate();
    PublicKey publicKey =
        factory.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));
    assertEquals(pair.getPublic(), publicKey);
    assertEquals(pair.getPublic().hashCode(), publicKey.hashCode());
    assertEquals("X.509", publicKey.getFormat());
    CodekemPrivateKey again =
        (CodekemPrivateKey)
            factory.generatePrivate(
                factory.getKeySpec(pair.getPrivate(), PKCS8EncodedKeySpec.class));
    assertEquals(key, again);
    assertArrayEquals(key.getSeed(), again.getSeed());
    assertEquals("PKCS#8", again.getFormat());
    CodekemPrivateKey fromSeed =
        (CodekemPrivateKey) factory.generatePrivate(new RawKeySpec(key.getSeed()));
    assertEquals(key, fromSeed);
    CodekemPrivateKey bare =
        (CodekemPrivateKey) factory.generatePrivate(new RawKeySpec(key.getRaw()));
    assertEquals(key, bare);
    assertEquals(key.getPublicKey(), bare.getPublicKey());
    // HQC's secret keys hold their seed. Without one, and by the object identifier:
    assertArrayEquals(name.startsWith("HQC") ? key.getSeed() : null, bare.getSeed());
    KeyFactory byOid = KeyFactory.getInstance(((CodekemPublicKey) publicKey).kem.oid, PROVIDER);
    assertEquals(key, byOid.generatePrivate(new PKCS8EncodedKeySpec(bare.getEncoded())));
    assertNotEquals(key, generate(name).getPrivate());
    assertEquals(
        publicKey, factory.generatePublic(factory.getKeySpec(pair.getPublic(), RawKeySpec.class)));
    assertSame(key, factory.translateKey(key));
  }

  @ParameterizedTest
  @MethodSource("names")
  void wrongInputIsRefused(String name) throws Exception {
    KeyPair pair = generate(name);
    KEM kem = KEM.getInstance(name, PROVIDER);
    KEM.Decapsulator receiver = kem.newDecapsulator(pair.getPrivate());
    int size = receiver.encapsulationSize();
    for (int length : new int[] {0, 1, size - 1, size + 1}) {
      DecapsulateException e =
          assertThrows(DecapsulateException.class, () -> receiver.decapsulate(new byte[length]));
      assertEquals(
          "a ciphertext of %s has %d bytes, not %d".formatted(name, size, length), e.getMessage());
    }
    assertThrows(NullPointerException.class, () -> receiver.decapsulate(null));
    assertThrows(
        IndexOutOfBoundsException.class, () -> receiver.decapsulate(new byte[size], 0, 33, "AES"));
    KeyPair strange = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    KeyPair other = generate(name.equals("HQC-1") ? "HQC-3" : "HQC-1");
    for (KeyPair wrong : List.of(strange, other)) {
      assertThrows(InvalidKeyException.class, () -> kem.newEncapsulator(wrong.getPublic()));
      assertThrows(InvalidKeyException.class, () -> kem.newDecapsulator(wrong.getPrivate()));
    }
    assertThrows(InvalidKeyException.class, () -> kem.newEncapsulator(null));
    assertThrows(
        InvalidAlgorithmParameterException.class,
        () -> kem.newEncapsulator(pair.getPublic(), NamedParameterSpec.X25519, null));
    KeyPairGenerator generator = KeyPairGenerator.getInstance(name, PROVIDER);
    assertThrows(InvalidParameterException.class, () -> generator.initialize(2048));
    assertThrows(
        InvalidAlgorithmParameterException.class,
        () -> generator.initialize(NamedParameterSpec.X25519));
    generator.initialize(new NamedParameterSpec(name));
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyCiphertextOfTheRightLengthIsTaken(String name) throws Exception {
    KEM.Decapsulator receiver =
        KEM.getInstance(name, PROVIDER).newDecapsulator(generate(name).getPrivate());
    for (byte value : new byte[] {0, 1, (byte) 0x80, (byte) 0xFF}) {
      byte[] ciphertext = new byte[receiver.encapsulationSize()];
      Arrays.fill(ciphertext, value);
      assertEquals(32, receiver.decapsulate(ciphertext).getEncoded().length);
      assertEquals(receiver.decapsulate(ciphertext), receiver.decapsulate(ciphertext));
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void malformedPublicKeysAreRefused(String name) throws Exception {
    KeyFactory factory = KeyFactory.getInstance(name, PROVIDER);
    KEM kem = KEM.getInstance(name, PROVIDER);
    CodekemPublicKey good = (CodekemPublicKey) generate(name).getPublic();
    byte[] bytes = new byte[good.getRaw().length];
    for (byte value : new byte[] {0, (byte) 0xFF}) {
      Arrays.fill(bytes, value);
      byte[] der = Der.writePublic(good.kem.oid, bytes);
      assertThrows(
          InvalidKeySpecException.class, () -> factory.generatePublic(new RawKeySpec(bytes)));
      assertThrows(
          InvalidKeySpecException.class, () -> factory.generatePublic(new X509EncodedKeySpec(der)));
      PublicKey strange =
          new PublicKey() {
            @Override
            public String getAlgorithm() {
              return name;
            }

            @Override
            public String getFormat() {
              return "X.509";
            }

            @Override
            public byte[] getEncoded() {
              return der;
            }
          };
      assertThrows(InvalidKeyException.class, () -> kem.newEncapsulator(strange));
    }
  }

  @Test
  void keysOfOtherAlgorithmsAreNamed() throws Exception {
    KeyFactory factory = KeyFactory.getInstance("HQC-1", PROVIDER);
    KeyPair other = generate("BIKE-L5");
    for (Executable reading :
        List.<Executable>of(
            () -> factory.generatePublic(new X509EncodedKeySpec(other.getPublic().getEncoded())),
            () ->
                factory.generatePrivate(new PKCS8EncodedKeySpec(other.getPrivate().getEncoded())),
            () -> KEM.getInstance("HQC-1", PROVIDER).newEncapsulator(other.getPublic()))) {
      Exception e = assertThrows(Exception.class, reading);
      assertEquals("this is a key of BIKE-L5, not of HQC-1", e.getMessage());
    }
    byte[] strange = Der.writePublic("1.3.101.110", new byte[32]);
    Exception e =
        assertThrows(
            InvalidKeySpecException.class,
            () -> factory.generatePublic(new X509EncodedKeySpec(strange)));
    assertTrue(e.getMessage().startsWith("this is not a key of HQC-1; "), e.getMessage());
  }

  @Test
  void streamsThatNameTheClassesOfKeysAreRefused() throws Exception {
    for (Class<?> type : List.of(CodekemPrivateKey.class, CodekemPublicKey.class)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      DataOutputStream data = new DataOutputStream(out);
      data.writeShort(ObjectStreamConstants.STREAM_MAGIC);
      data.writeShort(ObjectStreamConstants.STREAM_VERSION);
      data.writeByte(ObjectStreamConstants.TC_OBJECT);
      data.writeByte(ObjectStreamConstants.TC_CLASSDESC);
      data.writeUTF(type.getName());
      data.writeLong(ObjectStreamClass.lookup(type).getSerialVersionUID());
      data.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
      data.writeShort(0);
      data.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
      data.writeByte(ObjectStreamConstants.TC_NULL);
      ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()));
      assertThrows(InvalidObjectException.class, in::readObject);
    }
  }

  /** However the threads meet: either it is the key, or there is none. */
  @Test
  void destroyingWhileOthersReadGivesTheKeyOrNothing() throws Exception {
    KeyFactory factory = KeyFactory.getInstance("HQC-1", PROVIDER);
    for (int i = 0; i < 100; i++) {
      CodekemPrivateKey key = (CodekemPrivateKey) generate("HQC-1").getPrivate();
      byte[] encoded = key.getEncoded();
      CodekemPrivateKey same =
          (CodekemPrivateKey) factory.generatePrivate(new PKCS8EncodedKeySpec(encoded));
      Thread destroyer = new Thread(key::destroy);
      destroyer.start();
      byte[] found = key.getEncoded();
      assertTrue(found == null || Arrays.equals(found, encoded));
      key.equals(same);
      same.equals(key);
      destroyer.join();
      assertNull(key.getEncoded());
      assertNotEquals(key, same);
    }
  }

  @Test
  void copiesOfTheLibraryThatAreLeftAreRemoved(@TempDir Path folder) throws Exception {
    FileTime past = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
    Path old = Files.createFile(folder.resolve(NativeLibrary.PREFIX + "1.dll"));
    Path young = Files.createFile(folder.resolve(NativeLibrary.PREFIX + "2.dll"));
    Path strange = Files.createFile(folder.resolve("other.dll"));
    Files.setLastModifiedTime(old, past);
    Files.setLastModifiedTime(strange, past);
    NativeLibrary.removeLeftovers(folder, ".so");
    assertTrue(Files.exists(old));
    NativeLibrary.removeLeftovers(folder, ".dll");
    assertFalse(Files.exists(old));
    assertTrue(Files.exists(young) && Files.exists(strange));
    NativeLibrary.removeLeftovers(folder.resolve("none"), ".dll");
  }

  @Test
  void libraryIsThatOfTheProgramsOwnC(@TempDir Path folder) throws Exception {
    Path maps = folder.resolve("maps");
    assertFalse(NativeLibrary.hasMusl(maps));
    Files.writeString(maps, "7f00-7f01 r-xp 0 08:01 1 /usr/lib/x86_64-linux-gnu/libc.so.6\n");
    assertFalse(NativeLibrary.hasMusl(maps));
    Files.write(maps, "7f00-7f01 r-xp 0 08:01 1 /\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
    assertFalse(NativeLibrary.hasMusl(maps));
    Files.writeString(maps, "7f00-7f01 r-xp 0 08:01 1 /lib/ld-musl-x86_64.so.1\n");
    assertTrue(NativeLibrary.hasMusl(maps));
  }

  @Test
  void memoriesAreZeroAlignedAndApart() {
    List<Memory> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Memory memory = new Memory(i % 7 == 6 ? 40000 + i : 1 + 11 * i);
      assertEquals(0, memory.address % Memory.ALIGNMENT);
      assertEquals(Native.address(memory.bytes), memory.address);
      assertTrue(memory.isWiped(0, memory.bytes.capacity()));
      for (int at = 0; at < memory.bytes.capacity(); at++) {
        memory.bytes.put(at, (byte) (i + 1));
      }
      all.add(memory);
    }
    for (int i = 0; i < all.size(); i += 2) {
      all.get(i).wipe(0, all.get(i).bytes.capacity());
    }
    for (int i = 0; i < all.size(); i++) {
      for (byte value : all.get(i).copy(0, all.get(i).bytes.capacity())) {
        assertEquals(i % 2 == 0 ? 0 : (byte) (i + 1), value);
      }
    }
  }

  @Test
  void thereAreNoOthers() {
    assertThrows(
        NoSuchAlgorithmException.class, () -> KeyPairGenerator.getInstance("HQC-2", PROVIDER));
  }

  @Test
  void randomnessComesFromTheGivenSource() throws Exception {
    SecureRandom counting =
        new SecureRandom() {
          @Override
          public void nextBytes(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
              bytes[i] = (byte) i;
            }
          }
        };
    KeyPairGenerator generator = KeyPairGenerator.getInstance("HQC-1", PROVIDER);
    generator.initialize(new NamedParameterSpec("HQC-1"), counting);
    KeyPair pair = generator.generateKeyPair();
    assertEquals(pair.getPublic(), generator.generateKeyPair().getPublic());
    KEM kem = KEM.getInstance("HQC-1", PROVIDER);
    assertArrayEquals(
        kem.newEncapsulator(pair.getPublic(), counting).encapsulate().encapsulation(),
        kem.newEncapsulator(pair.getPublic(), counting).encapsulate().encapsulation());
  }

  @Test
  void destroyedKeysAreWipedAndRefused() throws Exception {
    KeyPair pair = generate("HQC-1");
    CodekemPrivateKey key = (CodekemPrivateKey) pair.getPrivate();
    KEM kem = KEM.getInstance("HQC-1", PROVIDER);
    KEM.Decapsulator receiver = kem.newDecapsulator(key);
    byte[] ciphertext = encapsulate(pair.getPublic()).encapsulation();
    key.destroy();
    key.destroy();
    assertTrue(key.isDestroyed());
    assertTrue(key.isWiped());
    assertNull(key.getEncoded());
    assertNull(key.getFormat());
    assertThrows(IllegalStateException.class, key::getRaw);
    assertThrows(InvalidKeyException.class, () -> kem.newDecapsulator(key));
    assertThrows(DecapsulateException.class, () -> receiver.decapsulate(ciphertext));
    assertNotEquals(key, generate("HQC-1").getPrivate());
    assertEquals(key, key);
  }

  @Test
  void nothingSecretIsPrinted() throws Exception {
    KeyPair pair = generate("HQC-1");
    assertEquals("private key of HQC-1", pair.getPrivate().toString());
    assertEquals("public key of HQC-1", pair.getPublic().toString());
  }

  @Test
  void keysAreSerializedAsTheirEncodings() throws Exception {
    KeyPair pair = generate("BIKE-L1");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new ObjectOutputStream(out).writeObject(pair);
    Object found = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
    KeyPair again = assertInstanceOf(KeyPair.class, found);
    assertEquals(pair.getPublic(), again.getPublic());
    assertEquals(pair.getPrivate(), again.getPrivate());
  }

  @ParameterizedTest
  @MethodSource("names")
  void threadsShareKeys(String name) throws Exception {
    KeyPair pair = generate(name);
    // The smallest stack that the virtual machine gives, where BIKE would have no room.
    try (ExecutorService threads =
            Executors.newFixedThreadPool(4, run -> new Thread(null, run, "small", 1));
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        runs.add((i % 2 == 0 ? threads : virtual).submit(() -> exchange(pair)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    }
  }

  private static Void exchange(KeyPair pair) throws Exception {
    KEM.Encapsulated sent = encapsulate(pair.getPublic());
    KEM kem = KEM.getInstance(pair.getPublic().getAlgorithm(), PROVIDER);
    assertEquals(
        sent.key(), kem.newDecapsulator(pair.getPrivate()).decapsulate(sent.encapsulation()));
    generate(pair.getPublic().getAlgorithm());
    return null;
  }
}
