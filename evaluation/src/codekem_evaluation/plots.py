# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The report's plots: which chart shows what of a run."""

import itertools
import math
import re

from codekem_base import charts
from codekem_base.kems import current
from codekem_base.model import Plot, concise, duration
from codekem_base.parameters import BIKE, HQC, KEMS
from codekem_evaluation import (
    paths,
    published,
    ratios,
    tables_hardware,
    tables_network,
)
from codekem_evaluation import tables_profile as profiles
from codekem_evaluation.kems import MCELIECE
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL

SPENT = "microseconds of a whole exchange"
STORED = "stored and published results; the table names the source of each"
SETS = {name for name, kem in KEMS.items() if kem.family == MCELIECE}


def of_scheme(samples, scheme):
    return [
        k["name"]
        for k in samples.run["kems"]
        if k["scheme"] == scheme and not k.get("legacy") and samples.implementations(k["name"])
    ]


def dot(samples, kem, implementation, name, operation=OVERALL):
    """Returns the dot of a median with its interval, in microseconds."""
    e = samples.summary(kem, implementation, operation).estimate
    return charts.Dot(kem, name, e.median / 1e3, e.low / 1e3, e.high / 1e3)


# One colour for a scheme, and for an implementation, on the whole page.
SCHEMES = {"BIKE": 0, "HQC": 1, "ML-KEM": 2, MCELIECE: 3}


def colours_of(run):
    """Returns {implementation: number of its colour}, our fastest first, then the peers'."""
    ours = [i["name"] for i in run["implementations"] if i["kind"] == "codekem"][::-1]
    peers = [i["name"] for i in run["implementations"] if i["kind"] == "peer"]
    found = {name: number for number, name in enumerate([*ours, *peers])}
    return found | {f"codekem, {name}": found[name] for name in ours} | {"codekem": 0}


def of_kems(run):
    """Returns {KEM: number of its scheme's colour}."""
    return {kem["name"]: SCHEMES[kem["scheme"]] for kem in run["kems"] if kem["scheme"] in SCHEMES}


def of_category(samples, category=1):
    """Returns the KEMs of the first screen: those of a category; where there are none, all."""
    kems = [k for k in samples.run["kems"] if not k.get("legacy") and k["scheme"] != MCELIECE]
    return [kem for kem in kems if kem["level"] == category] or kems


def overview(samples):
    """Returns the plots of the first screen: codekem's fastest code beside what others have, and
    what goes over the wire."""
    kinds = {i["name"]: i["kind"] for i in samples.run["implementations"]}
    found = []
    for kem in of_category(samples):
        best = samples.best(kem["name"])
        if best is not None:
            found.append(dot(samples, kem["name"], best, f"codekem, {best}"))
        for name in samples.implementations(kem["name"]):
            if kinds[name] == "peer":
                found.append(dot(samples, kem["name"], name, name))
    if not found:
        return []
    chart = charts.Dots(SPENT, tuple(found), colours=colours_of(samples.run))
    title = "One key exchange: codekem's fastest code here"
    if any(kinds[cell["implementation"]] == "peer" for cell in samples.run["times"]):
        title += " beside others"
    if any(dot.group.startswith("ML-KEM") for dot in found):
        title += ", and ML-KEM"
    return [Plot("plot-overview", title, chart, finding=order(samples)), *wire(samples)]


def fastest(samples, kem):
    """Returns our fastest implementation of a KEM, or another's; None if there is none."""
    return samples.best(kem) or next(iter(samples.implementations(kem)), None)


