# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys in PEM that are right, and the same keys with one thing wrong, made from the raw parts."""

import base64
import json
import pathlib

CASES = pathlib.Path(__file__).resolve().parent / "vectors/key_encoding.json"
INTEGER, BIT_STRING, OCTET_STRING, NULL, SEQUENCE = 2, 3, 4, b"\5\0", 0x30
SEED, ATTRIBUTES = 0x80, 0xA0


def element(tag, content, extra=0):
    """Returns a DER element; extra: so many bytes more in its length than there need be (BER)."""
    size = (len(content).bit_length() + 7) // 8
    if len(content) < 128 and not extra:
        return bytes([tag, len(content)]) + content
    size = max(size, 1) + extra
    return bytes([tag, 0x80 | size]) + len(content).to_bytes(size, "big") + content


def pem(label, der, header=""):
    text = base64.b64encode(der).decode()
    lines = "".join(text[i : i + 64] + "\n" for i in range(0, len(text), 64))
    return f"-----BEGIN {label}-----\n{header}{lines}-----END {label}-----\n"


def element_at(der, position):
    """Returns (the whole element at position, its content, the position behind it)."""
    length, start = der[position + 1], position + 2
    if length >= 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(der[start : start + count], "big"), start + count
    return der[position : start + length], der[start : start + length], start + length


def body(text):
    return base64.b64decode("".join(text.splitlines()[1:-1]))


def public_keys(text):
    """Yields (what is wrong or "", PEM) for the public key in PEM."""
    _, info, _ = element_at(body(text), 0)
    _, identifier, end = element_at(info, 0)
    _, bits, _ = element_at(info, end)

    def key(algorithm=identifier, content=bits, behind=b"", extra=0):
        return element(
            SEQUENCE, element(SEQUENCE, algorithm) + element(BIT_STRING, content, extra) + behind
        )

    yield "", pem("PUBLIC KEY", key())
    cases = {
        "NULL parameters": key(identifier + NULL),
        "other parameters": key(identifier + element(OCTET_STRING, b"x")),
        "no object identifier": key(b""),
        "unused bits": key(content=b"\1" + bits[1:]),
        "nine unused bits": key(content=b"\x09" + bits[1:]),
        "empty bit string": key(content=b""),
        "no key": key(content=b"\0"),
        "a byte too few": key(content=bits[:-1]),
        "a byte too many": key(content=bits + b"\0"),
        "padding bits": key(content=bits[:-1] + bytes([bits[-1] | 0x80])),
        "all zero": key(content=bytes(len(bits))),
        "something behind the bit string": key(behind=NULL),
        "something behind the whole": key() + b"\0",
        "a length in BER": key(extra=1),
        "an octet string": element(
            SEQUENCE, element(SEQUENCE, identifier) + element(OCTET_STRING, bits)
        ),
        "cut off": key()[:-10],
        "nothing": b"",
        "another algorithm": key(bytes.fromhex("06032b656e")),
    }
    for name, der in cases.items():
        yield name, pem("PUBLIC KEY", der)
    yield "lines before the base64", pem("PUBLIC KEY", key(), "Comment: hello\n\n")
    yield "the label of another thing", pem("CERTIFICATE", key())


