# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws charts as files: SVG, PDF and PNG from their Vega-Lite specifications, by vl-convert."""

import dataclasses
import functools
import html
import json
import math
import re
import textwrap

from codekem_base import files
from codekem_base.charts import COLOURS
from codekem_base.errors import EvaluationError

WIDTH = 640  # pixels of the axes
# The first comes with vl-convert: files are the same on every system. Where a reader has none of
# the next two, which are as wide, letters are wider: there is room for that.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
ROOM = {"left": 40, "right": 25, "top": 5, "bottom": 5}


@dataclasses.dataclass(frozen=True)
class Palette:
    """The colours of a drawing. Those of series keep neighbours apart for readers who confuse red
    and green."""

    ink: str
    soft: str
    grid: str
    paper: str
    series: tuple

    def __iter__(self):
        return iter((self.ink, self.soft, self.grid, self.paper, *self.series))


# Stand-ins, which a page replaces by its variables, and the light palette of report/style.css.
STAND_INS = Palette(
    "#010203",
    "#030405",
    "#040506",
    "#070809",
    tuple(f"#a{i:02x}a{i:02x}" for i in range(1, COLOURS + 1)),
)
ON_PAPER = Palette(
    "#1b1f24",
    "#57606a",
    "#d3d9df",
    "#ffffff",
    ("#1f5fbf", "#d9730d", "#d1478c", "#6b3505", "#4b2f8f", "#8a8a00", "#0a8fae", "#0b5c48",
     "#c0392b", "#3f8f3f", "#8a5fd0", "#6e7781"),
)  # fmt: skip
VARIABLES = ["ink", "soft", "grid", "paper", *(f"series-{i}" for i in range(1, COLOURS + 1))]


@functools.cache
def converter():
    """Returns vl-convert: 80 MB that only drawing needs."""
    import vl_convert

    return vl_convert


def configuration(palette):
    """Returns what report/charts.js takes from the page's theme."""
    words = {"labelColor": palette.ink, "titleColor": palette.ink}
    axis = {"gridColor": palette.grid, "domainColor": palette.ink, "tickColor": palette.ink}
    size = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    apart = {"labelSeparation": 6, "labelFlush": False}
    return {
        "background": palette.paper,
        "font": FONT,
        "padding": ROOM,
        "aria": False,
        "axis": {**words, **axis, **size, **apart},
        "axisY": {"titlePadding": 14},
        "legend": {**words, "labelFontSize": 12, "symbolSize": 80, "columnPadding": 24},
        "title": {"color": palette.ink, "fontSize": 13, "fontWeight": "normal"},
        "view": {"stroke": "transparent"},
        "bar": {"stroke": palette.paper},
        "rule": {"color": palette.soft},
        "text": {"color": palette.ink},
        "range": {"category": list(palette.series)},
    }


def sized(chart):
    """Returns the specification of a chart with its width and height, and names beside its marks
    where it has them."""
    made = chart.described()
    spec = {"width": WIDTH, **made["spec"]}
    if made["step"] is not None:
        counts = [len({row[column] for row in spec["data"]["values"]}) for column in made["by"]]
        spec["height"] = max(1, math.prod(counts)) * made["step"]
    if hasattr(chart, "names") and callable(chart.names):
        spec["layer"] = [*spec["layer"], chart.names(spec["width"], spec["height"])]
    return spec


LETTERS = 100  # in a line as wide as a drawing


def specification(charts, palette, titles=(), source=""):
    """Returns a chart's specification, or several below each other, each with its title; source is
    said below it."""
    parts = [sized(chart) for chart in charts]
    for part, title in zip(parts, titles, strict=False):
        part["title"] = {"text": title, "anchor": "start"}
    if source:
        parts[-1]["title"] = said(source)
    alone = dict.fromkeys(("color", "fill", "shape", "stroke"), "independent")
    several = {"vconcat": parts, "resolve": {"scale": alone}}
    text = json.dumps(parts[0] if len(parts) == 1 else several)
    for number, colour in enumerate(palette.series, 1):
        text = text.replace(f'"series-{number}"', f'"{colour}"')
    return {**json.loads(text), "config": configuration(palette)}


def said(source):
    """Returns where a chart says what it was measured on: below it."""
    place = {"orient": "bottom", "anchor": "start", "fontSize": 10, "offset": 8}
    return {"text": textwrap.wrap(source, LETTERS), **place}


@functools.lru_cache(maxsize=256)
def drawn(text):
    """Returns the drawing of a specification, given as JSON: a page and its summary, or two runs,
    have the same ones."""
    return converter().vegalite_to_svg(text)


def svg(chart, palette=ON_PAPER, source=""):
    """Returns a drawing as text, the same each time; letters are text, and marks have no roles:
    the words beside the picture say the same."""
    text = drawn(json.dumps(specification([chart], palette, source=source)))
    return re.sub(r' (?:role|aria-\w+)="[^"]*"', "", text)


def pdf(chart, source=""):
    """Returns a drawing for a paper, with its fonts."""
    return converter().vegalite_to_pdf(specification([chart], ON_PAPER, source=source))


def titled(text, title, ink=ON_PAPER.ink):
    """Returns a drawing of svg() with a title above it, in lines that fit."""
    sides = re.findall(r' (?:width|height)="([\d.]+)"', text[: text.index(">")])
    width, height = map(float, sides)
    lines = textwrap.wrap(title, max(20, int(width / 7.2)))
    top = 18 * len(lines) + 6
    words = "".join(
        f'<text x="8" y="{18 * (i + 1)}">{html.escape(line)}</text>' for i, line in enumerate(lines)
    )
    style = f'font-family="{FONT}" font-size="13" font-weight="bold" fill="{ink}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height + top:g}" '
        f'viewBox="0 0 {width:g} {height + top:g}"><rect width="100%" height="100%" '
        f'fill="{ON_PAPER.paper}"/><g {style}>{words}</g>'
        f'<g transform="translate(0,{top})">{text}</g></svg>\n'
    )


def in_page(text, key):
    """Returns a drawing with stand-ins as one that takes its colours from a page, where its ids are
    unique and its size is the page's business."""
    for stand_in, name in zip(STAND_INS, VARIABLES, strict=True):
        text = text.replace(stand_in, f"var(--{name})")
    text = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>{key}-", text)
    return re.sub(r'(<svg[^>]*?) width="[^"]*" height="[^"]*"', r"\1", text, count=1)


def on_paper(text):
    """Returns a drawing with stand-ins as a file of its own."""
    for stand_in, colour in zip(STAND_INS, ON_PAPER, strict=True):
        text = text.replace(stand_in, colour)
    return text


def write(path, charts, titles=()):
    """Writes charts below each other; the kind of file follows from its name."""
    kinds = {
        ".svg": lambda spec: converter().vegalite_to_svg(spec).encode() + b"\n",
        ".pdf": lambda spec: converter().vegalite_to_pdf(spec),
        ".png": lambda spec: converter().vegalite_to_png(spec, scale=2),
    }
    if path.suffix not in kinds:
        raise EvaluationError(
            f"the plot {path} cannot be written: its name ends in none of {', '.join(kinds)}"
        )
    files.write_bytes(path, kinds[path.suffix](specification(charts, ON_PAPER, titles)))
