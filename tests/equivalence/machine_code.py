# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs about machine code of the Cortex-M4: the kernels of its back end as gcc and its assembler
make them, linked into one program, run by thumb.py. The method is that of prove.py."""

import hashlib
import pathlib
import shutil
import subprocess

import numpy as np

from equivalence.bits import concrete
from equivalence.degrees import UNKNOWN, Degrees
from equivalence.prove import NotProved, by_sample, compare_codes
from equivalence.samples import Samples, samples_for
from equivalence.thumb import Processor, Program
from equivalence.thumb_operations import operation

GCC = "arm-none-eabi-gcc"
# As CMake builds the profile for small devices (cmake/toolchains/cortex-m4.cmake, cmake/isa.cmake).
FLAGS = [
    *["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft", "-std=c11", "-O2", "-DNDEBUG"],
    *["-fno-strict-aliasing", "-DCODEKEM_HAVE_M4", "-DCODEKEM_SMALL"],
]
FILES = [
    *[f"gf2x/m4/gf2x_{name}" for name in ("m4.c", "mul_m4.c", "power_m4.c", "rotation_m4.c")],
    *["gf2x/m4/gf2x_toom_m4.c", "gf2x/gf2x_rings.c", "gf2x/gf2x_power.c"],
    *[f"gf2x/m4/gf2x_{name}_m4.S" for name in ("words", "points", "rotate")],
    *["sparse/sparse_m4.c", "sparse/sparse_place_m4.S", "bike/bike_ops_m4.c"],
    *["bike/bike_count_m4.S", "keccak/keccak_permute_m4.S"],
]
# What the processor runs in Python instead: functions of the C library, and wiping.
STUBS = """
void memcpy(void) {} void memmove(void) {} void memset(void) {} void codekem_secure_wipe(void) {}
"""


def build(root, folder, changed=None):
    """Returns the Program. changed: a mistake in a source, or None."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = root / "src"
    include = [sources]
    if changed is not None:
        copy = folder / "changed"
        shutil.rmtree(copy, ignore_errors=True)
        changed.apply(copy, root, within="src")
        include.insert(0, copy)
    paths = [next(top / name for top in include if (top / name).exists()) for name in FILES]
    stubs = folder / "stubs.c"
    stubs.write_text(STUBS, encoding="ascii")
    output = folder / ("changed.elf" if changed else "kernels.elf")
    flags = [*FLAGS, *[f"-I{top}" for top in include], f"-I{root / 'include'}"]
    link = ["-nostdlib", "-Wl,-Ttext=0x10000", "-Wl,-e0x10000", "-fno-builtin"]
    command = [GCC, *flags, *link, *map(str, [*paths, stubs]), "-o", str(output), "-lgcc"]
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


REPLACED = {"memcpy": move, "memmove": move, "memset": fill, "codekem_secure_wipe": wipe}


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
        codes = self._run(processor, lambda bits: np.full(bits, 2, dtype=np.uint8))[1]
        degree = 1
        for name, found in codes.items():
            if (found == UNKNOWN).any():
                at = int(np.flatnonzero(found == UNKNOWN)[0])
                raise NotProved(f"{self!r}: nothing is known about bit {at} of {name}")
            degree = max(degree, int(found.max()) - 1)
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
        operands = {name: by_sample(found, count) for name, found in operands.items()}
        codes = {name: by_sample(found, count) for name, found in codes.items()}
        for at in range(count):
            expected = self.model({name: values[at] for name, values in operands.items()})
            for name, values in codes.items():
                if values[at] != expected[name]:
                    raise NotProved(f"{self!r}: {name} is wrong")

    def _run(self, processor, free):
        """Runs the function; returns operands and results as codes."""
        function, arguments, operands, results = self(processor, free)
        kept = {name: codes.copy() for name, codes in operands.items()}
        processor.call(function, arguments)
        if processor.outside():
            raise NotProved(f"{self!r}: writes to memory that it was not given")
        return kept, {name: processor.memory(*place) for name, place in results.items()}


def key_of(program, call, paths):
    """Returns a hash of a program, a call, and the files of the proof."""
    digest = hashlib.sha256(program.key.encode())
    for path in paths:
        digest.update(path.read_bytes())
    digest.update(repr(call).encode())
    return digest.hexdigest()
