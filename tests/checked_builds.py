# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds for the constant-time checks and for ThreadSanitizer, shared by their tests."""

import pytest

OPTIMISATIONS = ["-O2", "-O3", "-Os"]
COMPILERS = ["gcc", "clang", "clang-16"]
QUICK = [("gcc", "-O2")]  # `make test`; the others are long
BUILDS = [
    pytest.param(*pair, marks=[] if pair in QUICK else pytest.mark.long)
    for pair in [(compiler, level) for compiler in COMPILERS for level in OPTIMISATIONS]
]
TARGETS = ("taint", "taint_leaky", "taint_functions", "codekem_objects")

# gcc needs half the time of -O3.
THREAD_SANITIZER = {
    "CODEKEM_SANITIZE": "thread",
    "CMAKE_C_FLAGS_RELEASE": "-O1 -fno-var-tracking",
}


def options_of(checker, compiler, optimisation):
    """Returns the preset and the options for checker, "valgrind" or "msan"."""
    return "gcc" if compiler == "gcc" else "clang", {
        "CMAKE_C_COMPILER": compiler,
        "CODEKEM_CHECK": checker,
        "CMAKE_C_FLAGS_RELEASE": f"{optimisation} -DNDEBUG",
        "CODEKEM_BUILD_CLI": "OFF",
        "CODEKEM_BUILD_LEGACY": "ON",
        # libcrypto is not instrumented, so MemorySanitizer cannot follow secrets through it.
        "CODEKEM_LEGACY_AES": "OFF" if checker == "msan" else "ON",
    }


def build_checked(build, checker, compiler, optimisation, targets=TARGETS):
    """Returns the folder of the library and the harness for a checker."""
    preset, options = options_of(checker, compiler, optimisation)
    return build(preset, targets=targets, **options)
