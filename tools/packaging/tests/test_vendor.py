# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`make vendor`: one C file that compiles anywhere, has only its own names, and is the library."""

import os
import re
import subprocess
import sys
import types

import pytest

from tests import mceliece_checks
from tests.kat_check import run_kat_check
from tests.mceliece_program import Program
from tools import mistakes
from tools.count_instructions import emulator
from tools.packaging import package_stage, vendor
from tools.source_folders import include_options

WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
ALIASING = vendor.FLAG
# What no copy has, because it has nothing to do with one scheme, is for tests, or is assembly.
ELSEWHERE = re.compile(r"^src/(hybrid|legacy|masked|sofia)/|_(m4|reference)\.[chS]$|_m4\.S$")
BACKENDS = {
    "x86_64": ["portable", "avx2", "avx2-vpclmul", "avx512"],
    "aarch64": ["portable", "neon", "neon-sha3"],
    "armv7": ["portable", "neon"],
    "riscv64": ["portable", "rvv"],
    "s390x": ["portable"],
    "i686": ["portable"],
}
COMPILERS = {
    "gcc": "x86_64",
    "clang": "x86_64",
    "clang-16": "x86_64",
    "aarch64-linux-gnu-gcc": "aarch64",
    "arm-linux-gnueabihf-gcc": "armv7",
    "riscv64-linux-gnu-gcc": "riscv64",
    "s390x-linux-gnu-gcc": "s390x",
    "i686-linux-gnu-gcc": "i686",
}
ALIASING_OF = {compiler: [ALIASING] for compiler in COMPILERS if compiler.startswith("clang")}
# gcc for Windows takes its stack to be aligned (docs/start/one-file.md).
WINDOWS = ["-Wa,-muse-unaligned-vector-move"]
# What clang-cl compiles for, with the headers of MinGW, which ask for gcc's version.
CLANG_CL = ["--target=x86_64-pc-windows-msvc", "-fgnuc-version=4.2.1"]
CLANG_CL += ["-idirafter", "/usr/x86_64-w64-mingw32/include"]
CALLER = """
#include "ours_hqc.h"
int main() {
  static uint8_t pk[OURS_HQC_MAX_PUBLIC_KEY], sk[OURS_HQC_MAX_SECRET_KEY];
  const ours_hqc_kem *kem = ours_hqc_kem_find("HQC-1");
  return kem != 0 && ours_hqc_kem_keypair(kem, pk, sk) == OURS_HQC_OK ? 0 : 1;
}
"""
BOTH = """
#include <string.h>
#include "codekem.h"
#include "ours_hqc.h"
int main(void) {
  static uint8_t pk[2][8192], sk[2][8192];
  static const uint8_t seed[32] = {1};
  const codekem_options options = {.size = sizeof options, .seed = seed};
  const ours_hqc_options ours = {.size = sizeof ours, .seed = seed};
  return codekem_kem_keypair_with(codekem_kem_find("HQC-5"), pk[0], sk[0], &options) != CODEKEM_OK
      || ours_hqc_kem_keypair_with(ours_hqc_kem_find("HQC-5"), pk[1], sk[1], &ours) != OURS_HQC_OK
      || memcmp(pk[0], pk[1], 7237) != 0 || memcmp(sk[0], sk[1], 7333) != 0;
}
"""


