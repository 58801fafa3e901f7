"""Compares what tile-select-config selects with an exhaustive search, by the estimate of the simulator for both.

    config_selection.py --tile-run PATH --tile-opt PATH [--sizes 4] [--seed 1] [--sample 12] [--csv FILE]
    config_selection.py --tile-run PATH --tile-opt PATH --whole --csv FILE      # 30 sizes, all candidates: an hour

Sizes are seeded: some multiples of 128, some of small M or N, some odd, some small. For each the pass chooses, and the
simulator runs its choice and the candidates: all configurations that fit the chip (blocks of 16 to 256 in M and N and
of 8 to 64 in K, warps of 16 to 128, both atoms of Volta, split-K factors of 1 to 4), or a sample of them. Of all
candidates those are left out whose mma, or whose bytes read and written once, alone take longer than the best one found.
With --csv, what has been simulated is kept, and not simulated again.

Fails if the median of choice / best is above 1.10, if a choice does not run, if it is not what the options that name it
give, or if the wavefronts and sectors that the pass predicts for it are not within 5 % and 12 % of those counted.
Ends with how good all choices are, how much longer the default configuration takes, and how exact the predictions are.
"""
import argparse
import collections
import csv
import itertools
import math
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace

from volta_gemm import CHIP, LAYOUTS, Product, Tools

SMS, CLOCK, MMA_RATE, SCHEDULERS, BYTES = 80, 1530, 512, 4, 900e3  # V100; clocks and bytes a microsecond
SHARED_BYTES, REGISTERS, WARPS = 96 << 10, 255, 32
LIMIT = 1.10
TOLERANCES = {"wavefronts": ("shared", 0.05), "sectors": ("global", 0.12)}
KINDS = ("blocks", "skinny", "odd", "small")


@dataclass(frozen=True)
class SplitProduct(Product):
    """A product with a split-K factor, or whose configuration tile-select-config selects."""
    split: int = 1
    selected: bool = False

    @property
    def config(self):
        return "auto" if self.selected else f"{super().config} split_k={self.split}"


@dataclass(frozen=True, order=True)
class Config:
    block: tuple
    warp: tuple
    macro: int
    split: int
    stages: int

    def __str__(self):
        return (f"{'x'.join(map(str, self.block))} {'x'.join(map(str, self.warp))} {self.macro} {self.split} "
                f"{self.stages}")

    @property
    def warps(self):
        return self.block[0] // self.warp[0] * (self.block[1] // self.warp[1]) * self.split

    def apply(self, case):
        return replace(case, block="x".join(map(str, self.block)), warp="x".join(map(str, self.warp)),
                       macro=f"{self.macro}x{self.macro}x8", split=self.split, stages=self.stages)


def draw(rng, kind):
    """A product of the kind."""
    def long():
        return 8 * rng.randint(16, 128)
    size = {"blocks": lambda: [128 * rng.randint(1, 8) for _ in "mnk"],
            "skinny": lambda: rng.sample([rng.randint(8, 64), long()], 2) + [long()],
            "odd": lambda: [rng.randint(100, 700) for _ in "mnk"],
            "small": lambda: [8 * rng.randint(2, 24) for _ in "mnk"]}[kind]()
    return SplitProduct(tuple(size), rng.choice(LAYOUTS))


def powers(least, most):
    return [1 << i for i in range(least.bit_length() - 1, most.bit_length())]


def candidates(size):
    """All configurations that fit."""
    limits = zip(size, (16, 16, 8), (256, 256, 64))
    whole = [min(most, max(least, 1 << (s - 1).bit_length())) for s, least, most in limits]
    for block in itertools.product(powers(16, whole[0]), powers(16, whole[1]), powers(8, whole[2])):
        rows, columns, depth = block
        for warp in itertools.product(powers(16, min(128, rows)), powers(16, min(128, columns))):
            for macro, split in itertools.product((16, 32), (1, 2, 4)):
                config = Config(block, warp, macro, split, 2 if depth < size[2] else 1)
                operands = 2 * depth * (rows + columns)
                shared = max(config.stages * operands, rows * columns * (2 if split == 1 else 4 * split))
                in_flight = operands // 4 if config.stages == 2 else 0
                registers = warp[0] * warp[1] // 32 + -(-in_flight // (32 * config.warps)) + sum(warp) // 2
                if (macro <= min(warp) and depth >= 8 * split and config.warps <= WARPS and registers <= REGISTERS
                        and (config.warps == 1 or shared <= SHARED_BYTES)):
                    yield config


