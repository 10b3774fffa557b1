# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory and size: high-water mark of the stack, bytes of code and tables."""

from codekem_base.model import Table, label, missing, number
from codekem_evaluation.samples import LABELS, OPERATIONS

# Of each scheme its folder, and those of its mathematics.
SCHEMES = {
    "BIKE": ("bike", ("gf2x", "keccak", "sparse")),
    "HQC": ("hqc", ("gf2x", "keccak", "sparse")),
    "Classic McEliece": (
        "mceliece",
        ("gf2m", "bitmatrix", "sort", "benes", "recurrence", "keccak"),
    ),
}
OTHERS = ("base", "entry points")


def stack(run):
    """Returns the stack of every KEM and back end; the variants of BIKE differ by little."""
    table = Table(
        "stack",
        "Stack that an operation takes, bytes (high-water mark)",
        ["KEM", "implementation", *[LABELS[o] for o in OPERATIONS]],
        texts=2,
    )
    rows = {}
    for row in run.get("stack", []):
        rows.setdefault((row["kem"], row["implementation"]), {})[row["operation"]] = row["bytes"]
    current = {kem["name"] for kem in run["kems"] if not kem.get("legacy")}
    for (kem, implementation), found in rows.items():
        if kem in current:
            table.add(
                label(kem),
                label(implementation),
                *[
                    number(found[o], f"stack/{kem}/{implementation}/{o}", 0)
                    if o in found
                    else missing("not measured")
                    for o in OPERATIONS
                ],
            )
    if not table.rows:
        table.reason = "this run was interrupted before, or the sampler is missing"
    table.notes = [
        "with what the library wipes below its own frames (docs/security.md); peers are "
        "not measured: their programs cannot be told to use a stack of ours"
    ]
    return table


def code(run):
    """Returns code and tables of each scheme on each back end, with the mathematics that it
    uses."""
    table = Table(
        "code",
        "Code and tables in bytes, of what each scheme uses",
        [
            "scheme",
            "back end",
            "scheme's code",
            "mathematics' code",
            "shared code",
            "all code",
            "all tables",
        ],
        texts=2,
    )
    rows = run.get("code", [])
    backends = list(dict.fromkeys(row["backend"] for row in rows if row["backend"]))
    order = [i["name"] for i in run["implementations"] if i["name"] in backends]

    def total(parts, backend, what):
        return sum(
            row[what] for row in rows if row["part"] in parts and row["backend"] in (None, backend)
        )

    for scheme, (folder, mathematics) in SCHEMES.items():
        if not any(row["part"] == folder for row in rows):
            continue  # this build is without it
        for backend in order:
            parts = [(folder,), mathematics, OTHERS]
            sizes = [total(part, backend, "code_bytes") for part in parts]
            tables = total((folder, *mathematics, *OTHERS), backend, "table_bytes")
            table.add(
                label(scheme),
                label(backend),
                *[number(size, "code/", 0) for size in (*sizes, sum(sizes), tables)],
            )
    if not table.rows:
        table.reason = "the objects of the build were not there to be measured"
    table.notes = [
        "objects of the build by folder and ending; functions that a back end borrows "
        "from another are counted there"
    ]
    return table
