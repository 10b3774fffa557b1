# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How the scripts of synthesis run their tools: what they say of failures, when they try again."""

import sys

import pytest

from hardware.syn import route, synthesise
from tools.flow import areas, run_tool

# A tool that says how often it was run, and ends as told: by an exit status, by a signal, well.
TOOL = """
import os, pathlib, sys
count = pathlib.Path(sys.argv[1])
run = int(count.read_text()) + 1 if count.exists() else 1
count.write_text(str(run))
for i in range(50):
    print("line", i, file=sys.stderr if i % 2 else sys.stdout, flush=True)
what = sys.argv[1 + min(run, len(sys.argv) - 2)]
if what.startswith("signal"):
    os.kill(os.getpid(), int(what.removeprefix("signal")))
sys.exit(int(what))
"""


@pytest.fixture
def tool(tmp_path):
    """tool(ends...) returns the command of a fake tool, and how often it has been run."""
    count = tmp_path / "count"

    def command(*ends):
        return [sys.executable, "-c", TOOL, count, *ends]

    return command, lambda: int(count.read_text())


def test_a_failure_shows_the_last_lines_and_the_exit_status(tool):
    command, runs = tool
    with pytest.raises(run_tool.ToolError) as failed:
        run_tool.run("Yosys", command(3))
    text = str(failed.value)
    assert "Yosys failed: exit status 3." in text and runs() == 1
    assert "line 20\n" in text and "line 49" in text and "line 19\n" not in text


def test_a_tool_that_was_killed_runs_once_more(tool, capfd):
    command, runs = tool
    assert run_tool.run("nextpnr", command("signal9", 0)).endswith("line 49\n")
    assert runs() == 2
    assert "nextpnr was killed by SIGKILL; it runs once more" in capfd.readouterr().err


def test_a_tool_that_is_killed_twice_fails(tool):
    command, runs = tool
    with pytest.raises(run_tool.ToolError, match="failed for the second time: killed by SIGBUS"):
        run_tool.run("Yosys", command("signal7"))
    assert runs() == 2


def test_a_silent_failure_and_a_missing_tool_are_named():
    with pytest.raises(run_tool.ToolError, match=r"exit status 1\. .*\n\(it printed nothing"):
        run_tool.run("Yosys", [sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(run_tool.ToolError, match=r"the bench cannot be run.*No such file"):
        run_tool.run("the bench", ["/nowhere/bench"])


def test_a_tool_beyond_its_limit_gives_nothing():
    assert (
        run_tool.run("nextpnr", [sys.executable, "-c", "import time; time.sleep(600)"], 0) is None
    )


@pytest.mark.parametrize(
    ("script", "arguments"),
    [(synthesise, ["PRESET=0", "LANES=4"]), (route, ["keccak", "PRESET=0", "LANES=4"])],
)
def test_the_scripts_pass_on_what_the_tool_said(script, arguments, tool, monkeypatch):
    command, runs = tool
    monkeypatch.setattr(run_tool, "YOSYS", command("signal9", 4))
    with pytest.raises(SystemExit) as ended:
        script.main(arguments)
    assert (
        f"{script.__name__.rpartition('.')[2]}.py: Yosys failed for the second time: exit status 4"
        in str(ended.value)
    )
    assert "line 49" in str(ended.value) and runs() == 2


def test_the_clock_of_a_whole_core_reaches_the_row_of_its_area(tmp_path):
    figures = dict.fromkeys((*areas.FIGURES, "keygen_cycles", "encaps_cycles", "decaps_cycles"), 7)
    about = {"tools": "a, b", "made_from": dict.fromkeys(areas.MADE_FROM, "0"), "ecp5_mhz": None}
    rows = [
        {"core": core, "preset": preset, "level": 1, "build": "full", "parameters": {"PRESET": i}}
        | figures
        | about
        | {"modules": {"unit": dict.fromkeys(areas.FIGURES, 1.5)}}
        for core in ("BIKE-L1", "HQC-1", "joint BIKE-L1")
        for i, preset in enumerate(("light", "mid"))
    ]
    areas.keep(tmp_path, rows)
    assert areas.read(tmp_path) == rows

    def clocks():
        return [row["ecp5_mhz"] for row in areas.read(tmp_path)]

    row = {"scheme": "bike", "parameters": {"PRESET": 0}, "mhz": 61.5}
    route.tell_areas(row, tmp_path)
    assert clocks() == [61.5, None, None, None, None, None]
    route.tell_areas(row | {"scheme": "hqc", "mhz": 90.0}, tmp_path)
    assert clocks() == [61.5, None, 90.0, None, None, None]
    rows[0]["ecp5_mhz"], rows[2]["ecp5_mhz"] = 61.5, 90.0
    assert areas.read(tmp_path) == rows  # and nothing else


def test_a_package_that_is_not_installed_is_said_with_what_to_do():
    with pytest.raises(
        run_tool.ToolError, match=r"no_such_package'\nInstall tools/flow/requirements"
    ):
        run_tool.run("Yosys", [sys.executable, "-c", "import no_such_package"])
