# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No secret is divided: the machine code of all that ships has the divisions of
public_divisions.py and no others, whatever the compiler and the processor."""

import re
import shutil
import subprocess

import pytest

from tests.checked_builds import COMPILERS, OPTIMISATIONS, build_checked
from tests.machine_code import (
    NOT_CONSTANT_TIME,
    divisions,
    objects_that_divide,
    shipped_objects,
)
from tests.public_divisions import LISTED, check, complaints
from tests.written_divisions import source_of
from tools import house, mistakes
from tools.count_instructions import TARGETS
from tools.source_folders import include_options

LIBRARIES = [
    f"codekem_{name}" for name in ("objects", "hybrid", "legacy", "masked", "mceliece", "sofia")
]
X86_64 = ("avx2", "avx512")


# --- This processor -------------------------------------------------------------------------------


def test_library_as_it_is_built(build, root, tmp_path):
    """With the provider and the encoding of keys, where apps/ is there."""
    folder = build("gcc")
    found = check(folder, root, tmp_path, *X86_64)
    shipped = {"apps/key-encoding/key_der.c", "apps/openssl-provider/kem.c"}
    assert not house.is_there("apps") or shipped <= set(shipped_objects(folder, root))
    assert ("mceliece/pages.c", "make_rows") in found


@pytest.mark.long
def test_library_as_clang_builds_it(build, root, tmp_path):
    check(build("clang", targets=LIBRARIES), root, tmp_path, *X86_64)


@pytest.mark.long
def test_library_for_size(build, root, tmp_path):
    """gcc divides by constants only here; and with assertions."""
    folder = build("gcc", targets=LIBRARIES, CMAKE_C_FLAGS_RELEASE="-Os")
    found = check(folder, root, tmp_path, *X86_64)
    assert ("kem/gf2x/avx512/gf2x_mul_avx512.c", "add_product_of_thirds") in found


ALL = [(compiler, optimisation) for compiler in COMPILERS for optimisation in OPTIMISATIONS]
# Divisions that these builds do not have: in assertions, and what compilers avoid here.
ELSEWHERE = {
    ("kem/gf2x/avx2/gf2x_power_avx2.c", "ckem_gf2x_power_apply_avx2"),
    ("mceliece/goppa/gf2m/gf2m_transform.template.h", "gf2m_power_sums"),
    ("kem/gf2x/gf2x_power.c", "read_row"),
}


@pytest.mark.long
def test_library_with_each_compiler(build, root, tmp_path):
    found = set()
    for number, (compiler, optimisation) in enumerate(ALL):
        folder = build_checked(build, "valgrind", compiler, optimisation)
        into = tmp_path / str(number)
        into.mkdir()
        found |= check(folder, root, into, *X86_64)
    listed = {(file, name) for file, functions in LISTED.items() for name in functions}
    own = {(file, name) for file, name in listed if not re.search(r"_(m4|wasm)\.", file)}
    assert own - found <= ELSEWHERE, "exceptions that are not needed any more"


# --- Others ---------------------------------------------------------------------------------------


def linux_toolchain(folder):
    """Returns an option for clang 14, which takes the bare-metal gcc-riscv64-unknown-elf for that
    of Linux where both are installed: a folder in which there is only the right one."""
    link = folder / "lib" / "gcc-cross" / "riscv64-linux-gnu"
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.symlink_to("/usr/lib/gcc-cross/riscv64-linux-gnu")
    return f"--gcc-toolchain={folder}"


AES = ("src/legacy/aes_sha2.c",)  # needs OpenSSL
# The instruction sets of each, beside portable code.
SETS = {
    "aarch64": ("neon", "neon64", "neon_sha3"),
    "armv7": ("neon", "neon32"),
    "riscv64": ("rvv",),
    "riscv64-zbc": ("zbc", "rvv"),
    "s390x": (),
    "i686": (),
}


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
def test_library_elsewhere(name, build, need, root, tmp_path):
    """On 32 bits, divisions of 64 are calls; `make test` has devices/tests/test_divisions.py."""
    objdump = need(f"{TARGETS[name][1]}-objdump")
    folder = build(name, targets=LIBRARIES)
    check(folder, root, tmp_path, *SETS[name], objdump=objdump, without=AES)


@pytest.mark.long
@pytest.mark.parametrize("name", ["aarch64", "armv7", "riscv64", "riscv64-zbc"])
def test_library_elsewhere_with_clang(name, build, need, root, tmp_path):
    objdump = need(f"{TARGETS[name][1]}-objdump")
    flags = ["-march=rv64gc_zbc"] if name == "riscv64-zbc" else []
    if name.startswith("riscv64"):
        flags.append(linux_toolchain(build.folder("riscv64-gcc")))
    options = {"CMAKE_C_COMPILER": "clang", "CMAKE_C_FLAGS": " ".join(flags)}
    folder = build(name, targets=LIBRARIES, **options)
    check(folder, root, tmp_path, *SETS[name], objdump=objdump, without=AES)


@pytest.mark.long
def test_module_of_the_go_package(build, need, root, tmp_path):
    folder = build(
        "wasm32",
        targets=["codekem_static"],
        CODEKEM_CHECK="wasm",
        CMAKE_C_FLAGS="-msimd128",
        CMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG",
    )
    without = ("src/hybrid/", "src/legacy/", "src/mceliece/", "src/sofia/")
    check(folder, root, tmp_path, "wasm", objdump=need("llvm-objdump"), without=without)


# --- Planted divisions ----------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", mistakes.cases("constant_time/divisions"))
def test_planted_division_is_reported(mistake, need, root, tmp_path):
    """`by` each of these compilers; `compiled` is the file that shows it, if it is another one."""
    shutil.copytree(root / "src", tmp_path / "src")
    assert complaints(set(), tmp_path) == []
    mistake.apply(tmp_path)
    source_of.cache_clear()
    for number, command in enumerate(mistake.by.split(", ")):
        compiler, *flags = command.split()
        output = tmp_path / f"{number}.o"
        run = [need(compiler), *flags, "-g1", "-std=gnu11", "-DCODEKEM_BUILDING"]
        run += [
            "-DCODEKEM_HAVE_M4",
            *include_options(tmp_path),
            f"-I{root / 'include'}",
            "-c",
            tmp_path / mistake.more.get("compiled", mistake.file),
        ]
        subprocess.run([*run, "-o", output], check=True, cwd=tmp_path)
        objdump = re.sub(r"(gcc|clang)$", "objdump", compiler).removeprefix("clang")
        assert objects_that_divide([output], objdump) == [output]
        lines = complaints(divisions(output, tmp_path, objdump), tmp_path)
        assert any(mistake.more["says"] in line for line in lines), (command, lines)


def test_division_is_found(build, root):
    objects = build_checked(build, "valgrind", "gcc", "-O2") / "tests" / "harness"
    (leak,) = objects.rglob("taint_leaky.dir/planted.c.o")
    assert ("tests/harness/planted.c", "leak_by_division") in divisions(leak, root)


def test_files_of_the_reference_are_there(root):
    assert {name for name in NOT_CONSTANT_TIME if not (root / name).is_file()} == set()
