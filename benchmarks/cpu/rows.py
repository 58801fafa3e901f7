"""What is measured: rows of problems, and those who compute them.

A row has one or more computations, each with its candidates, and all candidates of a row are measured in turns. One is
called "ours": the others of the row are compared with it.
"""
import dataclasses
import json
import pathlib
import zlib

import numpy as np

import reference

HERE = pathlib.Path(__file__).parent
POWERS = (16, 32, 64, 128, 256, 512, 1024, 2048)
ODD = (17, 24, 33, 40, 50, 65, 68, 100, 129, 200, 500, 1000)
BATCHES = ((16, 1024), (64, 64))
# Section 5.3 of the tensor operation backend: its three configurations.
BLOCKS = (("none", "gemm", "none"), ("none", "brgemm", "none"), ("zero", "brgemm", "relu"))
NHWC, NCHW = "n(h+r)(w+s)c, rsck -> nhwk", "nc(h+r)(w+s), kcrs -> nkhw"
QUICK = {"gemm 32", "gemm 64", "gemm 256", "gemm 512", "odd 17", "odd 65", "odd 129", "brgemm 32 x 8",
         "batched 16 x 1024", "blocks 1 given", "blocks 3 optimised", "einsum two_axes", "einsum sparse",
         "einsum permute", "einsum conv2d", "conv nhwc task4", "conv nhwc task5", "shift nhwc task5", "epilogue 128",
         "threads 512", "compile gemm 64", "compile conv 3x3"}


@dataclasses.dataclass
class Computation:
    spec: str
    shapes: list  # of the operands
    sizes: dict = dataclasses.field(default_factory=dict)  # of letters that no axis of an operand is alone
    type: str = "f32"
    tables: dict = dataclasses.field(default_factory=dict)  # in the order in which they are read
    pad: bool = False
    bias: bool = False  # added to the last axis of the result
    relu: bool = False
    adds: bool = False  # to what is in the result before

    def all_sizes(self):
        return reference.find_sizes(self.spec, self.shapes, self.sizes)

    def result_shape(self):
        sizes = self.all_sizes()
        return [sizes[letter] for letter in reference.split_spec(self.spec)[1]]

    @property
    def result_type(self):
        return "i32" if self.type == "i8" else self.type

    def flop(self):
        """0 where nothing is multiplied."""
        return 2 * int(np.prod(list(self.all_sizes().values()), dtype=np.int64)) if len(self.shapes) > 1 else 0


@dataclasses.dataclass
class Candidate:
    name: str
    baseline: str
    lines: list = dataclasses.field(default_factory=list)  # see Baseline.h


@dataclasses.dataclass
class Row:
    group: str
    name: str
    parts: list  # (Computation, [Candidate])
    threads: int = 1

    @property
    def peak_type(self):
        """Of what Peak.cpp knows a peak."""
        return self.group if self.group.endswith(" amx") else self.parts[0][0].type

    @property
    def title(self):
        return f"{self.group} {self.name}"


def ours(computation, name="ours", threads=1, lines=()):
    """By its specification."""
    text = [("spec", computation.spec), ("type", computation.result_type), ("input_type", computation.type),
            *(("shape", " ".join(map(str, shape))) for shape in computation.shapes), ("threads", threads)]
    text += [("indices", ",".join(f"{letter}={size}" for letter, size in computation.sizes.items()))]
    text += [("padding", "zero")] if computation.pad else []
    if computation.bias:
        rank = len(computation.result_shape())
        text += [("first", "bias"), ("strides_bias", " ".join(["0"] * (rank - 1) + ["1"]))]
    text += [("last", "relu")] if computation.relu else []
    return Candidate(name, "ours", [*text, *lines])


def torch(variant):
    return Candidate(f"torch {variant}", "torch", [("variant", variant)])


def libraries(kind, type_name, sizes, names=("openblas", "xsmm", "onednn", "onednn matmul")):
    lines = [("kind", kind), ("type", type_name), ("sizes", " ".join(map(str, sizes)))]
    return [Candidate(name, name.split()[0], lines + ([("way", "other")] if " " in name else [])) for name in names]


