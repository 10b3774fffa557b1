# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modules of rtl/hqc: their benches and the mistakes planted in them, beside those of
test_modules.py and mistakes.py."""

from hardware import code_modules

# Module, bench, parameters: what `make test` runs.
MODULES = [
    *code_modules.MODULES,
    ("hqc_expand", "bench_hqc_expand", {"N": 17669, "WORD": 128, "STRIDE": 64}),
    ("hqc_hash", "bench_hqc_hash", {"LEVEL": 1, "WORD": 128, "ROUNDS": 1, "BUFFERED": 1}),
    ("hqc_sampler", "bench_hqc_sampler", {"LEVEL": 1, "WORD": 128}),
]
# And `make test-long`.
OTHERS = [
    *code_modules.OTHERS,
    ("hqc_hash", "bench_hqc_hash", {"LEVEL": 1, "WORD": 64, "ROUNDS": 1, "BUFFERED": 0}),
    ("hqc_hash", "bench_hqc_hash", {"LEVEL": 3, "WORD": 64, "ROUNDS": 2, "BUFFERED": 1}),
    ("hqc_hash", "bench_hqc_hash", {"LEVEL": 5, "WORD": 128, "ROUNDS": 1, "BUFFERED": 0}),
    ("hqc_hash", "bench_hqc_hash", {"LEVEL": 5, "WORD": 256, "ROUNDS": 6, "BUFFERED": 1}),
    ("hqc_sampler", "bench_hqc_sampler", {"LEVEL": 1, "WORD": 64}),
    ("hqc_sampler", "bench_hqc_sampler", {"LEVEL": 3, "WORD": 128}),
    ("hqc_sampler", "bench_hqc_sampler", {"LEVEL": 5, "WORD": 64}),
    ("hqc_sampler", "bench_hqc_sampler", {"LEVEL": 5, "WORD": 256}),
    ("hqc_expand", "bench_hqc_expand", {"N": 17669, "WORD": 64, "STRIDE": 64}),
    ("hqc_expand", "bench_hqc_expand", {"N": 17669, "WORD": 128, "STRIDE": 32}),
    ("hqc_expand", "bench_hqc_expand", {"N": 35851, "WORD": 256, "STRIDE": 64}),
    ("hqc_expand", "bench_hqc_expand", {"N": 57637, "WORD": 128, "STRIDE": 128}),
]
# What has no bench of its own, and why.
WITHOUT_BENCH = {
    "hqc_pkg": "no module: parameters and codes, which all benches use",
    **code_modules.WITHOUT_BENCH,
}
# Source, a text in it and the mistaken one that takes its place (mistakes.py).
MISTAKES = {
    **code_modules.MISTAKES,
    "hqc_expand": [
        ("hqc_expand", "lane[63:N%64] = '0;", "lane[63:N%64+1] = '0;"),
        ("hqc_expand", "pad ? '0 : lane_i", "lane_i"),
    ],
    "hqc_sampler": [
        ("hqc_sampler", "word_q[23:0] >= RejectFrom", "word_q[23:0] > RejectFrom"),
        ("hqc_sampler", "step_q[1] ? found : !three_over_q", "!three_over_q"),
        # Asks for candidates that may be too many.
        ("hqc_sampler", "some_q <= left_q != count_t'(1);", "some_q <= 1'b1;"),
    ],
    "hqc_hash": [
        ("hqc_hash", "tail ? lane[Surplus-1:0] : lane[63-:Surplus]", "lane[63-:Surplus]"),
        ("hqc_hash", "asks_poly && poly_wait_i", "1'b0"),
    ],
}
