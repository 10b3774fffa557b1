# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The benches of modules in a second simulator, Icarus, with unknown values from power-up on."""

import pytest

from hardware.tests.bench_runner import BenchFailure
from hardware.tests.four_state import FourStateRunner
from hardware.tests.test_modules import MODULES
from tools import mistakes

# Outputs that give what is in a memory, which is unknown until it is written.
UNKNOWN = {
    # Control hands reset on to the units one cycle later; the first two mean nothing without
    # out_valid_o, and a watchdog begins anew with the first step of wiping.
    "bike_core": ("out_data_o", "out_last_o", "step_o"),
    "bike_gather": ("poly_wdata_o",),
    "gather_lane": ("window_o",),
    "gather_unit": ("sum_o",),
    "inverter_sweep": ("f_part_o", "g_part_o", "f_word_o"),
    "kem_memory": ("rdata_o",),
    "kem_strings": ("rdata_o",),
    **dict.fromkeys(("kem_slots", "kem_slots_dual"), ("rdata_o",)),
    **dict.fromkeys(("masked_engine", "masked_product"), ("read_o",)),
}
# What `make test` runs; the others take longer.
QUICK = {"bike_compare", "bike_core", "kem_skid"}
# Icarus takes minutes for their benches, or they look into a module that Yosys has made flat
# (masked_product), so they run the first cycles only, as the core does.
LARGE = {"bike_axi", "bike_gather", "bike_hash", "bike_inverter", "hqc_hash"}
LARGE |= {"masked_engine", "masked_product", "masked_sponge"}
# Its engine waits at any word of its program, and the parity of each is right. Here a word at an
# unknown address is unknown, and so is its parity, which stops the core.
LEFT_OUT = {"masked_hqc"}
NAMED = [
    pytest.param(*module, id=module[0], marks=[] if module[0] in QUICK else [pytest.mark.long])
    for module in MODULES
    if module[0] not in LARGE | LEFT_OUT
]
POWER_UP = [
    pytest.param(top, parameters, id=top, marks=[] if top in QUICK else [pytest.mark.long])
    for top, parameters in [
        *[(top, parameters) for top, _, parameters in MODULES if top in LARGE - {"bike_axi"}],
        ("bike_core", {"LEVEL": 1, "PRESET": 0}),
    ]
]


@pytest.fixture
def four_state(build, monkeypatch, seed):
    return FourStateRunner(build, monkeypatch, seed).four_state


@pytest.mark.parametrize(("top", "bench", "parameters"), NAMED)
def test_module(four_state, top, bench, parameters):
    four_state(top, bench, parameters, UNKNOWN.get(top, ()))


@pytest.mark.parametrize(("top", "parameters"), POWER_UP)
def test_outputs_are_known_after_reset(four_state, top, parameters):
    four_state(top, "bench_power_up", parameters, UNKNOWN.get(top, ()))


def test_register_without_reset_is_found(four_state, tmp_path):
    planted = mistakes.of("hardware/four_state")["register_without_reset"], tmp_path / "planted"
    name, parameters = next(rest for top, *rest in MODULES if top == "kem_send")
    with pytest.raises(
        BenchFailure, match=r"AssertionError: (out_valid_o|out_data_o|done_o|upset_o) is"
    ):
        four_state("kem_send", name, parameters, planted=planted)


def test_use_of_an_unknown_value_is_found(four_state, tmp_path):
    planted = mistakes.of("hardware/four_state")["use_of_an_unknown_value"], tmp_path / "planted"
    name, parameters = next(rest for top, *rest in MODULES if top == "bike_rows")
    with pytest.raises(BenchFailure, match="AssertionError"):
        four_state("bike_rows", name, parameters, planted=planted)
