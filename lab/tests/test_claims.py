# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Campaigns refuse a file that another process has."""

import pytest
from typer.testing import CliRunner

from codekem_base import claims
from codekem_base.errors import EvaluationError
from codekem_lab import dfr_campaign, lab_campaign, lab_points
from codekem_lab.cli import app
from codekem_lab.dfr_worker import Point

SEED = "c1a1" * 16
COMMANDS = [
    ["--r", "9803", "--decodings", "500", "--batch", "500"],
    ["direct", "--r", "9803", "--decodings", "500", "--batch", "500"],
    ["strata", "--class", "near-codeword:30", "--decodings", "500", "--batch", "500"],
    ["roulette", "--toy", "--r", "523", "--decodings", "500"],
    ["split", "--toy", "--r", "523", "--runs", "2", "--particles", "40"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_file_that_another_process_writes_is_refused(command, taken, dfr_folder):
    path, process = taken
    done = CliRunner().invoke(app, [*command, "--out", str(path), "--build", str(dfr_folder)])
    assert isinstance(done.exception, claims.Taken), done.exception
    message = str(done.exception)
    assert f"is being written by process {process.pid} on " in message and "since 20" in message
    assert len(message.splitlines()) == 1
    assert not path.exists()


def test_campaigns_write_through_their_claim(tmp_path, dfr_program, lab_program):
    settings = {"seed": SEED, "batch": 500, "decodings": 1000, "failures": None}
    campaigns = [
        (
            dfr_campaign,
            dfr_program,
            dfr_campaign.new_campaign(
                "BIKE-L1", dfr_program, [Point(1, 9803, 134)], {**settings, "backend": "auto"}
            ),
        ),
        (
            lab_campaign,
            lab_program,
            lab_campaign.new_campaign(
                "direct", [lab_points.toy(523)], {**settings, "engine": "auto"}
            ),
        ),
    ]
    for module, program, campaign in campaigns:
        path = tmp_path / f"{module.__name__}.json"
        with (
            claims.held(path),
            pytest.raises(EvaluationError, match="was written by another process"),
        ):
            module.run(
                campaign,
                path,
                program,
                dfr_campaign.local_workers(1),
                lambda _, path=path: path.write_text("theirs"),
            )
        assert path.read_text() == "theirs"
