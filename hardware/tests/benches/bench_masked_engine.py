# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The masked engine against its model, share by share: random programs, random words that come late
or not, clearing and wiping; then HQC's programs on an official record: the decoders give its
message, and the comparison finds what was altered."""

import cocotb

from hardware.sim import masked_programs as programs
from hardware.sim import masked_reed_solomon as reed_solomon
from hardware.sim.masked_assembler import Chain, Code, Program
from hardware.sim.masked_engine import KINDS, Engine, Lanes, Step, Turn
from hardware.sim.masked_level import LEVELS
from hardware.tests.benches.benches import clock_up, parameters, seeded, tick
from hardware.tests.benches.hqc_models import Record, product, sample_reject, xof

WORD, DEPTH, CODE = parameters("WORD", "DEPTH", "CODE")
LEVEL = LEVELS[1]
SETUP = 4  # cycles of a run beside its slots


class Bench:
    """The engine with memories for code and constants, and a source of random words of which `late`
    in ten cycles have none."""

    def __init__(self, dut, source):
        self.dut, self.source, self.late, self.program = dut, source, 0, None
        self.drawn, self.begin = [], 0
        for port in ("start_i", "start_pc_i", "code_i", "constant_i", "store_we_i", "store_addr_i"):
            getattr(dut, port).value = 0
        for port in ("store_i", "random_valid_i", "random_i", "wipe_i", "wipe_addr_i"):
            getattr(dut, port).value = 0

    def word(self):
        return self.source.getrandbits(WORD)

    async def tick(self):
        dut = self.dut
        dut.random_valid_i.value = int(self.source.randrange(10) >= self.late)
        offered = self.word()
        dut.random_i.value = offered
        await cocotb.triggers.ReadOnly()
        code, constant = int(dut.code_addr_o.value), int(dut.constant_addr_o.value)
        if dut.random_ready_o.value == 1:
            assert dut.random_valid_i.value == 1
            self.drawn.append(offered)
        await tick(dut)
        program = self.program
        dut.code_i.value = program.code[code] if program and code < len(program.code) else 0
        known = program and constant < len(program.constants)
        dut.constant_i.value = program.constants[constant] if known else self.word()

    async def store(self, memory):
        for address, (one, other) in memory.items():
            self.dut.store_we_i.value = 1
            self.dut.store_addr_i.value = address
            self.dut.store_i.value = other << WORD | one
            await self.tick()
        self.dut.store_we_i.value = self.dut.store_i.value = 0

    async def load(self, addresses):
        found = {}
        for address in addresses:
            self.dut.store_addr_i.value = address
            await self.tick()
            both = int(self.dut.read_o.value)
            found[address] = [both & (1 << WORD) - 1, both >> WORD]
        self.dut.store_addr_i.value = 0
        return found

    async def run(self, program, late=0):
        """Returns how many cycles a program takes."""
        self.program, self.late, self.drawn = program, late, []
        self.dut.start_i.value = 1
        cycles = 0
        while self.dut.done_o.value != 1:
            await self.tick()
            self.dut.start_i.value = 0
            cycles += 1
            assert cycles < 100_000
        return cycles

    async def wipe(self):
        self.dut.wipe_i.value = 1
        for address in range(DEPTH):
            self.dut.wipe_addr_i.value = address
            await self.tick()
        self.dut.wipe_i.value = 0

    async def check(self, program, memory, addresses, late=0):
        """Runs a program here and in the model; returns the values at some addresses."""
        memory = {address: list(shares) for address, shares in memory.items()}
        await self.store(memory)
        cycles = await self.run(program, late)
        drawn = iter(self.drawn)
        model = Engine(lambda: next(drawn, 0), Lanes(WORD))
        model.memory = memory
        slots = model.run(program)
        assert model.words == len(self.drawn)
        assert late or cycles == slots + SETUP
        found = await self.load(addresses)
        assert found == {address: model.memory[address] for address in addresses}
        return [found[address][0] ^ found[address][1] for address in addresses]


def some(source, names):
    return "".join(name for name in names if source.randrange(2))


def random_program(source, words, is_looped):
    """Returns a program of random steps in random order, of two threads and of none."""
    code = Code()

    def add(to, indexed):
        chains = [Chain() for _ in range(2)]
        for chain in chains:
            begin = Step(a=source.randrange(words), add="a", keep="sum", indexed="a" * indexed)
            to.add(begin, chain=chain)
        for _ in range(60):
            own = source.randrange(3)
            kept = "c" if own else ""
            step = Step(
                a=source.randrange(words),
                b=source.randrange(words),
                d=source.randrange(words) if source.randrange(3) or not own else None,
                k=0 if indexed else source.getrandbits(WORD),
                turn=Turn(source.choice(KINDS), source.randrange(WORD)),
                in_a=some(source, "ak" + kept),
                in_b=some(source, "at" + kept),
                add=some(source, "atk" + kept),
                product=bool(source.randrange(4)),
                write_z=bool(source.randrange(2)),
                keep=source.choice(("", "sum", "carry")) if own else "",
                indexed=some(source, "l") + "abdk" if indexed else "",
            )
            to.add(step, chain=chains[own - 1] if own else None)
        factors = [
            {"a": source.randrange(words), "b": source.randrange(words), "in_a": "a", "in_b": "at"}
            for _ in range(9)
        ]
        which = "abd" if indexed else ""
        to.sum_of_products(source.randrange(words), [{**one, "indexed": which} for one in factors])

    add(code, indexed=False)
    if is_looped:
        code.constants(source.getrandbits(WORD) for _ in range(40))
        with code.loop(5, address=words, lane=source.randrange(WORD), k=3) as body:
            add(body, indexed=True)
    return Program(code)


@cocotb.test()
async def agrees_with_the_model(dut):
    source = seeded(dut)
    bench = Bench(dut, source)
    await clock_up(dut)
    for late in (0, 0, 3, 8):
        words = source.choice((3, 20))
        memory = {address: [bench.word(), bench.word()] for address in range(7 * words)}
        program = random_program(source, words, is_looped=words == 20)
        await bench.check(program, memory, list(memory), late)


def received(record):
    """Returns v - u y of a record, symbol by symbol three words."""
    y, _ = sample_reject(xof(record.seed_dk, 1 << 12), LEVEL.weight, LEVEL.n)
    u = int.from_bytes(record.u, "little") & (1 << LEVEL.n) - 1
    whole = int.from_bytes(record.v, "little") ^ product(y, u, LEVEL.n)
    return [
        [whole >> 128 * (LEVEL.copies * i + c) & (1 << 128) - 1 for c in range(LEVEL.copies)]
        for i in range(LEVEL.n1)
    ]


@cocotb.test(skip=WORD != programs.WORD)
async def decodes_an_official_ciphertext(dut):
    source = seeded(dut)
    bench = Bench(dut, source)
    await clock_up(dut)
    record, symbols = Record(1), [1000 + b for b in range(8)]
    memory = {}
    for i, copies in enumerate(received(record)):
        for c, word in enumerate(copies):
            mask = bench.word()
            memory[programs.area(LEVEL) * i + c] = [word ^ mask, mask]
    await bench.check(Program(programs.decode_reed_muller(LEVEL, symbols[0])), memory, symbols)
    shares = await bench.load(symbols)
    program = Program(reed_solomon.decode_reed_solomon(LEVEL, symbols[0], 0))
    planes = await bench.check(program, shares, symbols, late=1)
    places = reed_solomon.message_lanes(LEVEL)
    message = bytes(sum((plane >> i & 1) << b for b, plane in enumerate(planes)) for i in places)
    assert message == record.message


@cocotb.test(skip=WORD != programs.WORD)
async def compares(dut):
    source = seeded(dut)
    bench = Bench(dut, source)
    await clock_up(dut)
    program = Program(programs.compare(0, 30, 26, 60, 61))
    for is_equal in (True, False):
        first = [bench.word() for _ in range(26)]
        second = list(first)
        if not is_equal:
            second[source.randrange(26)] ^= 1 << source.randrange(WORD)
        masks = [bench.word() for _ in range(26)]
        memory = {i: [a ^ m, m] for i, (a, m) in enumerate(zip(first, masks, strict=True))}
        memory |= {30 + i: [a, 0] for i, a in enumerate(second)}
        differ, equal = await bench.check(program, memory, [60, 61])
        assert (differ & 1, equal & 1) == (not is_equal, is_equal)


@cocotb.test()
async def waits_for_random_words_and_is_cleared(dut):
    source = seeded(dut)
    bench = Bench(dut, source)
    await clock_up(dut)
    await bench.wipe()
    memory = {address: [bench.word(), bench.word()] for address in range(3)}
    program = random_program(source, 3, is_looped=False)
    for address in (0, 1, 2):
        assert await bench.load([address]) == {address: [0, 0]}
    await bench.store(memory)
    bench.program, bench.late = program, 10
    dut.start_i.value = 1
    for _ in range(300):
        await bench.tick()
        dut.start_i.value = 0
        assert dut.done_o.value == 0
    assert bench.drawn == []
    dut.clear_i.value = 1
    await bench.tick()
    dut.clear_i.value = 0
    bench.late = 0
    for _ in range(300):
        await bench.tick()
        assert dut.done_o.value == 0 and dut.random_ready_o.value == 0
    await bench.check(program, memory, list(memory))
