# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command `profile`: the share of each part (PRNG, inversion, decoding, ...) of the
operations."""

import contextlib
import enum
import json
import pathlib
from typing import Annotated

import typer

from codekem_base import claims, files
from codekem_base import markdown as md
from codekem_base.checkout import build
from codekem_base.kems import current
from codekem_base.parameters import KEMS
from codekem_evaluation import paths, profile_check
from codekem_evaluation.profile_samples import (
    FORMAT,
    collect,
    findings,
    markdown,
    result,
    survey_table,
)

app = typer.Typer(add_completion=False)

DEFAULT_KEMS = [kem for kem in current("BIKE", "HQC") if KEMS[kem].category < 5]
DEFAULT_BACKENDS = ["portable", "avx2", "avx512"]
PERF_CYCLES = 2.5e9  # that perf samples an operation: a second or so


class Tool(enum.StrEnum):
    callgrind = "callgrind"
    perf = "perf"


def check(entry, tool, repeater):
    """Compares an entry with what another profiler says; returns the rows."""
    kem, backend = entry["kem"], entry["backend"]

    def shares_of(operation):
        if tool == Tool.callgrind:
            return profile_check.callgrind_shares(repeater, kem, backend, operation)
        cycles = sum(row["cycles"] for row in entry["rows"] if row["operation"] == operation)
        count = int(min(1e6, max(20, PERF_CYCLES / cycles)))
        return profile_check.perf_shares(repeater, kem, backend, operation, count)

    return profile_check.compare(entry, shares_of)


def check_table(tool, rows):
    cells = [
        [row["operation"], row["group"], f"{100 * row['profile']:.1f} %",
         f"{100 * row['other']:.1f} %", f"{100 * (row['profile'] - row['other']):+.1f}"]
        for row in rows
    ]  # fmt: skip
    return md.lines(["operation", "group", "profile", tool, "difference"], cells, texts=2)


@app.callback(invoke_without_command=True)
def profile(
    kem: Annotated[list[str] | None, typer.Option(help="A KEM; may be given again.")] = None,
    backend: Annotated[
        list[str] | None, typer.Option(help="A back end; may be given again.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=4, max=1000000)] = 200,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="Where to store rows and raw samples, as JSON.")
    ] = None,
    build_folder: Annotated[
        pathlib.Path, typer.Option("--build", help="The build to profile.")
    ] = paths.BUILD,
    detail: Annotated[bool, typer.Option(help="Also print cycles and calls.")] = False,
    check_with: Annotated[
        Tool | None, typer.Option("--check", help="Set another profiler's shares beside.")
    ] = None,
):
    """Says where the time goes, by clocks around the parts; prints Markdown."""
    profiler, repeater = build(build_folder, "codekem_profile", "codekem_repeat")
    if out is not None:
        files.check_writable(out.parent)
    with claims.held(out) if out is not None else contextlib.nullcontext():
        entries = []
        for name in kem or DEFAULT_KEMS:
            for backend_name in backend or DEFAULT_BACKENDS:
                entry = result(collect(profiler, name, backend_name, rounds))
                entries.append(entry)
                if check_with is not None:
                    entry["check"] = {
                        "tool": str(check_with),
                        "rows": check(entry, check_with, repeater),
                    }
                if out is not None:  # after each, so that an interruption loses nothing finished
                    text = json.dumps({"format": FORMAT, "entries": entries})
                    claims.write_text(out, f"{text}\n")
                if detail:
                    show(markdown(entry))
                if check_with is not None:
                    show(check_table(check_with, entry["check"]["rows"]))
            of_kem = [entry for entry in entries if entry["kem"] == name]
            show(survey_table(of_kem))
            for entry in of_kem:
                show([f"{name}, {entry['backend']}. " + " ".join(findings(entry))])


def show(lines):
    print("\n".join(lines), end="\n\n", flush=True)
