# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory and size: the stack that operations take, and the bytes of code and tables."""

import pathlib
import re

from codekem_base.errors import Unavailable
from codekem_evaluation import machine

OBJECTS = "CMakeFiles/codekem_objects.dir/src"
MCELIECE = ("CMakeFiles/codekem_mceliece.dir/src", "CMakeFiles/codekem_code_mathematics.dir/src")
LIBRARY = re.compile(r"^(common|kem|mceliece/goppa|sofia(?=/mq4))/|^\./")  # holds the folders
CODE = re.compile(r"^\.text")
TABLES = re.compile(r"^\.(rodata|data)")  # .data.rel.ro: constants with addresses in them


def stack(program, subjects):
    """Yields the rows of a run's stack; subjects are pairs of KEM and back end."""
    for kem, backend in subjects:
        for operation, size in program.stack(kem, backend).items():
            yield {"kem": kem, "implementation": backend, "operation": operation, "bytes": size}


def sections(paths):
    """Returns {object: (bytes of code, bytes of tables)} as `size` tells."""
    text = machine.output_of(["size", "-A", *map(str, paths)])
    if text is None:
        raise Unavailable("code size", "size does not run", "install binutils")
    found, name = {}, None
    for line in text.splitlines():
        if head := re.match(r"(\S+\.o)\s*:", line):
            name = head.group(1)
            found[name] = (0, 0)
        elif (row := re.match(r"(\.\S+)\s+(\d+)\s", line)) and name is not None:
            code, tables = found[name]
            size = int(row.group(2))
            found[name] = (
                code + size * bool(CODE.match(row.group(1))),
                tables + size * bool(TABLES.match(row.group(1))),
            )
    return found


def code(build, backends):
    """Returns the rows of a run's code: one for each folder of src/ and back end."""
    root, *others = [pathlib.Path(build) / folder for folder in (OBJECTS, *MCELIECE)]
    objects = sorted(root.glob("**/*.o"))
    if not objects:
        raise Unavailable("code size", f"there are no objects in {root}", "build with CMake")
    for folder in others:
        objects += sorted(folder.glob("**/*.o"))
    rows = {}
    for name, (code_bytes, table_bytes) in sections(objects).items():
        path = pathlib.Path(name)
        (below,) = [path.relative_to(top) for top in (root, *others) if path.is_relative_to(top)]
        folders = LIBRARY.sub("", f"{below.parent.as_posix()}/").split("/")
        part = folders[0] or "entry points"
        stem = path.name.split(".")[0]
        backend = max(
            (name for name in backends if stem.endswith(f"_{name}")), key=len, default=None
        )
        row = rows.setdefault(
            (part, backend),
            {"part": part, "backend": backend, "code_bytes": 0, "table_bytes": 0, "objects": []},
        )
        row["code_bytes"] += code_bytes
        row["table_bytes"] += table_bytes
        row["objects"].append(path.name)
    return list(rows.values())
