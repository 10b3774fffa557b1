#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycles of the core for both schemes: those of bike_core and of hqc_core with its parameters.

usage: joint_cycles.py [NAME=VALUE]...     parameters of joint_core: LEVEL=3 PRESET=0 LANES=4

The joint core has no OVERLAP, and one sponge, buffered or not, for both.
"""

import sys

from hardware.sim import cycles, hqc_cycles

PRESETS = sorted(set(cycles.PRESETS) & set(hqc_cycles.PRESETS))
BIKE_NAMES = set(cycles.NAMES) - {"OVERLAP"}
HQC_NAMES = set(hqc_cycles.NAMES + hqc_cycles.SHARED) - {"OVERLAP"}


class JointCycles:
    """The formulas of both schemes, as .bike and .hqc."""

    def __init__(self, LEVEL=1, PRESET=2, BUILD=0, **free):
        if unknown := set(free) - BIKE_NAMES - HQC_NAMES:
            raise TypeError(f"no parameters of the core: {', '.join(unknown)}")
        shared = {"KECCAK_BUFFERED": cycles.PRESETS[PRESET]["KECCAK_BUFFERED"], "OVERLAP": 0} | free
        common = {"LEVEL": LEVEL, "PRESET": PRESET, "BUILD": BUILD}
        self.bike = cycles.Cycles(**common, **only(shared, BIKE_NAMES | {"OVERLAP"}))
        self.hqc = hqc_cycles.HqcCycles(**common, **only(shared, HQC_NAMES | {"OVERLAP"}))


def only(values, names):
    return {name: value for name, value in values.items() if name in names}


def main(arguments):
    try:
        parameters = {name: int(value) for name, value in (a.split("=", 1) for a in arguments)}
        both = JointCycles(**parameters)
    except (ValueError, TypeError, KeyError):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for scheme in ("bike", "hqc"):
        for name in ("keygen", "encaps", "decaps"):
            print(f"{scheme} {name} {getattr(getattr(both, scheme), name)()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
