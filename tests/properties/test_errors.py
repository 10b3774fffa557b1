# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bad arguments: each gives its status, and the outputs are zeroed."""

import pytest

from tests.c_library import aligned, source
from tests.library import STATUS
from tests.samples import buffers, counting, dirty

# Calls, their outputs and their inputs, in the order of the arguments.
CALLS = {
    "kem_keypair": (["public_key", "secret_key"], []),
    "kem_encaps": (["ciphertext", "shared_secret"], ["public_key"]),
    "kem_decaps": (["shared_secret"], ["ciphertext", "secret_key"]),
    "kem_keypair_derand": (["public_key", "secret_key"], ["keypair_seed"]),
    "kem_encaps_derand": (["ciphertext", "shared_secret"], ["public_key", "encaps_seed"]),
    "kem_derive_public_key": (["public_key"], ["secret_key"]),
}


@pytest.mark.parametrize("call", CALLS)
def test_null_pointers_are_refused_and_outputs_zeroed(kem_name, call, library, exchange):
    kem, public_key, secret_key, ciphertext, _ = exchange(kem_name)
    inputs = {
        "public_key": public_key,
        "secret_key": secret_key,
        "ciphertext": ciphertext,
        "keypair_seed": bytes(kem.length_keypair_seed),
        "encaps_seed": bytes(kem.length_encaps_seed),
    }
    outs, ins = CALLS[call]
    for missing in outs + ins:
        out = buffers(kem)
        arguments = [None if field == missing else out[field] for field in outs]
        arguments += [None if field == missing else inputs[field] for field in ins]
        assert library.call[call](kem, *arguments) == STATUS.ERROR_NULL, missing
        for field in outs:
            if field != missing:
                assert bytes(out[field]) == bytes(len(out[field])), (missing, field)
    out = buffers(kem)
    arguments = [out[field] for field in outs] + [inputs[field] for field in ins]
    assert library.call[call](None, *arguments) == STATUS.ERROR_NULL


@pytest.mark.parametrize("check", ["public_key", "secret_key", "ciphertext"])
def test_checks_refuse_null(check, library):
    kem = library.kem("BIKE-L1")
    function = library.call[f"kem_check_{check}"]
    assert function(kem, None) == STATUS.ERROR_NULL
    assert function(None, bytes(kem.length_secret_key)) == STATUS.ERROR_NULL


def test_wipe_accepts_null_and_wipes(library):
    library.call["wipe"](None, 0)
    library.call["wipe"](None, 100)
    memory = dirty(100)
    library.call["wipe"](memory, 99)
    assert bytes(memory) == bytes(99) + b"\xa5"


OPERATIONS = ["keypair", "encaps", "decaps", "keypair_random", "encaps_random", "check", "derive"]


COUNT_FROM_0 = source(counting)
COUNT_FROM_100 = source(lambda length: counting(length, 100))


# --- The caller's memory --------------------------------------------------------------------------


def workspace_calls(library, kem, exchange_data):
    _, public_key, secret_key, ciphertext, _ = exchange_data
    out = buffers(kem)
    return {
        "keypair": (
            kem.length_keypair_workspace,
            lambda memory, length: library.call["kem_keypair_workspace"](
                kem,
                out["public_key"],
                out["secret_key"],
                counting(kem.length_keypair_seed),
                memory,
                length,
            ),
            ["public_key", "secret_key"],
        ),
        "encaps": (
            kem.length_encaps_workspace,
            lambda memory, length: library.call["kem_encaps_workspace"](
                kem,
                out["ciphertext"],
                out["shared_secret"],
                public_key,
                counting(kem.length_encaps_seed, 100),
                memory,
                length,
            ),
            ["ciphertext", "shared_secret"],
        ),
        "keypair_random": (
            kem.length_keypair_workspace,
            lambda memory, length: library.call["kem_keypair_random_workspace"](
                kem, out["public_key"], out["secret_key"], COUNT_FROM_0, None, memory, length
            ),
            ["public_key", "secret_key"],
        ),
        "encaps_random": (
            kem.length_encaps_workspace,
            lambda memory, length: library.call["kem_encaps_random_workspace"](
                kem,
                out["ciphertext"],
                out["shared_secret"],
                public_key,
                COUNT_FROM_100,
                None,
                memory,
                length,
            ),
            ["ciphertext", "shared_secret"],
        ),
        "check": (
            kem.length_check_workspace,
            lambda memory, length: library.call["kem_check_secret_key_workspace"](
                kem, secret_key, memory, length
            ),
            [],
        ),
        "derive": (
            kem.length_check_workspace,
            lambda memory, length: library.call["kem_derive_public_key_workspace"](
                kem, out["public_key"], secret_key, memory, length
            ),
            ["public_key"],
        ),
        "decaps": (
            kem.length_decaps_workspace,
            lambda memory, length: library.call["kem_decaps_workspace"](
                kem, out["shared_secret"], ciphertext, secret_key, memory, length
            ),
            ["shared_secret"],
        ),
    }, out


def check_workspace(library, data, operation, backend_name):
    kem, public_key, secret_key, ciphertext, shared = data
    calls, out = workspace_calls(library, kem, data)
    needed, call, fields = calls[operation]
    guard = 64
    memory = aligned(needed + guard)
    memory[:] = dirty(needed + guard)
    with library.backend(backend_name):
        assert call(memory, needed) == STATUS.OK
    expected = {
        "public_key": public_key,
        "secret_key": secret_key,
        "ciphertext": ciphertext,
        "shared_secret": shared,
    }
    for field in fields:
        assert bytes(out[field]) == expected[field]
    assert bytes(memory[:needed]) == bytes(needed)
    assert bytes(memory[needed:]) == b"\xa5" * guard


@pytest.mark.parametrize("operation", ["keypair", "encaps", "decaps"])
def test_workspace_gives_the_same_results_and_is_wiped(
    kem_name, operation, backend_name, library, exchange
):
    check_workspace(library, exchange(kem_name), operation, backend_name)


@pytest.mark.parametrize("operation", ["keypair_random", "encaps_random", "check", "derive"])
def test_workspace_of_other_calls_is_wiped(
    kem_name, operation, fast_backend_name, library, exchange
):
    check_workspace(library, exchange(kem_name), operation, fast_backend_name)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_unfit_workspace_is_refused(kem_name, operation, library, exchange):
    data = exchange(kem_name)
    calls, out = workspace_calls(library, data[0], data)
    needed, call, fields = calls[operation]
    memory = aligned(needed + 64)
    for length, offset in [(needed - 1, 0), (0, 0), (needed, 8), (needed, 32), (needed, 1)]:
        for field in fields:
            out[field][:] = dirty(len(out[field]))
        assert call(memory[offset:], length) == STATUS.ERROR_WORKSPACE
        assert all(bytes(out[field]) == bytes(len(out[field])) for field in fields)
    assert call(None, needed) == STATUS.ERROR_NULL
