# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of Conch, against torch and against that library's reference implementations in torch."""

import torch
import torch.nn.functional as F
from harness import Harness

harness = Harness("conch")
case, check = harness.case, harness.check

from conch import reference  # noqa: E402, F401
from conch.ops.activation.gelu_tanh_and_mul import gelu_tanh_and_mul  # noqa: E402
from conch.ops.activation.silu_and_mul import silu_and_mul  # noqa: E402
from conch.ops.attention.paged_attention import paged_attention  # noqa: E402
from conch.ops.attention.varlen_attention import varlen_attention  # noqa: E402
from conch.ops.embedding.rotary_embedding import rotary_embedding  # noqa: E402
from conch.ops.normalization.gemma_rms_norm import gemma_rms_norm  # noqa: E402
from conch.ops.normalization.rms_norm import fused_add_rms_norm, rms_norm  # noqa: E402
from conch.ops.quantization.bitsandbytes import functional  # noqa: E402
from conch.ops.quantization.fp8 import scaled_fp8_quant  # noqa: E402
from conch.ops.quantization.gemm import mixed_precision_gemm, scaled_gemm  # noqa: E402
from conch.ops.quantization.int8 import scaled_int8_quant  # noqa: E402
from conch.ops.vision.bev_pool import bev_pool, bev_pool_backward  # noqa: E402
from conch.ops.vision.nms import nms  # noqa: E402
from conch.ops.vision.voxelization import VoxelizationParameter, generate_voxels  # noqa: E402
from conch.ops.vllm.copy_blocks import copy_blocks  # noqa: E402
from conch.ops.vllm.reshape_and_cache import reshape_and_cache  # noqa: E402


@case("activation")
def _():
    x = torch.randn(5, 74)
    gate, up = x.chunk(2, dim=-1)
    check("silu", silu_and_mul(x), F.silu(gate) * up)
    check("gelu", gelu_tanh_and_mul(x), F.gelu(gate, approximate="tanh") * up)


@case("rms_norm")
def _():
    x, residual, w = torch.randn(5, 40), torch.randn(5, 40), torch.randn(40)
    check("rms_norm", rms_norm(x.clone(), w, 1e-6), F.rms_norm(x, (40,), w, 1e-6))
    y, added = fused_add_rms_norm(x.clone(), residual.clone(), w, 1e-6)
    check("added", added, x + residual)
    check("normed", y, F.rms_norm(x + residual, (40,), w, 1e-6))
    check("gemma", gemma_rms_norm(x.clone(), w, 1e-6), F.rms_norm(x, (40,), 1 + w, 1e-6))


@case("rotary")
def _():
    from conch.reference.embedding.rotary_embedding import compute_cos_sin_cache
    from conch.reference.embedding.rotary_embedding import rotary_embedding as expected

    at, q, k = torch.randint(0, 50, (7,)), torch.randn(7, 4 * 32), torch.randn(7, 2 * 32)
    table = compute_cos_sin_cache(10000.0, 32, 50)
    check("rotary", rotary_embedding(at, q.clone(), k.clone(), 32, table), expected(at, q.clone(), k.clone(), table, 32, 32))


@case("int8")
def _():
    x, scale = torch.randn(5, 37), torch.tensor([0.02])
    check("int8", scaled_int8_quant(x, scale)[0], (x / scale).round().clamp(-128, 127), 1e-2)


@case("fp8")
def _():
    x, scale = torch.randn(5, 64), torch.tensor([0.02])
    check("fp8", scaled_fp8_quant(x, scale)[0].float(), (x / scale).to(torch.float8_e4m3fn).float(), 1e-6)


@case("scaled_gemm")
def _():
    a, b = torch.randint(-9, 9, (20, 64), dtype=torch.int8), torch.randint(-9, 9, (64, 40), dtype=torch.int8)
    sa, sb = torch.rand(20, 1), torch.rand(40, 1)
    check("scaled_gemm", scaled_gemm(a, b, sa, sb, torch.float32), a.float() @ b.float() * sa * sb.T)


@case("mixed_gemm")
def _():
    x, w, s = torch.randn(20, 128, dtype=torch.float16), torch.randint(0, 16, (128, 64)), torch.rand(1, 64, dtype=torch.float16)
    packed = sum(w.reshape(16, 8, 64)[:, i] << 4 * i for i in range(8)).to(torch.int32)
    y = mixed_precision_gemm(x, packed, s, None, weight_size_bits=4, weight_bias=8, group_size=128)
    check("mixed_gemm", y, x.float() @ ((w - 8) * s.float()), 5e-3)


@case("fp4")
def _():
    x = torch.randn(256)
    packed, state = functional.quantize_4bit(x, quant_type="nf4")
    again = functional.dequantize_4bit(packed, state, quant_type="nf4")
    blocks = x.reshape(4, 64)
    most = blocks.abs().amax(1, keepdim=True)
    levels = torch.tensor(
        [-1.0, -0.6961928, -0.5250731, -0.3949175, -0.2844414, -0.1847734, -0.09105, 0.0]
        + [0.0795803, 0.1609302, 0.2461123, 0.3379152, 0.4407098, 0.562617, 0.7229568, 1.0]
    )
    check("absmax", state.absmax, most[:, 0])
    check("nf4", again.reshape(4, 64), levels[(blocks / most)[..., None].sub(levels).abs().argmin(-1)] * most, 1e-3)
    packed, state = functional.quantize_4bit(x, quant_type="fp4")
    check("fp4", functional.dequantize_4bit(packed, state, quant_type="fp4"), x, 0.2)


