# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Campaigns of the decoder laboratory: units of work on many cores or machines, kept in order.

A unit is a batch of decodings (direct, strata, roulette) or a whole run of splitting. A point
counts its units in order, up to the one that finishes it, so what is stored does not depend on who
finished first, and an interrupted campaign goes on to the same result.
"""

import datetime
import functools
import itertools
import json
import pathlib

import jsonschema

from codekem_base import checkout, claims, files
from codekem_base.errors import EvaluationError
from codekem_lab import dfr_campaign, lab_points, made_by, paths, sources
from codekem_lab.dfr_worker import call
from codekem_lab.lab_points import BETS, PILOT_RUN, point_of

SCHEMA_NAME = "codekem-lab/1"
SCHEMA = paths.PACKAGE / "schema" / "lab.json"
METHODS = ("direct", "strata", "split", "roulette")
LISTED_FAILURES = 100  # of a point; of roulette, too
TABLES = ("by_weight", "by_threes", "by_wrong")  # of roulette
# What must be the same where a campaign goes on.
SAME = {
    "split": ("seed", "particles"),
    "roulette": ("seed", "batch", "group", *TABLES),
}


@functools.cache
def validator():
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


# --- The document --------------------------------------------------------------------------------


def new_row(point, seed):
    return {
        **point.as_row(),
        "seed": point.stream(seed),
        "units": 0,
        "decodings": 0,
        "seconds": 0.0,
        "finished": False,
        "waiting": {},
    }


def new_results(method, settings):
    """Returns what a row of that method counts, at the start."""
    if method == "split":
        return {"pilot": None, "runs": []}
    if method == "roulette":
        largest = max(lab_points.largest_step(settings[name]) for name in TABLES)
        counted = {"failures": 0, "decoded": 0, "completed": 0, "halvings": [], "sums": []}
        return {**counted, "failed": [], "largest": 2**largest}
    return {"failures": 0, "histogram": [], "failed": []}


def new_campaign(method, points, settings):
    """Returns a campaign without results. settings: seed, engine; batch, decodings, failures for
    direct and strata; these, group and TABLES for roulette; runs, particles, kept for
    split."""
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    rows = [new_row(point, settings["seed"]) for point in points]
    for row in rows:
        row |= new_results(method, settings)
    return {
        "schema": SCHEMA_NAME,
        "method": method,
        "created": now.isoformat().replace("+00:00", "Z"),
        "settings": settings,
        "source": checkout.source(),
        "made_from": sources.made_from(sources.LAB),
        "complete": False,
        "points": rows,
    }


def is_lab(document):
    return isinstance(document, dict) and document.get("schema") == SCHEMA_NAME


def read(path):
    return checked(files.read_json(path), path)


def checked(campaign, path):
    """Returns a campaign; an error if it does not follow the schema. path: where it is from."""
    if not is_lab(campaign):
        raise EvaluationError(
            f"{path} is not a campaign of the laboratory (schema {SCHEMA_NAME}); name another file"
        )
    problem = next(validator().iter_errors(campaign), None)
    if problem is not None:
        raise EvaluationError(
            f"{path} does not follow the schema at {problem.json_path}: {problem.message[:200]}"
        )
    dfr_campaign.refuse_slips(campaign, path)
    return campaign


def save(path, campaign):
    problem = next(validator().iter_errors(campaign), None)
    if problem is not None:
        raise AssertionError(
            f"a campaign that breaks its schema at {problem.json_path}: {problem.message}"
        )
    claims.write_text(path, files.as_text(campaign))


def resume(path, campaign):
    """Returns the campaign of the file if it is the same one; adds points that are new."""
    found = read(path)
    same = SAME.get(campaign["method"], ("seed", "batch"))
    if found["method"] != campaign["method"]:
        raise EvaluationError(f"{path} holds a campaign of method {found['method']}")
    for name in same:
        if found["settings"][name] != campaign["settings"][name]:
            raise EvaluationError(
                f"{path} holds a campaign with {name} {found['settings'][name]}, not "
                f"{campaign['settings'][name]}; give it as it was, or name another file with --out"
            )
    if found["made_from"] != campaign["made_from"] and any(row["units"] for row in found["points"]):
        raise EvaluationError(
            f"{path} was made from other sources than these (made_from); finish it there, or name "
            "another file with --out"
        )
    known = {point_of(row) for row in found["points"]}
    found["points"] += [row for row in campaign["points"] if point_of(row) not in known]
    found["settings"] = campaign["settings"]
    for row in found["points"]:
        row["finished"] = is_finished(row, found)
    found["complete"] = all(row["finished"] for row in found["points"])
    return found


# --- Units ---------------------------------------------------------------------------------------


def is_finished(row, campaign):
    """Whether a point has enough; in strata, failures of another largest overlap do not count."""
    settings = campaign["settings"]
    if campaign["method"] == "split":
        return row["units"] >= settings["runs"]
    own = sum(row["histogram"][1:]) if campaign["method"] == "strata" else row["failures"]
    return row["decodings"] >= settings["decodings"] or (
        settings["failures"] is not None and own >= settings["failures"]
    )


def could_count(campaign, row, number):
    """Whether a unit of that number can still count."""
    settings = campaign["settings"]
    if campaign["method"] == "split":
        return number < settings["runs"]
    return number * settings["batch"] < settings["decodings"]


def add_unit(campaign, row, number, unit):
    """Adds a unit, and counts those that are next in order until the point is finished."""
    row["waiting"][str(number)] = unit
    while not is_finished(row, campaign) and str(row["units"]) in row["waiting"]:
        following = row["waiting"].pop(str(row["units"]))
        row["units"] += 1
        row["decodings"] += following["decodings"]
        row["seconds"] = round(row["seconds"] + following["seconds"], 3)
        if campaign["method"] == "split":
            row["runs"].append(following)
            continue
        for name in ("failures", "decoded", "completed"):
            if name in row:
                row[name] += following[name]
        counted = "histogram" if "histogram" in row else "halvings"
        row[counted] = [
            a + b for a, b in itertools.zip_longest(row[counted], following[counted], fillvalue=0)
        ]
        if "sums" in row:
            row["sums"] += following["sums"]
        row["failed"] += following["failed"][: LISTED_FAILURES - len(row["failed"])]
    row["finished"] = is_finished(row, campaign)
    if row["finished"]:
        row["waiting"] = {}


def trimmed(counts):
    """Returns a list without the zeros at its end."""
    while counts and counts[-1] == 0:
        counts = counts[:-1]
    return counts


def unit_of(program, method, words, number, settings, levels=None):
    """Runs one unit; returns what is kept of it: the same on any machine."""
    if method == "split":
        found = json.loads(
            call(
                program,
                "split",
                *words,
                f"run={number}",
                f"particles={settings['particles']}",
                f"kept={settings['kept']}",
                f"levels={levels}",
            )
        )
        return {**found, "weights": trimmed(found["weights"])}
    batch = settings["batch"]
    if method == "roulette":
        found = groups_of(program, words, settings, number * (batch // settings["group"] ** 2),
                          batch // settings["group"] ** 2)  # fmt: skip
        return {**found, "halvings": trimmed(found["halvings"])}
    found = json.loads(call(program, "direct", *words, f"first={number * batch}", f"count={batch}"))
    kept = {name: found[name] for name in ("decodings", "failures", "failed", "seconds")}
    return {**kept, "histogram": trimmed(found["histogram"])}


def groups_of(program, words, settings, first, count, kept=0):
    """Returns what some groups of a roulette gave; kept: failures with key and error."""
    given = [
        f"group={settings['group']}",
        *(f"{name.replace('_', '-')}={settings[name]}" for name in TABLES),
        *(f"first={first}", f"count={count}", f"kept={kept}"),
    ]
    found = json.loads(call(program, "roulette", *words, *given))
    del found["first"]
    return found if kept else {name: found[name] for name in found if name != "cases"}


def words_of(campaign, row):
    engine = campaign["settings"]["engine"]
    return [
        *point_of(row).words(),
        f"seed={row['seed']}",
        *([f"engine={engine}"] if engine != "auto" else []),
    ]


def levels_of(run):
    """Returns the levels of a pilot as codekem_lab takes them."""
    return ",".join(lab_points.level_words(level) for level in run["levels"])


def run_pilots(campaign, path, program, note=lambda text: None):
    """Makes the pilot of every point that has none: its levels, and the bets, are those of all
    runs."""
    for row in campaign["points"]:
        if row["pilot"] is None:
            note(f"pilot of {point_of(row).name}")
            words = words_of(campaign, row)
            settings = {**campaign["settings"], "kept": 0}
            pilot = unit_of(program, "split", words, PILOT_RUN, settings, "adaptive")
            row["pilot"] = {**pilot, "fixed": levels_of(pilot), "bets": list(BETS)}
            save(path, campaign)


def next_unit(campaign, given):
    """Returns (index of a point, number of its next unit), or None. The points take turns."""
    for i, row in enumerate(campaign["points"]):
        while str(given[i]) in row["waiting"]:
            given[i] += 1
    wanting = [
        i
        for i, row in enumerate(campaign["points"])
        if not row["finished"] and could_count(campaign, row, given[i])
    ]
    if not wanting:
        return None
    i = min(wanting, key=lambda i: given[i])
    given[i] += 1
    return i, given[i] - 1


def run_unit(program, *arguments):
    """Runs one unit where a worker is; tells what it was made by."""
    return made_by.signed(unit_of(program, *arguments), program, "lab")


def submit(executor, campaign, program, job):
    i, number = job
    row = campaign["points"][i]
    levels = row["pilot"]["fixed"] if campaign["method"] == "split" else None
    return executor.submit(
        run_unit,
        str(program),
        campaign["method"],
        words_of(campaign, row),
        number,
        campaign["settings"],
        levels,
    )


def run(campaign, path, program, workers, progress=lambda campaign: None):
    """Runs what is missing; saves every few seconds and at the end, whatever ends it."""
    path = pathlib.Path(path)
    given = [row["units"] for row in campaign["points"]]
    expected = made_by.of_program(program, "lab")
    keep = dfr_campaign.keeper(lambda: save(path, campaign), lambda: progress(campaign))

    def add(i, number, unit):
        accepted = made_by.accepted(unit, program, expected)
        add_unit(campaign, campaign["points"][i], number, accepted)

    def handed(executor, job):
        return submit(executor, campaign, program, job)

    try:
        if campaign["method"] == "split":
            run_pilots(campaign, path, program)
        following = functools.partial(next_unit, campaign, given)
        dfr_campaign.hand_out(workers, campaign, following, handed, add, keep)
        campaign["complete"] = all(row["finished"] for row in campaign["points"])
    finally:
        save(path, campaign)
