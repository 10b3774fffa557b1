# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a campaign of the decoder laboratory on this machine or others, and shows how far it is."""

import os
import pathlib
import time

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from codekem_base import ends
from codekem_lab import dfr_campaign, lab_campaign
from codekem_lab.lab_points import point_of

LINE_SECONDS = 60  # between two lines on the progress in a file


def workers_of(dask, jobs):
    if dask:
        return dfr_campaign.dask_workers(dask)
    return dfr_campaign.local_workers(jobs or processors())


def processors(quota="/sys/fs/cgroup/cpu.max"):
    """Returns how many processors there are for this process, in a container by its quota."""
    count = len(os.sched_getaffinity(0))
    try:
        limit, period = map(int, pathlib.Path(quota).read_text(encoding="ascii").split())
    except (OSError, ValueError):  # no cgroup of version 2, or "max"
        return count
    return max(1, min(count, round(limit / period)))


class Lines:
    """Writes now and then how far a campaign is where no bar is shown: into a file."""

    def __init__(self, console):
        self._console, self._last = console, time.monotonic()

    def __call__(self, lines):
        now = time.monotonic()
        if not self._console.is_terminal and now - self._last >= LINE_SECONDS:
            self._last = now
            self._console.print("; ".join(lines), markup=False, highlight=False, soft_wrap=True)


def done_of(campaign, row):
    """Returns (what is done of a point, of how much)."""
    if campaign["method"] == "split":
        done = row["units"] + len(row["waiting"])
        return done, done if row["finished"] else campaign["settings"]["runs"]
    done = row["decodings"] + sum(unit["decodings"] for unit in row["waiting"].values())
    return done, done if row["finished"] else campaign["settings"]["decodings"]


def run_with_progress(campaign, out, program, workers, console):
    """Runs the campaign; returns whether it was interrupted."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TimeRemainingColumn(),
        console=console,
    ) as bars:
        tasks = [bars.add_task(point_of(row).name, total=1) for row in campaign["points"]]

        def show(campaign):
            for task, row in zip(tasks, campaign["points"], strict=True):
                done, total = done_of(campaign, row)
                bars.update(task, completed=done, total=total)

        show(campaign)
        lines = Lines(console)

        def shown(campaign):
            show(campaign)
            lines(f"{task.description}: {task.completed:,.0f} of {task.total:,.0f}"
                  for task in bars.tasks)  # fmt: skip

        try:
            with ends.interruptible():
                lab_campaign.run(campaign, out, program, workers, shown)
        except KeyboardInterrupt:
            return True
    return False
