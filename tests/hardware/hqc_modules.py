# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modules of rtl/hqc: their benches and the mistakes planted in them, beside those of
test_modules.py and mistakes.py."""

from hardware import code_modules

# Module, bench, parameters: what `make test` runs.
MODULES = [*code_modules.MODULES]
# And `make test-long`.
OTHERS = [*code_modules.OTHERS]
# What has no bench of its own, and why.
WITHOUT_BENCH = {
    "hqc_pkg": "no module: parameters and codes, which all benches use",
    **code_modules.WITHOUT_BENCH,
}
# Source, a text in it and the mistaken one that takes its place (mistakes.py).
MISTAKES = {**code_modules.MISTAKES}
