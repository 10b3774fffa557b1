# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The profile by parts: its sums, its structure, and other profilers beside it."""

import json
import shutil

import pytest
from codekem_evaluation import profile_check, profile_samples
from codekem_evaluation.cli import app
from codekem_evaluation.errors import EvaluationError
from typer.testing import CliRunner

# Tables 3 of the survey name these; the rest of an operation is small.
BIKE_PARTS = {
    "keygen": {"PRNG", "inversion", "multiplication"},
    "encaps": {"H function", "multiplication", "L function", "K function"},
    "decaps": {"decoding", "H function", "L function", "K function"},
}
HQC_PARTS = {
    "keygen": {"XOF", "I function", "sampling", "multiplication"},
    "encaps": {"XOF", "G function", "H function", "sampling", "multiplication",
               "Reed-Muller encoding", "Reed-Solomon encoding"},
    "decaps": {"XOF", "G function", "H function", "J function", "sampling", "multiplication",
               "Reed-Muller encoding", "Reed-Solomon encoding", "Reed-Muller decoding",
               "Reed-Solomon decoding"},
}
ROUNDS = 24
# Shares by instructions and by time differ: instructions are not equally long.
CALLGRIND_POINTS = 0.06
PERF_POINTS = 0.08
PERF_CYCLES = 1.2e9  # half a second or so: a thousand samples


@pytest.fixture(scope="module")
def folder(build):
    return build("gcc", targets=("codekem_profile", "codekem_repeat"))


@pytest.fixture(scope="module")
def profiles(folder):
    """profiles(kem, back end) returns an entry; measured once."""
    known = {}

    def entry(kem, backend):
        if (kem, backend) not in known:
            program = folder / "bin" / "codekem_profile"
            known[kem, backend] = profile_samples.result(
                profile_samples.collect(program, kem, backend, ROUNDS))
        return known[kem, backend]
    return entry


def rows_of(entry, operation):
    return {row["part"]: row for row in entry["rows"] if row["operation"] == operation}


@pytest.mark.parametrize("kem", ["BIKE-L1", "BIKE-L1-v4.2-sha3", "BIKE-L1-v4.2-sha3-bind", "HQC-1",
                                 "HQC-1-v5.0.0"])
def test_every_part_is_seen(profiles, kem, fast_backend_name):
    entry = profiles(kem, fast_backend_name)
    expected = BIKE_PARTS if kem.startswith("BIKE") else HQC_PARTS
    for operation, parts in expected.items():
        assert set(rows_of(entry, operation)) == parts | {"bytes", "wiping", "other"}


@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_rows_add_up_to_the_whole(profiles, kem, fast_backend_name):
    entry = profiles(kem, fast_backend_name)
    for operation in profile_samples.OPERATIONS:
        rows = rows_of(entry, operation).values()
        assert sum(row["share"] for row in rows) == pytest.approx(1)
        # The clocks are taken off: what is left is what the operation takes without them.
        assert 0.85 < entry["coverage"][operation] < 1.1
    assert sum(row["share_of_kem"] for row in entry["rows"]) == pytest.approx(1)
    assert sum(row["cycles"] for row in entry["kernels"]) == pytest.approx(
        sum(row["cycles"] for row in entry["rows"]))


def test_calls_are_those_of_the_algorithm(profiles):
    """Five iterations and two masked ones, for two blocks; Itoh and Tsujii's chain for r = 12323."""
    entry = profiles("BIKE-L1", "portable")
    kernels = {(row["operation"], row["part"], row["kernel"]): row["calls"]
               for row in entry["kernels"]}
    assert kernels["decaps", "decoding", "counters"] == 14
    assert kernels["decaps", "decoding", "product"] == 7
    chain = f"{12323 - 2:b}"
    assert kernels["keygen", "inversion", "product"] == len(chain) - 1 + chain.count("1") - 1
    assert kernels["encaps", "multiplication", "product"] == 1
    assert rows_of(entry, "keygen")["inversion"]["calls"] == 1