def order(samples):
    """Says how many times as fast as the next one each KEM of the first screen is."""
    spent = sorted(
        (samples.summary(kem["name"], code, OVERALL).median, kem["name"], code)
        for kem in of_category(samples)
        if (code := fastest(samples, kem["name"]))
    )
    words = []
    for (_, fast, code), (_, slow, other) in itertools.pairwise(spent):
        ratio = ratios.paired(
            samples.rounds(slow, other, OVERALL), samples.rounds(fast, code, OVERALL)
        )
        factor = ratio.bound or (None if ratio.doubt else ratio.text.split(" (")[0])
        words.append(f"{fast} is {factor} times as fast as {slow}" if factor
                     else f"{fast} is hardly faster than {slow}, or the times moved")  # fmt: skip
    return ", ".join(words)


def wire(samples):
    """Returns the second plot of the first screen: what goes over the wire."""
    kems = of_category(samples)
    names = {kem["name"] for kem in kems}
    of_others = [
        kem
        for kem in tables_network.kems_with_sizes(samples.run)
        if kem["name"] in names or (kem["scheme"], kem["level"]) == ("ML-KEM", 1)
    ]
    dots = tuple(
        charts.Dot(kem["name"], kem["scheme"], size, size, size)
        for kem in of_others
        for size in [kem["public_key_bytes"] + kem["ciphertext_bytes"]]
    )
    if not dots:
        return []
    chart = charts.Dots("bytes: public key and ciphertext", dots, "KEM", "scheme", SCHEMES)
    title = "Bytes of a key exchange on the wire"
    return [Plot("plot-wire", title, chart, finding=needed(samples.run))]


def needed(run):
    """Says how many bytes the KEMs of category 1 need."""
    sizes = ", ".join(
        f"{kem['public_key_bytes'] + kem['ciphertext_bytes']:,} bytes with {kem['name']}"
        for kem in tables_network.kems_with_sizes(run)
        if kem["level"] == 1 and kem["scheme"] != MCELIECE
    )
    return f"An exchange sends {sizes}" if sizes else ""


def times(samples):
    """Returns a plot for each scheme: medians with intervals of all implementations."""
    found = []
    for scheme in dict.fromkeys(k["scheme"] for k in samples.run["kems"]):
        points = tuple(
            dot(samples, kem, i["name"], i["name"])
            for kem in of_scheme(samples, scheme)
            for i in samples.run["implementations"]
            if samples.has(kem, i["name"])
        )
        if points and scheme != "ML-KEM":
            unit = "microseconds of a whole exchange"
            title = f"{scheme}: time of a whole exchange"
            chart = charts.Dots(unit, points, colours=colours_of(samples.run))
            key = f"plot-times-{scheme.lower().replace(' ', '-')}"
            folded = scheme == MCELIECE
            found.append(Plot(key, title, chart, finding=gain(samples, points[0].group),
                              folded=folded))  # fmt: skip
    return found


def gain(samples, kem):
    """Says how long our fastest and our portable code take, and others."""
    best = samples.best(kem)
    names = dict.fromkeys([best, "portable", *samples.implementations(kem)])
    words = [
        f"{duration(samples.summary(kem, name, OVERALL).median)} with {name}"
        for name in names
        if name and samples.has(kem, name) and name != "reference"
    ]
    return f"{kem} takes {', '.join(words[:4])}" if words else ""


# Bits of a polynomial, which is what the specifications call r and n.
LENGTHS = {
    "BIKE": {kem: BIKE[KEMS[kem].level].r for kem in current("BIKE")},
    "HQC": {kem: HQC[KEMS[kem].level] for kem in current("HQC")},
}


