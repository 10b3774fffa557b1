# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a report shows of other parts of the project: hardware, instruction counts, campaigns."""

import json

import pytest

from codekem_base import drawing
from codekem_evaluation import inputs, paths, plots, tables_hardware, tables_processors

HARDWARE_ROW = {
    "core": "BIKE",
    "preset": "small",
    "level": 1,
    "build": "full",
    "lut": 15000,
    "lut_raw": 15500,
    "ff": 4000,
    "bram36": 9,
    "dsp": 0,
    "keygen_cycles": 200000,
    "encaps_cycles": 20000,
    "decaps_cycles": 300000,
    "ecp5_mhz": 71.5,
    "tools": "yosys",
}


def test_hardware_rows_fill_in_as_they_land(tmp_path):
    assert any("no row yet" in note for note in tables_hardware.resources(tmp_path).notes)
    waiting = {**HARDWARE_ROW, "preset": "large", "lut": None, "ecp5_mhz": None}
    (tmp_path / "bike.json").write_text(json.dumps([HARDWARE_ROW, waiting]))
    row, later = tables_hardware.resources(tmp_path).rows[:2]
    assert [cell.text for cell in row[3:]] == [
        "15,000 to 15,500",
        "4,000",
        "9",
        "0",
        "35",
        "Z-7010",
    ]
    assert row[3].interval == (15000, 15500)
    assert later[3].why and later[7].why
    times = tables_hardware.times(tmp_path).rows
    # At the assumed 100 MHz, whatever the clock on the ECP5, which has a column of its own.
    assert [cell.value for cell in times[0][3:]] == pytest.approx([2.0, 0.2, 3.0, 5.2, 100, 71.5])
    assert times[1][3].value == 2.0 and times[1][-1].why
    assert tables_hardware.cycles(tmp_path).rows[0][5].value == 300


def test_an_assumed_clock_is_marked_in_every_row_that_depends_on_it(tmp_path):
    (tmp_path / "bike.json").write_text(json.dumps([HARDWARE_ROW]))
    ours, *others = tables_hardware.times(tmp_path).rows
    assert ours[2].text == "codekem" and ours[7].text == "100 assumed"
    assert others and not any("assumed" in cell.text for row in others for cell in row)


@pytest.mark.parametrize(
    ("lut", "raw", "memory", "texts"),
    [
        (20000, 20700, 0, ("35", "Z-7015")),  # both figures fit
        (20000, 20900, 0, ("35 (estimate), 50 (raw)", "Z-7015")),  # the raw one does not
        (17000, 18000, 0, ("35", "Z-7010 (estimate), Z-7015 (raw)")),
        (20700, 20750, 200, ("50", "Z-7015")),  # LUTs as memory count in both
        (20000, None, 0, ("35 (estimate)", "Z-7015 (estimate)")),
    ],
)
def test_smallest_device_says_by_which_figure_it_fits(lut, raw, memory, texts, tmp_path):
    (tmp_path / "bike.json").write_text(
        json.dumps([{**HARDWARE_ROW, "lut": lut, "lut_raw": raw, "lutram": memory}])
    )
    row = tables_hardware.resources(tmp_path).rows[0]
    assert tuple(cell.text for cell in row[7:]) == texts


def test_plot_of_area_and_time_tells_assumed_clocks_from_measured_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "HARDWARE", tmp_path)
    (tmp_path / "bike.json").write_text(json.dumps([HARDWARE_ROW]))
    series = plots.hardware_series()
    assert {name for name, points in series.items() if any(p.assumed for p in points)} == {
        "codekem: clock assumed, 100 MHz"
    }
    (point,) = series["codekem: clock assumed, 100 MHz"]
    assert (point.x, point.raw, point.y) == (15000, 15500, pytest.approx(5.2))
    (plot,) = plots.hardware()
    assert "assumed clock of 100 MHz" in plot.title
    assert "15000 (estimate) to 15500 (raw) LUT and 5.2 ms at an assumed clock" in plot.alternative
    rows = plot.chart.described()["spec"]["data"]["values"]
    hollow = {row["series"] for row in rows if row["hollow"]}
    assert hollow == {"codekem: clock assumed, 100 MHz"}
    assert [(row["x"], row["raw"]) for row in rows if row["hollow"]] == [(15000, 15500)]


def test_every_design_in_the_plot_has_its_name_beside_it():
    (plot,) = plots.hardware()
    text = drawing.svg(plot.chart)
    names = {point.short_name for point in plot.chart.points()}
    assert len(names) >= 15 and all(f">{name}</text>" in text for name in names)


