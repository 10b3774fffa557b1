# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Any build system can compile the library: all of its files alike, for any processor.

So packages of other languages compile the same sources with their own tools, and each file asks for
its instruction set itself (src/common/base/isa.h).
"""

import functools
import os

import pytest

from tests.kat_check import run_kat_check
from tools import programs
from tools.count_instructions import emulator
from tools.source_folders import include_options

# The one flag that the library needs (cmake/compile_options.cmake says why).
FLAGS = ["-O1", "-fno-strict-aliasing", *include_options()]
# Compiler, what runs its programs, and the back ends that must be there.
COMPILERS = {
    "gcc": ([], ["reference", "portable", "avx2", "avx2-vpclmul", "avx2-gfni", "avx512"]),
    "clang": ([], ["reference", "portable", "avx2", "avx2-vpclmul", "avx2-gfni", "avx512"]),
    "clang-19": ([], ["reference", "portable", "avx2", "avx2-vpclmul", "avx2-gfni", "avx512"]),
    "aarch64-linux-gnu-gcc": ("aarch64", ["reference", "portable", "neon", "neon-sha3"]),
    "arm-linux-gnueabihf-gcc": ("armv7", ["reference", "portable", "neon"]),
    "riscv64-linux-gnu-gcc": ("riscv64", ["reference", "portable", "rvv"]),
}
LIST_BACKENDS = """
#include <stdio.h>
#include "codekem.h"
int main(void) {
  for (size_t i = 0; i < codekem_backend_count(); i++) {
    printf("%s %d\\n", codekem_backend_name(i), codekem_backend_supported(i));
  }
}
"""


run = functools.partial(programs.run, AssertionError, apart=True)


@pytest.mark.long
@pytest.mark.parametrize("compiler", COMPILERS)
def test_all_files_compile_alike(compiler, need, root, tmp_path):
    if compiler in ("gcc", "clang", "clang-19") and os.uname().machine != "x86_64":
        pytest.skip("the native compilers are expected to be for x86-64 here")
    target, expected = COMPILERS[compiler]
    prefix = emulator(target) if target else []
    sources = [
        path.relative_to(root)
        for path in sorted((root / "src").rglob("*.c"))
        if path.relative_to(root).parts[1] not in ("legacy", "sofia")
    ]
    assert {"gf2x_avx512.c", "gf2x_neon.c", "gf2x_zbc.c", "gf2x_m4.c"} <= {p.name for p in sources}
    for folder in ["bin", "objects"]:
        (tmp_path / folder).mkdir()
    for number, source in enumerate(sources):  # two of them have one name
        compiled = tmp_path / "objects" / f"{number}.o"
        run(need(compiler), *FLAGS, "-c", source, "-o", compiled, cwd=root)
    objects = sorted((tmp_path / "objects").iterdir())
    (tmp_path / "list.c").write_text(LIST_BACKENDS)
    for source in [root / "tests" / "kat" / "kat_check.c", tmp_path / "list.c"]:
        program = tmp_path / "bin" / source.stem
        run(need(compiler), *FLAGS, source, *objects, "-o", program, cwd=root)
    lines = [
        line.split() for line in run(*prefix, tmp_path / "bin" / "list", cwd=root).splitlines()
    ]
    assert [name for name, _ in lines] == expected
    for backend, supported in lines:
        if supported == "1" and backend != "reference":
            for kem in ["BIKE-L1", "HQC-1"]:
                run_kat_check(tmp_path, kem, backend, prefix, record_limit=2)
