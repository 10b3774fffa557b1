# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Masked modules (hardware/rtl/masked): all values of their outputs, and that no probe on them
tells a secret, with glitches and transitions, as they are written and as they are built."""

import collections
import functools
import operator
import shutil

import pytest

from hardware.leakage import gates, probing
from hardware.sim import build
from hardware.tests.planted import with_mistake
from tools import mistakes

MODULES = {  # with the parameters that the tables below are for
    "masked_and": {"WIDTH": 1},
    "masked_chi": {"ROWS": 1},
    "masked_zero": {"WIDTH": 4},
}


def expected(top, index, secrets, every):
    """Returns the table of an output from those of the secrets, {(port, number): table}."""
    if top == "masked_and":
        return secrets["a_i", 0] & secrets["b_i", 0]
    if top == "masked_chi":
        x, y, z = (secrets["x_i", (index + i) % 5] for i in range(3))
        return x ^ (y ^ every) & z
    return functools.reduce(operator.or_, secrets.values()) ^ every


def netlist(top, kind="written", mistake=None):
    files, folder = build.files_for(top), None
    if mistake:
        folder = gates.HARDWARE / "build" / f"gates-{top}-{mistake.name}"
        shutil.rmtree(folder, ignore_errors=True)
        files = with_mistake(folder, files, mistake)
    return gates.read(top, files, kind, folder, **MODULES[top])


def is_right(top, net, is_held=False):
    """Says whether the outputs, their shares added, are what the module computes of the inputs of
    the first cycle, for all values."""
    unrolled = probing.Unrolled(net, is_held)
    (wires,) = net.outputs.values()
    cycle, half = probing.depth(net), len(wires) // 2
    for index in range(half):
        shares = [(cycle, wires[index]), (cycle, wires[index + half])]
        variables, tables = unrolled.tables(shares)
        secrets = collections.defaultdict(int)
        for number, (first, wire) in enumerate(variables):
            if first == 0 and wire in unrolled.secret:
                name = unrolled.secret[wire]
                secrets[name] ^= probing.pattern(number, len(variables))
        every = (1 << (1 << len(variables))) - 1
        if tables[0] ^ tables[1] != expected(top, index, secrets, every):
            return False
    return True


def check(top, kind):
    net = netlist(top, kind)
    assert is_right(top, net)
    for is_held in (False, True):
        probes, found = probing.check(net, is_held)
        assert probes > len(net.registers) and found == []


def test_chi_is_right_and_tells_nothing():
    check("masked_chi", "written")


@pytest.mark.long
@pytest.mark.parametrize("kind", gates.BUILDS)
@pytest.mark.parametrize("top", MODULES)
def test_module_is_right_and_tells_nothing(top, kind):
    check(top, kind)


def test_every_masked_module_is_checked():
    assert set(MODULES) == {path.stem for path in build.MASKED.glob("*.sv")}


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/masked"))
def test_mistake_is_found(mistake):
    """A masking that is wrong tells a secret though what comes out is right."""
    net = netlist(mistake.by, mistake=mistake)
    told = [found for held in (False, True) for found in probing.check(net, held)[1]]
    if "wrong" in mistake.more:
        assert not is_right(mistake.by, net)
    else:
        assert is_right(mistake.by, net, is_held=True) and told


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
        ("$_DFF_P_", {"C": 3, "D": 4, "Q": 5}, "another clock"),
        ("FDRE", {"C": 2, "CE": 3, "R": "0", "D": 4, "Q": 5}, "FDRE"),
        ("RAM32M", {"A": 3}, "RAM32M"),
    ],
)
def test_other_cells_are_refused(kind, pins, says):
    connections = {pin: [wire] for pin, wire in pins.items()}
    with pytest.raises(gates.GateError, match=says):
        gates.gates_of(two_inputs(type=kind, connections=connections, parameters={}))


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
