# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.einsum on tensors of torch: numbers, types, memory, transformations, and tracing."""

import unittest

import torch

import tileir.torch


def numbers(*shape, dtype=None):
    size = int(torch.tensor(shape).prod())
    return ((torch.arange(size) * 7 + size) % 9 - 4).reshape(shape).to(dtype or torch.float32)


class Tensors(unittest.TestCase):
    def expect(self, found, expected):
        self.assertIsInstance(found, torch.Tensor)
        torch.testing.assert_close(found, expected, rtol=0, atol=0)

    def test_types_and_views(self):
        for dtype in torch.float16, torch.float32, torch.float64, torch.bfloat16, torch.int8, torch.int32:
            a, b = numbers(6, 8, dtype=dtype), numbers(8, 5, dtype=dtype)
            expected = (a.double() @ b.double()).to(torch.int64).to(dtype)
            for left in a, a.t().contiguous().t(), torch.stack([a, a], 2)[:, :, 1]:
                self.expect(tileir.einsum("mk, kn -> mn", left, b), expected)
        self.expect(tileir.einsum("mk, kn -> mn", numbers(2, 3), numbers(3, 4, dtype=torch.float64)),
                    numbers(2, 3).double() @ numbers(3, 4).double())
        self.expect(tileir.einsum("i, i ->", numbers(5), numbers(5)), numbers(5) @ numbers(5))

    def test_what_is_copied(self):
        with self.assertWarnsRegex(tileir.CopyWarning, r"operand 0 is copied, for its strides are \(0,\)"):
            self.expect(tileir.einsum("i, i -> i", numbers(1).expand(5), numbers(5)), numbers(1) * numbers(5))

    def test_options(self):
        a, b, bias = numbers(3, 4), numbers(4, 5), numbers(5)
        self.expect(tileir.einsum("mk, kn -> mn", a, b, bias=bias, epilogue="relu"), torch.relu(a @ b + bias))
        self.expect(tileir.einsum("...k, kn", a, b), a @ b)
        self.expect(tileir.einsum("i -> ij", bias, sizes={"j": 2}), bias[:, None].repeat(1, 2))
        self.expect(tileir.einsum("(t[i])k -> ik", a, t=torch.tensor([2, 0])), a[[2, 0]])
        self.expect(tileir.einsum("(t[i])k -> ik", a, t=[2, 0]), a[[2, 0]])
        self.assertEqual(tileir.einsum("i ->", torch.tensor([2.0**24, 1, -(2.0**24)]), acc="f64"), 1)
        out = torch.empty(5, 3).t()
        self.assertIs(tileir.einsum("mk, kn -> mn", a, b, out=out), out)
        self.expect(out, a @ b)

    def test_what_is_refused(self):
        a = numbers(4, 4)
        for call, kind, words in (
                (lambda: tileir.einsum("ij -> ji", a, out=a), tileir.ShapeError, "overlaps no operand"),
                (lambda: tileir.einsum("ij -> ji", a, out=numbers(4, 1).expand(4, 4)), tileir.ShapeError, "can write where it is"),
                (lambda: tileir.einsum("ij -> ji", a, out=a.numpy()), TypeError, "to be a tensor of torch"),
                (lambda: tileir.einsum("ij -> ji", a.to(torch.complex64)), TypeError, "found torch.complex64: convert"),
                (lambda: tileir.einsum("ij -> ji", a.to(torch.int64)), TypeError, "found torch.int64"),
                (lambda: tileir.einsum("ij -> ji", a.to("meta")), tileir.ShapeError, "found a tensor on meta: move it"),
                (lambda: tileir.einsum("ij, j -> i", a, a[0].to("meta")), tileir.ShapeError, "operand 1 in the memory of the CPU"),
                (lambda: tileir.einsum("ij -> ji", a.to_sparse()), tileir.ShapeError, "to be dense"),
                (lambda: tileir.einsum("(t[i])j -> ij", a, t=torch.tensor([4])), tileir.CheckError, "reads index 4"),
                (lambda: tileir.einsum("(t[i])j -> ij", a, t=torch.tensor([0.5])), TypeError, "to have integers"),
                (lambda: tileir.einsum("ij, k; -> ji", a, a), tileir.SpecError, r"found ';'\n"),
                (lambda: tileir.einsum("ij -> ji", a.clone().requires_grad_(), out=a), tileir.ShapeError, "no out where"),
                (lambda: tileir.einsum("ij -> ji", a, out=torch.ones(4, 4, requires_grad=True)), tileir.ShapeError,
                 "an out that requires no gradient")):
            with self.assertRaisesRegex(kind, words):
                call()

    def test_cache_of_arrays_and_tensors(self):
        a = numbers(3, 3)
        for _ in range(2):
            self.assertIsInstance(tileir.einsum("ij -> ji", a), torch.Tensor)
            self.assertNotIsInstance(tileir.einsum("ij -> ji", a.numpy()), torch.Tensor)

    def test_another_default_device(self):
        a = numbers(3, 4)
        with torch.device("meta"):
            for size in 2, 3000:
                found = tileir.einsum("ij -> ijk", a, sizes={"k": size})
                self.assertEqual(found.device.type, "cpu")
        self.expect(found[:, :, 7], a)

    def test_threads_of_torch(self):
        a, before = numbers(64, 64), torch.get_num_threads()
        misses = tileir.cache_info().misses
        try:
            for threads in 1, 2, 1:
                torch.set_num_threads(threads)
                self.expect(tileir.einsum("ij, jk -> ik", a, a), a @ a)
        finally:
            torch.set_num_threads(before)
        self.assertEqual(tileir.cache_info().misses, misses + 2)

    def test_operator_is_as_torch_wants_it(self):
        x = torch.randn(2, 3, 8, 8, dtype=torch.float64)
        w = torch.randn(4, 3, 3, 3, dtype=torch.float64)
        shift = torch.tensor([0, 2, 1])
        cases = (("mk, kn -> mn", [x[0, 0], x[1, 1]], [], [], "", "none"),
                 ("nc(h+r-1)(w+s-1), kcrs -> nkhw", [x, w], [], [], "h=8,w=8", "zero"),
                 ("nc(2*h+r)(2*w+s), kcrs -> nkhw", [x, w], [], [], "", "none"),
                 ("nc(h+t[c])w, kc -> nkhw", [x, w[:, :, 0, 0]], [shift], ["t"], "h=6", "none"))
        for spec, operands, tables, names, sizes, pad in cases:
            for needed in False, True:
                given = [o.clone().requires_grad_(needed) for o in operands]
                torch.library.opcheck(torch.ops.tileir.einsum, (spec, given, tables, names, sizes, pad, "", 1, True))

    def test_operator_by_itself(self):
        a, b = numbers(3, 4), numbers(4, 5)

        def multiply(x, y, tuned=()):
            return torch.ops.tileir.einsum("mk, kn -> mn", [x, y], [], [], "", "none", "", 1, True, *tuned)

        for given in (), (None,):
            self.expect(multiply(a, b, given), a @ b)
        x, y = a.clone().requires_grad_(), b.clone().requires_grad_()
        (first,) = torch.autograd.grad(multiply(x, y).square().sum(), x, create_graph=True)
        self.expect(first.detach(), 2 * a @ b @ b.T)
        # Gradients have gradients.
        self.expect(torch.autograd.grad(first.sum(), y)[0], torch.autograd.grad((2 * x @ y @ y.T).sum(), y)[0])
        # Transformations are for tileir.torch.einsum: torch has none for operators' gradients.
        square = lambda x: tileir.torch.einsum("mk, kn -> mn", x, b).square().sum()  # noqa: E731
        rows = numbers(2, 3, 4)
        self.expect(torch.vmap(torch.func.grad(square))(rows), 2 * rows @ b @ b.T)
        expected = a @ b
        with torch.autocast("cpu"), torch.inference_mode():
            self.expect(multiply(a, b), expected)

    def test_negated_views(self):
        # Such tensors have the memory of others, and a bit.
        a, b = numbers(3, 4), numbers(4, 5)
        negated = torch.view_as_complex(torch.stack([a, a], -1)).conj().imag
        self.assertTrue(negated.is_neg())
        for _ in range(2):
            for einsum in tileir.einsum, tileir.torch.einsum:
                self.expect(einsum("mk, kn -> mn", negated, b), -a @ b)
                self.expect(einsum("mk, kn -> mn", a, negated.T.contiguous()), -a @ a.T)
                x = b.clone().requires_grad_()
                self.expect(torch.autograd.grad(einsum("mk, kn -> mn", negated, x), x, torch.ones(3, 5))[0], -a.T @ torch.ones(3, 5))
                gradient = torch._neg_view(torch.ones(3, 5))
                self.expect(torch.autograd.grad(einsum("mk, kn -> mn", a, x), x, gradient)[0], -a.T @ torch.ones(3, 5))
        with self.assertRaisesRegex(tileir.ShapeError, "an out that is no negated view"):
            tileir.einsum("ij -> ij", a, out=torch._neg_view(a.clone()))

    def test_compiled_whole(self):
        w = numbers(4, 3, 3, 3)

        def network(x):
            y = tileir.torch.einsum("nc(h+r-1)(w+s-1), kcrs -> nkhw", x, w, pad="zero", sizes={"h": 8, "w": 8}, epilogue="relu")
            return tileir.torch.einsum("nkhw -> nk", y)

        x = numbers(2, 3, 8, 8).requires_grad_()
        expected = torch.relu(torch.nn.functional.conv2d(x, w, padding=1)).sum((2, 3))
        compiled = torch.compile(network, backend="aot_eager", fullgraph=True)
        self.expect(compiled(x), expected)
        compiled(x).square().sum().backward()
        found, x.grad = x.grad, None
        expected.square().sum().backward()
        self.expect(found, x.grad)

    def test_vmap(self):
        a, b = numbers(5, 3, 4), numbers(4, 6)
        self.expect(torch.vmap(lambda x: tileir.torch.einsum("mk, kn -> mn", x, b))(a), a @ b)
        self.expect(torch.vmap(lambda x, y: tileir.torch.einsum("(i+1)k, k -> i", x, y), in_dims=(1, 0))(numbers(3, 5, 4), numbers(5, 4)),
                    torch.stack([numbers(3, 5, 4)[1:, i] @ numbers(5, 4)[i] for i in range(5)]))
        gradient = torch.func.grad(lambda x: tileir.torch.einsum("ij, ij ->", x, x))
        self.expect(gradient(numbers(2, 3)), 2 * numbers(2, 3))


if __name__ == "__main__":
    unittest.main()
