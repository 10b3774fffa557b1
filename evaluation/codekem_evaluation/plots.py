# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures: each drawn by matplotlib as SVG, whose colours the page replaces for light and dark."""

import dataclasses
import io
import re
import typing

import matplotlib
from matplotlib.figure import Figure

from codekem_evaluation import paths, published, tables_hardware, tables_network, tables_profile
from codekem_evaluation.model import Plot
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL

# Stand-ins in the drawing -> variables of the page (report/style.css has both palettes). The order
# of the series colours keeps neighbours apart for readers who confuse red and green.
INK, GRID, PAPER = "#010203", "#040506", "#070809"
SERIES = [f"#a{i:02x}a{i:02x}" for i in range(1, 9)]
VARIABLES = {
    INK: "var(--ink)",
    GRID: "var(--grid)",
    PAPER: "var(--paper)",
    **{colour: f"var(--series-{i})" for i, colour in enumerate(SERIES, 1)},
}
HATCHES = ["", "//", "..", "\\\\", "xx", "--", "oo", "++"]  # tell series apart without colour
MARKERS = "osD^vP*X"
# Where a name may stand beside its mark: alignment, and offset in points.
PLACES = [
    (side, x, y) for y in (4, -11, 13, -20, 22, -29) for side, x in (("left", 6), ("right", -6))
]


def svg(plot):
    """Draws a plot; returns SVG that takes its colours from the page."""
    settings: typing.Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": plot.key,
        "font.family": "sans-serif",
        "font.size": 10,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "grid.color": GRID,
        "axes.facecolor": PAPER,
        "figure.facecolor": PAPER,
        "legend.facecolor": PAPER,
        "legend.edgecolor": GRID,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "hatch.color": PAPER,
    }
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=plot.size, layout="constrained")
        plot.draw(figure.subplots())
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    # Ids are unique in the page; the size is the page's business.
    text = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>{plot.key}-", text)
    return re.sub(
        r'(<svg[^>]*?) width="[^"]*" height="[^"]*"|(<svg[^>]*?) height="[^"]*"'
        r'([^>]*?) width="[^"]*"',
        lambda m: m.group(1) or m.group(2) + m.group(3),
        text,
        count=1,
    )


def of_scheme(samples, scheme):
    return [
        k["name"]
        for k in samples.run["kems"]
        if k["scheme"] == scheme and not k.get("legacy") and samples.implementations(k["name"])
    ]


def times(samples):
    """Returns a plot for each scheme: grouped bars on a logarithmic scale, quartiles as
    whiskers."""
    found = []
    for scheme in ("BIKE", "HQC"):
        kems = of_scheme(samples, scheme)
        if not kems:
            continue
        names = [
            i["name"]
            for i in samples.run["implementations"]
            if any(samples.has(kem, i["name"]) for kem in kems)
        ]
        words = "; ".join(
            f"{kem}: "
            + ", ".join(
                f"{name} {samples.summary(kem, name, OVERALL).median / 1e6:.3g}"
                for name in names
                if samples.has(kem, name)
            )
            for kem in kems
        )
        found.append(
            Plot(
                f"plot-times-{scheme.lower()}",
                f"{scheme}: time of a whole exchange",
                f"Grouped bars on a logarithmic scale. Milliseconds of KeyGen, Encaps "
                f"and Decaps together: {words}.",
                lambda axes, kems=kems, names=names: draw_times(axes, samples, kems, names),
            )
        )
    return found


def draw_times(axes, samples, kems, names):
    width = 0.8 / len(names)
    for index, name in enumerate(names):
        places, medians, spread = [], [], [[], []]
        for group, kem in enumerate(kems):
            if not samples.has(kem, name):
                continue
            s = samples.summary(kem, name, OVERALL)
            places.append(group + (index - (len(names) - 1) / 2) * width)
            medians.append(s.median / 1e6)
            spread[0].append(max(0, s.median - s.lower_quartile) / 1e6)
            spread[1].append(max(0, s.upper_quartile - s.median) / 1e6)
        axes.bar(
            places,
            medians,
            width * 0.92,
            label=name,
            color=SERIES[index % len(SERIES)],
            hatch=HATCHES[index % len(HATCHES)],
            yerr=spread,
            ecolor=INK,
            capsize=2,
            error_kw={"linewidth": 1},
        )
    axes.set_yscale("log")
    axes.set_ylabel("milliseconds")
    axes.set_xticks(range(len(kems)), kems)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)


