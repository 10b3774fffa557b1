# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A report for a paper: a booktabs table for each table, references.bib, and two documents.

summary.tex is one page of A4, everything.tex has all tables and plots; both can be compiled where
they lie. A table needs \\usepackage{booktabs,graphicx}, and longtable where it is long.
"""

import functools
import re
import shutil
import subprocess

import pandas

from codekem_base.errors import EvaluationError
from codekem_evaluation import parts
from codekem_evaluation.bibliography import cited, escaped, file, key_of, known

LONG = 40  # a table with more rows breaks over pages
FLOATS = 40  # set before the pages so far are cleared: LaTeX holds 52, and gives up after 100
WIDEST = 110  # letters in a line of a table that is shrunk; more go into further lines
DOCUMENTS = ("references.bib", "summary.tex", "everything.tex")
MEASURED = ("times/", "kems/", "stack/", "code/", "profile/", "handshakes/")
HEAD = "% SPDX-License-Identifier: Apache-2.0 OR MIT\n% Made by codekem-evaluation report.\n"
# Letters that fit into a line of 345 points, which is that of an article, by size.
SIZES = {"small": 71, "footnotesize": 76, "scriptsize": 82, "tiny": 91}
GAP = 1.4  # letters between two columns of a long table
COMPILE = "% Compile with: pdflatex NAME && bibtex NAME && pdflatex NAME && pdflatex NAME\n"
PACKAGES = r"""\usepackage[utf8]{inputenc}
\usepackage{textcomp,booktabs,longtable,graphicx,array,url}
"""


def cell_text(text):
    """Writes a cell; a source becomes \\cite."""
    return rf"\cite{{{key_of(text)}}}" if key_of(text) in sources() else cited(text)


@functools.cache
def sources():
    """Returns the keys of published figures: words such as BIKE are no sources in a cell."""
    return {key for key, (_, _, starred) in known().items() if not starred}


def heading(text, width):
    """Writes the head of a column in as many lines as keep it about as wide as its cells."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > max(width, 9):
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    words = r" \\ ".join(escaped(line) for line in lines)
    return words if len(lines) == 1 else rf"\shortstack{{{words}}}"


def measured(table):
    """Tells whether a table has numbers of the run itself."""
    return any((cell.trace or "").startswith(MEASURED) for row in table.rows for cell in row)


def caption_of(table):
    if not measured(table):
        return cited(table.title)
    source = f": {escaped(table.source)}" if table.source else ""
    return rf"{cited(table.title)}. Measured with codekem~\cite{{codekem}}{source}"


def table(shown):
    """Returns the LaTeX of a table, its notes below; reasons of empty cells as comments."""
    if shown.reason:
        return f"{HEAD}% {shown.title}: {shown.reason}\n"
    notes = [f"{cited(note[:1].upper() + note[1:]).rstrip('.')}." for note in shown.notes]
    long = len(shown.rows) > LONG
    made = (long_table if long else short_table)(shown, caption_of(shown), notes)
    reasons = "".join(f"% --: {why}\n" for why in shown.reasons())
    needs = "% Needs \\usepackage{array,booktabs," + ("longtable}\n" if long else "graphicx}\n")
    return HEAD + needs + made + reasons


def printed(text):
    """Returns about what stands on paper: a source is a number in brackets."""
    return "[12]" if key_of(text) in sources() else re.sub(r"\[[^]]+\]", "[12]", text)


def widths_of(shown):
    """Returns the letters of the widest cell of each column, and of the words above it."""
    return [
        max(*(len(printed(row[i].text)) for row in shown.rows), *map(len, shown.columns[i].split()))
        for i in range(len(shown.columns))
    ]


def layout_of(shown, widths, room):
    """Returns the layout of columns; where they need more than the room, the widest have lines.

    room is in letters; these are taken as half as wide as the letters are high. No column is
    narrower than its longest word.
    """
    words = [
        max(len(word) for row in shown.rows for word in printed(row[i].text).split())
        for i in range(len(widths))
    ]
    most = max(widths)

    def width_of(i):
        return min(widths[i], max(most, words[i]))

    while sum(map(width_of, range(len(widths)))) > room and most > 1:
        most -= 1
    return "".join(
        "lr"[i >= shown.texts]
        if width_of(i) == widths[i]
        else rf">{{\ragged{'left' if i >= shown.texts else 'right'}\arraybackslash}}"
        rf"p{{{width_of(i) * 0.53:.1f}em}}"
        for i in range(len(widths))
    )


def tabular(shown, layout, **long):
    """Returns the rows with booktabs; long: how Styler makes a table that goes over pages."""
    heads = map(heading, shown.columns, widths_of(shown))
    rows = [[cell_text(cell.text) for cell in row] for row in shown.rows]
    frame = pandas.DataFrame(rows, columns=pandas.Index(heads))
    return frame.style.hide(axis="index").to_latex(hrules=True, column_format=layout, **long)


FITTING = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


def short_table(shown, caption, notes):
    """Returns a float, which is made smaller if it is wider than a line."""
    below = [r"\par\smallskip\begin{minipage}{\linewidth}\scriptsize", *notes, r"\end{minipage}"]
    return "\n".join(
        [
            r"\begin{table}[htbp]",
            rf"\centering\caption{{{caption}}}\label{{tab:{shown.key}}}",
            rf"\footnotesize{FITTING}",
            tabular(shown, layout_of(shown, widths_of(shown), WIDEST)) + "}",
            *(below if notes else []),
            r"\end{table}",
            "",
        ]
    )


