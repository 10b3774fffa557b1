# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of the modules of rtl/hqc, beside those of proofs.py."""

from proofs import STR_DATA, Invariants, SameControl, Silent

PROOFS = [
    *[
        Invariants(top, {"LEVEL": level, "WORD": word}, quick=(level, word) == (1, 128))
        for top in ("hqc_hash", "hqc_sampler")
        for level, word in [(1, 128), (1, 64), (3, 128), (5, 128)]
    ],
    *[
        Invariants("hqc_expand", {"N": n, "WORD": word}, quick=(n, word) == (17669, 128))
        for n, word in [(17669, 128), (17669, 64), (57637, 128)]
    ],
    Silent(
        "hqc_hash",
        {"LEVEL": 1, "WORD": 128},
        idle=("state_q", "here_q"),
        done="",  # the stream comes after it
        but=("xof_valid_o", "word_o", "lane_o"),
        quick=False,
    ),
    Silent(
        "hqc_sampler",
        {"LEVEL": 1, "WORD": 128},
        idle=("state_q", "three_q", "four_q"),
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
            quick=not buffered,
        )
        for buffered in (0, 1)
    ],
    SameControl(
        "hqc_sampler",
        {"LEVEL": 1, "WORD": 128},
        secret=("word_i", "poly_rdata_i"),
        # Whether a candidate is rejected may be known; the position drawn is an address.
        told=("rejected",),
        may_differ=("poly_read_o", "poly_write_o[12:0]", "poly_wdata_o", "position_o"),
    ),
    SameControl(
        "hqc_expand",
        {"N": 17669, "WORD": 128},
        secret=("lane_i",),
        may_differ=("feed_word_o",),
    ),
]
