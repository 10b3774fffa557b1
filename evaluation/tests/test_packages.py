# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The runner of `codekem-evaluation packages`: languages, rows, goals, the report's table."""

import pytest
from typer.testing import CliRunner

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_evaluation import cli, packages, paths, tables_packages

MEASURE = """
import pathlib
def measure(work, quick):
    assert work.is_dir() and not any(work.iterdir())
    (work / "left").write_text("from this run")
    row = {{"package": "P", "operation set": "HQC-1", "ours_us": [1.0, 2.0, 3.0], "peer": "q 1.0",
           "peer_us": None, "ratio": {ratio}, "goal": "{goal}", "note": "quick" if quick else ""}}
    return [row]
"""


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Folders of languages, of work and of results, of which nothing is in the checkout."""
    monkeypatch.setattr(packages, "FOLDER", tmp_path / "packages")
    monkeypatch.setattr(packages, "WORK", tmp_path / "work")
    monkeypatch.setattr(paths, "RUNS", tmp_path / "results")

    def add(language, text):
        (tmp_path / "packages" / language).mkdir(parents=True, exist_ok=True)
        (tmp_path / "packages" / language / "measure.py").write_text(text)

    add("good", MEASURE.format(ratio=120, goal=">= 100"))
    return add


def call(*arguments):
    return CliRunner().invoke(cli.app, ["packages", *arguments], catch_exceptions=True)


def test_rows_are_shown_kept_and_found_again(folders):
    folders("slow", MEASURE.format(ratio=0.7, goal="<= 0.6"))
    folders("lacking", "def measure(work, quick):\n    raise OSError('install it')")
    for _ in range(2):  # what an earlier run left is gone
        done = call()
        assert done.exit_code == 0, done.output
    assert "not measured: lacking: install it" in done.output
    parts = packages.latest()
    assert list(parts) == ["good", "slow"]
    rows = tables_packages.table(parts).rows
    assert [row[-1].text for row in rows] == ["yes", "no"]
    assert [[cell.value for cell in row[3:6]] for row in rows] == [[1, 2, 3]] * 2
    assert all(cell.why is not None for cell in rows[0][6:9])
    assert [row[-2].text for row in rows] == [">= 100", "<= 0.6"]
    assert "P, HQC-1: quick" in tables_packages.table(parts).notes


def test_newest_part_of_each_language_is_taken(folders):
    folders("other", MEASURE.format(ratio=1, goal=">= 1"))
    for number, (language, ratio) in enumerate([("good", 101), ("other", 2), ("good", 102)]):
        folders(language, MEASURE.format(ratio=ratio, goal=">= 1"))
        result = packages.measure([language], True, print)
        files.write_text(paths.RUNS / f"packages-{number}.json", files.as_text(result))
    ratios = {name: part["rows"][0]["ratio"] for name, part in packages.latest().items()}
    assert ratios == {"good": 102, "other": 2}


def test_figure_without_a_peer_is_shown(folders):
    folders("alone", MEASURE.format(ratio=9, goal="<= 30").replace('"q 1.0"', '""'))
    done = call("alone")
    assert done.exit_code == 0, done.output
    row = tables_packages.table(packages.latest()).rows[0]
    assert row[2].why is not None


def test_full_is_told_and_languages_can_be_named(folders):
    folders("other", "raise RuntimeError('not asked for')")
    assert call("--full", "good").exit_code == 0
    assert packages.latest()["good"]["rows"][0]["note"] == ""


@pytest.mark.parametrize("ratio, goal", [("'fast'", ">= 1"), (1, "about 1"), (1, ">= x")])
def test_bad_rows_are_refused(folders, ratio, goal):
    folders("bad", MEASURE.format(ratio=ratio, goal=goal))
    with pytest.raises(EvaluationError, match="bad row"):
        packages.measure(["bad"], True, print)


def test_unknown_and_failing_languages_are_errors(folders):
    for arguments in [["none"], ["lacking"]]:
        folders("lacking", "def measure(work, quick):\n    raise OSError('install it')")
        done = call(*arguments)
        assert done.exit_code != 0
        assert isinstance(done.exception, EvaluationError)


def test_report_has_a_section_only_if_something_was_measured(folders):
    assert tables_packages.section() is None
    assert call().exit_code == 0
    assert tables_packages.section().tables[0].rows
