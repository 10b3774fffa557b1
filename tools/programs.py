# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the programs of others: compilers, Verilator, valgrind. One that fails is an error of the
caller's kind, with what it printed. Tools of synthesis, which run again: tools/flow/run_tool.py."""

import subprocess

SHOWN = 6000  # characters of what a program printed that a message has


def run(error, *command, what="", hint="", apart=False, env=None, cwd=None):
    """Runs a program without input, as env and cwd say (subprocess.run); returns what it printed,
    on both streams, or apart, on standard output.

    error: the exception that is raised if it fails, or is not there. what: what failed then, in
    front of what it printed; hint: what to do if the program is not there.
    """
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            env=env,
            cwd=cwd,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if apart else subprocess.STDOUT,
            check=False,
        )
    except FileNotFoundError as missing:
        told = f"there is no {words[0]}"
        raise error(f"{told}; {hint}" if hint else told) from missing
    if done.returncode != 0:
        said = f"{done.stdout}{done.stderr or ''}"[-SHOWN:].strip()
        raise error(f"{what or f'{words[0]} failed'}:\n{said}")
    return done.stdout
