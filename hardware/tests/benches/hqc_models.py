# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Models for the benches of HQC's hash unit and samplers, and values of official records."""

import hashlib

from hardware.sim import hqc_sampling as sampling
from tools import known_answers


def xof(seed, length):
    return hashlib.shake_256(seed + b"\1").digest(length)


def words_of(data):
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data) - 3, 4)]


def sample_fixed(words, weight, n):
    """Returns the list of positions that the words give [HQC, S5.3]."""
    drawn = [i + (word * (n - i) >> 32) for i, word in zip(range(weight), words, strict=True)]
    for i in range(weight - 2, -1, -1):
        if drawn[i] in drawn[i + 1 :]:
            drawn[i] = i
    return drawn


def sample_reject(data, weight, n):
    """Returns the positions, and of each candidate whether it was accepted [HQC, S5.2]."""
    drawn, kept = [], []
    while len(drawn) < weight:
        candidate = int.from_bytes(data[3 * len(kept) : 3 * len(kept) + 3], "little")
        kept.append(candidate < (1 << 24) // n * n and candidate % n not in drawn)
        if kept[-1]:
            drawn.append(candidate % n)
    return drawn, kept


def product(positions, dense, n):
    """Returns the product of a sparse and a dense polynomial modulo x^n - 1."""
    total = 0
    for position in positions:
        total ^= dense << position
    return (total ^ total >> n) & ((1 << n) - 1)


class Record:
    """The values of an official record and those that follow from them [HQC, S10, S11]."""

    def __init__(self, level, number=0):
        name = f"HQC-{level}"
        record = known_answers.read_records(name)[number]
        n, k, *_ = sampling.LEVELS[level]
        ring = -(-n // 8)
        self.seed_kem, encaps = known_answers.record_seeds(name, record)
        self.message, self.salt = encaps[:k], encaps[k:]
        self.ek, secret, self.shared = record["pk"], record["sk"], record["ss"]
        self.seed_ek, self.s = self.ek[:32], self.ek[32:]
        self.seed_dk = secret[len(self.ek) :][:32]
        self.sigma = secret[len(self.ek) + 32 :][:k]
        self.u, self.v = record["ct"][:ring], record["ct"][ring:-16]
        self.h = int.from_bytes(xof(self.seed_ek, ring), "little") & ((1 << n) - 1)
        h_ek = hashlib.sha3_256(self.ek + b"\1").digest()
        self.theta = hashlib.sha3_512(h_ek + self.message + self.salt + b"\0").digest()[32:]
