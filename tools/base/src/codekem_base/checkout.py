# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is measured: the commit of the checkout, and programs that are built in it."""

import subprocess

from codekem_base import paths
from codekem_base.errors import EvaluationError


def output_of(command, **options):
    """Returns what a command prints, or None if it fails."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, **options
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def source():
    """Returns commit and whether files differ from it; nothing where there is not a checkout."""
    if paths.CHECKOUT is None:  # a commit around here may be of another project
        return {"commit": None, "modified": None}
    commit = output_of(["git", "rev-parse", "HEAD"], cwd=paths.ROOT)
    status = output_of(["git", "status", "--porcelain", "--untracked-files=no"], cwd=paths.ROOT)
    return {
        "commit": commit.strip() if commit else None,
        "modified": None if status is None else bool(status.strip()),
    }


def build(folder, *targets):
    """Builds programs in a folder that CMake has configured; returns their paths."""
    if not (folder / "CMakeCache.txt").exists():
        raise EvaluationError(
            f"{folder} is not a build folder; run 'make evaluate', or name one with --build"
        )
    done = subprocess.run(
        ["cmake", "--build", folder, "--target", *targets],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise EvaluationError(
            f"building {', '.join(targets)} failed; is the folder configured with "
            f"-DCODEKEM_BUILD_EVALUATION=ON?\n{done.stdout[-3000:]}"
        )
    return [folder / "bin" / target for target in targets]
