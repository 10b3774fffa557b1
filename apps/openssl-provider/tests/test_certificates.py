# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Certificates with keys of KEMs, and mail that is encrypted to them: CMS's KEMRecipientInfo
[RFC9629], which OpenSSL has since 3.6."""

import re

import pytest

from tests.tls_programs import run, write_configuration

LETTER = "a letter\n"
DAYS = ["-days", "2"]


@pytest.fixture
def folder(openssl, tmp_path):
    """With NAME.key and NAME.crt of two KEMs, signed by ca.crt."""
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", *DAYS]
    ca = ["-keyout", tmp_path / "ca.key", "-out", tmp_path / "ca.crt", "-subj", "/CN=ca"]
    run(["/usr/bin/openssl", "req", "-x509", *curve, *ca])
    (tmp_path / "extensions").write_text("keyUsage = critical, keyEncipherment\n")
    for name in ("HQC-1", "BIKE-L1"):
        openssl("genpkey", "-algorithm", name, "-out", tmp_path / f"{name}.key")
        public = openssl("pkey", "-in", tmp_path / f"{name}.key", "-pubout").stdout
        (tmp_path / f"{name}.pub").write_text(public)
        openssl(
            *["x509", "-new", "-force_pubkey", tmp_path / f"{name}.pub", "-subj", "/CN=me", *DAYS],
            *["-CA", tmp_path / "ca.crt", "-CAkey", tmp_path / "ca.key"],
            *["-extfile", tmp_path / "extensions", "-out", tmp_path / f"{name}.crt"],
        )
    (tmp_path / "letter").write_text(LETTER)
    return tmp_path


@pytest.mark.parametrize("name", ["HQC-1", "BIKE-L1"])
def test_certificate_carries_the_key(name, folder, openssl):
    certificate = folder / f"{name}.crt"
    chain = openssl("verify", "-CAfile", folder / "ca.crt", certificate)
    assert chain.stdout == f"{certificate}: OK\n"
    public = openssl("x509", "-in", certificate, "-noout", "-pubkey").stdout
    assert public == (folder / f"{name}.pub").read_text()
    text = openssl("x509", "-in", certificate, "-noout", "-text").stdout
    assert f"{name} Public-Key:" in text and "Key Encipherment" in text


@pytest.mark.parametrize("name", ["HQC-1", "BIKE-L1"])
def test_key_and_certificate_in_one_file(name, folder, openssl):
    """PKCS #12, encrypted by a password."""
    files = ["-in", folder / f"{name}.crt", "-inkey", folder / f"{name}.key"]
    both = folder / f"{name}.p12"
    openssl("pkcs12", "-export", *files, "-out", both, "-passout", "pass:secret")
    text = openssl("pkcs12", "-in", both, "-passin", "pass:secret", "-noenc").stdout
    (folder / "back").write_text(text)
    key = openssl("pkey", "-in", folder / "back").stdout
    assert key == (folder / f"{name}.key").read_text()
    assert (
        openssl("x509", "-in", folder / "back", "-noout", "-pubkey").stdout
        == (folder / f"{name}.pub").read_text()
    )
    refused = openssl("pkcs12", "-in", both, "-passin", "pass:other", "-noenc", check=False)
    assert refused.returncode != 0 and "PRIVATE KEY" not in refused.stdout


@pytest.fixture
def mail(openssl, openssl_path):
    """Skips where OpenSSL cannot encrypt mail to KEMs."""
    version = run([openssl_path, "version"]).stdout
    if tuple(map(int, re.match(r"OpenSSL (\d+)\.(\d+)", version).groups())) < (3, 6):
        pytest.skip("`openssl cms` encrypts to KEMs since OpenSSL 3.6: CODEKEM_OPENSSL names one")
    return openssl


def encrypt(mail, folder, *names):
    recipients = [word for name in names for word in ("-recip", folder / f"{name}.crt")]
    options = ["-in", folder / "letter", "-outform", "PEM", "-out", folder / "letter.cms"]
    mail("cms", "-encrypt", "-aes-256-cbc", *options, *recipients)


def decrypt(mail, folder, name, key=None, check=True):
    owner = ["-inkey", key or folder / f"{name}.key", "-recip", folder / f"{name}.crt"]
    source = ["-inform", "PEM", "-in", folder / "letter.cms"]
    return mail("cms", "-decrypt", *source, *owner, check=check)


@pytest.mark.parametrize("form", ["seed", "both", "expanded"])
def test_mail_reaches_each_recipient(form, mail, module, folder):
    encrypt(mail, folder, "HQC-1", "BIKE-L1")
    configuration = write_configuration(folder / "cnf", module, f"keys.form = {form}")
    for name in ("HQC-1", "BIKE-L1"):
        key = folder / f"{form}.key"
        mail("pkey", "-in", folder / f"{name}.key", "-out", key, configuration=configuration)
        assert decrypt(mail, folder, name, key).stdout.replace("\r", "") == LETTER
    shown = mail(
        "cms", "-cmsout", "-print", "-noout", "-inform", "PEM", "-in", folder / "letter.cms"
    )
    assert shown.stdout.count("id-smime-ori-kem") == 2


def test_mail_of_others_and_altered_mail_stay_closed(mail, folder):
    encrypt(mail, folder, "HQC-1")
    done = decrypt(mail, folder, "BIKE-L1", check=False)
    assert done.returncode != 0 and LETTER not in done.stdout
    lines = (folder / "letter.cms").read_text().splitlines()
    lines[30] = lines[30][:10] + ("A" if lines[30][10] != "A" else "B") + lines[30][11:]
    (folder / "letter.cms").write_text("\n".join([*lines, ""]))
    done = decrypt(mail, folder, "HQC-1", check=False)
    assert done.returncode != 0 and LETTER not in done.stdout
