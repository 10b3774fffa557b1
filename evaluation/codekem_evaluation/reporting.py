# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the report of a stored run: facts, warnings, sections."""

from codekem_evaluation import tables_times
from codekem_evaluation.model import Report, Section
from codekem_evaluation.samples import Samples


def make(run, path):
    """Returns the Report of a run that is stored at path."""
    samples = Samples(run)
    return Report("Code-based KEMs: codekem beside its peers", str(path), [], [],
                  [f"{u['what']}: {u['reason']}; {u['remedy']}" for u in run["unavailable"]],
                  [Section("times", "Times", tables=[tables_times.times(samples)])])
