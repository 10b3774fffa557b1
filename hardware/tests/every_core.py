# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All cores: each scheme in each preset, and at each level."""

import pytest

from hardware.tests import simulated

CORES = [
    (scheme, preset)
    for scheme, formula in [
        ("bike", simulated.cycles),
        ("hqc", simulated.hqc_cycles),
        ("joint", simulated.joint_cycles),
    ]
    for preset in formula.PRESETS
]

# `make test` has the first preset of each scheme at level 1.
CORES_AT_LEVELS = [
    pytest.param(
        *(scheme, preset, level),
        id=f"{level}-{scheme}-{preset}",
        marks=[] if (level, preset) == (1, 0) else pytest.mark.long,
    )
    for level in [1, 3, 5]
    for scheme, preset in CORES
]
