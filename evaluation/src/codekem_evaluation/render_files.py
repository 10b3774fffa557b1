# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes a report as files: report.html, summary.html, report.md, plots, and a CSV and a LaTeX file
for each table."""

import functools
import json
import pathlib

import jinja2
import markupsafe
import pandas

from codekem_base import drawing, files
from codekem_base import markdown as md
from codekem_evaluation import answers, paper, paths
from codekem_evaluation.tables_times import HERE

PAGE = paths.PACKAGE / "report"
TRACE = "trace"
WHY = "why empty"


def comments(table):
    return [*table.notes, *(f"–: {why}" for why in table.reasons())]


# --- Markdown -------------------------------------------------------------------------------------


def markdown(report):
    lines = [f"# {report.title}", ""]
    for sentence in report.opening:
        lines += [sentence, ""]
    for plot in report.picture:
        lines += [*markdown_plot(plot), ""]
    lines += [f"- {name}: {value}" for name, value in report.facts]
    lines += [f"- **Warning:** {line}" for line in report.warnings]
    lines += [f"- **Not measured:** {line}" for line in report.unavailable]
    for section in report.sections:
        lines += ["", f"## {section.title}", ""]
        lines += [f"- {sentence}" for sentence in section.sentences]
        for plot in section.plots:
            lines += ["", *markdown_plot(plot)]
        if section.more:
            lines += ["", *[f"- {sentence}" for sentence in section.more]]
        for table in section.tables:
            lines += ["", *markdown_table(table)]
    lines += [
        "",
        f"Samples behind a number: `codekem-evaluation trace {report.run_path} "
        "times/KEM/IMPLEMENTATION/OPERATION`; the CSV files name every number.",
        "",
    ]
    return "\n".join(lines)


def markdown_plot(plot):
    words = plot.alternative.replace("[", "(").replace("]", ")")
    return [f"![{words}](plots/{plot.key}.svg)", "", f"*{plot.title}*"]


def markdown_table(table):
    if table.reason:
        return [f"**{table.title}**: {table.reason}."]
    return [
        f"**{table.title}**",
        "",
        *md.of(table),
        "",
        *[f"- {note}" for note in comments(table)],
    ]


# --- CSV ------------------------------------------------------------------------------------------


def csv(table):
    """Returns values without rounding, with columns for the ends of intervals; the last columns say
    where from, and why a cell is empty."""
    spread = [any(row[i].interval for row in table.rows) for i in range(len(table.columns))]
    columns = []
    for name, has in zip(table.columns, spread, strict=True):
        columns += [name, f"{name}, low", f"{name}, high"] if has else [name]
    rows = []
    for row in table.rows:
        values = []
        for cell, has in zip(row, spread, strict=True):
            values += [cell.value, *(cell.interval or (None, None))] if has else [cell.value]
        traces = dict.fromkeys(cell.trace for cell in row if cell.trace)
        reasons = dict.fromkeys(cell.why for cell in row if cell.why)
        rows.append([*values, " ".join(traces), "; ".join(reasons)])
    if table.reason:
        rows = [[None] * len(columns) + ["", table.reason]]
    return pandas.DataFrame(rows, columns=[*columns, TRACE, WHY]).to_csv(index=False)


# --- HTML -----------------------------------------------------------------------------------------


def in_script(value):
    """Writes JSON so that no text in it ends the script element that holds it."""
    return markupsafe.Markup(json.dumps(value).replace("</", "<\\/"))


def template(name):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGE), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template(name)


@functools.cache
def library():
    """Returns Vega, Vega-Lite and Vega-Embed as one script, made for an HTML page."""
    return drawing.converter().javascript_bundle()


def sketches_of(found):
    """Draws plots once for the page and for files: {key: SVG with stand-ins for the colours}."""
    return {plot.key: drawing.svg(plot.chart, drawing.STAND_INS) for plot in found}


def html(report, sketches=None):
    """Returns the page; sketches are those of plots that are drawn already."""
    sketches = sketches or sketches_of(report.plots())
    drawings = {
        plot.key: markupsafe.Markup(drawing.in_page(sketches[plot.key], plot.key))
        for plot in report.plots()
    }
    live = {plot.key: in_script(plot.chart.described()) for plot in report.plots()}
    read = {
        name: markupsafe.Markup((PAGE / name).read_text(encoding="utf-8"))
        for name in ("style.css", "page.js", "charts.js")
    }
    return template("page.html").render(
        report=report,
        questions=answers.given(report.sections),
        drawings=drawings,
        charts=live,
        library=markupsafe.Markup(library()) if live else "",
        drawing=read["charts.js"],
        style=read["style.css"],
        script=read["page.js"],
        has_here={
            table.key: any(cell.text == HERE for row in table.rows for cell in row)
            for table in report.tables()
        },
        reasons=lambda table: [f"–: {why}" for why in table.reasons()],
    )


def summary(report, sketches=None):
    """Returns one page of A4 as HTML: the sentences, a picture, a small table."""
    plot = report.brief.plot
    sketches = sketches or sketches_of([plot] if plot else [])
    picture = plot and markupsafe.Markup(drawing.in_page(sketches[plot.key], plot.key))
    return template("summary.html").render(report=report, drawing=picture)


# --- Plots as files -------------------------------------------------------------------------------


def all_plots(report):
    brief = [report.brief.plot] if report.brief and report.brief.plot else []
    return [*report.plots(), *brief]


def write_plots(report, folder, sketches, paper_too, say):
    """Writes every plot as SVG and, for a paper, as PDF; removes those of before."""
    known = set()
    for plot in all_plots(report):
        say(f"writing {plot.key}")
        files.write_text(folder / f"{plot.key}.svg", drawing.on_paper(sketches[plot.key]))
        known.add(f"{plot.key}.svg")
        if paper_too:
            files.write_bytes(folder / f"{plot.key}.pdf", drawing.pdf(plot.chart))
            known.add(f"{plot.key}.pdf")
    for path in folder.glob("plot-*"):
        if path.name not in known:  # of an earlier report: stale
            path.unlink()


def steps_of(report):
    """Returns how often write says that it goes on."""
    return 2 * len(all_plots(report)) + 1


def write(report, folder, paper_too=True, say=lambda text: None):
    """Writes all files of a report, removes those of tables that it lacks; returns the page's
    path. Without paper_too there is no LaTeX, and plots are SVG alone. Calls say before each
    step."""
    folder = pathlib.Path(folder)
    sketches = {}
    for plot in all_plots(report):
        say(f"drawing {plot.key}")
        sketches |= sketches_of([plot])
    say("writing the page")
    files.write_text(folder / "report.html", html(report, sketches))
    files.write_text(folder / "report.md", markdown(report))
    write_plots(report, folder / "plots", sketches, paper_too, say)
    write_tables(report, folder / "csv", ".csv", csv)
    known = {"summary.html": summary(report, sketches)} if report.brief else {}
    if report.rows is not None:
        known["rows.csv"] = report.rows().to_csv(index=False)
    if paper_too:
        write_tables(report, folder / "latex", ".tex", paper.table)
        known |= {f"latex/{name}": text for name, text in paper.documents(report).items()}
    else:  # of an earlier report: stale
        for path in (folder / "latex").glob("*.tex"):
            path.unlink()
    for name in ["summary.html", "rows.csv", *(f"latex/{name}" for name in paper.DOCUMENTS)]:
        if name in known:
            files.write_text(folder / name, known[name])
        else:  # of an earlier report: stale
            (folder / name).unlink(missing_ok=True)
    return folder / "report.html"


def write_tables(report, folder, suffix, render):
    """Writes each table as a file; removes those that this report lacks."""
    tables = report.tables()
    for table in tables:
        files.write_text(folder / f"{table.key}{suffix}", render(table))
    known = {table.key for table in tables}
    for path in folder.glob(f"*{suffix}"):
        if path.stem not in known and path.name not in paper.DOCUMENTS:
            path.unlink()  # of an earlier report: stale
