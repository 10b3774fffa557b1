# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables in docs/ that show stored results: each is made from the results alone.

`tools/stored_results.py tables` writes them; tools/tests/test_stored_results.py compares.
"""

import json
import pathlib
import typing

from tools import house, system_tables
from tools.flow import areas, sharing

ROOT = pathlib.Path(__file__).resolve().parent.parent

BUILDS = ["full", "client", "server"]
HARDWARE = "docs/results/hardware.md"
DEVICES = "docs/results/devices.md"
LEAST_PERCENT = 4  # of the instructions: what a function takes that is shown
OPERATIONS = ["keygen", "encaps", "decaps"]


class TableError(Exception):
    """A document does not have a table that is to be written, or its results cannot be read."""


class Table(typing.NamedTuple):
    """A table of a document."""

    document: str
    heading: str  # its first line
    lines: typing.Callable  # () -> the lines below the rule


def read(name):
    """Returns the rows of a file of results."""
    try:
        document = json.loads((ROOT / name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TableError(f"the results in {name} cannot be read: {error}") from error
    return document if isinstance(document, list) else document["rows"]


def line(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


# --- Hardware -------------------------------------------------------------------------------------


def area_rows(scheme):
    """Returns the results of hardware/syn/synthesise.py for a scheme in the order of the table."""
    return sorted(
        (row for row in areas.read(ROOT / "hardware/results") if row["core"].startswith(scheme)),
        key=lambda row: (
            row["level"],
            areas.PRESETS.index(row["preset"]),
            BUILDS.index(row["build"]),
        ),
    )


def area_line(row):
    cycles = [row[f"{operation}_cycles"] for operation in OPERATIONS]
    product = "" if None in cycles else f"{row['lut'] * sum(cycles) / 1e9:.2f}e9"
    return line(
        f"{row['level']}, {row['preset']}, {row['build']}",
        f"{row['lut']} ({row['lut_raw']})",
        row["lutram"],
        row["ff"],
        f"{row['bram36']:g}",
        row["dsp"],
        *["" if count is None else count for count in cycles],
        product,
    )


def level_1():
    """Returns the lines on the whole cores of level 1, those for both schemes without cycles."""
    lines = []
    for name, scheme in (("BIKE", "BIKE"), ("HQC", "HQC"), ("both", "joint BIKE")):
        for row in area_rows(scheme):
            if (row["level"], row["build"]) == (1, "full"):
                cells = area_line(row).split(" | ")[1:]  # LUT, LUT RAM, FF, BRAM36, DSP, cycles
                cycles = ["", "", ""] if name == "both" else cells[5:8]
                lines.append(line(f"{name}, {row['preset']}", cells[0], *cells[2:5], *cycles))
    return lines


def joint_rows():
    """Returns the lines on the core for both schemes beside the cores apart."""
    lines = []
    for row in area_rows("joint BIKE"):  # the rows of both schemes have the same area
        preset, level = row["preset"], row["level"]
        apart = {
            figure: sum(sharing.stored(one, preset, level)[figure] for one in ("bike", "hqc"))
            for figure in sharing.FIGURES
        }
        saved = {
            figure: f"{100 * (1 - row[figure] / apart[figure]):.1f} %" for figure in sharing.FIGURES
        }
        ours, theirs, least = sharing.bound(preset, level)[-1][1]["lut"]
        lines.append(
            line(
                f"{level}, {preset}, {row['build']}",
                f"{row['lut']} ({row['lut_raw']})",
                apart["lut"],
                saved["lut"],
                f"{100 * least / (ours + theirs):.1f} %",
                *(row["ff"], saved["ff"], f"{row['bram36']:g}", saved["bram36"], row["dsp"]),
            )
        )
    return lines


def shared_units():
    """Returns the lines on what the two cores could share, by preset."""
    found = [sharing.bound(preset) for preset in ("light", "mid", "fast")]

    def cells(rows):
        return ["{}, {}".format(*figures["lut"][:2]) for _, figures in rows]

    return [
        *[line(rows[0][0], *cells(rows)) for rows in list(zip(*found, strict=True))[:-1]],
        line("the whole core", *cells([rows[-1] for rows in found])),
        line(
            "the smaller of each",
            *[
                f"{least}, {100 * least / (ours + theirs):.1f} % of both"
                for ours, theirs, least in (rows[-1][1]["lut"] for rows in found)
            ],
        ),
    ]


def peer_rows():
    """Returns the results of hardware/peers/racingbike.py."""
    return sorted(read("hardware/peers/results/racingbike.json"), key=lambda row: row["width"])


def peer_line(row):
    cycles = [row[operation] for operation in OPERATIONS]
    return line(
        row["width"],
        row["lut"],
        f"{row['bram36']:g}",
        *cycles,
        f"{row['lut'] * sum(cycles) / 1e9:.2f}e9",
    )


def open_hqc():
    """Returns the lines on the core that hardware/peers/open_hqc.py measures."""
    return [
        line(
            row["multipliers"],
            f"{row['lut']} ({row['lut_raw']})",
            row["lutram"],
            f"{row['ff']} and {row['latches']} latches",
            f"{row['bram36']:g}",
            row["dsp"],
            *[row[operation] for operation in OPERATIONS],
            f"{row['lut'] * sum(row[operation] for operation in OPERATIONS) / 1e9:.2f}e9",
        )
        for row in read("hardware/peers/results/open_hqc.json")
    ]


def routed_rows():
    """Returns the results of hardware/syn/route.py in the order of the table."""
    return sorted(
        read("hardware/results/ecp5.json"),
        key=lambda row: (row["level"], areas.PRESETS.index(row["preset"]), row["module"]),
    )


def routed_line(row):
    seeds = sorted(row["mhz_by_seed"].values())
    clock = (
        f"not finished after {row['unfinished_after_seconds']:.0f} s"
        if row["mhz"] is None
        else f"{row['mhz']:.1f}"
        if len(seeds) == 1
        else f"{row['mhz']:.1f} ({seeds[0]:.1f} to {seeds[-1]:.1f})"
    )
    return line(
        f"{row['level']}, {row['preset']}",
        row["module"],
        row["lut4"],
        row["lutram"],
        row["ff"],
        row["dp16kd"],
        row["dsp"],
        clock,
    )


# --- Counts of instructions -----------------------------------------------------------------------


def cortex_m4():
    """Returns the lines on the Cortex-M4: KEMs with their back ends, ours and pqm4's."""
    rows, sizes = (
        read(f"devices/results/{name}.json") for name in ("cortex-m4", "cortex-m4-sizes")
    )
    found = []
    for kem, backend in dict.fromkeys((row["kem"], row["backend"]) for row in rows):
        mine = [row for row in rows if (row["kem"], row["backend"]) == (kem, backend)]
        flash = [
            f"{row['flash_bytes']:,}"
            for row in sizes
            if (row["kem"], row["backend"]) == (kem, backend)
        ]
        found.append(
            line(
                kem,
                backend,
                " / ".join(f"{row['instructions']:,}" for row in mine),
                " / ".join(f"{row['stack_bytes']:,}" for row in mine),
                "".join(flash),
            )
        )
    return found


