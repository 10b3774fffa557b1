# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The failure-rate campaign: its decoder, its seeds, how it resumes, the command and its page."""

import concurrent.futures
import contextlib
import hashlib
import itertools
import json
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import sys
import time

import numpy as np
import pytest
from typer.testing import CliRunner

from codekem_base import markdown
from codekem_base.errors import EvaluationError
from codekem_lab import campaigns, dfr_campaign, dfr_report, dfr_worker, sources
from codekem_lab.cli import app
from codekem_lab.dfr_worker import Point
from tools import known_answers

SEED = "5eed" * 16
LONGEST_SECONDS = 600  # something hangs; on a busy machine all takes its time
LEVELS = {"BIKE-L1": (1, 12323, 71), "BIKE-L3": (3, 24659, 103), "BIKE-L5": (5, 40973, 137)}


# --- The decoder ---------------------------------------------------------------------------------


def failed(dfr_program, point, backend, first, count, seed=SEED):
    """Returns (number of failures, the first of them) of a batch."""
    found = dfr_worker.run_batch(dfr_program, point, seed, backend, first, count)
    assert (found["first"], found["decodings"]) == (first, count)
    return found["failures"], found["failed"]


def cases_of(kem):
    return [
        case for case in known_answers.read_json("bike", "decoder")["cases"] if case["kem"] == kem
    ]


def positions(element):
    return [j for j, bit in enumerate(reversed(f"{element:b}")) if bit == "1"]


def rotated(a, k, r):
    return (a << k | a >> (r - k)) & ((1 << r) - 1)


