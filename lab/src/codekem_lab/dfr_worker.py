# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One point of a campaign, and one batch of its decodings: what runs on the machines."""

import dataclasses
import hashlib
import json
import re
import subprocess

from codekem_base.errors import EvaluationError
from codekem_base.kems import current, is_hqc
from codekem_base.parameters import BIKE, KEMS

LEVELS = {name: KEMS[name].level for name in current("BIKE", "HQC")}
INNER_CODE = "inner-code"  # the class of a point whose decodings are symbols of HQC's inner code
CLASSES = ("random", "progression", "multiplicity", "intersection", "near-codeword")
THRESHOLD_UNIT = 2**24  # of codekem_dfr
RINGS = {level: code.r for level, code in BIKE.items()}
RUNNING = set()  # programs that a thread of this process waits for
AFFINE_THRESHOLD = re.compile(r"(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)(?:,(\d{1,3}))?")


def affine_threshold(text):
    """Returns the match of CONSTANT,SLOPE[,LEAST], whose groups are the three as given; None for
    any other text, and where a counter of at most 255 could not follow the rule."""
    match = AFFINE_THRESHOLD.fullmatch(text)
    limits = (256, 1, 256)
    fits = match and all(
        float(number or 0) < limit for number, limit in zip(match.groups(), limits, strict=True)
    )
    return match if fits else None


@dataclasses.dataclass(frozen=True)
class Point:
    """What the decodings of one point have in common. threshold: None is the specification's."""

    level: int
    r: int
    t: int
    key_class: str = "random"
    parameter: int = 0
    threshold: tuple[float, float] | None = None
    first_lower: int = 0  # by how much the first threshold is lower

    @property
    def name(self):
        if self.key_class == INNER_CODE:
            return f"HQC n={self.r}"
        if self.key_class == "random":
            return f"r={self.r} t={self.t}"
        return f"r={self.r} t={self.t} {self.key_class}:{self.parameter}"

    def threshold_argument(self):
        lower = f"-{self.first_lower}" if self.first_lower else ""
        if self.threshold is None:
            return f"spec{lower}"
        rule = ":".join(str(round(number * THRESHOLD_UNIT)) for number in self.threshold)
        return rule + lower

    def backend(self, wanted):
        """The kernels of the library are for the specification's r; `public` takes any."""
        if wanted == "auto":
            return (
                "best" if self.key_class == INNER_CODE or self.r == RINGS[self.level] else "public"
            )
        return wanted

    def stream(self, seed):
        """Returns the seed of this point: points draw nothing in common."""
        text = (
            f"{seed} {self.level} {self.r} {self.t} {self.threshold_argument()} "
            f"{self.key_class} {self.parameter}"
        )
        return hashlib.sha256(text.encode()).hexdigest()

    def settings(self, seed, backend):
        """Returns the arguments SETTINGS of codekem_dfr."""
        return [
            self.backend(backend),
            str(self.level),
            str(self.r),
            str(self.t),
            self.threshold_argument(),
            self.key_class,
            str(self.parameter),
            self.stream(seed),
        ]


def call(program, *arguments, text=None):
    """Runs codekem_dfr and returns what it prints."""
    source = subprocess.DEVNULL if text is None else subprocess.PIPE
    pipes: dict = {"stdin": source, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    try:
        with subprocess.Popen([program, *map(str, arguments)], text=True, **pipes) as process:
            RUNNING.add(process)
            try:
                said, errors = process.communicate(text)
            finally:
                RUNNING.discard(process)
    except OSError as error:
        raise EvaluationError(
            f"{program} cannot run: {error.strerror}; every machine needs it at this place"
        ) from error
    if process.returncode != 0:
        raise EvaluationError(
            errors.strip() or f"{program} was ended by signal {-process.returncode}"
        )
    return said


def end_running():
    """Ends the programs that other threads wait for; their calls raise an error."""
    for process in list(RUNNING):
        process.terminate()


def specification_of(program, kem):
    """Returns the parameters of the specification, as the library has them: for BIKE r, d, t and
    the threshold; for HQC n as r, the weights as d and t, and the two codes."""
    command = "info-hqc" if is_hqc(kem) else "info"
    return json.loads(call(program, command, LEVELS[kem]))


def run_batch(program, point, seed, backend, first, count):
    """Returns the result of the decodings first .. first + count - 1: the same on any machine."""
    if point.key_class == INNER_CODE:
        return json.loads(
            call(
                program,
                "run-hqc",
                point.backend(backend),
                point.level,
                point.stream(seed),
                first,
                count,
            )
        )
    return json.loads(call(program, "run", *point.settings(seed, backend), first, count))
