"""The programs whose kernels are measured, as text, and the problems that they are for.

A function's name says what it computes on which sizes, and so does its kernel's, for profilers and for the fake driver
of test/Launcher: gemm_bias_relu_mk_kn_256x128x64.
"""
import dataclasses
import itertools
import math
import random

ORDERS = ("mk, kn", "km, kn", "mk, nk", "km, nk")
LAYOUTS = ("nchw", "nhwc")
IDIOMS = ("gemm", "relu-gemm", "gemm-bias-relu", "add-gemm-gemm")
# Batch, channels, rows, columns, filters, rows and columns of filters: tasks 1 to 7 of the Triton paper (MAPL 2019).
CONVOLUTIONS = ("4x64x112x112x128x3x3", "4x128x56x56x256x3x3", "4x256x28x28x512x3x3", "4x512x14x14x512x3x3",
                "4x512x7x7x512x3x3", "8x1x161x700x64x5x5", "8x32x79x341x32x5x10")
# Those that the paper also has as shift convolutions.
SHIFTS = CONVOLUTIONS[:5]


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    text: str
    is_tiled: bool  # a kernel of tiles, to which options of contractions do not apply


@dataclasses.dataclass
class Problem:
    group: str  # the table that it is a row of
    task: str
    size: tuple
    order: str
    program: Program
    parts: list  # programs that compute a part of it

    @property
    def name(self):
        return "-".join((self.group, self.task, "x".join(map(str, self.size)), self.order.replace(", ", "-")))


def make_name(*words):
    return "_".join(words).replace(", ", "_").replace("-", "_")


def make_type(*sizes):
    return f"tensor<{'x'.join(map(str, sizes))}xf16>"


def make_function(name, arguments, result, body):
    parameters = ", ".join(f"%{argument}: {type}" for argument, type in arguments)
    text = f"func.func @{name}({parameters}) -> {result} {{\n{body}  return %result : {result}\n}}\n"
    return Program(name, text, False)


def make_product(task, size, order):
    lengths = dict(zip("mnk", size))
    a, b, c = (make_type(*map(lengths.get, letters)) for letters in (order[:2], order[4:], "mn"))

    def contract(result, x, y):
        return f'  %{result} = einsum.contract "{order} -> mn" (%{x}, %{y}) {{acc = f32}} : ({a}, {b}) -> {c}\n'

    def relu(result, x, type):
        return (f"  %zero = arith.constant dense<0.0> : {type}\n"
                f"  %{result} = arith.maximumf %{x}, %zero : {type}\n")

    arguments = [("a", a), ("b", b)]
    if task == "gemm":
        body = contract("result", "a", "b")
    elif task == "relu-gemm":
        body = relu("positive", "a", a) + contract("result", "positive", "b")
    elif task == "gemm-bias-relu":
        bias = make_type(size[1])
        arguments.append(("bias", bias))
        body = (contract("product", "a", "b") + f"  %empty = tensor.empty() : {c}\n"
                f"  %row = linalg.broadcast ins(%bias : {bias}) outs(%empty : {c}) dimensions = [0]\n"
                f"  %sum = arith.addf %product, %row : {c}\n" + relu("result", "sum", c))
    else:
        arguments += [("a2", a), ("b2", b)]
        body = (contract("first", "a", "b") + contract("second", "a2", "b2") +
                f"  %result = arith.addf %first, %second : {c}\n")
    return make_function(make_name(task, order, "x".join(map(str, size))), arguments, c, body)


