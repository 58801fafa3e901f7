#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of torch and their layers, compiled by the backend "tileir" of torch.compile, beside torch itself, on the CPU.

    TILEIR_TORCH_PYTHON=... benchmarks/run networks [--seconds 1] [--batches 1,8] [--threads 1] [--filter=REGEX] [--write]

ResNet-18, ResNet-50 and MobileNet-v2 of torchvision on images of 224 x 224, and a block of a transformer of BERT's size on 128
tokens, in f32 without gradients; and each different layer of ResNet-50, MobileNet-v2 and the block (convolutions, linear layers,
norms, pooling) by itself. Ours and torch compute each with images stored by channels and by pixels, and the better one of both
counts. The ways of a row run in turns, after their results are compared. A network is called as it is written; of a
layer the code is called that torch.compile calls, which by itself takes 30 us a call, as long as some layers. Of a network the
seconds of compiling are told, those that torch and torch-mlir take left out: parsing, passes and code. --write puts the tables
into docs/benchmarks.md.
"""

import argparse
import copy
import datetime
import math
import pathlib
import platform
import re
import subprocess
import sys
import time

import bench  # first: it tells threads not to spin
import torch
from torch import nn

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "test" / "Networks"))
from export import TransformerBlock  # noqa: E402

MARK = "benchmarks/run networks"
LAYERS = nn.Conv2d, nn.Linear, nn.LayerNorm, nn.MaxPool2d, nn.AdaptiveAvgPool2d


def make_networks():
    """(name, model, the shape of one input) of each."""
    import torchvision.models as models

    for name, make in ("ResNet-18", models.resnet18), ("ResNet-50", models.resnet50), ("MobileNet-v2", models.mobilenet_v2):
        yield name, make().eval(), (3, 224, 224)
    yield "transformer block", TransformerBlock(12, 64).eval(), (128, 768)


def find_layers(model, shape):
    """(module, shape of its input) of each different layer, in the order in which they run."""
    found = {}

    def note(module, inputs, _):
        found.setdefault((repr(module), inputs[0].shape[1:]), module)

    hooks = [module.register_forward_hook(note) for module in model.modules() if isinstance(module, LAYERS)]
    model(torch.randn(1, *shape))
    for hook in hooks:
        hook.remove()
    return [(module, tuple(shape)) for (_, shape), module in found.items()]


def describe(module, shape):
    size = "x".join(map(str, shape))
    if not isinstance(module, nn.Conv2d):
        return f"{type(module).__name__} of {size}" + (f" to {module.out_features}" if isinstance(module, nn.Linear) else "")
    kind = "of each channel" if module.groups > 1 else f"{module.out_channels} filters"
    return f"{size}, {kind} {'x'.join(map(str, module.kernel_size))}" + (f", stride {module.stride[0]}" if module.stride[0] > 1 else "")


class Benchmark:
    def __init__(self, options):
        self.options = options
        from tileir import torch_backend
        self.compiler, self.seconds, self.code = torch_backend, 0.0, None
        compile_text, call = torch_backend._compile_text, torch_backend._Graph.__call__

        def timed(*arguments):
            start = time.perf_counter()
            program = compile_text(*arguments)
            self.seconds += time.perf_counter() - start
            return program

        def noted(graph, *inputs):
            self.code = lambda: call(graph, *inputs)
            return call(graph, *inputs)

        torch_backend._compile_text = timed
        torch_backend._Graph.__call__ = noted

    def measure(self, model, shape, is_network):
        """Seconds of ours, of torch, the same of both by pixels, and of compiling ours."""
        x, ways, compiling = torch.randn(shape), [], 0.0
        for order in (torch.contiguous_format, torch.channels_last)[:2 if len(shape) == 4 else 1]:
            ours, theirs = self.make_ways(copy.deepcopy(model).to(memory_format=order), x.to(memory_format=order), is_network)
            ways += [ours, theirs]
            compiling = max(compiling, self.seconds)
        times = bench.measure(ways, self.options.seconds)
        return [*times, *[math.nan] * (4 - len(times)), compiling]

    def make_ways(self, model, x, is_network):
        """Functions that run ours and torch's."""
        torch._dynamo.reset()
        self.seconds = 0.0
        compiled = torch.compile(model, backend=self.compiler.backend, fullgraph=True, dynamic=False)
        expected = model(x)
        torch.testing.assert_close(compiled(x), expected, rtol=1e-3, atol=1e-4 * float(expected.abs().max()))
        return (lambda: compiled(x)) if is_network else self.code, lambda: model(x)

    def run(self, rows, is_network):
        """The rows of a table, and each one's time of torch, the better one, over ours."""
        lines, ratios = [], []
        for name, model, shape in rows:
            if not re.search(self.options.filter, name):
                continue
            *times, compiling = self.measure(model, shape, is_network)
            ours, theirs = (min(time for time in times[way::2] if time == time) for way in (0, 1))
            ratios.append(theirs / ours)
            cells = [f"{time * 1e3:.2f}" if time == time else "-" for time in times]
            lines.append(f"| {name} | {' | '.join(cells)} | {ratios[-1]:.2f} |"
                         + (f" {compiling:.1f} |" if is_network else ""))
            print(lines[-1], flush=True)
        return lines, ratios


def summarise(ratios):
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return f"geometric mean {mean:.2f}, least {min(ratios):.2f}, {sum(ratio >= 0.9 for ratio in ratios)} of {len(ratios)} at least 0.9"


def read_processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    found = [re.search(rf"^{key}\s*:\s*(.*)$", text, re.MULTILINE) for key in ("model name", "cpu family", "model")]
    return "{} (family {}, model {})".format(*(match[1] for match in found)) if all(found) else platform.machine()


def write(page, lines):
    text = page.read_text()
    begin, end = f"<!-- {MARK} -->", f"<!-- end of {MARK} -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    page.write_text("\n".join([before + begin, *lines, end + after]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--seconds", type=float, default=1, help="for each way of a row")
    parser.add_argument("--batches", default="1,8")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--filter", default="", help="which rows: a regular expression")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/benchmarks.md")
    options = parser.parse_args()
    bench.keep_memory()
    bench.load(options.build)
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    networks = list(make_networks())
    batches = list(map(int, options.batches.split(",")))
    benchmark = Benchmark(options)
    with torch.no_grad():
        kinds = ("network", [(f"{name}, batch {batch}", model, (batch, *shape)) for batch in batches for name, model, shape in networks]), \
            ("layer", [(f"{name}, batch {batch}: {describe(layer, size)}", layer, (batch, *size)) for batch in batches
                       for name, model, shape in networks[1:] for layer, size in find_layers(model, shape)])
        commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
        lines = [f"{datetime.date.today()}, commit {commit}, {read_processor()}, "
                 f"{options.threads} thread(s), torch {torch.__version__}. `{MARK}`:"]
        for kind, rows in kinds:
            is_network = kind == "network"
            head = [f"| {kind} | ours, ms | torch, ms | ours by pixels, ms | torch by pixels, ms | torch over ours |"
                    + (" compiling, s |" if is_network else ""), "|---|---|---|---|---|---|" + ("---|" if is_network else "")]
            print("\n".join(head))
            table, ratios = benchmark.run(rows, is_network)
            if ratios:
                lines += ["", f"{kind.capitalize()}s: {summarise(ratios)}.", "", *head, *table]
                print(lines[-len(table) - 4])
    if options.write:
        write(ROOT / "docs/benchmarks.md", lines)


if __name__ == "__main__":
    main()
