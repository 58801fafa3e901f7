"""Runs a network that torch-mlir has exported (export.py) by einsum-to-nvvm-pipeline.

    networks.py NETWORK [--chip sm_80] [--tables N] --tile-run PATH --tile-opt PATH

All products and convolutions are on tensor cores; all else is computed by kernels, too, so that nothing but arguments,
constant tables of offsets (as many as --tables says) and the result is copied between host and device; the simulator finds
nothing; and the result is that of the interpreter, and of NumPy in f64 from the same f16 inputs.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

INPUTS = pathlib.Path(__file__).parent / "Inputs"
# max|error| / max|reference|: the device and the interpreter round at the same places, but for the order of sums; NumPy
# rounds nowhere, where a network rounds to f16 after each of some dozens of layers.
TOLERANCE = {"interp": 2e-3, "NumPy": 4e-3}
PRODUCTS = re.compile(r"linalg\.(?:conv_\w+|matmul|batch_matmul)\b")


def conv(x, weight, bias, stride):
    pad = weight.shape[-1] // 2
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = sliding_window_view(x, weight.shape[2:], (2, 3))[:, :, ::stride, ::stride]
    return np.einsum("nchwrs,kcrs->nkhw", windows, weight, optimize=True) + bias[:, None, None]


def relu(x):
    return np.maximum(x, 0)


def resnet18(x, weights):
    weights = iter(weights)

    def convolve(x, stride):
        return conv(x, next(weights), next(weights), stride)
    x = relu(convolve(x, 2))
    x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    x = sliding_window_view(x, (3, 3), (2, 3))[:, :, ::2, ::2].max((4, 5))
    for stage in range(4):
        for block in range(2):
            stride = 2 if stage and not block else 1
            y = convolve(relu(convolve(x, stride)), 1)
            x = relu(y + (convolve(x, stride) if stride == 2 else x))
    return x.mean((2, 3)) @ next(weights).T + next(weights)


def layer_norm(x, scale, shift):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale + shift


def transformer(x, weights):
    heads = 2
    scale1, shift1, scale2, shift2, *layers = weights
    query, key, value, project, up, down = zip(layers[::2], layers[1::2])
    batch, tokens, size = x.shape

    def linear(x, layer):
        return x @ layer[0].T + layer[1]

    def split(x):
        return x.reshape(batch, tokens, heads, size // heads).transpose(0, 2, 1, 3)
    y = layer_norm(x, scale1, shift1)
    query, key, value = (split(linear(y, layer)) for layer in (query, key, value))
    scores = query @ key.swapaxes(2, 3) / np.sqrt(size // heads)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    y = scores / scores.sum(-1, keepdims=True) @ value
    x = x + linear(y.transpose(0, 2, 1, 3).reshape(batch, tokens, size), project)
    y = linear(layer_norm(x, scale2, shift2), up)
    return x + linear(0.5 * y * (1 + np.tanh(np.sqrt(2 / np.pi) * (y + 0.044715 * y ** 3))), down)


NETWORKS = {"resnet18": resnet18, "transformer": transformer}


class Checks:
    def __init__(self):
        self.failures = self.count = 0

    def expect(self, what, holds, text):
        self.count += 1
        self.failures += not holds
        print(f"{'ok' if holds else 'FAIL'}: {what}: {text}")

    def expect_close(self, what, got, reference, tolerance):
        error = np.abs(got.astype(float) - reference).max() / np.abs(reference).max()
        self.expect(what, np.isfinite(got).all() and error <= tolerance, f"error {error:.2e}, at most {tolerance}")


def make_arguments(program):
    """The input and the weights, so that each layer's results are about as large as its input."""
    signature = re.search(r"func\.func @main\((.*?)\) ->", program).group(1)
    shapes = [tuple(map(int, shape.split("x"))) for shape in re.findall(r"tensor<([\dx]+)xf16>", signature)]
    rng = np.random.default_rng(18)
    return [rng.normal(0, 1 if i == 0 or len(shape) == 1 else np.prod(shape[1:]) ** -0.5, shape).astype(np.float16)
            for i, shape in enumerate(shapes)]


def run(*command):
    process = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{process.stdout}{process.stderr}")
    return process.stdout + process.stderr


def dumps_by_pass(text):
    dumps = collections.defaultdict(str)
    for part in text.split("// -----// IR Dump After ")[1:]:
        dumps[part.split()[0]] += part
    return dumps


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--tables", type=int, default=0)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--tile-opt", required=True)
    options = parser.parse_args()
    path = INPUTS / f"{options.network}.mlir"
    program = path.read_text()
    pipeline = f"einsum-to-nvvm-pipeline{{chip={options.chip}}}"
    arguments = make_arguments(program)
    checks = Checks()

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = [folder / f"{i}.npy" for i in range(len(arguments))]
        for name, argument in zip(names, arguments):
            np.save(name, argument)
        report, results = folder / "report.json", {}
        for backend in "interp", "sim":
            output = folder / f"{backend}.npy"
            run(options.tile_run, path, f"--backend={backend}", f"--inputs={','.join(map(str, names))}",
                f"--outputs={output}",
                *([f"--chip={options.chip}", f"--pipeline={pipeline}", f"--report={report}"] if backend == "sim" else []))
            results[backend] = np.load(output)
        contents = json.loads(report.read_text())

    x, *weights = (argument.astype(np.float64) for argument in arguments)
    results["NumPy"] = NETWORKS[options.network](x, weights)
    for reference, tolerance in TOLERANCE.items():
        checks.expect_close(f"result against {reference}", results["sim"], results[reference].astype(float), tolerance)
    findings = contents.get("findings") or []
    checks.expect("findings of the simulator", not findings, findings)
    dumps = dumps_by_pass(run(options.tile_opt, path, f"--{pipeline.replace('{', '=').rstrip('}')}",
                              "--mlir-print-ir-after=tile-place-buffers,tile-assign-layouts"))
    # A kernel may form several products. Where tiles have layouts, those on tensor cores are tile.mma.
    kernels = dumps["TileAssignLayoutsPass"]
    products, mmas, dots = len(PRODUCTS.findall(program)), kernels.count("= tile.mma "), kernels.count("= tile.dot ")
    launches = [launch["mma"] for launch in contents["launches"]]
    checks.expect("products on tensor cores", mmas == products and dots == 0 and sum(launches) > 0,
                  f"{mmas} of {products}; {len(launches)} launches, {sum(mma > 0 for mma in launches)} of them with mma")
    copies = sum(line.count("#gpu.address_space<global>") == 1 for line in dumps["TilePlaceBuffersPass"].split("\n")
                 if "gpu.memcpy" in line)
    expected = len(arguments) + options.tables + 1
    checks.expect("copies between host and device", copies == expected, f"{copies}, expected {expected}")
    print(f"{checks.count} checks, {checks.failures} failed")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
