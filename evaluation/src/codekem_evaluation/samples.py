# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Finds samples in a stored run, and names them: times/KEM/IMPLEMENTATION/OPERATION."""

from codekem_evaluation import statistics

OPERATIONS = ("keygen", "encaps", "decaps")
OVERALL = "overall"  # the sum over each exchange
LABELS = {"keygen": "KeyGen", "encaps": "Encaps", "decaps": "Decaps", OVERALL: "Overall"}


class Samples:
    """The times of a run by (KEM, implementation)."""

    def __init__(self, run):
        self.run = run
        self._cells = {(t["kem"], t["implementation"], t["operation"]): t for t in run["times"]}
        self._summaries = {}

    def has(self, kem, implementation):
        return all((kem, implementation, operation) in self._cells for operation in OPERATIONS)

    def implementations(self, kem):
        """Returns the names of those measured for a KEM, in the order of the run."""
        names = dict.fromkeys(t["implementation"] for t in self.run["times"] if t["kem"] == kem)
        return [name for name in names if self.has(kem, name)]

    def rounds(self, kem, implementation, operation, unit="nanoseconds"):
        """Returns the samples round by round, or None if there are none in that unit."""
        if operation == OVERALL:
            parts = [self.rounds(kem, implementation, each, unit) for each in OPERATIONS]
            return None if None in parts else statistics.total(*parts)
        cell = self._cells.get((kem, implementation, operation))
        return None if cell is None else cell[unit]

    def summary(self, kem, implementation, operation, unit="nanoseconds"):
        """Returns the Summary, or None."""
        key = (kem, implementation, operation, unit)
        if key not in self._summaries:
            rounds = self.rounds(*key)
            self._summaries[key] = rounds and statistics.summarise(rounds)
        return self._summaries[key]

    def best(self, kem):
        """Returns codekem's fastest implementation of a KEM in this run, or None."""
        ours = {i["name"] for i in self.run["implementations"] if i["kind"] == "codekem"}
        names = [name for name in self.implementations(kem) if name in ours]
        return min(names, key=lambda name: self.summary(kem, name, OVERALL).median, default=None)


def trace_id(kem, implementation, operation):
    return f"times/{kem}/{implementation}/{operation}"
