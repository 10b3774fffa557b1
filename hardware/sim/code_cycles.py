# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycle formulas of the units for HQC's codes, as functions of their parameters; the benches
compare them with simulation."""


def rm_decoder(values):
    """Returns the cycles from the last word of a symbol to the symbol."""
    return 2 + rm_transform(values) + rm_peak(values)


def rm_transform(values):
    """Returns the cycles from the first values to the first that leave."""
    return 64 // values + 4


def rm_peak(values):
    """Returns the cycles from the first values to the symbol."""
    return 128 // values + values.bit_length()


def rs_encoder(k, delta, cells):
    """Returns the cycles from the start to symbol 0."""
    return k * (-(-2 * delta // cells) + 1) + 3


def rs_locator(k, delta, cells):
    """Returns the cycles from the start to the values of the last position."""
    groups = -(-(delta + 1) // cells)
    return (3 * delta + 1) * (groups + 1) + k * groups + 1


def rs_decoder(k, delta, cells, rings):
    """Returns the cycles from the last symbol to the last lane of the message."""
    return 2 * delta // rings + rs_locator(k, delta, cells) + 3
