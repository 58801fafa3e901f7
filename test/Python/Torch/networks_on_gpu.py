# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole networks as the backend "tileir" compiles them for a GPU, on a simulated one, against torch.

A torch without a GPU has no tensors there: those of the CPU stand for them, and are copied to the GPU and back around each run.
"""

import sys
import unittest
import warnings
from pathlib import Path

import torch
from torch import nn

sys.path[:0] = [sys.argv.pop(), str(Path(__file__).parent.parent / "Cuda")]
import device  # noqa: E402
from export import ResNet18, TransformerBlock  # noqa: E402

from tileir import _cuda_tensors, torch_backend  # noqa: E402
from tileir._cuda_arrays import DeviceArray  # noqa: E402


class OnGpu(torch_backend._GpuCode):
    """The code for a GPU in the place of that for the CPU."""

    def __init__(self, text):
        super().__init__(text, 0)
        CHIPS.append(torch_backend.ir._get_context().get_gpu_chip(0))

    def run(self, tensors):
        arrays = {}

        def wrap(tensor):
            memory = device.DeviceArray(tensor.detach().numpy())
            arrays[id(tensor)] = memory
            return DeviceArray(memory, memory.address, None, tuple(tensor.shape), 0)

        _cuda_tensors.is_readable = lambda tensor: True
        _cuda_tensors.wrap, _cuda_tensors.get_stream = wrap, lambda array: 0
        super().run(tensors)
        for tensor in tensors:
            tensor.detach().copy_(torch.from_numpy(arrays[id(tensor)].numpy()))


CHIPS = []


class Branch(nn.Module):
    """A residual block of convolutions that end in a pooling."""

    def __init__(self, channels):
        super().__init__()
        self.first, self.second = nn.Conv2d(channels, channels, 3, padding=1), nn.Conv2d(channels, channels, 3, 2, 1, groups=channels)
        self.norm, self.shortcut = nn.BatchNorm2d(channels), nn.Conv2d(channels, channels, 1, 2)

    def forward(self, x):
        y = self.second(torch.relu(self.norm(self.first(x))))
        return torch.relu(y + self.shortcut(x)), y.mean((2, 3))


class Networks(unittest.TestCase):
    def check(self, model, *inputs, **tolerance):
        torch._dynamo.reset()
        torch_backend._CpuCode = OnGpu
        before = len(CHIPS)
        compiled = torch.compile(model, backend=torch_backend.backend, fullgraph=True, dynamic=False)
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("error", torch_backend.BackendWarning)
            torch.testing.assert_close(compiled(*inputs), model(*inputs), **tolerance)
        self.assertGreater(len(CHIPS), before)

    def test_networks(self):
        torch.manual_seed(1)
        known = ResNet18(8, 16)
        known(torch.randn(2, 3, 32, 32))  # what batch norm knows
        for model, shape in ((Branch(8), (2, 8, 12, 12)), (known, (1, 3, 32, 32)), (TransformerBlock(2, 16), (1, 8, 32)),
                             (nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4), nn.Softmax(-1)), (5, 16)),
                             (nn.Sequential(nn.Conv2d(3, 4, 3), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5)), (2, 3, 8, 8)),
                             (Branch(8).to(memory_format=torch.channels_last), (2, 8, 12, 12))):
            with self.subTest(type(model).__name__):
                self.check(model.eval(), torch.randn(shape), rtol=1e-4, atol=1e-4)

    def test_gradients(self):
        torch.manual_seed(2)
        torch._dynamo.reset()
        torch_backend._CpuCode = OnGpu
        model = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 4))
        x = torch.randn(6, 12)
        compiled = torch.compile(model, backend=torch_backend.backend, fullgraph=True, dynamic=False)
        compiled(x).square().sum().backward()
        found = [p.grad.clone() for p in model.parameters()]
        model.zero_grad()
        model(x).square().sum().backward()
        torch.testing.assert_close(found, [p.grad for p in model.parameters()], rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    device.start()
    unittest.main()
