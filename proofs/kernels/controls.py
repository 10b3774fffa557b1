# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Control bits of permutations (src/mceliece/goppa/benes): the steps that find them, for all
numbers; all of it for all permutations of up to eight things; and networks on vectors, as
circuits."""

import itertools

import numpy as np

from proofs.kernels import lookups
from proofs.kernels.codes import place
from proofs.kernels.engine.bits import Code
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import Call, NotProved, Setting, compare
from proofs.kernels.engine.terms import Terms
from proofs.kernels.matrices import Kernel, Numbered
from proofs.kernels.networks import Network

TARGETS = {"neon": "aarch64-linux-gnu"}
FILES = {
    "portable": ["mceliece/goppa/benes/benes_find.c"],
    "avx2": ["mceliece/goppa/benes/benes_avx2.c"],
    "avx512": ["mceliece/goppa/benes/benes_avx512.c"],
    "neon": ["mceliece/goppa/benes/benes_neon64.c"],
}
UNITS = {"portable": "benes_find", "avx2": "benes_avx2", "avx512": "benes_avx512"}
UNITS["neon"] = "benes_neon64"
SORT_BITS = {1: 16, 2: 10}  # of a number in a pair, and in three of them


class Step(Numbered):
    """A step of struct benes_steps on n numbers of 16 bits."""

    def __init__(self, backend, step, n):
        Kernel.__init__(self, "portable", step, n)
        self.backend, self.step, self.n = backend, step, n
        self.files = FILES[backend]
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")

    def __call__(self, machine, free):
        n, size = self.n, 2 * self.n
        names = {"lower": "ab", "split": "ab"}.get(self.step, "a")
        operands = {name: free(16 * n) for name in names}
        inputs = [place(machine, name, codes) for name, codes in operands.items()]
        outs = [machine.memory(f"out{i}", size) for i in range(2)]
        arguments, results = [n, outs[0], *inputs], {"out0": (outs[0], size)}
        if self.step == "lower":
            arguments, results = [n, *inputs], {"out0": (inputs[0], size)}
        elif self.step == "split":
            arguments = [n, *outs, *inputs, n // 4]
            results = {f"out{i}": (out, n) for i, out in enumerate(outs)}
        elif self.step == "collect":
            results = {"out0": (outs[0], n // 16)}
        name = f"{self.step}_{self.backend}.{UNITS[self.backend]}"
        return Setting(name, arguments, operands, results)

    def expected(self, domain, operands):
        a = operands["a"].reshape(-1, 16)
        return {
            f"out{i}": out.ravel()
            for i, out in enumerate(getattr(self, self.step)(domain, a, operands))
        }

    def conjugate(self, domain, a, operands):
        """a[y ^ 1] ^ 1"""
        to = a[np.arange(self.n) ^ 1].copy()
        to[:, 0] = domain.invert(to[:, 0])
        return [to]

    def lower(self, domain, a, operands):
        """The smaller number of each pair."""
        b = operands["b"].reshape(-1, 16)
        for x, y in zip(a, b, strict=True):
            less = np.repeat(domain.less(y, x), 16)
            x[:] = domain.choose(less, y, x)
        return [a]

    def flip_pairs(self, domain, a, operands):
        """y ^ (a[y & ~1] & 1)"""
        numbers = np.arange(self.n)
        to = (numbers[:, None] >> np.arange(16) & 1).astype(np.int64)
        to[:, 0] = domain.xor(to[:, 0], a[numbers & ~1, 0])
        return [to]

    def split(self, domain, a, operands):
        """Pairs, exchanged where the lowest bit of b[2 k] is set; their halves modulo n / 4."""
        choice = np.repeat(operands["b"].reshape(-1, 16)[::2, :1], 16, axis=1)
        pairs = [domain.choose(choice, a[1 - i :: 2], a[i::2]) for i in range(2)]
        halves = []
        for numbers in pairs:
            half = np.zeros_like(numbers)
            bits = (self.n // 4).bit_length() - 1
            half[:, :bits] = numbers[:, 1 : bits + 1]
            halves.append(half)
        return halves

    def collect(self, domain, a, operands):
        """The lowest bit of each a[2 k]."""
        return [a[::2, 0]]


class LookUp(Step):
    """look_up of AVX-512, which looks up in registers: any index, one table or two."""

    def __init__(self, n, tables):
        super().__init__("avx512", "look_up", n)
        self.tables, self.shape = tables, ("look_up", n, tables)

    def __call__(self, machine, free):
        n, size = self.n, 2 * self.n
        operands = {"index": free(16 * n), "from0": free(16 * n), "from1": free(16 * n)}
        operands["index"].reshape(n, 16)[:, n.bit_length() - 1 :] = 0
        index, *tables = (place(machine, name, codes) for name, codes in operands.items())
        outs = [machine.memory(f"out{i}", size) for i in range(2)]
        second = [outs[1], tables[1]] if self.tables == 2 else [0, 0]
        scratch = machine.memory("scratch", 8 * n)
        arguments = [n, index, index, outs[0], tables[0], *second, scratch]
        results = {f"out{i}": (outs[i], size) for i in range(self.tables)}
        return Setting("look_up_avx512.benes_avx512", arguments, operands, results)

    def expected(self, domain, operands):
        bits = self.n.bit_length() - 1
        indices = operands["index"].reshape(-1, 16)[:, :bits]
        found = {}
        for i in range(2):
            pool = operands[f"from{i}"].reshape(-1, 16)
            # bytes apart, as the code has them: equal circuits are one
            bytes_ = [pool[:, 8 * k : 8 * k + 8] for k in range(2)]
            rows = [[lookups.looked_up(domain, b, x) for b in bytes_] for x in indices]
            found[f"out{i}"] = np.concatenate(list(itertools.chain(*rows)))
        return found


class SortedLookUp:
    """benes_look_up_by_sorting, with any sorting: since the inverse of a permutation holds each
    number once, number y of what is sorted has the key y, and with it what index[y] brought."""

    def __init__(self, n, tables):
        self.n, self.tables = n, tables
        self.files, self.target = FILES["portable"], "x86_64-linux-gnu"

    def __repr__(self):
        return f"look_up_by_sorting-{self.n}-{self.tables}"

    def prove(self, module):
        """Raises NotProved unless numbers are packed behind keys and unpacked again."""
        domain = Terms()
        n, bits = self.n, 10 if self.n <= 1024 else 16
        payload = self.tables * (16 if self.tables == 1 else bits)

        def sort(width):
            def contract(machine, arguments):
                pointer, count = arguments
                words = pointer.memory.bits[: n * width].reshape(n, width)
                key = inverse.reshape(n, 16)[:, : width - payload]
                second = tables[1][:, : payload // self.tables]
                data = [tables[0][:, : payload // self.tables]]
                data = [second, *data] if self.tables == 2 else data
                zeros = np.zeros((n, width - payload - key.shape[1]), dtype=object)
                wanted = np.concatenate([*data, key, zeros], axis=1)
                if count != n or (words != wanted).any():
                    raise NotProved(f"{self!r}: what is sorted can be wrong")
                words[:, :payload] = sorted_.reshape(n, payload)
                numbers = np.arange(n)[:, None] >> np.arange(width - payload) & 1
                words[:, payload:] = -numbers

            return contract

        contracts = {f"any_sort_{width}": sort(width) for width in (32, 64)}
        machine = Machine(module, domain, contracts)
        ops = machine.memory("sort", 24)
        ops.memory.pointers.update({8: Code("any_sort_32"), 16: Code("any_sort_64")})
        sorted_ = domain.free(n * payload)
        values = domain.free(3 * 16 * n).reshape(3, n, 16)
        values[:, :, (n - 1).bit_length() :] = 0
        inverse, tables = values[0].ravel(), values[1:]
        pointers = [place(machine, "numbers", x.ravel()) for x in values]
        outs = [machine.memory(f"out{i}", 2 * n) for i in range(2)]
        second = [outs[1], pointers[2]] if self.tables == 2 else [0, 0]
        scratch = machine.memory("scratch", 8 * n)
        arguments = [ops, n, pointers[0], outs[0], pointers[1], *second, scratch]
        machine.call("ckem_benes_look_up_by_sorting", arguments)
        parts = sorted_.reshape(n, self.tables, -1)
        for i in range(self.tables):
            right = np.zeros((n, 16), dtype=object)
            right[:, : parts.shape[2]] = parts[:, self.tables - 1 - i]
            if (outs[i].memory.bits != right.ravel()).any():
                raise NotProved(f"{self!r}: out{i} can be wrong")


# --- All control bits of small permutations -------------------------------------------------------


def control_bits(pi):
    """Returns layers[case] of control bits of permutations pi[case][n] [Ber20, in Python]."""
    cases, n = pi.shape
    if n == 2:
        return [pi[:, :1] & 1]
    rows = np.arange(cases)[:, None]
    places = np.broadcast_to(np.arange(n), pi.shape)
    inverse = np.argsort(pi, axis=1)
    p = pi[rows, inverse[rows, places ^ 1] ^ 1]
    least, power = places, p
    for _ in range(n):
        least, power = np.minimum(least, power), p[rows, power]
    first = least[:, ::2] & 1
    flipped = pi ^ first[rows, pi >> 1]
    last = flipped[:, ::2] & 1
    inner = flipped[rows, places ^ np.repeat(last, 2, axis=1)]
    halves = [control_bits(inner[:, i::2] >> 1) for i in range(2)]
    layers = [np.stack(pair, axis=2).reshape(cases, -1) for pair in zip(*halves, strict=True)]
    return [first, *layers, last]


class Find(Call):
    """find_control_bits of the portable back end, for all permutations of 2^m things."""

    def __init__(self, m):
        self.m = m
        self.files = [
            "mceliece/goppa/benes/benes_find.c",
            "mceliece/goppa/benes/benes_portable.c",
            "mceliece/goppa/benes/benes_words.c",
        ]
        self.files += ["mceliece/goppa/sort/sort_portable.c"]
        self.target = "x86_64-linux-gnu"
        self.permutations = np.array(list(itertools.permutations(range(1 << m))))

    def __repr__(self):
        return f"find_control_bits-{self.m}"

    def prove(self, module):
        """Raises NotProved unless all control bits are right."""
        compare(module, self, len(self.permutations), self._patterns)

    def _patterns(self, bits):
        table = self.permutations[:, :, None] >> np.arange(16) & 1
        packed = np.packbits(table.reshape(-1, bits).T.astype(np.uint8), axis=1, bitorder="little")
        codes = np.empty(bits, dtype=object)
        codes[:] = [int.from_bytes(row.tobytes(), "little") for row in packed]
        layers = np.concatenate(control_bits(self.permutations), axis=1)
        keys = np.packbits(table.reshape(-1, bits).astype(np.uint8), axis=1, bitorder="little")
        values = np.packbits(layers.astype(np.uint8), axis=1, bitorder="little")
        self.expected = dict(
            zip(
                (int.from_bytes(key.tobytes(), "little") for key in keys),
                (int.from_bytes(value.tobytes(), "little") for value in values),
                strict=True,
            )
        )
        return codes

    def __call__(self, machine, free):
        operands = {"pi": free(16 << self.m)}
        size = (((2 * self.m - 1) << self.m) + 15) // 16
        control = machine.memory("control", size)
        scratch = machine.memory("scratch", 8 * ((3 << self.m) + 512))
        arguments = [self.m, control, place(machine, "pi", operands["pi"]), scratch]
        name = "find_control_bits_portable.benes_portable"
        return Setting(name, arguments, operands, {"control": (control, size)})

    def model(self, operands):
        return {"control": self.expected[operands["pi"]]}


class VectorNetwork(Network):
    """prepare and apply of a back end with vectors; see networks.Network."""

    def __init__(self, backend, m, backwards=False):
        super().__init__(m, backwards)
        self.backend, self.files = backend, [*FILES[backend], "mceliece/goppa/benes/benes_words.c"]
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")

    def __repr__(self):
        return f"{self.backend}-{super().__repr__()}"

    def __call__(self, machine, free):
        size, layers = 1 << self.m, 2 * self.m - 1
        operands = {"data": free(size), "control": free(layers * size // 2)}
        control = place(machine, "control", operands["control"])
        network = machine.memory("network", layers * size // 8)
        data = place(machine, "data", operands["data"])
        unit = UNITS[self.backend]
        machine.call(f"prepare_{self.backend}.{unit}", [self.m, network, control])
        name = "apply_reversed" if self.backwards else "apply"
        arguments = [self.m, data, network]
        result = {"data": (data, size // 8)}
        return Setting(f"{name}_{self.backend}.{unit}", arguments, operands, result)
