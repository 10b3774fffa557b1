# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs whose functions call each other, made by Hypothesis: C and directives.

`leaf` is called by several functions, with arrays of different owners and with PUBLIC scalars;
`pair` with two arrays, which may be one, and then must be refused if it is a module.
"""

from hypothesis import strategies as st

from hls.tests.program_strategy import COUNTS, expressions, tables

ARRAYS = ["out", "near", "far"]
HOWS = ["share", "share", "instantiate", "inline"]


@st.composite
def leaf_calls(draw, arrays, counters):
    """A call of leaf: which array, from where, how many elements, and a scalar of data."""
    array = draw(st.sampled_from(arrays))
    many = ["many"] if "out" in arrays else []
    counts = ["1", "3", "8", *many, *[f"{counter} + 1" for counter in counters]]
    count = draw(st.sampled_from(counts))
    value = draw(expressions(["x", "sum"]))
    return f"sum ^= leaf_NAME({array}, {count}, {value});"


@st.composite
def bodies(draw, arrays):
    """Statements with calls, some of them in a loop."""
    lines = []
    for number in range(draw(st.integers(1, 3))):
        if draw(st.booleans()):
            trips = draw(st.integers(2, 4))
            inner = draw(leaf_calls(arrays, [f"i{number}"]))
            store = f"{draw(st.sampled_from(arrays))}[i{number}] += sum;"
            loop = f"turn_{number}: for (unsigned i{number} = 0; i{number} < {trips}; i{number}++)"
            lines.append(f"{loop} {{ {inner} {store} }}")
        else:
            lines.append(draw(leaf_calls(arrays, [])))
    return "\n  ".join(lines)


@st.composite
def two(draw, arrays):
    """Two arrays; in one case of six, they are one."""
    first = draw(st.sampled_from(arrays))
    others = [array for array in arrays if array != first]
    return first, draw(st.sampled_from(others)) if draw(st.integers(0, 5)) else first


@st.composite
def call_programs(draw):
    """Returns (the C but for its name, which is NAME, directives, what it must be refused for)."""
    functions = {
        "leaf_NAME": draw(st.sampled_from(HOWS[:3])),
        "pair_NAME": draw(st.sampled_from(HOWS)),
        "first_NAME": draw(st.sampled_from(HOWS)),
        "second_NAME": draw(st.sampled_from(HOWS)),
    }
    pairs = [draw(two(arrays)) for arrays in (["a", "b"], ["a", "own"], ARRAYS)]
    given = draw(st.sampled_from([("near", "far")] * 4 + [("far", "far")]))
    one = given[0] == given[1]
    through = one and functions["first_NAME"] == "inline"
    twice = functions["pair_NAME"] != "inline" and (through or any(x == y for x, y in pairs))
    twice = twice or (one and not through)
    in_first, in_second, in_top = (f"sum += pair_NAME({x}, {y}, sum);" for x, y in pairs)
    inside = draw(expressions(["a", "b", "x"]))
    arguments = "uint32_t a[static 8], uint32_t b[static 16], uint32_t x"
    text = f"""#include "hls.h"
{draw(tables())}uint32_t leaf_NAME(uint32_t v[static 8], PUBLIC uint8_t count, uint32_t x) {{
  uint32_t b = x;
  each: for (unsigned i = 0; i < count; i++) {{ uint32_t a = v[i]; b += {inside}; v[i] = b ^ a; }}
  return b;
}}
uint32_t pair_NAME(uint32_t v[static 8], uint32_t w[static 8], uint32_t x) {{
  both: for (unsigned i = 0; i < 8; i++) {{ x += v[i] * 3 ^ w[7 - i]; w[i] = x; v[x & 7] += i; }}
  return x;
}}
uint32_t first_NAME({arguments}) {{
  uint32_t sum = x;
  {draw(bodies(["a", "b"]))}
  {in_first}
  b[a[0] & 7] ^= sum;
  return sum;
}}
uint32_t second_NAME({arguments}) {{
  uint32_t sum = ~x, own[8];
  fill: for (unsigned i = 0; i < 8; i++) own[i] = a[i] + i;
  {draw(bodies(["a", "own"]))}
  {in_second}
  b[3] = own[5];
  return sum;
}}
uint32_t NAME(uint32_t out[static 8], const uint16_t in[static 8], uint8_t both[static 8],
              PUBLIC uint8_t many, uint32_t x) {{
  uint32_t near[8], far[16], sum = in[0] + both[1];
  begin: for (unsigned i = 0; i < 16; i++) {{
    near[i & 7] = in[i & 7];
    far[i] = x * i ^ (uint32_t)(TABLE[in[i & 7] & 7] >> TOP);
  }}
  {draw(bodies(ARRAYS))}
  sum += first_NAME({given[0]}, {given[1]}, x);
  {in_top}
  sum ^= second_NAME(out, far, sum);
  {draw(leaf_calls(ARRAYS, []))}
  return sum ^ near[2] ^ far[3] ^ far[9];
}}
"""
    data = {
        "clock": draw(st.sampled_from([4.0, 8.0, 20.0])),
        "functions": functions,
        "values": {"many": draw(st.sampled_from(COUNTS))},
        "pipeline": {name: "auto" for name in ("each", "both") if draw(st.booleans())},
    }
    return text, data, "goes to the shared function .* twice" if twice else ""
