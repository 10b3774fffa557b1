#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the static site from the documents: `make site`, into build/site/html.

The pages are the documents themselves: README.md and all that can be reached from it by links,
below the same names, so that every link is right on the site as it is in the repository. A file
that is no Markdown and no picture, as a header, becomes a page that shows it. Beside them are the
report of the evaluation and the page to try codekem, if they have been made:

usage: build_site.py [--report REPORT.html] [--try PAGE.html] [--output FOLDER]

Without --report it takes build/evaluation/report.html, where `make evaluate` writes it, and without
--try the page in build/packages, where `make try-page` and `make packages` write it. The end of the
output says which of them are in the site. A link that leads nowhere, on any page, is an error, and
so is whatever a page would load from a network. MkDocs and its theme are in requirements.txt.
"""

import argparse
import datetime
import logging
import os
import pathlib
import re
import shutil
import sys
import warnings

import mkdocs.commands.build
import mkdocs.config
import mkdocs.exceptions
import pymdownx.slugs

from tools.site import check_pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "tools/site"
REPORT = ROOT / "build" / "evaluation" / "report.html"
PACKAGES = ROOT / "build" / "packages"
PICTURES = {".svg", ".png"}
LANGUAGES = {".h": "c", ".c": "c", ".py": "python", ".json": "json", ".sh": "sh"}
WHOLE = "---\nhide: [navigation]\n---\n\n"  # before a page that has no others beside it
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")

REPORT_PAGE = """# The report of the evaluation

`make evaluate` measures every KEM, implementation and back end on one machine, and compares them
with other libraries and with published figures. This is what it wrote on {day}, in one file: plots
to hover over, tables, and where each number comes from.

<a class="md-button md-button--primary" href="report-of-the-evaluation.html">Open the report</a>

[docs/evaluation.md](docs/evaluation.md) says how it measures, and
[docs/performance.md](docs/performance.md) has the figures that the project stands by.
"""
NO_REPORT_PAGE = """# The report of the evaluation

This copy of the site was built without a report. `make evaluate` measures every KEM on your machine
in five minutes and writes one; `make site` then takes it in.

[docs/evaluation.md](docs/evaluation.md) says how it measures, and
[docs/performance.md](docs/performance.md) has the figures that the project stands by.
"""
TRY_PAGE = """# Try it in this browser

Exchange a secret with HQC and BIKE, change a bit on the way and see what happens, and measure all
KEMs beside ML-KEM. It is the library itself, as WebAssembly, on this device: the page is one file
and talks to no server.

<a class="md-button md-button--primary" href="try-codekem.html">Open the page</a>

In a program the same takes three lines: [JavaScript](bindings/js/README.md).
"""
NO_TRY_PAGE = """# Try it in this browser

This copy of the site was built without the page to try codekem. `make try-page` makes it, and
`make site` then takes it in. The page is the library itself as WebAssembly: a visitor exchanges a
secret and measures all KEMs, without a server.

In a program the same takes three lines: [JavaScript](bindings/js/README.md).
"""


class Wrong(Exception):
    """The site cannot be built; the message says what to do."""


def links(text):
    """Returns the links of a document to files: (as written, path without anchor)."""
    found = [link for link in LINK.findall(text) if not re.match(r"[a-z]+:|#", link)]
    return [(link, link.partition("#")[0]) for link in found]


def gather(root, pages):
    """Copies README.md and all that its links reach into the folder pages; returns the count."""
    waiting, seen = [root / "README.md"], set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        name = path.relative_to(root)
        text = path.read_text(encoding="utf-8")
        for link, target in links(text):
            place = (path.parent / target).resolve()
            if not place.is_file() or not place.is_relative_to(root):
                raise Wrong(f"{name}: the link {link} does not lead to a file of this project")
            if place.suffix == ".md":
                waiting.append(place)
            elif place.suffix in PICTURES:
                copy = pages / place.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(place, copy)
            else:
                write(pages / f"{place.relative_to(root)}.md", shown(place))
                text = text.replace(f"]({link})", f"]({link.replace(target, target + '.md')})")
        write(pages / name, WHOLE + text if path == root / "README.md" else text)
    return len(seen)


def shown(path):
    """Returns a page that shows a file of text."""
    language = LANGUAGES.get(path.suffix, "text")
    return f"# {path.name}\n\n```{language}\n{path.read_text(encoding='utf-8').rstrip()}\n```\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def report_of(named):
    """Returns the report to take in, or None; raises Wrong if the named one is not there."""
    if named is not None and not named.is_file():
        raise Wrong(f"{named}: no such report; `make evaluate` writes {REPORT.relative_to(ROOT)}")
    return named or (REPORT if REPORT.is_file() else None)


def try_page_of(named):
    """Returns the page to try codekem, of this version, or None; raises Wrong if it is missing."""
    if named is not None:
        if not named.is_file():
            raise Wrong(f"{named}: no such page; `make try-page` makes it in build/packages")
        return named
    header = (ROOT / "include" / "codekem.h").read_text(encoding="utf-8")
    version = re.search(r'CODEKEM_VERSION_STRING "(.*)"', header)
    path = PACKAGES / f"codekem-try-{version[1] if version else '?'}.html"
    return path if path.is_file() else None


def add_made(pages, report, try_page):
    """Adds what was made beforehand, and for each a page that leads to it or says how to get it."""
    if report:
        shutil.copyfile(report, pages / "report-of-the-evaluation.html")
        made = datetime.datetime.fromtimestamp(report.stat().st_mtime, datetime.UTC)
        write(pages / "report.md", REPORT_PAGE.format(day=f"{made:%Y-%m-%d}"))
    else:
        write(pages / "report.md", NO_REPORT_PAGE)
    if try_page:
        shutil.copyfile(try_page, pages / "try-codekem.html")
    write(pages / "try.md", WHOLE + (TRY_PAGE if try_page else NO_TRY_PAGE))


def build(output, report=None, try_page=None, root=ROOT):
    """Builds the site below the folder output; returns the folder with its HTML.

    Raises Wrong if a link leads nowhere or a page would load something from a network.
    """
    pages, html = output / "pages", output / "html"
    for folder in (pages, html):
        shutil.rmtree(folder, ignore_errors=True)
    gather(root, pages)
    add_made(pages, report, try_page)
    shutil.copytree(SITE / "assets", pages / "assets")
    config = mkdocs.config.load_config(
        str(SITE / "mkdocs.yml"), docs_dir=str(pages), site_dir=str(html), strict=True
    )
    config.mdx_configs["toc"]["slugify"] = pymdownx.slugs.slugify(case="lower")
    try:
        mkdocs.commands.build.build(config)
    except mkdocs.exceptions.MkDocsException as error:
        raise Wrong(str(error)) from error
    faults = check_pages.faults(html)
    if faults:
        raise Wrong("\n".join(faults))
    return html


def main():
    """Builds the site as the command line says; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--report", type=pathlib.Path, metavar="REPORT.html")
    parser.add_argument("--try", type=pathlib.Path, metavar="PAGE.html", dest="try_page")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "site")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    try:
        report, try_page = report_of(arguments.report), try_page_of(arguments.try_page)
        html = build(arguments.output.resolve(), report, try_page)
    except Wrong as error:
        print(f"site: {error}", file=sys.stderr)
        return 1
    print(f"report: {report or 'not in the site; `make evaluate` makes one'}")
    print(f"page to try codekem: {try_page or 'not in the site; `make try-page` makes it'}")
    print(f"site: {os.path.relpath(html / 'index.html')}")
    return 0


if __name__ == "__main__":
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    sys.exit(main())
