# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a campaign shows: rows, sentences, a Markdown table and a plot. Reads only the campaign."""

import io
import math
import re

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_base.kems import current, is_hqc
from codekem_base.parameters import KEMS
from codekem_lab import dfr_hqc, dfr_model, dfr_statistics
from codekem_lab.dfr_statistics import CONFIDENCE, clopper_pearson, extrapolate

# The failure rates that the specifications claim [BIKE, S2], [HQC, 2], as log2.
CLAIM_OF = {1: -128, 3: -192, 5: -256}  # by category
MOST_BITS = 200  # an interval that is wider says nothing
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


def markdown(campaign):
    """Returns the table of all points."""
    lines = [
        "| r | t | keys | decodings | failures | log2 of the rate | "
        f"{100 * CONFIDENCE:.0f} % interval |",
        "|--:|--:|---|--:|--:|--:|--:|",
    ]
    for row in rows(campaign):
        keys = row["class"] + (f" {row['parameter']}" if row["parameter"] else "")
        rate = f"{log2(row['rate']):.2f}" if row["failures"] else "no failure"
        low = f"{log2(row['low']):.2f}" if row["failures"] else "-inf"
        lines.append(
            f"| {row['r']} | {row['t']} | {keys} | {row['decodings']:,} | "
            f"{row['failures']:,} | {rate} | {low} to {log2(row['high']):.2f} |"
        )
    return lines


# --- Plot ----------------------------------------------------------------------------------------

MARKERS = "osD^vPX*"


def draw_points(axes, table):
    """One series for each class of keys and weight of errors; arrows where nothing failed."""
    series = {}
    for row in table:
        series.setdefault((row["class"], row["parameter"], row["t"]), []).append(row)
    for number, ((key_class, parameter, t), members) in enumerate(series.items()):
        name = "random keys" if key_class == "random" else f"{key_class} {parameter}"
        label = f"{name}, t = {t}"
        colour = f"C{number % 10}"
        seen = [row for row in members if row["failures"]]
        unseen = [row for row in members if not row["failures"]]
        if seen:
            middle = [log2(row["rate"]) for row in seen]
            bars = [
                [m - log2(row["low"]) for m, row in zip(middle, seen, strict=True)],
                [log2(row["high"]) - m for m, row in zip(middle, seen, strict=True)],
            ]
            axes.errorbar(
                [row["r"] for row in seen],
                middle,
                yerr=bars,
                capsize=3,
                linestyle="none",
                marker=MARKERS[number % len(MARKERS)],
                markersize=4,
                color=colour,
                label=label,
            )
        if unseen:
            axes.errorbar(
                [row["r"] for row in unseen],
                [log2(row["high"]) for row in unseen],
                yerr=4,
                uplims=True,
                linestyle="none",
                marker="_",
                color=colour,
                label=f"{label}: no failure, upper end",
            )


def draw_extrapolations(axes, campaign, fits):
    """The fits with their bands at the r of the specification."""
    r = campaign["specification"]["r"]
    measured = ordinary(campaign)
    start = min(row["r"] for row in measured) if measured else r
    steps = [start + (r - start) * i / 200 for i in range(201)]
    for item, style in zip(fits, ("-", "--"), strict=False):
        axes.plot(
            steps,
            item.fit(steps),
            style,
            color="0.35",
            linewidth=1,
            label=f"{item.kind} through {item.points} points",
        )
        axes.vlines(r, *item.interval, color="0.35", linewidth=3, alpha=0.5)


def draw_claim(axes, campaign):
    """The claim, and the slope from the last point of the line to it."""
    r, claim = campaign["specification"]["r"], CLAIMS[campaign["kem"]]
    axes.plot(
        [r],
        [claim],
        marker="*",
        markersize=12,
        color="black",
        linestyle="none",
        label=f"claim: 2^{claim} at r = {r}",
    )
    usable = dfr_statistics.usable(
        [(row["r"], row["failures"], row["decodings"]) for row in ordinary(campaign)]
    )
    if usable:
        last = usable[-1]
        axes.plot(
            [last[0], r],
            [log2(last[1] / last[2]), claim],
            ":",
            color="black",
            label="slope that the claim needs",
        )


