# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measuring: real programs, short; peers and tools that fail; interruption; the command."""

import dataclasses
import errno
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import typing

import pytest
from rich.console import Console

from codekem_base import ends
from codekem_base.errors import EvaluationError, Unavailable
from codekem_evaluation import (
    comparison,
    machine,
    measure,
    paths,
    peers,
    reporting,
    runner,
    sampler,
    store,
    tls,
)
from codekem_evaluation import kems as kem_list
from tests.mceliece_library import SETS

LONGEST_SECONDS = 600  # something hangs; on a busy machine all takes its time
SHORT = dataclasses.replace(measure.QUICK, rounds=2, milliseconds=1, most=3)


@pytest.fixture
def no_peers(monkeypatch):
    absent = [Unavailable("liboqs", "there is no cargo", "install Rust")]
    monkeypatch.setattr(peers, "found", lambda say: (None, absent))


@pytest.fixture
def short(monkeypatch, no_peers):
    monkeypatch.setattr(measure, "QUICK", SHORT)
    monkeypatch.setattr(tls, "CODEKEM", ["bikel1"])
    monkeypatch.setattr(tls, "OPENSSL", {"X25519": "", "nosuchgroup": "take another"})
    monkeypatch.setattr(tls, "SECONDS", {"quick": 0.05})


@pytest.fixture
def quiet():
    return Console(file=open(os.devnull, "w", encoding="utf-8"), width=200)


@pytest.fixture
def program(evaluation_build):
    return sampler.Sampler(evaluation_build)


# --- A run ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("every", [pytest.param(True, marks=pytest.mark.long), False])
def test_a_run_holds_everything_and_makes_a_report(
    every, short, evaluation_build, tmp_path, library, monkeypatch
):
    """Every KEM on every back end; in the quick tests, level 1 without the reference."""
    kems, backends, best = kem_list.listed(evaluation_build)
    if not every:
        kems = [kem for kem in kems if kem["level"] == 1]
        backends = [name for name in backends if name != "reference"]
        monkeypatch.setattr(kem_list, "listed", lambda _: (kems, backends, best))
    out = tmp_path / "run.json"
    with (tmp_path / "screen").open("w") as file:
        runner.run("quick", out, evaluation_build, console=Console(file=file, width=200))
    screen = (tmp_path / "screen").read_text()
    assert "not measured: liboqs: there is no cargo; install Rust" in screen.splitlines()
    run = store.read_run(out)
    assert run["complete"]
    known = [name for name, runs in library.backends().items() if runs]
    assert backends == (known if every else known[1:])
    names = {kem["name"] for kem in kems}
    current = [kem.name for kem in library.kems() if "-v" not in kem.name and kem.name in names]
    assert len(current) == (6 if every else 2)
    measured = {(t["kem"], t["implementation"]) for t in run["times"]}
    assert measured >= {(kem, backend) for kem in current for backend in backends}
    assert (f"BIKE-L{5 if every else 1}-v4.2-aes-bind", backends[-1]) in measured
    assert all(len(t["nanoseconds"]) == SHORT.rounds for t in run["times"])
    assert {(r["kem"], r["backend"]) for r in run["profile"]} == {
        *((kem, backend) for kem in current for backend in backends if backend != "reference"),
        *((kem, backends[-1]) for kem in SETS if kem.endswith("f") and kem in names),
    }
    assert [row["group"] for row in run["tls"]] == ["X25519", "bikel1"]
    assert {row["implementation"] for row in run["signatures"]} == set(backends) - {"reference"}
    assert any(
        line.startswith("not measured: TLS handshakes with nosuchgroup: ")
        for line in screen.splitlines()
    )
    assert {s["kem"] for s in run["stack"]} >= set(current)
    assert {c["part"] for c in run["code"]} >= {
        *("bike", "hqc", "gf2x", "keccak", "sparse", "base"),
        *("mceliece", "gf2m", "bitmatrix", "sort", "benes", "recurrence"),
    }
    assert len(run["clock"]["core_hz"]) == SHORT.rounds
    assert all(0 < hz < 1e10 for hz in run["clock"]["core_hz"])
    report = reporting.make(run, out)
    assert all(
        table.rows or table.key in ("flash", "peers")
        for section in report.sections
        for table in section.tables
    )


def test_unwritable_place_fails_before_anything_is_measured(
    short, evaluation_build, tmp_path, monkeypatch, quiet
):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(measure, "take_times", lambda *_: pytest.fail("measured"))
    with pytest.raises(EvaluationError, match="cannot write"):
        runner.run("quick", tmp_path / "file" / "run.json", evaluation_build, console=quiet)