def growth(samples):
    """Returns how the times of our best code grow with the length, with the slope of each line."""
    series = {}
    for scheme, lengths in LENGTHS.items():
        kems = [kem for kem in of_scheme(samples, scheme) if kem in lengths and samples.best(kem)]
        for operation in OPERATIONS if len(kems) > 1 else ():
            points = []
            for kem in kems:
                e = samples.summary(kem, samples.best(kem), operation).estimate
                points.append((lengths[kem], e.median / 1e3, e.low / 1e3, e.high / 1e3))
            first, last = min(points), max(points)
            slope = math.log(last[1] / first[1]) / math.log(last[0] / first[0])
            series[f"{scheme} {LABELS[operation]}, length^{slope:.2f}"] = points
    if not series:
        return []
    slopes = [float(name.rpartition("^")[2]) for name in series]
    found = f"Time grows with the length to the power of {min(slopes)} to {max(slopes)}"
    ticks = sorted({point[0] for points in series.values() for point in points})
    chart = charts.Lines(
        "length of a polynomial in bits (r of BIKE, n of HQC)",
        "microseconds",
        series,
        x_log=True,
        y_log=True,
        x_values=tuple(ticks),
        series_title="operation",
    )
    title = "Time over length: our fastest code, and the slope"
    return [Plot("plot-growth", title, chart, finding=found)]


def profile(run):
    """Returns a plot for each KEM that was profiled: the parts of the whole KEM as stacked bars."""
    found = []
    kems = list(dict.fromkeys(row["kem"] for row in run.get("profile", [])))
    colours = colours_of_parts(run, kems)
    schemes = {kem["name"]: kem["scheme"] for kem in run["kems"]}
    for kem in kems:
        backends = list(dict.fromkeys(r["backend"] for r in run["profile"] if r["kem"] == kem))
        shares = {
            backend: {
                part: 100 * share for part, share in profiles.shares(run, kem, backend).items()
            }
            for backend in backends
        }
        survey = {
            profiles.name_of(key): {k: v[0] for k, v in rows.items() if k[1] != "total"}
            for key, rows in profiles.published_of(kem).items()
        }
        bars = {
            name: {label_of(part): share for part, share in bar.items()}
            for name, bar in (shares | survey).items()
        }
        parts = tuple(largest_parts(bars, colours))
        chart = charts.Stacks("percent of the whole KEM", bars, parts, colours=colours)
        best, most = backends[-1], max(shares[backends[-1]].items(), key=lambda pair: pair[1])
        found.append(
            Plot(
                f"plot-profile-{kem.lower()}",
                f"{kem}: parts of the whole KEM",
                chart,
                finding=f"{most[0][1]} in {LABELS[most[0][0]]} takes {most[1]:.0f} % of {kem} "
                f"with {best}",
                folded=schemes.get(kem) == MCELIECE,
            )
        )
    return found


def colours_of_parts(run, kems):
    """Returns {part: number of its colour} of the largest parts of all KEMs."""
    most = {}
    for kem in kems:
        for backend in dict.fromkeys(r["backend"] for r in run["profile"] if r["kem"] == kem):
            for part, share in profiles.shares(run, kem, backend).items():
                most[label_of(part)] = max(share, most.get(label_of(part), 0))
    names = sorted(most, key=lambda name: -most[name])[: charts.REST]
    return {name: number for number, name in enumerate(names)}


def largest_parts(bars, colours):
    """Returns the seven largest parts of any bar that have a colour; the rest is drawn as one."""
    every = {part for bar in bars.values() for part in bar if part in colours}
    return sorted(every, key=lambda p: (-max(bar.get(p, 0) for bar in bars.values()), p))[:7]


def label_of(part):
    return f"{LABELS[part[0]]}: {part[1]}"


def sizes(run):
    """Returns the plot of security category against bytes on the wire."""
    schemes = {}
    for kem in tables_network.kems_with_sizes(run):
        schemes.setdefault(kem["scheme"], []).append(
            (kem["level"], kem["public_key_bytes"] + kem["ciphertext_bytes"])
        )
    chart = charts.Lines(
        "NIST category", "bytes: public key and ciphertext", schemes, y_log=True,
        x_values=(1, 3, 5), colours=SCHEMES,
    )  # fmt: skip
    title = "Security category against size"
    return [Plot("plot-sizes", title, chart, finding=needed(run))]


MEGABITS = (0.1, 0.3, 1, 3, 10, 30, 100, 1000)
ROUND_TRIP = 50.0  # milliseconds, in both plots of the network
LOSSES = (0, 0.5, 1, 2, 3, 5)  # percent of the packets
SLOW = 10e6  # bits a second, in the plot over loss


