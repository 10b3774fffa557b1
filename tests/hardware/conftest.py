# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds simulated cores, one for each set of parameters in a session."""

import fcntl
import uuid

import pytest

import simulated

PRESETS = {"light": 0, "mid": 1, "fast": 2}


@pytest.fixture(scope="session")
def program(build, request):
    """program(LEVEL=1, PRESET=2) returns the program that simulates that core.

    One process of a run of pytest builds it, the others wait and use it.
    """
    session = getattr(request.config, "workerinput", {}).get("testrunuid", str(uuid.uuid4()))

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
