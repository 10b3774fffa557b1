# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kind of chart that shows failure rates: points with intervals, ends where nothing failed,
lines through them, and what is claimed."""

import dataclasses

from codekem_base import charts
from codekem_base.charts import field

Y_TITLE = "log2 of the failure rate"


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
    """rates over x; lines is {name: points}, claims are (x, y, words) that stand alone, none the
    names of what has no place."""

    x_title: str
    rates: tuple
    lines: dict = dataclasses.field(default_factory=dict)
    claims: tuple = ()
    none: tuple = ()

    @property
    def series(self):
        return list(dict.fromkeys(rate.series for rate in self.rates))

    def of(self, name):
        return sorted((r for r in self.rates if r.series == name), key=lambda rate: rate.x)

    def finding(self):
        """Says between which rates those are that are not 0."""
        seen = sorted((rate for rate in self.rates if rate.y is not None), key=lambda rate: rate.y)
        ends = [
            f"2^{rate.y:.1f} ({rate.series}, at {rate.x:g})" for rate in seen[:1] + seen[1:][-1:]
        ]
        return "Failure rates found: " + " to ".join(ends) if seen else "No failure was seen"

    def words(self):
        parts = [
            f"{name}: " + ", ".join(f"{rate.shown} at {rate.x:g}" for rate in self.of(name))
            for name in self.series
        ]
        parts += [
            f"{name}: " + ", ".join(f"2^{y:.1f} at {x:g}" for x, y in (points[0], points[-1]))
            for name, points in self.lines.items()
        ]
        parts += [f"{text} at {x:g}" for x, _, text in self.claims]
        return "; ".join([*parts, *(f"{name}: nothing found" for name in self.none)])

    def described(self):
        values, layers = rows(self), layers_of(self)
        return charts.whole(values, choices=["series"], height=320, layer=layers)


def ends_of(rate):
    """Returns where the interval of a rate is drawn to; nowhere where it has no end."""
    return rate.y if rate.low is None else rate.low, rate.y if rate.high is None else rate.high


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


def layers_of(chart):
    """Returns the layers of Vega-Lite that have rows."""
    names = [*chart.series, *chart.lines, *(text for _, _, text in chart.claims)]
    names += [f"{name}: nothing found" for name in chart.none]
    legend = {
        "orient": "top",
        "columns": min(2, charts.legend_columns(names)),
        "title": None,
        "labelLimit": 0,
    }
    shapes = [charts.SHAPES[i % len(charts.SHAPES)] for i in range(len(names))]
    scale = {"type": "linear", "zero": False, "nice": False, "padding": charts.PADDING}
    axis = charts.distance([row["x"] for row in rows(chart)])
    x = field("x", "quantitative", title=chart.x_title, scale=scale, axis=axis)
    coloured = {"domain": names, "range": charts.numbered(names, {})}
    colour = field("series", "nominal", scale=coloured, legend=legend)
    shape = {**colour, "scale": {"domain": names, "range": shapes}}
    hint = [
        field("series", "nominal", title="what"),
        field("x", "quantitative", title=chart.x_title),
        field("shown", "nominal", title="rate"),
    ]

    def layer(kind, mark, y="y", **more):
        y = field(y, "quantitative", title=Y_TITLE)
        return {
            "transform": [{"filter": f"datum.kind === '{kind}'"}],
            "mark": {"opacity": 1, **mark},
            "encoding": {"x": x, "y": y, "color": colour, **more},
        }

    kinds = {row["kind"] for row in rows(chart)}  # a layer without rows warns
    layers = {
        "line": [layer("line", {"type": "line", "strokeDash": [5, 3], "strokeWidth": 1.5})],
        "seen": [
            layer("seen", {"type": "rule", "aria": False}, "low", y2={"field": "high"}),
            layer("seen", {"type": "point", "filled": True, "size": 60}, shape=shape, tooltip=hint),
        ],
        "none": [layer("none", {"type": "point", "shape": "triangle-down", "size": 80},
                       tooltip=hint)],
        "claim": [layer("claim", {"type": "point", "filled": True, "size": 160},
                        shape=shape, tooltip=hint)],
    }  # fmt: skip
    return [each for kind, several in layers.items() if kind in kinds for each in several]
