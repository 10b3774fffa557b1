# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the cocotb benches (hardware/tests/benches) of modules, which bench_build.py makes."""

import os
import re

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

from hardware.tests import made
from hardware.tests.bench_build import Model, common_of, make_common, make_model
from tests.fixtures import NotMade
from tools.made import how_to_make


class BenchFailure(AssertionError):
    """A test of a bench failed; the message is what the simulation printed."""


class BenchRunner:
    """run(top, bench, parameters) runs a bench; raises BenchFailure if one of its tests fails."""

    simulator = "verilator"

    def __init__(self, build, monkeypatch, seed):
        self._build, self._monkeypatch, self._seed = build, monkeypatch, seed
        self._waves = bool(os.environ.get("CODEKEM_WAVES"))  # then dump.vcd is in the folder

    def __call__(self, top, bench, parameters, mistake=None, coverage=False, open_values=True):
        """Returns the folder of the simulation.

        mistake: the number of the mistake that is in the model (planted.py); 0 for a model that
        could have one and has none; None for the sources as they are. With coverage, the simulation
        leaves coverage.dat there. Without open_values what hardware leaves open is zero or old.
        """
        planted, closed = mistake is not None, not open_values
        model = Model(top, parameters, planted, coverage, closed, waves=self._waves)
        folder = self._folder_of(model)
        run = folder / f"mistake-{mistake}" if mistake else folder
        self._simulate(
            folder,
            run,
            model.simulated,
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

    def _folder_of(self, model):
        """Returns the folder of a model that tools/made.py has made; one with waves, which is for
        somebody who looks for a fault, is made here."""
        folder = self._build.folder(model.name)
        if model.waves:
            make_common(self._build.folder(common_of(model.options())), ["--trace"])
            make_model(model, folder)
        elif why := made.why_not_made(model.target):
            raise NotMade(f"{why}: {how_to_make(model.target)}")
        return folder
