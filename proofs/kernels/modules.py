# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From C sources to an ir.Module: compiled.py makes texts of them, the engine reads these."""

import pathlib
import re
import shutil

from proofs.kernels.compiled import Compiler
from proofs.kernels.engine.clang import FLAGS
from proofs.kernels.engine.texts import combined, read_text
from proofs.kernels.proved import name_of, version_of
from tools.source_folders import INCLUDED

# What a proof may add. These macros are for units/ alone; everything else that src/ asks for is as
# in a build (shipped.py), so that the code that is proved is the code that is built.
UNIT_MACROS = "UNIT|UNIT_(BEGIN|FOURS|OPTIONS|PLANES|QUADS|RING|TOP)"
OPTION = re.compile(
    rf"-D({UNIT_MACROS})(=\S+)?"
    r"|-march=armv8\.2-a\+crypto\+sha3"  # as cmake/isa.cmake gives it to files for SHA-3
)


# The folders of a copy in which headers are, as in src/.
BELOW = [name.removeprefix("src/") for name in INCLUDED[1:]]


def target_options(target):
    """Returns clang's options for a target, which may have more behind it."""
    name, *more = target.split()
    # What a build with clang before 16 defines (cmake/isa.cmake): tables of back ends have the row.
    sha3 = ["-DCODEKEM_HAVE_NEON_SHA3"] if name.startswith("aarch64") else []
    return [f"--target={name}", *sha3, *more]


class Sources:
    """Compiles and reads files of src/, each once.

    folder: for what is made; shared by processes are kept, for texts of modules, and proved, for
    the names of proofs.
    """

    def __init__(self, clang, root, folder, kept, proved):
        self._clang = clang
        self._compiler = Compiler(clang, root, folder, kept)
        self._root = root
        self._folder = folder
        self._proved = proved
        self._read = {}
        self._includes = {}  # of what was read: what clang says that it read

    def module(self, files, target="x86_64-linux-gnu", changed=None):
        """Returns the Module of files below src/. changed: a mistake in one of them, or None."""
        for option in target.split()[1:]:
            if not OPTION.fullmatch(option):
                raise ValueError(f"{option} could make other code than a build reads")
        return combined([self._file(name, target, changed) for name in files])

    def proved(self, module, call):
        """Returns a file that exists if this call of this code was proved before."""
        return self._proved / name_of(call, module.texts, [version_of(self._clang), *FLAGS])

    def _file(self, name, target, changed):
        includes = name.startswith("../")  # a unit of this folder includes the file of src/
        other = changed is not None and changed.file != f"src/{name}"
        if other and changed.file.endswith(".c"):
            changed = changed if includes else None  # or this file is as it was
        if other and changed is not None:
            unchanged = self._file(name, target, None)
            if changed.file not in self._includes[name, target]:
                return unchanged
        key = (name, target)
        if changed is None and key in self._read:
            return self._read[key]
        include = [self._root / name for name in (*INCLUDED, "include")]
        file = None
        if changed is not None:
            include[:0] = [self._folder / "changed" / name for name in ("", *BELOW)]
            shutil.rmtree(include[0], ignore_errors=True)
            file = changed.apply(include[0], self._root, within="src")
        text, read = self._compiler.text(name, include, target_options(target), file)
        module = read_text(text, pathlib.Path(name).stem)
        if changed is None:  # nobody else will want one with a mistake
            self._read[key] = module
            self._includes[key] = read
        return module
