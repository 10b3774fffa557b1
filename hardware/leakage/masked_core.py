#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures toggles of the masked core's registers as measure.py does those of the others.

usage: python -m hardware.leakage.masked_core [--traces N] [--seed N] [--results FILE]
                                              [encaps|decaps]...

One set has a fixed secret, the other a random one for each trace: encaps' message; y and sigma of
decaps. Public keys are the same in all traces, ciphertexts and salts random in both sets; masks are
new in each trace. Without noise and with some 10^6 samples an operation, |t| above 6.5 is chance
once in a thousand campaigns; some samples above 4.5 are. Second order is told, as it must be.
Memories, glitches and wires count for nothing. Of keygen everything follows from its seed, the
public key, too: fixed against random cannot tell them apart.

--results keeps the row in FILE: [{"case", "by": module that makes it, "operation", "traces",
"seed", "cycles", "samples", "above": those with |t| above 4.5, "most": the largest, null if
infinite, "at": its cycle, "who", "chance": what the largest of so many is above by chance once in a
thousand campaigns, "second": the largest of second order, null if infinite, "made_from"}];
glitches.py and core_wires.py keep theirs there, too.
"""

import argparse
import math
import pathlib
import random
import sys
import tempfile
import time

from hardware.leakage import measure
from hardware.sim import build
from hardware.sim import masked_positions as positions
from hardware.sim.masked_level import LEVELS
from hardware.syn import netlists
from hardware.tests.benches.hqc_models import sample_reject, xof
from tests.c_library import shared_library
from tests.library import Library
from tools import made, stored_results

HERE = pathlib.Path(__file__).resolve().parent
OPERATIONS = ("encaps", "decaps")
LEVEL = LEVELS[1]
SALT = 16
CASES = (  # in the order of the file of results
    "Keccak's sponge, gates",
    *(f"{operation}, registers" for operation in OPERATIONS),
    *(f"{operation}, gates" for operation in OPERATIONS),
)


def build_traces(folder, files=None):
    """Builds the program `traces` in a folder; files: other sources than the core's."""
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    build.run(
        [
            *("--cc", "--exe", "-O3", "--x-assign", "unique", "--x-initial", "unique"),
            *("-Wno-fatal", "--no-assert", *build.COMPILED, "-CFLAGS", "-std=c++17 -march=native"),
            *("--Mdir", folder, "--top-module", "masked_core", "--prefix", "Vkem_core"),
            *("-o", "traces", *build.masked_core(folder, files), HERE / "traces.cpp"),
        ]
    )
    header = (folder / "Vkem_core___024root.h").read_text(encoding="utf-8")
    text = measure.header_of(measure.registers_in(header))
    (folder / "registers.hpp").write_text(text, encoding="ascii")
    # Unlike in a test, it is the model that takes the time.
    build.make(folder, "Vkem_core", more=["OPT_FAST=-O2"])
    return folder / "traces"


class Inputs:
    """Packets of an operation; whatever is random comes from one seed."""

    def __init__(self, operation, seed, library):
        self.operation, self.library = operation, library
        self.kem, self.source = library.kem("HQC-1"), random.Random(f"masked {operation} {seed}")
        key_seed = self.source.randbytes(self.kem.length_keypair_seed)
        self.public_key, secret_key = library.keypair(self.kem, key_seed)
        seed_dk, sigma = secret_key[len(self.public_key) :][:32], secret_key[-48:][:SALT]
        self.fixed = self.key_of(seed_dk, sigma) if operation == "decaps" else self.secret()
        self.result = None  # the shared secret of the last trace of the fixed set, if it is known

    def key_of(self, seed_dk, sigma):
        drawn, _ = sample_reject(xof(seed_dk, 1 << 12), LEVEL.weight, LEVEL.n)
        return drawn, sigma

    def secret(self):
        if self.operation == "encaps":
            return self.source.randbytes(16)
        drawn = self.source.sample(range(LEVEL.n), LEVEL.weight)
        return drawn, self.source.randbytes(16)

    def lanes(self, which):
        """Returns the packet of a trace of set 0, fixed, or 1."""
        secret = self.fixed if which == 0 else self.secret()
        if self.operation == "encaps":
            public = self.source.randbytes(SALT), self.public_key[:32], self.public_key[32:]
            return [*self.shared(secret), *self.public(*public)]
        y, sigma = secret
        drawn = positions.words_of(LEVEL, y)
        accepted = ((1 << LEVEL.weight) - 1).to_bytes(16, "little")
        encaps_seed = self.source.randbytes(self.kem.length_encaps_seed)
        whole, self.result = self.library.encaps(self.kem, self.public_key, encaps_seed)
        length = -(-LEVEL.n // 8)
        fields = whole[:length], whole[length:-SALT], whole[-SALT:]
        public = self.public(*fields, self.public_key[:32], self.public_key[32:])
        return [*self.public(accepted), *self.shared(drawn + sigma), *public]

    def public(self, *fields):
        for field in fields:
            for i in range(0, len(field), 8):
                yield int.from_bytes(field[i : i + 8], "little"), 0

    def shared(self, data):
        for one, _ in self.public(data):
            mask = self.source.getrandbits(64)
            yield one ^ mask, mask

    def lines(self, count):
        """Yields the lines of traces.cpp for so many traces, the first of the fixed set."""
        for i in range(count):
            which = 0 if i == 0 else self.source.randrange(2)
            words = (
                share >> at & 0xFFFFFFFF
                for both in self.lanes(which)
                for share in both
                for at in (0, 32)
            )
            yield f"{which} " + "".join(f"{word:08x}" for word in words)


def keep(path, row):
    """Puts a row into a file of results."""
    netlists.keep(path, row | {"made_from": stored_results.made_from("masked_leakage", row)}, CASES)


def row_of(operation, traces, seed, found):
    """Returns the row of what measure.run_traces found."""
    modules = {name: one["first"] for name, one in found["modules"].items()}
    first = {name: one["most"] for name, one in modules.items()}
    second = [one["second"]["most"] for one in found["modules"].values()]
    who = max(first, key=lambda name: math.inf if first[name] is None else first[name])
    samples = len(modules) * found["cycles"]
    return {
        "case": f"{operation}, registers",
        "by": __spec__.name,
        "operation": operation,
        "traces": traces,
        "seed": seed,
        "cycles": found["cycles"],
        "samples": samples,
        "above": sum(one["cycles"] for one in modules.values()),
        "most": first[who],
        "at": modules[who]["at"],
        "who": who,
        "chance": round(measure.by_chance(samples), 1),
        "second": None if None in second else max(second),
    }


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--traces", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("operations", nargs="*", default=OPERATIONS, choices=OPERATIONS)
    chosen = parser.parse_args(arguments)
    if chosen.traces < 20:
        parser.error("at least 20 traces")
    library = Library(made.folder_of("gcc", {}) / shared_library("codekem"))
    with tempfile.TemporaryDirectory() as folder:
        program = build_traces(folder)
        for operation in chosen.operations:
            begun = time.monotonic()
            inputs = Inputs(operation, chosen.seed, library)
            found = measure.run_traces(program, inputs, chosen.traces)
            found |= {"case": f"HQC-1 masked {operation}", "traces": chosen.traces}
            measure.show(found, time.monotonic() - begun)
            if chosen.results:
                keep(chosen.results, row_of(operation, chosen.traces, chosen.seed, found))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except build.BuildError as failure:
        sys.exit(f"masked_core.py: {failure}")
