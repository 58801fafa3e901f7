# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules and operators of flash-linear-attention, against torch and against that library's plain versions in torch."""

import importlib

import torch
import torch.nn.functional as F
from harness import Harness

harness = Harness("fla")
case, check = harness.case, harness.check

from fla.modules import activations  # noqa: E402
from fla.modules.fused_cross_entropy import ops as cross_entropy  # noqa: E402
from fla.modules.norm import fused_norm_gate, l2norm, layernorm  # noqa: E402
from fla.modules.rotary import ops as rotary  # noqa: E402
from fla.modules.token_shift import token_shift, token_shift_ref  # noqa: E402
from fla.ops import utils  # noqa: E402


def grads(function, inputs, dy):
    """What `function` gives for `inputs`, and their gradients."""
    inputs = [x.detach().clone().requires_grad_() for x in inputs]
    y = function(*inputs)
    y = y[0] if isinstance(y, tuple) else y
    y.backward(dy if dy.shape == y.shape else dy.expand_as(y))
    return (y, *(x.grad for x in inputs))


def both(name, function, reference, inputs, tolerance=2e-3, gradients=True):
    """A case: values of `function`, and their gradients, are those of `reference`."""

    @case(name)
    def _():
        made = inputs()
        if not gradients:
            first = [y[0] if isinstance(y, tuple) else y for y in (function(*made), reference(*made))]
            check(name, *first, tolerance)
            return
        y = reference(*made)
        dy = torch.randn_like(y[0] if isinstance(y, tuple) else y)
        check(name, grads(function, made, dy), grads(reference, made, dy), tolerance)


def random(*shape):
    return torch.randn(*shape)


both("sigmoid", activations.sigmoid, torch.sigmoid, lambda: [random(5, 37)])
both("logsigmoid", activations.logsigmoid, F.logsigmoid, lambda: [random(5, 37)])
both("swish", activations.swish, F.silu, lambda: [random(5, 37)])
# The function of that name takes torch for tensors of the CPU.
both("elu_p1", activations.ops.ELUPlusOneFunction.apply, lambda x: F.elu(x) + 1, lambda: [random(5, 37)])
both("swiglu", activations.swiglu, lambda x, y: F.silu(x) * y, lambda: [random(5, 37), random(5, 37)])
both("sigmoidglu", activations.sigmoidglu, lambda x, y: torch.sigmoid(x) * y, lambda: [random(5, 37), random(5, 37)])
both("layer_norm", layernorm.layer_norm, lambda x, w, b: F.layer_norm(x, (40,), w, b), lambda: [random(6, 40), random(40), random(40)])
both(
    "rms_norm",
    lambda x, w: layernorm.rms_norm(x, w, None, eps=1e-6),
    lambda x, w: F.rms_norm(x, (40,), w, eps=1e-6),
    lambda: [random(6, 40), random(40)],
)
both(
    "group_norm",
    lambda x, w, b: layernorm.group_norm(x, w, b, num_groups=4),
    lambda x, w, b: F.group_norm(x, 4, w, b),
    lambda: [random(6, 64), random(64), random(64)],
)
both("l2norm", l2norm.l2norm, lambda x: x * torch.rsqrt(x.square().sum(-1, keepdim=True) + 1e-6), lambda: [random(6, 40)])
both(
    "rms_norm_gated",
    lambda x, g, w: fused_norm_gate.rms_norm_gated(x, g, w, None, eps=1e-6),
    lambda x, g, w: F.rms_norm(x, (40,), w, eps=1e-6) * F.silu(g),
    lambda: [random(6, 40), random(6, 40), random(40)],
)
both(
    "cross_entropy",
    lambda x: cross_entropy.cross_entropy_loss(x, torch.arange(5) * 7)[0],
    lambda x: F.cross_entropy(x, torch.arange(5) * 7, reduction="none"),
    lambda: [random(5, 37)],
)
both("token_shift", token_shift, token_shift_ref, lambda: [random(2, 13, 24)])


@case("rotary")
def _():
    x, at = torch.randn(2, 9, 3, 32), torch.outer(torch.arange(9.0), 10000 ** (-torch.arange(16.0) / 16))
    expected = rotary.rotary_embedding_ref(x, at.cos(), at.sin())
    check("rotary", rotary.rotary_embedding(x, at.cos(), at.sin()), expected)


@case("cumsum")
def _():
    from fla.ops.utils import cumsum

    g = torch.randn(2, 70, 3)
    chunks = F.pad(g, (0, 0, 0, 26)).reshape(2, 3, 32, 3).cumsum(2).reshape(2, 96, 3)[:, :70]
    check("local", cumsum.chunk_local_cumsum(g, 32), chunks)
    check("global", cumsum.chunk_global_cumsum(g), g.cumsum(1))
    s = torch.randn(2, 70, 3, 16)
    check("vector", cumsum.chunk_global_cumsum(s), s.cumsum(1))
    check("reverse", cumsum.chunk_global_cumsum(s, reverse=True), s.flip(1).cumsum(1).flip(1))


