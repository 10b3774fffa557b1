# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of planes: gates as those of circuits, but in arrays, for code that does the same to
each of very many bits.

The code of a bit is 2 n or 2 n + 1, gate n or its complement; 0 and 1 are the constants. Equal
gates are not made one. `circuit` tells which bits are the same function of other bits, and
Diagrams say which function that is.
"""

import numpy as np

from proofs.kernels.engine.bits import Domain
from proofs.kernels.engine.integers import MEANINGS

FREE, AND, XOR = range(3)
ANYTHING = 2  # and its complement: nothing is known
ROOM = 1 << 20  # gates


class Planes(Domain):
    """See the head of this file."""

    dtype = np.int64
    unknown = ANYTHING
    joins = True
    remembers = False
    meanings = MEANINGS

    def __init__(self):
        self.count = 2  # the constant, what is unknown
        self.kinds = np.zeros(ROOM, dtype=np.int8)
        self.left, self.right = (np.zeros(ROOM, dtype=np.int64) for _ in range(2))

    def _new(self, kind, a, b):
        """Returns the codes of new gates."""
        first, self.count = self.count, self.count + a.size
        while self.count > self.kinds.size:
            self.kinds = np.concatenate([self.kinds, np.zeros_like(self.kinds)])
            self.left = np.concatenate([self.left, np.zeros_like(self.left)])
            self.right = np.concatenate([self.right, np.zeros_like(self.right)])
        place = slice(first, self.count)
        self.kinds[place], self.left[place], self.right[place] = kind, a, b
        return 2 * np.arange(first, self.count, dtype=np.int64)

    def free(self, bits):
        """Codes of bits that may be anything."""
        zeros = np.zeros(bits, dtype=np.int64)
        return self._new(FREE, zeros, zeros)

    def xor(self, a, b):
        a, b = np.broadcast_arrays(a, b)
        flip, a, b = (a ^ b) & 1, a & ~1, b & ~1
        result = np.where(a == b, 0, a + b)  # right if one of them is a constant
        result[(a == ANYTHING) | (b == ANYTHING)] = ANYTHING
        gates = (a > ANYTHING) & (b > ANYTHING) & (a != b)
        if gates.any():
            result[gates] = self._new(XOR, a[gates], b[gates])
        return result ^ flip

    def both(self, a, b):
        a, b = np.broadcast_arrays(a, b)
        result = np.where((a == 1) | (a == b), b, np.where(b == 1, a, 0))
        gates = (a > 1) & (b > 1) & (a | 1 != b | 1)
        strange = gates & ((a | 1 == ANYTHING | 1) | (b | 1 == ANYTHING | 1))
        result[strange] = ANYTHING
        gates &= ~strange
        if gates.any():
            result[gates] = self._new(AND, a[gates], b[gates])
        return result

    def invert(self, a):
        return a ^ 1

    def add(self, a, b, carry=0):
        """Codes of the sum of integers."""
        result = np.zeros(a.size, dtype=np.int64)
        carry = np.full(1, carry, dtype=np.int64)
        for at in range(a.size):
            x, y = a[at : at + 1], b[at : at + 1]
            half = self.xor(x, y)
            result[at] = self.xor(half, carry)[0]
            carry = self.xor(self.both(x, y), self.both(half, carry))
        return result

    def subtract(self, a, b):
        """Codes of the difference of integers."""
        if not a.any() and not b[1:].any():
            return np.full(b.size, b[0], dtype=np.int64)  # 0 - b for one bit b: all bits are b
        return self.add(a, self.invert(b), 1)

    # --- What was computed ---

    def circuit(self, codes):
        """Returns the gates of the circuit that the first of these bits is, the lowest ones first;
        for each of them, by its number, those of all bits; and which bits are this circuit, too."""
        order = self._cone(int(codes[0]) >> 1)
        every = {order[-1]: codes >> 1}
        same = codes & 1 == codes[0] & 1
        for number in reversed(order):
            numbers, kind = every[number], self.kinds[number]
            same &= self.kinds[numbers] == kind
            for table in () if kind == FREE else (self.left, self.right):
                child, children = int(table[number]), table[numbers]
                same &= children & 1 == child & 1
                known = every.setdefault(child >> 1, children >> 1)
                same &= known == children >> 1
        return order, every, same

    def _cone(self, top):
        """Returns the gates below one, the lowest ones first."""
        order, seen, stack = [], set(), [top]
        while stack:
            number = stack[-1]
            waiting = []
            if self.kinds[number] != FREE:
                pair = int(self.left[number]) >> 1, int(self.right[number]) >> 1
                waiting = [n for n in pair if n not in seen]
            if waiting:
                stack.append(waiting[0])
                continue
            stack.pop()
            if number not in seen:
                seen.add(number)
                order.append(number)
        return order


LAST = 1 << 30  # the variable of the constant


class Diagrams:
    """Decision diagrams: two functions of ordered variables are equal if their codes are. A code is
    2 n or 2 n + 1, node n or its complement; 0 and 1 are the constants."""

    def __init__(self):
        self._nodes = [(LAST, 0, 0)]
        self._numbers, self._and, self._xor = {}, {}, {}

    def node(self, variable, zero, one):
        """Returns the code of `variable ? one : zero`, of functions of later variables."""
        if zero == one:
            return zero
        flip = zero & 1
        key = (variable, zero ^ flip, one ^ flip)
        if key not in self._numbers:
            self._numbers[key] = len(self._nodes)
            self._nodes.append(key)
        return 2 * self._numbers[key] + flip

    def _parts(self, code, variable):
        mine, zero, one = self._nodes[code >> 1]
        return (zero ^ code & 1, one ^ code & 1) if mine == variable else (code, code)

    def _by_parts(self, operation, a, b):
        variable = min(self._nodes[a >> 1][0], self._nodes[b >> 1][0])
        (a0, a1), (b0, b1) = self._parts(a, variable), self._parts(b, variable)
        return self.node(variable, operation(a0, b0), operation(a1, b1))

    def both(self, a, b):
        """Returns the code of a and b."""
        if a > b:
            a, b = b, a
        if a < 2 or a ^ b < 2:
            return (b if a else 0) if a < 2 else a if a == b else 0
        if (a, b) not in self._and:
            self._and[a, b] = self._by_parts(self.both, a, b)
        return self._and[a, b]

    def xor(self, a, b):
        """Returns the code of a xor b."""
        flip, a, b = (a ^ b) & 1, a & ~1, b & ~1
        if a > b:
            a, b = b, a
        if a in (0, b):
            return flip ^ (b if a == 0 else 0)
        if (a, b) not in self._xor:
            self._xor[a, b] = self._by_parts(self.xor, a, b)
        return self._xor[a, b] ^ flip
