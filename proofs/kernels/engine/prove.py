# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves that a function of a module computes what a model says, for all operands.

First the domain of degrees bounds the degree of every bit of the results; each call states that of
its model. The difference of both has at most the larger degree. Then the function is compared with
the model for so many random operands that a difference of this degree passes with a probability of
at most 2^-128 (samples.py).
"""

import dataclasses
import functools
import operator

import numpy as np

from proofs.kernels.engine.bits import Pointer, has_anything
from proofs.kernels.engine.degrees import UNKNOWN, Degrees
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.samples import Samples, samples_for


class NotProved(AssertionError):
    """The function does not compute what the model says, or its degree is too high to tell."""


@dataclasses.dataclass
class Setting:
    """A call in a machine: arguments, operands (name -> codes) and where the results will be."""

    function: str
    arguments: list
    operands: dict
    results: dict  # name -> (Pointer, bytes)
    # of the value that the function returns, or of what it points to; it is the result `value`
    value_bits: int = 0


class Call:
    """What is proved about: see prove()."""

    contracts: dict | None = None  # see interpreter.Machine
    # What the bits of the model's results have at most, as polynomials over GF(2) in the bits of
    # the operands: a claim about Python code, so the reason stands beside it. See check_model().
    model_degree: int | None = None

    def __call__(self, machine, free):
        """Returns a Setting."""
        raise NotImplementedError

    def model(self, operands):
        """Returns what the results must be."""
        raise NotImplementedError

    def image(self, operands):
        """Returns codes of what the results must be, for codes of operands that are random bits, or
        None. Instead of the model for linear maps of which this is known; zeros may be left out."""
        del operands


@dataclasses.dataclass
class Proof:
    """What was found: degree of the results, operands that were tried, instructions that ran."""

    degree: int
    samples: int
    steps: int
    instructions: set


MOST = 8  # larger degrees take too many random operands
FLATS = 2  # on which the degree of a model is tried


def prove(module, call, samples=Samples):
    """Proves that the call arranged computes the model; raises NotProved if it does not.

    call(machine, free) returns a Setting; it makes operands by free(bits), which gives codes.
    model(operands) takes integers by name and returns integers by the names of the results, which
    are compared to their last byte. samples: the domain of random operands.
    """
    degrees = Degrees()
    machine = Machine(module, degrees, call.contracts)
    setting = call(machine, any_bits)
    operands = {name: codes.copy() for name, codes in setting.operands.items()}
    run(machine, setting)
    degree = degree_of_difference(call, operands, results(setting))
    compare(module, call, samples_for(degree), samples=samples)
    return Proof(degree, samples_for(degree), machine.steps, machine.instructions)


def any_bits(bits):
    """Codes of bits that may be anything, in the domain of degrees."""
    return np.full(bits, 2, dtype=np.uint8)


def degree_of_difference(call, operands, found):
    """Returns the larger one of the degrees of what was found, codes by name, and of the model."""
    if call.model_degree is None:
        raise NotProved(f"{call!r} does not state the degree of its model")
    degree = max(1, call.model_degree)
    for name, codes in found.items():
        if (codes == UNKNOWN).any():
            at = int(np.flatnonzero(codes == UNKNOWN)[0])
            raise NotProved(f"{call!r}: nothing is known about bit {at} of {name}")
        degree = max(degree, int(codes.max()) - 1)
    if degree > MOST:
        raise NotProved(f"{call!r}: the degree may be {degree}, too much for random operands")
    check_model(call, operands)
    return degree


def check_model(call, operands):
    """Raises NotProved if a model is seen to have a larger degree than it states: polynomials of
    degree d sum to zero over every flat of d + 1 dimensions. This finds a wrong claim with good
    chances, and shows none right."""
    dimensions = call.model_degree + 1
    count = 1 << dimensions
    kinds = [0]  # the values of all affine functions on a flat
    for row in [np.full(count, 1), *(np.arange(count) >> i & 1 for i in range(dimensions))]:
        value = sum(bit << at for at, bit in enumerate(row.tolist()))
        kinds += [value ^ kind for kind in kinds]
    flats = [np.array(kinds, dtype=object) << count * flat for flat in range(FLATS)]
    codes = {}
    for name, free in operands.items():
        codes[name] = np.zeros(free.size, dtype=object)
        for flat in flats:
            chosen = np.random.default_rng().integers(0, len(kinds), free.size)
            codes[name] += flat[np.where(free > 1, chosen, free)]
    for name, values in modelled(call, codes, count * FLATS).items():
        for flat in range(FLATS):
            if functools.reduce(operator.xor, values[count * flat :][:count]):
                raise NotProved(
                    f"{call!r}: {name} of the model has a degree above {call.model_degree}"
                )


def modelled(call, operands, count):
    """Returns the results of the model by name, a list of integers, for codes of operands in the
    domain of samples."""
    image = call.image(operands)
    if image is not None:
        return {name: by_sample(codes, count) for name, codes in image.items()}
    values = {name: by_sample(codes, count) for name, codes in operands.items()}
    found = [call.model({name: values[name][at] for name in values}) for at in range(count)]
    return {name: [values[name] for values in found] for name in found[0]}


def prove_exhaustively(module, call, bits):
    """Compares the call with the model for all values of an operand of so many bits."""
    count = 1 << bits
    codes = np.empty(bits, dtype=object)
    codes[:] = [sum((value >> i & 1) << value for value in range(count)) for i in range(bits)]
    compare(module, call, count, lambda size: codes[:size])


def compare(module, call, count, free=None, samples=Samples):
    """Compares the call with the model for so many operands, by default random ones."""
    domain = samples(count)
    machine = Machine(module, domain, call.contracts)
    setting = call(machine, free or domain.random)
    operands = {name: codes.copy() for name, codes in setting.operands.items()}
    run(machine, setting)
    image = call.image(operands)
    if image is not None:
        compare_codes(setting.function, results(setting), image, (1 << count) - 1)
        return
    expected = modelled(call, operands, count)
    for name, codes in results(setting).items():
        for value, right in zip(by_sample(codes, count), expected[name], strict=True):
            if value != right:
                wrong = value ^ right
                raise NotProved(
                    f"{setting.function}: {name} is wrong in {wrong.bit_count()} bits, the first"
                    f" one is bit {(wrong & -wrong).bit_length() - 1}"
                )


def compare_codes(function, found, image, mask):
    """Compares the results with codes, of which those bits count that the mask has."""
    for name, codes in found.items():
        wanted = np.zeros(codes.size, dtype=object)
        wanted[: image[name].size] = image[name]
        wrong = np.flatnonzero((codes ^ wanted) & mask)
        if wrong.size:
            raise NotProved(
                f"{function}: {name} is wrong in {wrong.size} bits, the first one is bit {wrong[0]}"
            )


def run(machine, setting):
    """Makes the call; its value, if it has one, becomes the result `value`."""
    value = machine.call(setting.function, setting.arguments)
    value = machine.value_of(value, setting.value_bits)
    if isinstance(value, Pointer):
        setting.results["value"] = (value, setting.value_bits // 8)
    elif value is not None:
        setting.results["value"] = machine.codes(value, setting.value_bits)


def results(setting):
    """Returns the codes of the results."""
    found = {}
    for name, place in setting.results.items():
        if isinstance(place, np.ndarray):
            found[name] = place
            continue
        pointer, size = place
        pointer.memory.check(pointer.offset, size)
        found[name] = pointer.memory.bits[8 * pointer.offset : 8 * (pointer.offset + size)]
    return found


def by_sample(codes, count):
    """Turns codes of the domain of samples into integers, one for each sample."""
    size = (count + 7) // 8
    mask = (1 << count) - 1
    if has_anything(codes):
        raise NotProved(f"nothing is known about one of {len(codes)} bits")
    raw = b"".join((int(code) & mask).to_bytes(size, "little") for code in codes)
    table = np.frombuffer(raw, dtype=np.uint8).reshape(len(codes), size)
    bits = np.unpackbits(table, axis=1, count=count, bitorder="little")
    rows = np.packbits(bits.T, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in rows]
