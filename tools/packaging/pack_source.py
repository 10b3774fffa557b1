# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs the sources: all of the repository, for building without git."""

import pathlib

from tools.packaging import archives, package_stage


def pack(output):
    """Makes codekem-VERSION-source.tar.xz in output; returns its path. Always the same bytes."""
    package_stage.require_clean()
    files = {
        name: package_stage.ROOT / name
        for name in package_stage.files_of(".")
        if not (package_stage.ROOT / name).is_symlink()
    }
    top = f"codekem-{package_stage.version()}"
    return [archives.make_tar(pathlib.Path(output) / f"{top}-source.tar.xz", files, top)]
