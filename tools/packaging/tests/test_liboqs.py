# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Our KEMs for liboqs: what its importer gets, the glue; with a checkout of liboqs, the whole."""

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
from tools.packaging.liboqs_families import BIKE, FAMILIES, HQC, IMPORTED, write_upstream
from tools.source_folders import include_options

HERE = pathlib.Path(__file__).resolve().parent
# Where tests find checkouts of others. Nothing of them is fetched or changed.
CHECKOUT = "CODEKEM_LIBOQS_SOURCE"
PROVIDER = "CODEKEM_OQSPROVIDER_SOURCE"
WRAPPER = "CODEKEM_LIBOQS_PYTHON"
SETS = [(family, one) for family in FAMILIES.values() for one in family.sets]
# oqs-provider's tests want a signature, too.
BUILT = [f"KEM_{family.name}_{one.scheme}" for family, one in SETS]
BUILT += ["KEM_ml_kem_768", "SIG_ml_dsa_44"]
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
    write_upstream(folder)
    return folder


def test_metadata_name_files_and_lengths_that_are_there(upstream):
    shared = yaml.safe_load((upstream / "META_Common.yml").read_text())["commons"]
    commons = {one["name"]: one for one in shared}
    for one in [one for family, one in SETS if family in IMPORTED]:
        said = yaml.safe_load((upstream / f"{one.method}_META.yml").read_text())
        assert {name: said[name] for name in one.lengths} == one.lengths
        for implementation in said["implementations"]:
            common = commons[implementation["common_dep"]]
            for name in f"{implementation['sources']} {common['sources']}".split():
                assert (upstream / implementation["folder_name"] / name).is_file()
            options = implementation["compile_opts"].split()
            assert (
                f"-DOQS_PREFIX={implementation['signature_enc'].removesuffix('_encaps')}" in options
            )
            assert f"-DOQS_METHOD={one.kem}" in options


@pytest.mark.parametrize("one", HQC.sets + BIKE.sets, ids=lambda one: one.kem)
def test_digests_are_those_of_the_vectors(one):
    """liboqs counts the first record, without the blank lines around it."""
    family = HQC if one in HQC.sets else BIKE
    path = vendor.ROOT / "tests" / "vectors" / family.scheme / f"{one.kem}.rsp"
    record = path.read_bytes().splitlines(keepends=True)[2:8]
    assert hashlib.sha256(b"".join(record)).hexdigest() == family.digests()[one.method]


def seeds_of(kem, record):
    """Returns what the two operations draw: BIKE's encapsulation 64 bytes, of which it uses 32."""
    keypair, encaps = known_answers.record_seeds(kem, record)
    return keypair, encaps + bytes(32) if kem.startswith("BIKE") else encaps


@pytest.mark.parametrize(
    "family", [HQC, pytest.param(BIKE, marks=pytest.mark.long)], ids=lambda family: family.scheme
)
def test_glue_gives_the_known_answers_and_releases_all_states(
    family, upstream, need, build, tmp_path
):
    """Beside a small liboqs: its SHA-3 is our library's, and counts the states that are open."""
    library = build("gcc", targets=["codekem_static"]) / "libcodekem.a"
    folder = upstream / family.scheme
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{folder}", f"-I{HERE / 'liboqs'}"]
    core, small, glue, own = (tmp_path / name for name in ("core.o", "small.o", "glue.o", "own"))
    run(need("gcc"), *flags, "-O0", "-c", folder / f"{family.prefix}.c", "-o", core)
    run("gcc", *flags, *include_options(), "-c", HERE / "liboqs" / "small.c", "-o", small)
    for one in family.sets:
        flags_of = [*flags, *family.definitions(one, f"oqs_{one.scheme}")]
        run("gcc", *flags_of, "-c", folder / "oqs_glue.c", "-o", glue)
        flags_of += [f'-DHEADER="{family.prefix}.h"', f"-DCOPY={family.prefix}"]
        main = HERE / "liboqs" / "exchange.c"
        run("gcc", *flags_of, main, core, small, glue, library, "-o", own)
        for record in known_answers.read_records(one.kem)[:2]:
            lines = run(own, *[seed.hex() for seed in seeds_of(one.kem, record)]).split()
            wanted = [record[field].hex() for field in ("pk", "sk", "ct", "ss")]
            assert lines == wanted


def test_a_scheme_that_is_not_there_is_refused(tmp_path):
    command = [sys.executable, "-m", "tools.packaging.liboqs", "import"]
    done = subprocess.run(
        [*command, str(tmp_path), str(tmp_path / "upstream"), "kyber"],
        cwd=vendor.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        1,
        "liboqs: kyber: no scheme; there are hqc, mceliece, bike\n",
    )
    assert not (tmp_path / "upstream").exists()


def test_a_checkout_that_has_our_code_is_refused(tmp_path):
    (tmp_path / "src/kem/bike/codekem").mkdir(parents=True)
    with pytest.raises(ValueError, match="has our bike already"):
        liboqs.run_import(tmp_path, tmp_path / "upstream", [BIKE])


def checkout_of(variable):
    """Returns the checkout that a variable of the environment names."""
    place = os.environ.get(variable)
    if place is None:
        pytest.skip(f"{variable} names no checkout")
    return pathlib.Path(place).resolve()


@pytest.fixture(scope="module")
def ours(need, tmp_path_factory):
    """liboqs with our KEMs: checkout, build/ and, installed, place/."""
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
@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.scheme)
def test_liboqs_passes_its_known_answers_with_our_code(family, ours):
    kats = yaml.safe_load((ours / "checkout/tests/KATs/kem/kats.json").read_text())
    names = run("nm", "-D", ours / "place/lib/liboqs.so")
    assert f"{family.prefix}_kem_encaps_with" in names
    for one in family.sets:
        assert family.digests()[one.method] == kats[one.method]["single"]
        text = run(ours / "build/tests/kat_kem", one.method, "--all")
        assert hashlib.sha256(text.encode()).hexdigest() == kats[one.method]["all"]
        run(ours / "build/tests/test_kem", one.method)


@pytest.mark.long
def test_oqs_provider_passes_its_tests_on_it(ours, need, tmp_path):
    configure = [need("cmake"), "-G", "Ninja", "-S", checkout_of(PROVIDER), "-B", tmp_path]
    found = f"-Dliboqs_DIR={ours / 'place/lib/cmake/liboqs'}"
    run(*configure, found, "-DCMAKE_BUILD_TYPE=Release")
    run("ninja", "-C", tmp_path)
    environment = os.environ | {"LD_LIBRARY_PATH": str(ours / "place/lib")}
    text = run("ctest", "--output-on-failure", "--verbose", cwd=tmp_path, env=environment)
    assert "100% tests passed" in text
    for kem in ("hqc1", "hqc3", "hqc5", "bikel1", "bikel3", "bikel5"):
        assert re.search(rf"KEM test succeeded: {kem}\b", text)
        # It has no code point for bikel1 in TLS by default.
        handshake = re.search(rf"TLS-KEM handshake test succeeded: {kem}\b", text)
        assert (handshake is None) == (kem == "bikel1")


@pytest.mark.long
def test_liboqs_python_passes_its_tests_on_it(ours, tmp_path):
    checkout = checkout_of(WRAPPER)
    environment = os.environ | {"OQS_INSTALL_PATH": str(ours / "place")}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(checkout)}
    text = run(sys.executable, "-W", "ignore", "-c", RUNNER, cwd=tmp_path, env=environment)
    for _, one in SETS:
        assert f"test_correctness {one.method}\n" in text
        assert f"test_wrong_ciphertext {one.method}\n" in text
