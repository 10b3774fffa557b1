# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the results of a campaign were made from: a hash of the sources that decide them."""

import hashlib
import re

from codekem_evaluation import paths

# What decides the results of codekem_lab: itself, how keys and errors are drawn, thresholds.
LAB = (
    "evaluation/lab/*.[ch]",
    "evaluation/dfr/draw.[ch]",
    "evaluation/dfr/trial.[ch]",
    "src/bike/decoder.c",
    "src/bike/params.c",
)
# Of codekem_dfr, which runs the library's decoders.
DFR = ("evaluation/dfr/*.[ch]", "src/bike/*.[ch]", "src/hqc/*.[ch]", "src/gf2x/*.[ch]")
COMMENT_OR_BLANK = re.compile(r"(?:/\*.*?\*/|//[^\n]*|\s)+", re.DOTALL)


def made_from(patterns):
    """Returns the hash, without comments and layout; None where there is no checkout."""
    if paths.CHECKOUT is None:
        return None
    found = hashlib.sha256()
    names = []
    for pattern in patterns:
        for path in sorted(paths.ROOT.glob(pattern)):
            names.append(path.relative_to(paths.ROOT).as_posix())
            code = COMMENT_OR_BLANK.sub(" ", path.read_text(encoding="utf-8"))
            found.update(f"{names[-1]} {code}\n".encode())
    return {"hash": found.hexdigest()[:16], "files": len(names), "sources": list(patterns)}
