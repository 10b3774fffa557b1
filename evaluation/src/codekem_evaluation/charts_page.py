# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Charts for the page: Vega-Lite, which draws in the reader's browser [SMWH17].

What is returned has no colours: the page gives those of its theme. `choices` are the columns by
which a reader may leave rows out, `logarithmic` the channels whose scale can be switched.
"""

import functools
import json

from codekem_base import charts, charts_rates

STEP = 15  # pixels that a dot takes
MOST = {"labelLimit": 130}


@functools.cache
def library():
    """Returns Vega, Vega-Lite and Vega-Embed as one script, made for an HTML page."""
    import vl_convert  # late: 80 MB that only the page needs

    return vl_convert.javascript_bundle()


def described(chart):
    """Returns what report/charts.js draws a chart from, ready for JSON."""
    return {
        charts.Dots: dots,
        charts.Stacks: stacks,
        charts.Lines: lines,
        charts.Designs: designs,
        charts_rates.Rates: rates,
    }[type(chart)](chart)


def rates(chart):
    values, layers = charts_rates.described(chart)
    return whole(values, choices=["series"], height=320, layer=layers)


def whole(rows, choices=(), logarithmic=(), step=None, by=(), **spec):
    """step, if given, is the height in pixels of each combination of values in the columns by."""
    return {
        "spec": {"width": "container", "data": {"values": rows}, **spec},
        "choices": list(choices),
        "logarithmic": list(logarithmic),
        "step": step,
        "by": list(by),
    }


def field(name, kind, **more):
    return {"field": name, "type": kind, **more}


def series(name, known):
    """Returns colour and shape of a series, in the order of the chart."""
    shapes = ["circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "wedge"]
    legend = {"legend": {"orient": "top", "columns": 3, "title": None, "labelLimit": 260}}
    # A name without dots: in Vega-Lite these lead into objects.
    scale = {"domain": known}
    shape = {"domain": known, "range": [shapes[i % len(shapes)] for i in range(len(known))]}
    return {
        "color": field(name, "nominal", scale=scale, **legend),
        "shape": field(name, "nominal", scale=shape, **legend),
    }


def dots(chart):
    group, name, unit = chart.group_title, chart.name_title, chart.unit
    rows = [
        {
            group: dot.group,
            name: dot.name,
            "value": dot.value,
            "low": dot.low,
            "high": dot.high,
            "shown": f"{dot.value:.4g} ({dot.low:.4g} to {dot.high:.4g}) {unit}",
            "hollow": dot.hollow,
        }
        for dot in chart.dots
    ]
    scale = {"type": "log", "nice": True}
    where = {
        "y": field(group, "nominal", sort=chart.groups, title=None, axis=MOST),
        "yOffset": field(name, "nominal", sort=chart.names),
    }
    names = [field(key, "nominal") for key in (group, name)]
    hint = [*names, field("shown", "nominal", title="median (interval)")]
    return whole(
        rows,
        choices=[group, name],
        logarithmic=["x"],
        step=STEP,
        by=[group, name],
        layer=[
            {
                "mark": {"type": "rule", "strokeWidth": 2, "aria": False},
                "encoding": {
                    **where,
                    "x": field("low", "quantitative", scale=scale, title=unit),
                    "x2": {"field": "high"},
                    "color": series(name, chart.names)["color"],
                },
            },
            {
                "mark": {"type": "point", "size": 60, "opacity": 1},
                "encoding": {
                    **where,
                    "x": field("value", "quantitative", scale=scale, title=unit),
                    **series(name, chart.names),
                    "fillOpacity": {"condition": {"test": "datum.hollow", "value": 0}, "value": 1},
                    "tooltip": hint,
                },
            },
        ],
    )


def stacks(chart):
    parts = [*chart.parts, chart.rest]
    rows = [
        {"bar": bar, "part": part, "share": share, "order": parts.index(part)}
        for bar, part, share in chart.shares()
    ]
    legend = {"orient": "top", "columns": 2, "title": None, "labelLimit": 200}
    return whole(
        rows,
        choices=["bar"],
        step=34,
        by=["bar"],
        mark={"type": "bar", "strokeWidth": 1},
        encoding={
            "y": field("bar", "nominal", sort=list(chart.bars), title=None, axis=MOST),
            "x": field(
                "share",
                "quantitative",
                title=chart.unit,
                stack="zero",
                scale={"domain": [0, chart.end], "nice": False},
            ),
            "color": field("part", "nominal", sort=parts, scale={"domain": parts}, legend=legend),
            "order": field("order", "quantitative"),
            "tooltip": [
                field("bar", "nominal", title="implementation"),
                field("part", "nominal"),
                field("share", "quantitative", format=".1f", title="percent"),
            ],
        },
    )


def lines(chart):
    rows = [
        {"series": name, "x": x, "y": y, "low": low, "high": high, "at": chart.at(x)}
        for name, x, y, low, high in chart.rows()
    ]
    names = list(chart.series)
    axis: dict = {"values": list(chart.x_values)} if chart.x_values else {}
    if chart.x_names:
        values = json.dumps(list(chart.x_values))
        axis["labelExpr"] = f"{json.dumps(chart.ticks())}[indexof({values}, datum.value)]"
    kinds: dict = {True: {"type": "log"}, False: {"type": "linear", "zero": True}}
    x = field("x", "quantitative", title=chart.x_title, axis=axis, scale=kinds[chart.x_log])
    x["scale"] = x["scale"] | {"nice": not chart.x_values}
    if chart.x_names:  # places, not amounts
        ends = [min(chart.x_values) - 0.5, max(chart.x_values) + 0.5]
        x["scale"] = {"type": "linear", "domain": ends}
    scale = kinds[chart.y_log]

    def y(name):
        return field(name, "quantitative", title=chart.y_title, scale=scale)

    both = series("series", names)
    layers = [
        {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"x": x, "y": y("y")}},
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {
                "x": x,
                "y": y("y"),
                "shape": both["shape"],
                "tooltip": [
                    field("series", "nominal", title=chart.series_title),
                    field("at", "nominal", title=chart.x_title),
                    field("y", "quantitative", title=chart.y_title, format=".4"),
                ],
            },
        },
    ]
    if any(row["low"] != row["high"] for row in rows):
        bars: dict = {"x": x, "y": y("low"), "y2": {"field": "high"}}
        layers.insert(1, {"mark": {"type": "rule", "aria": False}, "encoding": bars})
    for layer in layers:
        layer["encoding"]["color"] = both["color"]
    return whole(
        rows,
        choices=["series"],
        logarithmic=["x", "y"] if chart.x_log else ["y"],
        height=280,
        layer=layers,
    )


def designs(chart):
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
        for name, points in chart.series.items()
        for point in points
    ]
    scale = {"type": "log", "nice": True}
    y = field("y", "quantitative", title=chart.y_title, scale=scale)
    both = series("series", list(chart.series))
    both["color"]["legend"]["columns"] = both["shape"]["legend"]["columns"] = 2
    return whole(
        rows,
        choices=["series", "design"],
        logarithmic=["x", "y"],
        height=420,
        layer=[
            {
                "mark": {"type": "rule", "strokeWidth": 2, "aria": False},
                "encoding": {
                    "x": field("x", "quantitative", title=chart.x_title, scale=scale),
                    "x2": {"field": "raw"},
                    "y": y,
                    "color": both["color"],
                },
            },
            {
                "mark": {"type": "point", "size": 90, "strokeWidth": 2, "opacity": 1},
                "encoding": {
                    "x": field("x", "quantitative", title=chart.x_title, scale=scale),
                    "y": y,
                    **both,
                    "fillOpacity": {"condition": {"test": "datum.hollow", "value": 0}, "value": 1},
                    "tooltip": [
                        field("design", "nominal"),
                        field("series", "nominal", title="source"),
                        field("x", "quantitative", title="LUT", format=",.0f"),
                        field("raw", "quantitative", title="LUT, not packed", format=",.0f"),
                        field("y", "quantitative", title=chart.y_title, format=".3"),
                        field("clock", "nominal"),
                    ],
                },
            },
        ],
    )
