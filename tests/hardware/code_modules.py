# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The units for HQC's codes: their benches and the mistakes planted in them (hqc_modules.py)."""


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
MISTAKES = {
    "rm_encoder": [("rm_encoder", "symbol_i[6:4] & 3'(j)", "symbol_i[6:4] & 3'(j | 1)")],
    "rm_decoder": [
        ("rm_decoder", "Bits'(sums[VALUES+i]) - Bits'(COPIES)", "Bits'(sums[VALUES+i]) - Bits'(2)"),
        ("rm_peak", "differ && a != '0 && b != '0", "differ && a != '0"),
        ("rm_peak", "best_of_cycle.size > best_q.size", "best_of_cycle.size >= best_q.size"),
        ("rm_peak", "second.size > first.size", "second.size >= first.size"),
        ("rm_peak", "differ && a == '0", "differ && b == '0"),
        ("rm_transform", "kept_q[0] + (come & {Out{second}})", "kept_q[0] + come"),
    ],
    "rm_transform": [
        ("rm_transform", "kept_q[0] + (come & {Out{second}})", "kept_q[0] + come"),
        ("rm_transform", "(i & Distance) == 0", "(i & Distance) == Distance"),
    ],
    "rm_peak": [
        ("rm_peak", "differ && a != '0 && b != '0", "differ && b != '0"),
        ("rm_peak", "^at[TimeBits-2:0]", "^at"),
    ],
    "rs_encoder": [
        ("rs_encoder", "last_group && index_q > 1", "last_group && index_q > 0"),
        ("rs_encoder", "turns_q <= IndexBits'(K - 1);", "turns_q <= IndexBits'(K - 2);"),
    ],
    "rs_syndromes": [
        ("rs_syndromes", "RINGS == 2 && !turn_q", "1'b0"),
        ("rs_syndromes", "left_q == LeftBits'(1)", "left_q == LeftBits'(2)"),
    ],
    "rs_locator": [
        ("rs_locator", "d_q != '0 && !balance_q[BalanceBits-1]", "d_q != '0"),
        ("rs_locator", "gf256_mul(d_q, DownGroup)", "gf256_mul(d_q, UpGroup)"),
    ],
    "rs_decoder": [
        ("rs_locator", "d_q != '0 && !balance_q[BalanceBits-1]", "d_q != '0"),
        ("rs_locator", "round_q == RoundBits'(2 * DELTA - 1)", "round_q == RoundBits'(2 * DELTA)"),
        ("rs_syndromes", "RINGS == 2 && !turn_q", "1'b0"),
        ("rs_decoder", "wrong ? value : '0", "value"),
    ],
}