def product(m, n, k, type_name="f32"):
    return Computation("mk, kn -> mn", [(m, k), (k, n)], type=type_name)


def make_products():
    for group, sizes in (("gemm", POWERS), ("odd", ODD)):
        for size in sizes:
            part = product(size, size, size)
            yield Row(group, str(size), [(part, [ours(part), *libraries("gemm", "f32", [size] * 3), torch("mm")])])
    for size in (32, 64, 65, 100, 256, 1024):
        part = product(size, size, size, "f64")
        names = ("openblas", "xsmm")
        yield Row("f64", str(size), [(part, [ours(part), *libraries("gemm", "f64", [size] * 3, names), torch("mm")])])
    for size in (64, 256, 1024):
        part = product(size, size, size, "bf16")
        limited = [dataclasses.replace(baseline, lines=[*baseline.lines, ("isa", "avx512")])
                   for baseline in libraries("gemm", "bf16", [size] * 3, ("onednn matmul",))]
        yield Row("bf16", str(size), [(part, [ours(part), *limited])])
    for type_name, variant in (("bf16", "mm"), ("i8", "int_mm")):
        for size in (64, 128, 256, 512, 1024, 2048, 4096):
            part = product(size, size, size, type_name)
            baselines = libraries("gemm", type_name, [size] * 3, ("onednn matmul",))
            yield Row(f"{type_name} amx", str(size), [(part, [ours(part), *baselines, torch(variant)])])


def make_sums():
    part = Computation("bmk, bkn -> mn", [(8, 32, 32), (8, 32, 32)])
    yield Row("brgemm", "32 x 8", [(part, [ours(part), *libraries("brgemm", "f32", (32, 32, 32, 8),
                                                                  ("openblas", "xsmm"))])])
    for size, batch in BATCHES:
        part = Computation("bmk, bkn -> bmn", [(batch, size, size)] * 2)
        baselines = libraries("gemm", "f32", (size, size, size, batch), ("openblas", "xsmm", "onednn matmul"))
        yield Row("batched", f"{size} x {batch}", [(part, [ours(part), *baselines, torch("bmm")])])
    for number, (first, main, last) in enumerate(BLOCKS, 1):
        part = Computation("ackm, bcnk -> abnm", [(32, 8, 32, 32)] * 2, relu=last == "relu", adds=first == "none")
        touches = [("type", "f32"), ("first", first), ("main", main), ("last", last)]
        summed = "prim" if main == "brgemm" else "seq"
        loops = [("dim_types", "m n k m n k"), ("exec_types", f"seq seq {summed} prim prim prim"),
                 ("dim_sizes", "32 32 8 32 32 32"), ("strides_in0", "8192 0 1024 1 0 32"),
                 ("strides_in1", "0 8192 1024 0 32 1"), ("strides_out", "32768 1024 0 1 32 0")]
        baselines = [Candidate("xsmm", "xsmm", [("kind", "blocks"), *touches]),
                 Candidate("xsmm other", "xsmm", [("kind", "blocks"), ("way", "other"), *touches])]
        for name, optimize in (("given", 0), ("optimised", 1)):
            loop = Candidate("ours", "ours", [*touches, *loops, ("optimize", optimize), ("threads", 1)])
            yield Row("blocks", f"{number} {name}", [(part, [loop, *(baselines if first == "none" else baselines[:1])])])


def make_tables(case, sizes):
    """Drawn from what the case names, the same in each run."""
    generator = np.random.default_rng(zlib.crc32(case["name"].encode()))
    tables = {}
    for name, table in case.get("tables", {}).items():
        least, most = table["values"]
        values = generator.integers(least, most + 1, [sizes[letter] for letter in table["shape"]])
        tables[name] = values.astype(np.int32)
    return tables


