# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables in docs/ that show stored results: each is made from the results alone.

`tools/stored_results.py tables` writes them; tools/tests/test_stored_results.py compares. A table
is where its rows come from, and a template for each of its columns, of the names in a row.
"""

import json
import pathlib
import string
import typing

from codekem_base import markdown
from tools import core_tables, house, system_tables
from tools.flow import areas, sharing

ROOT = pathlib.Path(__file__).resolve().parent.parent

BUILDS = ["full", "client", "server"]
HARDWARE = "docs/results/hardware.md"
DEVICES = "docs/results/devices.md"
LEAST_PERCENT = 4  # of the instructions: what a function takes that is shown
OPERATIONS = ["keygen", "encaps", "decaps"]
CALLS = ["keypair", "encaps", "decaps"]


class TableError(Exception):
    """A document does not have a table that is to be written, or its results cannot be read."""


class Template(string.Formatter):
    """Formats columns; what a row does not have is blank, however it would be written."""

    def format_field(self, value, format_spec):
        return "" if value is None else super().format_field(value, format_spec)


class Table(typing.NamedTuple):
    """A table of a document."""

    document: str
    heading: str  # its first line
    rows: typing.Callable  # () -> [{name: value}], or without templates the lines of a table
    columns: tuple = ()  # a template for each

    def lines(self):
        """Returns the lines below the rule."""
        if not self.columns:
            return self.rows()[2:]
        write = Template().vformat
        return [
            markdown.line(*(write(column, (), row) for column in self.columns))
            for row in self.rows()
        ]


def read(name):
    """Returns the rows of a file of results."""
    try:
        document = json.loads((ROOT / name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TableError(f"the results in {name} cannot be read: {error}") from error
    return document if isinstance(document, list) else document["rows"]


def grouped(rows, *names):
    """Returns {values of these names: rows}, in the order of the rows."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


# --- Hardware -------------------------------------------------------------------------------------


def in_order(rows, last):
    """Returns rows by level and preset, then by the key last, with a mark at those of earlier
    sources."""
    ordered = sorted(
        rows, key=lambda row: (row["level"], areas.PRESETS.index(row["preset"]), last(row))
    )
    return [{**row, "mark": " †" if areas.is_earlier(row) else ""} for row in ordered]


def product(row, suffix=""):
    """Returns a row with LUTs times cycles, in billions, if it has cycles."""
    cycles = [row[f"{operation}{suffix}"] for operation in OPERATIONS]
    shown = None if None in cycles else f"{row['lut'] * sum(cycles) / 1e9:.2f}e9"
    return {**row, "product": shown}


def area_rows(scheme):
    """Returns the results of hardware/syn/synthesise.py for a scheme."""
    stored = areas.read(ROOT / "hardware/results")
    found = in_order(
        (row for row in stored if row["core"].startswith(scheme)),
        lambda row: BUILDS.index(row["build"]),
    )
    return [product(row, "_cycles") for row in found]


def level_1():
    """Returns the whole cores of level 1, those for both schemes without cycles."""
    none = dict.fromkeys(f"{operation}_cycles" for operation in OPERATIONS)
    return [
        {**row, "name": name, **(none if name == "both" else {})}
        for name, scheme in (("BIKE", "BIKE"), ("HQC", "HQC"), ("both", "joint BIKE"))
        for row in area_rows(scheme)
        if (row["level"], row["build"]) == (1, "full")
    ]


def joint_rows():
    """Returns the core for both schemes beside the cores apart."""
    found = []
    for row in area_rows("joint BIKE"):  # the rows of both schemes have the same area
        preset, level = row["preset"], row["level"]
        alone = [sharing.stored(scheme, preset, level) for scheme in ("bike", "hqc")]
        ours, theirs, least = sharing.bound(preset, level)[-1][1]["lut"]
        apart = {f: sum(core[f] for core in alone) for f in sharing.FIGURES}
        saved = {f"{f}_saved": 100 * (1 - row[f] / apart[f]) for f in sharing.FIGURES}
        possible = 100 * least / (ours + theirs)
        found.append({**row, **saved, "apart": apart["lut"], "possible": possible})
    return found


