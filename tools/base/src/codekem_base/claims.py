# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files that one process alone writes, from reading them to its end.

Campaigns and runs replace their whole file again and again: of two processes on one file, the work
of one would be lost. So a lock beside the file says who has it. Not every network file system
locks between machines; so before a file is replaced, it must be the one that was seen last.
"""

import contextlib
import datetime
import errno
import fcntl
import json
import os
import pathlib
import socket

from codekem_base import files, paths
from codekem_base.errors import EvaluationError


class Taken(EvaluationError):
    """Another process has the file."""


HELD = {}  # {path: what was seen of the file last}, of this process
UNABLE = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)  # a file system without locks


def lock_of(path):
    return path.with_name(f".{path.name}.lock")


def state_of(path):
    """Returns what tells one version of a file from another; None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def owner_of(lock):
    """Returns in words who holds a lock."""
    try:
        told = json.loads(lock.read_text(encoding="utf-8"))
        return "process {process} on {host} since {since}".format(**told)
    except (OSError, ValueError, KeyError, TypeError):  # it is about to write, or has just ended
        return "another process"


def locked(lock):
    """Opens a lock file and locks it; returns its descriptor, or None if another process has it."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in UNABLE:
                return descriptor
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                return None
            raise
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        os.close(descriptor)  # its owner has just ended and taken it away


@contextlib.contextmanager
def held(path):
    """Keeps other processes of this project from writing a file; says which one has it already."""
    path = pathlib.Path(path).resolve()
    lock = lock_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = locked(lock)
    except OSError as error:
        raise EvaluationError(
            f"cannot write {lock}: {error.strerror}; choose another place"
        ) from error
    if descriptor is None:
        raise Taken(
            f"{paths.short(path)} is being written by {owner_of(lock)}; wait for its end, or name "
            "another file with --out"
        )
    now = datetime.datetime.now(datetime.UTC).isoformat(" ", "seconds").removesuffix("+00:00")
    told = {"process": os.getpid(), "host": socket.gethostname(), "since": f"{now} UTC"}
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps(told).encode())
        HELD[path] = state_of(path)
        yield
    finally:
        HELD.pop(path, None)
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def write_text(path, text):
    """Writes a file as a whole; one that is held only if it is the one that was seen last."""
    path = pathlib.Path(path).resolve()
    if path in HELD and state_of(path) not in (None, HELD[path]):
        aside = path.with_name(f"{path.stem}-{socket.gethostname()}-{os.getpid()}{path.suffix}")
        files.write_text(aside, text)
        raise EvaluationError(
            f"{paths.short(path)} was written by another process meanwhile and is left as it is; "
            f"what this one has is in {paths.short(aside)}"
        )
    files.write_text(path, text)
    if path in HELD:
        HELD[path] = state_of(path)
