#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What BIKE's core and HQC's could share at most, from the stored areas of their units.

usage: sharing.py [PRESET [LEVEL]]     light, mid or fast; light and 1 if left out

Units that do the same work are pairs; one of each pair is the larger one at best, so the smaller
one is what sharing can save. Choices between two lengths, multiplexers and what only one scheme
needs of a shared unit make the saving smaller. Prints LUT, FF, BRAM36 and DSP by pair, and the sum
in relation to the two cores apart.
"""

import pathlib
import sys

from tools.flow import areas

RESULTS = pathlib.Path(__file__).resolve().parent.parent.parent / "hardware" / "results"
FIGURES = ("lut", "ff", "bram36", "dsp")
NAMES = {"bike": "BIKE-L", "hqc": "HQC-", "joint": "joint BIKE-L"}
# Units that do the same work, of BIKE and of HQC.
PAIRS = [
    ("Keccak and messages", "bike_hash", "hqc_hash"),
    ("gather unit", "bike_gather", "hqc_product"),
    ("sampler", "bike_sampler", "hqc_sampler"),
    ("positions for the lanes", "bike_positions", "hqc_positions"),
    ("rows for the lanes", "bike_rows", "hqc_rows"),
    ("receiving", "kem_receive", "kem_receive"),
    ("sending", "kem_send", "kem_send"),
    ("slots", "kem_slots", "kem_slots"),
    ("strings", "kem_strings", "kem_strings"),
    ("control", "kem_control", "kem_control"),
    ("sequencer", "kem_sequencer", "kem_sequencer"),
]


class MissingError(Exception):
    """There is no stored result of a core."""


def stored(scheme, preset, level=1):
    """Returns the stored row of a whole core: scheme is bike, hqc or joint (of which the figures
    of area are the same in both rows)."""
    core = f"{NAMES[scheme]}{level}"
    for row in areas.read(RESULTS):
        if areas.key_of(row) == (core, preset, int(level), "full"):
            return row
    raise MissingError(f"sharing.py: no area of this core is stored: {core}, {preset}")


def bound(preset, level=1):
    """Returns [(name, {figure: (BIKE's, HQC's, the smaller)})], the last one "all" with the cores
    apart and the sums of the smaller."""
    bike, hqc = (stored(scheme, preset, level) for scheme in ("bike", "hqc"))
    found = []
    for name, ours, theirs in PAIRS:
        dual = theirs not in hqc["modules"] and f"{theirs}_dual" in hqc["modules"]
        pair = bike["modules"][ours], hqc["modules"][theirs + "_dual" * dual]
        found.append(
            (name, {f: (pair[0][f], pair[1][f], min(p[f] for p in pair)) for f in FIGURES})
        )
    least = {f: sum(figures[f][2] for _, figures in found) for f in FIGURES}
    return [*found, ("all", {f: (bike[f], hqc[f], least[f]) for f in FIGURES})]


def main(arguments):
    preset, level = (*arguments, *["light", "1"][len(arguments) :])[:2]
    try:
        found = bound(preset, int(level))
    except (MissingError, ValueError) as error:
        print(error, __doc__.strip(), sep="\n\n", file=sys.stderr)
        return 2
    print(f"{'BIKE, HQC, the smaller of each':26}" + "".join(f"{f:>21}" for f in FIGURES))
    for name, figures in found:
        cells = "".join(f"{a:>8g}{b:>7g}{least:>6g}" for a, b, least in figures.values())
        print(f"{name:30}{cells}")
    shares = [100 * least / (a + b) for a, b, least in found[-1][1].values()]
    print(f"{'at most saved, percent':30}" + "".join(f"{share:>21.1f}" for share in shares))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
