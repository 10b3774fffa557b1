# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A process that answers one line after the other, each with the bytes that it announces."""

import contextlib
import subprocess


class Process:
    """Use it in a `with`, which demands that the program ends well."""

    def __init__(self, command, backend):
        self.name = backend
        self._process = subprocess.Popen(
            [*map(str, command), backend], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        with contextlib.suppress(BrokenPipeError):
            self._to.close()
        self._from.close()
        status = self._process.wait()
        assert kind is not None or status == 0

    def _ask(self, line, *inputs, answer):
        """Sends a line and what it announces; returns so many bytes."""
        try:
            for data in [line.encode() + b"\n", *inputs]:
                self._to.write(data)
            self._to.flush()
        except BrokenPipeError:
            pass  # the next line says how it ended
        got = self._from.read(answer)
        assert len(got) == answer, f"the program ended with {self._process.wait()}"
        return got
