# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of the modules of rtl/hqc, beside those of proofs.py."""

from hardware.formal.proofs import NOT_RST, STR_DATA, UNITS, Invariants, SameControl, Silent

PROOFS = [
    *[
        Invariants(top, {"LEVEL": level, "WORD": word})
        for top in ("hqc_hash", "hqc_sampler")
        for level, word in [(1, 128), (1, 64), (3, 128), (5, 128)]
    ],
    *[
        Invariants("hqc_expand", {"N": n, "WORD": word})
        for n, word in [(17669, 128), (17669, 64), (57637, 128)]
    ],
    Silent(
        "hqc_hash",
        {"LEVEL": 1, "WORD": 128},
        idle=("state_q", "here_q", "gives_digest_q", "gives_stream_q"),
        done="",  # the stream comes after it
        but=("xof_valid_o", "word_o", "lane_o"),
        at_start=("str_read_o",),
    ),
    Silent(
        "hqc_sampler",
        {"LEVEL": 1, "WORD": 128},
        idle=(
            *("state_q", "busy_q", "three_q", "four_q", "counts_q", "bit_q", "keep_q"),
            *("ended_q", "position_valid_o"),
        ),
        but=("word_next_o",),  # the words of the next draw may be taken
    ),
    Silent(
        "hqc_expand",
        {"N": 17669, "WORD": 128},
        idle=("busy_q", "ending_q"),
        done="",  # with ending_q, when busy_q is zero
        but=("feed_word_o",),  # means nothing without feed_valid_o
    ),
    *[
        SameControl(
            "hqc_hash",
            {"LEVEL": 1, "WORD": 128, "BUFFERED": buffered},
            secret=("poly_rdata_i", "str_rdata_i"),
            may_differ=(STR_DATA, "word_o", "lane_o"),
        )
        for buffered in (0, 1)
    ],
    SameControl(
        "hqc_sampler",
        {"LEVEL": 1, "WORD": 128},
        secret=("word_i", "poly_late_i"),
        # Whether a candidate is rejected may be known; the position drawn is an address.
        told=("rejected",),
        may_differ=(
            *("poly_read_o", "poly_write_o[12:0]", "poly_wdata_o", "position_o"),
            "poly_forward_o",  # chooses a word
        ),
    ),
    SameControl(
        "hqc_expand",
        {"N": 17669, "WORD": 128},
        secret=("lane_i",),
        may_differ=("feed_word_o",),
    ),
    *[
        Invariants("hqc_rows", {"LEVEL": level, "WORD": word}, quick=(level, word) == (1, 128))
        for level, word in [(1, 128), (1, 64), (3, 128), (5, 128)]
    ],
    Silent(
        "hqc_rows",
        {"LEVEL": 1, "WORD": 128},
        idle=("state_q", "asks_q"),
        after=2,
        but=("padding_o",),  # stays for the product
        quick=True,
    ),
    Silent(
        "hqc_positions",
        {"LEVEL": 1, "LANES": 8},
        idle=("on_q",),
        after=1,
        done="stop_i",
        but=("top_o",),  # stays for the product
    ),
    Silent(
        "hqc_product",
        {"LEVEL": 1, "WORD": 128, "LANES": 8},
        idle=("u_unit.run_q",),
        after=12,
        done="",  # comes after the pipeline's last step
        # What a comparison said stays; a guard tells nothing of states that cannot be.
        but=("done_o", "equal_o", "sure_o", "upset_o"),
    ),
    SameControl(
        "hqc_rows",
        {"LEVEL": 1, "WORD": 128},
        secret=("poly_late_i",),
        may_differ=("feed_word_o", "padding_o"),
        quick=True,
    ),
    SameControl(
        "hqc_positions",
        {"LEVEL": 1, "LANES": 8},
        secret=("place_i",),
        may_differ=("lane_wdata_o", "top_o"),
    ),
    SameControl(
        "hqc_product",
        {"LEVEL": 1, "WORD": 128, "LANES": 8},
        secret=(*("poly_late_i", "feed_word_i", "list_wdata_i", "padding_i", "top_i", "rm_i"),),
        may_differ=("poly_wdata_o", "code_word_o", "equal_o", "sure_o", "upset_o"),
    ),
    *[
        SameControl(
            "hqc_core",
            {"LEVEL": level, "PRESET": preset, "BUILD": build},
            reset=NOT_RST,
            settle=2,  # kem_control hands reset on by a register
            secret=("in_data_i",),
            # How many candidates of x and y are rejected may be known [HQC, S15.2]. No field is a
            # list, whose positions kem_receive would check. That a register was disturbed is told,
            # too; it is not while nothing disturbs one.
            told=tuple(
                f"{UNITS}.{name}"
                for name in ("u_sampler.rejected", "u_receive.bad_position", "upset_o")
            ),
            # Which string is sent at last is secret, but a slot is always the one that is named.
            also=(f"{UNITS}.read_send",),
            may_differ=("out_data_o",),
        )
        for level, preset, build in [(1, 0, 0), (1, 0, 2), (1, 2, 0), (1, 2, 1), (1, 2, 2)]
    ],
]
