// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProviderException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.BiConsumer;

/** The C library: found, and loaded once. */
final class NativeLibrary {
  /** The system property with the path of another build of the library. */
  static final String PROPERTY = "codekem.library";

  /** How the names of copies in the temporary folder begin. */
  static final String PREFIX = "codekem-native-";

  /** The library of Native.java. */
  private static final String GLUE = "codekem_jni";

  private static final int LONGEST_TEXT = 256;
  private static final String[] NAMES = {
    "codekem_kem_keypair_with",
    "codekem_kem_encaps_with",
    "codekem_kem_decaps_with",
    "codekem_kem_check_public_key",
    "codekem_kem_check_secret_key_with",
    "codekem_kem_derive_public_key_with",
    "codekem_kem_find",
    "codekem_random_system",
    "codekem_backend_current",
    "codekem_status_text",
    "codekem_version",
  };
  private static boolean hasGlue;
  private static boolean loaded;

  private NativeLibrary() {}

  /**
   * Loads the library unless it is there. Throws ProviderException, with what to do, if it cannot
   * be loaded or is not what this package was made for; the next call tries again. After it
   * returns, Functions can be used.
   */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    String given = System.getProperty(PROPERTY);
    try {
      if (Native.needsGlue() && !hasGlue) {
        withCopy(GLUE, (copy, shown) -> Native.loadGlue(copy));
        hasGlue = true;
      }
      if (given != null) {
        open(Path.of(given), given);
      } else {
        withCopy("codekem", NativeLibrary::open);
      }
      loaded = true;
    } catch (IllegalCallerException e) {
      throw new ProviderException(
          "codekem: this Java allows no native calls; start it with"
              + " --enable-native-access=ALL-UNNAMED, or =io.github.codekem on the module path",
          e);
    } catch (IllegalArgumentException e) { // from withCopy it is a ProviderException already
      throw new ProviderException(
          "codekem: the native library cannot be loaded: -D"
              + PROPERTY
              + " names "
              + given
              + ", which is no library for "
              + platform()
              + " ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** Returns the name of the folder in the jar with the library for this platform. */
  static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String library = "";
    if (system.startsWith("windows")) {
      system = "windows";
    } else if (system.startsWith("mac")) {
      system = "macos";
    } else if (system.equals("linux") && hasMusl(Path.of("/proc/self/maps"))) {
      library = "-musl";
    }
    return system + "-" + (processor.equals("amd64") ? "x86_64" : processor) + library;
  }

  /** Tells whether the C library of a program is musl, by the list of what Linux has loaded. */
  static boolean hasMusl(Path maps) {
    try {
      // Names of files may have bytes that are no text.
      return Files.readString(maps, StandardCharsets.ISO_8859_1).contains("/ld-musl-");
    } catch (IOException e) {
      return false; // most systems have another one
    }
  }

  /** Loads a library and checks that it is the one for this package; if not, it is let go again. */
  private static void open(Path path, String shown) {
    try (Native.Candidate found = new Native.Candidate(path)) {
      for (String name : NAMES) {
        if (!found.has(name)) {
          throw new ProviderException(
              "codekem: " + shown + " is not the library codekem: it has no function " + name);
        }
      }
      checkVersion(text(found.version()), shown);
      found.choose();
    }
  }

  /** Throws unless the library has the interface of this package: that of the same 0.y. */
  private static void checkVersion(String version, String shown) {
    String series = CodekemProvider.VERSION.replaceFirst("[^.]*$", "");
    if (version == null || !version.startsWith(series)) {
      throw new ProviderException(
          "codekem: %s has version %s; this package needs %sx"
              .formatted(shown, version, series));
    }
  }

  /**
   * Loads a library of the jar from a copy in a file, as systems want it.
   *
   * @param use gets the file, and what to call it in messages
   */
  private static void withCopy(String library, BiConsumer<Path, String> use) {
    String file = System.mapLibraryName(library);
    String name = "native/" + platform() + "/" + file;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    Path copy = null;
    try (InputStream content = NativeLibrary.class.getResourceAsStream(name)) {
      if (content == null) {
        throw new ProviderException(
            "codekem: this jar has no library for "
                + platform()
                + (library.equals(GLUE)
                    ? ", and before Java 22 it needs one"
                    : "; build one and name it with -D" + PROPERTY + "=PATH"));
      }
      String suffix = file.replaceFirst("^.*\\.", ".");
      removeLeftovers(folder, suffix);
      // Only the user may write to it: on systems with POSIX permissions the mode is 0600.
      copy = Files.createTempFile(folder, PREFIX, suffix);
      Files.write(copy, content.readAllBytes());
      use.accept(copy, name + " of the jar");
    } catch (IOException | IllegalArgumentException e) {
      throw new ProviderException(
          "codekem: the native library cannot be loaded from a file in the temporary folder "
              + folder
              + " (is it full, or mounted noexec?): name another folder with -Djava.io.tmpdir=PATH,"
              + " or a library that you have built with -D"
              + PROPERTY
              + "=PATH. "
              + e,
          e);
    } finally {
      // Windows keeps the files of what is loaded: the next start of a program removes them.
      if (copy != null) {
        tryToDelete(copy);
      }
    }
  }

  /** Removes copies of programs that have ended. Those in use cannot be removed on Windows. */
  static void removeLeftovers(Path folder, String suffix) {
    if (!suffix.equals(".dll")) {
      return; // elsewhere they are removed at once
    }
    Instant before = Instant.now().minus(Duration.ofHours(1)); // younger ones may not be loaded yet
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*" + suffix)) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
          tryToDelete(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return; // what cannot be looked at stays
    }
  }

  private static void tryToDelete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      return; // in use
    }
  }

  /** Returns the text of C at an address, or null for 0. */
  static String text(long address) {
    if (address == 0) {
      return null;
    }
    ByteBuffer bytes = Native.at(address, LONGEST_TEXT);
    int length = 0;
    while (length < LONGEST_TEXT && bytes.get(length) != 0) {
      length++;
    }
    byte[] text = new byte[length];
    bytes.get(0, text);
    return new String(text, StandardCharsets.US_ASCII);
  }
}
