# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of parameters, kems.toml, and what follows from it: lengths, rings, constants.

KEMS, BIKE, HQC and MCELIECE are those of the project's own table; read() reads another one."""

import dataclasses
import fractions
import functools
import math
import pathlib
import tomllib
import typing

FILE = pathlib.Path(__file__).with_name("kems.toml")
SEED = 32  # bytes of every seed, hash and shared secret but those of HQC of 2023
SALT = 16


class TableError(ValueError):
    """What a row of the table says cannot be."""


@dataclasses.dataclass(frozen=True)
class Threshold:
    """floor((constant + slope S) multiplier / 2^shift), at least least, for every S from 0 to r."""

    constant: int
    slope: int
    multiplier: int
    shift: int
    least: int


@dataclasses.dataclass(frozen=True)
class BikeLevel:
    level: int
    category: int
    r: int
    d: int
    t: int
    threshold: dict
    uniform_draws: int
    core_constant: int | None = None
    most_lower: int = 0
    oid: str | None = None
    tls: dict = dataclasses.field(default_factory=dict)

    @property
    def ring(self):
        return self.r

    @property
    def rule(self):
        """Slope and constant of the threshold [BIKE, S2] as fractions, and the least one."""
        slope, constant = (fractions.Fraction(self.threshold[key]) for key in ("slope", "constant"))
        return slope, constant, self.threshold["least"]

    @functools.cached_property
    def wanted(self):
        """The threshold of each S from 0 to r, before the least one."""
        slope, constant, _ = self.rule
        divisor = math.lcm(slope.denominator, constant.denominator)
        a, b = int(constant * divisor), int(slope * divisor)
        return [(a + b * s) // divisor for s in range(self.r + 1)]

    @functools.cached_property
    def software_threshold(self):
        """With the smallest shift."""
        slope, constant, least = self.rule
        divisor = math.lcm(slope.denominator, constant.denominator)
        a, b = int(constant * divisor), int(slope * divisor)
        for shift in range(64):
            multiplier = -(-(1 << shift) // divisor)
            if all((a + b * s) * multiplier >> shift == w for s, w in enumerate(self.wanted)):
                return Threshold(a, b, multiplier, shift, least)
        raise TableError(f"BIKE's level {self.level}: 64 bits are not enough for the threshold")

    @functools.cached_property
    def core_threshold(self):
        """With multiplier 1, the smallest shift, and the constant in the middle."""
        slope, _, least = self.rule
        for shift in range(32):
            for b in {math.floor(slope * 2**shift), math.ceil(slope * 2**shift)}:
                low = max((w << shift) - b * s for s, w in enumerate(self.wanted))
                high = min((w + 1 << shift) - 1 - b * s for s, w in enumerate(self.wanted))
                if low <= high:
                    middle = (low + high) // 2
                    constant = middle if self.core_constant is None else self.core_constant
                    if not low <= constant <= high:
                        raise TableError(
                            f"BIKE's level {self.level}: core_constant is from {low} to {high}"
                        )
                    return Threshold(constant, b, 1, shift, least)
        raise TableError(f"BIKE's level {self.level}: 32 bits are not enough for the threshold")

    @property
    def planes(self):
        """Bits of a counter: it reaches d."""
        return self.d.bit_length()

    def sizes(self, _revision):
        """Bytes of public key, secret key, ciphertext, secret, and the two seeds."""
        element = bytes_of(self.r)
        return element, 8 * self.d + 3 * element + SEED, element + SEED, SEED, 2 * SEED, SEED


@dataclasses.dataclass(frozen=True)
class HqcLevel:
    level: int
    category: int
    n: int
    n1: int
    k: int
    copies: int
    weight: int
    weight_r: int
    oid: str | None = None
    tls: dict = dataclasses.field(default_factory=dict)

    @property
    def ring(self):
        return self.n

    @property
    def delta(self):
        """Symbols that the Reed-Solomon code corrects."""
        return (self.n1 - self.k) // 2

    @property
    def code_bits(self):
        return self.n1 * 128 * self.copies

    @property
    def bound(self):
        """Candidates from it on are rejected: the greatest multiple of n."""
        return 2**24 // self.n * self.n

    @property
    def barrett(self):
        return 2**32 // self.n

    @functools.cached_property
    def generator(self):
        """The Reed-Solomon code's generator, but for the leading 1: the product of x - 2^i for i
        from 1 to 2 delta, over GF(2)[x] / 0x11D."""
        product = [1]
        root = 1
        for _ in range(2 * self.delta):
            root = times(root, 2)
            shifted = [0, *product]
            product = [
                above ^ times(root, below)
                for above, below in zip(shifted, [*product, 0], strict=True)
            ]
        return product[:-1]

    @property
    def key_bits(self):
        return 8 * self.k

    def sizes(self, revision):
        """As those of BIKE."""
        element, code = bytes_of(self.n), self.code_bits // 8
        if revision["sampling"] == "2023":
            public = 40 + element
            return (
                public,
                40 + self.k + public,
                element + code + SALT,
                64,
                80 + self.k,
                self.k + SALT,
            )
        public = SEED + element
        secret = public + 2 * SEED + self.k
        today = public, secret, element + code + SALT, SEED, SEED, self.k + SALT
        more = revision.get("more", {})
        return tuple(n + more.get(name, 0) for n, name in zip(today, SIZES, strict=True))


@dataclasses.dataclass(frozen=True)
class McelieceLevel:
    level: int
    category: int
    m: int
    n: int
    t: int
    f: dict
    oid: str | None = None
    tls: dict = dataclasses.field(default_factory=dict)

    @property
    def tau(self):
        """Numbers of one attempt to draw an error: twice as many where not all of them fit."""
        return self.t if self.n == 2**self.m else 2 * self.t

    def sizes(self, revision):
        """As those of BIKE."""
        rows = self.m * self.t
        control = (2 * self.m - 1) << self.m - 4
        secret = 40 + 2 * self.t + control + self.n // 8
        ciphertext = bytes_of(rows) + (SEED if revision["confirms"] else 0)
        return rows * bytes_of(self.n - rows), secret, ciphertext, SEED, SEED, SEED


LEVELS = {"bike": BikeLevel, "hqc": HqcLevel, "mceliece": McelieceLevel}
SIZES = "public_key", "secret_key", "ciphertext", "shared_secret", "keypair_seed", "encaps_seed"


@dataclasses.dataclass(frozen=True)
class Kem:
    """A level in a revision."""

    name: str
    c_name: str  # of the object that describes it
    scheme: str  # "bike", "hqc" or "mceliece"
    family: str  # as in codekem.h
    security: str
    ind_cca: bool
    version: str
    superseded: bool
    library: str
    parameters: typing.Any = dataclasses.field(repr=False)  # the level
    revision: dict = dataclasses.field(repr=False)  # the row

    @property
    def level(self):
        return self.parameters.level

    @property
    def category(self):
        return self.parameters.category

    @property
    def sizes(self):
        """Bytes of each of SIZES."""
        return dict(zip(SIZES, self.parameters.sizes(self.revision), strict=True))

    @property
    def confirms(self):
        """Whether a ciphertext of Classic McEliece confirms the plaintext."""
        return self.revision.get("confirms", False)

    @property
    def oid(self):
        if "oid" in self.revision:
            return self.revision["oid"].get(str(self.level))
        return None if self.superseded else self.parameters.oid

    @property
    def read_oid(self):
        """The object identifier by which keys of others are read, or None."""
        read = self.revision.get("read")
        if read is None or str(self.level) not in read:
            return None
        return f"{read['below']}.{read[str(self.level)]}"

    @property
    def seed_at_end(self):
        """Whether the last bytes of a secret key are the seed of the pair: all of it."""
        return self.scheme == "hqc" and self.revision["sampling"] in ("161cd4f", "v5.0.0")

    @property
    def tls(self):
        if "tls" in self.revision:
            return self.revision["tls"].get(str(self.level), {})
        return {} if self.superseded else self.parameters.tls


@dataclasses.dataclass(frozen=True)
class Table:
    arc: str
    levels: dict  # of each scheme
    kems: tuple  # in the order of the table: by revision, then by level

    def of(self, scheme):
        """Returns the levels of a scheme by their names."""
        return {one.level: one for one in self.levels[scheme]}

    def identifiers(self, kem):
        """Returns the contents in DER of the object identifiers of a KEM's keys: ours, by which
        keys are written, and that of others."""
        oids = ([f"{self.arc}.{kem.oid}"] if kem.oid else []) + (
            [kem.read_oid] * bool(kem.read_oid)
        )
        return [der_of_oid(oid) for oid in oids]

    def find(self, name):
        """Returns a KEM by its name."""
        return next(kem for kem in self.kems if kem.name == name)

    def current(self, *schemes):
        """Returns the KEMs that no later revision has superseded."""
        kems = [kem for kem in self.kems if not kem.superseded]
        return [kem for kem in kems if kem.scheme in (schemes or LEVELS)]

    @property
    def rings(self):
        """The rings: those with inversion, then those without."""
        with_inversion = dict.fromkeys(level.r for level in self.levels["bike"])
        others = dict.fromkeys(level.n for level in self.levels["hqc"])
        return list(with_inversion), [ring for ring in others if ring not in with_inversion]


def bytes_of(bits):
    return (bits + 7) // 8


def der_of_oid(oid):
    """Returns the content of an object identifier in DER, of numbers with dots."""
    first, second, *rest = map(int, oid.split("."))
    content = bytearray()
    for number in (40 * first + second, *rest):
        groups = [number & 0x7F]
        while number := number >> 7:
            groups.append(number & 0x7F | 0x80)
        content += bytes(reversed(groups))
    return bytes(content)


def times(a, b):
    """Returns the product in HQC's field."""
    product = 0
    for bit in reversed(range(8)):
        product = product << 1 ^ (0x11D if product & 0x80 else 0)
        product ^= a if b >> bit & 1 else 0
    return product


def kems_of(scheme, rows, levels):
    """Yields the KEMs of a scheme."""
    common = {key: rows[key] for key in ("family", "security", "ind_cca")}
    for row in rows["revision"]:
        for level in levels:
            if level.level not in row.get("levels", [level.level]):
                continue
            words = {"level": level.level, "key_bits": getattr(level, "key_bits", None)}
            yield Kem(
                name=row["name"].format(**words),
                c_name="ckem_" + row["object"].format(**words),
                scheme=scheme,
                **common,
                version=row["version"],
                superseded=row.get("superseded", False),
                library=row["library"],
                parameters=level,
                revision=row,
            )


def read(path=FILE):
    """Returns the table in a file."""
    with open(path, "rb") as file:
        given = tomllib.load(file)
    levels = {
        scheme: tuple(kind(**row) for row in given[scheme]["level"])
        for scheme, kind in LEVELS.items()
    }
    kems = [kem for scheme in LEVELS for kem in kems_of(scheme, given[scheme], levels[scheme])]
    for scheme in LEVELS:
        names = [one.level for one in levels[scheme]]
        if len(set(names)) != len(names):
            raise TableError(f"two levels of {scheme} have the same name")
    if len({kem.name for kem in kems}) != len(kems):
        raise TableError("two KEMs have the same name")
    # Those of Classic McEliece are in the order of their levels.
    place = {one.level: i for i, one in enumerate(levels["mceliece"])}
    kems.sort(key=lambda kem: place[kem.level] if kem.scheme == "mceliece" else -1)
    return Table(given["arc"], levels, tuple(kems))


TABLE = read()
