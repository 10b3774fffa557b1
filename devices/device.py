# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs operations of the library on an emulated Cortex-M4 (devices/cortex-m4/operations.c).

QEMU's board mps2-an386 with -icount shift=6: every instruction takes 64 ns of its clock, so a timer
counts instructions, and two runs give the same numbers. They are instructions, not cycles.
"""

import pathlib
import re
import subprocess
import typing

BOARD = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "null"]
QEMU = [*BOARD, "-semihosting-config", "enable=on,target=native", "-icount", "shift=6", "-kernel"]


class Result(typing.NamedTuple):
    """What one operation gave."""

    instructions: int
    stack_bytes: int
    values: list[bytes]


class DeviceError(Exception):
    """The program on the device stopped; the message is what it printed."""


def emulator_version():
    """Returns the emulator and its settings, for results."""
    text = subprocess.run([QEMU[0], "--version"], capture_output=True, text=True, check=True).stdout
    version = text.split("version ")[1].split()[0]
    return f"qemu-system-arm {version}, mps2-an386, -icount shift=6"


def run_hosted(program, *arguments, text=None, timeout=1800):
    """Runs a program that has files and arguments (devices/cortex-m4/hosted.ld); returns what it
    printed."""
    words = "".join(f",arg={word}" for word in [pathlib.Path(program).name, *arguments])
    done = subprocess.run(
        [*BOARD, "-semihosting-config", f"enable=on,target=native{words}", "-kernel", str(program)],
        input=text or "",
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    if done.returncode != 0:
        raise DeviceError(f"status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def build_plugin(folder):
    """Builds devices/trace_plugin.c in a folder; returns the plugin."""
    plugin = pathlib.Path(folder) / "libtrace_plugin.so"
    here = pathlib.Path(__file__).parent
    subprocess.run(
        [
            "gcc",
            "-O2",
            "-shared",
            "-fPIC",
            f"-I{here.parent / 'tools'}",
            "-o",
            plugin,
            here / "trace_plugin.c",
        ],
        check=True,
    )
    return plugin


def run(program, operations, timeout=600, plugin=None, traces=None, profiles=None):
    """Runs operations, each a tuple of words and values, and returns their Results. With a plugin
    (build_plugin), appends the digest of each measured call to traces, and how often it ran the
    instruction at each address to profiles."""
    lines = [
        " ".join(word.hex() if isinstance(word, bytes) else word for word in operation)
        for operation in operations
    ]
    plugins = []
    if plugin is not None:
        options = "" if profiles is None else ",profile=on"
        plugins = ["-d", "plugin", "-plugin", f"{plugin}{options}"]
    done = subprocess.run(
        [QEMU[0], *plugins, *QEMU[1:], str(program)],
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    answers = done.stdout.splitlines()
    if done.returncode != 0 or len(answers) != len(lines):
        last = answers[-1] if answers else done.stderr.strip()
        raise DeviceError(
            f"status {done.returncode} after {len(answers)} answers to {len(lines)} "
            f"operations: {last}"
        )
    if traces is not None:
        # The first of the two lines belongs to the empty call.
        traces += re.findall(r"^trace \d+ \w+\ntrace \d+ (\w+)$", done.stderr, re.MULTILINE)
    if profiles is not None:
        parts = re.split(r"^trace .*$", done.stderr, flags=re.MULTILINE)[1:-1:2]
        profiles += [
            {
                int(address, 16): int(count)
                for address, count in re.findall(r"^at (\w+) (\d+)$", part, re.MULTILINE)
            }
            for part in parts
        ]
    results = []
    for answer in answers:
        word, instructions, stack_bytes, *values = answer.split(" ")
        assert word == "ok", answer
        results.append(
            Result(int(instructions), int(stack_bytes), [bytes.fromhex(value) for value in values])
        )
    return results
