# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the numbers say, in generated sentences; nothing is said that the run does not hold."""

from codekem_evaluation import statistics, tables_profile, tables_times
from codekem_evaluation.samples import LABELS, OPERATIONS, OVERALL

NAMED_SHARE = 0.2  # a part is worth naming from this share of the whole KEM on


def span(values, digits=1):
    """Writes a range of ratios or shares."""
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def overall(samples, kem, implementation):
    return samples.rounds(kem, implementation, OVERALL)


def ratios(samples, over, under):
    """Returns {KEM: Interval} of over's time in units of under's, for the KEMs that have both.

    over and under are names of implementations, or functions from a KEM to one (or None).
    """
    found = {}
    for kem in tables_times.current_kems(samples.run):
        names = [side(kem) if callable(side) else side for side in (over, under)]
        if None not in names and all(samples.has(kem, name) for name in names):
            found[kem] = statistics.paired_ratio(*[overall(samples, kem, n) for n in names])
    return found


def by_scheme(run, found):
    """Groups {KEM: Interval} by scheme."""
    groups = {}
    for kem in run["kems"]:
        if kem["name"] in found:
            groups.setdefault(kem["scheme"], []).append(found[kem["name"]].median)
    return groups


def dominating_operations(samples):
    """Says which operation takes most, for each implementation, and what the survey found."""
    found = []
    for scheme in ("BIKE", "HQC"):
        for implementation in [i["name"] for i in samples.run["implementations"]]:
            kems = [k["name"] for k in samples.run["kems"] if k["scheme"] == scheme
                    and not k.get("legacy") and samples.has(k["name"], implementation)]
            if not kems:
                continue
            shares = {o: [samples.summary(k, implementation, o).median
                          / samples.summary(k, implementation, OVERALL).median for k in kems]
                      for o in OPERATIONS}
            top = max(shares, key=lambda o: min(shares[o]))
            found.append(f"{implementation}: {LABELS[top]} with "
                         f"{span([100 * share for share in shares[top]], 0)} %")
        if found:
            yield f"Of the time of {scheme}, most goes to: {'; '.join(found)}."
        found = []
    survey = []
    for kem, implementations in tables_times.published_times().items():
        for (name, cpu), rows in implementations.items():
            share = float(rows["decaps"]["milliseconds"]) / float(rows[OVERALL]["milliseconds"])
            survey.append((100 * share, f"{kem} {name} on {cpu}"))
    yield (f"In the survey, too, Decaps takes most: {min(survey)[0]:.0f} % ({min(survey)[1]}) to "
           f"{max(survey)[0]:.0f} % ({max(survey)[1]}).")


def dominating_parts(run):
    """Says which parts take most of the whole KEM, for each back end that was profiled."""
    for kem in dict.fromkeys(row["kem"] for row in run.get("profile", [])):
        words = []
        for backend in dict.fromkeys(row["backend"] for row in run["profile"] if row["kem"] == kem):
            parts = sorted(tables_profile.shares(run, kem, backend).items(), key=lambda p: -p[1])
            named = [f"{part} in {LABELS[operation]} {100 * share:.0f} %"
                     for (operation, part), share in parts if share >= NAMED_SHARE] or [
                         f"{parts[0][0][1]} in {LABELS[parts[0][0][0]]} {100 * parts[0][1]:.0f} %"]
            words.append(f"{backend}: {', '.join(named)}")
        survey = [f"{name} on {cpu}: decoding {rows['decaps', 'Decoding'][0]:.0f} %, inversion "
                  f"{rows['keygen', 'Inversion'][0]:.0f} %"
                  for (name, cpu), rows in tables_profile.survey(kem).items()]
        yield (f"Of a whole {kem}, the largest parts are: {'; '.join(words)}."
               + (f" In the survey: {'; '.join(survey)}." if survey else ""))


def vector_gain(samples):
    """Says how much faster vector code is, here and in the survey."""
    for backend in [i["name"] for i in samples.run["implementations"] if i["kind"] == "codekem"]:
        if backend in ("reference", "portable"):
            continue
        groups = by_scheme(samples.run, ratios(samples, "portable", backend))
        if groups:
            yield (f"{backend} is faster than portable code by factors of " + " and ".join(
                f"{span(values)} ({scheme})" for scheme, values in groups.items()) + ".")
    survey = []
    for implementations in tables_times.published_times().values():
        for (name, cpu), rows in implementations.items():
            base = implementations.get(("CT C99", cpu))
            if name == "CT AVX2" and base:
                survey.append(float(base[OVERALL]["milliseconds"])
                              / float(rows[OVERALL]["milliseconds"]))
    yield (f"In the survey, AVX2 is faster than constant-time C99 by factors of {span(survey)} "
           "(BIKE, the same processor).")


def peers(samples):
    """Says how peers compare with our best back end, with the interval's ends."""
    for peer in [i for i in samples.run["implementations"] if i["kind"] == "peer"]:
        groups = by_scheme(samples.run, ratios(samples, peer["name"], samples.best))
        for scheme, values in groups.items():
            low, high = min(values), max(values)
            words = (f"takes {span(values)} times as long as codekem" if low > 1 else
                     f"takes {span(values, 2)} times codekem's time" if high > 1 else
                     f"is faster than codekem by factors of {span([1 / v for v in values])}")
            note = f" ({peer['note']})" if scheme in peer.get("note", "") else ""
            yield f"{scheme}: {peer['name']} {words}{note}."


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
            ratio = statistics.paired_ratio(overall(samples, kem["name"], best),
                                            overall(samples, base, other))
            words.append(f"{kem['name']} takes {ratio.median:.1f} times {base} ({other})")
    return [f"Computing, beside ML-KEM: {'; '.join(words)}."] if words else []


def sentences(samples):
    """Returns all findings of a run."""
    return [*dominating_operations(samples), *dominating_parts(samples.run),
            *vector_gain(samples), *peers(samples), *mlkem(samples)]
