# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No intermediate value of the gadgets depends on a secret: exactly, and by fixed against random.

Values are those of C behind a barrier. What a compiler makes of them, and what a processor shows of
one after the other, these tests do not see.
"""

import pytest

from tests import masked_program
from tests.decoder_cases import noisy_hqc_cases
from tests.masked_program import Probes, Program, check_exact, check_orders, check_sample
from tools import mistakes

LONG = pytest.mark.long
# Runs of each class in `make test` and in the long tests, and the points that there are at least.
SAMPLES = {
    "multiply": (2_000, 10_000, 120),
    "invert": (2_000, 10_000, 700),
    "permute": (200, 10_000, 10_000),
    "draw": (200, 10_000, 16_000),
    "place": (200, 10_000, 10_900),
    "reed_solomon": (100, 1_000, 32_000),
    "reed_muller": (100, 1_000, 156_000),
    "decaps": (100, 1_000, 840_000),
}


def test_every_case_of_small_gadgets(probes):
    check_exact(probes)


def test_decoders_of_random_words(probes):
    """Many have a discrepancy of zero on the way, or a tie, which vectors hardly ever have."""
    assert probes.values(100) == (0, 0)


def test_random_orders_are_even(probes):
    check_orders(probes)


@pytest.mark.parametrize("name", SAMPLES)
def test_fixed_against_random(name, probes):
    runs, _, points = SAMPLES[name]
    check_sample(probes, name, runs, points)


@LONG
@pytest.mark.parametrize("name", SAMPLES)
def test_fixed_against_random_at_length(name, probes):
    _, runs, points = SAMPLES[name]
    check_sample(probes, name, runs, points)


# --- Tests of the tests ---------------------------------------------------------------------------


@LONG
@pytest.mark.parametrize("mistake", mistakes.cases("masked/gadgets"))
def test_mistake_in_a_gadget_is_found(mistake, planted_program):
    broken = Probes(planted_program(mistake, "masked_probes"))

    def exact():
        check_exact(broken)

    def orders():
        check_orders(broken)

    def sample(name, runs):
        check_sample(broken, name, runs, 1)

    def values():
        assert broken.values(100) == (0, 0)

    checks = {"exact": exact, "orders": orders, "sample": sample, "values": values}
    with pytest.raises(AssertionError):
        mistake.call(checks)


@LONG
@pytest.mark.parametrize("mistake", mistakes.cases("masked/values"))
def test_wrong_value_is_found(mistake, planted_program, internals, library):
    """By the vectors of one level."""
    backend = library.call["backend_current"]()
    command = [planted_program(mistake, "masked_check")]
    cases = noisy_hqc_cases("HQC-1", internals)
    with Program(command, backend) as program, pytest.raises(AssertionError):
        masked_program.check_level(program, "HQC-1", 2, cases)
