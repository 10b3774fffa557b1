# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds single modules with Verilator and runs their cocotb benches (tests/hardware/benches)."""

import fcntl
import os
import pathlib
import shutil
import time

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

import simulated

BENCHES = pathlib.Path(__file__).resolve().parent / "benches"


class BenchFailure(AssertionError):
    """A test of a bench failed; the message is what the simulation printed."""


class BenchRunner:
    """run(top, bench, parameters) runs a bench; raises BenchFailure if one of its tests fails."""

    def __init__(self, build, monkeypatch, session, seed):
        self._build, self._monkeypatch = build, monkeypatch
        self._session, self._seed = session, seed
        self._waves = bool(os.environ.get("CODEKEM_WAVES"))  # then dump.vcd is in the folder

    def __call__(self, top, bench, parameters, sources=None, coverage=False):
        """sources: other files than those of the core. Returns the folder of the simulation.

        With coverage, the simulation leaves coverage.dat there.
        """
        text = "-".join(f"{name}={value}" for name, value in sorted(parameters.items()))
        folder = self._build.folder(f"bench-{top}-{text}" + ("" if sources is None else "-other")
                                    + ("-coverage" if coverage else ""))
        folder.mkdir(parents=True, exist_ok=True)
        self._set_environment(top, parameters)
        with (folder / ".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            runner = self._compile(folder, top, parameters, sources, coverage)
            try:
                results = runner.test(hdl_toplevel=simulated_top(top), test_module=bench, build_dir=folder,
                                      test_dir=folder, waves=self._waves,
                                      log_file=folder / "test.log",
                                      results_xml=folder / "results.xml")
            except SystemExit:  # how the runner reports a bench that fails
                self._fail(folder)
            ran, failed = get_results(results)
            assert ran > 0
            if failed:
                self._fail(folder)
        return folder

    def _fail(self, folder):
        raise BenchFailure(f"{(folder / 'test.log').read_text()[-6000:]}\n"
                           f"run it again with CODEKEM_SEED={self._seed}")

    def _set_environment(self, top, parameters):
        set_variable = self._monkeypatch.setenv
        command, environment = simulated.build.verilator_command()
        set_variable("PATH", f"{pathlib.Path(command[0]).parent}:{os.environ['PATH']}")
        if "VERILATOR_ROOT" in environment:
            set_variable("VERILATOR_ROOT", environment["VERILATOR_ROOT"])
        # Most simulations are short, it is the compiler that takes the time.
        set_variable("MAKEFLAGS", "CXX=g++ LINK=g++ OBJCACHE= CFG_CXXFLAGS_PCH_I=-include "
                                  "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1")
        self._monkeypatch.syspath_prepend(BENCHES)  # the runner hands sys.path to the simulation
        set_variable("BENCH_TOP", top)
        set_variable("BENCH_SEED", str(self._seed))
        for name, value in parameters.items():
            set_variable(f"BENCH_{name}", str(value))

    def _compile(self, folder, top, parameters, sources, coverage):
        """Builds the simulation; what all have in common is compiled once in a session."""
        common = self._build.folder("bench-common" + ("-waves" if self._waves else "")
                                    + ("-coverage" if coverage else ""))
        common.mkdir(parents=True, exist_ok=True)
        stamp = common / ".built"
        with (common / ".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            there = stamp.exists() and stamp.read_text() == self._session
            if there:
                copy_common(common, folder)
        runner = get_runner("verilator")
        files = [*(sources or simulated.build.rtl_files()), *sorted(BENCHES.glob("*.sv"))]
        runner.build(sources=files, hdl_toplevel=simulated_top(top), parameters=parameters,
                     build_dir=folder, build_args=["-Wno-fatal", "-O3",
                                                    *(simulated.build.COVERAGE if coverage else [])],
                     waves=self._waves, log_file=folder / "build.log", always=True)
        with (common / ".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not there:
                copy_common(folder, common)
                stamp.write_text(self._session)
        return runner


def simulated_top(module):
    """Returns the module that holds another one for its bench, if there is one, or itself."""
    return f"{module}_bench" if (BENCHES / f"{module}_bench.sv").exists() else module


def copy_common(source, target):
    """Copies the objects of Verilator's own sources, which do not depend on the module."""
    later = time.time() + 3600  # than the makefile that Verilator will write
    for path in source.glob("verilated*.o"):
        os.utime(shutil.copy(path, target), (later, later))
