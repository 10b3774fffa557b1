# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The figures in docs/results, from the campaigns that the project keeps."""

from codekem_lab import campaigns, dfr_campaign, dfr_report, lab_campaign, lab_charts

# The campaigns of each figure of several decoders or points.
COMPARED = {
    "rates": (
        *("published-t153", "published-r12201", "published-t150", "published-t150-r12101"),
        *("over-t", "split-t142-t146", "near-codewords"),
    ),
    "decoders": (
        *("over-t", "split-t142-t146", "split-L1-bgf-5-b", "over-t-higher", "pilot-higher"),
        *("over-t-half-lower", "over-t-lower", "over-t-two-lower", "over-t-bgf-7", "split-bgf-7"),
        *("split-bgf-5-aware", "over-t-pickyfix-5", "split-pickyfix-5", "over-t-bike-flip-ceil"),
        *("split-bike-flip-ceil", "pilot-bike-flip-floor", "pilot-bike-flip-nearest"),
    ),
}
# The one figure of docs/dfr.md.
LEVELS = {
    "dfr": (
        {
            1: ("bgf-5", "bgf-5-first-lower-6"),
            3: ("bgf-5", "bgf-3", "bgf-5-first-lower-9"),
            5: ("bgf-5", "bgf-5-first-lower-10"),
        },
        (
            *("over-t", "split-t142-t146", "split-L1-bgf-5-b", "over-t-first-lower"),
            *("over-t-first-lower-b", "over-t-L3", "split-L3", "split-bgf-3-L3"),
            *("roulette-bgf-3-L3", "roulette-t147", "split-t147", "split-L5-t287", "split-L3-b"),
            *("over-t-first-lower-L3", "over-t-first-lower-L3-b", "over-t-first-lower-L3-c"),
            *("over-t-L5", "split-L5-b", "over-t-first-lower-L5", "over-t-first-lower-L5-b"),
            "over-t-first-lower-L5-c",
        ),
    ),
}
TRACED = {"failure": "split-L1-bgf-5"}
COUNTED = ("BIKE-L1", "BIKE-L1-weak")


def write_levels(name, path):
    """Writes one figure of all levels; the kind of file follows from its name."""
    decoders, members = LEVELS[name]
    ours = campaigns.kept(lab_campaign)
    lab_charts.write(lab_charts.levels([ours[member] for member in members], decoders), path)


def write(folder):
    """Writes all of them; returns their paths."""
    ours, counted = campaigns.kept(lab_campaign), campaigns.kept(dfr_campaign)
    places = {name: folder / f"{name}.svg" for name in (*COMPARED, *LEVELS, *TRACED, *COUNTED)}
    for name, members in COMPARED.items():
        lab_charts.write(lab_charts.panels([ours[member] for member in members]), places[name])
    for name in LEVELS:
        write_levels(name, places[name])
    for name, member in TRACED.items():
        lab_charts.write(lab_charts.trace(ours[member]["trace"]), places[name])
    for name in COUNTED:
        fits = dfr_report.extrapolations(counted[name])
        dfr_report.plot(counted[name], places[name], fits)
    return list(places.values())
