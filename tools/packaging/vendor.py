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
import collections
import dataclasses
import pathlib
import re
import sys

from tools import anchors, source_folders
from tools.packaging import package_stage

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
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"[^\n]*\n', re.MULTILINE)
# Definitions that system headers look at, with the condition around them.
FEATURE = re.compile(
    r"^(?P<condition>#if [^\n]*)\n(?P<define>#define (?P<name>_[A-Z]\w*)[^\n]*)\n#endif\n"
    r"|^(?P<alone>#define (?P<other>_[A-Z]\w*)[^\n]*)\n",
    re.MULTILINE,
)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n", re.MULTILINE)
FLAG = "-fno-strict-aliasing"  # for a folder, and for clang
TAG = re.compile(r"^(?:struct|union|enum) (\w+) \{", re.MULTILINE)
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
COMMENT_ABOVE = re.compile(r"(?:/\*(?:(?!\*/).)*\*/\s*?\n)?\Z", re.DOTALL)
LICENCE = "/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n"


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
        names = [name for name in names if not re.search(r"/(bike|hqc)_batch\.c$", name)]
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


def is_expanded(included):
    """Whether a file stands wherever it is included: templates, tables, and macros that mean what
    whoever includes them has defined."""
    return included.endswith((".template.h", ".def", "_plain.h"))


def without_guard(text):
    """Returns a header without what keeps it from being included twice."""
    found = GUARD.search(text)
    return text if found is None else text.replace(found[0], "").rstrip().removesuffix("#endif")


def sees_windows(name):
    """Whether a file includes the header of Windows, whose macros are to come behind the others."""
    return "#include <windows.h>" in (ROOT / name).read_text(encoding="utf-8")


class Joined:
    """The parts of one C file: headers in order, each once, then the sources."""

    def __init__(self, options):
        self.sources = Sources(options)
        self.features: dict[str, str] = {}
        self.headers: dict[str, str] = {}  # how it is included: its text
        self.sees: dict[str, set[str]] = {}  # the headers that a part includes, and theirs
        self.bodies: dict[str, str] = {}
        for name in sorted(sources(options), key=sees_windows):
            self.bodies[name] = self.expanded(name, (ROOT / name).read_text(encoding="utf-8"))

    def expanded(self, part, text):
        """Returns a text with templates in it, and without includes: these become headers."""
        seen = self.sees.setdefault(part, set())
        for found in FEATURE.finditer(text):
            name = found["name"] or found["other"]
            condition = found["condition"] or f"#if !defined({name})"
            define = found["define"] or found["alone"]
            self.features.setdefault(name, f"{condition}\n{define}\n#endif\n")
        text = FEATURE.sub("", text)

        def of_include(found):
            included = found[1]
            if included in self.sources.scheme.headers:
                return ""
            if is_expanded(included) or is_conditional(text, found.start(), part):
                inner = without_guard(without_licence(self.sources.text(included)))
                return self.expanded(part, inner)
            if included not in self.headers:
                body = self.expanded(included, without_licence(self.sources.text(included)))
                self.headers[included] = body
            seen.update({included}, self.sees[included])
            return ""

        return INCLUDE.sub(of_include, text)


def is_conditional(text, at, part):
    """Whether what a header includes at a place depends on more than the header's guard."""
    if not part.endswith(".h"):
        return False
    before = text[:at]
    opened = len(re.findall(r"^[ \t]*#[ \t]*if", before, re.MULTILINE))
    return opened - len(re.findall(r"^[ \t]*#[ \t]*endif", before, re.MULTILINE)) > 1


def without_licence(text):
    return text.removeprefix(LICENCE)


