# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs the copies for other projects to carry: each scheme as one C file and its header."""

import pathlib
import tempfile

from tools.packaging import archives, package_stage, vendor


def pack(output):
    """Makes codekem-VERSION-one-file.zip in output; returns its path. Always the same bytes."""
    package_stage.require_clean()
    top = f"codekem-{package_stage.version()}-one-file"
    with tempfile.TemporaryDirectory() as folder:
        for scheme in vendor.SCHEMES:
            vendor.write(vendor.Options(scheme, scheme), "file", folder)
        files = archives.files_below(pathlib.Path(folder)) | {
            name: package_stage.ROOT / name for name in package_stage.LICENSES
        }
        return [archives.make_zip(pathlib.Path(output) / f"{top}.zip", files, top)]
