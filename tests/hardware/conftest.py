# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds simulated cores, one for each set of parameters in a session, and runs benches of modules."""

import fcntl
import os
import random
import uuid

import pytest

import simulated
from hardware.bench_runner import BenchRunner

PRESETS = {"light": 0, "mid": 1, "fast": 2}


def session_of(config):
    """Returns the same name in all processes of one run of pytest."""
    if not hasattr(config, "_codekem_session"):
        config._codekem_session = getattr(config, "workerinput", {}).get("testrunuid",
                                                                        str(uuid.uuid4()))
    return config._codekem_session


@pytest.fixture
def seed(request):
    """The seed of random stimuli: CODEKEM_SEED, or 1, or in `make test-long` another one each time.

    Printed with the output of a test that fails.
    """
    if "CODEKEM_SEED" in os.environ:
        chosen = int(os.environ["CODEKEM_SEED"])
    else:
        chosen = random.SystemRandom().getrandbits(31) if request.config.option.markexpr == "long" else 1
    print(f"CODEKEM_SEED={chosen}")
    return chosen


@pytest.fixture
def bench(build, monkeypatch, request, seed):
    """bench("keccak", "bench_keccak", {"ROUNDS": 1}) builds the module and runs the bench."""
    return BenchRunner(build, monkeypatch, session_of(request.config), seed)


@pytest.fixture(scope="session")
def program(build, request):
    """program(LEVEL=1, PRESET=2) returns the program that simulates that core.

    One process of a run of pytest builds it, the others wait and use it.
    """
    session = session_of(request.config)

    def get(**parameters):
        name = "hardware-" + "-".join(f"{key}={value}" for key, value in sorted(parameters.items()))
        folder = build.folder(name)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / ".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            stamp = folder / ".built"
            if not stamp.exists() or stamp.read_text() != session:
                simulated.build.build_core(folder, parameters)
                stamp.write_text(session)
        return folder / "packets"
    return get


@pytest.fixture
def core(program):
    """core(LEVEL=1, PRESET=2) returns a running simulation of that core."""
    running = []

    def start(**parameters):
        level = parameters.get("LEVEL", 1)
        preset = simulated.cycles.PRESETS[parameters.get("PRESET", PRESETS["fast"])]
        running.append(simulated.Core(program(**parameters), level,
                                      parameters.get("WORD", preset["WORD"])))
        return running[-1]
    yield start
    for one in running:
        one.close()
