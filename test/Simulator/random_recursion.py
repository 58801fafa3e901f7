# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions of CUDA C++ that call themselves and each other: kernels on the simulator against the host.

    random_recursion.py --tile-run PATH [--seed N] [--count N]

Each program has a few functions with local arrays, structs by value, pointers into callers' arrays, loops, switches and
early returns; 64 threads go to depths of their own. clang compiles the same functions for the host, which is the oracle.
Several programs are one file.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

TOGETHER = 10

HEADER = """#include <cstdio>
#include <cstring>
struct Pair { unsigned a; short b; double d; };
template <typename Run> int compare(int program, void (*kernel)(unsigned *, unsigned *), Run run) {
  unsigned *results, *outs, wrong = 0;
  cudaMallocManaged(&results, 64 * 4);
  cudaMallocManaged(&outs, 64 * 16);
  std::memset(outs, 0, 64 * 16);
  kernel<<<1, 64>>>(results, outs);
  cudaDeviceSynchronize();
  for (unsigned t = 0; t < 64; ++t) {
    unsigned out[4] = {}, value = run(t, out);
    wrong += value != results[t] || std::memcmp(out, outs + 4 * t, 16);
  }
  if (wrong)
    std::printf("program %d: %u of 64 threads differ\\n", program, wrong);
  return wrong != 0;
}
"""


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.count = self.rng.randrange(1, 4)

    def expression(self):
        left = self.rng.choice(["x", "n", "acc"])
        right = self.rng.choice(["x", "n", "acc", f"{self.rng.randrange(1, 50)}u"])
        return f"({left} {self.rng.choice('+-^*|&')} {right})"

    def call(self):
        to = "own" if self.size and self.rng.random() < 0.6 else "out"
        pair = self.rng.choice(["p", "Pair{acc, short(x), p.d + 1}", "Pair{p.a + 1, p.b, 2 * p.d}"])
        return f"f{self.rng.randrange(self.count)}(n - 1, {self.expression()}, {to}, {pair})"

    def statement(self, calls):
        """A statement, and how many calls it makes at most."""
        kind = self.rng.random()
        if kind < 0.3 and calls < 2:
            return f"acc {self.rng.choice(['+=', '^=', '-='])} {self.call()};", 1
        if kind < 0.5 and calls < 2:
            return (f"if ({self.expression()} % {self.rng.randrange(2, 5)}u) {{ acc ^= {self.call()}; p.a += acc; }}"
                    f" else acc += {self.expression()};"), 1
        if kind < 0.6 and calls == 0:
            return ("for (unsigned k = 0; k < 2 + x % 2; ++k) { unsigned old = acc;"
                    f" acc = {self.call()}; acc += old * k; out[k] ^= acc; }}"), 3
        if kind < 0.7 and calls < 2:
            return f"switch (acc % 3) {{ case 0: acc += 5; break; case 1: return {self.call()} + acc; default: p.d += 0.5; }}", 1
        if self.size:
            return f"out[acc % 4] += own[x % {self.size}]; own[acc % {self.size}] ^= acc;", 0
        return f"acc = {self.expression()} + unsigned(p.b); p.d = p.d * 0.5 + acc % 16;", 0

    def function(self, name):
        self.size = self.rng.randrange(4, 9) if self.rng.random() < 0.7 else 0
        lines = [f"__host__ __device__ __attribute__((noinline)) unsigned {name}(unsigned n, unsigned x, unsigned *out, Pair p) {{",
                 f"  unsigned acc = x * {self.rng.randrange(3, 99)}u + p.a;",
                 f"  if (n == 0) {{ out[x % 4] += acc; return acc ^ {self.rng.randrange(99)}u; }}"]
        if self.size:
            lines.append(f"  unsigned own[{self.size}]; for (unsigned j = 0; j < {self.size}; ++j) own[j] = acc + j * x;")
        calls = 0
        for _ in range(self.rng.randrange(2, 6)):
            text, more = self.statement(calls)
            lines.append("  " + text)
            calls += more
        lines.append("  acc += unsigned((long long)p.d);")
        if self.size:
            lines.append(f"  for (unsigned j = 0; j < {self.size}; ++j) acc = acc * 31 + own[j];")
        return "\n".join([*lines, "  return acc + p.a;", "}"])

    def text(self, number):
        names = [f"f{i}" for i in range(self.count)]
        declared = [f"__host__ __device__ unsigned {name}(unsigned, unsigned, unsigned *, Pair);" for name in names]
        return "\n".join([
            f"namespace program{number} {{", *declared, *map(self.function, names),
            "__host__ __device__ unsigned run(unsigned t, unsigned *out) {",
            "  unsigned value = f0(t % 5, t * 7, out, Pair{t, short(t * 3), 1.5});",
            f"  return value + f{self.count - 1}(3 - t % 3, value, out, Pair{{1, 2, 3}});", "}",
            "__global__ void kernel(unsigned *results, unsigned *outs) {",
            "  results[threadIdx.x] = run(threadIdx.x, outs + threadIdx.x * 4);", "}", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "programs.cu")
        for first in range(0, args.count, TOGETHER):
            numbers = range(first, min(first + TOGETHER, args.count))
            bodies = [Program(args.seed * 1000003 + number).text(number) for number in numbers]
            compares = [f"  wrong += compare({number}, program{number}::kernel, program{number}::run);" for number in numbers]
            source.write_text("\n".join([HEADER, *bodies, "int main() {", "  int wrong = 0;", *compares, "  return wrong;", "}"]))
            # clang makes loops of tail calls, and then writes the callee's struct over the caller's before that is read.
            command = [args.tile_run, str(source), "--backend=sim", "--chip=sm_80", "--clang-arg=-fno-optimize-sibling-calls"]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode:
                print(f"seed {args.seed}, programs from {first} on:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
                return 1
    print(f"{args.count} recursive programs agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
