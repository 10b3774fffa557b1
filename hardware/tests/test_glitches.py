# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Changes of wires with glitches: what leakage/glitches.py counts, and that it finds what a masked
module tells."""

import json
import random
import statistics

import pytest

from hardware.leakage import gates, glitches
from hardware.tests import simulated
from hardware.tests.test_probing import netlist, whole
from tools import mistakes

STORED = simulated.HARDWARE / "results" / "glitches.json"
FOUND = (
    "no_random_bit",
    "both_shares_in_a_gate",
    "a_random_bit_for_two",
    "both_shares_in_a_factor",
)
NOT, AND = 0b01, 0b1000


def test_counts_and_their_moments():
    """Sums of powers, mean and variance are those of the counts of each trace."""
    source, counter, counts = random.Random(7), glitches.Counter(), [0] * 50
    for _ in range(40):
        mask = source.getrandbits(50) & source.getrandbits(50)
        counter.add(mask)
        counts = [count + (mask >> i & 1) for i, count in enumerate(counts)]
    some = [i for i in range(50) if i % 3]
    powers = counter.powers(sum(1 << i for i in some))
    assert powers == [sum(counts[i] ** k for i in some) for k in range(5)]
    number, mean, variance, spread = glitches.moments(powers)
    chosen = [counts[i] for i in some]
    assert number == len(chosen) and mean == pytest.approx(statistics.fmean(chosen))
    assert variance == pytest.approx(statistics.pvariance(chosen))
    squares = [(one - mean) ** 2 for one in chosen]
    assert spread == pytest.approx(statistics.pvariance(squares))


def test_welch():
    one, other = (100, 5.0, 4.0, 9.0), (400, 6.0, 4.0, 16.0)
    assert glitches.welch(one, other) == (pytest.approx(1 / 0.05**0.5), 0)
    assert glitches.welch((9, 1.0, 0.0, 0.0), (9, 2.0, 0.0, 0.0)) == (float("inf"), 0)


def a_hazard():
    """Returns wire 4 = x & ~x, which is 0 but for a while, with a register 5 behind it."""
    return gates.Gates({"x_i": [2]}, {}, {3: (NOT, [2]), 4: (AND, [2, 3])}, {5: 4}, {})


def test_a_glitch_is_counted():
    """When x rises, x & ~x is 1 until ~x has followed; without delays it never is."""
    one = glitches.Simulation(a_hazard(), traces=1, delays=1, seed=1)
    one.cycle({2: 1})
    changes = [(step, counter.planes) for step, counter in sorted(one.samples[0].items())]
    assert changes == [(1, [1]), (2, [0, 1]), (3, [1])]  # x; ~x and x & ~x; x & ~x again
    none = glitches.Simulation(a_hazard(), traces=1, delays=0, seed=1)
    none.cycle({2: 1})
    assert [counter.planes for counter in none.samples[0].values()] == [[0, 1]]
    assert (one.value, one.value[4]) == (none.value, 0)


def test_chi_passes_to_first_order_alone():
    found = glitches.measure("masked_chi", netlist("masked_chi"), 20000, 4, 1, 4)
    assert found["first"]["samples"] == 0 and found["second"]["most"] > 10


@pytest.mark.parametrize(
    "mistake", [one for one in mistakes.cases("hardware/masked") if one.values[0].name in FOUND]
)
def test_mistake_is_found(mistake):
    """Of those that probing.py finds; a missing register is not found with every delay."""
    net = netlist(mistake.by, mistake=mistake)
    found = glitches.measure(mistake.by, net, 20000, 4, 1, glitches.MASKED_CYCLES)
    assert found["first"]["most"] > glitches.THRESHOLD


@pytest.mark.long
@pytest.mark.parametrize("is_masked", [True, False])
def test_wires_of_the_sponge(is_masked):
    """No wire of it tells anything while it absorbs and in the first round, but one in which shares
    meet."""
    planted = mistakes.of("hardware/masked")["both_shares_in_a_factor"]
    net = whole("masked_sponge", "written", None if is_masked else planted)
    found = glitches.measure_wires("masked_sponge", net, 300, 0, 1, 35)
    assert found["samples"] > 35 * len(net.registers) / 2
    assert (found["most"] < found["chance"]) == is_masked


def test_stored_rows():
    """Gadgets pass to first order at 10^5 traces, Keccak without masks does not."""
    rows = json.loads(STORED.read_text(encoding="ascii"))
    assert {row["module"] for row in rows} == set(glitches.MODULES)
    for row in rows:
        is_masked = row["module"] != "keccak"
        assert (row["first"]["samples"] == 0) == is_masked, row["case"]
        assert row["traces"] >= (100_000 if is_masked else 600)
        assert row["second"]["samples"] > 0
