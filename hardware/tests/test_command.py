# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The back end `simulated` of the command: known answers and cycles of the core, and its errors."""

import json
import os
import re
import shutil
import subprocess

import pytest

from hardware.tests import simulated
from tools import known_answers


@pytest.fixture
def run(command):
    """run(library, "speed", ...) runs the command with CODEKEM_SIMULATED=library; None unsets
    it."""

    def run_command(library, *arguments):
        environment = {
            key: value
            for key, value in os.environ.items()
            if key not in ("CODEKEM_CPU", "CODEKEM_SIMULATED", "NO_COLOR")
        }
        if library is not None:
            environment["CODEKEM_SIMULATED"] = str(library)
        return subprocess.run(
            [command, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    return run_command


@pytest.fixture
def library(program):
    """library(kem) returns the path of the shared library of that core, of the preset fast."""

    def get(kem="BIKE-L1"):
        scheme = "hqc" if kem.startswith("HQC") else "bike"
        core = program(scheme, LEVEL=int(kem[-1]), PRESET=2)
        return core.parent / f"lib{scheme}_simulated.so"

    return get


def check_known_answers(run, library, kem, count):
    done = run(library, "kat", "--kem", kem, "--backend", "simulated", "--count", str(count))
    assert (done.returncode, done.stderr) == (0, "")
    records = re.findall(r"^(\w+) = ([0-9A-F]+)$", done.stdout, re.M)
    published = known_answers.read_records(kem)[:count]
    assert [bytes.fromhex(value) for name, value in records if name != "count"] == [
        record[name] for record in published for name in ("seed", "pk", "sk", "ct", "ss")
    ]


def check_cycles(run, library, kem):
    done = run(
        library,
        "speed",
        "--json",
        "--kem",
        kem,
        "--backend",
        "simulated",
        "--seconds",
        "0.001",
    )
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    level, hqc = int(kem[-1]), kem.startswith("HQC")
    assert document["core"] == {"library": str(library), "parameters": f"LEVEL={level} PRESET=2"}
    kind = simulated.hqc_cycles.HqcCycles if hqc else simulated.cycles.Cycles
    formula = kind(LEVEL=level, PRESET=2)
    assert document["results"] == [
        {
            "kem": kem,
            "backend": "simulated",
            "operation": operation,
            "samples": 8 if hqc and operation == "keygen" else 2,
            "core_cycles": getattr(formula, operation)(),
        }
        for operation in ("keygen", "encaps", "decaps")
    ]


@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_known_answers_come_from_the_core(run, library, kem):
    check_known_answers(run, library(kem), kem, count=2)


@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_speed_counts_the_cycles_of_the_core(run, library, kem):
    """Those of HQC's KeyGen and Decaps are those of a key that was drawn without a rejection."""
    check_cycles(run, library(kem), kem)


@pytest.mark.long
@pytest.mark.parametrize("kem", ["BIKE-L1", "BIKE-L3", "BIKE-L5", "HQC-1", "HQC-3", "HQC-5"])
def test_every_level(run, library, kem):
    check_known_answers(run, library(kem), kem, len(known_answers.read_records(kem)))
    check_cycles(run, library(kem), kem)


def test_table_names_the_cycles_as_those_of_the_core(run, library):
    done = run(library(), "speed", "--backend", "simulated", "--seconds", "0.001")
    assert done.returncode == 0
    first, empty, header, *rows = done.stdout.splitlines()
    assert "no time of this processor" in first and "LEVEL=1 PRESET=2" in first and not empty
    assert re.split(r"\s{2,}", header.strip()) == [
        "KEM",
        "operation",
        "back end",
        "cycles of the core",
        "samples",
    ]
    assert [row.split()[:3] for row in rows] == [
        ["BIKE-L1", operation, "simulated"] for operation in ("keygen", "encaps", "decaps")
    ]


def check_failure(done, *parts):
    assert done.returncode == 2
    assert done.stdout == ""
    (message,) = done.stderr.splitlines()
    assert message.startswith("codekem: error: ") and "; " in message
    for part in parts:
        assert part in message


@pytest.mark.parametrize("arguments", [["speed"], ["kat", "--kem", "BIKE-L1"]], ids=str)
def test_missing_library_is_named_with_the_command_that_builds_it(run, tmp_path, arguments):
    arguments = [*arguments, "--backend", "simulated"]
    build = "python3 hardware/sim/build.py build/core LEVEL=1 PRESET=2"
    check_failure(run(None, *arguments), "CODEKEM_SIMULATED does not name", build)
    check_failure(run(tmp_path / "none.so", *arguments), "none.so", build)
    (tmp_path / "text.so").write_text("no library")
    check_failure(run(tmp_path / "text.so", *arguments), "text.so", build)


def test_library_that_is_no_core_is_refused(run, command, tmp_path):
    for path in command.parent.parent.glob("libcodekem.so*"):
        shutil.copy(path, tmp_path / "other.so")
    check_failure(
        run(tmp_path / "other.so", "speed", "--backend", "simulated"),
        "lacks kem_driver_of",
        "hardware/sim/build.py",
    )


def test_core_of_another_level_is_refused(run, library):
    for arguments in (["speed"], ["kat", "--count", "1"]):
        arguments = [*arguments, "--backend", "simulated", "--kem"]
        check_failure(
            run(library(), *arguments, "BIKE-L3"), "for BIKE-L1, not for BIKE-L3", "LEVEL=3"
        )
        check_failure(
            run(library(), *arguments, "HQC-3"),
            "for BIKE-L1, not for HQC-3",
            "--scheme hqc",
            "LEVEL=3",
        )


def test_cycles_are_not_mixed_with_times(run, library):
    check_failure(
        run(library(), "speed", "--backend", "portable", "--backend", "simulated"), "by itself"
    )
