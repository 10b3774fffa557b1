# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other processors: instructions that an emulator counted, flash, and the survey's times on Arm."""

from codekem_base.model import label, number
from codekem_evaluation import inputs, paths, published
from codekem_evaluation.long import Column, Row, Spec, each
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL
from codekem_evaluation.tables_times import where_of

COUNTED = "1000 instructions"


def count(row):
    return number(row.value, row.trace, 0 if row.unit == COUNTED else None)


NAMES = {"KEM": "subject", "processor": "source", "implementation": "code"}
PROCESSORS = Spec(
    "processors",
    "Other processors: instructions, counted by an emulator",
    NAMES,
    [
        *each({o: LABELS[o] for o in OPERATIONS}, "on other processors", shown=count,
              why="this operation was not counted"),
        Column("all three", "on other processors", OVERALL, shown=count,
               why="not all operations were counted"),
        Column("unit", "on other processors", shown=lambda row: label(row.unit)),
        Column("most stack", "stack on other processors", digits=0,
               why="the stack was not measured"),
    ],
)  # fmt: skip
FLASH = Spec(
    "flash",
    "Small devices: bytes of flash and static RAM for one KEM",
    NAMES,
    [Column("flash", "flash", digits=0), Column("static RAM", "static RAM", digits=0)],
)
NOTHING = "nothing was measured: there are no results in devices/results"


def rows(folder=paths.EMBEDDED):
    """Returns (rows of instruction counts, then of the survey's times on Arm, KEM by KEM; what is
    stored; sentences on what cannot be read)."""
    stored, problems = inputs.read("processors", folder)
    groups = {}
    for row in stored:
        shares = f", {row['shares']} shares" if "shares" in row else ""  # against side channels
        key = row["kem"], row["target"], row["backend"] + shares
        groups.setdefault(key, {})[row["operation"]] = row
    survey = survey_on_arm()
    found = []
    for kem in dict.fromkeys([*sorted(key[0] for key in groups), *survey]):
        for (_, target, code), operations in sorted(g for g in groups.items() if g[0][0] == kem):
            found += counted(kem, target, code, operations)
        found += survey.get(kem, [])
    return found, stored, problems


def counted(kem, target, code, found):
    """Yields the rows of one KEM on one processor and back end."""
    names = {"subject": kem, "code": code, "source": target}
    counts = {o: found[o]["instructions"] for o in OPERATIONS if o in found}
    trace = next(iter(found.values()))["trace"]
    if len(counts) == len(OPERATIONS):
        counts[OVERALL] = sum(counts.values())
    for o, counted_ones in counts.items():
        yield Row(**names, operation=o, metric="on other processors", value=counted_ones / 1e3,
                  unit=COUNTED, trace=found[o]["trace"] if o in found else trace)  # fmt: skip
    stacks = [row.get("stack_bytes") for row in found.values()]
    if None not in stacks:
        yield Row(**names, metric="stack on other processors", value=max(stacks), unit="bytes",
                  trace=trace)  # fmt: skip


def survey_on_arm():
    """Returns {KEM: rows} of published times on Arm, such as the survey's: milliseconds."""
    found = {}
    for kem, several in published.times().items():
        for (code, cpu, source), operations in several.items():
            if cpu.startswith("Arm"):
                clock = operations["KeyGen"]["clock_ghz"]
                unit = f"ms at {clock} GHz" if clock else "ms"
                for o, name in zip(LABELS, (*published.OPERATIONS, published.WHOLE), strict=True):
                    row = operations[name]
                    found.setdefault(kem, []).append(
                        Row(kem, code, o, "on other processors", float(row["milliseconds"]), unit,
                            where_of(cpu, source), row["trace"])
                    )  # fmt: skip
                found[kem].append(
                    Row(kem, code, "", "stack on other processors", source=where_of(cpu, source),
                        why="not published")
                )  # fmt: skip
    return found


def processors(folder=paths.EMBEDDED):
    """Returns instruction counts of other processors, and the survey's times on Arm."""
    found, stored, notes = rows(folder)
    notes = notes + list(
        dict.fromkeys(f"{r['target']}: {r['emulator']}" for r in stored if r.get("emulator"))
    )
    if not stored:
        notes.append("of ours, nothing was counted: there are no results in devices/results")
    notes.append(
        "instructions are not time, and nothing here is a ratio: a processor does "
        "from a fraction of one to several in a cycle. On such a machine itself, "
        "'codekem-evaluation run' measures time"
    )
    return PROCESSORS.table(found, notes)


def of_flash(folder=paths.EMBEDDED):
    """Returns (rows of what small devices must hold, without the stack; problems)."""
    stored, problems = inputs.read("flash", folder)
    return [
        Row(r["kem"], r["backend"], "", metric, r[key], "bytes", r["target"], r["trace"])
        for r in stored
        for metric, key in (("flash", "flash_bytes"), ("static RAM", "ram_bytes"))
    ], problems


def flash(folder=paths.EMBEDDED):
    """Returns what small devices must hold: bytes of flash and of static RAM, without the stack."""
    rows, problems = of_flash(folder)
    return FLASH.table(rows, problems, NOTHING)
