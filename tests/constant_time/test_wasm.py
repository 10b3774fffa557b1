# SPDX-License-Identifier: Apache-2.0 OR MIT
"""WebAssembly: what engines are given has no branch, no select and no address from a secret.

Engines may run a `select` as a branch, and compilers make it of masks whose origin they know. Here
wasm2c turns the module into C in which a select is `?:`. Compiled without optimisation, that is a
branch, and valgrind reports it if it depends on a secret. Nobody can check what an engine makes of
the rest; docs/security.md says more.
"""

import fcntl
import pathlib
import subprocess

import pytest

REPORTED = 99
CALLED = [
    "codekem_backend_select",
    "codekem_kem_at",
    "codekem_kem_check_secret_key",
    "codekem_kem_count",
    "codekem_kem_decaps",
    "codekem_kem_encaps_derand",
    "codekem_kem_keypair_derand",
]
CASES = 6  # lines that the harness prints for a KEM
KEMS = ["BIKE-L1", "BIKE-L3", "BIKE-L5", "HQC-1", "HQC-3", "HQC-5"]
OPTIMISATIONS = ["-O2", "-O3", "-Os"]
SHORT = [("BIKE-L1", "-O3"), ("HQC-1", "-O3"), ("HQC-1", "-Os")]


def run(*command, cwd):
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"


@pytest.fixture
def harness(build, need, root):
    """harness(optimisation, flags="") returns ct_harness with the library as WebAssembly."""
    runtime = pathlib.Path(need("wasm2c")).resolve().parent.parent / "share" / "wabt" / "wasm2c"

    def make(optimisation, flags=""):
        folder = build(
            "wasm32",
            targets=["codekem_static"],
            CODEKEM_CHECK="wasm",
            CMAKE_C_FLAGS=flags,
            CMAKE_C_FLAGS_RELEASE=f"{optimisation} -DNDEBUG",
        )
        with (folder / ".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            link(folder, need)
            sources = [
                root / "tests" / "constant_time" / f"{name}.c"
                for name in ["wasm_library", "ct_harness", "secrets"]
            ]
            run(
                *[need("gcc"), "-std=gnu11", "-O0", "-g1", "-gdwarf-4", "-DCODEKEM_CHECK_VALGRIND"],
                *["-DWASM_RT_MEMCHECK_SIGNAL_HANDLER=0", "-I.", f"-I{runtime}"],
                *[f"-I{root / 'include'}", "module.c", runtime / "wasm-rt-impl.c", *sources],
                *["-lm", "-o", "ct_wasm"],
                cwd=folder,
            )
        return folder / "ct_wasm"

    return make


def link(folder, need):
    """Links the module with what the harness calls, and turns it into C."""
    run(
        *[need("clang-19"), "--target=wasm32-wasi", "-nostartfiles", "-Wl,--no-entry"],
        *["-Wl,-z,stack-size=524288", "-Wl,--stack-first"],
        *[f"-Wl,--export={name}" for name in CALLED],
        *["libcodekem.a", "-o", "module.wasm"],
        cwd=folder,
    )
    run(need("wasm2c"), "module.wasm", "-n", "codekem", "-o", "module.c", cwd=folder)


def watch(program, kem, need):
    """Returns the status, the lines that the harness printed, and valgrind's reports."""
    done = subprocess.run(
        [
            *[need("valgrind"), "-q", f"--error-exitcode={REPORTED}"],
            *[program, "portable", "--kem", kem],
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "kem, optimisation",
    [
        pytest.param(*case, marks=[] if case in SHORT else pytest.mark.long)
        for case in [(kem, optimisation) for kem in KEMS for optimisation in OPTIMISATIONS]
    ],
)
def test_no_branch_and_no_select_on_a_secret(kem, optimisation, harness, need):
    status, lines, reports = watch(harness(optimisation), kem, need)
    assert status == 0, reports[-5000:]
    assert len(lines) == CASES


BARRIER = "return UINT64_C(0) - ct_barrier_u64(x & 1);"
TOO_LATE = "return ct_barrier_u64(UINT64_C(0) - (x & 1));"


@pytest.mark.slow
def test_select_on_a_secret_is_reported(harness, build, need, root):
    """With the barrier behind the negation clang makes selects of masks."""
    text = (root / "src" / "base" / "ct.h").read_text()
    for bits in ["64", "32"]:
        before = BARRIER.replace("64", bits)
        assert text.count(before) == 1, "src/base/ct.h has changed"
        text = text.replace(before, TOO_LATE.replace("64", bits))
    header = build.folder("wasm-mistake") / "ct.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(text)
    status, _, reports = watch(harness("-O3", f"-include {header}"), "BIKE-L1", need)
    assert status == REPORTED, reports
    assert "bike_decaps" in reports


def test_module_needs_nothing_from_outside(harness, need):
    """But the function that declassifies, which only checked builds have."""
    folder = harness("-O3").parent
    done = subprocess.run(
        [need("wasm-objdump"), "-x", "-j", "Import", folder / "module.wasm"],
        capture_output=True,
        text=True,
        check=True,
    )
    imports = [line for line in done.stdout.splitlines() if " <- " in line]
    assert [line.split(" <- ")[1] for line in imports] == ["codekem_check.declassify"]
