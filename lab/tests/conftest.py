# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The programs of the laboratory, as built."""

import pytest


@pytest.fixture(scope="session")
def dfr_folder(build):
    """A build with the program that counts decoding failures."""
    return build("gcc", targets=("codekem_dfr", "codekem_lab"))


@pytest.fixture(scope="session")
def dfr_program(dfr_folder):
    return dfr_folder / "bin" / "codekem_dfr"


@pytest.fixture(scope="session")
def lab_program(dfr_folder):
    return dfr_folder / "bin" / "codekem_lab"


@pytest.fixture(scope="session")
def lab_planted(build):
    """Returns a function from the name of a planted mistake to the laboratory with it."""

    def program(mistake):
        target = f"codekem_lab_plant_{mistake}"
        return build("gcc", targets=(target,)) / "bin" / target

    return program
