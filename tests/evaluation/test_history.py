# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The stored history of our times: what is kept, what is refused, and how it is shown."""

import hashlib
import json

import pytest
from typer.testing import CliRunner

from codekem_evaluation import cli, history, machine, paths, render_files
from codekem_evaluation.errors import EvaluationError

TREE = "1" * 40


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A history without a line, in a checkout whose git knows every commit."""
    monkeypatch.setattr(paths, "HISTORY", tmp_path / "history.jsonl")
    monkeypatch.setattr(machine, "output_of", lambda *_, **__: f"{TREE}\n")
    return paths.HISTORY


def run_of(make_run, stored, created, **more):
    run = make_run(**more) | {"created": created}
    return stored(run), run


def test_stored_lines_are_whole_and_say_what_they_were_made_from(root):
    lines = history.read()
    assert lines and paths.HISTORY.is_relative_to(root)
    for line in lines:
        assert len(line["run"]) == 64 and len(line["sources"]) == len(line["commit"]) == 40
        assert line["processor"] and line["compiler"] and line["created"].endswith("Z")
        tree = machine.output_of(["git", "rev-parse", f"{line['commit']}:src"], cwd=root)
        assert tree is None or tree.strip() == line["sources"]  # None: a shallow checkout
        for kems in line["microseconds"].values():
            assert all(0 < low <= median <= high for median, low, high in kems.values())


def test_a_run_is_added_once_with_hash_processor_and_medians(make_run, stored, empty):
    path, _ = run_of(make_run, stored, "2026-01-03T00:00:00Z")
    done = CliRunner().invoke(cli.app, ["history", "add", str(path)])
    assert done.exit_code == 0 and "Added 2026-01-03" in done.output
    (line,) = history.read()
    assert json.loads(empty.read_text()) == line
    assert line["run"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (line["sources"], line["processor"]) == (TREE, "Some Processor")
    assert line["microseconds"]["BIKE-L1"]["avx2"][0] == pytest.approx(250, rel=0.02)
    assert "liboqs" not in line["microseconds"]["BIKE-L1"]
    assert "ML-KEM-512" not in line["microseconds"]
    with pytest.raises(EvaluationError, match="already"):
        history.add(path)
    earlier, _ = run_of(make_run, stored, "2026-01-01T00:00:00Z", seed=2)
    history.add(earlier)
    assert [one["created"][:10] for one in history.read()] == ["2026-01-01", "2026-01-03"]
    shown = CliRunner().invoke(cli.app, ["history"])
    assert shown.exit_code == 0 and "2026-01-01" in shown.output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda run: run["build"].update(modified=True), "commit, build and measure again"),
        (lambda run: run["build"].update(commit=None), "commit, build and measure again"),
        (lambda run: run["times"][0]["nanoseconds"].pop(), "interrupted"),
        (lambda run: run["times"].clear(), "interrupted"),
    ],
)
def test_what_cannot_be_made_again_is_refused(change, message, make_run, stored, empty):
    run = make_run()
    change(run)
    with pytest.raises(EvaluationError, match=message):
        history.add(stored(run))
    assert not empty.exists()


def test_a_commit_that_git_does_not_know_is_refused(make_run, stored, empty, monkeypatch):
    monkeypatch.setattr(machine, "output_of", lambda *_, **__: None)
    with pytest.raises(EvaluationError, match="git does not know the commit 000000000000"):
        history.add(stored(make_run()))


@pytest.mark.parametrize(
    ("text", "message"), [("{", "line 1, is not JSON"), ("{}", "lacks created"), ("[]", "lacks")]
)
def test_a_broken_line_is_named(text, message, empty, make_run):
    empty.write_text(f"{text}\n")
    with pytest.raises(EvaluationError, match=message):
        history.read()
    assert message in history.section(make_run()).sentences[0]


def test_the_report_shows_measurements_of_one_processor_and_this_run(make_run, stored, empty):
    for day, factor, cpu in [(1, 2.0, "Some Processor"), (2, 1.5, "Some Processor"), (3, 1, "Z")]:
        created = f"2026-01-0{day}T00:00:00Z"
        history.add(run_of(make_run, stored, created, seed=day, factor=factor, cpu=cpu)[0])
    section = history.section(make_run())
    (plot,) = section.plots
    assert plot.chart.x_names == ("2026-01-01, 0000000", "2026-01-02, 0000000", history.HERE)
    values = [y for _, y, *_ in plot.chart.series["BIKE-L1"]]
    assert values == pytest.approx([500, 375, 250], rel=0.02)
    assert "Some Processor" in plot.title and "500 at 2026-01-01" in plot.alternative.replace(
        f"{values[0]:.4g}", "500"
    )
    words = " ".join(section.sentences)
    assert "Measurements kept: 3" in words and "BIKE-L1 takes 50 % of what it took" in words
    (table,) = section.tables
    assert [row[3].text for row in table.rows] == ["Some Processor", "Some Processor", "Z"]
    assert history.trace("history/2")[0].endswith("measurement 2")
    with pytest.raises(EvaluationError, match="history has 3"):
        history.trace("history/3")
    assert "2026-01-01, 0000000" in json.dumps(
        render_files.charts_page.described(plot.chart)["spec"]
    )
    other = history.section(make_run(cpu="Other"))  # without this run: another processor
    assert other.plots[0].chart.x_names == plot.chart.x_names[:2]


def test_no_history_says_how_to_begin_one(empty, make_run):
    section = history.section(make_run())
    assert not section.plots and "history add" in section.sentences[0]
    assert section.tables[0].reason
