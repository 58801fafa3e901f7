#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels of integer arithmetic on tiles, against the interpreter.

Each kernel is run as it is; after tile-print-axis-info=annotate, which claims what axis analysis found
of every value as a tile.assume, so that the interpreter checks each claim; and after
tile-eliminate-masks, where the masks that the kernel stores must be what they were. Numbers are drawn
from everywhere, near the ends of i32 in particular, as arithmetic wraps there.

    python3 tile_assumptions_property.py --tile-opt build/bin/tile-opt --tile-run build/bin/tile-run --count 200 --seed 1
"""

import argparse
import pathlib
import random
import sys
import tempfile

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

SHAPES = [(8,), (6,), (16,), (12,), (4, 6), (6, 8), (1, 8), (8, 1), (2, 3, 4)]
PREDICATES = ["slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "eq", "ne"]
LEAST, GREATEST = -(2**31), 2**31 - 1


def tile(shape, element="i32"):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


class Kernel:
    """Draws the text of a kernel, and of a host function that launches it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.arguments = []
        self.values = {}  # by type: names
        self.masks = []
        self.count = 0
        self.indent = "  "

    def emit(self, text, type_):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"{self.indent}{name} = {text}")
        self.values.setdefault(type_, []).append(name)
        return name

    def pick(self, type_):
        # What was made last is the most interesting.
        names = self.values[type_]
        return names[-1] if self.random.random() < 0.4 else self.random.choice(names)

    def number(self):
        r = self.random
        return r.choice([
            r.randint(-20, 20), r.choice([4, 6, 8, 12, 16, 24, 32, 48, 64]), r.randint(LEAST, GREATEST),
            r.choice([LEAST, GREATEST, LEAST + r.randint(0, 64), GREATEST - r.randint(0, 64)]),
        ])

    def constant(self, type_, value):
        text = f"dense<{value}>" if type_ != "i32" else value
        return self.emit(f"arith.constant {text} : {type_}", type_)

    def argument(self):
        value = self.number()
        divisor = self.random.choice([1, 1, 2, 6, 8, 16, 24, 48, 64])
        value = int(value / divisor) * divisor
        name = f"%a{len(self.arguments)}"
        self.arguments.append((name, value, divisor))
        self.values.setdefault("i32", []).append(name)

    def arithmetic(self, type_):
        r = self.random
        kind = r.choice([
            "addi", "addi", "subi", "muli", "muli", "divsi", "divui", "floordivsi", "remsi", "remui", "shli", "shrui",
            "shrsi", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui", "select",
        ])
        a = self.pick(type_)
        if kind in ("divsi", "divui", "floordivsi", "remsi", "remui"):
            b = self.constant(type_, r.choice([1, 2, 3, 4, 6, 8, 12, 16, 48, 64, 100]))
        elif kind in ("shli", "shrui", "shrsi"):
            b = self.constant(type_, r.randint(0, 31))
        elif kind == "andi" and r.random() < 0.8:
            b = self.constant(type_, r.choice([1, 3, 7, 15, 63, -2, -4, -8, -64, 12]))
        else:
            b = self.pick(type_)
        if kind == "select":
            mask = self.compare(type_)
            self.lines.append(f"{self.indent}%s{self.count} = tile.psi {mask[0]} ? {a}, {mask[1]} ? {b} : "
                              f"{mask[2]}, {type_}")
            self.values[type_].append(f"%s{self.count}")
            return
        self.emit(f"arith.{kind} {a}, {b} : {type_}", type_)

    def compare(self, type_):
        a, b = self.pick(type_), self.pick(type_)
        name = f"%c{self.count}"
        self.count += 1
        self.lines.append(f"{self.indent}{name}:2 = tile.cmpp {self.random.choice(PREDICATES)} {a}, {b} : {type_}")
        return f"{name}#0", f"{name}#1", type_.replace("xi32", "xi1") if type_ != "i32" else "i1"

    def widen(self, type_):
        wide = type_.replace("i32", "i64")
        self.emit(f"arith.ext{self.random.choice('su')}i {self.pick(type_)} : {type_} to {wide}", wide)

    def narrow(self, type_):
        short = type_.replace("i32", "i16")
        self.emit(f"arith.trunci {self.pick(type_)} : {type_} to {short}", short)

    def pointers(self, shape):
        """Pointers, of numbers that stay near."""
        type_ = tile(shape)
        limit = self.constant(type_, 4095)
        offset = self.emit(f"arith.andi {self.pick(type_)}, {limit} : {type_}", type_)
        pointers = tile(shape, "!tile.ptr<i32>")
        base = self.emit(f"tile.splat %p : !tile.ptr<i32> -> {pointers}", pointers)
        self.emit(f"tile.addptr {base}, {offset} : {pointers}, {type_}", pointers)

    def retile(self, shape):
        r = self.random
        type_ = tile(shape)
        self.emit(f"tile.splat {self.pick('i32')} : i32 -> {type_}", type_)
        if len(shape) == 1:
            start = r.choice([0, 0, 0, 4, 8, -16, r.randint(-100, 100)])
            self.emit(f"tile.range {start} to {start + shape[0]} : {type_}", type_)
            return
        axis = r.randrange(len(shape))
        line = (shape[axis],)
        self.retile(line)
        lane = self.pick(tile(line))
        with_ones = tuple(size if i == axis else 1 for i, size in enumerate(shape))
        self.emit(f"tile.reshape {lane} : {tile(line)} -> {tile(with_ones)}", tile(with_ones))
        self.emit(f"tile.broadcast {self.pick(tile(with_ones))} : {tile(with_ones)} -> {type_}", type_)
        order = list(range(len(shape)))
        r.shuffle(order)
        moved = tuple(shape[i] for i in order)
        self.emit(f"tile.trans {self.pick(type_)} {order} : {type_}", tile(moved))
        flat = 1
        for size in shape:
            flat *= size
        self.emit(f"tile.reshape {self.pick(type_)} : {type_} -> {tile((flat,))}", tile((flat,)))

    def loop(self, shape):
        """A loop in which lanes are compared with its end, as masks of tiles along K are."""
        r = self.random
        type_ = tile(shape)
        step = r.choice([4, 6, 8, 12, 16])
        name = f"%k{self.count}"
        end = r.choice([*(a[0] for a in self.arguments if 0 <= a[1] < 200), None])
        if end is None:
            end = self.constant("i32", r.choice([24, 32, 48, 40, 44]))
        start = self.constant("i32", r.choice([0, 0, 0, 4, 8, -48]))
        by = self.constant("i32", step)
        carried = self.pick(type_)
        kept = {key: list(names) for key, names in self.values.items()}
        result, carry = f"%r{self.count}", f"%i{self.count}"
        self.count += 1
        self.lines.append(f"{self.indent}{result}:2 = scf.for {name} = {start} to {end} step {by} iter_args({carry} = "
                          f"{carried}, {carry}m = %zero{len(shape)}_{'_'.join(map(str, shape))}) -> ({type_}, {type_}) "
                          f": i32 {{")
        self.indent += "  "
        self.values["i32"].append(name)
        self.values[type_].append(carry)
        size = shape[-1]
        lane = self.emit(f"tile.range {r.choice([0, 0, 0, 1])} to END : {tile((size,))}", tile((size,)))
        first = int(self.lines[-1].split("tile.range ")[1].split()[0])
        self.lines[-1] = self.lines[-1].replace("END", str(first + size))
        lanes = self.emit(f"tile.broadcast {lane} : {tile((size,))} -> {type_}", type_)
        if r.random() < 0.5:
            item = self.emit(f"tile.splat {name} : i32 -> {type_}", type_)
            item = self.emit(f"arith.addi {item}, {lanes} : {type_}", type_)
            bound = self.emit(f"tile.splat {end} : i32 -> {type_}", type_)
        else:
            item = lanes
            rest = self.emit(f"arith.subi {end}, {name} : i32", "i32")
            bound = self.emit(f"tile.splat {rest} : i32 -> {type_}", type_)
        predicate = r.choice(["slt", "slt", "sge", "sle"])
        mask = f"%m{self.count}"
        self.lines.append(f"{self.indent}{mask} = arith.cmpi {predicate}, {item}, {bound} : {type_}")
        self.lines.append(f"{self.indent}{mask}e = arith.extui {mask} : {tile(shape, 'i1')} to {type_}")
        self.lines.append(f"{self.indent}{mask}s = arith.addi {carry}m, {mask}e : {type_}")
        three = f"%three{len(shape)}_{'_'.join(map(str, shape))}"
        self.lines.append(f"{self.indent}{mask}t = arith.muli {mask}s, {three} : {type_}")
        for _ in range(2):
            self.arithmetic(type_)
        self.lines.append(f"{self.indent}scf.yield {self.pick(type_)}, {mask}t : {type_}, {type_}")
        self.indent = self.indent[2:]
        self.lines.append(f"{self.indent}}}")
        self.values = kept
        self.values[type_] += [f"{result}#0", f"{result}#1"]
        self.store(f"{result}#1", shape)

    def store(self, value, shape):
        self.masks.append((value, shape))

    def draw(self):
        r = self.random
        for _ in range(4):
            self.argument()
        self.emit("tile.program_id x", "i32")
        for _ in range(3):
            self.constant("i32", self.number())
        shapes = r.sample(SHAPES, 2)
        for shape in shapes:
            name = f"{len(shape)}_{'_'.join(map(str, shape))}"
            for word, number in (("zero", 0), ("three", 3)):
                self.lines.append(f"  %{word}{name} = arith.constant dense<{number}> : {tile(shape)}")
        for _ in range(10):
            shape = r.choice(shapes)
            type_ = tile(shape)
            self.arithmetic("i32")
            self.retile(shape)
            self.arithmetic(type_)
            r.choice([lambda: self.widen(type_), lambda: self.narrow(type_), lambda: self.pointers(shape),
                      lambda: self.loop(shape), lambda: self.arithmetic(type_)])()
            then, otherwise, kind = self.compare(type_)
            extended = self.emit(f"arith.extui {then} : {kind} to {type_}", type_)
            self.store(extended, shape)
        return self.text()

    def text(self):
        stores, offset = [], 0
        for i, (value, shape) in enumerate(self.masks):
            size = 1
            for length in shape:
                size *= length
            line, pointers = tile((size,)), tile((size,), "!tile.ptr<i32>")
            stores += [
                f"%o{i} = tile.range {offset} to {offset + size} : {line}",
                f"%f{i} = tile.reshape {value} : {tile(shape)} -> {line}",
                f"%b{i} = tile.splat %own : !tile.ptr<i32> -> {pointers}",
                f"%q{i} = tile.addptr %b{i}, %o{i} : {pointers}, {line}",
                f"tile.store %q{i}, %f{i} : {pointers}",
            ]
            offset += size
        parameters = "".join(f", {name}: i32 {{tile.multiple_of = {divisor} : i64}}"
                             for name, _, divisor in self.arguments)
        lines = [f"func.func @kernel(%p: !tile.ptr<i32> {{tile.multiple_of = 4 : i64}}{parameters}) "
                 "attributes {tile.kernel} {"]
        lines += self.lines
        lines += [f"  %each = arith.constant {offset} : i32", "  %id = tile.program_id x",
                  "  %first = arith.muli %id, %each : i32",
                  "  %own = tile.addptr %p, %first : !tile.ptr<i32>, i32"]
        lines += [f"  {line}" for line in stores]
        out = f"memref<{3 * offset}xi32>"
        lines += ["  return", "}", f"func.func @main(%out: {out}) {{", "  %c1 = arith.constant 1 : index",
                  "  %c3 = arith.constant 3 : index"]
        lines += [f"  {name} = arith.constant {value} : i32" for name, value, _ in self.arguments]
        names = "".join(f", {name}" for name, _, _ in self.arguments)
        lines += [f"  tile.launch @kernel grid(%c3, %c1, %c1) (%out{names}) : {out}" + ", i32" * len(self.arguments),
                  "  return", "}"]
        return "\n".join(lines) + "\n"


