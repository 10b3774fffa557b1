#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the sources of one scheme as one C file and its header, for other projects to carry.

usage: vendor.py SCHEME [--prefix NAME] [--form file|folder] [--no-environment] [--no-batches]
                 [--output FOLDER]

SCHEME: hqc, bike or mceliece. --form file: FOLDER/NAME.c and NAME.h; folder: the files as they are,
flat, and NAME.h. NAME takes the place of codekem and ckem in all names, so that a program can hold
this copy and the library. --no-environment: no variable chooses the back end; --no-batches: batches
run one after the other, without code of their own.

Everything comes from the tracked files of src/: whatever is below the folders of a scheme goes in,
but for the back ends that cannot go (LEFT_OUT). `make vendor` calls this.
"""

import argparse
import dataclasses
import pathlib
import re
import sys

from tools import anchors, source_folders
from tools.packaging import joined, package_stage
from tools.packaging.joined import INCLUDE, LICENCE, without_licence

ROOT = package_stage.ROOT
OUTPUT = ROOT / "build" / "vendor"
RINGS = ["src/kem/gf2x", "src/kem/sparse"]


@dataclasses.dataclass(frozen=True)
class Scheme:
    """What a copy holds: folders besides src/common and the files of src/kem itself, tables that
    take the place of others, definitions, public headers, and what users have to know."""

    title: str
    folders: list[str]
    headers: list[str]
    tables: dict[str, str] = dataclasses.field(default_factory=dict)
    definitions: list[str] = dataclasses.field(default_factory=list)
    warning: str = ""


SCHEMES = {
    "hqc": Scheme(
        "HQC",
        [*RINGS, "src/kem/hqc"],
        ["codekem.h"],
        warning="HQC is chosen by NIST, but not final: keys may have to be made anew.",
    ),
    "bike": Scheme(
        "BIKE",
        [*RINGS, "src/kem/bike"],
        ["codekem.h"],
        warning="A BIKE key is for one exchange, and BIKE will not become a standard.",
    ),
    "mceliece": Scheme(
        "Classic McEliece",
        ["src/mceliece"],
        ["codekem.h", "codekem_mceliece.h"],
        tables={"kems.def": "src/mceliece/kems.def"},
        definitions=["CODEKEM_NO_RINGS"],
        warning="The categories of Classic McEliece are disputed since August 2026: use it for "
        "interoperability, hybrids, research and measurement only.",
    ),
}
# The ends of the names of files that no copy has: the Cortex-M4's need assembly, and the reference
# is not constant time.
LEFT_OUT = re.compile(r"_(m4|reference)\.[chS]$")
FLAG = "-fno-strict-aliasing"  # for a folder, and for clang
# What compilers say of good code: in one file all see each other's names; not every processor needs
# all short functions of what were headers; at -O1 gcc does not see that a loop runs at least once.
# And memory changes its type, which clang is told by its options alone.
QUIET = """
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wshadow"
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC optimize("no-strict-aliasing")
#endif
"""
QUIET_END = """
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
"""


@dataclasses.dataclass(frozen=True)
class Options:
    """What a caller chooses; see the head of this file."""

    scheme: str
    prefix: str
    environment: bool = True
    batches: bool = True
    # For a project that is known: files in the place of headers, by how these are included; sources
    # besides; the ends of the names of files for processors that it does not take us for; a header
    # of its own, which comes first.
    replaced: dict[str, str] = dataclasses.field(default_factory=dict)
    added: tuple[str, ...] = ()
    processors_left_out: tuple[str, ...] = ()
    configuration: str = ""

    @property
    def definitions(self):
        """The macros that the copy is compiled with."""
        return [
            "CODEKEM_NO_REFERENCE",
            *SCHEMES[self.scheme].definitions,
            *([] if self.environment else ["CODEKEM_NO_ENVIRONMENT"]),
            *([] if self.batches else ["CODEKEM_NO_BATCHES"]),
        ]


def sources(options):
    """Returns the .c files of a copy, relative to ROOT."""
    folders = ["src/common", *SCHEMES[options.scheme].folders]
    names = [name for name in package_stage.files_of(*folders) if name.endswith(".c")]
    names += [
        name for name in package_stage.files_of("src/kem") if re.fullmatch(r"src/kem/\w+\.c", name)
    ]
    if not options.batches:
        names = [name for name in names if not re.search(r"/(bike|hqc|symmetric)_batch\.c$", name)]
    if "keccak/keccak.h" in options.replaced:
        names = [name for name in names if not name.startswith("src/common/keccak/")]
    ends = tuple(f"_{processor}.c" for processor in options.processors_left_out)
    names = [name for name in names if not LEFT_OUT.search(name) and not name.endswith(ends)]
    return sorted([*names, *options.added])


class Sources:
    """The files of a copy, by how they are included."""

    def __init__(self, options):
        self.options = options
        self.scheme = SCHEMES[options.scheme]
        self.named = {
            source_folders.included_as(name): name
            for name in package_stage.files_of("src")
            if name.endswith((".h", ".def"))
        }
        self.named |= self.scheme.tables | options.replaced

    def text(self, included):
        """Returns what an #include "..." stands for; of a table of KEMs, the rows of the scheme."""
        if included not in self.named:
            raise ValueError(f"{included} is included, but no file of src/ is called so")
        text = (ROOT / self.named[included]).read_text(encoding="utf-8")
        if included == "kems.def":
            rows = re.compile(rf"^KEM\((?!ckem_{self.options.scheme})[^\n]*\n", re.MULTILINE)
            text = rows.sub("", text)
        return text


