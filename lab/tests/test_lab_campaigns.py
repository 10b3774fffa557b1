# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Campaigns of the laboratory: interruptions, workers, commands, the report, what is stored."""

import json
import tarfile
import warnings

import pytest
from typer.testing import CliRunner

from codekem_base.errors import EvaluationError
from codekem_lab import (
    campaigns,
    dfr_campaign,
    figures,
    lab_campaign,
    lab_charts,
    lab_estimates,
    lab_points,
    lab_replay,
    lab_report,
    paths,
    sources,
    tables_lab,
)
from codekem_lab.cli import app
from codekem_lab.lab_points import LabPoint, point_of

SEED = "5eed" * 16
COUNTED = {"seed": SEED, "engine": "auto", "batch": 5000, "decodings": 20000, "failures": None}
ROULETTE = COUNTED | {
    "batch": 6400,
    "decodings": 25600,
    "group": 8,
    "by_weight": "2@0,0@180",
    "by_threes": "0@0,1@25",
    "by_wrong": "1@0,0@12",
}
SPLIT = {"seed": SEED, "engine": "auto", "runs": 4, "particles": 60, "kept": 2}


def points(method):
    toy = lab_points.toy(523)
    if method == "strata":
        return [lab_points.toy(523, key_class="near-codeword", parameter=n) for n in (5, 7)]
    return [toy, LabPoint("pickyfix-3", 1, 523, 15, 18, toy.threshold, 8)]


def made(program, method, path, workers=None):
    settings = {"split": SPLIT, "roulette": ROULETTE}.get(method, COUNTED)
    campaign = lab_campaign.new_campaign(method, points(method), settings)
    lab_campaign.run(campaign, path, program, workers or dfr_campaign.local_workers(1))
    return campaign


def without_times(campaign):
    text = json.dumps(campaign["points"])
    found = json.loads(text)
    for row in found:
        row.pop("seconds")
        for run in [*row.get("runs", []), *([row["pilot"]] if row.get("pilot") else [])]:
            run.pop("seconds")
    return found


@pytest.fixture(scope="module", params=lab_campaign.METHODS)
def whole(request, lab_program, tmp_path_factory):
    """A campaign of each method, and its file."""
    path = tmp_path_factory.mktemp("lab") / f"lab-{request.param}.json"
    return made(lab_program, request.param, path), path


def test_campaign_is_kept_and_shown(whole):
    campaign, path = whole
    assert lab_campaign.read(path) == campaign and campaign["complete"]
    assert campaign["made_from"]["hash"] == sources.made_from(sources.LAB)["hash"]
    for row in campaign["points"]:
        assert row["waiting"] == {} and row["units"] == 4
        assert lab_estimates.estimate(row).failures > 0
    table = lab_report.table(path.stem, campaign)
    assert len(table.rows) == 2 and table.notes == lab_report.sentences(campaign) != []
    split = campaign["method"] == "split"
    assert ("splitting gives no upper end" in table.reasons()) == split
    assert any("with 95 % confidence" in note for note in table.notes) == split


def test_interrupted_campaign_goes_on_to_the_same(whole, lab_program, tmp_path):
    campaign, _ = whole
    path = tmp_path / "c.json"
    settings = campaign["settings"]
    fresh = lab_campaign.new_campaign(campaign["method"], points(campaign["method"]), settings)
    seen = []

    def interrupt(_):
        seen.append(1)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lab_campaign.run(fresh, path, lab_program, dfr_campaign.local_workers(2), interrupt)
    stored = lab_campaign.read(path)
    assert not stored["complete"]
    again = lab_campaign.resume(
        path,
        lab_campaign.new_campaign(campaign["method"], points(campaign["method"]), settings),
    )
    lab_campaign.run(again, path, lab_program, dfr_campaign.local_workers(2))
    assert without_times(again) == without_times(campaign)


def test_dask_gives_the_same(lab_program, tmp_path):
    here = made(lab_program, "split", tmp_path / "here.json")
    workers = dfr_campaign.dask_workers("local:1")
    there = made(lab_program, "split", tmp_path / "there.json", workers)
    assert without_times(there) == without_times(here)


