# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compiles kernels by codekem-hls and simulates what comes out."""

import pytest

from codekem_hls import simulate
from codekem_hls.software import Software
from hls.tests.kernel_designs import KERNELS, read_design


class Cores:
    """Simulated cores and the same kernels as software."""

    def __init__(self, folder):
        self._folder = folder

    def build(self, name, designs):
        """Returns run(design, values, seed): (the core's run, the C's run)."""
        folder = self._folder / name
        library = simulate.build_simulations(designs, folder)
        software = {id(design): Software(design, folder) for design in designs}

        def run(design, values, seed=1):
            return (
                simulate.run_core(library, design, values, seed),
                software[id(design)].run(values),
            )

        return run


@pytest.fixture(scope="session")
def cores(build):
    """See Cores."""
    return Cores(build.folder("hls"))


@pytest.fixture
def flavour(cores):
    """flavour("keccak_f.perf") returns its design and what runs it."""

    def get(name):
        design = read_design(KERNELS / f"{name}.toml")
        return design, cores.build(name, [design])

    return get


@pytest.fixture
def compiled(tmp_path):
    """compiled(c, {directives}) compiles a kernel that is given as text; its name is "kernel"."""

    def get(text, **data):
        (tmp_path / "kernel.c").write_text(text)
        default = {"kernel": "kernel.c", "top": "kernel"}
        return read_design(tmp_path / "directives.toml", default | data)

    return get
