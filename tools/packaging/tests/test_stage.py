# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The staged copies that packages are made from: their files, their known answers; a clone that pip
installs."""

import hashlib
import json
import subprocess
import sys

import pytest

from tests.rooms import need_room
from tools.packaging import package_stage


def changed(base, change):
    """Applies a change as package_stage.known_answer_text describes it."""
    out = bytearray(base)
    for offset, length, value in change["xor"]:
        for i in range(offset, offset + length):
            out[i] ^= value
    return bytes(out)


@pytest.mark.parametrize("name", package_stage.KEMS)
def test_known_answers_hold(name, library):
    answers = json.loads(package_stage.known_answer_text())["kems"][name]
    kem = library.kem(name)
    keys, ciphertexts = {None: bytes(kem.length_secret_key)}, {None: bytes(kem.length_ciphertext)}
    for number, record in enumerate(answers["records"]):
        public, secret = library.keypair(kem, bytes.fromhex(record["keypair_seed"]))
        ciphertext, shared = library.encaps(kem, public, bytes.fromhex(record["encaps_seed"]))
        keys[number], ciphertexts[number] = secret, ciphertext
        for field, value in [("public_key", public), ("secret_key", secret)]:
            assert hashlib.sha256(value).hexdigest() == record[f"{field}_sha256"]
            assert len(value) == answers[f"{field}_bytes"]
        assert hashlib.sha256(ciphertext).hexdigest() == record["ciphertext_sha256"]
        assert shared.hex() == record["shared_secret"]
    assert len(keys) == 6
    assert len(answers["rejections"]) >= 12
    for case in answers["rejections"]:
        ciphertext = changed(ciphertexts[case["ciphertext"]["of"]], case["ciphertext"])
        secret = changed(keys[case["secret_key"]["of"]], case["secret_key"])
        assert library.decaps(kem, ciphertext, secret).hex() == case["shared_secret"], case["what"]


def test_stage_has_the_library_and_the_licences(tmp_path):
    copy = package_stage.stage(
        "tools/flow", tmp_path / "copy", library="native", vectors="answers.json"
    )
    assert (copy / "native" / "include" / "codekem.h").is_file()
    assert (copy / "native/src/kem/gf2x/avx512/gf2x_avx512.c").is_file()
    assert not (copy / "native" / "src" / "legacy").exists()
    assert (copy / "LICENSE-MIT").is_file()
    assert json.loads((copy / "answers.json").read_text())["version"] == package_stage.version()


def test_stage_empties_what_was_there(tmp_path):
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "old").write_text("left from before")
    package_stage.stage("tools/flow", tmp_path / "copy")
    assert not (tmp_path / "copy" / "old").exists()


# --- A clone that pip installs --------------------------------------------------------------------

SHOW = """
import json, pathlib, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ".")
import codekem_build
with codekem_build.ready_to_build():
    here = pathlib.Path.cwd()
    staged = {p.relative_to(here).as_posix(): p.read_text() for p in here.rglob("*") if p.is_file()}
print(json.dumps(staged))
"""
WHEEL = """
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, ".")
import codekem_build
print(codekem_build.prepare_metadata_for_build_wheel(sys.argv[1]))
"""


def in_python(clone, program, *arguments):
    """Runs a program as pip runs the hooks: in python/ of a clone, by an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=clone / "bindings/python",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def clone(tmp_path):
    """What pip needs of this tree, without git, with a change that nobody has committed."""
    need_room("bindings")
    folder = tmp_path / "clone"
    package_stage.copy(package_stage.files_of("bindings/python", "src", "include", "tools"), folder)
    package_stage.copy(package_stage.LICENSES, folder)
    (folder / "src/kem/gf2x/changed.c").write_text("/* not committed */\n")
    return folder


def test_a_clone_brings_the_library_to_the_build(clone):
    before = sorted(clone.rglob("*"))
    done = in_python(clone, SHOW)
    assert done.returncode == 0, done.stderr
    staged = json.loads(done.stdout)
    native = {name for name in staged if name.startswith("native/")}
    names = [*package_stage.library_files(), *package_stage.mceliece_files()]
    expected = {f"native/{name}" for name in names}
    assert native == expected | {"native/src/kem/gf2x/changed.c"}
    assert staged["native/src/kem/gf2x/changed.c"] == "/* not committed */\n"
    assert {"pyproject.toml", "src/codekem/_native.cpp", "LICENSE-MIT"} <= set(staged)
    assert sorted(clone.rglob("*")) == before


def test_a_clone_has_the_library_s_version(clone, tmp_path):
    header = clone / "include" / "codekem.h"
    header.write_text(header.read_text().replace(package_stage.version(), "7.8.9"))
    done = in_python(clone, WHEEL, tmp_path / "metadata")
    assert done.returncode == 0, done.stderr
    metadata = tmp_path / "metadata" / done.stdout.split()[-1] / "METADATA"
    assert "\nVersion: 7.8.9\n" in metadata.read_text()


@pytest.mark.parametrize(
    "call, said",
    [
        ("build_sdist('.')", "make packages ARGS=python"),
        ("build_editable('.')", "pip install ./bindings/python"),
    ],
)
def test_a_clone_says_what_it_cannot_do(call, said, clone):
    done = in_python(
        clone, f"import sys; sys.path[:0] = ['.']; import codekem_build as b; b.{call}"
    )
    assert done.returncode != 0 and said in done.stderr.splitlines()[-1]


def test_half_a_clone_is_refused_in_words(clone):
    (clone / "tools/packaging/package_stage.py").unlink()
    done = in_python(clone, SHOW)
    assert done.returncode != 0 and "neither in" in done.stderr.splitlines()[-1]
