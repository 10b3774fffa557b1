# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem speed: what it prints is complete and consistent; how fast anything is, is not judged."""

import json
import platform
import re

import pytest

OPERATIONS = ["keygen", "encaps", "decaps"]
QUICK = ["--seconds", "0.01"]


def test_json_has_exactly_the_documented_form(succeed):
    done = succeed("speed", "--json", *QUICK, text=True)
    document = json.loads(done.stdout)
    assert list(document) == ["machine", "results"]
    kems = [
        kem["name"]
        for kem in json.loads(succeed("list", "--json").stdout)["kems"]
        if not kem["legacy"] and "warning" not in kem
    ]
    backend = json.loads(succeed("list", "--json").stdout)["backend"]
    assert [(r["kem"], r["operation"]) for r in document["results"]] == [
        (kem, operation) for kem in kems for operation in OPERATIONS
    ]
    for result in document["results"]:
        assert list(result) == [
            "kem",
            "backend",
            "operation",
            "samples",
            "median_us",
            "median_cycles",
            "p25_us",
            "p75_us",
        ]
        assert result["backend"] == backend
        assert isinstance(result["samples"], int) and result["samples"] >= 3
        assert 0 < result["p25_us"] <= result["median_us"] <= result["p75_us"]


def test_machine_is_described(succeed):
    machine = json.loads(succeed("speed", "--json", "--kem", "BIKE-L1", *QUICK).stdout)["machine"]
    assert list(machine) == [
        "cpu",
        "architecture",
        "features",
        "logical_cpus",
        "governor",
        "tsc_hz",
        "os",
        "kernel",
        "compiler",
        "build_type",
        "codekem",
    ]
    assert machine["architecture"] == platform.machine()
    assert machine["kernel"] == f"{platform.system()} {platform.release()}"
    assert machine["codekem"] == succeed("--version", text=True).stdout.split()[1]


def test_cycles_and_microseconds_agree(succeed):
    document = json.loads(succeed("speed", "--json", "--kem", "BIKE-L1", *QUICK).stdout)
    rate = document["machine"]["tsc_hz"]
    if platform.machine() not in ("x86_64", "i686"):
        assert rate is None
        assert all(result["median_cycles"] is None for result in document["results"])
        return
    assert 1e7 < rate < 1e11
    for result in document["results"]:  # the same unit; how exactly depends on what else runs
        assert 0.2 < result["median_cycles"] / rate * 1e6 / result["median_us"] < 5


def test_time_bounds_the_samples(succeed):
    """A millisecond ends before one slow operation; half a second is enough for many fast ones."""

    def samples(kem, backend, seconds):
        text = succeed(
            "speed", "--json", "--kem", kem, "--backend", backend, "--seconds", seconds
        ).stdout
        return json.loads(text)["results"][2]["samples"]

    assert samples("BIKE-L1", "reference", "0.001") == 3  # the least
    assert samples("HQC-1", "portable", "0.5") > 3


def test_back_ends_may_be_chosen(succeed):
    text = succeed(
        "speed",
        "--json",
        "--kem",
        "BIKE-L1",
        "--backend",
        "reference",
        "--backend",
        "portable",
        *QUICK,
    ).stdout
    assert [result["backend"] for result in json.loads(text)["results"]] == (
        ["reference"] * 3 + ["portable"] * 3
    )


def test_table_shows_what_the_json_holds(succeed):
    text = succeed("speed", "--kem", "BIKE-L1", *QUICK, text=True).stdout
    machine, empty, header, *lines = text.splitlines()
    assert machine.startswith("codekem ") and not empty
    assert re.split(r"\s{2,}", header.strip()) == [
        "KEM",
        "operation",
        "back end",
        "per second",
        "median µs",
        "25 % µs",
        "75 % µs",
        "cycles",
        "samples",
    ]
    cells = [line.split() for line in lines]
    assert [row[1] for row in cells] == OPERATIONS
    for row in cells:
        assert row[0] == "BIKE-L1"
        assert float(row[3]) == pytest.approx(1e6 / float(row[4]), rel=0.01)


BATCH_OPERATIONS = [*OPERATIONS, "encaps-one-key", "decaps-one-key"]


def test_batches_are_set_beside_single_calls(succeed):
    arguments = ["speed", "--kem", "BIKE-L1", "--batch", "3", *QUICK]
    results = json.loads(succeed(*arguments, "--json", text=True).stdout)["results"]
    assert [result["operation"] for result in results] == BATCH_OPERATIONS
    for result in results:
        assert list(result) == [
            "kem",
            "backend",
            "operation",
            "batch",
            "samples",
            "single_median_us",
            "median_us",
            "p25_us",
            "p75_us",
            "ratio",
            "ratio_p25",
            "ratio_p75",
        ]
        assert result["batch"] == 3 and result["samples"] >= 3
        assert 0 < result["p25_us"] <= result["median_us"] <= result["p75_us"]
        assert 0 < result["ratio_p25"] <= result["ratio"] <= result["ratio_p75"]
    _, _, header, *lines = succeed(*arguments, text=True).stdout.splitlines()
    assert "of 3, µs" in header
    assert [line.split()[1] for line in lines] == BATCH_OPERATIONS


def test_old_kems_have_batches_too(succeed):
    """The KEMs of codekem-legacy do one after the other, or share what they can."""
    for kem in ("BIKE-L1-v4.2-aes-bind", "HQC-128-2023"):
        done = succeed("speed", "--kem", kem, "--batch", "2", "--seconds", "0.001")
        assert kem.encode() in done.stdout


def test_batches_out_of_range_are_refused(run):
    for number in ("0", "-1", "1025", "x"):
        done = run("speed", "--kem", "BIKE-L1", "--batch", number, "--seconds", "0.001")
        assert done.returncode == 2, number


def test_kems_in_shares_are_measured_if_named(succeed, run):
    names = ["--kem", "HQC-1-masked", "--kem", "HQC-3-masked"]
    rows = json.loads(succeed("speed", "--json", *names, "--seconds", "0.001").stdout)["results"]
    operations = ("keygen", "encaps", "decaps")
    assert [(row["kem"], row["operation"]) for row in rows] == [
        (kem, operation) for kem in names[1::2] for operation in operations
    ]
    assert all(0 < row["p25_us"] <= row["median_us"] <= row["p75_us"] for row in rows)
    done = run("speed", *names, "--batch", "2")
    assert done.returncode == 2
    assert b"KEMs in shares without it" in done.stderr
    done = run("speed", "--kem", "BIKE-L1-masked")
    assert done.returncode == 2
    assert b"BIKE-L1-masked" in done.stderr