def test_overlaps_are_with_one_near_codeword():
    """The rotations of h0 in the first half, those of h1 in the second."""
    point = LabPoint("bgf-5", 1, 101, 5, 8)
    h0, h1 = (0, 3, 11, 40, 77), (1, 2, 60, 80, 99)
    turned = [(p + 50) % 101 for p in h0]
    other = [101 + (p + 9) % 101 for p in h1]
    for e, overlap in ((turned[:4] + other[:3], 4), (turned[:2] + other, 5)):
        assert lab_replay.Failure(point, h0, h1, tuple(e), 0).overlap() == overlap


@pytest.mark.long
def test_a_lower_first_threshold_decodes_all_stored_failures(lab_program, dfr_program):
    """Those at the parameters of the levels; small campaigns also by the library's back ends. Their
    errors have no more of any near-codeword than random errors have: 4 to 7 positions."""
    counted = 0
    for campaign in campaigns.kept(lab_campaign).values():
        (row, *others) = campaign["points"]
        point = point_of(row)
        own = (point.r, point.d, point.t) == lab_points.CODES[point.level]
        if campaign["method"] != "split" or point.label != "bgf-5" or others or not own:
            continue
        failures = lab_replay.failures_of(campaign, lab_program)
        steps = lab_replay.steps_of(lab_program, lab_replay.lowered(failures, 1))
        assert all(step["found"] for step in steps)
        counted += len(failures)
        assert all(4 <= failure.overlap() <= 7 for failure in failures)
        if len(failures) <= 5:
            done = lab_replay.replay(campaign, lab_program, dfr_program, first_lower=1)
            assert done.differences == 0
            (line,) = done.lines
            assert "library's decoder on public, reference, portable" in line
            assert f"; {len(failures)} of them decode; positions left wrong: 0 to 0" in line
    assert counted > 500


# --- Commands -------------------------------------------------------------------------------------


