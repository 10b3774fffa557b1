# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Projects of their own: from an archive of its folder alone, each installs and tests itself by the
commands of its README."""

import os
import re
import shlex
import subprocess
import sys
import sysconfig

import pytest

from tools import house
from tools.packaging import package_stage

# The folder of each, and the packages of the repository that it depends on.
PROJECTS = {
    "hls": (),
    "lab": ("tools/base",),
    "proofs/kernels/engine": (),
}
PIP = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def run(words, folder, **environment):
    """Runs a command in an environment of its own; it must succeed. Returns what it printed."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    clean |= {"PATH": f"{folder / '.venv' / 'bin'}:{clean['PATH']}", **environment}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=clean,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{shlex.join(map(str, words))}:\n{done.stdout[-8000:]}"
    return done.stdout


def environment(folder):
    """Makes an environment that has the packages of this one, and not the project's own: they are
    installed in place, by files of paths, which are not read in a folder that is one itself."""
    run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], folder)
    (packages,) = folder.glob(".venv/lib/python3*/site-packages")
    (packages / "installed.pth").write_text(sysconfig.get_path("purelib") + "\n")


def commands(readme):
    """Returns the commands of the block of a README that begins with an installation, as words."""
    text = readme.read_text(encoding="utf-8")
    (block,) = re.findall(r"(?:^ {4}pip install .*\n)(?:^ {4}\S.*\n)+", text, re.M)
    return [shlex.split(line, comments=True) for line in block.splitlines()]


@pytest.mark.long
@pytest.mark.parametrize("project", [one for one in PROJECTS if house.is_there(one)])
def test_a_project_stands_alone(project, tmp_path):
    top = tmp_path / "top"
    package_stage.copy(package_stage.files_of(project), top)
    environment(top)
    for package in PROJECTS[project]:
        folder = tmp_path / package
        package_stage.copy(package_stage.files_of(package), folder, package)
        words = ["python", "-m", "pip", "install", "--ignore-installed", "--no-deps", folder]
        run(words, top, **PIP)
    tried = 0
    for words in commands(top / project / "README.md"):
        start = ["python", "-m"] if words[0] == "pip" else []
        said = run([*start, *words], top, **PIP)
        tried += "pytest" in words and re.search(r"\b\d+ passed", said) is not None
    assert tried == 1
