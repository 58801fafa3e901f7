#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of benchmarks/gpu/programs.py on the simulator, and computes with NumPy what they are named for, on
whole numbers so small that every sum is exact."""
import argparse
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks/gpu"))
import programs


def product(a, b, order):
    return (a.T if order[:2] == "km" else a) @ (b.T if order[4:] == "nk" else b)


def idiom(task, order, a, b, *more):
    if task == "relu-gemm":
        a = np.maximum(a, 0)
    first = product(a, b, order)
    if task == "gemm-bias-relu":
        return np.maximum(first + more[0], 0)
    return first + product(*more, order) if task == "add-gemm-gemm" else first


def convolution(image, filters):
    """Of NHWC and KRSC: a product for each tap."""
    rows, columns = (image.shape[i] - filters.shape[i] + 1 for i in (1, 2))
    return sum(image[:, r:r + rows, s:s + columns] @ filters[:, r, s].T
               for r in range(filters.shape[1]) for s in range(filters.shape[2]))


def shift(image, filters, rows_down, columns_right, size):
    rows, columns = size[2] - size[5] + 1, size[3] - size[6] + 1
    moved = np.stack([image[:, r:r + rows, s:s + columns, c]
                      for c, (r, s) in enumerate(zip(rows_down, columns_right))], axis=-1)
    return moved @ filters.T


def make_cases(draw):
    """Programs, their arguments, what they give, and whether that is an argument."""
    sizes = {"mk": (64, 96), "km": (96, 64), "kn": (96, 32), "nk": (32, 96)}
    for task in programs.IDIOMS:
        for order in programs.ORDERS:
            count = 2 if task == "add-gemm-gemm" else 1
            arguments = [draw(*sizes[letters]) for _ in range(count) for letters in (order[:2], order[4:])]
            arguments += [draw(32)] if task == "gemm-bias-relu" else []
            yield programs.make_product(task, (64, 32, 96), order), arguments, idiom(task, order, *arguments)
    x, y, bias = draw(64, 384), draw(64, 384), draw(384)
    yield programs.make_pointwise("relu", 64, 384), [x], np.maximum(x, 0)
    yield programs.make_pointwise("bias_relu", 64, 384), [x, bias], np.maximum(x + bias, 0)
    yield programs.make_pointwise("add", 64, 384), [x, y], x + y
    size = (2, 8, 6, 7, 16, 3, 2)
    for task, order in (("convolution", "nchw"), ("convolution", "nhwc"), ("shift", "nchw"), ("shift", "nhwc")):
        image = draw(2, 6, 7, 8)
        filters = draw(16, 8) if task == "shift" else draw(16, 3, 2, 8)
        tables = [np.random.default_rng(i).integers(0, limit, 8).astype("i4") for i, limit in enumerate((3, 2))]
        expected = shift(image, filters, *tables, size) if task == "shift" else convolution(image, filters)
        if order == "nchw":
            image, expected = image.transpose(0, 3, 1, 2), expected.transpose(0, 3, 1, 2)
            filters = filters if task == "shift" else filters.transpose(0, 3, 1, 2)
        yield (programs.make_convolution(task, size, order),
               [image, filters] + (tables if task == "shift" else []), expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    generator = np.random.default_rng(3)
    count = 0
    for program, arguments, expected in make_cases(lambda *shape: generator.integers(-2, 3, shape).astype("f2")):
        source = options.folder / f"{program.name}.mlir"
        source.write_text(program.text)
        if program.is_tiled:
            arguments = arguments + [np.full(expected.shape, np.nan, "f2")]
        files = []
        for i, argument in enumerate(arguments):
            files.append(str(options.folder / f"{i}.npy"))
            np.save(files[-1], np.ascontiguousarray(argument))
        result = options.folder / "result.npy"
        # Memrefs that a program takes come after its results, of which one of tiles has none.
        outputs = files[:-1] * program.is_tiled + [str(result)]
        subprocess.run([options.tile_run, source, "--backend=sim", "--chip=sm_70", f"--inputs={','.join(files)}",
                        f"--outputs={','.join(outputs)}"] + ([] if program.is_tiled else [f"--entry={program.name}"]),
                       check=True, stdout=subprocess.DEVNULL)
        found = np.load(result)
        assert found.shape == expected.shape and np.array_equal(found, expected), program.name
        count += 1
    print(f"{count} programs agree")


if __name__ == "__main__":
    main()
