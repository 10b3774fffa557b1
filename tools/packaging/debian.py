# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What packers for Debian share: the changelog, and the call of dpkg-buildpackage."""

import email.utils
import os
import pathlib
import re
import shutil
import subprocess

from tools.packaging import package_stage

REVISION = 1
TOOLS = {"dpkg-buildpackage": "dpkg-dev", "dh": "debhelper"}


def changelog(source, control):
    """Returns the changelog of a source package, with the maintainer of its control file's text."""
    (maintainer,) = re.findall(r"^Maintainer: (.*)$", control, re.MULTILINE)
    date = email.utils.formatdate(package_stage.source_date_epoch())
    return (
        f"{source} ({package_stage.version()}-{REVISION}) unstable; urgency=medium\n\n"
        "  * The version of the library; CHANGELOG.md has what it brings.\n\n"
        f" -- {maintainer}  {date}\n"
    )


def require(tools):
    """Raises OSError, with what to install, if one of tools {program: package} is missing."""
    missing = [package for tool, package in tools.items() if shutil.which(tool) is None]
    if missing:
        raise OSError(f"install {' '.join(missing)} (on Debian or a relative of it)")


def build(tree, output, *options):
    """Makes the binary packages of a source tree; returns their paths in output.

    options: of dpkg-buildpackage. Raises OSError, with the end of what was said, if it fails.
    """
    done = subprocess.run(
        ["dpkg-buildpackage", "--build=binary", "--no-sign", *options],
        cwd=tree,
        env=os.environ
        | {
            "DEB_BUILD_OPTIONS": f"noautodbgsym parallel={os.cpu_count() or 1}",
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
    output = pathlib.Path(output)
    output.mkdir(parents=True, exist_ok=True)
    made = sorted(tree.parent.glob("*.deb"))
    return [pathlib.Path(shutil.copy(path, output)) for path in made]
