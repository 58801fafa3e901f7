# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of FlagGems, called as functions, against those of torch."""

import os

import torch
import torch.nn.functional as F
from harness import Harness

harness = Harness("gems")
case, check = harness.case, harness.check
os.environ.setdefault("GEMS_VENDOR", "nvidia")  # else it looks for nvidia-smi
import flag_gems  # noqa: E402
from flag_gems.utils.codegen_config_utils import CODEGEN_COFIGS  # noqa: E402

# Triton 3.9 has no block pointers, which this library's generated code would use.
for config in CODEGEN_COFIGS.values():
    if config is not None:
        object.__setattr__(config, "prefer_block_pointer", False)
ops = flag_gems.ops
x = torch.randn(5, 37)
y = torch.randn(5, 37)
p = torch.rand(5, 37) + 0.1
b = torch.randn(5, 37) > 0
ii = torch.randint(1, 9, (5, 37), dtype=torch.int32)
jj = torch.randint(1, 9, (5, 37), dtype=torch.int32)
h = torch.randn(5, 37, dtype=torch.float16)
U = "abs neg exp exp2 log sqrt rsqrt sin cos tanh sigmoid relu gelu silu erf reciprocal isnan isinf isfinite logical_not tan atan acos softplus elu log_sigmoid celu ceil".split()
B = "add sub mul true_divide div_mode floor_divide remainder pow_tensor_tensor maximum minimum eq ne lt le gt ge logical_and logical_or logical_xor polar atan2".split()


def T(n):
    return {
        "true_divide": torch.true_divide,
        "pow_tensor_tensor": torch.pow,
        "log_sigmoid": F.logsigmoid,
        "softplus": F.softplus,
        "elu": F.elu,
        "celu": F.celu,
        "silu": F.silu,
        "gelu": F.gelu,
        "relu": F.relu,
        "true_divide_tensor": torch.true_divide,
    }.get(n) or getattr(torch, n)


def mk(n, *a):
    @case(n + "/" + str(a[0].dtype)[6:])
    def _():
        check(n, getattr(ops, n)(*a), T(n)(*a), 3e-3 if a[0].dtype == torch.float16 else 2e-4)


for n in U:
    if hasattr(ops, n):
        mk(n, p if n in ("log", "sqrt", "rsqrt", "acos") else x)
        if n in ("exp", "gelu", "tanh", "silu"):
            mk(n, h)
for n in B:
    if hasattr(ops, n) and n not in ("div_mode",):
        mk(n, p if n.startswith("pow") else x, y)
for n in "bitwise_and_tensor bitwise_or_tensor bitwise_not floor_divide remainder".split():
    if hasattr(ops, n):
        tn = {"bitwise_and_tensor": torch.bitwise_and, "bitwise_or_tensor": torch.bitwise_or}.get(n) or getattr(torch, n)
        case(n + "/i32")(
            lambda n=n, tn=tn: check(
                n,
                getattr(ops, n)(*((ii,) if n == "bitwise_not" else (ii, jj))),
                tn(*((ii,) if n == "bitwise_not" else (ii, jj))),
            )
        )
