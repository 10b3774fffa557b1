# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The survey's table 3: which part of each primitive takes how much of the whole KEM."""

from codekem_base.errors import EvaluationError
from codekem_evaluation import published
from codekem_evaluation.long import PARTS, Column, Row, Spec
from codekem_evaluation.samples import LABELS, OPERATIONS
from codekem_evaluation.tables_times import HERE, SURVEY, where_of

PRIMITIVES = {LABELS[operation]: operation for operation in OPERATIONS}


def shares(run, kem, backend):
    """Returns {(operation, part): share of the whole KEM}, or {} if it was not profiled."""
    rows = [row for row in run.get("profile", []) if (row["kem"], row["backend"]) == (kem, backend)]
    whole = sum(row["cycles"] for row in rows)
    # The survey writes parts with a capital.
    return (
        {
            (row["operation"], row["part"][:1].upper() + row["part"][1:]): row["cycles"] / whole
            for row in rows
        }
        if whole
        else {}
    )


def published_of(kem):
    """Returns {(implementation, processor, source): {(operation, part): (percent, trace)}}."""
    found = {}
    for row in published.rows("bike_software_profile"):
        if row["primitive"] not in PRIMITIVES:
            raise EvaluationError(
                f"{row['place']}: no primitive {row['primitive']!r}; there are "
                + ", ".join(PRIMITIVES)
            )
        if row["kem"] == kem:
            found.setdefault((row["implementation"], row["cpu"], row["source"]), {})[
                PRIMITIVES[row["primitive"]], row["operation"]
            ] = (float(row["percent_of_kem"]), row["trace"])
    return found


def name_of(key):
    """Returns the short name of a published profile: the survey's has none but its processor."""
    name, cpu, source = key
    return f"{name}, {processor(cpu)}" + ("" if source == SURVEY else f" [{source}]")


def processor(name):
    """Returns the short name of a processor: the last word before what is in brackets."""
    return name.split(" (")[0].split()[-1]


def rows(run, kem):
    """Yields the rows of a profile, ours and published: shares of the whole KEM in percent."""
    ours = {code: shares(run, kem, code) for code in backends(run, kem)}
    theirs = published_of(kem)
    for operation in OPERATIONS:
        parts = dict.fromkeys(
            part
            for found in [*ours.values(), *theirs.values()]
            for each, part in found
            if each == operation and part != "total"
        )
        for part in [*parts, "total"]:
            names = {"subject": kem, "operation": f"{LABELS[operation]}{PARTS}{part}"}
            names |= {"unit": "percent"}
            for code, found in ours.items():
                trace, share = f"profile/{kem}/{code}/{operation}", found.get((operation, part))
                if part == "total":
                    share = sum(s for (each, _), s in found.items() if each == operation)
                else:
                    trace += f"/{part}"
                if share is not None:
                    yield Row(**names, metric=f"share of {code}", code=code, value=100 * share,
                              source=HERE, trace=trace)  # fmt: skip
            for key, found in theirs.items():
                if (operation, part) in found:
                    value, trace = found[operation, part]
                    yield Row(**names, metric=f"share of {name_of(key)}", code=key[0], value=value,
                              source=where_of(*key[1:]), trace=trace)  # fmt: skip


def backends(run, kem):
    return list(dict.fromkeys(r["backend"] for r in run.get("profile", []) if r["kem"] == kem))


def profile(run, kem):
    """Returns the profile of one KEM: ours for each back end, and the survey's, in percent."""
    ours, theirs = backends(run, kem), published_of(kem)
    mine = [
        Column(code, f"share of {code}", digits=1, why="no such part was told apart here")
        for code in ours
    ]
    others = [
        Column(name, f"share of {name}", digits=0, why="the source does not list this part")
        for name in map(name_of, theirs)
    ]
    spec = Spec(
        f"profile-{kem.lower()}",
        f"{kem}: share of each part in the whole KEM, percent",
        {"primitive": "operation.0", "part": "operation.1"},
        [*mine, *others],
        across=True,
    )
    notes = []
    if any(source == SURVEY for *_, source in theirs):
        notes.append(f"columns with a processor alone: the survey, [{SURVEY}]")
    if not ours:
        notes.append("of this run there is no profile: see what was not measured")
    return spec.table(rows(run, kem), notes)


def profiles(run):
    """Returns a table for each KEM that we or the survey profiled."""
    names = [kem["name"] for kem in run["kems"] if not kem.get("legacy")]
    measured = {row["kem"] for row in run.get("profile", [])}
    return [profile(run, kem) for kem in names if kem in measured or published_of(kem)]
