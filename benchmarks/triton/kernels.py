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
        sums = tl.dot(a, b, sums, input_precision="ieee")
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


@triton.jit
def attention(o_ptr, q_ptr, k_ptr, v_ptr, length, scale, SIZE: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              CAUSAL: tl.constexpr):
    """Of one head: softmax of `scale` Q K^T, by powers of two, times V, in one pass over the keys."""
    first, head = tl.program_id(0) * BM, tl.program_id(1) * length * SIZE
    m, n, d = first + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, SIZE)
    rows = head + m[:, None] * SIZE + d[None, :]
    q = tl.load(q_ptr + rows, mask=m[:, None] < length, other=0.0)
    greatest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, SIZE), tl.float32)
    for start in range(0, min(first + BM, length) if CAUSAL else length, BN):
        key = start + n
        k = tl.load(k_ptr + head + key[None, :] * SIZE + d[:, None], mask=key[None, :] < length, other=0.0)
        scores = tl.dot(q, k, input_precision="ieee") * scale
        inside = key[None, :] < length
        if CAUSAL:
            inside = inside & (key[None, :] <= m[:, None])
        scores = tl.where(inside, scores, -float("inf"))
        now = tl.maximum(greatest, tl.max(scores, 1))
        weights = tl.exp2(scores - now[:, None])
        factor = tl.exp2(greatest - now)
        v = tl.load(v_ptr + head + key[:, None] * SIZE + d[None, :], mask=key[:, None] < length, other=0.0)
        sums = sums * factor[:, None] + tl.dot(weights.to(v.dtype), v, input_precision="ieee")
        total = total * factor + tl.sum(weights, 1)
        greatest = now
    tl.store(o_ptr + rows, (sums / total[:, None]).to(o_ptr.dtype.element_ty), mask=m[:, None] < length)


@triton.jit
def layer_norm(y_ptr, x_ptr, w_ptr, b_ptr, columns, BLOCK: tl.constexpr):
    row, column = tl.program_id(0) * columns, tl.arange(0, BLOCK)
    mask = column < columns
    x = tl.load(x_ptr + row + column, mask=mask, other=0.0)
    x = tl.where(mask, x - tl.sum(x, 0) / columns, 0.0)
    scale = 1 / tl.sqrt(tl.sum(x * x, 0) / columns + 1e-5)
    y = x * scale * tl.load(w_ptr + column, mask=mask) + tl.load(b_ptr + column, mask=mask)
    tl.store(y_ptr + row + column, y, mask=mask)


@triton.jit
def swiglu(y_ptr, a_ptr, b_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + row + column, mask=column < columns)
        b = tl.load(b_ptr + row + column, mask=column < columns)
        tl.store(y_ptr + row + column, a * tl.sigmoid(a) * b, mask=column < columns)


@triton.jit
def transpose(y_ptr, x_ptr, rows, columns, BLOCK: tl.constexpr):
    i, j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (i[:, None] < rows) & (j[None, :] < columns)
    x = tl.load(x_ptr + i[:, None] * columns + j[None, :], mask=mask)
    tl.store(y_ptr + j[None, :] * rows + i[:, None], x, mask=mask)


def get_ir(kernel, constants, element="fp32"):
    """As Triton makes it for arguments that are multiples of 16."""
    names = kernel.arg_names
    signature = {name: "constexpr" if name in constants else f"*{element}" if name.endswith("_ptr") else
                 "fp32" if name == "scale" else "i32" for name in names}
    places = {(names.index(name),): value for name, value in constants.items()}
    divisible = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(names) if signature[name] not in ("constexpr", "fp32")}
    source = ASTSource(kernel, signature, places, divisible)
    return triton.compile(source, target=GPUTarget("cuda", 80, 32)).asm["ttir"]


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for size in (32, 64, 128):
        (folder / f"matmul-{size}.ttir").write_text(get_ir(
            matmul, {"stride_ak": 1, "stride_bn": 1, "stride_cn": 1, "BM": size, "BN": size, "BK": 32, "GROUP": 8}))
    for element in ("fp32", "bf16"):
        for causal in (0, 1):
            (folder / f"attention-{element}-{causal}.ttir").write_text(get_ir(
                attention, {"SIZE": 64, "BM": 64, "BN": 64, "CAUSAL": bool(causal)}, element))
    (folder / "layer_norm.ttir").write_text(get_ir(layer_norm, {"BLOCK": 1024}))
    (folder / "swiglu.ttir").write_text(get_ir(swiglu, {"BLOCK": 1024}))
    (folder / "transpose.ttir").write_text(get_ir(transpose, {"BLOCK": 32}))
    for size in (256, 1024, 4096):
        (folder / f"softmax-{size}.ttir").write_text(get_ir(softmax, {"BLOCK": size}))