def make_pointwise(kind, rows, columns):
    """relu(x), bias_relu(x, bias) or add(x, y), as a kernel of tiles: a program has 32 rows and 128 columns
    where these divide the matrix."""
    name = make_name(kind, f"{rows}x{columns}")
    height, width = math.gcd(32, rows), math.gcd(128, columns)
    tile = make_type(height, width)
    matrix, vector = f"memref<{rows}x{columns}xf16>", f"memref<{columns}xf16>"
    operands = {"relu": [("x", matrix)], "bias_relu": [("x", matrix), ("bias", vector)],
                "add": [("x", matrix), ("y", matrix)]}[kind]
    view = "[%row, %column] axes [0, 1] in_bounds [true, true]"
    lines = [f"%x_tile = tile.load_view %x{view} : {matrix} -> {tile}"]
    value = "x_tile"
    if kind == "bias_relu":
        part, row = make_type(width), make_type(1, width)
        lines += [f"%bias_tile = tile.load_view %bias[%column] axes [0] in_bounds [true] : {vector} -> {part}",
                  f"%bias_row = tile.reshape %bias_tile : {part} -> {row}",
                  f"%bias_rows = tile.broadcast %bias_row : {row} -> {tile}",
                  f"%sum = arith.addf %x_tile, %bias_rows : {tile}"]
        value = "sum"
    if kind == "add":
        lines += [f"%y_tile = tile.load_view %y{view} : {matrix} -> {tile}",
                  f"%result = arith.addf %x_tile, %y_tile : {tile}"]
    else:
        lines += [f"%zero = arith.constant dense<0.0> : {tile}", f"%result = arith.maximumf %{value}, %zero : {tile}"]
    lines += [f"tile.store_view %result, %out{view} : {tile}, {matrix}", "return"]
    parameters = ", ".join([f"%{x}: {type} {{tile.readonly}}" for x, type in operands] + [f"%out: {matrix}"])
    given = operands + [("out", matrix)]
    names, types = ", ".join(f"%{x}" for x, _ in given), ", ".join(type for _, type in given)
    text = f"""func.func @{name}({parameters}) attributes {{tile.kernel}} {{
  %height = arith.constant {height} : index
  %width = arith.constant {width} : index
  %id = tile.program_id x
  %id2 = tile.program_id y
  %i = arith.index_cast %id : i32 to index
  %j = arith.index_cast %id2 : i32 to index
  %row = arith.muli %i, %height : index
  %column = arith.muli %j, %width : index
  {chr(10).join(lines).replace(chr(10), chr(10) + "  ")}
}}

func.func @main({", ".join(f"%{x}: {type}" for x, type in given)}) {{
  %rows = arith.constant {rows // height} : index
  %columns = arith.constant {columns // width} : index
  %one = arith.constant 1 : index
  tile.launch @{name} grid(%rows, %columns, %one) ({names}) : {types}
  return
}}
"""
    return Program(name, text, True)


def make_convolution(task, size, order):
    """A convolution, a shift convolution, or what the latter does to an image that was moved: "pointwise"."""
    n, c, h, w, k, r, s = size
    rows, columns = h - r + 1, w - s + 1
    image, row, column = {"convolution": ((h, w), "(h+r)", "(w+s)"), "shift": ((h, w), "(h+sh[c])", "(w+sw[c])"),
                          "pointwise": ((rows, columns), "h", "w")}[task]
    is_last = order == "nhwc"
    data = make_type(n, *image, c) if is_last else make_type(n, c, *image)
    result = make_type(n, rows, columns, k) if is_last else make_type(n, k, rows, columns)
    weight, filters = make_type(k, c), "kc"
    if task == "convolution":
        weight, filters = (make_type(k, r, s, c), "krsc") if is_last else (make_type(k, c, r, s), "kcrs")
    spec = (f"n{row}{column}c, {filters} -> nhwk" if is_last else f"nc{row}{column}, {filters} -> nkhw")
    arguments = [("image", data), ("filters", weight)]
    tables = ""
    if task == "shift":
        table = f"tensor<{c}xi32>"
        arguments += [("sh", table), ("sw", table)]
        tables = f"tables(sh = %sh : {table}, sw = %sw : {table}) "
    body = (f'  %result = einsum.contract "{spec}" (%image, %filters) {tables}{{acc = f32}}\n'
            f"      : ({data}, {weight}) -> {result}\n")
    taps = (1, 1) if task == "pointwise" else (r, s)
    sizes = (n, c, *image, k, *taps)
    return make_function(make_name(task, order, "x".join(map(str, sizes))), arguments, result, body)


def draw_sizes(count, seed):
    """Different multiples of 128 up to 4096 for M, N and K."""
    generator = random.Random(seed)
    sizes = {}
    while len(sizes) < count:
        sizes[tuple(128 * generator.randint(1, 32) for _ in range(3))] = None
    return list(sizes)


def make_orders(sizes):
    return [Problem("orders", "gemm", size, order, make_product("gemm", size, order), [])
            for size in sizes for order in ORDERS]


def make_idioms(sizes):
    problems = []
    for size, task in itertools.product(sizes, IDIOMS):
        m, n, k = size
        parts = {"gemm": [], "relu-gemm": [("relu", m, k)], "gemm-bias-relu": [("bias_relu", m, n)],
                 "add-gemm-gemm": [("add", m, n)]}[task]
        problems.append(Problem("idioms", task, size, ORDERS[0], make_product(task, size, ORDERS[0]),
                                [make_pointwise(*part) for part in parts]))
    return problems


def make_convolutions(task, group, sizes):
    parts = ["pointwise"] if task == "shift" else []
    return [Problem(group, task, size, order, make_convolution(task, size, order),
                    [make_convolution(part, size, order) for part in parts])
            for size in sizes for order in LAYOUTS]
