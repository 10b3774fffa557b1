# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keccak-f[1600] (src/common/keccak): its calls, and the specification [FIPS 202] on codes of
bits."""

import numpy as np

from proofs.kernels.engine.fingerprints import Fingerprints
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved

LANES = 25
OPERATIONS = {"permute": 8, "permute_pair": 16, "permute_many": 32}  # offsets in struct keccak_ops
ABSORB = 40
FILES = {
    "portable": ["common/keccak/keccak_portable.c"],
    "avx2": ["common/keccak/keccak_avx2.c", "common/keccak/keccak_many_avx2.c"],
    "avx512": [
        "common/keccak/keccak_avx512.c",
        "common/keccak/keccak_one_avx512.c",
        "common/keccak/keccak_many_avx512.c",
    ],
    "neon": ["common/keccak/keccak_neon.c", "common/keccak/keccak_portable.c"],
    "neon_sha3": ["common/keccak/keccak_neon_sha3.c", "common/keccak/keccak_portable.c"],
}
SHARED = ["common/keccak/keccak_constants.c"]
WIDTHS = {"portable": 1, "avx2": 4, "avx512": 8, "neon": 2, "neon_sha3": 2}


def round_constants():
    """Yields the constants of iota, from the shift register of the standard."""
    state = 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            constant |= (state & 1) << ((1 << j) - 1)
            state = state << 1 ^ (0x171 if state >> 7 & 1 else 0)
        yield constant


def rotations():
    """Returns the distances of rho by (x, y)."""
    found = {(0, 0): 0}
    x, y = 1, 0
    for t in range(24):
        found[x, y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return found


def permuted(domain, state):
    """Returns the codes of Keccak-f of a state[25][64]."""
    a = {(x, y): state[x + 5 * y] for x in range(5) for y in range(5)}
    distances = rotations()
    for constant in round_constants():
        column = {x: domain.total(np.stack([a[x, y] for y in range(5)])) for x in range(5)}
        theta = {x: column[(x - 1) % 5] ^ np.roll(column[(x + 1) % 5], 1) for x in range(5)}
        b = {(y, (2 * x + 3 * y) % 5): np.roll(a[x, y] ^ theta[x], distances[x, y]) for x, y in a}
        a = {(x, y): b[x, y] ^ domain.both(~b[(x + 1) % 5, y], b[(x + 2) % 5, y]) for x, y in b}
        iota = [-(constant >> z & 1) for z in range(64)]
        a[0, 0] = a[0, 0] ^ np.array(iota, dtype=object)
    return np.stack([a[i % 5, i // 5] for i in range(LANES)])


class Permutation:
    """A permutation of a back end, of one, two or `width` states."""

    def __init__(self, backend, operation):
        self.backend, self.operation = backend, operation
        self.count = {"permute": 1, "permute_pair": 2}.get(operation, WIDTHS[backend])

    def __repr__(self):
        return f"{self.backend}-{self.operation}"

    def prove(self, module):
        """Raises NotProved unless each state is permuted as the standard says."""
        domain = Fingerprints()
        machine = Machine(module, domain)
        states = [domain.free(64 * LANES).reshape(LANES, 64) for _ in range(self.count)]
        together = self.operation == "permute_many"
        # lane i of state j is at place `count` i + j where the states are interleaved
        blocks = [np.stack(states, axis=1)] if together else states
        pointers = []
        for block in blocks:
            pointer = machine.memory("state", block.size // 8)
            pointer.memory.bits[:] = block.ravel()
            pointers.append(pointer)
        ops = machine.address(f"ckem_keccak_{self.backend}")
        function = ops.memory.pointers[OPERATIONS[self.operation]].name
        machine.call(function, pointers)
        expected = [permuted(domain, state) for state in states]
        wanted = [np.stack(expected, axis=1)] if together else expected
        for pointer, codes in zip(pointers, wanted, strict=True):
            wrong = np.flatnonzero(pointer.memory.bits != codes.ravel())
            if wrong.size:
                raise NotProved(f"{self}: {wrong.size} bits differ, the first is {wrong[0]}")


class Absorption:
    """A back end absorbs whole blocks, and leaves what is behind them."""

    def __init__(self, backend, rate, length):
        self.backend, self.rate, self.length = backend, rate, length

    def __repr__(self):
        return f"{self.backend}-absorb-{self.rate}-{self.length}"

    def prove(self, module):
        """Raises NotProved unless each block is added to a state, which is then permuted."""
        domain = Fingerprints()
        machine = Machine(module, domain)
        state = domain.free(64 * LANES)
        data = domain.free(8 * self.length)
        pointers = [machine.memory("state", 8 * LANES), machine.memory("data", self.length)]
        for pointer, bits in zip(pointers, (state, data), strict=True):
            pointer.memory.bits[:] = bits
        ops = machine.address(f"ckem_keccak_{self.backend}")
        function = ops.memory.pointers[ABSORB].name
        absorbed = machine.call(function, [*pointers, self.length, self.rate])
        blocks = self.length // self.rate
        for at in range(blocks):
            block, state = data[8 * self.rate * at :][: 8 * self.rate], state.copy()
            state[: 8 * self.rate] = state[: 8 * self.rate] ^ block
            state = permuted(domain, state.reshape(LANES, 64)).ravel()
        if absorbed != blocks * self.rate:
            raise NotProved(f"{self}: {absorbed} bytes are absorbed")
        wrong = np.flatnonzero(pointers[0].memory.bits != state)
        if wrong.size:
            raise NotProved(f"{self}: {wrong.size} bits differ, the first is {wrong[0]}")
