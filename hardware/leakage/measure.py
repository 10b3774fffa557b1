#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures where in a simulated core register toggles tell secrets apart: fixed against random.

usage: python -m hardware.leakage.measure [--traces N] [--seed N] [--same] [--results FILE] CASE...
       a case: "HQC-1 fast decaps"; "BIKE-L1 light" for all operations; `all`
       --same    both sets random: a check of the test itself, which should find next to nothing

One set has a fixed secret, the other a random one for each trace: keygen's seed; encaps' message;
the secret part of the key of decaps. Public keys are the same in all traces, ciphertexts and salts
random in both sets, honest ones for that key; with a random secret they do not decrypt. A sample is
how many bits of a module's registers change in a cycle (traces.cpp), without noise, so what is
found here is the most that an attacker could see of these registers. Cores are not masked:
that modules with secrets leak is expected, and this says which and when. Glitches, memories and
wires count for nothing.

Prints a table by module. --results keeps rows in FILE: [{"case", "scheme", "parameters", "traces",
"cycles", "sets", "other_lengths", "leaking": {"first", "second"}, "modules", "made_from"}], with
"modules" of traces.cpp; "leaking": cycles in which some module tells the sets apart.
"""

import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import typing

from hardware.sim import build
from hardware.syn import netlists
from hardware.tests import simulated
from tests.c_library import shared_library
from tests.library import Library
from tools import made
from tools.flow import areas

HERE = pathlib.Path(__file__).resolve().parent
OPERATIONS = {"keygen": simulated.KEYGEN, "encaps": simulated.ENCAPS, "decaps": simulated.DECAPS}
BITS = {"CData": 8, "SData": 16, "IData": 32, "QData": 64}
# A register in the header that Verilator writes: its type, its bits, bounds of an array, its name.
REGISTER = re.compile(
    r"^\s*(?:VlUnpacked<)*(?:([CSIQ]Data)|VlWide<(\d+)>)/\*(\d+):(\d+)\*/((?:, \d+>)*) (\w+_q);",
    re.MULTILINE,
)


class Case(typing.NamedTuple):
    """An operation of a core."""

    kem: str
    scheme: str
    preset: str
    operation: str

    def __str__(self):
        return f"{self.kem} {self.preset} {self.operation}"

    def parameters(self):
        return {"PRESET": areas.PRESETS.index(self.preset)}


CASES = {
    str(case): case
    for case in (
        Case(kem, scheme, preset, operation)
        for kem, scheme, presets in (
            ("BIKE-L1", "bike", ("light", "mid", "fast", "hp", "max")),
            ("HQC-1", "hqc", ("light", "mid", "fast")),
        )
        for preset in presets
        for operation in OPERATIONS
    )
}


class Register(typing.NamedTuple):
    name: str
    bits: int
    size: int  # bytes in the model


def registers_in(header):
    """Returns the registers of the model; what Verilator adds begins with __V."""
    found = []
    for kind, wide, high, low, bounds, name in REGISTER.findall(header):
        if name.startswith("__V"):
            continue
        count = 1
        for bound in re.findall(r"\d+", bounds):
            count *= int(bound)
        size = 4 * int(wide) if wide else BITS[kind] // 8
        found.append(Register(name, count * (int(high) - int(low) + 1), count * size))
    return found


def module_of(name):
    """Returns the module of a register: the instance below the units, and the one in it."""
    parts = [part for part in name.split("__DOT__")[1:-1] if part.startswith("u_")]
    inner = [part.removeprefix("u_") for part in parts if part not in ("u_shell", "u_units")]
    return ".".join(inner[:2]) or "shell"


def header_of(registers):
    """Returns registers.hpp for traces.cpp: how to copy all registers, module by module."""
    modules, copies, lines, at = {}, [], [], 0
    for one in registers:
        modules.setdefault(module_of(one.name), []).append(one)
    for name, members in sorted(modules.items()):
        for one in members:
            copies.append(f"  std::memcpy(to + {at}, &from.{one.name}, {one.size});")
            at += one.size
        at += -at % 8
        lines.append(f'    {{"{name}", {sum(one.bits for one in members)}, {at}}},')
    return "\n".join(
        [
            "#include <cstddef>",
            "struct Module {",
            "  const char *name;",
            "  unsigned bits;",
            "  std::size_t end;  // of its registers, in a copy of all of them",
            "};",
            "constexpr Module MODULES[] = {",
            *lines,
            "};",
            f"constexpr std::size_t COPY_BYTES = {at};",
            "static void copy_registers(const Vkem_core___024root &from, std::uint8_t *to) {",
            *copies,
            "}",
            "",
        ]
    )


def build_traces(folder, scheme, parameters):
    """Builds the program `traces` for a core in a folder; returns its path."""
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    build.run(
        [
            *("--cc", "--exe", "-O3", "--x-assign", "unique", "--x-initial", "unique"),
            *("-Wno-fatal", "--no-assert", *build.COMPILED, "-CFLAGS", "-std=c++17 -march=native"),
            *("--Mdir", folder, "--top-module", f"{scheme}_core", "--prefix", "Vkem_core"),
            *("-o", "traces", *[f"-G{name}={value}" for name, value in parameters.items()]),
            *(*build.rtl_files(scheme), HERE / "traces.cpp"),
        ]
    )
    header = (folder / "Vkem_core___024root.h").read_text(encoding="utf-8")
    text = header_of(registers_in(header))
    (folder / "registers.hpp").write_text(text, encoding="ascii")
    build.make(folder, "Vkem_core")
    return folder / "traces"


class Inputs:
    """Packets of a case; whatever is random comes from one seed."""

    def __init__(self, case, seed, library, is_same=False):
        self.kem, self.operation, self.is_same = library.kem(case.kem), case.operation, is_same
        self.library, self.source = library, random.Random(f"{case} {seed}")
        level = int(case.kem[-1])
        self.hqc = case.scheme == "hqc"
        kind: typing.Any = simulated.HqcPackets if self.hqc else simulated.Packets
        self.packets = kind(level)
        key_seed = self.source.randbytes(self.kem.length_keypair_seed)
        self.public_key, self.secret_key = library.keypair(self.kem, key_seed)
        self.fixed = self.secret() if self.operation != "decaps" else self.secret_key

    def secret(self):
        """Returns a random secret; a secret key has the public one of all traces."""
        if self.operation == "keygen":
            return self.source.randbytes(32)
        if self.operation == "encaps":
            return self.source.randbytes(self.packets.message if self.hqc else 32)
        if self.hqc:
            return self.public_key + self.source.randbytes(32 + self.packets.message + 32)
        lists, dense = b"", b""
        for _ in range(2):
            positions = self.source.sample(range(self.packets.r_bits), self.packets.weight)
            lists += b"".join(position.to_bytes(4, "little") for position in positions)
            dense += sum(1 << p for p in positions).to_bytes(self.packets.bytes, "little")
        return lists + dense + self.public_key + self.source.randbytes(32)

    def packet(self, which):
        """Returns the packet of a trace of set 0, fixed, or 1."""
        secret = self.fixed if which == 0 and not self.is_same else self.secret()
        if self.operation == "keygen":
            rest = b"" if self.hqc else self.source.randbytes(32)  # sigma, which is no seed
            return self.packets.keypair_packet(secret + rest)
        if self.operation == "encaps":
            salt = self.source.randbytes(16) if self.hqc else bytes(32)
            return self.packets.encaps_packet(self.public_key, secret + salt)
        seed = self.source.randbytes(self.kem.length_encaps_seed)
        ciphertext, _ = self.library.encaps(self.kem, self.public_key, seed)
        return self.packets.decaps_packet(ciphertext, secret)

    def lines(self, count):
        """Yields the lines for so many traces, the first of the fixed set."""
        for i in range(count):
            which = 0 if i == 0 else self.source.randrange(2)
            yield f"{which} " + "".join(f"{word:08x}" for word in self.packet(which))


def run_traces(program, inputs, count):
    """Returns what `traces` says of so many traces of these inputs."""
    command = [str(program), str(OPERATIONS[inputs.operation])]
    with tempfile.TemporaryFile("w+", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in inputs.lines(count))
        file.seek(0)
        done = subprocess.run(command, stdin=file, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise build.BuildError(done.stderr.strip())
    return json.loads(done.stdout)


def row_of(case, inputs, count, program):
    """Returns the row of a case."""
    found = run_traces(program, inputs, count)
    row = {
        "case": str(case),
        "scheme": case.scheme,
        "parameters": case.parameters(),
        "traces": count,
        **found,
    }
    return row | {"made_from": netlists.made_from("leakage", row)}


def by_chance(number):
    """Returns what the largest |t| of so many is above by chance once in a thousand campaigns."""
    return math.sqrt(2 * math.log(2000 * number))


def most(order):
    return "inf" if order["most"] is None else f"{order['most']:.1f}"


def show(row, seconds):
    """Prints the table of a row."""
    rate = 60 * row["traces"] / seconds
    print(
        f"{row['case']}: {row['sets'][0]} fixed, {row['sets'][1]} random, {row['other_lengths']} "
        f"of another length than {row['cycles']} cycles; {rate:.0f} traces a minute"
    )
    print(f"  {'module':24}{'bits':>6}{'toggles':>9} | cycles, most, at: first | second order")
    for name, one in row["modules"].items():
        orders = (one["first"], one["second"])
        shown = " | ".join(f"{o['cycles']:>7}{most(o):>8}{o['at']:>7}" for o in orders)
        print(f"  {name:24}{one['bits']:>6}{one['toggles']:>9} | {shown}")


def cases_of(names):
    """Returns the cases that words name; raises KeyError for another word."""
    found = []
    for name in names:
        some = [
            c for text, c in CASES.items() if name == "all" or f"{text} ".startswith(f"{name} ")
        ]
        if not some:
            raise KeyError(name)
        found += some
    return found


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--traces", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--same", action="store_true")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("cases", nargs="+")
    chosen = parser.parse_args(arguments)
    if chosen.traces < 20 or (chosen.same and chosen.results):
        parser.error("at least 20 traces; what --same gives is no result to keep")
    try:
        cases = cases_of(chosen.cases)
    except KeyError as error:
        parser.error(f"{error.args[0]} is none of {', '.join(CASES)}")
    library = Library(made.folder_of("gcc", {}) / shared_library("codekem"))
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for case in cases:
            key = case.scheme, case.preset
            if key not in programs:
                place = pathlib.Path(folder) / "-".join(key)
                programs[key] = build_traces(place, case.scheme, case.parameters())
            begun = time.monotonic()
            inputs = Inputs(case, chosen.seed, library, chosen.same)
            row = row_of(case, inputs, chosen.traces, programs[key])
            show(row, time.monotonic() - begun)
            if chosen.results:
                netlists.keep(chosen.results, row, list(CASES))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except build.BuildError as failure:
        sys.exit(f"measure.py: {failure}")
