#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of upstream dialects that kernels use on tiles, against NumPy.

The tile dialect has no arithmetic of its own: this is what programs for it rely
on. One kernel computes a row of the result by each op, so that a wrong answer
names the op.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

LENGTH = 12
X = np.array([-3.5, -2.5, -1.0, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1.5, 2.5, 3.25], np.float32)
Y = np.array([0.5, 2.0, -1.5, 3.0, -0.25, 1.0, 2.5, -2.0, 0.75, 1.5, -3.0, 0.25], np.float32)
I = np.array([-7, 5, 0, 1, -1, 100, -128, 2**31 - 1, -(2**31), 12345, -12345, 31], np.int32)
J = np.array([3, -2, 7, 1, 5, -7, 9, 2, 3, -100, 11, 4], np.int32)
S = np.array([0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 30, 31], np.int32)  # distances of shifts

F32, I32, I1 = f"tensor<{LENGTH}xf32>", f"tensor<{LENGTH}xi32>", f"tensor<{LENGTH}xi1>"
UI, UJ, US = (array.view(np.uint32) for array in (I, J, S))
WIDE = I.astype(np.int64)
positive = np.abs(X)


def truncated(quotient):
    return np.trunc(quotient).astype(np.int64)


def signed_remainder(a, b):
    return (a.astype(np.int64) - b * truncated(a.astype(np.float64) / b)).astype(np.int32)


def count_bits(values, bit):
    return np.array([bit(f"{int(v):032b}") for v in values], np.int32)


def erf(values):
    from math import erf as scalar
    return np.array([scalar(v) for v in values], np.float32)


