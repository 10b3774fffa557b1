# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kit: core file, example board, project scripts and diagrams."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from hardware.tests import bench_models, simulated
from hardware.tests.bench_runner import BenchFailure
from hardware.tests.planted import number_of
from tools import mistakes

HARDWARE = simulated.HARDWARE
KIT = HARDWARE / "kit"
ULX3S = sorted((KIT / "ulx3s").glob("*.sv"))


# --- The example board ---
@pytest.mark.parametrize(("top", "module", "parameters"), bench_models.BOARD)
def test_module_of_the_board(bench, top, module, parameters):
    bench(top, module, parameters, mistake=0)


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/board"))
def test_mistake_in_the_board_is_found(bench, mistake):
    top, module, parameters = next(one for one in bench_models.BOARD if one[0] == mistake.by)
    with pytest.raises(BenchFailure, match="AssertionError"):
        bench(top, module, parameters, mistake=number_of(mistake))


@pytest.mark.long
def test_board_runs_operations_over_its_serial_line(bench):
    bench("ulx3s_top", "bench_ulx3s", bench_models.WHOLE_BOARD)


def test_board_is_accepted_by_lint():
    simulated.build.run(
        [
            *("--lint-only", "-Wall", "-Wno-UNUSEDPARAM", "-Wno-UNUSEDSIGNAL"),
            *("--top-module", "ulx3s_top", *simulated.build.rtl_files(), *ULX3S),
        ]
    )


def test_board_has_a_pin_for_each_port():
    text = (KIT / "ulx3s" / "ulx3s_top.sv").read_text(encoding="utf-8")
    ports = text.split(") (")[1].split(");")[0]
    names = re.findall(r"(?:input|output) +logic +(?:\[7:0\] )?(\w+)", ports)
    wanted = {n for n in names if n != "led"} | {f"led[{i}]" for i in range(8)}
    pins = (KIT / "ulx3s" / "ulx3s.lpf").read_text(encoding="utf-8")
    located = re.findall(r'^LOCATE COMP "(.+)" SITE "(\w+)";', pins, re.MULTILINE)
    assert {name for name, _ in located} == wanted
    assert len({site for _, site in located}) == len(wanted)
    assert set(re.findall(r'^IOBUF PORT "(.+?)"', pins, re.MULTILINE)) == wanted


