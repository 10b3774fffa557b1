# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hardware: times, resources and the smallest FPGA that fits; ours as they land, and published.

No vendor's tool has placed our cores: for LUTs there are an estimate and a count that is not packed
(raw), and for the clock only an assumption. Both are said wherever a figure depends on them.
"""

import dataclasses
import math

from codekem_base.model import Cell, label, missing, number
from codekem_evaluation import inputs, long, paths, published
from codekem_evaluation.long import PARTS, Column, Row, Spec, each
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL

RESOURCES = ("LUT", "FF", "BRAM36", "DSP")
FAMILIES = ("Artix-7", "Zynq-7000")
OURS = "codekem"
JOINT = "joint "  # how the names of rows of the core for both schemes begin
ASSUMED = "clock assumed"
NOT_PUBLISHED = "not published"
NOT_SYNTHESISED = "not synthesised yet"
NOT_ROUTED = "not placed and routed as a whole on an ECP5"
ASSUMED_MHZ = 100  # of our cores in tables and plots of time: no tool for the 7 series is open


def devices(family):
    """Returns the devices of a family, smallest first: [(name, {resource: count})]."""
    found = [
        (row["device"], {key: float(row[key]) for key in RESOURCES})
        for row in published.rows("fpga_devices")
        if row["device"].startswith(family)
    ]
    return sorted(found, key=lambda device: device[1]["LUT"])


def smallest(need, family):
    """Returns the smallest device of a family that holds what is needed, or how many of the
    largest.

    need is {resource: count}; a count of None is not known and does not limit.
    """
    known = {key: value for key, value in need.items() if value is not None}
    available = devices(family)
    for name, has in available:
        if all(known[key] <= has[key] for key in known):
            return name
    name, has = available[-1]
    pieces = max(math.ceil(known[key] / has[key]) for key in known)
    return f"{pieces} x {name}"


def number_or_none(value):
    return None if value in (None, "") else float(value)


def published_resources():
    """Yields (core, design, source, {resource: count}, trace) of what is published."""
    for row in published.rows("bike_hardware_resources"):
        yield (
            row["kem"],
            f"{row['design']} {row['instance']}",
            row["source"],
            {key: number_or_none(row[key]) for key in RESOURCES},
            row["trace"],
        )
    for row in published.rows("pqc_fpga_comparison"):
        yield (
            row["scheme"],
            row["instance"],
            row["source"],
            {
                "LUT": float(row["LUT"]),
                "FF": float(row["FF"]),
                "BRAM36": float(row["BRAM"]),
                "DSP": float(row["DSP"]),
            },
            row["trace"],
        )


@dataclasses.dataclass(frozen=True)
class Core:
    """A core that our flow has synthesised: need is {resource: count} with the estimate of LUTs."""

    name: str
    design: str
    source: str
    level: int
    need: dict
    raw_luts: float | None  # look-up tables, not packed
    cycles: dict  # {operation: clock cycles, or None}
    ecp5_mhz: float | None
    trace: str

    @property
    def milliseconds(self):
        """Of the whole KEM at the assumed clock; None for a core that does a part of it."""
        counts = [self.cycles[operation] for operation in OPERATIONS]
        return None if None in counts else sum(counts) / ASSUMED_MHZ / 1e3

    @property
    def raw_need(self):
        return {**self.need, "LUT": self.raw_luts}


def needs_of(row):
    """Returns the fields need and raw_luts of a Core.

    The vendor's figure of LUTs has those used as memory in it.
    """
    lut, raw = number_or_none(row["lut"]), number_or_none(row.get("lut_raw"))
    memory = row.get("lutram", 0)
    need = {
        "LUT": None if lut is None else lut + memory,
        "FF": number_or_none(row["ff"]),
        "BRAM36": number_or_none(row["bram36"]),
        "DSP": number_or_none(row["dsp"]),
    }
    return {"need": need, "raw_luts": None if raw is None else raw + memory}


def cores(folder):
    """Returns our cores by level and size, then those of others, and sentences on what cannot be
    read."""
    rows, problems = inputs.read("hardware", folder)
    rows.sort(key=lambda row: (row["level"], row["lut"] or math.inf))
    found = [
        Core(
            core_of(row),
            design_of(row),
            OURS,
            row["level"],
            **needs_of(row),
            cycles={o: number_or_none(row[f"{o}_cycles"]) for o in OPERATIONS},
            ecp5_mhz=number_or_none(row["ecp5_mhz"]),
            trace=row["trace"],
        )
        for row in rows
    ]
    peers, more = inputs.read("peer-cores", folder.parent / "peers" / "results")
    problems += more
    for row in peers:
        name = row["peer"].split(",")[0]
        found.append(
            Core(
                row.get("kem", "BIKE-L1"),
                row.get("design", f"width {row['width']}"),
                f"{name}, our synthesis",
                1,
                **needs_of(row),
                cycles={o: number_or_none(row[o]) for o in OPERATIONS},
                ecp5_mhz=None,
                trace=row["trace"],
            )
        )
    return found, list(dict.fromkeys(problems))


def design_of(row):
    return " ".join(str(row[key]) for key in ("preset", "build") if row.get(key))


def core_of(row):
    """Returns the name of our core with its level, as the published ones write it."""
    core = str(row["core"])
    return core if str(row["level"]) in core else f"{core} level {row['level']}"


def count_cell(need, key, trace, why, raw=None):
    """Returns the cell of a resource; of LUTs from the estimate to the raw count."""
    value = need[key]
    if value is None:
        return missing(why)
    if key == "LUT" and raw is not None and raw != value:
        return Cell(f"{value:,.0f} to {raw:,.0f}", value, trace, interval=(value, raw))
    return number(value, trace, 0 if value == int(value) else 1)


def fitting(core, family):
    """Returns the smallest device by the estimate and, if that is another, by the raw LUTs."""
    first = short_device(smallest(core.need, family), family)
    if core.raw_luts is None:
        return f"{first} (estimate)"
    last = short_device(smallest(core.raw_need, family), family)
    return first if first == last else f"{first} (estimate), {last} (raw)"


def short_device(name, family):
    """Returns a device's name without that of its family, which stands in the head."""
    return name.replace(f"{family} ", "")


