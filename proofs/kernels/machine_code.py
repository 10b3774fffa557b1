# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs about machine code of the Cortex-M4: the kernels of its back end as gcc and its assembler
make them, linked into one program, run by thumb.py. The method is that of prove.py."""

import pathlib
import shutil
import subprocess

from proofs.kernels.engine.bits import concrete
from proofs.kernels.engine.degrees import Degrees
from proofs.kernels.engine.prove import (
    NotProved,
    any_bits,
    by_sample,
    compare_codes,
    degree_of_difference,
    modelled,
)
from proofs.kernels.engine.samples import Samples, samples_for
from proofs.kernels.engine.thumb import Processor, Program
from proofs.kernels.engine.thumb_operations import operation
from proofs.kernels.modules import BELOW
from tools.source_folders import INCLUDED

GCC = "arm-none-eabi-gcc"
# As CMake builds the profile for small devices (cmake/toolchains/cortex-m4.cmake, cmake/isa.cmake).
FLAGS = [
    *["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft", "-std=c11", "-DNDEBUG"],
    *["-fno-strict-aliasing", "-DCODEKEM_HAVE_M4", "-DCODEKEM_SMALL"],
]
FILES = [
    *[f"kem/gf2x/m4/gf2x_{name}" for name in ("m4.c", "mul_m4.c", "power_m4.c", "rotation_m4.c")],
    *["kem/gf2x/m4/gf2x_toom_m4.c", "kem/gf2x/gf2x_rings.c", "kem/gf2x/gf2x_power.c"],
    *[f"kem/gf2x/m4/gf2x_{name}_m4.S" for name in ("words", "points", "rotate")],
    *["kem/sparse/sparse_m4.c", "kem/sparse/sparse_place_m4.S", "kem/bike/counters_m4.c"],
    *["kem/bike/counters_count_m4.S", "common/keccak/keccak_permute_m4.S"],
    *["mceliece/mceliece_ops_m4.c", "mceliece/mceliece_encode_m4.S"],
]
# What the processor runs in Python instead: functions of the C library, and wiping.
STUBS = """
void memcpy(void) {} void memmove(void) {} void memset(void) {} void ckem_secure_wipe(void) {}
"""


def options_of(name):
    """Returns the options for a file: those of other processors, too, are to be small."""
    return [*FLAGS, "-O2" if "_m4." in name else "-Os"]


def build(root, folder, changed=None):
    """Returns the Program. changed: a mistake in a source, or None."""
    folder.mkdir(parents=True, exist_ok=True)
    include = [root / name for name in INCLUDED]
    if changed is not None:
        copy = folder / "changed"
        shutil.rmtree(copy, ignore_errors=True)
        changed.apply(copy, root, within="src")
        include[:0] = [copy / name for name in ("", *BELOW)]
    stubs = folder / "stubs.c"
    stubs.write_text(STUBS, encoding="ascii")
    objects = []
    for name in [*FILES, stubs.name]:
        path = next(top / name for top in [*include, folder] if (top / name).exists())
        objects.append(folder / f"{path.stem}.o")
        flags = [*options_of(name), *[f"-I{top}" for top in [*include, root / "include"]]]
        flags += ["-fno-builtin"] if path == stubs else []  # what it defines takes arguments
        compiled = [GCC, *flags, "-c", str(path), "-o", str(objects[-1])]
        subprocess.run(compiled, check=True, capture_output=True)
    output = folder / ("changed.elf" if changed else "kernels.elf")
    link = ["-nostdlib", "-Wl,-Ttext=0x10000", "-Wl,-e0x10000"]
    command = [GCC, *FLAGS, *link, *map(str, objects), "-o", str(output), "-lgcc"]
    subprocess.run(command, check=True, capture_output=True)
    return Program(pathlib.Path(output))


def move(processor):
    """memcpy and memmove of whole words or single bytes."""
    target, source, size = (processor.number(processor.registers[i], "a copy") for i in range(3))
    whole = (target | source | size) % 4 == 0
    step = 4 if whole else 1
    offsets = range(0, size, step)
    if whole:
        values = [processor.load(source + i) for i in offsets]
    else:
        values = [processor.load_part(source + i, 8) for i in offsets]
    for i, value in zip(offsets, values, strict=True):
        if whole:
            processor.store(target + i, value)
        else:
            processor.store_part(target + i, value, 8)


def fill(processor):
    """memset"""
    target, size = (processor.number(processor.registers[i], "memset") for i in (0, 2))
    byte = processor.number(processor.registers[1], "what memset writes") & 255
    at = 0
    while at < size:
        if (target + at) % 4 == 0 and size - at >= 4:
            processor.store(target + at, byte * 0x01010101)
            at += 4
        else:
            processor.store_part(target + at, byte, 8)
            at += 1


def wipe(processor):
    """secure_wipe: what was there is not known any more."""
    start, size = (concrete(processor.registers[i], "wiping") for i in range(2))
    for at in range(start, start + size, 4):
        processor.words.pop(at, None)


REPLACED = {"memcpy": move, "memmove": move, "memset": fill, "ckem_secure_wipe": wipe}


def processor_for(program, domain, contracts=None):
    """Returns a Processor in a domain. contracts: for functions that were proved before, what runs
    in Python instead of them."""
    return Processor(program, domain, operation, REPLACED | (contracts or {}))


class MachineCall:
    """What is proved about machine code: see prove().

    A subclass has __call__(processor, free), which returns (function, arguments, operands by name,
    results by name as (address, words)), and model(operands); contracts as processor_for.
    """

    contracts: dict | None = None
    model_degree: int | None = None  # see prove.Call

    def __call__(self, processor, free):
        raise NotImplementedError

    def model(self, operands):
        """Returns what the results must be."""
        raise NotImplementedError

    def image(self, operands):
        """See prove.Call.image."""
        del operands

    def prove(self, program):
        """Raises NotProved unless the function computes the model for all operands."""
        processor = processor_for(program, Degrees(), self.contracts)
        degree = degree_of_difference(self, *self._run(processor, any_bits))
        self.compare(program, samples_for(degree))
        return degree

    def compare(self, program, count):
        """Compares the function with the model for so many random operands."""
        domain = Samples(count)
        operands, codes = self._run(processor_for(program, domain, self.contracts), domain.random)
        image = self.image(operands)
        if image is not None:
            compare_codes(repr(self), codes, image, (1 << count) - 1)
            return
        expected = modelled(self, operands, count)
        for name, found in codes.items():
            if by_sample(found, count) != expected[name]:
                raise NotProved(f"{self!r}: {name} is wrong")

    def _run(self, processor, free):
        """Runs the function; returns operands and results as codes."""
        function, arguments, operands, results = self(processor, free)
        kept = {name: codes.copy() for name, codes in operands.items()}
        processor.call(function, arguments)
        if processor.outside():
            raise NotProved(f"{self!r}: writes to memory that it was not given")
        return kept, {name: processor.memory(*place) for name, place in results.items()}
