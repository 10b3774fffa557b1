# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command's --format pem: keys that OpenSSL reads, keys of OpenSSL, and files that are
wrong."""

import base64

import pytest

from tests.malformed_keys import pem
from tests.tls_programs import ALGORITHMS, run, write_configuration


@pytest.fixture
def codekem(command, tmp_path):
    """codekem("keygen", ...) runs the command in an empty folder."""

    def call(*arguments, **options):
        return run(["env", "-C", tmp_path, command, *arguments, "--format", "pem"], **options)

    return call


@pytest.fixture
def openssl_with(module, openssl_path, tmp_path):
    """openssl_with(ENTRY)("pkey", ...) runs it with an entry in the provider's section."""

    def configured(entry):
        path = tmp_path / f"{entry.rpartition(' ')[2]}.cnf"
        write_configuration(path, module, entry)
        return lambda *arguments, **options: run(
            [openssl_path, *arguments], configuration=path, **options
        )

    return configured


def exchange(codekem, folder):
    codekem("encaps", "--public", "pub", "--ciphertext", "ct", "--shared", "a")
    codekem("decaps", "--secret", "key", "--ciphertext", "ct", "--shared", "b")
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes()
    assert len((folder / "a").read_bytes()) == 32


@pytest.mark.parametrize("name", ALGORITHMS)
def test_openssl_reads_what_the_command_writes(name, codekem, openssl, tmp_path):
    codekem("keygen", "--kem", name, "--public", "pub", "--secret", "key")
    assert "Key is valid" in openssl("pkey", "-in", tmp_path / "key", "-check", "-noout").stdout
    assert (
        openssl("pkey", "-in", tmp_path / "key", "-pubout").stdout == (tmp_path / "pub").read_text()
    )
    assert openssl("pkey", "-in", tmp_path / "key").stdout == (tmp_path / "key").read_text()
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    exchange(codekem, tmp_path)


@pytest.mark.parametrize("name", ["BIKE-L1", "HQC-5"])
def test_forms_of_private_keys(name, codekem, openssl, openssl_with, tmp_path):
    """The command and the provider write the same bytes of a key in each form; without the seed
    BIKE's is written as its secret key, and HQC's, which has the seed in it, as its seed."""
    pair = ["--public", "pub", "--secret", "key"]
    for form in ("seed", "both", "expanded"):
        codekem("keygen", "--kem", name, "--form", form, "--force", *pair)
        exchange(codekem, tmp_path)
        for path in ("ct", "a", "b"):
            (tmp_path / path).unlink()
        text = (tmp_path / "key").read_text()
        provider = openssl_with(f"keys.form = {form}")
        assert provider("pkey", "-in", tmp_path / "key").stdout == text
        public = openssl("pkey", "-in", tmp_path / "key", "-pubout").stdout
        assert public == (tmp_path / "pub").read_text()
        default = openssl("pkey", "-in", tmp_path / "key").stdout
        if form == "seed" or name.startswith("HQC"):
            assert len(default) < (250 if name.startswith("BIKE") else 150)
        elif form == "expanded":
            assert default == text
        for other in ("seed", "both", "expanded"):
            made = openssl_with(f"keys.form = {other}")("pkey", "-in", tmp_path / "key").stdout
            again = provider("pkey", stdin=made.encode()).stdout
            assert again == text or (form != "expanded" and other == "expanded")
    encrypted = ["-aes-256-cbc", "-passout", "pass:x"]
    short = openssl("pkey", "-in", tmp_path / "key", *encrypted).stdout
    long = openssl_with("keys.form = expanded")("pkey", "-in", tmp_path / "key", *encrypted).stdout
    assert len(short) < 600 < len(long) or name.startswith("BIKE")


def test_wrong_forms_are_refused(codekem, command, tmp_path):
    pair = ["--kem", "HQC-1", "--public", "pub", "--secret", "key"]
    done = codekem("keygen", "--form", "sed", *pair, check=False)
    assert done.returncode == 2 and "did you mean 'seed'?" in done.stdout
    raw = ["--form", "seed", *pair, "--format", "raw"]
    done = run(["env", "-C", tmp_path, command, "keygen", *raw], check=False)
    assert done.returncode == 2 and "--form is for --format pem" in done.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ALGORITHMS)
def test_command_reads_what_openssl_writes(name, codekem, openssl, tmp_path):
    openssl("genpkey", "-algorithm", name, "-out", tmp_path / "key")
    openssl("pkey", "-in", tmp_path / "key", "-pubout", "-out", tmp_path / "pub")
    exchange(codekem, tmp_path)
    wrong = codekem(
        "encaps",
        "--kem",
        "BIKE-L1" if name != "BIKE-L1" else "HQC-1",
        "--public",
        "pub",
        "--ciphertext",
        "x",
        "--shared",
        "y",
        check=False,
    )
    assert wrong.returncode == 1 and f"is for the KEM {name}, not" in wrong.stdout


@pytest.fixture
def files(codekem, tmp_path):
    pair = ["--public", "pub", "--secret", "key"]
    codekem("keygen", "--kem", "BIKE-L1", "--form", "both", *pair)
    return tmp_path


