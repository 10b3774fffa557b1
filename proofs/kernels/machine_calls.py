# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls of the Cortex-M4's machine code but for its products and powers (machine_products.py), and
what they must compute."""

import numpy as np

from proofs.kernels.engine.circuits import Circuits
from proofs.kernels.engine.fingerprints import Fingerprints
from proofs.kernels.engine.forms import Forms
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.machine_code import processor_for
from proofs.kernels.permutations import LANES, permuted
from proofs.kernels.products import stride
from proofs.kernels.rotations import representatives


class Keccak:
    """The permutation, by fingerprints as in permutations.py."""

    def __repr__(self):
        return "m4-keccak"

    def prove(self, program):
        """Raises NotProved unless the state is permuted as the standard says."""
        domain = Fingerprints()
        processor = processor_for(program, domain)
        state = domain.free(64 * LANES)
        address = processor.allocate(2 * LANES, state)
        processor.call("ckem_keccak_permute_m4", [address])
        found = processor.memory(address, 2 * LANES)
        wrong = np.flatnonzero(found != permuted(domain, state.reshape(LANES, 64)).ravel())
        if wrong.size:
            raise NotProved(f"{self!r}: {wrong.size} bits differ, the first is {wrong[0]}")


CASES = 4096
WORD = 32  # bits of what moves as a whole


class RotationCode:
    """count_unsatisfied with one position and the threshold 1, as in rotations.py."""

    def __init__(self, r, first=0, count=None):
        self.r, self.first, self.count = r, first, count

    def __repr__(self):
        return f"m4-rotation-{self.r}" + (f"-{self.first}-{self.count}" if self.count else "")

    def prove(self, program):
        """Raises NotProved unless the syndrome moves as it should."""
        some = [np.arange(self.first, self.first + self.count)] if self.count else None
        for positions in some or representatives(self.r, WORD):
            self._prove(program, positions)

    def _prove(self, program, positions):
        domain = Forms(positions.size)
        processor = processor_for(program, domain)
        words = 2 * stride(self.r)
        free = domain.free(self.r)
        padded = np.zeros(32 * words, dtype=object)
        padded[: self.r] = free
        syndrome = processor.allocate(words, padded)
        support = processor.allocate(1, domain.values(positions, 32))
        reached, low = processor.allocate(words), processor.allocate(words)
        scratch = processor.allocate(2 * (10 * stride(self.r) + 64))
        ring = program.symbols[f"ckem_gf2x_ring_{self.r}"]
        arguments = [ring, reached, 1, low, 2, syndrome, support, 1, scratch]
        processor.call("count_unsatisfied_m4", arguments)
        numbers = domain.numbers(free)[:, :, 0]
        for name, address in (("reached", reached), ("low", low)):
            for j, code in enumerate(processor.memory(address, words)):
                found = domain.numbers([code])[0]
                inside = name == "reached" and j < self.r
                right = numbers[(j + positions) % self.r].T if inside else 0
                if (found != right).any():
                    raise NotProved(f"{self!r}: bit {j} of {name} can be wrong")


class CounterCode:
    """The sums of counters_count_m4.S for one column of each kind, as circuits."""

    def __init__(self, name, planes):
        self.name, self.planes = name, planes

    def __repr__(self):
        return f"m4-{self.name}"

    def prove(self, program):
        """Raises NotProved unless the counters grow by the rows."""
        domain = Circuits()
        processor = processor_for(program, domain)
        column = self.planes + 1  # planes 0 and 1, the carry, the others
        rows, planes = domain.free(4 * 32), domain.free(32 * column)
        address = processor.allocate(4, rows)
        at = processor.allocate(column, planes)
        arguments = [address, at, 4, 1] + ([4 * column] if self.name == "add_first" else [])
        processor.call(f"ckem_bike_{self.name}_m4", arguments)
        found = processor.memory(at, column).reshape(column, 32)
        before, added = planes.reshape(column, 32), rows.reshape(4, 32)
        for lane in range(32):
            self._check(domain, before[:, lane], added[:, lane], found[:, lane])

    def _check(self, domain, before, added, after):
        """One counter: the planes 0 and 1 and what counts four grow by the rows."""
        size = self.planes
        expected = np.zeros(size, dtype=np.int64)
        counted = [0, 1] if self.name == "add_first" else [0, 1, *range(3, size + 1)]
        expected[: len(counted)] = before[counted]
        ones = [(bit, 0) for bit in added]
        if self.name != "add_first":
            ones.append((before[2], 2))  # the carry of the first four
        for bit, place in ones:
            one = np.zeros(size, dtype=np.int64)
            one[place] = bit
            expected = domain.add(expected, one)
        pairs = list(zip(after[counted], expected[: len(counted)], strict=True))
        if self.name == "add_first":
            pairs.append((after[2], expected[2]))
            pairs += list(zip(after[3:], before[3:], strict=True))
        for one, other in pairs:
            if domain.differ(one, other):
                raise NotProved(f"{self!r}: a plane can be wrong")


class CompareCode:
    """The comparison of counters with a threshold, for one word of them, as a circuit."""

    def __init__(self, planes):
        self.planes = planes

    def __repr__(self):
        return f"m4-compare-{self.planes}"

    def prove(self, program):
        """Raises NotProved unless the bits are right for all counters and thresholds."""
        domain = Circuits()
        processor = processor_for(program, domain)
        planes, threshold = domain.free(32 * self.planes), domain.free(32)
        threshold[self.planes :] = 0
        column = np.concatenate(
            [planes[:64], domain.free(32), planes[64:]]
        )  # the carry is number 2
        count = processor.allocate(10)  # struct count: column is word 7, planes word 9
        processor.store(count + 28, self.planes + 1)
        processor.store(count + 36, processor.allocate(self.planes + 1, column))
        out = processor.allocate(1)
        processor.call("compare_m4", [out, 0, 1, count, threshold.copy()])
        found = processor.memory(out, 1)
        for lane in range(32):
            counter, limit = planes.reshape(-1, 32)[:, lane], threshold[: self.planes]
            if domain.differ(found[lane], domain.invert(domain.less(counter, limit))[0]):
                raise NotProved(f"{self!r}: bit {lane} can be wrong")


class Search:
    """sparse_search: bit 5 tells whether a position is in a list, as a circuit."""

    def __init__(self, count):
        self.count = count

    def __repr__(self):
        return f"m4-search-{self.count}"

    def prove(self, program):
        """Raises NotProved unless bit 5 is right for all lists."""
        domain = Circuits()
        processor = processor_for(program, domain)
        position, listed = domain.free(32), domain.free(32 * self.count)
        address = processor.allocate(self.count, listed)
        value = processor.call("ckem_sparse_search_m4", [position.copy(), address, self.count])
        found = np.zeros(1, dtype=np.int64)
        for entry in listed.reshape(self.count, 32):
            found = domain.either(found, domain.equal(entry, position))
        if domain.differ(processor.codes(value)[5], found[0]):
            raise NotProved(f"{self!r}: can be wrong")


class PositionCode:
    """set_positions of one ring for one position, in all cases; more than one are a sum, as every
    word is visited and a product with 0 or 1 added to it: that is read in the assembly."""

    def __init__(self, r, first):
        self.r, self.first = r, first

    def __repr__(self):
        return f"m4-set_positions-{self.r}-{self.first}"

    def prove(self, program):
        """Raises NotProved unless the right coefficient is set for all positions below 4 r, and
        for no position."""
        for start in range(0, 4 * self.r, CASES):
            self._prove(program, np.arange(start, start + CASES))
        self._prove(program, np.array([2**32 - 1]))

    def _prove(self, program, positions):
        domain = Forms(positions.size)
        processor = processor_for(program, domain)
        words = 2 * stride(self.r)
        out = processor.allocate(words)
        listed = processor.allocate(1, domain.values(positions, 32))
        ring = program.symbols[f"ckem_gf2x_ring_{self.r}"]
        processor.call("set_positions_m4", [ring, out, listed, 1, self.first])
        one = domain.numbers([-1])[0]
        for j, code in enumerate(processor.memory(out, words)):
            wanted = (positions == j + self.first) & (j < self.r)
            if (domain.numbers([code])[0] != np.where(wanted, one, 0)).any():
                raise NotProved(f"{self!r}: coefficient {j} can be wrong")
