# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Models are built once for all processes, and again only if what they are made from changed."""

import contextlib
import fcntl
import functools
import hashlib
import importlib.metadata
import pathlib
import subprocess

from hardware.tests import simulated


@functools.cache
def tools():
    """Returns the versions of what builds models."""
    compiler = subprocess.run(["g++", "--version"], stdout=subprocess.PIPE, text=True, check=True)
    return [
        simulated.build.run(["--version"]),
        compiler.stdout,
        importlib.metadata.version("cocotb"),
    ]


def fingerprint(files, arguments=()):
    """Returns a digest of files, arguments and tools."""
    digest = hashlib.sha256()
    for path in map(pathlib.Path, files):
        digest.update(f"{path} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    digest.update("\n".join(map(str, [*arguments, *tools()])).encode())
    return digest.hexdigest()


@contextlib.contextmanager
def locked(folder, made_from):
    """Holds a folder alone; gives whether what is there was made from the same, by its fingerprint.

    If not, the caller makes it; when it raises nothing, that is noted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / ".made-from"
        there = stamp.exists() and stamp.read_text() == made_from
        if not there:
            stamp.unlink(missing_ok=True)
        yield there
        stamp.write_text(made_from)
