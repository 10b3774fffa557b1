# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every bench can fail: a mistake planted in a copy of its module is found."""

import pytest

import simulated
from hardware.bench_runner import BenchFailure
from hardware.test_modules import MODULES

# bench: a text in its module's source and the mistaken one that takes its place.
MISTAKES = [
    ("bench_keccak", "keccak", "8'h71", "8'h70"),
    ("bench_counters", "gather_counters", "carry[m] = s & a;", "carry[m] = s | a;"),
    ("bench_row_writer", "row_writer", "first_q >> (WORD - Tail)", "first_q >> (WORD - Tail - 1)"),
    ("bench_lane", "gather_lane", "? sum - (IndexBits+1)'(R)", "? sum - (IndexBits+1)'(R - 1)"),
    ("bench_threshold", "bike_threshold", "{1'b1, {(Bits-1){1'b0}}} - threshold;",
     "{1'b1, {(Bits-1){1'b0}}} - threshold_o;"),
    ("bench_divstep_control", "divstep_control", "delta[i] > 0", "delta[i] >= 0"),
    ("bench_sampler", "bike_sampler", "half_q <= 1'b0;\n            place_q", "place_q"),
    ("bench_hash", "bike_hash", "if (is_poly && last_of_field) source[63:8*Surplus] = '0;", ""),
]
# These are planted by `make test`, the others by `make test-long`.
QUICK = {"bench_sampler"}


def copy_with_mistake(folder, module, text, mistaken):
    """Returns the sources of the core with a mistake in one of them."""
    files = simulated.build.rtl_files()
    path, = [path for path in files if path.stem == module]
    source = path.read_text(encoding="utf-8")
    assert source.count(text) == 1, "the source has changed: plant the mistake elsewhere"
    (folder / path.name).write_text(source.replace(text, mistaken), encoding="utf-8")
    return [folder / path.name if file == path else file for file in files]


def marked(mistakes):
    return [pytest.param(*mistake, id=mistake[0],
                         marks=[] if mistake[0] in QUICK else [pytest.mark.long])
            for mistake in mistakes]


@pytest.mark.parametrize(("name", "module", "text", "mistaken"), marked(MISTAKES))
def test_mistake_is_found(bench, tmp_path, name, module, text, mistaken):
    top, parameters = next((top, parameters) for top, its, parameters in MODULES if its == name)
    with pytest.raises(BenchFailure):
        bench(top, name, parameters, copy_with_mistake(tmp_path, module, text, mistaken))


def test_every_bench_is_shown_to_fail():
    assert {name for name, *_ in MISTAKES} == {name for _, name, _ in MODULES}
