# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The whole core on official vectors, altered inputs and bad packets; its cycles are constant."""

import hashlib
import random

import pytest

from hardware.tests import simulated
from hardware.tests.simulated import DECAPS, ENCAPS, KEYGEN, WIPE
from tests import weak_keys
from tools import known_answers

FAST = {"LEVEL": 1, "PRESET": 2}
CLIENT, SERVER = 1, 2  # builds


def expected_cycles(parameters):
    return simulated.cycles.Cycles(**parameters)


def check_record(core, parameters, kem, record, build=0):
    """Runs the operations of a record that the build has; values and cycles must be as expected."""
    formula = expected_cycles(parameters)
    keypair_seed, encaps_seed = known_answers.record_seeds(kem, record)
    if build != SERVER:
        assert core.keypair(keypair_seed) == (record["sk"], formula.keygen())
        assert core.decaps(record["ct"], record["sk"]) == (record["ss"], formula.decaps())
    if build != CLIENT:
        assert core.encaps(record["pk"], encaps_seed + bytes(32)) == (
            record["ct"],
            record["ss"],
            formula.encaps(),
        )


@pytest.mark.slow  # the first test that needs this core builds it
def test_official_record(core):
    check_record(core(**FAST), FAST, "BIKE-L1", known_answers.read_records("BIKE-L1")[0])


def test_altered_inputs_give_the_published_secrets_in_the_same_time(core):
    one, formula = core(**FAST), expected_cycles(FAST)
    cases = list(known_answers.rejections("BIKE-L1"))
    assert {accepted for *_, accepted in cases} == {True, False}
    for what, ciphertext, secret_key, shared, _ in cases:
        assert one.decaps(ciphertext, secret_key) == (shared, formula.decaps()), what


def ciphertext_of(case, core, record):
    if "flip_ct_bits" in case:
        return known_answers.flip_bits(record["ct"], case["flip_ct_bits"])
    r = core.packets.r_bits
    h = int.from_bytes(record["pk"], "little")
    c0 = 0
    for position in case["error_positions"]:
        k = position - r
        c0 ^= 1 << position if k < 0 else (h << k | h >> (r - k)) & ((1 << r) - 1)
    return c0.to_bytes(core.packets.bytes, "little") + bytes(32)


def check_decoder(core, kem, cases):
    records = known_answers.read_records(kem)
    for case in cases:
        record = records[case["record"]]
        shared, _ = core.decaps(ciphertext_of(case, core, record), record["sk"])
        error = b"".join(
            core.slot(number).to_bytes(core.packets.bytes, "little") for number in (0, 1)
        )
        assert hashlib.sha256(error).hexdigest() == case["e_sha256"], case
        assert shared.hex() == case["ss"]


def decoder_cases(kem):
    return [
        case for case in known_answers.read_json("bike", "decoder")["cases"] if case["kem"] == kem
    ]


def test_decoder_on_overloaded_and_structured_errors(core):
    """Every fourth case; test_levels_and_presets has all."""
    cases = decoder_cases("BIKE-L1")[::4]
    assert len(cases) > 12
    check_decoder(core(**FAST), "BIKE-L1", cases)


def test_random_keys_and_ciphertexts_agree_with_the_library(core, library):
    one, formula, kem = core(**FAST), expected_cycles(FAST), library.kem("BIKE-L1")
    source = random.Random(7)
    for _ in range(3):
        public_key, secret_key = library.keypair(kem, source.randbytes(64))
        randomness = source.randbytes(64)
        ciphertext, shared, cycles = one.encaps(public_key, randomness)
        assert (ciphertext, shared) == library.encaps(kem, public_key, randomness[:32])
        assert cycles == formula.encaps()
        garbage = source.randbytes(len(ciphertext))
        for given in (ciphertext, garbage):
            shared, cycles = one.decaps(given, secret_key)
            assert shared == library.decaps(kem, given, secret_key)
            assert cycles == formula.decaps()


def decaps_packet(core):
    record = known_answers.read_records("BIKE-L1")[0]
    return core.packets.decaps_packet(record["ct"], record["sk"])


