# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory and size: high-water mark of the stack, bytes of code and tables."""

from codekem_evaluation.long import Column, Row, Spec, each
from codekem_evaluation.samples import LABELS, OPERATIONS
from codekem_evaluation.tables_times import HERE

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
STACK = Spec(
    "stack",
    "Stack that an operation takes, bytes (high-water mark)",
    {"KEM": "subject", "implementation": "code"},
    each({o: LABELS[o] for o in OPERATIONS}, "stack", digits=0),
)
CODE = Spec(
    "code",
    "Code and tables in bytes, of what each scheme uses",
    {"scheme": "subject", "back end": "code"},
    [
        Column(name, name, digits=0)
        for name in ("scheme's code", "mathematics' code", "shared code", "all code", "all tables")
    ],
)


def of_stack(run):
    """Yields the stack of every KEM and back end; the variants of BIKE differ by little."""
    current = {kem["name"] for kem in run["kems"] if not kem.get("legacy")}
    for row in run.get("stack", []):
        kem, code, operation = row["kem"], row["implementation"], row["operation"]
        if kem in current:
            trace = f"stack/{kem}/{code}/{operation}"
            yield Row(kem, code, operation, "stack", row["bytes"], "bytes", HERE, trace)


def stack(run):
    notes = [
        "with what the library wipes below its own frames (docs/security.md); peers are "
        "not measured: their programs cannot be told to use a stack of ours"
    ]
    why = "this run was interrupted before, or the sampler is missing"
    return STACK.table(of_stack(run), notes, why)


def of_code(run):
    """Yields code and tables of each scheme on each back end, with the mathematics that it uses."""
    rows = run.get("code", [])
    known = {row["backend"] for row in rows if row["backend"]}

    def total(parts, backend, what):
        return sum(
            row[what] for row in rows if row["part"] in parts and row["backend"] in (None, backend)
        )

    for scheme, (folder, mathematics) in SCHEMES.items():
        if not any(row["part"] == folder for row in rows):
            continue  # this build is without it
        for code in [i["name"] for i in run["implementations"] if i["name"] in known]:
            parts = [(folder,), mathematics, OTHERS]
            sizes = [total(part, code, "code_bytes") for part in parts]
            tables = total((folder, *mathematics, *OTHERS), code, "table_bytes")
            for column, size in zip(CODE.columns, (*sizes, sum(sizes), tables), strict=True):
                yield Row(scheme, code, "", column.metric, size, "bytes", HERE, "code/")


def code(run):
    notes = [
        "objects of the build by folder and ending; functions that a back end borrows "
        "from another are counted there"
    ]
    why = "the objects of the build were not there to be measured"
    return CODE.table(of_code(run), notes, why)
