# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the numbers say, in generated sentences; nothing is said that the run does not hold."""

from codekem_base.model import duration
from codekem_evaluation import alike, ratios, statistics, tables_profile, tables_times
from codekem_evaluation.kems import MCELIECE
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL

MAIN = ("BIKE-L1", "HQC-1")
NAMED_SHARE = 0.2  # a part is worth naming from this share of the whole KEM on


def span(values, digits=1):
    """Writes a range of ratios or shares."""
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def ratios_of(samples, over, under):
    """Returns {KEM: Ratio} of over's time in units of under's, for the KEMs that have both.

    over and under are names of implementations, or functions from a KEM to one (or None).
    """
    found = {}
    for kem in tables_times.current_kems(samples.run):
        names = [side(kem) if callable(side) else side for side in (over, under)]
        if None not in names and all(samples.has(kem, name) for name in names):
            found[kem] = ratios.of(samples, kem, *names)
    return found


def by_scheme(run, found):
    """Groups {KEM: value} by scheme: {scheme: {KEM: value}}."""
    groups = {}
    for kem in run["kems"]:
        if kem["name"] in found:
            groups.setdefault(kem["scheme"], {})[kem["name"]] = found[kem["name"]]
    return groups


def listed(found):
    """Writes {KEM: Ratio} with intervals, and the reason where there is no ratio."""
    good = [
        f"{ratio.bound or ratio.text} for {kem}"
        for kem, ratio in found.items()
        if ratio.doubt is None or ratio.bound
    ]
    doubts = {}
    for kem, ratio in found.items():
        if ratio.doubt is not None and ratio.bound is None:
            doubts.setdefault(ratio.doubt.split(";")[0], []).append(kem)
    return "; ".join(
        [
            *([", ".join(good)] if good else []),
            *[f"no ratio for {', '.join(kems)}: {why}" for why, kems in doubts.items()],
        ]
    )


def dominating_operations(samples):
    """Says which operation takes most, for each implementation, and what the survey found."""
    tops = {}
    for scheme in ("BIKE", "HQC"):
        found = []
        for implementation in [i["name"] for i in samples.run["implementations"]]:
            kems = [
                k["name"]
                for k in samples.run["kems"]
                if k["scheme"] == scheme
                and not k.get("legacy")
                and samples.has(k["name"], implementation)
            ]
            if not kems:
                continue
            shares = {o: [share(samples, k, implementation, o) for k in kems] for o in OPERATIONS}
            top = max(shares, key=lambda o: min(shares[o]))
            if tables_times.is_ours(samples.run, implementation):
                tops.setdefault(scheme, set()).add(top)
            found.append(
                f"{implementation}: {LABELS[top]} with "
                f"{span([100 * share for share in shares[top]], 0)} %"
            )
        if found:
            yield f"Most of the time of {scheme} goes to: {'; '.join(found)}."
    yield survey_operations(tops.get("BIKE"))


def share(samples, kem, implementation, operation):
    """Returns the share of an operation in the whole exchange, exchanges compared one by one."""
    return statistics.paired_ratio(
        samples.rounds(kem, implementation, operation), samples.rounds(kem, implementation, OVERALL)
    ).median


def survey_operations(ours):
    """Says which operation takes most in the survey, and whether that is what this run found.

    ours is the set of operations that took most of our time for BIKE in this run, or None.
    """
    found = {}
    for kem, implementations in tables_times.published_times(tables_times.SURVEY).items():
        for (name, cpu, _), rows in implementations.items():
            whole = float(rows[OVERALL]["milliseconds"])
            top = max(OPERATIONS, key=lambda o: float(rows[o]["milliseconds"]))
            found.setdefault(top, []).append(
                (100 * float(rows[top]["milliseconds"]) / whole, f"{kem} {name} on {cpu}")
            )
    if ours is None:
        words = "In the survey"
    elif ours == set(found):
        words = "In the survey, too"
    else:
        words = "In the survey, unlike in this run"
    parts = [
        f"{LABELS[top]} takes most: {min(rows)[0]:.0f} % ({min(rows)[1]}) to "
        f"{max(rows)[0]:.0f} % ({max(rows)[1]})"
        for top, rows in found.items()
    ]
    return f"{words}, {'; '.join(parts)}."


def dominating_parts(run):
    """Says which parts take most of the whole KEM, for each back end that was profiled."""
    for kem in dict.fromkeys(row["kem"] for row in run.get("profile", [])):
        words = []
        for backend in dict.fromkeys(row["backend"] for row in run["profile"] if row["kem"] == kem):
            parts = sorted(tables_profile.shares(run, kem, backend).items(), key=lambda p: -p[1])
            named = [
                f"{part} in {LABELS[operation]} {100 * share:.0f} %"
                for (operation, part), share in parts
                if share >= NAMED_SHARE
            ] or [f"{parts[0][0][1]} in {LABELS[parts[0][0][0]]} {100 * parts[0][1]:.0f} %"]
            words.append(f"{backend}: {', '.join(named)}")
        survey = [
            f"{name} on {cpu}: decoding {rows['decaps', 'Decoding'][0]:.0f} %, inversion "
            f"{rows['keygen', 'Inversion'][0]:.0f} %"
            for (name, cpu, source), rows in tables_profile.published_of(kem).items()
            if source == tables_times.SURVEY
        ]
        yield (
            f"The largest parts of a whole {kem} are: {'; '.join(words)}."
            + (f" In the survey: {'; '.join(survey)}." if survey else "")
        )