@pytest.mark.long
def test_bitstream_is_made(tmp_path):
    done = subprocess.run(
        [sys.executable, KIT / "ulx3s" / "build.py", "LEVEL=1", "PRESET=0", "BUILD=2"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert pathlib.Path(lines[0]).stat().st_size > 100_000
    reached, wanted = map(float, re.findall(r"[\d.]+(?= MHz)", lines[1]))
    assert reached > wanted == 25


# --- FuseSoC ---
@pytest.mark.parametrize("scheme", ["bike", "hqc", "joint"])
def test_core_file_lists_the_sources(scheme):
    text = (HARDWARE / f"codekem_{scheme}.core").read_text(encoding="utf-8")
    assert text.startswith("CAPI=2:\n")
    core = yaml.safe_load(text.removeprefix("CAPI=2:\n"))
    rtl = [str(path.relative_to(HARDWARE)) for path in simulated.build.rtl_files(scheme)]
    assert core["filesets"]["rtl"]["files"] == rtl


def test_bender_lists_the_sources():
    """Each core's, packages first, as its target chooses them."""
    found = yaml.safe_load((HARDWARE / "Bender.yml").read_text(encoding="utf-8"))
    listed = {one["target"]: one["files"] for one in found["sources"]}
    assert listed == {
        scheme: [str(path.relative_to(HARDWARE)) for path in simulated.build.rtl_files(scheme)]
        for scheme in simulated.build.FOLDERS
    }


def fusesoc(folder, *arguments):
    command, environment = simulated.build.verilator_command()
    path = f"{pathlib.Path(command[0]).parent}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        [sys.executable, "-m", "fusesoc.main", *map(str, arguments)],
        cwd=folder,
        env=environment | {"PATH": path, "XDG_CONFIG_HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "scheme",
    [
        "bike",
        pytest.param("hqc", marks=pytest.mark.long),
        pytest.param("joint", marks=pytest.mark.long),
    ],
)
def test_fusesoc_lints_the_core(tmp_path, scheme):
    done = fusesoc(tmp_path, "library", "add", "codekem", HARDWARE)
    assert done.returncode == 0, done.stdout
    done = fusesoc(tmp_path, "run", "--target=lint", f"codekem:crypto:{scheme}", "--LEVEL=3")
    assert done.returncode == 0, done.stdout
    assert "-GLEVEL=3" in next(tmp_path.rglob("*.vc")).read_text()


# --- Vivado ---
def tcl(script, *arguments, commands=""):
    """Runs a script of Tcl in which a tool's commands are those given here; returns its output."""
    return subprocess.run(
        ["tclsh", "/dev/stdin", *arguments],
        input=f"{commands}\nsource {script}\n",
        capture_output=True,
        text=True,
        check=False,
    )


STEPS = (
    *("read_xdc", "synth_design", "write_checkpoint", "report_utilization"),
    *("report_timing_summary", "opt_design", "place_design", "phys_opt_design", "route_design"),
)
VIVADO = "\n".join(
    [
        "proc read_verilog {sv files} {foreach file $files {puts [file normalize $file]}}",
        *(f"proc {name} {{args}} {{puts [list {name} {{*}}$args]}}" for name in STEPS),
    ]
)


@pytest.mark.parametrize("scheme", simulated.build.FOLDERS)
def test_vivado_script_reads_the_sources_that_there_are(scheme):
    """The tool's commands are others here, which say what they were given."""
    arguments = ["-scheme", scheme, "-part", "xc7a35t", "-place", "LEVEL=3"]
    done = tcl(KIT / "vivado" / "synth.tcl", *arguments, commands=VIVADO)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    files = simulated.build.rtl_files(scheme)
    assert sorted(lines[: len(files)]) == sorted(map(str, files))
    packages = [line for line in lines[: len(files)] if line.endswith("_pkg.sv")]
    assert lines[: len(packages)] == packages
    assert packages.index(str(HARDWARE / "rtl" / "common" / "kem_pkg.sv")) == 0
    assert f"synth_design -top {scheme}_axi -part xc7a35t" in done.stdout
    assert "-generic LEVEL=3" in done.stdout and "route_design" in lines
    for wrong in (["-scheme", "rsa"], ["LEVEL"]):
        assert tcl(KIT / "vivado" / "synth.tcl", *wrong, commands=VIVADO).returncode != 0


# --- Constraints ---
SDC = """
proc get_ports {names} {return $names}
proc create_clock {name clock period value port} {puts [list clock $port $value]}
proc set_input_delay {delay clock name ports} {foreach port $ports {puts [list input $port $delay]}}
proc set_output_delay {delay clock name ports} {
  foreach port $ports {puts [list output $port $delay]}
}
"""


@pytest.mark.parametrize("kind", ["axi", "core"])
@pytest.mark.parametrize("scheme", simulated.build.FOLDERS)
def test_constraints_name_each_port_and_know_no_exception(scheme, kind):
    """Any other command than these would be unknown."""
    done = tcl(KIT / "constraints" / f"{kind}.sdc", commands=f"set PERIOD 8.0\n{SDC}")
    assert done.returncode == 0, done.stderr
    clock, *told = (line.split() for line in done.stdout.splitlines())
    text = (HARDWARE / "rtl" / scheme / f"{scheme}_{kind}.sv").read_text(encoding="utf-8")
    port = re.compile(r"^ +(input|output)\s+\w+(?:\s*\[.*?\])?\s+(\w+)", re.MULTILINE)
    ports = port.findall(text)
    assert clock == ["clock", ports[0][1], "8.0"]
    assert sorted(map(tuple, told)) == sorted((*one, "4.0") for one in ports[1:])


# --- Diagrams ---
def test_diagrams_are_those_of_their_sources(root):
    done = subprocess.run(
        [sys.executable, root / "tools" / "draw_diagrams.py", "--check"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_a_diagram_that_is_not_its_source_is_named(root, tmp_path):
    for name in ("tools", "docs/diagrams"):
        shutil.copytree(root / name, tmp_path / name)
    source = next((tmp_path / "docs" / "diagrams").glob("*.json"))
    drawing = json.loads(source.read_text(encoding="utf-8"))
    drawing["signal"][0]["name"] = "clock"
    source.write_text(json.dumps(drawing))
    done = subprocess.run(
        [sys.executable, tmp_path / "tools" / "draw_diagrams.py", "--check"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and source.with_suffix(".svg").name in done.stdout
