# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs for Debian: libcodekem0, libcodekem-dev, codekem and codekem-provider, by debhelper.

The packages are for the release and the processor of this machine. apps/debian has the rules;
the changelog is made here.
"""

import pathlib
import shutil
import tempfile

from tools.packaging import debian, notices, package_stage

PACKAGES = ("libcodekem0", "libcodekem-dev", "codekem", "codekem-provider")
TOOLS = {**debian.TOOLS, "cmake": "cmake"}
HELD = notices.COMMAND


def stage(folder):
    """Makes the source package's tree in folder and returns its path."""
    tree = folder / f"codekem-{package_stage.version()}"
    package_stage.copy(package_stage.files_of("."), tree)
    shutil.copytree(tree / "apps/debian", tree / "debian")
    control = (tree / "debian" / "control").read_text(encoding="utf-8")
    changelog = debian.changelog("codekem", control)
    (tree / "debian" / "changelog").write_text(changelog, encoding="utf-8")
    (tree / notices.NAME).write_text(notices.text_of("The command codekem", HELD), encoding="utf-8")
    return tree


def pack(output):
    """Makes the four packages in output; returns their paths. Always the same bytes here.

    Raises OSError if a tool or a package to build with is missing, or the build fails.
    """
    package_stage.require_clean()
    debian.require(TOOLS)
    with tempfile.TemporaryDirectory() as folder:
        return debian.build(stage(pathlib.Path(folder)), output)
