# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program for each construct of Triton-C, with what it computes in NumPy.

    constructs.py TILE_RUN FOLDER [NAME...]
"""

import numpy as np

from harness import Case, main

f16, f32, f64, i8, i16, i32, i64 = (np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64)
u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64
rng = np.random.default_rng(18)
CASES = []


def draw(dtype, *shape):
    if np.dtype(dtype).kind == "f":
        return rng.uniform(-2, 2, shape).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(max(info.min, -1000), min(info.max, 1000), shape, dtype, endpoint=True)


def case(name, source, arguments, expected, **more):
    if not isinstance(expected, dict):
        last = max(i for i, a in enumerate(arguments) if isinstance(a, np.ndarray))
        expected = {last: expected}
    CASES.append(Case(name, source, arguments, expected, **more))


def elementwise(name, body, x, y, expected, params="", arguments=(), **more):
    """One program on 32 elements: the tiles are x and the result y."""
    names = {f16: "half", f32: "float", f64: "double", i8: "int8", i16: "int16", i32: "int", i64: "int64",
             u8: "uint8", u16: "uint16", u32: "uint32", u64: "uint64"}
    tx, ty = names[x.dtype.type], names[y]
    source = (f"#pragma tile grid(1)\nvoid f({tx} *px, {ty} *py{params}) {{\n  int i[32] = 0...32;\n  {tx} x[32] = *(px + i);\n"
              f"  {ty} y[32];\n  {body}\n  *(py + i) = y;\n}}\n")
    case(name, source, [x, np.zeros(32, y), *arguments], {1: expected}, **more)


# Kinds of kernels, and their arguments.
for number, kind in enumerate(("__global__ void", "void", "kernel void")):
    case(f"kernel-{number}", f"#pragma tile grid(1)\n{kind} f(int *p) {{ *(p + 0...8) = 0...8; }}\n", [np.ones(8, i32)],
         np.arange(8, dtype=i32))
case("promises", """
#pragma tile grid(N / 16)
void copy(restrict read_only multiple_of(32) float *x, __noalias float *y __aligned(64), int N __multipleof(16),
          multiple_of(4) const int off, const float *z __aligned(1) __readonly __noalias) {
  int i[16] = get_global_range[16](0);
  *(y + i) = *(x + i) + *(z + off + i);
}
""", [x := draw(f32, 48), np.zeros(48, f32), i32(48), i32(4), z := draw(f32, 52)], {1: x + z[4:]})
case("scalars", """
#pragma tile grid(1)
void f(float *p, bool b, int8 c, short s, int i, long l, half h, float f, double d, unsigned u, uint8 v) {
  float k[8] = b + c + s + i + l + u + v;
  *(p + 0...8) = k + h + f + (float)d;
}
""", [np.zeros(8, f32), np.bool_(True), i8(-3), i16(300), i32(-70000), i64(5), f16(0.5), f32(0.25), f64(2), i32(7), i8(-1)],
     {0: np.full(8, 1 - 3 + 300 - 70000 + 5 + 7 + 255 + 2.75, f32)})

# Elements: what C's conversions make of them.
for dtype in (i8, i16, i32, i64, u8, u16, u32, u64):
    x = draw(dtype, 32)
    elementwise(f"wrap-{dtype.__name__}", "y = x * 3 + 200;", x, dtype, (x.astype(u64) * u64(3) + u64(200)).astype(dtype))
x = draw(i8, 32)
elementwise("promotion", "y = x * x;", x, i32, x.astype(i32)**2)
x = draw(u8, 32)
elementwise("promotion-unsigned", "y = x - 200;", x, i32, x.astype(i32) - 200)
elementwise("widen", "y = x;", x, i64, x.astype(i64))
x = draw(i32, 32)
elementwise("unsigned-wins", "y = x < 3u;", x, i32, (x.astype(u32) < 3).astype(i32))
elementwise("signed-less", "y = x < 3;", x, i32, (x < 3).astype(i32))
elementwise("to-float", "y = x;", x, f32, x.astype(f32))
elementwise("to-half", "y = x;", x, f16, x.astype(f16))
elementwise("to-double", "y = x / 4.0;", x, f64, (x.astype(f32) / f32(4)).astype(f64))
elementwise("to-bool", "bool b[32] = x; y = b + b;", x % 3, i32, 2 * (x % 3 != 0).astype(i32))
x = draw(f32, 32) * f32(50)
elementwise("truncate", "y = x;", x, i32, x.astype(i32))
elementwise("truncate-int8", "y = x;", x, i8, x.astype(i8))
elementwise("float-to-unsigned", "y = abs(x);", x, u16, np.abs(x).astype(u16))
elementwise("narrow", "y = x;", x, f16, x.astype(f16))
elementwise("literal-of-half", "y = x * 0.3;", h := draw(f16, 32), f16, h * f16(0.3))
elementwise("literal-of-float", "y = x * 0.3f;", h, f32, h.astype(f32) * f32(0.3))
elementwise("literal-of-double", "y = x * 0.1;", d := draw(f64, 32), f64, d * 0.1)
elementwise("double-literal", "double c = 0.1; y = c;", d, f64, np.full(32, 0.1))
elementwise("half-and-int", "y = x + 3;", h, f16, h + f16(3))
elementwise("casts", "y = (float)(int)x + (half)0.1;", x, f32, x.astype(i32).astype(f32) + f32(f16(0.1)))
elementwise("bfloat16", "bfloat16 b[32] = x; y = b;", x, f32,
            ((x.view(u32) + 0x7fff + ((x.view(u32) >> 16) & 1)) & 0xffff0000).astype(u32).view(f32))

# Operators.
a = draw(i32, 32)
b = a.copy()
b[b == 0] = 1
for op, result in (("+", a + 7), ("-", a - 7), ("*", a * 7), ("/", np.trunc(a / 7).astype(i32)),
                   ("%", np.fmod(a, 7)), ("<<", a << 7), (">>", a >> 7), ("&", a & 7), ("|", a | 7), ("^", a ^ 7)):
    elementwise(f"binary-{ord(op[0])}{len(op)}", f"y = x {op} 7;", a, i32, result)
    elementwise(f"compound-{ord(op[0])}{len(op)}", f"y = x; y {op}= 7;", a, i32, result)
for op, result in (("<", a < 5), ("<=", a <= 5), (">", a > 5), (">=", a >= 5), ("==", a == 5), ("!=", a != 5)):
    elementwise(f"compare-{ord(op[0])}{len(op)}", f"y = (x {op} 5) * 3;", a, i32, result * i32(3))
nan = draw(f32, 32)
nan[::3] = np.nan
for op, result in (("<", nan < 0), ("<=", nan <= 0), (">", nan > 0), (">=", nan >= 0), ("==", nan == nan), ("!=", nan != nan)):
    right = "x" if op in ("==", "!=") else "0"
    elementwise(f"compare-nan-{ord(op[0])}{len(op)}", f"y = x {op} {right};", nan, i32, result.astype(i32))
w = a.astype(u32)
elementwise("unsigned-operators", "y = x / 7 + x % 5 * (x >> 3);", w, u32, w // 7 + w % 5 * (w >> 3))
elementwise("unary", "y = -x + ~x + !x + +x;", a, i32, -a + ~a + (a == 0) + a)
elementwise("logic", "y = (x > 0 && x < 100) || !(x > -100);", a, i32, (((a > 0) & (a < 100)) | (a <= -100)).astype(i32))
elementwise("precedence", "y = x + 2 * 3 - x / 2 << 1 & 255 ^ x | 4;", a, i32,
            ((((a + 6 - np.trunc(a / 2).astype(i32)) << 1) & 255) ^ a) | 4)
elementwise("steps", "y = x; y++; ++y; y--;", a, i32, a + 1)
elementwise("hexadecimal", "y = x & 0xFF | 010;", a, i32, (a & 255) | 8)
elementwise("unary-float", "y = -x * 1e-1 + .5 - 2.;", x, f32, -x * f32(0.1) + f32(0.5) - f32(2), tolerance=1e-6)
elementwise("min-max", "y = min(max(x, -100), 100);", a, i32, np.clip(a, -100, 100))
elementwise("min-max-unsigned", "y = min(x, 100u);", w, u32, np.minimum(w, 100))
elementwise("min-max-float", "y = max(x, 0.5);", nan, f32, np.maximum(nan, f32(0.5)))
elementwise("abs", "y = abs(x);", a, i32, np.abs(a))
elementwise("select", "y = select(x > 0, x, 2 * x);", a, i32, np.where(a > 0, a, 2 * a))
p = np.abs(draw(f32, 32)) + f32(0.1)
for name in ("exp", "exp2", "log", "log2", "sqrt", "sin", "cos", "tanh", "floor", "ceil"):
    elementwise(f"math-{name}", f"y = {name}(x);", p, f32, getattr(np, name)(p), tolerance=2e-6)
elementwise("math-rsqrt", "y = rsqrt(x);", p, f32, 1 / np.sqrt(p), tolerance=1e-6)
elementwise("math-half", "y = exp(x);", p.astype(f16), f16, np.exp(p.astype(f16).astype(f32)).astype(f16), tolerance=1e-3)
elementwise("math-int", "y = sqrt(x);", np.abs(a), f32, np.sqrt(np.abs(a).astype(f32)), tolerance=1e-6)

# Ranges, subscripts and broadcasts.
case("range", """
#pragma tile grid(1)
void f(int *p) {
  int r[8] = 0...8;
  int s[8] = 3 ... 11;
  int t[8] = -4...4;
  *(p + r) = 2 * 0...8 + s;
  *(p + 8 + r) = t;
}
""", [np.zeros(16, i32)], np.concatenate([2 * np.arange(8) + np.arange(3, 11), np.arange(-4, 4)]).astype(i32))
m = draw(i32, 16, 32)
load = """
  int r[16] = 0...16;
  int c[32] = 0...32;
  int x[16, 32] = *(px + r[:, newaxis] * 32 + c);
