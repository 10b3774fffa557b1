#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Summarises the coverage that simulations wrote, by module: lines, branches and toggles.

usage: coverage.py [--missing MODULE] FILE...    files that `packets` wrote (sim/build.py, coverage)
       --missing lists the points of a module that no simulation reached

A point counts as covered if any instance of the module reached it in any of the files. Lines are
the statements' blocks and the sides of branches; toggles are rises and falls of single bits.
"""

import collections
import pathlib
import re
import sys

KINDS = {"line": "line", "branch": "line", "toggle": "toggle"}


class CoverageError(Exception):
    """A file is not what Verilator writes; the message says what to do."""


def read(path):
    """Returns [(module, kind, where, count)] of a file of Verilator."""
    points = []
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0].startswith("# SystemC::Coverage"):
        raise CoverageError(
            f"{path} is not coverage of Verilator: make it by "
            "`packets coverage=FILE`, built with coverage"
        )
    for line in lines[1:]:
        entry = re.fullmatch(r"C '(.*)' (\d+)", line)
        if entry is None:
            raise CoverageError(f"{path} has an unknown line, write it again: {line[:80]}")
        fields = dict(part.split("\x02", 1) for part in entry.group(1).split("\x01") if part)
        kind, _, module = fields["page"].removeprefix("v_").partition("/")
        if kind in KINDS:
            where = f"{pathlib.Path(fields['f']).name}:{fields['l']}: {kind} {fields.get('o', '')}"
            # The name of a module with parameters goes on with them.
            points.append(
                (module.split("__")[0], KINDS[kind], (where, fields.get("n")), int(entry.group(2)))
            )
    return points


def merge(paths):
    """Returns {module: {"line" or "toggle": {where: count}}} of all files."""
    modules = collections.defaultdict(
        lambda: {"line": collections.Counter(), "toggle": collections.Counter()}
    )
    for path in paths:
        for module, kind, where, count in read(path):
            modules[module][kind][where] += count
    return modules


def share(points):
    """Returns how many points were reached, and how many there are."""
    return sum(count > 0 for count in points.values()), len(points)


def total(modules, kind):
    """Returns the same for all modules together."""
    shares = [share(kinds[kind]) for kinds in modules.values()]
    return sum(reached for reached, _ in shares), sum(there for _, there in shares)


def cell(reached, there):
    return f"{reached:>8}/{there:<7}" + (f"{100 * reached / there:5.1f} %" if there else "     - ")


def table(modules):
    """Returns the summary as text."""
    rows = [f"{'module':20}{'lines':>20}   {'toggles':>20}"]
    for name in sorted(modules):
        rows.append(
            f"{name:20}{cell(*share(modules[name]['line']))}   "
            f"{cell(*share(modules[name]['toggle']))}"
        )
    rows.append(f"{'all':20}{cell(*total(modules, 'line'))}   {cell(*total(modules, 'toggle'))}")
    return "\n".join(rows)


def missing(modules, name):
    """Returns the points of a module that were not reached."""
    if name not in modules:
        raise CoverageError(
            f"there is no module {name} in these files; there are " + ", ".join(sorted(modules))
        )
    return [
        where
        for points in modules[name].values()
        for (where, _), count in points.items()
        if count == 0
    ]


def main(arguments):
    module = None
    if arguments[:1] == ["--missing"] and len(arguments) > 1:
        module, arguments = arguments[1], arguments[2:]
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        modules = merge(arguments)
        print(table(modules) if module is None else "\n".join(missing(modules, module)))
    except (CoverageError, OSError) as error:
        print(f"coverage.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
