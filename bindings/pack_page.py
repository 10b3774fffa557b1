#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page to try codekem: one file of HTML, from bindings/js/page and the npm package.

usage: pack_page.py OUTPUT      makes the page in the folder OUTPUT

It needs what pack_js.py needs, and tools of the npm registry in the versions of
bindings/js/package-lock.json, which it installs below build/packages.
"""

import argparse
import os
import pathlib
import sys

from bindings import pack_js
from tools.packaging import notices, package_stage

# Besides the library; the page shows their licences.
HELD = notices.WASM
CONTAINS = [
    ("pkg:npm/%40noble/curves@2.4.0", "MIT"),
    ("pkg:npm/%40noble/hashes@2.4.0", "MIT"),
    ("pkg:npm/%40noble/post-quantum@0.7.1", "MIT"),
]


def build_page(staged, output):
    """Builds the page from a staged copy of bindings/js; returns its path, in output."""
    link = staged / "node_modules"
    if not link.exists():
        link.symlink_to(os.path.relpath(pack_js.tools(), staged))
    path = output.resolve() / f"codekem-try-{package_stage.version()}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    pack_js.run("node", "page/build.mjs", path, cwd=staged)
    return path


def pack(output):
    """Makes the page in output; returns its path."""
    package_stage.require_clean()
    return [build_page(pack_js.stage(package_stage.STAGE / "page"), output)]


def main():
    """Makes the page in the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path)
    package_stage.add_allow_dirty(parser)
    try:
        for path in pack(parser.parse_args().output):
            print(path)
    except OSError as error:
        sys.exit(f"pack_page: {error}")


if __name__ == "__main__":
    main()
