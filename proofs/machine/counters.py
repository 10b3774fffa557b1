# SPDX-License-Identifier: Apache-2.0 OR MIT
"""BIKE's counters in machine code, where the steps are no functions.

Counted: a support, with all syndromes and all thresholds. Each bit of the result becomes a circuit
of the bits of the syndrome that are counted there, and a decision diagram says that it compares
their number. Supports are chosen: those of a family have each place of a word in the ring, and each
place of a bit in a word at two more, so that steps along the list are of all widths.

Ordered: the list that is counted along, for all positions. Supports: both, with random supports and
syndromes in one run, so that the path does not depend on them.
"""

import itertools
import random

import numpy as np

from proofs.kernels import supports
from proofs.kernels.codes import place
from proofs.kernels.engine.bits import known
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.terms import Terms
from proofs.kernels.products import stride
from proofs.kernels.rotations import BACKENDS, ENTRIES, SCRATCH_STRIDES, WORD
from proofs.kernels.supports import NUMBER, Place, Rank
from proofs.machine.planes import AND, FREE, Diagrams, Planes

ORDER, COUNT = 8, 16  # offsets in struct bike_counters
QUAD = 4  # entries of a list come in fours
PLANES = 7  # of counters below 128; others have one more
NULL, RESULTS = 0, 2  # the second result may be left out


