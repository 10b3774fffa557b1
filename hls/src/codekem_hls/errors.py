# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tool says when it refuses a kernel or a directive."""


class Refused(Exception):
    """A kernel or a directive is not accepted; the message has the place and what to do instead."""

    def __init__(self, message: str, file: str = "", line: int = 0) -> None:
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(place + message)
        self.file, self.line, self.message = file, line, message


class ToolFailed(Exception):
    """A tool that this one calls failed; the message is what it printed."""