def test_wrong_public_keys_say_what_is_wrong(files, codekem, openssl):
    text = (files / "pub").read_text()
    der = base64.b64decode("".join(text.splitlines()[1:-1]))
    padded = der[:-1] + bytes([der[-1] | 0x80])
    other = openssl("genpkey", "-algorithm", "X25519").stdout
    openssl("genpkey", "-algorithm", "X25519", "-out", files / "other")
    public = openssl("pkey", "-in", files / "other", "-pubout").stdout
    cases = [
        ("", "is not in PEM"),
        ("nothing\n", "is not in PEM"),
        (text[: len(text) // 2], "is cut off: the line '-----END ...-----' is missing"),
        (text.replace("END PUBLIC", "END PRIVATE"), "is cut off"),
        (text[:200] + "!!!" + text[203:], "is not base64"),
        (pem("PUBLIC KEY", der[:-10]), f"is cut off: its header announces {len(der)} bytes"),
        (pem("PUBLIC KEY", b"junk"), "the content is not a key in DER"),
        (pem("PUBLIC KEY", der + b"\0"), "the key has something behind its end"),
        (pem("PUBLIC KEY", padded), "non-canonical padding bits"),
        (public, "is a key of another algorithm (its object identifier is 1.3.101.110)"),
        (other, "holds a PRIVATE KEY where a PUBLIC KEY belongs"),
    ]
    for content, complaint in cases:
        (files / "pub").write_text(content)
        done = codekem(
            "encaps", "--public", "pub", "--ciphertext", "ct", "--shared", "ss", check=False
        )
        assert done.returncode == 1 and complaint in done.stdout, (complaint, done.stdout)
        assert not (files / "ct").exists()


def test_wrong_secret_keys_say_what_is_wrong(files, codekem, openssl):
    codekem("encaps", "--public", "pub", "--ciphertext", "ct", "--shared", "ss")
    text = (files / "key").read_text()
    der = base64.b64decode("".join(text.splitlines()[1:-1]))
    seed_at = der.index(b"\x04\x40", 30) + 2
    other_seed = der[:seed_at] + bytes([der[seed_at] ^ 1]) + der[seed_at + 1 :]
    other_secret = der[:-1] + bytes([der[-1] ^ 1])
    openssl(
        "pkey",
        "-in",
        files / "key",
        "-aes-256-cbc",
        "-passout",
        "pass:x",
        "-out",
        files / "encrypted",
    )
    cases = [
        ((files / "pub").read_text(), "holds a PUBLIC KEY where a PRIVATE KEY belongs"),
        ((files / "encrypted").read_text(), "is encrypted, and this command knows no passphrases"),
        (pem("PRIVATE KEY", other_seed), "seed and secret key do not belong together"),
        (pem("PRIVATE KEY", other_secret), "seed and secret key do not belong together"),
        (pem("PRIVATE KEY", der[:100]), "is cut off: its header announces"),
        (text.replace("\n", "", 1), "is not in PEM"),
    ]
    for content, complaint in cases:
        (files / "key").write_text(content)
        done = codekem(
            "decaps", "--secret", "key", "--ciphertext", "ct", "--shared", "out", check=False
        )
        assert done.returncode == 1 and complaint in done.stdout, (complaint, done.stdout)
        assert not (files / "out").exists()


def test_labels_and_headers_are_shown_without_their_control_characters(files, codekem):
    der = base64.b64decode("".join((files / "pub").read_text().splitlines()[1:-1]))
    cases = [
        ("\x1b[31mRED", "holds a \\x1b[31mRED where a PUBLIC KEY belongs"),
        ("\x9b2J", "holds a \\u{9b}2J where"),
        ("A\u202eB", "holds a A\\u{202e}B where"),
        ("X" * 100, "X" * 100),
    ]
    for label, says in cases:
        (files / "pub").write_bytes(pem(label, der).encode())
        done = codekem(
            "encaps", "--public", "pub", "--ciphertext", "ct", "--shared", "ss", check=False
        )
        assert done.returncode == 1 and says in done.stdout, (says, done.stdout)
        assert not set(done.stdout[:-1]) & {chr(c) for c in (*range(32), *range(127, 160))}
    for header, says in [
        ("Proc-Type: 4,ENCRYPTED\nDEK-Info: AES,00\n\n", "is encrypted"),
        ("Comment: \x1b[2J\n\n", "has lines before the base64"),
    ]:
        (files / "pub").write_text(pem("PUBLIC KEY", der, header))
        done = codekem(
            "encaps", "--public", "pub", "--ciphertext", "ct", "--shared", "ss", check=False
        )
        assert done.returncode == 1 and says in done.stdout, done.stdout


def test_text_around_a_key_is_passed_over_and_more_of_it_is_refused(files, codekem):
    key = (files / "pub").read_text()
    for before, taken in [(1000, True), (60_000, True), (10_000_000, False)]:
        (files / "pub").write_text("a line of text\n" * (before // 15) + key)
        done = codekem(
            "encaps",
            "--public",
            "pub",
            "--ciphertext",
            "ct",
            "--shared",
            "ss",
            "--force",
            check=False,
        )
        assert (done.returncode == 0) == taken, done.stdout
    assert "is longer than any key in PEM" in done.stdout


def test_kem_without_identifier_is_refused(codekem, files):
    done = codekem("keygen", "--kem", "HQC-1-v5.0.0", "--public", "p", "--secret", "s", check=False)
    assert done.returncode == 2 and "no object identifier" in done.stdout
    assert not (files / "p").exists()


def test_formats_are_told_apart(files, command):
    done = run(
        [
            "env",
            "-C",
            files,
            command,
            "encaps",
            "--public",
            "pub",
            "--ciphertext",
            "x",
            "--shared",
            "y",
        ],
        check=False,
    )
    assert done.returncode == 1 and "is in PEM, not in the codekem format" in done.stdout
