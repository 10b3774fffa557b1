# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the flags of cases mean, in Wycheproof's words: the kind of bug that a case looks for, and
what follows for those who have it."""

NOTES = {
    "Altered": (
        "MISSING_STEP",
        "An honest ciphertext, and altered ones, which must be rejected.",
        "Altered ciphertexts are accepted.",
    ),
    "AlteredKey": (
        "CAN_OF_WORMS",
        "A part of the secret key is altered. It may be refused; otherwise the secret is this one.",
        "Parts of the key are taken from the wrong place.",
    ),
    "AlteredSalt": (
        "MISSING_STEP",
        "The salt is altered, which must be noticed and change the secret.",
        "As CVE-2025-48946: rejections show, and so does the key in the end.",
    ),
    "AlteredU": (
        "MISSING_STEP",
        "One bit of u is flipped. Decoding still gives the message: only the comparison notices.",
        "The secret key can be found by altered ciphertexts.",
    ),
    "AlteredV": (
        "MISSING_STEP",
        "One bit of v is flipped. Decoding still gives the message: only the comparison notices.",
        "The secret key can be found by altered ciphertexts.",
    ),
    "Basic": ("BASIC", "An honest key, ciphertext or exchange.", "Nothing works."),
    "CarelessComparison": (
        "AUTH_BYPASS",
        "Two differences cancel each other when they are added instead of collected.",
        "Altered ciphertexts are accepted.",
    ),
    "ChangedHalf": (
        "CAN_OF_WORMS",
        "Parts of two secret keys. They may be refused; otherwise the secret is this one.",
        "Parts of the key are taken from the wrong place (as CVE-2024-54137).",
    ),
    "Decoder": (
        "EDGE_CASE",
        "Errors with which decoding takes steps that honest ones seldom need, or gives up.",
        "Some exchanges fail, or altered ciphertexts are accepted.",
    ),
    "FixedRepeat": (
        "EDGE_CASE",
        "The sampler of fixed weight draws a position again, and must take another instead.",
        "Some exchanges fail.",
    ),
    "InnerLimit": (
        "EDGE_CASE",
        "Many bits of one block are wrong, as many as the inner code corrects, fewer and more.",
        "Wrong secrets, or memory that is written out of bounds.",
    ),
    "InnerTie": (
        "EDGE_CASE",
        "Two symbols are equally near; the first decides whether the outer code has too much.",
        "Some exchanges fail.",
    ),
    "Mixed": (
        "MISSING_STEP",
        "Parts of several ciphertexts, which must be rejected.",
        "Altered ciphertexts are accepted.",
    ),
    "OtherKey": (
        "MISSING_STEP",
        "An honest ciphertext to another key, which must be rejected.",
        "The secret does not depend on the key.",
    ),
    "OuterLimit": (
        "EDGE_CASE",
        "As many symbols are wrong as the outer code corrects, fewer and more. With a secret key, "
        "of which the public part has noise, the ciphertext is accepted while decoding works.",
        "Known answers hardly reach the outer decoder: without it nearly all of them pass.",
    ),
    "SamplerBound": (
        "EDGE_CASE",
        "The sampler by rejection meets candidates at its bound, or beyond it.",
        "Some keys are wrong.",
    ),
    "SamplerEdge": (
        "EDGE_CASE",
        "Positions at the ends of the ring, one behind the other, or in both parts of a key.",
        "Some keys or ciphertexts are wrong.",
    ),
    "SamplerRepeat": (
        "EDGE_CASE",
        "The sampler by rejection draws a position again, and must draw another instead.",
        "Some keys are wrong.",
    ),
    "SpecialCiphertext": (
        "EDGE_CASE",
        "A ciphertext that nobody makes, which must be rejected.",
        "Wrong secrets, or calls that fail.",
    ),
    "SpecialMessage": ("EDGE_CASE", "A message or a salt of a special form.", "Wrong secrets."),
    "SpecialPublicKey": (
        "CAN_OF_WORMS",
        "A public key of a special form. Where no honest key has the form, it may be refused; "
        "otherwise ciphertext and secret are these.",
        "Wrong secrets.",
    ),
    "SpecialSeed": ("EDGE_CASE", "A seed of a special form.", "Wrong keys."),
    "UnusedBits": (
        "MALLEABILITY",
        "Bits behind the last coefficient are set, which must be noticed.",
        "Two ciphertexts give one secret.",
    ),
    "WrongLength": (
        "CAN_OF_WORMS",
        "An input has a length that must be refused. Interfaces that take no length cannot.",
        "Memory is read out of bounds.",
    ),
    "ZeroError": (
        "EDGE_CASE",
        "A ciphertext without any error, which nobody makes and which must be rejected.",
        "The secret does not depend on the key.",
    ),
}


def of(flags):
    """Returns the notes of these flags."""
    return {
        flag: {"bugType": bug, "description": description, "effect": effect}
        for flag, (bug, description, effect) in sorted(NOTES.items())
        if flag in flags
    }