# name of the op: the answer, of x (unary) or x and y (binary)
UNARY = {
    "math.exp": np.exp(X), "math.exp2": np.exp2(X), "math.expm1": np.expm1(X), "math.sin": np.sin(X),
    "math.cos": np.cos(X), "math.tan": np.tan(X), "math.sinh": np.sinh(X), "math.cosh": np.cosh(X),
    "math.tanh": np.tanh(X), "math.floor": np.floor(X), "math.ceil": np.ceil(X), "math.trunc": np.trunc(X),
    "math.round": np.sign(X) * np.floor(np.abs(X) + 0.5), "math.roundeven": np.rint(X), "math.absf": np.abs(X),
    "math.erf": erf(X), "arith.negf": -X,
}
POSITIVE = {  # of |x|
    "math.log": np.log(positive), "math.log2": np.log2(positive), "math.log1p": np.log1p(positive),
    "math.sqrt": np.sqrt(positive), "math.rsqrt": 1 / np.sqrt(positive),
}
BINARY = {
    "arith.addf": X + Y, "arith.subf": X - Y, "arith.mulf": X * Y, "arith.divf": X / Y, "arith.remf": np.fmod(X, Y),
    "arith.maximumf": np.maximum(X, Y), "arith.minimumf": np.minimum(X, Y), "arith.maxnumf": np.fmax(X, Y),
    "arith.minnumf": np.fmin(X, Y), "math.atan2": np.arctan2(X, Y), "math.copysign": np.copysign(X, Y),
}
INTEGER = {  # of i and j
    "arith.addi": (UI + UJ).view(np.int32), "arith.subi": (UI - UJ).view(np.int32), "arith.muli": (UI * UJ).view(np.int32),
    "arith.divsi": truncated(I / J.astype(np.float64)).astype(np.int32), "arith.divui": (UI // UJ).view(np.int32),
    "arith.remsi": signed_remainder(I, J), "arith.remui": (UI % UJ).view(np.int32),
    "arith.floordivsi": np.floor(I / J.astype(np.float64)).astype(np.int32),
    "arith.ceildivsi": np.ceil(I / J.astype(np.float64)).astype(np.int32),
    "arith.andi": I & J, "arith.ori": I | J, "arith.xori": I ^ J, "arith.maxsi": np.maximum(I, J),
    "arith.minsi": np.minimum(I, J), "arith.maxui": np.maximum(UI, UJ).view(np.int32),
    "arith.minui": np.minimum(UI, UJ).view(np.int32),
}
SHIFTS = {"arith.shli": (UI << US).view(np.int32), "arith.shrsi": I >> S, "arith.shrui": (UI >> US).view(np.int32)}
BITS = {
    "math.ctpop": count_bits(UI, lambda bits: bits.count("1")),
    "math.ctlz": count_bits(UI, lambda bits: len(bits) - len(bits.lstrip("0"))),
    "math.cttz": count_bits(UI, lambda bits: len(bits) - len(bits.rstrip("0"))),
}
HIGH = {
    "arith.mulsi_extended": ((WIDE * J) >> 32).astype(np.int32),
    "arith.mului_extended": ((UI.astype(np.uint64) * UJ) >> np.uint64(32)).astype(np.uint32).view(np.int32),
}
# Others: the lines that define %r, and the answer.
TEXTS = {
    "math.fma": (f"%r = math.fma %x, %y, %x : {F32}", X * Y + X),
    "math.powf": (f"%r = math.powf %pos, %y : {F32}", np.power(positive, Y)),
    "math.absi": (f"%r = math.absi %j : {I32}", np.abs(J)),
    "arith.bitcast": (f"%r = arith.bitcast %x : {F32} to {I32}", X.view(np.int32)),
    "arith.truncf, arith.extf": (
        f"%h = arith.truncf %x : {F32} to tensor<{LENGTH}xf16>\n%r = arith.extf %h : tensor<{LENGTH}xf16> to {F32}", X),
    "arith.fptosi, arith.sitofp": (f"%k = arith.fptosi %x : {F32} to {I32}\n%r = arith.sitofp %k : {I32} to {F32}",
                                   np.trunc(X)),
    "arith.fptoui, arith.uitofp": (f"%k = arith.fptoui %pos : {F32} to {I32}\n%r = arith.uitofp %k : {I32} to {F32}",
                                   np.trunc(positive)),
    "arith.trunci, arith.extsi": (
        f"%b = arith.trunci %i : {I32} to tensor<{LENGTH}xi8>\n%r = arith.extsi %b : tensor<{LENGTH}xi8> to {I32}",
        I.astype(np.int8).astype(np.int32)),
    "arith.trunci, arith.extui": (
        f"%b = arith.trunci %i : {I32} to tensor<{LENGTH}xi8>\n%r = arith.extui %b : tensor<{LENGTH}xi8> to {I32}",
        I.astype(np.uint8).astype(np.int32)),
    "arith.cmpf, arith.select": (f"%c = arith.cmpf olt, %x, %y : {F32}\n%r = arith.select %c, %x, %y : {I1}, {F32}",
                                 np.minimum(X, Y)),
    "arith.constant": (f"%r = arith.constant dense<[{', '.join(map(str, J))}]> : {I32}", J),
    "tensor.extract_slice, tensor.insert_slice": (
        f"%part = tensor.extract_slice %x[3][4][1] : {F32} to tensor<4xf32>\n"
        f"%r = tensor.insert_slice %part into %y[0][4][1] : tensor<4xf32> into {F32}", np.concatenate([X[3:7], Y[4:]])),
    "tensor.concat": (
        f"%part = tensor.extract_slice %x[0][6][1] : {F32} to tensor<6xf32>\n"
        f"%r = tensor.concat dim(0) %part, %part : (tensor<6xf32>, tensor<6xf32>) -> {F32}", np.concatenate([X[:6], X[:6]])),
    "tensor.extract": (f"%e = tensor.extract %x[%c3] : {F32}\n%r = tile.splat %e : f32 -> {F32}", np.full_like(X, X[3])),
    "tensor.from_elements": (
        f"%e = tensor.extract %x[%c3] : {F32}\n%r = tensor.from_elements {', '.join(['%e'] * LENGTH)} : {F32}",
        np.full_like(X, X[3])),
    "scf.while": (
        f"%r, %n = scf.while (%t = %x, %k = %c0) : ({F32}, index) -> ({F32}, index) {{\n"
        f"%more = arith.cmpi ult, %k, %c3 : index\nscf.condition(%more) %t, %k : {F32}, index\n}} do {{\n"
        f"^bb0(%t: {F32}, %k: index):\n%u = arith.addf %t, %y : {F32}\n%l = arith.addi %k, %c1 : index\n"
        f"scf.yield %u, %l : {F32}, index\n}}", X + Y + Y + Y),
    "func.call": (f"%r = func.call @twice(%x) : ({F32}) -> {F32}", X + X),
}


def get_cases():
    """name -> (lines, answer)"""
    cases = {}
    for names, line in ((UNARY, f"%r = {{}} %x : {F32}"), (POSITIVE, f"%r = {{}} %pos : {F32}"),
                        (BINARY, f"%r = {{}} %x, %y : {F32}"), (INTEGER, f"%r = {{}} %i, %j : {I32}"),
                        (SHIFTS, f"%r = {{}} %i, %s : {I32}"), (BITS, f"%r = {{}} %i : {I32}"),
                        (HIGH, f"%low, %r = {{}} %i, %j : {I32}")):
        for name, answer in names.items():
            cases[name] = (line.format(name), answer)
    return {**cases, **TEXTS}


def make_program(cases):
    """A kernel of which row n of the floats, or integers, is by case n."""
    lines = []
    for row, (text, answer) in enumerate(cases.values()):
        is_float = answer.dtype.kind == "f"
        kind, out = (F32, "%floats") if is_float else (I32, "%integers")
        # In a scope of its own, so that all may use the same names.
        lines.append(f"""
        %row{row} = arith.constant {row} : index
        %result{row} = scf.execute_region -> {kind} {{
          {text}
          scf.yield %r : {kind}
        }}
        tile.store_view %result{row}, {out}[%row{row}, %c0] axes [1] : {kind}, memref<{len(cases)}x{LENGTH}x{'f32' if is_float else 'i32'}>""")
    shape = f"{len(cases)}x{LENGTH}"
    loads = "\n".join(f"%{name} = tile.load_view %{name}s[%c0] : memref<{LENGTH}x{kind}> -> tensor<{LENGTH}x{kind}>"
                      for name, kind in (("x", "f32"), ("y", "f32"), ("i", "i32"), ("j", "i32"), ("s", "i32")))
    return f"""
    func.func private @twice(%t: {F32}) -> {F32} {{
      %r = arith.addf %t, %t : {F32}
      return %r : {F32}
    }}
    func.func @ops(%xs: memref<{LENGTH}xf32>, %ys: memref<{LENGTH}xf32>, %is: memref<{LENGTH}xi32>,
                   %js: memref<{LENGTH}xi32>, %ss: memref<{LENGTH}xi32>, %floats: memref<{shape}xf32>,
                   %integers: memref<{shape}xi32>) attributes {{tile.kernel}} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      {loads}
      %pos = math.absf %x : {F32}
      {"".join(lines)}
      return
    }}
    """


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("folder", type=Path, help="for the files")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    cases = get_cases()
    program = options.folder / "ops.mlir"
    program.write_text(make_program(cases))
    inputs = []
    for name, array in zip("xyijs", (X, Y, I, J, S)):
        inputs.append(f"{options.folder}/{name}.npy")
        np.save(inputs[-1], array)
    inputs += [f"zeros:{len(cases)}x{LENGTH}x{kind}" for kind in ("f32", "i32")]
    failed = False
    for backend in "interp", "cpu":
        outputs = [f"{options.folder}/{backend}-{kind}.npy" for kind in ("floats", "integers")]
        done = subprocess.run([shutil.which(options.tile_run), program, f"--backend={backend}", "--grid=1", "--entry=ops",
                               "--inputs=" + ",".join(inputs), "--outputs=,,,,," + ",".join(outputs)],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{backend}: {done.stderr}")
        floats, integers = map(np.load, outputs)
        wrong = 0
        for row, (name, (_, answer)) in enumerate(cases.items()):
            got = (floats if answer.dtype.kind == "f" else integers)[row]
            good = np.allclose(got, answer, rtol=1e-5, atol=1e-6) if answer.dtype.kind == "f" else \
                np.array_equal(got, answer)
            if not good:
                wrong += 1
                print(f"{backend}: {name}: {got}, expected {answer}")
        print(f"{backend}: {len(cases)} ops, {wrong} wrong")
        failed |= wrong > 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