def draw_random(near, far, campaign, table, fits):
    """Random keys against r: near as far as failures were seen, far up to the specification's r."""
    claim, real_r = CLAIMS[campaign["kem"]], campaign["specification"]["r"]
    for axes in (near, far):
        draw_points(axes, table)
        draw_extrapolations(axes, campaign, fits)
        draw_claim(axes, campaign)
        axes.set_xlabel("r (bits of a block)")
        axes.grid(alpha=0.3)
    far.set_ylim(1.2 * claim, 8)  # a parabola may leave it
    seen = [row for row in table if row["failures"] and row["r"] != real_r]
    if seen:
        first, last = (end(row["r"] for row in seen) for end in (min, max))
        margin = max(20, (last - first) / 8)
        near.set_xlim(first - margin, last + margin)
        near.set_ylim(min(log2(row["low"]) for row in seen) - 2, 1)
    near.set_ylabel("log2 of the failure rate")
    far.legend(fontsize="small", loc="lower left")


def draw_classes(axes, table):
    """Weak keys and errors against the parameter of their class, one series for a class and an
    r."""
    series = {}
    for row in table:
        series.setdefault((row["class"], row["r"], row["t"]), []).append(row)
    for number, ((key_class, r, t), members) in enumerate(series.items()):
        seen = [row for row in members if row["failures"]]
        middle = [log2(row["rate"]) for row in seen]
        bars = [
            [m - log2(row["low"]) for m, row in zip(middle, seen, strict=True)],
            [log2(row["high"]) - m for m, row in zip(middle, seen, strict=True)],
        ]
        colour = f"C{number % 10}"
        axes.errorbar(
            [row["parameter"] for row in seen],
            middle,
            yerr=bars,
            capsize=3,
            marker=MARKERS[number % len(MARKERS)],
            markersize=4,
            linewidth=0.8,
            color=colour,
            label=f"{key_class}, r = {r}, t = {t}",
        )
        unseen = [row for row in members if not row["failures"]]
        if unseen:
            axes.errorbar(
                [row["parameter"] for row in unseen],
                [log2(row["high"]) for row in unseen],
                yerr=1,
                uplims=True,
                linestyle="none",
                marker="_",
                color=colour,
            )
    axes.set_xlabel("parameter of the class (arrows: no failure, upper end)")
    axes.set_ylabel("log2 of the failure rate")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")


def plot(campaign, path, fits):
    """Writes the plot: log2 of the failure rate of random keys against r, with fits and claim, and
    of weak keys and errors against the parameter of their class."""
    table = rows(campaign)
    weak = [row for row in table if row["class"] != "random"]
    usual = [row for row in table if row["class"] == "random"]
    waterfall = not weak or any(row["failures"] for row in usual)
    panels = 2 * waterfall + bool(weak)
    figure = new_figure(5.5 * panels + 1.5 * (panels == 1), 5)
    axes = list(figure.subplots(1, panels, squeeze=False)[0])
    if waterfall:
        draw_random(axes[0], axes[1], campaign, usual, fits)
    if weak:
        draw_classes(axes[-1], weak)
    figure.suptitle(f"{campaign['kem']}: decoding failures, {100 * CONFIDENCE:.0f} % intervals")
    store_figure(figure, path)


def new_figure(width, height):
    """Returns a figure, whose file is the same each time."""
    import matplotlib  # late: it takes half a second
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "codekem"
    matplotlib.rcParams["svg.fonttype"] = "none"  # letters are text
    return Figure(figsize=(width, height), layout="constrained")


def store_figure(figure, path):
    raw = io.BytesIO()
    vector = path.suffix == ".svg"
    try:
        metadata = {"Date": None} if vector else None
        figure.savefig(raw, format=path.suffix[1:], dpi=150, metadata=metadata)
    except ValueError as error:
        raise EvaluationError(f"the plot {path} cannot be written: {error}") from error
    text = raw.getvalue()
    files.write_bytes(path, re.sub(rb" +$", b"", text, flags=re.MULTILINE) if vector else text)
