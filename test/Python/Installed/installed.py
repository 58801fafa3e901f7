# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package is the one that pip installed in the virtual environment, whole, and small."""

import importlib.metadata
import sys
import unittest
from pathlib import Path

import tileir
from tileir import _native

BUILD = Path(sys.argv.pop())


class Installed(unittest.TestCase):
    def setUp(self):
        self.distribution = importlib.metadata.distribution("tileir")
        self.files = {str(file): file.locate().resolve() for file in self.distribution.files}

    def test_it_is_that_of_the_environment(self):
        for module in tileir, _native:
            file = Path(module.__file__).resolve()
            self.assertTrue(file.is_relative_to(BUILD.resolve() / "venv"), file)
            self.assertIn(file, self.files.values())

    def test_it_is_whole(self):
        source = Path(__file__).parents[3] / "python/tileir"
        wanted = {str(Path("tileir", file.relative_to(source))) for suffix in ("py", "pyi", "typed")
                  for file in source.rglob(f"*.{suffix}")}
        self.assertEqual(wanted - self.files.keys(), set())
        self.assertEqual([entry.value for entry in self.distribution.entry_points if entry.group == "pytest11"],
                         ["tileir.pytest_plugin"])
        self.assertEqual([entry.value for entry in self.distribution.entry_points if entry.group == "torch_dynamo_backends"],
                         ["tileir.torch_backend:backend"])

    def test_it_is_small(self):
        self.assertLess(sum(file.stat().st_size for file in self.files.values() if file.suffix != ".pyc"), 2 << 20)


if __name__ == "__main__":
    unittest.main()