def cortex_m4_ratios():
    """Returns the lines on ours in relation to pqm4's, for the KEMs that pqm4 has."""
    rows = read("devices/results/cortex-m4.json")
    by_key = {(row["kem"], row["backend"] == "pqm4-m4f", row["operation"]): row for row in rows}

    def ratios(kem, figure):
        return " / ".join(
            f"{by_key[kem, False, o][figure] / by_key[kem, True, o][figure]:.2f}"
            for o in ("keypair", "encaps", "decaps")
        )

    kems = dict.fromkeys(row["kem"] for row in rows if row["backend"] == "pqm4-m4f")
    return [line(kem, ratios(kem, "instructions"), ratios(kem, "stack_bytes")) for kem in kems]


def cortex_m4_mceliece():
    """Returns the lines on Classic McEliece on the Cortex-M4: ours, Chen and Chou's, the ratio."""
    rows = read("devices/results/mceliece.json")
    theirs = {(row["kem"], row["operation"]): row for row in rows if row["backend"] == "ches2021"}
    lines = []
    for row in rows:
        if row["backend"] != "m4":
            continue
        peer = theirs.get((row["kem"], row["operation"]))
        cells = [f"{row['kem']} {row['operation']}"]
        for figure in ("instructions", "memory_bytes"):
            cells += [f"{row[figure]:,}"]
            cells += (
                [f"{peer[figure]:,}", f"{row[figure] / peer[figure]:.2f}"] if peer else ["", ""]
            )
        lines.append(line(*cells))
    return lines