def prefixed(text, prefix):
    """Returns a text with the names of a copy."""
    text = re.sub(r"\bcodekem_", f"{prefix}_", text)
    text = re.sub(r"\bckem_", f"{prefix}_internal_", text)
    return re.sub(r"\bCODEKEM_", f"{prefix.upper()}_", text)


def check_prefix(prefix, text):
    """Raises ValueError if a prefix is no word for names, or makes a name that is there already."""
    if re.fullmatch(r"[a-z][a-z0-9_]*[a-z0-9]", prefix) is None:
        raise ValueError(f"{prefix}: a prefix has small letters, digits and underscores")
    words = {token for token, _, _ in anchors.tokens(text, ".c")}
    ours = {word for word in words if re.match(r"codekem_|ckem_|CODEKEM_", word)}
    clash = sorted({prefixed(word, prefix) for word in ours} & (words - ours))
    if clash:
        raise ValueError(
            f"{prefix}: the sources have names such as {clash[0]}; take another prefix"
        )


def public_header(options):
    """Returns the text of NAME.h, before it gets the names of the copy."""
    scheme = SCHEMES[options.scheme]
    texts = [(ROOT / "include" / name).read_text(encoding="utf-8") for name in scheme.headers]
    text = texts[0] + "".join(without_licence(INCLUDE.sub("", text)) for text in texts[1:])
    head = f"{LICENCE}/* {title(options)}\n * {wrapped(scheme.warning)} */\n"
    return head + without_licence(text)


def title(options):
    """Returns the first line of a copy's files."""
    name = SCHEMES[options.scheme].title
    return f"{name} of codekem {package_stage.version()}, by its `make vendor`; do not edit."


def wrapped(text):
    """Returns a text in lines of a comment."""
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 90:
            lines.append(line)
            line = ""
        line = f"{line} {word}".lstrip()
    return "\n * ".join([*lines, line])


