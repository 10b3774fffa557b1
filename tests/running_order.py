# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The order of the tests: a mistake shows in seconds, and no long test runs alone at the end."""

# Folders under tests/, those first that find most mistakes soonest.
FOLDERS = [
    "packaging",
    "unit",
    "kat",
    "properties",
    "cli",
    "legacy",
    "sofia",
    "provider",
    "interoperability",
    "memory",
    "platforms",
    "packages",
    "embedded",
    "hardware",
    "hls",
    "constant_time",
    "sanitizers",
    "soundness",
    "equivalence",
    "evaluation",
    "fuzz",
]


def running_order(items, tests, workers):
    """Returns the tests in order; `tests` is their top folder, `workers` the number of processes.

    Of several workers each begins with an equal part of the list (worksteal of pytest-xdist) and,
    when it has finished, takes from the end of another one's. The parts of all but the first begin
    with the tests marked as slow; the first one shows mistakes in seconds.
    """

    def rank(item):
        folder = item.path.relative_to(tests).parts[0]
        return FOLDERS.index(folder) if folder in FOLDERS else len(FOLDERS)

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
