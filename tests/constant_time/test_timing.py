# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Statistics on the time of decapsulation; see timing_test.c."""

import re
import subprocess

import pytest

# dudect's limit. A leak is there in every run and grows with the number of measurements, while
# other load on the machine comes and goes; so a leak is what exceeds the limit in all of several
# runs.
LIMIT = 10
RUNS = 3
SECONDS = 20


@pytest.fixture(scope="module")
def program(build):
    return build("gcc", targets=("timing_test",)) / "bin" / "timing_test"


def t_values(program, backend, kem, kind, seconds, runs=RUNS):
    """Returns |t| of one run after another, up to the first below the limit."""
    values = []
    for _ in range(runs):
        done = subprocess.run(
            [program, backend, kem, kind, str(seconds)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        values.append(float(re.search(r"t=([\d.]+)", done.stdout)[1]))
        print(backend, kem, kind, done.stdout.strip())
        if values[-1] < LIMIT:
            break
    return values


@pytest.mark.long
@pytest.mark.parametrize("kind", ["random-ciphertext", "rejected-ciphertext", "random-key"])
@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_time_of_decapsulation_is_independent(kem, kind, fast_backend_name, program):
    assert min(t_values(program, fast_backend_name, kem, kind, SECONDS)) < LIMIT


@pytest.mark.long
def test_leaky_comparison_is_found(program):
    values = t_values(program, "portable", "BIKE-L1", "leak", 2)
    assert len(values) == RUNS and min(values) >= LIMIT