"""
for op, function in (("+", np.sum), ("min", np.min), ("max", np.max), ("*", np.prod), ("&", np.bitwise_and.reduce),
                     ("|", np.bitwise_or.reduce), ("^", np.bitwise_xor.reduce)):
    case(f"reduce-{op if op.isalpha() else ord(op)}", f"""
#pragma tile grid(1)
void f(int *px, int *py) {{{load}
  int rows[16] = x[:, {op}];
  int columns[32] = x[{op}, :];
  int all = x[{op}, {op}];
  *(py + r) = rows;
  *(py + 16 + c) = columns;
  *(py + 48) = all;
  *(py + 49 + r) = x[:, {op}, newaxis][newaxis, :, {op}][{op}, :];
}}
""", [m, np.zeros(65, i32)],
         np.concatenate([function(m, axis=1, dtype=i32) if op in "+*" else function(m, axis=1),
                         function(m, axis=0, dtype=i32) if op in "+*" else function(m, axis=0),
                         np.array([function(m.reshape(-1), dtype=i32) if op in "+*" else function(m.reshape(-1))]),
                         function(m, axis=1, dtype=i32) if op in "+*" else function(m, axis=1)]))
v = draw(i8, 32)
elementwise("reduce-int8", "y = x[+];", v, i32, np.full(32, v.astype(i32).sum()))
elementwise("reduce-bool", "bool b[32] = x > 0; y = b[+] + 100 * b[|] + 1000 * b[&];", v, i32,
            np.full(32, (v > 0).sum() + 100 * (v > 0).any() + 1000 * (v > 0).all()).astype(i32))
elementwise("reduce-unsigned", "y = x[max];", u := draw(u8, 32), i32, np.full(32, u.max()).astype(i32))
elementwise("reduce-max-float", "y = x[max] - x[min];", x, f32, np.full(32, x.max() - x.min()))
case("broadcast", """
#pragma tile grid(1)
void f(int *px, int *py) {
  int n[16] = 0...16;
  int m[32] = 0...32;
  int a[16] = n * 3;
  int b[32, 16] = *(px + m[:, newaxis] * 16 + n);
  int c[16, 1] = a[:, newaxis] + 1;
  int d[32, 16] = a + b;          // [16] with [32, 16]
  int e[16, 16] = a + c;          // [16] with [16, 1]
  d = a;                          // an assignment
  d = d + b;
  int s[32, 16] = 7;              // a scalar
  d += s * b;
  int *p[32, 16] = py + m[:, newaxis] * 16 + n;
  *p = d;
  *(py + 512 + n[:, newaxis] * 16 + n[newaxis, :]) = e;
}
""", [b := draw(i32, 32, 16), np.zeros(768, i32)],
     np.concatenate([(3 * np.arange(16) + 8 * b).reshape(-1),
                     (3 * np.arange(16) + 3 * np.arange(16)[:, None] + 1).reshape(-1)]).astype(i32))

# Pointers.
case("pointers", """
#pragma tile grid(1)
void f(float *px, float *py) {
  int i[16] = 0...16;
  float *p[16] = px + i;
  float *q = py;
  q = q + 4;
  p += 16;
  uint32 two = 2;
  *(q + i - 4) = *(p - i + 15 - 15 + i) + *(2 + px) + *(px + two);
  *(q + 12 + i) = 1;
  *(q + 12 + i) += *p;
  *(q + 12 + i) *= 2;
  *q -= 5;
}
""", [x := draw(f32, 32), np.zeros(32, f32)],
     np.concatenate([s := x[16:] + x[2] + x[2], (1 + x[16:]) * 2]) - 5 * (np.arange(32) == 4).astype(f32))
case("masks", """
#pragma tile grid((n + 15) / 16)
void f(int n, float *px, float *py) {
  int i[16] = get_program_id(0) * 16 + 0...16;
  bool in[16] = i < n;
  *?(in)(py + i) = *?(in && i > 2)(px + i) + 1;
  *?(i < n && i == 3)(py + i) += 10;
}
""", [i32(37), x := draw(f32, 37), np.zeros(37, f32)],
     np.where(np.arange(37) > 2, x, 0) + 1 + 10 * (np.arange(37) == 3).astype(f32))

# Conditional expressions: a load in an arm is not done where the arm is not taken.
y = draw(f32, 16)
indices = """
  int i[16] = 0...16;
  int n = 5;
