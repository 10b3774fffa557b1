# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hybrids in each language give what tests/vectors/hybrid.json says.

A program gets the path of that file and prints a list in JSON, with an object for each vector:
label, public_key_sha256, ciphertext_sha256, shared_secret, and the lists altered and keys, which
have the secrets in hexadecimal, or null where the package has raised an error.
"""

import functools
import json
import shutil
import sys

import pytest

from bindings import pack_js
from bindings.tests import go_packages, made_packages
from bindings.tests.rust_crates import crates_in
from tests.hybrid_program import vectors
from tools import programs
from tools.packaging import package_stage

long = pytest.mark.long


def expected(vector):
    plain = ("label", "public_key_sha256", "ciphertext_sha256", "shared_secret")
    return {name: vector[name] for name in plain} | {
        name: [one["shared_secret"] for one in vector[name]] for name in ("altered", "keys")
    }


def check(answers):
    assert len(answers) == len(vectors()) == 20
    for vector, answer in zip(vectors(), answers, strict=True):
        assert answer == expected(vector), (vector["kem"], vector["group"])


run = functools.partial(programs.run, AssertionError, apart=True)


# --- Python ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site():
    """Where the package is installed."""
    (found,) = made_packages.found("python").glob("environment/lib/python3*/site-packages")
    return found


def test_python(site, root, vectors):
    program = root / "bindings/tests/python_hybrid.py"
    check(
        json.loads(run(sys.executable, program, vectors / "hybrid.json", env={"PYTHONPATH": site}))
    )


def test_misuse_in_python_is_refused(site, root):
    """In a program of its own, because the package is not installed here."""
    run(sys.executable, root / "bindings/tests/python_hybrid_misuse.py", env={"PYTHONPATH": site})


# --- Go -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_go(root, vectors, tmp_path):
    if why := made_packages.why_no_go():
        pytest.skip(why)
    folder = tmp_path / "consumer"
    folder.mkdir()
    consumer = go_packages.Consumer(folder, made_packages.found("go"), made_packages.MODULES)
    consumer.go("get", f"{go_packages.MODULE}@v{package_stage.version()}")
    (folder / "hybrid").mkdir()
    shutil.copy(root / "bindings/tests/go_hybrid.go", folder / "hybrid")
    check(json.loads(consumer.go("run", "./hybrid", vectors / "hybrid.json")))


# --- JavaScript -----------------------------------------------------------------------------------


@pytest.fixture
def js_project(root, tmp_path):
    """A project that has the package and the programs of these tests."""
    if why := made_packages.why_no_js():
        pytest.skip(why)
    (archive,) = made_packages.found("js").glob("*.tgz")
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", archive, cwd=tmp_path)
    for program in (root / "bindings/tests").glob("js_h*.mjs"):
        shutil.copy(program, tmp_path)
    return tmp_path


def test_javascript(js_project, vectors):
    check(json.loads(run("node", js_project / "js_hybrid.mjs", vectors / "hybrid.json")))


def test_hpke(js_project):
    """Two libraries of others, each over our KEMs."""
    for name in ("hpke", "@hpke"):
        (js_project / "node_modules" / name).symlink_to(pack_js.tools() / name)
    said = run("node", js_project / "js_hpke.mjs").split()
    assert said[:2] == ["HQC-1", "HQC-3"] and {"HQC-1-X25519", "HQC-5-P256"} <= {*said}


# --- Rust -----------------------------------------------------------------------------------------


@long
def test_rust(root, vectors):
    """With the feature that the crate's other tests leave out, and an installed library."""
    if why := made_packages.why_no_rust():
        pytest.skip(why)
    made = made_packages.found("rust")
    crates = crates_in(made)
    (folder,) = [path.parent for path in (made / "installed").rglob("codekem.pc")]
    program = crates.add(root / "bindings/tests/rust_hybrid", "hybrid")
    text = crates.cargo(
        *["run", "--quiet", "--", vectors / "hybrid.json"],
        cwd=program,
        CARGO_TARGET_DIR=crates.target / "hybrid",
        CODEKEM_SYSTEM="1",
        PKG_CONFIG_PATH=folder,
        LD_LIBRARY_PATH=folder.parent,
    )
    check(json.loads(text.splitlines()[-1]))
