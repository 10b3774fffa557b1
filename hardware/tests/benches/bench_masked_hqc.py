# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The masked core: official records, altered and noisy ciphertexts, pauses of streams and of random
words, cycles, that secrets come out in random shares, packets of a wrong length, abort and wipe."""

import hashlib
import pathlib
from itertools import chain

import cocotb

from hardware.sim import masked_positions as positions
from hardware.sim import masked_schedule as schedule
from hardware.sim.masked_level import LEVELS, costs_of
from hardware.sim.masked_memory import store_of
from hardware.tests.benches.benches import ENDLESS, clock_up, parameters, seeded, tick
from hardware.tests.benches.hqc_models import Record, product, sample_reject, xof
from tools import known_answers

NUMBER, LANES = parameters("LEVEL", "LANES")
LEVEL, STORE = LEVELS[NUMBER], store_of(LEVELS[NUMBER])
KEYGEN, ENCAPS, DECAPS = (schedule.OPERATIONS[name] for name in ("keygen", "encaps", "decaps"))
ERR_OP, ERR_SHORT, ERR_LONG, ERR_ABORT, ERR_UPSET = 1, 2, 3, 6, 7
WIPE_CYCLES = LEVEL.depth + 3
COSTS = {schedule.OPERATIONS[operation]: cost for operation, cost in costs_of(NUMBER).items()}
RANDOM_BITS = (128, 64, 128)  # of the three sources
WHOLE = (1 << 64) - 1
CANDIDATES = 3 * (LEVEL.start + LEVEL.candidates)  # bytes of a stream
KEY_LANES = 2 * LEVEL.groups * (1 + LEVEL.position_bits)  # which are accepted, and y

# The core's memories read these files when the simulation begins.
schedule.write(pathlib.Path(), NUMBER)


class Core:
    """The module, its streams and its source of random words; of ten cycles `late` have no lane,
    take none, or have no random words."""

    def __init__(self, dut, source):
        self.dut, self.source, self.late = dut, source, 0
        self.costs, self.empty = (0, 0), None
        for name in ("start_i", "op_i", "abort_i", "wipe_after_i", "in_valid_i", "in_data_i"):
            getattr(dut, name).value = 0
        for name in ("in_last_i", "out_ready_i", "random_valid_i", "random_i"):
            getattr(dut, name).value = 0

    async def reset(self):
        self.dut.rst_ni.value = 0
        await clock_up(self.dut, clear=False)
        self.dut.rst_ni.value = 1
        await self.until_idle()

    async def until_idle(self):
        for _ in range(2 * WIPE_CYCLES):
            await tick(self.dut)
            if self.dut.busy_o.value == 0:
                return
        raise AssertionError("the core stays busy")

    def is_late(self):
        return self.late > 0 and self.source.randrange(10) < self.late

    def offer(self, lanes):
        """Sets the inputs of a cycle; lanes: [(shares, is_last)] that are left."""
        dut = self.dut
        valid = sum(1 << i for i in range(3) if i != self.empty and not self.is_late())
        dut.random_valid_i.value = valid
        dut.random_i.value = self.source.getrandbits(320)
        comes = bool(lanes) and not self.is_late()
        dut.in_valid_i.value = int(comes)
        if comes:
            dut.in_data_i.value, dut.in_last_i.value = lanes[0][0], int(lanes[0][1])
        taken = not self.is_late()
        dut.out_ready_i.value = int(taken)
        return comes, taken

    async def run(self, op, lanes, late=0, stop=None, empty=None):
        """Returns the lanes that come out, in shares, and the error; stop: cycle of an abort;
        empty: a source of random words that gives none."""
        dut, self.late, self.empty, given = self.dut, late, empty, []
        lanes = list(reversed([(both, i == len(lanes) - 1) for i, both in enumerate(lanes)]))
        dut.start_i.value, dut.op_i.value = 1, op
        await tick(dut)
        dut.start_i.value = 0
        bits = 0
        for cycle in range(ENDLESS):
            if dut.done_o.value == 1:
                self.costs = cycle + 1, bits // 8
                await tick(dut)  # it takes no start meanwhile
                return given, int(dut.error_o.value)
            dut.abort_i.value = int(cycle == stop)
            ready = int(dut.random_ready_o.value)
            bits += sum(width for i, width in enumerate(RANDOM_BITS) if ready >> i & 1)
            comes, taken = self.offer(lanes[-1:])
            if comes and dut.in_ready_o.value == 1:
                lanes.pop()
            if taken and dut.out_valid_o.value == 1:
                given.append((int(dut.out_data_o.value), int(dut.out_last_o.value)))
            await tick(dut)
        raise AssertionError("the core does not end")


def lanes_of(data):
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]


def joined(given):
    """Returns the bytes of lanes in shares."""
    return b"".join((both >> 64 ^ both & WHOLE).to_bytes(8, "little") for both, _ in given)


class Packets:
    """Packets of the core. Share 1 of what is public is random, for nothing looks at it, and so are
    the bytes behind a field."""

    def __init__(self, source):
        self.source = source

    def public(self, data):
        data += self.source.randbytes(-len(data) % 8)
        return [self.source.getrandbits(64) << 64 | lane for lane in lanes_of(data)]

    def shared(self, data):
        masks = [self.source.getrandbits(64) for _ in range(-(-len(data) // 8))]
        return [m << 64 | (lane ^ m) for lane, m in zip(lanes_of(data), masks, strict=True)]

    def encaps(self, ek, message, salt):
        fields = [self.public(one) for one in (salt, ek[:32], ek[32:])]
        return [*self.shared(message), *chain(*fields)]

    def decaps(self, ek, y, sigma, ciphertext):
        accepted = ((1 << LEVEL.weight) - 1).to_bytes(16 * LEVEL.groups, "little")
        drawn = self.shared(positions.words_of(LEVEL, y))
        rest = self.ciphertext_and(ek, ciphertext)
        return [*self.public(accepted), *drawn, *self.shared(sigma), *rest]

    def ciphertext_and(self, ek, ciphertext):
        ring = -(-LEVEL.n // 8)
        u, v, salt = ciphertext[:ring], ciphertext[ring:-16], ciphertext[-16:]
        return list(chain(*(self.public(one) for one in (u, v, salt, ek[:32], ek[32:]))))


def positions_of(seed_dk):
    return drawn_from(xof(seed_dk, CANDIDATES))[0]


def drawn_from(stream):
    """Returns the positions, and of each candidate whether it was accepted."""
    return sample_reject(stream, LEVEL.weight, LEVEL.n)


def keys_of(record):
    return record.ek, record.seed_dk, record.sigma


def cases(record, step):
    """Yields ciphertext, ek, y, sigma and secret of the record and of altered ciphertexts."""
    yield record.u + record.v + record.salt, *keys_of(record), record.shared
    for _, ciphertext, dk, secret, _ in list(known_answers.rejections(f"HQC-{NUMBER}"))[::step]:
        ek, rest = dk[: len(record.ek)], dk[len(record.ek) :]
        yield ciphertext, ek, rest[:32], rest[32:][: len(record.sigma)], secret


async def decapsulates(core, packets, case, late=0):
    ciphertext, ek, seed_dk, sigma, secret = case
    packet = packets.decaps(ek, positions_of(seed_dk), sigma, ciphertext)
    given, error = await core.run(DECAPS, packet, late)
    assert error == 0 and [last for _, last in given] == [0, 0, 0, 1]
    assert joined(given) == secret
    assert late or core.costs == COSTS[DECAPS]
    return given


async def encapsulates(core, packets, record, late=0):
    packet = packets.encaps(record.ek, record.message, record.salt)
    given, error = await core.run(ENCAPS, packet, late)
    assert error == 0 and sum(last for _, last in given) == given[-1][1] == 1
    assert all(both >> 64 == 0 for both, _ in given[4:])  # what is public is in share 0
    whole = record.shared + record.v + record.u + bytes(-len(record.u) % 8)
    assert joined(given) == whole
    assert late or core.costs == COSTS[ENCAPS]


def seeds_of(seed_kem):
    """Returns seed_dk, seed_ek and sigma [HQC, 4]."""
    expanded = xof(seed_kem, 32 + LEVEL.k)
    seeds = hashlib.sha3_512(expanded[:32] + b"\2").digest()
    return seeds[:32], seeds[32:], expanded[32:]


def key_of(given):
    """Returns from KeyGen's packet the positions, those of all candidates, sigma and ek."""
    whole, groups, drawn = joined(given), LEVEL.groups, []
    accepted = int.from_bytes(whole[: 16 * groups], "little")
    planes = int.from_bytes(whole[16 * groups : 8 * KEY_LANES], "little")
    for i in range(LEVEL.candidates):
        lane = positions.lane_of(i % 128) + 128 * (i // 128 * LEVEL.position_bits)
        bits = (planes >> 128 * b + lane & 1 for b in range(LEVEL.position_bits))
        drawn.append(sum(bit << b for b, bit in enumerate(bits)))
    y = [drawn[i] for i in range(LEVEL.candidates) if accepted >> i & 1]
    sigma, ek = whole[8 * KEY_LANES :][: LEVEL.k], whole[8 * KEY_LANES + LEVEL.k :]
    return y, sigma, ek


async def makes_key(core, packets, seed, late=0):
    given, error = await core.run(KEYGEN, packets.shared(seed), late)
    assert error == 0 and sum(last for _, last in given) == given[-1][1] == 1
    public = given[: 2 * LEVEL.groups] + given[KEY_LANES + LEVEL.k // 8 :]
    assert all(both >> 64 == 0 for both, _ in public)
    y, sigma, ek = key_of(given)
    seed_dk, seed_ek, sigma_wanted = seeds_of(seed)
    stream = xof(seed_dk, 2 * CANDIDATES)
    wanted, kept = drawn_from(stream)
    x, _ = drawn_from(stream[3 * len(kept) :])
    assert (y, sigma, ek[:32]) == (wanted, sigma_wanted, seed_ek)
    h = int.from_bytes(xof(ek[:32], -(-LEVEL.n // 8)), "little") & (1 << LEVEL.n) - 1
    s = product(y, h, LEVEL.n) ^ product(x, 1, LEVEL.n)
    assert ek[32:] == s.to_bytes(8 * LEVEL.ring_lanes, "little")
    assert late or core.costs == COSTS[KEYGEN]
    return given, sigma, ek[: 32 + len(Record(NUMBER).s)]


async def started(dut):
    source = seeded(dut)
    core = Core(dut, source)
    await core.reset()
    return core, Packets(source)


def seed_for(source, wanted):
    """Returns a random seed of a key of whose candidates for y and x so many are not accepted."""
    while True:
        seed = source.randbytes(32)
        stream = xof(seeds_of(seed)[0], 2 * CANDIDATES)
        used = []
        for _ in range(2):
            _, kept = drawn_from(stream[3 * sum(used) :])
            used.append(len(kept))
        if [count - LEVEL.weight for count in used] == wanted:
            return seed


@cocotb.test()
async def makes_keys(dut):
    """An official one, and those for which candidates are not accepted, in the same time; with one
    of them it decapsulates."""
    core, packets = await started(dut)
    record = Record(NUMBER)
    _, _, ek = await makes_key(core, packets, record.seed_kem)
    assert ek == record.ek
    for wanted in ([1, 0], [0, 1], [1, 1]):
        given, sigma, ek = await makes_key(core, packets, seed_for(core.source, wanted))
    ciphertext = core.source.randbytes(len(record.u + record.v) + 16)
    h_ek = hashlib.sha3_256(ek + b"\1").digest()
    rejection = hashlib.sha3_256(h_ek + sigma + ciphertext + b"\3").digest()
    own = [both for both, _ in given[: KEY_LANES + LEVEL.k // 8]]
    packet = own + packets.ciphertext_and(ek, ciphertext)
    found, error = await core.run(DECAPS, packet)
    assert (joined(found), error) == (rejection, 0)
    none = [0] * 2 * LEVEL.groups
    assert await core.run(DECAPS, [*none, *packet[len(none) :]]) == ([], ERR_UPSET)


@cocotb.test()
async def agrees_with_official_records(dut):
    """And with altered ciphertexts, whose secret comes of the rejection, in the same time."""
    core, packets = await started(dut)
    await encapsulates(core, packets, Record(NUMBER))
    for case in cases(Record(NUMBER), 9):
        await decapsulates(core, packets, case)


def noisy(source, v, bits, blocks):
    """Returns v with so many bits flipped, and with so many of its symbols' blocks random."""
    size = len(v) // LEVEL.n1
    flipped = sum(1 << i for i in source.sample(range(8 * len(v)), bits))
    for block in source.sample(range(LEVEL.n1), blocks):
        flipped ^= source.getrandbits(8 * size) << 8 * size * block
    return (int.from_bytes(v, "little") ^ flipped).to_bytes(len(v), "little")


def decoded(dut):
    """Returns the message that Decaps has decoded last."""
    message = b""
    for lane in range(LEVEL.k // 8):
        place = STORE["message"] + lane // 2
        one, other = (
            int(dut.u_store.gen_share[share].gen_half[lane % 2].u_words.mem[place].value)
            for share in range(2)
        )
        message += (one ^ other).to_bytes(8, "little")
    return message


@cocotb.test()
async def decodes_up_to_as_many_errors_as_it_can(dut):
    """In v, of bits and of whole symbols; the secret is the rejection's, and takes the same time,
    whether the message is that of the record or another one."""
    core, packets = await started(dut)
    record = Record(NUMBER)
    h_ek = hashlib.sha3_256(record.ek + b"\1").digest()
    most = LEVEL.delta
    for bits, blocks in ((1, 0), (300, 0), (0, most - 1), (100, most // 2), (0, 2 * most)):
        v = noisy(core.source, record.v, bits, blocks)
        ciphertext = record.u + v + record.salt
        rejection = hashlib.sha3_256(h_ek + record.sigma + ciphertext + b"\3").digest()
        await decapsulates(core, packets, (ciphertext, *keys_of(record), rejection))
        assert (decoded(dut) == record.message) == (blocks <= most), (bits, blocks)


@cocotb.test()
async def waits_for_streams_and_random_words(dut):
    core, packets = await started(dut)
    case = next(cases(Record(NUMBER), 9))
    one, other = [await decapsulates(core, packets, case, late) for late in (0, 4)]
    await encapsulates(core, packets, Record(NUMBER), late=4)
    for share in (0, 64):  # 256 bits, of which about half differ
        pairs = zip(one, other, strict=True)
        bits = sum(((a ^ b) >> share & WHOLE).bit_count() for (a, _), (b, _) in pairs)
        assert 80 < bits < 176


@cocotb.test()
async def goes_on_with_no_source_that_is_empty(dut):
    """Each of the three stops the core, whatever it does, until it is aborted."""
    core, packets = await started(dut)
    case = next(cases(Record(NUMBER), 9))
    packet = packets.decaps(case[1], positions_of(case[2]), case[3], case[0])
    for empty in range(3):
        given, error = await core.run(DECAPS, packet, stop=ENDLESS // 4, empty=empty)
        assert (given, error) == ([], ERR_ABORT)
    await decapsulates(core, packets, case)


@cocotb.test()
async def is_aborted_and_wiped(dut):
    core, packets = await started(dut)
    case = next(cases(Record(NUMBER), 9))
    packet = packets.decaps(case[1], positions_of(case[2]), case[3], case[0])
    whole = COSTS[DECAPS][0]
    for stop in (*(core.source.randrange(whole) for _ in range(3)), whole * 6 // 7):
        given, error = await core.run(DECAPS, packet, stop=stop)
        assert (given, error) == ([], ERR_ABORT) and core.costs[0] <= stop + WIPE_CYCLES + 2
    for memory in memories(dut):
        assert all(int(word) == 0 for word in memory.value), memory._path
    await decapsulates(core, packets, case)


def memories(dut):
    """Yields the memories of the store, of the engine, and of the product."""
    for share in range(2):
        for port in range(2):
            yield dut.u_store.gen_share[share].gen_half[port].u_words.mem
            yield dut.u_engine.gen_share[share].gen_port[port].u_words.mem
        yield dut.u_product.gen_sum[share].u_sums.mem
        for lane in range(LANES):
            yield dut.u_product.gen_lane[lane].u_sum.gen_set[share].u_rows.mem
    yield dut.u_product.u_masks.mem
    for lane in range(LANES):
        yield dut.u_product.gen_lane[lane].u_d.u_list.mem
        yield dut.u_product.gen_lane[lane].u_sum.u_list.mem


@cocotb.test()
async def refuses_what_is_wrong(dut):
    core, packets = await started(dut)
    record = Record(NUMBER)
    packet = packets.encaps(record.ek, record.message, record.salt)
    for lanes, expected in ((packet[:-1], ERR_SHORT), ([*packet, 0], ERR_LONG)):
        given, error = await core.run(ENCAPS, lanes)
        assert (given, error) == ([], expected)
    for op in (0, 5):
        assert await core.run(op, []) == ([], ERR_OP)
    await encapsulates(core, packets, record)
