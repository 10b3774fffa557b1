# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kinds of stored results: how each is made (tools/stored_results.py judges them)."""

import typing

from tools.artefacts import Sources
from tools.result_scripts import (
    AREA_SCRIPT,
    BOARD,
    BOARD_SCRIPT,
    CHES2021_SCRIPT,
    COUNT_SCRIPT,
    FLIPS_SCRIPT,
    FUNCTIONS_SCRIPT,
    GLITCHES_OF,
    GLITCHES_SCRIPT,
    JOINT_SCRIPT,
    LEAKAGE_SCRIPT,
    M4_SCRIPT,
    MASKED_LEAKAGE_SCRIPT,
    MASKED_M4_SCRIPT,
    MASKED_SCRIPT,
    MCELIECE_M4_SCRIPT,
    OPEN_HQC_SCRIPT,
    PEER_SCRIPT,
    PLUGINS,
    PQM4_SCRIPT,
    ROUTE_SCRIPT,
    ROUTED_SCRIPT,
    SILICON_SCRIPT,
    SIZES_SCRIPT,
    SPLITS_SCRIPT,
    SYN,
    SYSTEM_AREA_SCRIPT,
    TLS_COMMAND,
    TLS_SCRIPT,
    flips_command,
    glitches_command,
    is_hqc,
    leakage_command,
    m4,
    masked_core,
    masked_leakage_command,
    netlist,
    parameters_of,
    program,
    silicon_command,
    simulated,
    split,
)

PYTHON = ".venv/bin/python"  # tools/setup.sh test makes it; `make` takes the one that runs it


class Kind(typing.NamedTuple):
    """How results of a kind are made."""

    script: dict  # {path of a script: [functions that decide the figures]}
    measured: typing.Callable  # of a row: what was measured, of tools/artefacts.py
    command: typing.Callable  # of a row: the words of the command that makes it anew
    peers: tuple = ()  # projects whose checkouts the command needs
    is_time: bool = False
    room: str = "tools"  # that has what was measured


