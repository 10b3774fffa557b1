#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stored results and what they were made from: finds those that are stale, and makes them anew.

usage: stored_results.py            say which stored results are stale, and how to make them anew
       stored_results.py make [--peer NAME=FOLDER]...
                                    make them anew, quick ones first, then the tables in docs/;
                                    results of RacingBIKE, pqc-hqc-hardware, pqm4 and mupq need
                                    checkouts of these, those of mceliece-arm-m4 a built copy
       stored_results.py tables     write the tables in docs/ from the results

Areas, routed clocks and counts of instructions are the same on every machine with the same tools.
Each row of them, and each file of times, has "made_from": {"measured", "script", "by"}: hashes of
what was measured (programs and netlists, tools/artefacts.py) and of the parts of the script that
decide the figures, and the tools that made what was measured. With others than these a row is not
judged, which is said; nor is it where the room of its programs has been deleted. Where "by" ends
with "; of earlier sources", the row says itself that it is stale, and the tables mark it.

A stale area or count is an error. Times depend on the machine, and measuring them again takes a
quiet one: stale times are a warning, and `make` only says the command. `make stale` has the graph
make what was measured before (tools/made.cmake).
"""

import argparse
import json
import pathlib
import subprocess
import sys
import typing

from tools import artefacts, house, result_tables
from tools.artefacts import Netlist, NotHereError, Program
from tools.flow import areas
from tools.result_kinds import KINDS, Kind
from tools.result_scripts import PINNED

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Files in hardware/results of one kind each.
NAMED = ("flips", "glitches", "leakage", "masked", "masked_leakage", "silicon")
ROOMS = ("hardware", "devices", "apps")  # with results; hls/ has a command of its own


class Stale(typing.NamedTuple):
    """A stored result that the present tree would not make, or that cannot be judged here."""

    name: str
    reason: str
    kind: Kind
    command: tuple
    is_judged: bool = True
    is_marked: bool = False  # says itself that it is of earlier sources

    @property
    def word(self):
        if self.is_marked:
            return "earlier"
        if not self.is_judged:
            return "not judged"
        return "warning" if self.kind.is_time else "stale"


def made_from(kind, row, netlist_digest=None, folder=None):
    """Returns what a row of a kind (a key of KINDS) carries as "made_from", for the present tree.

    netlist_digest: makes the hash of a netlist, where the graph has not made it yet; folder: of the
    programs, if the graph's was not measured.
    """
    parts, tools = [], []
    for one in KINDS[kind].measured(row):
        if folder is not None and isinstance(one, Program):
            one = one._replace(folder=folder)
        tools.append(one.made_by())
        is_new = isinstance(one, Netlist) and netlist_digest is not None
        parts.append(netlist_digest(one) if is_new else one.digest())
    return {
        "measured": artefacts.digest(json.dumps(parts)),
        "script": artefacts.script_digest(KINDS[kind].script),
        "by": ", ".join(filter(None, tools)),
    }


def made_by(kind, row):
    """Returns the tools by which this machine makes what a row has measured."""
    return ", ".join(filter(None, (one.made_by() for one in KINDS[kind].measured(row))))


def kind_of(path, row):
    """Returns the kind of a row of a file, a key of KINDS."""
    folder = path.relative_to(ROOT).parts
    if folder[0] == "hardware":
        if row.get("core", "").startswith("joint"):
            return "joint"
        is_named = {"peers", "soc"} & set(folder) or path.stem in NAMED
        return path.stem if is_named else "route" if "module" in row else "area"
    if folder[0] == "apps":
        return "tls"
    if "functions" in row:
        return "functions"
    if row["target"] != "cortex-m4":
        return "count"
    ours = {"mceliece": "mceliece-m4", "masked": "masked-m4"}.get(path.stem, "cortex-m4")
    return {"ches2021": "ches2021", "pqm4-m4f": "pqm4"}.get(row["backend"], ours)


def files():
    """Returns the stored results."""
    return sorted(
        path
        for part in ROOMS
        for name in ("*.json", "areas.csv")
        for path in (ROOT / part).rglob(f"results/**/{name}")
        if "build" not in path.relative_to(ROOT).parts
    )


def rows_of(path):
    """Returns the rows of a file of stored results."""
    if path.suffix == ".csv":
        return areas.read(path.parent)
    document = json.loads(path.read_text(encoding="utf-8"))
    return document if isinstance(document, list) else [document]


NAMES = (
    *("target", "kem", "backend", "operation", "by", "contents", "system", "board", "module"),
    *("core", "width", "preset", "build", "case"),
)


def name_of(path, row):
    """Names a row: its file, and what tells it from the file's other rows."""
    parts = [str(row[key]) for key in NAMES if key in row]
    return f"{path.relative_to(ROOT)} ({' '.join(parts)})" if parts else str(path.relative_to(ROOT))