def shared_units():
    """Returns what the two cores could share, by preset."""
    presets = ("light", "mid", "fast")
    found = [sharing.bound(preset) for preset in presets]
    rows = [
        {"unit": units[0][0], **{p: "{}, {}".format(*u[1]["lut"][:2])
                                 for p, u in zip(presets, units, strict=True)}}
        for units in zip(*found, strict=True)
    ]  # fmt: skip
    rows[-1]["unit"] = "the whole core"
    sums = [units[-1][1]["lut"] for units in found]
    shares = [f"{n}, {100 * n / (ours + theirs):.1f} % of both" for ours, theirs, n in sums]
    return [*rows, {"unit": "the smaller of each", **dict(zip(presets, shares, strict=True))}]


def peer_rows():
    """Returns the results of hardware/peers/racingbike.py."""
    rows = read("hardware/peers/results/racingbike.json")
    return [product(row) for row in sorted(rows, key=lambda row: row["width"])]


def open_hqc():
    """Returns the builds of the core that hardware/peers/open_hqc.py measures."""
    return [product(row) for row in read("hardware/peers/results/open_hqc.json")]


def clock(row):
    """Returns the clock that was reached, and the slowest and the fastest of several seeds."""
    if row["mhz"] is None:
        return f"not finished after {row['unfinished_after_seconds']:.0f} s"
    seeds = sorted(row["mhz_by_seed"].values())
    ends = "" if len(seeds) == 1 else f" ({seeds[0]:.1f} to {seeds[-1]:.1f})"
    return f"{row['mhz']:.1f}{ends}"


def routed_rows():
    """Returns the results of hardware/syn/route.py."""
    rows = in_order(read("hardware/results/ecp5.json"), lambda row: row["module"])
    return [{**row, "clock": clock(row)} for row in rows]


# --- Counts of instructions -----------------------------------------------------------------------


def cortex_m4():
    """Returns the KEMs on the Cortex-M4 with their back ends, ours and pqm4's."""
    rows, sizes = (
        grouped(read(f"devices/results/{name}.json"), "kem", "backend")
        for name in ("cortex-m4", "cortex-m4-sizes")
    )
    return [
        {
            "kem": key[0],
            "backend": key[1],
            "instructions": " / ".join(f"{row['instructions']:,}" for row in mine),
            "stack": " / ".join(f"{row['stack_bytes']:,}" for row in mine),
            "flash": sizes[key][0]["flash_bytes"] if key in sizes else None,
        }
        for key, mine in rows.items()
    ]


def cortex_m4_ratios():
    """Returns ours in relation to pqm4's, for the KEMs that pqm4 has."""
    rows = read("devices/results/cortex-m4.json")
    by_key = {(row["kem"], row["backend"] == "pqm4-m4f", row["operation"]): row for row in rows}

    def ratios(kem, figure):
        pairs = ((by_key[kem, theirs, call][figure] for theirs in (False, True)) for call in CALLS)
        return " / ".join(f"{ours / theirs:.2f}" for ours, theirs in pairs)

    return [
        {
            "kem": kem,
            "instructions": ratios(kem, "instructions"),
            "stack": ratios(kem, "stack_bytes"),
        }
        for kem in dict.fromkeys(row["kem"] for row in rows if row["backend"] == "pqm4-m4f")
    ]