@case("softmax")
def _():
    from fla.ops.utils import softmax

    x, dp = torch.randn(6, 40), torch.randn(6, 40)
    p = softmax.softmax_fwd(x)
    check("forward", p, torch.softmax(x, -1))
    check("backward", softmax.softmax_bwd(p, dp), p * (dp - (p * dp).sum(-1, keepdim=True)))


@case("logsumexp")
def _():
    from fla.ops.utils.logsumexp import logsumexp_fwd

    x = torch.randn(6, 40)
    check("logsumexp", logsumexp_fwd(x), torch.logsumexp(x, -1))


@case("matmul")
def _():
    from fla.ops.utils.matmul import addmm, matmul

    a, b, c = torch.randn(40, 24), torch.randn(24, 33), torch.randn(40, 33)
    check("matmul", matmul(a, b), a @ b, 2e-3)
    check("relu", matmul(a, b, "relu"), (a @ b).relu(), 2e-3)
    check("addmm", addmm(c, a, b), c + a @ b, 2e-3)


@case("mean_pooling")
def _():
    from fla.ops.utils.pooling import mean_pooling

    x = torch.randn(2, 64, 2, 16)
    check("mean", mean_pooling(x, 32), x.reshape(2, 2, 32, 2, 16).mean(2))


@case("solve_tril")
def _():
    from fla.ops.utils.solve_tril import solve_tril

    for size in 16, 32, 64:
        a = (torch.randn(1, 64, 2, size) * 0.2).float()
        blocks = a.reshape(1, 64 // size, size, 2, size).transpose(2, 3).tril(-1)
        a = blocks.transpose(2, 3).reshape(1, 64, 2, size).contiguous()
        inverse = torch.linalg.inv(torch.eye(size) + blocks).transpose(2, 3).reshape(1, 64, 2, size)
        check(f"{size}", solve_tril(a, output_dtype=torch.float), inverse, 5e-3)


@case("sinkhorn")
def _():
    from fla.ops.utils.sinkhorn import naive_sinkhorn, sinkhorn

    x = torch.randn(6, 4, 4)
    check("sinkhorn", sinkhorn(x), naive_sinkhorn(x))


@case("causal_conv1d")
def _():
    from fla.modules.causal_conv1d.ops import causal_conv1d_fwd

    x, w = torch.randn(2, 21, 24), torch.randn(24, 4)
    y = F.conv1d(x.transpose(1, 2), w[:, None], padding=3, groups=24)[..., :21].transpose(1, 2)
    check("conv", causal_conv1d_fwd(x, w, None, None)[0], y)


# Attention without softmax: chunks by dots, or step by step.
B, T, H, D = 1, 64, 2, 16


def heads(*last):
    return torch.randn(B, T, H, *last)


def unit():
    return F.normalize(heads(D), dim=-1)


def gate():
    return F.logsigmoid(heads(D))


def op(name, module, function, naive, inputs, options=None, gradients=True, tolerance=5e-3, swaps=False, both_take=False):
    """A case of an operator in `fla.ops` and of its plain version, both of which give a tensor, or that and a state. With
    `swaps` the plain version has heads before time; with `both_take` it takes the options, too."""

    def call(*x):
        return getattr(importlib.import_module(f"fla.ops.{module}"), function)(*x, **(options or {}))

    def plain(*x):
        function = getattr(importlib.import_module(f"fla.ops.{module}.naive"), naive)
        if not swaps:
            return function(*x, **(options or {}) if both_take else {})
        y = function(*(value.transpose(1, 2) for value in x))
        return (y[0] if isinstance(y, tuple) else y).transpose(1, 2)

    both(name, call, plain, inputs, tolerance, gradients)


qkv = lambda: [heads(D), heads(D), heads(D)]  # noqa: E731
op("gla", "gla", "chunk_gla", "naive_recurrent_gla", lambda: [*qkv(), gate()])
op("gla_recurrent", "gla", "fused_recurrent_gla", "naive_recurrent_gla", lambda: [*qkv(), gate()])
op("simple_gla", "simple_gla", "chunk_simple_gla", "naive_recurrent_simple_gla", lambda: [*qkv(), F.logsigmoid(heads())])
op("simple_gla_parallel", "simple_gla", "parallel_simple_gla", "naive_parallel_simple_gla", lambda: [*qkv(), F.logsigmoid(heads())])
op("retention", "retention", "chunk_retention", "naive_retention", qkv, swaps=True)
op("retention_parallel", "retention", "parallel_retention", "naive_retention", qkv, swaps=True)
op("linear", "linear_attn", "chunk_linear_attn", "naive_recurrent_linear_attn", qkv, {"normalize": False})
op("linear_fused", "linear_attn", "fused_chunk_linear_attn", "naive_recurrent_linear_attn", qkv, {"normalize": False})
op(
    "delta",  # takes no floats of 32 bits
    "delta_rule",
    "chunk_delta_rule",
    "delta_rule_recurrence",
    lambda: [x.bfloat16() for x in (heads(D), unit(), heads(D), torch.rand(B, T, H))],
    tolerance=3e-2,
    swaps=True,
)
op("delta_recurrent", "delta_rule", "fused_recurrent_delta_rule", "delta_rule_recurrence", lambda: [heads(D), unit(), heads(D), torch.rand(B, T, H)], swaps=True)
op("kda", "kda", "chunk_kda", "naive_recurrent_kda", lambda: [unit(), unit(), heads(D), gate(), torch.rand(B, T, H)], gradients=False)
op("kda_recurrent", "kda", "fused_recurrent_kda", "naive_recurrent_kda", lambda: [unit(), unit(), heads(D), gate(), torch.rand(B, T, H)], gradients=False)
op("hgrn", "hgrn", "fused_recurrent_hgrn", "naive_recurrent_hgrn", lambda: [torch.randn(2, 40, 24), F.logsigmoid(torch.randn(2, 40, 24))])
op("hgrn_chunk", "hgrn", "chunk_hgrn", "naive_recurrent_hgrn", lambda: [torch.randn(2, 40, 24), F.logsigmoid(torch.randn(2, 40, 24))])
op("based", "based", "parallel_based", "naive_parallel_based", qkv, swaps=True)
op("rebased", "rebased", "parallel_rebased", "naive_parallel_rebased", qkv, swaps=True)
op("gsa", "gsa", "chunk_gsa", "naive_recurrent_gsa", lambda: [*qkv(), heads(D), gate()], gradients=False)
op("gdn2", "gdn2", "chunk_gdn2", "naive_recurrent_gdn2", lambda: [unit(), unit(), heads(D), gate(), torch.rand(B, T, H, D), torch.rand(B, T, H, D)], gradients=False)
op("iplr", "generalized_delta_rule.iplr", "chunk_iplr_delta_rule", "iplr_recurrence", lambda: [heads(D), heads(D), heads(D), -unit(), unit() * 0.5], gradients=False, swaps=True, tolerance=2e-2)
op("parallax", "parallax", "parallel_parallax", "naive_parallax", lambda: [x.half() for x in (*qkv(), heads(D))], gradients=False)
op("wall", "wall_attn", "parallel_wall_attn", "naive_wall_attn", lambda: [*qkv(), gate()], {"scale": 0.25}, gradients=False, both_take=True)
op("attn", "attn", "parallel_attn", "naive_parallel_attn", qkv)
op("forgetting", "forgetting_attn", "parallel_forgetting_attn", "naive_forgetting_attn", lambda: [*qkv(), F.logsigmoid(heads())])


@case("comba")
def _():
    from fla.ops.comba import chunk_comba, fused_recurrent_comba

    q, k, v, p, beta, g = heads(D), unit(), heads(D), unit(), torch.rand(B, T, H), F.logsigmoid(heads())
    # The library's plain version lets the state decay before it is subtracted, its kernels after that.
    state, expected = torch.zeros(B, H, D, D), torch.zeros(B, T, H, D)
    for t in range(T):
        new = (v[:, t] - (state * p[:, t, :, :, None]).sum(2)) * beta[:, t, :, None]
        state = state * g[:, t, :, None, None].exp() + k[:, t, :, :, None] * new[:, :, None]
        expected[:, t] = (q[:, t, :, :, None] * D**-0.5 * state).sum(2)
    check("recurrent", fused_recurrent_comba(q, k, p, v, g, beta)[0], expected, 5e-3)
    check("chunk", chunk_comba(*(x.bfloat16() for x in (q, k, v, p, g, beta)))[0], expected, 3e-2)


@case("gated_delta")
def _():
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule, fused_recurrent_gated_delta_rule, naive_recurrent_gated_delta_rule

    q, k, v, beta, g = heads(D), unit(), heads(D), torch.rand(B, T, H), F.logsigmoid(heads())
    expected = naive_recurrent_gated_delta_rule(q, k, v, beta, g)[0]
    check("chunk", chunk_gated_delta_rule(q, k, v, g=g, beta=beta)[0], expected, 5e-3)
    check("recurrent", fused_recurrent_gated_delta_rule(q, k, v, g=g, beta=beta)[0], expected, 5e-3)


harness.finish()