def make_case(case):
    sizes, tables = case["sizes"], make_tables(case, case["sizes"])
    terms, _ = reference.split_spec(case["spec"])
    shapes = [tuple(case.get("shape", {}).get(str(i)) or reference.find_shape(axes, sizes))
              for i, axes in enumerate(terms)]
    alone = {axis for axes in terms for axis in axes if len(axis) == 1}
    rest = {letter: size for letter, size in sizes.items() if letter not in alone}
    return Computation(case["spec"], shapes, rest, tables=tables, pad=case.get("pad") == "zero")


def make_einsums(variants):
    for case in json.loads((HERE / "cases.json").read_text())["cases"]:
        part = make_case(case)
        yield Row("einsum", case["name"], [(part, [ours(part), *map(torch, variants(case["name"]))])])


def make_image(spec, task, shifts=False):
    """A convolution of a task with results of H x W, so that nothing is padded; or a shift convolution."""
    n, h, w, c, k, r, s = (task[letter] for letter in "BHWCKRS")
    rows, columns = h + r - 1, w + s - 1
    shapes = [(n, rows, columns, c) if spec.startswith("n(") else (n, c, rows, columns)]
    if shifts:
        shapes.append((c, k))
        generator = np.random.default_rng(h)
        tables = {name: generator.integers(0, size, c).astype(np.int32) for name, size in (("sh", r), ("sw", s))}
        return Computation(spec, shapes, {"h": h, "w": w}, tables=tables)
    shapes.append((r, s, c, k) if spec == NHWC else (k, c, r, s))
    return Computation(spec, shapes, {"h": h, "w": w})


def make_images():
    tasks = [task | {"B": 4} for task in json.loads((HERE / "cases.json").read_text())["convolutions"]]
    for order, spec in (("nhwc", NHWC), ("nchw", NCHW)):
        for task in tasks:
            part = make_image(spec, task)
            n, h, w, c, k, r, s = (task[letter] for letter in "BHWCKRS")
            lines = [("kind", "conv"), ("type", "f32"), ("order", order), ("sizes", f"{n} {h} {w} {c} {k} {r} {s}")]
            parts = [(part, [ours(part), Candidate("onednn", "onednn", lines), torch(f"conv2d {order}")])]
            if order == "nhwc":
                same = product(n * h * w, k, r * s * c)
                parts.append((same, [ours(same, "ours gemm")]))
            yield Row(f"conv {order}", task["name"], parts)
    for order, spec, plain in (("nhwc", "n(h+sh[c])(w+sw[c])c, ck -> nhwk", "nhwc, ck -> nhwk"),
                               ("nchw", "nc(h+sh[c])(w+sw[c]), ck -> nkhw", "nchw, ck -> nkhw")):
        for task in tasks[:5]:
            part = make_image(spec, task, shifts=True)
            n, h, w, c, k = (task[letter] for letter in "BHWCK")
            pointwise = Computation(plain, [(n, h, w, c) if order == "nhwc" else (n, c, h, w), (c, k)])
            yield Row(f"shift {order}", task["name"],
                      [(part, [ours(part)]), (pointwise, [ours(pointwise, "ours 1x1")])])


def make_rest():
    for size in (64, 128, 256, 512, 1024):
        plain = product(size, size, size)
        ending = dataclasses.replace(plain, bias=True, relu=True)
        yield Row("epilogue", str(size), [(ending, [ours(ending)]), (plain, [ours(plain, "ours gemm")])])
    for size in (256, 512, 1024, 2048):
        part = product(size, size, size)
        for group in ("threads", "busy"):
            yield Row(group, str(size), [(part, [ours(part, threads=2), ours(part, "ours alone")])], threads=2)
    # Letters are renamed for each compilation, so that nothing is found compiled.
    yield Row("compile", "gemm 64", [(product(64, 64, 64), [])])
    image = Computation(NHWC, [(1, 30, 30, 64), (3, 3, 64, 64)], {"h": 28, "w": 28})
    yield Row("compile", "conv 3x3", [(image, [])])


def make_rows(variants):
    """All rows. `variants` tells what torch can do for a case."""
    return [*make_products(), *make_sums(), *make_einsums(variants), *make_images(), *make_rest()]