"""
for name, expression, result in (
        ("arm", "i < n ? *(px + i) : 0", np.where(np.arange(16) < 5, np.resize(y[:5], 16), 0)),
        ("other", "i < n ? *(px + i) : i", np.where(np.arange(16) < 5, np.resize(y[:5], 16), np.arange(16))),
        ("second", "i >= n ? -1 : *(px + i)", np.where(np.arange(16) < 5, np.resize(y[:5], 16), -1)),
        ("sum", "i < n ? 2 * *(px + i) + *(px + 4 - i) : 1.5",
         np.where(np.arange(16) < 5, 2 * np.resize(y[:5], 16) + np.resize(y[:5][::-1], 16), 1.5)),
        ("nested", "i < n ? (i < 2 ? *(px + i) : *(px + i) + 1) : (n > 100 ? *(px + 99) : 3)",
         np.where(np.arange(16) < 5, np.resize(y[:5], 16) + (np.arange(16) >= 2), 3)),
        ("scalar", "n > 9 ? *(px + 100) : *(px + n - 1)", np.full(16, y[4])),
        ("scalar-tile", "n > 9 ? *(px + 1000 + i) : 2", np.full(16, 2)),
        ("own-mask", "i < n ? *?(i > 1)(px + i) : 9",
         np.where(np.arange(16) < 5, np.where(np.arange(16) > 1, np.resize(y[:5], 16), 0), 9)),
        ("reduce", "i < n ? (*(px + i[:, newaxis] + 0 * (0...4)))[:, +] : 0",
         np.where(np.arange(16) < 5, 4 * np.resize(y[:5], 16), 0)),
        ("splat", "i < n ? *(px + 4) : 0", np.where(np.arange(16) < 5, y[4], 0)),
        ("none", "i > 99 ? *(px + 12345) : 1", np.full(16, 1)),
        ("and", "(i < n && *(px + i) > 0) ? 1 : 2", np.where(np.arange(16) < 5, np.where(np.resize(y[:5], 16) > 0, 1, 2), 2)),
        ("or", "(i >= n || *(px + i) > 0) ? 1 : 2", np.where(np.arange(16) < 5, np.where(np.resize(y[:5], 16) > 0, 1, 2), 1)),
):
    case(f"conditional-{name}", f"#pragma tile grid(1)\nvoid f(float *px, float *py) {{{indices}  *(py + i) = {expression};\n}}\n",
         [y[:5], np.zeros(16, f32)], result.astype(f32), tolerance=1e-6)
case("conditional-trans", """
#pragma tile grid(1)
void f(float *px, float *py) {
  int r[8] = 0...8;
  int c[16] = 0...16;
  bool m[16, 8] = c[:, newaxis] < 3;
  // px has 8 x 3 elements.
  float x[16, 8] = m ? ^*(px + r[:, newaxis] * 3 + c) : -1;
  *(py + c[:, newaxis] * 8 + r) = x;
}
""", [q := draw(f32, 8, 3), np.zeros((16, 8), f32)], np.concatenate([q.T, -np.ones((13, 8), f32)]))
case("conditional-dot", """
#pragma tile grid(1)
void f(float *px, float *py) {
  int r[16] = 0...16;
  bool m[16, 16] = r[:, newaxis] < 4;
  // px has 4 x 16 elements, and the rows beyond are not needed.
  float x[16, 16] = m ? *(px + r[:, newaxis] * 16 + r) @ (r[:, newaxis] == r ? 2.0f : 0.0f) : 0;
  *(py + r[:, newaxis] * 16 + r) = x;
}
""", [q := draw(f32, 4, 16), np.zeros((16, 16), f32)], np.concatenate([2 * q, np.zeros((12, 16), f32)]))

# Predicates.
case("predicates", """
#pragma tile grid(1)
void f(int *px, int *py) {
  int i[32] = 0...32;
  bool few[32] = i < 9;
  int y[32] = 100;
  @few y = *(px + i);
  @(i > 20) { y = 1; y += i; @few y = 5; @(i == 25) y = 6; }
  bool never = y[+] < 0;
  @never y = 0;
  @few y = y * 2;
  @(!few) *(py + i) = y;
  @few { int t[32] = y + 1; *(py + i) = t; }
  @(y == 6) y = 77;
  int z[32];
  @few z = 3;
  @(!few) z = 4;
  *(py + 32 + i) = z + y;
  @(i < 4) atomic_add(py + 64 + i, 10);
}
""", [x := draw(i32, 9), np.zeros(96, i32)], np.concatenate([
    (lambda i, y: np.where(i < 9, 2 * y + 1, y))(np.arange(32), t := np.where(
        np.arange(32) == 25, 6, np.where(np.arange(32) > 20, 1 + np.arange(32), np.where(np.arange(32) < 9, np.resize(x, 32), 100)))),
    np.where(np.arange(32) < 9, 3, 4) + (lambda y: np.where(y == 6, 77, y))(np.where(np.arange(32) < 9, 2 * t, t)),
    10 * (np.arange(32) < 4)]).astype(i32))

# Products.
h, g = draw(f16, 32, 16), draw(f16, 16, 32)
for name, expression, result in (
        ("operator", "a @ b", h.astype(f32) @ g.astype(f32)),
        ("function", "dot(a, b)", h.astype(f32) @ g.astype(f32)),
        ("accumulator", "dot(a, b, a @ b)", 2 * (h.astype(f32) @ g.astype(f32))),
        ("sum", "1 + a @ b", 1 + h.astype(f32) @ g.astype(f32)),
        ("tighter", "2 * a @ b", 2 * (h.astype(f32) @ g.astype(f32))),
        ("trans", "^(^b @ ^a)", h.astype(f32) @ g.astype(f32)),
        ("trans-function", "trans(trans(b) @ trans(a))", h.astype(f32) @ g.astype(f32))):
    case(f"dot-{name}", f"""
