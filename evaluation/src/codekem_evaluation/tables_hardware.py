# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hardware: times, resources and the smallest FPGA that fits; ours as they land, and published.

No vendor's tool has placed our cores: for LUTs there are an estimate and a count that is not packed
(raw), and for the clock only an assumption. Both are said wherever a figure depends on them.
"""

import dataclasses
import math

from codekem_base.model import Cell, Table, label, missing, number
from codekem_evaluation import inputs, paths, published
from codekem_evaluation.samples import OPERATIONS

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


def device_cell(core, family):
    """Returns the smallest device by the estimate and, if that is another, by the raw LUTs."""
    first = short_device(smallest(core.need, family), family)
    if core.raw_luts is None:
        return label(f"{first} (estimate)", core.trace)
    last = short_device(smallest(core.raw_need, family), family)
    return label(first if first == last else f"{first} (estimate), {last} (raw)", core.trace)


def short_device(name, family):
    """Returns a device's name without that of its family, which stands in the head."""
    return name.replace(f"{family} ", "")


def resources(folder=paths.HARDWARE):
    table = Table(
        "hardware-resources",
        "Resources, and the smallest FPGA that holds them",
        ["core", "design", "source", *RESOURCES, *[f"smallest {f}" for f in FAMILIES]],
        texts=3,
        printed=True,
    )
    found, table.notes = cores(folder)
    for core in found:
        fits = [
            missing(NOT_SYNTHESISED) if core.need["LUT"] is None else device_cell(core, family)
            for family in FAMILIES
        ]
        table.add(
            label(core.name),
            label(core.design),
            label(core.source),
            *[
                count_cell(core.need, key, core.trace, NOT_SYNTHESISED, core.raw_luts)
                for key in RESOURCES
            ],
            *fits,
        )
    if not found:
        table.notes.append(nothing_of_ours(folder))
    for core, design, source, need, trace in published_resources():
        table.add(
            label(core),
            label(design),
            label(source),
            *[count_cell(need, key, trace, NOT_PUBLISHED) for key in RESOURCES],
            *[label(short_device(smallest(need, family), family), trace) for family in FAMILIES],
        )
    if found:
        table.notes.append(
            "ours: synthesis with open tools for the 7 series, before placing. LUT goes from the "
            "tool's estimate, in which small look-up tables share a place, to the raw count of "
            "them, both with the LUTs used as memory; in brackets, by which of them a device is "
            "large enough (without brackets: by both). Published figures: vendor tools, after "
            "placing. The core alone, in both"
        )
    return table


def nothing_of_ours(folder):
    where = folder.relative_to(paths.ROOT) if folder.is_relative_to(paths.ROOT) else folder
    return f"of our cores there is no row yet: there are no results in {where}"


def times(folder=paths.HARDWARE):
    table = Table(
        "hardware-times",
        "Hardware times in milliseconds",
        ["core", "design", "source", "KeyGen", "Encaps", "Decaps", "Overall", "MHz", "ECP5 MHz"],
        texts=3,
    )
    found, table.notes = cores(folder)
    for core in found:
        table.add(label(core.name), label(core.design), label(core.source), *assumed_times(core))
    if not found:
        table.notes.append(nothing_of_ours(folder))
    add_survey_times(table)
    add_comparison_times(table)
    table.notes += [
        f"assumed: cycles at {ASSUMED_MHZ} MHz, which no tool has measured for these "
        "cores on the 7 series, so there is no ratio column; cycles compare. The clock "
        "after place and route on a Lattice ECP5 is one of that family alone",
        "client-server designs have one core for KeyGen and Decaps: the survey gives "
        "the sum of both, shown in Overall with Encaps",
    ]
    return table


def assumed_times(core):
    """Returns the cells of a core that we have synthesised, at the assumed clock."""
    cells = [
        missing("this core has no such operation")
        if core.cycles[o] is None
        else number(core.cycles[o] / ASSUMED_MHZ / 1e3, core.trace)
        for o in OPERATIONS
    ]
    whole = (
        missing("this core does not do all three operations")
        if core.milliseconds is None
        else number(core.milliseconds, core.trace)
    )
    clock = Cell(f"{ASSUMED_MHZ} assumed", float(ASSUMED_MHZ), core.trace)
    return [
        *cells,
        whole,
        clock,
        missing(NOT_ROUTED) if core.ecp5_mhz is None else number(core.ecp5_mhz, core.trace, 1),
    ]


def add_survey_times(table):
    found = {}
    for row in published.rows("bike_hardware_times"):
        found.setdefault((row["kem"], f"{row['design']} {row['instance']}", row["source"]), {})[
            row["operation"]
        ] = row
    for key, operations in found.items():
        table.add(
            *map(label, key),
            *[
                number(float(operations[o]["milliseconds"]), operations[o]["trace"])
                if o in operations
                else missing(NOT_PUBLISHED)
                for o in ("KeyGen", "Encaps", "Decaps", "Overall KEM")
            ],
            missing(NOT_PUBLISHED),
            missing(NOT_ROUTED),
        )