def paged(lengths, blocks, size, heads, dim):
    """Caches of keys and values in blocks, which blocks each sequence has, and its keys and values one after another."""
    caches = [torch.randn(blocks, size, heads, dim) for _ in range(2)]
    most = -(-max(lengths) // size)
    table = torch.randperm(blocks)[: len(lengths) * most].reshape(len(lengths), most).to(torch.int32)
    return caches, table, [[cache[row.long()].reshape(-1, heads, dim)[:n] for cache in caches] for row, n in zip(table, lengths)]


@case("paged_attention")
def _():
    lengths = 37, 20
    (keys, values), table, sequences = paged(lengths, 8, 16, 2, 32)
    q = torch.randn(2, 4, 32)
    expected = [
        F.scaled_dot_product_attention(a[:, None], k.transpose(0, 1).repeat_interleave(2, 0), v.transpose(0, 1).repeat_interleave(2, 0))[:, 0]
        for a, (k, v) in zip(q, sequences)
    ]
    y = paged_attention(q, keys, values, table, torch.tensor(lengths, dtype=torch.int32))
    check("paged_attention", y, torch.stack(expected), 2e-3)


@case("varlen_attention")
def _():
    lengths = 37, 20
    (keys, values), table, sequences = paged(lengths, 8, 16, 2, 32)
    starts = torch.tensor([0, 37, 57], dtype=torch.int32)
    q = torch.randn(57, 4, 32)
    expected = [
        F.scaled_dot_product_attention(
            a.transpose(0, 1), k.transpose(0, 1).repeat_interleave(2, 0), v.transpose(0, 1).repeat_interleave(2, 0), is_causal=True
        ).transpose(0, 1)
        for a, (k, v) in zip(q.split(lengths), sequences)
    ]
    y = varlen_attention(q, keys, values, starts, 37, torch.tensor(lengths, dtype=torch.int32), 37, table, causal=True)
    check("varlen_attention", y, torch.cat(expected), 2e-3)


@case("bev_pool")
def _():
    from conch.reference.vision.bev_pool import bev_pool as expected
    from conch.reference.vision.bev_pool import bev_pool_backward as expected_backward

    starts, lengths = torch.tensor([0, 3, 7], dtype=torch.int32), torch.tensor([3, 4, 5], dtype=torch.int32)
    at = torch.tensor([[0, 1, 0, 0], [2, 1, 0, 1], [3, 0, 1, 0]], dtype=torch.int32).repeat_interleave(lengths.long(), 0)
    x, dy = torch.randn(12, 20), torch.randn(2, 2, 4, 2, 20)
    check("forward", bev_pool(x, at, starts, lengths, 2, 2, 4, 2), expected(x, at, starts, lengths, 2, 2, 4, 2))
    check("backward", bev_pool_backward(dy, at, starts, lengths), expected_backward(dy, at, starts, lengths, 2, 2, 4, 2))


@case("nms")
def _():
    from conch.reference.vision.nms import nms as expected

    corners = torch.rand(40, 2) * 10
    boxes, scores = torch.cat([corners, corners + 1 + torch.rand(40, 2) * 4], 1), torch.rand(40)
    check("nms", nms(boxes, scores, 0.4), expected(boxes, scores, 0.4))


@case("voxels")
def _():
    points = torch.rand(300, 4) * 4
    filled, features, at, counts = generate_voxels(points, VoxelizationParameter((0, 0, 0), (4, 4, 4), (1, 1, 2), 8))
    cells = (points[:, :3] / torch.tensor([1, 1, 2])).long()
    expected = {}
    for cell, point in zip(cells.tolist(), points):
        expected.setdefault(tuple(cell), []).append(point)
    check("filled", filled, [len(expected)])
    counted = {tuple(cell[:3]): count for cell, count in zip(at[: len(expected)].tolist(), counts.tolist())}
    check("counts", [counted.get(cell, -1) for cell in expected], [min(8, len(points)) for points in expected.values()])


@case("copy_blocks")  # with addresses in an array of integers
def _():
    layers = [[torch.randn(6, 48) for _ in range(2)] for _ in range(2)]
    copies, pairs = [[cache.clone() for cache in caches] for caches in layers], [(0, 3), (2, 5)]
    copy_blocks(*copies, torch.tensor(pairs))
    for caches, copied in zip(layers, copies):
        for cache, copy in zip(caches, copied):
            expected = cache.clone()
            expected[[3, 5]] = cache[[0, 2]]
            check("copy_blocks", copy, expected)


@case("reshape_and_cache")
def _():
    key, value, slots = torch.randn(5, 2, 16), torch.randn(5, 2, 16), torch.tensor([3, 17, 9, 30, 0])
    keys, values = torch.zeros(4, 8, 2, 16), torch.zeros(4, 8, 2, 16)
    reshape_and_cache(key, value, keys, values, slots)
    check("keys", keys.reshape(32, 2, 16)[slots], key)
    check("values", values.reshape(32, 2, 16)[slots], value)
    check("others", keys.count_nonzero(), key.count_nonzero())


harness.finish()
