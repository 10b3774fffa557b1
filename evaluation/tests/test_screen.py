# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the terminal shows: one screen, progress, no word of peers where none was measured."""

import io

import pytest
from rich.console import Console

from codekem_base import drawing, model
from codekem_base.model import Section
from codekem_evaluation import (
    brief,
    findings,
    live,
    parts,
    paths,
    plots,
    render_files,
    render_terminal,
    reporting,
)
from codekem_evaluation.samples import Samples

LINES = 30
COLUMNS = 100
SETS = ["mceliece348864", "mceliece460896", "mceliece6688128"]


def widened(run):
    """Returns a run with as many KEMs as a real one has."""
    for name in ("BIKE-L5", "HQC-3", "HQC-5", *SETS):
        like = next(kem for kem in run["kems"] if kem["name"] == "BIKE-L3")
        scheme = "Classic McEliece" if name in SETS else name.split("-")[0]
        run["kems"].append({**like, "name": name, "scheme": scheme})
        run["times"] += [{**t, "kem": name} for t in run["times"] if t["kem"] == "BIKE-L3"]
    return run


def without_peers(run):
    run["implementations"] = [i for i in run["implementations"] if i["kind"] == "codekem"]
    run["times"] = [t for t in run["times"] if t["implementation"] != "liboqs"]
    run["kems"] = [kem for kem in run["kems"] if kem["scheme"] != "ML-KEM"]
    return run


@pytest.fixture
def quickly(monkeypatch):
    """Leaves out the campaigns, which take seconds and say nothing here, and the drawing."""
    failures = Section("failures", "Failures", ["BIKE-L1, BIKE-L1. None."])
    monkeypatch.setattr(parts, "sections", lambda: [failures])
    colours = " ".join(drawing.STAND_INS)
    monkeypatch.setattr(drawing, "svg", lambda *_: f'<svg width="1" height="1">{colours}</svg>')
    monkeypatch.setattr(drawing, "pdf", lambda *_: b"%PDF")


def shown(run, folder):
    file = io.StringIO()
    made = reporting.make(run, "results/run-20260102T030405Z-full.json")
    console = Console(file=file, width=COLUMNS)
    render_terminal.show_screen(console, made, run, folder / "report.html")
    return file.getvalue()


def noisy(run):
    run["mode"] = "quick"
    run["machine"]["load"] = 7.5
    run["waits"] = {"operations": 100, "waited": 50}
    run["clock"]["core_hz"][0] *= 1.5
    run["unavailable"] = [
        {"what": f"{what} (more)", "reason": reason, "remedy": "install it"}
        for what, reason in [
            ("liboqs", "there is no cargo"),
            ("RustCrypto", "there is no cargo"),
            *[(f"TLS handshakes with group {i}", f"reason {i}") for i in range(6)],
        ]
    ]
    return run


@pytest.mark.parametrize("peers", [True, False])
def test_a_report_is_one_screen(peers, make_run, quickly):
    run = noisy(widened(make_run(rounds=7, samples=4)))
    text = shown(run if peers else without_peers(run), paths.REPORT)
    lines = text.splitlines()
    assert len(lines) <= LINES + 3 * peers, text
    assert max(map(len, lines[:-3])) <= COLUMNS
    for name in ("BIKE-L1", "BIKE-L5", "HQC-5", SETS[0], "report.html", "--paper"):
        assert name in text
    assert not any(name in text for name in SETS[1:])
    assert "2 more sets of Classic McEliece" in text
    assert "Warnings: the clock of the core moved by 50 %; busy machine (load 7.50)" in text
    assert "Not measured: liboqs, RustCrypto: there is no cargo; install it" in text
    assert "Not measured: 4 more" in text
    run["implementations"][-1]["note"] = "BIKE is without vector code"
    assert not peers or "liboqs, portable" in shown(run, paths.REPORT)
    (first,) = [line for line in lines if line.startswith("BIKE-L1 ")]
    assert "codekem, avx2" in first and first.count("µs") == 4
    below = lines[lines.index(first) + 1]
    assert ("liboqs" if peers else "codekem, portable") in below and "ms" in below
    ratio = float(below.split("ms")[-1].split("(")[0])
    assert ratio == pytest.approx(1250 / 250 if peers else 2070 / 250, rel=0.05)


