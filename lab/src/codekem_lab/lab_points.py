# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder laboratory's points: a decoder with its parameters, a code, a class, a score.

Decoders by name, with where each is from:

- bgf[-N]: Black-Gray-Flip [BIKE, S7], N iterations; thresholds of the library's level, to the bit.
- bike-flip-floor, -nearest, -ceil: BIKE-Flip of BIKE's specification 5.2 of 2024. Seen in four
  independent programs (one cuts off, one rounds to the nearest, two round up), not in the
  specification itself. So the rounding is a part of the name.
- pickyfix[-N]: [PT22], from their program: fixed number of flips first, ties by position.
- bf-max: [BBCS25]: one position with the largest counter at a time, ties at random.
- step-by-step: [SV19]: a random unsatisfied check, a random position of it.
- bf: all that reach the threshold, nothing else.
- bgf-N-first-lower-M: BGF whose first threshold is lower by M, but not below (d + 1) / 2; the gray
  positions are those just below the lower one.
- NAME-aware: the same, which recognises the syndrome of a near-codeword after each iteration, as
  [BDBS26] proposes.
"""

import dataclasses
import hashlib
import math
import re

from codekem_base.errors import EvaluationError
from codekem_base.parameters import BIKE
from codekem_lab.dfr_worker import affine_threshold

CODES = {level: tuple(code) for level, code in BIKE.items()}
# BIKE-Flip: slope, constant, delta.
AFFINE = {
    1: (0.006254868353074983, 11.101432337243956, 3),
    3: (0.004533882596007288, 13.282669604666431, 5),
    5: (0.0036083738659016262, 15.430866686308178, 6),
}
PICKY_FLIPS = {1: 55, 3: 65, 5: 100}
FLIP_ITERATIONS = 7
PILOT_RUN = 2**20  # the number of a pilot: no run that counts has it
# The shares x that the lower bound of splitting bets on each run, fixed before the runs; see
# lab_estimates.py.
BETS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4, 15 / 16)
BGF_ITERATIONS = 5


def level_words(level):
    """Returns a level of a run as codekem_lab takes it. Those from before the gates have none."""
    gate = [level["least"]] if level.get("least") else []
    return ":".join(map(str, [level["score"], level["swap"], level["steps"], *gate]))


DECODERS = re.compile(
    r"(?P<base>bgf|pickyfix|bf|bf-max|step-by-step|bike-flip-(?P<rounding>floor|nearest|ceil)"
    r"|model-half|model-key|model-near)(?:-(?P<iterations>\d+))?"
    r"(?:-first-lower-(?P<lower>[1-9]\d?))?(?P<aware>-aware)?"
)
CLASSES = ("random", "near-codeword", "multiplicity", "intersection", "progression")
SCORES = ("wrong", "syndrome")
KEYS = ("moves", "kept", "fixed")


@dataclasses.dataclass(frozen=True)
class LabPoint:
    """What the decodings of one point have in common. threshold: None is the library's for the
    level; otherwise CONSTANT,SLOPE or CONSTANT,SLOPE,LEAST, an affine function of the syndrome's
    weight, cut off; or steps VALUE@WEIGHT,... as codekem_lab takes them. flips: None is the
    usual."""

    decoder: str
    level: int
    r: int
    d: int
    t: int
    threshold: str | None = None
    flips: int | None = None
    key_class: str = "random"
    parameter: int = 0
    score: str = "wrong"
    key: str = "moves"

    def __post_init__(self):
        match = DECODERS.fullmatch(self.decoder)
        if (
            match is None
            or (match["iterations"] and int(match["iterations"]) == 0)
            or (match["lower"] and match["base"] != "bgf")
        ):
            raise EvaluationError(
                f"'{self.decoder}' is not a decoder; give bgf-5, bike-flip-floor (or -nearest, "
                "-ceil), pickyfix-5, bf-max, step-by-step or bf, -aware at the end if wanted"
            )
        if self.threshold and "@" not in self.threshold and not self.affine:
            raise EvaluationError(
                f"'{self.threshold}' is not a threshold; give CONSTANT,SLOPE or "
                "CONSTANT,SLOPE,LEAST as in 13.530,0.0069722,36, with a CONSTANT below 256, a "
                "SLOPE below 1 and a LEAST of at most 255, or steps VALUE@WEIGHT,..."
            )

    @property
    def affine(self):
        """The match of a threshold CONSTANT,SLOPE[,LEAST]; None for the level's and for steps."""
        return affine_threshold(self.threshold or "")

    @property
    def label(self):
        """The decoder, and its threshold if that is neither the level's nor given by steps."""
        if not self.affine:
            return self.decoder
        constant, slope, least = self.affine.groups()
        return f"{self.decoder}, {constant} + {slope} S" + (f" >= {least}" if least else "")

    @property
    def name(self):
        kind = "" if self.key_class == "random" else f" {self.key_class}:{self.parameter}"
        return f"{self.label} r={self.r} t={self.t}{kind}"

    @property
    def parts(self):
        return DECODERS.fullmatch(self.decoder)

    @property
    def iterations(self):
        given = self.parts["iterations"]
        flip = self.parts["base"].startswith("bike-flip")
        return int(given) if given else FLIP_ITERATIONS if flip else BGF_ITERATIONS

    def passes(self):
        """Returns how many times all counters are counted, if the time is to be constant; None for
        a decoder for which that is no measure."""
        base = self.parts["base"]
        if base in ("bgf", "pickyfix"):  # two more steps in the first iteration
            return self.iterations + 2
        return self.iterations if base == "bf" or base.startswith("bike-flip") else None

    def words(self):
        """Returns the settings of codekem_lab, but for the seed and what is run."""
        base = self.parts["base"]
        found = {
            "r": self.r,
            "d": self.d,
            "t": self.t,
            "decoder": "bike-flip" if base.startswith("bike-flip") else base,
            "iterations": self.iterations,
            "threshold": self.steps() or f"level{self.level}",
        }
        if base.startswith("bike-flip"):
            found["affine"] = ",".join(repr(value) for value in AFFINE[self.level])
            found["rounding"] = self.parts["rounding"]
        flips = {"pickyfix": PICKY_FLIPS[self.level], "bf-max": 2 * self.t, "step-by-step": 100000}
        if self.flips is not None or base in flips:
            found["flips"] = flips[base] if self.flips is None else self.flips
        if self.parts["lower"]:
            found["lower"] = self.parts["lower"]
        if self.parts["aware"]:
            found["aware"] = 1
        if self.key_class != "random":
            found |= {"class": self.key_class, "parameter": self.parameter}
        if self.score != "wrong":
            found["score"] = self.score
        if self.key != "moves":
            found["key"] = self.key
        return [f"{name}={value}" for name, value in found.items()]

    def steps(self):
        """Returns the threshold as codekem_lab takes it; None for the level's."""
        if not self.affine:
            return self.threshold
        constant, slope, least = self.affine.groups()
        low = (self.d + 1) // 2 if least is None else int(least)
        rule = (math.floor(float(constant) + float(slope) * w) for w in range(self.r + 1))
        return steps_of([min(255, max(low, value)) for value in rule])

    def stream(self, seed):
        """Returns the seed of this point: points draw nothing in common."""
        return hashlib.sha256(" ".join([seed, *self.words()]).encode()).hexdigest()

    def as_row(self):
        return dataclasses.asdict(self)


