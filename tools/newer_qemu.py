# SPDX-License-Identifier: Apache-2.0 OR MIT
"""QEMU 8.2 or later, for RISC-V with Zvbc, and which instructions a program runs under it.

Debian builds these emulators without plugins, so tests/platforms/trace_plugin.c cannot be used.
Their log names each instruction that is executed, but not what memory it reads.
"""

import hashlib
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEEDED = (8, 2)
# Where a case begins in the log, whatever gcc has made of the function.
RUN = re.compile(rb" run_marked(\.[a-z0-9.]+)?\n$")
PROCESSOR = ["-cpu", "rv64,v=true,vlen=128,zvbc=true", "-L", "/usr/riscv64-linux-gnu"]


def version(program):
    said = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True)
    ((major, minor),) = re.findall(r"version (\d+)\.(\d+)", said.stdout)
    return int(major), int(minor)


def qemu_riscv64():
    """Returns the path of the emulator, the system's or that of tools/setup.sh; None without."""
    found = [shutil.which("qemu-riscv64"), ROOT / "build" / "tools" / "usr/bin/qemu-riscv64"]
    for program in found:
        if program is not None and pathlib.Path(program).exists() and version(program) >= NEEDED:
            return str(program)
    return None


def paths(emulator, program, arguments):
    """Runs marked_kems; returns (instructions, digest of their addresses) of each case."""
    command = [*emulator, "-one-insn-per-tb", "-d", "exec,nochain", program, *arguments]
    rows = []
    digest = None
    with subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as run:
        assert run.stderr
        for line in run.stderr:
            if digest is None:
                if RUN.search(line):
                    digest, count = hashlib.sha256(), 0
            elif line.endswith((b" watch\n", b" option\n")):
                rows.append((count, digest.hexdigest()))
                digest = None
            else:
                digest.update(line.split(b"/", 2)[1])
                count += 1
    assert run.returncode == 0
    return rows
