# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the programs that take samples: codekem's own (C) and that of the peers (Rust)."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess

from codekem_base.errors import EvaluationError, Unavailable
from codekem_evaluation import machine

OWN = "codekem-sampler: error: "
LONGEST_SECONDS = 600  # of one batch; a program that hangs ends the same way as one that fails


@contextlib.contextmanager
def pinned(core):
    """Keeps this process, and those that it starts, on one core."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def default_core():
    """Returns the last of the fastest cores: the first one has most interrupts. None where cores
    cannot be chosen."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    allowed = os.sched_getaffinity(0)
    return max(allowed, key=lambda core: (machine.share_of_fastest(core, allowed) or 1, core))


def call(command, what, remedy):
    """Runs a program that prints JSON; raises Unavailable with its message if it fails."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_SECONDS,
        )
    except OSError as error:
        raise Unavailable(what, f"{command[0]} does not run ({error.strerror})", remedy) from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(what, f"took more than {LONGEST_SECONDS} s", remedy) from error
    if done.returncode != 0:
        raise Unavailable(what, reason_of(done), remedy)
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise Unavailable(what, "printed no JSON", remedy) from error


def reason_of(done):
    """Returns why a program failed: what it says itself, for a library in it may say more."""
    if done.returncode < 0:
        return f"was ended by {signal.Signals(-done.returncode).name}"
    lines = done.stderr.strip().splitlines() or [f"ended with status {done.returncode}"]
    own = [line for line in lines if line.startswith(OWN)]
    return (own or lines)[-1 if own else 0].removeprefix(OWN)


class Sampler:
    """codekem-sampler in a build folder."""

    REMEDY = "build again with 'make evaluate'"

    def __init__(self, build):
        self.program = pathlib.Path(build) / "bin" / "codekem-sampler"
        if not self.program.is_file():
            raise EvaluationError(f"there is no {self.program}; build it with 'make evaluate'")

    def times(self, kem, implementation, milliseconds, most, what=None, remedy=REMEDY):
        return call(
            [self.program, "times", kem, implementation, milliseconds, most],
            what or f"{kem} on {implementation}",
            remedy,
        )

    def stack(self, kem, implementation):
        return call(
            [self.program, "stack", kem, implementation],
            f"stack of {kem} on {implementation}",
            self.REMEDY,
        )

    def clock(self):
        return call([self.program, "clock"], "clock", self.REMEDY)
