# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What tests/kat/conformance.c demands of every build: batches equal to single calls, rejections,
zeros after failures, clean workspaces. On each processor and system, in the profile for small
devices and without, with vectors and without.

The tests with few operations are quick; all KEMs and more operations are long.
"""

import platform

import pytest

from tests.kat_check import KEMS
from tests.platform_programs import WASM_STACK, output
from tools.count_instructions import TARGETS

LEVEL_1 = ("BIKE-L1", "HQC-1")
# Three, of which one has an unused bit; one, two; two groups and a rest of what goes side by side;
# more than seeds are drawn at a time.
FEW = [3]
MANY = [1, 2, 3, 17, 33]
ALL = ("all",)
LONG = pytest.mark.long
BACKENDS = [
    (name, backend) for name, (_, _, backends, _) in TARGETS.items() for backend in backends
]
needs_x86_64 = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="Windows, musl and WebAssembly are tested on x86-64 only"
)


def conforms(command, backend, kems, counts):
    """Runs the program; requires that each KEM was checked."""
    said = []
    for kem in kems:
        said += output(*command, backend, kem, *counts).splitlines()
    checked = [line.removesuffix(f" conforms with {backend}") for line in said]
    assert set(checked) >= set(KEMS if kems == ALL else kems) and len(set(checked)) == len(checked)
    assert all(line.endswith(f" conforms with {backend}") for line in said)


def few_and_many(cases, quick=lambda case: True, many=MANY):
    """Parameters: of each case level 1 with few operations, in `make test` if quick says so, and
    every KEM with many, long."""
    found = []
    for case in cases:
        marks = [] if quick(case) else LONG
        found += [
            pytest.param(*case, LEVEL_1, FEW, id="-".join([*case, "few"]), marks=marks),
            pytest.param(*case, ALL, many, id="-".join([*case, "many"]), marks=LONG),
        ]
    return found


# --- This processor -------------------------------------------------------------------------------

# Mistakes in what batches do are found by one build, and by one with a sanitizer.
QUICK_BUILDS = ("gcc", "asan-ubsan")
BUILDS = {
    "gcc": ("gcc", {}),
    "gcc-small": ("gcc", {"CODEKEM_SMALL": "ON", "CODEKEM_BUILD_CLI": "OFF"}),
    "clang": ("clang", {}),
    "asan-ubsan": ("asan-ubsan", {}),
    "msan": ("msan", {}),
}


@pytest.mark.parametrize(
    "name, kems, counts",
    few_and_many([(name,) for name in BUILDS], lambda case: case[0] in QUICK_BUILDS),
)
def test_this_processor(name, kems, counts, fast_backend_name, build):
    preset, options = BUILDS[name]
    program = build(preset, targets=["conformance"], **options) / "bin" / "conformance"
    conforms([program], fast_backend_name, kems, counts)


@pytest.mark.parametrize("kem", ["BIKE-L1-v4.2-aes", "HQC-1-v5.0.0", "HQC-128-2023"])
def test_other_versions(kem, fast_backend_name, build):
    """BIKE without code that hashes many inputs at once; HQC that draws and hashes otherwise."""
    program = build("gcc", targets=["conformance"]) / "bin" / "conformance"
    conforms([program], fast_backend_name, [kem], FEW)


def test_the_reference(build):
    program = build("gcc", targets=["conformance"]) / "bin" / "conformance"
    conforms([program], "reference", LEVEL_1, [2])


# --- Emulated processors --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, backend, kems, counts",
    few_and_many(BACKENDS, lambda case: case == ("aarch64", "neon"), [2, 17]),
)
def test_another_processor(name, backend, kems, counts, target):
    one = target(name)
    program = one.build(["conformance"]) / "bin" / "conformance"
    conforms([*one.emulator, program], backend, kems, counts)


# --- Other systems --------------------------------------------------------------------------------


def never(_):
    return False


@needs_x86_64
@pytest.mark.parametrize(
    "backend, kems, counts",
    few_and_many([("portable",), ("avx2",), ("avx512",)], never, many=[2, 17]),
)
@pytest.mark.parametrize("system", ["musl", "windows"])
def test_another_system(system, backend, kems, counts, request, library):
    if not library.backends()[backend]:
        pytest.skip(f"back end {backend} not run: this processor lacks it")
    wine = request.getfixturevalue("wine") if system == "windows" else []
    program = "conformance.exe" if system == "windows" else "conformance"
    folder = request.getfixturevalue(system)
    conforms([*wine, folder / "bin" / program], backend, kems, counts)


@needs_x86_64
@pytest.mark.parametrize("backend, kems, counts", few_and_many([("portable",), ("wasm",)], never))
@pytest.mark.parametrize("size", ["small", "full"])
def test_webassembly(size, backend, kems, counts, wasm, root):
    """Back end wasm: with vectors; portable: the build without them."""
    source = root / "tests" / "kat" / "conformance.c"
    command = wasm(source, WASM_STACK, simd=backend == "wasm", small=size == "small")
    conforms(command, backend, kems, counts)