def command(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_commands_count_split_compare_replay_and_trace(dfr_folder, tmp_path):
    counted, split = tmp_path / "direct.json", tmp_path / "split.json"
    common = ["--build", dfr_folder, "--seed", SEED, "--jobs", 1]
    done = command(
        "direct", *common, "--r", 9803, "--r", 9851, "--r", 9901, "--decodings", 600,
        "--batch", 300, "--out", counted,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "| bgf-5 | random | 9,803 | 134 | 600 |" in done.output
    done = command(
        "split", *common, "--r", 9851, "--decoder", "bgf-5", "--decoder", "pickyfix-3",
        "--runs", 3, "--particles", 20, "--kept", 2, "--out", split,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "Their mean is an unbiased estimate" in done.output
    shown = command("compare", counted, split, "--pass-cycles", 50000, "--plot", tmp_path / "c.svg")
    assert shown.exit_code == 0, shown.output
    assert "| pickyfix-3 | split | 9,851 | 134 |" in shown.output and "0.35 |" in shown.output
    drawing = (tmp_path / "c.svg").read_text()
    assert "line through the first" in drawing and "rate and cost" in drawing
    replayed = command("replay", split, "--build", dfr_folder)
    assert replayed.exit_code == 0 and "library's decoder on public, reference" in replayed.output
    assert "; in a near-codeword are at most" in replayed.output
    traced = command("trace", split, "--build", dfr_folder, "--plot", tmp_path / "t.svg")
    assert traced.exit_code == 0 and "| black |" in traced.output
    assert (tmp_path / "t.svg").exists()
    kept = command("trace", split, "--build", dfr_folder, "--keep")
    steps = lab_campaign.read(split)["trace"]["steps"]
    assert kept.exit_code == 0 and [step[0] for step in steps][:3] == ["i", "b", "g"]
    drawn = [plot.alternative for plot in tables_lab.plots_of("x", lab_campaign.read(split))]
    assert any(f"still wrong after the step: {steps[0][4]:.4g} at 1: all" in w for w in drawn)
    page = tmp_path / "page.md"
    page.write_text("# A\n\n<!-- campaign: split.json -->\nold\n<!-- end of campaign -->\n\nB\n")
    page_before, again = page.stat().st_size, command("report", split, "--plot", tmp_path / "s.svg")
    assert again.exit_code == 0 and "bgf-5" in again.output
    written = command("report", split, "--into", page)
    assert written.exit_code == 0 and page.stat().st_size > page_before
    text = page.read_text()
    assert (
        "old" not in text and "| bgf-5 | random | 9,851 |" in text and text.endswith("-->\n\nB\n")
    )
    nowhere = command("report", counted, "--into", page)
    assert "no lines" in str(nowhere.exception)
    levels = command(
        "split", *common, "--r", 9851, "--runs", 2, "--particles", 20, "--levels", split,
        "--out", tmp_path / "other.json",
    )  # fmt: skip
    assert levels.exit_code == 0, levels.output
    first, second = (lab_campaign.read(p) for p in (split, tmp_path / "other.json"))
    assert first["points"][0]["pilot"]["fixed"] == second["points"][0]["pilot"]["fixed"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["direct", "--decoder", "magic"], "'magic' is not a decoder; give bgf-5, bike-flip-floor"),
        (["direct", "--kem", "HQC-1"], "'HQC-1' has no decoder here; give one of BIKE-L1"),
        (["direct", "--r", "10000"], "r must be odd"),
        (["direct", "--seed", "1"], "'1' is not a seed; give 64 hexadecimal digits"),
        (["direct", "--threshold", "36@5"], "the first with weight 0"),
        (["direct", "--threshold", "36;0.1"], "'36;0.1' is not a threshold; give CONSTANT,SLOPE"),
        (["direct", "--threshold", "256,0.1"], "'256,0.1' is not a threshold; give CONSTANT,SLOPE"),
        (["direct", "--threshold", "36,1"], "'36,1' is not a threshold; give CONSTANT,SLOPE"),
        (["direct", "--threshold", "36,0.1,256"], "'36,0.1,256' is not a threshold"),
        (["direct", "--engine", "mmx"], "this processor has no such"),
        (["strata"], "name the strata, as in --class near-codeword:30"),
        (["strata", "--class", "heavy:1"], "'heavy:1' is not a class"),
        (["split", "--class", "multiplicity:30"], "splitting takes random keys"),
        (["split", "--score", "luck"], "--score is wrong or syndrome"),
        (["split", "--levels", "/nonexistent.json"], "cannot read /nonexistent.json"),
        (["roulette", "--by-weight", "1@5"], "'1@5' is no table; give K@0,K@FROM,..."),
        (["roulette", "--by-weight", "16@0"], "numbers up to 15 are meant"),
        (["roulette", "--by-weight", "0@0", "--group", 256], "parts of the errors would not fit"),
        (["replay", "/nonexistent.json"], "cannot read /nonexistent.json"),
    ],
)
def test_errors_say_what_to_do(dfr_folder, tmp_path, arguments, message):
    out = [] if arguments[0] == "replay" else ["--out", tmp_path / "c.json"]
    done = command(*arguments, "--build", dfr_folder, *out)
    assert isinstance(done.exception, EvaluationError), done.output
    assert message in str(done.exception)


def test_another_campaign_is_not_continued(whole, dfr_folder, tmp_path):
    campaign, path = whole
    for changed, message in [
        ({"method": "direct" if campaign["method"] != "direct" else "split"}, "of method"),
        ({"settings": {**campaign["settings"], "seed": "ab" * 32}}, "campaign with seed"),
        ({"made_from": {"hash": "0" * 16}}, "other sources"),
    ]:
        with pytest.raises(EvaluationError, match=message):
            lab_campaign.resume(path, {**campaign, **changed})
    broken = tmp_path / "b.json"
    broken.write_text(path.read_text().replace('"complete"', '"compleat"'))
    with pytest.raises(EvaluationError, match="does not follow the schema"):
        lab_campaign.read(broken)


def test_sources_are_those_that_decide_the_results(monkeypatch, tmp_path):
    """Comments, layout and functions that are not named do not count; the others do."""
    patterns = ("a.c:kept", "b.c!left_out")
    code = {
        "kept": "uint32_t kept(int a) {\n  return a; /* why */\n}\n",
        "left_out": "static void left_out(const int *a,\n  int b) {\n  if (b) {\n  }\n}\n",
        "other": "int other(void) {\n  return kept(1);\n}\n",
    }

    def hash_of(**changed):
        parts = {name: changed.get(name, text) for name, text in code.items()}
        (tmp_path / "a.c").write_text(parts["other"] + parts["kept"] + parts["left_out"])
        (tmp_path / "b.c").write_text(parts["left_out"] + parts["other"])
        return sources.made_from(patterns)["hash"]

    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "CHECKOUT", tmp_path)
    first = hash_of()
    assert hash_of(left_out=code["left_out"].replace("int b", "int b, int c")) == first
    assert hash_of(kept=code["kept"].replace("why", "and how")) == first
    assert hash_of(kept=code["kept"].replace("return a", "return a + 1")) != first
    assert hash_of(other=code["other"].replace("1", "2")) != first
    with pytest.raises(ValueError, match="no function missing"):
        sources.made_from(("a.c:missing",))


