# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tileir.triton refuses, by its message."""

import os
import re
import subprocess
import unittest

import numpy as np
import torch
import triton

import tileir.triton
from tileir.triton import Array, ArgumentError, LaunchError, OptionError


@triton.jit
def add(x, y, z, n):
    pass


@triton.jit
def unknown(x):
    pass


@triton.jit
def wild(x):
    pass


def floats(size=128):
    return Array(np.zeros(size, np.float32))


OPTIONS = (
    (dict(backend="simm"), "backend='simm': expected one of 'sim', 'interp', 'cpu'; did you mean 'sim'?"),
    (dict(backend=3), "backend=3: expected one of 'sim', 'interp', 'cpu'"),
    (dict(ir="llir"), "ir='llir': expected one of 'ttir', 'llvm'"),
    (dict(ir="llvm", backend="cpu"), "ir='llvm' with backend='cpu': expected backend='sim'"),
    (dict(chip="sm80"), "chip='sm80': expected one of 'sm_75', "),
    (dict(chip="sm80"), "did you mean 'sm_80'?"),
    (dict(check="interpreter", backend="cpu"), "check='interpreter': expected one of 'interp'; did you mean 'interp'?"),
    (dict(check="interp", backend="interp"), "check='interp' compares the backends 'cpu' and 'sim' with the interpreter"),
    (dict(bounds="view"), "bounds='view': expected one of 'storage', 'tensor'"),
    (dict(on_finding="raises"), "on_finding='raises': expected one of 'raise', 'warn'; did you mean 'raise'?"),
    (dict(tile_run="/nowhere"), "tile_run='/nowhere': expected tile-run, or the folder that it is in; there is no such program"))

ARGUMENTS = (
    ((floats(), torch.Tensor(np.zeros(128, np.float32), device="cuda"), floats(), 4),
     "argument 'y' (*fp32): expected a tensor in the memory of the CPU, found torch.Tensor torch.float32 (128,) on ", ArgumentError),
    ((floats(), Array(np.zeros(128, np.float64)), floats(), 4),
     "expected an array of f32, found", LaunchError),
    ((floats(), floats(), floats(), 2.5), "'i32:2.5': expected an integer of 32 bits, found '2.5'", LaunchError))


class Errors(unittest.TestCase):
    def tearDown(self):
        tileir.triton.uninstall()

    def test_options(self):
        for options, message in OPTIONS:
            with self.subTest(**options), self.assertRaisesRegex(OptionError, re.escape(message)):
                tileir.triton.install(**options)

    def test_all_chips_are_simulated(self):
        told = subprocess.run([os.environ["TILEIR_BIN"] + "/tile-run", "-", "--backend=sim", "--chip=none", "--grid=1"],
                              input="func.func @f() attributes {tile.kernel} { return }", capture_output=True, text=True).stderr
        known = set(re.findall(r"sm_\w+", told))
        self.assertGreater(len(known), 10, told)
        self.assertLessEqual(set(tileir.triton.chips.CHIPS), known)

    def test_no_tile_run(self):
        before = dict(os.environ)
        os.environ.pop("TILEIR_BIN")
        os.environ["PATH"] = "/nowhere"
        try:
            with self.assertRaisesRegex(OptionError, "tile-run was not found: put its folder .* TILEIR_BIN or by tile_run"):
                tileir.triton.install()
            os.environ["TILEIR_BIN"] = "/nowhere"
            with self.assertRaisesRegex(OptionError, "TILEIR_BIN='/nowhere': expected tile-run"):
                tileir.triton.install()
        finally:
            os.environ.clear()
            os.environ.update(before)

    def test_arguments(self):
        tileir.triton.install(backend="interp")
        for arguments, message, error in ARGUMENTS:
            with self.subTest(message), self.assertRaises(error) as caught:
                add[(1,)](*arguments)
            self.assertIn(message, str(caught.exception))

    def test_memory_of_two_types(self):
        whole = np.zeros(128, np.float32)
        tileir.triton.install(backend="interp")
        with self.assertRaisesRegex(ArgumentError, r"arguments 'x' \(\*fp32\) and 'y' \(\*i32\) share memory: expected one type"):
            add[(1,)](Array(whole), Array(whole.view(np.int32)), floats(), 4)

    def test_what_tiles_do_not_have_is_at_its_line(self):
        tileir.triton.install(backend="interp")
        with self.assertRaisesRegex(LaunchError, "kernel unknown does not run: errors.py:18: .*tt.elementwise_inline_asm") as caught:
            unknown[(1,)](Array(np.zeros(1, np.int32)))
        self.assertEqual(caught.exception.place, ("errors.py", 18))

    def test_what_compiled_code_dies_of(self):
        tileir.triton.install(backend="cpu")
        with self.assertRaisesRegex(LaunchError, "kernel wild was ended by SIG[A-Z]+ on backend 'cpu': backend 'interp'"):
            wild[(1,)](Array(np.zeros(1, np.int64)))
        tileir.triton.install(backend="interp")
        with self.assertRaisesRegex(tileir.triton.KernelFault, "errors.py:22:1: .*uses address 0, which is in the memory of no arg"):
            wild[(1,)](Array(np.zeros(1, np.int64)))

    def test_time(self):
        tileir.triton.install(backend="interp", timeout=0.0)
        with self.assertRaisesRegex(LaunchError, "kernel add did not end in 0 s"):
            add[(1,)](floats(), floats(), floats(), 4)
        # The next one has a process of its own.
        tileir.triton.install(backend="interp")
        add[(1,)](floats(), floats(), floats(), 4)


if __name__ == "__main__":
    unittest.main()
