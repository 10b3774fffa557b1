# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kind of chart that shows failure rates: points with intervals, ends where nothing failed,
lines through them, and what is claimed. Its drawings for files, for the page and for a paper."""

import dataclasses

Y_TITLE = "log2 of the failure rate"
MARKERS = "osD^vP*X"
SHAPES = ["circle", "square", "diamond", "triangle-up", "triangle-right", "cross", "wedge"]


@dataclasses.dataclass(frozen=True)
class Rate:
    """log2 of a rate with its interval; y is None where nothing failed: then high is the most that
    the rate can be. low or high is None where there is no such end."""

    series: str
    x: float
    y: float | None
    low: float | None
    high: float | None

    @property
    def shown(self):
        """The value in words."""
        if self.y is None:
            return f"none failed: at most 2^{self.high:.1f}"
        low = "no lower end" if self.low is None else f"2^{self.low:.1f}"
        high = "no upper end" if self.high is None else f"2^{self.high:.1f}"
        return f"2^{self.y:.1f} ({low} to {high})"


@dataclasses.dataclass(frozen=True)
class Rates:
    """rates over x; lines is {name: points}, claims are (x, y, words) that stand alone."""

    x_title: str
    rates: tuple
    lines: dict = dataclasses.field(default_factory=dict)
    claims: tuple = ()

    size = (8, 4.4)

    @property
    def series(self):
        return list(dict.fromkeys(rate.series for rate in self.rates))

    def of(self, name):
        return sorted((r for r in self.rates if r.series == name), key=lambda rate: rate.x)

    def words(self):
        parts = [
            f"{name}: " + ", ".join(f"{rate.shown} at {rate.x:g}" for rate in self.of(name))
            for name in self.series
        ]
        parts += [
            f"{name}: " + ", ".join(f"2^{y:.1f} at {x:g}" for x, y in (points[0], points[-1]))
            for name, points in self.lines.items()
        ]
        return "; ".join([*parts, *(f"{text} at {x:g}" for x, _, text in self.claims)])

    def draw(self, axes, palette):
        for index, name in enumerate(self.series):
            seen = [rate for rate in self.of(name) if rate.y is not None]
            unseen = [rate for rate in self.of(name) if rate.y is None]
            colour = palette.of(index)
            axes.errorbar(
                [r.x for r in seen],
                [r.y for r in seen],
                yerr=[[r.y - ends_of(r)[0] for r in seen], [ends_of(r)[1] - r.y for r in seen]],
                linestyle="none",
                capsize=3,
                marker=MARKERS[index % len(MARKERS)],
                color=colour,
                label=name,
            )
            axes.errorbar(
                [r.x for r in unseen],
                [r.high for r in unseen],
                yerr=2,
                uplims=True,
                linestyle="none",
                marker="_",
                capsize=3,
                color=colour,
            )
        for index, (name, points) in enumerate(self.lines.items()):
            style = ("-", "--", ":", "-.")[index % 4]
            axes.plot(*zip(*points, strict=True), style, color=palette.ink, linewidth=1, label=name)
        for x, y, text in self.claims:
            axes.plot([x], [y], "*", markersize=13, color=palette.ink, label=text)
        axes.set_xlabel(self.x_title)
        axes.set_ylabel(Y_TITLE)
        axes.grid(linewidth=0.6)
        axes.set_axisbelow(True)
        axes.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)


def ends_of(rate):
    """Returns where the interval of a rate is drawn to; nowhere where it has no end."""
    return rate.y if rate.low is None else rate.low, rate.y if rate.high is None else rate.high


# --- For the page --------------------------------------------------------------------------------


def rows(chart):
    """Returns the rows of all layers; kind tells them apart."""
    found = []
    for rate in chart.rates:
        seen = rate.y is not None
        low, high = ends_of(rate) if seen else (rate.high, rate.high)
        found.append(
            {
                "series": rate.series,
                "kind": "seen" if seen else "none",
                "x": rate.x,
                "y": rate.y if seen else rate.high,
                "low": low,
                "high": high,
                "shown": rate.shown,
            }
        )
    for name, points in chart.lines.items():
        found += [alone(name, "line", x, y, f"2^{y:.1f}") for x, y in points]
    return found + [alone(text, "claim", x, y, text) for x, y, text in chart.claims]


def alone(name, kind, x, y, shown):
    return {"series": name, "kind": kind, "x": x, "y": y, "low": y, "high": y, "shown": shown}


def described(chart):
    """Returns the layers of Vega-Lite, and the rows."""
    names = [*chart.series, *chart.lines, *(text for _, _, text in chart.claims)]
    legend = {"orient": "top", "columns": 2, "title": None, "labelLimit": 320}
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(names))]
    x = {
        "field": "x",
        "type": "quantitative",
        "title": chart.x_title,
        "scale": {"type": "linear", "zero": False, "nice": True},
    }
    colour = {"field": "series", "type": "nominal", "scale": {"domain": names}, "legend": legend}
    shape = {**colour, "scale": {"domain": names, "range": shapes}}
    hint = [
        {"field": "series", "type": "nominal", "title": "what"},
        {"field": "x", "type": "quantitative", "title": chart.x_title},
        {"field": "shown", "type": "nominal", "title": "rate"},
    ]

    def layer(kind, mark, **more):
        y = {"field": "y", "type": "quantitative", "title": Y_TITLE}
        encoding = {"x": x, "y": y, "color": colour, **more}
        return {
            "transform": [{"filter": f"datum.kind === '{kind}'"}],
            "mark": {"opacity": 1, **mark},
            "encoding": encoding,
        }

    low = {"field": "low", "type": "quantitative", "title": Y_TITLE}
    values = rows(chart)
    layers = [
        layer("line", {"type": "line", "strokeDash": [5, 3], "strokeWidth": 1.5}),
        layer("seen", {"type": "rule", "aria": False}, y=low, y2={"field": "high"}),
        layer("seen", {"type": "point", "filled": True, "size": 60}, shape=shape, tooltip=hint),
        layer("none", {"type": "point", "shape": "triangle-down", "size": 80}, tooltip=hint),
        layer("claim", {"type": "point", "filled": True, "size": 160}, shape=shape, tooltip=hint),
    ]
    filters = {f"datum.kind === '{row['kind']}'" for row in values}  # a layer without rows warns
    return values, [each for each in layers if each["transform"][0]["filter"] in filters]
