# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors of Classic McEliece: find_repeat and place of struct mceliece_ops.

Both are far from low degree, but simple in their form, which is exact here: nothing is random.

*find_repeat* is a circuit (circuits.py) over numbers of 13 bits that may be anything. That the
value is not zero is an `or` of gates; it is taken apart into these. If each is the comparison of
two numbers, these must be all pairs: as many comparisons as there are pairs of places, none else.
Back ends that compare in another way (by a borrow) have other gates. Then the solver shows of each
gate that it is 1 only if two of the numbers that it depends on are equal, and of each pair that
some gate of these two numbers is 1 if they are equal.

*place*: the domain of origins (positions.py) shows that bit b of the error is an `or` of functions
f(k, b) of one position k each. It remains to show that f(k, b) is 1 for the position b alone. Take
t positions k ^ s, k < t, which are distinct, for each s < 2^13, with the index k spread over some
of the 13 bits. If bit b is right in all of these cases, then f(k, b)(v) is 0 for v != b, unless
another position is b in the case in which k has the value v: unless v ^ b is the sum of two spread
indices. Three ways to spread are tried, which have only the sum 0 in common; so it is 0. And in the
case where position k is b, no other function can be 1, so f(k, b)(b) is. Positions that the words
do not have must set nothing.
"""

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.circuits import AND, FREE, Circuits
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.samples import Samples
from proofs.kernels.positions import SUM, UNKNOWN, Origins

TARGETS = {"neon": "aarch64-linux-gnu"}
BACKENDS = ["portable", "avx2", "avx512", "neon"]
FILES = {backend: [f"mceliece/mceliece_ops_{backend}.c"] for backend in BACKENDS}
FIND_REPEAT, PLACE = 8, 16  # offsets in struct mceliece_ops
BITS = 13  # of a position
COUNTS = [64, 96, 119, 128]  # of the parameter sets
WORDS = 128  # of an error
# Which bit of a position each bit of its index gives: see the head of this file.
SPREADS = [(0, 1, 2, 3, 4, 5, 6), (12, 7, 8, 9, 10, 11, 6), (0, 1, 2, 3, 4, 5, 7)]


class Kernel:
    """A function of struct mceliece_ops for so many positions."""

    def __init__(self, backend, count):
        self.backend, self.count = backend, count
        self.files = FILES.get(backend)
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")

    def _function(self, machine, offset):
        ops = machine.address(f"ckem_mceliece_ops_{self.backend}")
        return ops.memory.pointers[offset].name


class FindRepeat(Kernel):
    """Whether two numbers are equal."""

    def __repr__(self):
        return f"{self.backend}-find_repeat-{self.count}"

    def prove(self, module):
        """Raises NotProved unless the value is 0 for distinct numbers alone."""
        domain = Circuits()
        numbers = domain.free(16 * self.count).reshape(self.count, 16)
        numbers[:, BITS:] = 0
        compare_all_pairs(domain, numbers, self._run(module, domain, numbers.ravel()))

    def _run(self, module, domain, codes):
        """Returns the codes of the value."""
        machine = Machine(module, domain)
        positions = machine.memory("positions", 4 * self.count)  # the second half is not set
        positions.memory.bits[: codes.size] = codes
        value = machine.call(self._function(machine, FIND_REPEAT), [positions, self.count])
        return machine.codes(value, 32)


class EveryCount(FindRepeat):
    """The same for each count from one to another."""

    def __init__(self, backend, first, last):
        super().__init__(backend, last)
        self.first = first

    def __repr__(self):
        return f"{self.backend}-find_repeat-{self.first}-to-{self.count}"

    def prove(self, module):
        """Raises NotProved unless it is right for all of them."""
        for count in range(self.first, self.count + 1):
            FindRepeat(self.backend, count).prove(module)


def compare_all_pairs(domain, numbers, value):
    """Raises NotProved unless a value is not zero where two numbers are equal, and only there."""
    equal = {
        int(domain.equal(numbers[i], numbers[j])[0]): (i, j)
        for j in range(len(numbers))
        for i in range(j)
    }
    gates = alternatives(domain, value)
    left = {pair: code for code, pair in equal.items() if code not in gates}
    others = [code for code in gates if code not in equal]
    if not others:
        if left:
            raise NotProved(f"{len(left)} pairs are not compared, such as {min(left)}")
        return
    owner = {int(c) >> 1: i for i, number in enumerate(numbers) for c in number if c}
    pairs = {pair: code for code, pair in equal.items()}
    touching: dict[tuple[int, int], list[int]] = {}
    support = Support(domain, owner)
    for gate in others:
        found = sorted(support(gate >> 1))
        some = [(i, j) for at, j in enumerate(found) for i in found[:at]]
        for pair in some:
            touching.setdefault(pair, []).append(gate)
        if can_be(domain, gate, [pairs[pair] for pair in some]):
            raise NotProved(f"distinct numbers may count as equal: some of {found}")
    for pair, code in left.items():
        if can_be(domain, code, touching.get(pair, [])):
            raise NotProved(f"that two numbers are equal may be missed: {pair}")


def alternatives(domain, value):
    """Returns the gates of which at least one is 1 where a value is not zero, and no other time."""
    found, seen, stack = set(), set(), [int(code) for code in value if code]
    while stack:
        code = stack.pop()
        if code in seen:
            continue
        seen.add(code)
        kind, a, b = domain.gates[code >> 1] or (FREE, 0, 0)
        if code & 1 and kind == AND:  # not both: one of two is 0
            stack += [a ^ 1, b ^ 1]
        else:
            found.add(code)
    return found


def can_be(domain, code, others):
    """Tells whether a gate can be 1 where all others are 0."""
    for other in others:
        code = domain._one_and(code, other ^ 1)
    return domain.differ(code, 0)


class Support:
    """Which numbers a gate depends on."""

    def __init__(self, domain, owner):
        self.domain, self.found = domain, {0: frozenset()}
        self.found |= {gate: frozenset([number]) for gate, number in owner.items()}

    def __call__(self, gate):
        stack = [gate]
        while stack:
            top = stack[-1]
            if top in self.found:
                stack.pop()
                continue
            kind, a, b = self.domain.gates[top]
            if kind == FREE:
                raise NotProved("the value depends on what was not set")
            waiting = [child >> 1 for child in (a, b) if child >> 1 not in self.found]
            stack += waiting
            if not waiting:
                self.found[top] = self.found[a >> 1] | self.found[b >> 1]
        return self.found[gate]


class Place(Kernel):
    """The ones of an error."""

    def __init__(self, backend, count, words=WORDS):
        super().__init__(backend, count)
        self.words = words

    def __repr__(self):
        return f"{self.backend}-place-{self.count}-{self.words}"

    def prove(self, module):
        """Raises NotProved unless bits are 1 at the positions alone, for any of them."""
        origins = np.repeat(np.arange(2, 2 + self.count, dtype=np.uint8), 16)
        origins.reshape(self.count, 16)[:, BITS:] = 0
        found = set(np.unique(self._run(module, Origins(), origins)).tolist())
        if UNKNOWN in found or SUM in found:
            raise NotProved(f"{self!r}: a bit mixes several positions")
        cases = len(list(spreads(self.count))) << BITS
        codes = self._run(module, Samples(cases), spread_positions(self.count))
        for at, (code, right) in enumerate(zip(codes, wanted(self.count), strict=False)):
            if int(code) & ((1 << cases) - 1) != right:
                raise NotProved(f"{self!r}: bit {at} is wrong")

    def _run(self, module, domain, codes):
        """Returns the codes of the error."""
        machine = Machine(module, domain)
        error = machine.memory("error", 8 * self.words)
        arguments = [error, self.words, place(machine, "positions", codes), self.count]
        machine.call(self._function(machine, PLACE), arguments)
        return error.memory.bits


def spreads(count):
    """Yields for each way to spread the indices, which have 7 bits at most, the positions that
    they give: two ways have only 0 in common if indices have 6 bits."""
    for places in SPREADS if count > 64 else SPREADS[:2]:
        bits = np.arange(count)[:, None] >> np.arange(len(places)) & 1
        yield bits @ (1 << np.array(places))


def packed(table):
    """Returns an integer whose bits are those of a table."""
    return int.from_bytes(np.packbits(table.astype(np.uint8), bitorder="little"), "little")


def spread_positions(count):
    """Returns codes of the domain of samples for so many positions of 16 bits."""
    every = np.arange(1 << BITS)
    values = np.concatenate([every ^ given[:, None] for given in spreads(count)], axis=1)
    codes = np.zeros((count, 16), dtype=object)
    for i in range(BITS):
        codes[:, i] = [packed(row) for row in values >> i & 1]
    return codes.ravel()


def wanted(count):
    """Yields in which of these cases each bit must be 1."""
    every = np.arange(1 << BITS)
    tables = [np.isin(every, given) for given in spreads(count)]
    for bit in every:
        yield packed(np.concatenate([taken[every ^ bit] for taken in tables]))