def network(samples):
    """Returns the time of an exchange over bandwidth, and over loss; both are models."""
    computing = tables_network.computing(samples)
    kems = [
        kem
        for kem in tables_network.kems_with_sizes(samples.run)
        if kem["name"] in computing and kem["scheme"] != MCELIECE  # far above; in the table
    ]
    if not kems:
        return []
    bandwidth, loss = {}, {}
    for kem in kems:
        parts = [kem["public_key_bytes"], kem["ciphertext_bytes"]]
        bandwidth[kem["name"]] = [
            (mega, computing[kem["name"]] + tables_network.wire(parts, mega * 1e6, ROUND_TRIP))
            for mega in MEGABITS
        ]
        base = computing[kem["name"]] + tables_network.wire(parts, SLOW, ROUND_TRIP)
        loss[kem["name"]] = [
            (percent, base + tables_network.waiting(parts, percent / 100, ROUND_TRIP))
            for percent in LOSSES
        ]
    first = charts.Lines(
        f"Mbit/s, with {ROUND_TRIP:g} ms for a round trip",
        "milliseconds for an exchange",
        bandwidth,
        x_log=True,
        y_log=True,
        x_values=MEGABITS,
        series_title="KEM",
        colours=of_kems(samples.run),
    )
    second = charts.Lines(
        f"percent of packets lost, {SLOW / 1e6:g} Mbit/s, {ROUND_TRIP:g} ms for a round trip",
        "milliseconds for an exchange (expected)",
        loss,
        x_values=LOSSES,
        series_title="KEM",
        colours=of_kems(samples.run),
    )
    names = [kem["name"] for kem in kems if kem["level"] == 1]
    slow = {name: dict(bandwidth[name])[1] for name in names}
    share = [f"{100 * computing[name] / slow[name]:.2g} % of it with {name}" for name in names]
    late = [f"{loss[name][LOSSES.index(5)][1] / loss[name][0][1]:.1f} times as long with {name}"
            for name in names]  # fmt: skip
    return [
        Plot("plot-bandwidth", "Time of an exchange over bandwidth (a model)", first,
             finding=f"At 1 Mbit/s, computing is {', '.join(share)}" if share else ""),
        Plot("plot-loss", "Time of an exchange over loss of packets (a model)", second,
             finding=f"With 5 % of packets lost it takes {', '.join(late)}" if late else ""),
    ]  # fmt: skip


def hardware():
    """Returns the plot of area against time of all level-1 hardware that does the whole KEM."""
    series = hardware_series()
    points = [point for several in series.values() for point in several]
    ends = [min(points, key=lambda point: getattr(point, axis), default=None) for axis in "xy"]
    words = [f"{p.name}, {p.x:,.0f} LUT and {concise(p.y)} ms" for p in ends if p]
    finding = f"Smallest: {words[0]}; fastest: {words[1]}" if words else ""
    title = (
        "Area against time at level 1; hollow marks: cycles at an assumed clock of "
        f"{tables_hardware.ASSUMED_MHZ} MHz, not a measured time"
    )
    chart = charts.Designs("LUT", "milliseconds, whole KEM", series)
    return [Plot("plot-hardware", title, chart, finding=finding, source=STORED)]


