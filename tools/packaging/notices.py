# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The notices of what archives hold besides our own code, from the packages of Debian.

Headers and static parts of others come from there. They become part of a program, and their
licences ask for their notices beside it.
"""

import pathlib
import subprocess

NAME = "THIRD-PARTY-NOTICES.txt"
COPYRIGHTS = pathlib.Path("/usr/share/doc")
COMMAND = {"CLI11": "libcli11-dev", "JSON for Modern C++": "nlohmann-json3-dev"}
WINDOWS = {"the C runtime of mingw-w64": "mingw-w64-x86-64-dev"}
WASM = {"some functions of wasi-libc": "wasi-libc"}


def notice(part, package):
    """Returns the notice of a part: what Debian says of copyright and licence of its package."""
    path = COPYRIGHTS / package / "copyright"
    if not path.is_file():
        raise OSError(f"the notice of {part} is missing ({path}): install {package}")
    version = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", package],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    title = f"{part} (Debian's {package} {version})"
    return f"{title}\n{'=' * len(title)}\n\n{path.read_text(encoding='utf-8').strip()}\n"


def text_of(what, parts):
    """Returns the text of a file of notices.

    what: what holds the parts; parts: {part: package of Debian}
    Raises OSError, with what to install, if a notice is missing.
    """
    head = (
        f"{what} also holds code of others: {', '.join(parts)}.\n"
        "What follows are their notices; files that they name beyond what is held are not here.\n"
    )
    return "\n\n".join([head, *[notice(*item) for item in parts.items()]])
