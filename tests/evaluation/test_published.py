# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Published figures: unchanged, each with a source, and consistent with themselves."""

import hashlib

import pytest

from codekem_evaluation import paths, published, tables_hardware
from codekem_evaluation.errors import EvaluationError

SUMS = "published.sha256"


def test_every_figure_is_as_it_was_copied(root):
    sums = dict(
        reversed(line.split("  "))
        for line in (root / "tests" / "evaluation" / SUMS).read_text().splitlines()
    )
    assert set(sums) == {path.name for path in paths.PUBLISHED.glob("*.csv")}
    for name, digest in sums.items():
        assert hashlib.sha256((paths.PUBLISHED / name).read_bytes()).hexdigest() == digest, name


def test_every_row_has_a_source_that_is_explained():
    for path in paths.PUBLISHED.glob("*.csv"):
        for row in published.rows(path.stem):
            assert row.get("source", "xilinx-7") in published.sources(), (path.name, row)


def test_smallest_device_is_the_one_that_the_survey_names():
    names = {"A7": "Artix-7", "Z": "Zynq-7000"}
    for row in published.rows("bike_hardware_resources"):
        count, _, target = row["smallest_target"].rpartition("x")
        need = {key: float(row[key]) for key in tables_hardware.RESOURCES}
        family = names[target.split("-")[0]]
        name = {"Artix-7": f"Artix-7 {target.split('-')[1]}", "Zynq-7000": f"Zynq-7000 {target}"}[
            family
        ]
        expected = f"{count} x {name}" if count else name
        assert tables_hardware.smallest(need, family) == expected, row


def test_every_resource_can_be_the_one_that_limits():
    assert (
        tables_hardware.smallest({"LUT": 1, "FF": 1, "BRAM36": 1, "DSP": 1}, "Artix-7")
        == "Artix-7 12"
    )
    for key, value in [("LUT", 40000), ("FF", 80000), ("BRAM36", 100), ("DSP", 150)]:
        need = dict.fromkeys(tables_hardware.RESOURCES, 1.0) | {key: value}
        assert tables_hardware.smallest(need, "Artix-7") == "Artix-7 75"
    assert (
        tables_hardware.smallest({"LUT": 40000, "FF": None, "BRAM36": None, "DSP": None}, "Artix-7")
        == "Artix-7 75"
    )


def test_platforms_are_told_apart():
    measured = "Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz"
    assert published.same_platform("Intel Core i5-10310U", measured)
    assert not published.same_platform("Intel Core i5-10310U", "Intel(R) Core(TM) i5-10210U CPU")
    assert not published.same_platform("Xeon Platinum 8375C 2.90GHz", measured)
    assert published.same_platform(
        "Xeon Platinum 8375C 2.90GHz", "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz"
    )
    assert not published.same_platform("Arm Cortex-A53 (RP3A0, 64-bit)", None)


def test_traces_show_the_row_and_the_source():
    lines = published.find("published/bike_software_times/2")
    assert "332.34" in lines[1] and "PARMA-DITAM" in lines[2]
    for wrong in ("published/bike_software_times/1", "published/none/2", "published/x"):
        with pytest.raises(EvaluationError):
            published.find(wrong)
