# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command codekem-lab: counts decoding failures and compares with what is claimed."""

import math
import pathlib
import re
import secrets
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from codekem_base import claims, ends, files, markdown
from codekem_base.checkout import build
from codekem_base.errors import EvaluationError
from codekem_base.kems import is_hqc
from codekem_lab import dfr_campaign, dfr_model, lab_campaign, lab_commands, lab_running, paths
from codekem_lab.dfr_worker import (
    CLASSES,
    INNER_CODE,
    LEVELS,
    RINGS,
    Point,
    affine_threshold,
    specification_of,
)

app = typer.Typer(add_completion=False)

# Where the waterfall of each level is, with the specification's w and t.
DEFAULT_R = {
    1: [9803, 9851, 9901, 9949, 10037, 10099],
    3: [19469, 19501, 19541, 19597, 19661, 19763, 19853],
    5: [33469, 33533, 33589, 33637, 33739, 33827, 33893],
}


def parse_r(texts, level):
    """Reads numbers, and ranges FIRST:LAST:STEP of which each is moved to an r that BIKE could
    use."""
    found = []
    for text in texts:
        if re.fullmatch(r"\d+", text):
            found.append(int(text))
        elif match := re.fullmatch(r"(\d+):(\d+):(\d+)", text):
            first, last, step = map(int, match.groups())
            if step == 0 or last < first:
                raise EvaluationError(
                    f"'{text}': give FIRST:LAST:STEP, with FIRST up to LAST and a STEP above 0"
                )
            found += [dfr_model.nearest_r(r) for r in range(first, last + 1, step)]
        else:
            raise EvaluationError(
                f"'{text}' is not a block length r; give a number, or FIRST:LAST:STEP"
            )
    for r in found:
        if r % 2 == 0 or not 2000 <= r <= 57637:
            raise EvaluationError(f"r = {r}: r must be odd, from 2000 to 57637")
    return sorted(set(found)) or [*DEFAULT_R[level], RINGS[level]]


def parse_class(text):
    """Reads NAME:PARAMETER."""
    name, _, parameter = text.partition(":")
    if name not in CLASSES[1:] or not parameter.isdigit():
        raise EvaluationError(
            f"'{text}' is not a class of keys; give NAME:PARAMETER with NAME one of "
            + ", ".join(CLASSES[1:])
            + ", as in multiplicity:20"
        )
    return name, int(parameter)


def parse_threshold(text):
    if text == "spec":
        return None
    match = affine_threshold(text)
    if match is None or match[3]:
        raise EvaluationError(
            f"'{text}' is not a threshold; give spec, or CONSTANT,SLOPE as in 13.530,0.0069722, "
            "with a CONSTANT below 256 and a SLOPE below 1"
        )
    return float(match[1]), float(match[2])


def points_of(level, r, weak, t, threshold):
    """Returns the points: every class of keys with every r."""
    classes = [("random", 0), *map(parse_class, weak or [])]
    return [
        Point(level, length, t, name, parameter, parse_threshold(threshold))
        for name, parameter in classes
        for length in parse_r(r or [], level)
    ]


def level_named(kem):
    if kem not in LEVELS:
        raise EvaluationError(f"there is no campaign for '{kem}'; give --kem " + ", ".join(LEVELS))
    return LEVELS[kem]


def hqc_points(kem, specification, given):
    """Returns the one point of HQC: the inner code at the specification's parameters."""
    if given:
        raise EvaluationError(
            "HQC's failure rate follows from a formula for its two codes, of which "
            f"{kem} decodes the inner one; --r, --weak, --error-weight and "
            "--threshold are for BIKE"
        )
    return [Point(LEVELS[kem], specification["r"], specification["t"], INNER_CODE)]


def parse_seed(text):
    if text is None:
        return secrets.token_hex(32)
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise EvaluationError(f"'{text}' is not a seed; give 64 hexadecimal digits in lower case")
    return text


def stored_seed(out, seed):
    """A campaign that is continued keeps its seed."""
    if seed is None and out.exists():
        return dfr_campaign.read(out)["settings"]["seed"]
    return parse_seed(seed)


def summary(row):
    if row["failures"]:
        rate = row["failures"] / row["decodings"]
        return f"{row['failures']:,} failures, 2^{math.log2(rate):.1f}"
    return "no failure"


def note_unusual(console, points):
    unusual = sorted(
        {
            point.r
            for point in points
            if point.key_class != INNER_CODE and not dfr_model.two_is_primitive(point.r)
        }
    )
    if unusual:
        console.print(
            f"note: 2 is not primitive mod {', '.join(map(str, unusual))}: x^r - 1 has more "
            "factors there than in BIKE",
            markup=False,
            soft_wrap=True,
        )


def run_with_progress(campaign, out, program, workers, console):
    """Runs the campaign; returns whether it was interrupted."""
    total = campaign["settings"]["decodings"]
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[found]}"),
        console=console,
    ) as bars:
        tasks = [
            bars.add_task(dfr_campaign.point_of(row).name, total=total, found="")
            for row in campaign["points"]
        ]

        def show(campaign):
            for task, row in zip(tasks, campaign["points"], strict=True):
                waiting = sum(batch["decodings"] for batch in row["waiting"].values())
                done = row["decodings"] + waiting
                bars.update(
                    task,
                    completed=done,
                    total=done if row["finished"] else total,
                    found=summary(row) if row["decodings"] else "",
                )

        show(campaign)
        lines = lab_running.Lines(console)

        def shown(campaign):
            show(campaign)
            lines(f"{task.description}: {task.completed:,.0f} of {task.total:,.0f}, "
                  f"{task.fields['found'] or 'no failure'}" for task in bars.tasks)  # fmt: skip

        try:
            with ends.interruptible():
                dfr_campaign.run(campaign, out, program, workers, shown)
        except KeyboardInterrupt:
            return True
    return False


