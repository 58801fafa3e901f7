"""Random accesses and asynchronous copies between random barriers and waits: the simulator must find a fault where
there is one, and only then.

    random_races.py --tile-run PATH [--seed N] [--count N] [--keep FILE]

A kernel is a row of phases that all threads go through: an access of a word of shared memory that a table gives for
each thread (none: the thread takes no part), a wait for copies, or a barrier of the block, of some warps, or of some
lanes of a warp. In every third kernel the words are in global memory, and accesses are plain loads and stores. The oracle has a vector clock for each thread: what a thread did is ordered before what another does
now if the other's clock knows of it. A copy is a store at its start and at its wait, and nobody may touch its word in
between.
"""
import argparse
import pathlib
import sys
import tempfile

import numpy as np
from harness import Case, run

WORDS = 64
ACCESSES = ("load", "store", "atomic", "copy")
KINDS = {"load": .22, "store": .15, "atomic": .05, "copy": .1, "wait": .08, "block": .18, "warps": .12, "lanes": .1}
GLOBAL_KINDS = {"atomic": "store", "copy": "load", "wait": "warps"}  # taken in their place


def make_phases(rng, warps, in_global):
    """[(kind, operand)]: of accesses the word of each thread, -1 for none; of waits the groups that may stay open; of
    barriers the warps or (warp, lanes)."""
    threads, phases = 32 * warps, []
    density = rng.choice([0.02, 0.1, 1.0])
    spread = rng.choice([1, 2, 32])  # how far from its own words a thread goes
    for _ in range(rng.integers(3, 18)):
        kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
        if in_global and kind in GLOBAL_KINDS:
            kind = GLOBAL_KINDS[kind]
        if kind in ACCESSES:
            words = (np.arange(threads) + rng.integers(0, spread, threads)) % WORDS
            phases.append((kind, np.where(rng.random(threads) < density, words, -1)))
        elif kind == "warps":
            phases.append((kind, int(rng.integers(1, 2**warps))))
        elif kind == "lanes":
            mask = 0xffffffff if rng.random() < .5 else int(rng.integers(1, 2**32))
            phases.append((kind, (int(rng.integers(0, warps)), mask)))
        else:
            phases.append((kind, int(rng.integers(0, 3)) if kind == "wait" else None))
    return phases


class Oracle:
    def __init__(self, threads):
        self.clocks = np.eye(threads, dtype=int)
        self.seen = [[] for _ in range(WORDS)]       # [(thread, its time, kind)] of each word
        self.groups = [[] for _ in range(threads)]   # words of each thread's copies, group by group
        self.pending = [0] * WORDS                   # copies to each word that have not been waited for

    def note(self, thread, word, kind):
        self.seen[word].append((thread, self.clocks[thread, thread], kind))

    def is_fault(self, thread, word, kind):
        """Whether an access meets a copy, or something that is not ordered before it."""
        return self.pending[word] or any(
            self.clocks[thread, other] < time and not (kind == other_kind and kind in ("load", "atomic"))
            for other, time, other_kind in self.seen[word])

    def access(self, kind, words):
        """Whether one of the accesses of an instruction is a fault."""
        members = np.flatnonzero(words >= 0)
        if any(self.is_fault(t, words[t], kind) for t in members):
            return True
        for thread in members:
            self.note(thread, words[thread], kind)
            self.pending[words[thread]] += kind == "copy"
        if kind == "copy":
            for thread, group in enumerate(self.groups):
                group.append([words[thread]] if words[thread] >= 0 else [])
        return kind in ("store", "copy") and len(set(words[members])) < len(members)

    def wait(self, open_groups):
        for thread, groups in enumerate(self.groups):
            while len(groups) > open_groups:
                for word in groups.pop(0):
                    self.pending[word] -= 1
                    self.note(thread, word, "copy")

    def synchronize(self, members):
        self.clocks[members] = self.clocks[members].max(axis=0)
        self.clocks[members, members] += 1


