# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The vectors in Wycheproof's form: the model that makes them gives the published answers, and the
library passes them, on every back end."""

import collections
import hashlib
import json

import jsonschema
import pytest

from tests.fixtures import NotMade
from tests.wycheproof import make, run
from tools import known_answers
from tools import made as making

HERE = make.DIGESTS.parent
LEAST = 300  # cases of a level of HQC
ALL = [*make.HQC, *make.stored_cases.KEMS]


@pytest.fixture(scope="module")
def codekem(internals):
    """internals have all schemes."""
    return run.Codekem(internals.path)


@pytest.fixture(scope="module")
def whole():
    """The folder of all files."""
    if why := making.why_not_made("vectors"):
        raise NotMade(f"{why}: {making.how_to_make('vectors')}")
    return making.BUILDS / "vectors"


def files_of(folder, kem):
    stem = kem.lower().replace("-", "_").replace(".", "_")
    found = [folder / name for name in json.loads(make.DIGESTS.read_text()) if stem in name]
    return [path for path in found if kem in json.loads(path.read_text())["testGroups"][0].values()]


def check(library, path):
    """Runs a file; returns the number of cases by verdict."""
    found = run.run(library, path)
    wrong = {case: said for case, said in found.items() if said not in run.GOOD}
    assert not wrong, path.name
    return collections.Counter(found.values())


@pytest.mark.parametrize(
    "kem", [kem if "1" in kem else pytest.param(kem, marks=pytest.mark.long) for kem in make.HQC]
)
def test_model_gives_the_published_answers(kem):
    model = make.HQC[kem]
    for record in known_answers.read_records(kem)[:2]:
        keypair_seed, encaps_seed = known_answers.record_seeds(kem, record)
        assert model.keypair(keypair_seed) == (record["pk"], record["sk"])
        assert model.encaps(record["pk"], encaps_seed) == (record["ct"], record["ss"])
        assert model.decaps(record["sk"], record["ct"]) == record["ss"]


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """A folder with one case of each flag."""
    folder = tmp_path_factory.mktemp("vectors")
    make.main([str(folder), "--every", "1000", "--kem", "HQC-1", "--kem", "BIKE-L1"])
    return folder


def test_some_cases_pass(some, codekem):
    counts = collections.Counter()
    for path in some.iterdir():
        counts += check(codekem, path)
    assert counts["passed"] >= 35 and counts.total() == counts["passed"]


def test_a_wrong_answer_is_noticed(some, codekem, tmp_path, capsys):
    """In each output of each kind, and an input that is not refused."""
    for path in some.glob("hqc_1*"):
        document = json.loads(path.read_text())
        (test, *_) = document["testGroups"][0]["tests"]
        outputs = [name for name in ("ek", "dk", "c", "K") if name in test]
        for name in outputs[-1:] if "dk" in test and "c" in test else outputs:
            kept = test[name]
            test[name] = f"{int(kept[:2], 16) ^ 1:02x}{kept[2:]}"
            (tmp_path / path.name).write_text(json.dumps(document))
            assert (
                run.main(["--codekem", str(codekem._library.path), str(tmp_path / path.name)]) == 1
            )
            assert "case 1 (Basic, ) has another" in capsys.readouterr().out
            test[name] = kept
        test["result"] = "invalid"
        assert run.verdict(codekem.of("HQC-1"), test) == "is not refused"


def test_stale_or_missing_inputs_are_errors(tmp_path, monkeypatch):
    """The digests are looked at, and so is what was searched for."""
    digests = json.loads(make.DIGESTS.read_text())
    wrong = tmp_path / "digests.json"
    wrong.write_text(json.dumps(digests | {"bike_l1_keygen_seed_test.json": "0" * 64}))
    monkeypatch.setattr(make, "DIGESTS", wrong)
    with pytest.raises(SystemExit, match="a case has changed"):
        make.main([str(tmp_path / "out"), "--kem", "BIKE-L1"])
    assert not list((tmp_path / "out").iterdir())
    monkeypatch.setattr(make.Found, "_seed_of", staticmethod(lambda counter: bytes(32)))
    with pytest.raises(SystemExit, match="has not: candidate 16767881"):
        make.main([str(tmp_path / "out"), "--kem", "HQC-1"])


def test_every_flag_has_a_note_and_a_case(some):
    """Of those of HQC-1 and BIKE-L1, which are all."""
    flags = set()
    for path in some.iterdir():
        document = json.loads(path.read_text())
        used = {flag for test in document["testGroups"][0]["tests"] for flag in test["flags"]}
        assert used == set(document["notes"])
        flags |= used
    assert flags == set(make.notes.NOTES)


@pytest.mark.long
def test_files_are_those_of_the_digests(whole):
    digests = json.loads(make.DIGESTS.read_text())
    for name, digest in digests.items():
        assert hashlib.sha256((whole / name).read_bytes()).hexdigest() == digest


@pytest.mark.long
@pytest.mark.parametrize("kem", ALL)
def test_all_cases_pass(kem, whole, codekem, backend_name, internals):
    counts = collections.Counter()
    with internals.backend(backend_name):
        for path in files_of(whole, kem):
            counts += check(codekem, path)
    assert counts.total() >= (LEAST if kem in make.HQC else 14)
    assert set(counts) <= {"passed", "refused"}


@pytest.mark.long
def test_files_follow_their_schemas(whole):
    for path in whole.glob("*.json"):
        document = json.loads(path.read_text())
        schema = json.loads((HERE / "schemas" / document["schema"]).read_text())
        jsonschema.validate(document, schema)
        numbers = [test["tcId"] for test in document["testGroups"][0]["tests"]]
        assert numbers == list(range(1, document["numberOfTests"] + 1))
