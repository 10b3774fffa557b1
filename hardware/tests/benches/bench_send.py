# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What sends the output packet: fields of every kind to a receiver that pauses, cycles.

A word that is valid must stay as it is until it is taken, as AXI4-Stream asks.
"""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded

WORD, INDEX_BITS, UPPER = parameters("WORD", "POSITION_BITS", "LIST_BASE")
POLY_WORDS = -(-(1 << INDEX_BITS) // 33)
WORDS = -(-32 * POLY_WORDS // WORD)
POLY, STR, LIST = range(3)
COUNTS = {POLY: POLY_WORDS, STR: 8, LIST: UPPER - 3}
FIELDS = [(POLY, slot) for slot in range(8)] + [(STR, i) for i in range(8)] + [(LIST, 0), (LIST, 1)]
SEND = simulated.cycles.Cycles().send


class Receiver:
    """Takes words with pauses."""

    def __init__(self, dut, source):
        self.dut, self.source = dut, source
        self.load(0)

    def load(self, pauses):
        self.pauses, self.paused, self.words, self.waiting = pauses, 0, [], None

    def drive(self):
        self.ready = self.source.randrange(10) >= self.pauses
        self.dut.out_ready_i.value = int(self.ready)

    def observe(self):
        valid = self.dut.out_valid_o.value == 1
        beat = int(self.dut.out_data_o.value), int(self.dut.out_last_o.value)
        if not valid:
            assert beat == (0, 0)  # nothing of the memories is seen from outside
            assert self.waiting is None
        elif self.waiting is not None:
            assert beat == self.waiting
        if valid and self.ready:
            self.words.append(beat)
        self.paused += valid and not self.ready
        cleared = self.dut.clear_i.value == 1  # then nothing waits
        self.waiting = beat if valid and not self.ready and not cleared else None


def field_words(memories, kind, which):
    """Returns the words of a field from what is in the memories."""
    if kind == POLY:
        value = memories["poly"].polynomial(which, WORD, WORDS)
        return [value >> (32 * i) & 0xFFFFFFFF for i in range(POLY_WORDS)]
    if kind == STR:
        lanes = [memories["str"].words[4 * which + i] for i in range(4)]
        return [half for lane in lanes for half in (lane & 0xFFFFFFFF, lane >> 32)]
    mask = (1 << INDEX_BITS) - 1
    return [memories["list"].words[UPPER * which + i] & mask for i in range(COUNTS[LIST])]


def memories_of(dut):
    """Returns {name: memory} of what the fields are read from."""
    return {
        "poly": Memory(dut, "poly"),
        "str": Memory(dut, "str"),
        "list": Memory(dut, "list"),
    }


@cocotb.test()
async def sends_fields(dut):
    source = seeded(dut)
    memories = memories_of(dut)
    receiver = Receiver(dut, source)
    module = Module(dut, *memories.values(), receiver)
    dut.start_i.value = 0
    await clock_up(dut)
    for slot in range(8):
        memories["poly"].fill(slot, source.getrandbits(32 * POLY_WORDS), WORD, WORDS)
    memories["str"].words = {i: source.getrandbits(64) for i in range(32)}
    memories["list"].words = {i: source.getrandbits(INDEX_BITS + 1) for i in range(2 * UPPER)}
    for kind, which in FIELDS:
        for pauses in (0, source.choice((3, 9))):
            receiver.load(pauses)
            last = source.randrange(2)
            cycles = await module.run(
                kind_i=kind, which_i=which, final_i=COUNTS[kind] - 1, last_i=last
            )
            words = field_words(memories, kind, which)
            assert receiver.words == [
                (word, int(last and i == len(words) - 1)) for i, word in enumerate(words)
            ], (kind, which)
            assert cycles - receiver.paused == SEND(len(words))
    receiver.load(5)
    await module.interrupt(source.randrange(2, 100), kind_i=POLY, which_i=0, final_i=POLY_WORDS - 1)
    receiver.load(0)
    assert await module.run(kind_i=STR, which_i=2, final_i=7, last_i=1) == SEND(8)
    assert [word for word, _ in receiver.words] == field_words(memories, STR, 2)


@cocotb.test()
async def sends_nothing_after_an_upset(dut):
    """A bit flips of what says which field is sent, and how much of it, while a word waits: that is
    told, and the word does not leave if it could be another field's, or never end."""
    source = seeded(dut)
    memories = memories_of(dut)
    module = Module(dut, *memories.values())
    dut.start_i.value = dut.out_ready_i.value = 0
    await clock_up(dut)
    waits = {"count_q": 1, "next_q": 1, "final_q": 1, "end_guard_q": 1}  # counts: the word waits on
    for name in ("busy_q", "kind_q", "which_q", "last_field_q", "guard_q", *waits):
        register = getattr(dut, name)
        for bit in range(len(register)):
            module.begin(kind_i=STR, which_i=source.randrange(8), final_i=7, last_i=1)
            await module.cycle()
            dut.start_i.value = 0
            await module.cycle()
            assert await module.cycle("out_valid_o", "upset_o") == [1, 0]
            register.value = int(register.value) ^ 1 << bit
            told = await module.cycle("out_valid_o", "upset_o")
            assert told == [waits.get(name, 0), 1], (name, bit)
            dut.clear_i.value = 1
            await module.cycle()
            dut.clear_i.value = 0


@cocotb.test()
async def begins_nothing_after_an_upset(dut):
    """While no field is sent, before the first and after one, a bit flips: no word leaves."""
    source = seeded(dut)
    memories = memories_of(dut)
    module = Module(dut, *memories.values())
    dut.start_i.value = 0
    await clock_up(dut)
    for is_first in (True, False):
        for name in ("busy_q", "valid_q"):
            dut.clear_i.value = int(is_first)
            dut.out_ready_i.value = 1
            await module.cycle()
            dut.clear_i.value = 0
            if not is_first:
                await module.run(kind_i=STR, which_i=source.randrange(8), final_i=7, last_i=1)
            assert await module.cycle("out_valid_o", "upset_o") == [0, 0]
            getattr(dut, name).value = 1
            for _ in range(3):
                assert await module.cycle("out_valid_o", "upset_o") == [0, 1], (is_first, name)
            dut.clear_i.value = 1
            await module.cycle()
            dut.clear_i.value = 0