def has_fault(phases, threads):
    oracle, lanes = Oracle(threads), np.arange(threads)
    for kind, operand in phases:
        if kind in ACCESSES:
            if oracle.access(kind, operand):
                return True
        elif kind == "wait":
            oracle.wait(operand)
        elif kind == "warps":
            oracle.synchronize(lanes[(operand >> lanes // 32 & 1) == 1])
        elif kind == "lanes":
            oracle.synchronize(lanes[(lanes // 32 == operand[0]) & ((operand[1] >> lanes % 32 & 1) == 1)])
        else:
            oracle.synchronize(lanes)
    return False


def write_kernel(phases, threads, in_global):
    lines, number, space = [], 0, 1 if in_global else 3
    for n, (kind, operand) in enumerate(phases):
        condition = f"""    %i{n} = llvm.getelementptr %places[{number * threads}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p{n} = llvm.getelementptr %i{n}[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %w{n} = llvm.load %p{n} : !llvm.ptr<1> -> i32
    %c{n} = llvm.icmp "sge" %w{n}, %zero : i32"""
        word = f"    %s{n} = llvm.getelementptr %words[%w{n}] : (!llvm.ptr<{space}>, i32) -> !llvm.ptr<{space}>, i32\n"
        if kind == "load":
            body = (f"{word}    %x{n} = llvm.load %s{n} : !llvm.ptr<{space}> -> i32\n"
                    f"    %q{n} = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
                    f"    llvm.store volatile %x{n}, %q{n} : i32, !llvm.ptr<1>")
        elif kind == "store":
            # A store of what is there already is no race.
            body = (f"{word}    %k{n} = llvm.mlir.constant({1024 * (n + 1)} : i32) : i32\n"
                    f"    %x{n} = llvm.add %tid, %k{n} : i32\n"
                    f"    llvm.store %x{n}, %s{n} : i32, !llvm.ptr<{space}>")
        elif kind == "atomic":
            body = f"{word}    %x{n} = llvm.atomicrmw add %s{n}, %tid monotonic : !llvm.ptr<3>, i32"
        elif kind == "copy":
            body = (f"{word}    nvvm.cp.async.shared.global %s{n}, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>")
        elif kind == "wait":
            condition, body = None, f"    nvvm.cp.async.wait.group {operand}"
        elif kind == "block":
            condition, body = None, "    nvvm.barrier"
        else:
            mask = operand if kind == "warps" else operand[1]
            of = "%warp" if kind == "warps" else "%lane"
            condition = f"""    %m{n} = llvm.mlir.constant({mask} : i32) : i32
    %h{n} = llvm.lshr %m{n}, {of} : i32
    %b{n} = llvm.trunc %h{n} : i32 to i1
    %v{n} = llvm.mlir.constant({operand[0] if kind == 'lanes' else 0} : i32) : i32
    %e{n} = llvm.icmp "{'eq' if kind == 'lanes' else 'sge'}" %warp, %v{n} : i32
    %c{n} = llvm.and %b{n}, %e{n} : i1"""
            body = f"    nvvm.bar.warp.sync %m{n} : i32"
            if kind == "warps":
                count = 32 * bin(operand).count("1")
                body = f"""    %n{n} = llvm.mlir.constant({count} : i32) : i32
    %d{n} = llvm.mlir.constant({1 + n % 15} : i32) : i32
    nvvm.barrier id = %d{n} number_of_threads = %n{n}"""
        number += kind in ACCESSES
        if condition:
            lines += [condition, f"    llvm.cond_br %c{n}, ^do{n}, ^next{n}", f"  ^do{n}:", body,
                      f"    llvm.br ^next{n}", f"  ^next{n}:"]
            if kind == "copy":
                lines.append("    nvvm.cp.async.commit.group")
        else:
            lines.append(body)
    body = "\n".join(lines)
    words = "%words = llvm.mlir.addressof @shared : !llvm.ptr<3>"
    clear = f"""%own = llvm.getelementptr %words[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %zero, %own : i32, !llvm.ptr<3>"""
    if in_global:
        words, clear = "%words = llvm.bitcast %global : !llvm.ptr<1> to !llvm.ptr<1>", ""
    return f"""gpu.module @m {{
  llvm.mlir.global external @shared() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<0 x i32>
  llvm.func @k(%places: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %src: !llvm.ptr<1>, %global: !llvm.ptr<1>) attributes {{gpu.kernel, nvvm.kernel}} {{
    %zero = llvm.mlir.constant(0 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %last = llvm.mlir.constant({WORDS - 1} : i32) : i32
    {words}
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %warp = llvm.lshr %tid, %five : i32
    %mine = llvm.icmp "ule" %tid, %last : i32
    llvm.cond_br %mine, ^clear, ^start
  ^clear:
    {clear}
    llvm.br ^start
  ^start:
    nvvm.barrier
{body}
    llvm.return
  }}
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--seed", type=int, default=1, help="of the first kernel")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--keep", type=pathlib.Path, help="where to write the last kernel, or the first that fails")
    options = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        file = options.keep or pathlib.Path(folder, "races.mlir")
        for seed in range(options.seed, options.seed + options.count):
            rng = np.random.default_rng(seed)
            warps = int(rng.integers(2, 5))
            in_global = seed % 3 == 0
            phases = make_phases(rng, warps, in_global)
            expected = has_fault(phases, 32 * warps)
            file.write_text(write_kernel(phases, 32 * warps, in_global))
            places = np.array([words for kind, words in phases if kind in ACCESSES] or [[0]], np.int32)
            arguments = [places, np.zeros(32 * warps, np.int32), np.zeros(1, np.int32),
                         np.zeros(WORDS, np.int32)]
            case = Case("races", "k", lambda _, a=arguments: (a, {}), block=(32 * warps,), shared=4 * WORDS,
                        chip="sm_80")
            outcome = run(options.tile_run, case, file)
            kinds = {"global-race"} if in_global else {"shared-race", "missing-wait"}
            if bool(outcome.kinds) != expected or not set(outcome.kinds) <= kinds:
                print(f"seed {seed}: FAIL: expected {'a' if expected else 'no'} fault, found {outcome.text}")
                return 1
            faults += expected
    print(f"{options.count} kernels, {faults} with a fault: all judged rightly")
    return 0


if __name__ == "__main__":
    sys.exit(main())
