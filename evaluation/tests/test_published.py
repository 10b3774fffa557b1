# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Published figures: unchanged, each with a source, and consistent with themselves."""

import csv
import hashlib
import io
import shutil

import pytest
from typer.testing import CliRunner

from codekem_base.errors import EvaluationError
from codekem_evaluation import (
    bibliography,
    findings,
    paper,
    paths,
    published,
    render_files,
    render_terminal,
    reporting,
    tables_hardware,
    tables_hls,
    tables_processors,
    tables_profile,
    tables_soc,
    tables_times,
)
from codekem_evaluation.cli import app
from codekem_evaluation.samples import Samples

SUMS = "published.sha256"


def test_every_figure_is_as_it_was_copied(root):
    sums = dict(
        reversed(line.split("  "))
        for line in (root / "evaluation/tests" / SUMS).read_text().splitlines()
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


# --- Figures that users add ----------------------------------------------------------------------

HEAD = "source,reference,kem,cpu,implementation,operation,milliseconds"
REFERENCE = '"A. Author: A fast BIKE, CHES 2026"'
OWN = [
    f"mine2026,{REFERENCE},BIKE-L1,Intel Core i5-10310U,my AVX2,{operation},{value}"
    for operation, value in [("KeyGen", 0.2), ("Encaps", 0.05), ("Decaps", 0.5)]
]


@pytest.fixture
def own(tmp_path):
    """own(lines) takes a file of figures until the test ends; returns its path."""

    def write(*lines):
        path = tmp_path / "own.csv"
        path.write_text("\n".join(lines) + "\n")
        published.use([path])
        return path

    yield write
    published.use([])


def rows_with(table, text):
    return [row for row in table.rows if any(text in cell.text for cell in row)]


def test_ones_own_figures_are_cited_as_their_own(own, make_run, survey_processor):
    path = own(HEAD, *OWN)
    samples = Samples(make_run(cpu=survey_processor))
    (row,) = rows_with(tables_times.times(samples), "my AVX2")
    assert row[2].text == "Intel Core i5-10310U [mine2026]"
    assert [cell.value for cell in row[3:7]] == pytest.approx([0.2, 0.05, 0.5, 0.75])
    assert row[7].value == pytest.approx(0.75 / 0.25, rel=0.05)  # the processor is the same
    assert r"\cite{mine2026}" in paper.table(tables_times.times(samples))
    assert "A fast BIKE" in bibliography.entry("mine2026")
    trace = row[3].trace
    assert trace == f"published/{path}/2"
    assert published.find(trace)[0].endswith("own.csv, line 2")
    assert published.find(trace)[2] == REFERENCE.strip('"')
    assert "my AVX2" not in " ".join(findings.on_times(samples))  # "in the survey" is of one paper
    others = rows_with(tables_times.times(samples), "galimberti2023")
    assert len(others) == len(rows_with(tables_times.times(Samples(make_run())), "galimberti2023"))


def test_the_survey_stays_what_it_is_beside_others(own, make_run):
    own(HEAD, *[line.replace("my AVX2", "CT AVX2").replace(",0.5", ",99") for line in OWN])
    samples = Samples(make_run())
    words = [*findings.on_times(samples), *findings.on_profile(samples)]
    published.use([])
    assert words == [*findings.on_times(samples), *findings.on_profile(samples)]


def tables_of(samples):
    """Returns every table that shows published figures."""
    return [
        tables_times.times(samples),
        tables_times.cycles(samples),
        tables_times.speedups(samples),
        tables_times.variants(samples),
        *tables_profile.profiles(samples.run),
        tables_processors.processors(),
        tables_hardware.resources(),
        tables_hardware.times(),
        tables_hardware.cycles(),
        tables_hardware.primitives(),
        tables_hardware.functions(),
        tables_hardware.claims(),
        tables_hls.functions(),
        tables_hls.primitives(),
        tables_hls.comparison(),
        tables_soc.splits(),
    ]


@pytest.mark.parametrize("name", published.EXTENSIBLE)
def test_every_kind_of_published_figure_names_its_source(name, own, make_run):
    """The first row of each file, of another paper: it is cited as that paper's or not shown."""
    lines = (paths.PUBLISHED / f"{name}.csv").read_text().splitlines()
    head = lines[0].split(",")
    row = dict(zip(head, next(csv.reader([lines[1]])), strict=True))
    row |= {"source": "other2026", "reference": "B. Other: Another paper, 2026"}
    file = io.StringIO()
    writer = csv.DictWriter(file, [*head, "reference"], lineterminator="\n")
    writer.writeheader()
    for operation in published.OPERATIONS if name == "bike_software_times" else [None]:
        writer.writerow({**row, **({"operation": operation} if operation else {})})
    samples = Samples(make_run(rounds=2, samples=2))
    before = tables_of(samples)
    own(file.getvalue().rstrip("\n"))
    after = tables_of(samples)
    named = 0
    for old, new in zip(before, after, strict=True):
        known = [[cell.text for cell in row] for row in old.rows]
        added = [row for row in new.rows if [cell.text for cell in row] not in known]
        words = " ".join([*new.columns, *(cell.text for row in added for cell in row)])
        assert not added or "other2026" in words, (name, new.key)
        named += bool(added)
    assert named, name


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([HEAD, *OWN[:2]], "line 3: BIKE-L1, my AVX2, .* has no Decaps"),
        ([HEAD, *OWN, OWN[0]], "line 5: KeyGen of BIKE-L1, .* is there already, .*line 2"),
        ([HEAD, *OWN, OWN[0].replace("KeyGen", "Overall")], "line 5: no operation 'Overall'"),
        ([HEAD, OWN[0].replace("0.2", "fast")], "line 2: milliseconds is 'fast', not a number"),
        ([HEAD, OWN[0].replace("0.2", "")], "line 2: milliseconds is '', not a number"),
        ([HEAD, OWN[0].replace("0.2", "nan")], "line 2: milliseconds is 'nan'"),
        ([HEAD, OWN[0] + ",1"], "line 2: it has more fields"),
        (
            [HEAD.replace("reference,", ""), *[line.replace(f"{REFERENCE},", "") for line in OWN]],
            "line 2: the source 'mine2026' is not in sources.csv",
        ),
        ([HEAD, OWN[0].replace("mine2026", "galimberti2023")], "is another reference"),
        ([HEAD, OWN[0].replace("mine2026", '"a, b"')], "a name without brackets"),
        ([HEAD.replace("operation", "op"), OWN[0]], "line 1: it lacks operation of bike_software"),
        ([HEAD], "has no row"),
    ],
)
def test_what_is_wrong_with_ones_own_figures_is_said_with_its_line(lines, message, own, tmp_path):
    with pytest.raises(EvaluationError, match=message) as error:
        own(*lines)
    assert len(str(error.value).splitlines()) == 1


