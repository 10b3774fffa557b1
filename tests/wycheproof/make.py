# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the vectors, files of JSON in Wycheproof's form.

usage: python -m tests.wycheproof.make FOLDER [--kem NAME]... [--every N] [--search | --digests]
       [--mark NAME]

FOLDER is made. Without --kem all KEMs that have cases. --every N writes each Nth case of a kind
alone, for a quick check. --search looks for inputs that found.json lacks, and keeps them; --digests
writes digests.json anew. Otherwise a whole file that is not the one in digests.json is an error,
with exit status 1, and not written. --mark also makes an empty file, when all others are there.
"""

import argparse
import hashlib
import json
import pathlib
import sys

from tests.wycheproof import notes, stored_cases
from tests.wycheproof.hqc_cases import Cases
from tests.wycheproof.hqc_model import Hqc
from tests.wycheproof.search import Found, NotFoundError

DIGESTS = pathlib.Path(__file__).with_name("digests.json")
VERSION = "1"

# The kinds of files: name, type of the group, and the generator of cases.
KINDS = {
    "keygen_seed": ("KeyGen", "keygen"),
    "encaps": ("EncapsTest", "encaps"),
    "test": ("Test", "decaps_from_seed"),
    "decaps": ("DecapsValidationTest", "decaps"),
}
# The tag v5.0.0 at one level: its sampling is all that differs.
HQC = {kem.name: kem for kem in (Hqc(1), Hqc(3), Hqc(5), Hqc(1, tag=True))}


def file_name(kem, kind):
    """Returns hqc_1_encaps_test.json for HQC-1 and encaps."""
    stem = kem.lower().replace("-", "_").replace(".", "_")
    return f"{stem}_test.json" if kind == "test" else f"{stem}_{kind}_test.json"


def cases_of(kem, found):
    """Returns {kind: cases}."""
    if kem in HQC:
        cases = Cases(HQC[kem], found)
        return {kind: getattr(cases, method)() for kind, (_, method) in KINDS.items()}
    return stored_cases.cases_of(kem)


def thinned(cases, every):
    """Returns each Nth case of a flag, the first one included."""
    seen = {}
    for case in cases:
        count = seen.get(case[0], 0)
        seen[case[0]] = count + 1
        if count % every == 0:
            yield case


def text_of(kem, kind, cases):
    """Returns the file."""
    scheme = kem.split("-")[0].rstrip("0123456789pcf").lower()
    prefix = {"hqc": "HQC", "bike": "BIKE", "mceliece": "McEliece"}[scheme]
    tests = []
    for flag, comment, values, result in cases:
        tests.append(
            {"tcId": len(tests) + 1, "comment": comment, "flags": [flag]}
            | {name: value.hex() for name, value in values.items()}
            | {"result": result}
        )
    group = {
        "type": f"{prefix}{KINDS[kind][0]}",
        "source": {"name": "codekem", "version": VERSION},
        "parameterSet": kem,
        "tests": tests,
    }
    document = {
        "algorithm": prefix,
        "schema": f"kem_{kind}_schema.json",
        "numberOfTests": len(tests),
        "notes": notes.of({flag for test in tests for flag in test["flags"]}),
        "testGroups": [group],
    }
    return json.dumps(document, indent=1) + "\n"


def main(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kem", action="append", choices=[*HQC, *stored_cases.KEMS])
    parser.add_argument("--mark", metavar="NAME")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--digests", action="store_true")
    given = parser.parse_args(words)
    if given.every < 1:
        parser.error("--every must be at least 1")
    whole = given.every == 1
    given.folder.mkdir(parents=True, exist_ok=True)
    digests = json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.exists() else {}
    found = Found(given.search)
    for kem in given.kem or [*HQC, *stored_cases.KEMS]:
        for kind, cases in cases_of(kem, found).items():
            name = file_name(kem, kind)
            try:
                text = text_of(kem, kind, cases if whole else thinned(cases, given.every))
            except NotFoundError as error:
                sys.exit(f"make.py: {error}; --search looks for it")
            digest = hashlib.sha256(text.encode()).hexdigest()
            if given.digests:
                digests[name] = digest
            elif whole and not given.search and digests.get(name) != digest:
                sys.exit(f"make.py: {name} is not the file of digests.json: a case has changed")
            (given.folder / name).write_text(text, encoding="utf-8")
    if given.mark:
        (given.folder / given.mark).touch()
    if given.search:
        found.save()
    if given.digests and whole:
        DIGESTS.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
