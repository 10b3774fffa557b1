# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every function of a table of operations has a proof, or is named as one that has none."""

import importlib
import inspect
import itertools

import pytest

from proofs.kernels.coverage import HERE, kernels, matching, problems, read, sources

MISSED, GONE = "neither proved nor named as not proved: {}", "the sources have no {}"
FIELD_BACKENDS = ["avx2", "avx512", "neon", "portable"]
# What is changed, as (file, old text, new text), and what must be said about it.
CHANGES = {
    "a new function": (
        [
            ("mceliece/mceliece_ops.h", "void (*place)", "void (*other)(void);\n  void (*place)"),
            ("mceliece/mceliece_ops_avx2.c", ".place =", ".other = other_avx2,\n    .place ="),
        ],
        [MISSED.format("mceliece_ops.other (avx2)")],
    ),
    "a new function of a template": (
        [
            (
                "mceliece/goppa/gf2m/gf2m.h",
                "void (*zeros)",
                "void (*other)(void);\n  void (*zeros)",
            ),
            (
                "mceliece/goppa/gf2m/gf2m_transform.template.h",
                ".zeros =",
                ".other = other,\n    .zeros =",
            ),
        ],
        [MISSED.format(f"gf2m_ops.other ({b})") for b in FIELD_BACKENDS],
    ),
    "a function that a back end had not": (
        [("kem/bike/counters_m4.c", ".count_unsat", ".order_support = order,\n    .count_unsat")],
        [MISSED.format("bike_counters.order_support (m4)")],
    ),
    "a function of its own no more": (
        [("mceliece/mceliece_ops_neon.c", "    .find_repeat = find_repeat_neon,\n", "")],
        [GONE.format("mceliece_ops.find_repeat (neon)")],
    ),
    "a new back end": (
        [
            (
                "mceliece/goppa/sort/sort_avx2.c",
                "sort_ops ckem_sort_avx2 =",
                "sort_ops ckem_sort_sve =",
            )
        ],
        [
            *[MISSED.format(f"sort_ops.sort_u{bits} (ckem_sort_sve)") for bits in (32, 64)],
            *[GONE.format(f"sort_ops.sort_u{bits} (avx2)") for bits in (32, 64)],
        ],
    ),
    "a new table": (
        [
            (
                "mceliece/goppa/sort/sort.h",
                "struct sort_ops {",
                "struct other_ops {\n  void (*other)(void);\n};\nstruct sort_ops {",
            ),
            (
                "mceliece/goppa/sort/sort_avx2.c",
                "const struct sort_ops",
                "const struct other_ops ckem_other_avx2 = {\n    .other = f,\n};\n"
                "const struct sort_ops",
            ),
        ],
        [MISSED.format("other_ops.other (avx2)")],
    ),
}


def proofs_of(module):
    """Yields the names of the proofs of a module: what its tests are given, but for mistakes."""
    for name, function in vars(module).items():
        if not name.startswith("test_") or name.endswith("_found") or not callable(function):
            continue
        if not {"holds", "sources", "request"} & set(inspect.signature(function).parameters):
            continue  # about the models
        marks = [m for m in getattr(function, "pytestmark", []) if m.name == "parametrize"]
        lists = []
        for mark in marks:
            name_of = mark.kwargs.get("ids", str)
            values = [getattr(value, "values", (value,)) for value in mark.args[1]]  # of a param
            lists.append([name_of(value) for (value, *_) in values])
        yield from (f"{name}[{'-'.join(parts)}]" for parts in itertools.product(*lists))


def every_proof():
    """Returns the names of all proofs, as file::name[parameters]."""
    return [
        f"{path.name}::{proof}"
        for path in sorted(HERE.glob("test_*.py"))
        for proof in proofs_of(importlib.import_module(f"proofs.kernels.{path.stem}"))
    ]


@pytest.fixture(scope="module")
def texts(root):
    """The sources."""
    return sources(root)


def test_every_function_of_a_table_is_named(texts):
    """With a proof, or as one that has none; and nothing that is not there."""
    assert not list(problems(kernels(texts), *read()))


def test_every_proof_that_is_named_is_there():
    """By the parameters of the tests."""
    proofs = every_proof()
    missing = {p for entry in read()[0] for p in entry.proofs if not matching(p, proofs)}
    assert not missing
    assert not matching("test_errors.py: avx2-find_repeat-65", proofs)


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_table_is_found(texts, name):
    """What is new, and what is gone."""
    changes, said = CHANGES[name]
    changed = dict(texts)
    for file, old, new in changes:
        assert changed[file].count(old) == 1
        changed[file] = changed[file].replace(old, new)
    assert list(problems(kernels(changed), *read())) == said


def test_a_changed_list_is_found(texts):
    """An entry that is missing, one that is there twice, and one that says nothing."""
    entries, *rest = read()
    first, *others = entries
    found = kernels(texts)
    assert list(problems(found, others, *rest)) == [MISSED.format(first.kernel)]
    assert list(problems(found, [first, *entries], *rest)) == [f"named twice: {first.kernel}"]
    empty = type(first)(first.kernel, (), None)
    said = f"no proof and no reason: {first.kernel}"
    assert list(problems(found, [empty, *others], *rest)) == [said]
