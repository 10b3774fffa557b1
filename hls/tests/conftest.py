# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compiles kernels by codekem-hls and simulates what comes out."""

import os
import pathlib

import pytest

from codekem_hls import flow, simulate
from codekem_hls.software import Software
from hls.tests.kernel_designs import KERNELS, read_design

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
BUILDS = pathlib.Path(os.environ.get("CODEKEM_TEST_BUILDS", TOP / "build"))
# Where hls/ stands alone, tests that compare with the library, with its known answers and its pages
# are left out; the head of the run names them.
ALONE = not (TOP / "tools" / "known_answers.py").is_file()
LEFT_OUT = [
    path.name
    for path in sorted(HERE.glob("test_*.py"))
    if any(f"\nfrom {other}" in path.read_text(encoding="utf-8") for other in ("tools", "tests"))
]
collect_ignore = LEFT_OUT if ALONE else []


def pytest_configure(config):
    """Names the mark that the repository's pytest.ini has."""
    if ALONE:
        config.addinivalue_line("markers", "long: takes minutes")


def pytest_report_header():
    """Says what is left out."""
    return f"hls alone, without {', '.join(LEFT_OUT)}" if ALONE else None


if ALONE:

    @pytest.fixture
    def root():
        """The top folder of the repository."""
        pytest.skip("hls/ stands alone: the pages are in docs/ of the repository")


@pytest.fixture
def synthesis():
    """For tests that synthesise: says where that is not possible."""
    if isinstance(flow.cells, flow.Missing):
        pytest.skip("needs the package codekem-flow")


class Cores:
    """Simulated cores and the same kernels as software."""

    def __init__(self, folder):
        self._folder = folder

    def build(self, name, designs):
        """Returns run(design, values, seed): (the core's run, the C's run)."""
        folder = self._folder / name
        library = simulate.build_simulations(designs, folder, strict=True)
        software = {id(design): Software(design, folder) for design in designs}

        def run(design, values, seed=1):
            return (
                simulate.run_core(library, design, values, seed),
                software[id(design)].run(values),
            )

        return run


@pytest.fixture(scope="session")
def folder():
    """Where simulations are built."""
    return BUILDS / "test-hls"


@pytest.fixture(scope="session")
def cores(folder):
    """See Cores."""
    return Cores(folder)


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
