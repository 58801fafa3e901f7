"""Checks --mma=hardware, and that exact sums stay the default, against a plain model with integers of any size.

    mma_hardware.py --tile-run PATH

Kernels multiply tiles of 16 x 16 by wmma, and f8 by mma and wgmma, on numbers of very different sizes. The model adds
products as docs/simulator.md says: exact, aligned to the largest exponent, cut to some bits, a group of k after the other.
Products of f8 by wgmma are compiled from contractions, whose sums are those of each 128 of K, added up in f32.
"""
import argparse
import pathlib
import sys
import tempfile
from fractions import Fraction

import numpy as np
from harness import batch

# Chip: bits behind the point, bytes of A that are added at a time.
CHIPS = {"sm_70": (23, 8), "sm_75": (24, 8), "sm_80": (24, 16), "sm_89": (24, 16), "sm_90": (25, 32)}
# Type of A and B: k, bytes, the LLVM type and count of a fragment's values, smallest exponent.
TYPES = {"f16": (16, 2, "<2 x half>", 8, -14), "bf16": (16, 2, "i32", 4, -126), "tf32": (8, 4, "i32", 4, -126)}


def make_kernel(kind, result):
    k, _, fragment, count, _ = TYPES[kind]
    shape, accumulator = f"m16n16k{k}", "float" if result == "f32" else "<2 x half>"
    number = 8 if result == "f32" else 4
    struct = {"a": f"{{{', '.join([fragment] * count)}}}", "c": f"{{{', '.join([accumulator] * number)}}}"}
    struct["b"] = struct["a"]
    declares, body, arguments = [], [], []
    for name, element in (("a", kind), ("b", kind), ("c", result)):
        function = f"@llvm.nvvm.wmma.{shape}.load.{name}.row.{element}.p1"
        declares.append(f"declare {struct[name]} {function}(ptr addrspace(1))")
        body.append(f"%{name} = call {struct[name]} {function}(ptr addrspace(1) %p{name})")
        values = number if name == "c" else count
        for i in range(values):
            body.append(f"%{name}{i} = extractvalue {struct[name]} %{name}, {i}")
            arguments.append(f"{accumulator if name == 'c' else fragment} %{name}{i}")
    ending = f"{result}.{result}" if kind == "f16" else kind
    function = f"@llvm.nvvm.wmma.{shape}.mma.row.row.{ending}"
    declares.append(f"declare {struct['c']} {function}({', '.join(a.split(' %')[0] for a in arguments)})")
    body.append(f"%d = call {struct['c']} {function}({', '.join(arguments)})")
    stored = []
    for i in range(number):
        body.append(f"%d{i} = extractvalue {struct['c']} %d, {i}")
        stored.append(f"{accumulator} %d{i}")
    function = f"@llvm.nvvm.wmma.{shape}.store.d.row.{result}.p1"
    declares.append(f"declare void {function}(ptr addrspace(1), {', '.join([accumulator] * number)})")
    body.append(f"call void {function}(ptr addrspace(1) %pd, {', '.join(stored)})")
    return ('target triple = "nvptx64-nvidia-cuda"\n' + "\n".join(declares) +
            "\ndefine ptx_kernel void @k(ptr addrspace(1) %pa, ptr addrspace(1) %pb, ptr addrspace(1) %pc, "
            "ptr addrspace(1) %pd) {\n" + "\n".join(body) + "\nret void\n}\n")


def encode(x, kind):
    """f32 numbers as a type, rounded by cutting, and the numbers that they are."""
    if kind == "f16":
        half = x.astype(np.float16)
        return half.view(np.int16), half.astype(np.float64)
    kept = 16 if kind == "bf16" else 13
    bits = x.view(np.uint32) >> kept << kept
    stored = (bits >> 16).astype(np.uint16).view(np.int16) if kind == "bf16" else bits.view(np.int32)
    return stored, bits.view(np.float32).astype(np.float64)


def exponent(x, least):
    return max(int(np.frexp(x)[1]) - 1, least)


