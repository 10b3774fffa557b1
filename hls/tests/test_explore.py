# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem-hls explore: the whole of a small space, the optimiser, what is kept, the budget."""

import json

import pytest

from codekem_hls import cli, directives, explore, pareto, space
from codekem_hls.errors import Refused

KERNEL = """#include "hls.h"
uint8_t tiny(const uint8_t a[static 16]) {
  uint8_t sum = 0;
  words: for (int i = 0; i < 16; i++) sum ^= a[i];
  return sum;
}
"""
BASE = 'kernel = "tiny.c"\ntop = "tiny"\n'
SPACE = 'base = "tiny.toml"\n[pipeline]\nwords = ["off", 1]\n[ports]\na = [[1, 1], [2, 1]]\n'


@pytest.fixture
def tiny(tmp_path):
    """Returns the file of a space of four points; two have a port that nothing uses."""
    (tmp_path / "tiny.c").write_text(KERNEL)
    (tmp_path / "tiny.toml").write_text(BASE)
    (tmp_path / "space.toml").write_text(SPACE)
    return tmp_path / "space.toml"


@pytest.mark.long
@pytest.mark.usefixtures("synthesis")
def test_grid_budget_and_resumption(tiny, tmp_path, capsys, monkeypatch):
    build, out = tmp_path / "build", tmp_path / "fastest.toml"
    words = ["explore", str(tiny), "--build", str(build), "--lut", "10000", "-o", str(out)]
    assert cli.main([*words, "--workers", "2", "--plot", str(tmp_path / "p.svg")]) == 0
    said = capsys.readouterr()
    assert said.err.count("cycles") == 2 and said.err.count("refused") == 2
    assert "4 of 4 points, 2 of them refused" in said.out
    assert "fastest in the budget" in said.out
    assert "<svg" in (tmp_path / "p.svg").read_text()
    # The point that was written is a file of directives with the cycles that were said.
    assert cli.main(["report", str(out), "--json"]) == 0
    latency = json.loads(capsys.readouterr().out)["functions"][0]["latency"]
    assert f": {latency} cycles" in said.out.splitlines()[-1]

    # Again: nothing is computed but the row that was not written to its end.
    found = sorted((build / "explore" / "points").glob("*.json"))
    assert len(found) == 4
    broken = next(path for path in found if "cycles" in path.read_text())
    whole = broken.read_text()
    broken.write_text(whole[: len(whole) // 2])
    computed = []

    def counted(*arguments):
        computed.append(arguments)
        return json.loads(whole)

    class Here:
        """In the place of the processes, which would not see the counter."""

        def __init__(self, max_workers):
            self.workers = max_workers

        def submit(self, function, *arguments):
            task = explore.concurrent.futures.Future()
            task.set_result(function(*arguments))
            return task

        def shutdown(self, **_):
            pass

    monkeypatch.setattr(explore, "evaluate", counted)
    monkeypatch.setattr(explore.concurrent.futures, "ProcessPoolExecutor", Here)
    again = explore.explore(space.read(tiny), build / "explore", say=lambda _: None)
    assert len(computed) == 1
    assert broken.read_text() == whole
    assert len(again) == 4

    # Another kernel: all is made anew.
    (tmp_path / "tiny.c").write_text(KERNEL.replace("^=", "+="))
    explore.explore(space.read(tiny), build / "explore", say=lambda _: None)
    assert len(computed) == 5

    assert cli.main([*words[:4], "--lut", "0", "--json"]) == 1
    said = capsys.readouterr()
    assert "no point is within the budget" in said.err
    assert sum(row["best"] for row in json.loads(said.out)["points"]) >= 1


def made_up(point):
    """Figures with a front that is known: the first two axes trade cycles for LUTs."""
    a, b, c = point
    if (a, b) == (3, 3):
        return {"refused": "too much"}
    cycles, luts = 1000 // (1 + a) + 300 * c, 100 * (1 + a) + 50 * b
    return {"cycles": cycles, "luts": luts, "lut_raw": luts, "ff": 0, "bram36": 0, "dsp": 0}


def test_front_and_optimiser(tmp_path, monkeypatch):
    axes = [space.Axis("define", name, [0, 1, 2, 3]) for name in "ABC"]
    chosen = space.Space("made up", tmp_path, [(tmp_path / "x", {})], axes)
    rows = {point: made_up(point) for point in chosen.points()}
    assert explore.pareto(rows) == [(3, 0, 0), (2, 0, 0), (1, 0, 0), (0, 0, 0)]
    assert explore.fastest(rows, {"luts": 350}) == (2, 0, 0)
    assert explore.fastest(rows, {"luts": 350, "ff": -1}) is None
    assert "63" not in pareto.table_text(chosen, rows, whole=False).splitlines()[-1]

    def evaluate(self, points, total):
        for point in points:
            assert point not in self.rows and total == 24
            self.rows[point] = made_up(point)

    monkeypatch.setattr(explore.Explorer, "evaluate", evaluate)
    found = explore.explore(chosen, tmp_path, points=24, seed=1)
    assert len(found) == 24
    assert found == explore.explore(chosen, tmp_path, points=24, seed=1)
    assert found != explore.explore(chosen, tmp_path, points=24, seed=2)
    # Better than its share of points: it finds most of the front in 24 of 64.
    assert len(set(explore.pareto(found)) & set(explore.pareto(rows))) >= 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[pipeline]\nwords = [1]", "base"),
        ('base = "tiny.toml"\npipeline = 3', "is a table"),
        ('base = "tiny.toml"\n[pipeline]\nwords = 1', "a list of choices"),
        ('base = "tiny.toml"\nspeed = [1]', "unknown directive"),
        ('base = "absent.toml"', "cannot be read"),
    ],
)
def test_bad_spaces(tiny, text, message):
    tiny.write_text(text)
    with pytest.raises(Refused, match=message):
        space.read(tiny)


def test_spaces_of_the_kernels(tmp_path):
    """The first point is written as a file of directives that says the same."""
    for path in sorted(space.FOLDER.glob("*.toml")):
        chosen = space.read(space.find(path.stem))
        points = list(chosen.points())
        assert len(points) == chosen.size > 1
        file, data = chosen.directives(points[0])
        pareto.write_point(chosen, points[0], tmp_path / "point.toml")
        again = directives.read(tmp_path / "point.toml")
        meant = directives.from_data(data, str(file), file.parent)
        for name in ("top", "clock", "delays", "define", "pipeline", "unroll", "bind", "ports"):
            assert getattr(again, name) == getattr(meant, name)


def test_a_base_that_extends_a_file(tiny, tmp_path):
    (tmp_path / "other.toml").write_text('extends = "tiny.toml"\nclock = 4.0\n')
    tiny.write_text('base = ["tiny.toml", "other.toml"]\n[pipeline]\n"tiny.words" = [1]\n')
    chosen = space.read(tiny)
    pareto.write_point(chosen, (1, 0), tmp_path / "point.toml")
    again = directives.read(tmp_path / "point.toml")
    assert (again.clock, again.top, again.pipeline) == (4.0, "tiny", {"tiny.words": 1})


def test_no_such_space():
    with pytest.raises(Refused, match=r"no space absent; there are .*common_bits"):
        space.find("absent")
