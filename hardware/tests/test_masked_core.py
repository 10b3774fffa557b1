# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The masked core around its units: where shares meet in what moves words, which is where a value
is opened and nowhere else, and that toggles of the whole core's registers tell a fault's secret."""

import json
import re
import shutil

import pytest

from hardware.leakage import core_wires, gates, masked_core, measure
from hardware.sim import build
from hardware.sim.masked_level import LEVELS
from hardware.tests.planted import with_mistake
from tests.c_library import shared_library
from tests.library import Library
from tools import made, mistakes

# Inputs and registers with shares, and how many bits of each one there are.
SHARED = {
    "masked_move": {
        **dict.fromkeys(("store_rdata_i", "engine_word_i", "product_read_i"), 128),
        "number_q": 15,
        "bit_q": 1,
    },
    "masked_hash": {"rdata_i": 128, "cross_q": 320, "inner_q": 320},
    "masked_receive": {"in_data_i": 64},
    "masked_send": {"rdata_i": 128},
}
# At level 5, with positions in two groups; in SHARED is level 1.
LEVEL = LEVELS[5]
FIFTH = {
    "masked_move": {
        "N": LEVEL.n,
        "LIST": 128,
        "WEIGHT": LEVEL.weight,
        "START": LEVEL.start,
        "CANDIDATES": LEVEL.candidates,
        "BEHIND": 38,
        "COPIES": LEVEL.copies,
        "AREA": 22,
        "ADDR": 11,
    },
    "masked_hash": {"BYTES": 5, "ADDR": 11},
}
# Where shares may meet: what is opened, and behind it what is counted.
OPENED = {
    "masked_move": {
        "opened_q": "number_q",
        "store_wdata_o": "engine_word_i",
        **dict.fromkeys(("accepted_q", "bit_q", "found_q", "window_q"), "bit_q"),  # behind a sum
    },
    "masked_hash": {"lane_o": "cross_q inner_q planes_q"},
}


def share_of(top, name, shared):
    """Returns (what, share) of a wire, or None: of control, random, public, or opened."""
    found = re.fullmatch(r"(?:u_sponge\.)?(?:gen_share\[(\d)\]\.)?(?:u_\w+\.)?(\w+)\[(\d+)\]", name)
    if found and top == "masked_hash" and found[1] and found[2] in ("planes_q", "plane_q"):
        return found[2], int(found[1])
    if not found or found[2] not in shared:
        return None
    return found[2], int(found[3]) // shared[found[2]]


def faults(top, files, folder=None, **parameters):
    """Returns where shares meet and should not. Registers of chi are test_probing.py's."""
    net, found = gates.read(top, files, "written", folder, **parameters), []
    behind, shared = net.sources(), dict(SHARED[top])
    if "N" in parameters:
        shared["number_q"] = LEVEL.position_bits
    shares = {wire: share_of(top, str(name), shared) for wire, name in net.names.items()}
    assert {one[0] for one in shares.values() if one} >= {*shared}
    ends = [
        (f"{name}[{i}]", wire) for name, port in net.outputs.items() for i, wire in enumerate(port)
    ]
    ends += [(str(net.names.get(q, q)), end) for q, end in net.registers.items()]
    for name, end in ends:
        place = re.search(r"(\w+)\[\d+\]$", name)
        opened = OPENED.get(top, {}).get(place[1] if place else name, "").split()
        seen = {shares[wire] for wire in behind[end] if shares.get(wire)}
        seen = {one for one in seen if one[0] not in opened}
        if len({share for _, share in seen}) > 1 and ".u_chi." not in name:
            found.append(f"{name} sees both shares of {sorted(seen)}")
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("top", "parameters"),
    [
        *(pytest.param(top, {}, id=top) for top in SHARED),
        *(pytest.param(top, one, id=f"{top}-5") for top, one in FIFTH.items()),
    ],
)
def test_shares_meet_where_a_value_is_opened(top, parameters):
    assert faults(top, build.files_for(top), **parameters) == []


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/opened"))
def test_what_is_opened_elsewhere_is_found(mistake):
    files = build.files_for(mistake.by)
    folder = gates.HARDWARE / "build" / f"gates-{mistake.by}-{mistake.name}"
    shutil.rmtree(folder, ignore_errors=True)
    assert faults(mistake.by, with_mistake(folder, files, mistake), folder)


def sources(folder, is_planted):
    """Returns the sources of the core; is_planted: a product lacks its random bit."""
    files = build.files_for("masked_hqc")
    if not is_planted:
        return files
    return with_mistake(folder, files, mistakes.of("hardware/masked")["no_bit_for_a_product"])


@pytest.fixture
def library():
    return Library(made.folder_of("gcc", {}) / shared_library("codekem"))


@pytest.mark.long
@pytest.mark.parametrize("is_planted", [False, True])
def test_wires_of_the_core(library, is_planted):
    """Some cycles of few traces, with glitches: without a random bit wires tell y. The results of
    the gates are right."""
    folder = gates.HARDWARE / "build" / f"gates-core-{is_planted}"
    options = core_wires.Options(traces=192, part=(5, 64))
    files = sources(folder / "planted", is_planted)
    found = core_wires.measure(files, library, options, folder)
    assert found["known"] > 50
    assert (found["first"]["most"] > found["first"]["chance"]) == is_planted, found


@pytest.mark.long
@pytest.mark.parametrize("is_planted", [False, True])
def test_toggles_of_the_core(tmp_path, library, is_planted):
    """A product without its random bit tells y to few traces; the core as it is does not."""
    program = masked_core.build_traces(tmp_path / "core", sources(tmp_path / "planted", is_planted))
    found = measure.run_traces(program, masked_core.Inputs("decaps", 1, library), 60)
    assert sum(found["other_lengths"]) == 0
    every = [one["first"]["most"] for one in found["modules"].values()]
    assert (None in every or max(every) > 10) == is_planted  # None: infinite


def test_rows_go_to_any_file(tmp_path):
    path = tmp_path / "of_mine.json"
    masked_core.keep(path, {"case": masked_core.CASES[0]})
    (row,) = json.loads(path.read_text(encoding="ascii"))
    assert row["made_from"]["script"]


def test_stored_rows():
    """Nothing above chance: of registers of 10^4 traces, of Keccak's gates of 10^5, of the core's
    in all cycles of Decaps of 600 whose results are right."""
    path = gates.HARDWARE / "results" / "masked_leakage.json"
    rows = {row["case"]: row for row in json.loads(path.read_text(encoding="ascii"))}
    sponge, *registers = (rows.pop(case) for case in masked_core.CASES[:3])
    assert sponge["traces"] >= 100_000 and all(row["traces"] >= 10_000 for row in registers)
    assert rows["decaps, gates"]["part"] == [0, 1] and {*rows} <= {*masked_core.CASES}
    for row in rows.values():
        assert row["traces"] >= 600 and row["known"] > 200
        assert row["units"][0] < row["units"][1]
    for row in (sponge, *registers, *rows.values()):
        assert row["most"] < row["chance"], row["case"]
    assert all(row["second"] is None or row["second"] > 10 for row in registers)
