# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The framework UG of draft-irtf-cfrg-hybrid-kems-12 in Python's integers, over any KEM: what the
vectors in tests/vectors/hybrid.json come from, and what the tests of hybrids compare with.

Nothing here is constant time, or shares code with what it tests. `kem` is an object with the name,
the lengths of its seeds, and keypair(seed), encaps(public_key, seed), decaps(secret_key,
ciphertext) on bytes; they return (public_key, secret_key), (ciphertext, secret) and the secret.
"""

import hashlib

SEED = 32


class Refused(ValueError):
    """These bytes are no element of the group, or no scalar can be drawn from a seed."""


class X25519:
    """The nominal group Curve25519: Montgomery's ladder of RFC 7748, with one inversion."""

    name, seed_length, element_length = "X25519", 32, 32
    prime = 2**255 - 19

    def scalar(self, seed):
        return seed

    def element(self, scalar):
        return self.secret((9).to_bytes(32, "little"), scalar)

    def secret(self, element, scalar):
        p = self.prime
        k = int.from_bytes(scalar, "little") & (2**254 - 8) | 2**254
        u = int.from_bytes(element, "little") % 2**255 % p
        x2, z2, x3, z3 = 1, 0, u, 1
        for bit in range(254, -1, -1):
            if k >> bit & 1:
                x2, z2, x3, z3 = x3, z3, x2, z2
            plus, minus = (x2 + z2) ** 2, (x2 - z2) ** 2
            one, other = (x3 - z3) * (x2 + z2), (x3 + z3) * (x2 - z2)
            x3, z3 = (one + other) ** 2 % p, u * (one - other) ** 2 % p
            x2, z2 = plus * minus % p, (plus - minus) * (plus + 121665 * (plus - minus)) % p
            if k >> bit & 1:
                x2, z2, x3, z3 = x3, z3, x2, z2
        return (x2 * pow(z2, p - 2, p) % p).to_bytes(32, "little")


class P256:
    """P-256 in affine coordinates; elements are uncompressed points of SEC 1."""

    name, seed_length, element_length = "P256", 128, 65
    prime = 2**256 - 2**224 + 2**192 + 2**96 - 1
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    b = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
    generator = (
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    )

    def scalar(self, seed):
        """The first of four candidates that is in range."""
        for start in range(0, self.seed_length, 32):
            candidate = seed[start : start + 32]
            if 0 < int.from_bytes(candidate) < self.order:
                return candidate
        raise Refused("no candidate is in range")

    def _add(self, one, other):
        p = self.prime
        if one is None or other is None:
            return other if one is None else one
        if one[0] == other[0]:
            if (one[1] + other[1]) % p == 0:
                return None
            slope = 3 * (one[0] ** 2 - 1) * pow(2 * one[1], -1, p)  # a = -3
        else:
            slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, p)
        x = (slope**2 - one[0] - other[0]) % p
        return x, (slope * (one[0] - x) - one[1]) % p

    def _multiply(self, point, scalar):
        result = None
        for bit in f"{int.from_bytes(scalar):b}":
            result = self._add(result, result)
            if bit == "1":
                result = self._add(result, point)
        assert result is not None  # the order is prime
        return result

    def element(self, scalar):
        x, y = self._multiply(self.generator, scalar)
        return b"\x04" + x.to_bytes(32) + y.to_bytes(32)

    def secret(self, element, scalar):
        x, y = int.from_bytes(element[1:33]), int.from_bytes(element[33:])
        on_curve = (y**2 - x**3 + 3 * x - self.b) % self.prime == 0
        if len(element) != 65 or element[0] != 4 or max(x, y) >= self.prime or not on_curve:
            raise Refused("this is no point of P-256")
        return self._multiply((x, y), scalar)[0].to_bytes(32)


GROUPS = {group.name: group for group in (X25519(), P256())}


class Hybrid:
    """A KEM and a group as one KEM. A decapsulation key is its seed."""

    def __init__(self, kem, group):
        self.kem, self.group = kem, group
        self.name = f"{kem.name}-{group.name}"
        self.label = f"codekem-{self.name}-UG-v0"
        self.encaps_seed_length = kem.encaps_seed_length + group.seed_length

    def _expand(self, seed):
        length = self.kem.keypair_seed_length
        stream = hashlib.shake_256(seed).digest(length + self.group.seed_length)
        ek_pq, dk_pq = self.kem.keypair(stream[:length])
        scalar = self.group.scalar(stream[length:])
        return ek_pq, self.group.element(scalar), dk_pq, scalar

    def _combine(self, ss_pq, ss_t, ciphertext, public_key):
        parts = ss_pq, ss_t, ciphertext, public_key, self.label.encode()
        return hashlib.sha3_256(b"".join(parts)).digest()

    def public_key(self, seed):
        ek_pq, ek_t, _, _ = self._expand(seed)
        return ek_pq + ek_t

    def encaps(self, public_key, seed):
        """Returns (ciphertext, shared secret)."""
        length = len(public_key) - self.group.element_length
        ek_pq, ek_t = public_key[:length], public_key[length:]
        split = self.kem.encaps_seed_length
        scalar = self.group.scalar(seed[split:])
        ss_t = self.group.secret(ek_t, scalar)
        ct_pq, ss_pq = self.kem.encaps(ek_pq, seed[:split])
        ciphertext = ct_pq + self.group.element(scalar)
        return ciphertext, self._combine(ss_pq, ss_t, ciphertext, public_key)

    def decaps(self, seed, ciphertext):
        length = len(ciphertext) - self.group.element_length
        ek_pq, ek_t, dk_pq, scalar = self._expand(seed)
        ss_t = self.group.secret(ciphertext[length:], scalar)
        ss_pq = self.kem.decaps(dk_pq, ciphertext[:length])
        return self._combine(ss_pq, ss_t, ciphertext, ek_pq + ek_t)
