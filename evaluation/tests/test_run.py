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

# NIST's functions over codekem's own, as a peer that is a shared library; each decapsulation leaves
# a byte in the file that PEER_LOG names.
SHIM = """
#include <stdio.h>
#include <stdlib.h>
#include "codekem.h"
static const codekem_kem *kem(void) { return codekem_kem_find("HQC-1"); }
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
  return codekem_kem_keypair(kem(), pk, sk);
}
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
  return codekem_kem_encaps(kem(), ct, ss, pk);
}
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  FILE *log = fopen(getenv("PEER_LOG"), "a");
  fputc('d', log);
  fclose(log);
  return codekem_kem_decaps(kem(), ss, ct, sk);
}
"""

# Clocks that go on by a fixed step with each reading, to put in front of the system's.
CLOCKS = """
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *t) {
  static long elapsed, processor;
  long *now = clock == CLOCK_THREAD_CPUTIME_ID ? &processor : &elapsed;
  *now += atol(getenv(now == &processor ? "PROCESSOR_STEP" : "ELAPSED_STEP"));
  t->tv_sec = *now / 1000000000;
  t->tv_nsec = *now % 1000000000;
  return 0;
}
"""


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
    with pytest.raises(EvaluationError, match="No space left.*this run is in"):
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


# --- The sampler ----------------------------------------------------------------------------------


def test_sampler_takes_no_more_than_it_is_told(program):
    batch = program.times("HQC-1", "portable", 1e6, 5)
    assert {len(batch["nanoseconds"][o]) for o in measure.OPERATIONS} == {5}
    assert len(program.times("BIKE-L1", "portable", 0.001, 50)["nanoseconds"]["keygen"]) == 1


@pytest.mark.parametrize(
    ("elapsed", "processor", "waited", "taken"),
    [
        (1_000_000, 30_000, 3, 30_000),  # off the processor most of the time: its own time counts
        (110_000, 90_001, 0, 110_000),  # 20 microseconds may be the clocks themselves
        (110_002, 90_001, 3, 90_001),
    ],
)
def test_waiting_for_the_processor_is_not_counted(
    elapsed, processor, waited, taken, program, tmp_path, monkeypatch
):
    """With clocks that say how long an operation took, and how long it had the processor."""
    (tmp_path / "clocks.c").write_text(CLOCKS)
    subprocess.run(
        ["gcc", "-shared", "-fPIC", tmp_path / "clocks.c", "-o", tmp_path / "clocks.so"], check=True
    )
    monkeypatch.setenv("LD_PRELOAD", str(tmp_path / "clocks.so"))
    monkeypatch.setenv("ELAPSED_STEP", str(elapsed))
    monkeypatch.setenv("PROCESSOR_STEP", str(processor))
    batch = program.times("HQC-1", "portable", 1e6, 1)
    assert batch["waited"] == waited
    assert batch["nanoseconds"] == {operation: [taken] for operation in measure.OPERATIONS}


def test_stack_agrees_with_the_stated_workspace(program, library):
    kem = next(kem for kem in library.kems() if kem.name == "BIKE-L1")
    stack = program.stack("BIKE-L1", "portable")
    assert 0 < stack["decaps"] - kem.length_decaps_workspace < 13 * 1024
    assert 0 < stack["keygen"] - kem.length_keypair_workspace < 13 * 1024


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("HQC-2", "portable", 1, 1), "no such KEM"),
        (("HQC-1", "vax", 1, 1), "lacks that back end"),
        (("HQC-1", "./none.so", 1, 1), "none.so"),
        (("HQC-1", "portable", 0, 1), "MILLISECONDS must be"),
    ],
)
def test_sampler_says_what_is_wrong(program, arguments, message):
    with pytest.raises(Unavailable, match=message):
        program.times(*arguments)


