# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The commands of the decoder laboratory: dfr direct, strata, roulette, split, compare, replay,
trace, keep, unpack, figures."""

import functools
import pathlib
import re
import secrets
from typing import Annotated

import typer
from rich.console import Console

from codekem_base import claims, files, markdown
from codekem_base.checkout import build
from codekem_base.errors import EvaluationError
from codekem_base.kems import current
from codekem_lab import dfr_model, lab_campaign, lab_points, lab_running, paths
from codekem_lab.dfr_worker import LEVELS
from codekem_lab.lab_points import CODES, LabPoint, point_of

# --- Options that several commands have ----------------------------------------------------------

Kem = Annotated[str, typer.Option(help=", ".join(current("BIKE")) + ": d, t, r and thresholds.")]
Toy = Annotated[bool, typer.Option("--toy", help="d = 15, t = 18, the thresholds of 2017.")]
Decoder = Annotated[
    list[str] | None,
    typer.Option(help="bgf-5 (the default), bgf-7, bike-flip-floor, pickyfix-5, bf-max, ..."),
]
R = Annotated[
    list[str] | None,
    typer.Option(help="A block length, or FIRST:LAST:STEP; without: the specification's."),
]
Weight = Annotated[list[int] | None, typer.Option(help="Weights t of the errors; may be repeated.")]
Class = Annotated[
    list[str] | None,
    typer.Option("--class", metavar="CLASS:N", help="near-codeword:30, multiplicity:34, ..."),
]
Threshold = Annotated[
    str | None,
    typer.Option(help="CONSTANT,SLOPE[,LEAST], or steps VALUE@WEIGHT,..., not the level's."),
]
Seed = Annotated[str | None, typer.Option(help="64 hexadecimal digits; else random.")]
Jobs = Annotated[int, typer.Option(min=0, help="Processes here; 0: one for each core.")]
Dask = Annotated[
    str | None, typer.Option(help="A Dask cluster: the scheduler's tcp://HOST:PORT, or local:N.")
]
Engine = Annotated[str, typer.Option(help="auto, avx512, avx2, portable.")]
Out = Annotated[
    pathlib.Path | None, typer.Option(help="The campaign, as JSON; goes on if it is there.")
]
Build = Annotated[pathlib.Path, typer.Option("--build")]
Campaign = Annotated[pathlib.Path, typer.Argument(metavar="CAMPAIGN.json")]
Plot = Annotated[pathlib.Path | None, typer.Option(help="The plot: .svg, .pdf, .png.")]


def lengths(texts, level):
    """Reads numbers, and ranges whose values are moved to the nearest r that BIKE could use."""
    found = []
    for text in texts or [str(CODES[level][0])]:
        if re.fullmatch(r"\d+", text):
            found.append(int(text))
        elif (match := re.fullmatch(r"(\d+):(\d+):(\d+)", text)) and int(match[3]) > 0:
            steps = range(int(match[1]), int(match[2]) + 1, int(match[3]))
            found += [dfr_model.nearest_r(r) for r in steps]
        else:
            raise EvaluationError(
                f"'{text}' is not a block length r; give a number, or FIRST:LAST:STEP"
            )
    for r in found:
        if r % 2 == 0 or not 65 <= r <= 57637:
            raise EvaluationError(f"r = {r}: r must be odd, from 65 to 57637")
    return sorted(set(found))


def classes(texts):
    found = []
    for text in texts or []:
        name, _, parameter = text.partition(":")
        if name not in lab_points.CLASSES[1:] or not parameter.isdigit():
            raise EvaluationError(
                f"'{text}' is not a class; give NAME:PARAMETER with NAME one of "
                + ", ".join(lab_points.CLASSES[1:])
            )
        found.append((name, int(parameter)))
    return found or [("random", 0)]


def points_of(kem, toy, decoders, r, weights, threshold, chosen, **settings):
    """Returns the points: every decoder with every r, t and class."""
    if kem not in current("BIKE"):
        known = ", ".join(current("BIKE"))
        raise EvaluationError(f"'{kem}' has no decoder here; give one of {known}")
    level = LEVELS[kem]
    _, d, t = CODES[level]
    found = []
    for length in lengths(r, level):
        rule = threshold
        if toy:
            d, t = 15, 18
            rule = threshold or lab_points.steps_of(
                lab_points.thresholds_2017(length, d, t, (d + 1) // 2)
            )
        found += [
            LabPoint(
                decoder,
                level,
                length,
                d,
                weight,
                rule,
                None,
                name,
                parameter,
                **settings,
            )
            for decoder in decoders or ["bgf-5"]
            for weight in weights or [t]
            for name, parameter in chosen
        ]
    return found


def stored_seed(out, seed):
    """A campaign that is continued keeps its seed."""
    if seed is None:
        if out.exists():
            return lab_campaign.read(out)["settings"]["seed"]
        return secrets.token_hex(32)
    if not re.fullmatch("[0-9a-f]{64}", seed):
        raise EvaluationError(f"'{seed}' is not a seed; give 64 hexadecimal digits in lower case")
    return seed


def counting(out, seed, engine, batch, decodings, failures):
    """Returns the settings of a campaign that counts; failures: 0 for any number."""
    return {
        "seed": stored_seed(out, seed),
        "engine": engine,
        "batch": batch,
        "decodings": decodings,
        "failures": failures or None,
    }


# --- Running -------------------------------------------------------------------------------------


def carry_out(method, points, settings, out, build_folder, workers, levels=None):
    """Makes or continues a campaign, shows what it says, and tells where it is."""
    console = Console(stderr=True)
    files.check_writable(out.parent)
    (program,) = build(build_folder, "codekem_lab")
    with claims.held(out):
        campaign = lab_campaign.new_campaign(method, points, settings)
        if out.exists():
            campaign = lab_campaign.resume(out, campaign)
        if levels is not None:
            take_levels(campaign, levels)
        interrupted = lab_running.run_with_progress(campaign, out, program, workers, console)
    if interrupted:
        console.print(
            f"Interrupted; what is finished is in {out}. The same command goes on.",
            markup=False,
            soft_wrap=True,
        )
        raise SystemExit(130)
    show(out)
    console.print(f"Campaign in {out}", markup=False, soft_wrap=True)


def show(path, plot=None):
    """Prints a stored campaign as table and words; draws it if wanted."""
    from codekem_lab import lab_charts, lab_report  # late: they read scipy

    campaign = lab_campaign.read(path)
    table = lab_report.table(path.stem, campaign)
    print("\n".join(markdown.of(table)), end="\n\n")
    print("\n\n".join(table.notes))
    if plot is not None:
        lab_charts.write(lab_charts.panels([campaign]), plot)


def write_into(page, path):
    """Writes what a stored campaign says into a page, between the lines that name it there."""
    from codekem_lab import lab_report

    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"cannot read {page}: {error.strerror}") from error
    files.write_text(page, lab_report.on_page(text, path.name, lab_campaign.read(path)))


def take_levels(campaign, path):
    """Takes the pilots of another campaign, for points of the same decoder, code and score."""
    given = {}
    for row in lab_campaign.read(path)["points"]:
        if row.get("pilot"):
            given[tuple(point_of(row).words())] = row["pilot"]
    for row in campaign["points"]:
        pilot = given.get(tuple(point_of(row).words()))
        if row["pilot"] is not None:
            continue
        if pilot is None:
            raise EvaluationError(f"{path} has no levels for {point_of(row).name}")
        row["pilot"] = {**pilot, "bets": list(lab_points.BETS)}


def direct(
    kem: Kem = "BIKE-L1",
    toy: Toy = False,
    decoder: Decoder = None,
    r: R = None,
    error_weight: Weight = None,
    threshold: Threshold = None,
    decodings: Annotated[int, typer.Option(min=1, help="Of each point, at most.")] = 200000,
    failures: Annotated[int, typer.Option(min=0, help="After which a point ends; 0: never.")] = 0,
    batch: Annotated[int, typer.Option(min=1, max=10**9)] = 20000,
    seed: Seed = None,
    jobs: Jobs = 0,
    dask: Dask = None,
    engine: Engine = "auto",
    out: Out = None,
    build_folder: Build = paths.BUILD,
):
    """Counts failures of any decoder at any r and t: random keys and errors."""
    points = points_of(kem, toy, decoder, r, error_weight, threshold, [("random", 0)])
    out = out or paths.RUNS / "lab-direct.json"
    settings = counting(out, seed, engine, batch, decodings, failures)
    carry_out("direct", points, settings, out, build_folder, lab_running.workers_of(dask, jobs))


def strata(
    kem: Kem = "BIKE-L1",
    toy: Toy = False,
    decoder: Decoder = None,
    r: R = None,
    error_weight: Weight = None,
    threshold: Threshold = None,
    chosen: Class = None,
    decodings: Annotated[int, typer.Option(min=1, help="Of each point, at most.")] = 200000,
    failures: Annotated[int, typer.Option(min=0, help="After which a point ends; 0: never.")] = 0,
    batch: Annotated[int, typer.Option(min=1, max=10**9)] = 20000,
    seed: Seed = None,
    jobs: Jobs = 0,
    dask: Dask = None,
    engine: Engine = "auto",
    out: Out = None,
    build_folder: Build = paths.BUILD,
):
    """Counts failures in classes of errors or weak keys, with their exact share of all."""
    if not chosen:
        raise EvaluationError("name the strata, as in --class near-codeword:30 (repeat it)")
    points = points_of(kem, toy, decoder, r, error_weight, threshold, classes(chosen))
    out = out or paths.RUNS / "lab-strata.json"
    settings = counting(out, seed, engine, batch, decodings, failures)
    carry_out("strata", points, settings, out, build_folder, lab_running.workers_of(dask, jobs))


def roulette(
    by_weight: Annotated[
        str,
        typer.Option(help="K@0,K@FROM,...: syndromes of weight FROM on are decoded with 2^-K."),
    ] = "0@0",
    by_threes: Annotated[
        str, typer.Option(help="The same for how many checks have three errors (modulo 4).")
    ] = "0@0",
    by_wrong: Annotated[
        str,
        typer.Option(help="The same for positions that are wrong after the first iteration."),
    ] = "0@0",
    group: Annotated[
        int, typer.Option(min=1, max=256, help="Parts a and b of errors; all a + b are draws.")
    ] = 64,
    kem: Kem = "BIKE-L1",
    toy: Toy = False,
    decoder: Decoder = None,
    r: R = None,
    error_weight: Weight = None,
    threshold: Threshold = None,
    decodings: Annotated[int, typer.Option(min=1, help="Draws of each point, at most.")] = 10**7,
    failures: Annotated[int, typer.Option(min=0, help="After which a point ends; 0: never.")] = 0,
    batch: Annotated[int, typer.Option(min=1, max=10**9, help="In whole groups.")] = 409600,
    seed: Seed = None,
    jobs: Jobs = 0,
    dask: Dask = None,
    engine: Engine = "auto",
    out: Out = None,
    build_folder: Build = paths.BUILD,
):
    """Counts rare failures: most draws that are likely to decode are left out, the others count
    for them."""
    points = points_of(kem, toy, decoder, r, error_weight, threshold, [("random", 0)])
    out = out or paths.RUNS / "lab-roulette.json"
    whole_groups = -(-batch // group**2) * group**2
    settings = counting(out, seed, engine, whole_groups, decodings, failures) | {
        "group": group,
        "by_weight": by_weight,
        "by_threes": by_threes,
        "by_wrong": by_wrong,
    }
    carry_out("roulette", points, settings, out, build_folder, lab_running.workers_of(dask, jobs))


def split(
    kem: Kem = "BIKE-L1",
    toy: Toy = False,
    decoder: Decoder = None,
    r: R = None,
    error_weight: Weight = None,
    threshold: Threshold = None,
    chosen: Class = None,
    runs: Annotated[int, typer.Option(min=1, help="Of each point; all of them count.")] = 20,
    particles: Annotated[int, typer.Option(min=4, max=10**6)] = 1000,
    kept: Annotated[int, typer.Option(min=0, help="Failures of a run that are stored.")] = 10,
    score: Annotated[str, typer.Option(help="wrong or syndrome.")] = "wrong",
    key: Annotated[
        str, typer.Option(help="moves; kept: each particle keeps its own; fixed: one for all.")
    ] = "moves",
    levels: Annotated[
        pathlib.Path | None,
        typer.Option(help="Take the levels of this campaign instead of a pilot of its own."),
    ] = None,
    seed: Seed = None,
    jobs: Jobs = 0,
    dask: Dask = None,
    engine: Engine = "auto",
    out: Out = None,
    build_folder: Build = paths.BUILD,
):
    """Estimates rates far below what can be counted: multilevel splitting, fixed levels."""
    if score not in lab_points.SCORES or key not in lab_points.KEYS:
        raise EvaluationError("--score is wrong or syndrome, --key is moves, kept or fixed")
    points = points_of(
        kem, toy, decoder, r, error_weight, threshold, classes(chosen), score=score, key=key
    )
    if any(point.key_class not in ("random", "near-codeword") for point in points):
        raise EvaluationError("splitting takes random keys and errors, or --class near-codeword:N")
    out = out or paths.RUNS / "lab-split.json"
    settings = {
        "seed": stored_seed(out, seed),
        "engine": engine,
        "runs": runs,
        "particles": particles,
        "kept": kept,
    }
    carry_out(
        "split", points, settings, out, build_folder, lab_running.workers_of(dask, jobs), levels
    )


def compare(
    campaign: Annotated[list[pathlib.Path], typer.Argument(metavar="CAMPAIGN.json...")],
    pass_cycles: Annotated[
        float | None,
        typer.Option(min=1, help="Cycles of one constant-time pass (count_unsatisfied, twice)."),
    ] = None,
    plot: Plot = None,
):
    """Sets decoders side by side: rate, how sure, cost in constant time; draws what is there."""
    from codekem_lab import lab_charts, lab_report

    read = [lab_campaign.read(path) for path in campaign]
    print("\n".join(markdown.of(lab_report.compared(read, pass_cycles))))
    if plot is not None:
        lab_charts.write(lab_charts.panels(read), plot)
        print(f"\nPlot in {plot}")


def replay(
    campaign: Campaign,
    first_lower: Annotated[
        int,
        typer.Option(min=0, max=99, help="BGF: lower the first threshold by so much, and tell."),
    ] = 0,
    build_folder: Build = paths.BUILD,
):
    """Decodes stored failures again: by every engine, and those of BGF with five iterations by the
    library's decoder on every back end."""
    from codekem_lab import lab_replay

    lab, dfr = build(build_folder, "codekem_lab", "codekem_dfr")
    failed = lab_replay.replay(lab_campaign.read(campaign), lab, dfr, first_lower)
    for line in failed.lines or ["no failure with key and error is stored, or d is not a level's"]:
        print(line)
    if failed.differences:
        raise EvaluationError(f"{failed.differences} failures were not reproduced; see above")


