# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Autograd functions of Liger-Kernel, forwards and backwards."""

import torch
import torch.nn.functional as F
from harness import Harness

harness = Harness("liger")
case, check = harness.case, harness.check


def R(*shape, grad=True):
    return torch.randn(*shape).requires_grad_(grad)


def go(outputs, *inputs, ref=None, tolerance=1e-4):
    """Compares the first output and its gradients with those of `ref`."""
    output = outputs[0] if isinstance(outputs, (tuple, list)) else outputs
    gradient = torch.randn_like(output) if output.dim() else torch.ones_like(output)
    expected = None
    if ref is not None:
        result = ref()
        check("forward", output, result, tolerance)
        expected = torch.autograd.grad(result, inputs, gradient, allow_unused=True)
    found = torch.autograd.grad(output, inputs, gradient, allow_unused=True)
    for i, (a, b) in enumerate(zip(found, expected or ())):
        if a is not None and b is not None:
            check(f"gradient {i}", a, b, tolerance)


@case("rms_norm")
def _():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction as Fn

    x, w = R(6, 48), R(48)
    go(Fn.apply(x, w, 1e-6, 0.0, "llama", False), x, w, ref=lambda: F.rms_norm(x, (48,), w, 1e-6))


@case("layer_norm")
def _():
    from liger_kernel.ops.layer_norm import LigerLayerNormFunction as Fn

    x, w, b = R(6, 48), R(48), R(48)
    go(Fn.apply(x, w, b, 1e-6), x, w, b, ref=lambda: F.layer_norm(x, (48,), w, b, 1e-6))


@case("group_norm")
def _():
    from liger_kernel.ops.group_norm import LigerGroupNormFunction as Fn

    x, w, b = R(2, 8, 16), R(8), R(8)
    go(Fn.apply(x, w, b, 8, 4, 1e-6), x, w, b, ref=lambda: F.group_norm(x, 4, w, b, 1e-6))


@case("cross_entropy")
def _():
    from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction as Fn

    x = R(6, 50)
    t = torch.randint(0, 50, (6,))
    xr = x.detach().clone().requires_grad_(True)
    ref = F.cross_entropy(xr, t)
    gr = torch.autograd.grad(ref, xr)[0]
    o = Fn.apply(x, t, None, -100, 0.0, 0.0, "mean", None, False)
    o = o[0] if isinstance(o, tuple) else o
    check("fwd", o, ref)
    g = torch.autograd.grad(o, x)[0]
    check("grad", g, gr)


@case("fused_linear_cross_entropy")
def _():
    from liger_kernel.ops.fused_linear_cross_entropy import LigerFusedLinearCrossEntropyFunction as Fn

    x, w = R(6, 32), R(50, 32)
    t = torch.randint(0, 50, (6,))
    o = Fn.apply(x, w, t, None)
    go(o, x, w, ref=lambda: F.cross_entropy(x @ w.t(), t))


@case("swiglu")
def _():
    from liger_kernel.ops.swiglu import LigerSiLUMulFunction as Fn

    a, b = R(6, 48), R(6, 48)
    ar, br = a.detach().clone().requires_grad_(), b.detach().clone().requires_grad_()
    r = F.silu(ar) * br
    g = torch.randn_like(r)
    rg = torch.autograd.grad(r, (ar, br), g)
    o = Fn.apply(a, b)
    check("fwd", o, r)
    gs = torch.autograd.grad(o, (a, b), g)
    [check("grad", x, y) for x, y in zip(gs, rg)]


@case("geglu")
def _():
    from liger_kernel.ops.geglu import LigerGELUMulFunction as Fn

    a, b = R(6, 48), R(6, 48)
    ar, br = a.detach().clone().requires_grad_(), b.detach().clone().requires_grad_()
    r = F.gelu(ar, approximate="tanh") * br
    g = torch.randn_like(r)
    rg = torch.autograd.grad(r, (ar, br), g)
    o = Fn.apply(a, b)
    check("fwd", o, r)
    gs = torch.autograd.grad(o, (a, b), g)
    [check("grad", x, y) for x, y in zip(gs, rg)]


@case("rope")
def _():
    from liger_kernel.ops.rope import LigerRopeFunction as Fn

    q, k = R(1, 4, 8, 16), R(1, 2, 8, 16)
    cos, sin = R(1, 8, 16, grad=False), R(1, 8, 16, grad=False)
    o = Fn.apply(q, k, cos, sin)
    torch.autograd.grad(o[0].sum() + o[1].sum(), (q, k))