def pins():
    """Returns {package: version} that the project asks for."""
    found = {}
    for name, packages in PINNED.items():
        for line in (ROOT / name).read_text(encoding="ascii").splitlines():
            package, _, version = line.partition("==")
            if package in packages:
                found[package] = version
    return found


def reason(kind, row):
    """Says why a row is stale; None if it is not. Raises NotHereError if it cannot be judged."""
    stored = row.get("made_from")
    if not isinstance(stored, dict) or "measured" not in stored:
        return "nothing says what it was made from"
    for package, version in pins().items():
        if f"{package} " in row.get("tools", "") and f"{package} {version}" not in row["tools"]:
            return f"the project now asks for {package} {version}, it was made with another"
    if stored["script"] != artefacts.script_digest(KINDS[kind].script):
        return "its script changed since it was made"
    here = made_by(kind, row)
    if stored["by"] != here:
        raise NotHereError(f"made with {stored['by']}, here is {here}")
    if stored["measured"] != made_from(kind, row)["measured"]:
        return "what it measured has changed since"
    return None


def rows():
    """Yields (file, kind, row) of all stored results."""
    for path in files():
        for row in rows_of(path):
            yield path, kind_of(path, row), row


def netlists():
    """Yields the netlists that stored results have measured."""
    for _, kind, row in rows():
        yield from (one for one in KINDS[kind].measured(row) if isinstance(one, Netlist))


def stale(kinds=tuple(KINDS)):
    """Returns a Stale for each stored row of these kinds that the present tree would not make, or
    that cannot be judged."""
    found = []
    for path, name, row in rows():
        kind, is_judged = KINDS[name], True
        paths = (*kind.script, kind.room)
        if name not in kinds or not all(house.is_there(one, ROOT) for one in paths):
            continue
        is_marked = areas.is_earlier(row)
        try:
            why = "it says that it is of earlier sources" if is_marked else reason(name, row)
        except NotHereError as error:
            why, is_judged = str(error), False
        if why:
            command = tuple(str(word).format(path.relative_to(ROOT)) for word in kind.command(row))
            found.append(Stale(name_of(path, row), why, kind, command, is_judged, is_marked))
    return found


def make(peers):
    """Makes stale results anew, quick ones first; peers are {name: folder}."""
    order, done = list(KINDS.values()), set()
    while True:
        waiting = [
            one
            for one in stale()
            if one.command not in done
            and one.word in ("stale", "earlier")
            and set(one.kind.peers) <= set(peers)
        ]
        if not waiting:
            return
        one = min(waiting, key=lambda one: order.index(one.kind))
        done.add(one.command)
        command = [sys.executable, *[peers.get(word, word) for word in one.command[1:]]]
        print(f"{one.name}: {' '.join(command)}", flush=True)
        code = subprocess.run(command, cwd=ROOT, check=False, stdin=subprocess.DEVNULL).returncode
        if code != 0:
            sys.exit(f"stored_results.py: the command ended with {code}; what was stale stays so")


def say(found):
    """Prints what is stale, a line for each command; returns whether any of it is an error."""
    by_command = {}
    for one in found:
        by_command.setdefault((one.command, one.reason), []).append(one)
    for (command, why), group in by_command.items():
        more = f" and {len(group) - 1} more rows" if len(group) > 1 else ""
        print(
            f"{group[0].word}: {group[0].name}{more}: {why}\n    make anew by: {' '.join(command)}"
        )
        if group[0].kind.peers:
            print(
                f"    or by tools/stored_results.py make "
                f"{' '.join(f'--peer {name}=FOLDER' for name in group[0].kind.peers)}"
            )
    return any(one.word == "stale" for one in found)


def peer(text):
    name, _, folder = text.partition("=")
    known = {name for kind in KINDS.values() for name in kind.peers}
    if name not in known or not folder or not pathlib.Path(folder).is_dir():
        raise argparse.ArgumentTypeError(
            f"{text}: not NAME=FOLDER with a folder that exists and "
            f"one of {', '.join(sorted(known))}"
        )
    return name, str(pathlib.Path(folder).resolve())


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("action", nargs="?", choices=("list", "make", "tables"), default="list")
    parser.add_argument("--peer", type=peer, action="append", default=[], metavar="NAME=FOLDER")
    chosen = parser.parse_args()
    try:
        if chosen.action != "tables" and not artefacts.make():
            sys.exit("stored_results.py: the graph could not make all that was measured")
        if chosen.action == "make":
            make(dict(chosen.peer))
        if chosen.action != "list":
            for name in result_tables.write_all():
                print(f"{name}: tables written")
        if chosen.action != "tables" and say(stale()):
            sys.exit(1)
    except (NotHereError, result_tables.TableError) as error:
        sys.exit(f"stored_results.py: {error}")


if __name__ == "__main__":
    main()
