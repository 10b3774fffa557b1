# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The report of a run: complete, traceable, current, and honest about what is missing."""

import csv
import io
import itertools
import json
import re
import xml.etree.ElementTree

import pytest
from typer.testing import CliRunner

from codekem_base import drawing, model
from codekem_base.errors import EvaluationError
from codekem_evaluation import (
    cli,
    paper,
    paths,
    plots,
    render_files,
    reporting,
    samples,
    tables_profile,
    tracing,
)


def tables_of(report):
    return [table for section in report.sections for table in section.tables]


def sentences_of(report):
    return [line for section in report.sections for line in (*section.sentences, *section.more)]


def all_words(report):
    return " ".join(sentences_of(report))


def leave_the_checkout(monkeypatch, folder):
    """There are no results of other parts then."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(paths, "RUNS", folder)


@pytest.fixture(scope="module")
def made(make_run, tmp_path_factory):
    with pytest.MonkeyPatch.context() as monkeypatch:
        leave_the_checkout(monkeypatch, tmp_path_factory.mktemp("made"))
        return reporting.make(make_run(), "run.json")


@pytest.fixture
def report(made, monkeypatch, tmp_path):
    """The report of the made-up run."""
    leave_the_checkout(monkeypatch, tmp_path)
    return made


@pytest.fixture
def undrawn(monkeypatch):
    """Plots are empty, for tests of what is around them."""
    monkeypatch.setattr(drawing, "svg", lambda *_: '<svg width="1" height="1"></svg>')
    monkeypatch.setattr(drawing, "pdf", lambda *_: b"%PDF")


def table_of(report, key):
    return next(table for table in tables_of(report) if table.key == key)


def test_every_table_has_rows_or_a_reason_and_every_empty_cell_too(report):
    tables = tables_of(report)
    assert len({table.key for table in tables}) == len(tables) >= 18
    for table in tables:
        assert bool(table.rows) != bool(table.reason), table.key
        for row in table.rows:
            assert len(row) == len(table.columns)
            for cell in row:
                assert cell.text.strip()
                assert (cell.text == model.DASH) == bool(cell.why), (table.key, cell)


def test_a_cell_cannot_be_empty_without_a_reason():
    with pytest.raises(ValueError, match="reason"):
        model.Cell("")
    with pytest.raises(ValueError, match="reason"):
        model.Cell("1", 1.0, None, "why")


def test_trace_shows_the_raw_samples(make_run):
    run = make_run()
    lines = tracing.trace(run, "run.json", "times/BIKE-L1/avx2/decaps")
    cell = next(
        t
        for t in run["times"]
        if (t["kem"], t["implementation"], t["operation"]) == ("BIKE-L1", "avx2", "decaps")
    )
    for number, taken in enumerate(cell["nanoseconds"], 1):
        assert f"  round {number}: " + " ".join(f"{value:g}" for value in taken) in lines
    for wrong in ("times/BIKE-L1/avx2/sign", "times/BIKE-L9/avx2/decaps", "nothing", "stack/HQC"):
        with pytest.raises(EvaluationError):
            tracing.trace(run, "run.json", wrong)


def test_numbers_are_those_of_the_run(make_run):
    for factor in (1, 2):
        table = table_of(reporting.make(make_run(factor=factor), "run.json"), "times")
        row = next(row for row in table.rows if [c.text for c in row[:2]] == ["BIKE-L1", "avx2"])
        assert [cell.value for cell in row[3:7]] == pytest.approx(
            [factor * ms for ms in (0.080, 0.020, 0.150, 0.250)], rel=0.02
        )
        assert row[7].text == "1"


def test_findings_state_the_true_ratios(report):
    words = all_words(report)
    interval = r"\((\d\.\d+) to (\d\.\d+)\)"
    for before, ratio, after in [
        ("Times of portable code over those of avx2: ", 8.28, " for BIKE-L1, "),
        ("BIKE, times of liboqs (0.13) over those of codekem's avx2: ", 5, " for BIKE-L1, "),
        ("; over those of codekem's portable code: ", 1250 / 2070, " for BIKE-L1, "),
        ("BIKE-L1 takes ", 2.0, " times ML-KEM-512 (liboqs)"),
    ]:
        found = re.search(re.escape(before) + r"(\d\.\d+) " + interval + re.escape(after), words)
        assert found, before
        middle, low, high = map(float, found.groups())
        assert low < middle < high and middle == pytest.approx(ratio, rel=0.02)
        assert high / low < 1.02
    assert "avx2: Decaps with 60 %" in words
    assert re.search(
        r"The largest parts of a whole BIKE-L1 are: portable: Decoding in Decaps 50 %, "
        r"Inversion in KeyGen 30 %",
        words,
    )
    assert "In the survey" in words and "7.6 to 7.9" in words


def test_peers_are_described_where_they_are_compared(report):
    """Another revision or other instructions: the sentence with the ratio says so."""
    (words,) = [line for line in sentences_of(report) if line.startswith("HQC, times of")]
    assert words.startswith(
        "HQC, times of liboqs (0.13, HQC is the revision of 2023) over those of codekem's avx2: "
    )
    assert "over those of codekem's portable code: " in words


@pytest.mark.parametrize(
    ("slow", "words"),
    [
        (None, "In the survey, too, Decaps takes most: 50 %"),
        ("keygen", "In the survey, unlike in this run, Decaps takes most: 50 %"),
        ("all", "In the survey, Decaps takes most: 50 %"),
    ],
)
def test_survey_is_compared_with_what_the_run_found(slow, words, make_run):
    run = make_run()
    if slow == "all":  # nothing of BIKE was measured
        run["times"] = [t for t in run["times"] if not t["kem"].startswith("BIKE")]
    for cell in run["times"]:
        if cell["operation"] == slow:
            cell["nanoseconds"] = [[100 * value for value in part] for part in cell["nanoseconds"]]
    assert words in all_words(reporting.make(run, "run.json"))


def shaken(run, implementation, factors):
    """Multiplies the samples of one implementation by a factor for each round, as a clock would."""
    for cell in run["times"]:
        if cell["implementation"] == implementation:
            cell["nanoseconds"] = [
                [value * factor for value in part]
                for part, factor in zip(cell["nanoseconds"], factors, strict=True)
            ]
    return run


def test_no_ratio_where_the_clock_moved_too_much(make_run):
    run = shaken(make_run(), "liboqs", [0.1, 4] * 5 + [1])
    report = reporting.make(run, "run.json")
    row = next(
        row
        for row in table_of(report, "times").rows
        if [c.text for c in row[:2]] == ["BIKE-L1", "liboqs"]
    )
    assert row[7].text == model.DASH
    assert row[7].why.startswith("no ratio: the times moved too much from round to round")
    words = all_words(report)
    assert "codekem's avx2: no ratio for BIKE-L1, BIKE-L3: the times moved too much" in words
    assert "no ratio of BIKE-L1 to ML-KEM-512: the times moved too much" in words
    assert "Times of portable code over those of avx2: 8.2" in words  # these did not move


def test_no_ratio_without_rounds_enough(make_run):
    table = table_of(reporting.make(make_run(rounds=4), "run.json"), "times")
    assert "too few rounds" in table.rows[0][7].why


def test_ratio_to_published_times_only_on_their_processor(make_run, survey_processor):
    def cells(cpu):
        table = table_of(reporting.make(make_run(cpu=cpu), "run.json"), "times")
        return {(row[0].text, row[1].text, row[2].text): row[7] for row in table.rows}

    here = ("BIKE-L1", "CT AVX2", "Intel Core i5-10310U [galimberti2023]")
    other = ("BIKE-L1", "CT C99", "Arm Cortex-A53 [galimberti2023]")
    ratio = cells(survey_processor)[here]
    assert ratio.value == pytest.approx(1.06 / 0.25, rel=0.02)
    assert ratio.interval[0] < ratio.value < ratio.interval[1] and "(4.2" in ratio.text
    assert cells(survey_processor)[other].why
    assert "it would compare processors" in cells("Some Processor")[here].why


def test_published_figures_stand_beside_ours(report):
    texts = {
        table.key: " ".join(cell.text for row in table.rows for cell in row)
        for table in tables_of(report)
    }
    assert "galimberti2023" in texts["times"] and "812" in texts["times"]
    assert "bike-kem" in texts["cycles"] and "Ryzen" in texts["cycles"]
    assert "1,194" in texts["variants"]
    assert "Official LW" in texts["hardware-resources"] and "11.1" in texts["hardware-times"]
    assert any("CT AVX2" in column for column in table_of(report, "profile-bike-l1").columns)


def test_profile_adds_up(make_run):
    table = tables_profile.profile(make_run(), "BIKE-L1")
    totals = [row for row in table.rows if row[1].text == "total"]
    assert sum(row[2].value for row in totals) == pytest.approx(100)
    inversion = next(row for row in table.rows if row[1].text == "Inversion")
    assert inversion[2].value == pytest.approx(30)


def test_what_was_not_measured_is_one_line_everywhere(report, undrawn):
    line = "RustCrypto hqc-kem: there is no cargo; install Rust"
    assert line in report.unavailable
    assert line in render_files.html(report)
    assert line in render_files.markdown(report)


def test_an_interrupted_run_still_makes_a_report(make_run, undrawn):
    run = make_run()
    run |= {"times": [], "profile": [], "stack": [], "code": [], "complete": False}
    run["clock"] = {**run["clock"], "core_hz": [], "cycles": None, "cycles_hz": None}
    report = reporting.make(run, "run.json")
    assert any("interrupted" in line for line in report.warnings)
    assert table_of(report, "spread").reason and table_of(report, "stack").reason
    assert "interrupted" in render_files.html(report)


def test_the_bound_is_said_where_there_is_no_ratio(make_run):
    words = all_words(
        reporting.make(shaken(make_run(), "liboqs", [0.6, 1.7] * 5 + [1]), "run.json")
    )
    assert re.search(r"codekem's avx2: at least (2\.9|3\.0) for BIKE-L1", words)


# --- Pictures ---------------------------------------------------------------------------------


def coloured(spec, names):
    """Yields (name, colour) of a specification's scales over columns with these names."""
    for part in [spec, *spec.get("layer", [])]:
        for channel in part.get("encoding", {}).values():
            scale = channel.get("scale", {}) if isinstance(channel, dict) else {}
            if scale.get("range", [""])[0].startswith("series-") and channel["field"] in names:
                yield from zip(scale["domain"], scale["range"], strict=True)