@case("kl_div")
def _():
    from liger_kernel.ops.kl_div import LigerKLDivLossFunction as Fn

    x = F.log_softmax(R(6, 50), -1).detach().requires_grad_()
    t = F.softmax(R(6, 50, grad=False), -1)
    go(Fn.apply(x, t, "batchmean", False, 1e-10), x, ref=lambda: F.kl_div(x, t, reduction="batchmean"))


@case("jsd")
def _():
    from liger_kernel.ops.jsd import LigerJSDFunction as Fn

    x = F.log_softmax(R(6, 50), -1).detach().requires_grad_()
    t = F.log_softmax(R(6, 50, grad=False), -1)
    go(Fn.apply(x, t, None, 0.5, -100), x)


@case("tvd")
def _():
    from liger_kernel.ops.tvd import LigerTVDLossFunction as Fn

    x = F.softmax(R(6, 50), -1).detach().requires_grad_()
    t = F.softmax(R(6, 50, grad=False), -1)
    go(Fn.apply(x, t, None, "batchmean", -100), x)


@case("dyt")
def _():
    from liger_kernel.ops.dyt import LigerDyTFunction as Fn

    x, a, g, b = R(6, 48), R(1), R(48), R(48)
    go(Fn.apply(x, a, g, b), x, a, g, b, ref=lambda: torch.tanh(a * x) * g + b)


@case("softmax")
def _():
    from liger_kernel.ops.softmax import LigerSoftmaxFunction as Fn

    x = R(6, 50)
    go(Fn.apply(x), x, ref=lambda: F.softmax(x, -1))


@case("sparsemax")
def _():
    from liger_kernel.ops.sparsemax import LigerSparsemaxFunction as Fn

    x = R(6, 50)
    go(Fn.apply(x, -1), x)


@case("grpo")
def _():
    from liger_kernel.ops.grpo_loss import GrpoLossFunction as Fn

    logits = R(2, 9, 50)
    old = R(2, 8, grad=False)
    refl = R(2, 8, grad=False)
    ids = torch.randint(0, 50, (2, 8))
    m = torch.ones(2, 8, dtype=torch.int32)
    adv = R(2, grad=False)
    o = Fn.apply(logits, old, refl, ids, adv, m, 0.9, 0.04, 0.2, 0.2, True)


@case("fused_add_rms_norm")
def _():
    from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction as Fn

    x, r, w = R(6, 48), R(6, 48), R(48)
    o = Fn.apply(x, r, w, 1e-6, 0.0, "llama", False)
    go(o[0], x, r, w)


@case("multi_token_attention")
def _():
    from liger_kernel.ops.multi_token_attention import LigerMultiTokenAttentionFunction as Fn

    s, w, b = R(2, 2, 16, 16), R(2, 1, 3, 3), R(2)
    go(Fn.apply(s, w, b, 1, 1, 1, 2, False), s, w, b)


@case("qwen2vl_mrope")
def _():
    from liger_kernel.ops.qwen2vl_mrope import LigerQwen2VLMRopeFunction as Fn

    q, k = R(1, 4, 8, 16), R(1, 2, 8, 16)
    cos, sin = R(3, 1, 8, 16, grad=False), R(3, 1, 8, 16, grad=False)
    o = Fn.apply(q, k, cos, sin, [2, 3, 3])


@case("tiled")
def _():
    from liger_kernel.ops.poly_norm import LigerPolyNormFunction as Fn

    x, w, b = R(6, 48), R(3), R()
    go(Fn.apply(x, w, b, 1e-6, False), x, w, b)


@case("embedding")
def _():
    from liger_kernel.ops.experimental.embedding import LigerEmbeddingFunction as Fn

    w = R(20, 32)
    i = torch.randint(0, 20, (6,))
    go(Fn.apply(w, i), w, ref=lambda: F.embedding(i, w))


@case("mm_int8int2")
def _():
    from liger_kernel.ops.experimental.mm_int8int2 import matmul

    a = torch.randint(-3, 3, (32, 1024), dtype=torch.int8)
    b = torch.randint(0, 255, (256, 32), dtype=torch.uint8)
    matmul(a, b)


harness.finish()
