# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bad input files: each kind of damage is named, nothing is written, no secret is shown."""

import pytest

from apps.command.tests.key_files import KEM, make_file

# Bytes of a ring element, weight of each half of the secret key, and unused bits of the last byte.
ELEMENT = 1541
WEIGHT = 71
UNUSED_BIT = 0x80  # r = 12323 leaves the five high bits of the last byte unused


@pytest.fixture
def fail_encaps(fail, exchange, tmp_path):
    """fail_encaps(data, says=...) gives data to encaps as a public key."""

    def check(data, *extra, **options):
        (tmp_path / "in.pub").write_bytes(data)
        return fail(
            "encaps",
            "--public",
            "in.pub",
            "--ciphertext",
            "out.ct",
            "--shared",
            "out.ss",
            *extra,
            **options,
        )

    return check


@pytest.fixture
def fail_decaps(fail, exchange, tmp_path):
    """fail_decaps(secret=data) or fail_decaps(ciphertext=data) gives data to decaps."""

    def check(*extra, secret=None, ciphertext=None, **options):
        (tmp_path / "in.key").write_bytes(secret or exchange.secret.read_bytes())
        (tmp_path / "in.ct").write_bytes(ciphertext or exchange.ciphertext.read_bytes())
        return fail(
            "decaps",
            "--secret",
            "in.key",
            "--ciphertext",
            "in.ct",
            "--shared",
            "out.ss",
            *extra,
            secrets=[secret or exchange.payloads.secret],
            **options,
        )

    return check


def flipped(data, position, bits=1):
    return data[:position] + bytes([data[position] ^ bits]) + data[position + 1 :]


# --- The file as a whole --------------------------------------------------------------------------


def test_empty_file(fail_encaps):
    fail_encaps(b"", says="in.pub: is empty")


@pytest.mark.parametrize(
    "data", [b"hello", b"\x00" * 3000, b"codekim 1 ", b"---- BEGIN KEY ----\n"]
)
def test_not_a_codekem_file(fail_encaps, data):
    fail_encaps(data, says=["in.pub: is not a codekem file", "--format raw"])


def test_raw_file_without_format_raw(fail_encaps, exchange):
    fail_encaps(exchange.payloads.public, says=["is not a codekem file", "--format raw"])


def test_raw_secret_key_without_format_raw_is_not_shown(fail_decaps, exchange):
    fail_decaps(secret=exchange.payloads.secret, says="in.key: is not a codekem file")


@pytest.mark.parametrize("version", [b"0", b"2", b"77777"])
def test_unknown_version(fail_encaps, exchange, version):
    data = make_file("public-key", KEM, exchange.payloads.public, version=version)
    fail_encaps(
        data,
        says=[
            f"is in version {version.decode()} of the codekem file format",
            "use a newer codekem",
        ],
    )


def test_every_truncation_is_noticed(fail_encaps, exchange):
    data = exchange.public.read_bytes()
    header = data.index(b"\n") + 1
    for length in (1, 5, 8, header - 1):
        fail_encaps(
            data[:length], says=f"ends inside its header: it is cut off after {length} byte"
        )
    for length in (header, header + 1, header + ELEMENT, len(data) - 1):
        fail_encaps(
            data[:length],
            says=f"is cut off: its header announces {len(data)} bytes, and it has {length};",
        )


def test_trailing_bytes(fail_encaps, exchange):
    data = exchange.public.read_bytes()
    for extra in (b"\n", b"\0" * 100, b"x" * 1_000_000):
        fail_encaps(data + extra, says=f"goes on after its end: its header announces {len(data)} b")


def test_damage_at_any_place_after_the_header(fail_encaps, exchange):
    data = exchange.public.read_bytes()
    header = data.index(b"\n") + 1
    for position in (header, header + 700, header + ELEMENT - 1, header + ELEMENT, len(data) - 1):
        fail_encaps(flipped(data, position), says="is damaged: its checksum does not match")