def test_without_peers_nothing_speaks_of_them(make_run, quickly):
    run = without_peers(make_run(rounds=7, samples=4))
    report = reporting.make(run, "run.json")
    of_times = next(section for section in report.sections if section.key == "times")
    words = [
        report.title,
        *report.opening,
        *(plot.title for plot in report.picture),
        report.brief.plot.title,
        *of_times.sentences,
        *(table.title for table in of_times.tables),
    ]
    for word in (
        "beside its peers",
        "beside others",
        "ML-KEM",
        "No other library",
        "Times of others",
    ):
        assert not any(word in text for text in words), word
    peers = reporting.make(make_run(rounds=7, samples=4), "run.json")
    assert (
        "beside its peers" in peers.title and "beside others, and ML-KEM" in peers.picture[0].title
    )


def test_the_first_sentence_has_times(make_run):
    first = next(findings.opening(Samples(make_run())))
    whole = brief.screen(Samples(make_run())).rows[0][5].text
    assert first.startswith(f"BIKE-L1 takes {whole} and HQC-1 takes ")
    assert "whole exchange" in first and "Some Processor" in first


def test_classic_mceliece_is_one_sentence(make_run):
    run = widened(make_run())
    words = [text for text in findings.sentences(Samples(run)) if "celiece" in text]
    assert len(words) == 1 and "3 sets" in words[0]


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (10.99e6, "11.0 ms"),
        (93_400, "93.4 µs"),
        (1.25e9, "1.25 s"),
        (999_000, "999 µs"),
        (1e6, "1.00 ms"),
        (500, "0.500 µs"),
    ],
)
def test_times_have_the_unit_that_fits(nanoseconds, text):
    assert model.duration(nanoseconds) == text


def test_no_number_is_a_power_of_ten(make_run, quickly):
    run = make_run(factor=300)
    for text in (*findings.sentences(Samples(run)), *findings.opening(Samples(run))):
        assert "e+" not in text
    assert all("e+" not in plot.alternative for plot in plots.times(Samples(run)))


# --- Files ---------------------------------------------------------------------------------------


def test_latex_and_pdf_come_on_demand_and_go(make_run, quickly, tmp_path):
    report = reporting.make(make_run(rounds=7, samples=4), "run.json")
    said = []
    render_files.write(report, tmp_path, True, said.append)
    assert len(said) == render_files.steps_of(report)
    assert (tmp_path / "latex" / "times.tex").exists()
    assert (tmp_path / "plots" / "plot-overview.pdf").exists()
    said.clear()
    render_files.write(report, tmp_path, False, said.append)
    assert len(said) == render_files.steps_of(report)
    assert not list((tmp_path / "latex").iterdir())
    assert {path.suffix for path in (tmp_path / "plots").iterdir()} == {".svg"}
    picture = (tmp_path / "plots" / "plot-overview.svg").read_text()
    assert drawing.STAND_INS.ink not in picture and drawing.ON_PAPER.ink in picture
    for name in ("report.html", "report.md", "summary.html", "csv/times.csv"):
        assert (tmp_path / name).exists()
    assert "var(--ink)" in (tmp_path / "report.html").read_text()


def test_progress_is_lines_where_there_is_no_terminal(monkeypatch):
    monkeypatch.setattr(live, "SECONDS", 0)
    file = io.StringIO()
    with live.Steps(Console(file=file, width=80), 4) as say:
        for text in ("one", "two", "three", "four"):
            say(text)
    lines = file.getvalue().splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "one (0 %", "two (25 %", "three (50 %", "four (75 %"
    ]  # fmt: skip
