# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds with one KEM alone (CODEKEM_KEMS), shared by the tests of the command and the provider."""

import os
import pathlib
import re
import subprocess

import pytest

# Not optimised: nothing here takes long but the compiler.
OPTIONS = {
    "CODEKEM_BUILD_PROVIDER": "ON",
    "CODEKEM_BUILD_LEGACY": "ON",
    "CODEKEM_WERROR": "ON",
    "CMAKE_BUILD_TYPE": "Debug",
    "CMAKE_C_FLAGS_DEBUG": "-O0",
    "CMAKE_CXX_FLAGS_DEBUG": "-O0",
}


def cases(quick, every):
    """Parameters (KEM, kind): quick ones linked, all of them compiled in the long tests."""
    return [pytest.param((name, "linked"), id=name) for name in quick] + [
        pytest.param((name, "compiled"), id=f"{name}-compiled", marks=pytest.mark.long)
        for name in every
    ]


def build_subset(build, name, kind, folder):
    """Builds with the KEM name alone; returns the build and its command.

    Compiling the command takes longest. If kind is "linked", it is linked in folder from the
    objects of the preset gcc.
    """
    if kind == "compiled":
        subset = build("default", CODEKEM_KEMS=name, **OPTIONS)
        return subset, subset / "bin" / "codekem"
    subset = build(
        "default",
        targets=["codekem_provider", "codekem_legacy"],
        CODEKEM_KEMS=name,
        CODEKEM_BUILD_CLI="OFF",
        **OPTIONS,
    )
    return subset, link_command(build("gcc"), subset, folder / "codekem")


def link_command(compiled, subset, path):
    """Links what the command is linked from with the libraries of another build."""
    shown = subprocess.run(
        ["ninja", "-C", compiled, "-t", "query", "bin/codekem"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    inputs = dict.fromkeys(re.findall(r"^ +(?:\| )?(\S+\.[oa])$", shown, re.MULTILINE))
    own = {"libcodekem.a", "libcodekem-legacy.a"}
    assert own < {pathlib.Path(name).name for name in inputs}, shown
    files = [
        subset / pathlib.Path(name).name if pathlib.Path(name).name in own else compiled / name
        for name in inputs
    ]
    compiler = os.environ.get("CXX", "c++")
    subprocess.run(
        [compiler, "-o", path, "-Wl,--start-group", *files, "-Wl,--end-group", "-lcrypto", "-ldl"],
        check=True,
    )
    return path
