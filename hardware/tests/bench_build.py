# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds single modules with Verilator, for their cocotb benches (hardware/tests/benches)."""

import dataclasses
import pathlib
import shutil

import cocotb_tools.config

from hardware.sim import build
from hardware.soc import build_soc
from hardware.tests.planted import sources_with_mistakes

# Options of Verilator with which its own objects are others.
OTHER_OBJECTS = ("--coverage", "--trace")
BENCHES = pathlib.Path(__file__).resolve().parent / "benches"
KIT = build.HARDWARE / "kit" / "ulx3s"
# Modules of the system on a chip: how the names of their files begin.
WITH = {
    "soc_keccak": ("soc_keccak",),
    "soc_product": ("soc_product",),
    "soc_dma": ("soc_dma", "soc_fields"),
}
# Modules whose benches look into memories.
SEEN = ("masked_hqc", "masked_product")
# What a model includes of Verilator is compiled once for all of them.
HEADERS = """#include "verilated.h"
#include "verilated_dpi.h"
#include "verilated_vpi.h"
"""
STAMP = "made"
EMPTY = """module empty (input logic a_i, output logic b_o);
  assign b_o = a_i;
endmodule
"""


@dataclasses.dataclass(frozen=True)
class Model:
    """A module with parameters {name: value}.

    planted: with the mistakes that its bench must find (planted.py), of which each run chooses one
    or none; coverage: it counts lines and toggles; closed: what hardware leaves open is zero or
    old; waves: it writes dump.vcd.
    """

    top: str
    parameters: dict
    planted: bool = False
    coverage: bool = False
    closed: bool = False
    waves: bool = False

    @property
    def name(self):
        """Returns its name, in the graph and of its folder."""
        text = [f"{name}={value}" for name, value in sorted(self.parameters.items())]
        kinds = ("planted", "waves", "coverage", "closed")
        return "-".join(
            ["bench", self.top, *text, *[kind for kind in kinds if getattr(self, kind)]]
        )

    @property
    def target(self):
        """Returns what makes it, in the graph."""
        return self.name.replace("=", ".")

    @property
    def simulated(self):
        """Returns the module that holds it for its bench, if there is one, or itself."""
        around = f"{self.top}_bench"
        return around if (BENCHES / f"{around}.sv").exists() else self.top

    def options(self):
        """Returns the options of Verilator."""
        return [
            *([] if self.closed else build.OPEN_VALUES),
            *(build.COVERAGE if self.coverage else []),
            *(["--trace"] if self.waves else []),
            *[f"-G{name}={value}" for name, value in self.parameters.items()],
        ]

    def files(self):
        """Returns its sources, those of all that may be in it, and what holds it."""
        names = WITH.get(self.top, ())
        beside = [one for one in build_soc.soc_files() if one.stem.startswith(names)]
        if (KIT / f"{self.top}.sv").exists():
            beside = sorted(KIT.glob("*.sv"))
        rtl = build.files_for(self.top)
        return list(dict.fromkeys([*rtl, *BENCHES.glob(f"{self.simulated}.sv"), *beside]))


def common_of(options):
    """Returns the name of what models with the same objects of Verilator share."""
    kinds = [kind for kind in OTHER_OBJECTS if any(word.startswith(kind) for word in options)]
    return "-".join(["bench-common", *[kind[2:] for kind in kinds]])


def verilate(folder, name, files, options):
    """Has Verilator write the model of a module to a folder."""
    config = cocotb_tools.config
    # Benches see the ports alone; a model in which all is public is slow to compile.
    public = folder / "public.vlt"
    lines = ["`verilator_config", f'public_flat_rw -module "{name}" -var "*"']
    if name in SEEN:
        lines.append('public_flat_rd -module "kem_memory" -var "mem"')
    public.write_text("".join(f"{line}\n" for line in lines))
    build.run(
        [
            *("--cc", "--exe", "--top-module", name, "--prefix", "Vtop", "--vpi", "-o", name),
            *("-Wno-fatal", "-O3"),
            "-fno-inline",  # modules that are there several times are compiled once
            *build.COMPILED,
            *options,
            "-LDFLAGS",
            f"-Wl,-rpath,{config.libs_dir} -L{config.libs_dir} -lcocotbvpi_verilator",
            pathlib.Path(config.share_dir) / "lib" / "verilator" / "verilator.cpp",
            *("--Mdir", folder, public, *files),
        ]
    )


def make_common(folder, options):
    """Compiles what all models share that have these options of OTHER_OBJECTS."""
    new(folder)
    (folder / "empty.sv").write_text(EMPTY, encoding="ascii")
    (folder / "headers.h").write_text(HEADERS, encoding="ascii")
    verilate(folder, "empty", [folder / "empty.sv"], [*build.OPEN_VALUES, *options])
    build.make(folder, "Vtop", more=[f"{folder / 'headers.h'}.fast.gch"])
    (folder / STAMP).touch()


def make_model(model, folder):
    """Builds the program that simulates a model, with what is common in the folder beside its."""
    new(folder)
    files = model.files()
    if model.planted:
        files = sources_with_mistakes(folder / "sources", model.top, files)
    verilate(folder, model.simulated, files, model.options())
    headers = folder.parent / f"test-{common_of(model.options())}" / "headers.h"
    build.make(folder, "Vtop", jobs=1, more=[f"CXX=g++ -include {headers}.fast"])
    (folder / STAMP).touch()


def new(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
