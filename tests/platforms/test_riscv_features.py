# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Whether RISC-V gets its back ends from the system call riscv_hwprobe, which the emulator lacks.

src/common/base/cpu.c is compiled with a call that answers as the kernel's documents say.
"""

import subprocess

import pytest

from tools.count_instructions import emulator
from tools.source_folders import include_options

MAIN = """
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/cpu.h"
struct pair {
  int64_t key;
  uint64_t value;
};
long answer(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  struct pair *pair = va_arg(arguments, struct pair *);
  const size_t pairs = va_arg(arguments, size_t);
  const size_t processors = va_arg(arguments, size_t); /* 0 and NULL: all */
  const void *set = va_arg(arguments, const void *);
  const unsigned flags = va_arg(arguments, unsigned);
  va_end(arguments);
  if (number != 258 || !KNOWN) return -1;
  if (pairs != 1 || processors != 0 || set != NULL || flags != 0) abort();
  pair->value = pair->key == 4 ? EXTENSIONS : 0;
  return 0;
}
int main(void) {
  printf("%d %d %d\\n", ckem_cpu_has_rvv(), ckem_cpu_has_rvv_zvbc(), ckem_cpu_has_zbc());
}
"""
V, ZBC, ZVBC = 1 << 2, 1 << 7, 1 << 18
WITH_V, WITHOUT_V = "rv64,v=true,vext_spec=v1.0", "rv64"


@pytest.mark.parametrize(
    "known, extensions, processor, expected",
    [
        (1, V, WITH_V, "1 0 0"),
        (1, ZBC, WITHOUT_V, "0 0 1"),
        (1, V | ZBC, WITH_V, "1 0 1"),
        (1, V | ZVBC, WITH_V, "1 1 0"),
        (1, ZVBC, WITHOUT_V, "0 0 0"),
        (1, 0, WITH_V, "0 0 0"),  # the call knows better than HWCAP
        (0, V | ZVBC, WITH_V, "1 0 0"),  # before Linux 6.4: HWCAP
        (0, V, WITHOUT_V, "0 0 0"),
    ],
)
def test_extensions_of_the_processor(known, extensions, processor, expected, need, root, tmp_path):
    (tmp_path / "main.c").write_text(MAIN)
    program = tmp_path / "main"
    command = [
        need("riscv64-linux-gnu-gcc"),
        *include_options(root),
        f"-DKNOWN={known}",
        f"-DEXTENSIONS={extensions}",
        "-Dsyscall=answer",
        root / "src/common/base/cpu.c",
        "main.c",
        "-o",
        program,
    ]
    subprocess.run(list(map(str, command)), cwd=tmp_path, check=True)
    run = emulator("riscv64")
    run[run.index("-cpu") + 1] = processor
    done = subprocess.run([*run, str(program)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected
