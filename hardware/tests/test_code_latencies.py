# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The latencies in the headers of the units for HQC's codes are those of sim/code_cycles.py, which
the benches compare with simulation."""

import re

import pytest

from hardware.tests import simulated
from hardware.tests.test_latencies import header, value

formulas = simulated.code_cycles
CODES = [(16, 15), (24, 16), (32, 29)]  # k, delta
LATENCIES = [
    *[
        (top, {"VALUES": 2**lanes, "Lanes": lanes}, getattr(formulas, top)(2**lanes))
        for top in ("rm_decoder", "rm_transform", "rm_peak")
        for lanes in (1, 2, 3)
    ],
    *[
        (
            "rs_encoder",
            {"K": k, "DELTA": delta, "CELLS": cells},
            formulas.rs_encoder(k, delta, cells),
        )
        for k, delta in CODES
        for cells in (1, 2, 4)
    ],
    *[
        (
            top,
            {"K": k, "DELTA": delta, "RINGS": rings, "Groups": -(-(delta + 1) // cells)},
            formulas.rs_locator(k, delta, cells)
            if top == "rs_locator"
            else formulas.rs_decoder(k, delta, cells, rings),
        )
        for top in ("rs_locator", "rs_decoder")
        for k, delta in CODES
        for cells, rings in ((1, 1), (2, 2), (4, 2), (8, 1))
    ],
]


@pytest.mark.parametrize(("top", "names", "cycles"), LATENCIES)
def test_header_states_the_latency_of_the_formulas(top, names, cycles):
    (formula,) = re.findall(r"Latency, from .+? to .+?: (.+?) cycles", header(top))
    assert value(formula, names) == cycles