def defined_names(text):
    """Returns ({functions, objects, types and constants}, {macros}) of a text. The name of a
    structure is "struct NAME", because others may be called NAME, too."""
    own = set(re.findall(r"^#define (\w+) \1$", text, re.MULTILINE))  # says that it is there
    macros = set(DEFINE.findall(text)) - set(GUARD.findall(text)) - own
    tags = set(TAG.findall(text))
    names = set(anchors.places(text, ".c"))
    # What a macro joins with something is unique by that.
    names -= {word for found in re.findall(r"\b([A-Z]\w*)\((\w+)\)\(", text) for word in found}
    names = (names | own) - macros - {"static_assert", "TEMPLATE_NAME"}
    names -= tags | set(re.findall(r"^(?:struct|union) (\w+);", text, re.MULTILINE))
    for body in re.findall(
        r"^(?:typedef )?enum(?: \w+)? \{(.*?)\}", text, re.MULTILINE | re.DOTALL
    ):
        names.update(re.findall(r"(?:^|[,{])\s*([A-Za-z_]\w*)\s*(?==|,|$)", body, re.MULTILINE))
    names = {name for name in names if re.fullmatch(r"(?!ckem_|codekem_)[A-Za-z_]\w*", name)}
    names |= set(re.findall(r"^static [\w ]*?(\w+)\(", text, re.MULTILINE)) & tags
    made = {made for _, made in template_names(text)}
    return names | made | {f"struct {tag}" for tag in tags}, macros


def template_names(text):
    """Returns [(name, what TEMPLATE_NAME makes of it)] of a text with templates."""
    suffixes = re.findall(r"^#define TEMPLATE_SUFFIX (\w+)", text, re.MULTILINE)
    names = set(re.findall(r"\bTEMPLATE_NAME\((?!ckem_)(\w+)\)", text))
    return [(name, f"{name}_{suffix}") for name in names for suffix in set(suffixes)]


def renamed(text, names):
    """Returns a text with {word: another}, but not where the word is a member of a structure."""
    parts, done, before = [], 0, ["", ""]
    for token, begin, end in anchors.tokens(text, ".c"):
        kind = "struct " if before[1] in ("struct", "union", "enum") else ""
        if before == ["TEMPLATE_NAME", "("]:
            kind = "template "
        found = names.get(kind + token)
        if found is not None and before[1] != "." and before != ["-", ">"]:
            parts += [text[done:begin], found.removeprefix(kind)]
            done = end
        before = [before[1], token]
    return "".join([*parts, text[done:]])


def make_unique(joined):
    """Gives names that several files define the name of their file, behind them.

    The compiler would see both. Macros of sources end with their file instead, so only those that
    a header has, too, get another name.
    """
    owners: dict[str, set[str]] = {}
    defined = {part: defined_names(text) for part, text in joined.headers.items()}
    of_headers = {header: names | macros for header, (names, macros) in defined.items()}
    named = dict(of_headers)
    for part, text in joined.bodies.items():
        names, macros = defined_names(text)
        seen = set().union(*(of_headers[header] for header in joined.sees[part]))
        unseen = set().union(*(of_headers[h] for h in of_headers.keys() - joined.sees[part]))
        # A macro of the name that an included header has takes its place from there on.
        named[part] = names | (macros & unseen - seen)
    for part, names in named.items():
        for name in names:
            owners.setdefault(name, set()).add(part)
    stems = {part: pathlib.PurePath(part).name.split(".")[0] for part in named}
    texts = joined.headers | joined.bodies
    own = {}
    for part, names in named.items():
        shared = {name for name in names if len(owners[name]) > 1}
        own[part] = {name: f"{name}_of_{stems[part]}" for name in shared}
        for name, made in template_names(texts[part]):
            if made in shared:
                ending = made.removeprefix(name)
                own[part][f"template {name}"] = f"template {name}_of_{stems[part]}"
                own[part][made] = f"{name}_of_{stems[part]}{ending}"
    for part, text in texts.items():
        table = {}
        for header in joined.sees[part]:
            table |= own[header]
        of_kind = joined.headers if part in joined.headers else joined.bodies
        of_kind[part] = renamed(text, table | own[part])


