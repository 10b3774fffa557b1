# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds simulated cores, one for each set of parameters in a session."""

import fcntl

import pytest

import simulated

PRESETS = {"light": 0, "mid": 1, "fast": 2}


@pytest.fixture(scope="session")
def program(build, testrun_uid_or_none):
    """program(LEVEL=1, PRESET=2) returns the program that simulates that core."""
    done = {}

    def get(**parameters):
        name = "hardware-" + "-".join(f"{key}={value}" for key, value in sorted(parameters.items()))
        if name not in done:
            folder = build.folder(name)
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / ".lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                done[name] = simulated.build.build_core(folder, parameters)
        return done[name]
    return get


@pytest.fixture(scope="session")
def testrun_uid_or_none(request):
    """Orders this after the plugin for several processes, where it is used."""
    return getattr(request.config, "workerinput", {}).get("testrunuid")


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