#pragma tile grid(1)
void f(half *pa, half *pb, float *pc) {{
  int m[32] = 0...32;
  int k[16] = 0...16;
  half a[32, 16] = *(pa + m[:, newaxis] * 16 + k);
  half b[16, 32] = *(pb + k[:, newaxis] * 32 + m);
  *(pc + m[:, newaxis] * 32 + m) = {expression};
}}
""", [h, g, np.zeros((32, 32), f32)], result, tolerance=1e-5)
case("dot-half", """
#pragma tile grid(1)
void f(half *pa, half *pb, half *pc) {
  int m[32] = 0...32;
  int k[16] = 0...16;
  half c[32, 32] = 1;
  c += *(pa + m[:, newaxis] * 16 + k) @ *(pb + k[:, newaxis] * 32 + m);
  *(pc + m[:, newaxis] * 32 + m) = c;
}
""", [h, g, np.zeros((32, 32), f16)], (1 + h.astype(f32) @ g.astype(f32)).astype(f16), tolerance=2e-3)
for dtype, word, wide, result in ((i8, "int8", i32, "int"), (f64, "double", f64, "double"), (f32, "float", f32, "float")):
    a, b = draw(dtype, 3, 16, 32), draw(dtype, 3, 32, 16)
    case(f"dot-batch-{word}", f"""
