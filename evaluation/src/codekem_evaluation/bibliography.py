# SPDX-License-Identifier: Apache-2.0 OR MIT
"""BibTeX of what tables cite: programs, the sources of published figures, those of the documents.

A source is a line "authors: title, where it appeared", in publications/sources.csv, or in the list
of a checkout's documents (docs/references.md), where the title stands between stars.
"""

import functools
import re
import unicodedata

from codekem_base.errors import EvaluationError
from codekem_evaluation import __version__, paths, published

# Programs, by the beginning of the names that runs give them.
PROGRAMS = {
    "codekem": f"The codekem authors: *codekem*, version {__version__}",
    "liboqs": "D. Stebila, M. Mosca: *Post-quantum Key Exchange for the Internet and the Open "
    "Quantum Safe Project*, SAC 2016",
    "rustcrypto": "RustCrypto developers: *KEMs*, <https://github.com/RustCrypto/KEMs>",
}
LISTED = re.compile(r"^\*\*\[([^]]+)\]\*\* (.*?)(?=\n\n)", re.MULTILINE | re.DOTALL)
STARRED = re.compile(r"(?:(?P<authors>[^*]*?): )?\*(?P<title>[^*]+)\*,?\s*(?P<rest>.*)", re.DOTALL)
PLAIN = re.compile(r"(?P<authors>[^:]*): (?P<title>.*?)(?:, (?P<rest>.*))?", re.DOTALL)
UNTITLED = re.compile(r"(?P<authors>)(?P<title>[^,]+)(?:, (?P<rest>.*))?")
PAGES = r"(?:, (?:pages )?(?P<pages>\d+)[-–](?P<to>\d+))?"
JOURNALS = (  # "TCHES 2021(3), 97-124" and "ACM TOMS 47(4), 2021"
    re.compile(rf"(?P<journal>[A-Z][\w ]+?) (?P<year>\d{{4}})\((?P<number>\d+)\){PAGES}"),
    re.compile(
        rf"(?P<journal>[A-Z][\w ]+?) (?P<volume>\d+)\((?P<number>\d+)\), (?P<year>\d{{4}}){PAGES}"
    ),
    re.compile(rf"(?P<journal>[A-Z][\w ]+?) (?P<volume>\d+) \((?P<year>\d{{4}})\){PAGES}"),
)
MEETING = re.compile(
    r"(?!RFC|FIPS)(?P<booktitle>[A-Z][\w-]*[A-Z][\w-]*|USENIX Security) (?P<year>\d{4})\b"
)
DATE = (
    r",? ?\bof \d{4}-\d\d-\d\d|,? ?\b(?:(?:January|February|March|April|May|June|July|August|"
    r"September|October|November|December) )?(?:19|20)\d\d$"
)
STANDARD = re.compile(r"RFC ?\d|FIPS |NIST |SP ?\d")
ADDRESS = re.compile(r"<?(https://[^\s>,]+)>?")
ACCENTS = {"\u0301": "'", "\u0300": "`", "\u0302": "^", "\u0308": '"', "\u0303": "~", "\u030c": "v"}
MARKS = {
    "\\": r"\textbackslash{}", "µ": r"\textmu{}", "^": r"\^{}", "~": r"\~{}", "–": "--",
    "×": r"$\times$", "²": r"$^2$", "³": r"$^3$", "≤": r"$\le$", "≥": r"$\ge$", "→": r"$\to$",
    "…": r"\ldots{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'", '"': "''",
}  # fmt: skip


def escaped(text):
    """Writes a text so that LaTeX shows it, also without UTF-8."""
    found = []
    for character in text:
        letter, *accents = list(unicodedata.normalize("NFD", character))
        if character in MARKS:
            found.append(MARKS[character])
        elif character in "&%$#_{}":
            found.append(f"\\{character}")
        elif len(accents) == 1 and accents[0] in ACCENTS:
            found.append(f"{{\\{ACCENTS[accents[0]]}{{{letter}}}}}")
        else:
            found.append(character)
    return "".join(found)


