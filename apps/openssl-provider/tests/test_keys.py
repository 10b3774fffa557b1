# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys that `openssl` makes, stores, shows and checks, and files that are wrong."""

import base64
import re

import pytest

from tests.tls_programs import ALGORITHMS, KEMS, run, write_configuration

ARC = "2.25.304699757430427868466686181786647698735"
OIDS = {
    "BIKE-L1": f"{ARC}.1.1",
    "BIKE-L3": f"{ARC}.1.3",
    "BIKE-L5": f"{ARC}.1.5",
    "HQC-1": f"{ARC}.2.1",
    "HQC-3": f"{ARC}.2.3",
    "HQC-5": f"{ARC}.2.5",
}
SEED_BYTES = {"BIKE": 64, "HQC": 32}


@pytest.fixture(scope="session")
def keys(openssl, tmp_path_factory):
    """The folder with NAME.key and NAME.pub of every algorithm."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ALGORITHMS:
        openssl("genpkey", "-algorithm", name, "-out", folder / f"{name}.key")
        openssl("pkey", "-in", folder / f"{name}.key", "-pubout", "-out", folder / f"{name}.pub")
    return folder


@pytest.fixture(scope="session")
def read_key(programs, configuration):
    """read_key("private", path) reads a key as servers do; returns the errors, None for none."""

    def read(kind, path):
        done = run([programs / "bin" / "read_key", kind, path], configuration, check=False)
        return None if done.returncode == 0 else done.stdout

    return read


def field(text, name):
    """Returns the bytes that `pkey -text` shows under this name."""
    found = re.search(rf"^{name}:\n((?:    [0-9a-f:]+\n)+)", text, re.MULTILINE)
    assert found, f"no {name} in {text[:300]}"
    return bytes.fromhex(re.sub(r"[\s:]", "", found.group(1)))


def der_of(path):
    """Returns the DER in a PEM file."""
    return base64.b64decode(
        "".join(line for line in path.read_text().splitlines() if not line.startswith("-----"))
    )


def write_pem(path, label, der):
    text = base64.b64encode(der).decode()
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    path.write_text("\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]))
    return path


@pytest.mark.parametrize("name", ALGORITHMS)
def test_key_is_shown(name, keys, openssl):
    text = openssl("pkey", "-in", keys / f"{name}.key", "-noout", "-text").stdout
    assert text.startswith(f"{name} Private-Key:\n")
    assert len(field(text, "seed")) == SEED_BYTES[name.split("-")[0]]
    assert len(field(text, "pub")) == KEMS[ALGORITHMS[name]][0]
    assert field(text, "pub") in field(text, "priv")
    public = openssl("pkey", "-pubin", "-in", keys / f"{name}.pub", "-noout", "-text").stdout
    assert public.startswith(f"{name} Public-Key:\n") and "priv" not in public
    assert field(public, "pub") == field(text, "pub")


@pytest.mark.parametrize("name", ALGORITHMS)
def test_key_is_valid_and_has_its_identifier(name, keys, openssl):
    assert "Key is valid" in openssl("pkey", "-in", keys / f"{name}.key", "-check", "-noout").stdout
    assert (
        "Key is valid"
        in openssl("pkey", "-pubin", "-in", keys / f"{name}.pub", "-pubcheck", "-noout").stdout
    )
    for suffix in ["key", "pub"]:
        assert f":{OIDS[name]}\n" in openssl("asn1parse", "-in", keys / f"{name}.{suffix}").stdout


@pytest.mark.parametrize("name", ALGORITHMS)
def test_key_survives_every_form(name, keys, openssl, tmp_path):
    first = (keys / f"{name}.key").read_text()
    openssl("pkey", "-in", keys / f"{name}.key", "-outform", "DER", "-out", tmp_path / "der")
    assert (tmp_path / "der").read_bytes() == der_of(keys / f"{name}.key")
    openssl(
        "pkey",
        "-in",
        tmp_path / "der",
        "-inform",
        "DER",
        "-aes-256-cbc",
        "-passout",
        "pass:secret",
        "-out",
        tmp_path / "encrypted",
    )
    assert "BEGIN ENCRYPTED PRIVATE KEY" in (tmp_path / "encrypted").read_text()
    openssl(
        "pkey", "-in", tmp_path / "encrypted", "-passin", "pass:secret", "-out", tmp_path / "back"
    )
    assert (tmp_path / "back").read_text() == first
    wrong = openssl("pkey", "-in", tmp_path / "encrypted", "-passin", "pass:wrong", check=False)
    assert wrong.returncode != 0
    openssl(
        "pkey", "-pubin", "-in", keys / f"{name}.pub", "-outform", "DER", "-out", tmp_path / "pub"
    )
    assert (tmp_path / "pub").read_bytes() == der_of(keys / f"{name}.pub")
    openssl("pkey", "-pubin", "-in", tmp_path / "pub", "-inform", "DER", "-out", tmp_path / "pem")
    assert (tmp_path / "pem").read_text() == (keys / f"{name}.pub").read_text()


@pytest.mark.parametrize("name", ALGORITHMS)
def test_seed_makes_the_key(name, keys, openssl, library, tmp_path):
    text = openssl("pkey", "-in", keys / f"{name}.key", "-noout", "-text").stdout
    seed = field(text, "seed")
    openssl(
        "genpkey",
        "-algorithm",
        name,
        "-pkeyopt",
        f"hexseed:{seed.hex()}",
        "-out",
        tmp_path / "again",
    )
    assert (tmp_path / "again").read_text() == (keys / f"{name}.key").read_text()
    public, secret = library.keypair(library.kem(name), seed)
    assert field(text, "pub") == public and field(text, "priv") == secret
    short = openssl("genpkey", "-algorithm", name, "-pkeyopt", "hexseed:0011", check=False)
    assert short.returncode != 0
    assert f"a seed of {name} has {len(seed)} bytes" in short.stdout


def octets(tag, content):
    """Returns the DER element with this tag."""
    length = len(content)
    if length < 128:
        return bytes([tag, length]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + length.to_bytes(size, "big") + content


def private_key(identifier, content):
    """Returns a PrivateKeyInfo with this AlgorithmIdentifier's content and key."""
    return octets(0x30, b"\x02\x01\x00" + octets(0x30, identifier) + octets(0x04, content))


