# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kinds of charts, as data and as Vega-Lite specifications [SMWH17]: dots with intervals,
stacked shares, lines, areas over times; those of failure rates are in charts_rates.py.

A specification has neither size nor colours: the page gives those of its theme, drawing.py those of
a file, where it has names such as series-3. `colours` of a chart are {name: number of its colour}:
a page has one for each thing; names that it lacks take the others in turn. `choices` are the
columns by which a reader may leave rows out, `logarithmic` the channels whose scale can be
switched; `step`, if given, is the height in pixels of each combination of values in the columns
`by`.
"""

import dataclasses
import json
import math
import textwrap

from codekem_base.model import concise

SHAPES = ["circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "triangle-right"]
STEP = 15  # pixels that a dot takes
PADDING = 12  # pixels from the ends of an axis to the points
LINE = 24  # letters in a line of a name beside an axis


def whole(rows, choices=(), logarithmic=(), step=None, by=(), **spec):
    """Returns what report/charts.js and drawing.py draw a chart from, ready for JSON."""
    return {
        "spec": {"data": {"values": rows}, **spec},
        "choices": list(choices),
        "logarithmic": list(logarithmic),
        "step": step,
        "by": list(by),
    }


def field(name, kind, **more):
    return {"field": name, "type": kind, **more}


def legend_columns(names):
    """Returns in how many columns names fit above a chart, at most three."""
    return max(1, min(3, 90 // (max(map(len, names), default=1) + 5)))


COLOURS = 12
REST = COLOURS - 1  # the colour of what has no name of its own


def numbered(known, colours):
    """Returns the names of the colours of a chart's series: those that are given, and others."""
    free = [i for i in range(COLOURS) if i not in {colours.get(name) for name in known}]
    others = iter([name for name in known if name not in colours])
    taken = {name: free[i % len(free)] for i, name in enumerate(others)} if free else {}
    return [f"series-{(colours | taken).get(name, REST) % COLOURS + 1}" for name in known]


def series(name, known, colours=None):
    """Returns colours and shape of a series, in the order of the chart."""
    legend = {"orient": "top", "columns": legend_columns(known), "title": None, "labelLimit": 0}
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(known))]
    range_of = numbered(known, colours or {})
    colour = field(name, "nominal", scale={"domain": known, "range": range_of}, legend=legend)
    shape = field(name, "nominal", scale={"domain": known, "range": shapes}, legend=legend)
    return {"stroke": colour, "fill": colour, "shape": shape}


def names_axis(names):
    """Returns the axis beside which names stand, the long ones in several lines."""
    axis: dict = {"labelLimit": 0}
    if any(len(name) > LINE for name in names):
        lines = {name: textwrap.wrap(name, LINE) for name in names}
        axis["labelExpr"] = f"{json.dumps(lines)}[datum.label]"
    return axis


HOLLOW = {"condition": {"test": "datum.hollow", "value": 0}, "value": 1}  # the opacity of a mark


def distance(values):
    """Returns the axis on which ticks are no nearer to each other than values can be."""
    if not values or not all(float(value).is_integer() for value in values):
        return {}
    first, last = int(min(values)), int(max(values))
    # Few are named: where the ends are padded, ticks come nearer than tickMinStep says.
    few = {"values": list(range(first, last + 1)), "format": ",d"}
    return few if last - first < 8 else {"tickMinStep": 1}