def nothing_of_ours(folder):
    where = folder.relative_to(paths.ROOT) if folder.is_relative_to(paths.ROOT) else folder
    return f"of our cores there is no row yet: there are no results in {where}"


# --- Cores ---------------------------------------------------------------------------------------

NAMES = {"core": "subject", "design": "code", "source": "source"}
OPERATION_NAMES = {o: LABELS[o] for o in OPERATIONS}
NO_OPERATION = "this core has no such operation"
NOT_ALL = "this core does not do all three operations"


def device(row):
    return label(row.unit, row.trace)


def clock(row):
    """A published clock, or that at which times of ours are given."""
    if row.unit == "MHz, assumed":
        return Cell(f"{row.value:.0f} assumed", row.value, row.trace)
    return number(row.value, row.trace, 0)


RESOURCES_TABLE = Spec(
    "hardware-resources",
    "Resources, and the smallest FPGA that holds them",
    NAMES,
    [
        *(Column(name, name, shown=long.to) for name in RESOURCES),
        *(Column(f"smallest {f}", f"smallest {f}", shown=device) for f in FAMILIES),
    ],
    printed=True,
)
TIMES = Spec(
    "hardware-times",
    "Hardware times in milliseconds",
    NAMES,
    [
        *each({**OPERATION_NAMES, OVERALL: LABELS[OVERALL]}, "hardware time", why=NOT_PUBLISHED),
        Column("MHz", "clock", shown=clock, why=NOT_PUBLISHED),
        Column("ECP5 MHz", "ECP5 clock", digits=1, why=NOT_ROUTED),
    ],
)
CYCLES = Spec(
    "hardware-cycles",
    "Hardware: thousands of clock cycles",
    NAMES,
    each(OPERATION_NAMES, "hardware cycles", "thousand cycles", why=NOT_PUBLISHED),
)


def resources_of(folder=paths.HARDWARE):
    """Yields what our cores and the published ones need, and the smallest devices for it."""
    for core in cores(folder)[0]:
        names = {"subject": core.name, "code": core.design, "source": core.source}
        names["trace"] = core.trace
        for name, value in core.need.items():
            ends = (value, core.raw_luts) if name == "LUT" and core.raw_luts else (None, None)
            yield Row(**names, metric=name, value=value, low=ends[0], high=ends[1],
                      why=NOT_SYNTHESISED if value is None else None)  # fmt: skip
        for family in FAMILIES:
            metric, lut = f"smallest {family}", core.need["LUT"]
            if lut is None:
                yield Row(**names, metric=metric, why=NOT_SYNTHESISED)
            else:
                yield Row(**names, metric=metric, value=lut, unit=fitting(core, family))
    for name, design, source, need, trace in published_resources():
        names = {"subject": name, "code": design, "source": source, "trace": trace}
        for resource, value in need.items():
            why = NOT_PUBLISHED if value is None else None
            yield Row(**names, metric=resource, value=value, why=why)
        for family in FAMILIES:
            fits = short_device(smallest(need, family), family)
            yield Row(**names, metric=f"smallest {family}", value=need["LUT"], unit=fits)


