# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which bits of a table of constants a proof looks at.

In one run of the domain of samples each sample has the same operands and one changed bit of the
table. Where the results are still those of the model, nobody has noticed the change: by chance, so
there are several runs, or because nobody reads the bit.
"""

import secrets

import numpy as np

from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import results, run
from proofs.kernels.engine.samples import Samples


def unnoticed(module, call, name, bits, runs):
    """Returns those of the bits of a global variable that may change without a wrong result."""
    left = np.array(bits)
    for _ in range(runs):
        if left.size:
            left = left[~changes(module, call, name, left)]
    return left


def changes(module, call, name, bits):
    """Tells for each of the bits whether results change with it, for random operands."""
    domain = Samples(len(bits))
    machine = Machine(module, domain, call.contracts)
    setting = call(machine, fixed)
    operands = {
        key: sum(1 << at for at, code in enumerate(codes) if code)
        for key, codes in setting.operands.items()
    }
    table = machine.address(name).memory
    for at, bit in enumerate(bits):
        table.bits[bit] ^= 1 << at
    run(machine, setting)
    expected = call.model(operands)
    differ = 0
    for key, codes in results(setting).items():
        for at, code in enumerate(codes):
            differ |= code ^ -(expected[key] >> at & 1)
    return np.array([differ >> at & 1 for at in range(len(bits))], dtype=bool)


def fixed(bits):
    """Codes of random bits that are the same in all samples."""
    codes = np.empty(bits, dtype=object)
    codes[:] = [-secrets.randbits(1) for _ in range(bits)]
    return codes
