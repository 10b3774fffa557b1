// SPDX-License-Identifier: Apache-2.0 OR MIT
package io.github.codekem;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProviderException;
import java.util.Locale;

/** The C library: found, loaded once, and its functions. */
final class NativeLibrary {
  /** The system property with the path of another build of the library. */
  static final String PROPERTY = "codekem.library";

  private static final long LONGEST_TEXT = 256;
  private static SymbolLookup loaded;

  private NativeLibrary() {}

  /** Loads the library unless it is there; throws ProviderException, with what to do, if not. */
  static synchronized void load() {
    if (loaded == null) {
      String given = System.getProperty(PROPERTY);
      try {
        loaded = given != null ? lookup(Path.of(given)) : lookupCopy();
      } catch (IOException | IllegalArgumentException e) {
        throw new ProviderException("codekem: the native library cannot be loaded: " + e, e);
      }
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

  private static SymbolLookup lookup(Path path) {
    return SymbolLookup.libraryLookup(path, Arena.global());
  }

  /** Loads the library of the jar from a copy in a file, as systems want it. */
  private static SymbolLookup lookupCopy() throws IOException {
    String suffix = System.mapLibraryName("codekem").replaceFirst("^.*\\.", ".");
    try (InputStream library =
        NativeLibrary.class.getResourceAsStream(
            "native/" + platform() + "/" + System.mapLibraryName("codekem"))) {
      if (library == null) {
        throw new ProviderException(
            "codekem: this jar has no library for "
                + platform()
                + "; build one and name it with -D"
                + PROPERTY
                + "=PATH");
      }
      // Only the user may write to it: on systems with POSIX permissions the mode is 0600.
      Path copy = Files.createTempFile("codekem", suffix);
      Files.write(copy, library.readAllBytes());
      SymbolLookup found = lookup(copy);
      if (!suffix.equals(".dll")) { // Windows keeps the files of what is loaded
        Files.delete(copy);
      }
      return found;
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
    static final MethodHandle KEYPAIR =
        function("codekem_kem_keypair_workspace", JAVA_INT, 5, JAVA_LONG);
    static final MethodHandle ENCAPS =
        function("codekem_kem_encaps_workspace", JAVA_INT, 6, JAVA_LONG);
    static final MethodHandle DECAPS =
        function("codekem_kem_decaps_workspace", JAVA_INT, 5, JAVA_LONG);
    static final MethodHandle CHECK_PUBLIC_KEY =
        function("codekem_kem_check_public_key", JAVA_INT, 2);
    static final MethodHandle CHECK_SECRET_KEY =
        function("codekem_kem_check_secret_key_workspace", JAVA_INT, 3, JAVA_LONG);
    static final MethodHandle DERIVE_PUBLIC_KEY =
        function("codekem_kem_derive_public_key_workspace", JAVA_INT, 4, JAVA_LONG);
    static final MethodHandle FIND = function("codekem_kem_find", ADDRESS, 1);
    static final MethodHandle VERSION = function("codekem_version", ADDRESS, 0);
    static final MethodHandle BACKEND = function("codekem_backend_current", ADDRESS, 0);
    static final MethodHandle STATUS_TEXT =
        Linker.nativeLinker()
            .downcallHandle(
                loaded.findOrThrow("codekem_status_text"),
                FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private Functions() {}

    /** Returns a function of that many addresses and of what follows them. */
    private static MethodHandle function(
        String name,
        java.lang.foreign.MemoryLayout result,
        int addresses,
        java.lang.foreign.MemoryLayout... others) {
      FunctionDescriptor type = FunctionDescriptor.of(result);
      for (int i = 0; i < addresses; i++) {
        type = type.appendArgumentLayouts(ADDRESS);
      }
      return Linker.nativeLinker()
          .downcallHandle(loaded.findOrThrow(name), type.appendArgumentLayouts(others));
    }
  }
}
