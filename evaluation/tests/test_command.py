# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command: what it refuses before it builds, completes in a shell, shows while it measures."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest
from rich.console import Console

from codekem_base import ends
from codekem_evaluation import live, measure, paths, runner


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "codekem_evaluation", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(paths.PACKAGE.parent)},
        **options,
    )


def test_compare_and_trace_from_the_command_line(make_run, stored):
    """As test_package.py makes a report."""
    a, b = stored(make_run(1)), stored(make_run(2))
    done = command("compare", a, b)
    assert done.returncode == 0 and "no difference seen" in done.stdout
    done = command("trace", a, "times/BIKE-L1/avx2/overall", "published/bike_kem_cycles/2")
    assert done.returncode == 0
    assert "11 rounds" in done.stdout and "602189" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", "none.json"),
        ("trace", "none.json", "times/x"),
        ("run", "--quick", "--full"),
        ("run", "--build", "/none"),
        ("run", "--core", "4000"),
        ("run", "--check", "--peer", "nonsense"),
        ("run", "--check", "--peer", "x:BIKE-L1=/none.so"),
        ("run", "--check", "--out", "."),
        ("compare", "none.json", "none.json"),
    ],
)
def test_wrong_input_is_one_line_and_a_status(arguments, tmp_path):
    done = command(*arguments, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("codekem-evaluation: error: ")
    assert len(done.stderr.splitlines()) == 1


def test_arguments_are_checked_without_a_build(tmp_path, root):
    done = command("run", "--check", "--full", "--out", tmp_path / "run.json", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not list(tmp_path.iterdir())
    made = (root / "Makefile").read_text()
    needs = made.split("\nevaluate: ")[1].splitlines()[0].split()
    assert needs.index("check-arguments") < needs.index("build-evaluation")


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGHUP])
def test_an_end_that_the_system_asks_for_is_an_interrupt(kind):
    given = signal.signal(kind, signal.SIG_DFL)  # nohup, which may run the tests, ignores SIGHUP
    try:
        with pytest.raises(KeyboardInterrupt), ends.interruptible():
            signal.raise_signal(kind)
        assert signal.getsignal(kind) == signal.SIG_DFL
    finally:
        signal.signal(kind, given)


@pytest.mark.parametrize(
    ("words", "found"),
    [("his", {"history"}), ("report ru", {"run-a.json"}), ("run --pe", {"--peer", "--peers"})],
)
def test_a_shell_completes_commands_options_and_runs(words, found, tmp_path):
    (tmp_path / "run-a.json").write_text("{}")
    done = subprocess.run(
        [sys.executable, "-c", "from codekem_evaluation.cli import app; "
         "app(prog_name='codekem-evaluation')"],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(paths.PACKAGE.parent),
            "_CODEKEM_EVALUATION_COMPLETE": "complete_bash",
            "COMP_WORDS": f"codekem-evaluation {words}",
            "COMP_CWORD": str(len(words.split())),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )  # fmt: skip
    assert set(done.stdout.split()) == found


def test_version_is_printed():
    done = command("--version")
    assert done.stdout.startswith("codekem-evaluation ") and done.returncode == 0


def test_a_log_says_how_much_time_is_left(tmp_path, monkeypatch):
    now = iter(range(0, 10000, 10))
    monkeypatch.setattr(live.time, "monotonic", lambda: next(now))
    with (tmp_path / "log").open("w") as file:
        screen = live.Screen(Console(file=file, width=100))
        for done, text in [(0, "round 1 of 3: a"), (1, "round 2 of 3: a"), (2, "round 3 of 3: a")]:
            screen.progress(done, 3, text)
        screen.progress(0, 500, "parts of HQC-1: a")
        screen.progress(1, 500, "parts of HQC-3: a")
    assert (tmp_path / "log").read_text().splitlines() == [
        "round 1 of 3",
        "round 2 of 3, 20 s left",
        "round 3 of 3, 10 s left",
        "parts of HQC-1",
        "parts of HQC-3, 83 minutes left",
    ]


def test_help_names_the_commands():
    done = command("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("run", "report", "compare", "trace"))


def test_runs_are_stored_where_make_clean_leaves_them(make_run):
    path = paths.RUNS / next(runner.names_of(make_run()))
    assert path == pathlib.Path(paths.ROOT) / "results" / "run-20260102T030405Z-full.json"


def test_screen_shows_medians_on_a_terminal_and_lines_in_a_log(tmp_path):
    subjects = [measure.Subject("HQC-1", name, None) for name in ("portable", "avx2")]
    batch = {"nanoseconds": {o: [1e6, 2e6, 3e6] for o in measure.OPERATIONS}, "cycles": None}
    for terminal in (True, False):
        with (tmp_path / "screen").open("w") as file:
            console = Console(file=file, width=100, force_terminal=terminal)
            with live.Screen(console) as screen:
                for number, subject in enumerate(subjects):
                    screen.taken(subject, batch)
                    screen.progress(number, 2, f"round 1 of 1: {subject.implementation}")
        shown = (tmp_path / "screen").read_text()
        if terminal:
            assert "Milliseconds of a whole exchange" in shown and "6" in shown and "avx2" in shown
        else:
            assert shown.splitlines() == ["round 1 of 1"]