def cut(value, unit):
    """Toward zero, to a multiple of `unit`."""
    steps = abs(value) / unit
    return (steps.numerator // steps.denominator) * unit * (1 if value >= 0 else -1)


def round_f32(value, bits=23):
    if value == 0:
        return value
    e = exponent_of(value)
    if e > 127:
        return float("inf") * (1 if value > 0 else -1)
    return cut(value, Fraction(2) ** (max(e, -126) - bits))


def exponent_of(value):
    """The largest e with 2^e <= |value|."""
    value = abs(value)
    e = value.numerator.bit_length() - value.denominator.bit_length()
    return e if Fraction(2) ** e <= value else e - 1


def round_f16(value):
    if value == 0:
        return value
    unit = Fraction(2) ** (max(exponent_of(value), -14) - 10)
    rounded = round(value / unit) * unit  # Python rounds to even
    return rounded if abs(rounded) <= 65504 else float("inf") * (1 if value > 0 else -1)


def model(a, b, c, kind, result, bits, group_bytes):
    k, size, _, _, least = TYPES[kind]
    finish = round_f32 if result == "f32" else round_f16
    return add_products(a, b, c, (least, least), bits, min(group_bytes // size, k), finish)


def add_products(a, b, c, least, bits, group, finish):
    """c + a @ b of f64, where the normal numbers of each operand have at least these exponents."""
    out = np.empty(c.shape)
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = Fraction(float(c[i, j]))
            for first in range(0, a.shape[1], group):
                pairs = [(a[i, n], b[n, j]) for n in range(first, first + group) if a[i, n] and b[n, j]]
                exponents = [exponent(x, least[0]) + exponent(y, least[1]) for x, y in pairs]
                if total:
                    exponents.append(max(exponent_of(total), -126))
                if not exponents:
                    continue
                unit = Fraction(2) ** (max(exponents) - bits)
                total = finish(cut(total, unit) +
                               sum(cut(Fraction(float(x)) * Fraction(float(y)), unit) for x, y in pairs))
                if isinstance(total, float):
                    break
            out[i, j] = float(total)
    return out


def exact(a, b, c, k, result):
    """Rounded once, from sums without any rounding."""
    out = np.empty((16, 16))
    for i in range(16):
        for j in range(16):
            total = Fraction(float(c[i, j])) + sum(Fraction(float(a[i, n])) * Fraction(float(b[n, j])) for n in range(k))
            out[i, j] = float(total)  # as f64 sums, exact for the numbers of this test
    return out.astype(np.float32 if result == "f32" else np.float16).astype(np.float64)


def run(options, kernel, chip, inputs, dtype, folder, *more, shape=(16, 16)):
    names = []
    for name, array in zip("abcd", [*inputs, np.zeros(shape, dtype)]):
        np.save(f"{folder}/{name}.npy", array)
        names.append(f"{folder}/{name}.npy")
    outputs = [f"{folder}/{name}.out.npy" for name in "abcd"]
    status, text = batch.run([options.tile_run, str(kernel), "--backend=sim", "--entry=k", "--grid=1", "--block=32",
                              f"--chip={chip}", "--inputs=" + ",".join(names), "--outputs=" + ",".join(outputs), *more])
    return (None, text) if status else (np.load(outputs[3]), text)


# f8: bits of the exponent, the smallest one of normal numbers, and the name in MLIR.
FLOAT8 = {"e4m3": (4, -6, "f8E4M3FN"), "e5m2": (5, -14, "f8E5M2")}


def decode_f8(byte, kind):
    """Finite numbers of f8 as f64."""
    width, least, _ = FLOAT8[kind]
    fraction_bits = 7 - width
    field, fraction = (byte >> fraction_bits) & (2**width - 1), byte & (2**fraction_bits - 1)
    significand = fraction / 2.0**fraction_bits + (field > 0)
    return np.where(byte & 128, -1.0, 1.0) * significand * 2.0 ** (np.maximum(field, 1).astype(int) - 1 + least)


def draw_f8(rng, kind, shape):
    bytes_ = rng.integers(0, 256, shape, dtype=np.uint8)
    bytes_[(bytes_ & 0x7f) > (0x7e if kind == "e4m3" else 0x7b)] = 0  # no number, or infinite
    bytes_[rng.random(shape) < 0.1] = 0
    return bytes_, decode_f8(bytes_, kind)


def make_f8_kernel(left, right):
    """mma of a tile of 16 x 8 and a K of 32, of fragments that each lane has side by side."""
    name = f"@llvm.nvvm.mma.m16n8k32.row.col.f32.{left}.{right}.f32"
    body, arguments = ["%lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"], []
    for operand, element, count in (("a", "i32", 4), ("b", "i32", 2), ("c", "float", 4)):
        body.append(f"%o{operand} = mul i32 %lane, {count}")
        for i in range(count):
            body += [f"%i{operand}{i} = add i32 %o{operand}, {i}",
                     f"%q{operand}{i} = getelementptr {element}, ptr addrspace(1) %p{operand}, i32 %i{operand}{i}",
                     f"%{operand}{i} = load {element}, ptr addrspace(1) %q{operand}{i}"]
            arguments.append(f"{element} %{operand}{i}")
    body.append(f"%d = call {{float, float, float, float}} {name}({', '.join(arguments)})")
    for i in range(4):
        body += [f"%d{i} = extractvalue {{float, float, float, float}} %d, {i}",
                 f"%qd{i} = getelementptr float, ptr addrspace(1) %pd, i32 %ic{i}",
                 f"store float %d{i}, ptr addrspace(1) %qd{i}"]
    return ('target triple = "nvptx64-nvidia-cuda"\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n'
            f"declare {{float, float, float, float}} {name}({', '.join(x.split(' %')[0] for x in arguments)})\n"
            "define ptx_kernel void @k(ptr addrspace(1) %pa, ptr addrspace(1) %pb, ptr addrspace(1) %pc, "
            "ptr addrspace(1) %pd) {\n" + "\n".join(body) + "\nret void\n}\n")


def check_f8_mma(options, rng, folder):
    """The number of wrong products of mma on f8."""
    lane, wrong = np.arange(32), 0
    g, t = lane[:, None] // 4, lane[:, None] % 4
    kernel = pathlib.Path(folder, "k.ll")
    for left, right in (("e4m3", "e4m3"), ("e5m2", "e4m3"), ("e5m2", "e5m2")):
        kernel.write_text(make_f8_kernel(left, right))
        (a, numbers_a), (b, numbers_b) = draw_f8(rng, left, (16, 32)), draw_f8(rng, right, (32, 8))
        c = (rng.standard_normal((16, 8)) * 2.0 ** rng.integers(-9, 10, (16, 8))).astype(np.float32)
        i4, i2 = np.arange(4)[None], np.arange(2)[None]
        words = a.view(np.int32)[g + 8 * (i4 & 1), t + 4 * (i4 >> 1)]
        columns = np.ascontiguousarray(b.T).view(np.int32)[g, t + 4 * i2]
        row, column = g + 8 * (i4 >> 1), 2 * t + (i4 & 1)
        for chip, bits, group in (("sm_89", 13, 16), ("sm_90", 25, 32)):
            found, text = run(options, kernel, chip, [words, columns, c[row, column]], np.float32, folder, "--mma=hardware",
                              shape=(32, 4))
            expected = add_products(numbers_a, numbers_b, c.astype(np.float64), (FLOAT8[left][1], FLOAT8[right][1]), bits,
                                    group, lambda x: round_f32(x, min(bits, 23))).astype(np.float32)
            if found is None or not np.array_equal(found, expected[row, column]):
                wrong += 1
                print(f"mma of {left} and {right} on {chip}: {text if found is None else (found != expected[row, column]).sum()}")
    return wrong


def check_f8_wgmma(options, rng, folder):
    """The number of wrong products of wgmma on f8."""
    wrong, m, n = 0, 64, 16
    program, names = f"{folder}/f8.mlir", [f"{folder}/{name}.npy" for name in "abc"]
    for kind, k, promoted in (("e4m3", 128, True), ("e4m3", 384, True), ("e5m2", 384, True), ("e4m3", 384, False)):
        _, least, element = FLOAT8[kind]
        types = f"tensor<{m}x{k}x{element}>, tensor<{n}x{k}x{element}>"
        pathlib.Path(program).write_text(
            f"func.func @main(%a: tensor<{m}x{k}x{element}>, %b: tensor<{n}x{k}x{element}>) -> tensor<{m}x{n}xf32> {{\n"
            f'  %c = einsum.contract "mk, nk -> mn" (%a, %b) : ({types}) -> tensor<{m}x{n}xf32>\n'
            f"  return %c : tensor<{m}x{n}xf32>\n}}\n")
        (a, numbers_a), (b, numbers_b) = draw_f8(rng, kind, (m, k)), draw_f8(rng, kind, (n, k))
        for name, array in zip(names, (a, b)):
            np.save(name, array.view("V1"))
        status, text = batch.run([
            options.tile_run, program, "--backend=sim", "--mma=hardware", f"--inputs={names[0]},{names[1]}",
            f"--outputs={names[2]}", "--pipeline=einsum-to-nvvm-pipeline{chip=sm_90a config={block=64x16x128 stages=2} "
            f"promote-sums={int(promoted)}}}"])
        rows = slice(None, None, 5)  # of the four warps
        total = np.zeros(numbers_a[rows, :n].shape, np.float32)
        for first in range(0, k, 128):
            part = slice(first, first + 128)
            start = np.zeros(total.shape) if promoted else total.astype(np.float64)
            sums = add_products(numbers_a[rows, part], numbers_b[:, part].T, start, (least, least), 13, 32,
                                lambda x: round_f32(x, 13)).astype(np.float32)
            total = total + sums if promoted else sums
        if status or not np.array_equal(np.load(names[2])[rows], total):
            wrong += 1
            print(f"wgmma of {kind}, K {k}, {'promoted' if promoted else 'narrow'}:", text if status else "numbers differ")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tile-run", required=True)
    options = parser.parse_args()
    rng = np.random.default_rng(16)
    wrong, differing = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, result in (("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("tf32", "f32")):
            k = TYPES[kind][0]
            kernel = pathlib.Path(folder, "k.ll")
            kernel.write_text(make_kernel(kind, result))
            dtype = np.float32 if result == "f32" else np.float16
            stored = np.float32 if result == "f32" else np.int16
            for spread in (0, 3, 9):
                def draw(*shape):
                    x = rng.standard_normal(shape) * 2.0 ** rng.integers(-spread, spread + 1, shape)
                    return (x * (rng.random(shape) < 0.9)).astype(np.float32)
                (a, left), (b, right) = (encode(draw(*s), kind) for s in ((16, k), (k, 16)))
                c = draw(16, 16).astype(dtype)
                for chip, (bits, group) in CHIPS.items():
                    found, text = run(options, kernel, chip, [a, b, c.view(stored)], stored, folder, "--mma=hardware")
                    expected = model(left, right, c.astype(np.float64), kind, result, bits, group).astype(dtype)
                    if found is None or not np.array_equal(found.view(dtype), expected):
                        wrong += 1
                        print(f"{kind} {result} {chip} spread {spread}: {text if found is None else ''}",
                              "" if found is None else np.argwhere(found.view(dtype) != expected)[:3].tolist())
                        continue
                    plain, _ = run(options, kernel, chip, [a, b, c.view(stored)], stored, folder)
                    differing += not np.array_equal(plain.view(dtype), expected)
                    same, _ = run(options, kernel, chip, [a, b, c.view(stored)], stored, folder, "--mma=exact")
                    if not np.array_equal(plain, same) or (spread == 0 and not np.array_equal(
                            plain.view(dtype).astype(np.float64), exact(left, right, c.astype(np.float64), k, result))):
                        wrong += 1
                        print(f"{kind} {result} {chip} spread {spread}: sums are not exact by default")
        wrong += check_f8_mma(options, rng, folder) + check_f8_wgmma(options, rng, folder)
        kernel.write_text(make_kernel("f16", "f32"))
        found, text = run(options, kernel, "sm_100", [np.zeros((16, 16), np.int16)] * 2 + [np.zeros((16, 16), np.float32)],
                          np.float32, folder, "--mma=hardware")
        if found is not None or "no model of how the tensor cores of sm_100 add" not in text:
            wrong += 1
            print(f"sm_100: expected an error, found {text}")
    if differing < 20:
        wrong += 1
        print(f"only {differing} of 60 products differ from exact ones: expected the option to matter")
    print(f"{wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