def test_damage_of_the_name_is_damage_and_no_unknown_kem(fail_encaps, exchange):
    data = exchange.public.read_bytes().replace(b"BIKE-L1", b"BIKE-L7", 1)
    fail_encaps(data, says="is damaged: its checksum does not match")


@pytest.mark.parametrize(
    "old, new, says",
    [
        (b" public-key ", b" publik-key ", "names an unknown kind of content"),
        (b" 1 ", b" one ", "has no version number"),
        (b" 1 ", b" 01 ", "has no version number"),
        (b" 1 ", b"  1 ", "has no version number"),
        (b" BIKE-L1 ", b" BIKE_L1 ", "has no valid KEM name"),
        (b" BIKE-L1 ", b" \xff\x1b[31m ", "has no valid KEM name"),
        (b" BIKE-L1 ", b"  ", "has no valid KEM name"),
        (b" BIKE-L1 ", b" " + b"B" * 65 + b" ", "has no valid KEM name"),
        (b" BIKE-L1 ", b" ", "has 4 words in its header instead of 5"),
        (b" BIKE-L1 ", b" BIKE L1 ", "has 6 words in its header instead of 5"),
        (b" 1541\n", b" 1541 \n", "has 6 words in its header instead of 5"),
        (b" 1541\n", b" 01541\n", "has no valid length"),
        (b" 1541\n", b" -1\n", "has no valid length"),
        (b" 1541\n", b" 1e3\n", "has no valid length"),
        (b" 1541\n", b" \n", "has no valid length"),
        (b" 1541\n", b" 18446744073709551615\n", "has no valid length"),
        (b" 1541\n", b" 99999999\n", "is cut off: its header announces 100000053 bytes"),
        (b" 1541\n", b" 1541\r\n", "has changed line ends"),
        (b" BIKE-L1 ", b" " + b"B" * 200 + b" ", "has a header longer than 128 bytes"),
    ],
)
def test_malformed_header(fail_encaps, exchange, old, new, says):
    data = exchange.public.read_bytes()
    assert old in data
    done = fail_encaps(data.replace(old, new, 1), says=says)
    assert b"\x1b" not in done.stderr


# --- Kind and KEM ---------------------------------------------------------------------------------


def test_wrong_kind(fail, exchange):
    outputs = ["--ciphertext", "out.ct", "--shared", "out.ss"]
    for name, text in [
        ("secret", "secret key"),
        ("ciphertext", "ciphertext"),
        ("shared", "shared secret"),
    ]:
        path = getattr(exchange, name)
        fail(
            "encaps",
            "--public",
            path,
            *outputs,
            secrets=[getattr(exchange.payloads, name)],
            says=[f"{path}: is a {text}, not a public key", "'codekem keygen --public'"],
        )
    fail(
        "decaps",
        "--secret",
        exchange.public,
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        "out.ss",
        says=["is a public key, not a secret key", "'codekem keygen --secret'"],
    )
    fail(
        "decaps",
        "--secret",
        exchange.secret,
        "--ciphertext",
        exchange.public,
        "--shared",
        "out.ss",
        says=["is a public key, not a ciphertext", "'codekem encaps --ciphertext'"],
    )


def test_wrong_kem(succeed, fail, exchange):
    fail(
        "encaps",
        "--kem",
        "BIKE-L3",
        "--public",
        exchange.public,
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        says="bob.pub: is for the KEM BIKE-L1, not BIKE-L3",
    )
    succeed("keygen", "--kem", "BIKE-L3", "--public", "pk3", "--secret", "sk3")
    fail(
        "decaps",
        "--secret",
        "sk3",
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        "out.ss",
        says="to-bob.ct: is for the KEM BIKE-L1, not BIKE-L3",
    )


def test_kem_that_nobody_knows(fail_encaps, exchange):
    fail_encaps(
        make_file("public-key", "KYBER-9000", exchange.payloads.public),
        says=["is for the KEM KYBER-9000, which this codekem does not have", "codekem list"],
    )


