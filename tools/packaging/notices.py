# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The notices of what archives hold besides our own code, from the packages of Debian.

Headers and static parts of others come from there. They become part of a program, and their
licences ask for their notices beside it.
"""

import pathlib
import subprocess
from urllib.parse import quote

NAME = "THIRD-PARTY-NOTICES.txt"
COPYRIGHTS = pathlib.Path("/usr/share/doc")
# {what it is: (Debian's package, licence)}
COMMAND = {
    "CLI11": ("libcli11-dev", "BSD-3-Clause"),
    "JSON for Modern C++": ("nlohmann-json3-dev", "MIT"),
}
WINDOWS = {"the C runtime of mingw-w64": ("mingw-w64-x86-64-dev", "ZPL-2.1")}
WINDOWS_COMMAND = {
    **COMMAND,
    **WINDOWS,
    "GCC's runtime libraries": (
        "g++-mingw-w64-x86-64-posix",
        "GPL-3.0-or-later WITH GCC-exception-3.1",
    ),
}
WASM = {"some functions of wasi-libc": ("wasi-libc", "MIT")}


def version_of(package):
    """Returns the version of an installed package of Debian; an empty string if it is none."""
    return subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", package],
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def contains(parts):
    """Returns [(package URL, licence)] of parts {what: (package, licence)}, for the bill of
    materials."""
    return [
        (f"pkg:deb/debian/{quote(package)}@{quote(version_of(package))}", licence)
        for package, licence in parts.values()
    ]


def notice(part, package):
    """Returns the notice of a part: what Debian says of copyright and licence of its package."""
    path = COPYRIGHTS / package / "copyright"
    if not path.is_file():
        raise OSError(f"the notice of {part} is missing ({path}): install {package}")
    title = f"{part} (Debian's {package} {version_of(package)})"
    return f"{title}\n{'=' * len(title)}\n\n{path.read_text(encoding='utf-8').strip()}\n"


def text_of(what, parts):
    """Returns the text of a file of notices.

    what: what holds the parts; parts: {part: (package of Debian, licence)}
    Raises OSError, with what to install, if a notice is missing.
    """
    head = (
        f"{what} also holds code of others: {', '.join(parts)}.\n"
        "What follows are their notices; files that they name beyond what is held are not here.\n"
    )
    return "\n\n".join([head, *[notice(part, package) for part, (package, _) in parts.items()]])