def run(*command):
    """Runs a command that must succeed; returns what it printed."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def complaints(tool, folder):
    """Returns what is wrong with the copies that a tool writes, as far as a second shows it."""
    held = {name for scheme in tool.SCHEMES for name in tool.sources(tool.Options(scheme, "ours"))}
    tracked = [name for name in package_stage.files_of("src") if name.endswith((".c", ".S"))]
    lost = sorted(name for name in set(tracked) - held if not ELSEWHERE.search(name))
    if lost:
        return f"in no copy: {lost}"
    tool.write(tool.Options("hqc", "ours_hqc", environment=False), "file", folder)
    objects = folder / "ours_hqc.o"
    command = ["gcc", *WARNINGS, "-O0", "-c", folder / "ours_hqc.c", "-o", objects]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr
    names = [line.split()[-2:] for line in run("nm", "-g", objects).splitlines()]
    ours = {name for kind, name in names if kind != "U"}
    outside = {name for kind, name in names if kind == "U"}
    alien = [name for name in ours if not name.startswith("ours_hqc_")]
    asked = [name for name in outside if "getenv" in name]
    undefined = [name for name in outside if name.startswith("ours_hqc_")]
    return f"{alien or ''}{asked or ''}{f'undefined: {undefined}' if undefined else ''}"


@pytest.fixture(scope="module")
def copy(tmp_path_factory, need):
    """A folder with HQC as ours_hqc, which has been compiled without optimization."""
    need("gcc")
    folder = tmp_path_factory.mktemp("copy")
    assert complaints(vendor, folder) == ""
    return folder


def test_copy_and_library_are_equal_in_one_program(copy, build, tmp_path):
    (tmp_path / "both.c").write_text(BOTH)
    library = build("gcc", targets=["codekem_static"]) / "libcodekem.a"
    flags = [*WARNINGS, f"-I{copy}", *include_options()]
    run("gcc", *flags, tmp_path / "both.c", copy / "ours_hqc.o", library, "-o", tmp_path / "both")
    run(tmp_path / "both")


@pytest.mark.parametrize("language", ["c++", "c"])
def test_header_is_for_c_and_for_cplusplus(language, copy, tmp_path):
    source = tmp_path / "caller"
    source.write_text(CALLER.replace("main()", "main(void)") if language == "c" else CALLER)
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{copy}", "-x", language]
    run("gcc", *flags, source, "-x", "none", copy / "ours_hqc.o", "-o", tmp_path / "program")
    run(tmp_path / "program")


@pytest.mark.parametrize("mistake", mistakes.cases("tools/vendor"))
def test_mistake_in_the_tool_is_noticed(mistake, tmp_path, monkeypatch, need):
    need("gcc")
    path = mistake.apply(tmp_path)
    planted = types.ModuleType("planted")
    monkeypatch.setitem(sys.modules, "planted", planted)  # for its data classes
    exec(compile(path.read_text(), path, "exec"), planted.__dict__)
    tool = planted
    if path.name == "joined.py":
        monkeypatch.setattr(vendor, "joined", planted)
        tool = vendor
    assert mistake.by in complaints(tool, tmp_path)


@pytest.mark.parametrize(
    "prefix, said", [("Hqc", "small letters"), ("_", "small letters"), ("domain", "another prefix")]
)
def test_bad_prefix_is_an_error_and_nothing_is_written(prefix, said, tmp_path, capsys, monkeypatch):
    arguments = ["vendor.py", "hqc", "--prefix", prefix, "--output", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", arguments)
    assert vendor.main() == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# --- Long: everywhere -----------------------------------------------------------------------------


def compiled(compiler, scheme, form, folder, *flags):
    """Writes a copy under the library's own names, which its test programs know, and compiles it;
    returns the objects."""
    names = vendor.write(vendor.Options(scheme, "codekem"), form, folder)
    objects = []
    for source in [name for name in names if name.suffix == ".c"]:
        objects.append(source.with_suffix(".o"))
        run(
            compiler,
            *WARNINGS,
            *ALIASING_OF.get(compiler, []),
            *flags,
            "-c",
            source,
            "-o",
            objects[-1],
        )
    return objects


def program_of(compiler, name, objects, folder):
    """Links one of the library's test programs with a copy; returns the folder of build's kind."""
    (folder / "bin").mkdir()
    include = [f"-I{folder}", *include_options()]
    program = folder / "bin" / name.stem
    run(compiler, "-O1", ALIASING, *include, name, *objects, "-o", program)
    return folder


# Of the other levels the code is the same.
KEMS = {"hqc": ["HQC-1", "HQC-5"], "bike": ["BIKE-L1"]}


@pytest.mark.long
@pytest.mark.parametrize("scheme", KEMS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_known_answers_of_a_copy(compiler, scheme, need, root, tmp_path):
    """All of them here, some on emulated processors."""
    target = COMPILERS[compiler]
    if target == "x86_64" and os.uname().machine != "x86_64":
        pytest.skip("the native compilers are expected to be for x86-64 here")
    objects = compiled(need(compiler), scheme, "file", tmp_path, "-O2")
    program_of(need(compiler), root / "tests" / "kat" / "kat_check.c", objects, tmp_path)
    prefix = [] if target == "x86_64" else emulator(target)
    for backend in BACKENDS[target]:
        for kem in KEMS[scheme]:
            run_kat_check(tmp_path, kem, backend, prefix, None if target == "x86_64" else 2)


@pytest.mark.long
@pytest.mark.parametrize("scheme", vendor.SCHEMES)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_no_warning_without_optimization(compiler, scheme, need, tmp_path):
    compiled(need(compiler), scheme, "file", tmp_path, "-O0")
    compiled(need(compiler), scheme, "file", tmp_path, "-O1", "-fsyntax-only")


@pytest.mark.long
def test_known_answers_of_a_folder(need, root, tmp_path):
    objects = compiled(need("gcc"), "hqc", "folder", tmp_path, "-O2", ALIASING)
    program_of(need("gcc"), root / "tests" / "kat" / "kat_check.c", objects, tmp_path)
    for backend in BACKENDS[os.uname().machine]:
        run_kat_check(tmp_path, "HQC-1", backend, [], 5)


@pytest.mark.long
@pytest.mark.parametrize("compiler", COMPILERS)
def test_mceliece_of_a_copy(compiler, need, root, tmp_path):
    target = COMPILERS[compiler]
    objects = compiled(need(compiler), "mceliece", "file", tmp_path, "-O2")
    source = root / "tests" / "mceliece" / "mceliece_check.c"
    program_of(need(compiler), source, objects, tmp_path)
    prefix = [] if target == "x86_64" else emulator(target)
    for backend in BACKENDS[target]:
        command = [*prefix, str(tmp_path / "bin" / "mceliece_check")]
        with Program(command, backend) as program:
            mceliece_checks.check_record(program, "mceliece348864f")
            mceliece_checks.check_ciphertexts(program, "mceliece348864")


@pytest.mark.long
@pytest.mark.parametrize("compiler", ["gcc", "clang-cl"])
@pytest.mark.parametrize("scheme", vendor.SCHEMES)
def test_a_copy_for_windows(scheme, compiler, need, tmp_path):
    """Compiled and linked; tests/platforms/test_systems.py runs the same code under Wine."""
    linker = need("x86_64-w64-mingw32-gcc")
    if compiler == "gcc":
        objects = compiled(linker, scheme, "file", tmp_path, "-O2", *WINDOWS)
    else:
        objects = compiled(need("clang-16"), scheme, "file", tmp_path, "-O1", *CLANG_CL)
    (tmp_path / "main.c").write_text(
        '#include "codekem.h"\nint main(void) { return codekem_kem_count() == 0; }\n'
    )
    # MinGW's function that touches a large stack has another name.
    link = ["-Wl,--defsym=__chkstk=___chkstk_ms", "-lbcrypt", "-o", tmp_path / "main.exe"]
    run(linker, tmp_path / "main.c", *objects, *link)
