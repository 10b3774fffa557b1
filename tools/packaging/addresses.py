#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Brings the addresses in the data of packages and in documents to those of addresses.toml.

usage: addresses.py [--check]      --check: changes nothing, and names the places that differ

The exit status is 1 if a place differs, or is not there any more.
"""

import argparse
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = pathlib.Path(__file__).with_suffix(".toml")

# (file, what stands around the address, which address). The module's path of Go is one, too.
PLACES = [
    ("CITATION.cff", r"^repository-code: (\S+)$", "{repository}"),
    ("SECURITY.md", r"<(https://\S+/advisories/\S+)>", "{advisories}"),
    (".github/ISSUE_TEMPLATE/config.yml", r"url: (https://\S+)", "{advisories}"),
    ("apps/debian/control", r"^Homepage: (\S+)$", "{repository}"),
    ("apps/debian/control", r"^Vcs-Git: (\S+)$", "{repository}.git"),
    ("apps/debian/control", r"^Vcs-Browser: (\S+)$", "{repository}"),
    ("apps/debian/control", r"^Maintainer: .* <(\S+)>$", "{contact}"),
    ("apps/debian/copyright", r"^Source: (\S+)$", "{repository}"),
    ("apps/debian/watch", r"^(https://\S+) ", "{repository}/tags"),
    ("bindings/debian/control", r"^Homepage: (\S+)$", "{repository}"),
    ("bindings/debian/control", r"^Vcs-Git: (\S+)$", "{repository}.git"),
    ("bindings/debian/control", r"^Vcs-Browser: (\S+)$", "{repository}"),
    ("bindings/debian/control", r"^Maintainer: .* <(\S+)>$", "{contact}"),
    ("bindings/debian/copyright", r"^Source: (\S+)$", "{repository}"),
    ("bindings/java/pom.xml", r"^  <url>(\S+)</url>$", "{repository}"),
    ("bindings/java/pom.xml", r"<scm>\s+<url>(\S+)</url>", "{repository}"),
    ("bindings/java/pom.xml", r"<connection>scm:git:(\S+)</connection>", "{repository}.git"),
    ("bindings/js/package.json", r'"homepage": "(\S+)"', "{repository}"),
    ("bindings/js/package.json", r'"bugs": "(\S+)"', "{reports}"),
    ("bindings/js/package.json", r'"url": "git\+(\S+)"', "{repository}.git"),
    ("bindings/python/pyproject.toml", r'^Repository = "(\S+)"$', "{repository}"),
    ("bindings/python/pyproject.toml", r'^Changelog = "(\S+)"$', "{releases}"),
    ("bindings/python/pyproject.toml", r'^Issues = "(\S+)"$', "{reports}"),
    ("bindings/python/pyproject.toml", r'^"Report a weakness" = "(\S+)"$', "{advisories}"),
    ("bindings/rust/Cargo.toml", r'^repository = "(\S+)"$', "{repository}"),
]
GO = re.compile(r"[a-z.]+/[\w-]+/[\w-]+(?=/bindings/go)")


def addresses():
    """Returns {name: address} of the table."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def placed(root, known):
    """Returns ({file: its text with the addresses}, [places that are not there])."""
    texts, missing = {}, []
    for name, pattern, wanted in PLACES:
        path = root / name
        if not path.parent.is_dir():
            continue  # the room was deleted
        text = texts.get(path) or (path.read_text(encoding="utf-8") if path.exists() else "")
        found = re.search(pattern, text, re.MULTILINE)
        if found is None:
            missing.append(f"{name}: nothing matches {pattern}")
            continue
        address = wanted.format(**known)
        texts[path] = text[: found.start(1)] + address + text[found.end(1) :]
    module = known["repository"].removeprefix("https://")
    for path in (root / "bindings" / "go").rglob("*"):
        if path.suffix in {".go", ".mod", ".md"}:
            texts[path] = GO.sub(module, path.read_text(encoding="utf-8"))
    return texts, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args().check
    texts, wrong = placed(ROOT, addresses())
    for path, text in texts.items():
        if path.read_text(encoding="utf-8") == text:
            continue
        if check:
            wrong.append(f"{path.relative_to(ROOT)}: other addresses than {TABLE.name}")
        else:
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(ROOT))
    for line in wrong:
        print(f"addresses: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