def trace(
    campaign: Campaign,
    number: Annotated[int, typer.Option(min=0, help="Which of the stored failures.")] = 0,
    plot: Plot = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Store the steps, too: the report draws them.")
    ] = False,
    build_folder: Build = paths.BUILD,
):
    """Shows a stored failure step by step: syndrome, threshold, flips, positions still wrong."""
    from codekem_lab import lab_replay

    (program,) = build(build_folder, "codekem_lab")
    stored = lab_campaign.read(campaign)
    failures = lab_replay.failures_of(stored, program)
    if number >= len(failures):
        raise EvaluationError(f"{campaign} has {len(failures)} stored failures; count from 0")
    failure = failures[number]
    steps = lab_replay.steps_of(program, [failure])[0]["steps"]
    print(f"{failure.point.name}: failure {number} of {len(failures)}\n")
    names = {"i": "iteration", "b": "black", "g": "gray", "n": "near-codeword"}
    shown = [[names[kind], f"{weight:,}", *others] for kind, weight, *others in steps]
    columns = ["step", "syndrome before", "threshold", "flips", "wrong after"]
    print("\n".join(markdown.lines(columns, shown)))
    found = {"name": failure.point.name, "failure": number, "steps": steps}
    if keep:
        with claims.held(campaign):
            stored = lab_campaign.read(campaign)  # it may have gone on meanwhile
            stored["trace"] = found
            lab_campaign.save(campaign, stored)
    if plot is not None:
        from codekem_lab import lab_charts

        lab_charts.write(lab_charts.trace(found), plot)