def check_clean_and_working(core):
    """No data is left, and the core works."""
    assert not any(core.polynomials())
    record = known_answers.read_records("BIKE-L1")[0]
    assert core.decaps(record["ct"], record["sk"])[0] == record["ss"]


def test_short_and_long_packets_are_errors(core):
    one = core(**FAST)
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


def test_position_beyond_the_ring_is_an_error(core):
    one = core(**FAST)
    packet = decaps_packet(one)
    packet[394 + 5] = one.packets.r_bits  # after c0 and c1
    assert one.run(DECAPS, packet)[::2] == (simulated.ERROR_KEY, [])
    check_clean_and_working(one)


def test_unknown_operation_is_an_error(core):
    one = core(**FAST)
    for op in (0, 5, 6, 7):
        assert one.run(op)[::2] == (simulated.ERROR_OP, [])
    check_clean_and_working(one)


def test_start_while_busy_is_refused_and_disturbs_nothing(core):
    one = core(**FAST)
    record = known_answers.read_records("BIKE-L1")[0]
    for again in (1, 500, 20000):
        error, _, out = one.run(DECAPS, decaps_packet(one), again=again)
        assert error == simulated.ERROR_BUSY
        assert one.packets.unpack(out, [32]) == record["ss"]


def test_wipe_and_reset_leave_no_data(core):
    one = core(**FAST)
    record = known_answers.read_records("BIKE-L1")[0]
    one.decaps(record["ct"], record["sk"])
    assert any(one.polynomials())
    assert one.run(WIPE)[0] == simulated.ERROR_NONE
    check_clean_and_working(one)
    for stop in (3, 1000, 5000, 20000):
        one.run(DECAPS, decaps_packet(one), stop=stop)  # reset in the middle
        check_clean_and_working(one)


def test_streams_that_pause_change_no_result(core):
    one = core(**FAST)
    record = known_answers.read_records("BIKE-L1")[0]
    keypair_seed, encaps_seed = known_answers.record_seeds("BIKE-L1", record)
    for seed in (1, 2):
        assert one.decaps(record["ct"], record["sk"], pauses=seed)[0] == record["ss"]
        error, _, out = one.run(
            ENCAPS, one.packets.encaps_packet(record["pk"], encaps_seed + bytes(32)), pauses=seed
        )
        assert error == 0
        assert one.packets.unpack(out, [*one.packets.ciphertext, 32]) == record["ct"] + record["ss"]
    error, _, out = one.run(KEYGEN, one.packets.words(keypair_seed, [64]), pauses=3)
    assert error == 0
    assert one.packets.unpack(out, one.packets.secret_key) == record["sk"]


# --- Other levels, presets and configurations -----------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("level", [1, 3, 5])
@pytest.mark.parametrize("preset", simulated.cycles.PRESETS)
def test_levels_and_presets(core, level, preset):
    parameters = {"LEVEL": level, "PRESET": preset}
    one, kem = core(**parameters), f"BIKE-L{level}"
    for record in known_answers.read_records(kem):
        check_record(one, parameters, kem, record)
    for what, ciphertext, secret_key, shared, _ in known_answers.rejections(kem):
        assert one.decaps(ciphertext, secret_key)[0] == shared, what
    check_decoder(one, kem, decoder_cases(kem))


@pytest.mark.long
@pytest.mark.parametrize(
    "free",
    [
        {"LANES": 6},
        {"LANES": 10, "STRIDE": 32},
        {"WORD": 256, "STRIDE": 128, "LANES": 4, "INV_WORD": 256, "INV_STEPS": 64},
        {"WORD": 64, "STRIDE": 16, "LANES": 4, "INV_WORD": 128, "INV_STEPS": 16, "INV_STAGE": 8},
        {"KECCAK_ROUNDS": 2, "INV_RATE": 4},
        {"KECCAK_ROUNDS": 4, "INV_STAGE": 2, "LANES": 2},
        {"KECCAK_BUFFERED": 1},
    ],
)
def test_free_configurations(core, free, tmp_path):
    parameters = {"LEVEL": 1, "PRESET": 2, **free}
    one = core(folder=tmp_path, **parameters)
    check_record(one, parameters, "BIKE-L1", known_answers.read_records("BIKE-L1")[1])


