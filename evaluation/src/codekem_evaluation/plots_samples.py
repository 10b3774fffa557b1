# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The samples themselves, round by round, where a ratio of their medians is in doubt."""

from codekem_base import charts
from codekem_base.model import Plot, duration
from codekem_evaluation import plots, ratios, statistics
from codekem_evaluation.samples import OVERALL

MOST_DOUBTED = 3  # KEMs whose samples are drawn
MOST_SAMPLES = 20  # of a round that are drawn: every n-th of them in their order by size


def doubted(samples):
    """Returns a plot of the samples, round by round, of the first KEMs with a ratio in doubt."""
    found = []
    for kem in [k["name"] for k in samples.run["kems"] if samples.best(k["name"])]:
        best = samples.best(kem)
        others = [
            name
            for name in samples.implementations(kem)
            if name not in (best, "reference")
            and ratios.of(samples, kem, name, best).doubt == ratios.MOVED
        ]
        if others:
            found.append(of_samples(samples, kem, [best, *others[:2]]))
    return found[:MOST_DOUBTED]


def of_samples(samples, kem, names):
    """Returns the plot of the samples of a KEM by some implementations."""
    rows = [
        {"implementation": name, "round": number, "value": value / 1e3}
        for name in names
        for number, taken in enumerate(samples.rounds(kem, name, OVERALL), 1)
        for value in sorted(taken)[:: max(1, len(taken) // MOST_SAMPLES)]
    ]
    scale = {"type": "log", "nice": True}
    y = charts.field("value", "quantitative", title="microseconds of a whole exchange", scale=scale)
    x = charts.field("round", "ordinal", title="round", axis={"labelAngle": 0})
    both = charts.series("implementation", names, plots.colours_of(samples.run))
    mark = {"type": "point", "size": 18, "opacity": 0.7}
    hint = [charts.field("implementation", "nominal"), charts.field("round", "ordinal"),
            charts.field("value", "quantitative", title="microseconds", format=".4")]  # fmt: skip
    chart = charts.whole(
        rows, choices=["implementation"], logarithmic=["y"], height=240,
        mark=mark, encoding={"x": x, "xOffset": charts.field("implementation", "nominal"), "y": y,
                             **both, "tooltip": hint},
    )  # fmt: skip
    spread = ", ".join(
        f"{name} from {duration(min(medians))} to {duration(max(medians))}"
        for name in names
        for medians in [statistics.round_medians(samples.rounds(kem, name, OVERALL))]
    )
    finding = f"Medians of {kem}'s rounds are apart: {spread}"
    title = f"{kem}: samples of each round, whose ratio is in doubt"
    key = f"plot-samples-{kem.lower()}"
    return Plot(key, title, charts.Own(chart, finding), False, finding, folded=len(rows) > 1500)
