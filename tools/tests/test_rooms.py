# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Each room can be deleted: the rest is configured, collected and passes its tests."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest

from tests import tls_programs
from tools import house
from tools.packaging import package_stage

# Of each room a file of tests that needs no build; what is in no room is always checked.
ALONE = {
    "evaluation": "evaluation/tests/test_statistics.py",
    "hardware": "hardware/tests/test_results.py",
    "hls": "hls/tests/test_refused.py",
    "lab": "lab/tests/test_sections.py",
    "proofs": "proofs/tests",
}
ALWAYS = [f"tools/tests/test_{name}.py" for name in ("conventions", "documents", "ledger")]
ALWAYS += ["tools/tests/test_versions.py", "tests/constant_time/test_comparisons.py"]
# Without these another command or another provider is built, or none.
BUILT = ("apps", "hardware")
BUILT_TESTS = ["tests/packaging/test_install.py", "tests/kat/test_response_files.py"]
# A plugin of pytest: to collect, the library of the whole tree will do.
LIBRARY = """
import tests.fixtures
from tests.library import Library
tests.fixtures.library_of = lambda config: Library({!r})
"""
SITE_PACKAGES = ".venv/lib/python3*/site-packages"


def run(tree, *command):
    """Runs a command in a tree; it must succeed. Returns what it printed."""
    path = f"{tree / '.venv' / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        [str(word) for word in command],
        cwd=tree,
        env=os.environ | {"PATH": path, "CODEKEM_TEST_BUILDS": str(tree / "build")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}:\n{done.stdout[-8000:]}"
    return done.stdout


def environment(tree):
    """Makes an environment with the packages of this one, in which the project is this tree."""
    scripts = tree / ".venv" / "bin"
    run(tree, sys.executable, "-m", "venv", "--without-pip", tree / ".venv")
    shutil.copytree(pathlib.Path(sys.prefix) / "installed", tree / ".venv" / "installed")
    (ours,) = tree.glob(SITE_PACKAGES)
    sources = ("evaluation/src", "hls/src", "lab/src", "tools/base/src")
    folders = [tree, *(tree / name for name in sources), sysconfig.get_path("purelib")]
    (ours / "tree.pth").write_text("".join(f"{folder}\n" for folder in folders))
    for program in pathlib.Path(sysconfig.get_path("scripts")).iterdir():
        if not (scripts / program.name).exists():
            (scripts / program.name).symlink_to(program)


@pytest.fixture
def without(tmp_path):
    """without("hls") returns a copy of this tree without that room, a repository of its own."""

    def make(room):
        tree = tmp_path / "tree"
        names = [name for name in package_stage.files_of(".") if house.room_of(name) != room]
        package_stage.copy(names, tree)
        me = ["-c", "user.name=nobody", "-c", "user.email=nobody"]
        run(tree, "git", "init", "--quiet")
        run(tree, "git", "add", "--all", "--force")
        run(tree, "git", *me, "commit", "--quiet", "-m", f"without {room}")
        environment(tree)
        return tree

    return make


def collected(tree, library):
    """Collects all tests in a tree; returns the folders that have some."""
    (packages,) = tree.glob(SITE_PACKAGES)
    (packages / "whole_library.py").write_text(LIBRARY.format(str(library.path)))
    words = ["-p", "whole_library", "-p", "no:xdist", "--collect-only", "-q"]
    said = run(tree, ".venv/bin/python", "-m", "pytest", "-m", "long or not long", *words)
    return set(re.findall(r"^(\w+)/[\w/.-]+::", said, re.M))


def passes(tree, *words):
    """Makes what tests in a tree need, and runs them; they must pass."""
    paths = [word for word in words if (tree / word).exists()]
    run(tree, ".venv/bin/python", "tools/made.py", *paths)
    run(tree, ".venv/bin/python", "-m", "pytest", "-p", "no:xdist", "-q", *words)


def refuses_devices(build, folder):
    """Demands that command and provider say why they have none."""
    words = [build / "bin" / "codekem", "speed", "--backend", "simulated"]
    said = tls_programs.run(words, check=False).stdout
    assert "built without hardware/, so it has no back end 'simulated'" in said
    module, entries = build / "ossl-modules" / "codekem.so", "devices.HQC-1 = ./none.so"
    configuration = tls_programs.write_configuration(folder / "device.cnf", module, entries)
    text = configuration.read_text().replace("activate = 1\ndevices", "devices")
    configuration.write_text(text)  # or the words of the error are lost
    words = ["openssl", "list", "-providers", "-provider", "codekem"]
    said = tls_programs.run(words, configuration, check=False).stdout
    assert "built without hardware/, so it has no devices" in said


@pytest.mark.long
@pytest.mark.parametrize("room", house.ROOMS)
def test_the_rest_passes_its_tests(room, without, library, tmp_path):
    """Where it has to do with what is compiled, that is built, too, and tried."""
    tree = without(room)
    run(tree, "cmake", "--preset", "gcc")
    assert collected(tree, library) == {*house.ROOMS, "parameters", "tests", "tools"} - {room}
    alone = [name for other, name in ALONE.items() if other != room]
    passes(tree, *ALWAYS, *alone, "-k", "not library")
    run(tree, ".venv/bin/python", "tools/lint.py", "README.md", "docs/packages.md")
    if room in BUILT:
        passes(tree, "tests/unit", "-k", "gcc", "-m", "not long")
        passes(tree, *BUILT_TESTS, "-m", "not long", "-k", "not reference")
    if room == "hardware":
        refuses_devices(tree / "build" / "test-gcc", tmp_path)
