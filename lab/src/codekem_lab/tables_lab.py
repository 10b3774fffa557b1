# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder laboratory: the campaigns that `codekem-lab direct`, `strata` and `split`
stored, as tables, words and plots of the report."""

from codekem_base.errors import EvaluationError
from codekem_base.model import Plot, Section, Table, label
from codekem_lab import campaigns as kept
from codekem_lab import dfr_campaign, lab_campaign, lab_charts, lab_estimates, lab_report, paths


def stored(runs=None):
    """Returns the stored campaigns: those of this machine, and those that the project keeps."""
    return list(kept.stored(lab_campaign, runs or paths.RUNS, "lab-*.json"))


def plots_of(name, campaign):
    """Returns a plot for each panel that the campaign has."""
    mine = name.startswith("lab-")  # of this machine
    source = dfr_campaign.source_of(name, campaign)
    found = [
        Plot(f"plot-lab-{name.lower()}-{index}", f"{name}: {title}", chart, mine, source=source)
        for index, (title, chart) in enumerate(lab_charts.panels([campaign]))
        if chart.rates
    ]
    if "trace" in campaign:
        for index, (title, chart) in enumerate(lab_charts.trace(campaign["trace"])):
            key = f"plot-lab-{name.lower()}-trace-{index}"
            found.append(Plot(key, f"{name}: {title}", chart, mine, source=source))
    return found


def side_by_side(campaigns):
    """Returns a table and a plot for each r and t of a level that several campaigns have."""
    tables, plots = [], []
    for r, t, items in lab_charts.side_by_side(campaigns):
        table = Table(
            f"lab-decoders-{r}",
            f"Decoders side by side at r = {r:,}, t = {t}",
            ["decoder", "campaign", *lab_report.RATES, "passes"],
            texts=2,
        )
        for name, index, point, found in items:
            trace = f"lab/{name}/{index}"
            cells = [*lab_report.rated(found, trace), lab_report.passes(point, trace)]
            table.add(label(point.label), label(name), *cells)
        tables.append(table)
        rated = [(point, found, None) for *_, point, found in items if point.passes() is not None]
        chart = lab_charts.cost(rated)
        if len(chart.series) > 1:
            title = f"Rate against constant-time cost, r = {r:,}, t = {t}"
            names = ", ".join(dict.fromkeys(name for name, *_ in items))
            source = f"campaigns {names}; the same on every machine"
            plots.append(Plot(f"plot-lab-cost-{r}", title, chart, printed=False, source=source))
    return tables, plots


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
        made.tables.append(lab_report.table(name, campaign))
        made.tables[-1].detail = not name.startswith("lab-")
        if made.tables[-1].rows:
            made.plots += plots_of(name, campaign)
    tables, plots = side_by_side(campaigns)
    made.tables, made.plots = tables + made.tables, plots + made.plots
    if made.tables:
        made.sentences.append(
            "Rates of failures of several decoders. Intervals of counts have 95 %; the low end of "
            "splitting is a bound with 95 % confidence, and it has no upper end."
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
    rows = [row for row in campaign["points"] if lab_estimates.has_results(row)]
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
