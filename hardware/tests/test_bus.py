# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bus: what is generated is what the map says, and no path goes from an input to an output."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from hardware.tests import simulated
from tests.rooms import need_room
from tools import mistakes
from tools.flow import run_tool

RTL = simulated.HARDWARE / "rtl"
SOURCES = (
    *("common/kem_pkg", "generated/kem_registers_pkg", "common/kem_skid"),
    *("generated/kem_registers", "common/kem_axi"),
)


def check_registers(root):
    return subprocess.run(
        [sys.executable, root / "tools" / "generate_registers.py", "--check"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )


def test_generated_files_are_those_of_the_map(root, need_module):
    need_module("peakrdl_regblock")
    done = check_registers(root)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.long
@pytest.mark.parametrize(
    ("what", "module", "made"),
    [
        ("ip-xact", "peakrdl_ipxact", "kem.xml"),
        ("html", "peakrdl_html", "html/data/ral-data-0.json"),
    ],
)
def test_map_in_other_forms_has_all_registers(root, tmp_path, need_module, what, module, made):
    need_module(module)
    peakrdl = pathlib.Path(sys.executable).parent / "peakrdl"
    place = tmp_path / pathlib.Path(made).parts[0]
    source = root / "hardware" / "registers" / "kem.rdl"
    subprocess.run([peakrdl, what, source, "-o", place], check=True)
    found = (tmp_path / made).read_text(encoding="utf-8")
    header = (root / "hardware" / "driver" / "kem_registers.h").read_text(encoding="ascii")
    registers = set(re.findall(r"^#define KEM__(\w+?)__", header, re.MULTILINE))
    assert len(registers) >= 10 and all(name in found for name in registers)


def test_a_file_that_is_not_what_the_map_says_is_named(root, tmp_path, need_module):
    need_module("peakrdl_regblock")
    need_room("devices")
    for name in (
        "tools/generate_registers.py",
        "hardware/registers/kem.rdl",
        "hardware/rtl/generated/kem_registers.sv",
        "hardware/rtl/generated/kem_registers_pkg.sv",
        "hardware/driver/kem_registers.h",
        "hardware/registers/soc.rdl",
        "hardware/soc/generated/soc_registers.sv",
        "hardware/soc/generated/soc_registers_pkg.sv",
        "hardware/soc/generated/soc_map_pkg.sv",
        "devices/riscv/soc_registers.h",
        "devices/riscv/soc_map.h",
        "docs/results/soc-registers.md",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    header = tmp_path / "hardware" / "driver" / "kem_registers.h"
    header.write_text(header.read_text().replace("STATUS__BUSY_bm 0x1", "STATUS__BUSY_bm 0x2"))
    addresses = tmp_path / "devices" / "riscv" / "soc_map.h"
    addresses.write_text(addresses.read_text().replace("0x80001000", "0x80004000"))
    done = check_registers(tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "hardware/driver/kem_registers.h is not what the map says",
        "devices/riscv/soc_map.h is not what the map says",
    ]


def drivers(module):
    """Returns {bit: the bits from which a cell makes it}, without those of registers."""
    driver = {}
    for cell in module["cells"].values():
        assert cell["type"] not in ("$dlatch", "$adlatch")
        ways = cell.get("port_directions", {})
        if cell["type"].startswith(("$dff", "$sdff", "$adff", "$aldff", "$mem")):
            continue
        inputs = [
            b for port, bits in cell["connections"].items() if ways[port] == "input" for b in bits
        ]
        for port, bits in cell["connections"].items():
            if ways[port] == "output":
                driver |= dict.fromkeys(bits, inputs)
    return driver


def paths(netlist):
    """Returns the pairs (input, output) of a flat netlist between which there is a path without a
    register."""
    (module,) = netlist["modules"].values()
    driver = drivers(module)
    ports = module["ports"].items()
    inputs = {b: name for name, port in ports if port["direction"] == "input" for b in port["bits"]}
    found = set()
    for name, port in ports:
        seen, waiting = set(), list(port["bits"]) if port["direction"] == "output" else []
        while waiting:
            bit = waiting.pop()
            if bit not in seen:
                seen.add(bit)
                waiting += driver.get(bit, [])
        found |= {(inputs[bit], name) for bit in seen if bit in inputs}
    return found


def paths_of(files):
    """Returns the paths of kem_axi, read from these files in a folder of HARDWARE."""
    names = " ".join(str(path.relative_to(simulated.HARDWARE)) for path in files)
    netlist = files[-1].parent / "netlist.json"
    script = (
        f"read_slang -j 1 {names} --top kem_axi; hierarchy -check -top kem_axi; proc; flatten; "
        f"opt_clean; write_json {netlist.relative_to(simulated.HARDWARE)}"
    )
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-p", script])
    return paths(json.loads(netlist.read_text(encoding="utf-8")))


@pytest.fixture
def sources(tmp_path_factory):
    """The sources of the bus, copied below HARDWARE: the tool sees files there alone."""
    folder = simulated.HARDWARE / "build" / f"test-{tmp_path_factory.getbasetemp().name}"
    folder.mkdir(parents=True, exist_ok=True)
    yield [pathlib.Path(shutil.copy(RTL / f"{name}.sv", folder)) for name in SOURCES]
    shutil.rmtree(folder)


def test_no_path_goes_from_an_input_to_an_output(sources):
    assert paths_of(sources) == set()


def test_a_path_is_found(sources):
    axi = sources[-1]
    (mistake,) = mistakes.of("hardware/bus").values()
    axi.write_text(mistake.changed(axi.read_text(encoding="utf-8")), encoding="utf-8")
    assert paths_of(sources) == {("in_ready_i", "s_axis_tready")}
