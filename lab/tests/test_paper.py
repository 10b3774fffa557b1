# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The paper: its numbers are those of the stored campaigns, and nothing else is a measured rate."""

import re

import pytest

from codekem_base.errors import EvaluationError
from codekem_lab import campaigns, lab_campaign, paper

# What \\ten may say: claims, a derivation of others, a line of others, and bounds in words.
SAID = {"128", "192", "256", "117", "125", "22", "81", "154"}


@pytest.fixture(scope="module")
def text():
    return re.sub(r"(?<!\\)%.*", "", paper.TEXT.read_text())


@pytest.fixture(scope="module")
def kept():
    return campaigns.kept(lab_campaign)


def test_numbers_are_those_of_the_campaigns(text):
    made = dict(re.findall(r"csname val@(\S+)\\endcsname\{(.*)\}", paper.numbers(text)))
    assert made["split-L1-bgf-5-b/rate"] == "-89.3"  # of docs/dfr.md
    assert made["split-L3-b/least"] == "-62.6"
    assert len(made) > 60
    assert all(re.fullmatch(r"-?[\d.,]+|-\\infty", value) for value in made.values())


def test_a_measured_rate_is_never_written_by_hand(text):
    assert set(re.findall(r"\\ten\{(\d+)\}", text)) == SAID
    by_hand = re.findall(r"2\^\{?-?[\d.]+", text)
    assert by_hand == []


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("no-such/rate", "no campaign no-such"),
        ("over-t/rate", "9 points of over-t fit"),
        ("over-t/151/999/rate", "0 points"),
        ("split-L3/low", "has no low"),
        ("over-t/152/runs", "has no runs"),
    ],
)
def test_a_number_that_is_not_there_is_an_error(kept, key, said):
    with pytest.raises(EvaluationError, match=said):
        paper.value(kept, key)


def test_tables_and_figure_are_written(tmp_path):
    name, tables = paper.write(tmp_path)
    assert name == "dfr" and [table.key for table in tables] == ["decoders"]
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"dfr.tex", "numbers.tex", "levels.pdf"}
    assert (tmp_path / "levels.pdf").read_bytes().startswith(b"%PDF")
