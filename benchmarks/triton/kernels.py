# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels like those of Triton's tutorials, and their IR: `kernels.py FOLDER` writes FOLDER/NAME.ttir."""
import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    program = tl.program_id(axis=0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = program // (GROUP * columns) * GROUP
    size = min(rows - first, GROUP)
    row, column = first + program % (GROUP * columns) % size, program % (GROUP * columns) // size
    m, n = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_ptrs = a_ptr + ((m % M)[:, None] * stride_am + k[None, :] * stride_ak)
    b_ptrs = b_ptr + (k[:, None] * stride_bk + (n % N)[None, :] * stride_bn)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=k[None, :] < K - step * BK, other=0.0)
        b = tl.load(b_ptrs, mask=k[:, None] < K - step * BK, other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    c_ptrs = c_ptr + stride_cm * m[:, None] + stride_cn * n[None, :]
    tl.store(c_ptrs, sums.to(c_ptr.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def softmax(y_ptr, x_ptr, x_stride, y_stride, rows, columns, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    mask = column < columns
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        x = tl.load(x_ptr + row * x_stride + column, mask=mask, other=-float("inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(y_ptr + row * y_stride + column, e / tl.sum(e, axis=0), mask=mask)


def get_ir(kernel, constants, element="fp32"):
    """As Triton makes it for arguments that are multiples of 16."""
    names = kernel.arg_names
    signature = {name: "constexpr" if name in constants else f"*{element}" if name.endswith("_ptr") else "i32"
                 for name in names}
    places = {(names.index(name),): value for name, value in constants.items()}
    divisible = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(names) if name not in constants}
    source = ASTSource(kernel, signature, places, divisible)
    return triton.compile(source, target=GPUTarget("cuda", 80, 32)).asm["ttir"]


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for size in (32, 64, 128):
        (folder / f"matmul-{size}.ttir").write_text(get_ir(
            matmul, {"stride_ak": 1, "stride_bn": 1, "stride_cn": 1, "BM": size, "BN": size, "BK": 32, "GROUP": 8}))
    for size in (256, 1024, 4096):
        (folder / f"softmax-{size}.ttir").write_text(get_ir(softmax, {"BLOCK": size}))
