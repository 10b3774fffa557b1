# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Peers beside our code with the same kind of instructions, and the command that lists peers."""

import pytest
from typer.testing import CliRunner

from codekem_base.errors import EvaluationError, Unavailable
from codekem_evaluation import alike, cli, findings, peers, peers_list
from codekem_evaluation.samples import Samples


@pytest.fixture
def coded(make_run):
    """A run whose peer is said to have vector code for BIKE and portable code for HQC."""
    run = make_run()
    run["implementations"][-1]["note"] = (
        "BIKE is C with vector code for x86-64; HQC is reference C without vector code"
    )
    return run


@pytest.mark.parametrize(
    ("note", "code", "kem", "expected"),
    [
        ("HQC is C without vector code", {}, "HQC-1", "portable"),
        ("HQC is C without vector code", {}, "BIKE-L1", None),
        ("HQC is Rust without vector code but two words", {}, "HQC-1", None),
        ("BIKE is C with vector code for x86-64", {}, "BIKE-L1", "vector"),
        ("BIKE is C with vector code", {"BIKE-L1": "portable"}, "BIKE-L1", "portable"),
    ],
)
def test_the_code_of_a_peer_is_what_the_run_says(note, code, kem, expected):
    found, why = alike.code_of({"note": note, "code": code}, kem)
    assert found == expected and (why is None) == (expected is not None)


def test_like_is_set_beside_like_first(coded):
    samples = Samples(coded)
    rows = {row[0].text: row for row in alike.table(samples).rows}
    assert [cell.text for cell in rows["BIKE-L1"][1:4]] == ["liboqs", "vector", "avx2"]
    assert rows["BIKE-L1"][4].value == pytest.approx(1250 / 250, rel=0.02)
    assert [cell.text for cell in rows["HQC-1"][2:4]] == ["portable", "portable"]
    assert rows["HQC-1"][4].value == pytest.approx(1250 / 2070, rel=0.02)
    assert rows["HQC-1"][6].value == pytest.approx(1250 / 250, rel=0.02)
    low, high = rows["HQC-1"][4].interval
    assert low < rows["HQC-1"][4].value < high
    words = list(findings.opening(samples))[1]
    assert words.startswith("With the same kind of instructions, codekem's speed here is ")
    assert "of liboqs for BIKE (vector code on both sides)" in words
    assert "of liboqs for HQC (portable code on both sides)" in words
    (portable,) = [line for line in findings.peers(samples) if line.startswith("HQC, times")]
    assert portable.index("portable code: ") < portable.index("avx2: ")


def test_unknown_instructions_give_no_ratio_to_like_code(make_run):
    table = alike.table(Samples(make_run()))
    assert all(row[4].why == alike.UNKNOWN and row[6].value for row in table.rows)


def test_the_fastest_of_several_peers_is_named(coded):
    again = [t | {"implementation": "slow"} for t in coded["times"]
             if t["implementation"] == "liboqs"]  # fmt: skip
    for cell in again:
        cell["nanoseconds"] = [[2 * value for value in part] for part in cell["nanoseconds"]]
    coded["times"] += again
    coded["implementations"].append(coded["implementations"][-1] | {"name": "slow"})
    found = alike.found_of(Samples(coded))
    assert {peer["name"] for peer, _ in found.values()} == {"liboqs"}


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("x:BIKE-L1={}@sse", "portable or vector"),
        ("x:BIKE-L9={}@vector", "codekem has no BIKE-L9 .*it has BIKE-L1"),
    ],
)
def test_peers_are_checked_before_anything_is_built(pair, message, make_run, tmp_path):
    library = tmp_path / "lib@vector.so"
    library.touch()
    with pytest.raises(EvaluationError, match=message):
        peers.check_kems([pair.format(library)], make_run())
    (found,) = peers.check_pairs([f"x:BIKE-L1={library}"])
    assert found == ("x", None, "BIKE-L1", str(library), None)
    (found,) = peers.check_pairs([f"x@1.2:BIKE-L1={library}@vector"])
    assert found == ("x", "1.2", "BIKE-L1", str(library), "vector")


def test_peers_says_what_is_there_and_how_to_get_the_rest(monkeypatch):
    done = CliRunner().invoke(cli.app, ["peers"])
    assert done.exit_code == 0
    for words in (
        "liboqs 0.16",
        "RustCrypto",
        "liboqs.sh",
        "bike-kem",
        "libmceliece",
        "crypto_kem_enc",
    ):
        assert words in done.output
    lacking = [Unavailable(name, "there is no cargo", "install Rust")
               for name in peers.NAMES.values()]  # fmt: skip
    monkeypatch.setattr(peers, "features", lambda: ([], lacking))
    monkeypatch.setattr(peers_list.shutil, "which", lambda tool: None)
    words = "\n".join(peers_list.lines())
    assert words.count("there is no cargo; install Rust") == 2
    assert "install git, cmake, ninja, cc" in words
