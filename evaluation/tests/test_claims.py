# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs and the history refuse a file that another process has."""

import json

import pytest
from typer.testing import CliRunner

from codekem_base import claims
from codekem_evaluation import history, machine, paths, runner, store
from codekem_evaluation.cli import app


def test_a_file_that_another_process_writes_is_refused(taken, evaluation_build, monkeypatch):
    path, process = taken
    monkeypatch.setattr(runner, "measured", lambda *_: pytest.fail("measured"))
    words = ["run", "--quick", "--out", str(path), "--build", str(evaluation_build)]
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, claims.Taken), done.exception
    assert f"is being written by process {process.pid} on " in str(done.exception)
    assert not path.exists()


def test_a_history_that_another_process_writes_is_refused(taken, make_run, stored, monkeypatch):
    path, _ = taken
    monkeypatch.setattr(machine, "output_of", lambda *_, **__: "1" * 40 + "\n")
    with pytest.raises(claims.Taken):
        history.add(stored(make_run()), path)
    assert not path.exists()


def test_runs_of_one_second_have_names_of_their_own(make_run, tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "RUNS", tmp_path)
    run = make_run()
    with runner.place(None, run) as first, runner.place(None, run) as second:
        for path in (first, second):
            store.write_run(path, run, claims.write_text)
    with runner.place(None, run) as third:
        store.write_run(third, run, claims.write_text)
    names = [path.name for path in (first, second, third)]
    stem = "run-20260102T030405Z-full"
    assert names == [f"{stem}.json", f"{stem}-2.json", f"{stem}-3.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert json.loads(third.read_text())["mode"] == "full"
