# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Functions that run at the same time: results, cycles, and what is refused."""

import contextlib
import random

import pytest

from codekem_hls.errors import Refused, ToolFailed
from hls.tests.kernel_designs import read_design
from hls.tests.planted import plant
from tools import mistakes

HEAD = '#include "hls.h"\n'
PARTS = """static uint32_t mixed(uint32_t x, uint32_t y) { return (x << 5 | x >> 27) + y; }
uint32_t adds(const uint32_t a[static 8], uint32_t to[static 8], PUBLIC uint8_t count) {
  uint32_t s = 0;
  for (unsigned i = 0; i < count; i++) { s += a[i]; to[i] = s; }
  return s ^ to[1];
}
uint32_t mixes(uint32_t b[static 8], uint32_t x) {
  for (int i = 0; i < 4; i++) { x = mixed(x, b[i]); b[i] = x; }
  return x;
}
void moves(uint32_t c[static 4]) {
  uint32_t first = c[0];
  for (int i = 0; i < 3; i++) c[i] = c[i + 1];
  c[3] = first;
}
"""
KERNEL = """uint32_t kernel(uint32_t a[static 8], uint32_t b[static 8], uint32_t x,
                PUBLIC uint8_t n) {
  uint32_t to[8], c[4], sum = x;
  fill: for (int i = 0; i < 4; i++) { c[i] = b[i] ^ x; to[i] = 0; }
  for (int turn = 0; turn < 3; turn++) {
    uint32_t s = adds(a, to, n), t = mixes(b, sum);
    moves(c);
    sum += s ^ t;
    a[turn] ^= adds(a, to, 1);
  }
  return sum + to[0] + c[1];
}
"""
SHARED = {"adds": "share", "mixes": "share", "moves": "share"}


def written(folder, name, text, data):
    """Compiles a kernel in a file of its own: its C is looked at again as software."""
    (folder / f"{name}.c").write_text(HEAD + text)
    return read_design(folder / f"{name}.toml", {"kernel": f"{name}.c", "top": name, **data})


def made(folder, name, **changed):
    """The kernel with another name for each of its functions: modules of one model."""
    text = PARTS + KERNEL.replace(" kernel(", f" {name}(")
    for one in SHARED:
        text = text.replace(f" {one}(", f" {one}_{name}(")
    data = {
        "functions": {f"{one}_{name}": "share" for one in SHARED},
        "together": [[f"{one}_{name}" for one in SHARED]],
        "values": {"n": [1, 2, 8]},
    }
    return written(folder, name, text, data | changed)


def cases():
    rng = random.Random(2)
    for n in (1, 2, 8):
        numbers = {name: [rng.getrandbits(32) for _ in range(8)] for name in "ab"}
        yield {**numbers, "x": rng.getrandbits(32), "n": n}


OWN = """uint32_t mixed(uint32_t x, uint32_t y) { return (x << 5 | x >> 27) + y; }
uint32_t twists(uint32_t b[static 8], uint32_t x) {
  for (int i = 0; i < 4; i++) x = b[i] = mixed(x, b[i]);
  return x;
}
uint32_t more(uint32_t b[static 8], uint32_t x) {
  for (int i = 0; i < 4; i++) b[i] = mixed(b[i], x);
  return x;
}
uint32_t own(uint32_t a[static 8], uint32_t b[static 8], uint32_t x) {
  uint32_t s = twists(a, x), t = more(b, x);
  return s + t;
}
"""
OWN_FUNCTIONS = {"twists": "share", "more": "share", "mixed": "instantiate"}


def agrees(run, design, values):
    core, software = run(design, values)
    found = core.arrays, core.result, core.cycles
    return found == (software.arrays, software.result, design.latency({"n": values["n"]}))


def test_at_the_same_time(tmp_path, cores):
    """The first one ends before the others, with them, or after them; both call a function that
    each has as a module of its own.
    """
    design, one_by_one = made(tmp_path, "good"), made(tmp_path, "good", together=[])
    data = {"functions": OWN_FUNCTIONS, "together": [["twists", "more"]]}
    own = written(tmp_path, "own", OWN, data)
    run = cores.build("together", [design, own])
    for values in cases():
        assert agrees(run, design, values)
        assert agrees(run, own, values)
        adds = design.parts["adds_good"].latencies[(values["n"],)]
        others = [design.parts[f"{name}_good"].latency for name in ("mixes", "moves")]
        # One by one, there are two cycles more for each call but the last one.
        saved = 3 * (sum([adds, *others]) + 4 - max(adds, *others))
        given = {"n": values["n"]}
        assert one_by_one.latency(given) - design.latency(given) == saved
    with pytest.raises(Refused, match="both need the module mixed"):
        written(tmp_path, "own", OWN, data | {"functions": OWN_FUNCTIONS | {"mixed": "share"}})


def test_planted_mistakes(tmp_path, cores, monkeypatch):
    designs = {}
    for number, (name, mistake) in enumerate(mistakes.of("hls/together").items()):
        with monkeypatch.context() as planted:
            plant(mistake, planted)
            designs[name] = made(tmp_path, f"wrong{number}")
            for n in (1, 2, 8):  # while the mistake is there
                designs[name].latency({"n": n})
    run = cores.build("together_wrong", list(designs.values()))
    for name, design in designs.items():
        with contextlib.suppress(ToolFailed):  # it may not end
            assert not all(agrees(run, design, values) for values in cases()), name


# By name: the body of a kernel, directives, and what is said.
REFUSED = {
    "one array": ("adds(a, b, 8); mixes(b, x); return 0;", {}, "b goes to both, as to and as b"),
    "a result": (
        "return mixes(b, adds(a, c, 8));",
        {},
        "mixes takes the result of adds",
    ),
    "one module": (
        "adds(a, c, 8); return both(b);",
        {"functions": {"adds": "share", "both": "share"}, "together": [["adds", "both"]]},
        "both need the module adds; instantiate or inline it",
    ),
    "the other order": ("mixes(b, x); return adds(a, c, 8);", {}, "no calls of adds and mixes"),
    "something between": (
        "uint32_t s = adds(a, c, 8); a[0] = s; return mixes(b, x);",
        {},
        "no calls of adds and mixes as modules come directly one after the other",
    ),
    "no module": (
        "adds(a, c, 8); return mixes(b, x);",
        {"functions": {"adds": "share"}},
        "no calls of adds and mixes",
    ),
    "one name": ("return 0;", {"together": ["adds"]}, "expected lists of functions"),
    "the same name": ("return 0;", {"together": [["adds", "adds"]]}, "expected lists of functions"),
    "no list": ("return 0;", {"together": 3}, "expected lists of functions"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, compiled):
    body, data, message = REFUSED[name]
    both = "uint32_t both(uint32_t d[static 8]) { uint32_t e[8]; return adds(d, e, 8); }\n"
    text = HEAD + PARTS + both
    text += "uint32_t kernel(uint32_t a[static 8], uint32_t b[static 8], uint32_t x) {\n"
    text += f"  uint32_t c[8];\n  {body}\n}}\n"
    pair = {"functions": {"adds": "share", "mixes": "share"}, "together": [["adds", "mixes"]]}
    with pytest.raises(Refused, match=message):
        compiled(text, **pair | data)
