# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What docs/paper/dfr.tex takes from the stored campaigns: its numbers, its figure and its table.

The text names a number by \\val{CAMPAIGN/POINT.../FIELD}. POINT are values of r, t or the class's
parameter, or names of a decoder, as many as leave one point of the campaign; none where it has
only one.
"""

import math
import re

from codekem_base.errors import EvaluationError
from codekem_lab import campaigns, figures, lab_campaign, lab_estimates, lab_report, paths
from codekem_lab.lab_points import CODES, point_of

TEXT = paths.ROOT / "docs" / "paper" / "dfr.tex"
USED = re.compile(r"\\(?:val|rate)\{([^}#]+)\}")
HEAD = "% Made by codekem-evaluation paper dfr from the stored campaigns.\n"


def chosen(campaign, words):
    """Returns the points with results that all the words fit."""
    found = []
    for row in filter(lab_estimates.has_results, campaign["points"]):
        point = point_of(row)
        names = {point.label, *(str(n) for n in (point.r, point.t, point.parameter))}
        if set(words) <= names:
            found.append(row)
    return found


def curve(rows):
    """Returns what counts over t say of the specification's t."""
    found = lab_estimates.over_t(rows, CODES[rows[0]["level"]][2]) if rows else None
    return None if found is None else found[0]


def logarithm(value):
    """Returns a logarithm for a formula: of 0, if a run died out."""
    return None if value is None else r"-\infty" if value == -math.inf else f"{value:.1f}"


def value(kept, key):
    """Returns the text of one number; an error that says what is there, if there is no such."""
    name, *words, field = key.split("/")
    if name not in kept:
        raise EvaluationError(f"the paper wants {key}: there is no campaign {name}")
    rows = chosen(kept[name], words)
    if field == "curve":
        text = logarithm(curve(rows))
    elif len(rows) != 1:
        raise EvaluationError(f"the paper wants {key}: {len(rows)} points of {name} fit, not one")
    else:
        text = of_point(rows[0], field)
    if text is None:
        raise EvaluationError(f"the paper wants {key}: {name} has no {field}")
    return text


def of_point(row, field):
    found = lab_estimates.estimate(row)
    runs = sorted(found.runs)
    logarithms = {
        "rate": found.log2_rate,
        "low": found.low,
        "high": found.high,
        "least": found.least,
        "first": runs[0] if runs else None,
        "last": runs[-1] if runs else None,
    }
    if field in logarithms:
        return logarithm(logarithms[field])
    counts = {"failures": found.failures, "decodings": row["decodings"], "runs": len(runs) or None}
    count = counts.get(field)
    return None if count is None else f"{count:,}"


def numbers(text):
    """Returns the definitions of all numbers that a text uses."""
    kept = campaigns.kept(lab_campaign)
    lines = [
        rf"\expandafter\def\csname val@{key}\endcsname{{{value(kept, key)}}}" + "\n"
        for key in sorted(set(USED.findall(re.sub(r"(?<!\\)%.*", "", text))))
    ]
    return HEAD + "".join(lines)


def write(folder):
    """Writes the text, its numbers and its figure to a folder; returns the name of the text and the
    tables that it includes."""
    text = TEXT.read_text(encoding="utf-8")
    (folder / TEXT.name).write_text(text, encoding="utf-8")
    (folder / "numbers.tex").write_text(numbers(text), encoding="utf-8")
    figures.write_levels("dfr", folder / "levels.pdf")
    ours = campaigns.kept(lab_campaign)
    _, members = figures.LEVELS["dfr"]
    return TEXT.stem, [lab_report.compared([ours[member] for member in members])]
