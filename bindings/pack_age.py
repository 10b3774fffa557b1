# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs age-plugin-codekem for Debian, by debhelper: one program, with all Go modules beside it.

The package is for the release and the processor of this machine. bindings/debian has the rules;
the changelog is made here, and what the copyright file says of modules of others.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from bindings import pack_go
from tools.packaging import debian, package_stage

NAME = "age-plugin-codekem"
MODULE = package_stage.ROOT / "bindings" / "go" / NAME
CONTAINS: list[tuple[str, str]] = []  # pack writes here what the program holds of others
TOOLS = {**debian.TOOLS, "go": "golang-go", "gcc": "gcc"}


def go(folder, *arguments):
    """Runs the command go in a module and returns what it prints; raises OSError if it fails."""
    done = subprocess.run(
        ["go", *arguments],
        cwd=folder,
        env=os.environ | {"GOFLAGS": "-mod=mod", "GOWORK": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"go {' '.join(arguments)}:\n{done.stderr}")
    return done.stdout


def linked():
    """Returns [(package URL, licence)] of the modules in go.mod but ours and, as cgo is there,
    wazero."""
    lines = (MODULE / "go.mod").read_text(encoding="utf-8")
    return [
        (f"pkg:golang/{path}@{version}", "BSD-3-Clause")
        for path, version in re.findall(r"^\t(\S+) (v\S+)", lines, re.MULTILINE)
        if not path.startswith(("github.com/codekem/", "github.com/tetratelabs/"))
    ]


def paragraph(files, text):
    """Returns what a copyright file of Debian says of files with a licence of others."""
    holders = re.findall(r"^ *Copyright (?:\(c\) )?(\d.*)$", text, re.MULTILINE)
    if "Apache License" in text:
        holders, name, terms = holders or ["its authors"], "Apache-2.0", []
    elif "Neither the name of" in text and holders:
        name = "BSD-3-Clause"
        _, _, rest = text.partition("\n\n")
        terms = [f" {line}".rstrip() or " ." for line in rest.strip().splitlines()]
    else:
        raise OSError(f"{files}: a licence that {__name__} does not know")
    lines = [f"Files: {files}", "Copyright: " + "\n           ".join(holders), f"License: {name}"]
    return "\n".join([*lines, *terms]) + "\n"


def copyright_of(tree):
    """Returns the copyright file: ours, then the modules in vendor and Go itself."""
    parts = [(tree / "debian" / "copyright").read_text(encoding="utf-8")]
    for path in sorted((tree / "vendor").rglob("LICENSE")):
        folder = path.parent.relative_to(tree)
        parts.append(paragraph(f"{folder}/*", path.read_text(encoding="utf-8")))
    own = pathlib.Path(go(tree, "env", "GOROOT").strip(), "LICENSE")
    linked = paragraph("debian/go-runtime", own.read_text(encoding="utf-8"))
    parts.append(
        linked.replace("License:", "Comment: Go's own library is part of the program.\nLicense:", 1)
    )
    return "\n".join(parts)


def stage(folder):
    """Makes the source package's tree in folder, with all modules; returns its path."""
    modules = pack_go.stage(folder / "go")
    tree = folder / f"{NAME}-{package_stage.version()}"
    shutil.move(modules / NAME, tree)
    first = json.loads(go(modules, "list", "-m", "-json"))["Path"]
    go(tree, "mod", "edit", f"-replace={first}=../go")
    go(tree, "mod", "vendor")
    package_stage.copy(
        package_stage.files_of("bindings/debian"), tree / "debian", "bindings/debian"
    )
    text = debian.changelog(NAME, (tree / "debian" / "control").read_text(encoding="utf-8"))
    (tree / "debian" / "changelog").write_text(text, encoding="utf-8")
    (tree / "debian" / "copyright").write_text(copyright_of(tree), encoding="utf-8")
    return tree


def pack(output):
    """Makes the package in output; returns its path in a list. Always the same bytes here.

    Raises OSError if a tool is missing, or the build fails.
    """
    package_stage.require_clean()
    debian.require(TOOLS)
    CONTAINS[:] = linked()
    with tempfile.TemporaryDirectory() as folder:
        # Debian's own Go may be too old: that which is in PATH takes its place.
        return debian.build(stage(pathlib.Path(folder)), output, "--no-check-builddeps")