@pytest.mark.parametrize("backend", ["public", "best"])
@pytest.mark.parametrize("kem", LEVELS)
def test_decoder_is_that_of_decaps_on_the_stress_vectors(dfr_program, internals, kem, backend):
    """Many and structured errors at the real r: the error found is the published one, and decaps of
    the library gives the published secret for the same ciphertext."""
    level, r, d = LEVELS[kem]
    ring = internals.ring(r)
    records = known_answers.read_records(kem)
    cases = cases_of(kem)[:: 1 if kem == "BIKE-L1" else 6]
    lines = []
    for case in cases:
        record = records[case["record"]]
        words = np.frombuffer(record["sk"][: 8 * d], dtype="<u4")
        h0 = sum(1 << int(p) for p in words[:d])
        if "flip_ct_bits" in case:
            ciphertext = known_answers.flip_bits(record["ct"], case["flip_ct_bits"])
        else:
            h = int.from_bytes(record["pk"], "little")
            c0 = 0
            for p in case["error_positions"]:
                c0 ^= 1 << p if p < r else rotated(h, p - r, r)
            ciphertext = c0.to_bytes(ring.bytes, "little") + bytes(32)
        syndrome = positions(
            internals.mul(ring, internals.decode(ring, ciphertext[: ring.bytes]), h0)
        )
        lines.append(" ".join(map(str, [*words, len(syndrome), *syndrome])))
        assert internals.decaps(internals.kem(kem), ciphertext, record["sk"]).hex() == case["ss"]
    point = Point(level, r, {1: 134, 3: 199, 5: 264}[level])
    found = dfr_worker.call(
        dfr_program, "decode", *point.settings(SEED, backend), text="\n".join(lines)
    ).splitlines()
    for case, line in zip(cases, found, strict=True):
        e = [0, 0]
        for p in map(int, line.split()):
            e[p // r] |= 1 << (p % r)
        encoded = b"".join(half.to_bytes(ring.bytes, "little") for half in e)
        assert hashlib.sha256(encoded).hexdigest() == case["e_sha256"], case["what"]


@pytest.mark.parametrize("r", [9805, 9857])
def test_kernels_for_any_r_agree_with_the_reference(dfr_program, r):
    """At rates where about half of the decodings fail, the same ones fail."""
    point = Point(1, r, 137)
    ours, reference = (
        failed(dfr_program, point, backend, 0, 40) for backend in ("public", "reference")
    )
    assert ours == reference
    assert ours[0] > 5 or r > 9850


def test_kernels_for_any_r_agree_with_every_back_end(dfr_program, fast_backend_name):
    point = Point(1, 12323, 166)
    ours, theirs = (
        failed(dfr_program, point, backend, 0, 300) for backend in ("public", fast_backend_name)
    )
    assert ours == theirs
    assert 5 < ours[0] < 295


def test_threshold_changes_the_result(dfr_program):
    point, lower = Point(1, 9901, 134), Point(1, 9901, 134, threshold=(10.0, 0.0069722))
    given = Point(1, 9901, 134, threshold=(13.530, 0.0069722))
    stream = {p: p.stream(SEED) for p in (point, lower, given)}
    results = [
        json.loads(
            dfr_worker.call(
                dfr_program, "run", *p.settings(SEED, "public")[:-1], stream[point], 0, 2000
            )
        )["failed"]
        for p in (point, given, lower)
    ]
    assert results[0] == results[1] != results[2]


# --- Seeds ---------------------------------------------------------------------------------------


def test_pieces_are_the_whole(dfr_program):
    point = Point(1, 9803, 134)
    whole = failed(dfr_program, point, "auto", 0, 3000)
    assert whole == failed(dfr_program, point, "auto", 0, 3000)
    pieces = [failed(dfr_program, point, "auto", first, 1000) for first in (2000, 0, 1000)]
    assert whole[0] == sum(count for count, _ in pieces) > 0
    assert whole[1] == sorted(itertools.chain(*(listed for _, listed in pieces)))[:100]
    assert failed(dfr_program, point, "auto", 0, 3000, "ab" * 32) != whole


# --- Campaigns -----------------------------------------------------------------------------------

SETTINGS = {"seed": SEED, "batch": 500, "decodings": 3200, "failures": 150, "backend": "auto"}
POINTS = [Point(1, 9803, 134), Point(1, 9901, 134), Point(1, 9901, 134, "multiplicity", 30)]


def totals(campaign):
    return [
        {name: row[name] for name in ("batches", "decodings", "failures", "failed", "finished")}
        for row in campaign["points"]
    ]


@pytest.fixture(scope="module")
def uninterrupted(dfr_program, tmp_path_factory):
    """A campaign on one worker, and its file."""
    path = tmp_path_factory.mktemp("dfr") / "whole.json"
    campaign = dfr_campaign.new_campaign("BIKE-L1", dfr_program, POINTS, SETTINGS)
    dfr_campaign.run(campaign, path, dfr_program, dfr_campaign.local_workers(1))
    return campaign, path


def test_campaign_follows_its_schema_and_rules(uninterrupted):
    campaign, path = uninterrupted
    assert dfr_campaign.read(path) == campaign
    assert campaign["complete"]
    first, second, weak = campaign["points"]
    assert first["failures"] >= 150 and first["decodings"] < 3200  # ended by its failures
    assert second["decodings"] == 3500  # ended by its decodings, in whole batches
    assert weak["failures"] > 0 and weak["waiting"] == {}


@pytest.mark.parametrize("after", [1, 4])
def test_interrupted_campaign_goes_on_to_the_same_totals(
    dfr_program, uninterrupted, tmp_path, after
):
    path = tmp_path / "campaign.json"
    campaign = dfr_campaign.new_campaign("BIKE-L1", dfr_program, POINTS, SETTINGS)
    seen = []

    def interrupt(found):
        # It is also called while nothing is finished, on a busy machine.
        seen.extend([1] * any(row["batches"] or row["waiting"] for row in found["points"]))
        if len(seen) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dfr_campaign.run(campaign, path, dfr_program, dfr_campaign.local_workers(3), interrupt)
    stored = dfr_campaign.read(path)
    assert not stored["complete"]
    assert sum(row["batches"] + len(row["waiting"]) for row in stored["points"]) > 0
    again = dfr_campaign.resume(
        path, dfr_campaign.new_campaign("BIKE-L1", dfr_program, POINTS, SETTINGS)
    )
    dfr_campaign.run(again, path, dfr_program, dfr_campaign.local_workers(2))
    assert totals(again) == totals(uninterrupted[0])


def test_dask_gives_the_same_totals(dfr_program, uninterrupted, tmp_path):
    path = tmp_path / "campaign.json"
    campaign = dfr_campaign.new_campaign("BIKE-L1", dfr_program, POINTS, SETTINGS)
    dfr_campaign.run(campaign, path, dfr_program, dfr_campaign.dask_workers("local:2"))
    assert totals(campaign) == totals(uninterrupted[0])


def fake_program(folder, rate):
    """Returns a program that fails with a known probability, in the manner of codekem_dfr."""
    path = folder / "fake"
    path.write_text(f"""#!{sys.executable}
import json, random, sys
first, count = map(int, sys.argv[-2:])
failed = [i for i in range(first, first + count)
          if random.Random(f"{{sys.argv[-3]}} {{i}}").random() < {rate}]
print(json.dumps({{"first": first, "decodings": count, "failures": len(failed), "failed": failed,
                   "seconds": 0.0}}))
""")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_known_failure_probability_comes_out(dfr_program, tmp_path):
    rate = 0.013
    campaign = dfr_campaign.new_campaign(
        "BIKE-L1",
        dfr_program,
        [Point(1, 9803, 134)],
        {"seed": SEED, "batch": 4000, "decodings": 20000, "failures": None, "backend": "auto"},
    )
    dfr_campaign.run(
        campaign, tmp_path / "c.json", fake_program(tmp_path, rate), dfr_campaign.local_workers(2)
    )
    (row,) = dfr_report.rows(campaign)
    assert row["decodings"] == 20000
    assert row["low"] < rate < row["high"] < 1.3 * rate


def test_failing_worker_keeps_what_is_finished(dfr_program, tmp_path):
    bad = tmp_path / "bad"
    bad.write_text(
        "#!/bin/sh\neval first=\\${$(($# - 1))}\n"
        f'[ $first = 3000 ] || exec {dfr_program} "$@"\n'
        "echo 'bad: no more memory' >&2\nexit 1\n"
    )
    bad.chmod(0o755)
    campaign = dfr_campaign.new_campaign("BIKE-L1", dfr_program, [Point(1, 9901, 134)], SETTINGS)
    path = tmp_path / "c.json"
    with pytest.raises(EvaluationError, match="bad: no more memory"):
        dfr_campaign.run(campaign, path, bad, dfr_campaign.local_workers(1))
    assert (
        dfr_campaign.read(path)["points"][0]["decodings"] == 3000
    )  # all but the batch that failed


def test_results_beside_a_failure_are_added():
    futures = [concurrent.futures.Future() for _ in range(3)]
    futures[0].set_result("first")
    futures[1].set_exception(EvaluationError("no more memory"))
    futures[2].set_result("third")
    added = []
    with pytest.raises(EvaluationError, match="no more memory"):
        dfr_campaign.collect(
            {future: (0, number) for number, future in enumerate(futures)},
            {"points": []},
            lambda _, number, result: added.append((number, result)),
        )
    assert sorted(added) == [(0, "first"), (2, "third")]


# --- The command ---------------------------------------------------------------------------------


def run_command(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_command_writes_campaign_plot_and_words(dfr_folder, tmp_path):
    out = tmp_path / "campaign.json"
    arguments = [
        "--build",
        dfr_folder,
        "--r",
        "9780:9860:20",
        "--r",
        12323,
        "--decodings",
        2000,
        "--batch",
        1000,
        "--weak",
        "multiplicity:38",
        "--seed",
        SEED,
        "--out",
        out,
    ]
    done = run_command(*arguments)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "campaign.svg").read_text().startswith("<svg")
    for words in [
        "decodings of BIKE-L1 at",
        "At the specification's r = 12,323, 0 of 2,000",
        "The line through the last 3 points",
        "Keys of class multiplicity 38",
    ]:
        assert words in done.output
    first = json.loads(out.read_text())
    again = run_command(*arguments[:-4], "--out", out)  # without the seed: the file has it
    assert again.exit_code == 0, again.output
    assert totals(json.loads(out.read_text())) == totals(first)
    shown = run_command("report", out, "--plot", tmp_path / "plot.png")
    assert shown.exit_code == 0 and (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert shown.stdout.splitlines()[:8] == done.stdout.splitlines()[:8]


def test_what_is_lost_with_a_worker_is_handed_out_again():
    """Dask gives up a batch whose workers were killed several times, though others are well."""
    failures = {(0, 1): 2}

    def submit(executor, job):
        future = concurrent.futures.Future()
        if failures.get(job, 0):
            failures[job] -= 1
            future.set_exception(concurrent.futures.CancelledError())
        else:
            future.set_result(job)
        return future

    def hand_out():
        jobs, added = iter([(0, 0), (0, 1), (0, 2)]), []
        workers = contextlib.nullcontext((None, 2))
        campaign = {"points": [{"finished": False}]}
        dfr_campaign.hand_out(
            *(workers, campaign, lambda: next(jobs, None), submit),
            *(lambda i, number, _: added.append(number), lambda: None),
        )
        return added

    assert sorted(hand_out()) == [0, 1, 2]
    failures[0, 1] = dfr_campaign.TRIES
    with pytest.raises(EvaluationError, match="the same command goes on"):
        hand_out()


def test_a_cluster_that_is_gone_is_one_line(dfr_program, tmp_path):
    @contextlib.contextmanager
    def gone():
        executor = concurrent.futures.ThreadPoolExecutor(1)
        executor.shutdown()
        yield executor, 1

    campaign = dfr_campaign.new_campaign("BIKE-L1", dfr_program, [Point(1, 9901, 134)], SETTINGS)
    with pytest.raises(EvaluationError, match="the cluster was lost") as error:
        dfr_campaign.run(campaign, tmp_path / "c.json", dfr_program, gone())
    assert len(str(error.value).splitlines()) == 1
    assert dfr_campaign.read(tmp_path / "c.json")["points"][0]["decodings"] == 0


def test_more_failures_than_decodings_are_refused(dfr_program, tmp_path):
    campaign = dfr_campaign.new_campaign("BIKE-L1", dfr_program, [Point(1, 9901, 134)], SETTINGS)
    campaign["points"][0]["failures"] = 1
    (tmp_path / "c.json").write_text(json.dumps(campaign))
    with pytest.raises(EvaluationError, match="point 0: 1 failures of 0 decodings"):
        dfr_campaign.read(tmp_path / "c.json")


def test_every_object_of_the_program_is_under_the_hash(dfr_folder, root):
    """What decides a count: the library as well as the program."""
    linked = [
        path.relative_to(folder).as_posix().removesuffix(".o")
        for name in ("codekem_objects", "codekem_dfr_objects", "codekem_dfr")
        for folder in dfr_folder.rglob(f"{name}.dir")
        for path in folder.rglob("*.o")
    ]
    hashed = {
        path.relative_to(root).as_posix() for pattern in sources.DFR for path in root.glob(pattern)
    }
    assert len(linked) > 50
    left_out = [
        name for name in linked if not any(path.endswith(f"/{name.split('/', 1)[-1]}")
                                           or path == name for path in hashed)
    ]  # fmt: skip
    assert [name for name in left_out if not name.endswith("made_from.c")] == []


def running(program):
    """Returns the processes of a program that are there."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if path.read_bytes().split(b"\0")[0] == str(program).encode():
                found.append(path.parent.name)
    return found


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_a_campaign_leaves_no_program_that_goes_on(end, dfr_folder, tmp_path):
    """Of a batch that would take hours."""
    program = tmp_path / "bin" / "codekem_dfr"
    shutil.copytree(dfr_folder / "bin", tmp_path / "bin")
    script = (
        "import sys, signal; from codekem_lab import dfr, paths\n"
        "dfr.build = lambda folder, *names: [folder / 'bin' / name for name in names]\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from codekem_lab import cli; cli.main()"
    )
    arguments = ["--r", "9901", "--batch", "1000000000", "--decodings", "1000000000", "--jobs", "1"]
    arguments += ["--failures", "0", "--build", tmp_path, "--out", tmp_path / "c.json"]
    with subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: [signal.signal(kind, signal.SIG_DFL) for kind in (1, 2, 15)],
    ) as process:
        deadline = time.monotonic() + LONGEST_SECONDS
        batches = []
        while not batches and time.monotonic() < deadline:
            time.sleep(0.1)
            batches = [
                pid for pid in running(program)
                if b"1000000000" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            ]  # fmt: skip
        process.send_signal(end)
        errors = process.communicate()[1]
    while running(program) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert running(program) == []
    if end == signal.SIGKILL:
        assert process.returncode == -end
    else:
        assert process.returncode == 130 and "The same command goes on" in errors


def test_ctrl_c_keeps_finished_batches(dfr_folder, tmp_path):
    out = tmp_path / "campaign.json"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "codekem_lab",
            "--build",
            dfr_folder,
            "--r",
            "9901",
            "--decodings",
            "1000000000",
            "--failures",
            "0",
            "--batch",
            "500",
            "--out",
            out,
            "--jobs",
            "1",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests may ignore the signal, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        deadline = time.monotonic() + LONGEST_SECONDS
        while not out.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=LONGEST_SECONDS)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert "The same command goes on" in errors
    stored = dfr_campaign.read(out)
    assert stored["points"][0]["decodings"] > 0 and not stored["complete"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kem", "HQC-1"], "HQC-1 decodes the inner one; --r, --weak"),
        (["--kem", "ML-KEM"], "there is no campaign for 'ML-KEM'; give --kem BIKE-L1"),
        (["--r", "x"], "'x' is not a block length r; give a number, or FIRST:LAST:STEP"),
        (["--r", "10000"], "r must be odd"),
        (["--r", "9900:9800:10"], "give FIRST:LAST:STEP, with FIRST up to LAST"),
        (["--weak", "heavy:3"], "'heavy:3' is not a class of keys; give NAME:PARAMETER"),
        (["--weak", "multiplicity:71"], "the multiplicity must be below the weight of h0"),
        (["--weak", "near-codeword:99"], "must not be above the weight of h0"),
        (["--threshold", "high"], "'high' is not a threshold; give spec, or CONSTANT,SLOPE"),
        (["--threshold", "13.53,1.5"], "'13.53,1.5' is not a threshold; give spec"),
        (["--threshold", "13.53,0.007,36"], "'13.53,0.007,36' is not a threshold; give spec"),
        (["--seed", "1"], "'1' is not a seed; give 64 hexadecimal digits"),
        (["--backend", "sse9", "--r", "12323"], "no such back end: 'sse9'"),
        (["--backend", "portable", "--r", "9803"], "use the back end public"),
        (["--dask", "local:x"], "local: is followed by a number of workers"),
        (["--out", "/proc/x/c.json"], "cannot write /proc/x"),
        (["--build", "/nonexistent"], "/nonexistent is not a build folder"),
    ],
)
def test_errors_say_what_to_do(dfr_folder, tmp_path, arguments, message):
    done = run_command(
        "--build",
        dfr_folder,
        "--r",
        "9901",
        "--decodings",
        10,
        "--out",
        tmp_path / "c.json",
        *arguments,
    )
    assert done.exit_code != 0
    assert isinstance(done.exception, EvaluationError), done.output
    assert message in str(done.exception)


def test_another_campaign_is_not_overwritten(dfr_folder, uninterrupted, tmp_path):
    out = tmp_path / "c.json"
    text = uninterrupted[1].read_text()
    for changed, message in [
        (["--seed", "ab" * 32], "holds a campaign with seed"),
        (["--batch", "7"], "holds a campaign with batch 500, not 7"),
        (["--kem", "BIKE-L3"], "holds a campaign with another kem"),
    ]:
        out.write_text(text)
        done = run_command(
            "--build",
            dfr_folder,
            "--r",
            "9901",
            "--decodings",
            10,
            "--batch",
            500,
            "--out",
            out,
            *changed,
        )
        assert isinstance(done.exception, EvaluationError)
        assert message in str(done.exception)
        assert out.read_text() == text
    for broken, message in [
        ("{", "is not JSON"),
        ("{}", "is not a campaign of this version"),
        (text.replace('"complete"', '"compleat"'), "does not follow the schema"),
    ]:
        out.write_text(broken)
        done = run_command("report", out)
        assert isinstance(done.exception, EvaluationError)
        assert message in str(done.exception)


def test_program_refuses_bad_settings(dfr_program):
    good = Point(1, 9803, 134).settings(SEED, "public")
    for index, value, message in [
        (1, "2", "the level is 1, 3 or 5"),
        (2, "9804", "r must be odd"),
        (2, "99999", "r must be a number"),
        (3, "0", "weight of the errors"),
        (4, "1;2", "the threshold is spec or"),
        (5, "odd", "no such class"),
        (7, "00", "the seed has 64"),
    ]:
        bad = [*good[:index], value, *good[index + 1 :]]
        with pytest.raises(EvaluationError, match=message):
            dfr_worker.call(dfr_program, "run", *bad, 0, 1)


def test_random_numbers_of_python_are_not_used():
    """The random state of this process does not matter: everything comes from the seed."""
    random.seed(1)
    first = Point(1, 9803, 134).stream(SEED)
    random.seed(2)
    assert first == Point(1, 9803, 134).stream(SEED) != Point(1, 9901, 134).stream(SEED)


# --- The page about it ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["BIKE-L1", "BIKE-L1-weak", "HQC-1", "HQC-3", "HQC-5"])
def test_page_shows_the_stored_campaigns(root, name):
    campaign = dfr_campaign.checked(campaigns.kept(dfr_campaign)[name], name)
    page = " ".join(
        (root / "docs" / "results" / "decoding-failures.md").read_text().split()
    )  # `make format` wraps lines
    fits = dfr_report.extrapolations(campaign)
    lines = markdown.of(dfr_report.table(name, campaign))
    for line in lines + dfr_report.sentences(campaign, fits):
        assert " ".join(line.split()) in page
    assert campaign["settings"]["seed"] in page


@pytest.mark.parametrize("name", ["BIKE-L1", "BIKE-L1-weak"])
def test_stored_failures_can_be_made_again(dfr_program, name):
    """The first failure of each point of the stored campaign fails here, too."""
    campaign = campaigns.kept(dfr_campaign)[name]
    seed = campaign["settings"]["seed"]
    again = [
        dfr_worker.run_batch(
            dfr_program, dfr_campaign.point_of(row), seed, row["backend"], row["failed"][0], 1
        )["failures"]
        for row in campaign["points"]
        if row["failed"]
    ]
    assert again == [1] * len(again) and len(again) >= 6
