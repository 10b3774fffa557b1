# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lists of steps of the operations: units, operands, what each step waits for; builds."""

import cocotb

from hardware.tests.benches.benches import clock_up, fields_of, parameters, seeded, tick

BUILD, OVERLAP = parameters("BUILD", "OVERLAP")
RECV, SEND, HASH, SAMPLE, POS, ROWS, GATHER, INVERT, COMPARE = (1 << i for i in range(9))
READERS = SEND | HASH | SAMPLE | ROWS | GATHER | INVERT | COMPARE  # of polynomials
POLY, STR, LIST, SKIP = range(4)
M, C1, SS, SIGMA = range(4)
A0, A1, C, G0, G1 = range(5)
HASH_L, HASH_K, HASH_SEED = range(3)
CHECKED = 4  # beside HASH_K
ERR_A, ERR_G, KEY0, KEY1, ERASE_A, ERASE_G = range(6)
FINISH = 1  # of the inverter
KEYGEN, ENCAPS, DECAPS = 1, 2, 3
BY_KEY, BY_ERROR, SYNDROME, UPDATE, FIRST, BLACK, GRAY, OTHER = range(8)  # of the gather unit
END = (0, 511, 0, 0, 0)

# unit, units that it waits for beside itself, operand, second operand, last field of a packet
PROGRAMS = {
    KEYGEN: [
        (RECV, 0, STR, M, 0),
        (SAMPLE, 0, ERASE_A, 0, 0),
        (HASH, RECV, HASH_SEED, M, 0),
        (RECV, 0, STR, SIGMA, 1),
        (SAMPLE, HASH, KEY0, 0, 0),
        (INVERT, SAMPLE, 0, 0, 0),
        (SAMPLE, 0, KEY1, 0, 0),
        (POS, SAMPLE, 5, 0, 0),
        (SEND, RECV | POS, LIST, 0, 0),
        (SEND, 0, LIST, 1, 0),
        (SEND, 0, POLY, A0, 0),
        (SEND, 0, POLY, A1, 0),
        (INVERT, 0, FINISH, 0, 0),
        (ROWS, INVERT | SEND, 0, 0, 0),
        (GATHER, ROWS, BY_KEY, 0, 0),
        (SEND, GATHER, POLY, C, 0),
        (SEND, 0, STR, SIGMA, 1),
    ],
    ENCAPS: [
        (RECV, 0, POLY, C, 0),
        (RECV, 0, STR, M, 0),
        (ROWS, 0, 0, 0, 0),
        (SAMPLE, 0, ERASE_A, 0, 0),
        (HASH, RECV, HASH_SEED, M, 0),
        (RECV, 0, SKIP, 0, 1),
        (SAMPLE, HASH, ERR_A, 0, 0),
        (HASH, SAMPLE, HASH_L, C1, 0),
        (POS, 0, 6, 0, 0),
        (GATHER, ROWS | POS, BY_ERROR, 0, 0),
        (SEND, GATHER | RECV, POLY, C, 0),
        (HASH, 0, HASH_K, SS, 0),
        (SEND, 0, STR, C1, 0),
        (SEND, HASH, STR, SS, 1),
    ],
    DECAPS: [
        (RECV, 0, POLY, C, 0),
        (RECV, 0, STR, C1, 0),
        (ROWS, 0, 0, 0, 0),
        (RECV, 0, LIST, 0, 0),
        (RECV, 0, LIST, 1, 0),
        (POS, 0, 4, 0, 0),
        (RECV, 0, SKIP, 1, 0),
        (GATHER, ROWS | POS, SYNDROME, 0, 0),
        (POS, 0, 0, 0, 0),
        (POS, 0, 1, 0, 0),
        (GATHER, POS, FIRST, 0, 0),
        (POS, 0, 2, 0, 0),
        (POS, 0, 3, 0, 0),
        (GATHER, POS, UPDATE, 0, 0),
        *[
            (GATHER, 0, mode, 0, 0)
            for iteration in (BLACK, GRAY, OTHER, OTHER, OTHER)
            for mode in (iteration, UPDATE)
        ],
        (SAMPLE, 0, ERASE_G, 0, 0),
        (GATHER, 0, OTHER, 0, 0),
        (RECV, 0, STR, SIGMA, 1),
        (HASH, GATHER | RECV, HASH_L, M, 0),
        (HASH, 0, HASH_SEED, M, 0),
        (SAMPLE, HASH, ERR_G, 0, 0),
        (COMPARE, SAMPLE, 0, 0, 0),
        (HASH, COMPARE, HASH_K | CHECKED, SS, 0),
        (SEND, HASH, STR, SS, 1),
    ],
}
KNOWN = {0: {KEYGEN, ENCAPS, DECAPS}, 1: {KEYGEN, DECAPS}, 2: {ENCAPS}}[BUILD]


def step_of(dut):
    """Returns the fields of the step."""
    return fields_of(int(dut.step_o.value), (9, 9, 3, 3, 1))


def reads(step):
    """Says whether a step reads polynomials, or strings to send."""
    target, _, operand, *_ = step
    without = {
        SEND: (LIST,),
        HASH: (HASH_SEED,),
        SAMPLE: (ERASE_A, ERASE_G),
        INVERT: (FINISH,),
    }
    return bool(target & READERS) and operand not in without.get(target, ())


def with_shared_port(step):
    """Returns the step with its waiting for those that share its read port."""
    target, needs, *operands = step
    return (target, needs | (READERS if reads(step) and not OVERLAP else 0), *operands)


async def start(dut, operation):
    dut.op_i.value, dut.start_i.value = operation, 1
    await tick(dut)
    dut.start_i.value, dut.op_i.value = 0, 0