@pytest.mark.parametrize("names", [("implementation",), ("part",), ("scheme",)])
def test_a_thing_has_one_colour_on_the_whole_page(names, make_run):
    run = make_run()
    run["profile"] += [
        {**row, "kem": "BIKE-L3", "cycles": 100 - row["cycles"]} for row in run["profile"]
    ]
    shaken(run, "liboqs", [0.1, 4] * 5 + [1])  # so that samples are drawn
    seen, charts = {}, 0
    for plot in reporting.make(run, "run.json").plots():
        found = set(coloured(plot.chart.described()["spec"], names))
        charts += bool(found)
        for name, colour in found:
            name = name.removeprefix("codekem, ")
            assert seen.setdefault(name, colour) == colour, (plot.key, name)
    assert charts >= (1 if names == ("scheme",) else 2) and len(set(seen.values())) == len(seen)


def test_every_picture_says_what_it_shows_and_where_it_is_from(report, undrawn):
    for plot in report.plots():
        assert plot.source and "\n" not in plot.source, plot.key
        assert len(re.findall(r"2026-01-02, codekem 0.1.0", plot.source)) <= 1
        assert "e+" not in plot.finding and not plot.finding.endswith("."), plot.finding
    first = report.picture[0]
    assert first.source == (
        "Some Processor, 2026-01-02, codekem 0.1.0, commit 00000000, 11 rounds, intervals of 99 %"
    )
    assert re.fullmatch(
        r"ML-KEM-512 is \d.\d+ times as fast as HQC-1, HQC-1 is 2.\d+ times as fast as BIKE-L1|"
        r"HQC-1 is .*ML-KEM-512.*", first.finding
    )  # fmt: skip


