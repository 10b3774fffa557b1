# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a proof of an entry on the machine code of a library."""

from proofs.kernels.engine.bits import Undecided
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.prove import NotProved
from proofs.machine.many import prove
from proofs.machine.processor import Processor

# What a proof raises for code that is wrong, or that it cannot follow.
FAILURES = (NotProved, Undecided, Unsupported, IndexError, LookupError, NotImplementedError)


def proved(module, call):
    """Proves a call; returns what was wrong, or None."""
    module.machine = Processor
    try:
        if hasattr(call, "prove"):
            call.prove(module)
        else:
            prove(module, call)
    except FAILURES as error:
        notes = "; ".join(getattr(error, "__notes__", ()))
        return f"{type(error).__name__}: {error} {notes}".strip()
    return None
