# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of proofs: which module, with which parameters, by which method.

To add a property:

1. An assertion: write it at the end of the module, in `ifdef FORMAL, as `name : assert (...);` in
   always_comb. Yosys takes no concurrent assertions; keep what was before in a register that is
   there for the proof alone, and let reset clear it. Add Invariants("module", {parameters}) to
   PROOFS. If the induction fails though the module is right, the case that is printed cannot be
   reached: assert what it violates, too. What is in `ifdef FORMAL is in no netlist.
2. A silent unit: add Silent("module", {parameters}, idle=("state_q",)), with registers that are all
   zero in an idle unit.
3. Two copies: add SameControl("module", {parameters}, secret=(inputs), may_differ=(outputs)). Of a
   struct name the bits: "list_write_o[16:0]". If a register of control is found to differ,
   `prove.py --registers` shows it. If a part of a register is public, define in `ifdef FORMAL a
   signal that is this part, and name it in `also`.
4. Add a mistake that the proof must find to "hardware/formal" in hardware/mistakes.toml.
5. Run prove.py module.

Memories have the name `mem`, which is how the proofs know them; other arrays are registers. The
instances of modules begin with `u_`: assertions below such a name belong to another proof.
"""

import dataclasses

from parameters.table import TABLE

CLEARED = {"clear_i": "true"}
STREAM_OUT = ("done_o", "out_valid_o", "out_data_o", "out_last_o")


@dataclasses.dataclass(frozen=True)
class Proof:
    """What all proofs have."""

    method = ""
    top: str  # the module
    parameters: dict[str, int] = dataclasses.field(default_factory=dict)
    reset: dict[str, str] = dataclasses.field(default_factory=lambda: CLEARED)
    quick: bool = False  # runs in `make test`, one of each kind a core; the others are long
    free_memories: bool = True  # a memory gives any word at any time; else it is modelled

    @property
    def name(self):
        values = [f"{name}={value}" for name, value in self.parameters.items()]
        return " ".join([self.top, self.method, *values])

    @property
    def folder(self):
        """Where Yosys works, below hardware/."""
        return f"build/formal/{self.name.replace(' ', '-')}"


@dataclasses.dataclass(frozen=True)
class Invariants(Proof):
    """The assertions of the module and of those below it, by induction over `depth` cycles.

    0: in any state.
    """

    depth: int = 1
    method = "invariants"


@dataclasses.dataclass(frozen=True)
class SameControl(Proof):
    """Two copies with different secrets, and different contents of all memories, have the same
    outputs, but those that `may_differ`.

    may_differ: outputs, or bits of them, as "list_write_o[16:0]".
    told: signals that depend on secrets and may be known; they are taken as equal.
    also: signals, not registers, that the induction needs to be equal, too.
    settle: cycles from the one in reset on until the copies are compared, beyond one.
    """

    secret: tuple[str, ...] = ()
    may_differ: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    settle: int = 0
    method = "same-control"


@dataclasses.dataclass(frozen=True)
class Silent(Proof):
    """While a unit is idle, its outputs are zero: all, but those in `but`, and those in `at_start`
    in the cycle of a start.

    idle: registers that are all zero in an idle unit, until `start`, and after `done`.
    after: cycles that it must have been idle, for a unit with a pipeline.
    """

    idle: tuple[str, ...] = ("busy_q",)
    after: int = 0
    but: tuple[str, ...] = ()
    at_start: tuple[str, ...] = ()
    start: str = "start_i"
    done: str = "done_o"  # or nothing
    method = "silent"


# The parameters of the streams' ends: level 1, 3, 5.
BIKE = TABLE.levels["bike"]
SHARED = {
    one.level: {
        "LIST_BASE": 1 << (one.d - 1).bit_length(),
        "COUNT_BITS": (3 * -(-one.r // 32) - 1).bit_length(),
    }
    for one in BIKE
}
RECEIVE = {
    one.level: {"TAIL_BYTES": (-(-one.r // 8) - 1) % 4 + 1, "LIMIT": one.r, **SHARED[one.level]}
    for one in BIKE
}
SEND = {one.level: {"POSITION_BITS": one.r.bit_length(), **SHARED[one.level]} for one in BIKE}
STREAMS = {"kem_receive": RECEIVE, "kem_send": SEND}
NOT_RST = {"rst_ni": "false"}
UNITS = "u_shell.gen_units.u_units"  # of a core
INVERTER = {"LEVEL": 1, "WORD": 128, "INV_WORD": 384, "STEPS": 16}
RM_DECODERS = (
    {"COPIES": 3, "WORD": 128, "VALUES": 8, "GAP": 9},
    {"COPIES": 5, "WORD": 64, "VALUES": 2, "GAP": 50},
)
RS_CODES = (
    {"K": 16, "DELTA": 15, "CELLS": 2},
    {"K": 24, "DELTA": 16, "CELLS": 4},
    {"K": 32, "DELTA": 29, "CELLS": 1},
)
# Data in the requests of kem_pkg.
STR_DATA = "str_write_o[63:0]"
LIST_DATA = "list_write_o[16:0]"

PROOFS = [
    # --- Keccak: what it computes, and for how long -----------------------------------------------
    *[Invariants("keccak", {"ROUNDS": rounds}) for rounds in (1, 2, 3, 4, 6)],
    *[
        SameControl(
            "keccak",
            {"ROUNDS": rounds},
            secret=("next_i",),
            may_differ=("state_o",),
        )
        for rounds in (1, 6)
    ],
    *[
        SameControl(
            "keccak_sponge",
            {"ROUNDS": 1, "BUFFERED": buffered},
            secret=("in_lane_i",),
            may_differ=("out_lane_o",),
        )
        for buffered in (0, 1)
    ],
    *[Invariants("keccak_sponge", {"ROUNDS": 1, "BUFFERED": buffered}) for buffered in (0, 1)],
    # --- What other modules do, and never do ------------------------------------------------------
    Invariants("kem_control", {"WIPE_WORDS": 582}, reset=NOT_RST, quick=True),
    Invariants("kem_memory", {"WIDTH": 8, "DEPTH": 8}, reset={}, free_memories=False),
    Invariants("kem_memory", {"WIDTH": 128, "DEPTH": 485}, reset={}, free_memories=False),
    Invariants("kem_late", {"WORD": 128}, reset={}),
    Invariants("gather_counters", {"WORD": 8, "LANES": 8, "BITS": 8}, depth=2),
    Invariants("gather_counters", {"WORD": 8, "LANES": 6, "BITS": 1}, depth=2),
    Invariants("gather_counters", {"WORD": 8, "LANES": 12, "BITS": 9}, depth=2),
    Invariants("row_writer", {"R": 12323, "WORD": 128, "STRIDE": 64, "ROW_BITS": 8}),
    Invariants("row_writer", {"R": 40973, "WORD": 256, "STRIDE": 64, "ROW_BITS": 10}),
    Invariants("divstep_pair", {"N": 68}, depth=0),
    Invariants("kem_sampler", {"WORD": 128, "POSITIONS": 12323}),
    Invariants("kem_sequencer", {"UNITS": 9, "STEP_BITS": 6}),
    # --- Streams: nothing lost, doubled or changed while it waits; addresses in bounds ------------
    *[
        Invariants(top, {"WORD": word} | STREAMS[top][level])
        for top in ("kem_receive", "kem_send")
        for level, word in [(1, 128), (1, 64), (3, 128), (5, 256)]
    ],
    *[
        Invariants("bike_compare", {"LEVEL": level, "WORD": word})
        for level, word in [(1, 128), (1, 64), (3, 128), (5, 256)]
    ],
    Invariants("bike_rows", {"LEVEL": 1, "WORD": 128}, quick=True),
    # The last word has room for 29 coefficients behind those of the ring.
    Invariants("bike_rows", {"LEVEL": 1, "WORD": 64, "EXTRA": 29}),
    Invariants("bike_rows", {"LEVEL": 3, "WORD": 128}),
    Invariants("bike_rows", {"LEVEL": 5, "WORD": 256}),
    Invariants("kem_skid", {"WIDTH": 33}, reset=NOT_RST, quick=True),
    Invariants("kem_axi", {"ADDR_BITS": 12}, reset={"aresetn": "false"}),
    # --- Idle units drive zeros -------------------------------------------------------------------
    Silent("kem_receive", {"WORD": 128} | RECEIVE[1], idle=("busy_q", "fill_q")),
    Silent("kem_send", {"WORD": 128} | SEND[1], but=(*STREAM_OUT, "upset_o")),
    Silent("bike_compare", {"LEVEL": 1, "WORD": 128}, done="", but=("done_o", "equal_o", "sure_o")),
    Silent(
        "bike_rows",
        {"LEVEL": 1, "WORD": 128},
        idle=("state_q", "asks_q"),
        after=2,
        but=("feed_word_o",),  # means nothing without feed_valid_o
        quick=True,
    ),
    Silent(
        "bike_positions",
        {"LEVEL": 1, "LANES": 8, "SHIFT": 7, "LIST_BITS": 6},
        after=4,
        done="",  # comes four cycles after the last request
    ),
    Silent(
        "kem_sampler",
        {"WORD": 128, "POSITIONS": 12323},
        idle=("erasing_q", "drawing_q", "three_q"),
        done="",
    ),
    Silent(
        "bike_hash",
        {"LEVEL": 1, "WORD": 128},
        idle=("state_q",),
        done="",  # words of a seed come after it
        but=("prf_valid_o", "prf_word_o"),
    ),
    Silent(
        "bike_gather",
        {"LEVEL": 1, "WORD": 128, "LANES": 8},
        idle=("u_unit.run_q",),
        after=12,
        done="",  # comes after the pipeline's last step
        but=("done_o",),
    ),
    Silent(
        "inverter_load",
        {"R": 12323, "WORD": 128, "INV_WORD": 384, "DEPTH": 65},
        idle=("busy_q", "asks_q"),
        after=2,
        done="",
    ),
    Silent(
        "inverter_copy",
        {"R": 12323, "WORD": 128, "INV_WORD": 384, "DEPTH": 65},
        idle=("busy_q", "word_q"),
        after=2,
        done="",
    ),
    # --- Two copies of the units ------------------------------------------------------------------
    SameControl(
        "kem_receive",
        {"WORD": 128} | RECEIVE[1],
        secret=("in_data_i",),
        told=("bad_position",),
        may_differ=("poly_wdata_o", STR_DATA, LIST_DATA),
    ),
    SameControl(
        "kem_send",
        {"WORD": 128} | SEND[1],
        secret=("poly_rdata_i", "str_rdata_i", "list_rdata_i"),
        may_differ=("out_data_o",),
    ),
    *[
        SameControl(
            "bike_hash",
            {"LEVEL": 1, "WORD": 128, "BUFFERED": buffered},
            secret=("poly_rdata_i", "str_rdata_i", "sigma_i"),
            # Which string is read depends on sigma_i.
            may_differ=("str_read_o[4:2]", STR_DATA, "prf_word_o"),
        )
        for buffered in (0, 1)
    ],
    SameControl(
        "bike_compare",
        {"LEVEL": 1, "WORD": 128},
        secret=("poly_rdata_i",),
        may_differ=("equal_o", "sure_o"),
    ),
    SameControl(
        "bike_rows",
        {"LEVEL": 1, "WORD": 128},
        secret=("poly_rdata_i",),
        may_differ=("feed_word_o",),
        quick=True,
    ),
    SameControl(
        "bike_positions",
        {"LEVEL": 1, "LANES": 8, "SHIFT": 7, "LIST_BITS": 6},
        secret=("list_rdata_i",),
        may_differ=("lane_wdata_o",),
    ),
    SameControl(
        "bike_gather",
        {"LEVEL": 1, "WORD": 128, "LANES": 8},
        secret=("poly_rdata_i", "feed_word_i", "list_wdata_i"),
        may_differ=("poly_wdata_o",),
    ),
    SameControl(
        "bike_inverter",
        INVERTER,
        secret=("poly_rdata_i",),
        may_differ=("poly_wdata_o",),
    ),
    SameControl("row_writer", {"R": 12323}, secret=("word_i",), may_differ=("data_o",)),
    SameControl(
        "kem_sampler",
        {"WORD": 128, "POSITIONS": 12323},
        secret=("word_i", "poly_rdata_i"),
        # The position drawn is an address.
        may_differ=("poly_read_o", "poly_write_o[12:0]", "poly_wdata_o", LIST_DATA),
    ),
    SameControl(
        "kem_axi",
        {"ADDR_BITS": 12},
        reset={"aresetn": "false"},
        secret=("s_axis_tdata", "out_data_i"),
        also=("u_in.data_top", "u_in.spare_top", "u_out.data_top", "u_out.spare_top"),
        may_differ=("m_axis_tdata", "in_data_o"),
    ),
    # --- HQC's codes ------------------------------------------------------------------------------
    *[Invariants("rm_encoder", {"WORD": word}, depth=0) for word in (128, 64)],
    *[Invariants("rm_decoder", names) for names in RM_DECODERS],
    SameControl(
        "rm_decoder",
        RM_DECODERS[0],
        secret=("word_i",),
        may_differ=("symbol_o",),
    ),
    *[Invariants(top, names) for top in ("rs_encoder", "rs_locator") for names in RS_CODES],
    Silent(
        "rs_encoder",
        RS_CODES[0],
        idle=("state_q",),
        done="",
        but=("done_o", "symbol_o"),
        at_start=("read_o", "lane_o"),
    ),
    SameControl("rs_encoder", RS_CODES[0], secret=("lane_i",), may_differ=("symbol_o",)),
    Invariants("rs_syndromes", {"DELTA": 15, "RINGS": 2}),
    SameControl(
        "rs_locator",
        RS_CODES[0],
        secret=("syndrome_i",),
        may_differ=("wrong_o", "odd_o", "value_o"),
    ),
    Invariants("rs_decoder", RS_CODES[0] | {"GAP": 99}),
    SameControl(
        "rs_decoder",
        RS_CODES[0] | {"GAP": 99},
        secret=("symbol_i",),
        may_differ=("lane_data_o",),
    ),
    # --- The whole core ---------------------------------------------------------------------------
    *[
        SameControl(
            "bike_core",
            {"LEVEL": level, "PRESET": preset, "BUILD": build},
            reset=NOT_RST,
            settle=2,  # kem_control hands reset on by a register
            secret=("in_data_i",),
            # A position in the secret key that is not below r is told by error 4. That a register
            # was disturbed is told, too; it is not while nothing disturbs one.
            told=(f"{UNITS}.u_receive.bad_position", f"{UNITS}.upset_o"),
            may_differ=("out_data_o",),
        )
        for level, preset, build in [
            *[(1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 2, 2), (1, 3, 0), (1, 4, 0), (3, 1, 0)],
            (5, 2, 1),
        ]
    ],
    # Nothing passes while units are in reset, also in the cycle after one of reset.
    Invariants("bike_core", {"LEVEL": 1, "PRESET": 0}, depth=0),
    SameControl(
        "bike_axi",
        {"LEVEL": 1, "PRESET": 0},
        reset={"aresetn": "false"},
        settle=2,
        secret=("s_axis_tdata",),
        told=tuple(
            f"u_top.u_core.gen_units.u_units.{name}"
            for name in ("u_receive.bad_position", "upset_o")
        ),
        also=tuple(
            f"u_top.u_bus.u_{side}.{part}_top"
            for side in ("in", "out")
            for part in ("data", "spare")
        ),
        may_differ=("m_axis_tdata",),
    ),
]
