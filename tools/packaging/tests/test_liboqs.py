# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC for liboqs: what its importer gets, and the glue; with a checkout of liboqs, the whole."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from tools import known_answers
from tools.packaging import liboqs, vendor
from tools.source_folders import include_options

HERE = pathlib.Path(__file__).resolve().parent
# Where tests find checkouts of others. Nothing of them is fetched or changed.
CHECKOUT = "CODEKEM_LIBOQS_SOURCE"
PROVIDER = "CODEKEM_OQSPROVIDER_SOURCE"
WRAPPER = "CODEKEM_LIBOQS_PYTHON"
# oqs-provider's tests want a signature, too.
BUILT = [*(f"KEM_hqc_{level}" for level in liboqs.LEVELS), "KEM_ml_kem_768", "SIG_ml_dsa_44"]
# Tests of liboqs-python are generators, as nose2 takes them.
RUNNER = """
import inspect
from tests import test_kem
for name, test in inspect.getmembers(test_kem, inspect.isfunction):
    if name.startswith("test_"):
        for check, *arguments in test() or []:
            check(*arguments)
            print(name, *arguments)
"""


def run(*command, **options):
    """Runs a command that must succeed; returns what it printed."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def upstream(tmp_path_factory):
    folder = tmp_path_factory.mktemp("upstream")
    liboqs.write_upstream(folder, liboqs.stored_digests())
    return folder


@pytest.fixture(scope="module")
def core(upstream, need):
    """What all sets share, compiled."""
    compiled = upstream / "core.o"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O0", f"-I{HERE / 'liboqs'}"]
    run(need("gcc"), *flags, "-c", upstream / "hqc_codekem.c", "-o", compiled)
    return compiled


def test_metadata_name_files_and_lengths_that_are_there(upstream):
    common = yaml.safe_load((upstream / "META_Common.yml").read_text())["commons"][0]
    glue = (upstream / "oqs_glue.c").read_text()
    for level in liboqs.LEVELS:
        said = yaml.safe_load((upstream / f"HQC-{level}_META.yml").read_text())
        first = known_answers.read_records(f"HQC-{level}")[0]
        assert said["length-ciphertext"] == len(first["ct"])
        assert said["length-secret-key"] == len(first["sk"])
        for one in said["implementations"]:
            assert one["common_dep"] == common["name"]
            for name in f"{one['sources']} {common['sources']}".split():
                assert (upstream / name).is_file()
            assert one["signature_enc"] == f"hqc_codekem_{level}_enc"
    assert "hqc_codekem_##level##_##operation" in glue


@pytest.mark.parametrize("level", liboqs.LEVELS)
def test_glue_gives_the_known_answers_and_releases_all_states(
    level, upstream, core, build, tmp_path
):
    """Beside a small liboqs: its SHA-3 is our library's, and counts the states that are open."""
    library = build("gcc", targets=["codekem_static"]) / "libcodekem.a"
    own = tmp_path / "glue"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{upstream}", f"-I{HERE / 'liboqs'}"]
    flags += [f"-DHQC_LEVEL={level}"]
    objects = [core, tmp_path / "glue.o", tmp_path / "small.o"]
    run("gcc", *flags, "-c", upstream / "oqs_glue.c", "-o", objects[1])
    run("gcc", *flags, *include_options(), "-c", HERE / "liboqs" / "small.c", "-o", objects[2])
    main = HERE / "liboqs" / "exchange.c"
    run("gcc", *flags, main, *objects, library, "-o", own)
    for record in known_answers.read_records(f"HQC-{level}")[:2]:
        seeds = known_answers.record_seeds(f"HQC-{level}", record)
        lines = run(own, *[seed.hex() for seed in seeds]).split()
        digests = [hashlib.sha256(record[field]).hexdigest() for field in ("pk", "sk", "ct", "ss")]
        assert [hashlib.sha256(bytes.fromhex(line)).hexdigest() for line in lines] == digests


def checkout_of(variable):
    """Returns the checkout that a variable of the environment names."""
    place = os.environ.get(variable)
    if place is None:
        pytest.skip(f"{variable} names no checkout")
    return pathlib.Path(place).resolve()


@pytest.fixture(scope="module")
def ours(need, tmp_path_factory):
    """liboqs with our HQC: checkout, build/ and, installed, place/."""
    folder = tmp_path_factory.mktemp("liboqs")
    shutil.copytree(checkout_of(CHECKOUT), folder / "checkout", symlinks=True)
    run(
        pathlib.Path(vendor.ROOT, ".venv", "bin", "python"),
        *("-m", "tools.packaging.liboqs", "import", folder / "checkout", folder / "upstream"),
        cwd=vendor.ROOT,
    )
    options = [f"-DOQS_MINIMAL_BUILD={';'.join(BUILT)}", "-DOQS_USE_OPENSSL=OFF"]
    options += ["-DBUILD_SHARED_LIBS=ON", f"-DCMAKE_INSTALL_PREFIX={folder / 'place'}"]
    options += ["-DCMAKE_INSTALL_LIBDIR=lib"]
    configure = [need("cmake"), "-G", "Ninja", "-S", folder / "checkout", "-B", folder / "build"]
    run(*configure, *options)
    run("ninja", "-C", folder / "build", "oqs", "tests/kat_kem", "tests/test_kem")
    run("cmake", "--install", folder / "build")
    return folder


@pytest.mark.long
def test_liboqs_with_our_hqc_passes_its_known_answers(ours):
    kats = yaml.safe_load((ours / "checkout/tests/KATs/kem/kats.json").read_text())
    for level in liboqs.LEVELS:
        text = run(ours / "build/tests/kat_kem", f"HQC-{level}", "--all")
        assert hashlib.sha256(text.encode()).hexdigest() == kats[f"HQC-{level}"]["all"]
        run(ours / "build/tests/test_kem", f"HQC-{level}")


@pytest.mark.long
def test_oqs_provider_passes_its_tests_on_it(ours, need, tmp_path):
    configure = [need("cmake"), "-G", "Ninja", "-S", checkout_of(PROVIDER), "-B", tmp_path]
    found = f"-Dliboqs_DIR={ours / 'place/lib/cmake/liboqs'}"
    run(*configure, found, "-DCMAKE_BUILD_TYPE=Release")
    run("ninja", "-C", tmp_path)
    environment = os.environ | {"LD_LIBRARY_PATH": str(ours / "place/lib")}
    text = run("ctest", "--output-on-failure", "--verbose", cwd=tmp_path, env=environment)
    assert "100% tests passed" in text
    for level in liboqs.LEVELS:
        for what in ("KEM test", "TLS-KEM handshake test"):
            assert re.search(rf"{what} succeeded: hqc{level}\b", text)


@pytest.mark.long
def test_liboqs_python_passes_its_tests_on_it(ours, tmp_path):
    checkout = checkout_of(WRAPPER)
    environment = os.environ | {"OQS_INSTALL_PATH": str(ours / "place")}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(checkout)}
    text = run(sys.executable, "-W", "ignore", "-c", RUNNER, cwd=tmp_path, env=environment)
    for level in liboqs.LEVELS:
        assert f"test_correctness HQC-{level}\n" in text
        assert f"test_wrong_ciphertext HQC-{level}\n" in text
