# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stored failures, decoded again: by the laboratory's engines and by the library's own decoder."""

import collections
import dataclasses
import json
import statistics

import numpy as np

from codekem_base.errors import EvaluationError
from codekem_lab import lab_campaign
from codekem_lab.dfr_worker import RINGS, Point, call
from codekem_lab.lab_points import BGF_ITERATIONS, CODES, LabPoint, point_of

# Of the library, in any build; which of them this machine has, it says.
BACKENDS = (
    *("reference", "portable", "avx2", "avx512", "neon", "neon-sha3"),
    *("zbc", "rvv", "rvv-zvbc", "m4"),
)
ANY_R = ("public", "reference")


@dataclasses.dataclass(frozen=True)
class Failure:
    """A key and an error that the decoder of the point does not find."""

    point: LabPoint
    h0: tuple
    h1: tuple
    e: tuple
    ties: int

    def case(self):
        return " ".join(map(str, [*self.h0, *self.h1, *self.e, self.ties]))

    def checks(self):
        """Returns {check: how many positions of the error it has}, without those that have none."""
        r = self.point.r
        return collections.Counter(
            (p % r + q) % r for p in self.e for q in (self.h1 if p >= r else self.h0)
        )

    def syndrome(self):
        """Returns the positions of e0 h0 + e1 h1."""
        return [check for check, n in self.checks().items() if n % 2]

    def threes(self):
        """Returns how many checks have three errors, modulo 4, as the roulette counts them."""
        return sum(n % 4 == 3 for n in self.checks().values())

    def overlap(self):
        """Returns how many positions of the error the near-codeword has that has most of them."""
        r = self.point.r
        halves = (
            (self.h0, [p for p in self.e if p < r]),
            (self.h1, [p - r for p in self.e if p >= r]),
        )
        counts = [np.bincount(np.subtract.outer(e, h).ravel() % r) for h, e in halves if e]
        return int(max(count.max() for count in counts))


def drawn(program, row, index):
    """Returns decoding number index of a direct point as a case; key and error as codekem_dfr draws
    them, too."""
    point = point_of(row)
    if point.key_class == "random" or CODES[point.level][1] == point.d:
        arguments = ["public", point.level, point.r, point.t, "spec", point.key_class]
        text = call(
            program.parent / "codekem_dfr",
            "keys",
            *arguments,
            point.parameter,
            row["seed"],
            index,
            1,
        )
        found = json.loads(text)
        return tuple(found["h0"]), tuple(found["h1"]), tuple(found["e"])
    raise EvaluationError("only codes with the level's d can be drawn again")


def drawn_again(program, campaign, row, index):
    """Returns failure number index of a roulette, from its group."""
    settings, point = campaign["settings"], point_of(row)
    words = [*point.words(), f"seed={row['seed']}"]
    group = index // settings["group"] ** 2
    cases = lab_campaign.groups_of(program, words, settings, group, 1, kept=100)["cases"]
    for case in cases:
        if case["index"] == index:
            h0, h1, e = (tuple(case[name]) for name in ("h0", "h1", "e"))
            return Failure(point, h0, h1, e, int(case["ties"]))
    raise EvaluationError(f"{point.name}: decoding {index} does not fail here")


def failures_of(campaign, program):
    """Returns the stored failures of a campaign with key and error."""
    found = []
    for row in campaign["points"]:
        point = point_of(row)
        if campaign["method"] == "split":
            for run in row["runs"]:
                found += [
                    Failure(point, tuple(f["h0"]), tuple(f["h1"]), tuple(f["e"]), int(f["ties"]))
                    for f in run["failures"]
                ]
            continue
        if campaign["method"] == "roulette":
            found += [drawn_again(program, campaign, row, index) for index in row["failed"]]
            continue
        if CODES[point.level][1] != point.d:
            continue
        seed = int.from_bytes(bytes.fromhex(row["seed"])[:8], "little")
        for index in row["failed"]:
            ties = seed ^ (index * 0x9E3779B97F4A7C15 % 2**64)
            h0, h1, e = drawn(program, row, index)
            found.append(Failure(point, h0, h1, e, ties))
    return found


def steps_of(program, failures, engine=None):
    """Returns what codekem_lab shows of each failure, which all are of one point."""
    words = [*failures[0].point.words(), *([f"engine={engine}"] if engine else [])]
    text = call(program, "given", *words, text="\n".join(f.case() for f in failures) + "\n")
    return [json.loads(line) for line in text.splitlines()]


