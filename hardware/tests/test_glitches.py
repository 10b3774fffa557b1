# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Gate-level traces of masked modules (hardware/leakage/glitches.py): none tells fixed secrets
from random ones, and each planted mistake does, that probes on one gadget find."""

import random

import pytest

from hardware.leakage import gates, glitches
from hardware.tests.test_probing import MODULES, netlist
from tools import mistakes

# What only neighbours of a row tell, of which no wire of the module itself sees two.
SEEN_BEHIND = {"no_bit_for_a_row", "complement_in_one_share"}
FOUND = [
    one
    for one in mistakes.of("hardware/masked").values()
    if "wrong" not in one.more and one.name not in SEEN_BEHIND
]


def largest(net, count, draws, seed):
    source = random.Random(seed)
    return max(glitches.traces(net, count, 4, source) for _ in range(draws))


@pytest.mark.long
@pytest.mark.parametrize("kind", gates.BUILDS)
@pytest.mark.parametrize("top", MODULES)
def test_traces_tell_nothing(top, kind):
    """At 10,000 traces of some hundred samples; one run of 10^4 would be above the limit."""
    assert largest(netlist(top, kind), 10_000, 3, seed=1) < 6


@pytest.mark.long
@pytest.mark.parametrize("mistake", FOUND, ids=lambda one: one.name)
def test_mistake_shows(mistake):
    assert largest(netlist(mistake.by, mistake=mistake), 10_000, 3, seed=1) > 6


def gate(table, pins):
    """Returns a netlist of one gate of the shares of a secret, and a register behind it."""
    inputs = {"random_i": [2], "x_i": [3, 4]}
    return gates.Gates(inputs, {"y_o": [6]}, {5: (table, pins)}, {6: 5}, {})


def test_a_wire_that_joins_shares_shows_at_once():
    assert largest(gate(0b0110, [3, 4]), 1000, 1, seed=1) > 10
    assert largest(gate(0b0110, [3, 2]), 1000, 1, seed=1) < 6


def test_counts_and_their_moments():
    counters, values = glitches.Counters(), [0, 1, 2, 3, 3, 1, 0, 2]
    for least in (1, 2, 3):
        counters.add(sum(1 << i for i, value in enumerate(values) if value >= least))
    assert counters.moments(0b11110000) == (4, 1.5, 1.25)
    assert counters.moments(0b00001111) == (4, 1.5, 1.25)
    assert glitches.welch((4, 2.0, 1.0), (4, 1.0, 1.0)) == 1 / 0.5**0.5
    assert glitches.welch((4, 1.0, 0.0), (4, 1.0, 0.0)) == 0
    assert glitches.welch((4, 2.0, 0.0), (4, 1.0, 0.0)) == float("inf")


def test_delays_make_glitches():
    """x AND NOT x through two paths: without delays it never changes, with them it does."""
    net = gates.Gates({"x_i": [2]}, {}, {3: (0b01, [2]), 4: (0b1000, [2, 3])}, {}, {})
    zero = {2: 0}
    late = glitches.Simulation(net, {2: 1, 3: 3, 4: 1}, 1, dict(zero))
    assert sum(one.moments(1)[1] for one in late.edge({2: 1})) == 4  # x, its complement, up, down
    assert late.values[4] == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["no_module"], "has no no_module"), (["--traces", "9", "masked_and"], "at least 100")],
)
def test_usage(capsys, arguments, says):
    with pytest.raises(SystemExit) as stopped:
        glitches.main(arguments)
    assert stopped.value.code == 2 and says in capsys.readouterr().err