def run(command, what):
    status, output = batch.run(command)
    if status == 0:
        return True
    print(f"{what} failed: {' '.join(command)}\n{output[:1500]}")
    return False


def check(args, seed, folder):
    source, annotated, less = (folder / f"{name}.mlir" for name in ("kernel", "annotated", "less"))
    source.write_text(Kernel(seed).draw())
    execute = [args.tile_run, "--backend=interp", "--random=1"]
    before, after = folder / "before.npy", folder / "after.npy"
    return (run([*execute, str(source), f"--outputs={before}"], "the kernel")
            and run([args.tile_opt, str(source), "--tile-print-axis-info=annotate", "-o", str(annotated)], "analysis")
            and run([*execute, str(annotated)], "a claim of axis analysis")
            and run([args.tile_opt, str(source), "--tile-eliminate-masks", "-o", str(less)], "tile-eliminate-masks")
            and run([*execute, str(less), f"--outputs={after}"], "the kernel without masks")
            and (before.read_bytes() == after.read_bytes() or print("tile-eliminate-masks changed the answer")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-opt", required=True)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for i in range(args.count):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if not check(args, args.seed + i, folder):
                print(f"kernel of seed {args.seed + i}:\n{(folder / 'kernel.mlir').read_text()}")
                return 1
    print(f"property: {args.count} kernels, 0 wrong, seed {args.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
