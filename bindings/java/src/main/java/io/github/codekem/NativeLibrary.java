// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProviderException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** The C library: found, loaded once, and its functions. */
final class NativeLibrary {
  /** The system property with the path of another build of the library. */
  static final String PROPERTY = "codekem.library";

  /** How the names of copies in the temporary folder begin. */
  static final String PREFIX = "codekem-native-";

  private static final long LONGEST_TEXT = 256;
  private static final String[] NAMES = {
    "codekem_kem_keypair_with",
    "codekem_kem_encaps_with",
    "codekem_kem_decaps_with",
    "codekem_kem_check_public_key",
    "codekem_kem_check_secret_key_with",
    "codekem_kem_derive_public_key_with",
    "codekem_kem_find",
    "codekem_backend_current",
    "codekem_status_text",
    "codekem_version",
  };
  private static SymbolLookup loaded;

  private NativeLibrary() {}

  /**
   * Loads the library unless it is there. Throws ProviderException, with what to do, if it cannot
   * be loaded or is not what this package was made for; the next call tries again. After it
   * returns, Functions can be used.
   */
  static synchronized void load() {
    if (loaded != null) {
      return;
    }
    String given = System.getProperty(PROPERTY);
    try {
      loaded = given != null ? lookup(Path.of(given), given) : lookupCopy();
    } catch (IllegalCallerException e) {
      throw new ProviderException(
          "codekem: this Java allows no native calls; start it with"
              + " --enable-native-access=ALL-UNNAMED, or =io.github.codekem on the module path",
          e);
    } catch (IllegalArgumentException e) { // from lookupCopy it is a ProviderException already
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
    if (system.startsWith("windows")) {
      system = "windows";
    } else if (system.startsWith("mac")) {
      system = "macos";
    }
    return system + "-" + (processor.equals("amd64") ? "x86_64" : processor);
  }

  /** Loads a library and checks that it is the one for this package; if not, it is let go again. */
  private static SymbolLookup lookup(Path path, String shown) {
    Arena arena = Arena.ofShared();
    boolean good = false;
    try {
      SymbolLookup found = SymbolLookup.libraryLookup(path, arena);
      for (String name : NAMES) {
        if (found.find(name).isEmpty()) {
          throw new ProviderException(
              "codekem: " + shown + " is not the library codekem: it has no function " + name);
        }
      }
      checkVersion(found, shown);
      good = true;
      return found;
    } finally {
      if (!good) {
        arena.close();
      }
    }
  }

  /** Throws unless the library has the interface of this package: that of the same 0.y. */
  private static void checkVersion(SymbolLookup found, String shown) {
    String version;
    try {
      version =
          text(
              (MemorySegment)
                  Linker.nativeLinker()
                      .downcallHandle(
                          found.findOrThrow("codekem_version"), FunctionDescriptor.of(ADDRESS))
                      .invokeExact());
    } catch (Throwable e) {
      throw new ProviderException("codekem: " + shown + " does not say its version", e);
    }
    String series = CodekemProvider.VERSION.replaceFirst("[^.]*$", "");
    if (version == null || !version.startsWith(series)) {
      throw new ProviderException(
          "codekem: %s has version %s; this package needs %sx"
              .formatted(shown, version, series));
    }
  }

  /** Loads the library of the jar from a copy in a file, as systems want it. */
  private static SymbolLookup lookupCopy() {
    String file = System.mapLibraryName("codekem");
    String name = "native/" + platform() + "/" + file;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    Path copy = null;
    SymbolLookup found = null;
    try (InputStream library = NativeLibrary.class.getResourceAsStream(name)) {
      if (library == null) {
        throw new ProviderException(
            "codekem: this jar has no library for "
                + platform()
                + "; build one and name it with -D"
                + PROPERTY
                + "=PATH");
      }
      String suffix = file.replaceFirst("^.*\\.", ".");
      removeLeftovers(folder, suffix);
      // Only the user may write to it: on systems with POSIX permissions the mode is 0600.
      copy = Files.createTempFile(folder, PREFIX, suffix);
      Files.write(copy, library.readAllBytes());
      found = lookup(copy, name + " of the jar");
      return found;
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

  /** Returns the text of C at an address. */
  static String text(MemorySegment address) {
    return address.equals(MemorySegment.NULL)
        ? null
        : address.reinterpret(LONGEST_TEXT).getString(0);
  }

  /** The functions. Constants, so that the virtual machine compiles calls of them. */
  static final class Functions {
    static final MethodHandle KEYPAIR = function("codekem_kem_keypair_with", JAVA_INT, 4);
    static final MethodHandle ENCAPS = function("codekem_kem_encaps_with", JAVA_INT, 5);
    static final MethodHandle DECAPS = function("codekem_kem_decaps_with", JAVA_INT, 5);
    static final MethodHandle CHECK_PUBLIC_KEY =
        function("codekem_kem_check_public_key", JAVA_INT, 2);
    static final MethodHandle CHECK_SECRET_KEY =
        function("codekem_kem_check_secret_key_with", JAVA_INT, 3);
    static final MethodHandle DERIVE_PUBLIC_KEY =
        function("codekem_kem_derive_public_key_with", JAVA_INT, 4);
    static final MethodHandle FIND = function("codekem_kem_find", ADDRESS, 1);
    static final MethodHandle VERSION = function("codekem_version", ADDRESS, 0);
    static final MethodHandle BACKEND = function("codekem_backend_current", ADDRESS, 0);
    static final MethodHandle STATUS_TEXT =
        Linker.nativeLinker()
            .downcallHandle(
                loaded.findOrThrow("codekem_status_text"),
                FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private Functions() {}

    /** Returns a function of that many addresses. */
    private static MethodHandle function(
        String name, java.lang.foreign.MemoryLayout result, int addresses) {
      FunctionDescriptor type = FunctionDescriptor.of(result);
      for (int i = 0; i < addresses; i++) {
        type = type.appendArgumentLayouts(ADDRESS);
      }
      return Linker.nativeLinker().downcallHandle(loaded.findOrThrow(name), type);
    }
  }
}