@pytest.fixture(params=["BIKE-L1", "HQC-1"])
def parts(request, keys, openssl):
    """The parts of a key: name, DER of the object identifier, seed, secret and public key."""
    name = request.param
    text = openssl("pkey", "-in", keys / f"{name}.key", "-noout", "-text").stdout
    der = der_of(keys / f"{name}.pub")
    identifier = der[6 : 8 + der[7]]
    assert identifier[0] == 6
    return name, identifier, field(text, "seed"), field(text, "priv"), field(text, "pub")


def test_private_key_may_be_seed_or_secret_alone(parts, keys, openssl, tmp_path):
    name, identifier, seed, secret, _ = parts
    both = octets(0x30, octets(4, seed) + octets(4, secret))
    assert private_key(identifier, octets(0x80, seed)) == der_of(keys / f"{name}.key")
    held = name.startswith("HQC")  # the secret key ends in its seed
    for content, has_seed in [(octets(0x80, seed), True), (both, True), (octets(4, secret), held)]:
        path = write_pem(tmp_path / "key", "PRIVATE KEY", private_key(identifier, content))
        text = openssl("pkey", "-in", path, "-noout", "-text").stdout
        assert field(text, "priv") == secret and ("seed" in text) == has_seed
        public = openssl("pkey", "-in", path, "-pubout").stdout
        assert public == (keys / f"{name}.pub").read_text()


