# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of circuits: each bit is a gate over the free bits; a SAT solver tells gates apart.

The code of a bit is 2 n or 2 n + 1, gate n or its complement; 0 and 1 are the constants. Gates are
AND and XOR of two codes; equal gates are one. `differ` asks the solver (CaDiCaL, through PySAT)
whether two codes can ever have different values: if it says no, they have not, for all values of
the free bits. Cones of gates that are equal but for the names of their inputs are solved once; of
large cones all are asked of one solver, which keeps what it learns.
"""

import numpy as np
from pysat.solvers import Solver

from proofs.kernels.engine.bits import Domain
from proofs.kernels.engine.integers import MEANINGS
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved, results, run

FREE, AND, XOR = range(3)
ANYTHING = 2  # and its complement: the gate that stands for every bit of which nothing is known
SMALL = 2000  # gates of a cone that gets a solver of its own


def parts_of(number):
    """Returns the numbers that have some of the bits of a number, but neither none nor all."""
    return [part for part in range(1, number) if part & ~number == 0]


class Circuits(Domain):
    """See the head of this file."""

    dtype = np.int64
    unknown = ANYTHING
    joins = True
    meanings = MEANINGS

    def __init__(self):
        self.gates = [None, (FREE, 0, 0)]  # the constant, what is unknown
        self._known = {}
        self._and = np.frompyfunc(self._one_and, 2, 1)
        self._xor = np.frompyfunc(self._one_xor, 2, 1)
        self._solver = Solver(name="cadical153")
        self._solved = set()  # shapes of cones
        self._told = set()  # gates that the solver knows
        self._unions = {}  # pools: whether row s is the union of the rows of its bits

    def free(self, bits):
        """Codes of bits that may be anything."""
        first = len(self.gates)
        self.gates += [(FREE, 0, 0)] * bits
        return 2 * np.arange(first, first + bits, dtype=np.int64)

    def _gate(self, kind, a, b):
        """The code of a gate; a < b."""
        gate = (kind, a, b)
        if gate not in self._known:
            self._known[gate] = 2 * len(self.gates)
            self.gates.append(gate)
        return self._known[gate]

    def _one_and(self, a, b):
        a, b = (a, b) if a < b else (b, a)
        if a == 0 or a ^ b == 1:
            return ANYTHING if a == ANYTHING else 0
        if a in (1, b):
            return b
        if a & ~1 == ANYTHING or b & ~1 == ANYTHING:
            return ANYTHING
        return self._gate(AND, a, b)

    def _one_xor(self, a, b):
        complement = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        if ANYTHING in (a, b):
            return ANYTHING
        a, b = (a, b) if a < b else (b, a)
        if a == b:
            return complement
        return complement ^ (b if a == 0 else self._gate(XOR, a, b))

    def xor(self, a, b):
        return self._xor(a, b).astype(np.int64)

    def both(self, a, b):
        return self._and(a, b).astype(np.int64)

    def invert(self, a):
        return a ^ 1

    def choose(self, choice, one, zero):
        """Codes of choice ? one : zero."""
        return self.xor(zero, self.both(choice, self.xor(one, zero)))

    def add(self, a, b, carry=0):
        """Codes of the sum of integers."""
        result = np.empty(a.size, dtype=np.int64)
        for at, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
            half = self._one_xor(x, y)
            result[at] = self._one_xor(half, carry)
            carry = self._one_xor(self._one_and(x, y), self._one_and(half, carry))
        return result

    def subtract(self, a, b):
        """Codes of the difference of integers."""
        return self.add(a, self.invert(b), 1)

    def multiply(self, a, b):
        """Codes of the product of integers."""
        result = np.zeros(a.size, dtype=np.int64)
        for at in range(a.size):
            shifted = np.zeros(a.size, dtype=np.int64)
            shifted[at:] = self.both(a[at : at + 1], b[: a.size - at])
            result = self.add(result, shifted)
        return result

    def weight(self, codes):
        """Codes of the number of ones, with as many bits as there are codes."""
        result = np.zeros(codes.size, dtype=np.int64)
        for code in codes.tolist():
            carry = code
            for at in range(codes.size.bit_length()):
                bit = int(result[at])
                result[at], carry = self._one_xor(bit, carry), self._one_and(bit, carry)
        return result

    def look_up(self, pool, index):
        """Where each row is the union of those that its number's bits name, so is what is found:
        the same function with fewer gates."""
        key = pool.tobytes()
        if key not in self._unions:
            self._unions[key] = not pool[0].any() and all(
                any((self.either(pool[part], pool[at ^ part]) == pool[at]).all() for part in parts)
                for at, parts in enumerate(map(parts_of, range(len(pool))))
                if parts
            )
        if not self._unions[key]:
            return None
        result = np.zeros_like(pool[0])
        for at, bit in enumerate(index):
            here = self.both(np.full(result.size, bit, dtype=self.dtype), pool[1 << at])
            result = self.either(result, here)
        return result

    # --- Asking the solver ---

    def differ(self, a, b):
        """Tells whether two codes differ for some values of the free bits."""
        miter = self._one_xor(int(a), int(b))
        if miter < 2:
            return miter == 1
        cone, shape = self._cone(miter >> 1)
        if cone is None:
            return self._asked(miter)
        key = (miter & 1, shape)
        if key in self._solved:
            return False
        found = solve(self.gates, cone, miter & 1)
        if not found:
            self._solved.add(key)
        return found

    def _asked(self, miter):
        """Asks the solver that gets all questions about many gates."""
        self._tell(miter >> 1)
        literal = literal_of(miter)
        found = self._solver.solve(assumptions=[literal])
        if not found:  # later questions may use that
            self._solver.add_clause([-literal])
        return found

    def _cone(self, top):
        """Returns the gates below one, and their shape: the same but for names of free bits; or
        nothing if they are many."""
        order, seen, stack = [], {0: -1}, [top]
        while stack:
            number = stack[-1]
            kind, a, b = self.gates[number]
            waiting = [] if kind == FREE else [n for n in (a >> 1, b >> 1) if n not in seen]
            if waiting:
                stack.append(waiting[0])
                continue
            stack.pop()
            if number not in seen:
                seen[number] = len(order)
                order.append(number)
                if len(order) > SMALL:
                    return None, None
        shape: list[int | tuple[int, int, int, int, int]] = []
        for number in order:
            kind, a, b = self.gates[number]
            if kind == FREE:
                shape.append(FREE)
            else:
                shape.append((kind, seen[a >> 1], a & 1, seen[b >> 1], b & 1))
        return order, tuple(shape)

    def _tell(self, top):
        """Tells the solver what a gate is, and all below it."""
        stack = [top]
        while stack:
            number = stack.pop()
            if number in self._told:
                continue
            self._told.add(number)
            kind, a, b = self.gates[number]
            if kind == FREE:
                continue
            z, x, y = number + 1, literal_of(a), literal_of(b)
            if kind == AND:
                self._solver.append_formula([[-z, x], [-z, y], [z, -x, -y]])
            else:
                self._solver.append_formula([[-z, x, y], [-z, -x, -y], [z, -x, y], [z, x, -y]])
            stack += [a >> 1, b >> 1]


def literal_of(code):
    """Returns the literal of the solver for a code."""
    return -((code >> 1) + 1) if code & 1 else (code >> 1) + 1


def solve(gates, cone, inverted):
    """Tells whether the last gate of a cone, or its complement, can be 1."""
    numbers = {number: i + 1 for i, number in enumerate(cone)}  # variables of the solver
    with Solver(name="cadical153") as solver:
        for number, z in numbers.items():
            kind, a, b = gates[number]
            if kind == FREE:
                continue
            x, y = (-numbers[c >> 1] if c & 1 else numbers[c >> 1] for c in (a, b))
            if kind == AND:
                solver.append_formula([[-z, x], [-z, y], [z, -x, -y]])
            else:
                solver.append_formula([[-z, x, y], [-z, -x, -y], [z, -x, y], [z, x, -y]])
        solver.add_clause([-len(cone) if inverted else len(cone)])
        return solver.solve()


class Unit:
    """A function whose every bit is compared with a circuit, for all operands.

    A subclass has contracts, __call__(machine, free) as prove.Call, and circuit(domain, operands),
    which returns the codes that the results must have.
    """

    contracts: dict | None = None

    def __call__(self, machine, free):
        """Returns a Setting."""
        raise NotImplementedError

    def circuit(self, domain, operands):
        """Returns what the results must be."""
        raise NotImplementedError

    def prove(self, module):
        """Raises NotProved unless the results are those of the circuit for all operands."""
        domain = Circuits()
        machine = Machine(module, domain, self.contracts)
        setting = self(machine, domain.free)
        operands = {name: codes.copy() for name, codes in setting.operands.items()}
        run(machine, setting)
        expected = self.circuit(domain, operands)
        for name, codes in results(setting).items():
            wanted = expected[name]
            if codes.size != wanted.size:
                raise NotProved(f"{self!r}: {name} has {codes.size} bits, not {wanted.size}")
            for at, (found, right) in enumerate(zip(codes, wanted, strict=True)):
                if domain.differ(found, right):
                    raise NotProved(f"{self!r}: bit {at} of {name} can be wrong")
