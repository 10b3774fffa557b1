# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modules of rtl/joint: the benches of the schemes' own modules on them, for each scheme,
beside those of test_modules.py."""

HASH = {"LEVEL": 1, "WORD": 64, "ROUNDS": 1, "BUFFERED": 0}
GATHER = {"LEVEL": 1, "WORD": 64, "STRIDE": 64, "LANES": 2}
# Module, bench, parameters: what `make test` runs. The first of a module has its mistakes.
MODULES = [
    ("joint_hash", "bench_hqc_hash", {"HQC": 1, **HASH}),
    ("joint_gather", "bench_hqc_product", {"HQC": 1, "CLIENT": 1, **GATHER}),
    ("joint_axi", "bench_axi", {"LEVEL": 1, "PRESET": 2, "BUILD": 2}),
]
# And `make test-long`.
OTHERS = [
    ("joint_hash", "bench_hash", {"HQC": 0, **HASH}),
    ("joint_gather", "bench_gather", {"HQC": 0, "DECODER": 1, **GATHER}),
    ("joint_gather", "bench_gather", {"HQC": 0, "DECODER": 0, **GATHER, "LANES": 4}),
    ("joint_gather", "bench_hqc_product", {"HQC": 1, "CLIENT": 0, **GATHER, "LANES": 4}),
    ("joint_hash", "bench_hqc_hash", {"HQC": 1, **HASH, "LEVEL": 5, "WORD": 128, "BUFFERED": 1}),
    ("joint_hash", "bench_hash", {"HQC": 0, **HASH, "LEVEL": 3, "WORD": 128, "BUFFERED": 1}),
]
# What has no bench of its own, and why.
WITHOUT_BENCH = {
    "joint_pkg": "no module: the larger of two sizes",
    "joint_feed": "test_joint_core.py runs it in the whole core",
    "joint_units": "test_joint_core.py runs it in the whole core",
    "joint_core": "test_joint_core.py runs it whole",
}
