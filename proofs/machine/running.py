# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a proof of an entry on the machine code of a library."""

import functools
import pathlib
from importlib.metadata import version

from proofs.kernels.engine.bits import Undecided
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.prove import NotProved, prove
from proofs.kernels.proved import (
    ROOT,
    defining,
    description,
    digest_of,
    environment,
    texts_of,
)
from proofs.machine.many import Many
from proofs.machine.processor import Processor

HERE = pathlib.Path(__file__).resolve()
# What a proof raises for code that is wrong, or that it cannot follow.
FAILURES = (NotProved, Undecided, Unsupported, IndexError, LookupError, NotImplementedError)


def proved(module, call):
    """Proves a call; returns what was wrong, or None."""
    module.machine = Processor
    try:
        if hasattr(call, "prove"):
            call.prove(module)
        else:
            prove(module, call, Many)
    except FAILURES as error:
        notes = "; ".join(getattr(error, "__notes__", ()))
        return f"{type(error).__name__}: {error} {notes}".strip()
    return None


def name_of_proof(call):
    """Returns a name for all that a proof of a call depends on but the library: the modules that
    define the call and that run a proof, all that these import, and the call's parameters."""
    return digest_of([*decoders(), *modules((HERE, *defining(call))), description(call)])


@functools.cache
def modules(paths):
    """Returns names and contents of modules and of what they import. Tables of meanings are filled
    by modules that their readers import, so no other module changes a proof."""
    return texts_of(paths, ROOT)


@functools.cache
def decoders():
    """Returns the versions of what runs a proof."""
    return [*environment(), *(f"{name} {version(name)}" for name in ("iced-x86", "capstone"))]
