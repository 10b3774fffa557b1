# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Identifiers of the SystemVerilog: unique in a module, and none that the language reserves.

Names of the C come with an ending, as x_i, or with a beginning, as v_x; only modules have the names
of functions as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# IEEE 1800-2017, annex B.
_WORDS = """
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
    before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle
    checker class clocking cmos config const constraint context continue cover covergroup
    coverpoint cross deassign default defparam design disable dist do edge else end endcase
    endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface
    endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable
    endtask enum event eventually expect export extends extern final first_match for force
    foreach forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone
    ignore_bins illegal_bins implements implies import incdir include initial inout input inside
    instance int integer interconnect interface intersect join join_any join_none large let
    liblist library local localparam logic longint macromodule matches medium modport module
    nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output
    package packed parameter pmos posedge primitive priority program property protected pull0
    pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
    randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos
    rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared
    sequence shortint shortreal showcancelled signed small soft solve specify specparam static
    string strong strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on
    table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0
    tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped
    use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard
    wire with within wor xnor xor
"""
RESERVED = frozenset(_WORDS.split())


def module_called(function: str) -> str:
    """Returns the name of a function's module."""
    return f"{function}_core" if function in RESERVED else function


def repeated(names: Iterable[str]) -> list[str]:
    """Returns the names that occur more than once."""
    seen: set[str] = set()
    again: dict[str, None] = {}
    for name in names:
        if name in seen:
            again[name] = None
        seen.add(name)
    return list(again)


class Names:
    """Gives identifiers that are unique in a module."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.bases: set[str] = set()

    def new(self, prefix: str, name: str) -> str:
        clean = prefix + re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
        unique, count = clean, 1
        while unique in self.taken:
            count += 1
            unique = f"{clean}_{count}"
        self.taken.add(unique)
        return unique

    def base(self, prefix: str, name: str) -> str:
        """Returns what the signals of a loop begin with: BASE_run, BASE_3, BASE_end_3 and so on."""
        clean = f"{prefix}_" + re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
        base, count = clean, 1
        # A loop that is called row_end would have signals of one that is called row.
        while {base, f"{base}_end", base.removesuffix("_end")} & self.bases:
            count += 1
            base = f"{clean}_{count}"
        self.bases.add(base)
        return base
