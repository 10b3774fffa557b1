# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cases of HQC, as the model answers them. A case is (flag, comment, inputs and outputs,
result); NOTES in notes.py says what each flag is for."""

import hashlib
import itertools

from tests.wycheproof.hqc_model import SALT, SEED, Hqc, vector

VALID, INVALID, ACCEPTABLE = "valid", "invalid", "acceptable"
BASIC = 10


def drawn(label, length):
    """Returns bytes that follow from a label."""
    return hashlib.shake_256(f"codekem vectors: {label}".encode()).digest(length)


def flipped(data, *bits):
    out = bytearray(data)
    for bit in bits:
        out[bit // 8] ^= 1 << bit % 8
    return bytes(out)


def wrong_lengths(kem, part, data):
    """Yields (comment, data) of the lengths that a part must not have."""
    right = len(data)
    others = [getattr(Hqc(level), part) for level in (1, 3, 5) if level != kem.level]
    for length in (0, 1, SEED, right // 2, right - 1, right + 1, 2 * right, *others):
        yield f"{length} bytes instead of {right}", (data + data + data + data)[:length]


class Cases:
    """All cases of a KEM. found is a search.Found: which counters have the rare properties."""

    def __init__(self, kem, found):
        self.kem, self.found = kem, found
        self.seed = drawn(f"{kem.name} key pair", SEED)
        self.public_key, self.secret_key = kem.keypair(self.seed)
        self.other_seed = drawn(f"{kem.name} other key pair", SEED)
        self.other_public_key, self.other_secret_key = kem.keypair(self.other_seed)

    def message(self, label):
        """Returns message and salt."""
        return drawn(f"{self.kem.name} message {label}", self.kem.k + SALT)

    # --- key pairs from seeds ---

    def keygen(self):
        def case(flag, comment, seed):
            public_key, secret_key = self.kem.keypair(seed)
            return flag, comment, {"seed": seed, "ek": public_key, "dk": secret_key}, VALID

        for i in range(BASIC):
            yield case("Basic", "", drawn(f"{self.kem.name} seed {i}", SEED))
        for comment, seed in self.special_seeds():
            yield case("SpecialSeed", comment, seed)
        for flag, comment, seed in self.rare_seeds():
            yield case(flag, comment, seed)

    def special_seeds(self):
        yield "all bits zero", bytes(SEED)
        yield "all bits one", b"\xff" * SEED
        yield "bytes 0 to 31", bytes(range(SEED))
        for bit in (0, 7, 8, 63, 64, 255):
            yield f"bit {bit} alone", flipped(bytes(SEED), bit)

    def rare_seeds(self):
        """Yields flag, comment and seed: what the sampler by rejection meets for y, then x."""
        n, bound = self.kem.n, self.kem.bound

        def over(draws):
            return sum(candidate >= bound for candidate in draws[0])

        def repeats(draws):
            good = [candidate % n for candidate in draws[0] if candidate < bound]
            return len(good) - len(set(good))

        rare = [
            ("SamplerBound", f"y: candidate {bound}, the least that is rejected", bound),
            (
                "SamplerBound",
                f"y or x: candidate {bound - 1}, the greatest that is taken",
                bound - 1,
            ),
        ]
        # Of the tag nobody looked for them: it is for comparison.
        for flag, comment, candidate in () if self.kem.tag else rare:
            yield flag, comment.removeprefix("y: "), self.found.candidate(self.kem, candidate)
        wanted = {
            ("SamplerBound", "y: a candidate is rejected"): lambda y, x: over(y) == 1,
            ("SamplerBound", "x: a candidate is rejected"): lambda y, x: over(x) == 1,
            ("SamplerBound", "y and x: one candidate of each"): lambda y, x: over(y) and over(x),
            ("SamplerRepeat", "y has a repeat"): lambda y, x: repeats(y) == 1 and not repeats(x),
            ("SamplerRepeat", "x has a repeat"): lambda y, x: repeats(x) == 1 and not repeats(y),
            ("SamplerRepeat", "y and x have repeats"): lambda y, x: repeats(y) and repeats(x),
            ("SamplerRepeat", "y has two repeats"): lambda y, x: repeats(y) == 2,
            ("SamplerRepeat", "x has two repeats"): lambda y, x: repeats(x) == 2,
            ("SamplerRepeat", "y: three requests"): lambda y, x: y[2] >= 3,
            ("SamplerRepeat", "x: three requests"): lambda y, x: x[2] >= 3,
            ("SamplerEdge", "y has position 0"): lambda y, x: 0 in y[1],
            ("SamplerEdge", "x has position 0"): lambda y, x: 0 in x[1],
            ("SamplerEdge", f"y has position {n - 1}"): lambda y, x: n - 1 in y[1],
            ("SamplerEdge", f"x has position {n - 1}"): lambda y, x: n - 1 in x[1],
            ("SamplerEdge", "y and x share a position"): lambda y, x: set(y[1]) & set(x[1]),
            ("SamplerEdge", "y has neighbours"): lambda y, x: {p + 1 for p in y[1]} & set(y[1]),
        }
        for (flag, comment), has in wanted.items():
            if not (self.kem.tag and "three requests" in comment):  # it asks for whole batches
                yield flag, comment, self.found.seed(self.kem, comment, has)

    # --- encapsulation of a message and a salt ---

    def encaps(self):
        def case(flag, comment, public_key, message, result=VALID):
            ciphertext, secret = self.kem.encaps(public_key, message)
            values = {"ek": public_key, "m": message, "c": ciphertext, "K": secret}
            return flag, comment, values, result

        def refused(comment, public_key, message):
            values = {"ek": public_key, "m": message, "c": b"", "K": b""}
            return "WrongLength", comment, values, INVALID

        for i in range(BASIC):
            yield case("Basic", "", self.public_key, self.message(f"encaps {i}"))
        k = self.kem.k
        for message, salt in itertools.product((0, 255), repeat=2):
            comment = f"bytes of the message {message}, of the salt {salt}"
            text = bytes([message]) * k + bytes([salt]) * SALT
            yield case("SpecialMessage", comment, self.public_key, text)
        for bit in (0, 7, 8 * k - 1, 8 * k, 8 * (k + SALT) - 1):
            text = flipped(bytes(k + SALT), bit)
            yield case("SpecialMessage", f"bit {bit} alone", self.public_key, text)
        for flag, comment, message in self.rare_messages():
            yield case(flag, comment, self.public_key, message)
        message = self.message("special key")
        for comment, public_key, result in self.special_public_keys():
            yield case("SpecialPublicKey", comment, public_key, message, result)
        for comment, public_key in wrong_lengths(self.kem, "public_key", self.public_key):
            yield refused(f"public key: {comment}", public_key, message)
        for length in (0, k, k + SALT - 1, k + SALT + 1):
            yield refused(
                f"message and salt: {length} bytes instead of {k + SALT}",
                self.public_key,
                (message + message)[:length],
            )

    def rare_messages(self):
        """Yields flag, comment, message and salt: what the sampler of r2, e and r1 meets."""
        n, cut = self.kem.n, self.kem.code.bits

        def repeats(draws):
            return len(draws[0]) - len(set(draws[0]))

        for i, name in enumerate(("r2", "e", "r1")):
            wanted = {
                ("FixedRepeat", f"{name} has a repeat"): lambda d: repeats(d) == 1,
                ("FixedRepeat", f"{name} has two repeats"): lambda d: repeats(d) == 2,
                ("SamplerEdge", f"{name} has position 0"): lambda d: 0 in d[1],
                ("SamplerEdge", f"{name} has position {n - 1}"): lambda d: n - 1 in d[1],
            }
            if name == "e":
                comment = f"e has a position from {cut} on, which is cut off"
                wanted[("SamplerEdge", comment)] = lambda d: max(d[1]) >= cut
            for (flag, comment), has in wanted.items():
                counter = self.found.message(
                    self, comment, lambda draws, i=i, has=has: has(draws[i])
                )
                yield flag, comment, self.message(f"rare {counter}")

    def special_public_keys(self):
        """Yields comment, key and result: what no honest key is may be refused."""
        kem, seed, s = self.kem, self.public_key[:SEED], self.public_key[SEED:]
        element = kem.element
        yield "the seed is zero", bytes(SEED) + s, VALID
        yield "bits of the seed are one", b"\xff" * SEED + s, VALID
        yield "another seed", self.other_public_key[:SEED] + s, VALID
        yield "s is zero", seed + bytes(element), ACCEPTABLE
        yield "s is 1", seed + vector([0]).to_bytes(element, "little"), ACCEPTABLE
        top = vector([kem.n - 1]).to_bytes(element, "little")
        yield f"s is X^{kem.n - 1}", seed + top, ACCEPTABLE
        ones = ((1 << kem.n) - 1).to_bytes(element, "little")
        yield "all coefficients of s are 1", seed + ones, ACCEPTABLE
        for bit in (0, kem.n // 2, kem.n - 1):
            key = flipped(self.public_key, 8 * SEED + bit)
            yield f"coefficient {bit} of s is flipped", key, ACCEPTABLE
        key = flipped(self.public_key, 8 * SEED, 8 * SEED + kem.n - 1)
        yield "two coefficients of s are flipped", key, VALID
        for bit in range(kem.n, 8 * element):
            key = flipped(self.public_key, 8 * SEED + bit)
            yield f"unused bit {bit} of s is set", key, ACCEPTABLE
        bits = [8 * SEED + bit for bit in range(kem.n, 8 * element)]
        yield "all unused bits of s are set", flipped(self.public_key, *bits), ACCEPTABLE

    # --- decapsulation with the key pair of a seed ---

    def decaps_from_seed(self):
        kem = self.kem
        for i in range(BASIC):
            seed = drawn(f"{kem.name} seed {i}", SEED)
            public_key, secret_key = kem.keypair(seed)
            ciphertext, secret = kem.encaps(public_key, self.message(f"exchange {i}"))
            yield self.from_seed("Basic", "", ciphertext, (seed, public_key, secret_key), secret)
        for comment, seed in self.special_seeds():
            public_key, secret_key = kem.keypair(seed)
            ciphertext, secret = kem.encaps(public_key, self.message(comment))
            keys = seed, public_key, secret_key
            yield self.from_seed("SpecialSeed", comment, ciphertext, keys, secret)
        honest, _ = kem.encaps(self.public_key, self.message("altered"))
        for flag, comment, ciphertext in self.altered(honest):
            yield self.from_seed(flag, comment, ciphertext)
        for comment, ciphertext in wrong_lengths(kem, "ciphertext", honest):
            values = {"seed": self.seed, "ek": self.public_key, "c": ciphertext, "K": b""}
            yield "WrongLength", comment, values, INVALID

    def from_seed(self, flag, comment, ciphertext, keys=None, secret=None):
        """Returns a case. With a secret it is that of an honest ciphertext, else one that must be
        rejected."""
        seed, public_key, secret_key = keys or (self.seed, self.public_key, self.secret_key)
        trace = {}
        result = self.kem.decaps(secret_key, ciphertext, trace)
        assert trace["accepted"] == (secret is not None), comment
        assert secret in (None, result), comment
        return flag, comment, {"seed": seed, "ek": public_key, "c": ciphertext, "K": result}, VALID

    def altered(self, honest):
        """Yields flag, comment and a ciphertext that must be rejected."""
        kem = self.kem
        v_at, salt_at, end = 8 * kem.element, 8 * kem.salt_at, 8 * kem.ciphertext
        for bit in sorted(
            {0, 1, 7, 8, 63, 64, kem.n - 2, kem.n - 1, *range(97, kem.n, kem.n // 15)}
        ):
            yield "AlteredU", f"bit {bit} of u", flipped(honest, bit)
        bits = kem.code.bits
        for bit in sorted({0, 1, 7, 8, 63, 64, bits - 2, bits - 1, *range(131, bits, bits // 15)}):
            yield "AlteredV", f"bit {bit} of v", flipped(honest, v_at + bit)
        for bit in sorted({*range(3, end - salt_at, 8), 0, 7, 64, end - salt_at - 1}):
            yield "AlteredSalt", f"bit {bit} of the salt", flipped(honest, salt_at + bit)
        for bit in range(kem.n, v_at):
            yield "UnusedBits", f"unused bit {bit} of u", flipped(honest, bit)
        yield "UnusedBits", "all unused bits of u", flipped(honest, *range(kem.n, v_at))
        yield from self.cancelling(honest, v_at, salt_at)
        yield from self.special_ciphertexts(honest)
        yield from self.noisy(honest)
        yield from self.mixed(honest)

    def cancelling(self, honest, v_at, salt_at):
        """Differences that a careless comparison adds up to nothing."""
        places = {"u": 80, "v": v_at + 80, "the salt": salt_at + 16}
        for name, at in places.items():
            yield (
                "CarelessComparison",
                f"the same bit of two bytes of {name}",
                flipped(honest, at, at + 8),
            )
            tops = flipped(honest, at + 7, at + 15)
            yield "CarelessComparison", f"the top bits of two bytes of {name}", tops
        for first, second in itertools.combinations(places, 2):
            both = flipped(honest, places[first], places[second])
            yield "CarelessComparison", f"the same bit in {first} and in {second}", both
        words = flipped(honest, 0, 64, 128, 192)
        yield "CarelessComparison", "the same bit of four words of u", words
        count = 256
        many = flipped(honest, *range(v_at, v_at + 8 * count, 8))
        yield "CarelessComparison", f"the same bit of {count} bytes of v", many

    def special_ciphertexts(self, honest):
        kem = self.kem
        u, v, salt = kem.split(honest)
        all_u, all_v = (1 << kem.n) - 1, (1 << kem.code.bits) - 1
        parts = {
            "all bits zero": (0, 0, bytes(SALT)),
            "all bits one but the unused": (all_u, all_v, b"\xff" * SALT),
            "u is zero": (0, v, salt),
            "v is zero": (u, 0, salt),
            "u and v are zero": (0, 0, salt),
            "the salt is zero": (u, v, bytes(SALT)),
            "u is 1": (1, v, salt),
            f"u is X^{kem.n - 1}": (1 << kem.n - 1, v, salt),
            "all coefficients of u are 1": (all_u, v, salt),
            "all bits of v are one": (u, all_v, salt),
            "all bits of v are flipped": (u, v ^ all_v, salt),
            "u is shifted by one": ((u << 1 | u >> kem.n - 1) & all_u, v, salt),
        }
        for comment, (one, other, end) in parts.items():
            yield "SpecialCiphertext", comment, kem.encode(one, other) + end
        yield "SpecialCiphertext", "all bits one", b"\xff" * kem.ciphertext
        texts = {
            "zero": bytes(kem.k),
            "all bits one": b"\xff" * kem.k,
            "any": self.message("no error")[: kem.k],
        }
        for comment, message in texts.items():
            text = kem.encode(0, kem.code.encode(message)) + salt
            yield "ZeroError", f"u is zero, v encodes a message without an error: {comment}", text

    def noisy(self, honest):
        """Errors at the limits of both codes: the message can be right, re-encryption is not."""
        kem, code = self.kem, self.kem.code
        u, v, salt = kem.split(honest)
        for count in (1, code.delta - 1, code.delta, code.delta + 1, code.delta + 2, code.n1):
            noise = 0
            for index in range(count):
                noise |= code.block_of(index * 7 % code.n1 if count < 7 else index, 0xA5)
            comment = f"{count} wrong symbols, where {code.delta} can be corrected"
            yield "OuterLimit", comment, kem.encode(u, v ^ noise) + salt
        for count in (code.block // 4 - 1, code.block // 4, code.block // 4 + 1, code.block):
            for index in (0, code.n1 - 1):
                noise = (1 << count) - 1 << index * code.block
                comment = f"{count} of the {code.block} bits of block {index} are flipped"
                yield "InnerLimit", comment, kem.encode(u, v ^ noise) + salt

    def mixed(self, honest):
        """Parts of several ciphertexts."""
        kem = self.kem
        second, _ = kem.encaps(self.public_key, self.message("second"))
        foreign, _ = kem.encaps(self.other_public_key, self.message("altered"))
        at, salt_at = kem.element, kem.salt_at
        for name, other in {"another ciphertext": second, "one to another key": foreign}.items():
            yield "Mixed", f"u of {name}", other[:at] + honest[at:]
            yield "Mixed", f"v of {name}", honest[:at] + other[at:salt_at] + honest[salt_at:]
            if name == "another ciphertext":
                yield "Mixed", f"the salt of {name}", honest[:salt_at] + other[salt_at:]
        yield "OtherKey", "a ciphertext to another key", foreign
        yield (
            "Mixed",
            "u and v in the wrong order",
            honest[at:salt_at] + honest[:at] + honest[salt_at:],
        )

    # --- decapsulation with a secret key ---

    def decaps(self):
        kem = self.kem
        for i in range(BASIC // 2):
            ciphertext, secret = kem.encaps(self.public_key, self.message(f"long key {i}"))
            yield self.with_key("Basic", "", self.secret_key, ciphertext, VALID, secret)
        for flag, comment, secret_key, ciphertext, secret in self.correcting():
            yield self.with_key(flag, comment, secret_key, ciphertext, ACCEPTABLE, secret)
        honest, secret = kem.encaps(self.public_key, self.message("altered key"))
        rejected = flipped(honest, 0)
        for flag, comment, key, accepts in self.altered_keys():
            right = secret if accepts else None
            yield self.with_key(flag, comment, key, honest, ACCEPTABLE, right)
            if accepts or "sigma" in comment:
                again = f"{comment}; the ciphertext, too"
                yield self.with_key(flag, again, key, rejected, ACCEPTABLE, None)
        for comment, key in wrong_lengths(kem, "secret_key", self.secret_key):
            values = {"dk": key, "ek": self.public_key, "c": honest, "K": b""}
            yield "WrongLength", comment, values, INVALID

    def with_key(self, flag, comment, secret_key, ciphertext, result, secret):
        trace = {}
        found = self.kem.decaps(secret_key, ciphertext, trace)
        assert trace["accepted"] == (secret is not None), comment
        assert secret in (None, found), comment
        public_key = secret_key[: self.kem.public_key]
        values = {"dk": secret_key, "ek": public_key, "c": ciphertext, "K": found}
        return flag, comment, values, result

    def noisy_key(self, flips):
        """Returns a public key with so many coefficients of s flipped, and the secret key with it:
        the re-encryption is right, and decoding has as much more to correct."""
        step = self.kem.n // (flips + 1) | 1
        bits = (8 * SEED + i * step for i in range(flips))
        public_key = flipped(self.public_key, *bits)
        return public_key, public_key + self.secret_key[self.kem.public_key :]

    def exchange_with_noise(self, flips, counter):
        """Returns secret key, ciphertext and secret, what decoding met, and how many symbols were
        wrong."""
        public_key, secret_key = self.noisy_key(flips)
        message = self.message(f"noise {counter}")
        ciphertext, secret = self.kem.encaps(public_key, message)
        trace = {}
        decoded = self.kem.decrypt(secret_key[self.kem.public_key :][:SEED], ciphertext, trace)
        right = self.kem.code.symbols_of(message[: self.kem.k])
        trace["wrong"] = [i for i, read in enumerate(trace["symbols"]) if read != right[i]]
        trace["accepted"] = decoded == message[: self.kem.k]
        return secret_key, ciphertext, secret, trace

    def correcting(self):
        """Yields honest ciphertexts to noisy keys, by the number of symbols that are wrong."""
        delta = self.kem.code.delta
        for wrong in range(delta + 4):
            flips, counter = self.found.noise(self, f"{wrong} wrong", wrong, lambda trace: True)
            key, ciphertext, secret, trace = self.exchange_with_noise(flips, counter)
            comment = f"{wrong} wrong symbols, where {delta} can be corrected"
            accepted = secret if trace["accepted"] else None
            assert trace["accepted"] == (wrong <= delta)
            yield "OuterLimit", comment, key, ciphertext, accepted

        def decisive(trace):
            """A symbol that is right only because the first of two peaks counts."""
            return set(trace["ties"]) - set(trace["wrong"])

        name = f"{delta} wrong, a decisive tie"
        flips, counter = self.found.noise(self, name, delta, decisive, start=1000)
        key, ciphertext, secret, _ = self.exchange_with_noise(flips, counter)
        comment = f"{delta} wrong symbols, and one more unless the first of two peaks counts"
        yield "InnerTie", comment, key, ciphertext, secret

    def altered_keys(self):
        """Yields flag, comment, a secret key, and whether an honest ciphertext is accepted."""
        kem, key, other = self.kem, self.secret_key, self.other_secret_key
        ek, dk, sigma = kem.public_key, kem.public_key + SEED, kem.public_key + SEED + kem.k
        for at, name, accepts in (
            (0, "its public seed", False),
            (SEED, "s", False),
            (ek - 1, "s", False),
            (ek, "the seed of y and x", False),
            (dk - 1, "the seed of y and x", False),
            (dk, "sigma", True),
            (sigma - 1, "sigma", True),
            (sigma, "the seed of all", True),
            (len(key) - 1, "the seed of all", True),
        ):
            comment = f"byte {at}, of {name}, is altered"
            yield "AlteredKey", comment, flipped(key, 8 * at), accepts
        for bit in range(8 * SEED + kem.n, 8 * ek):
            yield "AlteredKey", f"unused bit {bit} is set", flipped(key, bit), False
        yield "ChangedHalf", "public key of another key", other[:ek] + key[ek:], False
        yield (
            "ChangedHalf",
            "seed of y and x of another key",
            key[:ek] + other[ek:dk] + key[dk:],
            False,
        )
        yield "ChangedHalf", "sigma of another key", key[:dk] + other[dk:sigma] + key[sigma:], True
        yield "ChangedHalf", "seed of all of another key", key[:sigma] + other[sigma:], True
        yield "ChangedHalf", "all but the public key of another key", key[:ek] + other[ek:], False
        yield "ChangedHalf", "another key", other, False
        yield "AlteredKey", "sigma is zero", key[:dk] + bytes(kem.k) + key[sigma:], True
        yield "AlteredKey", "the seed of all is zero", key[:sigma] + bytes(SEED), True
        yield "AlteredKey", "all bits zero", bytes(len(key)), False
        yield "AlteredKey", "all bits one", b"\xff" * len(key), False
