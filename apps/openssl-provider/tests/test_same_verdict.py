# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command and the provider take the same keys in PEM, and refuse the same."""

import subprocess

import pytest

from tests.malformed_keys import parts_of, private_keys, public_keys, shared_cases
from tests.tls_programs import run

# OpenSSL gives a provider a stream: the provider reads one key and leaves what follows to others.
LEFT_IN_THE_STREAM = ("something behind the whole",)


@pytest.fixture
def verdicts(command, programs, configuration, tmp_path):
    """verdicts("public", text) returns whether the command and the provider take that key."""

    def ask(kind, text):
        (tmp_path / "key").write_text(text)
        codekem = ["encaps", "--public", "key", "--ciphertext", "ct", "--shared", "out"]
        if kind == "private":
            codekem = ["decaps", "--secret", "key", "--ciphertext", "good.ct", "--shared", "out"]
        one = subprocess.run(
            [command, *codekem, "--format", "pem", "--force"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert one.returncode == (1 if one.stderr else 0), one
        other = run(
            [programs / "bin" / "read_key", kind, tmp_path / "key"],
            configuration=configuration,
            check=False,
        )
        return one.returncode == 0, other.returncode == 0, one.stderr + other.stdout

    return ask


@pytest.mark.parametrize("name", ["BIKE-L1", "HQC-1", "HQC-5"])
@pytest.mark.parametrize("kind", ["public", "private"])
def test_command_and_provider_agree(name, kind, command, verdicts, tmp_path):
    for arguments in (
        ["keygen", "--kem", name, "--public", "good.pub", "--secret", "good.key"],
        ["encaps", "--public", "good.pub", "--ciphertext", "good.ct", "--shared", "ss"],
    ):
        form = ["--form", "both"] if arguments[0] == "keygen" else []
        subprocess.run([command, *arguments, *form, "--format", "pem"], cwd=tmp_path, check=True)
    if kind == "public":
        keys = list(public_keys((tmp_path / "good.pub").read_text()))
    else:
        keys = list(private_keys((tmp_path / "good.key").read_text()))
    wrong = []
    for fault, text in keys:
        have = verdicts(kind, text)
        if have[:2] != (not fault, not fault or fault in LEFT_IN_THE_STREAM):
            wrong.append((fault or "nothing wrong", *have))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("name", ["BIKE-L1", "HQC-1"])
@pytest.mark.parametrize("kind", ["public", "private"])
def test_keys_of_the_table_for_all_readers(name, kind, command, verdicts, tmp_path):
    """The packages read the same ones: bindings/tests/test_keys.py, and DerTest of Java."""
    for number in ("good", "other"):
        keys = ["--public", f"{number}.pub", "--secret", f"{number}.key"]
        subprocess.run(
            [command, "keygen", "--kem", name, "--format", "pem", "--form", "both", *keys],
            cwd=tmp_path,
            check=True,
        )
    subprocess.run(
        [
            *[command, "encaps", "--public", "good.pub", "--ciphertext", "good.ct"],
            *["--shared", "ss", "--format", "pem"],
        ],
        cwd=tmp_path,
        check=True,
    )
    texts = [(tmp_path / file).read_text() for file in ("good.key", "good.pub", "other.pub")]
    cases = list(shared_cases(kind, name, parts_of(*texts)))
    assert {good for _, _, good, _ in cases} == {True, False}
    for what, text, good, says in cases:
        ours, theirs, said = verdicts(kind, text)
        assert (ours, theirs) == (good, good), (what, said)
        assert said.count(says) >= 2 if says else True, (what, said)
        assert "damaged" not in said, (what, said)
