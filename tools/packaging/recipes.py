#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the recipes for Conan, vcpkg, nix, conda and Homebrew, with addresses and digests.

usage: recipes.py FOLDER [--source ARCHIVE]

--source: the archive of the sources, of which the recipes then take digest and file:// address;
without it they name the one of the release, which is made here, from the commit, to know its
digest. FOLDER must not exist, or be empty.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import sys
import tempfile

from tools.packaging import addresses, pack_source, package_stage

TEMPLATES = package_stage.ROOT / "tools" / "packaging" / "recipes"
# Where the consumer of all goes, and its CMake file, too.
CONSUMERS = {"conan/test_package": True, "vcpkg/consumer": True, "conda": False}


def values(archive, url):
    """Returns {placeholder: what takes its place} for an archive of the sources and its address."""
    content = pathlib.Path(archive).read_bytes()
    digest = hashlib.sha256(content)
    return {
        "VERSION": package_stage.version(),
        "REPOSITORY": addresses.addresses()["repository"],
        "URL": url,
        "SHA256": digest.hexdigest(),
        "SHA512": hashlib.sha512(content).hexdigest(),
        "SRI": f"sha256-{base64.b64encode(digest.digest()).decode()}",
    }


def released(name):
    """Returns the address of an archive of the release of this version."""
    return f"{addresses.addresses()['releases']}/download/v{package_stage.version()}/{name}"


def texts(known):
    """Returns {name: text} of all recipes. Raises ValueError for an unknown placeholder."""
    found = {}
    for path in sorted(TEMPLATES.rglob("*")):
        if path.is_file() and path.parent != TEMPLATES:
            text = path.read_text(encoding="utf-8")
            for name in set(re.findall(r"@(\w+)@", text)):
                if name not in known:
                    raise ValueError(f"{path}: there is no @{name}@")
                text = text.replace(f"@{name}@", known[name])
            # What a linter of ours would take for its own ends in .in here.
            found[path.relative_to(TEMPLATES).as_posix().removesuffix(".in")] = text
    for folder, with_cmake in CONSUMERS.items():
        for name in ["consumer.c", *(["CMakeLists.txt"] if with_cmake else [])]:
            found[f"{folder}/{name}"] = (TEMPLATES / name).read_text(encoding="utf-8")
    return found


def write(folder, archive, url):
    """Writes all recipes into a new folder, for an archive of the sources at an address."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise OSError(f"{folder} is not empty")
    for name, text in texts(values(archive, url)).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def write_for_release(folder):
    """Writes all recipes for the archive of the release."""
    with tempfile.TemporaryDirectory() as temporary:
        (archive,) = pack_source.pack(temporary)
        write(folder, archive, released(archive.name))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--source", type=pathlib.Path)
    package_stage.add_allow_dirty(parser)
    given = parser.parse_args()
    try:
        if given.source is None:
            write_for_release(given.folder)
        else:
            source = given.source.resolve(strict=True)
            write(given.folder, source, source.as_uri())
    except (OSError, ValueError) as error:
        print(f"recipes: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
