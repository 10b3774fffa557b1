# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stored runs: schema, whole files only, and clear errors."""

import json
import os
import re
import subprocess
import sys

import jsonschema
import pytest

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_evaluation import paths, store


def test_schema_is_a_schema_and_a_run_follows_it(make_run):
    schema = json.loads(paths.SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(make_run(samples=3, rounds=2))


def test_a_run_comes_back_as_it_was(make_run, tmp_path):
    run = make_run()
    store.write_run(tmp_path / "new folder" / "run.json", run)
    assert store.read_run(tmp_path / "new folder" / "run.json") == run
    assert [path.name for path in (tmp_path / "new folder").iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda run: run.pop("machine"),
        lambda run: run["machine"].pop("cpu"),
        lambda run: run["times"][0].update(operation="sign"),
        lambda run: run["times"][0].update(nanoseconds=[]),
        lambda run: run["times"][0]["nanoseconds"].append([]),
        lambda run: run["times"][0]["nanoseconds"][0].append(-1),
        lambda run: run["times"][0]["cycles"][0].append("1"),
        lambda run: run.update(mode="fast"),
    ],
)
def test_what_breaks_the_schema_is_refused(spoil, make_run, stored, tmp_path):
    run = make_run()
    spoil(run)
    assert (
        next(
            jsonschema.Draft202012Validator(json.loads(paths.SCHEMA.read_text())).iter_errors(run),
            None,
        )
        is not None
    )
    with pytest.raises(EvaluationError, match="does not follow the schema"):
        store.read_run(stored(run))
    with pytest.raises(AssertionError, match="schema"):
        store.write_run(tmp_path / "never.json", run)
    assert not (tmp_path / "never.json").exists()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda run: run["times"][0].update(kem="HQC-9"), "HQC-9 is not in $.kems"),
        (lambda run: run["times"][0].update(implementation="x"), "x is not in $.implementations"),
        (
            lambda run: run["times"][1]["nanoseconds"][0].pop(),
            "times[1].nanoseconds: other numbers",
        ),
        (lambda run: run["times"][2]["cycles"].pop(), "times[2].cycles: other numbers"),
    ],
)
def test_times_that_contradict_themselves_are_refused(spoil, message, make_run, stored):
    run = make_run()
    spoil(run)
    with pytest.raises(EvaluationError, match=re.escape(message)):
        store.read_run(stored(run))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a run of this version"),
        ('{"schema": "codekem-evaluation/99"}', "is not a run of this version"),
    ],
)
def test_other_files_are_refused(text, message, tmp_path):
    (tmp_path / "file.json").write_text(text)
    with pytest.raises(EvaluationError, match=message):
        store.read_run(tmp_path / "file.json")


def test_missing_file_and_missing_runs(tmp_path):
    with pytest.raises(EvaluationError, match="cannot read"):
        store.read_run(tmp_path / "none.json")
    with pytest.raises(EvaluationError, match="measure one with"):
        store.latest_run(tmp_path)


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EvaluationError, match=r"cannot write .*choose another place"):
        files.write_text(tmp_path / "file" / "run.json", "text")
    with pytest.raises(EvaluationError, match="cannot write"):
        files.check_writable("/proc/1")


def test_a_full_disk_keeps_the_file_that_was_there(tmp_path):
    """A limit on the size of files stands for the full disk: write() fails in the same way."""
    (tmp_path / "run.json").write_text("before")
    script = (
        "import resource, signal, sys\n"
        "from codekem_base import files\n"
        "from codekem_base.errors import EvaluationError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n    files.write_text(sys.argv[1], 'x' * 100000)\n"
        "except EvaluationError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "run.json")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(paths.PACKAGE.parent)},
    )
    assert "cannot write" in done.stdout and "make room" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
    assert (tmp_path / "run.json").read_text() == "before"


def test_the_latest_run_is_the_newest_not_the_last_by_name(make_run, tmp_path):
    """Runs of one second, and one with a name of its own."""
    run = make_run()
    for name, day in [("run-zzz", 1), ("run-b", 3), ("run-b-2", 3), ("run-a", 2)]:
        store.write_run(tmp_path / f"{name}.json", run | {"created": f"2026-01-0{day}T00:00:00Z"})
    os.utime(tmp_path / "run-b.json", ns=(1, 1))
    assert store.latest_run(tmp_path).name == "run-b-2.json"
