# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Supports (src/kem/bike): the order that AVX-512 counts with, and counting as a whole.

The order of a support is proved step by step: how many pairs there are in any support, for all
weights; ranks and places for all numbers, as sums and choices by comparisons; which positions are
put to the front for all lists of neighbours that are in one class or are not.

Then order_support and count_unsatisfied run as they are, one after the other, for random syndromes
and for supports with as few pairs as there can be. So the loops around what is proved elsewhere
(counters.py, rotations.py, pairs.py) are seen to call it for all positions, in every back end.
"""

import itertools
import random

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved, by_sample
from proofs.kernels.engine.samples import Samples
from proofs.kernels.engine.terms import Terms
from proofs.kernels.pairs import CLASS
from proofs.kernels.picks import codes_of
from proofs.kernels.products import stride
from proofs.kernels.rotations import BACKENDS, SCRATCH_STRIDES, files

ORDER_FILES = ["kem/bike/counters_avx512.c", "kem/bike/counters_portable.c"]
MODULE = "counters_avx512"
LANES = 32  # numbers of a vector
CLASS_BITS = CLASS.bit_length() - 1
MAX_WEIGHT = 256  # above every weight
CASES = 32


def class_sizes(r):
    """Returns how many positions of a ring are in each class."""
    return [min(CLASS, r - first) for first in range(0, r, CLASS)]


def fewest_pairs(r):
    """Returns for each weight how many pairs every support of that weight has: the least sum of
    the pairs within classes, over all ways to distribute positions among them."""
    fewest = np.full(MAX_WEIGHT, MAX_WEIGHT)
    fewest[0] = 0
    for size in class_sizes(r):
        ways = np.full((MAX_WEIGHT, MAX_WEIGHT), MAX_WEIGHT)
        for here in range(min(size + 1, MAX_WEIGHT)):
            ways[here, here:] = fewest[: MAX_WEIGHT - here] + here // 2
        fewest = ways.min(axis=0)
    return fewest


class PairCount:
    """pair_count for every weight: as many pairs as every support has, in a ring."""

    target = f'x86_64-linux-gnu -DUNIT="{ORDER_FILES[0]}"'
    files = ("../proofs/kernels/units/apart.c", ORDER_FILES[1])

    def __init__(self, r):
        self.r = r

    def __repr__(self):
        return f"avx512-pair-count-{self.r}"

    def prove(self, module):
        """Raises NotProved unless every number is right."""
        machine = Machine(module, Samples(1))
        for weight, right in enumerate(fewest_pairs(self.r)):
            if machine.call("pair_count.apart", [stride(self.r) // 8, weight]) != right:
                raise NotProved(f"{self!r}: wrong for {weight} positions")


class Rank:
    """rank_avx512 for so many numbers of 16 bits, whatever they are."""

    target = "x86_64-linux-gnu"
    function, operands = "rank", ["numbers"]

    def __init__(self, count):
        self.count, self.files = count, ORDER_FILES

    def __repr__(self):
        return f"avx512-{self.function}-{self.count}"

    def prove(self, module):
        """Raises NotProved unless all numbers are those of the model."""
        domain = Terms()
        machine = Machine(module, domain)
        operands = [domain.free(16 * self.count) for _ in self.operands]
        out = machine.memory("out", 2 * ((self.count + LANES - 1) // LANES) * LANES)
        sources = [place(machine, *pair) for pair in zip(self.operands, operands, strict=True)]
        machine.call(f"{self.function}_avx512.{MODULE}", [out, *sources, self.count])
        found = out.memory.bits[: 16 * self.count]
        right = self.model(domain, [codes.reshape(self.count, 16) for codes in operands])
        if (found != np.concatenate(right)).any():
            raise NotProved(f"{self!r}: a number can be wrong")

    def model(self, domain, operands):
        """Returns how many numbers are below each of them."""
        (numbers,) = operands
        ranks = []
        for number in numbers:
            below = [domain.less(other, number) for other in numbers]
            rank = np.zeros(16, dtype=object)
            for bit in below:
                rank = domain.add(rank, np.concatenate([bit, np.zeros(15, dtype=object)]))
            ranks.append(rank)
        return ranks


class PutInPlaces(Rank):
    """put_in_places_avx512: a number is where the last one of its places says."""

    function, operands = "put_in_places", ["numbers", "places"]

    def model(self, domain, operands):
        """Returns for each place the number that is put there, or zero."""
        numbers, places = operands
        out = []
        for at in range(self.count):
            here = np.array([-(at >> i & 1) for i in range(16)], dtype=object)
            value = np.zeros(16, dtype=object)
            for number, where in zip(numbers, places, strict=True):
                chosen = np.repeat(domain.equal(where, here), 16)
                value = domain.choose(chosen, number, value)
            out.append(value)
        return out


class FindPlaces:
    """find_places_avx512 for so many positions, in all cases of which neighbours share a class."""

    target = "x86_64-linux-gnu"

    def __init__(self, weight):
        self.weight, self.files = weight, ORDER_FILES

    def __repr__(self):
        return f"avx512-find-places-{self.weight}"

    def prove(self, module):
        """Raises NotProved unless the places are a permutation with pairs in front."""
        cases = np.array(list(itertools.product((0, 1), repeat=self.weight - 1)))
        classes = np.hstack([np.zeros((len(cases), 1), dtype=int), np.cumsum(cases, axis=1)])
        inside = np.arange(self.weight) * 77 % (1 << CLASS_BITS)
        numbers = (classes << CLASS_BITS) + inside
        for pairs in range(self.weight // 2 + 1):
            machine = Machine(module, Samples(len(cases)))
            codes = codes_of(numbers).reshape(self.weight, 32)[:, :16].ravel()
            out = machine.memory("places", 2 * self.weight)
            arguments = [out, place(machine, "sorted", codes), self.weight, pairs]
            machine.call(f"find_places_avx512.{MODULE}", arguments)
            found = by_sample(out.memory.bits, len(cases))
            for case, value in zip(classes, found, strict=True):
                places = [value >> (16 * i) & 0xFFFF for i in range(self.weight)]
                self._check(case.tolist(), places, pairs)

    def _check(self, classes, places, pairs):
        """Looks at one case: there are enough pairs unless too many classes have an odd number."""
        alone = sum(classes.count(c) % 2 for c in set(classes))
        if 2 * pairs > self.weight - alone:
            return
        if sorted(places) != list(range(self.weight)):
            raise NotProved(f"{self!r}: no permutation for {classes}")
        at = {p: classes[i] for i, p in enumerate(places)}
        if any(at[2 * n] != at[2 * n + 1] for n in range(pairs)):
            raise NotProved(f"{self!r}: no pair in front for {classes}")


# --- Counting as a whole --------------------------------------------------------------------------


def support_with_few_pairs(r, weight):
    """Returns a random support in which as many positions as possible are alone in their class."""
    sizes = class_sizes(r)
    count = min(weight, len(sizes))
    alone = set(random.sample(range(len(sizes)), count - (weight - count) % 2))
    taken = []
    for number, size in enumerate(sizes):
        places = random.sample(range(size), min(size, weight))
        taken.append([CLASS * number + at for at in places])
    found = [taken[number].pop() for number in alone]
    while len(found) < weight:
        more = random.choice(taken)
        if len(more) >= 2:
            found += [more.pop(), more.pop()]
    random.shuffle(found)
    return found


class Counted:
    """order_support, if there is one, and count_unsatisfied with two thresholds."""

    def __init__(self, backend, r, weight):
        self.backend, self.r, self.weight = backend, r, weight
        self.files, self.target = files(backend), BACKENDS[backend].processor

    def __repr__(self):
        return f"{self.backend}-counted-{self.r}-{self.weight}"

    def prove(self, module):
        """Raises NotProved unless the order keeps all positions, with pairs in front where they are
        used, and the counters of all positions are compared with both thresholds."""
        supports = [support_with_few_pairs(self.r, self.weight) for _ in range(CASES // 2)]
        supports += [random.sample(range(self.r), self.weight) for _ in range(CASES // 2)]
        machine = Machine(module, Samples(CASES))
        ring = machine.address(f"ckem_gf2x_ring_{self.r}")
        ops = machine.address(f"ckem_bike_counters_{self.backend}").memory
        support = place(machine, "support", codes_of(supports))
        order = ops.pointers.get(8)
        if order:
            machine.call(order.name, [ring, support, self.weight])
            self._check_order(supports, by_sample(support.memory.bits, CASES))
        size = 8 * stride(self.r)
        syndrome = place(machine, "syndrome", machine.domain.random(self.r), size)
        outs = [machine.memory(name, size) for name in ("reached", "low")]
        scratch = machine.memory("scratch", SCRATCH_STRIDES * size + 512)
        limits = (self.weight // 2 + 2, self.weight // 2)
        arguments = [outs[0], limits[0], outs[1], limits[1], syndrome, support, self.weight]
        machine.call(ops.pointers[16].name, [ring, *arguments, scratch])
        found = [by_sample(out.memory.bits, CASES) for out in outs]
        for case, value in enumerate(by_sample(syndrome.memory.bits, CASES)):
            bits = np.array([value >> at & 1 for at in range(self.r)])
            count = sum(np.roll(bits, -position) for position in supports[case])
            for values, limit in zip(found, limits, strict=True):
                ones = np.packbits(count >= limit, bitorder="little").tobytes()
                if values[case] != int.from_bytes(ones, "little"):
                    raise NotProved(f"{self!r}: wrong for {supports[case]}")

    def _check_order(self, supports, ordered):
        """Looks whether the same positions come out, and in pairs as far as they are used so."""
        pairs = fewest_pairs(self.r)[self.weight] if self.backend == "avx512" else 0
        for support, value in zip(supports, ordered, strict=True):
            found = [value >> (32 * i) & 0xFFFFFFFF for i in range(self.weight)]
            if sorted(found) != sorted(support):
                raise NotProved(f"{self!r}: other positions than those of {support}")
            if any(found[2 * n] // CLASS != found[2 * n + 1] // CLASS for n in range(pairs)):
                raise NotProved(f"{self!r}: no pair in front for {support}")