def test_key_larger_than_any_here(fail_encaps):
    fail_encaps(
        make_file("public-key", "LARGE-1", bytes(20_000_000)),
        says=["announces more bytes than anything of the KEMs", "use a newer codekem"],
    )


def test_length_that_the_kem_does_not_have(fail_encaps, exchange):
    fail_encaps(
        make_file("public-key", "BIKE-L3", exchange.payloads.public),
        says="has the wrong size: expected 3083 bytes for a public key of BIKE-L3, got 1541",
    )


@pytest.mark.parametrize("size, got", [(0, "0"), (1540, "1540"), (1542, "1542"), (99999, "99999")])
def test_raw_file_of_wrong_size(fail_encaps, size, got):
    fail_encaps(
        b"x" * size,
        "--format",
        "raw",
        "--kem",
        KEM,
        says=f"expected 1541 bytes for a public key of BIKE-L1, got {got};",
    )


def test_raw_stream_of_wrong_size(fail, tmp_path):
    fail(
        "encaps",
        "--public",
        "-",
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        "--format",
        "raw",
        "--kem",
        KEM,
        input=b"x" * 99999,
        says="standard input: has the wrong size: expected 1541 bytes for a public key of BIKE-L1, "
        "got more;",
    )


def test_codekem_file_given_as_raw(fail_encaps, exchange):
    fail_encaps(
        exchange.public.read_bytes(),
        "--format",
        "raw",
        "--kem",
        KEM,
        says="is in the codekem format; leave out --format raw",
    )


# --- What the library's import checks refuse ------------------------------------------------------


@pytest.mark.parametrize("form", ["codekem", "raw"])
def test_padding_bits_of_a_public_key(fail_encaps, exchange, form):
    payload = flipped(exchange.payloads.public, ELEMENT - 1, UNUSED_BIT)
    says = ["is not a valid public key of BIKE-L1", "non-canonical padding bits"]
    if form == "raw":
        fail_encaps(payload, "--format", "raw", "--kem", KEM, says=says)
    else:
        fail_encaps(make_file("public-key", KEM, payload), says=says)


def lighter_key(payload):
    """Takes the last position out of the first half: the dense copy and the list say 70, not 71."""
    last = int.from_bytes(payload[4 * (WEIGHT - 1) : 4 * WEIGHT], "little")
    first_position = payload[:4]
    listed = payload[: 4 * (WEIGHT - 1)] + first_position + payload[4 * WEIGHT :]
    return flipped(listed, 8 * WEIGHT + last // 8, 1 << last % 8)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lighter_key, id="wrong weight"),
        pytest.param(lambda key: key[4:8] + key[4:], id="position twice"),
        pytest.param(lambda key: b"\xff\xff\xff\xff" + key[4:], id="position out of range"),
        pytest.param(lambda key: flipped(key, 8 * WEIGHT), id="list and dense half differ"),
        pytest.param(
            lambda key: flipped(key, 8 * WEIGHT + ELEMENT - 1, UNUSED_BIT), id="padding bits"
        ),
        pytest.param(lambda key: flipped(key, 8 * WEIGHT + 2 * ELEMENT + 5), id="other public key"),
        pytest.param(lambda key: bytes(len(key)), id="all zero"),
    ],
)
@pytest.mark.parametrize("form", ["codekem", "raw"])
def test_invalid_secret_key(fail_decaps, exchange, damage, form):
    payload = damage(exchange.payloads.secret)
    assert len(payload) == len(exchange.payloads.secret) and payload != exchange.payloads.secret
    says = ["in.key: is not a valid secret key of BIKE-L1", "wrong weight"]
    if form == "raw":
        fail_decaps(
            "--format",
            "raw",
            "--kem",
            KEM,
            secret=payload,
            ciphertext=exchange.payloads.ciphertext,
            says=says,
        )
    else:
        fail_decaps(secret=make_file("secret-key", KEM, payload), says=says)