# In the order in which `make` goes: what takes long comes last.
KINDS = {
    "pqm4": Kind(
        PQM4_SCRIPT,
        lambda row: [BOARD],
        lambda row: (PYTHON, "devices/measure.py", "--pqm4", "pqm4", "--mupq", "mupq"),
        peers=("pqm4", "mupq"),
    ),
    "ches2021": Kind(
        CHES2021_SCRIPT,
        lambda row: [BOARD],
        lambda row: (
            PYTHON,
            "devices/measure_mceliece.py",
            "--mceliece-arm-m4",
            "mceliece-arm-m4",
        ),
        peers=("mceliece-arm-m4",),
    ),
    "mceliece-m4": Kind(
        MCELIECE_M4_SCRIPT,
        lambda row: [
            program("cortex-m4", "bin/mceliece_operations", row=row, CODEKEM_BUILD_MCELIECE="ON")
        ],
        lambda row: (PYTHON, "devices/measure_mceliece.py"),
    ),
    "masked-m4": Kind(
        MASKED_M4_SCRIPT,
        lambda row: [
            program("cortex-m4", "bin/masked_operations", row=row, CODEKEM_BUILD_MCELIECE="ON")
        ],
        lambda row: (PYTHON, "devices/measure_masked.py"),
    ),
    "cortex-m4": Kind(
        M4_SCRIPT,
        m4,
        lambda row: (PYTHON, "devices/measure.py"),
    ),
    "functions": Kind(
        FUNCTIONS_SCRIPT,
        m4,
        lambda row: (
            PYTHON,
            "devices/profile_functions.py",
            "--output",
            "devices/results/functions/cortex-m4.json",
        ),
    ),
    "count": Kind(
        COUNT_SCRIPT,
        lambda row: [
            program(row["target"], "bin/marked_kems", row=row),
            PLUGINS["tests/platforms"],
        ],
        lambda row: (
            PYTHON,
            "tools/count_instructions.py",
            "--output",
            "devices/results/linux.json",
        ),
    ),
    "route": Kind(
        ROUTE_SCRIPT,
        lambda row: [netlist(f"{row['scheme']}_core", row, row["module"])],
        lambda row: (
            PYTHON,
            f"{SYN}/route.py",
            "--scheme",
            row.get("scheme", "bike"),
            "--results",
            "hardware/results/ecp5.json",
            "--limit",
            "3600",
            "--seeds",
            ",".join(map(str, row.get("seeds", [1]))),
            row["module"],
            *parameters_of(row),
        ),
    ),
    "areas": Kind(
        SYSTEM_AREA_SCRIPT,
        lambda row: [netlist("soc", row)],
        lambda row: (
            PYTHON,
            "hardware/soc/areas.py",
            "--results",
            "hardware/soc/results",
            f"RAM_BYTES={row['parameters']['RAM_BYTES']}",
        ),
    ),
    "board": Kind(
        BOARD_SCRIPT,
        lambda row: [netlist("ulx3s_soc", row), Sources(("hardware/kit/ulx3s/ulx3s.lpf",))],
        lambda row: (
            PYTHON,
            "hardware/soc/build_board.py",
            "--results",
            "hardware/soc/results/board.json",
            "--seed",
            row["seed"],
            *parameters_of(row),
        ),
    ),
    "area": Kind(
        AREA_SCRIPT,
        lambda row: [netlist("hqc_core" if is_hqc(row) else "bike_core", row)],
        lambda row: (
            PYTHON,
            f"{SYN}/synthesise.py",
            *(["--scheme", "hqc"] if is_hqc(row) else []),
            "--results",
            "hardware/results",
            *parameters_of(row),
        ),
    ),
    "joint": Kind(
        JOINT_SCRIPT,
        lambda row: [netlist("joint_core", row)],
        lambda row: (
            PYTHON,
            f"{SYN}/synthesise.py",
            "--scheme",
            "joint",
            "--results",
            "hardware/results",
            *parameters_of(row),
        ),
    ),
    "flips": Kind(
        FLIPS_SCRIPT,
        lambda row: simulated(row, "hardware/sim/simulated_core.cpp"),
        lambda row: (PYTHON, *flips_command(row)),
    ),
    "masked": Kind(
        MASKED_SCRIPT,
        lambda row: [masked_core()],
        lambda row: (
            PYTHON,
            *("-m", "hardware.syn.masked", "--results", "hardware/results/masked.json"),
            row["level"],
        ),
    ),
    "leakage": Kind(
        LEAKAGE_SCRIPT,
        lambda row: simulated(row, "hardware/leakage/traces.cpp"),
        lambda row: (PYTHON, *leakage_command(row)),
    ),
    "masked_leakage": Kind(
        MASKED_LEAKAGE_SCRIPT,
        lambda row: [
            masked_core(),
            Sources(
                tuple(
                    f"hardware/leakage/{name}"
                    for name in (
                        *("traces.cpp", "wires.cpp", "wires_netlist.hpp"),
                        "wires_simulation.hpp",
                    )
                )
            ),
        ],
        lambda row: (PYTHON, *masked_leakage_command(row)),
    ),
    "glitches": Kind(
        GLITCHES_SCRIPT,
        lambda row: [Sources(GLITCHES_OF[row["module"].split("_")[0]])],
        lambda row: (PYTHON, *glitches_command(row)),
    ),
    "silicon": Kind(
        SILICON_SCRIPT,
        lambda row: [
            masked_core() if row["scheme"] == "masked" else netlist(f"{row['scheme']}_core", row)
        ],
        lambda row: (PYTHON, *silicon_command(row)),
        peers=("OpenSTA",),
    ),
    "racingbike": Kind(
        PEER_SCRIPT,
        lambda row: [Sources(("hardware/peers/dsp48e1.sv",))],
        lambda row: (
            PYTHON,
            "hardware/peers/racingbike.py",
            "RacingBIKE",
            "--results",
            "hardware/peers/results",
            "--width",
            row["width"],
        ),
        peers=("RacingBIKE",),
    ),
    "open_hqc": Kind(
        OPEN_HQC_SCRIPT,
        lambda row: [],
        lambda row: (
            PYTHON,
            "hardware/peers/open_hqc.py",
            "pqc-hqc-hardware",
            "--results",
            "hardware/peers/results",
        ),
        peers=("pqc-hqc-hardware",),
    ),
    "routed": Kind(
        ROUTED_SCRIPT,
        lambda row: [],
        lambda row: (
            PYTHON,
            *("-m", "hardware.peers.routed"),
            "pqc-hqc-hardware",
            *("--results", "hardware/peers/results"),
            *("--multipliers", row["multipliers"]),
        ),
        peers=("pqc-hqc-hardware",),
    ),
    "splits": Kind(
        SPLITS_SCRIPT,
        split,
        lambda row: (PYTHON, "hardware/soc/measure.py", "--by", row["by"], row["kem"]),
        room="devices",
    ),
    "sizes": Kind(
        SIZES_SCRIPT,
        lambda row: [
            program("riscv32", f"bin/size_{row['contents']}", row=row, CODEKEM_KEMS=row["kem"])
        ],
        lambda row: (PYTHON, "hardware/soc/measure.py", "--by", "sizes", row["kem"]),
        room="devices",
    ),
    "tls": Kind(
        TLS_SCRIPT,
        lambda row: [program("gcc", "ossl-modules/codekem.so", "bin/codekem_handshakes", row=row)],
        lambda row: (TLS_COMMAND,),
        is_time=True,
    ),
}
