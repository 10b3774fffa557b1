# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What Frama-C proves of SOFIA: its sampler and its key generation; see docs/soundness.md."""

import pytest

from tools import mistakes

FOLDERS = ["src/sofia/mq4", "src/sofia"]

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


def check(analysis):
    assert not analysis.problems(), analysis.report()


@pytest.mark.long
def test_sampler_is_sound_for_every_stream(analyse):
    check(analyse(["sofia.c"], "analyse_challenges", SAMPLER, folders=FOLDERS, LEVEL=1))


@pytest.mark.long
def test_key_generation_is_sound(analyse):
    check(analyse(["sofia.c"], "analyse_keypair", KEYPAIR, folders=FOLDERS, LEVEL=1))


@pytest.mark.parametrize("mistake", mistakes.cases("soundness/sofia"))
def test_mistake_in_the_sampler_is_noticed(mistake, analyse, mistaken):
    options = [*SAMPLER, "-eva-stop-at-nth-alarm", "1"]
    analysis = analyse(
        ["sofia.c"], mistake.by, options, mistaken(mistake), folders=FOLDERS, LEVEL=1
    )
    assert any(mistake.more["says"] in alarm for alarm in analysis.alarms), analysis.report()
