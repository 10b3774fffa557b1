# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Mistakes that the proofs of the modules of rtl/hqc find, beside those of test_formal.py."""

# Module and method: source, a text in it and the mistaken one that takes its place, and what then
# fails. The first proof of that module and method finds it.
MISTAKES = {
    ("hqc_hash", "invariants"): [
        ("hqc_hash", "next_q.lane == last_number", "1'b0", "in_order"),
    ],
    ("hqc_hash", "silent"): [
        (
            "hqc_hash",
            "gives_digest_q && squeezed",
            "squeezed",
            "str_write_o",
        ),
    ],
    ("hqc_hash", "same-control"): [
        ("hqc_hash", "if (place_q.part == SUFFIX) begin", "if (lane[0]) begin", "can differ"),
    ],
    ("hqc_sampler", "invariants"): [
        ("hqc_sampler", "rejecting ? step_q == 2'd2 :", "rejecting ? 1'b0 :", "steps"),
        ("hqc_sampler", "busy_q <= 1'b1;", "busy_q <= draw_i != ERASE;", "knows_when_busy"),
    ],
    ("hqc_sampler", "silent"): [
        ("hqc_sampler", "    if (busy_q) asked", "    asked", "poly_read_o"),
    ],
    ("hqc_sampler", "same-control"): [
        # A repeat is settled the sooner.
        (
            "hqc_sampler",
            "if (entry_q == '0) two_q <= 1'b0;",
            "if (entry_q == '0 || found) two_q <= 1'b0;",
            "position_valid_o can differ",
        ),
        (
            "hqc_sampler",
            "three_q && step_q == 2'd1;",
            "three_q && step_q == 2'd1 && !found;",
            "can differ",
        ),
    ],
    ("hqc_expand", "invariants"): [
        ("hqc_expand", "GapBits'(Rows - 1)", "GapBits'(Rows)", "in_range"),
    ],
    ("hqc_expand", "silent"): [
        ("hqc_expand", "busy_q && (lane_valid_i || pad)", "(lane_valid_i || pad)", "feed_valid_o"),
    ],
    ("hqc_expand", "same-control"): [
        ("hqc_expand", "if (step) left_q", "if (step && !lane[0]) left_q", "can differ"),
    ],
    ("hqc_rows", "invariants"): [
        ("hqc_rows", "if (last_word) state_q <= FINISH;", "", "in_range"),
    ],
    ("hqc_rows", "silent"): [
        (
            "hqc_rows",
            "if (state_q != IDLE && state_q != FINISH) poly_read_o",
            "if (state_q != FINISH) poly_read_o",
            "poly_read_o",
        ),
    ],
    ("hqc_rows", "same-control"): [
        ("hqc_rows", "LAST: state_q", "LAST: if (poly_rdata_i[0]) state_q", "done_o"),
    ],
    ("hqc_positions", "silent"): [
        ("hqc_positions", "on_q && place_valid_i", "place_valid_i", "lane_we_o"),
    ],
    ("hqc_positions", "same-control"): [
        (
            "hqc_positions",
            "lane_q <= lane_q == LaneBits'(LANES - 1)",
            "lane_q <= lane_q == LaneBits'(LANES - 1) || place_i[0]",
            "lane_we_o can differ",
        ),
    ],
    ("hqc_product", "silent"): [
        ("hqc_product", "else if (sum_valid && check_q) begin", "else begin", "poly_read_o"),
    ],
    ("hqc_product", "same-control"): [
        (
            "hqc_product",
            "sum_last ? 2'd1",
            "sum_last && feed_word_i[0] ? 2'd1",
            "done_o can differ",
        ),
    ],
    ("hqc_core", "same-control"): [
        # An operation ends earlier if u or v is not the received one.
        (
            "hqc_product",
            "done_o = flush_q == 2'd3",
            "done_o = flush_q == (equal_q ? 2'd3 : 2'd2)",
            "done_o can differ",
        ),
    ],
}
