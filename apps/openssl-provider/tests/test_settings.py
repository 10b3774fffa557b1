# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the configuration may say of names, numbers and object identifiers, and what it may not."""

import pytest

from tests.tls_programs import run, write_configuration

FURTHER_NUMBERS = [
    1,
    22,
    23,
    30,
    41,
    256,
    260,
    0x0200,
    0x0202,
    0x11EB,
    0x11EC,
    0x11ED,
    0x0A0A,
    0x4A4A,
    0xFAFA,
    0x6399,
    0xFF01,
]
LONGEST_OID = "1.3.9999." + ".".join(["9999999"] * 5)  # of 48 characters, one less than may be


@pytest.fixture
def providers(module, openssl_path, tmp_path):
    """providers("groups.bikel1 = 1") returns what `openssl list -providers` says with this entry.

    The provider is loaded by the command: OpenSSL drops the errors of those that it activates."""

    def ask(entry):
        path = write_configuration(tmp_path / "openssl.cnf", module, entry)
        before, section = path.read_text().split("[codekem_section]")
        path.write_text(before + "[codekem_section]" + section.replace("activate = 1\n", ""))
        return run([openssl_path, "list", "-providers", "-provider", "codekem"], path, check=False)

    return ask


@pytest.mark.parametrize(
    "entry, complaint",
    [
        (
            "groups.bikel1 = 29",
            "in TLS this number is that of X25519; take one from 65024 to 65279",
        ),
        ("groups.bikel1 = 0x11ec", "in TLS this number is that of X25519MLKEM768"),
        ("groups.hqc1 = 0x1A1A", "in TLS this number is that of GREASE"),
        ("groups.hqc1 = 65040", "groups.bikel1 and groups.hqc1: both are 65040"),
        ("groups.p521_hqc5 = 65536", "expected a code point from 1 to 65535"),
        ("groups.p521_hqc5 = -1", "expected a code point from 1 to 65535"),
        ("groups.p521_hqc5 = 1 2", "expected a code point from 1 to 65535"),
        ("names.bikel1 = x25519", "this is the name of the TLS group X25519; take another one"),
        ("names.bikel1 = P-256", "expected 1 to 39 characters without any of"),
        ("names.bikel1 = prime256v1", "this is the name of the TLS group secp256r1"),
        ("names.bikel1 = hqc1", "names.bikel1 and names.hqc1: both are hqc1"),
        ("oids.BIKE-L1 = 1.3.09999.1", "OpenSSL takes it for 1.3.9999.1"),
        ("oids.BIKE-L1 = 1.3.9999 .1", "without leading zeros and blanks"),
        ("oids.BIKE-L1 = 1 3 9999 1", "OpenSSL takes it for 1.3.9999.1"),
        (f"oids.BIKE-L1 = {LONGEST_OID}77", "with less than 50 characters"),
        (f"oids.BIKE-L1 = {LONGEST_OID}{'.9999999' * 20}", "with less than 50 characters"),
        ("oids.BIKE-L1 = 1.3.9999.1.", "oids.BIKE-L1 = 1.3.9999.1.: expected"),
        ("oids.BIKE-L1 = 4.3.9999.1", "expected an object identifier in dotted numbers"),
        ("oids.BIKE-L1 = BIKE", "expected an object identifier in dotted numbers"),
        ("oids.BIKE-L1 = 1.2.840.113549.1.1.1", "this object identifier is that of rsaEncryption"),
        ("keys.form = seed-only", "keys.form = seed-only: expected seed, both or expanded"),
        ("oids.HQC-3 = 2.16.840.1.101.3.4.4.4", "both are 2.16.840.1.101.3.4.4.4"),
        ("oids.HQC-1 = 1.3.101.110", "this object identifier is that of X25519"),
        (
            "oids.HQC-1 = 1.3.9999.1\noids.HQC-3 = 1.3.9999.1",
            "oids.HQC-1 and oids.HQC-3: both are 1.3.9999.1",
        ),
    ],
)
def test_wrong_settings_are_refused(entry, complaint, providers):
    done = providers(entry)
    assert done.returncode != 0 and complaint in done.stdout, done.stdout


@pytest.mark.parametrize("number", FURTHER_NUMBERS)
def test_numbers_of_others_are_refused(number, providers):
    done = providers(f"groups.x448_hqc3 = {number}")
    assert done.returncode != 0 and "in TLS this number is that of" in done.stdout, done.stdout


@pytest.mark.parametrize("number", [0, 508, 511, 577, 65024, 65279, 65535])
def test_free_numbers_are_taken(number, providers):
    """0 switches the group off; 508 to 511 and 65024 to 65279 are for private use; the rest is
    unassigned."""
    done = providers(f"groups.x448_hqc3 = {number}")
    assert done.returncode == 0 and "codekem: BIKE and HQC" in done.stdout, done.stdout


@pytest.mark.parametrize("oid", ["1.3.9999.1", "2.999.1", "0.4.0.127.0.15", LONGEST_OID + "7"])
def test_key_with_any_accepted_identifier_is_read_again(oid, module, openssl_path, tmp_path):
    configuration = write_configuration(tmp_path / "cnf", module, f"oids.HQC-1 = {oid}\n")

    def call(*arguments):
        return run([openssl_path, *arguments], configuration)

    call("genpkey", "-algorithm", "HQC-1", "-out", tmp_path / "key")
    assert "Key is valid" in call("pkey", "-in", tmp_path / "key", "-check", "-noout").stdout
    call("pkey", "-in", tmp_path / "key", "-pubout", "-out", tmp_path / "pub")
    assert "HQC-1" in call("pkey", "-pubin", "-in", tmp_path / "pub", "-noout", "-text").stdout


def test_default_properties_may_name_the_provider(module, openssl_path, tmp_path):
    """Random bytes come from another provider all the same."""
    path = write_configuration(tmp_path / "cnf", module)
    path.write_text(
        path.read_text().replace(
            "[openssl_init]\n", "[openssl_init]\nalg_section = algorithm_section\n"
        )
        + "[algorithm_section]\ndefault_properties = provider=codekem\n"
    )
    for name in ["BIKE-L1", "HQC-5"]:
        made = run([openssl_path, "genpkey", "-algorithm", name], path)
        assert "BEGIN PRIVATE KEY" in made.stdout
