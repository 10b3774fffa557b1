# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The units for HQC's codes: their benches (hqc_modules.py)."""


def rm_decoders(*values):
    names = ("COPIES", "WORD", "VALUES", "GAP")
    return [("rm_decoder", "bench_rm_decoder", dict(zip(names, v, strict=True))) for v in values]


def rs_encoders(*values):
    names = ("K", "DELTA", "CELLS")
    return [("rs_encoder", "bench_rs_encoder", dict(zip(names, v, strict=True))) for v in values]


def rs_decoders(*values):
    names = ("K", "DELTA", "CELLS", "RINGS", "GAP")
    return [("rs_decoder", "bench_rs_decoder", dict(zip(names, v, strict=True))) for v in values]


MODULES = [
    ("rm_encoder", "bench_rm_encoder", {"WORD": 128}),
    ("rm_transform", "bench_rm_transform", {"VALUES": 8, "BITS": 3}),
    ("rm_peak", "bench_rm_peak", {"VALUES": 8, "BITS": 8}),
    *rm_decoders((3, 128, 8, 8)),
    *rs_encoders((16, 15, 4)),
    ("rs_syndromes", "bench_rs_syndromes", {"DELTA": 15, "RINGS": 2}),
    ("rs_locator", "bench_rs_locator", {"K": 16, "DELTA": 15, "CELLS": 4}),
    *rs_decoders((16, 15, 4, 2, 15)),
]
OTHERS = [
    ("rm_encoder", "bench_rm_encoder", {"WORD": 64}),
    ("rm_transform", "bench_rm_transform", {"VALUES": 2, "BITS": 4}),
    ("rm_transform", "bench_rm_transform", {"VALUES": 4, "BITS": 4}),
    ("rm_peak", "bench_rm_peak", {"VALUES": 2, "BITS": 9}),
    ("rm_peak", "bench_rm_peak", {"VALUES": 4, "BITS": 9}),
    *rm_decoders((3, 64, 2, 32), (3, 128, 4, 16), (5, 128, 8, 8), (5, 64, 2, 32), (5, 128, 4, 16)),
    *rs_encoders((16, 15, 1), (16, 15, 2), (24, 16, 4), (32, 29, 1), (32, 29, 4)),
    ("rs_syndromes", "bench_rs_syndromes", {"DELTA": 29, "RINGS": 1}),
    ("rs_syndromes", "bench_rs_syndromes", {"DELTA": 16, "RINGS": 2}),
    ("rs_locator", "bench_rs_locator", {"K": 24, "DELTA": 16, "CELLS": 4}),
    ("rs_locator", "bench_rs_locator", {"K": 32, "DELTA": 29, "CELLS": 2}),
    ("rs_locator", "bench_rs_locator", {"K": 16, "DELTA": 15, "CELLS": 1}),
    *rs_decoders(
        *[(16, 15, 1, 1, 30), (16, 15, 2, 2, 15), (16, 15, 8, 1, 30)],
        *[(24, 16, 1, 1, 32), (24, 16, 2, 2, 16), (24, 16, 4, 2, 16)],
        *[(32, 29, 1, 1, 58), (32, 29, 2, 2, 29), (32, 29, 4, 2, 29)],
    ),
]
WITHOUT_BENCH = {
    "gf256_pkg": "no module: the field's functions and the code's constants",
}
