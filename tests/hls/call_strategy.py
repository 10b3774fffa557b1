# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs whose functions call each other, made by Hypothesis: C and directives.

`leaf` is called by several functions, with arrays of different owners and with PUBLIC scalars.
"""

from hypothesis import strategies as st

from hls.program_strategy import expressions

ARRAYS = ["out", "near", "far"]
HOWS = ["share", "share", "instantiate", "inline"]


@st.composite
def leaf_calls(draw, arrays, counters):
    """A call of leaf: which array, from where, how many elements, and a scalar of data."""
    array = draw(st.sampled_from(arrays))
    count = draw(st.sampled_from(["1", "3", "8", *[f"{counter} + 1" for counter in counters]]))
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
def call_programs(draw):
    """Returns (the C but for its name, which is NAME, directives)."""
    inside = draw(expressions(["a", "b", "x"]))
    arguments = "uint32_t a[static 8], uint32_t b[static 16], uint32_t x"
    text = f"""#include "hls.h"
static const uint8_t TABLE[8] = {{1, 2, 3, 5, 8, 13, 21, 34}};
uint32_t leaf_NAME(uint32_t v[static 8], PUBLIC uint8_t count, uint32_t x) {{
  uint32_t b = x;
  each: for (unsigned i = 0; i < count; i++) {{ uint32_t a = v[i]; b += {inside}; v[i] = b ^ a; }}
  return b;
}}
uint32_t first_NAME({arguments}) {{
  uint32_t sum = x;
  {draw(bodies(["a", "b"]))}
  return sum;
}}
uint32_t second_NAME({arguments}) {{
  uint32_t sum = ~x, own[8];
  fill: for (unsigned i = 0; i < 8; i++) own[i] = a[i] + i;
  {draw(bodies(["a", "own"]))}
  b[3] = own[5];
  return sum;
}}
uint32_t NAME(uint32_t out[static 8], const uint16_t in[static 8], uint8_t both[static 8],
              uint32_t x) {{
  uint32_t near[8], far[16], sum = in[0] + both[1];
  begin: for (unsigned i = 0; i < 16; i++) {{ near[i & 7] = in[i & 7]; far[i] = x * i; }}
  {draw(bodies(ARRAYS))}
  sum += first_NAME(near, far, x);
  sum ^= second_NAME(out, far, sum);
  {draw(leaf_calls(ARRAYS, []))}
  return sum ^ near[2] ^ far[3] ^ far[9];
}}
"""
    data = {
        "clock": draw(st.sampled_from([4.0, 8.0, 20.0])),
        "functions": {
            "leaf_NAME": draw(st.sampled_from(HOWS[:3])),
            "first_NAME": draw(st.sampled_from(HOWS)),
            "second_NAME": draw(st.sampled_from(HOWS)),
        },
        "pipeline": {"each": "auto"} if draw(st.booleans()) else {},
    }
    return text, data
