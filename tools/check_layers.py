#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks that source files include only what their layer may include, and prints each that does
not.

The command and the provider stand on include/ and apps/key-encoding/, the command for its
checksums on keccak, too; src/kem/codekem.c on the mathematics and src/kem/kem.h, src/legacy/ on the
schemes, src/masked/ on HQC, src/sofia/ on mathematics of its own; the schemes on the mathematics;
everything on base.
Schemes never include each other. Base and mathematics know no scheme: they do not even name one,
in code or in comments.

usage: check_layers.py [ROOT]    exit status 1 if something is wrong
"""

import pathlib
import re
import sys

from tools.source_folders import included_as

# What everything stands on, with the table of back ends.
BASE = {"base", "backend.def"}
MATHEMATICS = {"gf2x", "keccak", "sparse", "benes", "bitmatrix", "gf2m", "recurrence", "sort"}
SCHEMES = {"bike", "hqc"}  # of libcodekem
ALL_SCHEMES = SCHEMES | {"mceliece"}
# A signature scheme in a library of its own; it shares keccak and base with the KEMs.
SIGNATURES = {"sofia"}
SIGNATURE_MATHEMATICS = {"mq4"}
PUBLIC = {
    "codekem.h",
    "codekem_hybrid.h",
    "codekem_legacy.h",
    "codekem_masked.h",
    "codekem_mceliece.h",
    "codekem_sofia.h",
}
# Files of src/kem itself: the contract with schemes, the choice of a back end, the table of KEMs.
TOP = {"kem.h", "backends.h", "kems.def"}
KEYS = {"key-encoding"}

# Folder: what its files may include, as folders under src/ or as headers of include/. A folder may
# always include itself.
MAY_INCLUDE = {
    "include": PUBLIC,
    "src/kem": BASE | MATHEMATICS | TOP | {"codekem.h"},
    "src/common/base": BASE,
    "src/kem/gf2x": BASE,
    "src/common/keccak": BASE,
    "src/kem/sparse": BASE | {"gf2x"},
    "src/sofia/mq4": BASE,
    "src/mceliece/goppa/benes": BASE | {"sort"},
    "src/mceliece/goppa/bitmatrix": BASE,
    "src/mceliece/goppa/gf2m": BASE,
    "src/mceliece/goppa/recurrence": BASE | {"gf2m"},
    "src/mceliece/goppa/sort": BASE,
    **{f"src/kem/{name}": BASE | MATHEMATICS | {"codekem.h", "kem.h"} for name in SCHEMES},
    "src/sofia": BASE | {"keccak", "mq4", "codekem.h", "codekem_sofia.h", "backends.h"},
    "src/hybrid": BASE | {"keccak", "kem.h", "codekem.h", "codekem_hybrid.h"},
    "src/masked": BASE
    | MATHEMATICS
    | {"hqc", "codekem.h", "codekem_masked.h", "kem.h", "backends.h"},
    "src/legacy": BASE | MATHEMATICS | ALL_SCHEMES | PUBLIC | {"kem.h"},
    "src/mceliece": BASE | MATHEMATICS | PUBLIC | {"kem.h", "backends.h"},
    "apps/key-encoding": KEYS,
    "apps/command": PUBLIC | KEYS | {"keccak"},
    "apps/openssl-provider": PUBLIC | KEYS,
}

# Headers with instructions of one kind of processor, and how the files end that may include them.
VECTOR_HEADERS = {
    "immintrin.h": ("intrinsics",),
    "arm_neon.h": ("intrinsics", "intrinsics_neon32"),
    "wasm_simd128.h": ("intrinsics",),
    "base/intrinsics.h": (
        *(
            "_avx2",
            "_vpclmul",
            "_gfni",
            "_avx512",
            "_neon",
            "_neon32",
            "_neon64",
            "_neon_sha3",
            "_wasm",
        ),
    ),
}

SCHEME_NAME = re.compile("|".join(sorted(ALL_SCHEMES | SIGNATURES)), re.IGNORECASE)

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def sources(root):
    """Yields the source files below the folders of MAY_INCLUDE and their layers, but for tests."""
    for folder in MAY_INCLUDE:
        for path in sorted((root / folder).rglob("*")):
            above = [parent.as_posix() for parent in path.relative_to(root).parents]
            layer = max((name for name in MAY_INCLUDE if name in above), key=len)
            is_source = path.suffix in (".c", ".h", ".S", ".cpp", ".hpp")
            if is_source and layer == folder and "tests" not in path.parts:
                yield path, folder


def problem_with(path, folder, kind, name):
    """Says what is wrong with one include, or returns None."""
    if name in VECTOR_HEADERS:
        fits = path.name.split(".")[0].endswith(VECTOR_HEADERS[name])
        return None if fits else f"only files ending in {VECTOR_HEADERS[name]} may include it"
    target = name.split("/")[0]
    folders = (
        BASE
        | MATHEMATICS
        | ALL_SCHEMES
        | SIGNATURES
        | SIGNATURE_MATHEMATICS
        | KEYS
        | {"hybrid", "legacy", "masked"}
    )
    ours = name in PUBLIC | TOP or target in folders
    if kind == "<" and not ours:
        return None  # a system header
    if not ours:
        exists = (path.parent / name).is_file() and not folder.startswith("src")
        return None if exists else "not a header of this project"
    own = pathlib.PurePath(folder).name
    if target != own and name not in MAY_INCLUDE[folder] and target not in MAY_INCLUDE[folder]:
        return f"{folder} may not include it"
    return None


def problems(root):
    """Returns a line for each include, and each name of a scheme, that should not be there."""
    found = []
    for path, folder in sources(root):
        text = path.read_text(encoding="utf-8")
        includes = INCLUDE.findall(text)
        where = path.relative_to(root)
        for kind, name in includes:
            problem = problem_with(path, folder, kind, name)
            if problem:
                found.append(f"{where}: {name}: {problem}")
        header = path.with_suffix(".h")
        if path.suffix == ".c" and header.exists() and folder.startswith("src/"):
            own = included_as(header.relative_to(root).as_posix())
            if not includes or includes[0][1] != own:
                found.append(f"{where}: its own header {own} must come first")
        if pathlib.PurePath(folder).name in BASE | MATHEMATICS | SIGNATURE_MATHEMATICS:
            found += [
                f"{where}:{number}: names a scheme: {line.strip()}"
                for number, line in enumerate([path.name, *text.splitlines()])
                if SCHEME_NAME.search(line)
            ]
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = problems(root)
    print("\n".join(found) if found else "layers: nothing wrong")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
