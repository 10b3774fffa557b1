# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The operations of HQC on the memory of hls/kernels/hqc_layout.h, as software or as a core."""

import ctypes

from codekem_hls import simulate
from codekem_hls.frontend import CLANG, LANGUAGE, WIDE
from hls.tests.kernel_designs import KERNELS

KEYGEN, ENCAPS, DECAPS = 0, 1, 2
# By level: bits of a polynomial, Reed-Solomon symbols, bytes of a message, copies.
PARAMETERS = {1: (17669, 46, 16, 3), 3: (35851, 56, 24, 5), 5: (57637, 90, 32, 5)}


class Memory:
    """Where things lie: words, and their lengths in bytes."""

    def __init__(self, level):
        bits, symbols, self.message, copies = PARAMETERS[level]
        words, code, size = -(-bits // 64), symbols * copies * 2, -(-bits // 8)
        self.public_key, self.ciphertext = 32 + size, size + 8 * code + 16
        self.key_bytes = self.public_key + 64 + self.message
        self.key = 0
        self.text = words + 3 + 8 + self.message // 8 + 1
        self.secret = self.text + words - 1 + code + 2 + 1
        self.coins = self.secret + 4
        self.own = self.coins + max(self.message // 8 + 2, 4)
        self.words = self.own + 38 + words


class Operations:
    """KeyGen, Encaps and Decaps; run(operation, memory) gives the memory and the cycles."""

    def __init__(self, level, run):
        self.level, self.memory, self._run = level, Memory(level), run
        self.kem = f"HQC-{level}"

    def _call(self, operation, given, wanted):
        """Puts byte strings into a memory of rubbish; returns those that are wanted."""
        data = bytearray(b"\xa5" * 8 * self.memory.words)
        for word, text in given:
            data[8 * word : 8 * word + len(text)] = text
        numbers = [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]
        found = self._run(operation, numbers)
        assert not any(found[self.memory.own :]), "what is the core's own has to be cleared"
        text = b"".join(number.to_bytes(8, "little") for number in found)
        return [text[8 * word : 8 * word + length] for word, length in wanted]

    def keygen(self, coins):
        memory = self.memory
        return self._call(KEYGEN, [(memory.coins, coins)], [(memory.key, memory.key_bytes)])[0]

    def encaps(self, public_key, coins):
        memory = self.memory
        given = [(memory.coins, coins), (memory.key, public_key)]
        return self._call(ENCAPS, given, [(memory.text, memory.ciphertext), (memory.secret, 32)])

    def decaps(self, secret_key, ciphertext):
        memory = self.memory
        given = [(memory.key, secret_key), (memory.text, ciphertext)]
        return self._call(DECAPS, given, [(memory.secret, 32)])[0]


def software(level, folder, kind=Operations, kernel="hqc", defines=()):
    """Compiles hqc.c or another kernel for this machine; returns Operations, or what has checks
    besides.
    """
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"{kernel}_{level}.so"
    options = [
        *LANGUAGE,
        *WIDE,
        f"-DLEVEL={level}",
        *defines,
        "-O1",
        "-fPIC",
        "-shared",
        "-Wall",
        "-Werror",
    ]
    options += ["-Wno-unused-function", "-Wno-unused-label"]
    simulate.run_tool([CLANG, *options, KERNELS / f"{kernel}.c", "-o", library])
    core = ctypes.CDLL(str(library))

    def run(operation, numbers):
        data = (ctypes.c_uint64 * len(numbers))(*numbers)
        getattr(core, kernel)(data, operation)
        return list(data)

    return kind(level, run)


def hardware(level, design, library, kind=Operations):
    """The core that is made of a design; each run takes the cycles that were computed."""
    one = {"hqc_keygen": KEYGEN, "hqc_encaps": ENCAPS, "hqc_decaps": DECAPS}

    def run(operation, numbers):
        values = {"data": numbers, "operation": operation}
        assert one.get(design.directives.top, operation) == operation
        found = simulate.run_core(library, design, values, seed=operation + 7)
        assert found.cycles == design.latency({"operation": operation})
        return found.arrays["data"]

    return kind(level, run)
