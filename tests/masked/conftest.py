# SPDX-License-Identifier: Apache-2.0 OR MIT
"""masked_check and masked_probes of the preset gcc, also with a mistake of the ledger."""

import pytest

from tests import rooms
from tests.fixtures import run_command
from tests.masked_program import Probes, Program
from tools.source_folders import include_options


@pytest.fixture(scope="session")
def masked_check(build):
    return build("gcc", targets=["masked_check"]) / "bin" / "masked_check"


@pytest.fixture
def program(masked_check, library):
    """The program with the fastest back end."""
    with Program([masked_check], library.call["backend_current"]()) as running:
        yield running


@pytest.fixture(scope="session")
def probes(build):
    return Probes(build("gcc", targets=["masked_probes"]) / "bin" / "masked_probes")


@pytest.fixture
def planted_program(build, root, tmp_path):
    """planted_program(mistake, what) returns masked_check or masked_probes with a mistake."""

    def linked(mistake, what):
        probed = what == "masked_probes"
        folder, tests = build("gcc", targets=["masked_check", "masked_probes"]), root / "tests"
        changed = mistake.apply(tmp_path)
        probed_library = folder / "tests" / "libcodekem_masked_probed.a"
        library = probed_library if probed else folder / "libcodekem-masked.a"
        command = [rooms.tool("gcc"), "-O1", "-std=c11", "-fno-strict-aliasing"]
        # A changed header is found first, and then all of the library has to be compiled again; a
        # changed source comes first, so that the linker leaves the good object out.
        command += [f"-I{tmp_path / 'src'}", *include_options(), f"-I{tests}"]
        command += ['-DCODEKEM_MASKED_PROBES="masked/probes.h"'] if probed else []
        header = changed.suffix == ".h"
        command += sorted((root / "src" / "masked").glob("*.c")) if header else [changed]
        command += [tests / "masked" / f"{what}.c", *([] if header else [library])]
        if probed:
            command += [tests / "masked" / "masked_exact.c", "-Wl,--wrap=ckem_masks_below"]
        command += [folder / "libcodekem.a", "-lm", "-o", tmp_path / what]
        run_command([str(word) for word in command])
        return tmp_path / what

    return linked
