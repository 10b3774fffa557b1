# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lists of steps of HQC's operations: units, operands, what each step waits for; builds."""

import cocotb

from hardware.tests.benches import bench_program
from hardware.tests.benches.benches import parameters

BUILD, OVERLAP = parameters("BUILD", "OVERLAP")
RECV, SEND, HASH, SAMPLE, EXPAND, ROWS, PRODUCT, ENCODE, DECODE = (1 << i for i in range(9))
POLY, STR, WHOLE = 0, 1, 5
SEED_EK, SEED_DK, SIGMA, M, SALT, H_EK, K, THETA = range(8)
A, B, S, U, V = range(5)
SEEDS, KEYS, H, G, J, XOF = range(6)  # of the hash unit
REJECT, FIXED, ERASE, LANES = 0, 1, 2, 4  # of the sampler
G_S, G_U, G_V, G_DECODE, G_CHECK_U, G_CHECK_V = range(6)
KEYGEN, ENCAPS, DECAPS = 1, 2, 3
READERS = SEND | HASH | SAMPLE | ROWS | PRODUCT  # of slots
STREAMS = SEND | HASH if OVERLAP else READERS
WORK = SAMPLE | ROWS | PRODUCT if OVERLAP else READERS
FOLLOWS = 0 if OVERLAP else PRODUCT  # a slot that is sent waits for the product

DRAWS_Y = (SAMPLE, HASH, LANES | REJECT, B, 0)
TAKES_U = (RECV, 0, POLY, U, 0)

# unit, units that it waits for beside itself and those that share its port, operands, last field
PROGRAMS = {
    KEYGEN: [
        (RECV, 0, WHOLE, M, 1),
        (SAMPLE, 0, ERASE, B, 0),
        (HASH, RECV, SEEDS, 0, 0),
        (HASH, 0, KEYS, 0, 0),
        (SAMPLE, 0, ERASE, A, 0),
        (HASH, 0, XOF, SEED_DK, 0),
        (SAMPLE, HASH, LANES | REJECT, B, 0),
        (SAMPLE, 0, REJECT, A, 0),
        (HASH, SAMPLE, XOF, SEED_EK, 0),
        (EXPAND, HASH, 0, 0, 0),
        (SEND, 0, STR, SEED_EK, 0),
        (PRODUCT, EXPAND | SAMPLE, G_S, 0, 0),
        (SEND, FOLLOWS, POLY, A, 0),
        (SEND, 0, STR, SEED_DK, 0),
        (SEND, 0, STR, SIGMA, 0),
        (SEND, 0, WHOLE, M, 1),
    ],
    ENCAPS: [
        (RECV, 0, STR, SEED_EK, 0),
        (HASH, RECV, XOF, SEED_EK, 0),
        (RECV, 0, POLY, S, 0),
        (EXPAND, HASH, 0, 0, 0),
        (RECV, 0, STR, M, 0),
        (RECV, 0, STR, SALT, 1),
        (HASH, RECV | EXPAND, H, 0, 0),
        (SAMPLE, 0, ERASE, U, 0),
        (SAMPLE, 0, ERASE, A, 0),
        (SAMPLE, 0, ERASE, B, 0),
        (HASH, 0, G, 0, 0),
        (HASH, 0, XOF, THETA, 0),
        (ENCODE, 0, 0, 0, 0),
        (SAMPLE, HASH, LANES | FIXED, U, 0),
        (SAMPLE, 0, FIXED, B, 0),
        (SAMPLE, 0, FIXED, A, 0),
        (PRODUCT, SAMPLE, G_U, 0, 0),
        (SEND, FOLLOWS, POLY, A, 0),
        (ROWS, PRODUCT, 0, S, 0),
        (PRODUCT, ROWS | ENCODE, G_V, 0, 0),
        (SEND, FOLLOWS, POLY, B, 0),
        (SEND, 0, STR, SALT, 0),
        (SEND, 0, STR, K, 1),
    ],
    DECAPS: [
        (RECV, 0, STR, SEED_DK, 0),
        (SAMPLE, 0, ERASE, B, 0),
        (HASH, RECV, XOF, SEED_DK, 0),
        *((TAKES_U, DRAWS_Y) if OVERLAP else (DRAWS_Y, TAKES_U)),
        (ROWS, RECV, 0, U, 0),
        (RECV, 0, POLY, V, 0),
        (DECODE, 0, 0, 0, 0),
        (PRODUCT, RECV | ROWS, G_DECODE, 0, 0),
        (RECV, 0, STR, SALT, 0),
        (RECV, 0, STR, SEED_EK, 0),
        (RECV, 0, POLY, S, 0),
        (RECV, 0, STR, SIGMA, 1),
        (HASH, RECV, H, 0, 0),
        (HASH, 0, XOF, SEED_EK, 0),
        (EXPAND, HASH | PRODUCT, 0, 0, 0),
        (SAMPLE, 0, ERASE, A, 0),
        (SAMPLE, 0, ERASE, B, 0),
        (HASH, DECODE | EXPAND, G, 0, 0),
        (HASH, 0, XOF, THETA, 0),
        (ENCODE, 0, 0, 0, 0),
        (SAMPLE, HASH, LANES | FIXED, A, 0),
        (SAMPLE, 0, FIXED, B, 0),
        (SAMPLE, 0, ERASE, A, 0),
        (SAMPLE, 0, FIXED, A, 0),
        (HASH, SAMPLE, J, 0, 0),
        (PRODUCT, SAMPLE, G_CHECK_U, 0, 0),
        (ROWS, PRODUCT, 0, S, 0),
        (PRODUCT, ROWS | ENCODE, G_CHECK_V, 0, 0),
        (SEND, PRODUCT | HASH, WHOLE, K, 1),
    ],
}


def shares(step):
    """Returns the units that share a port with a step."""
    target, _, operand, *_ = step
    strings = SEND | ENCODE | (0 if OVERLAP else HASH)
    if target == SEND:
        return STREAMS if operand == POLY else strings
    if target == HASH:
        return (STREAMS if operand in (H, J) else 0) | (0 if OVERLAP else SEND | ENCODE)
    if target == SAMPLE and operand == ERASE:
        return WORK if OVERLAP else RECV
    if target == RECV:
        return SAMPLE if operand == POLY and not OVERLAP else 0
    return {SAMPLE: WORK, ROWS: WORK, PRODUCT: WORK, ENCODE: strings}.get(target, 0)


def with_shared_port(step):
    target, needs, *operands = step
    return (target, needs | shares(step), *operands)


@cocotb.test()
async def lists_the_steps(dut):
    await bench_program.check_steps(dut, PROGRAMS, with_shared_port)


@cocotb.test()
async def knows_its_operations(dut):
    await bench_program.check_operations(dut)


@cocotb.test()
async def tells_an_upset(dut):
    await bench_program.check_upsets(dut)