async def check_steps(dut, programs, expected_of):
    """Compares the steps that the module gives with the lists."""
    dut.start_i.value = dut.op_i.value = dut.next_i.value = dut.at_i.value = 0
    await clock_up(dut)
    for operation in [*KNOWN, *KNOWN]:
        steps = programs[operation]
        await start(dut, operation)
        for at in range(64):
            expected = expected_of(steps[at]) if at < len(steps) else END
            assert step_of(dut) == expected, at
            assert dut.upset_o.value == 0
            dut.at_i.value = (at + 1) % 64
            await tick(dut)
            assert step_of(dut) == expected, at  # it stays until the next one is asked for
            dut.next_i.value = 1
            await tick(dut)
            dut.next_i.value = 0
        dut.clear_i.value = 1
        await tick(dut)
        dut.clear_i.value = dut.at_i.value = 0
        await tick(dut)
        assert step_of(dut) == END


async def check_operations(dut):
    """Finds which operations the module says that it knows, and that the others have no steps."""
    dut.start_i.value = dut.op_i.value = dut.next_i.value = dut.at_i.value = 0
    await clock_up(dut)
    for operation in range(8):
        dut.op_i.value = operation
        await tick(dut)
        assert bool(dut.known_o.value) == (operation in KNOWN)
        if operation not in KNOWN:
            await start(dut, operation)
            assert step_of(dut) == END


@cocotb.test()
async def lists_the_steps(dut):
    await check_steps(dut, PROGRAMS, with_shared_port)


@cocotb.test()
async def knows_its_operations(dut):
    await check_operations(dut)


async def check_upsets(dut):
    """A bit that flips is told, in the step of each operation."""
    source = seeded(dut)
    dut.start_i.value = dut.op_i.value = dut.next_i.value = dut.at_i.value = 0
    await clock_up(dut)
    for operation in KNOWN:
        await start(dut, operation)
        for at in range(1, 30):
            dut.at_i.value, dut.next_i.value = at, 1
            await tick(dut)
            dut.next_i.value = 0
            assert dut.upset_o.value == 0
            register = source.choice((dut.op_q, dut.step_q, dut.guard_q))
            before, bits = int(register.value), [*range(len(register))]
            if register is dut.step_q:  # unit and operands; the units that it needs lie between
                bits = [bit for bit in bits if not 7 <= bit < 16]
            register.value = before ^ 1 << source.choice(bits)
            await tick(dut)
            assert dut.upset_o.value == 1
            register.value = before
            await tick(dut)


@cocotb.test()
async def tells_an_upset(dut):
    await check_upsets(dut)


# --- Shared ports ---------------------------------------------------------------------------------
# What a step writes, and what it reads through a port that units share (bike_units). Polynomials
# have a read port for each unit where the streams overlap (OVERLAP), and one for all otherwise.
def ports_of(step):
    """Returns the names of the shared ports that a step uses."""
    unit, _, operand, *_ = step
    used = {
        RECV: {POLY: {"poly write"}, STR: {"str write"}, LIST: {"list write"}}.get(operand, set()),
        SEND: {LIST: {"list read"}}.get(operand, set()),
        HASH: set() if operand == HASH_SEED else {"str write"},
        SAMPLE: {"poly write"} if operand in (ERASE_A, ERASE_G) else {"poly write", "list write"},
        POS: {"list read"},
        ROWS: set(),
        GATHER: set() if operand in (SYNDROME, UPDATE) else {"poly write"},
        INVERT: {"poly write"} if operand == FINISH else set(),
        COMPARE: set(),
    }[unit]
    return used | ({"poly read"} if reads(step) and not OVERLAP else set())


# With overlapping streams the gray positions are made zero beside the last update of the syndrome,
# and the pass of the counters that follows it waits for the update alone, which takes longer
# (test_latencies.py).
BY_LATENCY = {((SAMPLE, 0, ERASE_G, 0, 0), (GATHER, 0, OTHER, 0, 0))} if OVERLAP else set()


def overlapping(steps):
    """Yields the pairs of steps that may be at work at the same time.

    The sequencer begins steps in order, each when its unit and those that it needs have ended. So
    an earlier step is over when the unit of it is awaited by the later one, or by one between.
    """
    for later in range(len(steps)):
        awaited = 0
        for earlier in range(later - 1, -1, -1):
            awaited |= steps[earlier + 1][0] | steps[earlier + 1][1]
            if not steps[earlier][0] & awaited:
                yield steps[earlier], steps[later]


def collisions(steps):
    """Returns the pairs of overlapping steps that use one port."""
    return [(a, b) for a, b in overlapping(steps) if ports_of(a) & ports_of(b)]


async def steps_of(dut, operation, count):
    """Returns the steps that the module gives."""
    await start(dut, operation)
    steps = []
    for at in range(count):
        steps.append(step_of(dut))
        dut.at_i.value, dut.next_i.value = at + 1, 1
        await tick(dut)
        dut.next_i.value = 0
    dut.clear_i.value = 1
    await tick(dut)
    dut.clear_i.value = dut.at_i.value = 0
    await tick(dut)
    return steps


@cocotb.test()
async def no_two_units_use_one_port_at_a_time(dut):
    """For all times that the units may take, because only the order of the steps counts."""
    dut.start_i.value = dut.op_i.value = dut.next_i.value = dut.at_i.value = 0
    await clock_up(dut)
    for operation in sorted(KNOWN):
        steps = await steps_of(dut, operation, len(PROGRAMS[operation]))
        assert [step[0] for step in steps] == [step[0] for step in PROGRAMS[operation]]
        assert len(list(overlapping(steps))) > 2  # there is something to be careful about
        assert set(collisions(steps)) <= BY_LATENCY
        careless = [(unit, 0, *operands) for unit, _, *operands in steps]
        assert collisions(careless)  # without waiting, the argument would not hold
