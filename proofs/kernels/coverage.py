# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which functions of the tables of operations in src/ have a proof: what the sources have, what
coverage.toml says of it, and which proofs there are."""

import dataclasses
import fnmatch
import itertools
import pathlib
import re
import tomllib

from tools.source_folders import included_as

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent.parent / "src" / "kem" / "backend.def"
# What its columns name; a name comes before those that it ends in.
BACKENDS = sorted(
    set(re.findall(r"\w+", " ".join(re.findall(r"^ {8}(\w+,.*)\)$", TABLE.read_text(), re.M)))),
    key=lambda name: (-len(name), name),
)


@dataclasses.dataclass(frozen=True, order=True)
class Kernel:
    """A function of a table of operations on a back end."""

    function: str  # struct.member
    backend: str

    def __str__(self):
        return f"{self.function} ({self.backend})"


def sources(root):
    """Returns the text of each file of src/ without comments, by its path."""
    return {
        path.relative_to(root / "src").as_posix(): re.sub(
            r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        for path in sorted((root / "src").rglob("*.[ch]"))
    }


def tables(texts):
    """Returns the names of members that are pointers to functions, of each struct that has some."""
    found = {}
    for text in texts.values():
        for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", text, re.DOTALL | re.MULTILINE):
            members = re.findall(r"\(\*(\w+)(?:\[\w+\])?\)\(", body)
            if members:
                found[name] = members
    return found


def backend_of(name):
    """Returns the back end in which the name of a table or of a file ends."""
    return next((b for b in BACKENDS if f"_{name}".endswith((f"_{b}", f"_{b}64"))), None)


def kernels(texts):
    """Returns the functions of all tables that are defined; those of a template are of the files
    that include it. A function that is there is another one or NULL in each table."""
    structs = tables(texts)
    found = set()
    pattern = re.compile(
        rf"^(?:static )?const struct ({'|'.join(structs)}) ([\w()]+) = \{{(.*?)^\}};",
        re.DOTALL | re.MULTILINE,
    )
    for path, text in texts.items():
        for struct, name, body in pattern.findall(text):
            places = [name]
            if "(" in name:
                line = f'#include "{included_as(f"src/{path}")}"'
                users = [at for at, other in texts.items() if line in other]
                places = [pathlib.PurePosixPath(at).stem for at in users]
            members = [m for m in structs[struct] if re.search(rf"\.{m}\s*=", body)]
            for place, member in itertools.product(places, members):
                found.add(Kernel(f"{struct}.{member}", backend_of(place) or place))
    return found


@dataclasses.dataclass(frozen=True)
class Entry:
    """What coverage.toml says of a kernel: patterns of proofs, and what is not proved."""

    kernel: Kernel
    proofs: tuple[str, ...]
    unproved: str | None


def read():
    """Returns the entries of coverage.toml; tables that are no kernels; and back ends that the
    proofs do not read, with the reasons."""
    data = tomllib.loads((HERE / "coverage.toml").read_text(encoding="utf-8"))
    entries = []
    for item in data["kernel"]:
        for function, backend in itertools.product(item["functions"], item["backends"]):
            member = function.rpartition(".")[2]
            proofs = [p.format(backend=backend, member=member) for p in item.get("proofs", [])]
            entries.append(Entry(Kernel(function, backend), tuple(proofs), item.get("unproved")))
    return entries, data["no_kernels"], data["unread"]


def problems(found, entries, no_kernels, unread):
    """Yields what does not fit: kernels without an entry, and entries without a kernel."""
    found = {
        kernel
        for kernel in found
        if kernel.function.partition(".")[0] not in no_kernels and kernel.backend not in unread
    }
    named = [entry.kernel for entry in entries]
    yield from (f"neither proved nor named as not proved: {k}" for k in sorted(found - {*named}))
    yield from (f"the sources have no {k}" for k in sorted({*named} - found))
    yield from (f"named twice: {k}" for k in sorted({k for k in named if named.count(k) > 1}))
    for entry in entries:
        if not entry.proofs and not entry.unproved:
            yield f"no proof and no reason: {entry.kernel}"


# --- Proofs ---------------------------------------------------------------------------------------


def matching(pattern, proofs):
    """Returns the proofs that a pattern of coverage.toml names: file: pattern of parameters, or
    file: name of a test without some."""
    file, _, parameters = pattern.partition(": ")
    wanted = [f"{file}::*[[]{parameters}]", f"{file}::{parameters}[[]]"]
    return [proof for proof in proofs if any(fnmatch.fnmatchcase(proof, w) for w in wanted)]
