# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes a report as files: report.html, summary.html, report.md, plots, and a CSV and a LaTeX file
for each table."""

import dataclasses
import functools
import json
import pathlib

import jinja2
import markupsafe
import pandas

from codekem_base import drawing, files
from codekem_base import markdown as md
from codekem_base.model import Section
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
    if report.warnings:
        lines += [f"**Trust these figures with care:** {briefly(report.warnings)}.", ""]
    for sentence in report.opening:
        lines += [sentence, ""]
    if report.first and report.first.rows:
        lines += [*markdown_table(report.first), ""]
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


def briefly(warnings):
    """Says warnings in a few words each."""
    return "; ".join(getattr(line, "brief", line) for line in warnings)


def markdown_plot(plot):
    words = plot.alternative.replace("[", "(").replace("]", ")")
    return [f"![{words}](plots/{plot.key}.svg)", "", f"*{plot.caption}. {plot.source}*"]


def markdown_table(table):
    if table.reason:
        return [f"**{table.title}**: {table.reason}."]
    return [
        f"**{table.title}**" + (f" ({table.source})" if table.source else ""),
        "",
        *md.of(table),
        "",
        *[f"- {note}" for note in comments(table)],
    ]


# --- CSV ------------------------------------------------------------------------------------------


def csv(table):
    """Returns values without rounding, with units in the names of columns, and columns for the ends
    of intervals; the last columns say where from, and why a cell is empty."""
    parts = [part for index in range(len(table.columns)) for part in columns_of(table, index)]
    rows = [
        [
            *(plain(part(row)) for _, part in parts),
            " ".join(dict.fromkeys(cell.trace for cell in row if cell.trace)),
            "; ".join(dict.fromkeys(cell.why for cell in row if cell.why)),
        ]
        for row in table.rows
    ]
    if table.reason:
        rows = [[None] * len(parts) + ["", table.reason]]
    names = [*(name for name, _ in parts), TRACE, WHY]
    return pandas.DataFrame(rows, columns=names, dtype=object).to_csv(index=False)


def columns_of(table, index):
    """Yields (name, function from a row to its value) of what a column of a table is in a file."""
    cells = [row[index] for row in table.rows]
    unit = table.units[index] if table.units else ""
    spread = any(cell.interval for cell in cells)
    for end in ("", ", low", ", high") if spread else ("",):
        name = f"{table.columns[index]}{end}"
        if unit and not name.endswith(unit):
            name += f", {unit}"
        if end:
            at = end == ", high"
            yield name, lambda row, at=at: (row[index].interval or (None, None))[at]
        elif not spread or any(cell.value is not None for cell in cells):
            yield name, lambda row: row[index].value


def plain(value):
    """Returns a whole number as one: 7, not 7.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def metadata(report):
    """Returns what a reader of the CSV files must know: run, machine, titles, units and notes."""
    return {
        "run": report.run_path,
        **dict(report.facts),
        "warnings": [str(line) for line in report.warnings],
        "tables": {
            f"{table.key}.csv": {
                "title": table.title,
                "source": table.source,
                "columns": [name for index in range(len(table.columns))
                            for name, _ in columns_of(table, index)],
                "notes": table.notes,
            }
            for table in report.tables()
        },
    }  # fmt: skip


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
    return {plot.key: drawing.svg(plot.chart, drawing.STAND_INS, plot.source) for plot in found}


LABORATORY = {"dfr", "lab"}  # sections on a page of their own
# Tables on the first page; the others are on a page of their own.
SHOWN = {
    *("first", "peers", "times", "speedups", "sizes", "wire", "tls", "hardware-resources"),
    *("hardware-times", "hardware-routed", "processors", "flash", "stack", "code", "variants"),
    *("signatures", "packages", "history", "profile-bike-l1", "profile-hqc-1"),
}
FEW = 6  # tables beyond these that need no page of their own
DISPUTED = "mceliece"  # how the names of KEMs begin that are folded


def link_of(table):
    return f"Table: {table.title}", f"tables.html#table-{table.key}"


