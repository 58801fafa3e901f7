# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/python/shift_network.py: its layer and gradients against slices of torch, and what it has learnt after a while."""

import contextlib
import io
import sys
import unittest

import torch

sys.path.insert(0, sys.argv.pop())
import shift_network  # noqa: E402


def convolve(layer, x):
    """The layer, by moving each channel of a padded image."""
    padded = torch.nn.functional.pad(x, (1, 1, 1, 1))
    h, w = x.shape[2:]
    moved = [padded[:, c, 1 + a:1 + a + h, 1 + b:1 + b + w] for c, (a, b) in enumerate(zip(layer.sh.tolist(), layer.sw.tolist()))]
    return torch.relu(torch.einsum("nchw,ck->nkhw", torch.stack(moved, 1), layer.weight) + layer.bias)


class Example(unittest.TestCase):
    def test_the_layer(self):
        torch.manual_seed(1)
        layer = shift_network.ShiftConvolution(11, 5).double()
        x = torch.randn(2, 11, 7, 6, dtype=torch.float64, requires_grad=True)
        seed = torch.randn(2, 5, 7, 6, dtype=torch.float64)
        found, expected = layer(x), convolve(layer, x)
        torch.testing.assert_close(found, expected)
        inputs = x, layer.weight, layer.bias
        for ours, theirs in zip(torch.autograd.grad(found, inputs, seed), torch.autograd.grad(expected, inputs, seed)):
            torch.testing.assert_close(ours, theirs)

    def test_it_learns(self):
        sys.argv[1:] = ["--steps", "60"]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            shift_network.main()
        self.assertGreater(float(printed.getvalue().rpartition("right: ")[2]), 0.9)


if __name__ == "__main__":
    unittest.main()
