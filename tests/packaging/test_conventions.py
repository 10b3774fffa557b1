# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Rules of the source tree that a machine can check."""

import hashlib
import re
import subprocess
import sys

import check_layers

SOURCE_SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".py", ".sh", ".cmake", ".rs", ".sv"}
SPDX = "SPDX-License-Identifier: Apache-2.0 OR MIT"


def tracked(root):
    """Returns the files under version control."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True,
                           check=True).stdout
    return [root / name for name in names.split("\0") if name and (root / name).is_file()]


def test_layers_hold(root):
    assert check_layers.problems(root) == []


def test_layer_check_finds_a_wrong_include(root, tmp_path):
    (tmp_path / "src" / "gf2x").mkdir(parents=True)
    (tmp_path / "src" / "gf2x" / "bad.c").write_text('#include "bike/bike.h"\n')
    (tmp_path / "src" / "bike").mkdir()
    (tmp_path / "src" / "bike" / "bad.c").write_text(
        '#include "hqc/hqc.h"\n#include <immintrin.h>\n')
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli" / "bad.cpp").write_text('#include "base/ct.h"\n')
    assert len(check_layers.problems(tmp_path)) == 4
    done = subprocess.run([sys.executable, root / "tools" / "check_layers.py", tmp_path],
                          capture_output=True, check=False)
    assert done.returncode == 1


def test_every_source_names_its_licence(root):
    without = [str(path) for path in tracked(root) if path.suffix in SOURCE_SUFFIXES
               and SPDX not in "".join(path.read_text().splitlines(keepends=True)[:3])]
    assert without == []


def test_scheme_code_has_no_conditional_compilation(root):
    found = []
    for folder in ["bike", "hqc"]:
        for path in sorted((root / "src" / folder).glob("*.[ch]")):
            if path.name == f"{folder}_ops.c":
                continue  # here the implementation for a back end is chosen
            guard = f"CODEKEM_{folder.upper()}_{path.stem.upper()}_H"
            found += [f"{path}: {line}" for line in path.read_text().splitlines()
                      if re.match(r"\s*#\s*(if|el)", line) and guard not in line]
    assert found == []


def test_vectors_are_unchanged(vectors):
    sums = (vectors / "SHA256SUMS").read_text().splitlines()
    names = set()
    for line in sums:
        digest, name = line.split("  ")
        assert hashlib.sha256((vectors / name).read_bytes()).hexdigest() == digest, name
        names.add(name)
    assert names == {path.relative_to(vectors).as_posix()
                     for folder in vectors.iterdir() if folder.is_dir()
                     for path in folder.iterdir()}
