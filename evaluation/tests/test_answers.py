# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ten questions of a reader: each is answered, truly, at the top of its section."""

import re

import pytest

from codekem_evaluation import answers, reporting
from codekem_evaluation.samples import Samples
from tests import rooms


@pytest.fixture(scope="module")
def report(make_run):
    return reporting.make(make_run(), "run.json")


def answer(report, key):
    (found,) = [
        sentence
        for section in report.sections
        for sentence in section.sentences
        if isinstance(sentence, answers.Answer) and sentence.key == key
    ]
    return found


def test_the_document_lists_the_questions_with_their_tables(root, report):
    rooms.need_room("lab")  # which answers one of them
    text = (root / "docs" / "evaluation.md").read_text().split("\n## Ten questions\n")[1]
    text = text.partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    asked = dict(rows[1:])
    assert list(asked) == list(answers.QUESTIONS.values()) and len(asked) == 10
    assert list(answers.given(report.sections).values()) == list(asked)
    for section in report.sections:
        keys = [table.key for table in section.tables]
        for sentence in section.sentences:
            if isinstance(sentence, answers.Answer):
                table = asked[answers.QUESTIONS[sentence.key]]
                assert any(re.fullmatch(table.replace("*", ".*"), key) for key in keys) or any(
                    key.startswith(table) for key in keys
                )


def test_answers_come_before_other_sentences(report):
    for section in report.sections:
        kinds = [isinstance(sentence, answers.Answer) for sentence in section.sentences]
        assert kinds == sorted(kinds, reverse=True), section.key


@pytest.mark.parametrize(
    ("key", "pattern", "value"),
    [
        ("mlkem", r"ML-KEM-512 \(liboqs\): BIKE-L1 \(avx2\) takes ([\d.]+) \(", 2.0),
        ("mlkem", r"HQC-1 \(avx2\) takes ([\d.]+) \(", 1.0),
        ("vectors", r"([\d.]+) \([\d.]+ to [\d.]+\) times as fast for BIKE-L1 \(avx2\)", 8.28),
        ("sure", r"with (\d+) %; here they reach", 99),
        ("decaps", r"that of BIKE-L1 \(avx2\) spends (\d+) % on decoding, 9 % on other", 91),
        ("wire", r"ML-KEM-512 is the smallest of category 1 on the wire, with 1,(\d+) bytes", 568),
        ("wire", r"BIKE-L1 takes 3,(\d+)", 114),
        ("slow", r"(\d+) ms with BIKE-L1, of which computing is 0.25 ms", 127),
        ("stack", r"decapsulation: (\d+),000 bytes for BIKE-L1 \(avx2\)", 50),
        ("fpga", r"BIKE-L1 an Artix-7 (\d+) or Artix-7 25", 15),
    ],
)
def test_answers_have_the_figures_of_the_run(report, key, pattern, value):
    text = answer(report, key)
    found = re.search(pattern, text)
    assert found, text
    assert float(found.group(1)) == pytest.approx(value, rel=0.02), text


def test_like_with_like_is_said_or_why_not(make_run, report):
    assert "which instructions it uses is not known" in answer(report, "like")
    run = make_run()
    run["implementations"][-1]["code"] = {"BIKE-L1": "vector", "HQC-1": "portable"}
    text = answers.like(Samples(run))
    assert re.search(r"liboqs takes (4\.9|5\.0)\d* \(.*\) times as long for BIKE-L1 \(avx2\)", text)
    assert re.search(r"liboqs takes 0\.6\d* \(.*\) times as long for HQC-1 \(portable\)", text)
    for cell in run["times"]:
        if cell["implementation"] == "liboqs":  # two groups of rounds
            cell["nanoseconds"][::2] = [
                [9 * v for v in taken] for taken in cell["nanoseconds"][::2]
            ]
    assert re.search(
        r"takes at least (4\.\d) times as long for BIKE-L1", answers.like(Samples(run))
    )
    for cell in run["times"]:
        if cell["implementation"] == "liboqs":
            cell["nanoseconds"] = [
                [v / 90 if number % 2 == 0 else 10 * v for v in taken]
                for number, taken in enumerate(cell["nanoseconds"])
            ]
    assert "the times moved too much" in answers.like(Samples(run))


def test_questions_on_peers_are_asked_only_with_peers(make_run):
    run = make_run()
    keys = [answer.key for answer in answers.on_times(Samples(run))]
    assert keys == ["mlkem", "like", "vectors", "sure"]
    run["implementations"].pop()
    run["times"] = [cell for cell in run["times"] if cell["implementation"] != "liboqs"]
    assert [answer.key for answer in answers.on_times(Samples(run))] == ["vectors", "sure"]


def test_what_was_not_measured_is_said(make_run):
    run = make_run()
    run |= {"times": [], "profile": [], "stack": []}
    report = reporting.make(run, "run.json")
    for key, words in [
        ("vectors", "no vector code"),
        ("decaps", "not profiled"),
        ("slow", "No KEM"),
        ("stack", "not measured"),
    ]:
        assert words in answer(report, key), key
