# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What codekem.hybrid takes and refuses; test_hybrid.py runs it where the package is installed, and
nothing else is."""

import pickle

from codekem.hybrid import Hybrid, HybridPrivateKey

HYBRID = Hybrid("HQC-1")
KEY = HYBRID.generate()
PUBLIC = KEY.public_bytes_raw()
SECRET, CIPHERTEXT = HYBRID.encapsulate(bytearray(PUBLIC))


def refuses(kind, call, *arguments):
    try:
        call(*arguments)
    except kind:
        return True
    return False


def any_buffer_is_taken():
    assert KEY.decapsulate(memoryview(CIPHERTEXT)) == SECRET
    again = HYBRID.from_seed_bytes(bytearray(KEY.private_bytes_raw()))
    assert again.decapsulate(CIPHERTEXT) == SECRET
    assert (len(PUBLIC), len(CIPHERTEXT)) == (2273, 4465)
    assert len(CIPHERTEXT) == HYBRID.length_ciphertext


def what_is_wrong_is_a_value_error():
    assert refuses(ValueError, Hybrid, "HQC-2")
    assert refuses(ValueError, Hybrid, "HQC-1", "P384")
    assert refuses(ValueError, HYBRID.from_seed_bytes, bytes(31))
    assert refuses(ValueError, HYBRID.encapsulate, PUBLIC[:-1])
    unused_bits = bytes(2240) + b"\xff" + bytes(32)
    assert refuses(ValueError, HYBRID.encapsulate, unused_bits)
    assert refuses(ValueError, HYBRID.encapsulate, PUBLIC, bytes(63))
    assert refuses(ValueError, KEY.decapsulate, CIPHERTEXT + b"\0")


def other_types_are_type_errors():
    assert refuses(TypeError, KEY.decapsulate, "text")
    assert refuses(TypeError, pickle.dumps, KEY)
    assert refuses(TypeError, HybridPrivateKey)


def nothing_of_a_key_is_shown():
    assert KEY.private_bytes_raw().hex() not in repr(KEY) + str(KEY)
    assert pickle.loads(pickle.dumps(HYBRID)).label == HYBRID.label


any_buffer_is_taken()
what_is_wrong_is_a_value_error()
other_types_are_type_errors()
nothing_of_a_key_is_shown()
