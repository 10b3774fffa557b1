# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the benches of modules in Icarus Verilog, which knows unknown values.

Icarus does not take all of our SystemVerilog, so Yosys reads it and writes plain Verilog, in which
registers and memories begin as X. The bench fails if it reads an X, and, after reset, if an output
is one.
"""

import subprocess

from hardware.tests import made, simulated
from hardware.tests.bench_build import BENCHES, STAMP, Model, new
from hardware.tests.bench_runner import BenchRunner
from tests.fixtures import NotMade
from tools.flow import run_tool
from tools.made import how_to_make


class FourStateRunner(BenchRunner):
    """four_state(top, bench, parameters) runs a bench; raises BenchFailure if one test fails."""

    simulator = "icarus"

    def four_state(self, top, bench, parameters, unknown=(), planted=None):
        """unknown: outputs that may be X; planted: a mistake in one of the sources, and the folder
        in which that is made."""
        model = Model(top, parameters)
        if planted:
            mistake, folder = planted
            translate(folder, model, mistake)
        else:
            folder = self._build.folder(name_of(model))
            if why := made.why_not_made(name_of(model).replace("=", ".")):
                raise NotMade(f"{why}: {how_to_make(name_of(model).replace('=', '.'))}")
        self._simulate(
            folder,
            folder,
            model.simulated,
            bench,
            {
                "extra_env": {
                    "BENCH_TOP": top,
                    "BENCH_SEED": str(self._seed),
                    "BENCH_UNKNOWN": " ".join(unknown),
                    **{f"BENCH_{key}": str(value) for key, value in parameters.items()},
                },
            },
            planted=planted is not None,
        )


def name_of(model):
    """Returns the name of a model for Icarus."""
    return model.name.replace("bench-", "four-state-", 1)


def translate(folder, model, planted=None):
    """Makes the simulation of a model; Yosys, which sees files by relative paths only, runs in the
    folder, with copies of the sources. planted: a mistake in one of them."""
    new(folder)
    name, parameters = model.simulated, model.parameters
    rtl = simulated.build.files_for(model.top)
    copies = []
    for path in [*rtl, *BENCHES.glob(f"{name}.sv")]:
        code = path.read_text(encoding="utf-8")
        if planted and path.name == planted.file.rpartition("/")[2]:
            code = planted.changed(code)
        copies.append(folder / path.name)
        copies[-1].write_text(code, encoding="utf-8")
    options = " ".join(f"-G {key}={value}" for key, value in parameters.items())
    (folder / "run.ys").write_text(
        f"read_slang -j 1 {options} {' '.join(path.name for path in copies)} --top {name}\n"
        "proc\nopt_clean\nmemory_collect\n"
        f"rename -top {name}\nwrite_verilog -noattr -noparallelcase module.v\n",
        encoding="ascii",
    )
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-s", "run.ys"], cwd=folder)
    code = (folder / "module.v").read_text(encoding="utf-8")
    (folder / "module.v").write_text(f"`timescale 1ns/1ps\n{code}", encoding="utf-8")
    done = subprocess.run(
        ["iverilog", "-g2012", "-s", name, "-o", folder / "sim.vvp", folder / "module.v"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise simulated.build.BuildError(done.stdout[-6000:])
    (folder / STAMP).touch()
