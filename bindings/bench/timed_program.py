# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs that time operations on request, so that several can be timed in turn in one run."""

import statistics
import subprocess


class Program:
    """A program that answers each line of its input with three times in nanoseconds."""

    def __init__(self, *command, **options):
        self.process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            **options,
        )

    def time(self, request):
        """Returns the times in microseconds; raises OSError if the program has ended."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(f"{request}\n")
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise OSError(f"{self.process.args!r} ended at the request {request}")
        return [int(value) / 1000 for value in answer.split()]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(ours, peer, rounds):
    """Times two functions, each returning three times, in turn.

    Returns the medians of both, and the median of the ratios of their sums, ours to peer.
    """
    times = [(ours(), peer()) for _ in range(rounds)]
    medians = [
        [statistics.median(column) for column in zip(*side, strict=True)]
        for side in zip(*times, strict=True)
    ]
    return *medians, statistics.median(sum(a) / sum(b) for a, b in times)
