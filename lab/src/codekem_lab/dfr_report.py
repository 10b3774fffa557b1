# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a campaign shows: rows, sentences, a table and charts. Reads only the campaign."""

import math

from codekem_base import drawing
from codekem_base.charts_rates import Rate, Rates
from codekem_base.kems import current, is_hqc
from codekem_base.model import Table, label, missing, number
from codekem_base.parameters import KEMS
from codekem_lab import dfr_hqc, dfr_model, dfr_statistics
from codekem_lab.dfr_statistics import CONFIDENCE, clopper_pearson, extrapolate

# The failure rates that the specifications claim [BIKE, S2], [HQC, 2], as log2.
CLAIM_OF = {1: -128, 3: -192, 5: -256}  # by category
MOST_BITS = 200  # an interval that is wider says nothing
STEPS = 30  # of a line through points
CLAIMS = {name: CLAIM_OF[KEMS[name].category] for name in current("BIKE", "HQC")}


def log2(rate):
    return math.log2(rate) if rate > 0 else -math.inf


def rows(campaign):
    """Returns a row with interval for each point that has decodings."""
    d = campaign["specification"]["d"]
    found = []
    for point in campaign["points"]:
        if point["decodings"] == 0:
            continue
        low, high = clopper_pearson(point["failures"], point["decodings"])
        found.append(
            {
                **{
                    name: point[name]
                    for name in (
                        "r",
                        "t",
                        "class",
                        "parameter",
                        "threshold",
                        "decodings",
                        "failures",
                        "backend",
                    )
                },
                "rate": point["failures"] / point["decodings"],
                "low": low,
                "high": high,
                "log2_density": dfr_model.log2_density(
                    point["class"], point["parameter"], point["r"], d, point["t"]
                ),
            }
        )
    return sorted(found, key=lambda row: (row["class"], row["parameter"], row["t"], row["r"]))


def ordinary(campaign):
    """Returns the rows of random keys with the specification's error weight and threshold."""
    t = campaign["specification"]["t"]
    return [
        row
        for row in rows(campaign)
        if row["class"] == "random" and row["t"] == t and row["threshold"] is None
    ]


def extrapolations(campaign):
    """Returns the line through the last points, and the parabola through all, where they exist."""
    points = [(row["r"], row["failures"], row["decodings"]) for row in ordinary(campaign)]
    r, claim = campaign["specification"]["r"], CLAIMS[campaign["kem"]]
    return [
        found
        for found in (
            extrapolate(points, 1, r, claim, tail=dfr_statistics.TAIL_POINTS),
            extrapolate(points, 2, r, claim),
        )
        if found is not None
    ]


# --- Words ---------------------------------------------------------------------------------------


def power(value):
    return f"2^{value:.1f}"


def duration(seconds):
    return f"{seconds / 60:.1f} minutes" if seconds >= 120 else f"{seconds:.0f} seconds"


def measured_sentence(campaign):
    """Says what was decoded and what failed."""
    table = rows(campaign)
    decodings = sum(row["decodings"] for row in table)
    failures = sum(row["failures"] for row in table)
    seconds = sum(point["seconds"] for point in campaign["points"])
    text = (
        f"{decodings:,} decodings of {campaign['kem']} at {points(len(table))}, {failures:,} of "
        f"them failures, in {duration(seconds)} of one core."
    )
    real = [row for row in ordinary(campaign) if row["r"] == campaign["specification"]["r"]]
    for row in real:
        text += (
            f" At the specification's r = {row['r']:,}, {row['failures']:,} of "
            f"{row['decodings']:,} decodings failed, so the rate is at most "
            f"{power(log2(row['high']))} with {100 * CONFIDENCE:.0f} % confidence; that says "
            "nothing yet of a claim that is far below."
        )
    return text


