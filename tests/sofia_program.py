# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA through tests/sofia/sofia_check.c, on this processor or another, and its vectors."""

import functools
import hashlib
import json

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests import asked
from tools import known_answers

PUBLIC_KEY, SECRET_KEY, SIGNATURE, ROUNDS, SYSTEM = 64, 32, 126176, 438, 268288
RANDOMNESS = 3 * ROUNDS * 32
OK, BAD_SIGNATURE = 0, 32
FOLDER = known_answers.VECTORS / "sofia"


class Program(asked.Process):
    """One process of sofia_check. Each method is one of its requests; use it in a `with`."""

    def public_key(self, seed):
        return self._ask("k", seed, answer=PUBLIC_KEY)

    def sign(self, secret_key, message, part=0):
        return self._ask(f"s {len(message)} {part}", secret_key, message, answer=SIGNATURE)

    def sign_with(self, secret_key, randomness, message):
        assert len(randomness) == RANDOMNESS
        return self._ask(f"r {len(message)}", secret_key, randomness, message, answer=SIGNATURE)

    def verify(self, public_key, message, signature, part=0):
        assert len(public_key) == PUBLIC_KEY  # or the program would wait for the rest
        line = f"v {len(message)} {len(signature)} {part}"
        return self._ask(line, public_key, message, signature, answer=1)[0]

    def system(self, seed):
        return self._ask("f", seed, answer=SYSTEM)

    def evaluate(self, seed, x, pairs):
        """Returns F at each x, and again by single polynomials, and G at each pair."""
        ys, zs = [b"".join(pair[i] for pair in pairs) for i in (0, 1)]
        answer = self._ask(
            f"e {len(x)} {len(pairs)}",
            seed,
            b"".join(x),
            ys,
            zs,
            answer=32 * (2 * len(x) + len(pairs)),
        )
        values = [answer[i : i + 32] for i in range(0, len(answer), 32)]
        return values[: len(x)], values[len(x) + len(pairs) :], values[len(x) :][: len(pairs)]

    def challenges(self, stream):
        answer = self._ask(f"c {len(stream)}", stream, answer=2 * ROUNDS)
        digits = "".join(map(str, answer))
        return digits[:ROUNDS], digits[ROUNDS:]


def counter_randomness(seed, message):
    """The randomness of the authors' vector code: AES-256 in counter mode [SOFIA]."""
    key = hashlib.shake_128(seed + message).digest(32)
    stream = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    return stream.update(bytes(RANDOMNESS))


def randomness_seed(secret_key):
    return hashlib.shake_128(secret_key).digest(96)[64:]


@functools.cache
def records():
    """Returns the records of SOFIA-4-128.rsp; numbers are integers, everything else bytes."""
    found = []
    for line in (FOLDER / "SOFIA-4-128.rsp").read_text(encoding="ascii").splitlines():
        name, separator, value = (part.strip() for part in line.partition("="))
        if name == "count":
            found.append({})
        if separator:
            number = name in ("count", "mlen", "siglen")
            found[-1][name] = int(value) if number else bytes.fromhex(value)
    return found


@functools.cache
def read_json(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def altered(operations, parts, signature_of):
    """Applies the operations of tampered.json to {"sig", "msg", "pk"}; returns new values.

    signature_of(record, variant) is for the operation that takes from another signature.
    """
    parts = {name: bytearray(value) for name, value in parts.items()}
    for name, target, *rest in operations:
        what = parts[target]
        if name == "xor":
            for i, byte in enumerate(bytes.fromhex(rest[1])):
                what[rest[0] + i] ^= byte
        elif name == "cut":
            del what[rest[0] :]
        elif name == "append":
            what += bytes.fromhex(rest[0])
        elif name == "swap":
            a, b, n = rest
            what[a : a + n], what[b : b + n] = what[b : b + n], what[a : a + n]
        elif name == "fill":
            start, n, value = rest
            what[start : start + n] = bytes([value]) * n
        elif name == "from":
            start, n, record, variant = rest
            what[start : start + n] = signature_of(record, variant)[start : start + n]
        else:
            raise ValueError(name)
    return {name: bytes(value) for name, value in parts.items()}


def check_tampered(sofia, items, signature_of):
    """Verifies what items of tampered.json make of signatures; signature_of as in altered."""
    for item in items:
        record = records()[item["record"]]
        parts = {
            "sig": signature_of(item["record"], item["variant"]),
            "msg": record["msg"],
            "pk": record["pk"],
        }
        parts = altered(item["ops"], parts, signature_of)
        if len(parts["pk"]) != PUBLIC_KEY:
            continue  # functions in C cannot see this; the command's test_signatures.py does
        got = sofia.verify(parts["pk"], parts["msg"], parts["sig"])
        assert got == (OK if item["accept"] else BAD_SIGNATURE), item["what"]


def check_values(sofia):
    """Compares values of the system and its polar form with components.json."""
    items = read_json("components.json")["mq"]
    seed = bytes.fromhex(items[0]["seed"])
    assert all(item["seed"] == items[0]["seed"] for item in items)
    x, y, fx, gxy = [[bytes.fromhex(i[name]) for i in items] for name in ("x", "y", "F_x", "G_xy")]
    assert sofia.evaluate(seed, x, list(zip(x, y, strict=True))) == (fx, fx, gxy)


def check_components(sofia):
    """Compares F, its values and those of the polar form, and the sampler, with components.json."""
    components = read_json("components.json")
    for item in components["expand_F"]:
        system = sofia.system(bytes.fromhex(item["seed"]))
        assert hashlib.sha256(system).hexdigest() == item["sha256"]
    check_values(sofia)
    for item in components["challenges"]:
        if "h" in item:
            stream = hashlib.shake_128(bytes.fromhex(item["h"])).digest(336)
        else:
            stream = b"".join(bytes.fromhex(data) * n for data, n in item["stream"])
            stream += bytes(-len(stream) % 168)
        assert sofia.challenges(stream) == (item["ch1"], item["ch2"]), item["what"]


def check_forced_randomness(sofia):
    """Signs with the randomness that components.json gives, and verifies."""
    for item in read_json("components.json")["forced_randomness"]:
        kind, _, value = item["rte"].partition(":")
        randomness = (
            bytes.fromhex(value) * RANDOMNESS
            if kind == "fill"
            else hashlib.shake_128(value.encode()).digest(RANDOMNESS)
        )
        secret_key, message = bytes.fromhex(item["coins"]), bytes.fromhex(item["msg"])
        signature = sofia.sign_with(secret_key, randomness, message)
        assert hashlib.sha256(signature).hexdigest() == item["sig_sha256"]
        assert sofia.verify(bytes.fromhex(item["pk"]), message, signature) == OK
