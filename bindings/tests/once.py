# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A package is built once for all processes of a test run, and again only if its files changed."""

import contextlib
import fcntl
import hashlib
import shutil


def digest_of(*folders, extra=()):
    """Returns a digest of all files below folders, and of the texts in extra."""
    digest = hashlib.sha256("\n".join(map(str, extra)).encode())
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(folder)} {content}\n".encode())
    return digest.hexdigest()


@contextlib.contextmanager
def made(folder, digest):
    """Holds folder alone; gives whether it was made with the same digest. If not, it is empty, and
    what the caller makes is kept unless the caller raises."""
    folder.mkdir(parents=True, exist_ok=True)
    lock_path = folder.with_name(folder.name + ".lock")
    with lock_path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / ".made-from"
        there = stamp.exists() and stamp.read_text() == digest
        if not there:
            shutil.rmtree(folder)
            folder.mkdir()
        yield there
        stamp.write_text(digest)