def function_table(rows, least=LEAST_PERCENT):
    """Returns the lines, heading and all, on the functions that take at least so many percent."""
    totals = [sum(row["functions"].values()) for row in rows]
    shares = [
        {name: 100 * count / total for name, count in row["functions"].items()}
        for row, total in zip(rows, totals, strict=True)
    ]
    sums = {}
    for column in shares:
        for name, share in column.items():
            sums[name] = sums.get(name, 0) + share
    shown = [
        name
        for name in sorted(sums, key=lambda name: -sums[name])
        if any(column.get(name, 0) >= least for column in shares)
    ]
    rest = [100 - sum(column.get(name, 0) for name in shown) for column in shares]
    return [
        line("percent of the instructions", *[f"{row['kem']} {row['operation']}" for row in rows]),
        "|---" * (1 + len(rows)) + "|",
        *[
            line(f"`{name}`", *[f"{column.get(name, 0):.1f}" for column in shares])
            for name in shown
        ],
        line("all others", *[f"{share:.1f}" for share in rest]),
    ]


def functions():
    return function_table(read("devices/results/functions/cortex-m4.json"))[2:]


def counts(rows):
    """Returns the lines of a table, heading and all: millions of instructions of keypair, encaps,
    decaps."""
    kems = list(dict.fromkeys(row["kem"] for row in rows))
    found = {}
    for row in rows:
        of_kem = found.setdefault((row["target"], row["backend"]), {})
        of_kem.setdefault(row["kem"], []).append(row["instructions"])
    lines = [line("target", "back end", *kems), "|---" * (2 + len(kems)) + "|"]
    for (target, backend), of_kem in found.items():
        cells = [" / ".join(f"{count / 1e6:.2f}" for count in of_kem[kem]) for kem in kems]
        lines.append(line(f"`{target}`", backend, *cells))
    return lines


def processors():
    return counts(read("devices/results/linux.json"))[2:]


# --- TLS ------------------------------------------------------------------------------------------


def processor_ms(row):
    return f"{row['processor_ms_client'] + row['processor_ms_server']:.2f}"


def tls():
    """Returns the lines on TLS, a group each; X25519 is OpenSSL's own, in codekem's column."""
    found = {}
    for row in read("apps/openssl-provider/results/tls.json"):
        found.setdefault(row["group"], {})[row["implementation"] == "oqsprovider"] = row
    lines = []
    for group, rows in found.items():
        both = [rows.get(False), rows.get(True)]

        def cells(text, both=both):
            return ["" if row is None else text(row) for row in both]

        ratio = (
            ""
            if None in both or group == "X25519"
            else (f"{both[0]['handshakes_per_second'] / both[1]['handshakes_per_second']:.1f}")
        )
        lines.append(
            line(
                f"`{group}`",
                *cells(lambda row: f"{row['median_ms']:.2f}"),
                *cells(lambda row: f"{row['handshakes_per_second']:.0f}"),
                ratio,
                *cells(processor_ms),
                both[0]["bytes_client"],
                both[0]["bytes_server"],
            )
        )
    return lines


