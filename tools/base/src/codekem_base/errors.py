# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors that the user can correct; the command prints them in one line and ends with status 1."""


class EvaluationError(Exception):
    """Something that the user can correct; the message says what is wrong and what to do."""


class CannotWrite(EvaluationError):
    """A file could not be written: a full disk, a closed folder."""


class Unavailable(Exception):
    """A peer or a tool is not there: the run goes on without it.

    what names it, reason says why in a few words, remedy how to get it.
    """

    def __init__(self, what, reason, remedy):
        super().__init__(f"{what}: {reason}; {remedy}")
        self.what, self.reason, self.remedy = what, reason, remedy

    def as_json(self):
        return {"what": self.what, "reason": self.reason, "remedy": self.remedy}
