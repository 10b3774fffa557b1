# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of proofs: which module, with which parameters, by which method."""

import dataclasses

CLEARED = {"clear_i": "true"}


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


PROOFS = [
    # --- Keccak: what it computes, and for how long -----------------------------------------------
    *[Invariants("keccak", {"ROUNDS": rounds}, quick=rounds == 1) for rounds in (1, 2, 3, 4, 6)],
    *[
        SameControl("keccak", {"ROUNDS": rounds}, secret=("in_i",), may_differ=("lane_o",))
        for rounds in (1, 6)
    ],
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
    ),
    SameControl(
        "bike_inverter",
        {"LEVEL": 1, "WORD": 128, "INV_WORD": 384, "STEPS": 16},
        secret=("poly_rdata_i",),
        may_differ=("poly_wdata_o",),
    ),
    SameControl("row_writer", {"R": 12323}, secret=("word_i",), may_differ=("data_o",)),
]
