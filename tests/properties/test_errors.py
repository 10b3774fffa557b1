# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bad arguments: each gives its status, and the outputs are zeroed."""

import pytest

from tests.c_library import aligned, source
from tests.library import STATUS, in_workspace
from tests.samples import buffers, counting, dirty

# Calls, their outputs and their inputs, in the order of the arguments.
CALLS = {
    "kem_keypair": (["public_key", "secret_key"], []),
    "kem_encaps": (["ciphertext", "shared_secret"], ["public_key"]),
    "kem_decaps": (["shared_secret"], ["ciphertext", "secret_key"]),
    "kem_derive_public_key": (["public_key"], ["secret_key"]),
}


@pytest.mark.parametrize("call", CALLS)
def test_null_pointers_are_refused_and_outputs_zeroed(kem_name, call, library, exchange):
    kem, public_key, secret_key, ciphertext, _ = exchange(kem_name)
    inputs = {"public_key": public_key, "secret_key": secret_key, "ciphertext": ciphertext}
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


# --- The caller's memory --------------------------------------------------------------------------

# Calls, their outputs and their inputs.
WITH_MEMORY = {
    "keypair": (["public_key", "secret_key"], []),
    "encaps": (["ciphertext", "shared_secret"], ["public_key"]),
    "decaps": (["shared_secret"], ["ciphertext", "secret_key"]),
    "check_secret_key": ([], ["secret_key"]),
    "derive_public_key": (["public_key"], ["secret_key"]),
}
# What else is in their options: from a seed or a source, the same.
COUNTING = {
    "keypair": {"random": source(counting)},
    "encaps": {"random": source(lambda length: counting(length, 100))},
}
OPERATIONS = [*WITH_MEMORY, "keypair from a source", "encaps from a source"]


class Call:
    """A call of one operation, which is run with memory and its length."""

    def __init__(self, library, exchange_data, operation):
        self.kem, *fields = exchange_data
        self.expected = dict(
            zip(["public_key", "secret_key", "ciphertext", "shared_secret"], fields, strict=True)
        )
        name, _, drawn = operation.partition(" from ")
        self.outs, ins = WITH_MEMORY[name]
        self.out = buffers(self.kem)
        self._inputs = [self.expected[field] for field in ins]
        self._call = library.call[f"kem_{name}_with"]
        seeds = {
            "keypair": {"seed": counting(self.kem.length_keypair_seed)},
            "encaps": {"seed": counting(self.kem.length_encaps_seed, 100)},
        }
        self._members = (COUNTING if drawn else seeds).get(name, {})
        length = name if name in COUNTING or name == "decaps" else "check"
        self.needed = getattr(self.kem, f"length_{length}_workspace")

    def run(self, memory, length):
        chosen = in_workspace(memory, length, **self._members)
        return self._call(self.kem, *(self.out[f] for f in self.outs), *self._inputs, chosen)


def check_workspace(library, data, operation, backend_name):
    call = Call(library, data, operation)
    guard = 64
    memory = aligned(call.needed + guard)
    memory[:] = dirty(call.needed + guard)
    with library.backend(backend_name):
        assert call.run(memory, call.needed) == STATUS.OK
    for field in call.outs:
        assert bytes(call.out[field]) == call.expected[field]
    assert bytes(memory[: call.needed]) == bytes(call.needed)
    assert bytes(memory[call.needed :]) == b"\xa5" * guard


@pytest.mark.parametrize("operation", ["keypair", "encaps", "decaps"])
def test_workspace_gives_the_same_results_and_is_wiped(
    kem_name, operation, backend_name, library, exchange
):
    check_workspace(library, exchange(kem_name), operation, backend_name)


@pytest.mark.parametrize("operation", OPERATIONS[3:])
def test_workspace_of_other_calls_is_wiped(
    kem_name, operation, fast_backend_name, library, exchange
):
    check_workspace(library, exchange(kem_name), operation, fast_backend_name)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_unfit_workspace_is_refused(kem_name, operation, library, exchange):
    call = Call(library, exchange(kem_name), operation)
    needed, out = call.needed, call.out
    memory = aligned(needed + 64)
    for length, offset in [(needed - 1, 0), (0, 0), (needed, 8), (needed, 32), (needed, 1)]:
        for field in call.outs:
            out[field][:] = dirty(len(out[field]))
        assert call.run(memory[offset:], length) == STATUS.ERROR_WORKSPACE
        assert all(bytes(out[field]) == bytes(len(out[field])) for field in call.outs)
    assert call.run(None, needed) == STATUS.ERROR_OPTIONS