def test_every_measured_table_says_machine_day_and_rounds(report, undrawn):
    sources = {table.key: table.source for table in report.tables() if table.rows}
    assert sources["times"] == sources["profile-bike-l1"] == report.source
    assert not sources["hardware-cycles"]  # stored: a column names the source of each
    caption = f"<small>{report.source}</small></span></caption>"
    assert caption in render_files.html(report)
    assert f"({report.source})" in render_files.markdown(report)
    printed = paper.table(next(t for t in report.tables() if t.key == "times"))
    assert report.source.replace("%", r"\%") in printed


def test_a_picture_that_is_kept_has_its_words(report):
    plot = report.picture[0]
    text = drawing.titled(drawing.svg(plot.chart, source=plot.source), plot.caption)
    tree = xml.etree.ElementTree.fromstring(text)
    words = " ".join("".join(each.itertext()) for each in tree.iter() if each.tag.endswith("text"))
    for part in (*plot.caption.split(), *plot.source.split()):
        assert part in words


def test_the_first_page_has_twenty_tables_and_links_to_the_others(report, undrawn):
    pages = render_files.in_pages(report)
    assert set(pages) == {"report.html", "laboratory.html", "tables.html"}
    keys = {name: [t.key for t in page.tables() if t.rows] for name, page in pages.items()}
    every = [t.key for t in report.tables() if t.rows]
    assert sorted(itertools.chain(*keys.values())) == sorted(every)
    assert len(keys["report.html"]) <= 20
    first = render_files.html(pages["report.html"])
    for name in ("tables.html", "laboratory.html"):
        html = render_files.html(pages[name])
        links = re.findall(rf'href="{name}#([^"]+)"', first)
        assert links and all(f'id="{link}"' in html for link in links)
    assert set(keys["tables.html"]) == {
        link.removeprefix("table-") for link in re.findall(r'href="tables.html#([^"]+)"', first)
    }
    assert first.count("<figure") == sum(
        len(section.plots) for section in pages["report.html"].sections
    ) + len(report.picture)


