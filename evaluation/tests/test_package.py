# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The package, built and installed into an environment of its own, away from the checkout."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile

import pytest

from codekem_base import paths as base
from codekem_evaluation import paths, peers

DISTRIBUTIONS = {
    "typer": "typer",
    "rich": "rich",
    "codekem_base": "codekem-base",
}  # modules that have another name there
DATA = ("publications", "report", "schema")


def without_checkout():
    """Returns the environment without what would lead Python to the checkout."""
    return {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME") and not name.startswith("CODEKEM_")
    }


def wheel_of(project, folder):
    """Builds a wheel from a copy: setuptools leaves its files beside the sources."""
    source = shutil.copytree(
        project,
        folder / project.name,
        ignore=shutil.ignore_patterns("peers", "__pycache__", "*.egg-info", "build"),
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-index",
            "--no-deps",
            "--no-build-isolation",
            "--wheel-dir",
            folder,
            source,
        ],
        cwd=folder,
        text=True,
        check=False,
        env=without_checkout(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    return wheel_of(root / "evaluation", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, root, tmp_path_factory):
    """installed(*arguments) runs the command of an environment that holds the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            python,
            "install",
            "--quiet",
            "--no-index",
            "--no-deps",
            wheel_of(root / "tools" / "base", folder),
            wheel,
        ],
        text=True,
        check=False,
        env=without_checkout(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout
    # The libraries that it needs come from here: a folder in a .pth file goes last, and the .pth
    # files in it, such as that of an editable installation, do not count.
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def run(*arguments, cwd):
        command = [folder / "venv" / "bin" / "codekem-evaluation", *map(str, arguments)]
        return subprocess.run(
            command,
            cwd=cwd,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=without_checkout(),
        )

    run.site = site
    return run


def test_wheel_holds_all_data_files(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    expected = {
        str(path.relative_to(paths.PACKAGE.parent))
        for folder in DATA
        for path in (paths.PACKAGE / folder).iterdir()
    }
    assert len(expected) > 15
    assert expected <= names
    assert not any(name.split("/")[0] == "published" for name in names)


@pytest.mark.long
def test_report_of_an_installed_package_finds_the_published_figures(
    installed, make_run, stored, tmp_path
):
    path = stored(make_run())
    done = installed("report", path, "--out", tmp_path / "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"trace {path.name} times/KEM" in done.stdout
    page = (tmp_path / "out" / "report.html").read_text()
    assert "galimberti2023" in page and "Official LW" in page
    assert "<svg" in page and "addEventListener" in page  # drawings, style and script, too
    assert "no row yet: there are no results in hardware/results" in page
    shown = installed("trace", path, "published/bike_kem_cycles/2", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert str(installed.site) in shown.stdout.replace(os.sep * 2, os.sep)


def test_version_is_that_of_the_project(installed, root, tmp_path):
    done = installed("--version", cwd=tmp_path)
    header = (root / "include" / "codekem.h").read_text()
    version = re.search(r'^#define CODEKEM_VERSION_STRING "([\d.]+)"', header, re.MULTILINE).group(
        1
    )
    assert (done.returncode, done.stdout) == (0, f"codekem-evaluation {version}\n")
    assert (installed.site / f"codekem_evaluation-{version}.dist-info").is_dir()


def test_a_run_without_a_checkout_says_what_is_missing(installed, tmp_path):
    done = installed("run", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("codekem-evaluation: error: there is no ")
    assert "build it with 'make evaluate'" in done.stderr


def test_peers_without_a_checkout_are_one_line_each(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "PEERS", tmp_path / "none")
    program, missing = peers.build(tmp_path)
    assert program is None
    assert [error.remedy for error in missing] == ["run in a checkout of codekem"] * 2


def test_checkouts_are_told_from_installed_packages(root, tmp_path):
    assert base.checkout_of(root / "tools/base/src/codekem_base") == root
    assert base.checkout_of(tmp_path / "site-packages" / "codekem_base") is None


def test_every_library_that_is_imported_is_a_dependency(root):
    declared = {
        re.split(r"[\s<>=!~]", name)[0]
        for name in tomllib.loads((root / "evaluation" / "pyproject.toml").read_text())["project"][
            "dependencies"
        ]
    }
    imported = set()
    for path in paths.PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(node.module.split(".")[0])
    libraries = imported - set(sys.stdlib_module_names) - {"codekem_evaluation"}
    assert len(libraries) > 5
    missing = {name for name in libraries if DISTRIBUTIONS.get(name, name) not in declared}
    assert missing == set()
