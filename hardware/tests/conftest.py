# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds simulated cores, one for each set of parameters, and runs benches of modules."""

import os
import random

import pytest

from hardware.tests import made, simulated
from hardware.tests.bench_runner import BenchRunner
from tests.tls_fixtures import (  # noqa: F401 (fixtures)
    certificates,
    configuration,
    module,
    openssl,
    openssl_path,
    programs,
    s_client,
    s_server,
)


@pytest.fixture
def seed(request):
    """The seed of random stimuli: CODEKEM_SEED, or 1, or in `make test-long` another one each time.

    Printed with the output of a test that fails.
    """
    if "CODEKEM_SEED" in os.environ:
        chosen = int(os.environ["CODEKEM_SEED"])
    else:
        long = request.config.option.markexpr == "long"
        chosen = random.SystemRandom().getrandbits(31) if long else 1
    print(f"CODEKEM_SEED={chosen}")
    return chosen


@pytest.fixture
def bench(build, monkeypatch, seed):
    """bench("keccak", "bench_keccak", {"ROUNDS": 1}) builds the module and runs the bench."""
    return BenchRunner(build, monkeypatch, seed)


@pytest.fixture(scope="session")
def program():
    """program(LEVEL=1, PRESET=2) returns the program that simulates that core, of BIKE, HQC or
    both; it is made anew in a folder, if one is given."""

    def get(scheme="bike", folder=None, **parameters):
        if folder is not None:
            return simulated.build.build_core(folder, parameters, scheme=scheme)
        return made.model(f"core-{scheme}", "packets", **parameters)

    return get


@pytest.fixture
def core(program):
    """core(LEVEL=1, PRESET=2) returns a running simulation of that core, of BIKE, HQC or both;
    folder: where it is made, if it is for one test alone.

    Its registers and memories begin with random values, others for another `initial`.
    """
    running = []

    def start(scheme="bike", initial=1, folder=None, **parameters):
        made = program(scheme, folder, **parameters)
        running.append(simulated.begin(made, scheme, f"initial={initial}", **parameters))
        return running[-1]

    yield start
    for one in running:
        one.close()
