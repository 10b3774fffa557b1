# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables of times: KeyGen, Encaps, Decaps, Overall, ours, peers' and published ones."""

from codekem_evaluation.model import Table, label, missing, number
from codekem_evaluation.samples import LABELS, OVERALL, trace_id


def times(samples):
    """Returns the times of every KEM of today, each implementation beside our best."""
    table = Table("times", "Times in milliseconds (median)",
                  ["KEM", "implementation", *LABELS.values(), "to our best"], texts=2)
    for kem in samples.run["kems"]:
        name = kem["name"]
        best = None if kem.get("legacy") else samples.best(name)
        for implementation in [] if kem.get("legacy") else samples.implementations(name):
            cells = [number(samples.summary(name, implementation, operation).median / 1e6,
                            trace_id(name, implementation, operation)) for operation in LABELS]
            ratio = (missing("codekem was not measured for this KEM") if best is None else number(
                samples.summary(name, implementation, OVERALL).median
                / samples.summary(name, best, OVERALL).median,
                trace_id(name, implementation, OVERALL), 2, " ×"))
            table.add(label(name), label(implementation), *cells, ratio)
    if not table.rows:
        table.reason = "this run holds no times"
    return table
