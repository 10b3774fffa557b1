# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What Frama-C proves of SOFIA: its sampler and its key generation; see docs/soundness.md."""

import shutil

import pytest

FOLDERS = ["src/mq4", "src/sofia"]

# One state for each number of challenges; what is in the block of the stream needs no values apart.
SAMPLER = ["-eva-split-limit", "500", "-eva-widening-delay", "3", "-eva-ilevel", "8"]

# The value of a polynomial always has the same inputs. Calls that refused memory stay apart from
# those that wrote the keys.
KEYPAIR = [
    "-eva-no-results-function=-value_portable,-parity_portable",
    *("-eva-split-return-function", "check_workspace:0,codekem_sofia_keypair_workspace:0"),
    *(
        "-eva-slevel-function",
        "codekem_sofia_keypair_workspace:20,codekem_sofia_keypair_derand:20",
    ),
]

# Mistakes in the sampler of a copy of the sources, and what must be said.
MISTAKES = {
    "one_challenge_too_many": (
        "while (drawn < SOFIA_ROUNDS) {",
        "while (drawn <= SOFIA_ROUNDS) {",
        "out of bounds index",
    ),
    "one_bit_too_many": (
        "if (bits->used >= 8 * sizeof bits->block) {",
        "if (bits->used > 8 * sizeof bits->block) {",
        "out of bounds index",
    ),
    "third_alpha": (
        "if (alpha < SOFIA_ALPHAS) {",
        "if (alpha <= SOFIA_ALPHAS) {",
        "assertion 'alpha'",
    ),
}


def check(analysis):
    assert not analysis.problems(), analysis.report()


def test_sampler_is_sound_for_every_stream(analyse):
    check(analyse(["sofia.c"], "analyse_challenges", SAMPLER, folders=FOLDERS, LEVEL=1))


@pytest.mark.long
def test_key_generation_is_sound(analyse):
    check(analyse(["sofia.c"], "analyse_keypair", KEYPAIR, folders=FOLDERS, LEVEL=1))


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(name, marks=[] if name == "third_alpha" else pytest.mark.long)
        for name in MISTAKES
    ],
)
def test_mistake_in_the_sampler_is_noticed(mistake, analyse, root, tmp_path):
    before, after, expected = MISTAKES[mistake]
    for folder in ["include", "src"]:
        shutil.copytree(root / folder, tmp_path / folder)
    path = tmp_path / "src" / "sofia" / "sofia.c"
    text = path.read_text()
    assert text.count(before) == 1, "the sampler has changed: find another place for this mistake"
    path.write_text(text.replace(before, after))
    options = [*SAMPLER, "-eva-stop-at-nth-alarm", "1"]
    analysis = analyse(
        ["sofia.c"], "analyse_challenges", options, tmp_path, folders=FOLDERS, LEVEL=1
    )
    assert any(expected in alarm for alarm in analysis.alarms), analysis.report()
