# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds with one KEM alone (CODEKEM_KEMS), shared by the tests of the command and the provider."""

# Not optimised: nothing here takes long but the compiler.
OPTIONS = {
    "CODEKEM_BUILD_PROVIDER": "ON",
    "CODEKEM_BUILD_LEGACY": "ON",
    "CODEKEM_WERROR": "ON",
    "CMAKE_BUILD_TYPE": "Debug",
    "CMAKE_C_FLAGS_DEBUG": "-O0",
    "CMAKE_CXX_FLAGS_DEBUG": "-O0",
}


def build_subset(build, name):
    """Builds with the KEM name alone; returns the build and its command."""
    subset = build("default", CODEKEM_KEMS=name, **OPTIONS)
    return subset, subset / "bin" / "codekem"