def resources(folder=paths.HARDWARE):
    found, notes = cores(folder)
    if not found:
        notes.append(nothing_of_ours(folder))
    else:
        notes.append(
            "ours: synthesis with open tools for the 7 series, before placing. LUT goes from the "
            "tool's estimate, in which small look-up tables share a place, to the raw count of "
            "them, both with the LUTs used as memory; in brackets, by which of them a device is "
            "large enough (without brackets: by both). Published figures: vendor tools, after "
            "placing. The core alone, in both"
        )
    return RESOURCES_TABLE.table(resources_of(folder), notes)


def times_of(folder=paths.HARDWARE):
    """Yields cycles of our cores and their times at the assumed clock, and what is published."""
    for core in cores(folder)[0]:
        names = {"subject": core.name, "code": core.design, "source": core.source}
        names["trace"] = core.trace
        for o, count in core.cycles.items():
            why = NO_OPERATION if count is None else None
            yield Row(**names, operation=o, metric="hardware cycles", value=count, unit="cycles",
                      why=why)  # fmt: skip
            spent = None if count is None else count / ASSUMED_MHZ / 1e3
            yield Row(**names, operation=o, metric="hardware time", value=spent, unit="ms", why=why)
        whole = core.milliseconds
        yield Row(**names, operation=OVERALL, metric="hardware time", value=whole, unit="ms",
                  why=NOT_ALL if whole is None else None)  # fmt: skip
        yield Row(**names, metric="clock", value=float(ASSUMED_MHZ), unit="MHz, assumed")
        yield Row(**names, metric="ECP5 clock", value=core.ecp5_mhz, unit="MHz",
                  why=NOT_ROUTED if core.ecp5_mhz is None else None)  # fmt: skip
    for row in published.rows("bike_hardware_times"):
        operation = {"KeyGen": "keygen", "Encaps": "encaps", "Decaps": "decaps"}
        yield Row(row["kem"], f"{row['design']} {row['instance']}",
                  operation.get(row["operation"], OVERALL if row["operation"] == published.WHOLE
                                else row["operation"]),
                  "hardware time", float(row["milliseconds"]), "ms", row["source"],
                  row["trace"])  # fmt: skip
    for row in published.rows("pqc_fpga_comparison"):
        names = {"subject": row["scheme"], "code": row["instance"], "source": row["source"]}
        names["trace"] = row["trace"]
        values = [float(row[f"{o}_ms"]) for o in OPERATIONS]
        for o, value in zip((*OPERATIONS, OVERALL), [*values, sum(values)], strict=True):
            yield Row(**names, operation=o, metric="hardware time", value=value, unit="ms")
        for o in OPERATIONS:
            millions = row[f"{o}_Mcycles"]
            yield Row(**names, operation=o, metric="hardware cycles", unit="million cycles",
                      value=float(millions) if millions else None,
                      why=None if millions else NOT_PUBLISHED)  # fmt: skip
        yield Row(**names, metric="clock", value=float(row["MHz"]), unit="MHz")


def times(folder=paths.HARDWARE):
    found, notes = cores(folder)
    notes += [
        *([] if found else [nothing_of_ours(folder)]),
        f"assumed: cycles at {ASSUMED_MHZ} MHz, which no tool has measured for these "
        "cores on the 7 series, so there is no ratio column; cycles compare. The clock "
        "after place and route on a Lattice ECP5 is one of that family alone",
        "client-server designs have one core for KeyGen and Decaps: the survey gives "
        "the sum of both, shown in Overall with Encaps",
    ]
    return TIMES.table(times_of(folder), notes)


def cycles(folder=paths.HARDWARE):
    """Returns clock cycles of our cores beside published ones: the comparison that is fair."""
    found, notes = cores(folder)
    return CYCLES.table(times_of(folder), [*notes, *([] if found else [nothing_of_ours(folder)])])


# --- Modules, and what is published of parts of cores ---------------------------------------------

