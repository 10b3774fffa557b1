# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What other packages add to the evaluation, if they are installed.

A package offers a module under the entry point GROUP. It may have COMMANDS {name: typer.Typer},
TRACES {kind: function of a name}, PAPERS {name: function that writes it to a folder and returns
the name of the text and the tables that it includes}, and sections(), the sections of the report
that it makes.
"""

import functools
import importlib.metadata

GROUP = "codekem_evaluation.parts"


@functools.cache
def loaded():
    """Returns (modules, sentences on those that are offered and cannot be imported)."""
    found, problems = [], []
    for point in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda one: one.name):
        try:
            found.append(point.load())
        except ImportError as error:
            problems.append(
                f"{point.name}: {error}; install it again, or uninstall {point.value.split('.')[0]}"
            )
    return found, problems


def problems():
    return loaded()[1]


def commands():
    return offered("COMMANDS")


def traces():
    return offered("TRACES")


def papers():
    return offered("PAPERS")


def offered(name):
    """Returns what all parts have under a name, as one dictionary."""
    return {key: value for part in loaded()[0] for key, value in getattr(part, name, {}).items()}


def sections():
    return [made for part in loaded()[0] if hasattr(part, "sections") for made in part.sections()]
