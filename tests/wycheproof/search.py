# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Finds inputs with rare properties, and keeps what it found in found.json: making the vectors
again looks only whether they have them."""

import itertools
import json
import pathlib

from tests.wycheproof.hqc_model import SEED

FILE = pathlib.Path(__file__).with_name("found.json")


class NotFoundError(Exception):
    """found.json lacks an input, or the one there has not the property."""


class Found:
    """Counters by KEM and property. With search, those that are missing are looked for."""

    def __init__(self, search=False):
        self._search = search
        self._table = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}

    def save(self):
        text = json.dumps(self._table, indent=1, sort_keys=True)
        FILE.write_text(text + "\n", encoding="utf-8")

    def _get(self, kem, name, good, candidates):
        """Returns what is kept for a property, or else the first good candidate."""
        kept = self._table.setdefault(kem.name, {})
        if name not in kept:
            if not self._search:
                raise NotFoundError(f"{FILE.name} lacks {kem.name}: {name}")
            kept[name] = next(candidate for candidate in candidates if good(candidate))
            self.save()
        if not good(kept[name]):
            raise NotFoundError(f"{FILE.name}, {kem.name}: {kept[name]} has not: {name}")
        return kept[name]

    @staticmethod
    def _seed_of(counter):
        return counter.to_bytes(SEED, "big")

    def candidate(self, kem, value):
        """Returns a seed of a key pair that meets this candidate."""

        def near(counter):
            """Whether the stream has it, quickly."""
            stream = kem.xof(kem.key_seeds(self._seed_of(counter))[0])
            data = stream.draw(6 * kem.weight)
            wanted = value.to_bytes(3, "big" if kem.tag else "little")
            return wanted in data

        def good(counter):
            if not near(counter):
                return False
            events = []
            kem.key_positions(kem.key_seeds(self._seed_of(counter))[0], events)
            return any(value in candidates for candidates, _, _ in events)

        return self._seed_of(self._get(kem, f"candidate {value}", good, itertools.count(1)))

    def seed(self, kem, name, has):
        """Returns a seed for which has(what y met, what x met)."""

        def good(counter):
            events = []
            kem.key_positions(kem.key_seeds(self._seed_of(counter))[0], events)
            return bool(has(*events))

        return self._seed_of(self._get(kem, name, good, itertools.count(1)))

    def message(self, cases, name, has):
        """Returns the counter of a message for which has([what r2 met, what e met, r1])."""
        kem, key_hash = cases.kem, cases.kem.hash_key(cases.public_key)

        def good(counter):
            text = cases.message(f"rare {counter}")
            _, theta = kem.hash_message(key_hash, text[: kem.k], text[kem.k :])
            stream, events = kem.xof(theta), []
            for _ in range(3):
                kem.sample_fixed(stream, events)
            return bool(has(events))

        return self._get(kem, name, good, itertools.count())

    def noise(self, cases, name, wrong, has, start=0):
        """Returns [flips, counter] of an exchange with so many wrong symbols."""

        def good(pair):
            trace = cases.exchange_with_noise(*pair)[3]
            return len(trace["wrong"]) == wrong and bool(has(trace))

        def candidates():
            flips = 2 * wrong
            for counter in itertools.count(start):
                yield [flips, counter]
                met = len(cases.exchange_with_noise(flips, counter)[3]["wrong"])
                step = abs(met - wrong) // 4 + (met != wrong)
                flips = max(0, flips + (step if met < wrong else -step))

        return self._get(cases.kem, name, good, candidates())