ROUTED = Spec(
    "hardware-routed",
    "Clock after place and route on a Lattice ECP5, by module",
    {"module": "subject", "preset": "code.0", "level": "code.1"},
    [
        *(Column(name, name, digits=0) for name in ("LUT4", "FF", "DP16KD", "multipliers")),
        Column("ECP5 MHz", "ECP5 clock of a module", digits=1),
    ],
)
PRIMITIVES = Spec(
    "hardware-primitives",
    "HQC-128, published: one core for each primitive",
    {
        "target": "code.0",
        "primitive": "operation",
        "variant": "code.1",
        "instance": "code.2",
        "source": "source",
    },
    [
        Column(name, f"{name} of a primitive", digits=digits, why=NOT_PUBLISHED)
        for name, digits in (("MHz", 0), ("LUT", 0), ("FF", 0), ("BRAM", 1), ("clocks", 0),
                             ("ms", 2))
    ],
    blank="one variant only",
    detail=True,
)  # fmt: skip
FUNCTIONS = Spec(
    "hardware-functions",
    "HQC-128, published: functions inside the cores",
    {"primitive": "code.0", "function": "operation", "design": "code.1", "source": "source"},
    [
        Column(name, f"{name} of a function", digits=None if name == "µs" else 0, why=NOT_PUBLISHED)
        for name in ("clocks", "µs", "BRAM", "DSP", "FF", "LUT")
    ],
    detail=True,
)
CLAIMS = Spec(
    "claims",
    "Other published claims",
    {"KEM": "subject", "platform": "code", "claim": "operation", "source": "source"},
    [Column("value", "claim")],
)
FIELDS = {"µs": "microseconds", "ms": "milliseconds"}
MODULE_FIELDS = {"ECP5 MHz": "mhz", "multipliers": "dsp"}


def columns_of(spec, row, names, field=str, why=NOT_PUBLISHED):
    """Yields a row for each column of a table, from a row of a file."""
    for column in spec.columns:
        value = row[field(column.heading)]
        there = value not in ("", None)
        yield Row(**names, metric=column.metric, value=float(value) if there else None,
                  trace=row["trace"], why=None if there else why)  # fmt: skip


def of_modules(folder=paths.HARDWARE):
    for row in inputs.read("routed", folder)[0]:
        names = {"subject": row["module"], "code": f"{row['preset']}{PARTS}{row['level']}"}
        names["source"] = row["device"]
        why = (
            ""
            if row["mhz"] is not None
            else f"nextpnr had not finished after {row['unfinished_after_seconds']:.0f} seconds"
        )
        yield from columns_of(ROUTED, row, names, lambda h: MODULE_FIELDS.get(h, h.lower()), why)


def routed(folder=paths.HARDWARE):
    """Returns the clock of our modules after place and route, which open tools do for the ECP5."""
    rows, notes = inputs.read("routed", folder)
    notes += [
        f"{device}, by {tools}"
        for device, tools in dict.fromkeys((row["device"], row["tools"]) for row in rows)
    ]
    if rows:
        notes.append(
            "a clock of the ECP5 alone, which has look-up tables of four inputs: "
            "not one of Artix-7 or Zynq-7000"
        )
    return ROUTED.table(of_modules(folder), notes, nothing_of_ours(folder))


def of_parts():
    """Yields what is published of HQC's cores, primitive by primitive and function by function."""
    for row in published.rows("hqc_hls_primitives"):
        code = PARTS.join([row["target"], row["variant"], row["instance"]])
        names = {"subject": "HQC-128", "code": code, "operation": row["primitive"]}
        names["source"] = row["source"]
        yield from columns_of(PRIMITIVES, row, names, lambda h: FIELDS.get(h, h))
    for row in published.rows("hqc_hls_functions"):
        code = PARTS.join([row["primitive"], row["design"]])
        names = {"subject": "HQC-128", "code": code, "operation": row["function"]}
        names["source"] = row["source"]
        yield from columns_of(FUNCTIONS, row, names, lambda h: FIELDS.get(h, h))


def primitives():
    """Returns HQC's published cores, primitive by primitive, as printed."""
    return PRIMITIVES.table(of_parts())


def functions():
    """Returns the functions inside HQC's published cores, as printed."""
    return FUNCTIONS.table(of_parts())


def of_claims():
    for row in published.rows("bike_other_claims"):
        yield Row(row["kem"], row["platform"], row["claim"], "claim", float(row["value"]), "times",
                  row["source"], row["trace"])  # fmt: skip


def claims():
    """Returns single published claims that fit no other table."""
    notes = [
        "speed-ups are over other code than ours; docs/performance.md has ours beside "
        "the code of chen2021, measured on one machine"
    ]
    return CLAIMS.table(of_claims(), notes)
