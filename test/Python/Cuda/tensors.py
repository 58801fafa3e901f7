# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.torch on tensors that are in the memory of a GPU, against the same on the CPU: results, gradients, the operator.

A torch without a GPU has no such tensors, and no stream. Here a subclass stands for them, of torch's device "meta", which needs
nothing, with memory of a simulated GPU; what torch itself computes of them is computed on the CPU.
"""

import unittest
import warnings

import numpy as np
import torch
from torch.utils._pytree import tree_map

import device
import tileir
import tileir.torch
from tileir import _cuda_tensors

class Stream:
    def __init__(self):
        self.cuda_stream = device.make_stream()


class GpuTensor(torch.Tensor):
    """A tensor of the GPU in C order."""

    @staticmethod
    def __new__(cls, tensor, skip=0):
        dense = tensor.detach().contiguous()
        self = torch.Tensor._make_wrapper_subclass(cls, dense.shape, dtype=dense.dtype, device="meta",
                                                   requires_grad=tensor.requires_grad)
        self.array = device.DeviceArray(dense.numpy(), skip=skip)
        return self

    def data_ptr(self):
        return self.array.address

    def on_cpu(self):
        return torch.from_numpy(self.array.numpy())

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        if function.namespace == "tileir":
            return tileir.torch._run(*args, **(kwargs or {}))
        if function is torch.ops.aten.detach.default:
            return args[0]
        args, kwargs = tree_map(lambda x: x.on_cpu() if isinstance(x, GpuTensor) else x, (args, kwargs or {}))
        kwargs.pop("device", None)
        return tree_map(lambda x: GpuTensor(x) if isinstance(x, torch.Tensor) else x, function(*args, **kwargs))


GpuTensor.__module__ = "torch"  # as the type of real ones


def _on_this_torch(function):
    """A factory of torch that knows the GPU."""
    def make(*args, device=None, **options):
        made = function(*args, **options)
        return GpuTensor(made) if device == torch.device("meta") and not isinstance(made, GpuTensor) else made

    return make


def _move(tensor, *args):
    if args and args[0] == torch.device("meta") and not isinstance(tensor, GpuTensor):
        return GpuTensor(TO(tensor, *args[1:]))
    return TO(tensor, *args)


def integers(*shape, seed=1, dtype=torch.float32):
    return torch.from_numpy(np.random.default_rng(seed).integers(-4, 5, shape)).to(dtype)


CASES = [("mk, kn -> mn", [(24, 16), (16, 20)], {}),
         ("nc(h+r-1)(w+s-1), kcrs -> nkhw", [(2, 3, 6, 6), (4, 3, 3, 3)], {"pad": "zero", "sizes": {"h": 6, "w": 6}}),
         ("nc(2*h+r-1)(2*w+s-1), kcrs -> nkhw", [(1, 2, 8, 8), (4, 2, 3, 3)], {"pad": "zero", "sizes": {"h": 4, "w": 4}}),
         ("nc(h+sh[c])(w+sw[c]), ck -> nkhw", [(2, 3, 6, 6), (3, 4)],
          {"tables": {"sh": torch.tensor([0, 2, 1]), "sw": torch.tensor([1, 0, 2])}, "sizes": {"h": 4, "w": 4}}),
         ("(row[i])d, i -> d", [(5, 3), (4,)], {"tables": {"row": torch.tensor([1, 4, 1, 0])}}),
         ("...ij, ...jk", [(3, 4, 5), (3, 5, 6)], {})]


class Tensors(unittest.TestCase):
    def setUp(self):
        self.stream = Stream()
        torch.cuda.current_stream = lambda device=None: self.stream
        torch.Tensor.to = _move
        _cuda_tensors.is_on_gpu = lambda tensor: isinstance(tensor, GpuTensor)
        torch.arange, torch.zeros, torch.ones, torch.as_tensor = map(_on_this_torch, FACTORIES)

    def test_results_and_gradients(self):
        for spec, shapes, options in CASES:
            with self.subTest(spec=spec):
                own = [integers(*shape, seed=i).requires_grad_() for i, shape in enumerate(shapes)]
                there = [GpuTensor(x.detach()).requires_grad_() for x in own]
                expected, result = (tileir.torch.einsum(spec, *operands, **options) for operands in (own, there))
                self.assertIsInstance(result, GpuTensor)
                self.assertTrue(torch.equal(result.on_cpu(), expected))
                gradient = integers(*expected.shape, seed=9)
                expected.backward(gradient)
                result.backward(GpuTensor(gradient))
                for x, y in zip(own, there):
                    self.assertIsInstance(y.grad, GpuTensor)
                    self.assertTrue(torch.equal(y.grad.on_cpu(), x.grad))

    def test_types(self):
        for dtype in torch.float16, torch.float64, torch.int32:
            a, b = integers(8, 8, dtype=dtype), integers(8, 8, seed=2, dtype=dtype)
            result = tileir.einsum("ij, jk -> ik", GpuTensor(a), GpuTensor(b))
            self.assertEqual(result.dtype, dtype)
            self.assertTrue(torch.equal(result.on_cpu(), (a.double() @ b.double()).to(dtype)))

    def test_a_copy_is_told(self):
        a = GpuTensor(integers(8, 8), skip=4)
        self.assertFalse(_cuda_tensors.is_readable(a))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            array = _cuda_tensors.prepare_operand(a, "ij -> ji", 0)
        self.assertEqual(array.address % 16, 0)
        self.assertEqual([type(one.category) for one in told], [type(tileir.CopyWarning)])
        self.assertTrue(torch.equal(array.owner.on_cpu(), a.on_cpu()))

    def test_refused(self):
        a, b = GpuTensor(integers(4, 4)), integers(4, 4)
        for operands, options, error, message in [
                ((a, b), {}, tileir.ShapeError, "expected operand 1 in the memory of the GPU, as operand 0, found a tensor on cpu"),
                ((b, a), {}, tileir.ShapeError, "expected operand 1 in the memory of the CPU, found a tensor on meta"),
                ((a, GpuTensor(b.bool())), {}, TypeError, "expected operand 1 to have elements of"),
                ((a, GpuTensor(integers(5, 4))), {}, tileir.ShapeError, "index 'j' has size 4"),
                ((a, a), {"tuned": True}, ValueError, "expected no tuned of arrays of a GPU")]:
            with self.subTest(message=message), self.assertRaises(error) as caught:
                tileir.torch.einsum("ij, jk -> ik", *operands, **options)
            self.assertIn(message, str(caught.exception))
        with self.assertRaises(tileir.CheckError):
            tileir.torch.einsum("(t[i])j -> ij", a, t=torch.tensor([0, 4]))

    def test_the_stream_of_torch(self):
        array = _cuda_tensors.prepare_operand(GpuTensor(integers(4)), "i -> i", 0)
        self.assertEqual(_cuda_tensors.get_stream(array), self.stream.cuda_stream)

    def test_kernels(self):
        text = "__global__ void twice(int n, float *a, float *b) { int i[64] = 0 ... 64; *?(i < n)(b + i) = *?(i < n)(a + i) * 2; }\n"
        kernel = tileir.kernel(text, backend="cuda")
        a, b = GpuTensor(integers(50)), GpuTensor(torch.zeros(50))
        kernel[1](50, a, b)
        self.assertTrue(torch.equal(b.on_cpu(), 2 * a.on_cpu()))
        kernel[1](50, b, a, stream=self.stream)
        with self.assertRaises(tileir.ArgumentError) as caught:
            kernel[1](50, a, torch.zeros(50))
        self.assertIn("found one on cpu: move it with .cuda()", str(caught.exception))


if __name__ == "__main__":
    device.start()
    TO = torch.Tensor.to
    FACTORIES = torch.arange, torch.zeros, torch.ones, torch.as_tensor
    unittest.main()
