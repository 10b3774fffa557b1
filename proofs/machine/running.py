# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a proof of an entry on the machine code of a library."""

import functools
import hashlib
import pathlib

from proofs.kernels.engine.bits import Undecided
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.proved import closure, name_of
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


def name_of_proof(call):
    """Returns a name for all that a proof of a call depends on but the library."""
    return name_of(call, [meanings()])


@functools.cache
def meanings():
    """Returns a digest of the modules that run a proof: what instructions mean, and what proves."""
    here = pathlib.Path(__file__).resolve()
    found = sorted(closure([here], here.parent.parent.parent))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in found)).hexdigest()