def one_file(options):
    """Returns {name: text} of a copy in one file."""
    parts = joined.Joined(Sources(options), sources(options))
    joined.drop_unused(parts, options.added)
    joined.make_unique(parts)
    head = [
        LICENCE,
        f"/*\n * {title(options)}\n *\n"
        " * Compile it as C11, by clang with -fno-strict-aliasing; on Windows link bcrypt.\n */\n",
        *parts.features.values(),
        f'#include "{options.configuration}"\n' if options.configuration else "",
        "".join(f"#define {name} 1\n" for name in options.definitions),
        f'#include "{options.prefix}.h"\n',
        QUIET,
    ]
    rule = "-" * 90
    for name, text in parts.headers.items():
        head.append(f"\n/* {rule[: 90 - len(name)]} {name} */\n{text}")
    for name, text in parts.bodies.items():
        is_added = name in options.added
        shown = pathlib.PurePath(name).name if is_added else source_folders.included_as(name)
        head.append(
            f"\n/* {rule[: 90 - len(shown)]} {shown} */\n{joined.ended(without_licence(text))}"
        )
    head.append(QUIET_END)
    text = re.sub(r"\n{3,}", "\n\n", "".join(head))
    check_prefix(options.prefix, text + public_header(options))
    return {
        f"{options.prefix}.h": prefixed(public_header(options), options.prefix),
        f"{options.prefix}.c": prefixed(text, options.prefix),
    }


def flat_name(name):
    """Returns the name of a file of src/ in a flat folder."""
    return pathlib.PurePath(name).name


def folder(options):
    """Returns {name: text} of a copy as flat files."""
    public = f"{options.prefix}.h"
    given = Sources(options)
    texts: dict[str, str] = {}
    of: dict[str, str] = {}
    waiting = [(name, (ROOT / name).read_text(encoding="utf-8")) for name in sources(options)]
    settings = "".join(f"#define {name} 1\n" for name in options.definitions)
    while waiting:
        name, text = waiting.pop()
        if of.setdefault(flat_name(name), name) != name:
            raise ValueError(f"{name} and {of[flat_name(name)]} have one name in a flat folder")
        if flat_name(name) in texts:
            continue

        def of_include(found):
            included = found[1]
            if included in given.scheme.headers:
                return found[0].replace(included, public)
            waiting.append((given.named[included], given.text(included)))
            return found[0].replace(included, flat_name(given.named[included]))

        texts[flat_name(name)] = INCLUDE.sub(of_include, text)
    check_prefix(options.prefix, "".join(texts.values()) + public_header(options))
    texts = {
        name: text.replace(LICENCE, LICENCE + settings, 1) if name.endswith(".c") else text
        for name, text in texts.items()
    }
    if public in texts:
        raise ValueError(f"{options.prefix}: the sources have a {public}; take another prefix")
    return {public: prefixed(public_header(options), options.prefix)} | {
        name: prefixed(text, options.prefix) for name, text in sorted(texts.items())
    }


FORMS = {"file": one_file, "folder": folder}


def write(options, form, output):
    """Writes a copy below a folder; returns its files."""
    texts = FORMS[form](options)
    output = pathlib.Path(output)
    output.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (output / name).write_text(text, encoding="utf-8")
    return [output / name for name in texts]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("scheme", choices=SCHEMES)
    parser.add_argument("--prefix", help="what the names begin with (default: the scheme)")
    parser.add_argument("--form", choices=FORMS, default="file")
    parser.add_argument("--no-environment", action="store_true")
    parser.add_argument("--no-batches", action="store_true")
    parser.add_argument("--output", type=pathlib.Path, default=OUTPUT)
    given = parser.parse_args()
    options = Options(
        given.scheme, given.prefix or given.scheme, not given.no_environment, not given.no_batches
    )
    try:
        paths = write(options, given.form, given.output)
    except (OSError, ValueError) as error:
        print(f"vendor: {error}", file=sys.stderr)
        return 1
    for path in paths:
        print(f"{path.stat().st_size:8} {path}")
    print(SCHEMES[given.scheme].warning)
    return 0


if __name__ == "__main__":
    sys.exit(main())