def long_table(shown, caption, notes):
    """Returns a table that goes over pages, in letters of a size that fits into a line."""
    widths = widths_of(shown)
    letters = sum(widths) + GAP * len(widths)
    size = next((size for size, most in SIZES.items() if letters <= most), "tiny")
    layout = layout_of(shown, widths, SIZES[size] - GAP * len(widths))
    made = tabular(
        shown, layout, environment="longtable", caption=caption, label=f"tab:{shown.key}"
    )
    start = rf"{{\{size}\setlength{{\tabcolsep}}{{2pt}}"
    return "\n".join([start, made, *notes, r"\par}", ""])


def documents(report):
    """Returns {name: text} of references.bib, the one page (if there is one) and the whole."""
    found = {"references.bib": file(), "everything.tex": everything(report)}
    if report.brief:
        found["summary.tex"] = summary(report)
    return found


def picture_of(plot, height):
    """Includes a plot, at most as wide as a line and so high."""
    size = rf"width=\linewidth,height={height},keepaspectratio"
    return rf"\includegraphics[{size}]{{../plots/{plot.key}.pdf}}"


def everything(report):
    """Returns a document with every section's plots and tables."""
    parts = [
        COMPILE.replace("NAME", "everything"),
        r"\documentclass[a4paper]{article}",
        PACKAGES,
        rf"\title{{{escaped(report.title)}}}\date{{}}\author{{}}",
        r"\begin{document}\maketitle",
        *(f"{cited(sentence)}\n" for sentence in report.opening),
    ]
    parts += [*(figure(plot) for plot in report.picture), r"\clearpage"]
    for section in report.sections:
        parts.append(rf"\section{{{escaped(section.title)}}}")
        floats = [figure(plot) for plot in section.plots]
        floats += [rf"\input{{{table.key}.tex}}" for table in section.tables]
        for start in range(0, len(floats), FLOATS):
            parts += [*floats[start : start + FLOATS], r"\clearpage"]
    parts += [r"\bibliographystyle{plain}\bibliography{references}", r"\end{document}"]
    return HEAD + "\n".join(parts) + "\n"


def figure(plot):
    return "\n".join(
        [
            r"\begin{figure}[htbp]\centering",
            picture_of(plot, r".8\textheight"),
            rf"\caption{{{escaped(plot.title)}}}\label{{fig:{plot.key}}}",
            r"\end{figure}",
        ]
    )


def summary(report):
    """Returns a document of one page of A4: the sentences, a picture, a small table, sources."""
    shown = report.brief.table
    layout = "l" * shown.texts + "r" * (len(shown.columns) - shown.texts)
    plot = report.brief.plot
    return HEAD + "\n".join(
        [
            COMPILE.replace("NAME", "summary"),
            r"\documentclass[a4paper,10pt]{article}",
            r"\usepackage[margin=20mm]{geometry}",
            PACKAGES + r"\pagestyle{empty}\setlength{\parindent}{0pt}",
            r"\begin{document}",
            rf"{{\Large\bfseries {escaped(report.title)}\par}}\medskip",
            *(rf"{cited(sentence)}\par\smallskip" for sentence in report.opening),
            *([r"\begin{center}", picture_of(plot, "75mm"), r"\par"] if plot else []),
            *([rf"{{\small {escaped(plot.title)}}}", r"\end{center}"] if plot else []),
            rf"\begin{{center}}\footnotesize{FITTING}",
            tabular(shown, layout) + "}",
            r"\end{center}",
            *(rf"{{\scriptsize {cited(note)}.\par}}" for note in shown.notes),
            *(rf"{{\scriptsize {escaped(name)}: {escaped(value)}.\par}}"
              for name, value in report.facts),
            r"{\scriptsize Made with codekem~\cite{codekem}.\par",
            r"\bibliographystyle{plain}\bibliography{references}}",
            r"\end{document}",
            "",
        ]
    )  # fmt: skip


def keys_in(text):
    """Returns the keys that a LaTeX text cites."""
    return re.findall(r"\\cite(?:\[[^]]*\])?\{([^}]+)\}", text)


# --- Papers of the parts --------------------------------------------------------------------------

TEX = ("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")


def compile_document(folder, name):
    """Compiles NAME.tex in a folder with its bibliography; returns the last log."""
    for command in ([*TEX, name], ["bibtex", name], [*TEX, name], [*TEX, name]):
        if shutil.which(command[0]) is None:
            raise EvaluationError(
                f"there is no {command[0]}: install LaTeX (Debian: texlive-latex-recommended); "
                f"the sources are in {folder}"
            )
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, errors="replace", text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise EvaluationError(f"{command[0]} failed in {folder}:\n{done.stdout[-2000:]}")
    return (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")


def write_paper(name, folder):
    """Writes a part's paper with references.bib to a folder and compiles it; returns the PDF."""
    if name not in parts.papers():
        raise EvaluationError(f"no paper {name}; there are {', '.join(parts.papers()) or 'none'}")
    folder.mkdir(parents=True, exist_ok=True)
    text, tables = parts.papers()[name](folder)
    for one in tables:
        (folder / f"{one.key}.tex").write_text(table(one), encoding="utf-8")
    (folder / "references.bib").write_text(file(), encoding="utf-8")
    compile_document(folder, text)
    return folder / f"{text}.pdf"
