# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Whether a run is stable: whether another one on this machine would give the same times."""

from codekem_base.model import duration
from codekem_evaluation import reporting, statistics
from codekem_evaluation.samples import OVERALL, Samples

WIDE = 0.1  # the interval of a stable time reaches less far to either side, as a share
APART = 1.2  # the factor between two groups of rounds
MOST = 10  # codes that are named


def groups(medians):
    """Returns the medians of rounds in two groups if they are apart, of two rounds each at least;
    else in one."""
    ordered = sorted(medians)
    steps = [(ordered[i] / ordered[i - 1], i) for i in range(2, len(ordered) - 1)]
    factor, at = max(steps, default=(1, 0))
    return [ordered[:at], ordered[at:]] if factor > APART else [ordered]


def unstable(samples):
    """Returns [(share, sentence)] of the codes whose times are not stable, worst first."""
    found = []
    for kem in [kem["name"] for kem in samples.run["kems"]]:
        for name in samples.implementations(kem):
            estimate = samples.summary(kem, name, OVERALL).estimate
            if estimate.half_width < WIDE:
                continue
            parts = groups(statistics.round_medians(samples.rounds(kem, name, OVERALL)))
            words = f"{kem}, {name}: its interval reaches {100 * estimate.half_width:.0f} %"
            if len(parts) == 2:
                words += "; two groups of rounds: " + " and ".join(
                    f"{duration(part[0])} to {duration(part[-1])} ({len(part)})" for part in parts
                )
            found.append((estimate.half_width, words))
    return sorted(found, reverse=True)


def judged(run):
    """Returns (whether a run is stable, lines that say why not or how stable it is)."""
    samples = Samples(run)
    count = len({(cell["kem"], cell["implementation"]) for cell in run["times"]})
    if not count:
        return False, ["this run holds no times"]
    found = unstable(samples)
    warned = [line for line in reporting.warnings(run, samples) if line.brief != reporting.QUICK]
    lines = [f"warning: {line}" for line in warned] + [words for _, words in found[:MOST]]
    if len(found) > MOST:
        lines.append(f"and {len(found) - MOST} more")
    steady = f"{count - len(found)} of {count} times are stable: within {100 * WIDE:.0f} %"
    if found:
        return False, [*lines, f"not stable: {steady}; measure again, quietly, or with --full"]
    return True, [*lines, steady]
