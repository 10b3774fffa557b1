# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which of our code is to be set beside a peer's: that with the same kind of instructions.

A run says of a peer's code of a KEM that it is "portable" (no instructions beyond the compiler's
choice for any processor of the kind) or "vector" (all that it has for this processor, chosen when
it runs). Portable code is set beside our portable code, vector code beside our fastest.
"""

from codekem_base.model import Table, label, missing
from codekem_evaluation import ratios
from codekem_evaluation.kems import scheme_of
from codekem_evaluation.samples import OVERALL, trace_id

CODES = {"portable": "portable code", "vector": "vector code"}
PORTABLE = ("reference", "portable")  # our back ends without instructions of their own
UNKNOWN = "which instructions it uses is not known: name them in --peer, NAME:KEM=LIBRARY@CODE"
BETWEEN = "it uses some instructions of the processor, but no vectors: none of ours does that"


def code_of(implementation, kem):
    """Returns (portable, vector or None; why it is None) of a peer's code of a KEM."""
    code = implementation.get("code", {}).get(kem)
    if code is not None:
        return code, None
    scheme = scheme_of(kem)
    for note in implementation.get("note", "").split("; "):  # "HQC is ...; BIKE is ..."
        if note.startswith(f"{scheme} is "):
            if "without vector code but" in note:
                return None, BETWEEN
            if "without vector code" in note:
                return "portable", None
            if "with vector code" in note:
                return "vector", None
    return None, UNKNOWN


def ours_for(samples, kem, implementation):
    """Returns (our implementation to set beside a peer or None; why there is none)."""
    code, why = code_of(implementation, kem)
    if code == "portable":
        ours, why = "portable", "our portable code was not measured"
    elif code == "vector":
        ours, why = samples.best(kem), "our vector code was not measured"
        if ours in PORTABLE:
            ours = None
    else:
        ours = None
    return (ours, None) if ours and samples.has(kem, ours) else (None, why)


def peers_of(samples, kem):
    """Returns the peers that a run has of a KEM, as it describes them."""
    names = samples.implementations(kem)
    return [i for i in samples.run["implementations"] if i["kind"] == "peer" and i["name"] in names]


def any_peers(samples):
    """Tells whether another library was measured."""
    kinds = {i["name"]: i["kind"] for i in samples.run["implementations"]}
    return any(kinds[cell["implementation"]] == "peer" for cell in samples.run["times"])


def table(samples):
    """Returns every peer beside our code: with the same kind of instructions, then the fastest."""
    shown = Table(
        "peers",
        "Times of others in units of ours: the same kind of instructions first",
        ["KEM", "other", "its code", "our code", "alike", "our fastest", "to our fastest"],
        texts=4,
        printed=True,
    )
    for kem in [kem["name"] for kem in samples.run["kems"] if not kem.get("legacy")]:
        best = samples.best(kem)
        for peer in peers_of(samples, kem) if best else []:
            name, trace = peer["name"], trace_id(kem, peer["name"], OVERALL)
            ours, why = ours_for(samples, kem, peer)
            code, unknown = code_of(peer, kem)
            shown.add(
                label(kem),
                label(name),
                label(code) if code else missing(unknown),
                label(ours) if ours else missing(why),
                ratios.of(samples, kem, name, ours).cell(trace) if ours else missing(why),
                label(best, trace_id(kem, best, OVERALL)),
                ratios.of(samples, kem, name, best).cell(trace),
            )
    if not shown.rows:
        shown.reason = "no other library was measured; 'codekem-evaluation peers' says how to"
    shown.notes = [
        "a ratio is the median of those of single rounds, with its interval; portable code is "
        "beside our portable code, vector code beside our fastest"
    ]
    return shown


def found_of(samples):
    """Returns {(scheme, code): (peer, [Ratio of each KEM])}: of several peers with the same kind of
    code, the fastest."""
    found = {}
    for kem in [kem for kem in samples.run["kems"] if not kem.get("legacy")]:
        for peer in peers_of(samples, kem["name"]):
            ours, _ = ours_for(samples, kem["name"], peer)
            if ours is None:
                continue
            ratio = ratios.of(samples, kem["name"], peer["name"], ours)
            if ratio.doubt is None:
                code = code_of(peer, kem["name"])[0]
                peers = found.setdefault((kem["scheme"], code), {})
                peers.setdefault(peer["name"], (peer, []))[1].append(ratio)
    return {
        key: min(peers.values(), key=lambda pair: min(r.interval.median for r in pair[1]))
        for key, peers in found.items()
    }


def lost_of(samples, found):
    """Returns the schemes that have a peer of the same kind of code, and no ratio in found_of."""
    lost = {}
    for kem in [kem for kem in samples.run["kems"] if not kem.get("legacy")]:
        for peer in peers_of(samples, kem["name"]):
            code = code_of(peer, kem["name"])[0]
            ours, _ = ours_for(samples, kem["name"], peer)
            if ours and (kem["scheme"], code) not in found:
                lost[kem["scheme"]] = True
    return list(lost)


def span(found):
    """Writes the range of ratios with the digits that each deserves."""
    ends = (min, max)
    low, high = (end(found, key=lambda ratio: ratio.interval.median) for end in ends)
    words = [
        ratios.rounded(each.interval.median, ratios.decimals_of(each.interval))
        for each in (low, high)
    ]
    return words[0] if words[0] == words[1] else " to ".join(words)
