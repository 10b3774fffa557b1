# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The checked-in results of synthesis: their cycles are the formula's, and level 1 is within its limits."""

import json

import pytest

import simulated

RESULTS = sorted((simulated.HARDWARE / "results").glob("*.json"))
# At most, at level 1: LUTs, block RAMs, cycles of the three operations.
LIMITS = {"light": (12000, 10, 250000, 28000, 420000), "fast": (28000, 40, 100000, 8000, 80000)}


def rows():
    return [row for path in RESULTS for row in json.loads(path.read_text(encoding="ascii"))]


def test_cycles_are_those_of_the_formula():
    assert rows()
    for row in rows():
        formula = simulated.cycles.Cycles(**row["parameters"])
        for operation in ("keygen", "encaps", "decaps"):
            cycles = row[f"{operation}_cycles"]
            assert cycles in (None, getattr(formula, operation)())


@pytest.mark.parametrize("preset", LIMITS)
def test_presets_are_within_their_limits(preset):
    row, = (row for row in rows()
            if (row["preset"], row["level"], row["build"]) == (preset, 1, "full"))
    figures = [row[key] for key in ("lut", "bram36", "keygen_cycles", "encaps_cycles",
                                    "decaps_cycles")]
    assert all(have <= limit for have, limit in zip(figures, LIMITS[preset], strict=True)), figures


def test_fast_takes_at_most_a_third_of_the_official_core():
    row, = (row for row in rows()
            if (row["preset"], row["level"], row["build"]) == ("fast", 1, "full"))
    cycles = row["keygen_cycles"] + row["encaps_cycles"] + row["decaps_cycles"]
    assert 3 * row["lut"] * cycles <= 27998 * 361843
