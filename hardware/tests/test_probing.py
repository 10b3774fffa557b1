# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Masked modules (hardware/rtl/masked): all values of their outputs, and that no probe on them
tells a secret, with glitches and transitions, as they are written and as they are built."""

import collections
import dataclasses
import functools
import itertools
import operator
import re
import shutil

import pytest

from hardware.leakage import gates, probing
from hardware.sim import build
from hardware.tests.planted import with_mistake
from tools import mistakes

MODULES = {  # with the parameters that the tables below are for
    "masked_and": {"WIDTH": 1},
    "masked_chi": {"ROWS": 1},
    "masked_multiply": {"WIDTH": 1},
    "masked_zero": {"WIDTH": 4},
}
FACTORS = ("masked_and", "masked_multiply")
# What is made of them, in which test_shares_are_apart looks where shares meet.
SPONGE = ("masked_sponge", "masked_ring", "masked_buffer")
ENGINE = ("masked_engine", "masked_engine_pkg", "masked_alu", "masked_share", "masked_swap")
ENGINE += ("masked_turn",)
# The core: test_masked_core.py; what is in it but a store or a ROM.
CORE = ("masked_hash", "masked_hqc", "masked_hqc_pkg", "masked_move", "masked_product")
CORE += ("masked_lane", "masked_receive", "masked_rom", "masked_send", "masked_shift")
CORE += ("masked_guarded", "masked_store")


def expected(top, index, secrets, every):
    """Returns the table of an output from those of the secrets, {(port, number): table}."""
    if top in FACTORS:
        return secrets["a_i", 0] & secrets["b_i", 0]
    if top == "masked_chi":
        x, y, z = (secrets["x_i", (index + i) % 5] for i in range(3))
        return x ^ secrets["chi_i", 0] & (y ^ every) & z
    return functools.reduce(operator.or_, secrets.values()) ^ every


def netlist(top, kind="written", mistake=None):
    files, folder = build.files_for(top), None
    if mistake:
        folder = gates.HARDWARE / "build" / f"gates-{top}-{mistake.name}"
        shutil.rmtree(folder, ignore_errors=True)
        files = with_mistake(folder, files, mistake)
    return probing.without_control(gates.read(top, files, kind, folder, **MODULES[top]))


def is_right(top, net, is_held=False):
    """Says whether the outputs, their shares added, are what the module computes of the inputs of
    the first cycle, for all values; of sums, those of one product."""
    net = single(net)
    unrolled = probing.Unrolled(net, is_held)
    (wires,) = net.outputs.values()
    cycle, half = probing.depth(net), len(wires) // 2
    for index in range(half):
        shares = [(cycle, wires[index]), (cycle, wires[index + half])]
        variables, tables = unrolled.tables(shares)
        secrets = collections.defaultdict(int)
        for number, (first, wire) in enumerate(variables):
            if first == 0 and wire not in unrolled.random:
                name = (unrolled.secret | unrolled.public)[wire]
                secrets[name] ^= probing.pattern(number, len(variables))
        every = (1 << (1 << len(variables))) - 1
        if tables[0] ^ tables[1] != expected(top, index, secrets, every):
            return False
    return True


def single(net):
    """Returns a netlist that adds no product to another one."""
    is_sum = "accumulate_i" in net.inputs
    return gates.fixed(net, {"accumulate_i": 0}) if is_sum else net


def tried(top):
    """Returns the ways in which inputs are tried, as arguments of probing.check."""
    found = [{"is_held": False}, {"is_held": True}]
    return [*found, {"follows": True}] if top == "masked_multiply" else found


def check(top, kind):
    net = netlist(top, kind)
    assert is_right(top, net) and probing.is_uniform(single(net))
    for how in tried(top):
        probes, found = probing.check(net, **how)
        assert probes > len(net.registers) and found == []


def neighbours_tell(net):
    """Says whether logic behind two neighbours of a row that chi gives, of one share, tells
    something."""
    unrolled, cycle = probing.Unrolled(net, is_held=False), probing.depth(net) + 1
    wires = net.outputs["chi_o"]
    pairs = [(wires[s + i], wires[s + (i + 1) % 5]) for s in (0, 5) for i in range(5)]
    return any(probing.telling(unrolled, probing.seen_with(net, pair, cycle)) for pair in pairs)


def test_chi_is_right_and_tells_nothing():
    check("masked_chi", "written")


@pytest.mark.long
@pytest.mark.parametrize("kind", gates.BUILDS)
def test_what_is_behind_chi_sees_nothing(kind):
    """Two neighbours tell nothing; two others of a row would, so the rule is needed."""
    net = netlist("masked_chi", kind)
    assert not neighbours_tell(net)
    unrolled, (first, _, third, *_) = probing.Unrolled(net, is_held=False), net.outputs["chi_o"]
    assert probing.telling(unrolled, probing.seen_with(net, (first, third), 2))


@pytest.mark.long
@pytest.mark.parametrize("kind", gates.BUILDS)
@pytest.mark.parametrize("top", MODULES)
def test_module_is_right_and_tells_nothing(top, kind):
    check(top, kind)


def test_every_masked_module_is_checked():
    assert {*MODULES, *SPONGE, *ENGINE, *CORE} == {path.stem for path in build.MASKED.glob("*.sv")}


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/masked"))
def test_mistake_is_found(mistake):
    """A masking that is wrong tells a secret though what comes out is right."""
    net = netlist(mistake.by, mistake=mistake)
    told = [found for how in tried(mistake.by) for found in probing.check(net, **how)[1]]
    if mistake.by == "masked_chi":
        told += [one for one in (not probing.is_uniform(net), neighbours_tell(net)) if one]
    if "wrong" in mistake.more:
        assert not is_right(mistake.by, net)
    else:
        assert is_right(mistake.by, net, is_held=True) and told


# --- The sponge: where its shares meet -----------------------------------------------------------

ROWS = 64  # of a plane


@dataclasses.dataclass(frozen=True)
class Bit:
    """A bit of a share, in an input or a register."""

    share: int
    where: str  # lane, buffer, planes or chi
    index: int  # in the planes and their registers: 320 plane + 64 i + row


def bit_of(name):
    """Returns the Bit that a wire of masked_sponge is, or None: of control, random or public."""
    found = re.fullmatch(r"(?:gen_share\[(\d)\]\.)?(?:u_\w+\.)?(\w+)\[(\d+)\]", name)
    sizes = {"in_lane_i": ("lane", 64), "cross_q": ("chi", 320), "inner_q": ("chi", 320)}
    sizes |= {"planes_q": ("planes", 1600), "plane_q": ("buffer", 320)}
    if not found or found[2] not in sizes:
        return None
    where, size = sizes[found[2]]
    share, index = divmod(int(found[3]), size)
    return Bit(int(found[1]) if found[1] else share, where, index)


def faults(net):
    """Returns what is wrong with where bits of shares meet before registers and at outputs: the
    rules in masked_sponge.sv and masked_chi.sv. A register that waits has no use for its own
    value."""
    behind, found = net.sources(), []
    bits = {wire: bit_of(str(name)) for wire, name in net.names.items()}
    ends = [(wire, wire) for port in net.outputs.values() for wire in port]
    ends += net.registers.items()
    for q, end in ends:
        seen = [bits[wire] for wire in behind[end] if wire != q and bits.get(wire)]
        to, name = bits.get(q), net.names.get(q, q)
        chi = {(one.index % ROWS, one.index // ROWS) for one in seen if one.where == "chi"}
        first = [one for one in seen if one.where == "planes" and one.index < 5 * ROWS]
        if to and to.where == "chi":
            if chi or len(first) != sum(one.where == "planes" for one in seen):
                found.append(f"chi takes more than the first plane: {name}")
        elif len({one.share for one in seen}) > 1:
            found.append(f"both shares: {name}")
        elif first or any(
            (b - a) % 5 not in (0, 1, 4) for (r, a), (s, b) in itertools.product(chi, chi) if r == s
        ):
            found.append(f"a row before or behind chi: {name}")
    return found


def whole(top, kind, mistake=None, **parameters):
    files, folder = build.files_for(top), None
    if mistake:
        folder = gates.HARDWARE / "build" / f"gates-{top}-{mistake.name}"
        shutil.rmtree(folder, ignore_errors=True)
        files = with_mistake(folder, files, mistake)
    return gates.read(top, files, kind, folder, **parameters)


@pytest.mark.long
@pytest.mark.parametrize("kind", gates.BUILDS)
def test_shares_are_apart(kind):
    net = whole("masked_sponge", kind)
    known = [bit_of(str(net.names[wire])) for wire in net.registers]
    kinds = collections.Counter((one.share, one.where) for one in known if one)
    each = {"planes": 1600, "buffer": 320, "chi": 640}
    assert kinds == {(s, where): count for s in (0, 1) for where, count in each.items()}
    assert faults(net) == []


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/domains"))
def test_shares_that_meet_are_found(mistake):
    is_sponge = mistake.by in SPONGE
    where = (faults, "masked_sponge") if is_sponge else (engine_faults, "masked_alu")
    find, top = where
    assert find(whole(top, "written", mistake, **({} if is_sponge else {"WORD": LANES})))


# --- The engine ----------------------------------------------------------------------------------

LANES = 8  # of a word, which are as good as 128
# Registers of masked_multiply: how many shares follow each other, parities before shares.
MULTIPLY = {"a_q": 2, "b_q": 2, "cross_q": 2, "inner_q": 1}
INPUTS = ("a_i", "b_i")


def place_of(name):
    """Returns (register, parity, share) of a wire of masked_alu, or None: of control, random or
    public."""
    found = re.fullmatch(r"(?:gen_share\[(\d)\]\.u_share|u_multiply)\.(\w+_q)\[(\d+)\]", name)
    if not found:
        port = re.fullmatch(r"(\w+)\[(\d+)\]", name)
        is_share = port and port[1] in INPUTS
        return (port[1], 0, int(port[2]) // LANES) if is_share else None
    if found[1]:
        return found[2], 0, int(found[1])
    if found[2] not in MULTIPLY:
        return None
    number = int(found[3]) // LANES
    return found[2], number // 2, number % 2


def engine_faults(net):
    """Returns where shares meet in masked_alu but in products, which see one share of a factor and
    the other one of the other, of one parity, and get a random bit."""
    behind, found = net.sources(), []
    places = {wire: place_of(str(name)) for wire, name in net.names.items()}
    ends = [(wire, wire) for port in net.outputs.values() for wire in port]
    ends += net.registers.items()
    for q, end in ends:
        to, name = places.get(q), str(net.names.get(q, q))
        seen = {places[wire] for wire in behind[end] if wire != q and places.get(wire)}
        if to and to[0] == "cross_q":
            _, parity, share = to
            if seen != {("a_q", parity, share), ("b_q", parity, 1 - share)}:
                found.append(f"not the factors of a product: {name}")
            if not any("random_q" in str(net.names.get(wire)) for wire in behind[end]):
                found.append(f"no random bit: {name}")
        elif len({share for _, _, share in seen}) > 1:
            found.append(f"both shares: {name}")
    return found


@pytest.mark.long
@pytest.mark.parametrize("kind", gates.BUILDS)
def test_shares_of_the_engine_are_apart(kind):
    net = whole("masked_alu", kind, WORD=LANES)
    known = [place_of(str(net.names[wire])) for wire in net.registers]
    kinds = collections.Counter((one[0], one[2]) for one in known if one)
    lanes = {"a_q": 2, "b_q": 2, "cross_q": 2, "inner_q": 1, "linear_q": 2, "kept_q": 2}
    each = {**lanes, "other_q": 1}
    assert kinds == {(name, s): count * LANES for s in (0, 1) for name, count in each.items()}
    assert engine_faults(net) == []


def two_inputs(**cell):
    """Returns a netlist with a cell."""
    ports = {
        name: {"direction": "input", "bits": [number]}
        for number, name in enumerate(("clk_i", "random_i", "x_i"), 2)
    }
    return {"ports": ports, "netnames": {}, "cells": {"one": cell}}


@pytest.mark.parametrize(
    ("kind", "pins", "says"),
    [
        ("FDRE", {"C": 3, "CE": "1", "R": "0", "D": 4, "Q": 5}, "another clock"),
        ("FDCE", {"C": 2, "CE": 3, "CLR": "0", "D": 4, "Q": 5}, "FDCE"),
        ("RAM32M", {"A": 3}, "RAM32M"),
    ],
)
def test_other_cells_are_refused(kind, pins, says):
    connections = {pin: [wire] for pin, wire in pins.items()}
    with pytest.raises(gates.GateError, match=says):
        gates.gates_of(two_inputs(type=kind, connections=connections, parameters={}))


def test_inputs_of_one_value():
    """A register that is enabled takes its input, one that is cleared zero; else what it has."""
    pins = {"C": 2, "CE": 3, "R": "0", "D": 4, "Q": 5}
    connections = {pin: [wire] for pin, wire in pins.items()}
    net = gates.gates_of(two_inputs(type="FDRE", connections=connections, parameters={}))
    (taken,) = net.registers.values()
    assert net.gates == {taken: (gates.TAKES[0], [0, 3, 4, 5])}
    assert gates.fixed(net, {"random_i": 1}).gates == {taken: (0b10, [4])}
    assert gates.fixed(net, {"random_i": 0}).gates == {taken: (0b10, [5])}


def test_tables_of_gates():
    """A MUX takes B where S is 1; a look-up table has its first input at bit 0."""
    assert gates.table_of("$_MUX_") == 0b11001010 and gates.table_of("$_ANDNOT_") == 0b0010
    a, b = probing.pattern(0, 2), probing.pattern(1, 2)
    assert (a, b) == (0b1010, 0b1100)
    assert probing.chosen(0b0010, [a, b], 15) == a & (b ^ 15)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["no_module"], "has no no_module"), (["masked_and", "WIDTH=x"], "NAME=VALUE")],
)
def test_usage(capsys, arguments, says):
    with pytest.raises(SystemExit) as stopped:
        probing.main(arguments)
    assert stopped.value.code == 2 and says in capsys.readouterr().err
