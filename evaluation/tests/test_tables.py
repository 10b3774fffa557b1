# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The long table, tables as specifications over it, and one table by its name."""

import csv
import io
import json

import pytest
from typer.testing import CliRunner

from codekem_base import drawing
from codekem_base.errors import EvaluationError
from codekem_evaluation import (
    cli,
    long,
    paths,
    render_files,
    reporting,
    samples,
    store,
    tables,
    tracing,
)
from codekem_evaluation.long import Column, Row, Spec


@pytest.fixture(scope="module")
def report(make_run):
    return reporting.make(make_run(), "run.json")


def test_every_row_follows_the_schema_and_every_trace_leads_somewhere(report, make_run):
    run, rows = make_run(), json.loads(report.rows().to_json(orient="records"))
    assert len(rows) > 2000 and {"BIKE", "HQC", "ML-KEM"} <= {row["scheme"] for row in rows}
    for row in rows:
        long.validator().validate(row)
    for trace in set(report.rows()["trace"].dropna()):
        assert len(tracing.trace(run, "run.json", trace)) >= 2, trace


@pytest.mark.parametrize(
    ("change", "message"),
    [({"value": None}, "why"), ({"trace": None}, "not of type"), ({"level": 2}, "not one of"),
     ({"more": 1}, "unexpected"), ({"source": ""}, "non-empty")],
)  # fmt: skip
def test_a_row_that_lacks_something_breaks_the_schema(change, message):
    row = {"subject": "BIKE-L1", "metric": "time", "value": 1.0, "source": "x", "trace": "times/x"}
    long.validator().validate(row)
    (problem,) = long.validator().iter_errors({**row, **change})
    assert message in problem.message


def test_numbers_of_the_tables_are_those_of_the_rows(report):
    """In the units of the table: nothing is computed between the two."""
    rows = {
        (row["trace"], row["metric"]): row["value"]
        for row in report.rows().to_dict("records")
        if row["source"] == "this run"
    }
    table = next(table for table in report.tables() if table.key == "times")
    ours = [row for row in table.rows if row[2].text == "this run"]
    assert ours
    for row in ours:
        for cell in row[3:7]:
            assert cell.value * 1e6 == pytest.approx(rows[cell.trace, "time"], rel=1e-14)


def test_a_table_is_what_its_specification_says():
    spec = Spec(
        "x",
        "X",
        {"who": "subject", "part": "code.1"},
        [
            Column("ms", "time", "keygen", "ms", why="no keygen"),
            Column("ratio", "ratio", shown=long.ratio),
        ],
        blank="no second name",
    )
    rows = [
        Row("b", "a | ", "keygen", "time", 2e6, "ns", "s", "t1"),
        Row("a", "a | c", "encaps", "time", 5e6, "ns", "s", "t2"),
        Row("a", "a | c", "overall", "ratio", 2.0, "", "s", "t3", 1.9, 2.1),
        Row("b", "a | ", "overall", "ratio", None, "", "s", "t4", why="moved"),
        Row("b", "a | ", "keygen", "time", 9e3, "µs", "elsewhere", "t5"),
        Row("c", "a | d", "keygen", "other", 1.0, "", "s", "t6"),
    ]
    made = spec.table(rows, ["note"], "no rows", ["a", "b"])
    assert [[cell.text for cell in row] for row in made.rows] == [
        ["a", "c", "–", "2.0 (1.9 to 2.1)"],
        ["b", "–", "2.00", "–"],
        ["b", "–", "9.00", "–"],  # of another source
    ]
    assert made.reasons() == ["no keygen", "no second name", "moved", "not measured"]
    assert spec.table([], reason="no rows").reason == "no rows"


def test_the_long_table_is_a_file_of_the_report(report, monkeypatch, tmp_path):
    monkeypatch.setattr(drawing, "svg", lambda *_: '<svg width="1" height="1"></svg>')
    render_files.write(report, tmp_path, paper_too=False)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text())))
    assert len(rows) == len(report.rows())
    assert list(rows[0]) == list(json.loads(long.SCHEMA.read_text())["properties"])


# --- One table by its name -----------------------------------------------------------------------


@pytest.fixture
def command(monkeypatch, tmp_path):
    """command(*arguments) calls the command; runs are stored in a folder of the test."""
    monkeypatch.setattr(paths, "RUNS", tmp_path)

    def call(*arguments):
        return CliRunner().invoke(cli.app, ["table", *map(str, arguments)])

    return call


def test_every_name_of_the_list_makes_a_table_of_the_report(report, make_run, command):
    names = [line.split()[0] for line in command("list").output.splitlines()]
    assert list(tables.NAMED) == names
    of_run = samples.Samples(make_run())
    keys = {table.key for name in names for table in tables.made(of_run, name)}
    others = {"history", "packages"}  # only if something was kept or measured
    shown = {t.key for t in report.tables() if not t.key.startswith(("lab-", "failures-"))}
    assert keys - others == shown - others
    done = command("nothing")
    assert done.exit_code == 1 and "there is no table nothing" in str(done.exception)


def test_one_table_is_that_of_the_report(report, stored, make_run, command):
    path = stored(make_run())
    table = next(table for table in report.tables() if table.key == "sizes")
    assert command("sizes", path, "--format", "csv").output.startswith(render_files.csv(table))
    text = command("times", path, "--kem", "HQC-1").output
    assert "HQC-1" in text and "BIKE" not in text and "0.125" in text
    assert r"\toprule" in command("sizes", path, "--format", "latex").output
    assert "| BIKE-L1" in command("sizes", path, "--format", "md").output
    assert "has no row of" in str(command("times", path, "--kem", "HQC-5").exception)
    assert "no format pdf" in str(command("sizes", path, "--format", "pdf").exception)


def test_the_latest_run_that_has_what_a_table_needs_is_taken(make_run, stored, command, tmp_path):
    assert command("claims", "--ready").exit_code == 0  # of published figures alone
    assert command("stack", "--ready").exit_code == 3
    whole, part = stored(make_run()), stored(make_run() | {"created": "2026-02-01T00:00:00Z"})
    part.write_text(json.dumps(json.loads(part.read_text()) | {"stack": []}))
    whole = whole.rename(tmp_path / "run-old.json")
    part = part.rename(tmp_path / "part-new.json")
    assert command("stack", "--ready").exit_code == 0
    assert command("stack", "--ready", "--again").exit_code == 3
    assert tables.run_for("stack") == whole and tables.run_for("times") == part
    assert tables.run_for("stack", ["HQC-1"]) is None  # made up for BIKE-L1 alone
    assert store.latest_run() == whole  # a part is no report


def test_what_a_table_lacks_is_measured_and_no_more(command, evaluation_build, tmp_path):
    done = command("stack", "--kem", "HQC-1", "--build", evaluation_build, "--format", "csv")
    assert done.exit_code == 0, done.output
    (path,) = tmp_path.glob("*.json")
    run = store.read_run(path)
    assert path.name.startswith("part-") and {row["kem"] for row in run["stack"]} == {"HQC-1"}
    assert run["times"] == run["tls"] == run["code"] == run["profile"] == []
    assert "stack/HQC-1/portable/keygen" in done.output
    with pytest.raises(EvaluationError, match="there is no run"):
        store.latest_run()