def hardware_series():
    """Returns {name in the legend: points}. A core for both schemes is in the tables alone: a point
    of one scheme would have the area of both."""
    series = {}
    milliseconds = {
        (row["kem"], f"{row['design']} {row['instance']}", row["source"]): float(
            row["milliseconds"]
        )
        for row in published.rows("bike_hardware_times")
        if row["operation"] == "Overall KEM"
    }
    for core, design, source, need, _ in tables_hardware.published_resources():
        spent = milliseconds.get((core, design, source))
        if spent is not None:
            series.setdefault(source, []).append(
                charts.Point(f"{core} {design}", need["LUT"], spent)
            )
    for row in published.rows("pqc_fpga_comparison"):
        whole = sum(float(row[f"{o}_ms"]) for o in OPERATIONS)
        name = re.sub(r" \(.*?\)", "", row["scheme"])
        series.setdefault(row["source"], []).append(
            charts.Point(f"{name} {row['instance']}", float(row["LUT"]), whole)
        )
    for core in tables_hardware.cores(paths.HARDWARE)[0]:
        if core.name.startswith(tables_hardware.JOINT):
            continue
        if core.milliseconds is not None and core.need["LUT"] is not None and core.level == 1:
            legend = f"{core.source}: {tables_hardware.ASSUMED}, {tables_hardware.ASSUMED_MHZ} MHz"
            ours = core.source == tables_hardware.OURS
            whose = core.name if ours else core.source.split(",")[0]
            design = core.design.partition(";")[0].removesuffix(" full").removeprefix("width ")
            name = f"{whose} {design}"
            series.setdefault(legend, []).append(
                charts.Point(name, core.need["LUT"], core.milliseconds, core.raw_luts, True)
            )
    return series


# --- Of what already is a table -------------------------------------------------------------------


def of_table(
    table, key, title, unit, column, keep=lambda row: True, name_title="implementation", **more
):
    """Returns a plot with a dot for each row that has a number in the column, or nothing.

    The first text of a row is its group, the others are its name.
    """
    index = table.columns.index(column)
    found = []
    for row in table.rows:
        value = row[index].value
        if isinstance(value, float) and value > 0 and keep(row):
            name = ", ".join(cell.text for cell in row[1 : table.texts])
            low, high = row[index].interval or (value, value)
            found.append(charts.Dot(row[0].text, name, value, low, high))
    found = [dot for dot in found if dot.group not in SETS]
    chart = charts.Dots(unit, tuple(found), table.columns[0], name_title,
                        more.pop("colours", {}))  # fmt: skip
    # Taller than half a page of paper.
    return [Plot(key, title, chart, printed=False, **more)] if found else []


def processors(table):
    """Instructions of the three operations together, of our own back ends."""
    return of_table(
        table,
        "plot-processors",
        "Other processors: instructions of a whole exchange, as an emulator counts them",
        "thousands of instructions",
        "all three",
        lambda row: row[table.columns.index("unit")].text == "1000 instructions",
        "processor, implementation",
        source="counted by emulators, kept in devices/results",
    )


def stack(table, run):
    title, last = "Stack of a decapsulation", table.columns[-1]
    return of_table(table, "plot-stack", title, "bytes", last, colours=colours_of(run))


def variants(table):
    return of_table(
        table,
        "plot-variants",
        "Decapsulation of the variants of BIKE",
        "thousands of cycles",
        "Decaps",
        name_title="variant, where",
    )


def packages(parts):
    """The sum of three operations in each language, beside others. parts: {language: part}."""
    found = {}
    for part in parts.values():
        for row in part["rows"]:
            group = f"{row['package']}, {row['operation set']}"
            for name, values in (("codekem", row["ours_us"]), (row["peer"], row["peer_us"])):
                if row["ours_us"] is not None and row["peer_us"] is not None:
                    # Ours was measured beside each: one dot is enough.
                    found.setdefault((group, name), sum(values))
    if not found:
        return []
    points = tuple(
        charts.Dot(group, name, value, value, value) for (group, name), value in found.items()
    )
    unit = "microseconds of a whole exchange"
    title = "Packages for other languages beside what their users have"
    chart = charts.Dots(unit, points, "package")
    days = ", ".join(dict.fromkeys(f"{part['created']}"[:10] for part in parts.values()))
    source = f"measured on {days} with {', '.join(parts)}; 'packages' stores it in results/"
    return [Plot("plot-packages", title, chart, printed=False, source=source)]
