# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A model of HQC of 2025-08-22 [HQC], by which the vectors are made: plain integers and lists, not
constant time, and nothing of the library. Section numbers are those of the specification.

A bit vector is an integer: bit i of the vector is bit i of the integer.
"""

import functools
import hashlib

SEED, SALT, SECRET = 32, 16, 32  # bytes


class Stream:
    """SHAKE256 of data, read from the front."""

    def __init__(self, data):
        self._hash, self._held, self._position = hashlib.shake_256(data), b"", 0

    def draw(self, length):
        end = self._position + length
        if end > len(self._held):
            self._held = self._hash.digest(max(2 * end, 2048))
        out = self._held[self._position : end]
        self._position = end
        return out


class RoundedStream(Stream):
    """That of the tag v5.0.0, which discards bytes up to a multiple of 8 after each request."""

    def draw(self, length):
        return super().draw((length + 7) // 8 * 8)[:length]


def vector(positions):
    """Returns the sum of X^p."""
    out = 0
    for position in positions:
        out ^= 1 << position
    return out


# --- GF(256) and the two codes [HQC, 6 to 9] ------------------------------------------------------


def _multiply_slowly(a, b):
    out = 0
    for bit in range(8):
        if b >> bit & 1:
            out ^= a << bit
    for bit in range(14, 7, -1):
        if out >> bit & 1:
            out ^= 0x11D << (bit - 8)
    return out


EXP = [1]
for _ in range(254):
    EXP.append(_multiply_slowly(EXP[-1], 2))
LOG = {value: exponent for exponent, value in enumerate(EXP)}


def multiply(a, b):
    return EXP[(LOG[a] + LOG[b]) % 255] if a and b else 0


def invert(a):
    """Returns 1 / a, and 0 of 0."""
    return EXP[-LOG[a] % 255] if a else 0


def evaluate(polynomial, x):
    out = 0
    for coefficient in reversed(polynomial):
        out = multiply(out, x) ^ coefficient
    return out


@functools.cache
def generator(degree):
    """Returns the product of (X - alpha^i), 1 <= i <= degree."""
    out = [1]
    for i in range(1, degree + 1):
        out = [
            (out[j - 1] if j else 0) ^ (multiply(out[j], EXP[i]) if j < len(out) else 0)
            for j in range(len(out) + 1)
        ]
    return out


@functools.cache
def reed_muller_word(symbol):
    """Returns the 128 bits that encode a symbol."""
    bits = [symbol >> 7 ^ (j & symbol & 127).bit_count() & 1 for j in range(128)]
    return vector(j for j in range(128) if bits[j])


class Code:
    """Reed-Solomon of length n1 over k symbols, each repeated as `copies` Reed-Muller words."""

    def __init__(self, n1, k, copies):
        self.n1, self.k, self.copies = n1, k, copies
        self.delta = (n1 - k) // 2
        self.block = 128 * copies
        self.bits = n1 * self.block
        self._repeat = sum(1 << 128 * i for i in range(copies))

    def symbols_of(self, message):
        """Returns the Reed-Solomon word of a message, bytes of k."""
        degree = 2 * self.delta
        parity, taps = [0] * degree, generator(degree)
        for symbol in reversed(message):
            feedback = symbol ^ parity[-1]
            before = [0, *parity[:-1]]
            parity = [a ^ multiply(feedback, b) for a, b in zip(before, taps[:degree], strict=True)]
        return bytes(parity) + message

    def block_of(self, index, symbol):
        """Returns the word of a symbol in its place."""
        return reed_muller_word(symbol) * self._repeat << index * self.block

    def encode(self, message):
        out = 0
        for index, symbol in enumerate(self.symbols_of(message)):
            out |= self.block_of(index, symbol)
        return out

    def symbol_at(self, word, index):
        """Decodes a Reed-Muller word; returns the symbol and whether another was as near."""
        sums = [0] * 128
        for copy in range(self.copies):
            bits = word >> (index * self.block + 128 * copy) & (1 << 128) - 1
            sums = [a + int(b) for a, b in zip(sums, f"{bits:0128b}"[::-1], strict=True)]
        for _ in range(7):
            pairs = list(zip(sums[::2], sums[1::2], strict=True))
            sums = [a + b for a, b in pairs] + [a - b for a, b in pairs]
        sums[0] -= 64 * self.copies
        sizes = [abs(value) for value in sums]
        peak = sizes.index(max(sizes))  # the first of several
        return peak | (128 if sums[peak] > 0 else 0), sizes.count(sizes[peak]) > 1

    def decode(self, word, trace=None):
        """Returns the message. trace gets `ties`, places of symbols that had another as near."""
        read = [self.symbol_at(word, index) for index in range(self.n1)]
        if trace is not None:
            trace["symbols"] = bytes(symbol for symbol, _ in read)
            trace["ties"] = [index for index, (_, tie) in enumerate(read) if tie]
        return self.correct(bytes(symbol for symbol, _ in read))

    def correct(self, received):
        """Returns the message of a Reed-Solomon word, whatever it is if too much is wrong."""
        syndromes = [evaluate(received, EXP[i]) for i in range(1, 2 * self.delta + 1)]
        locator, degree = self._locator(syndromes)
        wrong = [j for j in range(self.n1) if evaluate(locator, EXP[-j % 255]) == 0]
        numerator = [1] + [0] * self.delta
        for i in range(1, min(degree, self.delta) + 1):
            numerator[i] = locator[i] ^ syndromes[i - 1]
            for j in range(1, i):
                numerator[i] ^= multiply(locator[j], syndromes[i - j - 1])
        out = bytearray(received)
        for place in wrong:
            inverse = EXP[-place % 255]
            below = 1
            for other in wrong:
                if other != place:
                    below = multiply(below, 1 ^ multiply(EXP[other], inverse))
            out[place] ^= multiply(evaluate(numerator, inverse), invert(below))
        return bytes(out[2 * self.delta :])

    def _locator(self, syndromes):
        """Berlekamp's algorithm; returns the locator polynomial and its formal degree."""
        size = self.delta + 1
        locator, saved = [1] + [0] * self.delta, [0, 1] + [0] * (self.delta - 1)
        degree, saved_degree, saved_step, saved_value = 0, 0, -1, 1
        for step in range(2 * self.delta):
            value = syndromes[step]
            for i in range(1, min(step, self.delta) + 1):
                value ^= multiply(locator[i], syndromes[step - i])
            before, degree_before = locator, degree
            factor = multiply(value, invert(saved_value))
            locator = [a ^ multiply(factor, b) for a, b in zip(locator, saved, strict=True)]
            longer = step - saved_step + saved_degree
            if value != 0 and longer > degree:
                degree, saved_degree = longer, degree_before
                saved_value, saved_step, saved = value, step, before
            saved = [0, *saved[: size - 1]]
        return locator, degree


