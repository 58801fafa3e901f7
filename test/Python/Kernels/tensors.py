# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.kernel and tileir.run on tensors of torch: views, bfloat16, results, and what is refused."""

import sys
import unittest
from pathlib import Path

import torch

import tileir

EXAMPLES = Path(sys.argv.pop(), "examples")
ROWS = """func.func @main(%a: tensor<?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?xbf16> {
  %c = einsum.contract "mk, k -> m" (%a, %b) : (tensor<?x?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  return %c : tensor<?xbf16>
}
"""


class Tensors(unittest.TestCase):
    def test_kernels(self):
        whole = torch.randint(-4, 5, (4, 32, 48)).half()
        b = torch.randint(-4, 5, (48, 64)).half()
        for backend in "cpu", "interp", "sim":
            with self.subTest(backend=backend):
                c = torch.zeros(32, 64, requires_grad=True)
                kernel = tileir.kernel(EXAMPLES / "triton-c/matmul.c", dict(TM=16, TN=32, TK=16), backend=backend)
                kernel[2, 2](whole[2], b, c, 32, 64, 48, 48, 64, 64)
                torch.testing.assert_close(c.detach(), whole[2].float() @ b.float(), rtol=0, atol=0)

    def test_bfloat16(self):
        text = (EXAMPLES / "tile/batched_matmul.mlir").read_text()
        query, key = (torch.randint(-4, 5, shape).bfloat16() for shape in ((2, 8, 3, 40), (3, 5, 40)))
        score = torch.zeros(2, 3, 8, 5)
        tileir.kernel(text, entry="scores")[1, 1, 6](query, key, score)
        torch.testing.assert_close(score, torch.einsum("nths,hes->nhte", query.float(), key.float()), rtol=0, atol=0)

    def test_run(self):
        a, b = torch.randint(-4, 5, (6, 8)).bfloat16(), torch.randint(-4, 5, (8,)).bfloat16()
        result = tileir.run(ROWS, a, b)
        self.assertIsInstance(result, torch.Tensor)
        torch.testing.assert_close(result, a @ b, rtol=0, atol=0)
        torch.testing.assert_close(tileir.run(ROWS, a.t().contiguous().t(), b, backend="interp"), a @ b, rtol=0, atol=0)

    def test_what_is_refused(self):
        with self.assertRaisesRegex(TypeError, "in the memory of the CPU, found one of torch.strided on meta"):
            tileir.run(ROWS, torch.zeros(2, 2, dtype=torch.bfloat16, device="meta"), torch.zeros(2, dtype=torch.bfloat16))
        with self.assertRaisesRegex(tileir.ArgumentError, r"argument 'A' .*expected elements of float16, found float32"):
            a = torch.zeros(16, 16)
            tileir.kernel(EXAMPLES / "triton-c/matmul.c", dict(TM=16, TN=16, TK=16))[1, 1](a, a, a, *[16] * 6)


if __name__ == "__main__":
    unittest.main()
