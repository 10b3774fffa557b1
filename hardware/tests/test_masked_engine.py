# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the masked engine in its model: what they compute, and that the factors of all their
products have sharings that are independent of each other. bench_masked_engine.py runs them in
RTL."""

import itertools
import random

import pytest

from hardware.sim import masked_key as key
from hardware.sim import masked_positions as positions
from hardware.sim import masked_programs as programs
from hardware.sim import masked_schedule as schedule
from hardware.sim.masked_assembler import Chain, Code, Program
from hardware.sim.masked_engine import WORD, Engine, EngineError, Lanes, Step, decoded, encoded
from hardware.tests.benches import codes, hqc_models

SYMBOLS_AT = 1000
THRESHOLD = 7.0  # of some 10^7 points, of which chance lets none be above it


class Inputs:
    """Words of many runs side by side, each in two shares, from one seed.

    The first half of the runs has one secret, the others have random ones.
    """

    def __init__(self, seed, copies=1):
        self.source, self.lanes = random.Random(seed), Lanes(copies=copies)
        self.fixed = copies // 2
        self.engine = Engine(self.random, self.lanes)

    def random(self):
        return self.source.getrandbits(WORD * self.lanes.copies)

    def store(self, address, value):
        self.engine.store(address, value, self.random())

    def secret(self):
        first = self.lanes.first & (1 << WORD * self.fixed) - 1
        others = self.random() >> WORD * self.fixed << WORD * self.fixed
        return self.source.getrandbits(WORD) * first | others


def planes_of(values):
    """Returns the bits of bytes, bit by bit in lanes."""
    return [sum((value >> b & 1) << i for i, value in enumerate(values)) for b in range(8)]


def values_of(engine, first, places):
    planes = [engine.load(first + b) for b in range(8)]
    return [sum((plane >> i & 1) << b for b, plane in enumerate(planes)) for i in places]


@pytest.mark.parametrize("count", [2, 277])
def test_comparison(count):
    """One bit that differs anywhere is found, and several."""
    program = Program(programs.compare(0, 300, count, 600, 601))
    for flipped in ([], [0], [128 * count - 1], [128 * (count // 2) + 70], [5, 6, 133]):
        inputs = Inputs(len(flipped))
        for i in range(count):
            word = inputs.random()
            change = sum(1 << bit % 128 for bit in flipped if bit // 128 == i)
            inputs.store(i, word)
            inputs.engine.store(300 + i, word ^ change, 0)  # public
        inputs.engine.run(program)
        told = [inputs.engine.load(at) & 1 for at in (600, 601)]
        assert told == [int(bool(flipped)), int(not flipped)]


def test_reed_muller_decoder():
    """As by definition, with ties, words without any sign, and far more errors than it corrects."""
    inputs, expected = Inputs(2), []
    source = inputs.source
    for i in range(programs.SYMBOLS):
        errors = source.choice([0, 20, 50, 60, 64, 128])
        word = codes.rm_word(source.randrange(256))
        copies = [
            word ^ sum(1 << j for j in source.sample(range(128), errors))
            for _ in range(programs.COPIES)
        ]
        if i < 3:
            copies = [[0, 0, 0], [0, word, word ^ 1], [(1 << 128) - 1] * 3][i]
        expected.append(codes.rm_decode(copies))
        for c, copy in enumerate(copies):
            inputs.store(programs.AREA * i + c, copy)
    inputs.engine.run(Program(programs.decode_reed_muller(SYMBOLS_AT)))
    assert values_of(inputs.engine, SYMBOLS_AT, range(programs.SYMBOLS)) == expected


def check_reed_solomon(numbers):
    program, inputs = Program(programs.decode_reed_solomon(SYMBOLS_AT, 0)), Inputs(3)
    places = range(programs.PARITY, programs.SYMBOLS)
    for errors in numbers:
        sent = codes.rs_encode(list(inputs.source.randbytes(len(places))), programs.DELTA)
        word = codes.with_errors(inputs.source, sent, errors)
        for b, plane in enumerate(planes_of(word)):
            others = inputs.random() >> programs.SYMBOLS << programs.SYMBOLS
            inputs.store(SYMBOLS_AT + b, plane | others)
        inputs.engine.run(program)
        assert values_of(inputs.engine, SYMBOLS_AT, places) == codes.rs_decode(word, programs.DELTA)


def test_reed_solomon_decoder():
    check_reed_solomon([0, programs.DELTA])


@pytest.mark.long
def test_reed_solomon_decoder_with_all_numbers_of_errors():
    """More errors than it corrects give what the software gives."""
    check_reed_solomon(range(programs.SYMBOLS))


# --- Factors --------------------------------------------------------------------------------------
def counts_of(word, number):
    """Returns how many of the first words and of the last ones, so many each, have 1 in each lane.
    number: a power of two."""
    length = number * WORD
    return [added_up(part, number) for part in (word & (1 << length) - 1, word >> length)]


def added_up(word, number):
    """Adds the bits of so many words, lane by lane: two halves at once, numbers in planes."""
    planes = [word]
    while number > 1:
        number //= 2
        length = number * WORD
        carry, total = 0, []
        for plane in planes:
            a, b = plane & (1 << length) - 1, plane >> length
            total.append(a ^ b ^ carry)
            carry = a & b | (a ^ b) & carry
        planes = [*total, carry]
    return [sum((plane >> i & 1) << b for b, plane in enumerate(planes)) for i in range(WORD)]


class Watch:
    """Compares, lane by lane, how often a factor's share, the other share of the other factor, and
    their sum are 1 in runs with the fixed secret and in the others."""

    def __init__(self, inputs):
        self.inputs, self.points, self.worst = inputs, 0, (0.0, 0)

    def __call__(self, slot, a, b, _):
        for share in (0, 1):
            for word in (a[share], b[1 - share], a[share] ^ b[1 - share]):
                number = self.inputs.fixed  # of the runs of each set
                for one, other in zip(*counts_of(word, number), strict=True):
                    spread = one * (number - one) + other * (number - other)
                    t = abs(one - other) * (number / max(spread, 1)) ** 0.5
                    self.worst = max(self.worst, (t, slot))
                self.points += WORD


def watched(code, memory, copies):
    """Runs a program with secrets at addresses, and masks at those of positions.split. Returns the
    Watch."""
    inputs = Inputs(7, copies)
    for address in range(positions.RANDOM_BITS):
        inputs.engine.memory[address] = [0, inputs.random()]
    for address in memory:
        inputs.store(address, inputs.secret())
    inputs.engine.watch = Watch(inputs)
    inputs.engine.run(Program(code))
    return inputs.engine.watch


def words_of_symbols():
    return [programs.AREA * i + c for i in range(programs.SYMBOLS) for c in range(programs.COPIES)]


PROGRAMS = {
    "compare": (lambda: programs.compare(0, 300, 277, 600, 601), [*range(277), *range(300, 577)]),
    "reed_muller": (lambda: programs.decode_reed_muller(SYMBOLS_AT), words_of_symbols()),
    "reed_solomon": (
        lambda: programs.decode_reed_solomon(SYMBOLS_AT, 0),
        range(SYMBOLS_AT, SYMBOLS_AT + 8),
    ),
    "send_message": (
        lambda: positions.send_message(SYMBOLS_AT, 0),
        range(SYMBOLS_AT, SYMBOLS_AT + 8),
    ),
    "take_message": (lambda: positions.take_message(32, SYMBOLS_AT), [32]),
    "encoders": (
        lambda: positions.encode(SYMBOLS_AT, 0, 140),
        [*range(138), *range(SYMBOLS_AT, SYMBOLS_AT + 8)],
    ),
    "sampler": (lambda: positions.sample_fixed(0, 600, 32), range(positions.STREAM_WORDS)),
    "two_parts": (
        lambda: positions.split(600, 0, 700, 720, 40),
        range(600, 600 + positions.POSITION_BITS),
    ),
    "choice": (lambda: programs.choose(0, 2, 4, 5, 6), range(6)),
    "candidates": (lambda: key.draw_candidates(760, 790, 600, 300, 0), [*range(760, 777), 790]),
    "align": (lambda: schedule.align(301, 0), range(300, 320)),
}


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_factors_tell_nothing(name):
    code, memory = PROGRAMS[name]
    watch = watched(code(), memory, 2048)
    assert watch.points > 1000 and watch.worst[0] < THRESHOLD


def without_refresh(code, d, a):
    code.add(Step(d=d, a=a, add="a"))


@pytest.mark.parametrize("is_refreshed", [True, False])
def test_a_refresh_that_is_missing_is_found(monkeypatch, is_refreshed):
    """x and x^2, of which the inverse begins."""
    if not is_refreshed:
        monkeypatch.setattr(programs, "refresh", without_refresh)
    code = Code()
    programs.invert(code, list(range(8, 16)), list(range(8)), list(range(16, 76)))
    assert (watched(code, range(8), 512).worst[0] < THRESHOLD) == is_refreshed


# --- The assembler --------------------------------------------------------------------------------
def test_what_is_read_waits():
    code, chain = Code(), Chain()
    code.add(Step(d=3, a=1, b=2, add="at"))
    code.add(Step(a=3, add="a", keep="sum"), chain=chain)
    code.add(Step(d=4, add="c"), chain=chain)
    program, engine = Program(code), Engine(lambda: 0)
    engine.store(1, 5, 9)
    engine.store(2, 3, 2)
    assert engine.run(program) == len(program.code) and engine.load(4) == 6
    early = [one for one in program.fields if one["keep"] or one["write"] or one["kind"]]
    with pytest.raises(EngineError, match="read before it is written"):
        engine.run(type("Program", (), {"fields": early, "constants": []}))


def test_what_cannot_be():
    code = Code()
    with code.loop(2) as body, body.loop(2):
        pass
    with pytest.raises(EngineError, match="a loop in a loop"):
        Program(code)
    with pytest.raises(EngineError, match="lane = 128"):
        encoded({"lane": 128})
    code = Code()
    code.add(Step(d=1, a=0, add="a"))
    program, engine = Program(code), Engine(lambda: 0)
    with pytest.raises(EngineError, match="never written"):
        engine.run(program)
    assert encoded(decoded(12345678901234567)) == 12345678901234567


# --- Positions and encoders -----------------------------------------------------------------------
def drawn_from(kind, source):
    """Returns 75 numbers from which positions are drawn: any; all the same position; chains of
    positions that become their own index, which others then are."""
    n, weight = positions.N, positions.WEIGHT
    goals = {
        "any": lambda i: None,
        "same": lambda i: weight - 1,
        "near": lambda i: source.randrange(max(i, 60), 80),
        "next": lambda i: i + 1 if i % 3 else None,
    }

    def number(i):
        place = goals[kind](i)
        return source.getrandbits(32) if place is None else -(-(place - i << 32) // (n - i))

    return [number(i) for i in range(weight)]


def sample(inputs, numbers):
    """Returns the positions that the engine draws."""
    stream = int.from_bytes(b"".join(x.to_bytes(4, "little") for x in numbers), "little")
    for i in range(positions.STREAM_WORDS):
        inputs.store(i, stream >> WORD * i & (1 << WORD) - 1)
    inputs.engine.run(Program(positions.sample_fixed(0, 600, 32)))
    planes = [inputs.engine.load(600 + b) for b in range(positions.POSITION_BITS)]
    places = map(positions.lane_of, range(positions.WEIGHT))
    return [sum((plane >> i & 1) << b for b, plane in enumerate(planes)) for i in places]


@pytest.mark.long
@pytest.mark.parametrize("kind", ["any", "same", "near", "next"])
def test_sampler(kind):
    inputs = Inputs(4)
    numbers = drawn_from(kind, inputs.source)
    expected = hqc_models.sample_fixed(numbers, positions.WEIGHT, positions.N)
    assert len(set(expected)) == positions.WEIGHT
    assert sample(inputs, numbers) == expected


@pytest.mark.long
def test_positions_in_two_parts():
    """p0 + p1 is the position modulo n, p1 = floor(r n / 2^32), and p0 is below n."""
    inputs = Inputs(5)
    drawn = sample(inputs, drawn_from("any", inputs.source))
    engine, bits = inputs.engine, range(positions.RANDOM_BITS)
    for b in bits:
        engine.memory[b] = [0, inputs.random()]
    masks = [engine.load(b) for b in bits]
    engine.run(Program(positions.split(600, 0, 700, 720, 40)))
    for i, position in enumerate(drawn):
        lane = positions.lane_of(i)
        p0, p1 = (engine.load(at + lane % 16) >> lane // 16 * 16 & 0xFFFF for at in (700, 720))
        r = sum((mask >> lane & 1) << b for b, mask in enumerate(masks))
        assert p0 < positions.N and p1 == r * positions.N >> 32
        assert (p0 + p1) % positions.N == position


@pytest.mark.long
def test_encoders():
    inputs = Inputs(6)
    message = inputs.source.randbytes(programs.SYMBOLS - programs.PARITY)
    others = inputs.source.randbytes(programs.PARITY)  # of which nothing is left
    for b, plane in enumerate(planes_of(others + message)):
        inputs.store(SYMBOLS_AT + b, plane)
    before = [inputs.random() for _ in range(3 * programs.SYMBOLS)]
    for i, word in enumerate(before):
        inputs.store(i, word)
    inputs.engine.run(Program(positions.encode(SYMBOLS_AT, 0, 140)))
    for i, symbol in enumerate(codes.rs_encode(list(message), programs.DELTA)):
        for place in range(3 * i, 3 * i + 3):
            assert inputs.engine.load(place) ^ before[place] == codes.rm_word(symbol)


@pytest.mark.long
@pytest.mark.parametrize("left_out", [0, 3])
def test_candidates(left_out):
    """Of a key: refused ones, repeated ones, and those that are no candidates of this vector."""
    inputs, n = Inputs(7), positions.N
    drawn = [inputs.source.randrange(1 << 24) for _ in range(key.CANDIDATES)]
    drawn[1], drawn[5], drawn[9], drawn[12] = drawn[40], (1 << 24) - 1, drawn[2], 949 * n
    drawn[20], drawn[30], drawn[41], drawn[87] = drawn[2] % n + 7 * n, 949 * n - 1, 11, n - 1
    data = b"".join(one.to_bytes(3, "little") for one in drawn) + inputs.source.randbytes(8)
    for i in range(key.STREAM_WORDS):
        inputs.store(760 + i, int.from_bytes(data[16 * i : 16 * i + 16], "little"))
    left = sum(1 << positions.lane_of(i) for i in range(left_out))
    inputs.engine.store(790, left, 0)  # public
    inputs.engine.run(Program(key.draw_candidates(760, 790, 600, 300, 0)))
    planes = [inputs.engine.load(600 + b) for b in range(positions.POSITION_BITS)]
    seen = set()
    for i, one in enumerate(drawn):
        lane = positions.lane_of(i)
        is_good = i >= left_out and one < 949 * n and one % n not in seen
        seen |= {one % n} if is_good else set()
        assert inputs.engine.load(300 + i) == (programs.ONES if is_good else 0)
        assert sum((plane >> lane & 1) << b for b, plane in enumerate(planes)) == one % n
    assert 80 < len(seen) + left_out < key.CANDIDATES


@pytest.mark.long
def test_numbers_are_aligned():
    inputs = Inputs(8)
    whole = inputs.random() | inputs.random() << WORD
    for i in range(positions.STREAM_WORDS + 1):
        inputs.store(300 + i, whole * (i + 1) >> 7 & programs.ONES)
    words = [inputs.engine.load(300 + i) for i in range(positions.STREAM_WORDS + 1)]
    inputs.engine.run(Program(schedule.align(301, 0)))
    for i, (before, word) in enumerate(itertools.pairwise(words)):
        assert inputs.engine.load(i) == (word << 32 | before >> 96) & programs.ONES


# --- Steps of the core ----------------------------------------------------------------------------
def test_steps_that_would_meet_are_refused():
    """The engine and what moves its words; a product that runs and what takes it."""
    starts = dict.fromkeys(schedule.engine_programs(), 0)
    for make in (schedule.keygen, schedule.encaps, schedule.decaps):
        assert 40 < len(make(starts).encoded()) < 1 << schedule.STEP_BITS
    steps = schedule.Steps(starts)
    steps.run("choice")
    steps.move("feed", b="h", count=139)
    with pytest.raises(EngineError, match="move begins while"):
        steps.move("load", 0, "v", 1)
    steps = schedule.Steps(starts)
    steps.product(66)
    steps.move("draw", 0, count=1)
    with pytest.raises(EngineError, match="take"):
        steps.move("take", 0, count=1)
    steps.move("take", 0, count=1, needs="p")