#pragma tile grid(1)
void f({word} *pa, {word} *pb, {result} *pc) {{
  int n[16] = 0...16;
  int k[32] = 0...32;
  for (int z = 0; z < 3; z++) {{
    {word} a[1, 16, 32] = *(pa + z * 512 + (n[:, newaxis] * 32 + k)[newaxis, :, :]);
    {word} b[1, 32, 16] = *(pb + z * 512 + (k[:, newaxis] * 16 + n)[newaxis, :, :]);
    *(pc + z * 256 + (n[:, newaxis] * 16 + n)[newaxis, :, :]) = a @ b;
  }}
}}
""", [a, b, np.zeros((3, 16, 16), wide)], np.matmul(a.astype(wide), b.astype(wide)), tolerance=1e-5)

# The grid.
case("grid", """
#pragma tile grid(nx, ny, 2 * 1)
void f(int *p, int nx, int ny) {
  int x = get_program_id(0), y = get_program_id(1);
  int z = get_program_id(2);
  *(p + (z * get_num_programs(1) + y) * get_num_programs(0) + x) = 100 * x + 10 * y + z + 1000 * get_num_programs(2);
}
""", [np.zeros((2, 3, 4), i32), i32(4), i32(3)],
     {0: np.array([[[100 * x + 10 * y + z + 2000 for x in range(4)] for y in range(3)] for z in range(2)], i32)})

# Control flow.
t = draw(i32, 32)


def loop(name, body, result, n=10, **more):
    case(f"loop-{name}", f"#pragma tile grid(1)\nvoid f(int *px, int *py, int n) {{\n  int i[32] = 0...32;\n  int s[32] = *(px + i);\n"
         f"  int k = 77;\n  {body}\n  *(py + i) = s + k;\n}}\n", [t, np.zeros(32, i32), i32(n)], {1: result.astype(i32)}, **more)


loop("up", "for (int j = 0; j < n; j++) s += j;", t + 45 + 77)
loop("inclusive", "for (int j = 1; j <= n; j += 3) s += j;", t + 22 + 77)
loop("down", "for (int j = n; j > 0; j -= 4) s += j;", t + 18 + 77)
loop("down-inclusive", "for (int j = n; j >= 0; j -= 5) s = 2 * s + j;", 2 * (2 * (2 * t + 10) + 5) + 77)
loop("swapped", "for (int j = 0; n > j; ++j) s += j;", t + 45 + 77)
loop("step-of-argument", "for (int j = 0; j < 40; j += n) s += j;", t + 60 + 77)
loop("step-of-argument-down", "for (int j = 40; j > 5; j -= n / 2) s += j;", t + 40 + 35 + 30 + 25 + 20 + 15 + 10 + 77)
loop("negative-step", "for (int j = 3; j >= 0; j += -1) s += j;", t + 6 + 77)
loop("none", "for (int j = 5; j < n - 10; j++) s += j;", t + 77)
loop("outer", "for (k = 3; k < n; k += 5) s += k;", t + 3 + 8 + 13)
loop("outer-none", "for (k = 30; k < n; k += 5) s += k;", t + 30)
loop("plain-step", "for (int j = 0; j < n; j = j + 2) s += j;", t + 20 + 77)
loop("long", "for (int64 j = 0; j < 5000000000; j += 1000000000) s += (int)(j / 1000000000);", t + 10 + 77)
loop("nested", "for (int j = 0; j < n; j++) { int b[32] = s; for (int l = j; l < 4; l++) s += b * l; }",
     (lambda s: [s := s + s * sum(range(j, 4)) for j in range(10)][-1])(t) + 77)
first, second = np.ones(32, i32), t
for _ in range(10):
    first, second = first + second, first
loop("two-values", "int a[32] = 1; for (int j = 0; j < n; j++) { int b[32] = a + s; s = a; a = b; }", second + 77)
for name, body, result in (
        ("while", "while (k > 70) { k -= 3; s += k; }", t + 74 + 71 + 68 + 68),
        ("unknown-step", "for (int j = 1; j < 100; j *= 3) s += j;", t + 1 + 3 + 9 + 27 + 81 + 77),
        ("changed", "for (int j = 0; j < n; j++) { s += j; j += 2; }", t + 0 + 3 + 6 + 9 + 77),
        ("bound-changes", "for (int j = 0; j < k; j++) { k -= 10; s += j; }", t + sum(range(7)) + 7)):
    loop(name, body, result)
loop("if", "if (n > 5) { s = s + 1; k = 2; } else s = s + 3;", t + 3)
loop("else", "if (n > 50) { s = s + 1; } else if (n == 10) { s = s + 3; } else s = 0;", t + 3 + 77)
loop("if-first", "int v[32]; if (n > 5) v = 4; else v = 5; s += v;", t + 4 + 77)
loop("if-float", "if (n * 0.5) s += 1;", t + 78)
loop("if-short-circuit", "if (n < 5 && *(px + 123456789) > 0) s += 1; else s += 2;", t + 79)
loop("if-in-loop", "for (int j = 0; j < n; j++) if (j % 2 == 0) s += j; else k += 1;", t + 20 + 82)
loop("store-in-if", "if (n == 10) *(py + 3) = 5; s += *(py + 3);", t + 82)
loop("block", "{ int s = 4; k += s; { int k[32] = 5; s = 3; } } ;", t + 81)
loop("sequence", "int a = 1, b[32] = 2; b += a; s += b;", t + 3 + 77)

# The preprocessor.
case("preprocessor", """
#define SIZE 32
#define TWICE(x) ((x) + (x))
#define MIX(a, b) a * \\
  b
