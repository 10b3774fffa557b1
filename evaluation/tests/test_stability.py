# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Whether a run is stable, and what two runs could have shown."""

import re

import pytest
from typer.testing import CliRunner

from codekem_evaluation import cli, comparison, stability


def shaken(run, factors):
    """Multiplies the samples of liboqs by a factor for each round."""
    for cell in run["times"]:
        if cell["implementation"] == "liboqs":
            cell["nanoseconds"] = [
                [value * factor for value in taken]
                for taken, factor in zip(cell["nanoseconds"], factors, strict=True)
            ]
    return run


def test_a_quiet_run_is_stable(make_run):
    stable, lines = stability.judged(make_run())
    assert stable and lines == ["10 of 10 times are stable: within 10 %"]


def test_two_groups_of_rounds_are_named(make_run):
    stable, lines = stability.judged(shaken(make_run(), [1, 1.7] * 5 + [1]))
    assert not stable and len(lines) == 5
    (words,) = [line for line in lines if line.startswith("BIKE-L1, liboqs")]
    found = re.fullmatch(
        r".*reaches (\d+) %; two groups of rounds: (.*) ms to (.*) ms \(6\) and (.*) ms \(5\)",
        words,
    )
    assert found, words
    assert lines[-1].startswith("not stable: 6 of 10")


@pytest.mark.parametrize(
    ("medians", "sizes"),
    [([1, 1.01, 1.02, 1.3, 1.31], [3, 2]), ([1, 1.01, 1.02, 1.03, 9], [5]), ([1, 2], [2]),
     ([1, 1.1, 1.2, 1.3, 1.4], [5])],
)  # fmt: skip
def test_one_round_is_no_group(medians, sizes):
    assert [len(part) for part in stability.groups(medians[::-1])] == sizes


def test_the_command_ends_with_a_status(make_run, stored):
    good, bad = stored(make_run()), stored(shaken(make_run(), [1, 1.7] * 5 + [1]))
    for path, status in ((good, 0), (bad, 1)):
        done = CliRunner().invoke(cli.app, ["check", str(path)])
        assert done.exit_code == status and path.name in done.output


def test_a_difference_of_that_size_is_seen(make_run):
    """And one of half of it is not."""
    base = make_run(seed=1)
    rows = comparison.compare(base, make_run(seed=2)).rows
    least = max(row[7].value for row in rows if row[2].text == "Overall")
    assert 0.1 < least < 5
    for factor, seen in ((1 + 3 * least / 100, True), (1 + least / 400, False)):
        rows = comparison.compare(base, make_run(seed=2, factor=factor)).rows
        verdicts = [row[-1].text for row in rows if row[2].text == "Overall"]
        different = sum("slower" in verdict for verdict in verdicts)
        assert (different == len(verdicts)) if seen else (different <= len(verdicts) / 2)


def test_compare_says_what_its_runs_warn_of(make_run):
    busy = make_run(seed=2)
    busy["machine"]["load"], busy["mode"] = 7.5, "quick"
    report = comparison.report([make_run(), busy], ["a.json", "b.json"])
    assert "B: busy machine (load 7.50); a quick run" in report.warnings
    assert not any(line.startswith("A: ") for line in report.warnings)
