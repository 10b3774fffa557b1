# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the packages, the provider and the command compare themselves: secrets in constant time,
and with what may end early public bytes alone. Checkers watch the library, and of these the crate
(bindings/tests/test_rust_comparison.py)."""

import re

from tests.rooms import need_room
from tools import house

WHERE = {
    "apps/command": "*.c*",
    "bindings/go": "*.go",
    "bindings/java/src/main": "*.java",
    "bindings/js": "*.js",
    "apps/key-encoding": "*.c",
    "apps/openssl-provider": "*.c",
    "bindings/python/src": "*.[cp]*",
    "bindings/rust": "*.rs",
}
NOT_SHIPPED = re.compile(
    r"benchmark/|node_modules/|/tests?/|_test\.go$|/examples/|bindings/js/test/|build\.rs$"
)

# What takes the same time for all contents, by file.
CONSTANT_TIME = {
    "apps/command/libcrypto_on_demand.c": ["CRYPTO_memcmp"],  # passed on
    "apps/command/pem.cpp": ["CRYPTO_memcmp"],
    "bindings/go/keys.go": ["subtle.ConstantTimeCompare"],
    "bindings/go/pkcs8.go": ["subtle.ConstantTimeCompare"],
    "bindings/java/src/main/java/io/github/codekem/CodekemPrivateKey.java": [
        "MessageDigest.isEqual"
    ],
    "bindings/js/hybrid.js": ["timingSafeEqual"],
    "apps/openssl-provider/key.c": ["CRYPTO_memcmp", "CRYPTO_memcmp"],
    "bindings/python/src/codekem/_keys.py": ["compare_digest"],
    "bindings/python/src/codekem/_native.cpp": ["difference | (secret_.data()[i] ^"],
    "bindings/rust/codekem/src/secret_bytes.rs": ["ct_eq(&other.0)", "ct_eq(other)"],
}
# What may end early, with the beginning of its arguments, which are public.
PUBLIC = {
    "apps/command/key_file.cpp": ["std::equal(data + checked"],  # a checksum
    "apps/command/pem.cpp": ["std::equal(beginning.begin()"],
    "bindings/go/keys.go": ["bytes.Equal(ek.bytes"],
    "bindings/go/pkcs8.go": ["bytes.Equal(parts.publicKey"],
    "bindings/java/src/main/java/io/github/codekem/CodekemKeyFactory.java": [
        "Arrays.equals(publicKey"
    ],
    "bindings/java/src/main/java/io/github/codekem/CodekemPublicKey.java": ["Arrays.equals(bytes"],
    "apps/openssl-provider/key.c": [
        *("memcmp(kem_public_key(key)", "memcmp(bytes", "memcmp(a->public_key"),
    ],
}
SAME_TIME = re.compile(
    r"CRYPTO_memcmp|subtle\.ConstantTimeCompare|MessageDigest\.isEqual|timingSafeEqual"
    r"|compare_digest|difference \| \(secret_\.data\(\)\[i\] \^|ct_eq\((?:other|&other\.0)\)"
)
EARLY = re.compile(
    r"(?<!CRYPTO_)\b(?:memcmp|bcmp|std::equal|std::mismatch|Arrays\.equals|bytes\.Equal"
    r"|reflect\.DeepEqual|slices\.Equal|\w+\.mismatch|Buffer\.compare)\([^,;\n]*"
)


def found_in(root, pattern):
    found = {}
    for folder, names in WHERE.items():
        for path in sorted((root / folder).rglob(names)):
            name = path.relative_to(root).as_posix()
            if path.is_file() and not NOT_SHIPPED.search(name):
                calls = pattern.findall(path.read_text(encoding="utf-8"))
                found |= {name: calls} if calls else {}
    return found


def there(expected):
    """Returns what is expected of the rooms that are there."""
    return {name: calls for name, calls in expected.items() if house.is_there(name)}


def test_secrets_are_compared_in_constant_time(root):
    assert found_in(root, SAME_TIME) == there(CONSTANT_TIME)


def test_what_may_end_early_compares_public_bytes(root):
    found = found_in(root, EARLY)
    assert found.keys() == there(PUBLIC).keys()
    for name, calls in found.items():
        assert len(calls) == len(PUBLIC[name]), calls
        for call, begin in zip(calls, PUBLIC[name], strict=True):
            assert call.startswith(begin), f"{name}: {call}"


def test_no_secret_of_the_crates_derives_an_equality(root):
    """That compares until a byte differs."""
    need_room("bindings")
    derived = re.compile(
        r"#\[derive\([^)]*\bPartialEq\b[^)]*\)\]\s*(?:#\[.*\]\s*)*"
        r"(?:pub\S* )?(?:struct|enum) ([$\w]+)"
    )
    found = found_in(root, derived)
    assert found == {
        "bindings/rust/codekem/src/bike.rs": ["$type"],
        "bindings/rust/codekem/src/bytes.rs": ["Public"],
        "bindings/rust/codekem/src/error.rs": ["Error"],
        "bindings/rust/codekem/src/hqc.rs": ["$type"],
        "bindings/rust/codekem/src/hybrid.rs": ["Group", "Hybrid"],  # names of KEM and group
        "bindings/rust/codekem/src/key_files.rs": ["PrivateKeyForm"],
        "bindings/rust/codekem/src/keys.rs": ["EncapsulationKey"],
    }
