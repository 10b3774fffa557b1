# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The stored history of our times: what is kept, what is refused, and how it is shown."""

import hashlib
import json

import pytest
from typer.testing import CliRunner

from codekem_base.errors import EvaluationError
from codekem_evaluation import cli, comparison, history, machine, paths

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
        (lambda run: run["times"][0]["nanoseconds"].pop(), "other numbers of samples"),
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


def identified(run, **changes):
    """Gives a run a processor that can be told from others."""
    identity = {"vendor": "AuthenticAMD", "family": "25", "model": "1", "stepping": "1"}
    run["machine"]["identity"] = {**identity, "features": ["avx2"], **changes}
    return run


ZEN5 = {"family": "26", "features": ["avx2", "avx512f"]}


def test_the_report_shows_measurements_of_one_processor_and_this_run(make_run, stored, empty):
    for day, factor, changes in [(1, 2.0, {}), (2, 1.5, {}), (3, 1, ZEN5)]:
        run = make_run(seed=day, factor=factor, cpu="AMD EPYC")
        run["created"] = f"2026-01-0{day}T00:00:00Z"
        history.add(stored(identified(run, **changes)))
    section = history.section(identified(make_run(cpu="AMD EPYC")))
    (plot,) = section.plots
    assert plot.chart.x_names == ("2026-01-01, 0000000", "2026-01-02, 0000000", history.HERE)
    values = [y for _, y, *_ in plot.chart.series["BIKE-L1 (avx2)"]]
    assert values == pytest.approx([500, 375, 250], rel=0.02)
    assert "AMD EPYC" in plot.title and "500 at 2026-01-01" in plot.alternative.replace(
        f"{values[0]:.4g}", "500"
    )
    words = " ".join(section.sentences)
    assert "of this processor: 2 (" in words
    assert "BIKE-L1 (avx2) takes 50 % of what it took" in words
    (table,) = section.tables
    assert [row[0].text for row in table.rows] == ["2026-01-01", "2026-01-02"]
    assert table.rows[1][0].trace == "history/1"
    assert history.trace("history/2")[0].endswith("measurement 2")
    with pytest.raises(EvaluationError, match="history has 3"):
        history.trace("history/3")
    assert '\\"2026-01-01\\", \\"0000000\\"' in json.dumps(plot.chart.described()["spec"])


@pytest.mark.parametrize(
    "changes",
    [ZEN5, {"family": "26"}, {"model": "17"}, {"stepping": "2"}, {"features": []}, None],
    ids=lambda changes: " ".join(changes or ["unknown"]),
)
def test_other_processors_of_one_name_are_left_out(changes, make_run, stored, empty):
    history.add(stored(identified(make_run(cpu="AMD EPYC", factor=4))))
    run = make_run(cpu="AMD EPYC") | {"created": "2026-01-09T00:00:00Z"}
    assert history.section(run if changes is None else identified(run, **changes)) is None
    assert history.section(identified(run)) is not None


def test_lines_without_an_identity_are_compared_with_nothing(make_run, stored, empty):
    history.add(stored(make_run(factor=4)))
    assert history.read()[0]["identity"] is None
    line = {key: value for key, value in history.read()[0].items() if key != "identity"}
    empty.write_text(json.dumps(line) + "\n")  # as they were kept before
    later = make_run() | {"created": "2026-01-09T00:00:00Z"}
    assert history.section(later) is None and history.section(identified(later)) is None
    assert CliRunner().invoke(cli.app, ["history"]).exit_code == 0


def test_only_the_same_implementation_is_compared(make_run, stored, empty):
    """The first run had faster code of another kind: what both have is compared."""
    first = make_run()
    for part in (first["times"], first["implementations"]):
        part += [
            {**row, **{key: "avx512" for key in ("implementation", "name") if key in row}}
            for row in part
            if "avx2" in (row.get("implementation"), row.get("name"))
        ]
    for cell in first["times"]:
        if cell["implementation"] == "avx512":
            cell["nanoseconds"] = [[value / 3 for value in taken] for taken in cell["nanoseconds"]]
    history.add(stored(identified(first)))
    later = identified(make_run(factor=1.5)) | {"created": "2026-01-09T00:00:00Z"}
    section = history.section(later)
    assert "BIKE-L1 (avx2) takes 150 % of what it took" in section.sentences[-1]
    assert "avx512" not in section.sentences[-1]
    assert set(section.plots[0].chart.series) == {
        "BIKE-L1 (avx2)",
        "BIKE-L3 (avx2)",
        "HQC-1 (avx2)",
    }


CPUINFO = """processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 25
model\t\t: 1
model name\t: AMD EPYC
stepping\t: 1

processor\t: 1
vendor_id\t: AuthenticAMD
cpu family\t: 26
model\t\t: 2
model name\t: AMD EPYC
stepping\t: 0
"""
ARM = """processor\t: 0
Features\t: fp asimd
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x3
CPU part\t: 0xd0c
CPU revision\t: 1
"""


def test_a_processor_is_told_by_what_the_system_says_of_its_core(tmp_path):
    file = tmp_path / "cpuinfo"
    file.write_text(CPUINFO)
    first, second = (machine.identity(["b", "a"], core, file) for core in (0, 1))
    assert first == {
        "vendor": "AuthenticAMD",
        "family": "25",
        "model": "1",
        "stepping": "1",
        "features": ["a", "b"],
    }
    assert second["family"] == "26" and not machine.same(first, second)
    file.write_text(ARM)
    arm = machine.identity([], 0, file)
    assert (arm["vendor"], arm["model"], arm["variant"]) == ("0x41", "0xd0c", "0x3")
    file.write_text("processor: 0\nuarch: sifive\n")
    assert machine.identity([], 0, file) is None
    assert machine.identity([], 0, tmp_path / "none") is None
    assert not machine.same(None, None)


def test_compare_says_that_one_name_stands_for_two_processors(make_run):
    one, other = identified(make_run()), identified(make_run(), **ZEN5)
    assert comparison.warnings(one, one) == []
    (line,) = comparison.warnings(one, other)
    assert "family 25 and 26" in line and "only one has avx512f" in line
    (line,) = comparison.warnings(one, make_run())
    assert "is not known" in line


def test_no_history_has_no_section_and_the_command_says_how_to_begin_one(empty, make_run):
    assert history.section(identified(make_run())) is None
    done = CliRunner().invoke(cli.app, ["history"])
    assert "history add" in done.output