# --- The report, and what the project keeps -------------------------------------------------------


def test_report_shows_campaigns(whole, monkeypatch):
    campaign, path = whole
    monkeypatch.setattr(paths, "RUNS", path.parent)
    monkeypatch.setattr(paths, "KEPT", path.parent / "none")
    section = tables_lab.section(path.parent)
    (table,) = section.tables
    assert len(table.rows) == 2 and table.notes == lab_report.sentences(campaign)
    assert section.plots and all(plot.chart.words() for plot in section.plots)
    lines = tables_lab.trace(table.rows[0][2].trace)
    assert any(line.startswith("decoder: ") for line in lines)
    with pytest.raises(EvaluationError):
        tables_lab.trace("lab/none/0")


def test_report_sets_decoders_side_by_side(monkeypatch, tmp_path):
    """Those of several campaigns at a level's own r and t; each figure leads to its campaign."""
    monkeypatch.setattr(paths, "KEPT", tmp_path / "kept.tar.xz")
    monkeypatch.setattr(paths, "ESTIMATES", tmp_path / "estimates.csv")
    names = ("bgf-5", "bgf-7")
    for decoder, failures in zip(names, (40, 3), strict=True):
        point = LabPoint(decoder, 1, 12323, 71, 134)
        campaign = lab_campaign.new_campaign(
            "direct", [LabPoint("bf", 1, 65, 5, 3), point], COUNTED
        )
        for row in campaign["points"]:
            found = {"decodings": 5000, "failures": failures, "histogram": [0, failures]}
            lab_campaign.add_unit(campaign, row, 0, {**found, "failed": [], "seconds": 1.0})
        lab_campaign.save(tmp_path / f"{decoder}.json", campaign)
        assert command("keep", tmp_path / f"{decoder}.json").exit_code == 0
    assert (tmp_path / "estimates.csv").read_text().count("\nbgf-7,direct,bgf-7,random,0,") == 1
    section = tables_lab.section(tmp_path)
    table = section.tables[0]
    assert table.key == "lab-decoders-12323"
    assert [row[0].text for row in table.rows] == list(names)
    assert [row[-1].text for row in table.rows] == ["7", "9"]
    assert section.plots[0].key == "plot-lab-cost-12323"
    for decoder, row in zip(names, table.rows, strict=True):
        assert f"decoder: {decoder}" in tables_lab.trace(row[2].trace)


def test_decoders_are_compared_once_for_each_r():
    """At the smallest t; over larger ones they are curves."""
    points = [
        LabPoint(decoder, 1, r, 71, t)
        for decoder in ("bgf-5", "bgf-7")
        for r in (12301, 12323)
        for t in (156, 134, 150)
    ]
    campaign = lab_campaign.new_campaign("direct", points, COUNTED)
    for row in campaign["points"]:
        found = {"decodings": 5000, "failures": 9, "histogram": [0, 9]}
        lab_campaign.add_unit(campaign, row, 0, {**found, "failed": [], "seconds": 1.0})
    titles = [title for title, _ in lab_charts.panels([campaign])]
    assert titles == [
        *("rate over r", "rate over t"),
        *(f"rate and cost, r = {r}, t = 134" for r in (12301, 12323)),
    ]