def point_of(row):
    return LabPoint(**{field.name: row[field.name] for field in dataclasses.fields(LabPoint)})


# --- Thresholds ----------------------------------------------------------------------------------


def steps_of(values):
    """Returns VALUE@WEIGHT,... for a list of thresholds by weight."""
    found, last = [], None
    for weight, value in enumerate(values):
        if value != last:
            found.append(f"{value}@{weight}")
            last = value
    return ",".join(found)


def largest_step(text):
    """Returns the largest VALUE of steps VALUE@FROM,...; an error if they are none."""
    match = re.fullmatch(r"\d+@0(,\d+@\d+)*", text)
    if match is None:
        raise EvaluationError(
            f"'{text}' is no table; give K@0,K@FROM,...: what is at least FROM counts 2^K"
        )
    return max(int(step.partition("@")[0]) for step in text.split(","))


def log_binomial(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def thresholds_2017(r, d, t, least):
    """Returns the thresholds of [Cha17] by weight of the syndrome, rounded up and at least `least`:
    the smallest counter of which a wrong position is as likely as a right one. For toys, to which
    the affine rules of the levels do not apply."""
    n, w = 2 * r, 2 * d
    odd = [
        (i, math.exp(log_binomial(w, i) + log_binomial(n - w, t - i) - log_binomial(n, t)))
        for i in range(1, min(w, t) + 1, 2)
    ]
    extra = sum((i - 1) * share for i, share in odd) / sum(share for _, share in odd)
    values = []
    for weight in range(r + 1):
        wrong = min(1 - 1e-9, (weight + extra * weight) / (t * d))
        right = max(1e-9, (w * weight - (weight + extra * weight)) / ((n - t) * d))
        value = least
        if weight and right < wrong:
            value = math.ceil(
                (math.log((n - t) / t) + d * math.log((1 - right) / (1 - wrong)))
                / (math.log(wrong / right) + math.log((1 - right) / (1 - wrong)))
            )
        values.append(min(d, max(value, least)))
    return values


def toy(r, **settings):
    """Returns a toy: d = 15, t = 18 and BGF with the thresholds of 2017, at least 8."""
    rule = steps_of(thresholds_2017(r, 15, 18, 8))
    return LabPoint("bgf-5", 1, r, 15, 18, rule, **settings)
