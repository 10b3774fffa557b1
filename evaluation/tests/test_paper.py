# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The report for a paper: tables that cite, references.bib, documents that LaTeX compiles."""

import re
import shutil
import subprocess
import warnings

import pytest

from codekem_base import model
from codekem_base.errors import EvaluationError
from codekem_evaluation import bibliography, paper, parts, published, render_files, reporting

PACKAGES = "texlive-latex-recommended"
MOST_PAGES = 8  # of a paper


@pytest.fixture(scope="module")
def report(make_run):
    return reporting.make(make_run(), "run.json")


@pytest.fixture(scope="module")
def written(report, tmp_path_factory):
    """The folder latex/ of a report, with its plots beside it."""
    folder = tmp_path_factory.mktemp("paper")
    (folder / "plots").mkdir(parents=True)
    (folder / "plots" / "plot-old.svg").write_text("of before")
    (folder / "plots" / "mine.svg").write_text("not of ours")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a drawing for which there is no room
        sketches = render_files.sketches_of(render_files.all_plots(report))
        render_files.write_plots(report, folder / "plots", sketches, True, lambda _: None)
    render_files.write_tables(report, folder / "latex", ".tex", paper.table)
    for name, text in paper.documents(report).items():
        (folder / "latex" / name).write_text(text)
    return folder / "latex"


@pytest.fixture(scope="module")
def latex():
    """latex(folder, name) compiles a document; returns the last log."""
    if shutil.which("pdflatex") is None or shutil.which("bibtex") is None:
        pytest.skip(f"there is no LaTeX: install {PACKAGES}")
    styles = ("booktabs.sty", "longtable.sty", "geometry.sty")
    found = subprocess.run(["kpsewhich", *styles], stdout=subprocess.PIPE, text=True, check=False)
    lacking = [style for style in styles if style not in found.stdout]
    if lacking:
        pytest.skip(f"LaTeX lacks {', '.join(lacking)}: install {PACKAGES}")

    return paper.compile_document


def test_every_source_is_an_entry_with_author_or_key_title_and_no_stray_sign():
    text = bibliography.file()
    keys = re.findall(r"^@\w+\{([^,]+),$", text, re.MULTILINE)
    assert len(keys) == len(set(keys)) > 60
    assert {bibliography.key_of(name) for name in published.sources()} <= set(keys)
    assert {"codekem", "liboqs", "rustcrypto", "BIKE", "HQC", "RFC6928", "DN03"} <= set(keys)
    for key in keys:
        entry = bibliography.entry(key)
        assert entry.count("{") == entry.count("}") and entry.isascii(), entry
        assert re.search(r"(author|key) = \{", entry) and "title = {{" in entry, entry
        assert not re.search(r"(?<!\\)[&%#<>*`]|, ,|\{\}", entry.replace(r"\^{}", "")), entry


@pytest.mark.parametrize(
    ("key", "lines"),
    [
        ("galimberti2023", ["@inproceedings", "booktitle = {PARMA-DITAM}", "year = {2023}"]),
        (
            "CCK21",
            ["@article", "{M.-S. Chen and T. Chou and M. Krausz}", "= {TCHES}", "97--124", "2021"],
        ),
        ("Mon05", ["@article", "volume = {54}", "number = {3}", "pages = {362--369}", "{2005}"]),
        ("FIPS-202", ["@misc", "{{NIST}}", "howpublished = {FIPS 202}", "year = {2015}"]),
        ("RFC6928", ["howpublished = {RFC 6928}", "year = {2013}"]),
        ("HQC", ["and others}", r"note = {\url{https://pqc-hqc.org}}", "year = {2025}"]),
        ("RCGG22", [r"T. G{\"{u}}neysu", "journal = {TCHES}"]),
        ("bike-kem-README", ["title = {{Additional implementation of BIKE}}"]),
    ],
)
def test_entries_say_where_a_source_appeared(key, lines):
    for line in lines:
        assert line in bibliography.entry(key), bibliography.entry(key)


