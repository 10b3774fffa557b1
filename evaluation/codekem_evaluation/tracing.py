# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows what is behind a number: raw samples, or the row of the file that it is from."""

from codekem_evaluation import published, statistics
from codekem_evaluation.errors import EvaluationError
from codekem_evaluation.samples import LABELS, Samples


def trace(run, path, name):
    """Returns the lines that explain the number called name, such as times/BIKE-L1/avx2/decaps."""
    kind, _, rest = name.partition("/")
    if kind == "published":
        return published.find(name)
    finders = {"times": trace_times, "stack": trace_rows, "code": trace_rows, "profile": trace_rows}
    if kind not in finders:
        raise EvaluationError(f"there is nothing called {name}; names begin with "
                              f"{', '.join(finders)} or published, as in times/BIKE-L1/portable/decaps")
    return [f"{name} in {path}", *finders[kind](run, kind, rest)]


def trace_times(run, _kind, rest):
    parts = rest.split("/")
    samples = Samples(run)
    if len(parts) != 3 or parts[2] not in LABELS or samples.rounds(*parts) is None:
        raise EvaluationError(f"this run has no samples times/{rest}; it has "
                              f"times/KEM/IMPLEMENTATION/{'|'.join(LABELS)} for "
                              + ", ".join(sorted({f"{t['kem']}/{t['implementation']}"
                                                  for t in run["times"]})))
    lines = []
    for unit in ("nanoseconds", "cycles"):
        rounds = samples.rounds(*parts, unit)
        if rounds is None:
            lines.append(f"{unit}: this processor has no counter of cycles")
            continue
        s = statistics.summarise(rounds)
        lines.append(
            f"{unit}: median {s.median:,.0f}, {100 * s.estimate.confidence:.1f} % interval "
            f"{s.estimate.low:,.0f} to {s.estimate.high:,.0f}; quartiles {s.lower_quartile:,.0f} and "
            f"{s.upper_quartile:,.0f}; {s.count} samples in {s.rounds} rounds, {s.outliers} outliers")
        lines += [f"  round {number}: " + " ".join(f"{value:g}" for value in taken)
                  for number, taken in enumerate(rounds, 1)]
    return lines


def trace_rows(run, kind, rest):
    """Shows the rows of a list of the run whose values, joined, begin with rest."""
    found = [row for row in run.get(kind, [])
             if "/".join(str(v) for v in row.values() if isinstance(v, str)).startswith(rest)]
    if not found:
        raise EvaluationError(f"this run has no {kind}/{rest}")
    return [", ".join(f"{key}: {value}" for key, value in row.items()) for row in found]