def test_warnings_and_the_table_come_before_the_pictures(make_run, undrawn):
    run = make_run()
    run["machine"]["load"] = 7.5
    page = render_files.html(reporting.make(run, "run.json"))
    places = [page.index(text) for text in (
        "Trust these figures with care", "busy machine (load 7.50)", "BIKE-L1 takes ",
        'id="table-first"', 'id="plot-overview"', 'id="plot-wire"', "<nav")]  # fmt: skip
    assert places == sorted(places)
    table = page[places[3] :].split("</table>")[0]
    assert 3 <= table.count("<tr") - 1 <= 10


# --- Files ----------------------------------------------------------------------------------------


def test_csv_has_the_values_their_traces_and_the_reasons(report):
    for table in tables_of(report):
        rows = list(csv.DictReader(io.StringIO(render_files.csv(table))))
        assert len(rows) == max(1, len(table.rows))
        for row in rows:
            empty = [name for name in table.columns if row.get(name) == ""]
            assert not empty or row[render_files.WHY], (table.key, row)
    row = next(csv.DictReader(io.StringIO(render_files.csv(table_of(report, "times")))))
    low, middle, high = (float(row[f"to our best{end}"]) for end in (", low", "", ", high"))
    assert low < middle < high and middle == pytest.approx(8.28, rel=0.02)
    row = next(csv.DictReader(io.StringIO(render_files.csv(table_of(report, "sizes")))))
    assert row["public key, bytes"] == "1541"
    row = next(csv.DictReader(io.StringIO(render_files.csv(table_of(report, "spread")))))
    low, middle, high = (float(row[name]) for name in (
        "interval, low, µs", "median, µs", "interval, high, µs"))  # fmt: skip
    assert low < middle < high and row["samples"] == "220"
    assert not {"median", "interval", "quartiles"} & row.keys()


def test_csv_files_come_with_what_they_depend_on(report, undrawn, tmp_path):
    render_files.write(report, tmp_path, paper_too=False)
    found = json.loads((tmp_path / "csv" / "metadata.json").read_text())
    assert found["run"] == "run.json" and found["Processor"].startswith("Some Processor")
    assert "2026-01-02" in found["Run"]
    files = {path.name: path for path in (tmp_path / "csv").glob("*.csv")}
    assert found["tables"].keys() == files.keys()
    for name, path in files.items():
        head = next(csv.reader(io.StringIO(path.read_text())))
        assert head == [*found["tables"][name]["columns"], render_files.TRACE, render_files.WHY]
    assert found["tables"]["times.csv"]["columns"][3:7] == [
        "KeyGen, ms", "Encaps, ms", "Decaps, ms", "Overall, ms"
    ]  # fmt: skip
    assert found["tables"]["cycles.csv"]["columns"][3] == "KeyGen, thousand cycles"
    assert found["tables"]["stack.csv"]["columns"][-1] == "Decaps, bytes"


