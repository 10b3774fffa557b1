# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows what is behind a number: raw samples, or the row of the file that it is from."""

from codekem_base.errors import EvaluationError
from codekem_evaluation import (
    batches,
    history,
    inputs,
    parts,
    paths,
    published,
    statistics,
    tables_hls,
)
from codekem_evaluation.samples import LABELS, Samples

LISTS = {"handshakes": "tls"}  # names of lists of a run that are not those of traces


def trace(run, path, name):
    """Returns the lines that explain the number called name, such as times/BIKE-L1/avx2/decaps."""
    kind, _, rest = name.partition("/")
    elsewhere = {
        "batches": batches.trace,
        "published": published.find,
        "hls": tables_hls.trace,
        "history": history.trace,
        **parts.traces(),
    }
    if kind in elsewhere:
        return elsewhere[kind](name)
    if kind in inputs.REQUIRED:
        return trace_input(kind, name)
    finders = {
        "times": trace_times,
        **dict.fromkeys(
            ("stack", "code", "profile", "kems", "handshakes", "signatures"), trace_rows
        ),
    }
    if kind not in finders:
        kinds = ", ".join([*finders, *inputs.REQUIRED])
        raise EvaluationError(
            f"there is nothing called {name}; names begin with {kinds} or "
            "published, as in times/BIKE-L1/portable/decaps"
        )
    return [f"{name} in {path}", *finders[kind](run, kind, rest)]


def trace_input(kind, name):
    """Shows the row of another part's results."""
    folder = inputs.FOLDERS[kind]
    found = [row for row in inputs.read(kind, folder)[0] if row["trace"] == name]
    if not found:
        raise EvaluationError(f"there is no {name} in {paths.short(folder)}")
    file, index = name.split("/")[1:]
    return [
        f"{paths.short(folder / f'{file}.json')}, row {index}",
        *[f"{key}: {value}" for key, value in found[0].items() if key != "trace"],
    ]


def trace_times(run, _kind, rest):
    parts = rest.split("/")
    samples = Samples(run)
    if len(parts) != 3 or parts[2] not in LABELS or samples.rounds(*parts) is None:
        raise EvaluationError(
            f"this run has no samples times/{rest}; it has "
            f"times/KEM/IMPLEMENTATION/{'|'.join(LABELS)} for "
            + ", ".join(sorted({f"{t['kem']}/{t['implementation']}" for t in run["times"]}))
        )
    lines = []
    for unit in ("nanoseconds", "cycles"):
        rounds = samples.rounds(parts[0], parts[1], parts[2], unit)
        if rounds is None:
            lines.append(f"{unit}: this processor has no counter of cycles")
            continue
        s = statistics.summarise(rounds)
        lines.append(
            f"{unit}: median {s.median:,.0f}, {100 * s.estimate.confidence:.1f} % interval "
            f"{s.estimate.low:,.0f} to {s.estimate.high:,.0f}; quartiles {s.lower_quartile:,.0f} "
            f"and {s.upper_quartile:,.0f}; {s.count} samples in {s.rounds} rounds, "
            f"{s.outliers} outliers"
        )
        lines += [
            f"  round {number}: " + " ".join(f"{value:g}" for value in taken)
            for number, taken in enumerate(rounds, 1)
        ]
    return lines


def trace_rows(run, kind, rest):
    """Shows the rows of a list of the run whose names, joined, begin with rest."""
    found = [
        row
        for row in run.get(LISTS.get(kind, kind), [])
        if "/".join(v for v in row.values() if isinstance(v, str)).lower().startswith(rest.lower())
    ]
    if not found:
        raise EvaluationError(f"this run has no {kind}/{rest}")
    return [", ".join(f"{key}: {value}" for key, value in row.items()) for row in found]
