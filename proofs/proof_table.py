#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the tables of docs/soundness.md and docs/results/proofs.md: what was proved.

usage: proof_table.py [--check]

Which proofs a function has says proofs/kernels/coverage.toml; which proofs passed, and of which
sources, proofs/proofs.json, which the tests write:

    CODEKEM_PROOF_RECORD=$PWD/proofs/proofs.json \\
        make test test-long ROOM="proofs/kernels proofs/soundness"

What did not pass, or is of other sources than those of this tree, is said to be so. With --check
nothing is written; the exit status is 1 if a page is not what this script would write.
"""

import argparse
import collections
import pathlib
import sys
import textwrap

from proofs import proof_record
from proofs.kernels import coverage
from proofs.kernels.test_coverage import every_proof
from tests import records
from tools import mutants

ROOT = pathlib.Path(__file__).resolve().parent.parent

PAGE = ROOT / "docs" / "soundness.md"
LISTS = ROOT / "docs" / "results" / "proofs.md"  # of all functions and analyses
BEGIN = "<!-- written by proofs/proof_table.py: {} -->"
END = "<!-- end of {} -->"
NAMES = {
    "portable": "portable",
    "avx2": "AVX2",
    "vpclmul": "AVX2 with VPCLMULQDQ",
    "gfni": "AVX2 with GFNI",
    "avx512": "AVX-512",
    "neon": "NEON",
    "neon_sha3": "NEON with SHA-3",
    "m4": "Cortex-M4",
}
FOUR = {"portable", "AVX2", "AVX-512", "NEON"}
TABLES = {  # what a table of operations is about
    "gf2x_ops": "rings of BIKE and HQC",
    "sparse_ops": "lists of positions",
    "bike_counters": "BIKE",
    "hqc_codes": "HQC",
    "keccak_ops": "Keccak",
    "mceliece_ops": "errors",
    "gf2m_ops": "GF(2^12), GF(2^13)",
    "gf2m_m4": "GF(2^12), GF(2^13)",
    "recurrence_ops": "recurrences",
    "bitmatrix_ops": "bit matrices",
    "benes_ops": "permutations",
    "benes_steps": "their control bits",
    "sort_ops": "sorting",
    "mq4_ops": "SOFIA",
}


def named(backends):
    """Returns the names of back ends; of the four that most functions have, "all four"."""
    found = [NAMES[backend] for backend in backends]
    if set(found) >= FOUR:
        found = ["all four", *(name for name in found if name not in FOUR)]
    return ", ".join(found)


def passed(rows):
    """Returns the proofs that passed, as file::name, by whether that was with these sources."""
    found = {True: set(), False: set()}
    for row in rows:
        file = row["file"].rpartition("/")[2]
        found[not proof_record.RECORD.is_old(row)] |= {f"{file}::{name}" for name in row["proofs"]}
    return found


def state_of(entry, proofs, every):
    """Returns "proved" if all proofs passed that coverage.toml names for a kernel, else which of
    them did."""
    wanted = {proof for pattern in entry.proofs for proof in coverage.matching(pattern, every)}
    ran = len(wanted & proofs[True])
    if ran == len(wanted) > 0:
        return "proved"
    if ran == 0 and wanted & proofs[False]:
        return "of older sources"
    return f"{ran} of {len(wanted)} proofs ran" if ran else "not run"


def results(rows):
    """Returns the lines about right results: a row for functions of which the same is known."""
    proofs, every = passed(rows), every_proof()
    joined = collections.defaultdict(list)  # function, what is not proved, state: back ends
    for entry in coverage.read()[0]:
        if entry.proofs:
            table, _, member = entry.kernel.function.partition(".")
            key = (table, member, entry.unproved or "", state_of(entry, proofs, every))
            joined[key].append(entry.kernel.backend)
    again = collections.defaultdict(list)
    for (table, member, unproved, state), found in joined.items():
        again[table, named(found), unproved, state].append(member)
    lines = ["| what | functions | on | but for |", "|---|---|---|---|"]
    for (table, where, unproved, state), members in again.items():
        functions = ", ".join(f"`{member}`" for member in members)
        there = where if state == "proved" else f"{where}: **{state}**"
        lines.append(f"| {TABLES[table]} | {functions} | {there} | {unproved} |")
    return [*lines, "", *without()]


def without():
    """Returns the lines about functions that no proof is about."""
    joined = collections.defaultdict(list)
    for entry in coverage.read()[0]:
        if not entry.proofs:
            table, _, member = entry.kernel.function.partition(".")
            joined[table, member].append(entry.kernel.backend)
    again = collections.defaultdict(list)
    for (table, member), found in joined.items():
        again[table, named(found)].append(f"`{member}`")
    said = [
        f"{TABLES[table]}, {', '.join(members)} ({where})"
        for (table, where), members in again.items()
    ]
    unread = coverage.read()[2]
    said.append(f"all of {', '.join(sorted({*unread.values()} - {unread['reference']}))}")
    return textwrap.wrap(f"Without a proof: {'; '.join(said)}.", 100, break_on_hyphens=False)


def soundness(rows):
    """Returns the lines about undefined behaviour: how many analyses of each kind passed."""
    lines = ["| file | analyses without an alarm |", "|---|---|"]
    for row in rows:
        if row["file"].startswith("soundness/"):
            count = collections.Counter(name.partition("[")[0] for name in row["proofs"])
            said = ", ".join(
                f"{name.removeprefix('test_').replace('_', ' ')}: {n}" for name, n in count.items()
            )
            old = " (**of older sources**)" if proof_record.RECORD.is_old(row) else ""
            lines.append(f"| `{row['file'].rpartition('/')[2]}` | {said}{old} |")
    return lines


def run_of(rows):
    """Returns the line that says what read the sources, and when."""
    tools = collections.defaultdict(list)
    for row in rows:
        tools[row["compiler"]].append(row["date"])
    said = [f"{tool} ({max(dates)})" for tool, dates in sorted(tools.items())]
    found = {row["file"]: passed([row]) for row in rows}
    every = set(every_proof())  # the rest of those files is about the tools of the proofs
    analyses = [len(row["proofs"]) for row in rows if row["file"].startswith("soundness/")]
    proofs = sum(analyses) + sum(len((each[True] | each[False]) & every) for each in found.values())
    return textwrap.wrap(f"{proofs} proofs passed, with {', '.join(said)}.", 100)


def random_mistakes(rows):
    """Returns the lines that say which share of random mistakes the tests find."""
    del rows
    lines = mutants.report(mutants.load(), survivors=False)
    wrapped = (textwrap.wrap(f"- {line}", 100, subsequent_indent="  ") for line in lines)
    return [part for parts in wrapped for part in parts]


SECTIONS = {
    PAGE: {"run": run_of, "mutants": random_mistakes},
    LISTS: {"results": results, "soundness": soundness},
}


def page_with_tables(path, rows):
    """Returns the text of a page with the tables of rows in their places."""
    page = path.read_text(encoding="utf-8")
    for name, lines_of in SECTIONS[path].items():
        page = records.page_with(page, BEGIN.format(name), END.format(name), lines_of(rows))
    return page


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    rows = proof_record.RECORD.read()
    texts = {path: page_with_tables(path, rows) for path in SECTIONS}
    stale = [path for path, text in texts.items() if text != path.read_text(encoding="utf-8")]
    for path in stale:
        if options.check:
            print(f"{path.relative_to(ROOT)} is stale: run proofs/proof_table.py")
        else:
            path.write_text(texts[path], encoding="utf-8")
    return bool(stale and options.check)


if __name__ == "__main__":
    sys.exit(main())