def cortex_m4_mceliece():
    """Returns Classic McEliece on the Cortex-M4: ours, Chen and Chou's, the ratio."""
    found = []
    for rows in grouped(read("devices/results/mceliece.json"), "kem", "operation").values():
        by = {row["backend"]: row for row in rows}
        if "m4" not in by:
            continue
        row = dict(by["m4"])
        for figure in ("instructions", "memory_bytes"):
            theirs = by["ches2021"][figure] if "ches2021" in by else None
            row[f"{figure}_theirs"] = theirs
            row[f"{figure}_ratio"] = theirs and row[figure] / theirs
        found.append(row)
    return found


def cortex_m4_masked():
    """Returns HQC in shares on the Cortex-M4, beside the same without shares."""
    plain = {
        (row["kem"], row["operation"]): row["instructions"]
        for row in read("devices/results/cortex-m4.json")
        if row["backend"] == "m4"
    }
    found = []
    for row in read("devices/results/masked.json"):
        alone = plain.get((row["kem"], row["operation"]))
        found.append(row | {"plain": alone, "ratio": alone and row["instructions"] / alone})
    return found


def function_table(rows, least=LEAST_PERCENT):
    """Returns the lines, heading and all, on the functions that take at least so many percent."""
    shares = []
    for row in rows:
        total = sum(row["functions"].values())
        shares.append({name: 100 * count / total for name, count in row["functions"].items()})
    sums = {}
    for column in shares:
        for name, share in column.items():
            sums[name] = sums.get(name, 0) + share
    shown = [
        name
        for name in sorted(sums, key=lambda name: -sums[name])
        if any(column.get(name, 0) >= least for column in shares)
    ]
    cells = [[f"`{name}`", *(f"{column.get(name, 0):.1f}" for column in shares)] for name in shown]
    rest = [100 - sum(column.get(name, 0) for name in shown) for column in shares]
    cells.append(["all others", *(f"{share:.1f}" for share in rest)])
    heads = [f"{row['kem']} {row['operation']}" for row in rows]
    return markdown.lines(["percent of the instructions", *heads], cells)


def counts(rows):
    """Returns the lines of a table, heading and all: millions of instructions of keypair, encaps,
    decaps."""
    kems = list(dict.fromkeys(row["kem"] for row in rows))
    cells = []
    for (target, backend), mine in grouped(rows, "target", "backend").items():
        of_kem = grouped(mine, "kem")
        counted = ([f"{row['instructions'] / 1e6:.2f}" for row in of_kem[kem,]] for kem in kems)
        cells.append([f"`{target}`", backend, *map(" / ".join, counted)])
    return markdown.lines(["target", "back end", *kems], cells, texts=2)


# --- TLS ------------------------------------------------------------------------------------------


def tls_of(row):
    return {**row, "processor": row["processor_ms_client"] + row["processor_ms_server"]}


def tls():
    """Returns a row for each group; X25519 is OpenSSL's own, in codekem's column."""
    found = []
    rows = map(tls_of, read("apps/openssl-provider/results/tls.json"))
    for (group,), mine in grouped(rows, "group").items():
        by = {row["implementation"] == "oqsprovider": row for row in mine}
        theirs = by.get(True, {})
        row = {f"{name}_theirs": theirs.get(name) for name in mine[0]}
        rates = [one.get("handshakes_per_second") for one in (by[False], theirs)]
        ratio = None if group == "X25519" or None in rates else rates[0] / rates[1]
        found.append({**by[False], **row, "ratio": ratio})
    return found


def tls_newer_openssl():
    """Returns OpenSSL 3.6, which has X25519MLKEM768."""
    return list(map(tls_of, read("apps/openssl-provider/results/tls-openssl-3.6.json")))


# --- All of them ----------------------------------------------------------------------------------

