# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hardware: times, resources and the smallest FPGA that fits; ours as they land, and published."""

import math

from codekem_evaluation import inputs, paths, published
from codekem_evaluation.model import Table, label, missing, number

RESOURCES = ("LUT", "FF", "BRAM36", "DSP")
FAMILIES = ("Artix-7", "Zynq-7000")
OURS = "codekem"
NOT_PUBLISHED = "not published"
NOT_SYNTHESISED = "not synthesised yet"
NOT_ROUTED = "not placed and routed as a whole on an ECP5"
STATED_MHZ = 100  # of our cores in tables and plots of time: no tool for the 7 series is open


def devices(family):
    """Returns the devices of a family, smallest first: [(name, {resource: count})]."""
    found = [(row["device"], {key: float(row[key]) for key in RESOURCES})
             for row in published.rows("fpga_devices") if row["device"].startswith(family)]
    return sorted(found, key=lambda device: device[1]["LUT"])


def smallest(need, family):
    """Returns the smallest device of a family that holds what is needed, or how many of the largest.

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
        yield (row["kem"], f"{row['design']} {row['instance']}", row["source"],
               {key: number_or_none(row[key]) for key in RESOURCES}, row["trace"])
    for row in published.rows("pqc_fpga_comparison"):
        yield (row["scheme"], row["instance"], row["source"],
               {"LUT": float(row["LUT"]), "FF": float(row["FF"]), "BRAM36": float(row["BRAM"]),
                "DSP": float(row["DSP"])}, row["trace"])


def ours(folder):
    """Returns the rows of our cores, by level and size, and sentences on what could not be read."""
    rows, problems = inputs.read("hardware", folder)
    return sorted(rows, key=lambda row: (row["level"], row["lut"] or math.inf)), problems


def our_needs(row):
    """Returns what a core needs; the vendor's figure of LUTs has those used as memory in it."""
    lut = number_or_none(row["lut"])
    return {"LUT": None if lut is None else lut + row.get("lutram", 0), "FF": number_or_none(row["ff"]),
            "BRAM36": number_or_none(row["bram36"]), "DSP": number_or_none(row["dsp"])}


def design_of(row):
    return " ".join(str(row[key]) for key in ("preset", "build") if row.get(key))


def core_of(row):
    """Returns the name of our core with its level, as the published ones write it."""
    core = str(row["core"])
    return core if str(row["level"]) in core else f"{core} level {row['level']}"


def resources(folder=paths.HARDWARE):
    table = Table("hardware-resources", "Resources, and the smallest FPGA that holds them",
                  ["core", "design", "source", *RESOURCES, *[f"smallest {f}" for f in FAMILIES]],
                  texts=3)
    rows, table.notes = ours(folder)
    cores = [(core_of(row), design_of(row), OURS, our_needs(row), row["trace"]) for row in rows]
    if not cores:
        table.notes.append(nothing_of_ours(folder))
    for core, design, source, need, trace in [*cores, *published_resources()]:
        why = NOT_SYNTHESISED if source == OURS else NOT_PUBLISHED
        cells = [missing(why) if need[key] is None
                 else number(need[key], trace, 0 if need[key] == int(need[key]) else 1)
                 for key in RESOURCES]
        known = need["LUT"] is not None
        table.add(label(core), label(design), label(source), *cells,
                  *[label(smallest(need, family), trace) if known else missing(why)
                    for family in FAMILIES])
    if cores:
        table.notes.append("ours: synthesis with open tools for the 7 series, before placing, with "
                           "the LUTs used as memory; published figures: vendor tools, after it. The "
                           "core alone, in both")
    return table


def nothing_of_ours(folder):
    where = folder.relative_to(paths.ROOT) if folder.is_relative_to(paths.ROOT) else folder
    return f"of our cores there is no row yet: there are no results in {where}"


def times(folder=paths.HARDWARE):
    table = Table("hardware-times", "Hardware times in milliseconds",
                  ["core", "design", "source", "KeyGen", "Encaps", "Decaps", "Overall", "MHz",
                   "ECP5 MHz"], texts=3)
    rows, table.notes = ours(folder)
    for row in rows:
        table.add(label(core_of(row)), label(design_of(row)), label(OURS), *our_times(row))
    if not rows:
        table.notes.append(nothing_of_ours(folder))
    add_survey_times(table)
    add_comparison_times(table)
    table.notes += [f"ours: cycles at a stated clock of {STATED_MHZ} MHz, which no tool has measured "
                    "on the 7 series, so there is no ratio column; cycles compare. The clock after "
                    "place and route on a Lattice ECP5 is one of that family alone",
                    "client-server designs have one core for KeyGen and Decaps: the survey gives "
                    "the sum of both, shown in Overall with Encaps"]
    return table


def our_times(row):
    clock = number_or_none(row["ecp5_mhz"])
    cycles = [number_or_none(row[f"{o}_cycles"]) for o in ("keygen", "encaps", "decaps")]
    cells = [missing("this core has no such operation") if value is None else
             number(value / STATED_MHZ / 1e3, row["trace"]) for value in cycles]
    whole = (missing("this core does not do all three operations") if None in cycles
             else number(sum(cycles) / STATED_MHZ / 1e3, row["trace"]))
    return [*cells, whole, number(STATED_MHZ, row["trace"], 0),
            missing(NOT_ROUTED) if clock is None else number(clock, row["trace"], 1)]