def test_private_keys_that_contradict_themselves(parts, read_key, tmp_path):
    name, identifier, seed, secret, _ = parts
    other_seed = bytes([seed[0] ^ 1]) + seed[1:]
    other_secret = bytes([secret[0] ^ 1]) + secret[1:]
    pair = octets(0x30, octets(4, seed) + octets(4, secret))
    cases = [
        (octets(0x30, octets(4, other_seed) + octets(4, secret)), "do not belong together"),
        (octets(0x30, octets(4, seed) + octets(4, other_secret)), "do not belong together"),
        (octets(4, other_secret), "not a valid secret key"),
        (octets(4, secret[:-1]), "wrong length"),
        (octets(4, secret + b"\0"), "wrong length"),
        (octets(0x80, seed[:-1]), "wrong length"),
        (octets(4, b""), "wrong length"),
        (b"", "not a valid encoding"),
        (octets(0x30, octets(4, seed)), "not a valid encoding"),
        (pair + b"\0", "not a valid encoding"),
        (octets(0x81, seed), "not a valid encoding"),
    ]
    for content, reason in cases:
        path = write_pem(tmp_path / "key", "PRIVATE KEY", private_key(identifier, content))
        assert reason in (read_key("private", path) or ""), reason
    path = write_pem(tmp_path / "key", "PRIVATE KEY", private_key(identifier, pair))
    assert read_key("private", path) is None
    path = write_pem(tmp_path / "key", "PRIVATE KEY", private_key(identifier + b"\5\0", pair))
    assert f"{name}: the key has parameters" in read_key("private", path)


def test_good_key_is_not_blamed_for_a_wrong_back_end(parts, programs, configuration, tmp_path):
    name, identifier, seed, secret, _ = parts
    for content in [octets(0x30, octets(4, seed) + octets(4, secret)), octets(4, secret)]:
        path = write_pem(tmp_path / "key", "PRIVATE KEY", private_key(identifier, content))
        command = [programs / "bin" / "read_key", "private", path]
        assert name in run(command, configuration).stdout
        done = run(command, configuration, check=False, CODEKEM_CPU="no-such-back-end")
        assert done.returncode != 0 and "CODEKEM_CPU" in done.stdout, done.stdout
        assert "secret key of the KEM" not in done.stdout, done.stdout


def test_private_keys_are_read_in_der_only(parts, read_key, tmp_path):
    """Longer headers than there need be, other versions, and more behind the key."""
    _, identifier, seed, secret, _ = parts
    algorithm = octets(0x30, identifier)
    content = octets(4, octets(0x80, seed))
    whole = octets(0x30, b"\x02\x01\x00" + algorithm + content)
    attributes = octets(0xA0, octets(0x30, b"\x06\x03\x55\x04\x03" + octets(0x31, b"")))
    cases = [
        (octets(0x30, b"\x02\x01\x02" + algorithm + content), "is of a later version than 0 and 1"),
        (
            octets(0x30, b"\x02\x01\x00" + algorithm + octets(4, b"\x80\x81\x20" + seed)),
            "neither a seed",
        ),
        (octets(0x30, b"\x02\x01\x00" + algorithm + content + content), "other than attributes"),
        (
            octets(0x30, b"\x02\x01\x00" + algorithm + octets(0x24, octets(4, secret))),
            "no octet string",
        ),
    ]
    for der, reason in cases:
        errors = read_key("private", write_pem(tmp_path / "key", "PRIVATE KEY", der))
        # OpenSSL 3.0 parses private keys first to see of what kind they are, or finds no decoder.
        assert errors and (reason in errors or "unsupported" in errors), (reason, errors)
    assert read_key("private", write_pem(tmp_path / "key", "PRIVATE KEY", whole)) is None
    more = octets(0x30, b"\x02\x01\x00" + algorithm + content + attributes)
    assert read_key("private", write_pem(tmp_path / "key", "PRIVATE KEY", more)) is None


def test_public_keys_in_wrong_encodings(parts, keys, read_key, tmp_path):
    _, identifier, _, _, public = parts
    padded = public[:-1] + bytes([public[-1] | 0x80])

    def info(key, algorithm=identifier, unused=b"\0"):
        return octets(0x30, octets(0x30, algorithm) + octets(3, unused + key))

    assert info(public) == der_of(keys / f"{parts[0]}.pub")
    cases = [
        (info(padded), "not a valid public key of the KEM"),
        (info(public[:-1]), "wrong length"),
        (info(public + b"\0"), "wrong length"),
        (info(b""), "wrong length"),
        (info(public, unused=b"\1"), "not a valid encoding"),
        (info(public, algorithm=identifier + b"\5\0"), "not a valid encoding"),
    ]
    for der, reason in cases:
        path = write_pem(tmp_path / "key", "PUBLIC KEY", der)
        assert reason in (read_key("public", path) or ""), reason


