# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other processors: instructions that an emulator counted, flash, and the survey's times on Arm."""

from codekem_base.model import Table, label, missing, number
from codekem_evaluation import inputs, paths, published
from codekem_evaluation.samples import LABELS, OPERATIONS
from codekem_evaluation.tables_times import where_of


def processors(folder=paths.EMBEDDED):
    """Returns instruction counts of other processors, and the survey's times on Arm."""
    table = Table(
        "processors",
        "Other processors: instructions, counted by an emulator",
        [
            "KEM",
            "processor",
            "implementation",
            *[LABELS[o] for o in OPERATIONS],
            "all three",
            "unit",
            "most stack",
        ],
        texts=3,
    )
    rows, table.notes = inputs.read("processors", folder)
    groups = {}
    for row in rows:
        groups.setdefault((row["kem"], row["target"], row["backend"]), {})[row["operation"]] = row
    survey = survey_on_arm()
    for kem in dict.fromkeys([*sorted(key[0] for key in groups), *survey]):
        for (_, target, backend), found in sorted(g for g in groups.items() if g[0][0] == kem):
            add_counts(table, (kem, target, backend), found)
        for row in survey.get(kem, []):
            table.add(*row)
    table.notes += list(
        dict.fromkeys(f"{row['target']}: {row['emulator']}" for row in rows if row.get("emulator"))
    )
    if not rows:
        table.notes.append("of ours, nothing was counted: there are no results in devices/results")
    table.notes.append(
        "instructions are not time, and nothing here is a ratio: a processor does "
        "from a fraction of one to several in a cycle. On such a machine itself, "
        "'codekem-evaluation run' measures time"
    )
    return table


def add_counts(table, key, found):
    """Adds the instructions of one KEM on one processor and back end."""
    cells = [
        number(found[o]["instructions"] / 1e3, found[o]["trace"], 0)
        if o in found
        else missing("this operation was not counted")
        for o in OPERATIONS
    ]
    first = next(iter(found.values()))
    stacks = [row.get("stack_bytes") for row in found.values()]
    whole = (
        number(sum(found[o]["instructions"] for o in OPERATIONS) / 1e3, first["trace"], 0)
        if all(o in found for o in OPERATIONS)
        else missing("not all operations were counted")
    )
    table.add(
        *map(label, key),
        *cells,
        whole,
        label("1000 instructions"),
        missing("the stack was not measured")
        if None in stacks
        else number(max(stacks), first["trace"], 0),
    )


def survey_on_arm():
    """Returns {KEM: rows} of published times on Arm, such as the survey's: milliseconds."""
    found = {}
    for kem, several in published.times().items():
        for (implementation, cpu, source), operations in several.items():
            if cpu.startswith("Arm"):
                clock = operations["KeyGen"]["clock_ghz"]
                found.setdefault(kem, []).append(
                    [
                        label(kem),
                        label(where_of(cpu, source)),
                        label(implementation),
                        *[
                            number(float(operations[o]["milliseconds"]), operations[o]["trace"])
                            for o in (*published.OPERATIONS, published.WHOLE)
                        ],
                        label(f"ms at {clock} GHz" if clock else "ms"),
                        missing("not published"),
                    ]
                )
    return found


def flash(folder=paths.EMBEDDED):
    """Returns what small devices must hold: bytes of flash and of static RAM, without the stack."""
    table = Table(
        "flash",
        "Small devices: bytes of flash and static RAM for one KEM",
        ["KEM", "processor", "implementation", "flash", "static RAM"],
        texts=3,
    )
    rows, table.notes = inputs.read("flash", folder)
    for row in rows:
        table.add(
            label(row["kem"]),
            label(row["target"]),
            label(row["backend"]),
            number(row["flash_bytes"], row["trace"], 0),
            number(row["ram_bytes"], row["trace"], 0),
        )
    if not table.rows:
        table.reason = "nothing was measured: there are no results in devices/results"
    return table
