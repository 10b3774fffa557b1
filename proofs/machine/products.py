# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operations of rings in machine code, whole: products are part of them."""

from proofs.kernels.rings import RingCall


class Product(RingCall):
    """An operation of a ring with the products in it."""

    def __init__(self, backend, operation, r, times=None, in_place=None):
        super().__init__(backend, operation, r, times, in_place)
        self.contracts = None
        if self.products:
            self.products, self.model_degree = False, 2  # sums of a_i b_j
