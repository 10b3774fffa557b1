#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes down the interface of the library as programs that were compiled against it depend on it.

usage: interface.py            print it
       interface.py --write    store it in tests/packaging/interface.txt

Every declaration of include/codekem.h and its two companions, every constant, and the place of
every member of codekem_kem on 64-bit processors. A test compares it with what is stored, so that
nothing changes unnoticed. What may change, and when, is in docs/promises.md.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORED = ROOT / "tests" / "packaging" / "interface.txt"
HEADERS = ["codekem.h", "codekem_legacy.h", "codekem_mceliece.h"]

# Not constants of the interface: guards, what the compiler is told, and the version.
LEFT_OUT = re.compile(r"\w+_H$|CODEKEM_API$|CODEKEM_CHECK_RESULT$|CODEKEM_VERSION_")


def preprocess(root, header, *options):
    return subprocess.run(
        ["cc", "-std=c11", "-E", *options, root / "include" / header],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def own_text(root, header):
    """Returns the lines of a header alone, without those of others that it includes."""
    lines, ours = [], False
    for line in preprocess(root, header).splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = pathlib.Path(marker[1]).name == header
        elif ours:
            lines.append(line)
    return "\n".join(lines)


def declarations(root, header):
    """Returns each declaration of a header on one line, without attributes."""
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)\)?", "", own_text(root, header), flags=re.DOTALL)
    found, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth == 0:
            found.append(" ".join(text[start:position].split()).replace("( ", "("))
            start = position + 1
    return found


def functions(root, header="codekem.h"):
    """Returns the names of the functions that a header declares."""
    text = (root / "include" / header).read_text(encoding="utf-8")
    return set(re.findall(r"^CODEKEM_API [^;]*?(codekem_\w+)\(", text, re.MULTILINE))


def constants(root, header):
    macros = re.findall(
        r"^#define (CODEKEM_\w+) (.+)$", preprocess(root, header, "-dM"), re.MULTILINE
    )
    return sorted(f"{name} = {value}" for name, value in macros if not LEFT_OUT.match(name))


def places(root):
    """Returns offset and size of each member of codekem_kem."""
    body = re.search(
        r"typedef struct codekem_kem \{(.*?)\} codekem_kem;", own_text(root, "codekem.h"), re.DOTALL
    )
    if body is None:
        sys.exit("interface.py: codekem.h does not define codekem_kem")
    members = re.findall(r"(\w+);", body[1])
    rows = "\n".join(
        f'  printf("codekem_kem.{name}: offset %zu, size %zu\\n", '
        f"offsetof(codekem_kem, {name}), sizeof((codekem_kem *)0)->{name});"
        for name in members
    )
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "places.c"
        source.write_text(
            "#include <codekem.h>\n#include <stdio.h>\n"
            f"int main(void) {{\n{rows}\n  return 0;\n}}\n",
            encoding="ascii",
        )
        program = pathlib.Path(folder) / "places"
        subprocess.run(
            ["cc", "-std=c11", f"-I{root / 'include'}", source, "-o", program], check=True
        )
        return subprocess.run(
            [program], capture_output=True, text=True, check=True
        ).stdout.splitlines()


def interface(root=ROOT):
    """Returns the interface as text."""
    lines = []
    for header in HEADERS:
        lines += [f"--- {header}", *declarations(root, header), *constants(root, header)]
    return "\n".join(dict.fromkeys([*lines, "--- places", *places(root)])) + "\n"


def main():
    if sys.argv[1:] == ["--write"]:
        STORED.write_text(interface(), encoding="ascii")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        sys.stdout.write(interface())


if __name__ == "__main__":
    main()
