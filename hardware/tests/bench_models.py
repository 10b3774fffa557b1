# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The models of single modules for the benches, which the graph makes (hardware/made.cmake).

usage: python -m hardware.tests.bench_models                 what tests need, a line for each
       python -m hardware.tests.bench_models NAME FOLDER     makes one

A line has quick or long, the file of tests below hardware/, and the name of the model.
"""

import pathlib
import sys

from hardware.sim import build
from hardware.tests import test_four_state, test_modules
from hardware.tests.bench_build import Model, common_of, make_common, make_model
from hardware.tests.four_state import name_of, translate

# Of the example board and of the system on a chip: module, bench, parameters.
BOARD = [
    ("uart_receive", "bench_uart_receive", {"DIVISOR": 25}),
    ("uart_send", "bench_uart_send", {"DIVISOR": 5}),
]
WHOLE_BOARD = {"LEVEL": 1, "PRESET": 0, "BUILD": 2, "CLOCK_HZ": 25, "BAUD": 5}
SOC = [("soc_keccak", {}), ("soc_product", {"WORDS": 8}), ("soc_dma", {"RAM_BYTES": 4096})]
COMMON = [[], build.COVERAGE]
# Modules with benches that are not in the BIKE core.
OTHER_CORES = ("hqc_", "joint_", "masked_", "rm_", "rs_")


def translated():
    """Yields (long, model) of those for Icarus."""
    named: list[tuple] = [tuple(one.values) for one in test_four_state.NAMED]
    started: list[tuple] = [tuple(one.values) for one in test_four_state.POWER_UP]
    for top, parameters in [(one[0], one[2]) for one in named] + started:
        yield top not in test_four_state.QUICK, Model(top, parameters)


def rows():
    """Yields (long, file of tests, model) of those for Verilator."""
    for top, bench, parameters in test_modules.MODULES:
        model, long = Model(top, parameters, planted=True), top in test_modules.LONG
        for file in ("test_modules.py", "test_mistakes.py", f"benches/{bench}.py"):
            yield long, f"tests/{file}", model
        if not top.startswith(OTHER_CORES):
            yield True, "tests/test_coverage.py", Model(top, parameters, coverage=True)
    for top, _, parameters in test_modules.OTHERS:
        yield True, "tests/test_modules.py", Model(top, parameters)
    for top, _, parameters in BOARD:
        for file in ("test_kit.py", "test_mistakes.py"):
            yield False, f"tests/{file}", Model(top, parameters, planted=True)
    yield True, "tests/test_kit.py", Model("ulx3s_top", WHOLE_BOARD)
    yield False, "tests/test_open_values.py", Model("open_values", {}, planted=True)
    yield True, "tests/test_open_values.py", Model("open_values", {}, planted=True, closed=True)
    for top, parameters in SOC:
        yield False, "tests/test_soc.py", Model(top, parameters)


def main(words):
    if not words:
        for long, file, model in rows():
            print("long" if long else "quick", file, model.name)
        for long, model in translated():
            print("long" if long else "quick", "tests/test_four_state.py", name_of(model))
        return 0
    if len(words) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    name, folder = words[0], pathlib.Path(words[1]).resolve()
    for options in COMMON:
        if name == common_of(options):
            make_common(folder, options)
            return 0
    make = {model.name: (make_model, model) for _, _, model in rows()}
    make |= {name_of(model): (translate, model) for _, model in translated()}
    if name not in make:
        print(f"bench_models: there is no {name}", file=sys.stderr)
        return 1
    how, model = make[name]
    how(model=model, folder=folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
