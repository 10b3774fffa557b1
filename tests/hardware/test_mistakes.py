# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every bench can fail: a mistake planted in a copy of its module is found."""

import pytest

import simulated
from hardware.bench_runner import BenchFailure
from hardware.test_modules import MODULES, OTHERS

# Module that is tested, source, a text in it and the mistaken one that takes its place.
MISTAKES = [
    ("keccak", "keccak", "8'h71", "8'h70"),
    ("gather_counters", "gather_counters", "carry[m] = s & a;", "carry[m] = s | a;"),
    ("row_writer", "row_writer", "first_q >> (WORD - Tail)", "first_q >> (WORD - Tail - 1)"),
    ("gather_lane", "gather_lane", "? sum - (IndexBits+1)'(R)", "? sum - (IndexBits+1)'(R - 1)"),
    ("bike_threshold", "bike_threshold", "{1'b1, {(Bits-1){1'b0}}} - threshold;",
     "{1'b1, {(Bits-1){1'b0}}} - threshold_o;"),
    ("divstep_control", "divstep_control", "delta[i] > 0", "delta[i] >= 0"),
    ("divstep_pair", "divstep_pair", "(f_one & {N{add_i[1]}})", "(f_i & {N{add_i[1]}})"),
    ("divstep_stage", "divstep_stage", "jump_i ? '0 : g_below_q", "g_below_q"),
    ("weight_of", "weight_of", "Bits'(low) + Bits'(high)", "Bits'(low) | Bits'(high)"),
    ("bike_memory", "bike_memory", "? wipe_addr_i[AddrBits-1:0]", "? wipe_addr_i[AddrBits-1:0] | 1"),
    ("bike_strings", "bike_strings", "wipe_addr_i[3:0] : 4'd0", "wipe_addr_i[3:0] & 4'd7 : 4'd0"),
    ("bike_polynomials", "bike_polynomials", "AddrBits'(i * Words)", "AddrBits'(i * Words - 1)"),
    ("bike_sampler", "bike_sampler", "half_q <= 1'b0;\n            place_q", "place_q"),
    ("bike_hash", "bike_hash", "if (is_poly && last_of_field) source[63:8*Surplus] = '0;", ""),
    ("bike_compare", "bike_compare", "first_q != poly_rdata_i)",
     "first_q[WORD-2:0] != poly_rdata_i[WORD-2:0])"),
    ("bike_rows", "bike_rows", "if (last_q) feed_word_o[WORD-1:Tail] = '0;", ""),
    ("bike_positions", "bike_positions", "P_UPDATE0 && index_d1_q", "P_UPDATE1 && index_d1_q"),
    ("bike_receive", "bike_receive", "in_data_i >= 32'(R)", "in_data_i > 32'(R)"),
    ("bike_send", "bike_send", "count_n = beat ?", "count_n = valid_q ?"),
    ("bike_sequencer", "bike_sequencer", "receive(F_SKIP, 1, 1'b0)", "receive(F_SKIP, 0, 1'b0)"),
    ("bike_control", "bike_control", "addr_q == 16'(WIPE_WORDS)", "addr_q == 16'(WIPE_WORDS - 1)"),
    ("bike_gather", "bike_gather", "(counts[0 +: WORD] | counts[WORD +: WORD])",
     "counts[WORD +: WORD]"),
    ("bike_inverter", "bike_inverter", "load_f[0] = word_d1_q == 0;", "load_f[0] = 1'b0;"),
    ("bike_axi", "bike_axi", "{25'd0, error_q, 2'b00, done_q, busy}",
     "{25'd0, ERR_NONE, 2'b00, done_q, busy}"),
]
# These are planted by `make test`, the others by `make test-long`.
QUICK = {"bike_sampler", "bike_control"}


def copy_with_mistake(folder, module, text, mistaken):
    """Returns the sources of the core with a mistake in one of them."""
    files = simulated.build.rtl_files()
    path, = [path for path in files if path.stem == module]
    source = path.read_text(encoding="utf-8")
    assert source.count(text) == 1, "the source has changed: plant the mistake elsewhere"
    (folder / path.name).write_text(source.replace(text, mistaken), encoding="utf-8")
    return [folder / path.name if file == path else file for file in files]


def marked(mistakes):
    return [pytest.param(*mistake, id=mistake[0],
                         marks=[] if mistake[0] in QUICK else [pytest.mark.long])
            for mistake in mistakes]


@pytest.mark.parametrize(("top", "source", "text", "mistaken"), marked(MISTAKES))
def test_mistake_is_found(bench, tmp_path, top, source, text, mistaken):
    name, parameters = next(rest for its, *rest in MODULES + OTHERS if its == top)
    with pytest.raises(BenchFailure, match="AssertionError"):
        bench(top, name, parameters, copy_with_mistake(tmp_path, source, text, mistaken))


def test_every_bench_is_shown_to_fail():
    assert {top for top, *_ in MISTAKES} == {top for top, *_ in MODULES + OTHERS}