def test_a_shared_library_is_measured_as_a_peer(
    program, evaluation_build, tmp_path, root, make_run, monkeypatch
):
    (tmp_path / "shim.c").write_text(SHIM)
    shim = tmp_path / "libshim.so"
    subprocess.run(
        [
            "gcc",
            "-shared",
            "-fPIC",
            f"-I{root / 'include'}",
            tmp_path / "shim.c",
            "-o",
            shim,
            f"-L{evaluation_build}",
            "-lcodekem",
            f"-Wl,-rpath,{evaluation_build}",
        ],
        check=True,
    )
    run = make_run()
    (subject,) = peers.shared_libraries(program, run, [f"theirs:HQC-1={shim}"])
    assert run["implementations"][-1]["name"] == "theirs"
    monkeypatch.setenv("PEER_LOG", str(tmp_path / "log"))
    batch = subject.take(1e6, 20)
    assert {len(batch["nanoseconds"][o]) for o in measure.OPERATIONS} == {20}
    assert (tmp_path / "log").stat().st_size == 21  # the first exchange warms the caches
    for wrong, message in [
        ("x", "write NAME"),
        (f"a:HQC-9={shim}", "has no HQC-9"),
        ("a:HQC-1=/none.so", "there is no /none.so"),
    ]:
        with pytest.raises(EvaluationError, match=message):
            peers.shared_libraries(program, run, [wrong])


# A peer of HQC-1 that keeps the rules, or breaks one of them.
RULES = """
#include <stdio.h>
#include <string.h>
#include "codekem.h"
#if CASE == 1
int randombytes(unsigned char *bytes, unsigned long long length);
#endif
static const codekem_kem *kem(void) { return codekem_kem_find("HQC-1"); }
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {
#if CASE == 1
  unsigned char bytes[3000] = {0};
  randombytes(bytes, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes - 16; i += 16) {
    if (memcmp(bytes + i, bytes + i + 16, 16) == 0) return 1;
  }
#endif
#if CASE == 2
  puts("{\\"key pair\\": made}");
#endif
#if CASE == 3
  memset(pk, 1, kem()->length_public_key + 40);
#endif
#if CASE == 4
  memset(pk, 1, (size_t)1 << 40);
#endif
  return codekem_kem_keypair(kem(), pk, sk);
}
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) {
#if CASE == 5
  memset(ct, 1, kem()->length_ciphertext + 1);
#endif
  return codekem_kem_encaps(kem(), ct, ss, pk);
}
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) {
  return codekem_kem_decaps(kem(), ss, ct, sk);
}
"""


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (1, None),  # it takes the program's random bytes
        (2, None),  # it prints
        (3, "it wrote 2281 bytes of a public key, codekem's has 2241"),
        (4, "was ended by SIGSEGV"),
        (5, "it wrote 4434 bytes of a ciphertext, codekem's has 4433"),
    ],
)
def test_what_a_library_may_do_and_what_not(
    case, reason, program, evaluation_build, root, tmp_path, make_run
):
    (tmp_path / "peer.c").write_text(RULES)
    command = f"gcc -shared -fPIC -DCASE={case} -I{root}/include peer.c -o peer.so"
    command += f" -L{evaluation_build} -lcodekem -Wl,-rpath,{evaluation_build}"
    subprocess.run(command.split(), cwd=tmp_path, check=True)
    run = make_run()
    pair = f"mine@1.2:HQC-1={tmp_path / 'peer.so'}@portable"
    (subject,) = peers.shared_libraries(program, run, [pair])
    assert run["implementations"][-1] == {
        "name": "mine", "kind": "peer", "version": "1.2", "code": {"HQC-1": "portable"},
    }  # fmt: skip
    if reason is None:
        assert len(subject.take(1e6, 5)["nanoseconds"]["decaps"]) == 5
        return
    with pytest.raises(Unavailable) as error:
        subject.take(1e6, 5)
    assert error.value.reason == reason
    assert error.value.what == f"HQC-1 of mine, {tmp_path / 'peer.so'}"
    assert error.value.remedy == "'codekem-evaluation peers' says what a library must have"


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