X = [
    ("sum", lambda: (ops.sum(x), torch.sum(x))),
    ("sum_dim", lambda: (ops.sum_dim(x, [1]), torch.sum(x, [1]))),
    ("mean", lambda: (ops.mean(x), torch.mean(x))),
    ("mean_dim", lambda: (ops.mean_dim(x, [0]), torch.mean(x, [0]))),
    ("max", lambda: (ops.max(x), torch.max(x))),
    ("max_dim", lambda: (tuple(ops.max_dim(x, 1)), tuple(torch.max(x, 1)))),
    ("min", lambda: (ops.min(x), torch.min(x))),
    ("min_dim", lambda: (tuple(ops.min_dim(x, 1)), tuple(torch.min(x, 1)))),
    ("amax", lambda: (ops.amax(x, [1]), torch.amax(x, [1]))),
    ("argmax", lambda: (ops.argmax(x, 1), torch.argmax(x, 1))),
    ("argmin", lambda: (ops.argmin(x, 0), torch.argmin(x, 0))),
    ("argmax_all", lambda: (ops.argmax(x), torch.argmax(x))),
    ("prod", lambda: (ops.prod(p), torch.prod(p))),
    ("prod_dim", lambda: (ops.prod_dim(p, 1), torch.prod(p, 1))),
    ("all", lambda: (ops.all(b), torch.all(b))),
    ("all_dim", lambda: (ops.all_dim(b, 1), torch.all(b, 1))),
    ("any", lambda: (ops.any(b), torch.any(b))),
    ("any_dim", lambda: (ops.any_dim(b, 1), torch.any(b, 1))),
    ("softmax", lambda: (ops.softmax(x, -1), torch.softmax(x, -1))),
    ("softmax0", lambda: (ops.softmax(x, 0), torch.softmax(x, 0))),
    ("log_softmax", lambda: (ops.log_softmax(x, -1), torch.log_softmax(x, -1))),
    ("cumsum", lambda: (ops.cumsum(x, 1), torch.cumsum(x, 1))),
    ("cumsum0", lambda: (ops.cumsum(x, 0), torch.cumsum(x, 0))),
    ("cummin", lambda: (tuple(ops.cummin(x, 1)), tuple(torch.cummin(x, 1)))),
    ("cummax", lambda: (tuple(ops.cummax(x, 1)), tuple(torch.cummax(x, 1)))),
    ("mm", lambda: (ops.mm(x, y.T.contiguous()), x @ y.T)),
    ("mm16", lambda: (ops.mm(h, h.T.contiguous()), h @ h.T)),
    ("addmm", lambda: (ops.addmm(torch.ones(5, 5), x, y.T.contiguous()), torch.addmm(torch.ones(5, 5), x, y.T))),
    ("bmm", lambda: (ops.bmm(x[None], y.T[None].contiguous()), torch.bmm(x[None], y.T[None]))),
    ("mv", lambda: (ops.mv(x, y[0].contiguous()), torch.mv(x, y[0]))),
    ("dot", lambda: (ops.dot(x[0], y[0]), torch.dot(x[0], y[0]))),
    ("vdot", lambda: (ops.vdot(x[0], y[0]), torch.vdot(x[0], y[0]))),
    (
        "baddbmm",
        lambda: (
            ops.baddbmm(torch.ones(1, 5, 5), x[None], y.T[None].contiguous()),
            torch.baddbmm(torch.ones(1, 5, 5), x[None], y.T[None]),
        ),
    ),
    ("layer_norm", lambda: (ops.layer_norm(x, [37], torch.ones(37), torch.zeros(37))[0], F.layer_norm(x, [37]))),
    (
        "group_norm",
        lambda: (
            ops.group_norm(torch.arange(64.0).reshape(2, 4, 8), torch.ones(4), torch.zeros(4), 2, 4, 8, 2)[0],
            F.group_norm(torch.arange(64.0).reshape(2, 4, 8), 2),
        ),
    ),
    ("rms_norm", lambda: (ops.rms_norm(x, [37], torch.ones(37)), F.rms_norm(x, [37]))),
    ("vector_norm", lambda: (ops.vector_norm(x, 2, [1]), torch.linalg.vector_norm(x, 2, [1]))),
    ("var_mean", lambda: (tuple(ops.var_mean(x, [1])), tuple(torch.var_mean(x, [1])))),
    ("std", lambda: (ops.std(x, [1]), torch.std(x, [1]))),
    ("where", lambda: (ops.where_self(b, x, y), torch.where(b, x, y))),
    ("clamp", lambda: (ops.clamp(x, -0.5, 0.5), torch.clamp(x, -0.5, 0.5))),
    ("masked_fill", lambda: (ops.masked_fill(x, b, 2.0), torch.masked_fill(x, b, 2.0))),
    ("masked_select", lambda: (ops.masked_select(x, b), torch.masked_select(x, b))),
    ("nonzero", lambda: (ops.nonzero(b), torch.nonzero(b))),
    (
        "index_select",
        lambda: (ops.index_select(x, 1, torch.tensor([3, 1, 2])), torch.index_select(x, 1, torch.tensor([3, 1, 2]))),
    ),
    ("gather", lambda: (ops.gather(x, 1, ii.long()), torch.gather(x, 1, ii.long()))),
    (
        "scatter",
        lambda: (
            ops.scatter(x, 1, torch.arange(37).expand(5, 37).contiguous(), y),
            torch.scatter(x, 1, torch.arange(37).expand(5, 37), y),
        ),
    ),
    (
        "scatter_add",
        lambda: (
            ops.scatter(torch.zeros(5, 37), 1, ii.long(), y, reduce="add"),
            torch.scatter(torch.zeros(5, 37), 1, ii.long(), y, reduce="add"),
        ),
    ),
    (
        "index_add",
        lambda: (
            ops.index_add(x, 0, torch.tensor([0, 2]), y[:2].contiguous()),
            torch.index_add(x, 0, torch.tensor([0, 2]), y[:2]),
        ),
    ),
    ("embedding", lambda: (ops.embedding(x, ii[:, 0].long() % 5), F.embedding(ii[:, 0].long() % 5, x))),
    ("index", lambda: (ops.index(x, [torch.tensor([0, 2]), torch.tensor([1, 3])]), x[[0, 2], [1, 3]])),
    ("sort", lambda: (tuple(ops.sort(x, 1)), tuple(torch.sort(x, 1)))),
    ("topk", lambda: (tuple(ops.topk(x, 5)), tuple(torch.topk(x, 5)))),
    ("unique", lambda: (ops._unique2(ii)[0], torch.unique(ii))),
    ("isin", lambda: (ops.isin(ii, jj[0]), torch.isin(ii, jj[0]))),
    ("triu", lambda: (ops.triu(x, 1), torch.triu(x, 1))),
    ("tril", lambda: (ops.tril(x, 1), torch.tril(x, 1))),
    ("flip", lambda: (ops.flip(x, [1]), torch.flip(x, [1]))),
    ("cat", lambda: (ops.cat([x, y], 1), torch.cat([x, y], 1))),
    ("stack", lambda: (ops.stack([x, y], 1), torch.stack([x, y], 1))),
    ("hstack", lambda: (ops.hstack([x, y]), torch.hstack([x, y]))),
    ("vstack", lambda: (ops.vstack([x, y]), torch.vstack([x, y]))),
    ("repeat", lambda: (ops.repeat(x, (2, 1)), x.repeat(2, 1))),
    ("tile", lambda: (ops.tile(x, (2, 2)), torch.tile(x, (2, 2)))),
    ("pad", lambda: (ops.pad(x, (1, 2)), F.pad(x, (1, 2)))),
    ("repeat_interleave", lambda: (ops.repeat_interleave_self_int(x, 2, 1), torch.repeat_interleave(x, 2, 1))),
    ("diag", lambda: (ops.diag(x[0]), torch.diag(x[0]))),
    ("diag_embed", lambda: (ops.diag_embed(x), torch.diag_embed(x))),
    ("kron", lambda: (ops.kron(x[:2, :3].contiguous(), y[:2, :2].contiguous()), torch.kron(x[:2, :3], y[:2, :2]))),
    ("arange", lambda: (ops.arange(37), torch.arange(37))),
    ("linspace", lambda: (ops.linspace(0, 1, 37), torch.linspace(0, 1, 37))),
    ("full", lambda: (ops.full((5, 7), 2.0, dtype=torch.float32), torch.full((5, 7), 2.0))),
    ("eye", lambda: (ops.eye(7), torch.eye(7))),
    ("ones", lambda: (ops.ones((5, 7), dtype=torch.float32), torch.ones(5, 7))),
    ("lerp", lambda: (ops.lerp_tensor(x, y, p), torch.lerp(x, y, p))),
    ("addcmul", lambda: (ops.addcmul(x, y, p), torch.addcmul(x, y, p))),
    ("addcdiv", lambda: (ops.addcdiv(x, y, p), torch.addcdiv(x, y, p))),
    ("threshold", lambda: (ops.threshold(x, 0.1, 2.0), F.threshold(x, 0.1, 2.0))),
    ("glu", lambda: (ops.glu(x[:, :36].contiguous(), 1), F.glu(x[:, :36], 1))),
    ("isclose", lambda: (ops.isclose(x, x + 1e-9), torch.isclose(x, x + 1e-9))),
    ("count_nonzero", lambda: (ops.count_nonzero(b), torch.count_nonzero(b))),
    ("to_copy", lambda: (ops.to_copy(x, dtype=torch.float16), x.half())),
    ("mse_loss", lambda: (ops.mse_loss(x, y), F.mse_loss(x, y))),
    (
        "nll",
        lambda: (
            ops.nll_loss_forward(torch.log_softmax(x, 1), ii[:, 0].long())[0],
            F.nll_loss(torch.log_softmax(x, 1), ii[:, 0].long()),
        ),
    ),
    ("conv1d", lambda: (ops.conv1d(x[None], torch.ones(4, 5, 3)), F.conv1d(x[None], torch.ones(4, 5, 3)))),
    (
        "conv2d",
        lambda: (
            ops.conv2d(torch.arange(200.0).reshape(1, 2, 10, 10), torch.ones(3, 2, 3, 3)),
            F.conv2d(torch.arange(200.0).reshape(1, 2, 10, 10), torch.ones(3, 2, 3, 3)),
        ),
    ),
    (
        "batch_norm",
        lambda: (
            ops.batch_norm(x[None], None, None, torch.zeros(5), torch.ones(5), True, 0.1, 1e-5)[0],
            F.batch_norm(x[None], torch.zeros(5), torch.ones(5), training=True),
        ),
    ),
    (
        "max_pool2d",
        lambda: (
            ops.max_pool2d_with_indices(torch.arange(100.0).reshape(1, 1, 10, 10), 2)[0],
            F.max_pool2d(torch.arange(100.0).reshape(1, 1, 10, 10), 2),
        ),
    ),
    (
        "avg_pool2d",
        lambda: (
            ops.avg_pool2d(torch.arange(100.0).reshape(1, 1, 10, 10), 2),
            F.avg_pool2d(torch.arange(100.0).reshape(1, 1, 10, 10), 2),
        ),
    ),
    (
        "upsample",
        lambda: (
            ops.upsample_nearest2d(torch.arange(16.0).reshape(1, 1, 4, 4), (8, 8)),
            F.interpolate(torch.arange(16.0).reshape(1, 1, 4, 4), (8, 8)),
        ),
    ),
    ("weight_norm", lambda: (ops.weight_norm_interface(x, torch.ones(5, 1), 0)[0], x / x.norm(dim=1, keepdim=True))),
    ("angle", lambda: (ops.angle(x), torch.angle(x))),
    ("nan_to_num", lambda: (ops.nan_to_num(x), torch.nan_to_num(x))),
    ("quantile", lambda: (ops.quantile(x, 0.5, 1), torch.quantile(x, 0.5, 1))),
    # What is drawn: its moments.
    ("randn", lambda: (ops.randn((64, 64)).std(), 1.0, 0.1)),
    ("rand", lambda: (ops.rand((64, 64)).mean(), 0.5, 0.1)),
    ("exponential", lambda: (ops.exponential_(torch.zeros(64, 64)).mean(), 1.0, 0.1)),
    ("dropout", lambda: ((ops.dropout(torch.ones(64, 64), 0.5)[0] != 0).float().mean(), 0.5, 0.1)),
    (
        "sdpa",
        lambda: (
            ops.scaled_dot_product_attention(
                torch.ones(1, 2, 16, 32, dtype=torch.float16),
                torch.ones(1, 2, 16, 32, dtype=torch.float16),
                torch.ones(1, 2, 16, 32, dtype=torch.float16),
            ),
            torch.ones(1, 2, 16, 32),
        ),
    ),
]
for n, f in X:
    case(n)(lambda n=n, f=f: check(n, *(*f(), 2e-3)[:3]))

harness.finish()
