# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tries kernels of others: python -m hls.tests.foreign FOLDER [NAME...]

FOLDER has a checkout of each suite that foreign.toml names, at its revision. Each kernel is copied,
changed where foreign.toml says so, compiled, and simulated beside the same C as software. The table
goes to hls/results/foreign.csv; with names, as MachSuite/kmp, only their rows are made anew.
--table prints the rows for docs/results/hls.md. --control in front does all this with functions of
HQC's reference code, in control.toml and hls/results/control.csv.
"""

import csv
import difflib
import io
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tomllib
from typing import Any

from codekem_hls import design, directives, simulate
from codekem_hls.errors import Refused, ToolFailed
from codekem_hls.ir import Array
from codekem_hls.software import Software

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("suite", "file", "function", "lines changed", "result", "cycles", "message")
KEYS = ("define", "turns", "values", "unroll", "pipeline")
SOURCES = (".c", ".h", ".cpp")
RUNS = 3


def name_of(kernel):
    """Returns a name as MachSuite/gemm_ncubed: the suite, the function, and what tells it apart."""
    folder = pathlib.PurePath(kernel["file"]).parent.name
    same = kernel["function"].endswith(folder.replace("-", "_"))
    return f"{kernel['suite']}/{kernel['function']}" + ("" if same else f"_{folder}")


def kernels(listing="foreign"):
    data = tomllib.loads((HERE / f"{listing}.toml").read_text(encoding="utf-8"))
    for kernel in data["kernel"]:
        macros = data["suites"][kernel["suite"]].get("macros", {})
        kernel["macros"] = macros | kernel.get("macros", {})
        kernel["top"] = "top" if "after" in kernel else kernel["function"]
    return data["suites"], data["kernel"]


def changed(text, path, changes):
    """Applies changes [file, pattern, replacement, which one]; without the last, all are meant."""
    for file, pattern, new, *which in changes:
        if file != pathlib.PurePath(path).name:
            continue
        found = list(re.finditer(pattern, text, re.M))
        if which:
            found = [found[which[0] - 1]]
        if not found:
            raise ToolFailed(f"{path} does not have {pattern}")
        for match in reversed(found):
            text = text[: match.start()] + match.expand(new) + text[match.end() :]
    return text


def lines_changed(before, after):
    pairs = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), False)
    codes = [code for code in pairs.get_opcodes() if code[0] != "equal"]
    return sum(max(b - a, d - c) for _, a, b, c, d in codes)


def copy(kernel, suite, to):
    """Copies a kernel's folder, with changes; returns where it is, and how many lines changed."""
    home = pathlib.PurePath(kernel["file"]).parent
    count = 0
    for folder in [home, *(home / other for other in kernel.get("folders", []))]:
        for path in sorted((suite / folder).iterdir()):
            if path.suffix not in SOURCES:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            new = changed(text, path.name, kernel.get("change", []))
            count += lines_changed(text, new)
            target = to / folder / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(new, encoding="utf-8")
    return to / home, count


def compiled(kernel, place):
    """Compiles a kernel by a file of our own, which defines macros and includes it."""
    lines = [f"#define {name} {value}" for name, value in kernel["macros"].items()]
    file = pathlib.PurePath(kernel["file"]).name
    lines += [*kernel.get("before", []), f'#include "{file}"', *kernel.get("after", []), ""]
    (place / "trial.c").write_text("\n".join(lines), encoding="utf-8")
    data = {"kernel": "trial.c", "top": kernel["top"]}
    data |= {key: kernel[key] for key in KEYS if key in kernel}
    return design.build(directives.from_data(data, str(place / "trial.toml"), place))


def graph(values, rng):
    """Lists of neighbours: nodes with where theirs begin and end, of at most 16."""
    nodes, edges = values["nodes"], values["edges"]
    count = len(nodes) // 2
    place = 0
    for node in range(count):
        end = min(len(edges), place + rng.randrange(17))
        nodes[2 * node], nodes[2 * node + 1] = place, end
        place = end
    values["edges"] = [rng.randrange(count) for _ in edges]
    values["level"] = [127] * len(values["level"])
    values["level_counts"] = [0] * len(values["level_counts"])
    values["starting_node"] = rng.randrange(count)


def rows(values, rng, name, end, most):
    """Where rows of at most `most` elements begin, of an array of `end`."""
    place = 0
    for row in range(len(values[name])):
        values[name][row] = place
        place = min(end, place + rng.randrange(most + 1))


def digits(values, rng, name):
    """Numbers whose digits to the base of 4 are below 3."""
    values[name] = [sum(rng.randrange(3) << 2 * i for i in range(15)) for _ in values[name]]


def product(values, rng, name):
    """A square matrix of integers that is a product of triangular ones, without 0 inside."""
    size = math.isqrt(len(values[name]))
    lower = [
        [1 if i == j else rng.randrange(3) * (j < i) for j in range(size)] for i in range(size)
    ]
    upper = [
        [rng.randrange(1, 4) if i == j else rng.randrange(3) * (j > i) for j in range(size)]
        for i in range(size)
    ]
    values[name] = [
        sum(lower[i][k] * upper[k][j] for k in range(size))
        for i in range(size)
        for j in range(size)
    ]