def test_a_peer_core_of_our_synthesis_is_not_one_of_ours(tmp_path):
    peer = {
        "width": 32,
        "keygen": 460000,
        "encaps": 50000,
        "decaps": 830000,
        "lut": 12500,
        "lut_raw": 15000,
        "lutram": 0,
        "ff": 4000,
        "bram36": 9,
        "dsp": 7,
        "peer": "RacingBIKE, sources 123",
        "tools": "yosys",
    }
    other = peer | {"kem": "HQC-128", "design": "joint", "width": 128}
    results, peers = tmp_path / "results", tmp_path / "peers" / "results"
    results.mkdir()
    peers.mkdir(parents=True)
    (peers / "racingbike.json").write_text(json.dumps([peer, other]))
    (results / "bike.json").write_text(json.dumps([HARDWARE_ROW]))
    assert len(inputs.read("hardware", results)[0]) == 1
    ours, theirs, another = tables_hardware.cycles(results).rows[:3]
    assert [cell.text for cell in another[:2]] == ["HQC-128", "joint"]
    assert [cell.text for cell in theirs] == [
        "BIKE-L1",
        "width 32",
        "RacingBIKE, our synthesis",
        "460",
        "50.0",
        "830",
    ]
    assert theirs[3].trace == "peer-cores/racingbike/0" and ours[3].trace == "hardware/bike/0"
    assert tables_hardware.resources(results).rows[1][3].text == "12,500 to 15,000"
    assert tables_hardware.times(results).rows[1][7].text == "100 assumed"


def test_routed_clocks_have_a_table_of_their_own(tmp_path):
    assert "no row yet" in tables_hardware.routed(tmp_path).reason
    done = {
        "module": "keccak",
        "preset": "fast",
        "level": 1,
        "lut4": 5892,
        "ff": 1606,
        "dp16kd": 0,
        "dsp": 0,
        "mhz": 116.9,
        "unfinished_after_seconds": None,
        "device": "LFE5U-85F",
        "tools": "nextpnr 1",
    }
    late = {**done, "module": "bike_core", "mhz": None, "unfinished_after_seconds": 900.0}
    (tmp_path / "ecp5.json").write_text(json.dumps([done, late]))
    table = tables_hardware.routed(tmp_path)
    assert [cell.text for cell in table.rows[0]] == [
        "keccak",
        "fast",
        "1",
        "5,892",
        "1,606",
        "0",
        "0",
        "116.9",
    ]
    assert table.rows[0][-1].trace == "routed/ecp5/0"
    assert "900 seconds" in table.rows[1][-1].why
    assert "LFE5U-85F, by nextpnr 1" in table.notes
    assert inputs.read("hardware", tmp_path) == ([], [])  # no row of a whole core, and no complaint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("3", "neither a list"),
        ('[{"core": "BIKE"}]', "it lacks"),
        (json.dumps([HARDWARE_ROW | {"lut": "many"}]), "lut: 'many' is not of type"),
    ],
)
def test_results_that_cannot_be_used_are_named(text, message, tmp_path):
    (tmp_path / "bike.json").write_text(text)
    rows, problems = inputs.read("hardware", tmp_path)
    assert rows == []
    assert len(problems) == 1 and message in problems[0] and "bike.json" in problems[0]


def test_instruction_counts_are_labelled_as_such(tmp_path):
    (tmp_path / "arm.json").write_text(
        json.dumps(
            [
                {
                    "target": "armv7",
                    "kem": "BIKE-L1",
                    "backend": "portable",
                    "operation": operation,
                    "instructions": 1000 * n,
                    "stack_bytes": n,
                    "emulator": "qemu-arm 7.2",
                }
                for n, operation in enumerate(("keypair", "encaps", "decaps"), 1)
            ]
        )
    )
    table = tables_processors.processors(tmp_path)
    row = next(row for row in table.rows if row[1].text == "armv7")
    assert [cell.text for cell in row[3:]] == ["1", "2", "3", "6", "1000 instructions", "3"]
    assert any("instructions are not time" in note for note in table.notes)
    assert "armv7: qemu-arm 7.2" in table.notes
    assert not any("ratio" in column for column in table.columns)


def test_hqc_in_shares_stands_beside_hqc():
    stored, _ = inputs.read("processors", paths.EMBEDDED)
    counted = {(row["operation"], row.get("shares")): row["instructions"] for row in stored
               if (row["kem"], row["target"]) == ("HQC-1", "cortex-m4")}  # fmt: skip
    rows = {
        row[2].text: row[3:6]
        for row in tables_processors.processors().rows
        if [cell.text for cell in row[:2]] == ["HQC-1", "cortex-m4"]
    }
    for code, shares in (("m4", None), ("m4, 2 shares", 2)):
        wanted = [counted[operation, shares] / 1e3 for operation in ("keygen", "encaps", "decaps")]
        assert [cell.value for cell in rows[code]] == wanted


def test_the_cores_of_others_that_are_stored_are_in_the_tables():
    stored, problems = inputs.read("peer-cores", inputs.FOLDERS["peer-cores"])
    assert stored and not problems
    shown = {core.trace for core in tables_hardware.cores(paths.HARDWARE)[0]}
    assert {row["trace"] for row in stored} <= shown
