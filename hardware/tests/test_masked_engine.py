# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the masked engine in its model: what they compute, and that the factors of all their
products have sharings that are independent of each other. bench_masked_engine.py runs them in
RTL."""

import itertools
import random

import pytest

from hardware.sim import masked_key as key
from hardware.sim import masked_memory as memory
from hardware.sim import masked_positions as positions
from hardware.sim import masked_programs as programs
from hardware.sim import masked_reed_solomon as reed_solomon
from hardware.sim import masked_schedule as schedule
from hardware.sim.masked_assembler import Chain, Code, Program
from hardware.sim.masked_engine import WORD, Engine, EngineError, Lanes, Step, decoded, encoded
from hardware.sim.masked_level import LEVELS, part_of
from hardware.tests.benches import codes, hqc_models

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


def levels(is_long=False):
    """For tests of each level: those of level 1 are quick."""
    marks = {n: [pytest.mark.long] * (is_long or n > 1) for n in LEVELS}
    cases = [pytest.param(level, marks=marks[n], id=str(n)) for n, level in LEVELS.items()]
    return pytest.mark.parametrize("level", cases)


def symbols_at(level):
    return memory.MEMORY[level.level].symbols


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


@levels()
def test_reed_muller_decoder(level):
    """As by definition, with ties, words without any sign, and far more errors than it corrects."""
    inputs, expected = Inputs(2), []
    source, all_ones = inputs.source, (1 << 128) - 1
    for i in range(level.n1):
        errors = source.choice([0, 20, 50, 60, 64, 128])
        word = codes.rm_word(source.randrange(256))
        copies = [
            word ^ sum(1 << j for j in source.sample(range(128), errors))
            for _ in range(level.copies)
        ]
        if i < 3:
            less = level.copies - 3
            tie = [0, all_ones] * (less // 2)
            copies = [[0] * level.copies, [0, word, word ^ 1, *tie], [all_ones] * level.copies][i]
        expected.append(codes.rm_decode(copies))
        for c, copy in enumerate(copies):
            inputs.store(programs.area(level) * i + c, copy)
    inputs.engine.run(Program(programs.decode_reed_muller(level, symbols_at(level)), level.fields))
    assert values_of(inputs.engine, symbols_at(level), range(level.n1)) == expected


def check_reed_solomon(level, numbers):
    symbols, inputs = symbols_at(level), Inputs(3)
    program = Program(reed_solomon.decode_reed_solomon(level, symbols, 0), level.fields)
    places = reed_solomon.message_lanes(level)
    for errors in numbers:
        sent = codes.rs_encode(list(inputs.source.randbytes(len(places))), level.delta)
        word = codes.with_errors(inputs.source, sent, errors)
        for b, plane in enumerate(planes_of(word)):
            others = inputs.random() >> level.n1 << level.n1
            inputs.store(symbols + b, plane | others)
        inputs.engine.run(program)
        assert values_of(inputs.engine, symbols, places) == codes.rs_decode(word, level.delta)


@levels()
def test_reed_solomon_decoder(level):
    check_reed_solomon(level, [0, level.delta])


@levels(is_long=True)
def test_reed_solomon_decoder_with_all_numbers_of_errors(level):
    """More errors than it corrects give what the software gives."""
    check_reed_solomon(level, range(level.n1))


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


def watched(code, secrets, copies, level=LEVELS[1]):
    """Runs a program with secrets at addresses, and masks at those of positions.split. Returns the
    Watch."""
    inputs = Inputs(7, copies)
    store_masks(inputs, level)
    for address in secrets:
        inputs.store(address, inputs.secret())
    inputs.engine.watch = Watch(inputs)
    inputs.engine.run(Program(code, level.fields))
    return inputs.engine.watch


def store_masks(inputs, level):
    """Stores what positions.split draws from; returns the addresses."""
    first = memory.MEMORY[level.level].split
    addresses = range(first, first + level.groups * positions.RANDOM_BITS)
    for address in addresses:
        inputs.engine.memory[address] = [0, inputs.random()]
    return addresses


def words(first, count):
    return range(first, first + count)


def secrets_of(level):
    """Returns which words the programs of a level read that are secret, or masked as such."""
    at, code, ring = memory.MEMORY[level.level], level.code_words, level.ring_words
    symbols, drawn = words(at.symbols, 8), words(at.positions, level.groups * level.position_bits)
    stream, size = positions.stream_words(level), programs.area(level)
    candidates = key.stream_words(level.candidates)
    found = {
        "refresh y": drawn,
        "two parts": drawn,
        "Reed-Muller": [size * i + c for i in range(level.n1) for c in range(level.copies)],
        "Reed-Solomon": symbols,
        "send message": symbols,
        "take message": words(at.first, level.message_words),
        "candidates": [*words(at.numbers, candidates), at.window],
        "sampler": words(0, stream),
        "encoders": [*words(at.code, code), *symbols],
        "add r1": [*words(at.ring, ring), *words(at.added, ring)],
        "compare v": [*words(at.code, code), *words(at.received, code)],
        "compare u": [
            *words(at.ring, ring),
            *words(at.received + code, ring),
            *(at.differ, at.equal),
        ],
        "choice": [*words(at.secrets, 4), at.differ, at.equal],
        "align": words(at.numbers, stream + 1),
    }
    return {name: found[name] for name in memory.engine_programs(level)}


MULTIPLYING = (
    *("two parts", "Reed-Muller", "Reed-Solomon", "send message", "take message", "candidates"),
    *("sampler", "encoders", "compare v", "compare u", "choice", "align"),
)
CASES = [
    pytest.param(level, name, id=f"{n}-{name.replace(' ', '_')}")
    for n, level in LEVELS.items()
    for name in MULTIPLYING
    if name != "align" or memory.is_aligned(level)
]


@pytest.mark.long
@pytest.mark.parametrize(("level", "name"), CASES)
def test_factors_tell_nothing(level, name):
    code = memory.engine_programs(level)[name]
    watch = watched(code, secrets_of(level)[name], 2048, level)
    assert watch.points > 1000 and watch.worst[0] < THRESHOLD


def without_refresh(code, d, a):
    code.add(Step(d=d, a=a, add="a"))


@pytest.mark.parametrize("is_refreshed", [True, False])
def test_a_refresh_that_is_missing_is_found(monkeypatch, is_refreshed):
    """x and x^2, of which the inverse begins."""
    if not is_refreshed:
        monkeypatch.setattr(reed_solomon, "refresh", without_refresh)
    code = Code()
    reed_solomon.invert(code, list(range(8, 16)), list(range(8)), list(range(16, 76)))
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
def run(inputs, level, name):
    inputs.engine.run(Program(memory.engine_programs(level)[name], level.fields))


def store_bytes(inputs, first, count, data):
    for i in range(count):
        inputs.store(first + i, int.from_bytes(data[16 * i : 16 * i + 16], "little"))


def positions_in(engine, level, count):
    """Returns so many positions from their planes, by indices."""
    groups = positions.planes_of(level, memory.MEMORY[level.level].positions)
    planes = [[engine.load(place) for place in group] for group in groups]
    return [
        sum((plane >> positions.lane_of(i % WORD) & 1) << b for b, plane in enumerate(group))
        for group, first in zip(planes, itertools.count(0, WORD))
        for i in range(first, first + part_of(count, first // WORD))
    ]


def drawn_from(level, kind, source):
    """Returns numbers from which positions are drawn: any; all the same position; chains of
    positions that become their own index, which others then are."""
    n, weight = level.n, level.weight_r
    goals = {
        "any": lambda i: None,
        "same": lambda i: weight - 1,
        "near": lambda i: source.randrange(max(i, weight - 15), weight + 5),
        "next": lambda i: i + 1 if i % 3 else None,
    }

    def number(i):
        place = goals[kind](i)
        return source.getrandbits(32) if place is None else -(-(place - i << 32) // (n - i))

    return [number(i) for i in range(weight)]


def sample(inputs, level, numbers):
    """Returns the positions that the engine draws."""
    stream = b"".join(x.to_bytes(4, "little") for x in numbers)
    store_bytes(inputs, 0, positions.stream_words(level), stream)
    run(inputs, level, "sampler")
    return positions_in(inputs.engine, level, level.weight_r)


@levels(is_long=True)
@pytest.mark.parametrize("kind", ["any", "same", "near", "next"])
def test_sampler(level, kind):
    inputs = Inputs(4)
    numbers = drawn_from(level, kind, inputs.source)
    expected = hqc_models.sample_fixed(numbers, level.weight_r, level.n)
    assert len(set(expected)) == level.weight_r
    assert sample(inputs, level, numbers) == expected


@levels(is_long=True)
def test_positions_in_two_parts(level):
    """p0 + p1 is the position modulo n, p1 = floor(r n / 2^32), and p0 is below n."""
    inputs, at = Inputs(5), memory.MEMORY[level.level]
    drawn = sample(inputs, level, drawn_from(level, "any", inputs.source))
    engine, bits = inputs.engine, positions.RANDOM_BITS
    masks = [engine.load(address) for address in store_masks(inputs, level)]
    run(inputs, level, "two parts")
    for i, position in enumerate(drawn):
        group, lane = i // WORD, positions.lane_of(i % WORD)
        p0, p1 = (
            engine.load(first + 16 * group + lane % 16) >> lane // 16 * 16 & 0xFFFF
            for first in (at.first_part, at.other_part)
        )
        own = masks[bits * group : bits * group + bits]
        r = sum((mask >> lane & 1) << b for b, mask in enumerate(own))
        assert p0 < level.n and p1 == r * level.n >> 32
        assert (p0 + p1) % level.n == position


@levels(is_long=True)
def test_encoders(level):
    inputs, at = Inputs(6), memory.MEMORY[level.level]
    message = inputs.source.randbytes(level.k)
    others = inputs.source.randbytes(level.parity)  # of which nothing is left
    for b, plane in enumerate(planes_of(others + message)):
        inputs.store(at.symbols + b, plane)
    before = [inputs.random() for _ in range(level.code_words)]
    for i, word in enumerate(before):
        inputs.store(at.code + i, word)
    run(inputs, level, "encoders")
    symbols = codes.rs_encode(list(message), level.delta)
    for i, one in enumerate(before):
        expected = codes.rm_word(symbols[i // level.copies])
        assert inputs.engine.load(at.code + i) ^ one == expected


@levels(is_long=True)
def test_messages_go_and_come(level):
    inputs, at = Inputs(9), memory.MEMORY[level.level]
    message = inputs.source.randbytes(level.k)
    store_bytes(inputs, at.first, level.message_words, message)
    run(inputs, level, "take message")
    places = reed_solomon.message_lanes(level)
    assert bytes(values_of(inputs.engine, at.symbols, places)) == message
    inputs.engine.memory = {
        address: inputs.engine.memory[address] for address in words(at.symbols, 8)
    }
    run(inputs, level, "send message")
    for i in range(level.message_words):
        part = message[16 * i : 16 * i + 16]
        assert inputs.engine.load(at.first + i) == int.from_bytes(part, "little")


@levels(is_long=True)
@pytest.mark.parametrize("left_out", [0, 3])
def test_candidates(level, left_out):
    """Of a key: refused ones, repeated ones, and those that are no candidates of this vector."""
    inputs, n, at = Inputs(7), level.n, memory.MEMORY[level.level]
    end = (1 << 24) // n * n  # those from it on are refused
    drawn = [inputs.source.randrange(1 << 24) for _ in range(level.candidates)]
    drawn[1], drawn[5], drawn[9], drawn[12] = drawn[40], (1 << 24) - 1, drawn[2], end
    drawn[20], drawn[30], drawn[41], drawn[87] = drawn[2] % n + 7 * n, end - 1, 11, n - 1
    drawn[-3], drawn[-2], drawn[-1] = drawn[-4], end, drawn[6]
    data = b"".join(one.to_bytes(3, "little") for one in drawn) + inputs.source.randbytes(8)
    store_bytes(inputs, at.numbers, key.stream_words(level.candidates), data)
    left = sum(1 << positions.lane_of(i) for i in range(left_out))
    inputs.engine.store(at.window, left, 0)  # public
    run(inputs, level, "candidates")
    assert positions_in(inputs.engine, level, level.candidates) == [one % n for one in drawn]
    seen = set()
    for i, one in enumerate(drawn):
        is_good = i >= left_out and one < end and one % n not in seen
        seen |= {one % n} if is_good else set()
        assert inputs.engine.load(at.accepted + i) == (programs.ONES if is_good else 0)
    assert level.candidates - 12 < len(seen) + left_out < level.candidates


@levels()
def test_candidates_are_enough(level):
    """y and x leave out more than there are less than once in 2^95 keys."""
    spare = level.candidates + level.start - 2 * level.weight
    chances = [1.0] + [0.0] * (spare + 60)  # that so many were left out
    for found in 2 * [*range(level.weight)]:
        taken = level.bound / 2**24 * (1 - found / level.n)
        for i in range(1, len(chances)):
            chances[i] += (1 - taken) * chances[i - 1]
        chances = [taken * chance for chance in chances]
    assert sum(chances[spare + 1 :]) < 2**-95


@levels(is_long=True)
def test_numbers_are_aligned(level):
    """Those of e, of which the stream's second draw has no whole number of lanes."""
    if not memory.is_aligned(level):
        assert level.weight_r % 2 == 0
        return
    inputs, at = Inputs(8), memory.MEMORY[level.level]
    lanes, weight = memory.lanes_of(level), level.weight_r
    numbers = inputs.source.randbytes(8 * sum(lanes))
    before = numbers[: 8 * lanes[0]][-(8 * lanes[0] % 16 or 16) :]
    store_bytes(inputs, at.numbers, 1, before)
    store_bytes(inputs, at.numbers + 1, positions.stream_words(level), numbers[8 * lanes[0] :])
    run(inputs, level, "align")
    found = b"".join(
        inputs.engine.load(i).to_bytes(16, "little") for i in range(positions.stream_words(level))
    )
    assert found[: 4 * weight] == numbers[4 * weight : 8 * weight]


# --- Steps of the core ----------------------------------------------------------------------------
def test_steps_that_would_meet_are_refused():
    """The engine and what moves its words; a product that runs and what takes it."""
    level = LEVELS[1]
    starts = dict.fromkeys(memory.engine_programs(level), 0)
    for make in (schedule.keygen, schedule.encaps, schedule.decaps):
        assert 40 < len(make(level, starts).encoded()) < 1 << schedule.STEP_BITS
    steps = schedule.Steps(level, starts)
    steps.run("choice")
    steps.move("feed", b="h", count=139)
    with pytest.raises(EngineError, match="move begins while"):
        steps.move("load", 0, "v", 1)
    steps = schedule.Steps(level, starts)
    steps.product(66)
    steps.move("draw", 0, count=1)
    with pytest.raises(EngineError, match="take"):
        steps.move("take", 0, count=1)
    steps.move("take", 0, count=1, needs="p")