def test_missing_build_is_a_clear_error(tmp_path, quiet):
    with pytest.raises(EvaluationError, match="make evaluate"):
        runner.run("quick", tmp_path / "run.json", tmp_path, console=quiet)


def test_interrupt_keeps_what_is_finished(short, evaluation_build, tmp_path, monkeypatch, quiet):
    order = measure.order_of
    calls = []

    def interrupted(subjects, round_number, seed):
        if round_number == 1:

            def stop(*_):
                calls.append(1)
                raise KeyboardInterrupt

            return [dataclasses.replace(subjects[0], take=stop)]
        return order(subjects, round_number, seed)

    monkeypatch.setattr(measure, "order_of", interrupted)
    with pytest.raises(SystemExit) as end:
        runner.run("quick", tmp_path / "run.json", evaluation_build, console=quiet)
    assert end.value.code == 130 and calls
    run = store.read_run(tmp_path / "run.json")
    assert not run["complete"]
    assert len(run["times"]) > 90
    assert all(len(t["nanoseconds"]) == 1 for t in run["times"])


@pytest.mark.long
def test_a_signal_ends_the_command_with_the_samples_stored(evaluation_build, tmp_path):
    """The real thing: SIGINT from outside, in the middle of a long run."""
    out = tmp_path / "run.json"
    log = tmp_path / "log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "codekem_evaluation",
                "run",
                "--quick",
                "--out",
                out,
                "--build",
                evaluation_build,
            ],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "PYTHONPATH": str(paths.PACKAGE.parent),
                "PATH": "/usr/bin:/bin",
                "CODEKEM_PEERS_BUILD": str(tmp_path / "peers"),
                "CARGO_NET_OFFLINE": "true",
            },
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        try:
            deadline = time.monotonic() + LONGEST_SECONDS
            while "round 2" not in log.read_text() and time.monotonic() < deadline:
                time.sleep(0.05)
                assert process.poll() is None, log.read_text()
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=LONGEST_SECONDS) == 130, log.read_text()
        finally:
            process.kill()
    run = store.read_run(out)
    assert not run["complete"] and run["times"]
    assert "interrupted" in log.read_text()


INTERRUPTIBLE = """
import sys
from codekem_base import ends
try:
    with ends.interruptible():
        print("measuring", flush=True)
        sys.stdin.read()
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    ("before", "kind", "end"),
    [
        (["nohup"], signal.SIGHUP, "finished"),
        (["sh", "-c", "trap '' TERM; exec \"$@\"", "sh"], signal.SIGTERM, "finished"),
        ([], signal.SIGHUP, "interrupted"),
        ([], signal.SIGTERM, "interrupted"),
    ],
)
def test_a_signal_that_was_ignored_at_the_start_stays_so(before, kind, end):
    """As nohup, a shell's trap or a batch system asks for."""
    with subprocess.Popen(
        [*before, sys.executable, "-c", INTERRUPTIBLE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(pathlib.Path(ends.__file__).parents[1])},
        preexec_fn=lambda: [
            signal.signal(each, signal.SIG_DFL) for each in (signal.SIGHUP, signal.SIGTERM)
        ],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "measuring\n"
        process.send_signal(kind)
        said, _ = process.communicate()
    assert said == f"{end}\n"


def test_a_subject_that_fails_is_one_line_and_the_rest_goes_on(program):
    def broken(*_):
        raise Unavailable("HQC-1 of somebody", "crashed", "report it")

    run: dict[str, typing.Any] = {
        "clock": {"core_hz": [], "cycles": None},
        "unavailable": [],
        "times": [],
        "waits": {"operations": 0, "waited": 0},
    }
    subjects = [
        measure.Subject("HQC-1", "somebody", broken),
        measure.Subject(
            "HQC-1", "portable", lambda ms, most: program.times("HQC-1", "portable", ms, most)
        ),
    ]
    measure.take_times(run, subjects, SHORT, program)
    assert run["unavailable"] == [
        {"what": "HQC-1 of somebody", "reason": "crashed", "remedy": "report it"}
    ]
    assert [t["implementation"] for t in run["times"]] == ["portable"] * 3


def test_order_is_random_and_turns_round():
    subjects = list(range(50))
    first, second, third = (measure.order_of(subjects, number, 1) for number in range(3))
    assert sorted(first) == subjects != first
    assert second == first[::-1]
    assert third not in (first, second)
    assert measure.order_of(subjects, 0, 1) == first  # the seed is stored: it can be repeated


KILLED = """
import pathlib, sys
from codekem_evaluation import runner
runner.KEEP_SECONDS = 0
runner.run("quick", pathlib.Path(sys.argv[1]), sys.argv[2], only=runner.Only(kems=("HQC-1",)))
"""


def test_a_killed_run_has_the_rounds_that_were_finished(evaluation_build, tmp_path):
    out, log = tmp_path / "run.json", tmp_path / "log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, out, evaluation_build],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "CODEKEM_PEERS_BUILD": str(tmp_path / "peers")},
        )
        try:
            deadline = time.monotonic() + LONGEST_SECONDS
            while "round 4" not in log.read_text() and time.monotonic() < deadline:
                time.sleep(0.02)
                assert process.poll() is None, log.read_text()
        finally:
            process.kill()
            process.wait()
    run = store.read_run(out)
    assert not run["complete"]
    assert min(len(cell["nanoseconds"]) for cell in run["times"]) >= 3
    assert {cell["kem"] for cell in run["times"]} == {"HQC-1"}


