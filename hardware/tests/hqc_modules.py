# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modules of rtl/hqc: their benches, beside those of test_modules.py."""

from hardware.tests import code_modules

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
    "hqc_code": "test_hqc_core.py runs it in the whole core",
    "hqc_core": "test_hqc_core.py runs it whole",
    "hqc_units": "test_hqc_core.py runs it in the whole core",
    **code_modules.WITHOUT_BENCH,
}
