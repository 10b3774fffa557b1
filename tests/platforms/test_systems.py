# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other systems: Windows (under Wine), Linux with musl, WebAssembly (in Node.js)."""

import os
import platform
import re
import tempfile

import pytest

from tests.kat_check import KEMS, text_of
from tests.machine_code import disassemble
from tests.platform_programs import WASM_STACK, output
from tools.source_folders import include_options

LEVEL_1 = ("BIKE-L1", "HQC-1")
BACKENDS = ["portable", "avx2", "avx512"]

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="Windows, musl and WebAssembly are tested on x86-64 only"
)


def cases(backends):
    return [
        pytest.param(kem, backend, marks=[] if kem in LEVEL_1 else pytest.mark.long)
        for kem in KEMS
        for backend in backends
    ]


def need_backend(library, backend):
    if not library.backends()[backend]:
        pytest.skip(f"back end {backend} not run: this processor lacks it")


def check_answers(command, kem, backend):
    """Runs known answers through kat_check, from a file: WASI in Node.js takes a pipe that is
    empty for a moment for one that has ended."""
    text = text_of(kem, 3)
    with tempfile.TemporaryFile("w+") as file:
        file.write(text)
        file.seek(0)
        said = output(*command, backend, stdin=file).strip()
    assert said == f"{text.count('run')} cases agree ({backend})"


def exchanged(lines):
    """Returns {(KEM, operation): how it ran} from what small_thread prints."""
    found = {tuple(line.split()[:2]): line.split()[2] for line in lines}
    assert len(found) == len(lines) and len(found) % 4 == 0
    return found


# --- Windows -----------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("kem, backend", cases(BACKENDS))
def test_known_answers_on_windows(kem, backend, windows, wine, library):
    need_backend(library, backend)
    check_answers([*wine, windows / "bin" / "kat_check.exe"], kem, backend)


@pytest.mark.long
@pytest.mark.parametrize("kem, backend", cases(BACKENDS))
def test_known_answers_on_windows_by_clang(kem, backend, build, need, wine, library):
    need_backend(library, backend)
    folder = build("x86_64-windows", targets=["kat_check"], CMAKE_C_COMPILER="clang-19")
    check_answers([*wine, folder / "bin" / "kat_check.exe"], kem, backend)


@pytest.mark.long
def test_windows_has_randomness_and_enough_stack(windows, wine):
    """Wine gives every thread 1 MiB, so that no call refuses."""
    lines = output(*wine, windows / "bin" / "small_thread.exe", "portable").splitlines()
    assert set(exchanged(lines).values()) == {"plain"}


@pytest.mark.long
@pytest.mark.parametrize("kind", ["static", "shared"])
def test_program_for_windows_finds_what_it_links(kind, windows, wine, need, root, tmp_path):
    """pkg-config names the library that the source of randomness is in."""
    output("cmake", "--install", windows, "--prefix", tmp_path / "installed")
    environment = os.environ | {"PKG_CONFIG_LIBDIR": str(tmp_path / "installed/lib/pkgconfig")}
    static = ["--static"] if kind == "static" else []
    flags = output(
        *[need("pkg-config"), *static, "--cflags", "--libs", "codekem"], env=environment
    ).split()
    program = tmp_path / "installed" / "bin" / "consumer.exe"  # beside the DLL
    output(
        *[need("x86_64-w64-mingw32-gcc"), root / "tests/packaging/consumer/consumer.c"],
        *["-o", program, *([f"-Wl,-B{kind}"] if static else ["-DCODEKEM_SHARED"]), *flags],
    )
    said = output(*wine, program).splitlines()
    assert "HQC-1 agrees" in said and "BIKE-L5 agrees" in said


@pytest.mark.long
def test_dll_exports_the_public_functions_only(windows, need, root):
    text = output(need("x86_64-w64-mingw32-objdump"), "-p", windows / "bin" / "libcodekem.dll")
    exported = re.findall(r"^\t\[ *\d+\] (\w+)$", text.split("[Ordinal/Name Pointer]")[1], re.M)
    header = (root / "include" / "codekem.h").read_text()
    declared = re.findall(r"^CODEKEM_API [^;]*?(codekem_\w+)\(", header, re.MULTILINE)
    assert sorted(exported) == sorted(declared)
    needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)}
    assert needed == {"bcrypt.dll", "kernel32.dll", "msvcrt.dll"}


# A load or a store of a whole vector that must be aligned.
ALIGNED = re.compile(r"\tvmov(?:dqa|aps|apd|dqa32|dqa64) .*(?:%[yz]mm\d+\b.*\(|\(.*%[yz]mm)")


