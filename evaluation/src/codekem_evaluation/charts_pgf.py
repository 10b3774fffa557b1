# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Charts for a paper: pgfplots, in the paper's own fonts, for \\input.

The paper needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16}.
"""

from codekem_base import charts, charts_rates

MARKS = ["*", "square*", "diamond*", "triangle*", "pentagon*", "x", "+", "star"]
HOLLOW = ["o", "square", "diamond", "triangle", "pentagon", "x", "+", "star"]
SPECIAL = {"\\": r"\textbackslash{}", "µ": r"\textmu{}", "^": r"\^{}", "~": r"\~{}"}
HEAD = (
    "% SPDX-License-Identifier: Apache-2.0 OR MIT\n"
    "% Made by codekem-evaluation report; needs \\usepackage{pgfplots}.\n"
)


def escaped(text):
    """Writes a text so that LaTeX shows it; a comma in braces, because pgfplots reads lists."""
    words = "".join(SPECIAL.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)
    return "{" + words.replace("–", "--") + "}"


def picture(plot):
    """Returns the LaTeX of a plot, or None for one that is none of the kinds."""
    kinds = {
        charts.Dots: dots,
        charts.Stacks: stacks,
        charts.Lines: lines,
        charts.Designs: designs,
        charts_rates.Rates: rates,
    }
    kind = kinds.get(type(plot.chart))
    if kind is None:
        return None
    colours = "".join(
        f"\\definecolor{{codekem{i}}}{{HTML}}{{{colour[1:].upper()}}}\n"
        for i, colour in enumerate(charts.ON_PAPER.series)
    )
    options, body = kind(plot.chart)
    width, height = plot.size
    # A printed line is about 4.8 inches wide.
    options = [f"width=4.8in, height={4.8 * height / width:.2f}in", "grid=major", *options]
    return (
        f"{HEAD}% {plot.title}\n{colours}\\begin{{tikzpicture}}\n\\begin{{axis}}[\n  "
        + ",\n  ".join(options)
        + "\n]\n"
        + "\n".join(body)
        + "\n\\end{axis}\n\\end{tikzpicture}\n"
    )


LEGEND = (
    "legend style={at={(0.5,1.02)}, anchor=south, draw=none, font=\\footnotesize}, "
    "legend columns=2, legend cell align=left"
)


def colour(index):
    return f"codekem{index % len(charts.ON_PAPER.series)}"


def coordinates(rows):
    return " ".join(rows)


def dots(chart):
    heights, middles = chart.places()
    options = [
        "xmode=log",
        f"xlabel={escaped(chart.unit)}",
        "y dir=reverse",
        f"ytick={{{', '.join(f'{at:g}' for at in middles.values())}}}",
        f"yticklabels={{{', '.join(map(escaped, middles))}}}",
        LEGEND,
    ]
    body = []
    for index, name in enumerate(chart.names):
        mine = [(dot, at) for dot, at in heights if dot.name == name]
        mark = (HOLLOW if mine[0][0].hollow else MARKS)[index % len(MARKS)]
        points = coordinates(
            f"({dot.value:g},{at:g}) += ({dot.high - dot.value:g},0) -= ({dot.value - dot.low:g},0)"
            for dot, at in mine
        )
        body.append(
            f"\\addplot[only marks, mark={mark}, color={colour(index)}, error bars/.cd, "
            f"x dir=both, x explicit] coordinates {{{points}}};"
        )
        body.append(f"\\addlegendentry{escaped(name)}")
    return options, body


def stacks(chart):
    bars = list(chart.bars)
    options = [
        "xbar stacked, xmin=0, bar width=10pt",
        f"xlabel={escaped(chart.unit)}",
        "y dir=reverse",
        f"ytick={{{', '.join(str(i) for i in range(len(bars)))}}}",
        f"yticklabels={{{', '.join(map(escaped, bars))}}}",
        "enlarge y limits={abs=0.6}",
        LEGEND,
    ]
    body = []
    for index, part in enumerate((*chart.parts, chart.rest)):
        pieces = {bar: share for bar, of, share in chart.shares() if of == part}
        fill = "black!15" if part == chart.rest else colour(index)
        points = coordinates(f"({pieces[bar]:.3f},{i})" for i, bar in enumerate(bars))
        body.append(f"\\addplot[fill={fill}, draw=white] coordinates {{{points}}};")
        body.append(f"\\addlegendentry{escaped(part)}")
    return options, body


def lines(chart):
    options = [
        f"xlabel={escaped(chart.x_title)}",
        f"ylabel={escaped(chart.y_title)}",
        *(["xmode=log"] if chart.x_log else []),
        "ymode=log" if chart.y_log else "ymin=0",
        LEGEND,
    ]
    if chart.x_values:
        values = ", ".join(f"{value:g}" for value in chart.x_values)
        names = ", ".join(map(escaped, chart.x_names)) or values
        options.append(f"xtick={{{values}}}, xticklabels={{{names}}}")
    body = []
    for index, name in enumerate(chart.series):
        points = coordinates(
            f"({x:g},{y:g}) += (0,{high - y:g}) -= (0,{y - low:g})"
            for of, x, y, low, high in chart.rows()
            if of == name
        )
        body.append(
            f"\\addplot[mark={MARKS[index % len(MARKS)]}, color={colour(index)}, thick, "
            f"error bars/.cd, y dir=both, y explicit] coordinates {{{points}}};"
        )
        body.append(f"\\addlegendentry{escaped(name)}")
    return options, body


def designs(chart):
    options = [
        "xmode=log, ymode=log",
        f"xlabel={escaped(chart.x_title)}",
        f"ylabel={escaped(chart.y_title)}",
        LEGEND,
    ]
    body = []
    for index, (name, points) in enumerate(chart.series.items()):
        mark = (HOLLOW if points[0].assumed else MARKS)[index % len(MARKS)]
        at = coordinates(
            f"({p.x:g},{p.y:g}) += ({(p.raw or p.x) - p.x:g},0) -= (0,0)" for p in points
        )
        body.append(
            f"\\addplot[only marks, mark={mark}, color={colour(index)}, error bars/.cd, "
            f"x dir=plus, x explicit] coordinates {{{at}}};"
        )
        body.append(f"\\addlegendentry{escaped(name)}")
        body += [
            f"\\node[font=\\tiny, anchor=south west] at (axis cs:{p.x:g},{p.y:g}) "
            f"{escaped(p.short_name)};"
            for p in points
        ]
    return options, body


def rates(chart):
    options = [
        f"xlabel={escaped(chart.x_title)}",
        f"ylabel={escaped(charts_rates.Y_TITLE)}",
        LEGEND,
    ]
    body = []
    for index, name in enumerate(chart.series):
        seen = [rate for rate in chart.of(name) if rate.y is not None]
        unseen = [rate for rate in chart.of(name) if rate.y is None]
        points = coordinates(
            f"({r.x:g},{r.y:.3f}) += (0,{charts_rates.ends_of(r)[1] - r.y:.3f}) "
            f"-= (0,{r.y - charts_rates.ends_of(r)[0]:.3f})"
            for r in seen
        )
        ends = coordinates(f"({r.x:g},{r.high:.3f})" for r in unseen)
        mark = MARKS[index % len(MARKS)]
        style = f"only marks, color={colour(index)}"
        if seen:
            body.append(
                f"\\addplot[{style}, mark={mark}, error bars/.cd, y dir=both, y explicit] "
                f"coordinates {{{points}}};"
            )
            body.append(f"\\addlegendentry{escaped(name)}")
        if unseen:
            down = "mark=triangle, mark options={rotate=180}"
            body.append(f"\\addplot[{style}, {down}] coordinates {{{ends}}};")
            body.append(f"\\addlegendentry{escaped(f'{name}: none failed')}")
    for name, line in chart.lines.items():
        points = coordinates(f"({x:g},{y:.3f})" for x, y in line)
        body.append(f"\\addplot[black, dashed] coordinates {{{points}}};")
        body.append(f"\\addlegendentry{escaped(name)}")
    for x, y, text in chart.claims:
        body.append(f"\\addplot[only marks, mark=star, black] coordinates {{({x:g},{y:.3f})}};")
        body.append(f"\\addlegendentry{escaped(text)}")
    return options, body
