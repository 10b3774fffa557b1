# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds single modules with Verilator and runs their cocotb benches (hardware/tests/benches)."""

import os
import pathlib
import re

import cocotb_tools.config
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

from hardware.tests import simulated
from hardware.tests.made_once import fingerprint, locked
from hardware.tests.planted import sources_with_mistakes

# Options of Verilator with which its own objects are others.
OTHER_OBJECTS = ("--coverage", "--trace")
BENCHES = pathlib.Path(__file__).resolve().parent / "benches"
# What a model includes of Verilator is compiled once for all of them.
HEADERS = """#include "verilated.h"
#include "verilated_dpi.h"
#include "verilated_vpi.h"
"""


class BenchFailure(AssertionError):
    """A test of a bench failed; the message is what the simulation printed."""


class BenchRunner:
    """run(top, bench, parameters) runs a bench; raises BenchFailure if one of its tests fails."""

    simulator = "verilator"

    def __init__(self, build, monkeypatch, seed):
        self._build, self._monkeypatch, self._seed = build, monkeypatch, seed
        self._waves = bool(os.environ.get("CODEKEM_WAVES"))  # then dump.vcd is in the folder

    def __call__(
        self, top, bench, parameters, mistake=None, coverage=False, open_values=True, sources=()
    ):
        """Returns the folder of the simulation.

        mistake: the number of the mistake that is in the model (planted.py); 0 for a model that
        could have one and has none; None for the sources as they are. With coverage, the simulation
        leaves coverage.dat there. Without open_values what hardware leaves open is zero or old.
        sources: files besides those of the core.
        """
        text = "-".join(f"{name}={value}" for name, value in sorted(parameters.items()))
        kinds = {
            "planted": mistake is not None,
            "waves": self._waves,
            "coverage": coverage,
            "closed": not open_values,
        }
        folder = self._build.folder(
            "-".join(["bench", top, text, *[kind for kind, chosen in kinds.items() if chosen]])
        )
        rtl = simulated.build.rtl_files(simulated.build.scheme_of(top))
        files = [*rtl, *sorted(BENCHES.glob("*.sv")), *sources]
        if mistake is not None:
            files = sources_with_mistakes(folder / "sources", top, files)
        options = [
            *(simulated.build.OPEN_VALUES if open_values else []),
            *(simulated.build.COVERAGE if coverage else []),
            *(["--trace"] if self._waves else []),
            *[f"-G{name}={value}" for name, value in parameters.items()],
        ]
        self._compile(folder, simulated_top(top), files, options)
        run = folder / f"mistake-{mistake}" if mistake else folder
        self._simulate(
            folder,
            run,
            simulated_top(top),
            bench,
            {
                "extra_env": {
                    "BENCH_TOP": top,
                    "BENCH_SEED": str(self._seed),
                    # One test that fails is enough to find a mistake.
                    **({"COCOTB_MAX_FAILURES": "1"} if mistake else {}),
                    **{f"BENCH_{name}": str(value) for name, value in parameters.items()},
                },
                "plusargs": [
                    f"+verilator+rand+reset+{2 if open_values else 0}",
                    f"+verilator+seed+{self._seed % 0x7FFFFFFF + 1}",
                    f"+mistake={mistake or 0}",
                ],
            },
            planted=bool(mistake),
        )
        return folder

    def _simulate(self, model, run, name, bench, options, planted=False):
        """Runs the model of a folder in the folder `run`; planted: it is to fail.

        What an assertion compared is shown if pytest has rewritten it, which takes as long as a
        short simulation. So one that fails is run again.
        """
        run.mkdir(exist_ok=True)
        # cocotb lets pytest rewrite assertions: with the settings that pytest finds from here.
        (run / "pytest.ini").write_text("[pytest]\n")
        self._monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        for rewritten in ("",) if planted else ("", "*.py"):
            self._monkeypatch.setenv("COCOTB_REWRITE_ASSERTION_FILES", rewritten)
            if not self._is_failed(model, run, name, bench, options):
                return
        self._fail(run)

    def _is_failed(self, model, run, name, bench, options):
        """Runs the model once; says whether one of its tests failed."""
        try:
            get_runner(self.simulator).test(
                hdl_toplevel=name,
                hdl_toplevel_lang="verilog",
                test_module=f"hardware.tests.benches.{bench}",  # sys.path is that of the tests
                build_dir=model,
                test_dir=run,
                waves=self._waves,
                log_file=run / "test.log",
                results_xml=run / "results.xml",
                **options,
            )
        except SystemExit:  # how the runner reports a bench that fails
            return True
        ran, failed = get_results(run / "results.xml")
        assert ran > 0
        return failed > 0

    def _fail(self, folder):
        printed = re.sub(r"^ {40,}", "  ", (folder / "test.log").read_text(), flags=re.MULTILINE)
        begin, first, rest = printed.partition("Traceback")  # of the first test that failed
        raise BenchFailure(
            f"{begin[-1000:]}{first}{rest[:4000]}\n[...]\n{rest[4000:][-2000:]}\n"
            f"run it again with CODEKEM_SEED={self._seed}"
        )

    def _compile(self, folder, name, files, options):
        """Builds the simulation, unless it is there, made from the same."""
        config = cocotb_tools.config
        arguments = [
            "--cc",
            "--exe",
            "--top-module",
            name,
            "--prefix",
            "Vtop",
            "--vpi",
            "-o",
            name,
            "-Wno-fatal",
            "-O3",
            "-fno-inline",  # modules that are there several times are compiled once
            *("--output-split", "0"),  # one file, which needs the headers once
            *options,
            "-LDFLAGS",
            f"-Wl,-rpath,{config.libs_dir} -L{config.libs_dir} -lcocotbvpi_verilator",
            pathlib.Path(config.share_dir) / "lib" / "verilator" / "verilator.cpp",
        ]
        with locked(folder, fingerprint(files, [*arguments, *simulated.build.MAKE])) as there:
            if there:
                return
            # Benches see the ports alone; a model in which all is public is slow to compile.
            public = folder / "public.vlt"
            public.write_text(f'`verilator_config\npublic_flat_rw -module "{name}" -var "*"\n')
            simulated.build.run([*arguments, "--Mdir", folder, public, *files])
            self._make(folder, [word for word in options if word.startswith(OTHER_OBJECTS)])

    def _make(self, folder, options):
        """Compiles a model. Headers are compiled by the first that needs them, for all of the same
        options."""
        common = self._build.folder("".join(["bench-common", *options]))
        headers = common / "headers.h"
        made_from = fingerprint([], [HEADERS, *options, *simulated.build.MAKE])
        with locked(common, made_from) as there:
            if not there:
                headers.write_text(HEADERS, encoding="ascii")
                simulated.build.make(folder, "Vtop", more=[f"{headers}.fast.gch"])
        simulated.build.make(folder, "Vtop", more=[f"CXX=g++ -include {headers}.fast"])


def simulated_top(module):
    """Returns the module that holds another one for its bench, if there is one, or itself."""
    return f"{module}_bench" if (BENCHES / f"{module}_bench.sv").exists() else module