def wrong_of_library(program, backend, failures):
    """Returns how many positions the library's decoder leaves wrong in each."""
    arguments = library_point(failures[0].point).settings("0" * 64, backend)
    lines = []
    for failure in failures:
        syndrome = failure.syndrome()
        lines.append(" ".join(map(str, [*failure.h0, *failure.h1, len(syndrome), *syndrome])))
    text = call(program, "decode", *arguments, text="\n".join(lines) + "\n")
    return [
        len(set(map(int, line.split())) ^ set(f.e))
        for line, f in zip(text.splitlines(), failures, strict=True)
    ]


def lowered(failures, lower):
    """Returns the failures of BGF as cases for BGF whose first threshold is lower."""
    found = []
    for failure in failures:
        name = f"{failure.point.decoder}-first-lower-{lower}"
        if failure.point.parts["base"] != "bgf" or failure.point.parts["lower"]:
            raise EvaluationError(f"{failure.point.decoder} has no first threshold to be lowered")
        if failure.point.parts["aware"]:
            name = f"{failure.point.decoder.removesuffix('-aware')}-first-lower-{lower}-aware"
        found.append(
            dataclasses.replace(failure, point=dataclasses.replace(failure.point, decoder=name))
        )
    return found


@dataclasses.dataclass
class Replayed:
    lines: list
    differences: int


def library_point(point):
    """Returns the point for which codekem_dfr has the same decoder, with random keys; None if the
    library's decoder is another. It takes affine thresholds with the level's own minimum."""
    if point.parts["base"] != "bgf" or point.iterations != BGF_ITERATIONS or point.parts["aware"]:
        return None
    if CODES[point.level][1] != point.d:
        return None
    threshold = None
    if point.threshold is not None:
        if not point.affine or point.affine[3]:
            return None
        threshold = (float(point.affine[1]), float(point.affine[2]))
    lower = int(point.parts["lower"] or 0)
    return Point(point.level, point.r, point.t, threshold=threshold, first_lower=lower)


def backends_for(program, point):
    """Returns (back ends that can decode the point here, those that cannot)."""
    wanted = [*ANY_R, *BACKENDS[1:]] if point.r == RINGS[point.level] else list(ANY_R)
    there, missing = [], []
    for backend in wanted:
        try:
            call(program, "keys", *library_point(point).settings("0" * 64, backend), 0, 1)
            there.append(backend)
        except EvaluationError:
            missing.append(backend)
    return there, missing


def replay(campaign, lab_program, dfr_program, first_lower=0):
    """Decodes all stored failures again; Replayed.lines says what came out. With first_lower above
    0 BGF's first threshold is so much lower: then a failure may decode, but engines and back ends
    must agree on it."""
    found = Replayed([], 0)
    groups = {}
    failures = failures_of(campaign, lab_program)
    for failure in lowered(failures, first_lower) if first_lower else failures:
        groups.setdefault(failure.point, []).append(failure)
    engines = json.loads(call(lab_program, "info"))["engines"]
    for point, failures in groups.items():
        first = [item["wrong"] for item in steps_of(lab_program, failures, engines[0])]
        same = []
        for engine in engines:
            again = [item["wrong"] for item in steps_of(lab_program, failures, engine)]
            found.differences += sum(
                a != b or (a == 0 and not first_lower) for a, b in zip(again, first, strict=True)
            )
            same.append(engine)
        text = f"{point.name}: {len(failures)} failures; engines {', '.join(same)}"
        if library_point(point):
            there, missing = backends_for(dfr_program, point)
            for backend in there:
                theirs = wrong_of_library(dfr_program, backend, failures)
                found.differences += sum(a != b for a, b in zip(theirs, first, strict=True))
            text += f"; the library's decoder on {', '.join(there)}"
            if missing:
                text += f" (not here: {', '.join(missing)})"
        wrong = sorted(first)
        decoded = f"{wrong.count(0)} of them decode; " if first_lower else ""
        overlaps = [failure.overlap() for failure in failures]
        found.lines.append(
            f"{text}; {decoded}positions left wrong: {wrong[0]} to {wrong[-1]}; in a near-codeword "
            f"are at most {min(overlaps)} to {max(overlaps)} of the error; checks with three "
            f"errors: {statistics.mean(f.threes() for f in failures):.0f} in the mean"
        )
    return found
