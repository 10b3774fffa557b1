# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One file, one writer: campaigns, runs and the history refuse a file that another process has."""

import errno
import fcntl
import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from codekem_evaluation import (
    claims,
    dfr_campaign,
    history,
    lab_campaign,
    lab_points,
    machine,
    paths,
    runner,
    store,
)
from codekem_evaluation.cli import app
from codekem_evaluation.dfr_worker import Point
from codekem_evaluation.errors import EvaluationError

SEED = "c1a1" * 16
HOLDER = """
import sys
from codekem_evaluation import claims
with claims.held(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def taken(tmp_path):
    """A file that another process has, and that process; it ends when its input does."""
    path = tmp_path / "taken.json"
    command = [sys.executable, "-c", HOLDER, path]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(paths.PACKAGE.parent)},
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield path, process
        process.kill()


COMMANDS = [
    ["dfr", "--r", "9803", "--decodings", "500", "--batch", "500"],
    ["dfr", "direct", "--r", "9803", "--decodings", "500", "--batch", "500"],
    ["dfr", "strata", "--class", "near-codeword:30", "--decodings", "500", "--batch", "500"],
    ["dfr", "split", "--toy", "--r", "523", "--runs", "2", "--particles", "40"],
    ["run", "--quick"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_a_file_that_another_process_writes_is_refused(
    command, taken, dfr_folder, evaluation_build, monkeypatch
):
    path, process = taken
    monkeypatch.setattr(runner, "measured", lambda *_: pytest.fail("measured"))
    build = evaluation_build if command[0] == "run" else dfr_folder
    done = CliRunner().invoke(app, [*command, "--out", str(path), "--build", str(build)])
    assert isinstance(done.exception, EvaluationError), done.exception
    message = str(done.exception)
    assert f"is being written by process {process.pid} on " in message and "since 20" in message
    assert len(message.splitlines()) == 1
    assert not path.exists()


def test_a_history_that_another_process_writes_is_refused(taken, make_run, stored, monkeypatch):
    path, _ = taken
    monkeypatch.setattr(machine, "output_of", lambda *_, **__: "1" * 40 + "\n")
    with pytest.raises(claims.Taken):
        history.add(stored(make_run()), path)
    assert not path.exists()


def test_a_killed_owner_leaves_the_file_free(taken):
    path, process = taken
    process.kill()
    process.wait()
    assert claims.lock_of(path).exists()  # nobody took it away
    with claims.held(path):
        pass
    assert not claims.lock_of(path).exists()


def test_what_another_wrote_meanwhile_is_not_replaced(tmp_path):
    """As on a file system that does not lock between machines."""
    path = tmp_path / "campaign.json"
    with claims.held(path):
        claims.write_text(path, "mine, first")
        store.write_text(path, "theirs")
        with pytest.raises(EvaluationError, match="was written by another process") as error:
            claims.write_text(path, "mine, all of it")
    (aside,) = tmp_path.glob("campaign-*.json")
    assert str(aside) in str(error.value) and aside.read_text() == "mine, all of it"
    assert path.read_text() == "theirs"


def test_a_file_that_appears_after_the_start_is_not_replaced_either(tmp_path):
    path = tmp_path / "campaign.json"
    with claims.held(path):
        store.write_text(path, "theirs")
        with pytest.raises(EvaluationError, match="is left as it is"):
            claims.write_text(path, "mine")
    assert path.read_text() == "theirs"


def test_a_file_system_without_locks_does_without(tmp_path, monkeypatch):
    def unable(*_):
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", unable)
    path = tmp_path / "campaign.json"
    with claims.held(path):
        claims.write_text(path, "mine")
    assert path.read_text() == "mine"


def test_campaigns_write_through_their_claim(tmp_path, dfr_program, lab_program):
    settings = {"seed": SEED, "batch": 500, "decodings": 1000, "failures": None}
    campaigns = [
        (
            dfr_campaign,
            dfr_program,
            dfr_campaign.new_campaign(
                "BIKE-L1", dfr_program, [Point(1, 9803, 134)], {**settings, "backend": "auto"}
            ),
        ),
        (
            lab_campaign,
            lab_program,
            lab_campaign.new_campaign(
                "direct", [lab_points.toy(523)], {**settings, "engine": "auto"}
            ),
        ),
    ]
    for module, program, campaign in campaigns:
        path = tmp_path / f"{module.__name__}.json"
        with (
            claims.held(path),
            pytest.raises(EvaluationError, match="was written by another process"),
        ):
            module.run(
                campaign,
                path,
                program,
                dfr_campaign.local_workers(1),
                lambda _, path=path: path.write_text("theirs"),
            )
        assert path.read_text() == "theirs"


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
