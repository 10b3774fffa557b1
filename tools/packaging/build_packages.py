#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes all packages into build/packages, with SHA256SUMS and a bill of materials; `make packages`
calls it.

Each module pack_*.py of a room makes the archives of a family: pack(output) returns their paths,
and CONTAINS and HELD are what they hold of others (sbom.py, notices.py). A family that cannot be
made, for want of a tool for example, does not keep the others from being made; what is missing is
said at the end, and the exit status is 1.

usage: build_packages.py [--twice] [--allow-dirty] [--output FOLDER] [FAMILY]...
"""

import argparse
import hashlib
import importlib
import pathlib
import subprocess
import sys
import tempfile
import time

from tools.packaging import notices, package_stage

TOP = package_stage.ROOT
ROOMS = ("apps", "bindings", "tools/packaging")  # those with packers
OUTPUT = package_stage.ROOT / "build" / "packages"
SUMS = "SHA256SUMS"


def packers():
    """Returns {name of a family: its module's name} of the rooms that are there."""
    return {
        path.stem.removeprefix("pack_"): f"{room.replace('/', '.')}.{path.stem}"
        for room in ROOMS
        for path in sorted((TOP / room).glob("pack_*.py"))
    }


def families():
    """Returns the names of the packers."""
    return sorted(packers())


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digests(paths, folder):
    """Returns {path below the folder: SHA-256} of files."""
    return {path.relative_to(folder).as_posix(): sha256(path) for path in paths}


def make(family, output, twice):
    """Makes the archives of a family; returns (paths, module).

    Raises OSError if they cannot be made, or differ when they are made twice.
    """
    module = importlib.import_module(packers()[family])
    paths = [pathlib.Path(path) for path in module.pack(output)]
    if twice:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary).resolve()
            again = digests(map(pathlib.Path, module.pack(folder)), folder)
        first = digests(paths, output)
        differ = sorted(
            name for name in first.keys() | again.keys() if first.get(name) != again.get(name)
        )
        if differ:
            raise OSError(f"other bytes when made twice: {', '.join(differ)}")
    return paths, module


def make_all(names, output, twice):
    """Makes families of archives; returns ({path: family}, {family: CONTAINS}, {family: error})."""
    made, contains, errors = {}, {}, {}
    for family in names:
        start = time.monotonic()
        try:
            paths, module = make(family, output, twice)
        except (OSError, subprocess.SubprocessError) as error:
            errors[family] = str(error)
            print(f"{family}: not made", flush=True)
            continue
        made |= dict.fromkeys(paths, family)
        contains[family] = [
            *getattr(module, "CONTAINS", []),
            *notices.contains(getattr(module, "HELD", {})),
        ]
        print(f"{family}: {time.monotonic() - start:.0f} s", flush=True)
        for path in paths:
            print(f"  {path.name}  {path.stat().st_size / 1000:.0f} kB", flush=True)
    return made, contains, errors


def write_lists(output, made, contains):
    """Writes SHA256SUMS and the bill of materials of the archives made."""
    from tools.packaging import sbom  # late: the rest needs no package

    bill = output / f"codekem-{package_stage.version()}.cdx.json"
    bill.write_text(sbom.make(made, contains, output), encoding="utf-8")
    sums = digests([*made, bill], output)
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items()))
    (output / SUMS).write_text(text, encoding="ascii")
    return [bill, output / SUMS]


def remove_former(output):
    """Removes what an earlier call made and listed; other files stay."""
    sums = output / SUMS
    if sums.is_file():
        for line in sums.read_text(encoding="ascii").splitlines():
            (output / line.split("  ")[1]).unlink(missing_ok=True)
        sums.unlink()
    output.mkdir(parents=True, exist_ok=True)


def main():
    parser = argparse.ArgumentParser(description="Make all packages into build/packages.")
    parser.add_argument("--twice", action="store_true", help="make all twice and compare the bytes")
    package_stage.add_allow_dirty(parser)
    parser.add_argument("--output", type=pathlib.Path, default=OUTPUT, metavar="FOLDER")
    parser.add_argument("family", nargs="*", help=f"make these only, of {', '.join(families())}")
    arguments = parser.parse_args()
    unknown = set(arguments.family) - set(families())
    if unknown:
        parser.error(
            f"no packer for {', '.join(sorted(unknown))}; there are {', '.join(families())}"
        )
    try:
        package_stage.require_clean()
    except OSError as refused:
        print(f"build_packages: {refused}", file=sys.stderr)
        return 1
    output = arguments.output.resolve()
    remove_former(output)
    made, contains, errors = make_all(arguments.family or families(), output, arguments.twice)
    if made:
        write_lists(output, made, contains)
        print(f"{len(made)} archives, {SUMS} and a bill of materials in {output}")
    for family, error in errors.items():
        print(f"build_packages: {family} not made: {error}", file=sys.stderr)
    return 1 if errors or not made else 0


if __name__ == "__main__":
    sys.exit(main())
