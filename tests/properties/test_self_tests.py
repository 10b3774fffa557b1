# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The self-tests as calls: what they find, what they leave, and that nobody else has their code."""

import subprocess

import pytest

from tests.c_library import aligned
from tests.library import STATUS
from tests.samples import flipped
from tests.wycheproof.hqc_model import Hqc
from tools import mistakes

# Of all libraries; those of Classic McEliece take seconds.
KEMS = ["BIKE-L1", "HQC-1", "HQC-128-2023"]


def memory_for(library, kem):
    return aligned(library.call["kem_self_test_workspace"](kem))


def self_test(library, kem):
    """Returns the status; the memory must be zero afterwards."""
    memory = memory_for(library, kem)
    memory[:] = b"\xa5" * len(memory)
    status = library.call["kem_self_test"](kem, memory, len(memory))
    used = kem.length_public_key + kem.length_secret_key + kem.length_ciphertext
    assert memory[:used] == bytes(used)
    return status


def check_pair(library, kem, public_key, secret_key):
    memory = memory_for(library, kem)
    return library.call["kem_check_pair"](kem, public_key, secret_key, memory, len(memory))


@pytest.mark.parametrize("name", KEMS)
def test_every_back_end_passes(name, backend_name, internals):
    kem = internals.kem(name, "legacy_" if name.endswith("2023") else "")
    with internals.backend(backend_name):
        assert self_test(internals, kem) == STATUS.OK


@pytest.mark.long
def test_every_kem_passes(internals):
    kems = [kem for of in ("", "legacy_", "mceliece_") for kem in internals.kems(of)]
    assert len(kems) == 44
    for kem in kems:
        assert self_test(internals, kem) == STATUS.OK, kem.name


@pytest.mark.parametrize("level", [1, 3, 5])
@pytest.mark.parametrize("tag", [False, True])
def test_answers_are_those_of_the_model(level, tag, root):
    """The bytes of a rejected secret, which the library gave, are the model's, too."""
    model = Hqc(level, tag)
    public_key, secret_key = model.keypair(bytes(range(32)))
    drawn = bytes(255 - i for i in range(model.k + 16))
    ciphertext, _ = model.encaps(public_key, drawn)
    rejected = model.decaps(secret_key, flipped(ciphertext, 0, 1))
    text = (root / "src/kem/self_test.c").read_text(encoding="utf-8")
    _, _, answer = text.partition(f'{{"{model.name}",')
    assert answer.partition("}")[0].split('"')[-2] == rejected[:8].hex()


@pytest.mark.parametrize("mistake", mistakes.cases("properties/comparison"))
def test_a_skipped_comparison_is_noticed(mistake, broken_library):
    library = broken_library(mistake)
    assert self_test(library, library.kem(mistake.name)) == STATUS.ERROR_INTERNAL


@pytest.mark.parametrize("mistake", mistakes.cases("properties/self-test"))
def test_each_step_is_needed(mistake, broken_library):
    """A library that is wrong in one step alone."""
    library = broken_library(mistake)
    assert self_test(library, library.kem("HQC-1")) == STATUS.ERROR_INTERNAL


@pytest.mark.parametrize("name", ["BIKE-L1", "HQC-1"])
def test_pairs_that_do_not_fit_are_noticed(name, library, exchange):
    kem, public_key, secret_key, _, _ = exchange(name)
    other_public_key, other_secret_key = library.keypair(kem)
    assert check_pair(library, kem, public_key, secret_key) == STATUS.OK
    assert check_pair(library, kem, other_public_key, other_secret_key) == STATUS.OK
    for pair in [(public_key, other_secret_key), (other_public_key, secret_key)]:
        assert check_pair(library, kem, *pair) == STATUS.ERROR_SECRET_KEY


def test_programs_without_self_tests_have_none(build, tmp_path):
    """A static library brings no byte of them where nothing calls them."""
    source = tmp_path / "program.c"
    source.write_text(
        '#include "codekem.h"\n'
        "int main(void) { static uint8_t p[9000], s[9000];"
        ' return codekem_kem_keypair(codekem_kem_find("HQC-1"), p, s); }\n'
    )
    archive = build("gcc") / "libcodekem.a"
    command = ["gcc", "-std=c11", "-Iinclude", source, archive, "-o", tmp_path / "program"]
    subprocess.run(command, check=True)
    said = subprocess.run(
        ["nm", tmp_path / "program"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    assert "codekem_kem_keypair" in said
    assert "self_test" not in said and "check_pair" not in said