def drop_unused(joined, added):
    """Drops functions that nothing names: a program has one scheme, a library all. Then also what
    only they have named in their file.

    What nothing in its file names from the start stays: a macro makes its name from parts. So do
    the functions of sources that were added, which are for others.
    """
    made = {
        part: {name for name, spans in static_items(text).items() if is_unnamed(text, name, spans)}
        for part, text in joined.bodies.items()
    }
    while True:
        everywhere = collections.Counter(
            word for text in joined.bodies.values() for word in words_of(text)
        )
        everywhere.update(word for text in joined.headers.values() for word in inline_words(text))
        before = dict(joined.bodies)
        for part, text in before.items():
            cuts = [
                spans
                for name, spans in library_functions(text).items()
                if part not in added and everywhere[name] == times_inside(text, name, spans)
            ]
            cuts += [
                spans
                for name, spans in static_items(text).items()
                if name not in made[part] and is_unnamed(text, name, spans)
            ]
            joined.bodies[part] = without(text, cuts)
        if joined.bodies == before:
            return


def words_of(text):
    return [token for token, _, _ in anchors.tokens(text, ".c")]


def inline_words(text):
    """Yields the words of a header that are no declarations: those of functions and macros in it."""
    for name, spans in anchors.places(text, ".c").items():
        for begin, end in spans:
            item = text[begin:end]
            if item.startswith("#") or item.endswith("}"):
                yield from (word for word in words_of(item) if word != name)


def static_items(text):
    """Returns {name: spans} of what a text defines for itself alone."""
    found = anchors.places(text, ".c").items()
    return {
        name: spans
        for name, spans in found
        if all(re.match(r"(ISA_IN_ORDER )?static\b", text[begin:end]) for begin, end in spans)
    }


def library_functions(text):
    """Returns {name: spans} of the library's own functions in a text."""
    found = anchors.places(text, ".c").items()
    return {
        name: spans
        for name, spans in found
        if all(re.match(rf"[a-z][^;{{]*\b{name}\(", text[begin:end]) for begin, end in spans)
        and name.startswith("ckem_")
    }


def times_inside(text, name, spans):
    return sum(words_of(text[begin:end]).count(name) for begin, end in spans)


def is_unnamed(text, name, spans):
    """Whether a text names something only where it defines it."""
    return words_of(text).count(name) == times_inside(text, name, spans)


def without(text, cuts):
    """Returns a text without spans of it, and without the comments above them."""
    for begin, end in sorted((span for spans in cuts for span in spans), reverse=True):
        text = COMMENT_ABOVE.sub("", text[:begin]) + text[end:].removeprefix("\n")
    return text


def ended(text):
    """Returns a text that undefines its macros at the end."""
    names = list(dict.fromkeys(DEFINE.findall(text)))
    return text + "".join(f"#undef {name}\n" for name in names)


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
    joined = texts[0] + "".join(without_licence(INCLUDE.sub("", text)) for text in texts[1:])
    head = (
        f"{LICENCE}/* {scheme.title} of codekem {package_stage.version()}, made by its `make vendor`; "
        f"do not edit.\n * {wrapped(scheme.warning)} */\n"
    )
    return head + without_licence(joined)


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
    joined = Joined(options)
    drop_unused(joined, options.added)
    make_unique(joined)
    head = [
        LICENCE,
        f"/*\n * {SCHEMES[options.scheme].title} of codekem {package_stage.version()} in one file, made by "
        "its `make vendor`; do not edit.\n",
        " *\n * Compile it as C11, with clang also with -fno-strict-aliasing; on Windows link bcrypt.\n */\n",
        *joined.features.values(),
        f'#include "{options.configuration}"\n' if options.configuration else "",
        "".join(f"#define {name} 1\n" for name in options.definitions),
        f'#include "{options.prefix}.h"\n',
        QUIET,
    ]
    rule = "-" * 90
    for name, text in joined.headers.items():
        head.append(f"\n/* {rule[: 90 - len(name)]} {name} */\n{text}")
    for name, text in joined.bodies.items():
        is_added = name in options.added
        shown = pathlib.PurePath(name).name if is_added else source_folders.included_as(name)
        head.append(f"\n/* {rule[: 90 - len(shown)]} {shown} */\n{ended(without_licence(text))}")
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
