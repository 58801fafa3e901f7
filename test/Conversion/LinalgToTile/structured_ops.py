# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random structured ops, as the interpreter and as kernels on the simulator compute them.

    structured_ops.py --tools build/bin --folder /tmp/x --rounds 4 --seed 1

Each op is a linalg.generic with random maps (permutations, constants, windows,
quotients), random sizes, static or dynamic, operands that are parts of arrays,
elements of several types, regions of arithmetic, comparisons, indices and loads,
and up to two outputs, which reductions sum up, or take maxima or minima of.
Elements are small integers, so that results have to be equal. Every op has to
become a kernel. The interpreter runs the kernels, too: it sees what they read
outside of memory.
"""

import argparse
import random
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Integration"))
import batch  # noqa: E402

NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "i64": np.int64}
OPS_PER_PROGRAM = 10
TO_KERNELS = ("--pass-pipeline=builtin.module(einsum-to-tile-pipeline,buffer-deallocation-pipeline,"
              "convert-bufferization-to-memref,convert-linalg-to-tile)")
COMBINERS = {"f": ["addf", "maximumf", "minimumf"], "i": ["addi", "maxsi", "minsi", "maxui", "xori", "ori"]}


class Program:
    """A function main on tensors, and its arguments."""

    def __init__(self, rng):
        self.rng = rng
        self.arguments, self.arrays, self.body, self.results = [], [], [], []
        self.number = 0

    def fresh(self):
        self.number += 1
        return f"%v{self.number}"

    def argument(self, shape, element, dynamic, low=-2):
        """An array of these sizes, and its type: an argument, or a part of one."""
        part = shape and self.rng.random() < 0.3
        firsts = [self.rng.choice([0, 1, 3]) if part else 0 for _ in shape]
        steps = [self.rng.choice([1, 1, 2]) if part else 1 for _ in shape]
        whole = [first + (size - 1) * step + 1 for first, size, step in zip(firsts, shape, steps)]
        name = self.fresh()

        def spell(sizes):
            return f"tensor<{''.join('?x' if dynamic else f'{size}x' for size in sizes)}{element}>"
        self.arguments.append(f"{name}: {spell(whole)}")
        numbers = np.random.default_rng(self.rng.randrange(2**32))
        self.arrays.append(numbers.integers(low, 3, whole).astype(NUMPY[element]))
        if not part:
            return name, spell(shape)
        sliced, type_ = self.fresh(), f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"
        self.body.append(f"{sliced} = tensor.extract_slice {name}{firsts} {list(shape)} {steps} : {spell(whole)} to {type_}")
        return sliced, type_

    def operand_map(self, loops, sizes, kept):
        """An operand's indices, each with the size of its axis."""
        rng, axes = self.rng, []
        for loop in rng.sample(loops, rng.randint(0, len(loops))):
            form = rng.random()
            if form < 0.75 or loop not in kept:
                axes.append((loop, sizes[loop]))
            elif form < 0.85:
                other = rng.choice(loops)
                step = rng.choice([1, 2])
                axes.append((f"{loop} * {step} + {other}", (sizes[loop] - 1) * step + sizes[other]))
            elif form < 0.92:
                axes.append((f"{loop} floordiv 2", (sizes[loop] + 1) // 2))
            else:
                axes.append((f"{loop} mod 3", 3))
        if rng.random() < 0.15:
            axes.append(("0", 1))
        return axes

    def region(self, inputs, outputs, loops, reduces):
        """Lines of the region, and what is yielded."""
        rng, lines = self.rng, []
        element = outputs[0][1]
        kind = "f" if element[0] == "f" else "i"

        def emit(text):
            name = f"%r{len(lines)}"
            lines.append(f"  {name} = {text}")
            return name

        def convert(name, from_):
            """`name` as an element of the outputs."""
            wide = {"f16": 16, "f32": 32, "f64": 64, "i8": 8, "i32": 32, "i64": 64}
            if from_ == element:
                return name
            if from_[0] == "i" and kind == "f":
                return emit(f"arith.sitofp {name} : {from_} to {element}")
            if from_[0] == "f" and kind == "i":
                return emit(f"arith.fptosi {name} : {from_} to {element}")
            op = ("ext" if wide[from_] < wide[element] else "trunc") + (kind if kind == "f" else "")
            op = {"ext": "extsi", "trunc": "trunci"}.get(op, op)
            return emit(f"arith.{op} {name} : {from_} to {element}")

        values = [convert(name, from_) for name, from_ in inputs]
        if rng.random() < 0.3:
            index = emit(f"linalg.index {rng.randrange(len(loops))} : index")
            if rng.random() < 0.5:
                two = emit("arith.constant 2 : index")
                index = emit(f"arith.{rng.choice(['muli', 'divui', 'remui', 'addi'])} {index}, {two} : index")
            number = emit(f"arith.index_cast {index} : index to i32")
            values.append(convert(number, "i32"))
        if rng.random() < 0.3:
            table, type_ = self.argument([5], rng.choice([element, "i32"]), False)
            position = emit(f"linalg.index {rng.randrange(len(loops))} : index")
            five = emit("arith.constant 5 : index")
            position = emit(f"arith.remui {position}, {five} : index")
            below = emit(f"arith.cmpi ult, {position}, {five} : index")
            lines.append(f'  cf.assert {below}, "too large"')
            values.append(convert(emit(f"tensor.extract {table}[{position}] : {type_}"), type_[:-1].split("x")[-1]))
        if not values or rng.random() < 0.2:
            values.append(emit(f"arith.constant {rng.choice([1, 2, 3])}{'.0' if kind == 'f' else ''} : {element}"))
        yielded = []
        for old, _ in outputs:
            value = rng.choice(values)
            for other in rng.sample(values, min(2, len(values))):
                if rng.random() < 0.3:
                    less = emit(f"arith.cmp{kind} {'olt' if kind == 'f' else 'slt'}, {value}, {other} : {element}")
                    value = emit(f"arith.select {less}, {value}, {other} : {element}")
                elif kind == "i" and rng.random() < 0.3:
                    # 1 or 3.
                    two, one = emit(f"arith.constant 2 : {element}"), emit(f"arith.constant 1 : {element}")
                    even = emit(f"arith.andi {other}, {two} : {element}")
                    divisor = emit(f"arith.ori {even}, {one} : {element}")
                    value = emit(f"arith.{rng.choice(['divsi', 'remsi', 'divui'])} {value}, {divisor} : {element}")
                else:
                    value = emit(f"arith.{rng.choice(['add', 'sub'])}{kind} {value}, {other} : {element}")
            if reduces or rng.random() < 0.2:
                pair = [value, old]
                rng.shuffle(pair)
                value = emit(f"arith.{rng.choice(COMBINERS[kind])} {pair[0]}, {pair[1]} : {element}")
            yielded.append(value)
        return lines, yielded

    def add(self):
        rng = self.rng
        loops = rng.sample("abcd", rng.randint(1, 4))
        dynamic = rng.random() < 0.3
        reduced = rng.sample(loops, rng.choice([0, 0, 0, 1, 2]) % len(loops))
        kept = [loop for loop in loops if loop not in reduced]
        sizes = {loop: rng.choice([1, 2, 3, 5, 8] if loop in kept else [1, 2, 7, 40, 130]) for loop in loops}
        if len(loops) == 1:
            sizes[loops[0]] = rng.choice([1, 31, 300, 2500])
        # A map of all loops tells their sizes.
        maps = [[(loop, sizes[loop]) for loop in (loops if rng.random() < 0.7 else rng.sample(loops, len(loops)))]]
        maps += [self.operand_map(loops, sizes, kept) for _ in range(rng.randint(0, 2))]
        elements = [rng.choice(list(NUMPY)) for _ in maps]
        inputs = [self.argument([size for _, size in axes], element, dynamic) for axes, element in zip(maps, elements)]
        element = rng.choice(list(NUMPY))
        order = kept if rng.random() < 0.6 else rng.sample(kept, len(kept))
        outputs = [self.argument([sizes[loop] for loop in order], element, dynamic) for _ in range(rng.choice([1, 1, 2]))]
        # One element type and shape in all, for the types of results.
        outputs = [self.whole(*output, [sizes[loop] for loop in order], element, dynamic) for output in outputs]
        spelled = [[expr for expr, _ in axes] for axes in maps] + [order] * len(outputs)
        indexing = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(axes)})>" for axes in spelled)
        iterators = ", ".join('"reduction"' if loop in reduced else '"parallel"' for loop in loops)
        ins = [(f"%e{i}", from_) for i, from_ in enumerate(elements)]
        outs = [(f"%o{i}", element) for i in range(len(outputs))]
        lines, yielded = self.region(ins, outs, loops, bool(reduced))
        names, types = zip(*inputs)
        out_names, out_types = zip(*outputs)
        result = self.fresh()
        many = f":{len(outputs)}" if len(outputs) > 1 else ""
        self.body.append(
            f"{result}{many} = linalg.generic {{indexing_maps = [{indexing}], iterator_types = [{iterators}]}} "
            f"ins({', '.join(names)} : {', '.join(types)}) outs({', '.join(out_names)} : {', '.join(out_types)}) {{\n"
            f"^bb0({', '.join(f'{name}: {type_}' for name, type_ in ins + outs)}):\n" + "\n".join(lines) +
            f"\n  linalg.yield {', '.join(yielded)} : {', '.join([element] * len(outputs))}\n}} -> ({', '.join(out_types)})")
        self.results += [(f"{result}#{i}" if many else result, type_) for i, type_ in enumerate(out_types)]

    def whole(self, name, type_, shape, element, dynamic):
        """An output of the type that results have."""
        wanted = f"tensor<{''.join('?x' if dynamic else f'{size}x' for size in shape)}{element}>"
        if wanted == type_:
            return name, type_
        cast = self.fresh()
        self.body.append(f"{cast} = tensor.cast {name} : {type_} to {wanted}")
        return cast, wanted

    def text(self):
        # A product makes kernels of the program.
        product, _ = self.argument([16, 16], "f16", False, low=0), None
        self.body.append(f'%product = einsum.contract "mk, kn -> mn" ({product[0]}, {product[0]}) : '
                         f"({product[1]}, {product[1]}) -> tensor<16x16xf32>")
        results = [*self.results, ("%product", "tensor<16x16xf32>")]
        types, names = ", ".join(type_ for _, type_ in results), ", ".join(name for name, _ in results)
        return (f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{\n" + "\n".join(self.body) +
                f"\nreturn {names} : {types}\n}}\n"), len(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=1, help="programs")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)

    def run(tool, file, *options):
        status, output = batch.run([args.tools / tool, file, *options])
        if status != 0:
            sys.exit(f"{tool} {file} failed: {output[:2000]}")
        return output

    for number in range(args.rounds):
        program = Program(rng)
        for _ in range(OPS_PER_PROGRAM):
            program.add()
        folder = args.folder / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        text, count = program.text()
        file = folder / "ops.mlir"
        file.write_text(text)
        inputs = [folder / f"in{i}.npy" for i in range(len(program.arrays))]
        for path, array in zip(inputs, program.arrays):
            np.save(path, array)
        remarks = run("tile-opt", file, "--einsum-to-nvvm-pipeline", "--remark-policy=all", "--remarks-filter=tile",
                      "-o", folder / "lowered.mlir")
        for line in remarks.splitlines():
            if "[Missed] linalg-to-tile" in line or "[Missed] place-buffers" in line:
                sys.exit(line)

        kernels = folder / "kernels.mlir"
        run("tile-opt", file, TO_KERNELS, "-o", kernels)

        def answer(program, backend, *options):
            outputs = [folder / f"{program.stem}-{backend}{i}.npy" for i in range(count)]
            run("tile-run", program, "--entry=main", f"--backend={backend}", f"--inputs={','.join(map(str, inputs))}",
                f"--outputs={','.join(map(str, outputs))}", *options)
            return [np.load(output) for output in outputs]
        reference = answer(file, "interp")
        chip = rng.choice(["sm_70", "sm_80"])
        for where, results in [(chip, answer(file, "sim", f"--chip={chip}", *batch.compile_flags(number))), ("interp", answer(kernels, "interp"))]:
            for i, (expected, found) in enumerate(zip(reference, results)):
                same = np.array_equal(expected, found, equal_nan=expected.dtype.kind == "f")
                if expected.dtype != found.dtype or not same:
                    sys.exit(f"{folder}: output {i} of kernels on {where}: expected\n{expected}\nfound\n{found}")
    print(f"{args.rounds * OPS_PER_PROGRAM} ops: all equal")


if __name__ == "__main__":
    main()