def private_keys(text):
    """Yields (what is wrong or "", PEM) for the private key in PEM, which has seed and secret."""
    _, info, _ = element_at(body(text), 0)
    version, _, end = element_at(info, 0)
    _, identifier, end = element_at(info, end)
    _, content, _ = element_at(info, end)
    _, both, _ = element_at(content, 0)
    _, seed, end = element_at(both, 0)
    _, secret, _ = element_at(both, end)

    def key(inner=content, algorithm=identifier, first=version, behind=b"", extra=0):
        return element(
            SEQUENCE,
            first + element(SEQUENCE, algorithm) + element(OCTET_STRING, inner, extra) + behind,
        )

    def changed(data):
        return data[:5] + bytes([data[5] ^ 1]) + data[6:]

    def pair(first, second):
        return element(SEQUENCE, element(OCTET_STRING, first) + element(OCTET_STRING, second))

    yield "", pem("PRIVATE KEY", key())
    for inner in (element(SEED, seed), element(OCTET_STRING, secret)):
        yield "", pem("PRIVATE KEY", key(inner))
    cases = {
        "NULL parameters": key(algorithm=identifier + NULL),
        "other parameters": key(algorithm=identifier + element(OCTET_STRING, b"x")),
        "version 7": key(first=element(INTEGER, b"\7")),
        "no version": key(first=b""),
        "another seed": key(pair(changed(seed), secret)),
        "another secret": key(pair(seed, changed(secret))),
        "a seed too short": key(element(SEED, seed[:-1])),
        "a seed too long": key(element(SEED, seed + b"\0")),
        "a secret too short": key(element(OCTET_STRING, secret[:-1])),
        "a secret too long": key(element(OCTET_STRING, secret + b"\0")),
        "a wrong secret alone": key(element(OCTET_STRING, changed(secret))),
        "a secret of zeros": key(element(OCTET_STRING, bytes(len(secret)))),
        "empty content": key(b""),
        "a seed in a sequence": key(element(SEQUENCE, element(OCTET_STRING, seed))),
        "three parts": key(element(SEQUENCE, both + element(OCTET_STRING, b"x"))),
        "something behind the parts": key(content + b"\0"),
        "the tag of no part": key(element(0x81, seed)),
        "something behind the key": key(behind=NULL),
        "something behind the whole": key() + b"\0",
        "a length in BER": key(extra=1),
        "a length in BER within": key(element(OCTET_STRING, secret, 1)),
        "cut off": key()[:-10],
        "nothing": b"",
    }
    for name, der in cases.items():
        yield name, pem("PRIVATE KEY", der)
    yield "lines before the base64", pem("PRIVATE KEY", key(), "Comment: hello\n\n")


def changed_at(data, position, bits):
    out = bytearray(data)
    out[position] ^= bits
    return bytes(out)


def parts_of(private, public, other):
    """Returns the NAMES of key_encoding.json, from a pair in PEM, whose private key has seed and
    secret, and another public key."""
    _, info, _ = element_at(body(private), 0)
    _, _, end = element_at(info, 0)
    _, identifier, end = element_at(info, end)
    _, content, _ = element_at(info, end)
    _, both, _ = element_at(content, 0)
    _, seed, end = element_at(both, 0)
    _, secret, _ = element_at(both, end)
    _, oid, _ = element_at(identifier, 0)

    def bits(text):
        _, whole, _ = element_at(body(text), 0)
        _, _, behind = element_at(whole, 0)
        return element_at(whole, behind)[1][1:]

    key = bits(public)
    return {
        "OID": oid,
        "HEAD": oid[:-1],
        "LAST": oid[-1:],
        "SEED": seed,
        "SECRET": secret,
        "PUBLIC": key,
        "OTHER": bits(other),
        "CHANGED": changed_at(key, 40, 1),
        "PADDED": changed_at(key, -1, 0x80),
        "SHORT": key[:-1],
    }


def made(words, parts):
    """Returns the bytes that a key of key_encoding.json stands for."""
    stack = [(0, b"")]  # elements that are open, the outermost being none
    for word in words.split():
        if word.endswith("{"):
            stack.append((int(word[:-1], 16), b""))
            continue
        if word == "}":
            tag, content = stack.pop()
            piece = element(tag, content)
        else:
            digits, _, times = word.partition("*")
            piece = parts[word] if word in parts else bytes.fromhex(digits) * int(times or 1)
        stack[-1] = (stack[-1][0], stack[-1][1] + piece)
    ((_, der),) = stack
    return der


def shared_cases(kind, name, parts):
    """Yields (what, PEM, whether it is good, what the error says) of the table for all readers of
    keys of a KEM."""
    for case in json.loads(CASES.read_text())[kind]:
        if name not in case.get("only", name):
            continue
        text = pem(f"{kind.upper()} KEY", made(case["key"], parts))
        yield case["what"], text, case["good"], case.get("says", "")
