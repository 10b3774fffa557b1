# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table says what the specifications say, in numbers written down here once more by hand."""

import pytest

from parameters import table

# Public key, secret key, ciphertext, secret, seed of a key pair, seed of an encapsulation.
SIZES = {
    "BIKE-L1": (1541, 5223, 1573, 32, 64, 32),
    "BIKE-L3": (3083, 10105, 3115, 32, 64, 32),
    "BIKE-L5": (5122, 16494, 5154, 32, 64, 32),
    "BIKE-L1-v4.2-aes": (1541, 5223, 1573, 32, 64, 32),
    "HQC-1": (2241, 2321, 4433, 32, 32, 32),
    "HQC-3": (4514, 4602, 8978, 32, 32, 40),
    "HQC-5": (7237, 7333, 14421, 32, 32, 48),
    "HQC-128-2023": (2249, 2305, 4433, 64, 96, 32),
    "HQC-192-2023": (4522, 4586, 8978, 64, 104, 40),
    "HQC-256-2023": (7245, 7317, 14421, 64, 112, 48),
    "mceliece348864": (261120, 6492, 96, 32, 32, 32),
    "mceliece460896f": (524160, 13608, 156, 32, 32, 32),
    "mceliece6688128pc": (1044992, 13932, 240, 32, 32, 32),
    "mceliece6960119": (1047319, 13948, 194, 32, 32, 32),
    "mceliece8192128pcf": (1357824, 14120, 240, 32, 32, 32),
}
# What the cores take: (A + B S) >> K, and at least the last.
CORE_THRESHOLDS = {
    1: (113498000, 58487, 23, 36),
    3: (64000256, 22083, 22, 52),
    5: (1199806000, 269987, 26, 69),
}


@pytest.mark.parametrize("name", SIZES)
def test_the_sizes_of_the_specification(name):
    assert tuple(table.TABLE.find(name).sizes.values()) == SIZES[name]


def test_each_kem_once():
    names = [kem.name for kem in table.TABLE.kems]
    assert len(names) == 15 + 6 + 3 + 20
    assert [kem.name for kem in table.TABLE.current("bike", "hqc")] == [
        *("BIKE-L1", "BIKE-L3", "BIKE-L5"),
        *("HQC-1", "HQC-3", "HQC-5"),
    ]
    assert {kem.scheme for kem in table.TABLE.kems if kem.oid} == {"bike", "hqc"}


def test_the_thresholds_of_the_cores():
    for level in table.TABLE.levels["bike"]:
        rule = level.core_threshold
        assert (rule.constant, rule.slope, rule.shift, rule.least) == CORE_THRESHOLDS[level.level]


def test_a_generator_has_its_roots():
    """2^i for i from 1 to 2 delta, and no other power of 2."""
    for level in table.TABLE.levels["hqc"]:
        powers = [1]
        while len(powers) < 255:
            powers.append(table.times(powers[-1], 2))
        roots = [i for i, x in enumerate(powers) if value([*level.generator, 1], x) == 0]
        assert roots == list(range(1, 2 * level.delta + 1))


def value(polynomial, x):
    """Evaluates a polynomial whose lowest coefficient comes first."""
    result = 0
    for coefficient in reversed(polynomial):
        result = table.times(result, x) ^ coefficient
    return result


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("core_constant = 113498000", "core_constant = 113490000", "core_constant is from 11349"),
        ("level = 3\n", "level = 1\n", "two levels of bike"),
        ('name = "HQC-{level}-v5.0.0"', 'name = "HQC-{level}"', "two KEMs have the same name"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, before, after, says):
    text = table.FILE.read_text(encoding="utf-8")
    assert before in text
    path = tmp_path / "kems.toml"
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(table.TableError, match=says):
        [level.core_threshold for level in table.read(path).levels["bike"]]