def profile(run):
    """Returns a plot for each KEM that was profiled: the parts of the whole KEM as stacked bars."""
    found = []
    for kem in dict.fromkeys(row["kem"] for row in run.get("profile", [])):
        backends = list(dict.fromkeys(r["backend"] for r in run["profile"] if r["kem"] == kem))
        shares = {b: tables_profile.shares(run, kem, b) for b in backends}
        survey = {
            f"{name},\n{tables_profile.processor(cpu)}": {
                k: v[0] / 100 for k, v in rows.items() if k[1] != "total"
            }
            for (name, cpu), rows in tables_profile.survey(kem).items()
        }
        bars = {**shares, **survey}
        parts = largest_parts(bars)
        words = "; ".join(
            f"{name.replace(chr(10), ' ')}: "
            + ", ".join(f"{label_of(part)} {100 * bar.get(part, 0):.0f} %" for part in parts)
            for name, bar in bars.items()
        )
        found.append(
            Plot(
                f"plot-profile-{kem.lower()}",
                f"{kem}: parts of the whole KEM",
                f"Stacked bars of shares. {words}.",
                lambda axes, bars=bars, parts=parts: draw_profile(axes, bars, parts),
                (8, 1.6 + 0.55 * len(bars)),
            )
        )
    return found


def largest_parts(bars):
    """Returns the seven largest parts of any bar; the rest is drawn as one."""
    every = {part for bar in bars.values() for part in bar}
    return sorted(every, key=lambda p: -max(bar.get(p, 0) for bar in bars.values()))[:7]


def label_of(part):
    return f"{LABELS[part[0]]}: {part[1]}"


def draw_profile(axes, bars, parts):
    names = list(bars)
    left = [0.0] * len(names)
    for index, part in enumerate(parts):
        values = [100 * bars[name].get(part, 0) for name in names]
        axes.barh(
            names,
            values,
            left=left,
            label=label_of(part),
            color=SERIES[index],
            hatch=HATCHES[index],
            edgecolor=PAPER,
            linewidth=0.5,
        )
        left = [a + b for a, b in zip(left, values, strict=True)]
    rest = [
        max(0.0, 100 * sum(bars[name].values()) - done)
        for name, done in zip(names, left, strict=True)
    ]
    axes.barh(names, rest, left=left, label="all other parts", color=GRID)
    axes.set_xlabel("percent of the whole KEM")
    axes.invert_yaxis()
    axes.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.4, 1.0), frameon=False)


def sizes(run):
    """Returns the plot of security category against bytes on the wire."""
    schemes = {}
    for kem in tables_network.kems_with_sizes(run):
        schemes.setdefault(kem["scheme"], []).append(
            (kem["level"], kem["public_key_bytes"] + kem["ciphertext_bytes"])
        )
    words = "; ".join(
        f"{scheme}: " + ", ".join(f"{size} in category {level}" for level, size in sorted(points))
        for scheme, points in schemes.items()
    )

    def draw(axes):
        for index, (scheme, points) in enumerate(schemes.items()):
            levels, values = zip(*sorted(points), strict=True)
            axes.plot(
                levels,
                values,
                marker=MARKERS[index],
                color=SERIES[index],
                linewidth=2,
                markersize=8,
                label=scheme,
            )
        axes.set_xticks([1, 3, 5])
        axes.set_xlabel("NIST category")
        axes.set_ylabel("bytes: public key and ciphertext")
        axes.set_ylim(bottom=0)
        axes.grid(linewidth=0.6)
        axes.legend(frameon=False)

    return [
        Plot(
            "plot-sizes",
            "Security category against size",
            f"Lines. Bytes of public key and ciphertext. {words}.",
            draw,
            (7, 3.6),
        )
    ]