@pytest.mark.long
def test_vectors_on_windows_need_no_aligned_stack(windows, need):
    """gcc for Windows takes the stack to be more aligned than it is (gcc's bug 54412)."""
    text = output(
        *[need("x86_64-w64-mingw32-objdump"), "-d", "--no-show-raw-insn"],
        windows / "bin" / "libcodekem.dll",
    )
    lines = text.splitlines()
    assert sum("vmovdqu" in line and "zmm" in line for line in lines) > 100
    assert [line for line in lines if ALIGNED.search(line)] == []


def test_aligned_move_is_found(build):
    """With the rule for Linux, where gcc is right about its stack."""
    folder = build("gcc", targets=["codekem_static"])
    (path,) = (folder / "CMakeFiles" / "codekem_objects.dir").rglob("counters_avx512.c.o")
    assert any(ALIGNED.search(line) for line in disassemble(path).splitlines())


# --- musl -----------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("kem, backend", cases(BACKENDS))
def test_known_answers_with_musl(kem, backend, musl, library):
    need_backend(library, backend)
    check_answers([musl / "bin" / "kat_check"], kem, backend)


@pytest.mark.long
@pytest.mark.parametrize("backend", BACKENDS)
def test_no_kem_overflows_a_thread_of_musl(backend, musl, library):
    """Of 128 KiB. What does not fit is refused, and works with a workspace."""
    need_backend(library, backend)
    found = exchanged(output(musl / "bin" / "small_thread", backend).splitlines())
    assert found["BIKE-L5", "decaps"] == "workspace"
    assert found["BIKE-L3", "decaps"] == "workspace"
    assert {how for (kem, _), how in found.items() if kem in (*LEVEL_1, "HQC-5")} == {"plain"}


@pytest.mark.long
@pytest.mark.parametrize("backend", BACKENDS)
def test_child_of_a_thread_of_musl_knows_its_stack(backend, musl, library):
    """The thread that forked is the first one of the child, with the stack that it had before."""
    need_backend(library, backend)
    program = musl / "bin" / "small_thread"
    found = exchanged(output(program, backend, "--fork").splitlines())
    assert found == exchanged(output(program, backend).splitlines())
    assert "workspace" in found.values()


@pytest.mark.long
def test_program_with_musl_is_static(musl):
    assert "INTERP" not in output("readelf", "-lW", musl / "bin" / "kat_check")


# --- WebAssembly ----------------------------------------------------------------------------------


# Without vectors it is a build of its own.
@pytest.mark.parametrize(
    "kem, backend",
    [
        *[pytest.param(kem, "portable", marks=pytest.mark.long) for kem in KEMS],
        *cases(["wasm"]),
    ],
)
def test_known_answers_in_webassembly(kem, backend, wasm, root):
    program = root / "tests" / "kat" / "kat_check.c"
    check_answers(wasm(program, WASM_STACK, simd=backend == "wasm"), kem, backend)


def test_steps_with_vectors_of_webassembly_are_those_in_plain_c(wasm, root):
    """For rings, lengths and positions that no KEM has, too."""
    flags = [*WASM_STACK, *include_options(root), "-DCODEKEM_SMALL"]
    program = wasm(root / "tests" / "platforms" / "wasm_steps.c", flags, simd=True)
    assert output(*program).strip() == "agree"


EXCHANGE = """
#include <stdio.h>
#include "codekem.h"
static uint8_t pk[CODEKEM_MAX_PUBLIC_KEY], sk[CODEKEM_MAX_SECRET_KEY];
int main(void) {
  for (size_t i = 0; i < codekem_kem_count(); i++) {
    const codekem_kem *kem = codekem_kem_at(i);
    printf("%s: %s\\n", kem->method_name, codekem_status_text(codekem_kem_keypair(kem, pk, sk)));
  }
}
"""


@pytest.mark.parametrize("flags, words", [(WASM_STACK, "success"), ([], "stack")])
def test_webassembly_has_randomness_and_refuses_what_the_stack_cannot_hold(
    flags, words, wasm, tmp_path
):
    """wasm-ld gives 64 KiB unless it is told otherwise, too little for BIKE."""
    source = tmp_path / "exchange.c"
    source.write_text(EXCHANGE)
    said = dict(line.split(": ") for line in output(*wasm(source, flags, simd=True)).splitlines())
    assert said["HQC-1"] == "success"
    assert words in said["BIKE-L5"]
