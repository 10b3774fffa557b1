# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures codekem and its peers, stores raw samples, and renders them beside published results.

Measuring (measure, sampler, peers, footprint, ...), storing (store, schema) and rendering
(tables_*, findings, plots, render_*) are apart: a renderer reads nothing but JSON and published CSV
files.
"""

__version__ = "0.1.0"  # that of the project: a test compares it with the public header