def key_of(name):
    """Returns the key under which a source is cited: without blanks and points."""
    return re.sub(r"[^\w-]+", "-", name)


def known():
    """Returns {key: (name, the source's line, whether its title is between stars)}."""
    return known_with(tuple(published.sources().items()))


@functools.cache
def known_with(sources):
    found = {name: (name, line, True) for name, line in PROGRAMS.items()}
    found |= {key_of(name): (name, line, False) for name, line in sources}
    documents = paths.ROOT / "docs" / "references.md"
    if paths.CHECKOUT is not None and documents.is_file():
        for name, line in LISTED.findall(documents.read_text(encoding="utf-8") + "\n\n"):
            found.setdefault(key_of(name), (name, " ".join(line.split()), True))
    return found


def authors_of(names):
    """Writes a list of persons with "and", an institution in braces."""
    parts = re.split(r", | and ", re.sub(r",? et al\.?", ", et al", names))
    if not all(re.match(r"[A-Z]\.|et al", part) for part in parts):
        return f"{{{escaped(names)}}}"
    return " and ".join("others" if part == "et al" else escaped(part) for part in parts)


def where_of(rest):
    """Returns (kind of entry, its fields) from the words on where a source appeared."""
    if not rest or rest[0] in ":.":  # only a remark on it
        return "misc", {}
    said = re.split(r"(?<!Rev)\. |; |: |, (?:as|and|together|updated) |\.$", rest)[0]
    address = ADDRESS.search(said)
    fields = {"note": rf"\url{{{address.group(1)}}}"} if address else {}
    for pattern in JOURNALS:
        found = pattern.match(said)
        if found:
            named = {key: value for key, value in found.groupdict().items() if value}
            if "to" in named:
                named["pages"] = f"{named['pages']}--{named.pop('to')}"
            return "article", named | fields
    found = MEETING.match(said)
    if found:
        return "inproceedings", found.groupdict() | fields
    year = re.findall(r"\b(?:19|20)\d\d\b", ADDRESS.sub("", said))
    said = re.sub(r" ?\([^)]*$", "", said)  # cut within brackets
    said = re.sub(DATE, "", ADDRESS.sub("", said)).strip(" ,").replace("`", "").replace('"', "")
    if said:
        fields["howpublished"] = escaped(said)
    return "misc", fields | ({"year": year[0]} if year else {})


def entry(key):
    """Returns the BibTeX entry of a source that is known."""
    name, line, starred = known()[key]
    found = (STARRED if starred else PLAIN).fullmatch(line) or UNTITLED.fullmatch(line)
    if found is None:
        raise EvaluationError(f"the source [{name}] has no title: {line[:60]}")
    kind, fields = where_of(found["rest"] or "")
    if STANDARD.match(name):
        fields.setdefault("howpublished", escaped(name.replace("RFC", "RFC ")))
    authors = found["authors"]
    fields = {
        **({"author": authors_of(authors)} if authors else {"key": escaped(key)}),
        "title": f"{{{escaped(found['title'])}}}",
        **fields,
    }
    body = "".join(f",\n  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key}{body}\n}}\n"


def file():
    """Returns the text of references.bib: every source, because LaTeX prints those that are
    cited."""
    head = "% Made by codekem-evaluation report; needs \\usepackage{url}.\n\n"
    return head + "\n".join(entry(key) for key in known())


def cited(text):
    """Writes a text for LaTeX; [SOURCE] and [SOURCE, section] in it become \\cite."""
    sources, parts, at = known(), [], 0
    for found in re.finditer(r"\s*\[([^],]+)(?:, ([^]]+))?\]", text):
        key = key_of(found.group(1))
        if key in sources:
            section = f"[{escaped(found.group(2))}]" if found.group(2) else ""
            parts += [escaped(text[at : found.start()]), rf"~\cite{section}{{{key}}}"]
            at = found.end()
    return ("".join(parts) + escaped(text[at:])).removeprefix("~")