LUT, BRAM, PRODUCT = "{lut} ({lut_raw})", "{bram36:g}", "{product}"
CYCLES = tuple(f"{{{operation}_cycles}}" for operation in OPERATIONS)
PEER_CYCLES = tuple(f"{{{operation}}}" for operation in OPERATIONS)
CORE = (
    "{level}, {preset}, {build}{mark}",
    LUT,
    "{lutram}",
    "{ff}",
    BRAM,
    "{dsp}",
    *CYCLES,
    PRODUCT,
)
TABLES_OF = {
    "hardware": (
        Table("docs/hardware.md", "| level 1 |", level_1,
              ("{name}, {preset}{mark}", LUT, "{ff}", BRAM, "{dsp}", *CYCLES)),
        Table(HARDWARE, "| BIKE: level, preset, build |", lambda: area_rows("BIKE"), CORE),
        Table(HARDWARE, "| HQC: level, preset, build |", lambda: area_rows("HQC"), CORE),
        Table(HARDWARE, "| multipliers |", open_hqc,
              ("{multipliers}", LUT, "{lutram}", "{ff} and {latches} latches", BRAM, "{dsp}",
               *PEER_CYCLES, PRODUCT)),
        Table(HARDWARE, "| unit |", shared_units, ("{unit}", "{light}", "{mid}", "{fast}")),
        Table(HARDWARE, "| both: level, preset, build |", joint_rows,
              ("{level}, {preset}, {build}{mark}", LUT, "{apart}", "{lut_saved:.1f} %",
               "{possible:.1f} %", "{ff}", "{ff_saved:.1f} %", BRAM, "{bram36_saved:.1f} %",
               "{dsp}")),
        Table(HARDWARE, "| width |", peer_rows, ("{width}", "{lut}", BRAM, *PEER_CYCLES, PRODUCT)),
        Table(HARDWARE, "| level, preset | module |", routed_rows,
              ("{level}, {preset}{mark}", "{module}", "{lut4}", "{lutram}", "{ff}", "{dp16kd}",
               "{dsp}",
               "{clock}")),
        *(Table(document, heading, *made) for (document, heading), made in
          (core_tables.TABLES | system_tables.TABLES).items()),
    ),
    "devices": (
        Table("docs/devices.md", "| KEM | back end | keypair, encaps, decaps: instructions |",
              cortex_m4, ("{kem}", "{backend}", "{instructions}", "{stack}", "{flash:,}")),
        Table("docs/devices.md", "| in relation to pqm4 |", cortex_m4_ratios,
              ("{kem}", "{instructions}", "{stack}")),
        Table(DEVICES, "| Classic McEliece | instructions |", cortex_m4_mceliece,
              ("{kem} {operation}",
               *(f"{{{figure}{cell}}}" for figure in ("instructions", "memory_bytes")
                 for cell in (":,", "_theirs:,", "_ratio:.2f")))),
        Table(DEVICES, "| HQC in shares | instructions |", cortex_m4_masked,
              ("{kem} {operation}", "{instructions:,}", "{plain:,}", "{ratio:.2f}",
               "{stack_bytes:,}")),
        Table(DEVICES, "| percent of the instructions | BIKE-L1 keypair |",
              lambda: function_table(read("devices/results/functions/cortex-m4.json"))),
        Table(DEVICES, "| target | back end | BIKE-L1 |",
              lambda: counts(read("devices/results/linux.json"))),
    ),
    "apps": (
        Table("docs/results/tls.md", "| group | latency, ms: codekem |", tls,
              ("`{group}`",
               *(f"{{{name}{side}:{digits}}}" for name, digits in
                 (("median_ms", ".2f"), ("handshakes_per_second", ".0f"))
                 for side in ("", "_theirs")),
               "{ratio:.1f}", "{processor:.2f}", "{processor_theirs:.2f}", "{bytes_client}",
               "{bytes_server}")),
        Table("docs/results/tls.md", "| group, OpenSSL 3.6 |", tls_newer_openssl,
              ("`{group}`", "{processor:.2f}", "{bytes_client}", "{bytes_server}")),
    ),
}  # fmt: skip
# Of a room that has not been deleted with its results.
TABLES = [table for room, tables in TABLES_OF.items() if house.is_there(room) for table in tables]


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
