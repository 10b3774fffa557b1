# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Randomness from the caller and from the operating system, and what happens when it fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.c_library import FFI
from tests.library import STATUS, options
from tests.samples import buffers, run_python


class Source:
    """A source of randomness that notes what it was asked."""

    def __init__(self, data=b"", works=True):
        self.requests = []
        self._data, self._works = data, works

    def fill(self, context, out, length):
        self.requests.append((int(FFI.cast("uintptr_t", context)), length))
        FFI.memmove(out, (self._data + b"\x5a" * length)[:length], length)
        return self._works


@given(seed=st.binary(min_size=64, max_size=64))
def test_random_forms_are_the_seeded_forms(kem_name, seed, library):
    kem = library.kem(kem_name)
    source = Source(seed)
    keypair_seed, encaps_seed = seed[: kem.length_keypair_seed], seed[: kem.length_encaps_seed]
    out = buffers(kem)
    library.check(
        library.call["kem_keypair_with"](
            kem,
            out["public_key"],
            out["secret_key"],
            options(random=source.fill, random_context=FFI.cast("void *", 77)),
        )
    )
    assert (bytes(out["public_key"]), bytes(out["secret_key"])) == library.keypair(
        kem, keypair_seed
    )
    library.check(
        library.call["kem_encaps_with"](
            kem,
            out["ciphertext"],
            out["shared_secret"],
            out["public_key"],
            options(random=source.fill, random_context=FFI.cast("void *", 78)),
        )
    )
    assert (bytes(out["ciphertext"]), bytes(out["shared_secret"])) == library.encaps(
        kem, bytes(out["public_key"]), encaps_seed
    )
    assert [context for context, _ in source.requests] == [77, 78]
    if kem_name.startswith("BIKE"):
        assert [length for _, length in source.requests] == [64, 64]


def test_failing_source_fails_the_call(kem_name, library, exchange):
    kem, public_key, *_ = exchange(kem_name)
    source = Source(works=False)
    out = buffers(kem)
    drawing = options(random=source.fill)
    status = library.call["kem_keypair_with"](kem, out["public_key"], out["secret_key"], drawing)
    assert status == STATUS.ERROR_RANDOM
    status = library.call["kem_encaps_with"](
        kem, out["ciphertext"], out["shared_secret"], public_key, drawing
    )
    assert status == STATUS.ERROR_RANDOM
    assert all(bytes(data) == bytes(len(data)) for data in out.values())
    assert len(source.requests) == 2


@pytest.fixture
def preloaded(build):
    """preloaded(target) returns what LD_PRELOAD names, for a library of system_source.c."""
    return lambda target: str(build("gcc", targets=[target]) / "tests" / f"lib{target}.so")


def test_failing_system_source_is_reported(build, preloaded):
    """With a getrandom that fails, keypair and encaps say so and leave zeros."""
    script = (
        "import sys; from tests.library import *\n"
        "library = Library(sys.argv[1]); kem = library.kem('BIKE-L1')\n"
        "public_key, secret_key = library.keypair(kem, bytes(64))\n"
        "a, b = bytearray(b'x' * 1541), bytearray(b'x' * 5223)\n"
        "print(library.call['kem_keypair'](kem, a, b), not any(a), not any(b))\n"
        "c, s = bytearray(b'x' * 1573), bytearray(b'x' * 32)\n"
        "print(library.call['kem_encaps'](kem, c, s, public_key), not any(c), not any(s))\n"
    )
    done = run_python(
        script, build("gcc"), LD_PRELOAD=preloaded("failing_source"), PYTHONHASHSEED="0"
    )
    assert done.stdout.split() == [str(STATUS.ERROR_RANDOM), "True", "True"] * 2, done.stderr


def test_interrupted_and_short_system_source_is_asked_again(build, preloaded):
    """getrandom may be interrupted or return fewer bytes; both are normal."""
    script = (
        "import sys; from tests.library import *\n"
        "library = Library(sys.argv[1]); kem = library.kem('BIKE-L1')\n"
        "print(library.keypair(kem) == library.keypair(kem, b'\\x42' * 64))\n"
    )
    done = run_python(
        script, build("gcc"), LD_PRELOAD=preloaded("short_source"), PYTHONHASHSEED="0"
    )
    assert done.stdout.split() == ["True"], done.stderr