def listed(backend, r, support):
    """Returns what count_unsatisfied takes: the positions, or the sorted list of them and marks."""
    gap = BACKENDS[backend].gap
    if not gap:
        return list(support)
    marks = (-(-r // WORD) - 1) // gap
    count = -(-(len(support) + marks) // QUAD) * QUAD
    more = [2 * WORD * gap * (i + 1) + 1 for i in range(count - len(support))]
    return sorted([2 * position for position in support] + more)


class Counters:
    """count_unsatisfied of a back end, for so many positions."""

    def __init__(self, backend, r, weight):
        self.backend, self.r, self.weight = backend, r, weight

    def call(self, machine, free, support, thresholds):
        """Calls the function; returns the codes of the results, one for each threshold, all of
        their strides."""
        size = 8 * stride(self.r)
        syndrome = place(machine, "syndrome", free, size)
        before = syndrome.memory.bits.copy()
        outs = [machine.memory(f"reached {at}", size) for at in range(len(thresholds))]
        scratch = machine.memory("scratch", SCRATCH_STRIDES * size + 8 * WORD)
        ring = machine.address(f"ckem_gf2x_ring_{self.r}")
        pairs = [*zip(outs, thresholds, strict=True), (NULL, 0)][:RESULTS]
        arguments = [ring, *itertools.chain(*pairs), syndrome, support]
        ops = machine.address(f"ckem_bike_counters_{self.backend}")
        function = ops.memory.pointers[COUNT].name
        machine.call(function, [*arguments, self.weight, scratch])
        self.demand((syndrome.memory.bits == before).all(), "the syndrome is not kept")
        return [out.memory.bits for out in outs]

    def demand(self, holds, what):
        """Raises NotProved for something that need not hold."""
        if not holds:
            raise NotProved(f"{self!r}: {what}")


def family(r, weight):
    """Yields supports of positions that stand for all, in an order that only r and weight say."""
    choose = random.Random(f"{r} {weight}")
    words = r // WORD  # whole ones
    found = {WORD * word + choose.randrange(WORD) for word in range(words)}
    found |= {WORD * choose.randrange(words) + bit for bit in range(WORD) for _ in range(2)}
    positions = sorted(found | {r - 1})
    choose.shuffle(positions)
    others = [position for position in range(r) if position not in found]
    positions += choose.sample(others, -len(positions) % weight)
    for at in range(0, len(positions), weight):
        yield positions[at : at + weight]


class Counted(Counters):
    """A support of a family, by its number, and how many results are asked for."""

    def __init__(self, backend, r, weight, number, results=RESULTS):
        super().__init__(backend, r, weight)
        self.number, self.results = number, results
        self.diagrams, self.right = Diagrams(), 0

    def __repr__(self):
        alone = "" if self.results == RESULTS else "-alone"
        return f"{self.backend}-counted-{self.r}-{self.weight}-{self.number}{alone}"

    def prove(self, module):
        """Raises NotProved unless every counter is compared with every threshold."""
        domain = Planes()
        machine = Machine(module, domain)
        support = next(itertools.islice(family(self.r, self.weight), self.number, None))
        entries = listed(self.backend, self.r, support)
        raw = np.zeros(ENTRIES, dtype="<u4")
        raw[: len(entries)] = entries
        codes = np.unpackbits(raw.view(np.uint8), bitorder="little").astype(np.int64)
        free = domain.free(self.r)
        bits = PLANES + self.weight // 2**PLANES
        thresholds = []
        for _ in range(self.results):
            thresholds.append(np.zeros(NUMBER, dtype=np.int64))
            thresholds[-1][:bits] = domain.free(bits)
        self.diagrams = Diagrams()
        self.right = self._comparison(bits)
        found = self.call(machine, free, place(machine, "support", codes), thresholds)
        for result, threshold in zip(found, thresholds, strict=True):
            self.demand((result[self.r :] == 0).all(), "a bit behind the ring is set")
            self._check(domain, result[: self.r], free, threshold[:bits], sorted(support))

    def _check(self, domain, result, free, threshold, support):
        """Goes through the bits that are one circuit, and then through those that are another."""
        inputs = [free[(np.arange(self.r) + position) % self.r] >> 1 for position in support]
        inputs += [np.full(self.r, code >> 1) for code in reversed(threshold)]
        waiting = np.arange(self.r)
        while waiting.size:
            order, every, same = domain.circuit(result[waiting])
            variables = {int(numbers[waiting[0]]): at for at, numbers in enumerate(inputs)}
            for number in order:
                if domain.kinds[number] != FREE:
                    continue
                at = variables.setdefault(number, len(variables))
                if at < len(inputs):  # others must cancel, whatever they are
                    same &= every[number] == inputs[at][waiting]
            value = self._diagram(domain, order, variables) ^ int(result[waiting[0]]) & 1
            self.demand(value == self.right, "a counter can be wrong")
            waiting = waiting[~same]

    def _diagram(self, domain, order, variables):
        """Returns the diagram of the last of these gates."""
        values = {}
        for number in order:
            if domain.kinds[number] == FREE:
                values[number] = self.diagrams.node(variables[number], 0, 1)
                continue
            pair = int(domain.left[number]), int(domain.right[number])
            a, b = (values[code >> 1] ^ code & 1 for code in pair)
            both = domain.kinds[number] == AND
            values[number] = self.diagrams.both(a, b) if both else self.diagrams.xor(a, b)
        return values[order[-1]]

    def _comparison(self, bits):
        """Returns the diagram of: as many of the first variables are 1 as the others say, or more;
        these have the highest bit first."""
        diagrams, rows = self.diagrams, []
        for count in range(self.weight + 1):
            value = 1  # both are equal
            for bit in range(bits):
                variable = self.weight + bits - 1 - bit
                if count >> bit & 1:
                    value = diagrams.node(variable, 1, value)
                else:
                    value = diagrams.node(variable, value, 0)
            rows.append(value)
        for variable in reversed(range(self.weight)):
            rows = [diagrams.node(variable, *pair) for pair in itertools.pairwise(rows)]
        return rows[0]


class Supports(supports.Counted):
    """The list and the counters for some supports at once, of which the path must not depend."""

    def __repr__(self):
        return f"{self.backend}-supports-{self.r}-{self.weight}"


class Ordered:
    """order_support of a back end: positions below 2^30 and marks, each where the number of smaller
    ones says."""

    def __init__(self, backend, r, weight):
        self.backend, self.r, self.weight = backend, r, weight

    def __repr__(self):
        return f"{self.backend}-ordered-{self.r}-{self.weight}"

    def prove(self, module):
        """Raises NotProved unless every entry of the list is that of its place."""
        domain = Terms()
        machine = Machine(module, domain)
        support = machine.memory("support", NUMBER // 8 * ENTRIES)
        positions = [domain.free(NUMBER) for _ in range(self.weight)]
        for at, codes in enumerate(positions):
            codes[-2:] = 0
            support.memory.bits[NUMBER * at : NUMBER * at + NUMBER] = codes
        ops = machine.address(f"ckem_bike_counters_{self.backend}")
        arguments = [machine.address(f"ckem_gf2x_ring_{self.r}"), support, self.weight]
        machine.call(ops.memory.pointers[ORDER].name, arguments)
        moved = [np.concatenate([codes[-1:], codes[:-1]]) for codes in positions]
        marks = [entry for entry in listed(self.backend, self.r, [0] * self.weight) if entry % 2]
        entries = [*moved, *(known(mark, NUMBER, domain) for mark in marks)]
        rank, order = Rank(self.backend, len(entries)), Place(self.backend, len(entries))
        right = order.model(domain, [entries, rank.model(domain, [entries])])
        found = support.memory.bits[: NUMBER * len(entries)]
        if (found != np.concatenate(right)).any():
            raise NotProved(f"{self!r}: an entry can be wrong")
