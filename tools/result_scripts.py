# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Of each kind of stored result, the parts of scripts that decide the figures.

{path of a script: [functions and constants]}; tools/stored_results.py hashes these.
"""

SYN = "hardware/syn"
CELLS_SCRIPT = {"tools/flow/cells.py": ["cells_of", "area"]}
AREA_SCRIPT = CELLS_SCRIPT | {f"{SYN}/synthesise.py": ["script_of"]}
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
PEER_SCRIPT = CELLS_SCRIPT | {
    "hardware/peers/racingbike.py": ["sources", "area", "cycles"],
}
OPEN_HQC_SCRIPT = CELLS_SCRIPT | {
    "hardware/peers/open_hqc.py": ["sources", "adapted", "area", "cycles", "run_bench"],
}
M4_SCRIPT = {
    "devices/measure.py": ["build", "rows_of", "size_row"],
    "devices/device.py": ["QEMU", "run"],
}
FUNCTIONS_SCRIPT = {
    "devices/profile_functions.py": ["count"],
    "devices/device.py": ["QEMU", "run", "build_plugin"],
}
PQM4_SCRIPT = {"devices/measure.py": ["peer_rows"], "devices/device.py": ["QEMU"]}
MCELIECE_M4_SCRIPT = {
    "devices/measure_mceliece.py": ["build", "rows_of", "pages_row"],
    "devices/device.py": ["QEMU", "run"],
}
CHES2021_SCRIPT = {
    "devices/measure_mceliece.py": ["peer_rows"],
    "devices/device.py": ["QEMU"],
}
COUNT_SCRIPT = {"tools/count_instructions.py": ["build", "rows_of"]}
SPLITS_SCRIPT = {
    "hardware/soc/measure.py": ["count", "programs_for"],
    "hardware/soc/build_soc.py": ["build_soc"],
    "hardware/soc/system.py": ["System"],
}
SIZES_SCRIPT = {"hardware/soc/measure.py": ["size_rows"]}
SYSTEM_AREA_SCRIPT = CELLS_SCRIPT | {"hardware/soc/areas.py": ["script_of"]}
BOARD_SCRIPT = {"hardware/soc/build_board.py": ["synthesise_top", "nextpnr_options"]}
TLS_SCRIPT = {"apps/openssl-provider/benchmark/all_groups.py": ["implementations", "measure"]}
