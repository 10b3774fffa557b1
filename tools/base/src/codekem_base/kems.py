# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Questions about KEMs by their names."""

from codekem_base.parameters import KEMS


def is_hqc(name):
    """Says whether a KEM is one of HQC."""
    return name in KEMS and KEMS[name].family == "HQC"


def current(*families):
    """Returns the names of the KEMs of families that no later revision has superseded."""
    return [name for name, kem in KEMS.items() if kem.family in families and not kem.superseded]
