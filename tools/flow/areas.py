# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The stored areas of the cores: areas.csv has a line for each core, of the core for both schemes
one for each, and modules.csv one for each of its modules.

In Python a row of a core has "parameters" {name: number}, "made_from" and "modules" {name:
figures}, as hardware/syn/synthesise.py makes them.
"""

import csv
import io

FIGURES = ("lut", "lut_raw", "lutram", "ff", "bram36", "dsp")
CORE = ("core", "preset", "level", "build")  # tell a row from the others
MADE_FROM = ("measured", "script", "by")
COLUMNS = {
    "areas.csv": (
        *(*CORE, "parameters", *FIGURES, "keygen_cycles", "encaps_cycles", "decaps_cycles"),
        *("ecp5_mhz", "tools", *MADE_FROM),
    ),
    "modules.csv": (*CORE, "module", *FIGURES),
}
WORDS = {"core", "preset", "build", "parameters", "tools", "module", *MADE_FROM}
# At the end of made_from["by"] of a stored result that is not of the present sources, and says so.
EARLIER = "; of earlier sources"
# In the order of their numbers.
PRESETS = ("light", "mid", "fast", "hp", "max")


def value_of(name, text):
    """Returns the value of a field: a word, a number, or None if it is empty."""
    if name in WORDS:
        return text
    return None if text == "" else float(text) if "." in text else int(text)


def lines_of(path):
    """Returns the lines of a file of areas as {name: value}; none if it is not there."""
    if not path.exists():
        return []
    with path.open(encoding="ascii", newline="") as file:
        lines = list(csv.DictReader(file))
    return [{name: value_of(name, text) for name, text in line.items()} for line in lines]


def is_earlier(row):
    """Says whether a stored result of any kind says that it is of earlier sources."""
    return (row.get("made_from") or {}).get("by", "").endswith(EARLIER)


def key_of(row):
    return tuple(row[name] for name in CORE)


def read(folder):
    """Returns the rows of the cores in a folder of results."""
    modules = {}
    for line in lines_of(folder / "modules.csv"):
        figures = {name: line[name] for name in FIGURES}
        modules.setdefault(key_of(line), {})[line["module"]] = figures
    rows = lines_of(folder / "areas.csv")
    for row in rows:
        pairs = (text.split("=") for text in row["parameters"].split())
        row["parameters"] = {name: int(value) for name, value in pairs}
        row["made_from"] = {name: row.pop(name) for name in MADE_FROM}
        row["modules"] = modules.get(key_of(row), {})
    return rows


def write(folder, rows):
    """Writes the rows of all cores, in the order of cores, levels, presets and builds."""
    ordered = sorted(
        rows,
        key=lambda row: (row["core"], PRESETS.index(row["preset"]), row["build"]),
    )
    flat = [
        row
        | {"parameters": " ".join(f"{name}={value}" for name, value in row["parameters"].items())}
        | row["made_from"]
        for row in ordered
    ]
    modules = [
        {name: row[name] for name in CORE} | {"module": module} | figures
        for row in ordered
        for module, figures in sorted(row["modules"].items())
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (("areas.csv", flat), ("modules.csv", modules)):
        text = io.StringIO()
        table = csv.DictWriter(text, COLUMNS[name], extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows(lines)
        (folder / name).write_text(text.getvalue(), encoding="ascii")


def keep(folder, rows):
    """Writes rows into a folder of results, in the place of those of the same cores."""
    new = {key_of(row) for row in rows}
    write(folder, [*(row for row in read(folder) if key_of(row) not in new), *rows])
