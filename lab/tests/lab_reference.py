# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The laboratory's decoders once more, as their authors describe them, slowly and with nothing in
common with the program: counters by the definition, on lists of 0 and 1."""

import math

import numpy as np


class State:
    """Syndrome, what was flipped, and the steps (kind, weight before, threshold, flips, wrong)."""

    def __init__(self, case, r):
        self.r = r
        self.h = [np.array(case[name]) for name in ("h0", "h1")]
        self.d = len(case["h0"])
        self.error = np.zeros((2, r), dtype=int)
        for p in case["e"]:
            self.error[p // r, p % r] = 1
        self.found = np.zeros((2, r), dtype=int)
        self.steps = []

    @property
    def syndrome(self):
        s = np.zeros(self.r, dtype=int)
        for half in range(2):
            for p in np.flatnonzero(self.error[half] ^ self.found[half]):
                s[(self.h[half] + p) % self.r] ^= 1
        return s

    @property
    def weight(self):
        return int(self.syndrome.sum())

    def counters(self):
        s = self.syndrome
        return np.array(
            [[int(s[(self.h[b] + j) % self.r].sum()) for j in range(self.r)] for b in range(2)]
        )

    def flip(self, mask, kind, threshold):
        before = self.weight
        self.found ^= mask.astype(int)
        wrong = int((self.error ^ self.found).sum())
        self.steps.append([kind, before, int(threshold), int(mask.sum()), wrong])

    def near_codeword(self):
        """Flips the near-codeword whose syndrome this is; returns whether there is one."""
        s = self.syndrome
        if s.sum() != self.d:
            return False
        for b in range(2):
            for k in range(self.r):
                word = np.zeros((2, self.r), dtype=int)
                word[b, (self.h[b] + k) % self.r] = 1
                other = np.zeros(self.r, dtype=int)
                for p in np.flatnonzero(word[b]):
                    other[(self.h[b] + p) % self.r] ^= 1
                if (other == s).all():
                    self.flip(word, "n", 0)
                    return True
        return False


def bgf(state, rule, iterations, aware=False, margin=3, lower=0):
    for i in range(1, iterations + 1):
        if i > 1 and (state.weight == 0 or (aware and state.near_codeword())):
            return
        threshold = rule(state.weight)
        if i == 1:  # lower, but at least the majority, unless the rule itself is below that
            threshold = max(threshold - lower, min(threshold, (state.d + 1) // 2))
        counters = state.counters()
        black = counters >= threshold
        gray = (counters >= threshold - margin) & ~black
        state.flip(black, "i", threshold)
        if i == 1:
            masked = (state.d + 1) // 2 + 1
            for kind, mask in (("b", black), ("g", gray)):
                if state.weight:
                    state.flip(mask & (state.counters() >= masked), kind, masked)
    if state.weight and aware:
        state.near_codeword()


def bike_flip(state, affine, rounding, iterations=7):
    slope, constant, delta = affine
    majority = (state.d + 1) / 2
    first = slope * state.weight + constant
    ends = [
        first + delta,
        (2 * first + majority) / 3 + delta,
        (first + 2 * majority) / 3 + delta,
    ]
    for i in range(iterations):
        if state.weight == 0:
            return
        least = ends[i] if i < 3 else majority + delta
        exact = max(slope * state.weight + constant, least)
        threshold = {
            "floor": math.floor(exact),
            "nearest": math.floor(exact + 0.5),
            "ceil": math.ceil(exact),
        }[rounding]
        state.flip(state.counters() >= threshold, "i", threshold)


def pickyfix(state, rule, flips, iterations):
    counters = state.counters().reshape(-1)
    order = sorted(range(2 * state.r), key=lambda j: (-counters[j], j))
    mask = np.zeros(2 * state.r, dtype=bool)
    mask[order[:flips]] = True
    state.flip(mask.reshape(2, state.r), "i", counters[order[flips - 1]])
    majority = (state.d + 1) // 2
    for _ in range(iterations + 1):
        if state.weight == 0:
            return
        threshold = max(rule(state.weight), majority)
        counters = state.counters()
        mask = np.where(state.found == 1, counters >= majority, counters >= threshold)
        state.flip(mask, "i", threshold)