def line_sentence(campaign, line):
    """Compares the line through the last points with the claim."""
    claim, r = CLAIMS[campaign["kem"]], campaign["specification"]["r"]
    last = dfr_statistics.usable(
        [(row["r"], row["failures"], row["decodings"]) for row in ordinary(campaign)]
    )[-1]
    needed = (claim - log2(last[1] / last[2])) / (r - last[0])
    low, high = sorted(-100 * s for s in line.slope_interval)
    text = (
        f"The line through the last {line.points} points that have at least "
        f"{dfr_statistics.LEAST_FAILURES} failures gains {-100 * line.slope:.2f} bits for 100 "
        f"more in r ({100 * CONFIDENCE:.0f} % interval {low:.2f} to {high:.2f}); from the last of "
        f"them, r = {last[0]:,}, to the claim of 2^{claim} at r = {r:,} it must be "
        f"{-100 * needed:.2f}. At r = {r:,} the line is at {power(line.log2_rate)} "
        f"({power(line.interval[0])} to {power(line.interval[1])})."
    )
    if line.interval[1] <= claim:
        text += " The claim holds if log2 of the rate is concave in r, as its authors assume"
    elif line.interval[0] <= claim:
        text += (
            " Under the assumption of its authors, that log2 of the rate is concave in r, the "
            "claim lies within the interval: more decodings, at larger r, must decide"
        )
    else:
        text += (
            " The line does not reach the claim; as the curve may fall faster beyond what was "
            "measured, more decodings at larger r must decide"
        )
    text += "; a floor of the curve, as near-codewords cause it, would not show at these rates."
    if line.claim_r is not None:
        text += f" The line is at 2^{claim} from r = {line.claim_r:,.0f} on."
    return text


def points(count):
    return "1 point" if count == 1 else f"{count} points"


def parabola_sentence(parabola):
    if parabola.interval[1] - parabola.interval[0] > MOST_BITS:
        return (
            f"A parabola through {points(parabola.points)} says nothing there: its interval is "
            f"{power(parabola.interval[0])} to {power(parabola.interval[1])}."
        )
    return (
        f"The parabola through {parabola.points} points is concave and at "
        f"{power(parabola.log2_rate)} there ({power(parabola.interval[0])} to "
        f"{power(parabola.interval[1])})."
    )


def class_sentences(campaign):
    """Compares each weak class with random keys and errors at the same r, and with the claim."""
    claim = CLAIMS[campaign["kem"]]
    table = rows(campaign)
    base = {
        (row["r"], row["t"]): row
        for row in table
        if row["class"] == "random" and row["threshold"] is None
    }
    sentences = []
    for row in table:
        if row["class"] == "random":
            continue
        kind = "errors" if row["class"] == "near-codeword" else "keys"
        seen = (
            f"{power(log2(row['low']))} to {power(log2(row['high']))}"
            if row["failures"]
            else f"at most {power(log2(row['high']))}"
        )
        text = (
            f"{kind.capitalize()} of class {row['class']} {row['parameter']} at r = {row['r']:,}: "
            f"{row['failures']:,} of {row['decodings']:,} decodings failed ({seen})"
        )
        random = base.get((row["r"], row["t"]))
        if random is not None and random["rate"] > 0 and row["rate"] > 0:
            text += f", {row['rate'] / random['rate']:.3g} times as many as of random ones"
        density = row["log2_density"]
        text += f"; at most {power(density)} of all {kind} are of this class"
        if row["r"] == campaign["specification"]["r"]:
            share = density + log2(row["high"])
            text += f", so they add at most {power(share)} to the average rate, " + (
                f"less than the claimed 2^{claim}"
                if share < claim
                else f"which does not yet exclude more than the claimed 2^{claim}"
            )
        sentences.append(text + ".")
    return sentences


