# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC for liboqs: what its importer gets, and the glue; with a checkout of liboqs, the whole."""

import hashlib
import os
import pathlib
import shutil
import subprocess

import pytest
import yaml

from tools import known_answers
from tools.packaging import liboqs, vendor
from tools.source_folders import include_options

HERE = pathlib.Path(__file__).resolve().parent
# Where tests find a checkout of liboqs, which they copy.
CHECKOUT = "CODEKEM_LIBOQS"


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


@pytest.mark.long
def test_liboqs_with_our_hqc_passes_its_known_answers(need, tmp_path):
    place = os.environ.get(CHECKOUT)
    if place is None:
        pytest.skip(f"{CHECKOUT} names no checkout of liboqs")
    checkout = tmp_path / "liboqs"
    shutil.copytree(place, checkout, symlinks=True)
    run(
        pathlib.Path(vendor.ROOT, ".venv", "bin", "python"),
        *("-m", "tools.packaging.liboqs", "import", checkout, tmp_path / "upstream"),
        cwd=vendor.ROOT,
    )
    sets = ";".join(f"KEM_hqc_{level}" for level in liboqs.LEVELS)
    options = [f"-DOQS_MINIMAL_BUILD={sets}", "-DOQS_USE_OPENSSL=OFF"]
    run(need("cmake"), "-G", "Ninja", "-S", checkout, "-B", tmp_path / "build", *options)
    run("ninja", "-C", tmp_path / "build", "tests/kat_kem", "tests/test_kem")
    kats = yaml.safe_load((checkout / "tests/KATs/kem/kats.json").read_text())
    for level in liboqs.LEVELS:
        text = run(tmp_path / "build/tests/kat_kem", f"HQC-{level}", "--all")
        assert hashlib.sha256(text.encode()).hexdigest() == kats[f"HQC-{level}"]["all"]
        run(tmp_path / "build/tests/test_kem", f"HQC-{level}")
