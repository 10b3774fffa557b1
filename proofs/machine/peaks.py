# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reed-Muller decoding of HQC in machine code, whole.

Entries of the Hadamard transform are sums of bits, their absolute values and the largest of these
are functions of them. Which entries are as high as that, and which are positive, are bits; what the
code makes of these bits in words becomes a circuit, and must be that of the first of the highest
entries, whichever they are. One of them is the highest: so the case that none is does not count.
"""

import itertools

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine import integers, terms
from proofs.kernels.engine.bits import ANYTHING, Domain
from proofs.kernels.engine.circuits import Circuits
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.terms import Terms
from proofs.kernels.peaks import known, sign
from proofs.machine.pieces import Pieces

DECODE = 8  # offset in struct hqc_codes
ENTRIES, SYMBOLS = 128, 2
NUMBER = 16  # bits of an entry
WORD = 33  # so many bits or more are no number, but bits of one each
AND, XOR = "both", "xor"


class OfPeaks(Terms):
    """Terms that keep what is computed with bits."""

    meanings = terms.MEANINGS + integers.MEANINGS

    def __init__(self):
        super().__init__()
        self._made = {}  # code of a bit, no complement: the operation, and the codes of operands

    def _kept(self, operation, a, b, codes):
        for x, y, code in np.broadcast(a, b, codes):
            if ANYTHING not in (x, y, code) and code not in (0, -1, x, y, ~x, ~y):
                key, turned = (~code, True) if code < 0 else (code, False)
                self._made.setdefault(key, (operation, x, y, turned))
        return codes

    def xor(self, a, b):
        return self._kept(XOR, a, b, super().xor(a, b))

    def both(self, a, b):
        return self._kept(AND, a, b, super().both(a, b))

    def equal(self, a, b):
        return Domain.equal(self, a, b) if a.size >= WORD else super().equal(a, b)

    def less(self, a, b):
        return Domain.less(self, a, b) if a.size >= WORD else super().less(a, b)

    def add(self, a, b, factor=1):
        if a.size < WORD:
            return super().add(a, b, factor)
        return self._words(a, b, 0) if factor == 1 else self._words(a, ~b, -1)

    def subtract(self, a, b):
        return self._words(a, ~b, -1) if a.size >= WORD else super().subtract(a, b)

    def _words(self, a, b, carry):
        """Codes of a sum, bit by bit."""
        result, carry = np.zeros(a.size, dtype=object), np.array([carry], dtype=object)
        for at in range(a.size):
            x, y = a[at : at + 1], b[at : at + 1]
            half = self.xor(x, y)
            result[at] = self.xor(half, carry)[0]
            carry = self.either(self.both(x, y), self.both(half, carry))
        return result

    def codes_of(self, sum_, bits):
        """See Terms; a number of two values is a sum of one bit, too."""
        codes = super().codes_of(sum_, bits)
        self._sums.setdefault(tuple(codes), {a: f for a, f in sum_.items() if f})
        return codes

    def choose_number(self, choice, one, zero):
        """Codes of choice ? one : zero, where they differ by a number that is known; or None."""
        total = dict(self.sum_of(zero))
        changed = dict(self.sum_of(one))
        for atom, factor in total.items():
            changed[atom] = changed.get(atom, 0) - factor
        if any(factor for atom, factor in changed.items() if atom):
            return None
        for atom, factor in self.sum_of(np.array([choice], dtype=object)).items():
            total[atom] = total.get(atom, 0) + factor * changed.get((), 0)
        return self.codes_of(total, zero.size)

    def circuit(self, circuits, inputs, code):
        """Returns the code in a domain of circuits; inputs: by code of a bit, its code there."""
        values, stack = {0: 0, **inputs}, [code]
        while stack:
            top = stack[-1]
            key = ~top if top < 0 else top
            if key in values or key not in self._made:
                if key not in values:
                    raise NotProved("a symbol depends on something else than peaks")
                stack.pop()
                continue
            operation, a, b, turned = self._made[key]
            missing = [c for c in (a, b) if (~c if c < 0 else c) not in values]
            if missing:
                if len(stack) > len(self._made):
                    raise NotProved("a bit that is made of itself")
                stack += missing
                continue
            x, y = (values[~c] ^ 1 if c < 0 else values[c] for c in (a, b))
            found = getattr(circuits, operation)(np.array([x]), np.array([y]))[0]
            values[key] = int(found) ^ turned
            stack.pop()
        return values[~code] ^ 1 if code < 0 else values[code]


class WholePeak:
    """reed_muller_decode of a back end for so many copies."""

    def __init__(self, backend, copies):
        self.backend, self.copies = backend, copies

    def __repr__(self):
        return f"{self.backend}-peaks-{self.copies}"

    def prove(self, module):
        """Raises NotProved unless each symbol is that of the first of the highest entries."""
        domain = OfPeaks()
        for copies, symbol in zip(*self.run(module, domain), strict=True):
            self._check(domain, copies, symbol)

    def run(self, module, domain):
        """Runs the function; returns codes: words[symbols][copies][entries], symbols[][8]."""
        machine = Machine(module, domain)
        words = domain.free(SYMBOLS * ENTRIES * self.copies)
        source, out = place(machine, "in", words), machine.memory("symbols", SYMBOLS)
        ops = machine.address(f"ckem_hqc_codes_{self.backend}")
        arguments = [out, source, SYMBOLS, self.copies]
        machine.call(ops.memory.pointers[DECODE].name, arguments)
        return words.reshape(SYMBOLS, self.copies, ENTRIES), out.memory.bits.reshape(SYMBOLS, 8)

    def _check(self, domain, copies, symbol):
        """Compares the circuit of a symbol."""
        entries = [domain.codes_of(self.entry(copies, t), NUMBER) for t in range(ENTRIES)]
        heights = [domain.function("absolute", [entry], NUMBER) for entry in entries]
        peak = domain.largest(*heights)
        top = known(1 << NUMBER - 1, NUMBER, domain)
        circuits = Circuits()
        inputs, wanted = {}, np.zeros(8, dtype=np.int64)
        none = np.ones(1, dtype=np.int64)
        for t, (entry, height) in enumerate(zip(entries, heights, strict=True)):
            here = self._input(circuits, inputs, domain.equal(height, peak)[0])
            positive = self._input(circuits, inputs, domain.less(top, entry ^ top)[0])
            mine = np.concatenate([known(t, 7, circuits), positive])
            first = circuits.both(none, here)
            wanted = circuits.either(wanted, circuits.both(np.repeat(first, 8), mine))
            none = circuits.both(none, circuits.invert(here))
        for at, code in enumerate(symbol):
            found = np.array([domain.circuit(circuits, inputs, code)])
            wrong = circuits.xor(found, wanted[at : at + 1])
            if circuits.differ(circuits.both(wrong, circuits.invert(none))[0], 0):
                raise NotProved(f"{self!r}: bit {at} of a symbol can be wrong")

    @staticmethod
    def _input(circuits, inputs, code):
        """Returns a circuit for a bit, which is no sum."""
        code, turned = (~code, 1) if code < 0 else (code, 0)
        if code not in inputs:
            inputs[code] = int(circuits.free(1)[0]) ^ turned
        return np.array([inputs[code] ^ turned])

    def entry(self, copies, t):
        """Returns an entry of the transform, a sum."""
        total: dict[tuple, int] = {
            (bit,): sign(j, t) for row in copies for j, bit in enumerate(row)
        }
        if t == 0:
            total[()] = -ENTRIES // 2 * self.copies
        return total


class PortablePeak(WholePeak):
    """The same of portable code: the largest key of all entries. A key has the absolute value of an
    entry at t, then 127 - t, then whether it is positive."""

    NUMBER, KEY = 32, 8  # bits of an entry, and below its absolute value in a key

    def prove(self, module):
        """Raises NotProved unless each symbol is that of the largest key."""
        domain = Pieces()
        words, symbols = self.run(module, domain)
        for copies, symbol in zip(words, symbols, strict=True):
            entries = [self.entry(copies, t) for t in range(ENTRIES)]
            keys = [self._key(domain, entry, t) for t, entry in enumerate(entries)]
            half = ENTRIES // 2
            # In the order in which the code takes them.
            pairs = zip(keys[:half], keys[half:], strict=True)
            best, *others = itertools.chain.from_iterable(pairs)
            for key in others:
                above = np.repeat(domain.less(best, key), self.NUMBER)
                best = domain.choose(above, key, best)
            expected = np.concatenate([~best[1 : self.KEY], best[:1]])
            if (symbol != expected).any():
                raise NotProved(f"{self!r}: a symbol can be wrong")

    def _key(self, domain, entry, t):
        """Returns the codes of the key of an entry, a sum."""
        value = domain.codes_of(entry, self.NUMBER)
        opposite = domain.codes_of({atom: -f for atom, f in entry.items()}, self.NUMBER)
        negative, positive = value[-1:], opposite[-1:]
        turned = domain.xor(value, np.repeat(negative, self.NUMBER))
        one = np.concatenate([negative, known(0, self.NUMBER - 1, domain)])
        absolute = domain.add(turned, one)
        below = known(ENTRIES - 1 - t, self.KEY - 1, domain)
        return np.concatenate([positive, below, absolute[: -self.KEY]])