def bound(size, config):
    """Microseconds that its mma and its operands and result take at the least."""
    m, n, k = size
    rows, columns, depth = config.block
    grid = -(-m // rows), -(-n // columns)
    blocks = math.prod(grid)
    most = -(-blocks // SMS)  # of an SM
    steps = -(-k // depth)
    held = min(most, 64 // config.warps, 32)
    rate = MMA_RATE * min(1, held * config.warps / SCHEDULERS)
    tensor = most * steps * rows * columns * depth / rate / CLOCK
    return max(tensor, 2 * (m * k + k * n + m * n) / BYTES)


class Search:
    def __init__(self, options, folder):
        self.options, self.tools = options, Tools(options, folder)
        self.known, self.file = {}, None
        if options.csv:
            path = pathlib.Path(options.csv)
            if path.exists():
                for spec, size, config, time in csv.reader(path.open()):
                    self.known[spec, size, config] = float(time)
            self.file = path.open("a", newline="")

    def simulate(self, case, config):
        """The estimate for a configuration, infinite if it does not run."""
        key = case.spec, "x".join(map(str, case.size)), str(config)
        if key not in self.known:
            outcome = self.tools.run(config.apply(case))
            self.known[key] = math.inf if outcome.complaint else outcome.launch["estimate"]["microseconds"]
            if self.file:
                csv.writer(self.file).writerow([*key, self.known[key]])
                self.file.flush()
        return self.known[key]

    def choose(self, case):
        """What the pass selects, and what it predicts: microseconds, wavefronts, sectors."""
        done = subprocess.run([self.options.tile_opt, f"--tile-attach-target=chip={CHIP}",
                               "--tile-select-config=config=auto", "--remark-policy=all", "--remarks-filter=tile"],
                              input=case.text(), capture_output=True, text=True, check=False)
        config = re.search(r"block=(\S+) warp=(\S+) atom=volta_(\d+)x\S+ split_k=(\d+) stages=(\d+)", done.stdout)
        predicted = dict(re.findall(r"\b(?<!-)(microseconds|wavefronts|sectors)=([\d.]+)", done.stderr))
        if not config or len(predicted) != 3:
            raise RuntimeError(f"no choice for {case}: {done.stderr}")
        sizes = [tuple(map(int, text.split("x"))) for text in config.groups()[:2]]
        return Config(*sizes, *map(int, config.groups()[2:])), {
            name: float(number) for name, number in predicted.items()}

    def search(self, case, rng, sample):
        """The best of so many candidates, 0: of all; how many were simulated, and how many there are."""
        rest = list(candidates(case.size))
        total = len(rest)
        if sample:
            rest = rng.sample(rest, min(total, sample))
        best, simulated = (math.inf, None), 0
        for config in sorted(rest, key=lambda config: (bound(case.size, config), config)):
            if bound(case.size, config) >= best[0]:
                break
            simulated += 1
            best = min(best, (self.simulate(case, config), config), key=lambda pair: pair[0])
        return best, simulated, total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--tile-opt", default="tile-opt")
    parser.add_argument("--sizes", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=12, help="candidates that are simulated for each size; 0: all")
    parser.add_argument("--csv", help="where estimates are kept")
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    if options.whole:
        options.sizes, options.sample = 30, 0
    ratios, failed = collections.defaultdict(list), False
    print("| product | selected | predicted | estimate | best | | ratio | default |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        search = Search(options, folder)
        for number in range(options.sizes):
            rng = random.Random(f"{options.seed} {number}")
            case = draw(rng, KINDS[number % len(KINDS)])
            selected, predicted = search.choose(case)
            outcome = search.tools.run(replace(case, selected=True))
            if outcome.complaint:
                failed = True
                print(f"FAIL: {selected.apply(case)}\n{outcome.complaint[:2000]}")
                continue
            for name, (space, tolerance) in TOLERANCES.items():
                counted = outcome.launch[space][name]
                ratios[name].append(predicted[name] / counted if counted else 1 + predicted[name])
                if not abs(predicted[name] - counted) <= tolerance * counted:
                    failed = True
                    print(f"FAIL: {selected.apply(case)}: expected about {counted} {name}, "
                          f"predicted {predicted[name]:.0f}")
            time = outcome.launch["estimate"]["microseconds"]
            by_options = search.simulate(case, selected)
            if time != by_options:
                failed = True
                print(f"FAIL: {selected.apply(case)} given takes {by_options}, selected {time}")
            (best, config), simulated, total = search.search(case, rng, options.sample)
            best, config = min((best, config), (time, selected), key=lambda pair: pair[0])
            default = search.tools.run(case).launch["estimate"]["microseconds"]
            ratios["choice / best"].append(time / best)
            ratios["default / choice"].append(default / time)
            ratios["microseconds"].append(predicted["microseconds"] / time)
            size = ",".join(map(str, case.size))
            print(f"| {case.spec} {size} | {selected} | {predicted['microseconds']:.2f} | {time:.2f} | {best:.2f}, {config} | "
                  f"{simulated} of {total} | {time / best:.2f} | {default:.2f} |", flush=True)
    if not ratios:
        return failed
    for name in "choice / best", "default / choice":
        print(f"{name} of {len(ratios[name])} sizes: median {statistics.median(ratios[name]):.3f}, "
              f"worst {max(ratios[name]):.3f}, below 1.005 for {sum(ratio < 1.005 for ratio in ratios[name])}")
    for name in "microseconds", *TOLERANCES:
        errors = [abs(ratio - 1) for ratio in ratios[name]]
        print(f"predicted {name}: within 5 % for {sum(error <= 0.05 for error in errors)}, {max(errors):.1%} off at worst")
    return failed or statistics.median(ratios["choice / best"]) > LIMIT


if __name__ == "__main__":
    sys.exit(main())
