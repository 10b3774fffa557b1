# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Takes the samples of a run: plan, order, rounds; keeps what is finished when interrupted."""

import dataclasses
import datetime
import random

from codekem_base.errors import Unavailable
from codekem_evaluation import machine, sampler
from codekem_evaluation.store import SCHEMA_NAME

OPERATIONS = ("keygen", "encaps", "decaps")


@dataclasses.dataclass(frozen=True)
class Settings:
    """How much is measured. A batch ends after its time or its most samples."""

    mode: str
    rounds: int
    milliseconds: float
    most: int
    seed: int = 1
    core: int | None = None


QUICK = Settings("quick", rounds=7, milliseconds=40, most=40)
FULL = Settings("full", rounds=40, milliseconds=250, most=60)


@dataclasses.dataclass(frozen=True)
class Subject:
    """One KEM on one implementation; take(milliseconds, most) returns a batch."""

    kem: str
    implementation: str
    take: object


def subjects_of(program, kems, backends, best):
    """Returns what codekem measures itself: every back end; earlier versions on the best one
    only, Classic McEliece not on the reference, which takes many seconds for a key."""
    subjects = []
    for kem in kems:
        chosen = [best] if kem["legacy"] else backends
        if kem["scheme"] == "Classic McEliece":
            chosen = [backend for backend in backends if backend != "reference"]
        for backend in chosen:
            subjects.append(
                Subject(
                    kem["name"],
                    backend,
                    lambda milliseconds, most, name=kem["name"], backend=backend: program.times(
                        name, backend, milliseconds, most
                    ),
                )
            )
    return subjects


def new_run(settings, build, core):
    """Returns a run without samples."""
    described, built = machine.describe(build, core)
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    return {
        "schema": SCHEMA_NAME,
        "created": now.isoformat().replace("+00:00", "Z"),
        "mode": settings.mode,
        "complete": False,
        "machine": described,
        "build": built,
        "clock": {"time": "CLOCK_MONOTONIC", "cycles": None, "cycles_hz": None, "core_hz": []},
        "settings": {
            "rounds": settings.rounds,
            "milliseconds": settings.milliseconds,
            "most": settings.most,
            "seed": settings.seed,
        },
        "waits": {"operations": 0, "waited": 0},
        "kems": [],
        "implementations": [],
        "times": [],
        "profile": [],
        "profile_samples": [],
        "tls": [],
        "signatures": [],
        "stack": [],
        "code": [],
        "unavailable": [],
    }


def take_clock(run, program):
    """Adds an estimate of the core's clock, and the rate of the counter of cycles."""
    clock = program.clock()
    run["clock"]["core_hz"].append(clock["core_hz"])
    if clock["cycles_hz"] is not None:
        run["clock"]["cycles"] = "time-stamp counter (constant rate, not the clock of the core)"
        run["clock"]["cycles_hz"] = clock["cycles_hz"]


def order_of(subjects, round_number, seed):
    """Returns the subjects in a random order; every second round is the one before, backwards.

    So what comes early in one round comes late in the next, and drift meets all alike.
    """
    shuffled = list(subjects)
    random.Random(seed * 1000 + round_number // 2).shuffle(shuffled)
    return shuffled[::-1] if round_number % 2 else shuffled


def add_batch(cells, subject, batch):
    """Appends a batch as one round of the three operations of its subject."""
    for operation in OPERATIONS:
        cell = cells.setdefault(
            (subject.kem, subject.implementation, operation),
            {
                "kem": subject.kem,
                "implementation": subject.implementation,
                "operation": operation,
                "nanoseconds": [],
                "cycles": None if batch["cycles"] is None else [],
            },
        )
        cell["nanoseconds"].append(batch["nanoseconds"][operation])
        if batch["cycles"] is not None:
            cell["cycles"].append(batch["cycles"][operation])


def take_times(
    run,
    subjects,
    settings,
    program,
    progress=lambda done, total, text: None,
    taken=lambda subject, batch: None,
    keep=lambda: None,
):
    """Fills run["times"]. KeyboardInterrupt passes through, with the finished batches kept.

    Calls progress before each batch, taken with each, and keep after each round.
    """
    cells = {}
    failed = set()
    wanted = [(s.kem, s.implementation, o) for s in subjects for o in OPERATIONS]
    total = settings.rounds * len(subjects)
    done = 0
    try:
        for round_number in range(settings.rounds):
            take_clock(run, program)
            for subject in order_of(subjects, round_number, settings.seed):
                progress(
                    done,
                    total,
                    f"round {round_number + 1} of {settings.rounds}: "
                    f"{subject.kem} {subject.implementation}",
                )
                done += 1
                if (subject.kem, subject.implementation) in failed:
                    continue
                try:
                    batch = subject.take(settings.milliseconds, settings.most)
                    add_batch(cells, subject, batch)
                    run["waits"]["operations"] += sum(map(len, batch["nanoseconds"].values()))
                    run["waits"]["waited"] += batch["waited"]
                    taken(subject, batch)
                except Unavailable as error:
                    failed.add((subject.kem, subject.implementation))
                    run["unavailable"].append(error.as_json())
            run["times"] = [cells[key] for key in wanted if key in cells]
            keep()
        progress(total, total, "times measured")
    finally:
        run["times"] = [cells[key] for key in wanted if key in cells]


def core_of(settings):
    return settings.core if settings.core is not None else sampler.default_core()
