# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sequencer: the steps of each operation in order, one unit at a time; builds; clearing;
cycles."""

import cocotb
from benches import clock_up, parameters, seeded, tick

(BUILD,) = parameters("BUILD")
RECV, SEND, HASH, SAMPLE, POS, ROWS, GATHER, INVERT, COMPARE, END = range(10)
POLY, STR, LIST, SKIP = range(4)
M, SIGMA, C1, SS = range(4)
A0, A1, C, G0, G1 = range(5)
HASH_L, HASH_K, HASH_SEED = range(3)
KEYGEN, ENCAPS, DECAPS = 1, 2, 3
ITERATIONS = range(4, 8)  # of the gather unit: first, black, gray, others

# unit, operand, second operand, last field of a packet: as docs/hardware.md describes the
# operations
PROGRAMS = {
    KEYGEN: [
        (RECV, STR, M, 0),
        (RECV, STR, SIGMA, 1),
        (HASH, HASH_SEED, M, 0),
        (SAMPLE, 2, 0, 0),
        (SAMPLE, 3, 0, 0),
        (INVERT, 0, 0, 0),
        (ROWS, 0, 0, 0),
        (POS, 5, 0, 0),
        (GATHER, 0, 0, 0),
        (SEND, LIST, 0, 0),
        (SEND, LIST, 1, 0),
        (SEND, POLY, A0, 0),
        (SEND, POLY, A1, 0),
        (SEND, POLY, C, 0),
        (SEND, STR, SIGMA, 1),
    ],
    ENCAPS: [
        (RECV, POLY, C, 0),
        (RECV, STR, M, 0),
        (RECV, SKIP, 0, 1),
        (HASH, HASH_SEED, M, 0),
        (SAMPLE, 0, 0, 0),
        (ROWS, 0, 0, 0),
        (POS, 6, 0, 0),
        (GATHER, 1, 0, 0),
        (HASH, HASH_L, C1, 0),
        (HASH, HASH_K, SS, 0),
        (SEND, POLY, C, 0),
        (SEND, STR, C1, 0),
        (SEND, STR, SS, 1),
    ],
    DECAPS: [
        (RECV, POLY, C, 0),
        (RECV, STR, C1, 0),
        (RECV, LIST, 0, 0),
        (RECV, LIST, 1, 0),
        *[(RECV, SKIP, 1, 0)] * 3,
        (RECV, STR, SIGMA, 1),
        (ROWS, 0, 0, 0),
        (POS, 4, 0, 0),
        (GATHER, 2, 0, 0),
        *[(POS, chosen, 0, 0) for chosen in range(4)],
        *[
            step
            for mode in (*ITERATIONS, *[ITERATIONS[-1]] * 3)
            for step in ((GATHER, mode, 0, 0), (GATHER, 3, 0, 0))
        ][:-1],
        (HASH, HASH_L, M, 0),
        (HASH, HASH_SEED, M, 0),
        (SAMPLE, 1, 0, 0),
        (COMPARE, 0, 0, 0),
        (HASH, HASH_K, SS, 0),
        (SEND, STR, SS, 1),
    ],
}
KNOWN = {0: {KEYGEN, ENCAPS, DECAPS}, 1: {KEYGEN, DECAPS}, 2: {ENCAPS}}[BUILD]


def step_of(dut):
    """Returns the instruction's fields."""
    word = int(dut.instr_o.value)
    return word >> 7, word >> 4 & 7, word >> 1 & 7, word & 1


async def start(dut, operation):
    dut.op_i.value, dut.start_i.value = operation, 1
    await tick(dut)
    dut.start_i.value, dut.op_i.value = 0, 0


async def follow(dut, source, operation, steps=None):
    """Runs an operation with units that take a random time; stops after some steps if asked."""
    await start(dut, operation)
    for expected in PROGRAMS[operation][:steps]:
        assert int(dut.start_o.value) == 1 << expected[0]  # for one cycle
        assert step_of(dut) == expected
        assert dut.end_o.value == 0
        for _ in range(source.randrange(4)):
            await tick(dut)
            assert int(dut.start_o.value) == 0
            assert step_of(dut) == expected  # the operands stay
        await tick(dut)
        dut.done_i.value = 1
        assert int(dut.start_o.value) == 0
        await tick(dut)
        dut.done_i.value = 0
    if steps is None:
        assert dut.end_o.value == 1
        assert int(dut.start_o.value) & ((1 << END) - 1) == 0
        await tick(dut)
        await assert_quiet(dut)


async def assert_quiet(dut):
    for done in (0, 1, 0):  # nobody listens to units now
        dut.done_i.value = done
        await tick(dut)
        assert (int(dut.start_o.value), int(dut.end_o.value)) == (0, 0)


@cocotb.test()
async def follows_the_programs(dut):
    source = seeded(dut)
    dut.start_i.value = dut.op_i.value = dut.done_i.value = 0
    await clock_up(dut)
    await assert_quiet(dut)
    for operation in sorted(KNOWN) * 3:
        await follow(dut, source, operation)
        await follow(dut, source, operation, source.randrange(1, len(PROGRAMS[operation])))
        dut.clear_i.value = 1  # in the middle
        await tick(dut)
        dut.clear_i.value = 0
        await assert_quiet(dut)


@cocotb.test()
async def knows_its_operations(dut):
    dut.start_i.value = dut.op_i.value = dut.done_i.value = 0
    await clock_up(dut)
    for operation in range(8):
        dut.op_i.value = operation
        await tick(dut)
        assert bool(dut.known_o.value) == (operation in KNOWN)
        if operation not in KNOWN:
            await start(dut, operation)
            await assert_quiet(dut)
