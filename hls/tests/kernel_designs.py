# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tests of codekem-hls share: where kernels are, and how they are compiled."""

import functools
import pathlib

from codekem_hls import design, directives

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "hls" / "kernels"


@functools.cache
def read_flavour(path):
    return design.build_file(path)


def read_design(path, data=None):
    """Compiles a file of directives, or the data of one that would lie at `path`.

    Those of the kernels are compiled once.
    """
    if data is None:
        return read_flavour(path) if path.parent == KERNELS else design.build_file(path)
    text = "\n".join(data)
    return design.build(directives.from_data(data, str(path), path.parent, text))
