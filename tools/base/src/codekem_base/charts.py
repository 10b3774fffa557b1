# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The four kinds of charts, as data: dots with intervals, stacked shares, lines, areas over times.

Each is drawn three times from the same rows: by matplotlib for files and for pages without scripts
(here), by Vega-Lite in the page (charts_page.py), and by pgfplots in a paper (charts_pgf.py).
"""

import dataclasses
import typing

from codekem_base.model import concise

# Tell series apart without colour. No dots and rings: matplotlib writes down each of them.
HATCHES = ["", "//", "||", "\\\\", "xx", "--", "////", "++"]
MARKERS = "osD^vP*X"
ROW = 0.16  # inches that a dot takes


@dataclasses.dataclass(frozen=True)
class Palette:
    """The colours of a drawing. Those of series keep neighbours apart for readers who confuse red
    and green."""

    ink: str
    grid: str
    paper: str
    series: tuple

    def of(self, index):
        return self.series[index % len(self.series)]


# Stand-ins, which the page replaces by its variables, and the light palette of report/style.css.
STAND_INS = Palette(
    "#010203", "#040506", "#070809", tuple(f"#a{i:02x}a{i:02x}" for i in range(1, 9))
)
ON_PAPER = Palette(
    "#1b1f24",
    "#d3d9df",
    "#ffffff",
    ("#1f5fbf", "#d9730d", "#d1478c", "#6b3505", "#4b2f8f", "#8a8a00", "#0a8fae", "#0b5c48"),
)


def legend_columns(names):
    """Returns in how many columns names fit above a drawing of 8 inches, at most three."""
    return max(1, min(3, 90 // (max(map(len, names)) + 5)))


@dataclasses.dataclass(frozen=True)
class Drawing:
    """What fits none of the kinds: draw(axes, palette) with matplotlib, and the words for it."""

    drawing: typing.Callable
    text: str
    size: tuple = (8, 4)

    def draw(self, axes, palette):
        self.drawing(axes, palette)

    def words(self):
        return self.text


@dataclasses.dataclass(frozen=True)
class Dot:
    """A value with its interval, hollow if it is not of this run."""

    group: str
    name: str
    value: float
    low: float
    high: float
    hollow: bool = False


@dataclasses.dataclass(frozen=True)
class Dots:
    """Values of several implementations (names) of several KEMs (groups), on a logarithmic axis."""

    unit: str
    dots: tuple
    group_title: str = "KEM"
    name_title: str = "implementation"

    @property
    def groups(self):
        return list(dict.fromkeys(dot.group for dot in self.dots))

    @property
    def names(self):
        return list(dict.fromkeys(dot.name for dot in self.dots))

    @property
    def size(self):
        legend = 0.2 * (1 + (len(self.names) - 1) // legend_columns(self.names))
        return (8, 1.3 + legend + ROW * (len(self.dots) + len(self.groups)))

    def places(self):
        """Returns the height of each dot, downwards, and the middle of each group."""
        at, heights, middles = 0.0, [], {}
        for group in self.groups:
            members = [dot for dot in self.dots if dot.group == group]
            middles[group] = at + (len(members) - 1) / 2
            for dot in members:
                heights.append((dot, at))
                at += 1
            at += 1
        return heights, middles

    def draw(self, axes, palette):
        heights, middles = self.places()
        for index, name in enumerate(self.names):
            mine = [(dot, at) for dot, at in heights if dot.name == name]
            colour, marker = palette.of(index), MARKERS[index % len(MARKERS)]
            for hollow in {dot.hollow for dot, _ in mine}:
                some = [(dot, at) for dot, at in mine if dot.hollow == hollow]
                axes.errorbar(
                    [dot.value for dot, _ in some],
                    [at for _, at in some],
                    xerr=[
                        [dot.value - dot.low for dot, _ in some],
                        [dot.high - dot.value for dot, _ in some],
                    ],
                    fmt=marker,
                    color=colour,
                    markerfacecolor=palette.paper if hollow else colour,
                    markersize=6,
                    capsize=2,
                    elinewidth=1,
                    label=name,
                )
        axes.set_xscale("log")
        axes.set_xlabel(self.unit)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_yticks(list(middles.values()), list(middles))
        axes.tick_params(axis="y", length=0)
        axes.invert_yaxis()
        axes.grid(axis="x", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.legend(
            ncols=legend_columns(self.names),
            loc="lower center",
            bbox_to_anchor=(0.5, 1.0),
            frameon=False,
        )

    def words(self):
        return "; ".join(
            f"{group}: "
            + ", ".join(
                f"{dot.name} {concise(dot.value)}" for dot in self.dots if dot.group == group
            )
            for group in self.groups
        )


@dataclasses.dataclass(frozen=True)
class Stacks:
    """Shares of the same whole, in percent: {bar: {part: share}}; the rest is drawn as one."""

    unit: str
    bars: dict
    parts: tuple
    rest: str = "all other parts"

    @property
    def size(self):
        return (8, 1.6 + 0.55 * len(self.bars))

    @property
    def end(self):
        """Where the axis ends: at the whole, unless rounded shares are a little more."""
        return max([100.0, *(sum(bar.values()) for bar in self.bars.values())])

    def shares(self):
        """Yields (bar, part, share) of every piece, the rest last."""
        for name, bar in self.bars.items():
            for part in self.parts:
                yield name, part, bar.get(part, 0.0)
            rest = sum(bar.values()) - sum(bar.get(part, 0.0) for part in self.parts)
            yield name, self.rest, max(0.0, rest)

    def draw(self, axes, palette):
        left = dict.fromkeys(self.bars, 0.0)
        for index, part in enumerate((*self.parts, self.rest)):
            pieces = {bar: share for bar, of, share in self.shares() if of == part}
            axes.barh(
                [name.replace(", ", ",\n", 1) for name in self.bars],
                [pieces[name] for name in self.bars],
                left=[left[name] for name in self.bars],
                label=part,
                color=palette.grid if part == self.rest else palette.of(index),
                hatch="" if part == self.rest else HATCHES[index],
                edgecolor=palette.paper,
                linewidth=0.5,
            )
            left = {name: left[name] + pieces[name] for name in self.bars}
        axes.set_xlabel(self.unit)
        axes.set_xlim(0, self.end)
        axes.invert_yaxis()
        axes.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.4, 1.0), frameon=False)

    def words(self):
        return "; ".join(
            f"{name}: " + ", ".join(f"{part} {bar.get(part, 0):.0f} %" for part in self.parts)
            for name, bar in self.bars.items()
        )


@dataclasses.dataclass(frozen=True)
class Lines:
    """Series of points: {name: [(x, y), ...]}; a point may have an interval, (x, y, low, high)."""

    x_title: str
    y_title: str
    series: dict
    x_log: bool = False
    y_log: bool = False
    x_values: tuple = ()  # where the axis has its ticks, if these are few
    x_names: tuple = ()  # what stands there instead of the values
    series_title: str = "scheme"

    size = (7, 3.6)

    def ticks(self):
        """Returns what stands at the values of the axis."""
        return list(self.x_names) or [f"{value:g}" for value in self.x_values]

    def at(self, x):
        """Returns the words for a place on the axis."""
        return self.x_names[self.x_values.index(x)] if self.x_names else f"{x:g}"

    def rows(self):
        """Yields (name, x, y, low, high)."""
        for name, points in self.series.items():
            for x, y, *ends in sorted(points):
                yield name, x, y, *(ends or (y, y))

    def draw(self, axes, palette):
        for index, name in enumerate(self.series):
            rows = [row[1:] for row in self.rows() if row[0] == name]
            axes.errorbar(
                [x for x, *_ in rows],
                [y for _, y, *_ in rows],
                yerr=[[y - low for _, y, low, _ in rows], [high - y for _, y, _, high in rows]],
                marker=MARKERS[index % len(MARKERS)],
                color=palette.of(index),
                linewidth=2,
                markersize=7,
                elinewidth=1,
                capsize=2,
                label=name,
            )
        if self.x_log:
            axes.set_xscale("log")
        if self.y_log:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        if self.x_values:
            axes.set_xticks(list(self.x_values), self.ticks())
            axes.minorticks_off()
        axes.set_xlabel(self.x_title)
        axes.set_ylabel(self.y_title)
        axes.grid(linewidth=0.6)
        axes.set_axisbelow(True)
        axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)

    def words(self):
        found = {}
        for name, x, y, *_ in self.rows():
            found.setdefault(name, []).append(f"{y:.4g} at {self.at(x)}")
        return "; ".join(f"{name}: {', '.join(points)}" for name, points in found.items())


@dataclasses.dataclass(frozen=True)
class Point:
    """A design: area and time; raw where its area is an estimate, assumed if its clock is."""

    name: str
    x: float
    y: float
    raw: float | None = None
    assumed: bool = False

    @property
    def short_name(self):
        """The name beside the mark: all are of level 1."""
        return self.name.replace("BIKE-L1", "BIKE")

    def __str__(self):
        to_raw = "" if self.raw is None else f" (estimate) to {self.raw:.0f} (raw)"
        clock = " at an assumed clock" if self.assumed else ""
        return f"{self.name} {self.x:.0f}{to_raw} LUT and {self.y:.3g} ms{clock}"


@dataclasses.dataclass(frozen=True)
class Designs:
    """Area against time on logarithmic axes: {name in the legend: points}.

    A filled mark stands for a time that its authors measured or that their tools gave; a hollow one
    for cycles at an assumed clock. A line goes from the estimate of LUTs to the raw count.
    """

    x_title: str
    y_title: str
    series: dict

    size = (9.5, 6.6)

    def draw(self, axes, palette):
        for index, (name, points) in enumerate(self.series.items()):
            colour, empty = palette.of(index), points[0].assumed
            axes.scatter(
                [p.x for p in points],
                [p.y for p in points],
                s=60,
                marker=MARKERS[index],
                label=name,
                linewidths=2,
                edgecolors=colour,
                facecolors=palette.paper if empty else colour,
                zorder=3,
            )
            for p in points:
                if p.raw is not None:
                    axes.plot(
                        [p.x, p.raw],
                        [p.y] * 2,
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
        axes.set_xlabel(f"{self.x_title} (hollow marks: estimate, with a line to the raw count)")
        axes.set_ylabel(self.y_title)
        axes.set_axisbelow(True)
        axes.grid(linewidth=0.6)
        axes.margins(0.12)
        axes.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        name_points(axes, [point for points in self.series.values() for point in points])

    def words(self):
        return "; ".join(
            f"{name}: " + ", ".join(map(str, points)) for name, points in self.series.items()
        )


# Where a name may stand beside its mark: alignment, and offset in points.
PLACES = [
    (side, x, y) for y in (4, -11, 13, -20, 22, -29) for side, x in (("left", 6), ("right", -6))
]


def name_points(axes, points):
    """Writes the names beside the points, each where it meets no other name, if there is a
    place."""
    axes.figure.draw_without_rendering()  # the layout decides where the points are

    def at(x, y):  # in points of 1/72 inch; a letter of size 8 is about 4.4 wide, half a mark 4
        return axes.transData.transform((x, y)) * 72 / axes.figure.dpi

    def end_of(point):  # of its line
        return at(point.raw or point.x, point.y)[0]

    def box(point, place):
        side, x, y = place
        left, bottom = at(point.x, point.y)
        width = 4.4 * len(point.short_name)
        start = left + x - (width if side == "right" else 0)
        return start, bottom + y, start + width, bottom + y + 9

    def meet(a, b):
        return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

    taken = []
    for point in points:
        left, bottom = at(point.x, point.y)
        taken.append((left - 4, bottom - 4, end_of(point) + 4, bottom + 4))
    first, last = (x * 72 / axes.figure.dpi for x in (axes.bbox.x0, axes.bbox.x1))
    for point in sorted(points, key=lambda point: point.x):
        behind = end_of(point) - at(point.x, point.y)[0] + 7
        places = [("left", behind, -4), *PLACES] if point.raw else PLACES
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
            (point.x, point.y),
            xytext=place[1:],
            textcoords="offset points",
            fontsize=8,
            ha=place[0],
            in_layout=False,
        )