def test_sources_become_citations():
    assert bibliography.cited("as in [RFC6928, 2]") == r"as in~\cite[2]{RFC6928}"
    assert bibliography.cited("i5 [galimberti2023]; 5 %") == r"i5~\cite{galimberti2023}; 5 \%"
    assert bibliography.cited("[no source]") == "[no source]"
    assert paper.cell_text("bike-kem README") == r"\cite{bike-kem-README}"
    assert paper.cell_text("BIKE") == "BIKE"  # a word of the table here
    assert bibliography.escaped("µ^2 ~ <é> 50 %") == (
        r"\textmu{}\^{}2 \~{} \textless{}{\'{e}}\textgreater{} 50 \%"
    )


def test_tables_cite_the_published_figures_and_the_program(report):
    known = bibliography.known()
    cited = {table.key: set(paper.keys_in(paper.table(table))) for table in report.tables()}
    assert {"codekem", "galimberti2023"} <= cited["times"]
    assert "fips203" not in cited["times"] and "galimberti2023" in cited["hardware-resources"]
    assert "RFC6928" not in cited["sizes"] and cited["sizes"] == {"codekem"}
    for keys in cited.values():
        assert keys <= known.keys()
    for table in report.tables():
        text = paper.table(table)
        for note in table.notes if table.rows else ():
            assert bibliography.cited(note)[-12:].rstrip(".") in text, note


def test_wide_columns_have_lines_and_long_tables_break():
    words = "one two three four five six seven eight nine ten eleven twelve thirteen"
    table = model.Table("t", "T", ["name", "value"], texts=1)
    for _ in range(paper.LONG):
        table.add(model.label(f"{words} {words}"), model.number(1.0, "times/x"))
    text = paper.table(table)
    assert r"\begin{table}" in text and "p{" in text and r"\resizebox" in text
    table.add(model.label("x"), model.number(1.0, "times/x"))
    text = paper.table(table)
    assert r"\begin{longtable}" in text and r"\endhead" in text and "p{" in text
    table.reason = "nothing was measured"
    assert paper.table(table).endswith("% T: nothing was measured\n")


def test_any_number_of_tables_compiles(latex, tmp_path):
    tables = [model.Table(f"t{i}", f"T{i}", ["name", "value"], texts=1) for i in range(150)]
    for table in tables:
        table.add(model.label("x"), model.number(1.0, "times/x"))
        (tmp_path / f"{table.key}.tex").write_text(paper.table(table))
    section = model.Section("many", "Many", tables=tables)
    many = model.Report("Many tables", "run.json", [], [], [], [section], ["[codekem]"])
    (tmp_path / "references.bib").write_text(bibliography.file())
    (tmp_path / "many.tex").write_text(paper.everything(many))
    assert "undefined" not in latex(tmp_path, "many")


@pytest.mark.long
def test_plots_are_drawn_and_documents_compile(report, written, latex):
    """In one test, because drawing takes a minute; files of before are gone."""
    names = {path.name for path in (written.parent / "plots").iterdir()}
    assert "plot-old.svg" not in names and "mine.svg" in names
    for plot in report.plots():
        assert {f"{plot.key}{kind}" for kind in (".svg", ".pdf")} <= names
    assert {"plot-overview", "plot-times-bike", "plot-hardware", "plot-loss"} <= {
        plot.key for plot in report.plots()
    }
    log = latex(written, "summary")
    assert "(1 page," in log and "undefined" not in log and "Overfull" not in log
    log = latex(written, "everything")
    assert "undefined" not in log and "multiply defined" not in log
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
    assert max(wide, default=0) < 30, sorted(wide)[-5:]
    bibliography_made = (written / "everything.bbl").read_text()
    assert r"\bibitem{galimberti2023}" in bibliography_made


@pytest.mark.long
def test_paper_of_the_laboratory_compiles(latex, tmp_path):
    if "dfr" not in parts.papers():
        pytest.skip("no paper compiled: the laboratory is not installed")
    paper.write_paper("dfr", tmp_path)
    log = (tmp_path / "dfr.log").read_text(errors="replace")
    assert "undefined" not in log and "Overfull" not in log
    pages = int(re.search(r"Output written on dfr\.pdf \((\d+) pages", log)[1])
    assert pages <= MOST_PAGES


def test_what_stops_a_paper_is_said(tmp_path, monkeypatch):
    with pytest.raises(EvaluationError, match="no paper other; there are"):
        paper.write_paper("other", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EvaluationError, match="no pdflatex: install LaTeX"):
        paper.compile_document(tmp_path, "any")