def vector_gain(samples):
    """Says how much faster vector code is, here and in the survey."""
    for backend in [i["name"] for i in samples.run["implementations"] if i["kind"] == "codekem"]:
        if backend in ("reference", "portable"):
            continue
        found = ratios_of(samples, "portable", backend)
        if found:
            yield f"Times of portable code over those of {backend}: {listed(found)}."
    survey = []
    for implementations in tables_times.published_times(tables_times.SURVEY).values():
        for (name, cpu, source), rows in implementations.items():
            base = implementations.get(("CT C99", cpu, source))
            if name == "CT AVX2" and base:
                survey.append(
                    float(base[OVERALL]["milliseconds"]) / float(rows[OVERALL]["milliseconds"])
                )
    yield (
        f"In the survey, AVX2 is faster than constant-time C99 by factors of {span(survey)} "
        "(BIKE, the same processor)."
    )


def peers(samples):
    """Says how peers compare with our best back end and with our portable code, with intervals.

    The second is there because a peer may have no vector code: then the first compares processors'
    instructions as much as programs.
    """
    for peer in [i for i in samples.run["implementations"] if i["kind"] == "peer"]:
        best = by_scheme(samples.run, ratios_of(samples, peer["name"], samples.best))
        portable = by_scheme(samples.run, ratios_of(samples, peer["name"], "portable"))
        for scheme, found in best.items():
            kinds = ", ".join(dict.fromkeys(samples.best(kem) for kem in found))
            words = [f"over those of codekem's {kinds}: {listed(found)}"]
            if kinds != "portable" and scheme in portable:
                words.append(f"over those of codekem's portable code: {listed(portable[scheme])}")
            if {alike.code_of(peer, kem)[0] for kem in found} == {"portable"}:
                words.reverse()  # like with like first
            yield f"{scheme}, times of {described(peer, scheme)} {'; '.join(words)}."


def described(peer, scheme):
    """Returns a peer's name, with its version and what a reader must know of its code of a scheme.

    The note of a peer is of the form "HQC is ...; BIKE is ...".
    """
    notes = [note for note in peer.get("note", "").split("; ") if note.startswith(f"{scheme} is ")]
    return f"{peer['name']} ({', '.join([peer['version'], *notes])})"


def mlkem(samples):
    """Sets the KEMs of each category beside ML-KEM, which a user would take otherwise."""
    kems = {k["level"]: k["name"] for k in samples.run["kems"] if k["scheme"] == "ML-KEM"}
    words = []
    for kem in samples.run["kems"]:
        base = kems.get(kem["level"])
        best = samples.best(kem["name"])
        if best is None or base is None or kem.get("legacy"):
            continue
        other = next(iter(samples.implementations(base)), None)
        if other is not None:
            ratio = ratios.paired(
                samples.rounds(kem["name"], best, OVERALL), samples.rounds(base, other, OVERALL)
            )
            words.append(
                f"{kem['name']} takes {ratio.bound or ratio.text} times {base} ({other})"
                if ratio.doubt is None or ratio.bound
                else f"no ratio of {kem['name']} to {base}: {ratio.doubt.split(';')[0]}"
            )
    return [f"Computing, our fastest code beside ML-KEM: {'; '.join(words)}."] if words else []


def best_peer(samples, kem):
    """Returns the fastest peer of a KEM in a run, or None."""
    peers = {i["name"] for i in samples.run["implementations"] if i["kind"] == "peer"}
    names = [name for name in samples.implementations(kem) if name in peers]
    return min(names, key=lambda n: samples.summary(kem, n, OVERALL).median, default=None)


