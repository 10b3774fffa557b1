# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Networks of Classic McEliece: sorting (src/mceliece/goppa/sort) and permutations
(src/mceliece/goppa/benes).

A permutation network is compared as a circuit, with all data and all control bits free. Sorting
consists of exchanges, which are compared as circuits too; that they make a sorting network follows
from zeros and ones [Knuth's 0-1 principle]. All inputs of zeros and ones would be too many; but a
network that sorts the halves alone before it merges them needs only those whose halves are sorted,
and it sorts count numbers if it sorts these and count / 2 numbers. The halves are those in the
middle, but for the portable back end, which merges even and odd places.
"""

import numpy as np

from proofs.kernels.engine.circuits import Unit
from proofs.kernels.engine.prove import Call, Setting, compare

SORTS = {
    backend: [f"mceliece/goppa/sort/sort_{backend}.c"] for backend in ("portable", "avx2", "avx512")
}
SORT_FILES = {backend: sorted({*names, *SORTS["portable"]}) for backend, names in SORTS.items()}
APPLY_FILES = ["mceliece/goppa/benes/benes_words.c"]
VECTOR_FILES = ["../proofs/kernels/units/sort_vector.c", "mceliece/goppa/sort/sort_portable.c"]
OFFSETS = {32: 8, 64: 16}  # in struct sort_ops, by the bits of a number


class Exchange(Unit):
    """sort_u32 or sort_u64 with two numbers, which is one exchange of the portable back end; the
    others leave two numbers to it, and take LLVM's minimum and maximum, or what is in LeastMost."""

    def __init__(self, bits):
        self.bits = bits

    def __repr__(self):
        return f"portable-exchange-{self.bits}"

    def __call__(self, machine, free):
        operands = {"numbers": free(2 * self.bits)}
        numbers = machine.memory("numbers", self.bits // 4)
        numbers.memory.bits[:] = operands["numbers"]
        ops = machine.address("ckem_sort_portable")
        function = ops.memory.pointers[OFFSETS[self.bits]].name
        return Setting(function, [numbers, 2], operands, {"numbers": (numbers, self.bits // 4)})

    def circuit(self, domain, operands):
        x, y = np.split(operands["numbers"], 2)
        swap = np.repeat(domain.less(y, x), self.bits)
        return {"numbers": np.concatenate([domain.choose(swap, y, x), domain.choose(swap, x, y)])}


class Pair(Unit):
    """Two numbers of 64 bits, of which all others are larger or equal: what the vectors of AVX2,
    which have no minimum of such numbers, make of them in a call of sort_u64 for eight numbers."""

    def __repr__(self):
        return "avx2-pair-64"

    def __call__(self, machine, free):
        operands = {"numbers": free(128)}
        numbers = machine.memory("numbers", 64)
        numbers.memory.bits[:] = 1  # the largest number
        numbers.memory.bits[:128] = operands["numbers"]
        ops = machine.address("ckem_sort_avx2")
        function = ops.memory.pointers[OFFSETS[64]].name
        return Setting(function, [numbers, 8], operands, {"numbers": (numbers, 64)})

    def circuit(self, domain, operands):
        x, y = np.split(operands["numbers"], 2)
        swap = np.repeat(domain.less(y, x), 64)
        sorted_pair = [domain.choose(swap, y, x), domain.choose(swap, x, y)]
        return {"numbers": np.concatenate([*sorted_pair, np.full(384, 1, dtype=np.int64)])}


class Merge(Call):
    """Sorting of count numbers that are 0 or 1: all inputs, or with halves those whose halves
    are sorted."""

    def __init__(self, backend, bits, count, halves):
        self.backend, self.bits, self.count, self.halves = backend, bits, count, halves

    def __repr__(self):
        kind = "halves" if self.halves else "all"
        return f"{self.backend}-sort-{self.bits}-{self.count}-{kind}"

    def cases(self):
        """Returns the inputs: an array [count][cases] of 0 and 1."""
        if not self.halves:
            every = np.arange(1 << self.count)
            return (every >> np.arange(self.count)[:, None] & 1).astype(np.uint8)
        half = self.count // 2
        zeros = np.arange(half + 1)
        run = (np.arange(half)[:, None] >= zeros).astype(np.uint8)  # [place][zeros]
        first = np.repeat(run, half + 1, axis=1)
        second = np.tile(run, (1, half + 1))
        if self.backend == "portable":
            return np.stack([first, second], axis=1).reshape(self.count, -1)
        return np.concatenate([first, second])

    def prove(self, module):
        """Raises NotProved unless all inputs come out sorted."""
        cases = self.cases()
        packed = np.packbits(cases, axis=1, bitorder="little")
        codes = [int.from_bytes(row.tobytes(), "little") for row in packed]
        compare(module, self, cases.shape[1], lambda bits: np.array(codes[:bits], dtype=object))

    def __call__(self, machine, free):
        operands = {"ones": free(self.count)}
        numbers = machine.memory("numbers", self.bits // 8 * self.count)
        numbers.memory.bits[:] = 0
        numbers.memory.bits[:: self.bits] = operands["ones"]
        ops = machine.address(f"ckem_sort_{self.backend}")
        function = ops.memory.pointers[OFFSETS[self.bits]].name
        return Setting(
            function,
            [numbers, self.count],
            operands,
            {"numbers": (numbers, self.bits // 8 * self.count)},
        )

    def model(self, operands):
        ones = operands["ones"].bit_count()
        places = range(self.count - ones, self.count)
        return {"numbers": sum(1 << (self.bits * place) for place in places)}


class Vectors(Call):
    """Two vectors of 16 numbers that are 0 or 1: AVX-512 sorts one upwards, the other downwards."""

    def __repr__(self):
        return "avx512-vectors-32"

    def prove(self, module):
        """Raises NotProved unless all inputs come out sorted; both vectors get the same."""
        every = np.arange(1 << 16)
        rows = [np.packbits(every >> i & 1, bitorder="little").tobytes() for i in range(16)]
        codes = np.array([int.from_bytes(row, "little") for row in rows], dtype=object)
        compare(module, self, 1 << 16, lambda bits: codes[:bits])

    def __call__(self, machine, free):
        operands = {"ones": free(16)}
        numbers = machine.memory("numbers", 128)
        numbers.memory.bits[:] = 0
        numbers.memory.bits[::32] = np.tile(operands["ones"], 2)
        return Setting("unit_sort_vectors", [numbers], operands, {"numbers": (numbers, 128)})

    def model(self, operands):
        ones = operands["ones"].bit_count()
        places = [*range(16 - ones, 16), *range(16, 16 + ones)]
        return {"numbers": sum(1 << (32 * place) for place in places)}


class Network(Unit):
    """A permutation network of 2^m bits on words, forwards or backwards: all layers."""

    def __init__(self, m, backwards=False):
        self.m, self.backwards = m, backwards

    def __repr__(self):
        return f"network-{self.m}" + ("-backwards" if self.backwards else "")

    def __call__(self, machine, free):
        size, layers = 1 << self.m, 2 * self.m - 1
        operands = {"data": free(size), "control": free(layers * size // 2)}
        control = machine.memory("control", layers * size // 16)
        control.memory.bits[:] = operands["control"]
        network = machine.memory("network", layers * size // 8)
        data = machine.memory("data", size // 8)
        data.memory.bits[:] = operands["data"]
        machine.call("ckem_benes_prepare_words", [self.m, network, control])
        name = "ckem_benes_apply_words" + ("_reversed" if self.backwards else "")
        return Setting(name, [self.m, data, network], operands, {"data": (data, size // 8)})

    def circuit(self, domain, operands):
        data = operands["data"].copy()
        layers = np.split(operands["control"], 2 * self.m - 1)
        distances = [1 << min(i, 2 * self.m - 2 - i) for i in range(2 * self.m - 1)]
        steps = list(zip(distances, layers, strict=True))
        for distance, control in reversed(steps) if self.backwards else steps:
            low = np.flatnonzero(np.arange(1 << self.m) & distance == 0)
            x, y = data[low], data[low + distance]
            change = domain.both(domain.xor(x, y), control)
            data[low], data[low + distance] = domain.xor(x, change), domain.xor(y, change)
        return {"data": data}
