# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is generated is what the table says, and an edit on either side is found."""

import shutil
import subprocess
import sys

import pytest

from parameters import generate, table


def run(root, *arguments):
    command = [sys.executable, generate.__file__, "--root", root, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path):
    """A tree with the table and what is made from it."""
    for name in [*generate.texts(generate.ROOT), "parameters/kems.toml", "include/codekem.h"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(generate.ROOT / name, path)
    return tmp_path


def test_what_is_there_is_what_the_table_says(copy):
    done = run(copy, "--check")
    assert (done.returncode, done.stdout) == (0, "")


def test_an_edit_is_found_and_undone(copy):
    path = copy / "src" / "kem" / "bike" / "bike_levels.h"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("#define BIKE_T_1 134", "#define BIKE_T_1 135"), encoding="utf-8")
    done = run(copy, "--check", "src/kem/hqc/hqc_levels.h")
    assert done.returncode == 0
    done = run(copy, "--check", "src/kem/bike/bike_levels.h")
    assert done.returncode == 1
    assert "-#define BIKE_T_1 135\n+#define BIKE_T_1 134" in done.stdout
    assert run(copy).returncode == 0
    assert path.read_text(encoding="utf-8") == text


def test_a_row_more_is_found(copy):
    path = copy / table.FILE.relative_to(generate.ROOT)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("t = 134", "t = 132"), encoding="utf-8")
    assert run(copy, "--check").returncode == 1
