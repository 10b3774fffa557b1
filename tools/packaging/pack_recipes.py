# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs the recipes for other package managers, for the archive of the sources of this commit."""

import pathlib
import tempfile

from tools.packaging import archives, package_stage, recipes


def pack(output):
    """Makes codekem-VERSION-recipes.tar.xz in output; returns its path. Always the same bytes."""
    package_stage.require_clean()
    top = f"codekem-{package_stage.version()}-recipes"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / top
        recipes.write_for_release(folder)
        files = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        return [archives.make_tar(pathlib.Path(output) / f"{top}.tar.xz", files, top)]