#define SHAPE SIZE, 2
#if defined(FAST) && LEVEL >= 2 && !defined SLOW
#define STEP 3
#elif LEVEL == 1
#error "not here"
#else
#define STEP oops
#endif
#ifndef STEP
#error no step
#else
#undef SIZE
#define SIZE 16
#endif
/* a comment
   of two lines */
#pragma tile grid(TWICE(1))
#pragma unroll
void f(TYPE *p) { // to the end
  TYPE x[SHAPE] = MIX(TWICE(STEP), 2 + 1);
  int i[SIZE] = get_program_id(0) * SIZE + 0...SIZE;
  *(p + i[AXES] * 2 + (0...2)[OTHER]) = x;
}
""", [np.zeros(64, i16)], np.full(64, 13, i16), defines=("FAST", "LEVEL=2", "TYPE=int16", "AXES=:,newaxis", "OTHER=newaxis,:"))
case("tunable", """
const tunable int TM = {16, 32, 64};
const int TWO = 2;
const int BOTH = TM * TWO;
#pragma tile grid(64 / BOTH)
void f(int *p) { *(p + get_global_range[BOTH](0)) = TM; }
""", [np.zeros(64, i32)], np.full(64, 32, i32), defines=("TM=32",))
case("tunable-first", "const tunable int TM = {16, 32};\n#pragma tile grid(1)\nvoid f(int *p) { *(p + 0...TM) = TM; }\n",
     [np.zeros(16, i32)], np.full(16, 16, i32))
case("list", "#pragma tile grid(1)\nvoid f(int *p) { *(p + 0...TM) = TM; }\n", [np.zeros(8, i32)], np.full(8, 8, i32),
     defines=("TM=[8, 16]",))
case("constant-array", """
#define K 16
__constant__ int *delta = alloc_const int[K];
#pragma tile grid(1)
void f(int *p) {
  int i[K] = 0...K;
  *(p + *(delta + i)) = i;
}
""", [np.zeros(16, i32), d := rng.permutation(16).astype(i32)], {0: np.argsort(d).astype(i32)})
case("two-kernels", """
#pragma tile grid(1)
void one(int *p) { *p = 1; }
#pragma tile grid(1)
void two(int *p) { *p = 2; }
""", [np.zeros(1, i32)], np.array([2], i32), entry="main_two")
case("no-grid", "void f(int *p) { *(p + get_program_id(0)) = 4; return; }\n", [np.zeros(3, i32)], np.full(3, 4, i32), backends=("interp", "cpu"), options=("--grid=3",))

# Atomics.
for op, dtype, word, result in (("add", i32, "int", 4 * 5), ("max", i32, "int", 5), ("min", i32, "int", -9), ("and", i32, "int", 0),
                                ("or", i32, "int", 5), ("xor", i32, "int", 0), ("xchg", i32, "int", 5), ("max", u32, "uint32", 7),
                                ("add", f32, "float", 20)):
    start = np.full(128, {"u": 7}.get(np.dtype(dtype).kind, -9 if op == "min" else 0), dtype)
    case(f"atomic-{op}-{word}", f"#pragma tile grid(4)\nvoid f({word} *p, {word} *old) {{\n  int i[128] = 0...128;\n"
         f"  {word} was[128] = atomic_{op}(p + i, 5, i < 99);\n  @(i >= 99 && get_program_id(0) == 0) *(old + i) = was + 3;\n}}\n",
         [start, np.zeros(128, dtype)], {0: np.where(np.arange(128) < 99, dtype(result), start),
                                         1: np.where(np.arange(128) < 99, 0, 3).astype(dtype)})

if __name__ == "__main__":
    main(CASES)
