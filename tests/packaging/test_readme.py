# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compiles and runs the example in C of the start page exactly as it is written there."""

import os
import re
import subprocess

import pytest


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_first_example_compiles_and_runs(compiler, root, build, tmp_path, need):
    page = root / "docs" / "start" / "application.md"
    blocks = re.findall(r"^```c\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks, f"{page.name} has no example in C"
    source = tmp_path / "example.c"
    source.write_text(blocks[0])
    library = build("gcc")
    subprocess.run(
        [
            need(compiler),
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            source,
            f"-I{root / 'include'}",
            f"-L{library}",
            "-lcodekem",
            "-o",
            tmp_path / "example",
        ],
        check=True,
    )
    done = subprocess.run(
        [tmp_path / "example"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"LD_LIBRARY_PATH": str(library)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout
