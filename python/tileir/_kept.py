# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was compiled for a GPU is kept like the operations of the CPU, which the compiled module keeps."""

import threading
from collections import OrderedDict


class Kept:
    """Values by their keys, those that were used last; threads may share it."""

    def __init__(self, limit):
        self.hits = self.misses = 0
        self._limit, self._values, self._lock = limit, OrderedDict(), threading.Lock()

    def __len__(self):
        return len(self._values)

    def find(self, key):
        """The value of a key, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
                self.hits += 1
            return value

    def add(self, key, value):
        with self._lock:
            self.misses += 1
            self._values[key] = value
            self._drop()

    def clear(self):
        with self._lock:
            self._values.clear()

    def set_limit(self, limit):
        with self._lock:
            self._limit = limit
            self._drop()

    def _drop(self):
        while len(self._values) > self._limit:
            self._values.popitem(last=False)