@pytest.mark.long
def test_a_run_that_finds_a_full_disk_is_kept_elsewhere(
    short, evaluation_build, tmp_path, monkeypatch, quiet
):
    full, spare = tmp_path / "full", tmp_path / "spare"
    spare.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spare))
    replace = os.replace

    def replaced(source, target):
        if pathlib.Path(target) == full / "run.json":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(runner, "KEEP_SECONDS", 0)
    only = runner.Only(kems=("HQC-1", "BIKE-L1"))
    with pytest.raises(EvaluationError, match=r"No space left.*this run is in"):
        runner.run("quick", full / "run.json", evaluation_build, console=quiet, only=only)
    run = store.read_run(spare / "run.json")
    assert run["complete"]
    assert [kem["name"] for kem in run["kems"]] == ["BIKE-L1", "HQC-1"]
    for part in ("times", "profile", "stack"):
        assert {row["kem"] for row in run[part]} == {"BIKE-L1", "HQC-1"}
    assert not run["tls"] and not run["signatures"]


def test_an_unknown_kem_is_refused_before_anything_is_measured(
    short, evaluation_build, tmp_path, monkeypatch, quiet
):
    monkeypatch.setattr(measure, "take_times", lambda *_: pytest.fail("measured"))
    only = runner.Only(kems=("HQC-1", "HQC-2"))
    with pytest.raises(EvaluationError, match="no KEM HQC-2 here; there are BIKE-L1, "):
        runner.run("quick", tmp_path / "r.json", evaluation_build, console=quiet, only=only)


@pytest.mark.parametrize("name", ["cpu_capacity", "cpufreq/cpuinfo_max_freq"])
def test_the_last_of_the_fastest_cores_is_taken(name, tmp_path, monkeypatch):
    for core, speed in enumerate((1024, 1024, 400)):
        (tmp_path / f"cpu{core}" / name).parent.mkdir(parents=True)
        (tmp_path / f"cpu{core}" / name).write_text(f"{speed}\n")
    whole = machine.share_of_fastest
    monkeypatch.setattr(machine, "share_of_fastest", lambda *pair: whole(*pair, tmp_path))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    assert sampler.default_core() == 1
    assert machine.share_of_fastest(2, (0, 1)) == 0.391
    (tmp_path / "cpu1" / name).unlink()  # the system does not tell: the last one
    assert machine.share_of_fastest(2, (0, 1)) is None and sampler.default_core() == 2


@pytest.mark.long
def test_two_runs_agree_within_their_intervals(evaluation_build, program, make_run):
    """The promise behind `compare`; the clock of the core is taken out, neighbours are not."""
    settings = dataclasses.replace(SHORT, rounds=15, milliseconds=30, most=200)
    names = [("BIKE-L1", "portable"), ("HQC-1", "portable"), ("BIKE-L3", "portable")]
    subjects = [
        measure.Subject(
            kem,
            backend,
            lambda ms, most, kem=kem, backend=backend: program.times(kem, backend, ms, most),
        )
        for kem, backend in names
    ]
    runs = []
    for _ in range(2):
        run = make_run() | {"times": [], "waits": {"operations": 0, "waited": 0}}
        run["clock"] = run["clock"] | {"core_hz": []}
        with sampler.pinned(sampler.default_core()):
            measure.take_times(run, subjects, settings, program)
        runs.append(run)
    verdicts = [row[-1].text for row in comparison.compare(runs[0], runs[1], core_cycles=True).rows]
    assert len(verdicts) == 12
    assert verdicts.count("no difference seen") >= 9, verdicts