def hardware():
    """Returns the plot of area against time of all level-1 hardware that does the whole KEM.

    A filled mark stands for a time that its authors measured or that their tools gave; an empty one
    for cycles at an assumed clock. A line goes from the estimate of LUTs to the raw count.
    """
    series = hardware_series()
    words = "; ".join(f"{name}: " + ", ".join(map(str, points)) for name, points in series.items())

    def draw(axes):
        for index, (name, points) in enumerate(series.items()):
            colour, empty = SERIES[index], points[0].assumed
            axes.scatter(
                [p.lut for p in points],
                [p.milliseconds for p in points],
                s=60,
                marker=MARKERS[index],
                label=name,
                linewidths=2,
                edgecolors=colour,
                facecolors=PAPER if empty else colour,
                zorder=3,
            )
            for p in points:
                if p.raw_luts is not None:
                    axes.plot(
                        [p.lut, p.raw_luts],
                        [p.milliseconds] * 2,
                        color=colour,
                        linewidth=1.5,
                        marker="|",
                        markevery=[1],
                        markersize=6,
                        zorder=2,
                    )
        axes.set_xscale("log")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_xlabel("LUT (empty marks: estimate, with a line to the raw count)")
        axes.set_ylabel("milliseconds, whole KEM")
        axes.set_axisbelow(True)
        axes.grid(linewidth=0.6)
        axes.margins(0.12)
        axes.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        name_points(axes, [point for points in series.values() for point in points])

    return [
        Plot(
            "plot-hardware",
            "Area against time at level 1; empty marks: cycles at an assumed "
            f"clock of {tables_hardware.ASSUMED_MHZ} MHz, not a measured time",
            f"Scatter on logarithmic scales. {words}.",
            draw,
            (9.5, 6.6),
        )
    ]


def name_points(axes, points):
    """Writes the names beside the points, each where it meets no other name, if there is a
    place."""
    axes.figure.draw_without_rendering()  # the layout decides where the points are

    def at(x, y):  # in points of 1/72 inch; a letter of size 8 is about 4.4 wide, half a mark 4
        return axes.transData.transform((x, y)) * 72 / axes.figure.dpi

    def end_of(point):  # of its line
        return at(point.raw_luts or point.lut, point.milliseconds)[0]

    def box(point, place):
        side, x, y = place
        left, bottom = at(point.lut, point.milliseconds)
        width = 4.4 * len(point.short_name)
        start = left + x - (width if side == "right" else 0)
        return start, bottom + y, start + width, bottom + y + 9

    def meet(a, b):
        return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

    taken = []
    for point in points:
        left, bottom = at(point.lut, point.milliseconds)
        taken.append((left - 4, bottom - 4, end_of(point) + 4, bottom + 4))
    first, last = (x * 72 / axes.figure.dpi for x in (axes.bbox.x0, axes.bbox.x1))
    for point in sorted(points, key=lambda point: point.lut):
        behind = end_of(point) - at(point.lut, point.milliseconds)[0] + 7
        places = [("left", behind, -4), *PLACES] if point.raw_luts else PLACES
        free = (
            place
            for place in places
            if (b := box(point, place))[0] >= first
            and b[2] <= last
            and not any(meet(b, other) for other in taken)
        )
        place = next(free, places[0])
        taken.append(box(point, place))
        axes.annotate(
            point.short_name,
            (point.lut, point.milliseconds),
            xytext=place[1:],
            textcoords="offset points",
            fontsize=8,
            ha=place[0],
            in_layout=False,
        )


@dataclasses.dataclass(frozen=True)
class Point:
    """A design in the plot of area and time; raw_luts where lut is an estimate."""

    name: str
    lut: float
    milliseconds: float
    raw_luts: float | None = None
    assumed: bool = False  # the clock

    @property
    def short_name(self):
        """The name beside the mark: all are of level 1."""
        return self.name.replace("BIKE-L1", "BIKE")

    def __str__(self):
        to_raw = "" if self.raw_luts is None else f" (estimate) to {self.raw_luts:.0f} (raw)"
        clock = f" at an assumed {tables_hardware.ASSUMED_MHZ} MHz" if self.assumed else ""
        return f"{self.name} {self.lut:.0f}{to_raw} LUT and {self.milliseconds:.3g} ms{clock}"


def hardware_series():
    """Returns {name in the legend: points}. A core for both schemes is in the tables alone: a point
    of one scheme would have the area of both."""
    series = {}
    milliseconds = {
        (row["kem"], f"{row['design']} {row['instance']}"): float(row["milliseconds"])
        for row in published.rows("bike_hardware_times")
        if row["operation"] == "Overall KEM"
    }
    for core, design, source, need, _ in tables_hardware.published_resources():
        if (core, design) in milliseconds:
            series.setdefault(source, []).append(
                Point(f"{core} {design}", need["LUT"], milliseconds[core, design])
            )
    for row in published.rows("pqc_fpga_comparison"):
        whole = sum(float(row[f"{o}_ms"]) for o in OPERATIONS)
        name = re.sub(r" \(.*?\)", "", row["scheme"])
        series.setdefault(row["source"], []).append(
            Point(f"{name} {row['instance']}", float(row["LUT"]), whole)
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
                Point(name, core.need["LUT"], core.milliseconds, core.raw_luts, True)
            )
    return series
