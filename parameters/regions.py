# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parts of files that are generated while the rest is written by hand: the lines between one that
says `NAME: made by parameters/generate.py` and one that says `NAME: end`, in comments."""

import re


class NoRegion(ValueError):
    """A file has no such part."""


def replaced(text, regions):
    """Returns a text in which the lines of its regions, by name, are these."""
    for name, lines in regions.items():
        begin = rf"^[^\n]*\b{name}: made by parameters/generate\.py[^\n]*\n"
        found = re.search(
            rf"({begin})(.*?)(^[^\n]*\b{name}: end\b)", text, re.DOTALL | re.MULTILINE
        )
        if found is None:
            raise NoRegion(f"there are no lines '{name}: made by parameters/generate.py' and end")
        made = "".join(f"{line}\n" for line in lines)
        text = text[: found.start(2)] + made + text[found.end(2) :]
    return text