def opening(samples):
    """Returns the sentences of the first screen: what was measured, who is how much faster, where
    the time goes."""
    run = samples.run
    kems = tables_times.current_kems(run)
    ours = [i["name"] for i in run["implementations"] if i["kind"] == "codekem"]
    measured = {cell["implementation"] for cell in run["times"]}
    others = [i["name"] for i in run["implementations"]
              if i["kind"] == "peer" and i["name"] in measured]  # fmt: skip
    beside = f", beside {', '.join(others)}" if others else ""
    cpu = run["machine"]["cpu"] or "this processor"
    whole = [
        f"{kem} takes {duration(samples.summary(kem, samples.best(kem), OVERALL).median)}"
        for kem in MAIN
        if samples.best(kem)
    ]
    if whole:
        yield (
            f"{' and '.join(whole)} for a whole exchange (KeyGen, Encaps and Decaps) here, on "
            f"{cpu}."
        )
    like = alike.found_of(samples)
    if like:
        words = [
            f"{alike.span(found)} times that of {peer['name']}{revision(peer, scheme)} for "
            f"{scheme} ({alike.CODES[code]} on both sides)"
            for (scheme, code), (peer, found) in like.items()
        ]
        lost = alike.lost_of(samples, like)
        without = f"; no ratio for {', '.join(lost)}: the times moved too much" if lost else ""
        said = f"codekem's speed here is {'; '.join(words)}{without}"
        yield f"With the same kind of instructions, {said}."
    faster = []
    for peer in [] if like else [i for i in run["implementations"] if i["kind"] == "peer"]:
        for scheme, found in by_scheme(run, ratios_of(samples, peer["name"], samples.best)).items():
            good = [ratio for ratio in found.values() if ratio.doubt is None]
            if good:
                other = f"{peer['name']}{revision(peer, scheme)}"
                faster.append(f"{alike.span(good)} times that of {other} for {scheme}")
    if faster:
        yield f"The speed of codekem's fastest code here is {', '.join(faster)}."
    where = []
    for scheme in ("BIKE", "HQC"):
        kem = next((k["name"] for k in run["kems"] if k["scheme"] == scheme), None)
        best = samples.best(kem) if kem else None
        if best is not None:
            shares = {o: share(samples, kem, best, o) for o in OPERATIONS}
            value, top = max((share, operation) for operation, share in shares.items())
            where.append(f"in {kem} {LABELS[top]} {100 * value:.0f} %{part_of(run, kem, best)}")
    if where:
        yield f"What takes most of a whole exchange: {'; '.join(where)}."
    yield (
        f"Measured: {len(kems)} KEMs, with codekem's {', '.join(ours)} code{beside}, in "
        f"{run['settings']['rounds']} rounds."
    )


def revision(peer, scheme):
    return " (another revision)" if "revision" in described(peer, scheme) else ""


def part_of(run, kem, backend):
    """Returns the largest part of a KEM in words, if it was profiled."""
    parts = tables_profile.shares(run, kem, backend)
    if not parts:
        return ""
    (operation, part), value = max(parts.items(), key=lambda pair: pair[1])
    named = part if part[1:2] == " " else part.lower()  # "J function"
    return f" (largest part: {named} in {LABELS[operation]}, {100 * value:.0f} % of the whole)"


def of_kem(samples, kem):
    """Returns at most two sentences on a KEM: how fast it is, and where its time goes."""
    best = samples.best(kem["name"])
    if best is None:
        return []
    name = kem["name"]
    spent = duration(samples.summary(name, best, OVERALL).median)
    beside = []
    for what, other in (
        ("portable code", "portable"),
        (best_peer(samples, name), best_peer(samples, name)),
    ):
        if other is not None and other != best and samples.has(name, other):
            ratio = ratios.of(samples, name, other, best)
            if ratio.doubt is None:
                beside.append(f"{what} takes {ratio.text} times as long")
    base = next(
        (
            k["name"]
            for k in samples.run["kems"]
            if (k["scheme"], k["level"]) == ("ML-KEM", kem["level"])
        ),
        None,
    )
    lattice = base and next(iter(samples.implementations(base)), None)
    if lattice:
        ratio = ratios.paired(
            samples.rounds(name, best, OVERALL), samples.rounds(base, lattice, OVERALL)
        )
        if ratio.doubt is None:
            beside.append(f"{base} ({lattice}) takes {quotient(ratio)} of its time")
    words = "".join(f"; {each}" for each in beside)
    found = [f"{name} takes {spent} in all with {best}{words}."]
    shares = ", ".join(
        f"{LABELS[o]} {100 * share(samples, name, best, o):.0f} %" for o in OPERATIONS
    )
    found.append(f"Of this, {shares}{part_of(samples.run, name, best)}.")
    return found


def quotient(ratio):
    """Writes the inverse of a ratio as a share: 2.00 (1.98 to 2.02) is 50 %."""
    return f"{100 / ratio.interval.median:.0f} %"


def sentences(samples):
    """Returns the findings of a run, at most two for a KEM, one for all of Classic McEliece."""
    return [
        sentence
        for kem in samples.run["kems"]
        if not kem.get("legacy") and kem["scheme"] != MCELIECE
        for sentence in of_kem(samples, kem)
    ] + mceliece(samples)


def mceliece(samples):
    """Returns a sentence on the fastest and the slowest set of Classic McEliece, if measured."""
    spent = sorted(
        (samples.summary(kem["name"], best, OVERALL).median, kem["name"])
        for kem in samples.run["kems"]
        if kem["scheme"] == MCELIECE and (best := samples.best(kem["name"]))
    )
    if not spent:
        return []
    (least, first), (most, last) = spent[0], spent[-1]
    keygen = [share(samples, kem, samples.best(kem), "keygen") for _, kem in spent]
    return [
        f"{MCELIECE}, of which {len(spent)} sets were measured, takes {duration(least)} "
        f"({first}) to {duration(most)} ({last}), {span([100 * each for each in keygen], 0)} % of "
        "it for KeyGen."
    ]


def on_times(samples):
    """Returns every comparison of times in words."""
    return [*vector_gain(samples), *peers(samples), *mlkem(samples)]


def on_profile(samples):
    """Returns in words which operations and parts dominate, here and in the survey."""
    return [*dominating_operations(samples), *dominating_parts(samples.run)]
