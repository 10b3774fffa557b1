# SPDX-License-Identifier: Apache-2.0 OR MIT
"""hybrid_check of the preset gcc."""

import pytest

from tests import rooms
from tests.fixtures import run_command
from tests.hybrid_program import Program
from tools.source_folders import include_options


@pytest.fixture(scope="session")
def hybrid_check(build):
    return build("gcc") / "bin" / "hybrid_check"


@pytest.fixture
def program(hybrid_check, backend_name):
    with Program([hybrid_check], backend_name) as running:
        yield running


@pytest.fixture
def best(hybrid_check, library):
    """The program with the fastest back end."""
    with Program([hybrid_check], library.call["backend_current"]()) as running:
        yield running


@pytest.fixture
def planted_hybrid(build, root, tmp_path):
    """planted_hybrid(mistake) returns the program with a mistake of the ledger."""

    def linked(mistake):
        folder, sources = build("gcc"), root / "tests" / "hybrid"
        command = [rooms.tool("gcc"), "-O1", "-std=c11", *include_options(), f"-I{sources}"]
        # The mistake comes first, so the linker leaves the good object in the archive out.
        command += [mistake.apply(tmp_path), sources / "hybrid_check.c"]
        command += [sources / "p256_openssl.c", "-DCODEKEM_HAVE_P256", "-fno-strict-aliasing"]
        command += [folder / "libcodekem-hybrid.a", folder / "libcodekem.a", "-lcrypto"]
        run_command([str(word) for word in [*command, "-o", tmp_path / "broken"]])
        return tmp_path / "broken"

    return linked
