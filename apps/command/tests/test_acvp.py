# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem acvp: answers prompts in the form of ACVP, all of them or none."""

import json

import pytest

from tests.wycheproof import make
from tests.wycheproof import run as run_vectors
from tests.wycheproof.hqc_model import Hqc
from tools import known_answers


def prompt(mode, kem, tests, function=None, number=7):
    """Returns a prompt with one group."""
    group = {"tgId": number, "testType": "AFT", "parameterSet": kem}
    if function:
        group["function"] = function
    group["tests"] = [{"tcId": 10 + i, **test} for i, test in enumerate(tests)]
    return {"vsId": 3, "algorithm": "HQC", "mode": mode, "revision": "1.0", "testGroups": [group]}


@pytest.fixture
def ask(succeed):
    """ask(prompt) returns the tests of the first group of the response."""

    def run(document):
        response = json.loads(succeed("acvp", input=json.dumps(document).encode()).stdout)
        assert {name: response[name] for name in ("vsId", "algorithm", "mode", "revision")} == {
            name: document[name] for name in ("vsId", "algorithm", "mode", "revision")
        }
        (group,) = response["testGroups"]
        assert group["tgId"] == 7
        assert [test["tcId"] for test in group["tests"]] == [
            test["tcId"] for test in document["testGroups"][0]["tests"]
        ]
        return group["tests"]

    return run


@pytest.mark.parametrize("kem", ["HQC-1", "BIKE-L1", "HQC-128-2023"])
def test_published_answers(kem, ask):
    records = known_answers.read_records(kem)[:2]
    seeds = [known_answers.record_seeds(kem, record) for record in records]
    made = ask(prompt("keyGen", kem, [{"seed": seed.hex()} for seed, _ in seeds]))
    expected = [(record["pk"], record["sk"]) for record in records]
    assert [(test["ek"], test["dk"]) for test in made] == [
        (ek.hex().upper(), dk.hex().upper()) for ek, dk in expected
    ]
    asked = [{"ek": r["pk"].hex(), "m": m.hex()} for r, (_, m) in zip(records, seeds, strict=True)]
    made = ask(prompt("encapDecap", kem, asked, "encapsulation"))
    assert [(test["c"], test["k"]) for test in made] == [
        (record["ct"].hex().upper(), record["ss"].hex().upper()) for record in records
    ]
    asked = [{"dk": r["sk"].hex().upper(), "c": r["ct"].hex()} for r in records]
    made = ask(prompt("encapDecap", kem, asked, "decapsulation"))
    assert [test["k"] for test in made] == [record["ss"].hex().upper() for record in records]


def test_rejected_ciphertexts_and_checks_of_keys(ask):
    model = Hqc(1)
    public_key, secret_key = model.keypair(bytes(32))
    ciphertext = bytes(model.ciphertext)
    (made,) = ask(
        prompt(
            "encapDecap",
            "HQC-1",
            [{"dk": secret_key.hex(), "c": ciphertext.hex()}],
            "decapsulation",
        )
    )
    assert made["k"] == model.decaps(secret_key, ciphertext).hex().upper()
    bad = public_key[:-1] + bytes([public_key[-1] | 0x80])
    keys = [{"ek": key.hex()} for key in (public_key, bad)]
    made = ask(prompt("encapDecap", "HQC-1", keys, "encapsulationKeyCheck"))
    assert [test["testPassed"] for test in made] == [True, False]
    keys = [{"dk": key.hex()} for key in (secret_key, bytes(len(secret_key)))]
    made = ask(prompt("encapDecap", "HQC-1", keys, "decapsulationKeyCheck"))
    assert [test["testPassed"] for test in made] == [True, False]


def test_array_with_a_version_and_a_file(succeed, tmp_path):
    seed = prompt("keyGen", "HQC-1", [{"seed": "00" * 32}])
    file = tmp_path / "prompt.json"
    file.write_text(json.dumps([{"acvVersion": "1.0"}, seed]))
    version, response = json.loads(succeed("acvp", "--prompt", file).stdout)
    assert version == {"acvVersion": "1.0"}
    assert len(response["testGroups"][0]["tests"][0]["dk"]) == 2 * 2321


GOOD = {"seed": "ab" * 32}
KEY = "C0" * 2241


@pytest.mark.parametrize(
    "document, says",
    [
        ("{", "standard input is not JSON"),
        ([], "the prompt has no mode"),
        ({"mode": 1}, "the prompt: mode is not a string"),
        ({"mode": "keyGen"}, "the prompt has no testGroups"),
        ({"mode": "keyGen", "testGroups": {}}, "testGroups is not an array"),
        ({"mode": "keyGen", "testGroups": [{}]}, "a group has no tgId"),
        (prompt("sigGen", "HQC-1", [GOOD]), "there is no mode 'sigGen'"),
        (prompt("keyGen", "HQC-2", [GOOD]), "no KEM 'HQC-2'"),
        (prompt("keyGen", "HQC-1", [GOOD, {}]), "group 7, test 11 has no seed"),
        (prompt("keyGen", "HQC-1", [GOOD, {"seed": 5}]), "group 7, test 11: seed is not a string"),
        (
            prompt("keyGen", "HQC-1", [GOOD, {"seed": "ab" * 31}]),
            "group 7, test 11: seed has 62 hexadecimal digits where 64 are needed",
        ),
        (
            prompt("keyGen", "HQC-1", [GOOD, {"seed": "ab" * 31 + "ag"}]),
            "group 7, test 11: seed is not hexadecimal near digit 63",
        ),
        (prompt("encapDecap", "HQC-1", [{"ek": KEY}]), "group 7 has no function"),
        (prompt("encapDecap", "HQC-1", [{}], "pairing"), "there is no function 'pairing'"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_else(document, says, run):
    """The good test before the bad one does not appear, nor does a value."""
    text = document if isinstance(document, str) else json.dumps(document)
    done = run("acvp", input=text.encode())
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (1, b"")
    assert says in said
    assert "abab" not in said and "C0C0" not in said


@pytest.mark.parametrize(
    "kem, every", [("BIKE-L1", 1000), pytest.param("HQC-1", 1, marks=pytest.mark.long)]
)
def test_vectors_pass(kem, every, command, tmp_path):
    """Those in Wycheproof's form, one prompt each."""
    make.main([str(tmp_path), "--kem", kem, "--every", str(every)])
    acvp = run_vectors.Acvp([str(command)])
    for path in tmp_path.glob("*.json"):
        assert set(run_vectors.run(acvp, path).values()) == {"passed"}


def test_missing_file(run, tmp_path):
    done = run("acvp", "--prompt", tmp_path / "none.json")
    assert done.returncode == 1 and b"none.json" in done.stderr and done.stdout == b""
