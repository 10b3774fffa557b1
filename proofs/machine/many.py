# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of samples with a faster product of words."""

import numpy as np

from proofs.kernels.engine.samples import Samples

WORD = 64  # bits


class Many(Samples):
    """See the head of this file."""

    def __init__(self, count):
        super().__init__(count)
        self._words = count // WORD + 1  # of a code, with its sign
        self._size = WORD // 8 * self._words
        # Each row is one longer than in the sum, so that in the sum each starts one later. The
        # rows' ends stay zero.
        self._steps = np.zeros((self._words, WORD, 2 * WORD + 1), dtype=np.uint64)

    def carryless(self, a, b):
        """Codes of the product of polynomials; see Samples."""
        x, y = a.tolist(), b.tolist()
        if len(x) != WORD or len(y) != WORD or not {int}.issuperset(map(type, x + y)):
            return super().carryless(a, b)
        x, y = (self._rows(codes) for codes in (x, y))
        np.bitwise_and(x[:, :, None], y[:, None, :], out=self._steps[:, :, :WORD])
        steps = self._steps.reshape(self._words, -1)[:, : 2 * WORD * WORD]
        total = np.bitwise_xor.reduce(steps.reshape(self._words, WORD, 2 * WORD), axis=1)
        size, raw = self._size, total.T.tobytes()
        result = np.empty(2 * WORD, dtype=object)
        result[:] = [
            int.from_bytes(raw[at : at + size], "little", signed=True)
            for at in range(0, len(raw), size)
        ]
        return result

    def _rows(self, codes):
        """Returns words[words of a code][bits]."""
        size = self._size
        raw = b"".join([code.to_bytes(size, "little", signed=True) for code in codes])
        return np.frombuffer(raw, np.uint64).reshape(WORD, self._words).T.copy()