def tls_newer_openssl():
    """Returns the lines on OpenSSL 3.6, which has X25519MLKEM768."""
    return [
        line(f"`{row['group']}`", processor_ms(row), row["bytes_client"], row["bytes_server"])
        for row in read("apps/openssl-provider/results/tls-openssl-3.6.json")
    ]


def of_room(room, *tables):
    """Returns the tables if the room with their results has not been deleted."""
    return tables if house.is_there(room) else ()


TABLES = [
    *of_room(
        "hardware",
        Table("docs/hardware.md", "| level 1 |", level_1),
        Table(
            HARDWARE,
            "| BIKE: level, preset, build |",
            lambda: [area_line(row) for row in area_rows("BIKE")],
        ),
        Table(
            HARDWARE,
            "| HQC: level, preset, build |",
            lambda: [area_line(row) for row in area_rows("HQC")],
        ),
        Table(HARDWARE, "| multipliers |", open_hqc),
        Table(HARDWARE, "| unit |", shared_units),
        Table(HARDWARE, "| both: level, preset, build |", joint_rows),
        Table("docs/hardware-soc.md", "| level 1, cycles |", system_tables.brief),
        Table(HARDWARE, "| KEM | who |", system_tables.cycles),
        Table(HARDWARE, "| KEM | split |", system_tables.splits),
        Table(HARDWARE, "| part | module |", system_tables.areas),
        Table(HARDWARE, "| on the board |", system_tables.boards),
        Table(HARDWARE, "| width |", lambda: [peer_line(row) for row in peer_rows()]),
        Table(
            HARDWARE,
            "| level, preset | module |",
            lambda: [routed_line(row) for row in routed_rows()],
        ),
    ),
    *of_room(
        "devices",
        Table(
            "docs/devices.md",
            "| KEM | back end | keypair, encaps, decaps: instructions |",
            cortex_m4,
        ),
        Table("docs/devices.md", "| in relation to pqm4 |", cortex_m4_ratios),
        Table(DEVICES, "| Classic McEliece | instructions |", cortex_m4_mceliece),
        Table(DEVICES, "| percent of the instructions | BIKE-L1 keypair |", functions),
        Table(DEVICES, "| target | back end | BIKE-L1 |", processors),
    ),
    *of_room(
        "apps",
        Table("docs/results/tls.md", "| group | latency, ms: codekem |", tls),
        Table("docs/results/tls.md", "| group, OpenSSL 3.6 |", tls_newer_openssl),
    ),
]


def place(text, table):
    """Returns (first, behind) of a table's lines below its rule, as indices of the text's lines."""
    lines = text.splitlines()
    starts = [i for i, one in enumerate(lines) if one.startswith(table.heading)]
    if len(starts) != 1:
        raise TableError(
            f"{table.document} has {len(starts)} tables that begin with "
            f"{table.heading!r}; it should have one"
        )
    first = behind = starts[0] + 2
    while behind < len(lines) and lines[behind].startswith("|"):
        behind += 1
    return first, behind


def written(table):
    """Returns the lines of a table as they stand in its document."""
    text = (ROOT / table.document).read_text(encoding="utf-8")
    first, behind = place(text, table)
    return text.splitlines()[first:behind]


def write_all():
    """Writes all tables into their documents, or none; returns the names of those that changed."""
    texts = {}
    for table in TABLES:
        path = ROOT / table.document
        text = texts.get(path) or path.read_text(encoding="utf-8")
        first, behind = place(text, table)
        lines = text.splitlines()
        lines[first:behind] = table.lines()
        texts[path] = "\n".join(lines) + "\n"
    changed = {
        path: text for path, text in texts.items() if text != path.read_text(encoding="utf-8")
    }
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8")
    return [path.relative_to(ROOT).as_posix() for path in changed]