def write_report(campaign, out, plot_path, console):
    from codekem_lab import dfr_report  # late: it reads scipy

    fits = dfr_report.extrapolations(campaign)
    where = f"Campaign in {out}"
    if not is_hqc(campaign["kem"]):  # one number; nothing to plot
        plot_path = plot_path or out.with_suffix(".svg")
        dfr_report.plot(campaign, plot_path, fits)
        where += f", plot in {plot_path}"
    print("\n".join(markdown.of(dfr_report.table(out.stem, campaign))), end="\n\n")
    print("\n\n".join(dfr_report.sentences(campaign, fits)), end="\n\n")
    console.print(where, markup=False, soft_wrap=True)


@app.callback(invoke_without_command=True)
def dfr(
    context: typer.Context,
    kem: Annotated[str, typer.Option(help="One of " + ", ".join(LEVELS) + ".")] = "BIKE-L1",
    r: Annotated[
        list[str] | None,
        typer.Option(
            help="A block length, or FIRST:LAST:STEP; may be given again. Without: the waterfall "
            "of the level and the real r."
        ),
    ] = None,
    decodings: Annotated[
        int, typer.Option(min=1, help="Of each point, at most; in whole batches.")
    ] = 200000,
    failures: Annotated[
        int, typer.Option(min=0, help="Of each point, after which it is finished; 0: never.")
    ] = 200,
    weak: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLASS:N",
            help="Also with weak keys or errors: progression:N, multiplicity:N, "
            "intersection:N, near-codeword:N; may be given again.",
        ),
    ] = None,
    error_weight: Annotated[int | None, typer.Option(min=1, max=400, help="Instead of t.")] = None,
    threshold: Annotated[str, typer.Option(help="spec, or CONSTANT,SLOPE.")] = "spec",
    seed: Annotated[str | None, typer.Option(help="64 hexadecimal digits; else random.")] = None,
    batch: Annotated[
        int, typer.Option(min=1, max=10**9, help="Decodings handed out at once.")
    ] = 10000,
    jobs: Annotated[int, typer.Option(min=0, help="Processes here; 0: one for each core.")] = 0,
    dask: Annotated[
        str | None,
        typer.Option(help="Run on a Dask cluster: the scheduler's tcp://HOST:PORT, or local:N."),
    ] = None,
    backend: Annotated[
        str,
        typer.Option(help="auto: the library's best at the real r, kernels for any r elsewhere."),
    ] = "auto",
    out: Annotated[
        pathlib.Path | None, typer.Option(help="The campaign, as JSON; goes on if it is there.")
    ] = None,
    plot: Annotated[pathlib.Path | None, typer.Option(help="The plot: .svg, .pdf, .png.")] = None,
    build_folder: Annotated[pathlib.Path, typer.Option("--build")] = paths.BUILD,
):
    """Counts decoding failures for several r, extrapolates, and compares with the claim."""
    if context.invoked_subcommand is not None:
        return
    level = level_named(kem)
    out = out or paths.RUNS / f"dfr-{kem}.json"
    settings = {
        "seed": stored_seed(out, seed),
        "batch": batch,
        "decodings": decodings,
        "failures": failures or None,
        "backend": backend,
    }
    files.check_writable(out.parent)
    (program,) = build(build_folder, "codekem_dfr")
    specification = specification_of(program, kem)
    points = (
        hqc_points(kem, specification, r or weak or error_weight or threshold != "spec")
        if is_hqc(kem)
        else points_of(level, r, weak, error_weight or specification["t"], threshold)
    )
    console = Console(stderr=True)
    note_unusual(console, points)
    with claims.held(out):
        campaign = dfr_campaign.new_campaign(kem, program, points, settings)
        if out.exists():
            campaign = dfr_campaign.resume(out, campaign)
        workers = lab_running.workers_of(dask, jobs)
        interrupted = run_with_progress(campaign, out, program, workers, console)
    if interrupted:
        console.print(
            f"Interrupted; what is finished is in {out}. The same command goes on.",
            markup=False,
            soft_wrap=True,
        )
        raise SystemExit(130)
    write_report(campaign, out, plot, console)


@app.command()
def report(
    campaign: Annotated[pathlib.Path, typer.Argument(metavar="CAMPAIGN.json")],
    plot: Annotated[pathlib.Path | None, typer.Option(help="The plot: .svg, .pdf, .png.")] = None,
    into: Annotated[
        pathlib.Path | None,
        typer.Option(
            help="A page with the lines <!-- campaign: CAMPAIGN.json --> and <!-- end of "
            "campaign -->: written between them (direct, strata, split)."
        ),
    ] = None,
):
    """Shows table, words and plot of a stored campaign again."""
    if lab_campaign.is_lab(files.read_json(campaign)):
        if into is not None:
            lab_commands.write_into(into, campaign)
        lab_commands.show(campaign, plot)
        return
    if into is not None:
        raise EvaluationError("--into takes campaigns of direct, strata and split")
    write_report(dfr_campaign.read(campaign), campaign, plot, Console(stderr=True))


for name, command in lab_commands.commands().items():
    app.command(name)(command)
