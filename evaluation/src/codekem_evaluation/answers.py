# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ten questions that a reader asks, and the sentences that answer them, first in their sections.

docs/evaluation.md lists the questions; the page links from each to its answer.
"""

from codekem_base.model import Answer
from codekem_evaluation import (
    alike,
    paths,
    ratios,
    statistics,
    tables_hardware,
    tables_network,
    tables_profile,
)
from codekem_evaluation.samples import OVERALL

QUESTIONS = {
    "mlkem": "How much slower are BIKE-L1 and HQC-1 than ML-KEM-512 here?",
    "like": "And beside another library with the same kind of instructions?",
    "vectors": "How much does vector code bring?",
    "sure": "How sure are these ratios?",
    "decaps": "What does Decaps spend its time on?",
    "wire": "Which KEM is smallest on the wire?",
    "slow": "Does speed matter on a slow network?",
    "fpga": "Which FPGA fits?",
    "stack": "How much stack does a decapsulation take?",
    "failures": "How often does decoding fail?",
}
CATEGORY = 1
MAIN = ("BIKE-L1", "HQC-1")
PARTS = 3  # of an operation that are named
SMALL_CORES = ("BIKE-L1", "HQC-1")


def given(sections):
    """Returns {key: question} of those that the sections answer, in the order of the page."""
    keys = [
        sentence.key
        for section in sections
        for sentence in section.sentences
        if isinstance(sentence, Answer)
    ]
    return {key: QUESTIONS[key] for key in keys}


def first_of(run, scheme):
    """Returns the name of the KEM of a scheme in category 1, or None."""
    found = (k["name"] for k in run["kems"] if (k["scheme"], k["level"]) == (scheme, CATEGORY))
    return next(found, None)


# --- Times ---------------------------------------------------------------------------------------


def on_times(samples):
    beside = [mlkem(samples), like(samples)] if alike.any_peers(samples) else []
    return [*beside, vectors(samples), sure(samples)]


def mlkem(samples):
    base = first_of(samples.run, "ML-KEM")
    other = base and next(iter(samples.implementations(base)), None)
    if not other:
        return Answer("mlkem", "ML-KEM was not measured here: no peer that has it was there.")
    words = []
    for kem in [kem for kem in MAIN if samples.best(kem)]:
        best = samples.best(kem)
        ratio = ratios.paired(
            samples.rounds(kem, best, OVERALL), samples.rounds(base, other, OVERALL)
        )
        words.append(
            f"{kem} ({best}) takes {ratio.bound or ratio.text} times as long"
            if ratio.doubt is None or ratio.bound
            else f"no ratio for {kem}: {ratio.doubt.split(';')[0]}"
        )
    return Answer("mlkem", f"Beside {base} ({other}): {'; '.join(words)}.")


def like(samples):
    found, unknown = [], []
    for kem in MAIN:
        for peer in alike.peers_of(samples, kem):
            ours, why = alike.ours_for(samples, kem, peer)
            if ours is None:
                unknown.append((f"{peer['name']} for {kem}", why.split(":")[0]))
                continue
            ratio = ratios.of(samples, kem, peer["name"], ours)
            if ratio.doubt is None or ratio.bound:
                factor = ratio.bound or ratio.text
                found.append(f"{peer['name']} takes {factor} times as long for {kem} ({ours})")
    if found:
        words = f"With the same kind of instructions as ours, {'; '.join(found)}."
    elif unknown:
        words = f"No ratio of like with like for {unknown[0][0]}: {unknown[0][1]}."
    else:
        words = "No ratio of like with like: the times moved too much."
    return Answer("like", words)


def vectors(samples):
    words = []
    for kem in MAIN:
        best = samples.best(kem)
        if best and best not in alike.PORTABLE and samples.has(kem, "portable"):
            ratio = ratios.of(samples, kem, "portable", best)
            if ratio.doubt is None:
                words.append(f"{ratio.text} times as fast for {kem} ({best})")
    text = f"Our vector code is {'; '.join(words)} as our portable code." if words else (
        "This run has no vector code to set beside portable code, or its times moved too much."
    )  # fmt: skip
    return Answer("vectors", text)


def sure(samples):
    widths, doubtful = [], 0
    for kem in [kem["name"] for kem in samples.run["kems"] if samples.best(kem["name"])]:
        best = samples.best(kem)
        for other in samples.implementations(kem):
            if other != best:
                ratio = ratios.of(samples, kem, other, best)
                doubtful += ratio.doubt is not None
                if ratio.doubt is None:
                    widths.append(100 * ratio.interval.half_width)
    confidence = 100 * statistics.ranks(samples.run["settings"]["rounds"])[2]
    words = f"The interval behind a ratio holds the true one with {confidence:.0f} %"
    if widths:
        words += f"; here they reach {min(widths):.2g} to {max(widths):.2g} % to either side"
    if doubtful:
        words += f", and {doubtful} ratios are not given, because the times moved too much"
    return Answer("sure", f"{words}.")


# --- The other sections --------------------------------------------------------------------------


def decaps(samples):
    words = []
    for kem in MAIN:
        best = samples.best(kem)
        parts = {
            part: share
            for (operation, part), share in tables_profile.shares(samples.run, kem, best).items()
            if operation == "decaps"
        }
        whole = sum(parts.values())
        largest = sorted(parts.items(), key=lambda pair: -pair[1])[:PARTS]
        if largest:
            named = ", ".join(f"{100 * v / whole:.0f} % on {lower(part)}" for part, v in largest)
            words.append(f"that of {kem} ({best}) spends {named}")
    text = (
        f"Of Decaps alone: {'; '.join(words)}." if words else "Decaps was not profiled in this run."
    )
    return Answer("decaps", text)


def lower(part):
    """Writes a part within a sentence: Decoding as decoding, J function as it is."""
    return part if part[1:2] == " " or part[:2].isupper() else part[:1].lower() + part[1:]


def wire(run):
    found = sorted(
        (kem["public_key_bytes"] + kem["ciphertext_bytes"], kem["name"])
        for kem in tables_network.kems_with_sizes(run)
        if kem["level"] == CATEGORY
    )
    (least, name), *others = found
    rest = ", ".join(f"{other} takes {size:,}" for size, other in others)
    return Answer(
        "wire",
        f"{name} is the smallest of category {CATEGORY} on the wire, with {least:,} bytes for "
        f"public key and ciphertext; {rest}.",
    )


def slow(samples):
    name, bits, round_trip = tables_network.LINKS[-1]
    computing = tables_network.computing(samples)
    words = []
    for kem in tables_network.kems_with_sizes(samples.run):
        if kem["level"] == CATEGORY and kem["name"] in computing:
            parts = [kem["public_key_bytes"], kem["ciphertext_bytes"]]
            spent = computing[kem["name"]]
            whole = spent + tables_network.wire(parts, bits, round_trip)
            words.append(f"{whole:.0f} ms with {kem['name']}, of which computing is {spent:.2g} ms")
    text = f"Over {name}, an exchange takes {'; '.join(words)} (a model)."
    return Answer("slow", text if words else "No KEM of category 1 was measured in this run.")


def fpga():
    words = []
    cores = [
        core
        for core in tables_hardware.cores(paths.HARDWARE)[0]
        if core.source == tables_hardware.OURS and core.level == CATEGORY
        and core.milliseconds is not None and core.need["LUT"] is not None
    ]  # fmt: skip
    for name in SMALL_CORES:
        mine = [core for core in cores if core.name == name]
        if not mine:
            continue
        small = min(mine, key=lambda core: core.need["LUT"])
        fits = [tables_hardware.smallest(small.need, "Artix-7")]
        if small.raw_luts is not None:
            fits.append(tables_hardware.smallest(small.raw_need, "Artix-7"))
        fit = " or ".join(dict.fromkeys(fits))
        words.append(f"{name} an {fit} ({small.design}, {small.milliseconds:.2g} ms)")
    note = "the first by the estimate of LUTs, the second by their raw count"
    clock = f"times at an assumed {tables_hardware.ASSUMED_MHZ} MHz"
    return Answer(
        "fpga",
        f"Our smallest cores for a whole KEM fit these FPGAs: {'; '.join(words)}; {note}; {clock}."
        if words
        else "No results of our cores are here; the published ones are in the tables.",
    )


def stack(samples):
    found = {
        (row["kem"], row["implementation"]): row["bytes"]
        for row in samples.run.get("stack", [])
        if row["operation"] == "decaps"
    }
    words = [
        f"{found[kem, best]:,} bytes for {kem} ({best})"
        for kem in MAIN
        if (best := samples.best(kem)) and (kem, best) in found
    ]
    text = f"Most stack of a decapsulation: {', '.join(words)}." if words else (
        "The stack was not measured in this run."
    )  # fmt: skip
    return Answer("stack", text)