@pytest.mark.long
@pytest.mark.parametrize(
    ("scheme", "preset", "lower"), [("bike", 2, 6), ("bike", 0, 1), ("joint", 0, 3)]
)
def test_a_lower_first_threshold_is_that_of_the_library(
    core, library, internals, tmp_path, scheme, preset, lower
):
    """Of a weak key other ciphertexts decode than with the threshold of the specification."""
    parameters = {"LEVEL": 1, "PRESET": preset}
    one = core(scheme, folder=tmp_path, LOWER_FIRST_THRESHOLD=lower, **parameters)
    kem, secret, sent = weak_keys.weak_key(library, internals, "BIKE-L1", 24)
    ciphertexts = [ciphertext for ciphertext, _ in sent]
    expected = weak_keys.secrets_of(library, kem, secret, ciphertexts, lower)
    assert expected != weak_keys.secrets_of(library, kem, secret, ciphertexts, 0)
    formula = expected_cycles(parameters)
    for ciphertext, shared in zip(ciphertexts, expected, strict=True):
        assert one.decaps(ciphertext, secret) == (shared, formula.decaps())


def random_configuration(source):
    """Returns parameters that docs/hardware.md allows."""
    level, word = source.choice((1, 1, 1, 3, 5)), source.choice((64, 128, 256))
    r, d, _ = simulated.cycles.LEVELS[level]
    lanes = source.choice([lanes for lanes in (2, 4, 6, 8, 10, 12, 14) if -(-d // lanes) >= 6])
    rows = source.choice([rows for rows in (1, 2, 4, 8) if rows <= -(-d // lanes)])
    inv_word = word * source.choice((1, 2, 3, 4))
    steps = source.choice(
        [
            steps
            for steps in (8, 16, 32, 64)
            if inv_word % steps == 0 and r % word + -(2 * r - 1) % steps <= word
        ]
    )
    return {
        "LEVEL": level,
        "PRESET": source.randrange(5),
        "OVERLAP": source.randrange(2),
        "KECCAK_BUFFERED": source.randrange(2),
        "BUILD": source.choice((0, 0, 1, 2)),
        "WORD": word,
        "STRIDE": word // rows,
        "LANES": lanes,
        "INV_WORD": inv_word,
        "INV_STEPS": steps,
        "INV_STAGE": source.choice((2, 4, 8)),
        "INV_RATE": source.choice((1, 2, 4)),
        "KECCAK_ROUNDS": source.choice((1, 2, 3, 4, 6)),
    }


@pytest.mark.long
@pytest.mark.parametrize("number", range(8))
def test_random_configurations(core, seed, number, tmp_path):
    source = random.Random(f"{seed} {number}")
    parameters = random_configuration(source)
    print(parameters)
    kem = f"BIKE-L{parameters['LEVEL']}"
    check_record(
        core(folder=tmp_path, **parameters),
        parameters,
        kem,
        source.choice(known_answers.read_records(kem)),
        parameters["BUILD"],
    )


@pytest.mark.long
def test_client_and_server_builds_have_their_operations_only(core):
    record = known_answers.read_records("BIKE-L1")[0]
    keypair_seed, encaps_seed = known_answers.record_seeds("BIKE-L1", record)
    client, server = core(**FAST, BUILD=1), core(**FAST, BUILD=2)
    assert client.keypair(keypair_seed)[0] == record["sk"]
    assert client.decaps(record["ct"], record["sk"])[0] == record["ss"]
    assert server.encaps(record["pk"], encaps_seed + bytes(32))[:2] == (record["ct"], record["ss"])
    assert client.run(ENCAPS)[0] == simulated.ERROR_OP
    assert server.run(KEYGEN)[0] == simulated.ERROR_OP
    assert server.run(DECAPS)[0] == simulated.ERROR_OP
