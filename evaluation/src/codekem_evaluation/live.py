# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What runs and reports show while they go on: a bar, a run's medians so far; in a log, lines."""

import statistics
import time

from rich import box
from rich.console import Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table


class Screen:
    """Shows progress and batches on a console; a context."""

    def __init__(self, console):
        self._console = console
        self._lines = set()
        self._part = (None, 0.0)  # how much there is to do in this part of a run, since when
        self._medians = {}  # {(KEM, implementation): [milliseconds of an exchange, one a batch]}
        self._bar = Progress(
            TextColumn("{task.description:<48}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._bar.add_task("starting", total=None)
        # No thread that draws by itself: it would take the core from what is measured.
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self):
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_):
        self._live.stop()

    def progress(self, done, total, text):
        if total != self._part[0]:  # another part: what is left is not to be told by the last
            self._part = (total, time.monotonic())
            self._bar.reset(self._task, total=total)
        self._bar.update(self._task, completed=done, description=text)
        line = text.split(":")[0]
        if self._console.is_terminal:
            self._live.update(
                Group("Milliseconds of a whole exchange, so far", self.table(), self._bar),
                refresh=True,
            )
        elif line not in self._lines:
            self._lines.add(line)
            self._console.print(f"{line}{self.left(done)}", markup=False, highlight=False)

    def left(self, done):
        """Returns in words how long this part goes on, as far as it can be told."""
        total, since = self._part
        if not 0 < done < total:
            return ""
        seconds = (time.monotonic() - since) / done * (total - done)
        return f", {seconds:.0f} s left" if seconds < 120 else f", {seconds / 60:.0f} minutes left"

    def taken(self, subject, batch):
        """Notes a batch for the table."""
        exchanges = [sum(parts) / 1e6 for parts in zip(*batch["nanoseconds"].values(), strict=True)]
        self._medians.setdefault((subject.kem, subject.implementation), []).append(
            statistics.median(exchanges)
        )

    def table(self):
        """Returns the medians so far, of the KEMs that more than one implementation has."""
        implementations = list(dict.fromkeys(name for _, name in self._medians))
        table = Table(box=box.SIMPLE_HEAD, show_edge=False)
        table.add_column("KEM")
        for name in implementations:
            table.add_column(name, justify="right", min_width=8)
        kems = sorted({kem for kem, _ in self._medians})
        for kem in kems:
            cells = [self._medians.get((kem, name)) for name in implementations]
            if sum(cell is not None for cell in cells) > 1:
                table.add_row(
                    kem, *[f"{statistics.median(cell):.4g}" if cell else "" for cell in cells]
                )
        return table


SECONDS = 10  # between two lines in a log


class Steps:
    """Shows how far something is that has many short steps: a bar that goes away; in a log, a line
    every ten seconds. total may be None, where it is not known."""

    def __init__(self, console, total=None):
        self._console, self._total, self._done = console, total, 0
        self._since = self._last = time.monotonic()
        self._bar = Progress(
            TextColumn("{task.description:<48.48}"),
            BarColumn(),
            *([MofNCompleteColumn()] if total else []),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("", total=total)

    def __enter__(self):
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_):
        if self._console.is_terminal:
            self._bar.stop()

    def __call__(self, text, steps=1):
        """Begins the next step."""
        self._bar.update(self._task, completed=self._done, description=text)
        now = time.monotonic()
        if not self._console.is_terminal and now - self._last >= SECONDS:
            self._last = now
            share = f"{100 * self._done / self._total:.0f} %, " if self._total else ""
            self._console.print(
                f"{text} ({share}{now - self._since:.0f} s)", markup=False, highlight=False
            )
        self._done += steps
