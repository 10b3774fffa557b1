# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the summary of one page shows: the KEMs of category 1 as a plot and as a small table."""

from codekem_base.model import Brief, Cell, Table, duration, label, missing, number
from codekem_evaluation import alike, findings, plots, ratios
from codekem_evaluation.kems import MCELIECE
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL, trace_id

CATEGORY = 1
NOTE = (
    "Category 1. Portable, peer: their time in units of that of our fastest code, with an interval"
)


def make(samples):
    """Returns the Brief of a run; None if it holds no such KEM."""
    table = Table(
        "summary",
        "KEMs of category 1",
        ["KEM", "code", "bytes on the wire", "µs in all", "most of it", "portable", "peer"],
        texts=2,
        notes=[NOTE],
    )
    for kem in samples.run["kems"]:
        if kem["level"] == CATEGORY and not kem.get("legacy"):
            add_row(table, samples, kem)
    plot = next(iter(plots.overview(samples)), None)
    return Brief(plot, table) if table.rows else None


def add_row(table, samples, kem):
    name = kem["name"]
    best = samples.best(name) or next(iter(samples.implementations(name)), None)
    if best is None:
        return
    overall = trace_id(name, best, OVERALL)
    shares = {o: findings.share(samples, name, best, o) for o in OPERATIONS}
    top = max(shares, key=lambda operation: shares[operation])
    table.add(
        label(name),
        label(best),
        number(kem["public_key_bytes"] + kem["ciphertext_bytes"], f"kems/{name}", 0),
        number(samples.summary(name, best, OVERALL).median / 1e3, overall),
        Cell(f"{LABELS[top]} {100 * shares[top]:.0f} %", 100 * shares[top], overall),
        beside(samples, name, best, "portable"),
        beside(samples, name, best, findings.best_peer(samples, name), named=True),
    )


def beside(samples, kem, best, other, named=False):
    """Returns the cell of another's time in units of our best."""
    if other is None or not samples.has(kem, other):
        return missing("not measured in this run")
    if other == best:
        return missing("the same code")
    cell = ratios.of(samples, kem, other, best).cell(trace_id(kem, other, OVERALL))
    if named and cell.why is None:
        return Cell(f"{other}: {cell.text}", cell.value, cell.trace, interval=cell.interval)
    return cell


# --- The terminal --------------------------------------------------------------------------------


FIRST = 10  # lines of the page's first screen


def first(samples):
    """Returns the table of the page's first screen: of screen() the KEMs of category 1, and with
    each how many bytes its exchange sends."""
    table = screen(samples)
    kems = {kem["name"]: kem for kem in samples.run["kems"]}
    rows = [row for row in table.rows if kems[row[0].text]["level"] == CATEGORY
            and kems[row[0].text]["scheme"] != MCELIECE]  # fmt: skip
    table.key, table.title = "first", "One key exchange, category 1 (medians)"
    table.rows = (rows or table.rows)[:FIRST]
    table.columns = [*table.columns, "bytes sent"]
    for row in table.rows:
        kem = kems[row[0].text]
        sent = kem["public_key_bytes"] + kem["ciphertext_bytes"]
        row.append(number(sent, f"kems/{kem['name']}", 0))
    table.notes = []
    return table


def screen(samples):
    """Returns the times that the terminal shows: our fastest code of each KEM, and below it the
    peers; without peers, our portable code. Of Classic McEliece only the first set."""
    table = Table(
        "screen",
        "Times (median)",
        ["KEM", "code", *[LABELS[o] for o in OPERATIONS], "together", "our fastest: 1"],
        texts=2,
    )
    peers = alike.any_peers(samples)
    sets = [kem["name"] for kem in samples.run["kems"] if kem["scheme"] == MCELIECE]
    for kem in samples.run["kems"]:
        name, best = kem["name"], samples.best(kem["name"])
        if kem.get("legacy") or name in sets[1:]:
            continue
        others = [peer["name"] for peer in alike.peers_of(samples, name)]
        if not peers and best != "portable" and samples.has(name, "portable"):
            others = ["portable"]
        for code in ([best] if best else []) + others:
            table.add(
                label(name),
                label(whose(samples, name, code)),
                *[time_cell(samples, name, code, o) for o in (*OPERATIONS, OVERALL)],
                times_ours(samples, name, code, best),
            )
    if len(sets) > 1:
        table.notes.append(f"{len(sets) - 1} more sets of {MCELIECE} are in the report")
    if not table.rows:
        table.reason = "this run holds no times"
    return table


def whose(samples, kem, code):
    """Names code: ours by its back end, a peer's by the kind of its instructions, if known."""
    peer = next((peer for peer in alike.peers_of(samples, kem) if peer["name"] == code), None)
    if peer is None:
        return f"codekem, {code}"
    kind, _ = alike.code_of(peer, kem)
    return f"{code}, {kind}" if kind else code


def time_cell(samples, kem, code, operation):
    median = samples.summary(kem, code, operation).median
    return Cell(duration(median), median, trace_id(kem, code, operation))


def times_ours(samples, kem, code, best):
    if best is None:
        return missing("codekem has no such KEM")
    if code == best:
        return label("1")
    return ratios.of(samples, kem, code, best).cell(trace_id(kem, code, OVERALL))
