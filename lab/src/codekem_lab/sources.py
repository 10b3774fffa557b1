# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the results of a campaign were made from: a hash of the sources that decide them."""

import hashlib
import re

from codekem_lab import paths

# What decides the results of codekem_lab: itself, how keys and errors are drawn, thresholds. Of a
# file with `:` only these functions, with `!` all but these; the library's decoder, which some of
# them call, is none of its own.
LAB = (
    "lab/decoders/*.[ch]",
    "lab/dfr/draw.[ch]",
    "lab/dfr/trial.c!trial_decode!trial_run",
    "lab/dfr/trial.h",
    "src/kem/bike/decoder.c:ckem_bike_threshold",
    "src/kem/bike/params.c",
)
# Of codekem_dfr, which runs the library's decoders.
DFR = ("lab/dfr/*.[ch]", "src/kem/**/*.[chS]", "src/common/**/*.[chS]")
COMMENT_OR_BLANK = re.compile(r"(?:/\*.*?\*/|//[^\n]*|\s)+", re.DOTALL)


def function_of(name, code):
    """Returns the match of a function in C, from its first line to the brace that ends it."""
    found = re.search(rf"^\w[^;{{}}()]*\b{name}\([^;{{}}]*\) \{{\n.*?^\}}\n", code, re.M | re.S)
    if found is None:
        raise ValueError(f"there is no function {name}")
    return found


def part_of(code, only, without):
    """Returns some functions of a file, or all of it without some."""
    for name in without:
        found = function_of(name, code)
        code = code[: found.start()] + code[found.end() :]
    return "".join(function_of(name, code)[0] for name in only) if only else code


def made_from(patterns):
    """Returns the hash, without comments and layout; None where there is no checkout."""
    if paths.CHECKOUT is None:
        return None
    found = hashlib.sha256()
    names = []
    for pattern in patterns:
        rest, *without = pattern.split("!")
        place, *only = rest.split(":")
        for path in sorted(paths.ROOT.glob(place)):
            names.append(path.relative_to(paths.ROOT).as_posix())
            code = part_of(path.read_text(encoding="utf-8"), only, without)
            code = COMMENT_OR_BLANK.sub(" ", code)
            found.update(f"{names[-1]} {code}\n".encode())
    return {"hash": found.hexdigest()[:16], "files": len(names), "sources": list(patterns)}