def test_key_that_is_cut_off_says_so(keys, read_key, openssl, tmp_path):
    path = tmp_path / "key"
    for suffix, kind, options in [("key", "private", []), ("pub", "public", ["-pubin"])]:
        label = f"{kind.upper()} KEY"
        der = der_of(keys / f"BIKE-L1.{suffix}")
        for kept in [40, 80, len(der) - 1]:
            write_pem(path, label, der[:kept])
            errors = read_key(kind, path)
            # Later versions of OpenSSL parse private keys themselves first.
            assert (
                f"the key is cut off: its header announces {len(der)} bytes, and it has {kept}"
                in errors
                or "asn1 encoding routines" in errors
            ), errors
            assert openssl("pkey", *options, "-in", path, "-noout", check=False).returncode != 0
        text = (keys / f"BIKE-L1.{suffix}").read_text()
        path.write_text(text[: len(text) // 2])  # no END line
        assert "Input type: PEM" in read_key(kind, path)  # OpenSSL has no more to say


def test_other_keys_are_left_to_openssl(openssl, tmp_path):
    for options in [
        ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["-algorithm", "X25519"],
    ]:
        openssl("genpkey", *options, "-out", tmp_path / "key")
        assert openssl("pkey", "-in", tmp_path / "key", "-pubout").stdout
    path = write_pem(tmp_path / "junk", "PRIVATE KEY", b"\x30\x03\x02\x01\x00")
    done = openssl("pkey", "-in", path, "-noout", check=False)
    assert done.returncode != 0 and "codekem" not in done.stdout


def test_object_identifiers_are_configurable(keys, module, openssl_path, tmp_path):
    configuration = write_configuration(tmp_path / "cnf", module, "oids.BIKE-L1 = 1.3.9999.6.1\n")

    def call(*arguments, check=True):
        return run([openssl_path, *arguments], configuration=configuration, check=check)

    call("genpkey", "-algorithm", "BIKE-L1", "-out", tmp_path / "key")
    assert ":1.3.9999.6.1\n" in call("asn1parse", "-in", tmp_path / "key").stdout
    assert "Key is valid" in call("pkey", "-in", tmp_path / "key", "-check", "-noout").stdout
    assert call("pkey", "-in", keys / "HQC-1.key", "-noout").returncode == 0
    assert call("pkey", "-in", keys / "BIKE-L1.key", "-noout", check=False).returncode != 0


def test_without_a_generator_nothing_is_made(module, openssl_path, tmp_path):
    """Random bytes are the library context's: without a provider for them there are none."""
    configuration = write_configuration(tmp_path / "cnf", module)
    configuration.write_text(
        configuration.read_text().replace("default = default_section\n", "base = default_section\n")
    )
    done = run([openssl_path, "genpkey", "-algorithm", "BIKE-L1"], configuration, check=False)
    assert done.returncode != 0 and "no random bytes from the library context" in done.stdout


@pytest.mark.parametrize("name", ALGORITHMS)
def test_exchange_on_the_command_line(name, keys, openssl, tmp_path):
    options = openssl("pkeyutl", "-help", check=False).stdout
    if "-encap" not in options:
        pytest.skip("`openssl pkeyutl -encap` came with 3.4; provider_check does the same by EVP")
    openssl(
        "pkeyutl",
        "-encap",
        "-pubin",
        "-inkey",
        keys / f"{name}.pub",
        "-out",
        tmp_path / "ct",
        "-secret",
        tmp_path / "a",
    )
    openssl(
        "pkeyutl",
        "-decap",
        "-inkey",
        keys / f"{name}.key",
        "-in",
        tmp_path / "ct",
        "-secret",
        tmp_path / "b",
    )
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
