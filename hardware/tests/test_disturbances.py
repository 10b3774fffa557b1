# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What may go wrong around an operation: resets, aborts, streams that stand still, wrong packets,
second starts; what is left behind.

Nothing may be left: after reset, wiping or an error all registers, wires and memories of the core
are compared with those of a core that never saw a secret (model_state.py).
"""

import random

import pytest

from hardware.tests import simulated
from hardware.tests.model_state import differences
from hardware.tests.simulated import DECAPS, ENCAPS, KEYGEN, WIPE
from tools import known_answers

FAST = {"LEVEL": 1, "PRESET": 2}
HQC = {"scheme": "hqc", **FAST}
# What is the same for both cores beyond resets and wiping is long for BIKE, which takes longer.
LONG_FOR_BIKE = [pytest.param(FAST, id="bike", marks=pytest.mark.long), pytest.param(HQC, id="hqc")]
OPERATIONS = {0: (KEYGEN, ENCAPS, DECAPS), 1: (KEYGEN, DECAPS), 2: (ENCAPS,)}  # of each build


def cycles_of(parameters, seed):
    """Returns the cycles of each operation, with the key of a seed."""
    numbers = {name: value for name, value in parameters.items() if name != "scheme"}
    if "scheme" in parameters:
        formula = simulated.hqc_cycles.HqcCycles(**numbers)
        seed_dk = simulated.hqc_cycles.seed_dk(seed)
        return {
            KEYGEN: formula.keygen(seed),
            ENCAPS: formula.encaps(),
            DECAPS: formula.decaps(seed_dk),
        }
    formula = simulated.cycles.Cycles(**numbers)
    return {KEYGEN: formula.keygen(), ENCAPS: formula.encaps(), DECAPS: formula.decaps()}


class Exercise:
    """A core, the packets of a record, and the right answers."""

    def __init__(self, core, parameters, seed):
        self.one = core(**parameters)
        self.source = random.Random(seed)
        self.operations = OPERATIONS[parameters.get("BUILD", 0)]
        self.hqc = parameters.get("scheme") == "hqc"
        kem = f"{'HQC-' if self.hqc else 'BIKE-L'}{parameters['LEVEL']}"
        self.record = self.source.choice(known_answers.read_records(kem))
        packets = self.one.packets
        keypair_seed, encaps_seed = known_answers.record_seeds(kem, self.record)
        self.packets = {
            KEYGEN: packets.keypair_packet(keypair_seed),
            ENCAPS: packets.encaps_packet(
                self.record["pk"], encaps_seed + bytes(0 if self.hqc else 32)
            ),
            DECAPS: packets.decaps_packet(self.record["ct"], self.record["sk"]),
        }
        self.cycles = cycles_of(parameters, keypair_seed)

    def expected(self, op):
        """Returns the output packet of an operation."""
        packets, record = self.one.packets, self.record
        data, lengths = {
            KEYGEN: (record["sk"], packets.secret_key),
            ENCAPS: (record["ct"] + record["ss"], [*packets.ciphertext, 32]),
            DECAPS: (record["ss"], [32]),
        }[op]
        return packets.words(data, lengths)

    def check(self, op):
        """Runs an operation undisturbed."""
        assert self.one.run(op, self.packets[op]) == (0, self.cycles[op], self.expected(op))

    def reference(self, run):
        """Returns the state after reset and run(), which must not use secrets."""
        self.one.reset()
        run()
        return self.one.state()

    def check_nothing_left(self, reference):
        assert differences(self.one.folder, self.one.state(), reference) == []


def check_resets(exercise, each):
    fresh = exercise.reference(lambda: None)
    for op in exercise.operations:
        stops = [
            1,
            2,
            exercise.cycles[op] - 1,
            *[exercise.source.randrange(3, exercise.cycles[op]) for _ in range(each)],
        ]
        for stop in stops:
            exercise.one.run(op, exercise.packets[op], stop=stop)
            exercise.check_nothing_left(fresh)
        exercise.check(exercise.source.choice(exercise.operations))
        exercise.one.reset()
        exercise.check_nothing_left(fresh)


@pytest.mark.parametrize("parameters", [FAST, HQC], ids=["bike", "hqc"])
def test_reset_in_the_middle_leaves_nothing(core, seed, parameters):
    check_resets(Exercise(core, parameters, seed), each=6)


def test_state_shows_what_is_left(core, seed):
    exercise = Exercise(core, FAST, seed)
    fresh = exercise.reference(lambda: None)
    exercise.check(DECAPS)
    left = differences(exercise.one.folder, exercise.one.state(), fresh)
    assert {
        "bike_core.u_shell.gen_units.u_units.u_strings.gen_port[0].mem",
        "bike_core.u_shell.gen_units.u_units.u_lists.mem",
        "bike_core.u_shell.gen_units.u_units.u_slots.gen_port[0].mem",
        "bike_core.u_shell.gen_units.u_units.u_hash.gen_sponge.u_sponge.u_keccak.state_q",
    } < set(left)


def test_state_of_hqc_shows_what_is_left(core, seed):
    exercise = Exercise(core, HQC, seed)
    fresh = exercise.reference(lambda: None)
    exercise.check(DECAPS)
    left = differences(exercise.one.folder, exercise.one.state(), fresh)
    assert {
        "hqc_core.u_shell.gen_units.u_units.u_strings.gen_port[0].mem",
        "hqc_core.u_shell.gen_units.u_units.u_slots.mem",
        "hqc_core.u_shell.gen_units.u_units.u_hash.gen_sponge.u_sponge.u_keccak.state_q",
    } < set(left)


@pytest.mark.parametrize("parameters", [FAST, HQC], ids=["bike", "hqc"])
def test_wiping_leaves_nothing(core, seed, parameters):
    exercise = Exercise(core, parameters, seed)
    wiped = exercise.reference(lambda: exercise.one.run(WIPE))
    for op in exercise.operations:
        exercise.check(op)
        assert exercise.one.run(WIPE)[::2] == (simulated.ERROR_NONE, [])
        exercise.check_nothing_left(wiped)


def bad_packets(exercise, op):
    """Returns (error, packet) for packets with a wrong end or a wrong position."""
    packet, source = exercise.packets[op], exercise.source
    yield simulated.ERROR_SHORT, packet[:1]
    yield simulated.ERROR_SHORT, packet[:-1]
    for _ in range(3):
        yield simulated.ERROR_SHORT, packet[: source.randrange(1, len(packet))]
    yield simulated.ERROR_LONG, [*packet, 0]
    yield simulated.ERROR_LONG, packet + [source.getrandbits(32) for _ in range(300)]
    if op == DECAPS and not exercise.hqc:
        packets = exercise.one.packets
        first = len(packets.words(bytes(packets.bytes + 32), packets.ciphertext))
        place = first + source.randrange(2 * packets.weight)
        wrong = source.choice((packets.r_bits, source.randrange(packets.r_bits, 1 << 32)))
        yield simulated.ERROR_KEY, [*packet[:place], wrong, *packet[place + 1 :]]


@pytest.mark.parametrize("parameters", LONG_FOR_BIKE)
def test_wrong_packets_are_errors_and_leave_nothing(core, seed, parameters):
    exercise = Exercise(core, parameters, seed)
    for op in exercise.operations:
        for error, packet in bad_packets(exercise, op):
            # The same error on a packet of zeros, or of positions that are not below r.
            blank = [0xFFFFFFFF if error == simulated.ERROR_KEY else 0] * len(packet)
            reference = exercise.reference(lambda op=op, blank=blank: exercise.one.run(op, blank))
            exercise.check(op)
            pauses = exercise.source.choice((0, exercise.source.getrandbits(31) | 1))
            assert exercise.one.run(op, packet, pauses=pauses)[::2] == (error, [])
            exercise.check_nothing_left(reference)
        exercise.check(op)


@pytest.mark.parametrize("parameters", LONG_FOR_BIKE)
def test_second_start_is_refused_at_any_time(core, seed, parameters):
    exercise = Exercise(core, parameters, seed)
    for op in exercise.operations:
        for again in [
            1,
            exercise.cycles[op] - 1,
            *[exercise.source.randrange(2, exercise.cycles[op]) for _ in range(4)],
        ]:
            assert exercise.one.run(op, exercise.packets[op], again=again) == (
                simulated.ERROR_BUSY,
                exercise.cycles[op],
                exercise.expected(op),
            )
        exercise.check(op)


@pytest.mark.parametrize("parameters", LONG_FOR_BIKE)
def test_second_start_does_not_hide_an_error(core, seed, parameters):
    exercise = Exercise(core, parameters, seed)
    short = exercise.packets[ENCAPS][:100]
    for again in (1, 50, 99, 100, 101, 102, 300):
        assert exercise.one.run(ENCAPS, short, again=again)[::2] == (simulated.ERROR_SHORT, [])
    exercise.check(ENCAPS)


def check_aborts(exercise, count, most=None):
    """Transfers that stand still, because words are missing or nobody takes them, or that go on,
    and an abort at any time. most: cycles that it may take."""
    one, source = exercise.one, exercise.source
    reference = exercise.reference(lambda: one.run(ENCAPS, [0] * 9, words=3, abort=50))
    wipe = one.run(WIPE)[1]
    assert most is None or wipe <= most
    for number in range(count):
        op = source.choice(exercise.operations)
        packet, cycles = exercise.packets[op], exercise.cycles[op]
        stuck = [{"words": source.randrange(len(packet))}, {"blocked": 1}, {}][number % 3]
        if number % 7 == 0:  # the rest of a packet that is too short never comes
            packet = [*packet[: source.randrange(1, len(packet))], 0]
        end = cycles + 1000 if stuck else cycles - 1
        stopped = one.run(op, packet, **stuck, abort=source.randrange(1, end))
        if stopped[0] != simulated.ERROR_ABORT:  # it had ended before; or the core wiped itself
            assert stopped[0] in (simulated.ERROR_LONG, simulated.ERROR_SHORT)
            continue
        assert stopped[1] <= wipe
        if number % 10 == 0:
            exercise.check_nothing_left(reference)
        if number % 3 == 0:
            exercise.check(source.choice(exercise.operations))
    for operation in exercise.operations:
        exercise.check(operation)


@pytest.mark.parametrize("parameters", LONG_FOR_BIKE)
def test_aborts_end_what_stands_still(core, seed, parameters):
    check_aborts(Exercise(core, parameters, seed), 12, 700)


@pytest.mark.long
@pytest.mark.parametrize("parameters", [FAST, HQC], ids=["bike", "hqc"])
def test_a_thousand_aborts(core, seed, parameters):
    check_aborts(Exercise(core, parameters, seed), 1000, 700)


@pytest.mark.parametrize("parameters", LONG_FOR_BIKE)
def test_wiping_after_an_operation_leaves_nothing(core, seed, parameters):
    """The same as Wipe does, before the operation is done."""
    exercise = Exercise(core, parameters, seed)
    wipe = exercise.one.run(WIPE)[1]
    op = exercise.operations[-1]
    blank = [0] * len(exercise.packets[op])
    reference = exercise.reference(lambda: exercise.one.run(op, blank, wipe_after=1))
    error, cycles, out = exercise.one.run(op, exercise.packets[op], wipe_after=1)
    assert (error, out) == (0, exercise.expected(op))
    assert cycles == exercise.cycles[op] + wipe - 1
    exercise.check_nothing_left(reference)
    exercise.check(op)


@pytest.mark.long
@pytest.mark.parametrize(
    "parameters",
    [
        {"LEVEL": 1, "PRESET": 0},
        {"LEVEL": 3, "PRESET": 1},
        {"LEVEL": 5, "PRESET": 2},
        {"LEVEL": 1, "PRESET": 3},
        {"LEVEL": 1, "PRESET": 4},
        {**FAST, "BUILD": 1},
        {**FAST, "BUILD": 2},
        {"scheme": "hqc", "LEVEL": 1, "PRESET": 0},
        {"scheme": "hqc", "LEVEL": 5, "PRESET": 2},
        {**HQC, "BUILD": 1},
        {**HQC, "BUILD": 2},
    ],
    ids=str,
)
def test_resets_of_other_cores(core, seed, parameters):
    check_resets(Exercise(core, parameters, seed), each=12)
