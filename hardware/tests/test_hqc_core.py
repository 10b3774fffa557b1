# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The whole HQC core on official vectors, altered inputs and bad packets; its cycles are those of
the formula, which knows nothing but the parameters and the rejections when a key is made."""

import hashlib
import random

import pytest

from hardware.tests import simulated
from hardware.tests.simulated import DECAPS, ENCAPS, KEYGEN, WIPE
from tools import known_answers

LIGHT, FAST = {"LEVEL": 1, "PRESET": 0}, {"LEVEL": 1, "PRESET": 2}
# In `make test` the driver on its bus (test_bus_driver.py) runs `light`.
BOTH = [
    pytest.param(LIGHT, id="light", marks=pytest.mark.long),
    pytest.param(FAST, id="fast"),
]
CLIENT, SERVER = 1, 2  # builds


class Checked:
    """A core whose every cycle count is compared with the formula."""

    def __init__(self, core, parameters, folder=None):
        self.core = core(scheme="hqc", folder=folder, **parameters)
        self.level, self.build = parameters["LEVEL"], parameters.get("BUILD", 0)
        self.kem = f"HQC-{self.level}"
        self.formula = simulated.hqc_cycles.HqcCycles(**parameters)
        self.packets = self.core.packets

    def keypair(self, seed):
        secret_key, cycles = self.core.keypair(seed)
        assert cycles == self.formula.keygen(seed)
        return secret_key

    def encaps(self, public_key, randomness):
        ciphertext, shared, cycles = self.core.encaps(public_key, randomness)
        assert cycles == self.formula.encaps()
        return ciphertext, shared

    def decaps(self, ciphertext, secret_key):
        shared, cycles = self.core.decaps(ciphertext, secret_key)
        at = sum(self.packets.public_key)
        assert cycles == self.formula.decaps(secret_key[at : at + 32])
        return shared

    def check_record(self, record):
        """Runs the operations of an official record that the build has."""
        keypair_seed, encaps_seed = known_answers.record_seeds(self.kem, record)
        if self.build != SERVER:
            assert self.keypair(keypair_seed) == record["sk"]
            assert self.decaps(record["ct"], record["sk"]) == record["ss"]
        if self.build != CLIENT:
            assert self.encaps(record["pk"], encaps_seed) == (record["ct"], record["ss"])

    def check_altered(self, cases):
        for what, ciphertext, secret_key, shared, _ in cases:
            assert self.decaps(ciphertext, secret_key) == shared, what

    def check_stress(self, cases):
        """Noise from a damaged public key: every number of wrong symbols, and more than can be
        corrected."""
        record = known_answers.read_records(self.kem)[0]
        for case in cases:
            flips = [256 + i * case["step"] for i in range(case["flips"])]
            public_key = known_answers.flip_bits(record["pk"], flips)
            secret_key = public_key + record["sk"][len(public_key) :]
            ciphertext, shared = self.encaps(public_key, self.randomness(case))
            assert hashlib.sha256(ciphertext).hexdigest() == case["ct_sha256"]
            assert shared.hex() == case["enc"]
            assert self.decaps(ciphertext, secret_key).hex() == case["dec"], case["symbol_errors"]

    def check_padded(self):
        """A public key with an unused bit that is set."""
        (case,) = cases_of("stress", "padded", self.kem)
        public_key = bytearray(known_answers.read_records(self.kem)[0]["pk"])
        public_key[-1] |= 0x80
        ciphertext, shared = self.encaps(bytes(public_key), self.randomness(case))
        assert hashlib.sha256(ciphertext).hexdigest() == case["ct_sha256"]
        assert shared.hex() == case["enc"]

    def randomness(self, case):
        generator = known_answers.ShakeGenerator(bytes(46) + case["rng"].to_bytes(2, "big"))
        return generator.random(self.packets.message + 16)


@pytest.fixture
def checked(core):
    return lambda folder=None, **parameters: Checked(core, parameters, folder)


def cases_of(name, kind, kem):
    found = [case for case in known_answers.read_json("hqc", name)[kind] if case["kem"] == kem]
    assert found
    return found


@pytest.mark.slow  # the first test that needs these cores builds them
@pytest.mark.parametrize("parameters", BOTH)
def test_official_records(checked, parameters):
    one = checked(**parameters)
    for record in known_answers.read_records("HQC-1")[:3]:
        one.check_record(record)


def test_altered_ciphertexts_give_the_published_secrets_in_the_same_time(checked):
    cases = list(known_answers.rejections("HQC-1"))
    assert {accepted for *_, accepted in cases} == {True, False}
    checked(**FAST).check_altered(cases)


@pytest.mark.parametrize(
    ("parameters", "wrong"),
    [
        pytest.param(FAST, range(0, 19, 3), id="fast"),
        pytest.param(LIGHT, (1, 15, 16), id="light", marks=pytest.mark.long),
    ],
)
def test_wrong_symbols_are_corrected_or_rejected_in_the_same_time(checked, parameters, wrong):
    cases = cases_of("stress", "cases", "HQC-1")
    assert sorted(case["symbol_errors"] for case in cases) == list(range(15 + 4))
    checked(**parameters).check_stress([case for case in cases if case["symbol_errors"] in wrong])


def test_padding_bits_of_a_public_key_count_as_in_the_software(checked, library):
    one, kem = checked(**FAST), library.kem("HQC-1")
    one.check_padded()
    source = random.Random(3)
    record = known_answers.read_records("HQC-1")[0]
    for bits in (0x20, 0x60, 0xE0):
        public_key = record["pk"][:-1] + bytes([record["pk"][-1] | bits])
        randomness = source.randbytes(32)
        assert one.encaps(public_key, randomness) == library.encaps(kem, public_key, randomness)


def test_random_keys_and_ciphertexts_agree_with_the_library(checked, library):
    one, kem = checked(**FAST), library.kem("HQC-1")
    source = random.Random(7)
    for _ in range(3):
        seed, randomness = source.randbytes(32), source.randbytes(32)
        public_key, secret_key = library.keypair(kem, seed)
        assert one.keypair(seed) == secret_key
        ciphertext, shared = one.encaps(public_key, randomness)
        assert (ciphertext, shared) == library.encaps(kem, public_key, randomness)
        garbage = source.randbytes(len(ciphertext))
        for given in (ciphertext, garbage):
            assert one.decaps(given, secret_key) == library.decaps(kem, given, secret_key)


# --- Bad packets, wiping, pauses ------------------------------------------------------------------


def decaps_packet(core):
    record = known_answers.read_records("HQC-1")[0]
    return core.packets.decaps_packet(record["ct"], record["sk"])


def check_clean_and_working(core):
    """No data is left, and the core works."""
    assert not any(core.polynomials())
    record = known_answers.read_records("HQC-1")[0]
    assert core.decaps(record["ct"], record["sk"])[0] == record["ss"]


def test_short_and_long_packets_are_errors(checked):
    one = checked(**FAST).core
    packet = decaps_packet(one)
    for bad, error in [
        (packet[:-1], simulated.ERROR_SHORT),
        (packet[:1], simulated.ERROR_SHORT),
        (packet[:400], simulated.ERROR_SHORT),
        ([*packet, 0], simulated.ERROR_LONG),
        (packet + [1] * 500, simulated.ERROR_LONG),
    ]:
        assert one.run(DECAPS, bad)[::2] == (error, [])
        check_clean_and_working(one)


def test_unknown_operation_is_an_error(checked):
    one = checked(**FAST).core
    for op in (0, 5, 6, 7):
        assert one.run(op)[::2] == (simulated.ERROR_OP, [])
    check_clean_and_working(one)


def test_start_while_busy_is_refused_and_disturbs_nothing(checked):
    one = checked(**FAST).core
    record = known_answers.read_records("HQC-1")[0]
    for again in (1, 500, 6000):
        error, _, out = one.run(DECAPS, decaps_packet(one), again=again)
        assert error == simulated.ERROR_BUSY
        assert one.packets.unpack(out, [32]) == record["ss"]


@pytest.mark.parametrize("parameters", BOTH)
def test_wipe_and_reset_leave_no_data(checked, parameters):
    one = checked(**parameters).core
    record = known_answers.read_records("HQC-1")[0]
    one.decaps(record["ct"], record["sk"])
    assert any(one.polynomials())
    assert one.run(WIPE)[0] == simulated.ERROR_NONE
    check_clean_and_working(one)
    for stop in (3, 500, 1500, 2500, 5000):
        one.run(DECAPS, decaps_packet(one), stop=stop)  # reset in the middle
        check_clean_and_working(one)


@pytest.mark.parametrize("parameters", BOTH)
def test_streams_that_pause_change_no_result(checked, parameters):
    one = checked(**parameters).core
    record = known_answers.read_records("HQC-1")[0]
    keypair_seed, encaps_seed = known_answers.record_seeds("HQC-1", record)
    for seed in (1, 2):
        assert one.decaps(record["ct"], record["sk"], pauses=seed)[0] == record["ss"]
        packet = one.packets.encaps_packet(record["pk"], encaps_seed)
        error, _, out = one.run(ENCAPS, packet, pauses=seed)
        assert error == 0
        assert one.packets.unpack(out, [*one.packets.ciphertext, 32]) == record["ct"] + record["ss"]
    error, _, out = one.run(KEYGEN, one.packets.keypair_packet(keypair_seed), pauses=3)
    assert error == 0
    assert one.packets.unpack(out, one.packets.secret_key) == record["sk"]


# --- Other levels, presets and configurations -----------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("level", [1, 3, 5])
@pytest.mark.parametrize("preset", simulated.hqc_cycles.PRESETS)
def test_levels_and_presets(checked, level, preset):
    one = checked(LEVEL=level, PRESET=preset)
    for record in known_answers.read_records(one.kem):
        one.check_record(record)
    one.check_altered(known_answers.rejections(one.kem))
    one.check_stress(cases_of("stress", "cases", one.kem))
    one.check_padded()


@pytest.mark.long
@pytest.mark.parametrize(
    "free",
    [
        {"LANES": 6},
        {"STRIDE": 32, "RM_VALUES": 8},
        {"WORD": 64, "STRIDE": 16, "LANES": 4, "RM_VALUES": 4},
        {"KECCAK_ROUNDS": 2, "BM_CELLS": 1},
        {"KECCAK_ROUNDS": 4, "KECCAK_BUFFERED": 0, "LANES": 2, "RM_VALUES": 2},
        {"OVERLAP": 0},
        {"PRESET": 0, "OVERLAP": 1, "KECCAK_BUFFERED": 1},
    ],
)
def test_free_configurations(checked, free, tmp_path):
    one = checked(tmp_path, **{"LEVEL": 1, "PRESET": 2, **free})
    one.check_record(known_answers.read_records("HQC-1")[1])


@pytest.mark.long
def test_client_and_server_builds_have_their_operations_only(checked):
    client, server = checked(**FAST, BUILD=CLIENT), checked(**FAST, BUILD=SERVER)
    for one in (client, server):
        one.check_record(known_answers.read_records("HQC-1")[0])
    assert client.core.run(ENCAPS)[0] == simulated.ERROR_OP
    assert server.core.run(KEYGEN)[0] == simulated.ERROR_OP
    assert server.core.run(DECAPS)[0] == simulated.ERROR_OP


# --- What the document says -----------------------------------------------------------------------


def test_document_states_the_cycles_of_the_formula(root):
    text = (root / "docs" / "results" / "hardware.md").read_text(encoding="utf-8")
    table = text.split("\n| HQC: level, preset, build |")[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    names = {"light": 0, "mid": 1, "fast": 2}
    stated = {}
    for design, *_, keygen, encaps, decaps, _ in rows:
        level, preset, build = design.removesuffix(" †").split(", ")
        if build == "full":
            stated[int(level), names[preset]] = [int(keygen), int(encaps), int(decaps)]
    assert stated == {
        (level, preset): [formula.keygen(), formula.encaps(), formula.decaps()]
        for level in (1, 3, 5)
        for preset in simulated.hqc_cycles.PRESETS
        for formula in [simulated.hqc_cycles.HqcCycles(LEVEL=level, PRESET=preset)]
    }
