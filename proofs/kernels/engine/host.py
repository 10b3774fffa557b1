# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the processor offers on which proofs run."""

import pathlib


def cpu_flags():
    """Returns the set of flags that /proc/cpuinfo has, which is empty where there is none."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return set()
    return {word for line in text.splitlines() if line.startswith("flags") for word in line.split()}
