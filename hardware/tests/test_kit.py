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
def test_vivado_script_reads_the_sources_that_there_are():
    text = (KIT / "vivado" / "synth.tcl").read_text(encoding="utf-8")
    named = re.findall(r"\$rtl/([\w/]+\.sv)", text)
    found = simulated.build.rtl_files()
    packages = [path for path in found if path.stem.endswith("_pkg")]
    assert [f"rtl/{name}" for name in named] == [str(p.relative_to(HARDWARE)) for p in packages]
    for folder in {path.parent.name for path in found}:
        assert f"$rtl/{folder}/*.sv" in text


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