def sentences(campaign, fits):
    """Says in words what the campaign shows. fits: its extrapolations."""
    found = [measured_sentence(campaign)]
    if not campaign["complete"]:
        found.append("The campaign is not complete: run the same command again to go on.")
    if is_hqc(campaign["kem"]):
        return dfr_hqc.sentences(campaign, CLAIMS[campaign["kem"]], duration) + found[1:]
    if not fits:
        found.append(
            f"Too few points have at least {dfr_statistics.LEAST_FAILURES} failures at rates "
            f"up to {dfr_statistics.LARGEST_RATE} for an extrapolation."
        )
    for item in fits:
        found.append(
            line_sentence(campaign, item) if item.kind == "line" else parabola_sentence(item)
        )
    return found + class_sentences(campaign)


def table(name, campaign):
    """Returns the table of all points; name: by which the campaign is found."""
    made = Table(
        f"failures-{name.lower()}",
        f"{campaign['kem']}: decoding failures ({name}.json)",
        ["keys", "r", "t", "decodings", "failures", "log2 of the rate", "log2, low", "log2, high"],
    )
    none = missing("no failure was seen")
    for index, row in enumerate(rows(campaign)):
        trace, seen = f"dfr/{name}/{index}", row["failures"] > 0
        made.add(
            label(kind_of(row)),
            *[number(row[key], trace, 0) for key in ("r", "t", "decodings", "failures")],
            number(log2(row["rate"]), trace, 2) if seen else none,
            number(log2(row["low"]), trace, 2) if seen else none,
            number(log2(row["high"]), trace, 2),
        )
    if not made.rows:
        made.reason = "this campaign has no decodings yet"
    return made


# --- Charts --------------------------------------------------------------------------------------

R_TITLE = "r (bits of a block)"


def kind_of(row):
    """Returns the class of keys and errors, with its parameter if it has one."""
    return f"{row['class']} {row['parameter'] or ''}".rstrip()


def rate_of(series, x, row):
    """Returns the Rate of a row at a place x."""
    rate, low = (log2(row[end]) if row["failures"] else None for end in ("rate", "low"))
    return Rate(series, x, rate, low, log2(row["high"]))


def over_r(campaign, fits, table):
    """The rates of these rows over r, with what continues them and what is claimed."""
    r, claimed = campaign["specification"]["r"], CLAIMS[campaign["kem"]]
    first = min(row["r"] for row in table)
    steps = [first + (r - first) * i / STEPS for i in range(STEPS + 1)]
    lines = {
        f"{fit.kind} through {fit.points} points": tuple(
            (x, float(y)) for x, y in zip(steps, fit.fit(steps), strict=True)
        )
        for fit in fits
    }
    rates = tuple(rate_of(f"{kind_of(row)} keys, t = {row['t']}", row["r"], row) for row in table)
    return Rates(R_TITLE, rates, lines, ((r, claimed, f"claimed: 2^{claimed}"),))


def panels(campaign, fits):
    """Returns (title, chart) for what a campaign has: random keys as far as failures were seen and
    up to the specification's r; weak keys and errors over the parameter of their class."""
    table, kem = rows(campaign), campaign["kem"]
    usual = [row for row in table if row["class"] == "random"]
    weak = [row for row in table if row["class"] != "random"]
    found = []
    if any(row["failures"] for row in usual) or not weak:
        seen = [rate_of(f"t = {row['t']}", row["r"], row) for row in usual if row["failures"]]
        if seen:
            found.append((f"{kem}: where failures were seen", Rates(R_TITLE, tuple(seen))))
        found.append((f"{kem}: failure rate against r", over_r(campaign, fits, usual)))
    if weak:
        rates = [
            rate_of(f"{row['class']}, r = {row['r']}, t = {row['t']}", row["parameter"], row)
            for row in weak
        ]
        title = f"{kem}: weak keys and errors"
        found.append((title, Rates("parameter of the class", tuple(rates))))
    return found


def plot(campaign, path, fits):
    """Writes all panels below each other."""
    titles, charts = zip(*panels(campaign, fits), strict=True)
    drawing.write(path, charts, titles)
