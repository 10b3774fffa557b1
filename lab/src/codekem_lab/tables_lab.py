# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder laboratory: the campaigns that `codekem-lab direct`, `strata` and `split`
stored, as tables, words and plots of the report."""

import math

from codekem_base.errors import EvaluationError
from codekem_base.model import Plot, Section, Table, label, missing, number
from codekem_lab import campaigns as kept
from codekem_lab import dfr_campaign, lab_campaign, lab_charts, lab_estimates, lab_report, paths
from codekem_lab.lab_points import point_of


def stored(runs=None):
    """Returns the stored campaigns: those of this machine, and those that the project keeps."""
    return list(kept.stored(lab_campaign, runs or paths.RUNS, "lab-*.json"))


def rows_with_results(campaign):
    return [row for row in campaign["points"] if lab_estimates.has_results(row)]


def table_of(name, campaign):
    table = Table(
        f"lab-{name.lower()}",
        f"{campaign['method']}: {name}.json",
        [
            "decoder",
            "keys and errors",
            "r",
            "t",
            "decodings",
            "failures",
            "log2 of the rate",
            "log2, low",
            "log2, high",
            "log2, times the share",
        ],
        texts=2,
    )
    for index, row in enumerate(rows_with_results(campaign)):
        trace = f"lab/{name}/{index}"
        point, found = point_of(row), lab_estimates.estimate(row)
        share = lab_estimates.log2_share(point)
        table.add(
            label(point.label),
            label(lab_report.kind_of(point)),
            *[number(value, trace, 0) for value in (point.r, point.t, row["decodings"])],
            number(found.failures, trace, 0),
            bits(found.log2_rate, trace, "no failure was seen"),
            bits(low_of(found), trace, "no failure was seen"),
            bits(found.high, trace, "splitting gives no upper end"),
            bits(found.log2_rate + share, trace, "no failure was seen, or the share is not known")
            if point.key_class != "random"
            else missing("all keys and errors"),
        )
    if not table.rows:
        table.reason = "this campaign has no results yet"
    table.notes = lab_report.sentences(campaign)
    return table


def plots_of(name, campaign):
    """Returns a plot for each panel that the campaign has."""
    mine = name.startswith("lab-")  # of this machine
    source = dfr_campaign.source_of(name, campaign)
    found = [
        Plot(f"plot-lab-{name.lower()}-{index}", f"{name}: {title}", chart, mine, source=source)
        for index, (title, chart) in enumerate(lab_charts.panels(campaign))
        if chart.rates
    ]
    if "trace" in campaign:
        title = f"{name}: {campaign['trace']['name']}, a failure step by step"
        chart = lab_charts.trace(campaign["trace"]["steps"])
        found.append(Plot(f"plot-lab-{name.lower()}-trace", title, chart, mine, source=source))
    return found


def bits(value, trace, why):
    """Returns the cell of a log2, or why there is none."""
    there = value is not None and math.isfinite(value)
    return number(value, trace, 2) if there else missing(why)


def side_by_side(campaigns):
    """Returns a table and a plot for each r and t of a level that several campaigns have."""
    tables, plots = [], []
    for r, t, items in lab_charts.side_by_side(campaigns):
        table = Table(
            f"lab-decoders-{r}",
            f"Decoders side by side at r = {r:,}, t = {t}",
            ["decoder", "campaign", "log2 of the rate", "log2, low", "log2, high", "passes"],
            texts=2,
        )
        for name, index, point, found in items:
            trace = f"lab/{name}/{index}"
            passes = point.passes()
            table.add(
                label(point.label),
                label(name),
                bits(found.log2_rate, trace, "no failure was seen"),
                bits(low_of(found), trace, "no failure was seen"),
                bits(found.high, trace, "splitting gives no upper end"),
                missing("not a matter of passes") if passes is None else number(passes, trace, 0),
            )
        tables.append(table)
        rated = [(point, found, None) for *_, point, found in items if point.passes() is not None]
        chart = lab_charts.cost(rated)
        if len(chart.series) > 1:
            title = f"Rate against constant-time cost, r = {r:,}, t = {t}"
            names = ", ".join(dict.fromkeys(name for name, *_ in items))
            source = f"campaigns {names}; the same on every machine"
            plots.append(Plot(f"plot-lab-cost-{r}", title, chart, printed=False, source=source))
    return tables, plots


def low_of(found):
    return found.low if found.low is not None else found.markov


def section(folder=None):
    """Returns the section; without a campaign, the command that makes one."""
    made = Section("lab", "How often do other decoders fail?")
    campaigns = {}
    for name, _, read in stored(folder):
        try:
            campaign = read()
        except EvaluationError as error:
            made.sentences.append(str(error))
            continue
        campaigns[name] = campaign
        made.tables.append(table_of(name, campaign))
        made.tables[-1].detail = not name.startswith("lab-")
        if made.tables[-1].rows:
            made.plots += plots_of(name, campaign)
    tables, plots = side_by_side(campaigns)
    made.tables, made.plots = tables + made.tables, plots + made.plots
    if made.tables:
        made.sentences.append(
            "Rates of failures of several decoders. Intervals of counts have 95 %; the low end of "
            "splitting is Markov's bound with 95 % confidence, and it has no upper end."
        )
    else:
        made.sentences.append(
            "No campaign is stored here: 'codekem-lab direct', 'strata' and 'split' make some."
        )
    return made


def trace(name):
    """Shows one row of a campaign: lab/NAME/INDEX."""
    file, _, index = name.removeprefix("lab/").partition("/")
    where, campaign = kept.named(stored(), file)
    rows = rows_with_results(campaign)
    if not index.isdigit() or int(index) >= len(rows):
        raise EvaluationError(f"{where} has no row {index}; it has {len(rows)}")
    row = rows[int(index)]
    shown = {key: value for key, value in row.items() if key not in ("runs", "pilot", "waiting")}
    found = lab_estimates.estimate(row)
    return [
        f"{where}, row {index}; the file has every run and seed",
        *[f"{key}: {value}" for key, value in shown.items()],
        *[f"run {i}: log2 of the rate {value:.2f}" for i, value in enumerate(found.runs)],
    ]
