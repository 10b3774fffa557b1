# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC's sampler against both samplers of [HQC, S5]: repeats, rejected candidates, draws that go on
where others ended, words that come late; the slot, the positions, the cycles; official records."""

import cocotb

from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded
from hardware.tests.benches.hqc_models import (
    Record,
    product,
    sample_fixed,
    sample_reject,
    sampling,
    words_of,
    xof,
)

LEVEL, WORD = parameters("LEVEL", "WORD")
N, _, CODE, KEY, ERROR = sampling.LEVELS[LEVEL]
WORDS = -(-N // WORD)
LIMIT = (1 << 24) // N * N  # of candidates
REJECT, FIXED, ERASE = range(3)
MOST = 100  # rejected candidates of a draw
APART = 3  # cycles from the end of a draw to the start of the next one


def words_for(positions):
    """Returns words that give these positions."""
    return [-(-(k - i << 32) // (N - i)) for i, k in enumerate(positions)]


class Words:
    """The stream: a word comes gap(number of words taken) cycles after the one before it."""

    def __init__(self, dut):
        self.dut, self.words, self.gap = dut, [], lambda taken: 0
        self.taken, self.now, self.ready = 0, 0, 0

    def load(self, data, gap):
        self.words, self.gap = words_of(data), gap
        self.taken, self.now, self.ready = 0, 0, 0

    def drive(self):
        self.now += 1
        valid = self.taken < len(self.words) and self.now >= self.ready
        self.dut.word_valid_i.value = int(valid)
        self.dut.word_i.value = self.words[self.taken] if valid else 0x5A5A5A5A

    def observe(self):
        if self.dut.word_next_o.value == 1:
            self.taken += 1
            self.ready = self.now + 1 + self.gap(self.taken)


class Positions:
    """Notes the positions that the module gives."""

    def __init__(self, dut):
        self.dut, self.given = dut, []

    def drive(self):
        pass

    def observe(self):
        position = int(self.dut.position_o.value)
        if self.dut.position_valid_o.value == 1:
            self.given.append(position)
        else:
            assert position == 0


class Sampler:
    """The module with its memories and its words."""

    def __init__(self, dut, source):
        self.dut, self.source = dut, source
        self.slots, self.words, self.positions = Memory(dut, "poly"), Words(dut), Positions(dut)
        self.module = Module(dut, self.slots, self.words, self.positions)
        for name in ("start_i", "restart_i", "wipe_i", "wipe_addr_i", "draw_i", "slot_i"):
            getattr(dut, name).value = 0

    async def stream(self, data, gap=lambda taken: 0):
        """Begins another stream."""
        self.dut.restart_i.value = 1
        await self.module.cycle()
        self.dut.restart_i.value = 0
        self.words.load(data, gap)

    async def erase(self, slot):
        """Fills all slots and erases one; nothing else may be written."""
        for other in range(8):
            self.slots.fill(other, (1 << WORD * WORDS) - 1, WORD, WORDS)
        self.slots.touched = {}
        cycles = await self.module.run(draw_i=ERASE, slot_i=slot)
        assert cycles == sampling.erase_cycles(LEVEL, WORD)
        assert self.slots.touched == {(slot, i): 0 for i in range(WORDS)}

    async def draw(self, kind, slot):
        """Draws into a slot of zeros; returns the positions and the cycles."""
        self.slots.fill(slot, 0, WORD, WORDS)
        self.slots.touched, self.positions.given = {}, []
        cycles = await self.module.run(draw_i=kind, slot_i=slot)
        assert {at for at, _ in self.slots.touched} == {slot}
        assert all(word < WORDS for _, word in self.slots.touched)
        drawn = self.positions.given
        assert self.slots.polynomial(slot, WORD, WORDS) == sum(1 << k for k in set(drawn))
        return drawn, cycles

    async def check_fixed(self, draws, slot, gap=lambda taken: 0):
        """Draws as often as there are lists of words, at most three times."""
        # A word more, which must not be taken.
        words = [*[word for draw in draws for word in draw], 0]
        await self.stream(b"".join(word.to_bytes(4, "little") for word in words), gap)
        low = 2 * -(-ERROR // WORD) + 4
        for i, draw in enumerate(draws):
            drawn, cycles = await self.draw(FIXED, slot)
            assert drawn == sample_fixed(draw, ERROR, N)[::-1]
            assert len(set(drawn)) == ERROR
            assert self.words.taken <= min(i + 2, 3) * ERROR
            pauses = sum(gap(j) for j in range(i * ERROR + 1, (i + 1) * ERROR))
            pauses += max(0, gap(i * ERROR) - 3) if i else 0  # a draw begins three cycles late
            if i == 0:
                assert cycles == 3 * ERROR + 5 + low + pauses
            else:
                late = max(0, pauses - ERROR - low - APART)
                assert cycles == 2 * ERROR + 3 + low + late
        if len(draws) == 3:
            assert self.words.taken == 3 * ERROR

    async def check_reject(self, data, slot, draws=1, gap=lambda taken: 0):
        """Draws several times from one stream."""
        await self.stream(data, gap)
        formula, at = sampling.Rejection(KEY, gap), 0
        for _ in range(draws):
            expected, kept = sample_reject(data[at:], KEY, N)
            at += 3 * len(kept)
            drawn, cycles = await self.draw(REJECT, slot)
            assert drawn == expected
            assert self.words.taken == -(-at // 4)  # and no byte more
            assert cycles == formula.run(kept, APART)
            if all(kept) and gap(1) == 0:
                assert cycles == 3 * KEY + 8 + sum(gap(i) for i in range(1, KEY))

    def neighbours(self):
        """Returns words of positions in one word of the memory, with repeats; and some that the
        indices will take."""
        place = self.source.randrange(ERROR, N - WORD)
        near = [place + self.source.randrange(WORD) for _ in range(ERROR)]
        for i in range(0, ERROR - 2, 3):
            near[i] = near[i + self.source.choice((1, 2))]
        for i in range(0, ERROR, 5):
            near[i] = ERROR - 1
        return words_for(near)

    def indices(self):
        """Returns words of positions that are indices: repeats, and those that stand for one."""
        return words_for([self.source.randrange(i, ERROR) for i in range(ERROR)])

    def candidates(self, some, every):
        """Returns the bytes of random candidates, each `every`th of them one of `some`."""
        chosen = [
            self.source.choice(some)
            if i % every == 0
            else self.source.choice((self.source.randrange(N), self.source.getrandbits(24)))
            for i in range(3 * (KEY + MOST))
        ]
        return b"".join(k.to_bytes(3, "little") for k in chosen)


@cocotb.test()
async def draws_fixed(dut):
    source = seeded(dut)
    sampler = Sampler(dut, source)
    await clock_up(dut)
    await sampler.erase(5)
    few = [source.getrandbits(32) for _ in range(ERROR // 4)]
    kinds = [
        [source.getrandbits(32) for _ in range(ERROR)],
        [0xFFFFFFFF] * ERROR,
        source.choices(few, k=ERROR),
        sampler.neighbours(),
        [0] * ERROR,
        sampler.indices(),
    ]
    for i in range(len(kinds)):
        await sampler.check_fixed([kinds[i - j] for j in range(3)], source.randrange(8))
    some = source.sample(kinds, 3)
    await sampler.check_fixed(some, 1, lambda taken: (taken * taken) % 5)
    await sampler.check_fixed(some, 2, lambda taken: 0 if taken % 34 else 33)
    await sampler.check_fixed(some[:2], 3)  # the words of a third are left
    # Erases while the words of the next draw are taken.
    await sampler.check_fixed(kinds[:1], 4)
    await sampler.erase(4)
    for end in (ERROR, 3 * ERROR):
        await sampler.module.interrupt(source.randrange(1, end), draw_i=FIXED)
        await sampler.check_fixed(kinds[3:], 6)
    await sampler.module.interrupt(source.randrange(1, WORDS), draw_i=ERASE)
    await sampler.erase(0)


@cocotb.test()
async def draws_with_rejection(dut):
    source = seeded(dut)
    sampler = Sampler(dut, source)
    await clock_up(dut)
    quotients = [source.randrange(1, (1 << 24) // N) for _ in range(20)]
    edges = [0, N - 1, N, N + 1, LIMIT - 1, LIMIT - N, *[N * q - 1 for q in quotients]]
    edges += [N * q for q in quotients]
    over = [LIMIT, LIMIT + 1, (1 << 24) - 1]
    for some, every in ((edges, 1), (edges, 3), (over, 4), ([*over, *edges], 2)):
        data = sampler.candidates(some, max(every, 2))
        await sampler.check_reject(data, source.randrange(8))
        await sampler.check_reject(data, 3, 2, lambda taken: 0 if taken % 34 else 33)
        await sampler.check_reject(data, 4, 2, lambda taken: (taken * taken) % 7)
    # Rejected ones among the last, so that the pipeline is empty before others come.
    places = [k + N * source.randrange(900 * N // LIMIT + 100) for k in range(KEY)]
    for at in range(KEY - 4, KEY):
        chosen = [*places[:at], over[0], places[0], over[2], *places[at:], *range(9000, 9200)]
        data = b"".join(k.to_bytes(3, "little") for k in chosen)
        await sampler.check_reject(data, 0, 2)
    await sampler.module.interrupt(source.randrange(1, 3 * KEY), draw_i=REJECT)
    await sampler.check_reject(sampler.candidates(edges, 5), 7, 3)


@cocotb.test()
async def agrees_with_official_records(dut):
    """y and x give s; r2 and r1 give u; r2 and e leave a code word of v: copies of the same."""
    source = seeded(dut)
    sampler = Sampler(dut, source)
    await clock_up(dut)
    record = Record(LEVEL, source.randrange(5))
    await sampler.stream(xof(record.seed_dk, 12 * (KEY + MOST)))
    y, _ = await sampler.draw(REJECT, 0)
    x, _ = await sampler.draw(REJECT, 1)
    s = int.from_bytes(record.s, "little")
    assert product(y, record.h, N) ^ sampler.slots.polynomial(1, WORD, WORDS) == s
    assert len(set(x)) == KEY
    await sampler.stream(xof(record.theta, 12 * ERROR))
    await sampler.erase(2)
    r2, _ = await sampler.draw(FIXED, 2)
    e, _ = await sampler.draw(FIXED, 3)
    r1, _ = await sampler.draw(FIXED, 4)
    u = int.from_bytes(record.u, "little")
    assert product(r2, record.h, N) ^ sum(1 << k for k in r1) == u
    code = product(r2, s, N) ^ sum(1 << k for k in e) ^ int.from_bytes(record.v, "little")
    code = (code & ((1 << 8 * CODE) - 1)).to_bytes(CODE, "little")
    copies = 3 if LEVEL == 1 else 5
    for i in range(0, CODE, 16 * copies):
        assert code[i : i + 16 * copies] == code[i : i + 16] * copies