def test_latex_has_a_booktabs_table_of_the_right_shape(report):
    for table in tables_of(report):
        text = paper.table(table)
        if table.reason:
            assert table.reason in text
            continue
        assert all(rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule"))
        lines = [line for line in text.splitlines() if re.search(r"(?<!\\)& ", line)]
        assert len(lines) > len(table.rows)
        for line in lines:
            assert len(re.findall(r"(?<!\\)&", line)) == len(table.columns) - 1, line
            assert not re.search(r"(?<!\\)[%#_$](?!\\)", re.sub(r"\$\\times\$", "", line))


def test_markdown_has_every_table(report):
    text = render_files.markdown(report)
    for table in tables_of(report):
        assert f"**{table.title}**" in text
        if table.rows:
            assert sum(line.startswith("|") for line in text.splitlines()) > len(table.rows)


def test_page_is_one_file_that_asks_for_nothing(report):
    whole = render_files.html(report)
    page = whole.replace(render_files.library(), "")  # it can load pictures, and is given none
    assert len(page) < len(whole)
    assert '"url"' not in page and '"mark": "image"' not in page
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", page)
    assert "@import" not in page and "url(http" not in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for reference in re.findall(r'(?:href="#|url\(#)([^")]+)', page):
        assert reference in ids, reference


def test_a_new_report_leaves_nothing_of_the_old(report, make_run, tmp_path, undrawn):
    render_files.write(report, tmp_path)
    assert (tmp_path / "csv" / "profile-bike-l1.csv").exists()
    run = make_run()
    run["kems"] = [kem for kem in run["kems"] if kem["scheme"] != "BIKE"]
    run["times"] = [t for t in run["times"] if not t["kem"].startswith("BIKE")]
    render_files.write(reporting.make(run | {"profile": []}, "run.json"), tmp_path)
    assert not (tmp_path / "csv" / "profile-bike-l1.csv").exists()
    assert not (tmp_path / "latex" / "profile-bike-l1.tex").exists()
    assert (tmp_path / "csv" / "times.csv").exists()


def test_the_schema_of_the_package_is_shipped():
    assert paths.SCHEMA.is_file() and (paths.PACKAGE / "report" / "page.html").is_file()


def test_any_number_of_implementations_is_drawn(make_run):
    run = make_run(rounds=2, samples=2)
    for number in range(8):
        run["implementations"].append({"name": f"peer{number}", "kind": "peer", "version": "1"})
        run["times"] += [
            {**t, "implementation": f"peer{number}"}
            for t in run["times"]
            if t["implementation"] == "liboqs"
        ]
    assert "peer7" in drawing.svg(plots.times(samples.Samples(run))[0].chart)


def test_runs_side_by_side_as_a_page(make_run, stored, tmp_path):
    paths_of = [stored(make_run(seed=i, factor=f)) for i, f in enumerate((1, 2, 0.5))]
    done = CliRunner().invoke(
        cli.app, ["compare", *map(str, paths_of), "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    text = (tmp_path / "out" / "report.md").read_text()
    assert "B beside A, whole exchanges: 0 faster, 10 slower, 0 without" in text
    assert "C beside A, whole exchanges: 10 faster, 0 slower, 0 without" in text
    assert (tmp_path / "out" / "plots" / "plot-runs.pdf").exists()
    assert "B: avx2" in (tmp_path / "out" / "report.html").read_text()
    assert re.search(r"Between A and B, a difference of \d to \d % is the least that could", text)
    assert "**Warning:** A:" not in text
    one = CliRunner().invoke(cli.app, ["compare", str(paths_of[0])], catch_exceptions=True)
    assert one.exit_code != 0 and "two to" in str(one.exception)