def add_survey_times(table):
    found = {}
    for row in published.rows("bike_hardware_times"):
        found.setdefault((row["kem"], f"{row['design']} {row['instance']}", row["source"]), {})[
            row["operation"]] = row
    for key, operations in found.items():
        table.add(*map(label, key), *[
            number(float(operations[o]["milliseconds"]), operations[o]["trace"])
            if o in operations else missing(NOT_PUBLISHED)
            for o in ("KeyGen", "Encaps", "Decaps", "Overall KEM")], missing(NOT_PUBLISHED),
                  missing(NOT_ROUTED))


def add_comparison_times(table):
    for row in published.rows("pqc_fpga_comparison"):
        values = [float(row[f"{o}_ms"]) for o in ("keygen", "encaps", "decaps")]
        table.add(label(row["scheme"]), label(row["instance"]), label(row["source"]),
                  *[number(value, row["trace"]) for value in [*values, sum(values)]],
                  number(float(row["MHz"]), row["trace"], 0), missing(NOT_ROUTED))


def cycles(folder=paths.HARDWARE):
    """Returns clock cycles of our cores beside published ones: the comparison that is fair."""
    table = Table("hardware-cycles", "Hardware: thousands of clock cycles",
                  ["core", "design", "source", "KeyGen", "Encaps", "Decaps"], texts=3)
    rows, table.notes = ours(folder)
    for row in rows:
        table.add(label(core_of(row)), label(design_of(row)), label(OURS), *[
            missing("this core has no such operation") if row[f"{o}_cycles"] in (None, "")
            else number(float(row[f"{o}_cycles"]) / 1e3, row["trace"])
            for o in ("keygen", "encaps", "decaps")])
    if not rows:
        table.notes.append(nothing_of_ours(folder))
    for row in published.rows("pqc_fpga_comparison"):
        table.add(label(row["scheme"]), label(row["instance"]), label(row["source"]), *[
            number(1e3 * float(row[f"{o}_Mcycles"]), row["trace"]) if row[f"{o}_Mcycles"]
            else missing(NOT_PUBLISHED) for o in ("keygen", "encaps", "decaps")])
    return table


def routed(folder=paths.HARDWARE):
    """Returns the clock of our modules after place and route, which open tools do for the ECP5."""
    table = Table("hardware-routed", "Clock after place and route on a Lattice ECP5, by module",
                  ["module", "preset", "level", "LUT4", "FF", "DP16KD", "multipliers", "ECP5 MHz"],
                  texts=3)
    rows, table.notes = inputs.read("routed", folder)
    for row in rows:
        cells = [number(row[key], row["trace"], 0) for key in ("lut4", "ff", "dp16kd", "dsp")]
        clock = (number(row["mhz"], row["trace"], 1) if row["mhz"] is not None else missing(
            f"nextpnr had not finished after {row['unfinished_after_seconds']:.0f} seconds"))
        table.add(label(row["module"]), label(row["preset"]), label(row["level"]), *cells, clock)
    table.notes += [f"{device}, by {tools}" for device, tools in
                    dict.fromkeys((row["device"], row["tools"]) for row in rows)]
    if rows:
        table.notes.append("a clock of the ECP5 alone, which has look-up tables of four inputs: "
                           "not one of Artix-7 or Zynq-7000")
    else:
        table.reason = nothing_of_ours(folder)
    return table


def primitives():
    """Returns HQC's published cores, primitive by primitive, as printed."""
    table = Table("hardware-primitives", "HQC-128, published: one core for each primitive",
                  ["target", "primitive", "variant", "instance", "MHz", "LUT", "FF", "BRAM",
                   "clocks", "ms"], texts=4, detail=True)
    for row in published.rows("hqc_hls_primitives"):
        cells = [number(float(row[key]), row["trace"], digits) if row[key]
                 else missing(NOT_PUBLISHED)
                 for key, digits in [("MHz", 0), ("LUT", 0), ("FF", 0), ("BRAM", 1), ("clocks", 0),
                                     ("milliseconds", 2)]]
        table.add(label(row["target"]), label(row["primitive"]),
                  label(row["variant"]) if row["variant"] else missing("one variant only"),
                  label(row["instance"]), *cells)
    return table


def functions():
    """Returns the functions inside HQC's published cores, as printed."""
    table = Table("hardware-functions", "HQC-128, published: functions inside the cores",
                  ["primitive", "function", "design", "clocks", "µs", "BRAM", "DSP", "FF", "LUT"],
                  texts=3, detail=True)
    for row in published.rows("hqc_hls_functions"):
        table.add(label(row["primitive"]), label(row["function"]), label(row["design"]),
                  *[number(float(row[key]), row["trace"], None if key == "microseconds" else 0)
                    if row[key] else missing(NOT_PUBLISHED)
                    for key in ("clocks", "microseconds", "BRAM", "DSP", "FF", "LUT")])
    return table


def claims():
    """Returns single published claims that fit no other table."""
    table = Table("claims", "Other published claims",
                  ["KEM", "platform", "claim", "source", "value"], texts=4)
    for row in published.rows("bike_other_claims"):
        table.add(label(row["kem"]), label(row["platform"]), label(row["claim"]),
                  label(row["source"]), number(float(row["value"]), row["trace"]))
    table.notes = ["speed-ups are over other code than ours; docs/performance.md has ours beside "
                   "the code of chen2021, measured on one machine"]
    return table