def in_pages(report):
    """Returns {name of a file: Report} of the pages: the laboratory and most tables have pages of
    their own."""
    first, tables, laboratory = [], [], []
    for section in report.sections:
        if section.key in LABORATORY:
            said = [text for text in section.sentences if hasattr(text, "key")]
            laboratory.append(section)
            link = ("All campaigns, plots and tables", f"laboratory.html#{section.key}")
            first.append(Section(section.key, section.title, said, links=[link]))
            continue
        rest = [table for table in section.tables if table.key not in SHOWN and table.rows]
        kept = [table for table in section.tables if table not in rest]
        first.append(dataclasses.replace(section, tables=kept, links=list(map(link_of, rest))))
        if rest:
            tables.append(Section(section.key, section.title, tables=rest))
    plain = dataclasses.replace(report, opening=[], picture=[], first=None, warnings=[])
    pages = {"report.html": dataclasses.replace(report, sections=first)}
    if not laboratory and sum(len(section.tables) for section in tables) <= FEW:
        return {"report.html": report}
    for name, title, sections in (
        ("laboratory.html", "Decoding failures: campaigns of the laboratory", laboratory),
        ("tables.html", "More tables", tables),
    ):
        if sections:
            pages[name] = dataclasses.replace(plain, title=title, sections=sections)
    return pages


def html(report, sketches=None):
    """Returns a page; sketches are those of plots that are drawn already."""
    sketches = sketches or sketches_of(report.plots())
    drawings = {
        plot.key: markupsafe.Markup(drawing.in_page(sketches[plot.key], plot.key))
        for plot in report.plots()
    }
    live = {
        plot.key: in_script(
            {**plot.chart.described(), "title": plot.caption, "source": plot.source}
        )
        for plot in report.plots()
    }
    read = {
        name: markupsafe.Markup((PAGE / name).read_text(encoding="utf-8"))
        for name in ("style.css", "page.js", "charts.js")
    }
    return template("page.html").render(
        report=report,
        briefly=briefly,
        questions=answers.given(report.sections),
        drawings=drawings,
        charts=live,
        library=markupsafe.Markup(library()) if live else "",
        drawing=read["charts.js"],
        style=read["style.css"],
        script=read["page.js"],
        has_here=lambda table: any(cell.text == HERE for row in table.rows for cell in row),
        reasons=lambda table: [f"–: {why}" for why in table.reasons()],
        disputed=disputed,
    )


def disputed(table):
    """Returns the numbers of the rows that are folded: those of KEMs whose security is disputed,
    beside others."""
    found = {i for i, row in enumerate(table.rows) if row[0].text.startswith(DISPUTED)}
    return found if len(found) < len(table.rows) else set()


def summary(report, sketches=None):
    """Returns one page of A4 as HTML: the sentences, a picture, a small table."""
    plot = report.brief.plot
    sketches = sketches or sketches_of([plot] if plot else [])
    picture = plot and markupsafe.Markup(drawing.in_page(sketches[plot.key], plot.key))
    return template("summary.html").render(report=report, drawing=picture)


# --- Plots as files -------------------------------------------------------------------------------


def all_plots(report):
    brief = [report.brief.plot] if report.brief and report.brief.plot else []
    return list({plot.key: plot for plot in [*brief, *report.plots()]}.values())


def write_plots(report, folder, sketches, paper_too, say):
    """Writes every plot as SVG and, for a paper, as PDF; removes those of before."""
    known = set()
    for plot in all_plots(report):
        say(f"writing {plot.key}")
        picture = drawing.titled(drawing.on_paper(sketches[plot.key]), plot.caption)
        files.write_text(folder / f"{plot.key}.svg", picture)
        known.add(f"{plot.key}.svg")
        if paper_too:
            files.write_bytes(folder / f"{plot.key}.pdf", drawing.pdf(plot.chart, plot.source))
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
    pages = in_pages(report)
    for name in ("report.html", "laboratory.html", "tables.html"):
        if name in pages:
            files.write_text(folder / name, html(pages[name], sketches))
        else:  # of an earlier report: stale
            (folder / name).unlink(missing_ok=True)
    files.write_text(folder / "report.md", markdown(report))
    write_plots(report, folder / "plots", sketches, paper_too, say)
    write_tables(report, folder / "csv", ".csv", csv)
    described = json.dumps(metadata(report), indent=1, ensure_ascii=False)
    files.write_text(folder / "csv" / "metadata.json", f"{described}\n")
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
