#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows that nothing is lost while folders move: takes what the tree has and does, and compares.

usage: baseline.py take FILE [--parts PART,PART...]        into FILE (.json or .json.xz)
       baseline.py compare FILE [--parts PART,PART...]     the present tree with FILE
       baseline.py moves COMMIT      is the commit of renames alone, each as the list of moves says?

Parts, and what each compares (tools/baseline_parts.py says how):
    tests     every collected test, with its mark
    mistakes  every planted mistake, with who must notice it
    coverage  lines and branches of each file of src that C programs and known answers reach:
              no more may be left out than before
    objects   hashes of the objects of each source, for three processors
    packages  hashes of the members of every archive
    netlists  hashes of the cores and the system on a chip as Yosys reads them
    report    the CSV files of the report of three made-up runs

tools/baseline_moves.txt has a line "OLD -> NEW" for each file or folder that moved; the longest OLD
that fits is taken. tools/baseline_allowed.txt has a line "PART: PATTERN -- REASON" for differences
that are allowed: PATTERN is a regular expression for all of the printed line behind "PART: "; one
that fits nothing is a difference, too. In both, lines that begin with # are comments.

A part whose tools have other versions than in FILE is not judged, and that is said. The exit status
is 1 if a difference is left, 2 for wrong usage or a list that is not as it should be.
"""

import argparse
import json
import lzma
import pathlib
import re
import subprocess
import sys

from tools import baseline_parts
from tools.baseline_parts import ROOT, Moves, WrongList, lines_of

ALLOWED = ROOT / "tools" / "baseline_allowed.txt"


class Allowed:
    """The differences that are allowed."""

    def __init__(self, text):
        self._patterns = {}
        for line in lines_of(text):
            found = re.fullmatch(r"(\w+): (.+) -- (\S.*)", line)
            if found is None or found[1] not in baseline_parts.PARTS:
                raise WrongList(f"not 'PART: PATTERN -- REASON': {line}")
            try:
                self._patterns[line] = re.compile(f"{found[1]}: (?:{found[2]})")
            except re.error as error:
                raise WrongList(f"no regular expression ({error}): {line}") from error
        self._used = set()

    def has(self, difference):
        """Says whether a difference is allowed."""
        fitting = {line for line, one in self._patterns.items() if one.fullmatch(difference)}
        self._used |= fitting
        return bool(fitting)

    def unused(self, parts):
        """Returns the lines of these parts that have fitted nothing."""
        return [
            line
            for line in self._patterns
            if line not in self._used and line.partition(":")[0] in parts
        ]


# --- Comparing ------------------------------------------------------------------------------------


def changed(old, new):
    """Says how a value has changed; of a text of many lines, the first ones that differ."""
    if isinstance(old, str) and "\n" in old and isinstance(new, str):
        before, after = old.splitlines(), new.splitlines()
        pairs = zip(before, after, strict=False)
        at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(before), len(after)))
        first = [lines[at] if at < len(lines) else "(the end)" for lines in (before, after)]
        return f"line {at + 1}: {first[0]} -> {first[1]}"
    return f"{old} -> {new}"


def differences(part, old, new, moves):
    """Yields a line for each difference of two {key: value} of a part, after moves."""
    met = set()
    for key, value in old.items():
        names = baseline_parts.names_after(part, key, moves)
        now = next((name for name in names if name in new), None)
        if now is None:
            yield f"{part}: lost: {names[0]}"
            continue
        met.add(now)
        if not baseline_parts.nothing_lost(part, value, new[now], moves):
            yield f"{part}: changed: {now}: {changed(value, new[now])}"
    for key in new:
        if key not in met:
            yield f"{part}: new: {key}"


def not_judged(part, old, new):
    """Returns a sentence if versions differ, else None."""
    names = sorted(name for name in old | new if old.get(name) != new.get(name))
    if not names:
        return None
    told = "; ".join(f"{name}: {old.get(name)}, now {new.get(name)}" for name in names)
    return f"{part}: not judged: {told}"


def compare(before, parts, allowed, moves, now):
    """Prints what differs from a baseline; `now` has functions for versions and data of a part.
    Returns the number of differences that are not allowed."""
    left, judged = 0, []
    for part in parts:
        why_not = not_judged(part, before[part]["versions"], now.versions(part))
        if why_not:
            print(why_not, flush=True)
            continue
        judged.append(part)
        found = list(differences(part, before[part]["data"], now.data(part), moves))
        kept = [line for line in found if not allowed.has(line)]
        print(
            f"{part}: {len(before[part]['data'])} compared, {len(found) - len(kept)} differences "
            f"allowed, {len(kept)} left",
            flush=True,
        )
        for line in kept:
            print(f"  {line}", flush=True)
        left += len(kept)
    for line in allowed.unused(judged):
        print(f"  allowed, but there is no such difference: {line}")
        left += 1
    return left


# --- A commit of renames --------------------------------------------------------------------------


def not_as_listed(commit, moves, top=ROOT):
    """Returns what a commit does but rename files as the list of moves says."""
    said = subprocess.run(
        ["git", "diff-tree", "-r", "-z", "--no-renames", f"{commit}^", commit],
        cwd=top,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    # Each file with its mode and the hash of its content: no guess of what a file has become.
    old, new, faults = {}, {}, []
    for about, name in zip(said[::2], said[1::2], strict=False):
        old_mode, new_mode, old_hash, new_hash, status = about.removeprefix(":").split()
        if status == "D":
            old[name] = (old_mode, old_hash)
        elif status == "A":
            new[name] = (new_mode, new_hash)
        else:
            faults.append(f"changed in its place: {name}")
    for name, content in old.items():
        to = moves.path(name)
        if to == name:
            faults.append(f"not in the list of moves: {name}")
        elif to not in new:
            faults.append(f"not at its place in the list: {name} -> {to}")
        elif new.pop(to) != content:
            faults.append(f"changed as it moved: {name} -> {to}")
    return faults + [f"added: {name}" for name in new]


# --- The command ----------------------------------------------------------------------------------


def read(path):
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def write(path, content):
    text = json.dumps(content, indent=0, sort_keys=True)
    if path.suffix == ".xz":
        packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
        path.write_bytes(packed)
    else:
        path.write_text(text, encoding="utf-8")


def take(path, parts, now):
    """Writes a baseline; parts that the file has already, but which are not asked for, stay."""
    content = read(path) if path.exists() else {}
    for part in parts:
        content[part] = {"versions": now.versions(part), "data": now.data(part)}
        print(f"{part}: {len(content[part]['data'])} taken", flush=True)
        write(path, content)


def parts_of(text):
    parts = text.split(",")
    for part in parts:
        if part not in baseline_parts.PARTS:
            raise argparse.ArgumentTypeError(f"no part {part}: {', '.join(baseline_parts.PARTS)}")
    return parts


def arguments_of(words):
    parser = argparse.ArgumentParser(description=__doc__, usage="see --help")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("take", "compare"):
        command = commands.add_parser(name)
        command.add_argument("file", type=pathlib.Path)
        command.add_argument("--parts", type=parts_of, default=list(baseline_parts.PARTS))
    commands.add_parser("moves").add_argument("commit")
    return parser.parse_args(words)


def main(words):
    given = arguments_of(words)
    try:
        moves = Moves.read()
        if given.command == "moves":
            faults = not_as_listed(given.commit, moves)
            print("\n".join(faults) or f"{given.commit} moves files as listed, and nothing else")
            return 1 if faults else 0
        now = baseline_parts.Present(moves)
        if given.command == "take":
            take(given.file, given.parts, now)
            return 0
        before = read(given.file)
        parts = [part for part in given.parts if part in before]
        allowed = Allowed(ALLOWED.read_text(encoding="utf-8"))
        left = compare(before, parts, allowed, moves, now)
    except WrongList as error:
        print(f"baseline.py: {error}", file=sys.stderr)
        return 2
    print(f"{left} differences are left" if left else "nothing else differs")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
