# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The order of the tests: a mistake shows in seconds, and no long test runs alone at the end."""

# Folders, those first that find most mistakes soonest.
FOLDERS = [
    "tools",
    "tests/packaging",
    "tests/unit",
    "tests/kat",
    "tests/properties",
    "apps/command",
    "tests/legacy",
    "tests/sofia",
    "apps",
    "tests/interoperability",
    "tests/memory",
    "tests/platforms",
    "bindings",
    "devices",
    "hardware",
    "hls",
    "tests/constant_time",
    "tests/sanitizers",
    "proofs/soundness",
    "proofs",
    "evaluation",
    "lab",
    "tests/fuzz",
]


def running_order(items, root, workers):
    """Returns the tests in order; `root` is their top folder, `workers` the number of processes.

    Of several workers each begins with an equal part of the list (worksteal of pytest-xdist) and,
    when it has finished, takes from the end of another one's. The parts of all but the first begin
    with the tests marked as slow; the first one shows mistakes in seconds.
    """

    def rank(item):
        folders = [path.as_posix() for path in item.path.relative_to(root).parents]
        return next((FOLDERS.index(name) for name in folders if name in FOLDERS), len(FOLDERS))

    items = sorted(items, key=rank)  # stable: the order inside a folder stays
    if workers == 1:
        return items
    slow = [item for item in items if item.get_closest_marker("slow")]
    others = [item for item in items if not item.get_closest_marker("slow")]
    ordered, left = [], len(items)
    for worker in range(workers):
        size = left // (workers - worker)
        left -= size
        part = slow[worker - 1 :: workers - 1] if worker else []
        count = max(0, size - len(part))
        ordered += part + others[:count]
        del others[:count]
    return ordered + others