def test_runs_without_a_failure_say_how_far_they_came():
    """Both ends: no particle at the next level, no failure at the last one."""
    campaign = lab_campaign.new_campaign("split", [LabPoint("bgf-5", 1, 12323, 71, 134)], COUNTED)
    (row,) = campaign["points"]
    row["pilot"] = {"fixed": "100:1:5,200:1:5"}
    for run, survivors in enumerate(([25, 0], [50, 25])):
        levels = [
            {"score": score, "swap": 1, "steps": 5, "survivors": n, "ancestors": 1}
            for score, n in zip((100, 200), survivors, strict=True)
        ]
        row["runs"].append(
            {"run": run, "particles": 100, "levels": levels, "weights": [0, 0], "failed": 0}
        )
    words = lab_report.split_sentence(row)
    assert "the last level that a run reached has a rate of 2^-3 to 2^-2, and no" in words


def test_the_archive_and_the_table_are_of_the_same_campaigns(tmp_path):
    """The same campaigns make the same bytes, in any order, and unpacked they are as they were."""
    assert paths.ESTIMATES.read_text(encoding="utf-8") == campaigns.estimates()
    texts = campaigns.texts()
    with tarfile.open(paths.KEPT) as archive:
        members = archive.getmembers()
    assert [member.name for member in members] == [f"{name}.json" for name in sorted(texts)]
    assert {(member.mtime, member.uid, member.mode) for member in members} == {(0, 0, 0o644)}
    few = dict(list(texts.items())[:4])
    assert campaigns.packed(few) == campaigns.packed(dict(reversed(few.items())))
    assert command("unpack", tmp_path).exit_code == 0
    assert {path.stem: path.read_text() for path in tmp_path.glob("*.json")} == texts
    (tmp_path / "over-t.json").write_text("{}")
    assert "over-t.json is another campaign" in str(command("unpack", tmp_path).exception)


def test_figures_of_the_documents_are_those_of_the_campaigns(root, tmp_path):
    for path in figures.write(tmp_path):
        assert path.read_text() == (root / "docs" / "results" / path.name).read_text(), path.name


def test_stored_campaigns_are_on_the_page_and_can_be_made_again(root, lab_program):
    """Every line of their tables and words is on the page; the first failures of each point fail
    here, too; what was made from other sources than these is named."""
    page = (root / "docs" / "results" / "decoding-failures.md").read_text()
    assert campaigns.kept(lab_campaign)
    now = sources.made_from(sources.LAB)["hash"]
    older = []
    for name, campaign in campaigns.kept(lab_campaign).items():
        lab_campaign.checked(campaign, name)
        assert lab_report.on_page(page, f"{name}.json", campaign) == page, name
        assert f"--out results/{name}.json" in " ".join(page.replace("\\\n", " ").split())
        assert campaign["settings"]["seed"] in page
        if campaign["made_from"]["hash"] != now:
            older.append(name)
        if campaign["method"] == "split":
            groups = {}
            for failure in lab_replay.failures_of(campaign, lab_program):
                groups.setdefault(failure.point, []).append(failure)
            for failures in groups.values():
                assert all(not f["found"] for f in lab_replay.steps_of(lab_program, failures))
            continue
        for row in campaign["points"]:
            if campaign["method"] == "roulette":
                assert lab_replay.drawn_again(lab_program, campaign, row, row["failed"][0])
                continue
            words = [*point_of(row).words(), f"seed={row['seed']}"]
            for index in row["failed"][:3]:
                unit = {"batch": 1}
                found = lab_campaign.unit_of(lab_program, "direct", words, index, unit)
                assert found["failures"] == 1
    if older:
        warnings.warn(f"made from other sources than these: {', '.join(older)}", stacklevel=1)
