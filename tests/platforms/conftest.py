# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds for other processors and runs what was built: under QEMU, or natively where that is."""

import fcntl
import os
import platform
import subprocess

import pytest

from tests.platform_programs import NODE, output
from tools import count_instructions, house
from tools.count_instructions import TARGETS


class Target:
    """A processor for which the tests can build and run programs."""

    def __init__(self, name, build, need):
        command, triplet, _, machine = TARGETS[name]
        self.native = platform.machine() == machine
        self._preset = "gcc" if self.native else name
        self._build = build
        if self.native:
            self.emulator = []
            self.objdump = "objdump"
        else:
            need(command[0])
            self.emulator = count_instructions.emulator(name)
            self.objdump = need(f"{triplet}-objdump")

    def build(self, targets, **options):
        """Builds targets of CMake and returns the folder."""
        return self._build(self._preset, targets=targets, **options)

    def run(self, program, *arguments, **more):
        return subprocess.run(
            [*self.emulator, str(program), *arguments],
            capture_output=True,
            text=True,
            check=False,
            **more,
        )


@pytest.fixture
def target(build, need):
    """target("aarch64") returns a Target."""
    return lambda name: Target(name, build, need)


@pytest.fixture
def watch(build, target):
    """watch("aarch64", "neon", "BIKE-L1", "decaps", words...) runs an operation under the
    emulator's plugin; returns (instructions, digest, bytes of stack) of each case."""

    def run(name, backend, kem, operation, *words, cases=1, trace=False, leak=None):
        one = target(name)
        if one.native:
            pytest.skip(f"instructions not counted: this {name} is not emulated")
        plugin = build("gcc", targets=["trace_plugin"]) / "tests" / "libtrace_plugin.so"
        program = "marked" if kem.startswith(("mceliece", "SOFIA")) else "marked_kems"
        program = program if leak is None else "marked_leaky"
        path = one.build([program]) / "bin" / program
        line = count_instructions.line_of(kem, operation, cases, *words)
        arguments = [backend, *([f"leak {leak}"] if leak else []), line]
        rows = count_instructions.watch(one.emulator, plugin, path, arguments, trace)
        assert len(rows) == cases
        return rows

    return run


@pytest.fixture(scope="session")
def wine_of_its_own(build):
    """A configuration of Wine, kept between runs, and Wine's server, as long as the tests run.

    Programs that start while another makes the configuration, or while the server ends because
    nothing has run for three seconds, now and then fail without a word. So one program makes the
    configuration alone, and stays.
    """
    folder = build.folder("wine")
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["WINEPREFIX"] = str(folder)
    os.environ["WINEDEBUG"] = "-all"
    with (folder / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stays = subprocess.Popen(
            ["wine", "cmd"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        stays.stdin.write(b"echo it runs\r\n")
        stays.stdin.flush()
        while b"it runs" not in stays.stdout.readline():
            assert stays.poll() is None, "Wine does not start: try `wine cmd`"
    with stays:
        yield
        stays.stdin.close()


@pytest.fixture
def wine(request, need):
    """What runs a program for Windows."""
    need("wine")
    request.getfixturevalue("wine_of_its_own")
    return ["wine"]


@pytest.fixture
def windows(build, need, wine):
    need("x86_64-w64-mingw32-gcc")
    need("x86_64-w64-mingw32-g++-posix")
    return build(
        "x86_64-windows",
        targets=[
            *("kat_check", "conformance", "small_thread"),
            *("codekem_shared", "codekem_static"),
            *(["codekem"] if house.is_there("apps") else []),
        ],
    )


@pytest.fixture
def musl(build, need):
    need("musl-gcc")
    return build("musl", targets=["kat_check", "conformance", "small_thread"])


@pytest.fixture
def wasm(build, need, root, tmp_path):
    """wasm(source, flags, simd=False, small=True) links a program with the library, made with
    vectors or without and for small devices or not, and returns what runs it."""

    def link(source, flags, simd=False, small=True):
        vectors = ["-msimd128"] if simd else []
        folder = build(
            "wasm32",
            targets=["codekem_static", "codekem_legacy"],
            CODEKEM_BUILD_LEGACY="ON",
            CODEKEM_LEGACY_AES="OFF",
            CMAKE_C_FLAGS=" ".join(vectors),
            **({} if small else {"CODEKEM_SMALL": "OFF"}),
        )
        program = tmp_path / f"{source.stem}.wasm"
        output(
            *[need("clang-19"), "--target=wasm32-wasi", "-O2", f"-I{root / 'include'}", *flags],
            *[*vectors, "-DCODEKEM_HAVE_LEGACY", source, folder / "libcodekem-legacy.a"],
            *[folder / "libcodekem.a", "-o", program],
        )
        return [need("node"), *NODE, root / "tests/platforms/run_wasi.mjs", program]

    return link