def test_a_sum_that_is_published_stays_and_a_kem_that_is_not_here_is_named(own, make_run):
    own(
        HEAD,
        *[line.replace("L1", "L9") for line in OWN],
        *OWN,
        OWN[0].replace("KeyGen,0.2", "Overall KEM,0.8"),
    )
    table = tables_times.times(Samples(make_run()))
    (row,) = rows_with(table, "my AVX2")
    assert row[6].value == 0.8
    assert any("own.csv, line 2: this run has no BIKE-L9" in note for note in table.notes)


def test_a_row_added_to_the_packages_own_file_is_cited_too(tmp_path, monkeypatch, make_run):
    """What a reader does who finds the CSV file before the option."""
    copy = tmp_path / "publications"
    shutil.copytree(paths.PUBLISHED, copy)
    monkeypatch.setattr(paths, "PUBLISHED", copy)
    published.packaged.cache_clear()
    with (copy / "bike_software_times.csv").open("a") as file:
        for operation, value in [("KeyGen", 0.2), ("Encaps", 0.05), ("Decaps", 0.5)]:
            file.write(f"mine2026,Table 1,BIKE-L1,AMD EPYC,2.45,my AVX2,{operation},{value}\n")
    try:
        with pytest.raises(EvaluationError, match=r"bike_software_times\.csv, line 34: the source"):
            published.use([])
        with (copy / "sources.csv").open("a") as file:
            file.write(f"mine2026,{REFERENCE}\n")
        published.packaged.cache_clear()
        published.use([])
        (row,) = rows_with(tables_times.times(Samples(make_run())), "my AVX2")
        assert row[2].text == "AMD EPYC [mine2026]"
        assert row[7].why  # "AMD EPYC" names no model
    finally:
        monkeypatch.undo()
        published.packaged.cache_clear()
        published.use([])


def test_the_command_takes_ones_own_figures(tmp_path, stored, make_run, monkeypatch):
    path = tmp_path / "own.csv"
    path.write_text("\n".join([HEAD, *OWN]) + "\n")
    run = stored(make_run(rounds=2, samples=2))
    seen = []
    monkeypatch.setattr(reporting, "make", lambda *_: seen.append(published.times("mine2026")))
    monkeypatch.setattr(render_files, "write", lambda *_, **__: tmp_path)
    monkeypatch.setattr(render_files, "steps_of", lambda _: 1)
    monkeypatch.setattr(render_terminal, "show_screen", lambda *_: None)
    command = ["report", str(run), "--out", str(tmp_path / "out"), "--published", str(path)]
    try:
        done = CliRunner().invoke(app, command)
    finally:
        published.use([])
    assert done.exit_code == 0, done.output
    assert list(seen[0]["BIKE-L1"]) == [("my AVX2", "Intel Core i5-10310U", "mine2026")]
