# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plug-in of pytest, as pytest calls it: options, the whole session, and the fixture of one test.

Tests do not need pytest, of which the plug-in takes two names: what stands for them is here.
"""

import sys
import types
import unittest


class UsageError(Exception):
    pass


sys.modules["pytest"] = types.SimpleNamespace(fixture=lambda function: function, UsageError=UsageError)

import numpy as np  # noqa: E402
import tileir.triton  # noqa: E402
import triton  # noqa: E402
from tileir import pytest_plugin as plugin  # noqa: E402
from tileir.triton import Array  # noqa: E402


@triton.jit
def add(x, y, z, n):
    z[n] = (x[n]          + y[n])


class Config:
    """Of pytest: the options that the plug-in has added, and what the command line gives for some."""

    def __init__(self, **given):
        self.values = {}
        plugin.pytest_addoption(self)
        for name, value in given.items():
            assert "--tileir-" + name in self.values
            self.values["--tileir-" + name] = value

    def getgroup(self, name, description):
        return self

    def addoption(self, name, default, help):
        self.values[name] = default

    def getoption(self, name):
        return self.values[name]


def launch(n=90):
    x, y, z = np.arange(100, dtype=np.float32), np.ones(100, np.float32), np.zeros(100, np.float32)
    add[(1,)](Array(x), Array(y), Array(z), n)
    np.testing.assert_array_equal(z, np.where(np.arange(100) < n, x + 1, 0))


class Plugin(unittest.TestCase):
    def tearDown(self):
        tileir.triton.uninstall()

    def use_fixture(self, config):
        """The fixture, begun; ends it when the test has ended."""
        fixture = plugin.tileir(types.SimpleNamespace(config=config))
        return next(fixture), fixture

    def test_options(self):
        self.assertEqual(sorted(Config().values), [
            "--tileir-backend", "--tileir-check", "--tileir-chip", "--tileir-ir", "--tileir-reports"])
        self.assertEqual(plugin.get_options(Config()), {})
        self.assertEqual(plugin.get_options(Config(backend="cpu", check="interp")), {"backend": "cpu", "check": "interp"})

    def test_without_a_backend_nothing_happens(self):
        plugin.pytest_configure(Config())
        self.assertIsNone(tileir.triton.installed())
        # Nor at the end, to what someone else has installed.
        tileir.triton.install(backend="cpu")
        plugin.pytest_unconfigure(Config())
        self.assertEqual(tileir.triton.installed().backend, "cpu")

    def test_a_session(self):
        config = Config(backend="interp")
        plugin.pytest_configure(config)
        self.assertEqual(tileir.triton.installed().backend, "interp")
        launch()
        self.assertEqual(len(tileir.triton.launches()), 1)
        plugin.pytest_unconfigure(config)
        self.assertIsNone(tileir.triton.installed())

    def test_wrong_options_are_errors_of_usage(self):
        for given in ({"backend": "gpu"}, {"backend": "sim", "chip": "sm_1"}, {"backend": "interp", "ir": "llvm"}):
            with self.subTest(**given), self.assertRaisesRegex(UsageError, "^tileir: .*expected"):
                plugin.pytest_configure(Config(**given))
            self.assertIsNone(tileir.triton.installed())

    def test_the_fixture_installs_for_one_test(self):
        module, fixture = self.use_fixture(Config())
        self.assertIs(module, tileir.triton)
        self.assertEqual(module.installed().backend, "sim")
        launch()
        self.assertEqual(len(module.launches()), 1)
        with self.assertRaises(module.KernelFault):
            launch(n=101)
        self.assertEqual(list(fixture), [])
        self.assertIsNone(tileir.triton.installed())

    def test_the_fixture_in_a_session(self):
        config = Config(backend="cpu")
        plugin.pytest_configure(config)
        launch()
        module, fixture = self.use_fixture(config)
        self.assertEqual(module.launches(), [])
        launch()
        self.assertEqual(len(module.launches()), 1)
        self.assertEqual(list(fixture), [])
        # The session goes on.
        self.assertEqual(tileir.triton.installed().backend, "cpu")


if __name__ == "__main__":
    unittest.main()
