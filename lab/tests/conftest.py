# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The programs of the laboratory, as built."""

import pathlib

import pytest

HERE = pathlib.Path(__file__).resolve().parent
# Where lab/ stands alone there is no library to build the programs with: what runs them is skipped,
# as what compares the pages of the repository is; files that take its known answers are left out.
ALONE = not (HERE.parents[1] / "tools" / "known_answers.py").is_file()
LEFT_OUT = ["test_dfr.py", "test_lab.py", "test_lab_roulette.py"]
collect_ignore = LEFT_OUT if ALONE else []

if ALONE:

    @pytest.fixture(scope="session")
    def build():
        """Builds of the repository."""
        pytest.skip("lab/ stands alone: its programs are built with the library")

    @pytest.fixture(scope="session")
    def root():
        """The top folder of the repository."""
        pytest.skip("lab/ stands alone: the pages are in docs/ of the repository")

    @pytest.fixture
    def taken():
        """A file that another process has."""
        pytest.skip("lab/ stands alone: its programs are built with the library")

    @pytest.fixture
    def fast_backend_name():
        """A back end of the library."""
        pytest.skip("lab/ stands alone: its programs are built with the library")


def pytest_configure(config):
    """Names the mark that the repository's pytest.ini has."""
    if ALONE:
        config.addinivalue_line("markers", "long: takes minutes")


def pytest_report_header():
    """Says what is left out."""
    return f"lab alone, without {', '.join(LEFT_OUT)}" if ALONE else None


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
