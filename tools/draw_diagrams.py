#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws the diagrams of docs/diagrams as SVG, each beside its source.

NAME.json is a timing diagram for WaveDrom (package wavedrom of hardware/requirements.txt),
NAME.blocks.json a block diagram: boxes and arrows with their places. All have a light ground of
their own, so that they can be read on a dark page, too.

usage: draw_diagrams.py            writes the files; --check only compares, and names those that are
                                   not what their source says (exit status 1)
"""

import html
import json
import pathlib
import re
import sys

import wavedrom

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "diagrams"
GROUND, INK = "#ffffff", "#24292f"
COLOURS = {"frame": "#f6f8fa", "unit": "#ddf4ff", "register": "#fff1cc", "wires": "#eaeef2"}
FONT = 'font-family="Helvetica, Arial, sans-serif" font-size="13"'


def timing(source):
    """Returns the SVG of a timing diagram, on a ground of its own."""
    text = wavedrom.render(json.dumps(source)).tostring()
    ground = f'<rect width="100%" height="100%" fill="{GROUND}"/>'
    return re.sub(r"(<svg\b[^>]*>)", rf"\1{ground}", text, count=1)


def box(at, text, kind):
    x, y, width, height = at
    middle = y + (17 if kind == "frame" else height / 2 + 4.5)
    return [
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{COLOURS[kind]}" '
        f'stroke="{INK}"/>',
        f'<text x="{x + width / 2:g}" y="{middle:g}" text-anchor="middle">'
        f"{html.escape(text)}</text>",
    ]


def arrow(x1, y1, x2, y2, text):
    lines = [f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{INK}" fill="none" marker-end="url(#end)"/>']
    if text:
        lines.append(
            f'<text x="{(x1 + x2) / 2:g}" y="{(y1 + y2) / 2 - 5:g}" text-anchor="middle">'
            f"{html.escape(text)}</text>"
        )
    return lines


def blocks(source):
    """Returns the SVG of a block diagram."""
    width, height = source["size"]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" {FONT} fill="{INK}">',
        '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        f'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z" fill="{INK}"/></marker></defs>',
        f'<rect width="100%" height="100%" fill="{GROUND}"/>',
    ]
    for one in source["boxes"]:
        lines += box(**one)
    for one in source["arrows"]:
        lines += arrow(*one)
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
