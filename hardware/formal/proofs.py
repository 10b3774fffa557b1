# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of proofs: which module, with which parameters, by which method."""

import dataclasses

CLEARED = {"clear_i": "true"}
STREAM_OUT = ("done_o", "out_valid_o", "out_data_o", "out_last_o")


@dataclasses.dataclass(frozen=True)
class Proof:
    """What all proofs have."""

    method = ""
    top: str  # the module
    parameters: dict[str, int] = dataclasses.field(default_factory=dict)
    reset: dict[str, str] = dataclasses.field(default_factory=lambda: CLEARED)
    quick: bool = True  # runs in `make test`; the others in `make test-long`
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

    told: signals that depend on secrets and may be known; they are taken as equal.
    also: signals, not registers, that the induction needs to be equal, too.
    """

    secret: tuple[str, ...] = ()
    may_differ: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    method = "same-control"


@dataclasses.dataclass(frozen=True)
class Silent(Proof):
    """While a unit is idle, its outputs are zero: all, but those in `but`.

    idle: a register and its values in an idle unit; it is idle until `start`, and after `done`.
    after: cycles that it must have been idle, for a unit with a pipeline.
    """

    idle: tuple[str, tuple[int, ...]] = ("busy_q", (0,))
    after: int = 0
    but: tuple[str, ...] = ()
    start: str = "start_i"
    done: str = "done_o"  # or nothing
    method = "silent"


PROOFS = [
    # --- Keccak: what it computes, and for how long -----------------------------------------------
    *[Invariants("keccak", {"ROUNDS": rounds}, quick=rounds == 1) for rounds in (1, 2, 3, 4, 6)],
    *[
        SameControl(
            "keccak",
            {"ROUNDS": rounds},
            secret=("in_i",),
            may_differ=("lane_o",),
            quick=rounds == 1,
        )
        for rounds in (1, 6)
    ],
    # --- What other modules do, and never do ------------------------------------------------------
    Invariants("kem_control", {"WIPE_WORDS": 582}, reset={"rst_ni": "false"}),
    Invariants("kem_memory", {"WIDTH": 8, "DEPTH": 8}, reset={}, free_memories=False),
    Invariants("kem_memory", {"WIDTH": 128, "DEPTH": 485}, reset={}, free_memories=False),
    Invariants("gather_counters", {"WORD": 8, "LANES": 8, "BITS": 8}, depth=0),
    Invariants("gather_counters", {"WORD": 8, "LANES": 6, "BITS": 1}, depth=0),
    Invariants("row_writer", {"R": 12323, "WORD": 128, "STRIDE": 64, "ROW_BITS": 8}),
    Invariants("row_writer", {"R": 40973, "WORD": 256, "STRIDE": 64, "ROW_BITS": 10}),
    Invariants("divstep_pair", {"N": 68}, depth=0),
    *[Invariants("bike_sequencer", {"BUILD": build}) for build in (0, 1, 2)],
    # --- Streams: nothing lost, doubled or changed while it waits; addresses in bounds ------------
    *[
        Invariants(top, {"LEVEL": level, "WORD": word}, quick=(level, word) == (1, 128))
        for top in ("kem_receive", "kem_send", "bike_compare", "bike_rows")
        for level, word in [(1, 128), (1, 64), (3, 128), (5, 256)]
    ],
    # --- Idle units drive zeros -------------------------------------------------------------------
    Silent("kem_receive", {"LEVEL": 1, "WORD": 128}),
    Silent("kem_send", {"LEVEL": 1, "WORD": 128}, but=STREAM_OUT),
    Silent("bike_compare", {"LEVEL": 1, "WORD": 128}, done="", but=("done_o", "equal_o")),
    Silent("bike_rows", {"LEVEL": 1, "WORD": 128}, idle=("state_q", (0,)), after=1),
    Silent(
        "bike_positions",
        {"LEVEL": 1, "LANES": 8, "SHIFT": 7, "LIST_BITS": 6},
        after=2,
        done="",  # comes two cycles after the last request
    ),
    Silent("bike_sampler", {"LEVEL": 1, "WORD": 128}, idle=("state_q", (0,))),
    Silent(
        "bike_hash",
        {"LEVEL": 1, "WORD": 128},
        idle=("state_q", (0,)),
        done="",  # words of a seed come after it
        but=("prf_valid_o", "prf_word_o"),
        quick=False,
    ),
    Silent(
        "bike_gather",
        {"LEVEL": 1, "WORD": 128, "LANES": 8},
        idle=("state_q", (0,)),
        after=11,
        quick=False,
    ),
    Silent(
        "bike_inverter",
        {"LEVEL": 1, "WORD": 128, "INV_WORD": 384, "STEPS": 16},
        idle=("state_q", (0,)),
        after=5,
        quick=False,
    ),
    # --- Two copies of the units ------------------------------------------------------------------
    SameControl(
        "kem_receive",
        {"LEVEL": 1, "WORD": 128},
        secret=("in_data_i",),
        told=("bad_position",),
        may_differ=("poly_wdata_o", "str_wdata_o", "list_wdata_o"),
    ),
    SameControl(
        "kem_send",
        {"LEVEL": 1, "WORD": 128},
        secret=("poly_rdata_i", "str_rdata_i", "list_rdata_i"),
        may_differ=("out_data_o",),
    ),
    SameControl(
        "bike_hash",
        {"LEVEL": 1, "WORD": 128},
        secret=("poly_rdata_i", "str_rdata_i", "sigma_i"),
        # Which string is read depends on sigma_i.
        may_differ=("str_raddr_o", "str_wdata_o", "prf_word_o"),
    ),
    SameControl(
        "bike_compare",
        {"LEVEL": 1, "WORD": 128},
        secret=("poly_rdata_i",),
        may_differ=("equal_o",),
    ),
    SameControl(
        "bike_rows",
        {"LEVEL": 1, "WORD": 128},
        secret=("poly_rdata_i",),
        may_differ=("feed_word_o",),
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
        quick=False,
    ),
    SameControl(
        "bike_inverter",
        {"LEVEL": 1, "WORD": 128, "INV_WORD": 384, "STEPS": 16},
        secret=("poly_rdata_i",),
        may_differ=("poly_wdata_o",),
        quick=False,
    ),
    SameControl("row_writer", {"R": 12323}, secret=("word_i",), may_differ=("data_o",)),
    SameControl(
        "bike_sampler",
        {"LEVEL": 1, "WORD": 128},
        secret=("prf_word_i", "poly_rdata_i"),
        also=("half_cleared",),
        # The position drawn is an address.
        may_differ=(
            "poly_rslot_o",
            "poly_raddr_o",
            "poly_wslot_o",
            "poly_waddr_o",
            "poly_wdata_o",
            "list_wdata_o",
        ),
    ),
    *[
        SameControl(
            "bike_core",
            {"LEVEL": level, "PRESET": preset, "BUILD": build},
            reset={"rst_ni": "false"},
            secret=("in_data_i",),
            # A position in the secret key that is not below r is told by error 4.
            told=("u_receive.bad_position",),
            also=("u_sampler.half_cleared",),
            may_differ=("out_data_o",),
            quick=(level, preset, build) == (1, 0, 0),
        )
        for level, preset, build in [(1, 0, 0), (1, 2, 0), (1, 2, 2), (3, 1, 0), (5, 2, 1)]
    ],
]
