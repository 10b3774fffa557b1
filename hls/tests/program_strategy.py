# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs within the subset of codekem-hls, made by Hypothesis: C and directives."""

from hypothesis import strategies as st

SIZE = 8  # elements of each array
ARRAYS = {"in": "uint16_t", "both": "uint8_t", "local": "uint32_t"}
# What an argument that decides about trips can be: the lists of [values].
COUNTS = [[3], [0, 2], [1, 4, 5], [5, 1]]


def literal(number, width):
    """A number of any width in C; clang knows no constants of more than 64 bits."""
    size = abs(number)
    wide = f"((_BitInt({width + 2}))0x{size >> 64:x}u << 64 | 0x{size % 2**64:x}u)"
    text = wide if width > 62 else str(size)
    return f"-{text}" if number < 0 else text


@st.composite
def tables(draw):
    """The declaration of TABLE: eight elements of any width, with a sign or without.

    TOP is where their 32 highest bits begin.
    """
    width = draw(st.sampled_from([1, 7, 8, 12, 16, 24, 31, 32, 33, 48, 64, 65, 128]))
    signed = draw(st.booleans()) and width > 1
    plain = width in (8, 16, 32, 64) and draw(st.booleans())
    kind = f"int{width}_t" if plain else f"_BitInt({width})"
    if not signed:
        kind = f"u{kind}" if plain else f"unsigned {kind}"
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    # Few tables have 2^(width-1), which needs all bits even where a sign is forgotten.
    edges = draw(st.sampled_from([[high, low + 1, high - 1]] * 3 + [[low, high // 2 + 1, high]]))
    one = st.one_of(st.sampled_from(edges), st.integers(low, high))
    numbers = draw(st.lists(one, min_size=4, max_size=8))
    elements = ", ".join(literal(number, width) for number in numbers)
    top = f"enum {{ TOP = {max(0, width - 32)} }};"
    return f"{top}\nstatic const {kind} TABLE[8] = {{{elements}}};\n"


def expressions(names):
    """Expressions of type uint32_t over variables."""
    leaves = st.one_of(
        st.sampled_from(names),
        st.sampled_from(["0u", "1u", "255u", "0x80000000u", "0xdeadbeefu"]),
        st.integers(0, 2**32 - 1).map(lambda n: f"{n}u"),
    )

    def larger(inner):
        two = st.tuples(inner, inner)
        return st.one_of(
            st.tuples(st.sampled_from("+-*&|^"), two).map(
                lambda x: f"({x[1][0]} {x[0]} {x[1][1]})"
            ),
            st.tuples(st.sampled_from(["<<", ">>"]), two).map(
                lambda x: f"({x[1][0]} {x[0]} ({x[1][1]} & 31u))"
            ),
            st.tuples(inner, st.integers(0, 31)).map(lambda x: f"({x[0]} >> {x[1]})"),
            st.tuples(inner, st.integers(1, 31)).map(
                lambda x: f"({x[0]} << {x[1]} | {x[0]} >> {32 - x[1]})"
            ),
            st.tuples(st.sampled_from(["<", "<=", "==", "!="]), two, two).map(
                lambda x: f"({x[1][0]} {x[0]} {x[1][1]} ? {x[2][0]} : {x[2][1]})"
            ),
            st.tuples(two, two).map(
                lambda x: f"((int32_t){x[0][0]} < (int32_t){x[0][1]} ? {x[1][0]} : {x[1][1]})"
            ),
            st.tuples(st.sampled_from(["uint8_t", "uint16_t", "int8_t", "_BitInt(11)"]), inner).map(
                lambda x: f"(uint32_t)({x[0]}){x[1]}"
            ),
            st.tuples(inner, st.integers(0, 31)).map(
                lambda x: f"(uint32_t)((int32_t){x[0]} >> {x[1]})"
            ),
            inner.map(lambda x: f"(uint32_t)TABLE[{x} & 7u]"),
            inner.map(lambda x: f"(uint32_t)(TABLE[{x} & 7u] >> TOP)"),
            inner.map(lambda x: f"(~{x})"),
        )

    return st.recursive(leaves, larger, max_leaves=6)


def masked(names):
    """Indices below eight."""
    return expressions(names).map(lambda text: f"({text}) & 7u")


@st.composite
def statements(draw, names, counters):
    """Loads into new variables, then a change of the sum and stores."""
    lines, known = [], list(names)
    indices = [f"({counter} * {draw(st.integers(1, 3))}u) & 7u" for counter in counters]
    indices.append(f"at[{counters[-1]} & 7u]")  # whose elements are indices as they stand
    for number in range(draw(st.integers(0, 2))):
        array = draw(st.sampled_from(list(ARRAYS)))
        index = draw(st.one_of(st.sampled_from(indices), masked(known)))
        lines.append(f"uint32_t v{number} = {array}[{index}];")
        known.append(f"v{number}")
    for _ in range(draw(st.integers(1, 2))):
        value = draw(expressions(known))
        target = draw(st.sampled_from(["sum", "other", "both", "local", "out"]))
        if target in ("sum", "other"):
            lines.append(f"{target} = {value};")
        else:
            index = draw(st.one_of(st.sampled_from(indices), masked(known)))
            kind = ARRAYS.get(target, "uint32_t")
            lines.append(f"{target}[{index}] = ({kind}){value};")
    return " ".join(lines)


@st.composite
def programs(draw):
    """Returns (the C but for its name, which is NAME, directives)."""
    data = {"pipeline": {}, "unroll": {}, "clock": draw(st.sampled_from([4.0, 8.0, 20.0]))}
    data["values"] = {"count": draw(st.sampled_from(COUNTS))}
    entry = "(uint32_t)(TABLE[(in[i] + x) & 7u] >> TOP)"
    body = [f"first: for (unsigned i = 0; i < 8; i++) local[i] = in[i] * 3u + {entry};"]
    names = ["x", "sum", "other"]
    for number in range(draw(st.integers(1, 3))):
        outer, inner = f"outer_{number}", f"inner_{number}"
        nested, turns = draw(st.booleans()), ""
        trips = draw(st.sampled_from(["2", "3", "5", "count"]))
        lines = draw(statements([*names, "i"], ["i"]))
        body.append(f"{outer}: for (unsigned i = 0; i < {trips}; i++) {{")
        body.append(f"  {lines}")
        if nested:
            begin = draw(st.sampled_from(["0", "i"]))
            lines = draw(statements([*names, "i", "j"], ["i", "j"]))
            turns = draw(st.sampled_from(["6", "count"]))
            body.append(f"  {inner}: for (unsigned j = {begin}; j < {turns}; j++) {{ {lines} }}")
        body.append("}")
        how = draw(st.sampled_from(["", "pipeline", "unroll"]))
        if how == "pipeline":
            data["pipeline"][inner if nested else outer] = "auto"
        elif how == "unroll" and not (nested and begin == "i") and "count" not in (trips, turns):
            data["unroll"][inner if nested else outer] = "full"
            if nested and draw(st.booleans()):
                data["pipeline"][outer] = "auto"
    bound = draw(st.sampled_from(["", "registers", "lutram", "block"]))
    if bound:
        data["bind"] = {"local": bound}
    shared = draw(st.booleans())
    helper, call = "", ""
    if shared and bound not in ("registers", "lutram"):
        value = draw(expressions(["a", "b", "k"]))
        helper = (
            "uint32_t help_NAME(uint32_t values[static 8], uint32_t k) {\n"
            "  uint32_t b = 0;\n"
            "  each: for (unsigned i = 0; i < 8; i++) {\n"
            f"    uint32_t a = values[i]; b ^= {value}; values[i] = a + b;\n  }}\n"
            "  return b;\n}\n"
        )
        call = "sum ^= help_NAME(local, other); other += help_NAME(out, sum);"
        data["functions"] = {"help_NAME": draw(st.sampled_from(["share", "inline"]))}
        if draw(st.booleans()):
            data["pipeline"]["each"] = "auto"
    lines = "\n  ".join(body)
    text = (
        f'#include "hls.h"\n{draw(tables())}{helper}'
        "uint32_t NAME(uint32_t out[static 8], const uint16_t in[static 8], "
        "uint8_t both[static 8], const uint8_t at[static 8], PUBLIC uint8_t count, uint32_t x) {\n"
        "  uint32_t local[8], sum = x, other = 1;\n"
        f"  {lines}\n  {call}\n  return sum ^ other ^ local[3];\n}}\n"
    )
    return text, data
