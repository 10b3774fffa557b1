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
    ("kem_slots_dual", "bench_slots_dual", {"SLOTS": 5, "WORDS": 139, "WORD": 128}),
    ("hqc_positions", "bench_hqc_positions", {"LEVEL": 1, "LANES": 8}),
    ("hqc_rows", "bench_hqc_rows", {"LEVEL": 1, "WORD": 128, "STRIDE": 64}),
    (
        "hqc_product",
        "bench_hqc_product",
        {"LEVEL": 1, "WORD": 128, "STRIDE": 64, "LANES": 8, "CLIENT": 1},
    ),
    ("hqc_program", "bench_hqc_program", {"BUILD": 0, "OVERLAP": 1}),
    ("hqc_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2, "BUILD": 2}),
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
    ("kem_slots_dual", "bench_slots_dual", {"SLOTS": 3, "WORDS": 277, "WORD": 64}),
    ("hqc_positions", "bench_hqc_positions", {"LEVEL": 3, "LANES": 2}),
    ("hqc_positions", "bench_hqc_positions", {"LEVEL": 5, "LANES": 12}),
    ("hqc_rows", "bench_hqc_rows", {"LEVEL": 3, "WORD": 64, "STRIDE": 64}),
    ("hqc_rows", "bench_hqc_rows", {"LEVEL": 5, "WORD": 128, "STRIDE": 32}),
    (
        "hqc_product",
        "bench_hqc_product",
        {"LEVEL": 1, "WORD": 64, "STRIDE": 64, "LANES": 10, "CLIENT": 0},
    ),
    (
        "hqc_product",
        "bench_hqc_product",
        {"LEVEL": 3, "WORD": 64, "STRIDE": 32, "LANES": 12, "CLIENT": 1},
    ),
    ("hqc_program", "bench_hqc_program", {"BUILD": 1, "OVERLAP": 0}),
    ("hqc_program", "bench_hqc_program", {"BUILD": 2, "OVERLAP": 0}),
    ("hqc_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2, "BUILD": 0}),
]
# What has no bench of its own, and why.
WITHOUT_BENCH = {
    "hqc_pkg": "no module: parameters and codes, which all benches use",
    "hqc_core": "test_hqc_core.py runs it whole",
    "hqc_units": "test_hqc_core.py runs it in the whole core",
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
        ("hqc_sampler", "settle && marks[place_q[CountBits-1:0]]", "1'b0"),
        ("hqc_sampler", "place_q < position_t'(Error)", "1'b1"),
        ("hqc_sampler", "{half_q, filled_q}", "{1'b0, filled_q}"),
        # Asks for candidates that may be too many.
        ("hqc_sampler", "some_q <= left_q != count_t'(1);", "some_q <= 1'b1;"),
    ],
    "hqc_hash": [
        ("hqc_hash", "tail ? lane[Surplus-1:0] : lane[63-:Surplus]", "lane[63-:Surplus]"),
        (
            "hqc_hash",
            "((place_n.part == RING || place_n.part == CODE) && poly_wait_i)",
            "1'b0",
        ),
    ],
    "kem_slots_dual": [
        ("kem_slots_dual", "AddrBits'(i * WORDS)", "AddrBits'(i * WORDS - 1)"),
        ("kem_slots_dual", "wipe_i && i == 0", "wipe_i && i == 1"),
    ],
    "hqc_positions": [
        (
            "hqc_positions",
            "place_i == '0 ? '0 : IndexBits'(N) - place_i",
            "IndexBits'(N) - place_i",
        ),
        ("hqc_positions", "groups_key(LEVEL, LANES) - 1", "groups_key(LEVEL, LANES)"),
    ],
    "hqc_rows": [
        ("hqc_rows", "poly_rdata_i[Tail +: Padding]", "poly_rdata_i[Tail + 1 +: Padding]"),
        ("hqc_rows", "feed_word_o[WORD-1:Tail] = '0;", "feed_word_o[WORD-1:Tail+Padding] = '0;"),
    ],
    "hqc_product": [
        ("hqc_product", "padding_i[i] & top_i[j]", "padding_i[i] & top_i[i-1]"),
        ("hqc_product", "(sum ^ more) & mask", "sum ^ more"),
        (
            "hqc_product",
            "part_q == SymbolBits'(SymbolWords - 1)",
            "part_q == SymbolBits'(SymbolWords - 2)",
        ),
        (
            "hqc_product",
            "word_q == WordBits'(Words - 1) ? LastBytes : '1",
            "word_q == WordBits'(Words - 1) ? LastMask : '1",
        ),
    ],
    "hqc_program": [
        (
            "hqc_program",
            "receive(F_STR, int'(STR_SALT), 1'b1)",
            "receive(F_STR, int'(STR_SALT), 1'b0)",
        ),
        ("hqc_program", "needs | Hashing | Streams", "needs | Hashing"),
    ],
    "hqc_axi": [("kem_axi", "error_q <= error_i;", "error_q <= ERR_NONE;")],
}
