# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs for Debian: libcodekem0, libcodekem-dev, codekem and codekem-provider, by debhelper.

The packages are for the release and the processor of this machine. apps/debian has the rules;
the changelog is made here.
"""

import email.utils
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from tools.packaging import notices, package_stage

PACKAGES = ("libcodekem0", "libcodekem-dev", "codekem", "codekem-provider")
TOOLS = {"dpkg-buildpackage": "dpkg-dev", "dh": "debhelper", "cmake": "cmake"}
REVISION = 1
HELD = notices.COMMAND


def changelog():
    """Returns Debian's changelog, with the maintainer of the control file."""
    control = (package_stage.ROOT / "apps/debian/control").read_text(encoding="utf-8")
    (maintainer,) = re.findall(r"^Maintainer: (.*)$", control, re.MULTILINE)
    date = email.utils.formatdate(package_stage.source_date_epoch())
    version = f"{package_stage.version()}-{REVISION}"
    return (
        f"codekem ({version}) unstable; urgency=medium\n\n"
        "  * The version of the library; CHANGELOG.md has what it brings.\n\n"
        f" -- {maintainer}  {date}\n"
    )


def stage(folder):
    """Makes the source package's tree in folder and returns its path."""
    tree = folder / f"codekem-{package_stage.version()}"
    package_stage.copy(package_stage.files_of("."), tree)
    shutil.copytree(tree / "apps/debian", tree / "debian")
    (tree / "debian" / "changelog").write_text(changelog(), encoding="utf-8")
    (tree / notices.NAME).write_text(notices.text_of("The command codekem", HELD), encoding="utf-8")
    return tree


def pack(output):
    """Makes the four packages in output; returns their paths. Always the same bytes here.

    Raises OSError if a tool or a package to build with is missing, or the build fails.
    """
    package_stage.require_clean()
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if missing:
        raise OSError(f"install {' '.join(missing)} (on Debian or a relative of it)")
    options = f"noautodbgsym parallel={os.cpu_count() or 1}"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["dpkg-buildpackage", "--build=binary", "--no-sign"],
            cwd=stage(pathlib.Path(folder)),
            env=os.environ
            | {
                "DEB_BUILD_OPTIONS": options,
                "SOURCE_DATE_EPOCH": str(package_stage.source_date_epoch()),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise OSError(f"dpkg-buildpackage failed:\n{done.stdout[-4000:]}")
        made = sorted(pathlib.Path(folder).glob("*.deb"))
        output = pathlib.Path(output)
        output.mkdir(parents=True, exist_ok=True)
        return [pathlib.Path(shutil.copy(path, output)) for path in made]
