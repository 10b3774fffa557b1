# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The program that counts failures: its decoder and its seeds."""

import hashlib
import itertools
import json

import numpy as np
import pytest

from codekem_lab import dfr_worker
from codekem_lab.dfr_worker import Point
from tools import known_answers

SEED = "5eed" * 16
LEVELS = {"BIKE-L1": (1, 12323, 71), "BIKE-L3": (3, 24659, 103), "BIKE-L5": (5, 40973, 137)}


# --- The decoder ---------------------------------------------------------------------------------


def failed(dfr_program, point, backend, first, count, seed=SEED):
    """Returns (number of failures, the first of them) of a batch."""
    found = dfr_worker.run_batch(dfr_program, point, seed, backend, first, count)
    assert (found["first"], found["decodings"]) == (first, count)
    return found["failures"], found["failed"]


def cases_of(kem):
    return [
        case for case in known_answers.read_json("bike", "decoder")["cases"] if case["kem"] == kem
    ]


def positions(element):
    return [j for j, bit in enumerate(reversed(f"{element:b}")) if bit == "1"]


def rotated(a, k, r):
    return (a << k | a >> (r - k)) & ((1 << r) - 1)


@pytest.mark.parametrize("backend", ["public", "best"])
@pytest.mark.parametrize("kem", LEVELS)
def test_decoder_is_that_of_decaps_on_the_stress_vectors(dfr_program, internals, kem, backend):
    """Many and structured errors at the real r: the error found is the published one, and decaps of
    the library gives the published secret for the same ciphertext."""
    level, r, d = LEVELS[kem]
    ring = internals.ring(r)
    records = known_answers.read_records(kem)
    cases = cases_of(kem)[:: 1 if kem == "BIKE-L1" else 6]
    lines = []
    for case in cases:
        record = records[case["record"]]
        words = np.frombuffer(record["sk"][: 8 * d], dtype="<u4")
        h0 = sum(1 << int(p) for p in words[:d])
        if "flip_ct_bits" in case:
            ciphertext = known_answers.flip_bits(record["ct"], case["flip_ct_bits"])
        else:
            h = int.from_bytes(record["pk"], "little")
            c0 = 0
            for p in case["error_positions"]:
                c0 ^= 1 << p if p < r else rotated(h, p - r, r)
            ciphertext = c0.to_bytes(ring.bytes, "little") + bytes(32)
        syndrome = positions(
            internals.mul(ring, internals.decode(ring, ciphertext[: ring.bytes]), h0)
        )
        lines.append(" ".join(map(str, [*words, len(syndrome), *syndrome])))
        assert internals.decaps(internals.kem(kem), ciphertext, record["sk"]).hex() == case["ss"]
    point = Point(level, r, {1: 134, 3: 199, 5: 264}[level])
    found = dfr_worker.call(
        dfr_program, "decode", *point.settings(SEED, backend), text="\n".join(lines)
    ).splitlines()
    for case, line in zip(cases, found, strict=True):
        e = [0, 0]
        for p in map(int, line.split()):
            e[p // r] |= 1 << (p % r)
        encoded = b"".join(half.to_bytes(ring.bytes, "little") for half in e)
        assert hashlib.sha256(encoded).hexdigest() == case["e_sha256"], case["what"]


@pytest.mark.parametrize("r", [9805, 9857])
def test_kernels_for_any_r_agree_with_the_reference(dfr_program, r):
    """At rates where about half of the decodings fail, the same ones fail."""
    point = Point(1, r, 137)
    ours, reference = (
        failed(dfr_program, point, backend, 0, 40) for backend in ("public", "reference")
    )
    assert ours == reference
    assert ours[0] > 5 or r > 9850


def test_kernels_for_any_r_agree_with_every_back_end(dfr_program, fast_backend_name):
    point = Point(1, 12323, 166)
    ours, theirs = (
        failed(dfr_program, point, backend, 0, 300) for backend in ("public", fast_backend_name)
    )
    assert ours == theirs
    assert 5 < ours[0] < 295


def test_threshold_changes_the_result(dfr_program):
    point, lower = Point(1, 9901, 134), Point(1, 9901, 134, threshold=(10.0, 0.0069722))
    given = Point(1, 9901, 134, threshold=(13.530, 0.0069722))
    stream = {p: p.stream(SEED) for p in (point, lower, given)}
    results = [
        json.loads(
            dfr_worker.call(
                dfr_program, "run", *p.settings(SEED, "public")[:-1], stream[point], 0, 2000
            )
        )["failed"]
        for p in (point, given, lower)
    ]
    assert results[0] == results[1] != results[2]


# --- Seeds ---------------------------------------------------------------------------------------


def test_pieces_are_the_whole(dfr_program):
    point = Point(1, 9803, 134)
    whole = failed(dfr_program, point, "auto", 0, 3000)
    assert whole == failed(dfr_program, point, "auto", 0, 3000)
    pieces = [failed(dfr_program, point, "auto", first, 1000) for first in (2000, 0, 1000)]
    assert whole[0] == sum(count for count, _ in pieces) > 0
    assert whole[1] == sorted(itertools.chain(*(listed for _, listed in pieces)))[:100]
    assert failed(dfr_program, point, "auto", 0, 3000, "ab" * 32) != whole
