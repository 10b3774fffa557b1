# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Entries of tables that are functions of another back end or member."""

import typing

from proofs.kernels.engine.prove import NotProved
from proofs.kernels.rings import OPERATIONS as MEMBERS


class Shared:
    """An entry that is another one: the tables have the address of the same function."""

    TABLES: typing.ClassVar = {
        "gf2x_ops": ("ckem_gf2x_{}", MEMBERS),
        "sparse_ops": (
            "ckem_sparse_{}",
            ("name", "pick_distinct", "set_positions", "mark_repeats"),
        ),
        "hqc_codes": ("ckem_hqc_codes_{}", ("name", "reed_muller_decode")),
    }

    def __init__(self, entry, backend, other, of=None):
        self.entry, self.backend, self.pair = entry, backend, ((entry, backend), (other, of))

    def __repr__(self):
        (_, backend), (other, of) = self.pair
        return f"{backend}-is-{of}-{other.partition('.')[2]}"

    def prove(self, module):
        """Raises NotProved if there are two functions."""
        places = {self._place(module.library, *entry) for entry in self.pair}
        if len(places) > 1:
            raise NotProved(f"{self!r}: the tables have two functions")

    def _place(self, library, entry, backend):
        table, _, member = entry.partition(".")
        name, members = self.TABLES[table]
        symbol = library.named(name.format(backend))
        return library.pointers[symbol.address + 8 * members.index(member)]
