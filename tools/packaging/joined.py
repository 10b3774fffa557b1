# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Joins sources into one C file (vendor.py): headers once and in order, templates where they are
included, names that several files have made different, and what nobody names left out."""

import collections
import pathlib
import re

from tools import anchors
from tools.packaging import package_stage

ROOT = package_stage.ROOT
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"[^\n]*\n', re.MULTILINE)
# Definitions that system headers look at, with the condition around them.
FEATURE = re.compile(
    r"^(?P<condition>#if [^\n]*)\n(?P<define>#define (?P<name>_[A-Z]\w*)[^\n]*)\n#endif\n"
    r"|^(?P<alone>#define (?P<other>_[A-Z]\w*)[^\n]*)\n",
    re.MULTILINE,
)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n", re.MULTILINE)
TAG = re.compile(r"^(?:struct|union|enum) (\w+) \{", re.MULTILINE)
COMMENT_ABOVE = re.compile(r"(?:/\*(?:(?!\*/).)*\*/\s*?\n)?\Z", re.DOTALL)
LICENCE = "/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n"


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

    def __init__(self, given, names):
        """given: vendor.Sources; names: of the .c files"""
        self.sources = given
        self.features: dict[str, str] = {}
        self.headers: dict[str, str] = {}  # how it is included: its text
        self.sees: dict[str, set[str]] = {}  # the headers that a part includes, and theirs
        self.bodies: dict[str, str] = {}
        for name in sorted(names, key=sees_windows):
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
    """Yields the words of functions and macros in a header, not of declarations."""
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
