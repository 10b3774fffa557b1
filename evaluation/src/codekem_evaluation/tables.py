# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables of a report by their names, each with the part of a run that it needs; and the rows of
the long table that they are made from."""

import itertools
import typing

from codekem_base.errors import EvaluationError
from codekem_base.model import Table
from codekem_evaluation import (
    alike,
    batches,
    long,
    packages,
    paths,
    store,
    tables_footprint,
    tables_hardware,
    tables_hls,
    tables_network,
    tables_packages,
    tables_processors,
    tables_profile,
    tables_signatures,
    tables_soc,
    tables_times,
)
from codekem_evaluation.long import Row
from codekem_evaluation.samples import Samples


class Named(typing.NamedTuple):
    """A table: the list of a run that it needs, if any, and what makes it of Samples. A list of
    tables has a name for all."""

    needs: str | None
    make: typing.Callable


NAMED = {
    "peers": Named("times", alike.table),
    "times": Named("times", tables_times.times),
    "speedups": Named("times", tables_times.speedups),
    "cycles": Named("times", tables_times.cycles),
    "spread": Named("times", tables_times.details),
    "profile": Named("profile", lambda samples: tables_profile.profiles(samples.run)),
    "sizes": Named("kems", lambda samples: tables_network.sizes(samples.run)),
    "wire": Named("times", tables_network.handshake),
    "tls": Named("tls", lambda samples: tables_network.tls(samples.run)),
    "hardware-resources": Named(None, lambda _: tables_hardware.resources()),
    "hardware-times": Named(None, lambda _: tables_hardware.times()),
    "hardware-cycles": Named(None, lambda _: tables_hardware.cycles()),
    "hardware-splits": Named(None, lambda _: tables_soc.splits()),
    "hardware-routed": Named(None, lambda _: tables_hardware.routed()),
    "hardware-primitives": Named(None, lambda _: tables_hardware.primitives()),
    "hardware-functions": Named(None, lambda _: tables_hardware.functions()),
    "hls-functions": Named(None, lambda _: tables_hls.functions()),
    "hls-primitives": Named(None, lambda _: tables_hls.primitives()),
    "hls-comparison": Named(None, lambda _: tables_hls.comparison()),
    "claims": Named(None, lambda _: tables_hardware.claims()),
    "processors": Named(None, lambda _: tables_processors.processors()),
    "flash": Named(None, lambda _: tables_processors.flash()),
    "stack": Named("stack", lambda samples: tables_footprint.stack(samples.run)),
    "code": Named("code", lambda samples: tables_footprint.code(samples.run)),
    "variants": Named("times", tables_times.variants),
    "signatures": Named("signatures", lambda samples: tables_signatures.table(samples.run)),
    "packages": Named(None, lambda _: tables_packages.table(packages.latest())),
    "batches": Named(None, lambda _: batches.table(batches.read(batches.FILE))),
}


def made(samples, *names):
    """Returns the tables with these names."""
    found = []
    for name in names:
        table = NAMED[name].make(samples)
        found += table if isinstance(table, list) else [table]
    return found


def named(name):
    if name not in NAMED:
        raise EvaluationError(f"there is no table {name}; there are {', '.join(NAMED)}")
    return NAMED[name]


def listed():
    """Returns a line for each table: its name, and what it is made from."""
    width = max(map(len, NAMED))
    return [
        f"{name:{width}}  {f'measured: {one.needs}' if one.needs else 'stored and published'}"
        for name, one in NAMED.items()
    ]


def holds(run, name, kems=()):
    """Tells whether a run has what a table needs, of all these KEMs."""
    rows = run.get(named(name).needs) or []
    known = {row.get("kem", row.get("name")) for row in rows} - {None}
    return bool(rows) and (not known or known >= set(kems))


def run_for(name, kems=()):
    """Returns the path of the newest stored run that has what a table needs, or None; of one that
    needs none too."""
    if named(name).needs is None:
        return None
    stored = [*paths.RUNS.glob("run-*.json"), *paths.RUNS.glob("part-*.json")]
    for path in sorted(stored, key=store.age, reverse=True):
        if holds(store.read_run(path), name, kems):
            return path
    return None


def show(name, path, kems=()):
    """Returns the tables of a name, of a stored run or of none; kems: only their rows."""
    samples = None if path is None else Samples(store.read_run(path))
    found = made(samples, name)
    for table in found if kems else ():
        table.rows = [row for row in table.rows if row[0].text in kems]
        if not table.rows:
            raise EvaluationError(f"the table {table.key} has no row of {', '.join(kems)}")
    return found


# --- The long table -------------------------------------------------------------------------------


def rows(samples, report):
    """Returns all rows: those that the tables are made from, and those of tables that are made
    otherwise, such as other packages' sections."""
    run = samples.run
    counted = run["clock"]["cycles"] is not None
    found = [
        tables_times.measured(samples, "nanoseconds"),
        tables_times.measured(samples, "cycles") if counted else (),
        tables_times.published_rows(samples),
        tables_times.published_cycles(samples),
        tables_times.gains(samples),
        tables_times.spread(samples),
        tables_times.of_variants(samples),
        *(tables_profile.rows(run, kem["name"]) for kem in run["kems"]),
        tables_network.of_sizes(run),
        tables_network.exchanges(samples),
        tables_network.of_tls(run)[0],
        tables_hardware.resources_of(),
        tables_hardware.times_of(),
        tables_hardware.of_modules(),
        tables_hardware.of_parts(),
        tables_hardware.of_claims(),
        tables_hls.of_functions(),
        tables_hls.of_primitives(),
        tables_hls.of_comparison(),
        tables_soc.of_splits(),
        tables_processors.rows()[0],
        tables_processors.of_flash()[0],
        tables_footprint.of_stack(run),
        tables_footprint.of_code(run),
        tables_signatures.rows(run),
        tables_packages.of_parts(packages.latest()),
        batches.stored(),
    ]
    others = [table for table in report.tables() if table.key not in FROM_ROWS
              and not table.key.startswith("profile-")]  # fmt: skip
    return [*itertools.chain(*found), *itertools.chain(*map(of_table, others))]


FROM_ROWS = set(NAMED) - {"peers"}


def of_table(table: Table):
    """Yields rows for the numbers of a table that is not made from rows."""
    for cells in table.rows:
        names = [cell.text for cell in cells[: table.texts]]
        for heading, cell in zip(table.columns, cells, strict=True):
            if cell.why is None and not isinstance(cell.value, (int, float)):
                continue
            low, high = cell.interval or (None, None)
            yield Row(names[0], long.PARTS.join(names[1:]), "", heading, cell.value, "",
                      f"table {table.key}", cell.trace, low, high, cell.why)  # fmt: skip
