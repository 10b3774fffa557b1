# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What parameters/tests/test_made_up.py runs in a tree with a table of its own: the core of a level
in simulation, beside the library.

usage: python -m hardware.tests.made_up_core FOLDER SCHEME LEVEL BUILD [PRESET=NUMBER]
"""

import pathlib
import random
import sys

from hardware.tests import simulated
from parameters.table import TABLE
from tests.c_library import shared_library
from tests.library import Library


def core(folder, scheme, level, build, preset="PRESET=0"):
    """Builds a core and compares it with the library, and of BIKE the cycles with the formula."""
    parameters = {"LEVEL": int(level), "PRESET": int(preset.partition("=")[2])}
    program = simulated.build.build_core(folder, parameters, scheme=scheme)
    kind = simulated.HqcPackets if scheme == "hqc" else simulated.Packets
    packets = kind(int(level))
    one = simulated.Core(program, packets, 64)
    library = Library(pathlib.Path(build) / shared_library("codekem"))
    (name,) = [kem.name for kem in TABLE.current(scheme) if kem.level == int(level)]
    kem, sizes, source = library.kem(name), TABLE.find(name).sizes, random.Random(scheme)
    for _ in range(2):
        seed = source.randbytes(sizes["keypair_seed"])
        public_key, secret_key = library.keypair(kem, seed)
        made, cycles = one.keypair(seed)
        assert made == secret_key
        seed = source.randbytes(sizes["encaps_seed"])
        asked = seed if scheme == "hqc" else seed + bytes(32)
        ciphertext, shared, encaps = one.encaps(public_key, asked)
        assert (ciphertext, shared) == library.encaps(kem, public_key, seed)
        for given in (ciphertext, source.randbytes(len(ciphertext))):
            shared, decaps = one.decaps(given, secret_key)
            assert shared == library.decaps(kem, given, secret_key)
        # How long HQC draws a key depends on the seed.
        if scheme == "bike":
            formula = simulated.cycles.Cycles(**parameters)
            wanted = formula.keygen(), formula.encaps(), formula.decaps()
            assert (cycles, encaps, decaps) == wanted
    one.close()
    print(f"{name}: {cycles} {encaps} {decaps} cycles")


if __name__ == "__main__":
    core(*sys.argv[1:])