@dataclasses.dataclass(frozen=True)
class Own:
    """What fits none of the kinds: its specification, ready for JSON, and the words for it."""

    specification: dict
    text: str

    def described(self):
        return self.specification

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
    colours: dict = dataclasses.field(default_factory=dict)

    @property
    def groups(self):
        return list(dict.fromkeys(dot.group for dot in self.dots))

    @property
    def names(self):
        return list(dict.fromkeys(dot.name for dot in self.dots))

    @property
    def most(self):
        """How many dots a group has at most."""
        return max(sum(dot.group == group for dot in self.dots) for group in self.groups)

    def rows(self):
        members = {group: [d for d in self.dots if d.group == group] for group in self.groups}
        return [
            {
                self.group_title: dot.group,
                # From the middle of the group.
                "place": members[dot.group].index(dot) - (len(members[dot.group]) - 1) / 2,
                self.name_title: dot.name,
                "value": dot.value,
                "low": dot.low,
                "high": dot.high,
                "shown": f"{dot.value:.4g} ({dot.low:.4g} to {dot.high:.4g}) {self.unit}",
                "hollow": dot.hollow,
            }
            for dot in self.dots
        ]

    def described(self):
        group, name, most = self.group_title, self.name_title, self.most
        scale = {"type": "log", "nice": True}
        axis = names_axis(self.groups)
        where = {
            "y": field(group, "nominal", sort=self.groups, title=None, axis=axis),
            "yOffset": field("place", "quantitative", scale={"domain": [-most / 2, most / 2]}),
        }
        both = series(name, self.names, self.colours)
        names = [field(key, "nominal") for key in (group, name)]
        low = field("low", "quantitative", scale=scale, title=self.unit)
        rule = {**where, "x": low, "x2": {"field": "high"}, "stroke": both["stroke"]}
        point = {
            **where,
            "x": field("value", "quantitative", scale=scale, title=self.unit),
            **both,
            "fillOpacity": HOLLOW,
            "tooltip": [*names, field("shown", "nominal", title="median (interval)")],
        }
        return whole(
            self.rows(),
            choices=[group, name],
            logarithmic=["x"],
            step=STEP * (most + 1),
            by=[group],
            layer=[
                {"mark": {"type": "rule", "strokeWidth": 2, "aria": False}, "encoding": rule},
                {"mark": {"type": "point", "size": 60, "opacity": 1}, "encoding": point},
            ],
        )

    def finding(self):
        """Says where the least and the most are."""
        ends = [end(self.dots, key=lambda dot: dot.value) for end in (min, max)]
        least, most = (f"{concise(dot.value)} ({dot.group}, {dot.name})" for dot in ends)
        return f"From {least} to {most} {self.unit}" if least != most else ""

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
    colours: dict = dataclasses.field(default_factory=dict)

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

    def described(self):
        parts = [*self.parts, self.rest]
        rows = [
            {"bar": bar, "part": part, "share": share, "order": parts.index(part)}
            for bar, part, share in self.shares()
        ]
        legend = {"orient": "top", "columns": 2, "title": None, "labelLimit": 0}
        axis = names_axis(list(self.bars))
        ends = {"domain": [0, self.end], "nice": False}
        hint = [
            field("bar", "nominal", title="implementation"),
            field("part", "nominal"),
            field("share", "quantitative", format=".1f", title="percent"),
        ]
        return whole(
            rows,
            choices=["bar"],
            step=44,
            by=["bar"],
            mark={"type": "bar", "strokeWidth": 1},
            encoding={
                "y": field("bar", "nominal", sort=list(self.bars), title=None, axis=axis),
                "x": field("share", "quantitative", title=self.unit, stack="zero", scale=ends),
                "color": field(
                    "part",
                    "nominal",
                    sort=parts,
                    scale={
                        "domain": parts,
                        "range": numbered(parts, {self.rest: REST, **self.colours}),
                    },
                    legend=legend,
                ),
                "order": field("order", "quantitative"),
                "tooltip": hint,
            },
        )

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
    colours: dict = dataclasses.field(default_factory=dict)

    def at(self, x):
        """Returns the words for a place on the axis."""
        return self.x_names[self.x_values.index(x)] if self.x_names else f"{x:g}"

    def rows(self):
        """Yields (name, x, y, low, high)."""
        for name, points in self.series.items():
            for x, y, *ends in sorted(points):
                yield name, x, y, *(ends or (y, y))

    def axis(self):
        """Returns the encoding of x."""
        axis: dict = {"values": list(self.x_values)} if self.x_values else {}
        axis["format"] = ",.6~g"
        scale: dict = {"type": "log"} if self.x_log else {"type": "linear", "zero": True}
        scale |= {"nice": not self.x_values, "padding": PADDING}
        if self.x_names:  # places, not amounts
            names = json.dumps([name.split(", ") for name in self.x_names])
            places = json.dumps(list(self.x_values))
            axis["labelExpr"] = f"{names}[indexof({places}, datum.value)]"
            if max(map(len, self.x_names)) * len(self.x_names) > 60:
                axis |= {"labelAngle": -40, "labelAlign": "right", "labelOverlap": False}
            ends = [min(self.x_values) - 0.5, max(self.x_values) + 0.5]
            scale = {"type": "linear", "domain": ends, "nice": False}
        return field("x", "quantitative", title=self.x_title, axis=axis, scale=scale)

    def described(self):
        rows = [
            {"series": name, "x": x, "y": y, "low": low, "high": high, "at": self.at(x)}
            for name, x, y, low, high in self.rows()
        ]
        scale = {"type": "log"} if self.y_log else {"type": "linear", "zero": True}

        def encoded(y, **more):
            y = field(y, "quantitative", title=self.y_title, scale=scale)
            return {"x": self.axis(), "y": y, "stroke": both["stroke"]} | more

        both = series("series", list(self.series), self.colours)
        hint = [
            field("series", "nominal", title=self.series_title),
            field("at", "nominal", title=self.x_title),
            field("y", "quantitative", title=self.y_title, format=".4"),
        ]
        dot = {"type": "point", "filled": True, "size": 60, "opacity": 1}
        rule = {"type": "rule", "aria": False}
        layers = [
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": encoded("y")},
            {"mark": rule, "encoding": encoded("low", y2={"field": "high"})},
            {"mark": dot, "encoding": encoded("y", **both, tooltip=hint)},
        ]
        if all(row["low"] == row["high"] for row in rows):
            del layers[1]
        return whole(
            rows,
            choices=["series"],
            logarithmic=["x"] * self.x_log + ["y"],
            height=280,
            layer=layers,
        )

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

    def points(self):
        return [point for points in self.series.values() for point in points]

    def described(self):
        rows = [
            {
                "series": name,
                "design": point.name,
                "x": point.x,
                "raw": point.raw or point.x,
                "y": point.y,
                "hollow": point.assumed,
                "clock": "assumed" if point.assumed else "as published",
            }
            for name, points in self.series.items()
            for point in points
        ]
        both = series("series", list(self.series))
        hint = [
            field("design", "nominal"),
            field("series", "nominal", title="source"),
            field("x", "quantitative", title="LUT", format=",.0f"),
            field("raw", "quantitative", title="LUT, not packed", format=",.0f"),
            field("y", "quantitative", title=self.y_title, format=".3"),
            field("clock", "nominal"),
        ]
        where = {}
        for axis, title in (("x", self.x_title), ("y", self.y_title)):
            # The same ends with and without names beside the marks.
            scale = {"type": "log", "nice": False, "domain": list(ends(rows, axis))}
            where[axis] = field(axis, "quantitative", title=title, scale=scale)
        dot = {"type": "point", "size": 70, "strokeWidth": 2, "opacity": 1}
        rule = {**where, "x2": {"field": "raw"}, "stroke": both["stroke"]}
        mark = {**where, **both, "fillOpacity": HOLLOW, "tooltip": hint}
        return whole(
            rows,
            choices=["series", "design"],
            logarithmic=["x", "y"],
            height=460,
            layer=[
                {"mark": {"type": "rule", "strokeWidth": 2, "aria": False}, "encoding": rule},
                {"mark": dot, "encoding": mark},
            ],
        )

    def names(self, width, height):
        """Returns a layer with the names beside the marks, of a drawing of this size."""
        rows = self.described()["spec"]["data"]["values"]
        sides = {"x": (ends(rows, "x"), width), "y": (ends(rows, "y"), -height)}

        def pixel(axis, value):
            (first, last), size = sides[axis]
            return math.log(value / first) / math.log(last / first) * size

        def value(axis, at):
            (first, last), size = sides[axis]
            return first * (last / first) ** (at / size)

        boxes = [
            (pixel("x", p.x), pixel("y", p.y), pixel("x", p.raw or p.x), p.short_name)
            for p in self.points()
        ]
        found = [
            {"lx": value("x", x), "ly": value("y", y), "name": name}
            for x, y, name in places(boxes, width)
        ]
        where = {axis: field(f"l{axis}", "quantitative") for axis in "xy"}
        mark = {"type": "text", "align": "left", "baseline": "middle", "fontSize": 10}
        text = {**where, "text": field("name", "nominal")}
        return {"data": {"values": found}, "mark": mark, "encoding": text}

    def words(self):
        return "; ".join(
            f"{name}: " + ", ".join(map(str, points)) for name, points in self.series.items()
        )


