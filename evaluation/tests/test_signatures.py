# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA in the evaluation: measured on every back end, and set beside the authors' code."""

import pytest

from codekem_base.errors import Unavailable
from codekem_evaluation import published, runner, signatures, store, tables_signatures, tracing

OPERATIONS = ("keygen", "sign", "verify")


def signature_rows(values):
    """Rows of a run, with values {implementation: cycles of the three operations}."""
    return [
        {
            "scheme": "SOFIA-4-128",
            "implementation": name,
            "operation": operation,
            "nanoseconds": [[cycles / 2.0]] * 3,
            "cycles": [[cycles - 1000], [cycles], [cycles + 5000]],
        }
        for name, triple in values.items()
        for operation, cycles in zip(OPERATIONS, triple, strict=True)
    ]


@pytest.fixture
def run_with_signatures(make_run):
    return {**make_run(), "signatures": signature_rows({"avx2": (400000, 4000000, 3000000)})}


def test_every_back_end_is_measured(evaluation_build, make_run, library):
    names = [name for name, runs in library.backends().items() if runs and name != "reference"]
    run = make_run(rounds=2)
    run["mode"] = "quick"
    run["implementations"] = [
        {"name": name, "kind": kind, "version": "1"}
        for name, kind in [("reference", "codekem"), ("liboqs", "peer")]
        + [(name, "codekem") for name in names]
    ]
    signatures.take(run, evaluation_build, lambda done, total, text: None)
    found = {(row["implementation"], row["operation"]): row for row in run["signatures"]}
    assert set(found) == {(name, operation) for name in names for operation in OPERATIONS}
    for row in found.values():
        assert len(row["nanoseconds"]) == len(row["cycles"]) == 2
    for name in names:  # in one unit; on a busy machine no more can be said
        keygen, sign = (min(found[name, o]["nanoseconds"])[0] for o in ("keygen", "sign"))
        assert 0 < keygen < 10 * sign
    assert store.problem_of(run) is None


def test_without_the_scheme_the_run_says_so(make_run, tmp_path):
    run = make_run(rounds=2)
    run["mode"] = "quick"
    runner.attempt(run, lambda: signatures.take(run, tmp_path, lambda *_: None))
    assert run["unavailable"][-1]["what"] == "SOFIA-4-128"
    assert "CODEKEM_BUILD_SOFIA" in run["unavailable"][-1]["remedy"]
    with pytest.raises(Unavailable):
        signatures.measure(tmp_path, "portable", 0.01)


def test_table_has_the_run_first_and_then_the_authors(run_with_signatures):
    table = tables_signatures.table(run_with_signatures)
    assert [cell.text for cell in table.rows[0]] == [
        *["codekem, avx2", "this run", "400", "4,000", "3,000", "–"]
    ]
    assert [row[0].text for row in table.rows[1:]] == [
        *["authors, AVX2", "authors, reference C", "codekem, portable"],
        *["authors, AVX2", "codekem, avx2", "codekem, avx512"],
    ]
    article = table.rows[1]
    assert all(cell.value is None and "not at hand" in cell.why for cell in article[2:5])


def test_ratios_are_of_rows_that_ran_side_by_side(run_with_signatures):
    table = tables_signatures.table(run_with_signatures)
    rows = {row["trace"]: row for row in published.rows("sofia_cycles")}
    checked = 0
    for row in table.rows:
        if row[-1].value is not None:
            ours = rows[row[-1].trace]
            (theirs,) = [
                other
                for other in rows.values()
                if (other["cpu"], other["code"], other["implementation"])
                == (ours["cpu"], "authors", ours["beside"])
            ]
            expected = [
                int(theirs[f"{o}_cycles"]) / int(ours[f"{o}_cycles"]) for o in ("sign", "verify")
            ]
            assert row[-1].text == f"{expected[0]:.1f} / {expected[1]:.1f}"
            checked += 1
    assert checked == 3


def test_stored_runs_without_the_list_say_so(make_run):
    table = tables_signatures.table(make_run())
    assert "of this run nothing" in table.notes[0]
    assert all(row[1].text != "this run" for row in table.rows)


def test_trace_shows_the_rounds(run_with_signatures):
    table = tables_signatures.table(run_with_signatures)
    (line,) = tracing.trace(run_with_signatures, "run.json", table.rows[0][3].trace)[1:]
    assert "4005000" in line


def test_schema_refuses_what_is_no_time(run_with_signatures):
    assert store.problem_of(run_with_signatures) is None
    for value in ([], [[-1]], [["1"]]):
        run_with_signatures["signatures"][0]["cycles"] = value
        assert store.problem_of(run_with_signatures) is not None
