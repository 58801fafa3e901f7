# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole networks by torch.compile and the backend "tileir", against torch: answers and gradients, layouts and types of inputs,
threads, and what is left to torch, with its reason."""

import copy
import ctypes
import sys
import threading
import unittest
import warnings

import torch
from torch import nn

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop())
from export import ResNet18, TransformerBlock  # noqa: E402

from tileir import _ir, torch_backend  # noqa: E402
from tileir.torch_backend import BackendWarning, backend  # noqa: E402


class Inverted(nn.Module):
    """A block of MobileNet-v2: wide inside, with a convolution of each channel by itself."""

    def __init__(self, before, after, stride):
        super().__init__()
        wide = 4 * before
        self.layers = nn.Sequential(
            nn.Conv2d(before, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU6(),
            nn.Conv2d(wide, wide, 3, stride, 1, groups=wide, bias=False), nn.BatchNorm2d(wide), nn.ReLU6(),
            nn.Conv2d(wide, after, 1, bias=False), nn.BatchNorm2d(after))
        self.skips = before == after and stride == 1

    def forward(self, x):
        return x + self.layers(x) if self.skips else self.layers(x)


def mobile_net():
    return nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU6(), Inverted(8, 8, 1), Inverted(8, 12, 2),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 5))


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolve, self.norm, self.classify = nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.Linear(6, 4)

    def forward(self, x):
        return torch.softmax(self.classify(torch.relu(self.norm(self.convolve(x))).mean((2, 3))), -1)


class Networks(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        torch._dynamo.reset()
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("error", BackendWarning)

    def check(self, model, *inputs, **tolerance):
        compiled = torch.compile(model, backend=backend, fullgraph=True, dynamic=False)
        with torch.no_grad():
            torch.testing.assert_close(compiled(*inputs), model(*inputs), **tolerance)
        return compiled

    def test_networks(self):
        for model, shape in (ResNet18(8, 16), (2, 3, 32, 32)), (TransformerBlock(2, 16), (2, 16, 32)), (mobile_net(), (2, 3, 16, 16)):
            with self.subTest(type(model).__name__):
                if not isinstance(model, TransformerBlock):
                    model(torch.randn(shape))  # what batch norm knows
                self.check(model.eval(), torch.randn(shape), rtol=1e-5, atol=1e-5)

    def test_what_is_read_at_places_that_are_computed(self):
        network = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.AdaptiveAvgPool2d(7), nn.Flatten(), nn.Linear(196, 5))
        self.check(network.eval(), torch.randn(2, 3, 5, 5), rtol=1e-5, atol=1e-5)

    def test_training(self):
        ours = Small().train()
        theirs = copy.deepcopy(ours)
        compiled = torch.compile(ours, backend=backend, fullgraph=True)
        for _ in range(3):
            x, weight = torch.randn(4, 3, 8, 8), torch.randn(4, 4)
            for model in compiled, theirs:
                (model(x) * weight).sum().backward()
        for one, other in zip(ours.parameters(), theirs.parameters()):
            torch.testing.assert_close(one.grad, other.grad, rtol=1e-4, atol=1e-5)
        for one, other in zip(ours.buffers(), theirs.buffers()):  # what batch norm has seen
            torch.testing.assert_close(one, other)

    def test_inputs(self):
        model = Small().eval()
        x = torch.randn(2, 3, 8, 8)
        compiled = self.check(model, x)
        for view in (x.to(memory_format=torch.channels_last), torch.randn(2, 8, 8, 3).permute(0, 3, 1, 2),
                     torch.randn(4, 3, 8, 8)[::2], torch._neg_view(x)):
            with torch.no_grad():
                torch.testing.assert_close(compiled(view), model(view))

    def test_orders_of_memory(self):
        """What is dense in memory is read and written where it is, in whichever order."""
        given, run = [], torch_backend._CpuCode.run

        def noted(code, tensors):
            given[:] = [tensor.data_ptr() for tensor in tensors]
            run(code, tensors)

        torch_backend._CpuCode.run = noted
        self.addCleanup(setattr, torch_backend._CpuCode, "run", run)
        pixels = {"memory_format": torch.channels_last}
        network = nn.Sequential(nn.Conv2d(8, 16, 3, padding=1), nn.ReLU6(), nn.Conv2d(16, 16, 3, 2, 1, groups=16), nn.MaxPool2d(3, 2, 1))
        for model, x in ((network.to(**pixels), torch.randn(2, 8, 9, 14).to(**pixels)), (network, torch.randn(1, 8, 9, 14).to(**pixels)),
                         (nn.Conv2d(4, 6, 1), torch.randn(3, 4, 1, 5).to(**pixels)),
                         (nn.AdaptiveAvgPool2d(1), torch.randn(3, 4, 7, 5).to(**pixels)),
                         (nn.Conv3d(2, 3, 2), torch.randn(2, 2, 3, 4, 5).to(memory_format=torch.channels_last_3d)),
                         (lambda a: a.t() * 2, torch.randn(3, 4)), (lambda a: a + 1, torch.randn(2, 3, 4).permute(2, 0, 1))):
            torch._dynamo.reset()
            compiled = self.check(model, x, rtol=1e-5, atol=1e-5)
            with torch.no_grad():
                y, expected = compiled(x), model(x)
            self.assertEqual((y.stride(), x.data_ptr() in given, y.data_ptr() in given), (expected.stride(), True, True))
        # Gradients, and an input that comes in another order than when it was compiled.
        ours = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()).to(**pixels)
        theirs = copy.deepcopy(ours)
        for model in torch.compile(ours, backend=backend, dynamic=False), theirs:
            for order in torch.channels_last, torch.contiguous_format:
                model(torch.arange(384.0).reshape(2, 3, 8, 8).to(memory_format=order)).square().sum().backward()
        for one, other in zip(ours.parameters(), theirs.parameters()):
            torch.testing.assert_close(one.grad, other.grad)

    def test_types(self):
        for dtype in torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64:
            a, b = (torch.randint(-3, 4, (5, 7)).to(dtype) for _ in range(2))
            self.check(lambda a, b: (a * b + a.t().contiguous().t(), a > b), a, b)
        self.check(lambda a, b: a @ b, torch.randn(5, 3).double(), torch.randn(3, 4).double())
        # A result that is an input, one that is there twice, and one without axes.
        self.check(lambda a: (a, a + 1, a.sum(), a.t() * 2), torch.randn(3, 4))
        self.check(lambda a: a * 2, torch.randn(0, 4))
        # Results of which several elements are one in memory.
        self.check(lambda a: ((a + 1).expand(3, 4), (a * 2).view(4).as_strided((2, 3), (1, 1))), torch.randn(1, 4))

    def test_norms(self):
        for dtype, error in (torch.float32, 1e-5), (torch.float64, 1e-12), (torch.float16, 2e-3), (torch.bfloat16, 2e-2):
            for shape, axes in ((2, 5, 70), (70,)), ((3, 4, 8), (4, 8)):
                torch._dynamo.reset()
                model = nn.LayerNorm(axes).to(dtype).eval()
                with torch.no_grad():
                    model.weight.normal_()
                    model.bias.normal_()
                self.check(model, (torch.randn(shape) * 3 + 5).to(dtype), rtol=error, atol=error)
        ours, theirs = (torch.randn(2, 3, 70, requires_grad=True) for _ in range(2))
        theirs.data.copy_(ours.data)
        model = nn.LayerNorm(70, elementwise_affine=False)
        for f, x in (torch.compile(model, backend=backend, fullgraph=True, dynamic=False), ours), (model, theirs):
            (f(x) * torch.arange(70)).square().sum().backward()
        torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-4, atol=1e-2)

    def test_batch_norms(self):
        for dtype, error in (torch.float32, 1e-5), (torch.float64, 1e-12), (torch.float16, 5e-3), (torch.bfloat16, 4e-2):
            for affine, dims, shape in (True, 2, (1, 5, 6, 7)), (False, 2, (2, 5, 6, 7)), (True, 1, (3, 5)), (True, 3, (1, 5, 2, 3, 4)):
                torch._dynamo.reset()
                model = getattr(nn, f"BatchNorm{dims}d")(5, affine=affine).to(dtype).eval()
                with torch.no_grad():
                    for values in model.parameters():
                        values.normal_()
                    model.running_mean.normal_()
                    model.running_var.uniform_(0.5, 2)
                self.check(model, torch.randn(shape).to(dtype), rtol=error, atol=error)
        # After convolutions of one image and of several, with gradients.
        ours = nn.Sequential(nn.Conv2d(4, 17, 3), nn.BatchNorm2d(17), nn.ReLU(), nn.Conv2d(17, 6, 1), nn.BatchNorm2d(6)).eval()
        theirs = copy.deepcopy(ours)
        for batch in 1, 3:
            torch._dynamo.reset()
            x = torch.randn(batch, 4, 9, 11)
            self.check(ours, x, rtol=1e-5, atol=1e-5)
            for model in torch.compile(ours, backend=backend, fullgraph=True, dynamic=False), theirs:
                (model(x) * torch.arange(9)).sum().backward()
        for one, other in zip(ours.parameters(), theirs.parameters()):
            torch.testing.assert_close(one.grad, other.grad, rtol=1e-4, atol=1e-3)

    def test_powers(self):
        for exponent in 2, 3, -2, 0.5:
            self.check(lambda a, exponent=exponent: a.abs() ** exponent, torch.randn(5, 37))

    def test_pooling(self):
        for model in nn.MaxPool2d(3, 2, 1), nn.MaxPool2d(2), nn.MaxPool2d(3, 1, dilation=2), nn.MaxPool2d(5, 5), nn.AvgPool2d(3, 2):
            for channels, order in (3, torch.contiguous_format), (3, torch.channels_last), (20, torch.channels_last):
                torch._dynamo.reset()
                x = torch.randn(2, channels, 21, 45)
                x[0, 1, :4, :4], x[1, 2, -4:, -4:] = -torch.inf, torch.nan
                self.check(model, x.to(memory_format=order), equal_nan=True)

    def test_threads(self):
        model = Small().eval()
        x = [torch.randn(2, 3, 8, 8) for _ in range(4)]
        compiled = self.check(model, x[0])
        wrong = []

        def run(x):
            with torch.no_grad():
                expected = model(x)
                wrong.extend(1 for _ in range(50) if not torch.allclose(compiled(x), expected, atol=1e-5))

        threads = [threading.Thread(target=run, args=(each,)) for each in x]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_number_of_threads(self):
        compiled = self.check(Small().eval(), torch.randn(2, 3, 8, 8))
        before = torch.get_num_threads()
        self.addCleanup(torch.set_num_threads, before)
        for threads in 1, 2:
            torch.set_num_threads(threads)
            with torch.no_grad():
                compiled(torch.randn(2, 3, 8, 8))
            self.assertEqual(ctypes.CDLL(_ir.OPENMP).omp_get_max_threads(), threads)

    def test_parts(self):
        warnings.simplefilter("always", BackendWarning)
        ours = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 4, 3), nn.Flatten(), nn.Linear(16, 2))
        theirs, x = copy.deepcopy(ours), torch.randn(2, 3, 10, 10)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for model in torch.compile(ours, backend=backend, dynamic=False), theirs:
                model(x).square().sum().backward()
        # The one op between two parts that are compiled.
        told = [str(warning.message) for warning in caught if warning.category is BackendWarning]
        self.assertEqual([text.partition(", left")[0] for text in told],
                         ["1 op of a graph, aten.max_pool2d_with_indices_backward.default"])
        for one, other in zip(ours.parameters(), theirs.parameters()):
            torch.testing.assert_close(one.grad, other.grad, rtol=1e-4, atol=1e-5)

    def test_what_is_left_to_torch(self):
        def pooled(x):
            return nn.functional.max_pool2d(x, 2).square().sum()

        warnings.simplefilter("always", BackendWarning)
        for function, options, reason in (pooled, {}, "^[0-9]+ ops? of a graph, .*max_pool2d_with_indices_backward.*, left to torch: .*tm_tensor.scatter"), (lambda x: x.sin().sum(), {"dynamic": True}, "sizes or numbers are not known"):
            torch._dynamo.reset()
            ours, theirs = (torch.arange(64.0).reshape(1, 1, 8, 8).requires_grad_() for _ in range(2))
            with self.assertWarnsRegex(BackendWarning, reason):
                torch.compile(function, backend=backend, **options)(ours).backward()
            function(theirs).backward()
            torch.testing.assert_close(ours.grad, theirs.grad)
        torch._dynamo.reset()
        hidden = sys.modules["torch_mlir"]
        sys.modules["torch_mlir"] = None
        try:
            with self.assertWarnsRegex(BackendWarning, "torch-mlir is not installed"):
                self.assertEqual(torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2)).tolist(), [2, 2])
        finally:
            sys.modules["torch_mlir"] = hidden
        torch._dynamo.reset()
        with self.assertRaisesRegex(Exception, "backend 'tileir' has no options, found options"):
            torch.compile(lambda x: x + 1, backend=backend, options={"fast": 1})(torch.ones(2))


if __name__ == "__main__":
    unittest.main()
