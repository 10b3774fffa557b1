# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the proofs of equivalence share: the code that clang makes, and what was proved before."""

import os

import pytest

from proofs.kernels import assumed
from proofs.kernels.engine import host
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved, compare, prove
from proofs.kernels.engine.thumb import Processor
from proofs.kernels.modules import Sources

# So many random operands show a planted mistake; a proof takes more (samples.py).
SAMPLES_FOR_MISTAKES = 64


@pytest.fixture(scope="session", autouse=True)
def assumptions():
    """Demands a proof of what stands for functions in any machine (assumed.py)."""
    with pytest.MonkeyPatch.context() as patch:
        for kind, name, at in ((Machine, "contracts", 2), (Processor, "replaced", 3)):
            patch.setattr(kind, "__init__", demanding(kind.__init__, name, at))
        yield


def demanding(make, name, at):
    """Returns a constructor that looks at its contracts first: the argument of a name and place."""

    def checked(self, *arguments, **options):
        contracts = options.get(name, arguments[at] if len(arguments) > at else None)
        assumed.demand(contracts or {})
        make(self, *arguments, **options)

    return checked


@pytest.fixture(scope="session")
def sources(build, root):
    """The files of src/ as modules; see modules.Sources."""
    folder = build.folder("equivalence")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    return Sources("clang", root, folder / worker, folder / "modules", folder / "proved")


@pytest.fixture
def holds(need, sources, record_property):
    """holds(files, call) proves that a call of rings.py and the like is right, for all operands.
    A call that is not proved by degree and random operands has a method prove(module).

    What was proved once for the same code and the same files of this folder is not proved again.
    """
    need("clang")

    def check(files, call, **options):
        module = sources.module(files, **options)
        proved = sources.proved(module, call)
        if proved.exists():
            return
        text = f"{call!r}\n"
        if hasattr(call, "prove"):
            call.prove(module)
        else:
            proof = prove(module, call)
            record_property("degree", proof.degree)
            text = f"{call!r}: degree {proof.degree}, {proof.samples} random operands\n"
        proved.parent.mkdir(parents=True, exist_ok=True)
        proved.write_text(text)

    return check


@pytest.fixture
def fails(need, sources):
    """fails(files, call, changed) demands that a planted mistake is found."""
    need("clang")

    def check(files, call, changed, **options):
        module = sources.module(files, changed=changed, **options)
        tried = getattr(call, "prove", lambda module: compare(module, call, SAMPLES_FOR_MISTAKES))
        with pytest.raises(NotProved):
            tried(module)

    return check


@pytest.fixture(scope="session")
def cpu_flags():
    """What /proc/cpuinfo says that this processor has."""
    return host.cpu_flags()
