# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which back ends 64-bit Arm gets from macOS, Windows and the BSDs, which are not here.

src/common/base/cpu.c is compiled as for these systems, with headers and functions that answer as
their documents say; the rest is the system of the emulator.
"""

import subprocess

import pytest

from tools.count_instructions import emulator
from tools.source_folders import include_options

SYSCTL = """
#include <stddef.h>
#include <string.h>
static inline int sysctlbyname(const char *name, void *value, size_t *length, void *in, size_t n) {
  (void)in, (void)n;
  if (*length != sizeof(int) || strstr(FEATURES, name) == NULL) return -1;
  *(int *)value = strstr(strstr(FEATURES, name), "=1") == strstr(FEATURES, name) + strlen(name);
  return 0;
}
"""
WINDOWS = """
#include <stdlib.h>
#include <string.h>
static inline int IsProcessorFeaturePresent(int number) {
  for (const char *at = FEATURES; *at != 0; at += strcspn(at, " "), at += strspn(at, " "))
    if (atoi(at) == number) return 1;
  return 0;
}
"""
AUXV = """
#include <string.h>
#include <stdlib.h>
#define AT_HWCAP 25
static inline int elf_aux_info(int which, void *out, int length) {
  unsigned long value = strtoul(FEATURES, NULL, 16);
  if (which != AT_HWCAP || length != sizeof value) return 22;
  memcpy(out, &value, sizeof value);
  return 0;
}
"""
MAIN = """
#include <stdio.h>
#include "base/cpu.h"
int main(void) { printf("%d %d\\n", ckem_cpu_has_neon(), ckem_cpu_has_neon_sha3()); }
"""
# What defines the system, its header and that header's text.
SYSTEMS = {
    "macos": ("__APPLE__", "sys/sysctl.h", SYSCTL),
    "windows": ("_WIN32", "windows.h", WINDOWS),
    "freebsd": ("__FreeBSD__", "sys/auxv.h", AUXV),
    "openbsd": ("__OpenBSD__", "sys/auxv.h", AUXV),
}


@pytest.mark.parametrize(
    "system, features, expected",
    [
        ("macos", "hw.optional.arm.FEAT_PMULL=1 hw.optional.arm.FEAT_SHA3=1", "1 1"),
        ("macos", "hw.optional.arm.FEAT_PMULL=1 hw.optional.arm.FEAT_SHA3=0", "1 0"),
        ("macos", "hw.optional.armv8_crypto=1 hw.optional.armv8_2_sha3=1", "1 1"),  # macOS 11
        ("macos", "", "0 0"),
        ("windows", "30 64", "1 1"),
        ("windows", "30", "1 0"),
        ("windows", "29 64", "0 0"),
        ("freebsd", "20010", "1 1"),
        ("freebsd", "10", "1 0"),
        ("openbsd", "20000", "0 0"),
    ],
)
def test_features_of_the_processor(system, features, expected, need, root, tmp_path):
    macro, header, text = SYSTEMS[system]
    (tmp_path / header).parent.mkdir(exist_ok=True)
    (tmp_path / header).write_text(f'#define FEATURES "{features}"\n{text}')
    (tmp_path / "sys").mkdir(exist_ok=True)
    (tmp_path / "sys" / "_types.h").touch()  # which gcc's own headers include on FreeBSD
    (tmp_path / "main.c").write_text(MAIN)
    common = [need("aarch64-linux-gnu-gcc"), f"-I{tmp_path}", *include_options(root)]
    program = tmp_path / "main"
    for command in [
        [*common, "-U__linux__", f"-D{macro}", "-c", root / "src/common/base/cpu.c", "-o", "cpu.o"],
        [*common, "main.c", "cpu.o", "-o", program],
    ]:
        subprocess.run(list(map(str, command)), cwd=tmp_path, check=True)
    done = subprocess.run(
        [*emulator("aarch64"), str(program)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == expected
