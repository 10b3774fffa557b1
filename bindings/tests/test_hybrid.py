# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hybrids in each language give what tests/vectors/hybrid.json says.

A program gets the path of that file and prints a list in JSON, with an object for each vector:
label, public_key_sha256, ciphertext_sha256, shared_secret, and the lists altered and keys, which
have the secrets in hexadecimal, or null where the package has raised an error.
"""

import importlib
import json
import shutil
import subprocess
import sys

import pytest

from bindings.tests import go_packages, made_packages
from tests.hybrid_program import vectors
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


def run(*command, **options):
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout


# --- Python ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site():
    """Where the package is installed."""
    (found,) = made_packages.found("python").glob("environment/lib/python3*/site-packages")
    return found


@pytest.fixture
def hybrid(site):
    """codekem.hybrid, imported here, where cryptography is."""
    sys.path.insert(0, str(site))
    try:
        return importlib.import_module("codekem.hybrid")
    finally:
        sys.path.remove(str(site))


def test_python(site, root, vectors):
    program = root / "bindings/tests/python_hybrid.py"
    check(
        json.loads(run(sys.executable, program, vectors / "hybrid.json", env={"PYTHONPATH": site}))
    )


def test_misuse_in_python_is_refused(hybrid):
    one = hybrid.Hybrid("HQC-1")
    key = one.generate()
    assert (len(key.public_bytes_raw()), one.length_ciphertext) == (2273, 4465)
    secret, ciphertext = one.encapsulate(bytearray(key.public_bytes_raw()))
    assert key.decapsulate(memoryview(ciphertext)) == secret
    assert one.from_seed_bytes(key.private_bytes_raw()).decapsulate(ciphertext) == secret
    for call, argument in [
        (hybrid.Hybrid, "HQC-2"),
        (one.from_seed_bytes, bytes(31)),
        (one.encapsulate, key.public_bytes_raw()[:-1]),
        (one.encapsulate, bytes(2240) + b"\xff" + bytes(32)),  # unused bits of the KEM's
        (key.decapsulate, ciphertext + b"\0"),
        (lambda group: hybrid.Hybrid("HQC-1", group), "P384"),
        (lambda seed: one.encapsulate(key.public_bytes_raw(), seed), bytes(63)),
    ]:
        with pytest.raises(ValueError, match=r"."):
            call(argument)
    with pytest.raises(TypeError):
        key.decapsulate("text")
    with pytest.raises(TypeError):
        hybrid.HybridPrivateKey()
    with pytest.raises(TypeError):
        key.__reduce__()
    assert key.private_bytes_raw().hex() not in repr(key)


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