def test_decoding_and_inversion_dominate_bike(profiles, fast_backend_name):
    """The finding of the survey, for every back end."""
    entry = profiles("BIKE-L1", fast_backend_name)
    assert max(rows_of(entry, "keygen").values(), key=lambda r: r["share"])["part"] == "inversion"
    assert max(rows_of(entry, "decaps").values(), key=lambda r: r["share"])["part"] == "decoding"
    words = profile_samples.findings(entry)
    assert words[0].startswith("Key generation: inversion ")
    assert words[2].startswith("Decapsulation: decoding ")


@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_callgrind_agrees(profiles, folder, kem, need):
    need("valgrind")
    entry = profiles(kem, "portable")
    rows = profile_check.compare(entry, lambda operation: profile_check.callgrind_shares(
        folder / "bin" / "codekem_repeat", kem, "portable", operation))
    assert len(rows) >= 15
    wrong = [row for row in rows if abs(row["profile"] - row["other"]) > CALLGRIND_POINTS]
    assert wrong == []


@pytest.mark.parametrize("kem", ["BIKE-L1", pytest.param("HQC-1", marks=pytest.mark.long)])
def test_perf_agrees(profiles, folder, kem, fast_backend_name):
    if shutil.which("perf") is None:
        pytest.skip("perf not run: it is not installed (package linux-perf)")
    entry = profiles(kem, fast_backend_name)

    def shares_of(operation):
        cycles = sum(row["cycles"] for row in rows_of(entry, operation).values())
        return profile_check.perf_shares(folder / "bin" / "codekem_repeat", kem,
                                         fast_backend_name, operation, max(20, int(PERF_CYCLES / cycles)))
    try:
        rows = profile_check.compare(entry, shares_of)
    except EvaluationError as error:
        pytest.skip(f"perf not run: {str(error).splitlines()[-1]}")
    wrong = [row for row in rows if abs(row["profile"] - row["other"]) > PERF_POINTS]
    assert wrong == []


def test_a_wrong_share_is_found(profiles, folder, need):
    """Moves the time of the decoder elsewhere; the comparison must see it."""
    need("valgrind")
    entry = json.loads(json.dumps(profiles("BIKE-L1", "portable")))
    for row in entry["rows"]:
        if row["part"] == "decoding":
            row["part"] = "multiplication"
    rows = profile_check.compare(entry, lambda operation: profile_check.callgrind_shares(
        folder / "bin" / "codekem_repeat", "BIKE-L1", "portable", operation))
    assert any(abs(row["profile"] - row["other"]) > CALLGRIND_POINTS for row in rows)


# --- The command ---------------------------------------------------------------------------------

def run_command(*arguments):
    return CliRunner().invoke(app, ["profile", *map(str, arguments)])


def test_command_stores_rows_and_samples(folder, tmp_path):
    out = tmp_path / "profile.json"
    done = run_command("--build", folder, "--kem", "HQC-1", "--backend", "portable", "--rounds", 8,
                       "--out", out)
    assert done.exit_code == 0, done.output
    assert "Key generation: multiplication" in done.output
    assert "| HQC-1 | part | portable |" in done.output
    entry, = json.loads(out.read_text())["entries"]
    assert {"kem", "backend", "operation", "part", "cycles", "share", "calls"} <= set(
        entry["rows"][0])
    assert all(len(cell["cycles"]) == 8 for operation in entry["samples"]["operations"]
               for cell in operation["cells"])


@pytest.mark.parametrize(("arguments", "message"), [
    (["--kem", "BIKE-L2"], "there is no KEM 'BIKE-L2'"),
    (["--backend", "sse9"], "no back end 'sse9'; there are: reference portable"),
    (["--build", "/nonexistent"], "/nonexistent is no build folder"),
    (["--out", "/proc/x/profile.json"], "cannot write /proc/x"),
])
def test_errors_say_what_to_do(folder, arguments, message):
    done = run_command("--build", folder, "--kem", "BIKE-L1", "--backend", "portable", "--rounds", 4,
                       *arguments)
    assert done.exit_code != 0
    assert isinstance(done.exception, EvaluationError)
    assert message in str(done.exception)
