#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws the diagrams of docs/diagrams as SVG, each beside its source.

NAME.json is a timing diagram for WaveDrom (package wavedrom of hardware/requirements.txt),
NAME.blocks.json a block diagram: boxes and arrows with their places. Block diagrams follow the
reader's colour scheme, light or dark; timing diagrams have a light ground of their own, so that
they can be read on a dark page, too. A line break in a text begins a new line, and an arrow may
have corners: x, y of each, then its text.

usage: draw_diagrams.py            writes the files; --check only compares, and names those that are
                                   not what their source says (exit status 1)
"""

import html
import itertools
import json
import math
import pathlib
import re
import sys

import wavedrom

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "diagrams"
GROUND = "#ffffff"
FONT = 'font-family="Helvetica, Arial, sans-serif" font-size="13"'
LINE = 16  # pixels from one line of a text to the next
STYLE = """<style>
svg { --ground: #ffffff; --ink: #24292f; --frame: #f6f8fa; --unit: #ddf4ff; --register: #fff1cc;
  --wires: #eaeef2 }
@media (prefers-color-scheme: dark) {
svg { --ground: #14181d; --ink: #e6eaee; --frame: #1b2129; --unit: #123a5c; --register: #4a3c10;
  --wires: #2b333c }
}
.ground { fill: var(--ground) } .frame { fill: var(--frame) } .unit { fill: var(--unit) }
.register { fill: var(--register) } .wires { fill: var(--wires) }
rect[rx], .arrow { stroke: var(--ink) } .arrow { fill: none } text, .end { fill: var(--ink) }
</style>"""


def timing(source):
    """Returns the SVG of a timing diagram, on a ground of its own."""
    text = wavedrom.render(json.dumps(source)).tostring()
    ground = f'<rect width="100%" height="100%" fill="{GROUND}"/>'
    return re.sub(r"(<svg\b[^>]*>)", rf"\1{ground}", text, count=1)


def lines_of(x, y, text):
    """Returns text around x, line by line; y is where the last one stands."""
    rows = text.split("\n")
    return [
        f'<text x="{x:g}" y="{y - LINE * (len(rows) - 1 - row):g}" text-anchor="middle">'
        f"{html.escape(line)}</text>"
        for row, line in enumerate(rows)
    ]


def box(at, text, kind):
    """Returns a box with its text in the middle, that of a frame at the top."""
    x, y, width, height = at
    more = LINE * text.count("\n")
    last = y + (17 + more if kind == "frame" else (height + more) / 2 + 4.5)
    return [
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" class="{kind}"/>',
        *lines_of(x + width / 2, last, text),
    ]


def arrow(*points, text):
    """Returns an arrow through points (x, y, x, y, ...), its text above the longest piece."""
    corners = list(zip(points[::2], points[1::2], strict=True))
    path = "L".join(f"{x} {y}" for x, y in corners)
    lines = [f'<path d="M{path}" class="arrow" marker-end="url(#end)"/>']
    if text:
        (x1, y1), (x2, y2) = max(
            itertools.pairwise(corners), key=lambda two: math.dist(two[0], two[1])
        )
        lines += lines_of((x1 + x2) / 2, (y1 + y2) / 2 - 5, text)
    return lines


def blocks(source):
    """Returns the SVG of a block diagram."""
    width, height = source["size"]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" {FONT}>',
        STYLE,
        '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z" class="end"/></marker></defs>',
        '<rect width="100%" height="100%" class="ground"/>',
    ]
    for one in source["boxes"]:
        lines += box(**one)
    for *points, text in source["arrows"]:
        lines += arrow(*points, text=text)
    return "\n".join([*lines, "</svg>"])


def drawings():
    """Returns {path: text} of all diagrams."""
    found = {}
    for path in sorted(FOLDER.glob("*.json")):
        source = json.loads(path.read_text(encoding="utf-8"))
        draw = blocks if path.stem.endswith(".blocks") else timing
        text = "\n".join(line.rstrip() for line in draw(source).strip().splitlines())
        found[FOLDER / f"{path.name.split('.')[0]}.svg"] = text + "\n"
    return found


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    stale = 0
    for path, text in drawings().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if arguments:
            print(f"{path.name} is not what its source says")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{path.name} written")
    return 1 if arguments and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
