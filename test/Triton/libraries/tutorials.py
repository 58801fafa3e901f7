# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels like those of Triton's tutorials."""

import torch
import torch.nn.functional as F
import triton
import triton.language as tl
from harness import Harness
from triton.tools.tensor_descriptor import TensorDescriptor
from triton.language.extra import libdevice

harness = Harness("tutorials")
case, check = harness.case, harness.check


@triton.jit
def add_k(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@case("add")
def _():
    x, y, o = torch.randn(1000), torch.randn(1000), torch.zeros(1000)
    add_k[(4,)](x, y, o, 1000, B=256)
    check("add", o, x + y)


@triton.jit
def drop_k(x, o, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    r = tl.rand(seed, i)
    v = tl.load(x + i, mask=m)
    tl.store(o + i, tl.where(r > p, v / (1 - p), 0.0), mask=m)


@case("dropout")
def _():
    x, o = torch.randn(1000), torch.zeros(1000)
    drop_k[(4,)](x, o, 1000, 0.5, 123, B=256)


@triton.jit
def randn_k(o, n, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.randn(seed, i), mask=i < n)


@case("randn")
def _():
    o = torch.zeros(4000)
    randn_k[(4,)](o, 4000, 7, B=1024)


@triton.jit
def asin_k(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, libdevice.asin(tl.load(x + i, mask=m)), mask=m)


@case("asin")
def _():
    x, o = torch.rand(1000), torch.zeros(1000)
    asin_k[(4,)](x, o, 1000, B=256)
    check("asin", o, torch.asin(x))


@triton.jit
def softmax_k(o, x, xs, os_, n, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + r * xs + c, mask=c < n, other=-float("inf"))
    v = v - tl.max(v, 0)
    e = tl.exp(v)
    tl.store(o + r * os_ + c, e / tl.sum(e, 0), mask=c < n)


@case("softmax")
def _():
    x = torch.randn(7, 100)
    o = torch.zeros(7, 100)
    softmax_k[(7,)](o, x, 100, 100, 100, B=128)
    check("softmax", o, F.softmax(x, -1))


@triton.jit
def leaky(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.jit
def mm_k(
    a,
    b,
    c,
    M,
    N,
    K,
    am,
    ak,
    bk,
    bn,
    cm,
    cn,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    G: tl.constexpr,
    ACT: tl.constexpr,
):
    pid = tl.program_id(0)
    nm = tl.cdiv(M, BM)
    nn = tl.cdiv(N, BN)
    ng = G * nn
    g = pid // ng
    f = g * G
    gs = min(nm - f, G)
    pm = f + ((pid % ng) % gs)
    pn = (pid % ng) // gs
    tl.assume(pm >= 0)
    tl.assume(pn >= 0)
    tl.assume(am > 0)
    om = (pm * BM + tl.arange(0, BM)) % M
    on = (pn * BN + tl.arange(0, BN)) % N
    ok = tl.arange(0, BK)
    ap = a + (om[:, None] * am + ok[None, :] * ak)
    bp = b + (ok[:, None] * bk + on[None, :] * bn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(ap, mask=ok[None, :] < K - k * BK, other=0.0)
        y = tl.load(bp, mask=ok[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        ap += BK * ak
        bp += BK * bk
    if ACT == "leaky":
        acc = leaky(acc)
    r = acc.to(tl.float16)
    cmn = pm * BM + tl.arange(0, BM)
    cnn = pn * BN + tl.arange(0, BN)
    tl.store(c + cm * cmn[:, None] + cn * cnn[None, :], r, mask=(cmn[:, None] < M) & (cnn[None, :] < N))


def mm(M, N, K, act):
    a, b = torch.randn(M, K, dtype=torch.float16), torch.randn(K, N, dtype=torch.float16)
    c = torch.zeros(M, N, dtype=torch.float16)
    mm_k[(triton.cdiv(M, 64) * triton.cdiv(N, 64),)](
        a,
        b,
        c,
        M,
        N,
        K,
        a.stride(0),
        a.stride(1),
        b.stride(0),
        b.stride(1),
        c.stride(0),
        c.stride(1),
        BM=64,
        BN=64,
        BK=32,
        G=2,
        ACT=act,
    )
    r = a.float() @ b.float()
    check("mm", c, F.leaky_relu(r) if act else r, 2e-3)


case("mm128")(lambda: mm(128, 128, 128, ""))
case("mmodd")(lambda: mm(100, 75, 50, "leaky"))


@triton.jit
def ln_k(X, Y, W, B, Mean, Rstd, stride, N, eps, BS: tl.constexpr):
    row = tl.program_id(0)
    Y += row * stride
    X += row * stride
    _m = tl.zeros([BS], dtype=tl.float32)
    for off in range(0, N, BS):
        c = off + tl.arange(0, BS)
        _m += tl.load(X + c, mask=c < N, other=0.0).to(tl.float32)
    mean = tl.sum(_m, axis=0) / N
    _v = tl.zeros([BS], dtype=tl.float32)
    for off in range(0, N, BS):
        c = off + tl.arange(0, BS)
        x = tl.load(X + c, mask=c < N, other=0.0).to(tl.float32)
        x = tl.where(c < N, x - mean, 0.0)
        _v += x * x
    rstd = 1 / tl.sqrt(tl.sum(_v, axis=0) / N + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BS):
        c = off + tl.arange(0, BS)
        m = c < N
        w = tl.load(W + c, mask=m)
        b = tl.load(B + c, mask=m)
        x = tl.load(X + c, mask=m, other=0.0).to(tl.float32)
        tl.store(Y + c, (x - mean) * rstd * w + b, mask=m)


@triton.jit
def ln_bwd_dx(DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N, GM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BN)
    mask = cols < N
    X += row * stride
    DY += row * stride
    DX += row * stride
    lock_id = row % GM
    Lock += lock_id
    Count = Lock + GM
    DW = DW + lock_id * N + cols
    DB = DB + lock_id * N + cols
    x = tl.load(X + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean = tl.load(Mean + row)
    rstd = tl.load(Rstd + row)
    xh = (x - mean) * rstd
    wdy = w * dy
    xh = tl.where(mask, xh, 0.0)
    wdy = tl.where(mask, wdy, 0.0)
    c1 = tl.sum(xh * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    tl.store(DX + cols, (wdy - (xh * c1 + c2)) * rstd, mask=mask)
    pdw = (dy * xh).to(w.dtype)
    pdb = dy.to(w.dtype)
    while tl.atomic_cas(Lock, 0, 1) == 1:
        pass
    count = tl.load(Count)
    if count == 0:
        tl.atomic_xchg(Count, 1)
    else:
        pdw += tl.load(DW, mask=mask)
        pdb += tl.load(DB, mask=mask)
    tl.store(DW, pdw, mask=mask)
    tl.store(DB, pdb, mask=mask)
    tl.atomic_xchg(Lock, 0)


@case("ln")
def _():
    x, w, b = torch.randn(5, 300), torch.randn(300), torch.randn(300)
    y = torch.zeros(5, 300)
    m, r = torch.zeros(5), torch.zeros(5)
    ln_k[(5,)](x, y, w, b, m, r, 300, 300, 1e-5, BS=128)
    check("ln", y, F.layer_norm(x, (300,), w, b))


@triton.jit
def ln_bwd_sum(Parts, Out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, M, BM):
        rows = i + tl.arange(0, BM)
        mask = (rows[:, None] < M) & (cols[None, :] < N)
        acc += tl.load(Parts + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    tl.store(Out + cols, tl.sum(acc, axis=0), mask=cols < N)


@case("ln_bwd")
def _():
    x, dy, w = torch.randn(5, 100), torch.randn(5, 100), torch.randn(100)
    dx, dw, db = torch.zeros(5, 100), torch.zeros(2, 100), torch.zeros(2, 100)
    rstd = 1 / (x.var(1, unbiased=False) + 1e-5).sqrt()
    ln_bwd_dx[(5,)](dx, dy, dw, db, x, w, x.mean(1), rstd, torch.zeros(4, dtype=torch.int32), 100, 100, GM=2, BN=128)
    sums = torch.zeros(2, 100)
    for part, total in zip((dw, db), sums):
        ln_bwd_sum[(2,)](part, total, 2, 100, BM=4, BN=64)
    x, w, b = (t.requires_grad_() for t in (x, w, torch.zeros(100)))
    F.layer_norm(x, (100,), w, b).backward(dy)
    check("ln_bwd", (dx, *sums), (x.grad, w.grad, b.grad))


@triton.jit
def blocks_k(A, B, C, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    c = tl.make_tensor_descriptor(C, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(A.load([m, k]), B.load([k, n]), acc)
    c.store([m, n], acc.to(tl.float16))


@case("blocks")
def _():
    a, b, c = torch.randn(100, 72).half(), torch.randn(72, 88).half(), torch.zeros(100, 88).half()
    if harness.options.ir == "llvm" and int(harness.options.chip[3:5]) >= 90:
        return  # tensor maps of host code
    descriptors = TensorDescriptor.from_tensor(a, [32, 32]), TensorDescriptor.from_tensor(b, [32, 64])
    blocks_k[(4, 2)](*descriptors, c, 100, 88, 72, BM=32, BN=64, BK=32)
    check("blocks", c, a.float() @ b.float(), 2e-3)


@triton.jit
def att_k(Q, K, V, O, L, sm, sz, sh, sm_, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    start = tl.program_id(0)
    off = tl.program_id(1) * sh
    om = start * BM + tl.arange(0, BM)
    on = tl.arange(0, BN)
    od = tl.arange(0, D)
    q = tl.load(Q + off + om[:, None] * sm_ + od[None, :], mask=om[:, None] < N, other=0.0)
    mi = tl.full([BM], -float("inf"), tl.float32)
    li = tl.full([BM], 1.0, tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    sc = sm * 1.44269504
    hi = (start + 1) * BM if CAUSAL else N
    for s in range(0, hi, BN):
        s = tl.multiple_of(s, BN)
        k = tl.load(K + off + (s + on[:, None]) * sm_ + od[None, :], mask=(s + on)[:, None] < N, other=0.0)
        v = tl.load(V + off + (s + on[:, None]) * sm_ + od[None, :], mask=(s + on)[:, None] < N, other=0.0)
        qk = tl.dot(q, tl.trans(k))
        msk = (s + on)[None, :] < N
        if CAUSAL:
            msk = msk & (om[:, None] >= (s + on)[None, :])
        qk = tl.where(msk, qk * sc, -1.0e6)
        mn = tl.maximum(mi, tl.max(qk, 1))
        qk = qk - mn[:, None]
        p = tl.math.exp2(qk)
        al = tl.math.exp2(mi - mn)
        li = li * al + tl.sum(p, 1)
        acc = acc * al[:, None]
        acc = tl.dot(p.to(tl.float16), v, acc)
        mi = mn
    mi += tl.math.log2(li)
    acc = acc / li[:, None]
    tl.store(L + tl.program_id(1) * N + om, mi, mask=om < N)
    tl.store(O + off + om[:, None] * sm_ + od[None, :], acc.to(tl.float16), mask=om[:, None] < N)


@triton.jit
def att_bwd_delta(O, DO, Delta, N, D: tl.constexpr, BM: tl.constexpr):
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    at = (tl.program_id(1) * N + om)[:, None] * D + tl.arange(0, D)[None, :]
    o = tl.load(O + at, mask=om[:, None] < N, other=0.0).to(tl.float32)
    do = tl.load(DO + at, mask=om[:, None] < N, other=0.0).to(tl.float32)
    tl.store(Delta + tl.program_id(1) * N + om, tl.sum(o * do, 1), mask=om < N)


@triton.jit
def att_bwd_kv(Q, K, V, DO, L, Delta, DK, DV, sm, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    head = tl.program_id(1) * N
    on = tl.program_id(0) * BN + tl.arange(0, BN)
    od = tl.arange(0, D)
    at = (head + on)[:, None] * D + od[None, :]
    k = tl.load(K + at, mask=on[:, None] < N, other=0.0)
    v = tl.load(V + at, mask=on[:, None] < N, other=0.0)
    dk = tl.zeros([BN, D], tl.float32)
    dv = tl.zeros([BN, D], tl.float32)
    for start in range(0, N, BM):
        om = start + tl.arange(0, BM)
        rows = (head + om)[:, None] * D + od[None, :]
        q = tl.load(Q + rows, mask=om[:, None] < N, other=0.0)
        do = tl.load(DO + rows, mask=om[:, None] < N, other=0.0)
        level = tl.load(L + head + om, mask=om < N, other=0.0)
        delta = tl.load(Delta + head + om, mask=om < N, other=0.0)
        p = tl.math.exp2(tl.dot(k, tl.trans(q)) * (sm * 1.44269504) - level[None, :])
        seen = (om[None, :] < N) & (on[:, None] < N)
        if CAUSAL:
            seen = seen & (om[None, :] >= on[:, None])
        p = tl.where(seen, p, 0.0)
        dv += tl.dot(p.to(tl.float16), do)
        ds = p * (tl.dot(v, tl.trans(do)) - delta[None, :])
        dk += tl.dot(ds.to(tl.float16), q)
    tl.store(DK + at, (dk * sm).to(tl.float16), mask=on[:, None] < N)
    tl.store(DV + at, dv.to(tl.float16), mask=on[:, None] < N)


@triton.jit
def att_bwd_q(Q, K, V, DO, L, Delta, DQ, sm, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    head = tl.program_id(1) * N
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    od = tl.arange(0, D)
    at = (head + om)[:, None] * D + od[None, :]
    q = tl.load(Q + at, mask=om[:, None] < N, other=0.0)
    do = tl.load(DO + at, mask=om[:, None] < N, other=0.0)
    level = tl.load(L + head + om, mask=om < N, other=0.0)
    delta = tl.load(Delta + head + om, mask=om < N, other=0.0)
    dq = tl.zeros([BM, D], tl.float32)
    for start in range(0, N, BN):
        on = start + tl.arange(0, BN)
        rows = (head + on)[:, None] * D + od[None, :]
        k = tl.load(K + rows, mask=on[:, None] < N, other=0.0)
        v = tl.load(V + rows, mask=on[:, None] < N, other=0.0)
        p = tl.math.exp2(tl.dot(q, tl.trans(k)) * (sm * 1.44269504) - level[:, None])
        seen = (om[:, None] < N) & (on[None, :] < N)
        if CAUSAL:
            seen = seen & (om[:, None] >= on[None, :])
        ds = tl.where(seen, p * (tl.dot(do, tl.trans(v)) - delta[:, None]), 0.0)
        dq += tl.dot(ds.to(tl.float16), k)
    tl.store(DQ + at, (dq * sm).to(tl.float16), mask=om[:, None] < N)


def att(N, causal, block=32, backward=False):
    q, k, v, do = (torch.randn(1, 2, N, block, dtype=torch.float16) for _ in range(4))
    o = torch.zeros_like(q)
    L, grid = torch.zeros(2, N), (triton.cdiv(N, block), 2)
    att_k[grid](q, k, v, o, L, 0.17, 2 * N * block, N * block, block, N, D=block, BM=block, BN=block, CAUSAL=causal)
    wide = [x.float().requires_grad_() for x in (q, k, v)]
    expected = F.scaled_dot_product_attention(*wide, is_causal=causal, scale=0.17)
    check("att", o, expected, 3e-3)
    if not backward:
        return
    delta, (dq, dk, dv) = torch.zeros(2, N), (torch.zeros_like(x) for x in (q, k, v))
    att_bwd_delta[grid](o, do, delta, N, D=block, BM=block)
    att_bwd_kv[grid](q, k, v, do, L, delta, dk, dv, 0.17, N, D=block, BM=block, BN=block, CAUSAL=causal)
    att_bwd_q[grid](q, k, v, do, L, delta, dq, 0.17, N, D=block, BM=block, BN=block, CAUSAL=causal)
    expected.backward(do.float())
    check("att_bwd", (dq, dk, dv), [x.grad for x in wide], 3e-3)


case("att")(lambda: att(64, False))
case("att_causal")(lambda: att(77, True))
# Wide enough for the instructions of sm_90 that four warps execute together.
case("att_bwd")(lambda: att(128, False, block=64, backward=True))
case("att_bwd_causal")(lambda: att(150, True, block=64, backward=True))


@triton.jit
def misc_k(x, o, oi, N, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < N, other=float("-inf"))
    s = tl.sort(v, descending=True)
    tl.store(o + i, s)
    tl.store(oi + i, tl.argmax(v, 0) + tl.argmin(v, 0) * 0 + tl.cumsum((v > 0).to(tl.int32), 0))
    tl.store(o + B + i, tl.cumprod(tl.where(v > 0, 1.01, 0.99), 0))
    tl.store(o + 2 * B + i, tl.flip(v))
    f, g = tl.split(tl.reshape(v, (B // 2, 2)))
    tl.store(o + 3 * B + i, tl.reshape(tl.join(g, f), (B,)))
    tl.store(o + 4 * B + i, tl.interleave(f, g))
    tl.store(o + 5 * B, tl.xor_sum(i, 0).to(tl.float32))


@case("misc")
def _():
    x = torch.randn(64)
    o = torch.zeros(64 * 5 + 1)
    oi = torch.zeros(64, dtype=torch.int32)
    misc_k[(1,)](x, o, oi, 64, B=64)
    check("sort", o[:64], x.sort(descending=True)[0])
    check("cumprod", o[64:128], torch.where(x > 0, 1.01, 0.99).cumprod(0))
    check("flip", o[128:192], x.flip(0))
    check("argmax+cumsum", oi, (x > 0).cumsum(0) + x.argmax())
    check("pairs", o[192:256], x.reshape(32, 2).flip(1).reshape(-1))
    check("inter", o[256:320], x)


harness.finish()
