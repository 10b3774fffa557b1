# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The survey's table 3: which part of each primitive takes how much of the whole KEM."""

from codekem_base.errors import EvaluationError
from codekem_base.model import Table, label, missing, number
from codekem_evaluation import published
from codekem_evaluation.samples import LABELS, OPERATIONS
from codekem_evaluation.tables_times import SURVEY

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


def profile_cell(share, trace, why):
    return missing(why) if share is None else number(100 * share, trace, 1)


def profile(run, kem):
    """Returns the profile of one KEM: ours for each back end, and the survey's, in percent."""
    backends = list(
        dict.fromkeys(row["backend"] for row in run.get("profile", []) if row["kem"] == kem)
    )
    ours = {backend: shares(run, kem, backend) for backend in backends}
    theirs = published_of(kem)
    table = Table(
        f"profile-{kem.lower()}",
        f"{kem}: share of each part in the whole KEM, percent",
        ["primitive", "part", *backends, *map(name_of, theirs)],
        texts=2,
    )
    for operation in OPERATIONS:
        parts = dict.fromkeys(
            part
            for table_of in [*ours.values(), *theirs.values()]
            for each, part in table_of
            if each == operation and part != "total"
        )
        for part in [*parts, "total"]:
            cells = [
                ours_cell(ours[backend], kem, backend, operation, part) for backend in backends
            ]
            for table_of in theirs.values():
                value = table_of.get((operation, part))
                cells.append(
                    missing("the source does not list this part")
                    if value is None
                    else number(value[0], value[1], 0)
                )
            table.add(label(LABELS[operation]), label(part), *cells)
    if any(source == SURVEY for *_, source in theirs):
        table.notes.append(f"columns with a processor alone: the survey, [{SURVEY}]")
    if not backends:
        table.notes.append("of this run there is no profile: see what was not measured")
    return table


def ours_cell(table_of, kem, backend, operation, part):
    trace = f"profile/{kem}/{backend}/{operation}"
    if part == "total":
        return profile_cell(
            sum(s for (each, _), s in table_of.items() if each == operation), trace, ""
        )
    return profile_cell(
        table_of.get((operation, part)), f"{trace}/{part}", "no such part was told apart here"
    )


def profiles(run):
    """Returns a table for each KEM that we or the survey profiled."""
    names = [kem["name"] for kem in run["kems"] if not kem.get("legacy")]
    measured = {row["kem"] for row in run.get("profile", [])}
    return [profile(run, kem) for kem in names if kem in measured or published_of(kem)]
