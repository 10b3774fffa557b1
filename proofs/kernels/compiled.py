# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What clang makes of C sources, as the text of a module. It is kept, for all processes and later
runs, together with hashes of all files that clang read: while these are the same, nothing is
compiled again."""

import functools
import gzip
import hashlib
import json
import os
import pathlib
import re
import time

from proofs.kernels.engine.clang import FLAGS, run, text_of
from proofs.kernels.proved import version_of

# A header whose reading takes longer than most files, so that it is precompiled, and the names of
# files that read it. It is the same for these, and others do not get it.
VECTORS = re.compile(r"_(avx2|vpclmul|gfni|avx512|neon(32|64|_sha3)?)\.c$|^\.\./.*/units/")
HEADERS = {"x86_64": "immintrin.h", "aarch64": "arm_neon.h"}
FILE_CLOCK = 1  # seconds by which the clock of files may be behind


class Compiler:
    """Compiles for files below root. folder: for this process; kept: what all of them share."""

    def __init__(self, clang, root, folder, kept):
        self._clang = clang
        self._root = root
        self._folder = folder
        self._kept = kept
        self._precompiled = {}  # by options: options that name a header, and what it was made from

    def text(self, name, include, options, changed=None):
        """Returns the text of the module of a file, which is in one of the folders `include`, and
        the list of the files that clang read. changed: a file of the first folder with a mistake,
        or None; what else clang reads has none."""
        parts = [version_of(self._clang), *FLAGS, *options, name]
        parts += [] if changed is None else [changed.name, changed.read_text(encoding="utf-8")]
        kept = self._kept / hashlib.sha256("\0".join(parts).encode()).hexdigest()
        if kept.exists():
            found = json.loads(gzip.decompress(kept.read_bytes()))
            if all(self._hash(path) == right for path, right in found["hashes"].items()):
                return found["text"], found["read"]
        begun = time.time() - FILE_CLOCK
        found = self._compiled(name, include, options)
        own = None if changed is None else os.path.relpath(include[0], self._root)
        paths = {path for path in found.pop("of") if own is None or not is_below(path, own)}
        found["hashes"] = {path: self._hash(path) for path in sorted(paths)}
        if all((self._root / path).stat().st_mtime < begun for path in paths):  # as clang read them
            put(kept, gzip.compress(json.dumps(found).encode(), compresslevel=1))
        return found["text"], found["read"]

    def _compiled(self, name, include, options):
        """Returns the text of a file, what clang read, and that with what is in its header."""
        source = next(path / name for path in include if (path / name).exists())
        output = self._folder / f"{pathlib.Path(name).stem}.bc"
        header, before = self._header(options) if VECTORS.search(name) else ([], [])
        places = [f"-I{os.path.relpath(folder, self._root)}" for folder in include]
        read = self._run([*options, *header, *places, "-c", "-emit-llvm"], source, output)
        return {"text": text_of(output), "read": read, "of": [*read, *before]}

    def _header(self, options):
        """Returns options that give a file the header with vectors, and the files it is made of."""
        target = tuple(option for option in options if not option.startswith("-D"))
        if target not in self._precompiled:
            name = HEADERS[target[0].removeprefix("--target=").partition("-")[0]]
            output = self._folder / f"header-{len(self._precompiled)}.pch"
            options = [*target, "-include", name, "-x", "c-header"]
            read = self._run(options, pathlib.Path(os.devnull), output)
            self._precompiled[target] = (["-include-pch", str(output.absolute())], read)
        return self._precompiled[target]

    def _run(self, options, source, output):
        """Compiles a file, of whose output the path of the project is no part, and returns the list
        of the files that clang read."""
        output.parent.mkdir(parents=True, exist_ok=True)
        listing = output.with_suffix(".d")
        command = [self._clang, *FLAGS, *options, "-MD", "-MF", str(listing.absolute())]
        name = os.path.relpath(source, self._root)
        run([*command, name, "-o", str(output.absolute())], self._root)
        words = listing.read_text(encoding="utf-8").replace("\\\n", " ").split()
        words = [word for word in words[1:] if not word.endswith((".pch", os.devnull))]
        return [word if os.path.isabs(word) else os.path.normpath(word) for word in words]

    def _hash(self, path):
        """Returns a hash of a file as it is now, or a word if it is not there."""
        file = (self._root / path).absolute()
        if not file.is_file():
            return "none"
        status = file.stat()
        return hash_of(file, status.st_mtime_ns, status.st_size)


@functools.cache
def hash_of(path, time_ns, size):
    """Returns a hash of a file that was last written at a time."""
    del time_ns, size
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_below(path, folder):
    """Tells whether a path is in a folder."""
    return pathlib.PurePath(path).is_relative_to(folder)


def put(path, raw):
    """Writes a file at once, so that another process sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(f".{os.getpid()}")
    half.write_bytes(raw)
    half.replace(path)
