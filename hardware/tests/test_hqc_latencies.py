# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The latencies in the headers of HQC's sampler and expansion of h are those of
sim/hqc_sampling.py, which the benches and the whole core compare with simulation."""

import re

import pytest

from hardware.sim import hqc_sampling as sampling
from hardware.tests import simulated
from hardware.tests.test_latencies import header, value

# Words and lanes come at once, but for the pauses of the sponge.
KECCAKS = [simulated.cycles.Cycles(KECCAK_BUFFERED=buffered) for buffered in (0, 1)]
SETS = [(level, word) for level in sampling.LEVELS for word in (64, 128)]
# What the header says before a formula of cycles: the formula of hqc_sampling.py without pauses.
SAMPLER = {
    "first DRAW_FIXED on a stream": lambda *chosen: (
        sampling.fixed_cycles(*chosen) - pauses_of_first(*chosen)
    ),
    "the second and third": lambda *chosen: sampling.fixed_cycles(*chosen, 1, 1000),
    "DRAW_REJECT": lambda keccak, level, word: sampling.Rejection(
        sampling.LEVELS[level][3], lambda taken: 0
    ).run(),
    "ERASE:": lambda keccak, level, word: sampling.erase_cycles(level, word),
}


def pauses_of_first(keccak, level, word):
    return (sampling.LEVELS[level][4] - 1) // sampling.WORDS_OF_BLOCK * keccak.turn()


def names(level, word):
    n, _, _, key, error = sampling.LEVELS[level]
    return {
        "Words": -(-n // word),
        "Low": -(-error // word),
        "WEIGHT_KEY": key,
        "WEIGHT_ERROR": error,
        "WORD": word,
        "STRIDE": 64,
    }


@pytest.mark.parametrize("keccak", KECCAKS, ids=["plain", "buffered"])
@pytest.mark.parametrize(("level", "word"), SETS)
@pytest.mark.parametrize("part", SAMPLER)
def test_header_of_the_sampler(part, level, word, keccak):
    text = header("hqc_sampler").split("Latency, ")[1]
    formula = re.match(r"[\w+ ]+", text.split(part)[1])[0].removesuffix("cycles")
    formula = re.sub(r" cycles$|, with$", "", formula.strip())
    assert value(formula, names(level, word)) == SAMPLER[part](keccak, level, word)


@pytest.mark.parametrize(("level", "word"), SETS)
def test_header_of_the_expansion(level, word):
    (formula,) = re.findall(r"Latency, from start_i to done_o: (.*?) cycles", header("hqc_expand"))
    keccak = simulated.cycles.Cycles(KECCAK_BUFFERED=0)
    pauses = (sampling.LEVELS[level][0] - 1) // 64 // 17 * keccak.turn()
    expected = sampling.expand_cycles(keccak, level, word, 64) - pauses
    assert value(formula, names(level, word)) == expected