# --- The scheme -----------------------------------------------------------------------------------

# n, n1, bytes of k, copies, omega, omega_r = omega_e [HQC, 2]
SETS = {
    1: (17669, 46, 16, 3, 66, 75),
    3: (35851, 56, 24, 5, 100, 114),
    5: (57637, 90, 32, 5, 131, 149),
}


class Hqc:
    """A level, in the revision of 2026-02-10 or, with tag, in that of the tag v5.0.0 before it."""

    def __init__(self, level, tag=False):
        self.n, n1, self.k, copies, self.weight, self.weight_r = SETS[level]
        self.level, self.tag = level, tag
        self.name = f"HQC-{level}{'-v5.0.0' if tag else ''}"
        self.code = Code(n1, self.k, copies)
        self.bound = self.n * ((1 << 24) // self.n)
        self.element = (self.n + 7) // 8
        self.padding = 8 * self.element - self.n
        self.public_key = SEED + self.element
        self.secret_key = self.public_key + SEED + self.k + SEED
        self.ciphertext = self.element + self.code.bits // 8 + SALT
        self.salt_at = self.ciphertext - SALT

    # --- hashes and sampling [HQC, 3 and 5] ---

    def xof(self, seed):
        return (RoundedStream if self.tag else Stream)(seed + b"\x01")

    def hash_key(self, public_key):
        return hashlib.sha3_256(public_key + b"\x01").digest()

    def hash_message(self, key_hash, message, salt):
        """Returns K and theta."""
        both = hashlib.sha3_512(key_hash + message + salt + b"\x00").digest()
        return both[:SECRET], both[SECRET:]

    def hash_rejected(self, key_hash, sigma, ciphertext):
        return hashlib.sha3_256(key_hash + sigma + ciphertext + b"\x03").digest()

    def sample_uniform(self, stream):
        return int.from_bytes(stream.draw(self.element), "little") & (1 << self.n) - 1

    def sample_rejection(self, stream, events=None):
        """Returns the positions in the order in which they were drawn. events gets the candidates,
        and how often the stream was asked."""
        held, asked, candidates = [], 0, []
        while len(held) < self.weight:
            batch = stream.draw(3 * (self.weight - (0 if self.tag else len(held))))
            asked += 1
            for at in range(0, len(batch), 3):
                three = batch[at : at + 3]
                candidate = int.from_bytes(three if self.tag else three[::-1], "big")
                if len(held) < self.weight:
                    candidates.append(candidate)
                    position = candidate % self.n
                    if candidate < self.bound and position not in held:
                        held.append(position)
        if events is not None:
            events.append((candidates, held, asked))
        return held

    def sample_fixed(self, stream, events=None):
        """Returns weight_r distinct positions."""
        words = stream.draw(4 * self.weight_r)
        drawn = [
            i + (int.from_bytes(words[4 * i : 4 * i + 4], "little") * (self.n - i) >> 32)
            for i in range(self.weight_r)
        ]
        positions, later = list(drawn), set()
        for i in reversed(range(self.weight_r)):
            if positions[i] in later:
                positions[i] = i
            later.add(positions[i])
        if events is not None:
            events.append((drawn, positions))
        return positions

    def product(self, positions, dense):
        """Returns (the sum of X^p) times dense, folded once: a key may have unused bits, which
        count in this way [HQC, 13]."""
        out = 0
        for position in positions:
            out ^= dense << position
        return (out ^ out >> self.n) & (1 << self.n) - 1

    # --- the public-key encryption [HQC, 10] ---

    def key_seeds(self, seed):
        """Returns seed_dk, seed_ek and sigma, which follow from the seed of a key pair."""
        stream = self.xof(seed)
        seed_pke, sigma = stream.draw(SEED), stream.draw(self.k)
        both = hashlib.sha3_512(seed_pke + b"\x02").digest()
        return both[:SEED], both[SEED:], sigma

    def key_positions(self, seed_dk, events=None):
        """Returns y and x."""
        stream = self.xof(seed_dk)
        y = self.sample_rejection(stream, events)
        return y, self.sample_rejection(stream, events)

    def encrypt(self, public_key, message, theta, events=None):
        """Returns u || v."""
        h = self.sample_uniform(self.xof(public_key[:SEED]))
        s = int.from_bytes(public_key[SEED:], "little")
        stream = self.xof(theta)
        r2, e, r1 = (self.sample_fixed(stream, events) for _ in range(3))
        u = vector(r1) ^ self.product(r2, h)
        v = self.product(r2, s) ^ vector(e)
        v = v & (1 << self.code.bits) - 1 ^ self.code.encode(message)
        return self.encode(u, v)

    def decrypt(self, seed_dk, ciphertext, trace=None):
        u, v, _ = self.split(ciphertext)
        y = self.sample_rejection(self.xof(seed_dk))
        noisy = v ^ self.product(y, u) & (1 << self.code.bits) - 1
        return self.code.decode(noisy, trace)

    # --- layouts [HQC, 12] ---

    def encode(self, u, v):
        return u.to_bytes(self.element, "little") + v.to_bytes(self.code.bits // 8, "little")

    def split(self, ciphertext):
        """Returns u and v as integers, and the salt."""
        u, v = ciphertext[: self.element], ciphertext[self.element : self.salt_at]
        return int.from_bytes(u, "little"), int.from_bytes(v, "little"), ciphertext[self.salt_at :]

    # --- the KEM [HQC, 11] ---

    def keypair(self, seed):
        """Returns a public key and a secret key of seed, 32 bytes."""
        seed_dk, seed_ek, sigma = self.key_seeds(seed)
        y, x = self.key_positions(seed_dk)
        h = self.sample_uniform(self.xof(seed_ek))
        s = vector(x) ^ self.product(y, h)
        public_key = seed_ek + s.to_bytes(self.element, "little")
        return public_key, public_key + seed_dk + sigma + seed

    def encaps(self, public_key, drawn, events=None):
        """Returns ciphertext and secret; drawn is the message, then the salt."""
        message, salt = drawn[: self.k], drawn[self.k :]
        secret, theta = self.hash_message(self.hash_key(public_key), message, salt)
        return self.encrypt(public_key, message, theta, events) + salt, secret

    def decaps(self, secret_key, ciphertext, trace=None):
        """Returns the secret. trace gets what decoding met, and whether it was `accepted`."""
        public_key, rest = secret_key[: self.public_key], secret_key[self.public_key :]
        seed_dk, sigma = rest[:SEED], rest[SEED : SEED + self.k]
        message = self.decrypt(seed_dk, ciphertext, trace)
        key_hash, salt = self.hash_key(public_key), ciphertext[self.salt_at :]
        secret, theta = self.hash_message(key_hash, message, salt)
        accepted = self.encrypt(public_key, message, theta) + salt == ciphertext
        if trace is not None:
            trace["accepted"], trace["message"] = accepted, message
        return secret if accepted else self.hash_rejected(key_hash, sigma, ciphertext)
