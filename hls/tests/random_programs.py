# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of the whole subset, drawn at random: C without undefined behaviour, and directives.

Branches and trip counts are of counters and of PUBLIC scalars. Any index is below the length of its
array.
"""

import dataclasses

from hls.tests.random_expressions import TYPES, Array, Expressions

# What C does not reserve, but SystemVerilog or C++ do, and what could be called like something of
# the core's own.
WORDS = """
    xor release new table reg wire logic begin end module class delete this row row_end row_run
    row_0 v_x r_y state_q done busy result x_we0 m_local u_help_a local class_ and not or priority
    unique bit byte string template operator private public throw try using virtual mutable friend
    a__b z_i z_o task event force input output inout initial matches with within rand buf cell
    config design table_1 end_0 p_row state next valid clock reset data hls_m hls_0 at end_1 signal_
    i_ each
"""
LENGTHS = (3, 5, 6, 7, 8, 8, 8, 11, 12, 16)
ENDS = {"uint8_t": "u", "uint16_t": "u", "uint32_t": "u", "uint64_t": "ull"}


@dataclasses.dataclass
class Program:
    text: str
    directives: dict
    arguments: list[tuple[str, str, int, bool]]  # name, type, length or 0, whether it is written
    public: dict[str, list[int]]  # the values of PUBLIC scalars
    back: str  # the type of the result


class Maker(Expressions):
    """Draws one program; its functions and tables begin with `name`."""

    def __init__(self, rng, name):
        super().__init__(rng, name)
        self.names = WORDS.split()
        rng.shuffle(self.names)
        self.labels = self.made = 0
        self.loops: list[str] = []
        self.unrolled: dict[str, int | str] = {}
        self.functions: dict[str, str] = {}
        self.bind: dict[str, str] = {}
        self.head: list[str] = []
        self.body: list[str] = []
        self.public = "0"
        self.listed: dict[str, list[int]] = {}
        self.arguments: list[tuple[str, str, int, bool]] = []
        self.arrays: list[Array] = []
        self.known: list[str] = []  # names of scalars
        self.sums: list[tuple[str, str]] = []  # scalars that change: name, type

    def new_name(self):
        return self.names.pop()

    def temporary(self, letter="t"):
        self.made += 1
        return f"{letter}{self.made}"

    # Parts

    def table(self):
        kind = self.pick(*TYPES)
        bits, signed = TYPES[kind]
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        length = self.pick(4, 5, 8, 12)
        name = f"{self.name}_{self.pick('T', 'LOG', 'EXP')}{len(self.tables)}"
        numbers = [
            self.rng.choice([low, high, low + 1, high // 2 + 1, self.rng.randint(low, high)])
            for _ in range(length - self.rng.randrange(2))
        ]
        texts = [f"({n + 1} - 1)" if n < 0 else f"{n}{ENDS.get(kind, '')}" for n in numbers]
        self.head.append(f"static const {kind} {name}[{length}] = {{{', '.join(texts)}}};")
        self.tables.append(Array(name, kind, length, written=False))

    def index(self, length, names, counters):
        """An index below a length; counters: (name, bound) of loops."""
        fitting = [name for name, bound in counters if bound <= length]
        if fitting and self.chance(60):
            return self.pick(*fitting)
        if counters and self.chance(40):
            name, times, more = self.pick(*counters)[0], self.pick(1, 2, 3), self.rng.randrange(9)
            return f"((unsigned){name} * {times}u + {more}u) % {length}u"
        if self.chance(20):
            return str(self.rng.randrange(length))
        return f"({self.expression(names, 2)}) % {length}u"

    # Statements

    def element(self, array, names, counters):
        if array.columns:
            rows = array.length // array.columns
            first, second = (self.index(n, names, counters) for n in (rows, array.columns))
            return f"{array.name}[{first}][{second}]"
        return f"{array.name}[{self.index(array.length, names, counters)}]"

    def statement(self, names, arrays, scalars, counters):
        """Returns a line; a name that it makes is added."""
        form = self.pick(*[self.load] * 4, *[self.store] * 4, self.flag, self.chosen, self.change)
        return form(names, arrays, scalars, counters)

    def load(self, names, arrays, _, counters):
        array, name = self.pick(*arrays), self.temporary()
        line = f"{array.kind} {name} = {self.element(array, names, counters)};"
        names.append(name)
        return [line]

    def store(self, names, arrays, _, counters):
        array = self.pick(*[one for one in arrays if one.written])
        how = self.pick("=", "=", "+=", "^=") if array.kind in ENDS else "="
        target = self.element(array, names, counters)
        return [f"{target} {how} ({array.kind})({self.expression(names)});"]

    def flag(self, names, *_):
        name, value = self.temporary(), self.condition(names)
        names.append(name)
        if self.chance(50):
            return [f"bool {name} = {value};"]
        return [f"enum {self.name}_e {name} = ({value}) ? {self.name}_B : {self.name}_C;"]

    def chosen(self, names, arrays, scalars, counters):
        """An element of one of two arrays, by a condition on data or on a PUBLIC scalar."""
        first = self.pick(*arrays)
        same = [a for a in arrays if a.kind == first.kind and not a.columns and a is not first]
        if first.columns or not same:
            return self.change(names, arrays, scalars, counters)
        second, name = self.pick(*same), self.temporary()
        place = self.index(min(first.length, second.length), names, counters)
        condition = self.pick(self.public, self.condition(names))
        names.append(name)
        value = f"(({condition}) ? {first.name} : {second.name})[{place}]"
        return [f"{first.kind} {name} = {value};"]

    def change(self, names, _, scalars, __):
        target, kind = self.pick(*scalars)
        return [f"{target} = ({kind})({self.expression(names)});"]

    def head_of(self, name, counters):
        """Returns the head of a loop, the bound of its counter, whether its turns are fixed."""
        kind = self.pick("int", "unsigned", "uint8_t", "size_t")
        start = self.rng.randrange(3) if self.chance(30) else 0
        end = start + self.rng.randrange(1, 9)
        roll = self.rng.randrange(6)
        if roll == 0 and self.public != "0":
            return f"for ({kind} {name} = 0; {name} < ({self.public} & 7); {name}++)", 8, False
        if roll == 1 and counters:
            outer = self.pick(*counters)[0]
            return f"for ({kind} {name} = ({kind}){outer}; {name} < {end}; {name}++)", end, False
        if roll == 2:
            return f"for (int {name} = {end - 1}; {name} >= {start}; {name}--)", end, True
        step = self.pick("++", "++", " += 2", " += 3")
        return f"for ({kind} {name} = {start}; {name} < {end}; {name}{step})", end, True

    def loop(self, names, arrays, scalars, counters, depth):
        label, name = self.new_name(), self.temporary("i")
        head, bound, fixed = self.head_of(name, counters)
        known, inner = list(names), [*counters, (name, bound)]
        body = []
        for _ in range(self.rng.randrange(1, 4)):
            body += self.statement(known, arrays, scalars, inner)
        nested = depth > 0 and self.chance(50)
        if nested:
            body += self.loop(known, arrays, scalars, inner, depth - 1)
        if self.chance(25):
            body += self.branch(known, arrays, scalars, inner)
            nested = True
        if not nested or self.chance(30):
            self.loops.append(label)
        if fixed and self.chance(25):
            self.unrolled[label] = self.pick("full", 2, 3, 4)
        return [f"{label}: {head} {{", *[f"  {line}" for line in body], "}"]

    def branch(self, names, arrays, scalars, counters):
        """A switch, an if or a goto, on a counter or a PUBLIC scalar."""
        what = self.pick(*[name for name, _ in counters], self.public, self.public)
        parts = [self.statement(list(names), arrays, scalars, counters) for _ in range(3)]
        first, second, third = (" ".join(["{", *part, "}"]) for part in parts)
        if self.chance(30):
            return [
                f"switch ({what}) {{",
                f"  case {self.name}_A: {first} {self.pick('break;', '')}",
                f"  case {self.name}_C: {second} break;",
                f"  default: {third}",
                "}",
            ]
        if self.chance(30):
            self.labels += 1
            label = f"over_{self.labels}"
            return [f"if ({what} > 1) goto {label};", first, f"{label}: {second}"]
        if counters and self.chance(40):
            return [f"if ({what} == 2) {{ {first} continue; }}"]
        return [f"if (({what} & 1) == 0) {first} {self.pick('', f'else {second}')}"]

    def walk(self, _, arrays, scalars):
        """A pointer that moves over an array."""
        array = self.pick(*[one for one in arrays if not one.columns])
        pointer, end = self.temporary("p"), self.temporary("p")
        target, kind = self.pick(*scalars)
        length = array.length - self.pick(0, 1)
        value = f"(uint32_t){target} * 3u + (uint32_t)*{pointer}++"
        return [
            f"const {array.kind} *{pointer} = {array.name}, *{end} = {array.name} + {length};",
            f"while ({pointer} != {end}) {target} = ({kind})({value});",
        ]

    def whole(self, arrays):
        """Memory that is set or copied as a whole."""
        flat = [one for one in arrays if not one.columns]
        array = self.pick(*[one for one in flat if one.written])
        name, size = array.name, f"sizeof({array.kind})"
        if self.chance(50):
            count = self.pick(array.length, self.rng.randrange(1, array.length + 1))
            return [f"memset({name}, {self.pick(0, 0, 255, 0x5A)}, {count} * {size});"]
        others = [one for one in flat if one is not array and one.kind == array.kind]
        if others:
            other = self.pick(*others)
            count = min(array.length, other.length)
            return [f"memcpy({name}, {other.name}, {count} * {size});"]
        wide = [one for one in flat if one is not array and one.kind.endswith("int64_t")]
        if wide and array.kind.endswith("int8_t"):
            most = min(array.length, 8 * wide[0].length)
            return [f"memcpy({name}, {wide[0].name}, {self.rng.randrange(1, most + 1)});"]
        half = array.length // 2
        return [f"memcpy({name}, {name} + {array.length - half}, {half} * {size});"]

    def helper(self, number, kind):
        """Makes a function that is called; returns its name and the type of a scalar."""
        name = f"{self.name}_{self.pick('help', 'release', 'new')}{number}"
        other, back, label = self.pick(*TYPES), self.pick(*TYPES), self.new_name()
        arrays = [Array("v", kind, 8), Array("u", kind, 8, written=self.chance(50))]
        const = "" if arrays[1].written else "const "
        known, body = ["x", "s", "w"], []
        public, self.public = self.public, "0"
        for _ in range(self.pick(1, 2)):
            body += self.statement(known, arrays, [("s", "uint32_t")], [("k", 8)])
        self.public = public
        given = f"{kind} v[static 8], {const}{kind} u[static 8], {other} x, int8_t w"
        self.head += [
            f"static {back} {name}({given}) {{",
            "  uint32_t s = (uint32_t)x;",
            f"  {label}: for (int k = 0; k < 8; k++) {{",
            *[f"    {line}" for line in body],
            "  }",
            f"  return ({back})s;",
            "}",
        ]
        self.loops.append(label)
        return name, other

    # The whole

    def make_arguments(self):
        if self.chance(70):
            self.public = self.new_name()
            kind = self.pick("uint8_t", "int8_t", "int", f"enum {self.name}_e")
            values = [0, 1, 2, 5, 3] + ([-1, -3, -8] if kind in ("int8_t", "int") else [])
            self.listed[self.public] = self.rng.sample(values, self.rng.randrange(1, 4))
            self.arguments.append((self.public, kind, 0, False))
            self.known.append(self.public)
        for number in range(self.rng.randrange(2, 4)):
            kind = self.main if self.chance(60) else self.pick(*TYPES)
            written = number == 0 or self.chance(60)
            array = Array(self.new_name(), kind, self.pick(*LENGTHS), written)
            self.arrays.append(array)
            self.arguments.append((array.name, kind, array.length, written))
        for kind in [self.pick(*TYPES, "bool") for _ in range(self.rng.randrange(1, 4))]:
            self.known.append(self.new_name())
            self.arguments.append((self.known[-1], kind, 0, False))

    def make_local(self):
        kind = self.main if self.chance(50) else self.pick(*TYPES)
        local = Array(self.new_name(), kind, self.pick(*LENGTHS))
        if self.chance(25):
            rows, local.columns = self.pick(2, 3, 4), self.pick(2, 3, 5)
            local.length = rows * local.columns
            first = f"{{{{{self.rng.randrange(9)}}}}}"
            self.body.append(f"{kind} {local.name}[{rows}][{local.columns}] = {first};")
        elif self.chance(50):
            first = ", ".join(str(self.rng.randrange(99)) for _ in range(self.pick(1, 2)))
            self.body.append(f"{kind} {local.name}[{local.length}] = {{{first}}};")
        else:
            label, source = self.new_name(), self.arrays[0]
            self.loops.append(label)
            value = f"(uint32_t){source.name}[i % {source.length}] + (uint32_t)i"
            self.body.append(f"{kind} {local.name}[{local.length}];")
            self.body.append(f"{label}: for (int i = 0; i < {local.length}; i++)")
            self.body.append(f"  {local.name}[i] = ({kind})({value});")
        self.arrays.append(local)
        if self.chance(40):
            self.bind[local.name] = self.pick("registers", "lutram", "block")

    def make_helper(self, number):
        """Returns (name, the type of a scalar, the arrays that it can be given)."""
        flat = [one for one in self.arrays if not one.columns and one.length >= 8 and one.written]
        kind = self.pick(*[one.kind for one in flat])
        called, other = self.helper(number, kind)
        how = self.pick("share", "inline", "instantiate")
        if how != "inline":
            self.functions[called] = how
        return called, other, [one for one in flat if one.kind == kind]

    def call(self, called, other, several):
        first, second = self.pick(*several), self.pick(*several)
        if called in self.functions and second is first:
            second = next((one for one in several if one is not first), None)
        if second is None:
            return []
        target, kind = self.pick(*self.sums)
        values = f"({other})({self.expression(self.known, 1)})"
        values += f", (int8_t)({self.expression(self.known, 1)})"
        return [f"{target} ^= ({kind}){called}({first.name}, {second.name}, {values});"]

    def make_body(self):
        helpers = []
        if self.chance(50) and any(
            one.length >= 8 and one.written and not one.columns for one in self.arrays
        ):
            helpers.append(self.make_helper(len(helpers)))
        given = (self.known, self.arrays, self.sums)
        for _ in range(self.rng.randrange(1, 4)):
            self.body += self.loop(*given, [], 2)
            if self.chance(20):
                self.body += self.branch(*given, [])
            if self.chance(20):
                self.body += self.walk(*given)
            if self.chance(20):
                self.body += self.whole(self.arrays)
            if helpers and self.chance(70):
                self.body += self.call(*helpers[0])

    def make(self):
        name = self.name
        self.head += [
            f"enum {name}_e {{ {name}_A, {name}_B, {name}_C = 2 }};",
            f"static uint32_t {name}_clamp(int32_t x, int32_t low, int32_t high) {{",
            "  return (uint32_t)(x < low ? low : x > high ? high : x);",
            "}",
        ]
        for _ in range(self.pick(1, 2)):
            self.table()
        self.main = self.pick(*TYPES)
        self.make_arguments()
        for _ in range(self.pick(1, 2)):
            self.make_local()
        for _ in range(2):
            scalar, kind = self.temporary("s"), self.pick(*TYPES)
            self.body.append(f"{kind} {scalar} = ({kind}){self.expression(self.known, 1)};")
            self.sums.append((scalar, kind))
            self.known.append(scalar)
        self.make_body()
        back = self.pick(*TYPES, "void", "bool")
        parts = [f"(uint32_t){scalar}" for scalar, _ in self.sums]
        parts += [f"(uint32_t){self.element(array, [], [])}" for array in self.arrays]
        if back != "void":
            self.body.append(f"return ({back})({' ^ '.join(parts)});")
        return Program(self.text(back), self.directives(), self.arguments, self.listed, back)

    def text(self, back):
        shown = []
        for title, kind, length, written in self.arguments:
            public = "PUBLIC " if title in self.listed else ""
            const = "const " if length and not written else ""
            size = f"[{self.pick('', 'static ')}{length}]" if length else ""
            shown.append(f"{public}{const}{kind} {title}{size}")
        lines = [*self.head, f"{back} {self.name}({', '.join(shown)}) {{"]
        return "\n".join([*lines, *[f"  {line}" for line in self.body], "}", ""])

    def directives(self):
        loops = [one for one in self.loops if self.unrolled.get(one) != "full"]
        return {
            "top": self.name,
            "clock": self.pick(4.0, 8.0, 20.0),
            "pipeline": {one: "auto" for one in loops if self.chance(50)},
            "unroll": self.unrolled,
            "bind": self.bind,
            "functions": self.functions,
            "values": self.listed,
        }


def program(rng, name):
    """Returns a random program."""
    return Maker(rng, name).make()