def ends(rows, axis):
    """Returns where a logarithmic axis begins and ends: a little before the first point and behind
    the last."""
    values = [row[key] for row in rows for key in ([axis, "raw"] if axis == "x" else [axis])]
    first, last = min(values), max(values)
    margin = (last / first) ** 0.08 if last > first else 1.5
    return first / margin, last * margin


def places(marks, width):
    """Yields (x, y, name): where names begin, each beside its mark where it meets no other name and
    no mark, if there is such a place. marks are (x, y, end of its line, name), in pixels."""
    letter, high, gap = 5.6, 6, 8  # of letters of size 10; half the height of a line
    taken = [(x - 6, y - 6, end + 6, y + 6) for x, y, end, _ in marks]

    def meet(a, b):
        return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

    for x, y, end, name in sorted(marks):
        long = letter * len(name)
        tries = [
            (left, y + shift)
            for shift in (0, -11, 11, -22, 22, -33, 33, -44, 44)
            for left in (end + gap, x - gap - long, x - long / 2)
        ]
        free = [
            (left, at)
            for left, at in tries
            if left >= 0
            and left + long <= width
            and not any(meet((left, at - high, left + long, at + high), box) for box in taken)
        ]
        left, at = (free or tries)[0]
        taken.append((left, at - high, left + long, at + high))
        yield left, at, name