def add_comparison_times(table):
    for row in published.rows("pqc_fpga_comparison"):
        values = [float(row[f"{o}_ms"]) for o in ("keygen", "encaps", "decaps")]
        table.add(
            label(row["scheme"]),
            label(row["instance"]),
            label(row["source"]),
            *[number(value, row["trace"]) for value in [*values, sum(values)]],
            number(float(row["MHz"]), row["trace"], 0),
            missing(NOT_ROUTED),
        )


def cycles(folder=paths.HARDWARE):
    """Returns clock cycles of our cores beside published ones: the comparison that is fair."""
    table = Table(
        "hardware-cycles",
        "Hardware: thousands of clock cycles",
        ["core", "design", "source", "KeyGen", "Encaps", "Decaps"],
        texts=3,
    )
    found, table.notes = cores(folder)
    for core in found:
        table.add(
            label(core.name),
            label(core.design),
            label(core.source),
            *[
                missing("this core has no such operation")
                if core.cycles[o] is None
                else number(core.cycles[o] / 1e3, core.trace)
                for o in OPERATIONS
            ],
        )
    if not found:
        table.notes.append(nothing_of_ours(folder))
    for row in published.rows("pqc_fpga_comparison"):
        table.add(
            label(row["scheme"]),
            label(row["instance"]),
            label(row["source"]),
            *[
                number(1e3 * float(row[f"{o}_Mcycles"]), row["trace"])
                if row[f"{o}_Mcycles"]
                else missing(NOT_PUBLISHED)
                for o in ("keygen", "encaps", "decaps")
            ],
        )
    return table


def routed(folder=paths.HARDWARE):
    """Returns the clock of our modules after place and route, which open tools do for the ECP5."""
    table = Table(
        "hardware-routed",
        "Clock after place and route on a Lattice ECP5, by module",
        ["module", "preset", "level", "LUT4", "FF", "DP16KD", "multipliers", "ECP5 MHz"],
        texts=3,
    )
    rows, table.notes = inputs.read("routed", folder)
    for row in rows:
        cells = [number(row[key], row["trace"], 0) for key in ("lut4", "ff", "dp16kd", "dsp")]
        clock = (
            number(row["mhz"], row["trace"], 1)
            if row["mhz"] is not None
            else missing(
                f"nextpnr had not finished after {row['unfinished_after_seconds']:.0f} seconds"
            )
        )
        table.add(label(row["module"]), label(row["preset"]), label(row["level"]), *cells, clock)
    table.notes += [
        f"{device}, by {tools}"
        for device, tools in dict.fromkeys((row["device"], row["tools"]) for row in rows)
    ]
    if rows:
        table.notes.append(
            "a clock of the ECP5 alone, which has look-up tables of four inputs: "
            "not one of Artix-7 or Zynq-7000"
        )
    else:
        table.reason = nothing_of_ours(folder)
    return table


def primitives():
    """Returns HQC's published cores, primitive by primitive, as printed."""
    table = Table(
        "hardware-primitives",
        "HQC-128, published: one core for each primitive",
        [
            *("target", "primitive", "variant", "instance", "source"),
            *("MHz", "LUT", "FF", "BRAM", "clocks", "ms"),
        ],
        texts=5,
        detail=True,
    )
    for row in published.rows("hqc_hls_primitives"):
        cells = [
            number(float(row[key]), row["trace"], digits) if row[key] else missing(NOT_PUBLISHED)
            for key, digits in [
                ("MHz", 0),
                ("LUT", 0),
                ("FF", 0),
                ("BRAM", 1),
                ("clocks", 0),
                ("milliseconds", 2),
            ]
        ]
        table.add(
            label(row["target"]),
            label(row["primitive"]),
            label(row["variant"]) if row["variant"] else missing("one variant only"),
            label(row["instance"]),
            label(row["source"]),
            *cells,
        )
    return table


def functions():
    """Returns the functions inside HQC's published cores, as printed."""
    table = Table(
        "hardware-functions",
        "HQC-128, published: functions inside the cores",
        [
            *("primitive", "function", "design", "source"),
            *("clocks", "µs", "BRAM", "DSP", "FF", "LUT"),
        ],
        texts=4,
        detail=True,
    )
    for row in published.rows("hqc_hls_functions"):
        table.add(
            label(row["primitive"]),
            label(row["function"]),
            label(row["design"]),
            label(row["source"]),
            *[
                number(float(row[key]), row["trace"], None if key == "microseconds" else 0)
                if row[key]
                else missing(NOT_PUBLISHED)
                for key in ("clocks", "microseconds", "BRAM", "DSP", "FF", "LUT")
            ],
        )
    return table


def claims():
    """Returns single published claims that fit no other table."""
    table = Table(
        "claims", "Other published claims", ["KEM", "platform", "claim", "source", "value"], texts=4
    )
    for row in published.rows("bike_other_claims"):
        table.add(
            label(row["kem"]),
            label(row["platform"]),
            label(row["claim"]),
            label(row["source"]),
            number(float(row["value"]), row["trace"]),
        )
    table.notes = [
        "speed-ups are over other code than ours; docs/performance.md has ours beside "
        "the code of chen2021, measured on one machine"
    ]
    return table
