# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the results of a campaign were made from: a hash of the sources that decide them."""

import hashlib
import re

from codekem_evaluation import paths

# Of codekem_lab and of codekem_dfr, and of what they take from the library.
LAB = ("evaluation/lab", "evaluation/dfr", "src/bike", "src/keccak", "src/base")
DFR = ("evaluation/dfr", "src/bike", "src/hqc", "src/gf2x", "src/sparse", "src/keccak", "src/base")
COMMENT_OR_BLANK = re.compile(r"(?:/\*.*?\*/|//[^\n]*|\s)+", re.DOTALL)


def made_from(folders):
    """Returns the hash, without comments and layout; None where there is no checkout."""
    if paths.CHECKOUT is None:
        return None
    found = hashlib.sha256()
    names = []
    for folder in folders:
        for path in sorted((paths.ROOT / folder).glob("*.[ch]")):
            names.append(path.relative_to(paths.ROOT).as_posix())
            code = COMMENT_OR_BLANK.sub(" ", path.read_text(encoding="utf-8"))
            found.update(f"{names[-1]} {code}\n".encode())
    return {"hash": found.hexdigest()[:16], "files": len(names), "folders": list(folders)}
