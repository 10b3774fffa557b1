# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem below another project: the library alone, which wants no package and changes nothing."""

import functools
import pathlib

import pytest

from tools import programs

FOLDER = pathlib.Path(__file__).parent / "subproject"
# What the command, the provider and the tests look for; here it is not found.
PACKAGES = ["CLI11", "nlohmann_json", "OpenSSL", "cmocka", "Threads"]


run = functools.partial(programs.run, AssertionError, apart=True)


def configure(by, root, folder, *options):
    run(
        *["cmake", "-G", "Ninja", "-S", FOLDER, "-B", folder, f"-DCODEKEM_SOURCES={root}"],
        *[f"-DBY={by}", "-DCODEKEM_KEMS=HQC-1", *options],
        *[f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in PACKAGES],
    )


@pytest.mark.parametrize("by", ["add_subdirectory", "FetchContent"])
def test_project_below_another_builds_the_library_alone(by, root, tmp_path):
    configure(by, root, tmp_path)
    targets = run("ninja", "-C", tmp_path, "-t", "targets", "all")
    programs = {line.split(":")[0] for line in targets.splitlines() if "EXECUTABLE_LINKER" in line}
    assert programs == {"consumer_static", "consumer_shared"}


@pytest.mark.long
def test_consumer_of_the_sources_runs(root, tmp_path):
    # Not optimised: nothing here takes long but the compiler.
    configure("add_subdirectory", root, tmp_path, "-DCMAKE_C_FLAGS_RELEASE=-O0 -DNDEBUG")
    run("cmake", "--build", tmp_path)
    for kind in ("static", "shared"):
        assert "HQC-1 agrees" in run(tmp_path / f"consumer_{kind}")