KINDS: dict[str, Any] = {"graph": graph, "rows": rows, "digits": digits, "product": product}


def inputs(kernel, made, seed):
    """Returns random inputs: below the bounds that foreign.toml has, or of the kind it names."""
    rng = random.Random(seed)
    values = {}
    least_of = kernel.get("least", {})
    for one in made.top.function.arguments:
        boolean = isinstance(one, Array) and one.boolean
        bits = 2 if boolean else min(1 << one.width, kernel.get("most", 1 << one.width))
        most = kernel.get("below", {}).get(one.name, bits)
        least = least_of.get(one.name, 0)
        drawn = [
            rng.randrange(least, most) % (1 << one.width)
            for _ in range(one.depth if isinstance(one, Array) else 1)
        ]
        values[one.name] = drawn if isinstance(one, Array) else drawn[0]
    for name, listed in kernel.get("values", {}).items():
        values[name] = listed[seed % len(listed)] % (1 << 64)
    values |= kernel.get("given", {})
    kind = kernel.get("inputs", [])
    if kind:
        KINDS[kind[0]](values, rng, *kind[1:])
    return values


def simulated(kernel, made, place):
    """Returns "right" or "wrong", and the cycles."""
    software = Software(made, place)
    library = simulate.build_simulations([made], place)
    cycles = {}
    for seed in range(1, kernel.get("runs", RUNS) + 1):
        values = inputs(kernel, made, seed)
        wanted = software.run(values)
        core = simulate.run_core(library, made, values, seed)
        public = {name: one for name, one in values.items() if isinstance(one, int)}
        same = core.arrays == wanted.arrays and core.result == wanted.result
        if not same or core.cycles != made.latency(public):
            return "wrong", str(core.cycles)
        cycles[core.cycles] = None
    return "right", " ".join(map(str, cycles))


def tried(kernel, folder, build):
    """Returns the row of a kernel."""
    suite = folder / kernel["suite"]
    row = dict.fromkeys(COLUMNS, "") | {key: kernel[key] for key in COLUMNS[:3]}
    to = build / name_of(kernel).replace("/", "_")
    shutil.rmtree(to, ignore_errors=True)
    try:
        place, row["lines changed"] = copy(kernel, suite, to)
        made = compiled(kernel, place)
        row["result"], row["cycles"] = simulated(kernel, made, to.with_suffix(".built"))
    except Refused as refused:
        row["result"] = "refused"
        row["message"] = " ".join(str(refused).replace(f"{to}/", "").split())
    return row


def searched(folder, suites):
    """Lets clang find the headers that suites share, and checks the revisions."""
    shared = ["MachSuite/common", "Dynamatic/include", "PolyBench/utilities"]
    shared += [f"HQC/{one}" for one in ("src/ref", "src/ref/hqc-1", "src/common", "lib/fips202")]
    shared += ["HQC/src/common/hqc-1"]
    os.environ["CPATH"] = ":".join(str(folder / one) for one in shared)
    for name, suite in suites.items():
        if not (folder / name).is_dir():
            raise ToolFailed(f"{folder / name} is missing: a checkout of {suite['repository']}")
        command = ["git", "-C", str(folder / name), "rev-parse", "HEAD"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if (folder / name / ".git").exists() and done.stdout.strip() != suite["revision"]:
            raise ToolFailed(f"{folder / name} is not at {suite['revision']}")


def key_of(row):
    return tuple(row[column] for column in COLUMNS[:3])


def table_of(listing):
    return HERE.parent / "results" / f"{listing}.csv"


def stored(listing="foreign"):
    path = table_of(listing)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def written(found):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    return out.getvalue()


def table(found):
    """Returns the rows of docs/results/hls.md."""
    lines = []
    for row in found:
        name = name_of(row).split("/")[1]
        cycles = f"{int(row['cycles'].split()[0]):,}" if row["cycles"] else "-"
        result = row["result"]
        if row["message"]:
            place, _, why = row["message"].partition(":")
            result += f": {pathlib.PurePath(place).name}:{why}".replace("|", "or")
        lines.append(f"| {row['suite']}, `{name}` | {row['lines changed']} | {cycles} | {result} |")
    return lines


def main(words):
    """Makes the table."""
    if not words or words == ["--control"]:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    listing = "control" if words[0] == "--control" else "foreign"
    words = words[words[0] == "--control" :]
    if words == ["--table"]:
        print("\n".join(table(stored(listing))))
        return 0
    folder, names = pathlib.Path(words[0]).resolve(), words[1:]
    suites, listed = kernels(listing)
    called = {name_of(kernel) for kernel in listed}
    if missing := [name for name in names if name not in called]:
        print(f"no kernel is called {', '.join(missing)}: {', '.join(sorted(called))}")
        return 2
    searched(folder, suites)
    for kernel in listed:
        if names and name_of(kernel) not in names:
            continue
        row = tried(kernel, folder, pathlib.Path("build/foreign"))
        print(*(str(row[column]) for column in COLUMNS[1:]), sep="; ", flush=True)
        known = {key_of(one): one for one in stored(listing)} | {key_of(row): row}
        order = [key_of(one) for one in listed]
        text = written([known[one] for one in order if one in known])
        table_of(listing).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
