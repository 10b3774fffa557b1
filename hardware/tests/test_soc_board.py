# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The system on a chip on a board: lint of its top, the program in the RAM, what comes out of the
serial port, and that the stored route reaches the clock."""

import json
import re
import subprocess

import pytest

from hardware.soc import build_board
from hardware.tests import simulated

SOC = simulated.HARDWARE / "soc"
RESULTS = SOC / "results" / "board.json"


def test_board_is_accepted_by_lint():
    """All but what the processor's generator wrote, and ports that are left open."""
    printed = simulated.build.run(
        [
            *("--lint-only", "-Wall", "-Wno-UNUSEDPARAM", "-Wno-UNUSEDSIGNAL", "-Wno-fatal"),
            *("-Wno-PINCONNECTEMPTY", "--top-module", "ulx3s_soc", "-GHQC_LEVEL=0"),
            *build_board.build_soc.rtl_files(),
            *build_board.build_soc.board_files(),
            build_board.build_soc.cpu_file(),
        ]
    )
    warnings = [line for line in printed.splitlines() if line.startswith("%Warning")]
    assert not [line for line in warnings if "VexRiscv" not in line]


def test_board_has_a_pin_for_each_port():
    text = (SOC / "board" / "ulx3s_soc.sv").read_text(encoding="utf-8")
    ports = text.split("\n) (")[1].split(");")[0]
    names = set(re.findall(r"(?:input|output) +logic +(?:\[7:0\] )?(\w+)", ports))
    pins = build_board.PINS.read_text(encoding="utf-8")
    located = re.findall(r'^LOCATE COMP "(\w+)', pins, re.MULTILINE)
    assert set(located) == names


def test_the_program_is_the_first_contents_of_the_memory(tmp_path):
    image, words = tmp_path / "program.bin", tmp_path / "program.hex"
    image.write_bytes(bytes(range(1, 7)))
    build_board.write_words(image, words, 16)
    assert words.read_text() == "04030201\n00000605\n00000000\n00000000\n"
    with pytest.raises(build_board.build.BuildError, match="6 bytes, the RAM 4"):
        build_board.write_words(image, words, 4)


def test_stored_routes_reach_the_clock():
    for row in json.loads(RESULTS.read_text(encoding="ascii")):
        assert row["mhz"] >= row["mhz_asked"] == 40
        assert all(row[name] <= available for name, available in row["available"].items())


@pytest.mark.long
def test_the_board_exchanges_keys_over_its_serial_port(build):
    """Twice: the second time because a byte comes in. With the BIKE core alone, which is routed."""
    folder = build.folder("soc-board")
    programs = build("riscv32", targets=("exchange",))
    image = programs / "bin" / "exchange.bin"
    simulator = build_board.build_simulator(folder, {"HQC_LEVEL": 0}, image)
    done = subprocess.run(
        [simulator, "2000000"], input=b"x", stdout=subprocess.PIPE, check=True, timeout=600
    )
    lines = done.stdout.decode("ascii").splitlines()
    wanted = [
        r"BIKE-L1 KeyGen \d+ Encaps \d+ Decaps \d+: both hold the same secret",
        "HQC-1: no core",
        "any key for another one",
    ] * 2
    assert len(lines) == len(wanted)
    assert all(map(re.fullmatch, wanted, lines))
