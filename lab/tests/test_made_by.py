# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Workers of a campaign that run another program, or another package: nothing of theirs counts."""

import concurrent.futures
import platform
import shutil
import subprocess
import typing

import dask
import pytest

from codekem_base.errors import EvaluationError
from codekem_lab import dfr_campaign, lab_campaign, lab_points, made_by
from codekem_lab.dfr_worker import INNER_CODE, Point

SEED = "a1fe" * 16


class Strangers:
    """Workers on another machine: what they are given to run is not what is run there."""

    def __init__(self, program, change=lambda batch: batch):
        self.program, self.change = program, change

    def __enter__(self):
        return self, 1

    def __exit__(self, *_):
        pass

    def submit(self, work, _program, *arguments):
        future = concurrent.futures.Future()
        try:
            future.set_result(self.change(work(str(self.program), *arguments)))
        except EvaluationError as error:
            future.set_exception(error)
        return future


def wrapped(folder, program, line):
    """Returns a program that does what another does, but for a line of shell in front."""
    path = folder / "wrapped"
    path.write_text(f'#!/bin/sh\n{line}\nexec {program} "$@"\n')
    path.chmod(0o755)
    return path


OLD_BUILD = '[ "$1" != source ] || { echo 0123456789abcdef; exit; }'
OLDER_BUILD = '[ "$1" != source ] || { echo usage >&2; exit 2; }'
# 12 failures for 2, or another value of a splitting.
MORE_FAILURES = (
    'case "$1" in run* | direct | split) {program} "$@" |'
    ' sed -E \'s/"(failures|failed)":([0-9])/"\\1":1\\2/\'; exit;; esac'
)
MADE_BY_OTHERS = [
    (OLD_BUILD, None, "has a {name} that was built from other sources"),
    (OLDER_BUILD, None, "has a {name} that was built from other sources"),
    (MORE_FAILURES, None, "has a {name} that gives other answers than the one here"),
    (":", lambda batch: batch["made_by"].update(package="0"), "another version of the package"),
    (":", lambda batch: batch.pop("made_by"), "another version of the package"),
]


def campaigns_of(dfr_program, lab_program):
    """Yields (module, program, campaign) of each kind of campaign."""
    settings = {"seed": SEED, "batch": 500, "decodings": 1000, "failures": None}
    bike = {**settings, "backend": "auto"}
    yield "dfr", dfr_program, [Point(1, 9803, 134)], ("BIKE-L1", bike)
    yield "dfr", dfr_program, [Point(1, 17669, 75, INNER_CODE)], ("HQC-1", bike)
    lab = {**settings, "engine": "auto"}
    split = {"seed": SEED, "engine": "auto", "runs": 2, "particles": 40, "kept": 1}
    weak = lab_points.toy(523, key_class="near-codeword", parameter=5)
    yield "lab", lab_program, [lab_points.toy(523)], ("direct", lab)
    yield "lab", lab_program, [weak], ("strata", lab)
    yield "lab", lab_program, [lab_points.toy(523)], ("split", split)


@pytest.mark.parametrize(("line", "change", "message"), MADE_BY_OTHERS)
def test_batches_of_another_program_or_package_are_refused(
    line, change, message, dfr_program, lab_program, tmp_path
):
    def changed(batch):
        if change is not None:
            change(batch)
        return batch

    for kind, program, points, (name, settings) in campaigns_of(dfr_program, lab_program):
        if kind == "dfr":
            module: typing.Any = dfr_campaign
            campaign = dfr_campaign.new_campaign(name, program, points, settings)
        else:
            module = lab_campaign
            campaign = lab_campaign.new_campaign(name, points, settings)
        other = wrapped(tmp_path, program, line.replace("{program}", str(program)))
        path = tmp_path / "campaign.json"
        with pytest.raises(EvaluationError, match=message.format(name=program.name)) as error:
            module.run(campaign, path, program, Strangers(other, changed))
        assert "the same command goes on" in str(error.value)
        if "another version" not in message:
            assert platform.node() in str(error.value)
        (row,) = module.read(path)["points"]
        assert row["decodings"] == 0 and not row["finished"]


def test_a_worker_of_dask_with_another_program_is_named(dfr_program, tmp_path):
    """A real cluster; the program there has a script in front."""
    line = f'[ -z "$STRANGER" ] || {{\n{MORE_FAILURES}\n}}'.replace("{program}", str(dfr_program))
    program = wrapped(tmp_path, dfr_program, line)
    campaign = dfr_campaign.new_campaign(
        "BIKE-L1",
        program,
        [Point(1, 9803, 134)],
        {"seed": SEED, "batch": 500, "decodings": 1000, "failures": None, "backend": "auto"},
    )
    with (
        dask.config.set({"distributed.nanny.environ.STRANGER": "1"}),
        pytest.raises(EvaluationError, match=r"the worker tcp://.* gives other answers"),
    ):
        dfr_campaign.run(
            campaign, tmp_path / "c.json", program, dfr_campaign.dask_workers("local:1")
        )
    assert dfr_campaign.read(tmp_path / "c.json")["points"][0]["decodings"] == 0


def test_a_program_that_is_built_again_meanwhile_is_seen(dfr_program, tmp_path):
    program = wrapped(tmp_path, dfr_program, ":")
    before = made_by.of_program(program, "dfr")
    assert before["sources"] and None not in before["answers"]
    assert made_by.of_program(program, "dfr") == before
    wrapped(tmp_path, dfr_program, OLD_BUILD)
    assert made_by.of_program(program, "dfr")["sources"] != before["sources"]


def test_the_hash_of_a_program_follows_its_sources(root, tmp_path):
    """What the build runs, on a copy."""
    copy = tmp_path / "copy"
    for folder in ("include", "src", "lab/decoders", "lab/dfr"):
        shutil.copytree(root / folder, copy / folder)

    def hashed():
        header = tmp_path / "made_from.h"
        script = root / "lab" / "made_from.cmake"
        command = ["cmake", f"-DROOT={copy}", f"-DOUT={header}", "-P", script]
        subprocess.run(command, check=True)
        return header.read_text()

    found = [hashed()]
    assert hashed() == found[0]
    for name in ("src/kem/gf2x/avx2/gf2x_avx2.c", "src/common/base/cpu.c", "lab/dfr/draw.c"):
        path = copy / name
        path.write_text(path.read_text() + "/* another */\n")
        found.append(hashed())
    assert len(set(found)) == len(found)
