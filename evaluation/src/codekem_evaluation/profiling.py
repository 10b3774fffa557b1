# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Adds the profile of each KEM and back end to a run; profile_samples does the work."""

from codekem_base import checkout
from codekem_base.errors import EvaluationError, Unavailable
from codekem_evaluation import profile_samples

KEYS = ("kem", "backend", "operation", "part", "cycles", "share", "calls")
SECONDS = 0.25  # of samples for a KEM on a back end in a quick run, about
LEFT_OUT = ("reference",)  # only the tests use it, and it takes a second per sample


def is_profiled(kem, backend, run, backends):
    """Of Classic McEliece only the sets that make a key at once (f), whose parts the others share;
    in a quick run on the fastest back end alone, for keys take long."""
    if kem["scheme"] != "Classic McEliece":
        return True
    return kem["name"].endswith("f") and (run["mode"] == "full" or backend == backends[-1])


def subjects(run):
    """Returns the pairs of KEM and back end to profile."""
    backends = [
        i["name"]
        for i in run["implementations"]
        if i["kind"] == "codekem" and i["name"] not in LEFT_OUT
    ]
    ours = {t["kem"] for t in run["times"] if t["implementation"] in backends}
    return [
        (kem["name"], backend)
        for kem in run["kems"]
        if kem["name"] in ours and not kem.get("legacy")
        for backend in backends
        if is_profiled(kem, backend, run, backends)
    ]


def rounds_for(run, kem, backend, mode):
    """Returns how many rounds fill the time, from what an exchange took in this run."""
    exchange = (
        sum(
            min(min(samples) for samples in t["nanoseconds"])
            for t in run["times"]
            if (t["kem"], t["implementation"]) == (kem, backend)
        )
        / 1e9
    )
    seconds = SECONDS * (20 if mode == "full" else 1)
    return int(min(1000, max(12, seconds / (2 * exchange or 1))))


def take(run, build, progress):
    """Fills run["profile"] and run["profile_samples"]; raises Unavailable if it cannot be built."""
    try:
        (program,) = checkout.build(build, "codekem_profile")
    except EvaluationError as error:
        raise Unavailable(
            "profile", str(error).splitlines()[0], "run 'make evaluate', which builds it"
        ) from error
    pairs = subjects(run)
    for number, (kem, backend) in enumerate(pairs):
        progress(number, len(pairs), f"profile: {kem} {backend}")
        try:
            entry = profile_samples.result(
                profile_samples.collect(
                    program, kem, backend, rounds_for(run, kem, backend, run["mode"])
                )
            )
        except EvaluationError as error:
            run["unavailable"].append(
                Unavailable(
                    f"profile of {kem} on {backend}", str(error), "run 'make evaluate' again"
                ).as_json()
            )
            continue
        run["profile"] += [{key: row[key] for key in KEYS} for row in entry["rows"]]
        run["profile_samples"].append(entry["samples"])
