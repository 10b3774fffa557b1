# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC's codes for the benches: Reed-Muller by its definition, Reed-Solomon as the specification has
it, and as the software decodes more wrong symbols than the code corrects [HQC, S6 to S8]."""


def times_x(a):
    return a << 1 ^ (0x11D if a >> 7 else 0)


def gf_mul(a, b):
    product = 0
    for i in range(8):
        if b >> i & 1:
            product ^= a
        a = times_x(a)
    return product


def gf_power(a, exponent):
    result = 1
    for _ in range(exponent % 255):
        result = gf_mul(result, a)
    return result


def gf_inverse(a):
    """Returns a^254, which is 0 for 0."""
    return gf_power(a, 254)


ALPHA = [gf_power(2, i) for i in range(255)]


# --- Reed-Muller ----------------------------------------------------------------------------------
def rm_word(symbol):
    """Returns the word of 128 bits for a symbol."""
    word = 0
    for j in range(128):
        word |= ((symbol >> 7) + (symbol & j).bit_count() & 1) << j
    return word


def rm_entries(copies):
    """Returns the transform's 128 entries, centred, for a list of words, by its definition."""
    counts = [sum(word >> j & 1 for word in copies) for j in range(128)]
    for distance in (1, 2, 4, 8, 16, 32, 64):
        for j in range(128):
            if not j & distance:
                a, b = counts[j], counts[j + distance]
                counts[j], counts[j + distance] = a + b, a - b
    counts[0] -= 64 * len(copies)
    return counts


def rm_decode(copies):
    """Returns the symbol: the first index of the largest absolute value, and the sign."""
    entries = rm_entries(copies)
    largest = max(map(abs, entries))
    t = next(t for t, entry in enumerate(entries) if abs(entry) == largest)
    return t + 128 if entries[t] > 0 else t


# --- Reed-Solomon ---------------------------------------------------------------------------------
def rs_product(count):
    """Returns the product of X - alpha^i for i = 1 .. count, the lowest coefficient first."""
    g = [1]
    for i in range(1, count + 1):
        root = ALPHA[i % 255]
        g = [
            (g[j - 1] if j else 0) ^ (gf_mul(g[j], root) if j < len(g) else 0)
            for j in range(len(g) + 1)
        ]
    return g


def rs_encode(message, delta):
    """Returns parity and message."""
    g = rs_product(2 * delta)
    parity = [0] * (2 * delta)
    for byte in reversed(message):
        feedback = byte ^ parity[-1]
        parity = [below ^ gf_mul(feedback, g[t]) for t, below in enumerate([0, *parity[:-1]])]
    return [*parity, *message]


def evaluate(polynomial, x):
    value = 0
    for coefficient in reversed(polynomial):
        value = gf_mul(value, x) ^ coefficient
    return value


def rs_syndromes(word, delta):
    return [evaluate(word, ALPHA[i]) for i in range(1, 2 * delta + 1)]


def rs_locator(syndromes, delta):
    """Returns sigma, cut to delta + 1 coefficients in each step."""
    sigma, auxiliary = [1] + [0] * delta, [0, 1] + [0] * (delta - 1)
    length, previous_length, rho, d_rho = 0, 0, -1, 1
    for t in range(2 * delta):
        d = 0
        for i in range(min(t, delta) + 1):
            d ^= gf_mul(sigma[i], syndromes[t - i])
        before, length_before = sigma, length
        factor = gf_mul(d, gf_inverse(d_rho))
        sigma = [a ^ gf_mul(factor, b) for a, b in zip(sigma, auxiliary, strict=True)]
        if d and t - rho + previous_length > length:
            length, previous_length = t - rho + previous_length, length_before
            auxiliary, d_rho, rho = before, d, t
        auxiliary = [0, *auxiliary[:-1]]
    return sigma


def rs_decode(word, delta):
    """Returns the message: for up to delta wrong symbols the sent one, else the software's."""
    syndromes = rs_syndromes(word, delta)
    sigma = rs_locator(syndromes, delta)
    omega = [0] * delta
    for i in range(delta):
        for j in range(i + 1):
            omega[i] ^= gf_mul(sigma[j], syndromes[i - j])
    odd = [c if i % 2 else 0 for i, c in enumerate(sigma)]
    message = list(word[2 * delta :])
    for j in range(2 * delta, len(word)):
        x = ALPHA[-j % 255]
        if evaluate(sigma, x) == 0:
            value = gf_mul(x, evaluate(omega, x))
            message[j - 2 * delta] ^= gf_mul(value, gf_inverse(evaluate(odd, x)))
    return message


def with_errors(source, word, count):
    """Returns the word with so many wrong symbols at random places."""
    word = list(word)
    for j in source.sample(range(len(word)), count):
        word[j] ^= source.randrange(1, 256)
    return word