def keep(campaign: Annotated[list[pathlib.Path], typer.Argument(metavar="CAMPAIGN.json...")]):
    """Adds campaigns to those that the project keeps, and to the table of their estimates."""
    from codekem_lab import campaigns  # late: it reads scipy

    campaigns.keep(campaign)
    print(f"{len(campaigns.texts())} campaigns in {paths.short(paths.KEPT)}")


def unpack(folder: Annotated[pathlib.Path, typer.Argument()] = paths.RUNS):
    """Writes the campaigns that the project keeps into a folder, for report, replay and others."""
    from codekem_lab import campaigns

    campaigns.unpack(folder)
    print(f"{len(campaigns.texts())} campaigns in {paths.short(folder)}")


def figures(folder: Annotated[pathlib.Path, typer.Argument()] = paths.ROOT / "docs" / "results"):
    """Draws the figures of the documents from the campaigns that the project keeps."""
    from codekem_lab import figures as drawn

    for path in drawn.write(folder):
        print(paths.short(path))


@functools.cache
def commands():
    return {
        "direct": direct,
        "strata": strata,
        "roulette": roulette,
        "split": split,
        "compare": compare,
        "replay": replay,
        "trace": trace,
        "keep": keep,
        "unpack": unpack,
        "figures": figures,
    }
