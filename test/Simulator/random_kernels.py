"""Random kernels of integers with branches, loops, ballots and shuffles, against NumPy.

    random_kernels.py --tile-run PATH [--seed N] [--count N] [--keep FILE]

A kernel has a few variables of 32 bits, which start from its input; it is a random tree of assignments, branches, loops
of different lengths in each lane, and, where all lanes are together, collectives and rounds through shared memory. The
oracle goes through the same tree with arrays of all threads and masks.
"""
import argparse
import pathlib
import sys
import tempfile

import numpy as np
from cases import i32
from harness import Case, run

VARIABLES = 4
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "and": np.bitwise_and, "or": np.bitwise_or,
          "xor": np.bitwise_xor, "shl": lambda a, b: a << (b & 31), "lshr": lambda a, b: a >> (b & 31),
          "ashr": lambda a, b: (a.view(np.int32) >> (b & 31).view(np.int32)).view(np.uint32),
          "udiv": lambda a, b: a // (b | 1), "urem": lambda a, b: a % (b | 1),
          "intr.umin": np.minimum,
          "intr.smax": lambda a, b: np.maximum(a.view(np.int32), b.view(np.int32)).view(np.uint32)}
COMPARE = {"eq": np.equal, "ult": np.less, "sge": lambda a, b: a.view(np.int32) >= b.view(np.int32)}


def make_tree(rng, depth, together):
    """A list of statements: (kind, ...)."""
    statements = []
    for _ in range(rng.integers(1, 5)):
        kinds = (["assign"] * 4 + ["float", "wide"] + ["if", "loop"] * (depth > 0) +
                 ["ballot", "shuffle", "share"] * together)
        kind = rng.choice(kinds)
        a, b, c = (int(v) for v in rng.integers(0, VARIABLES, 3))
        if kind == "assign":
            statements.append((kind, str(rng.choice(list(BINARY))), a, b, c))
        elif kind == "if":
            statements.append((kind, str(rng.choice(list(COMPARE))), a, b, make_tree(rng, depth - 1, False),
                               make_tree(rng, depth - 1, False)))
        elif kind == "loop":
            statements.append((kind, a, make_tree(rng, depth - 1, False)))
        else:
            statements.append((str(kind), a, b, c))
    return statements


class Oracle:
    """Runs a tree for all threads of a block."""

    def __init__(self, values):
        self.v = values  # [variable][thread]

    def run(self, tree, mask):
        v = self.v
        lanes = np.arange(v.shape[1])
        for kind, *s in tree:
            if kind == "assign":
                op, a, b, c = s
                result = BINARY[op](v[b], v[c])
            elif kind == "float":  # exact in f32
                a, b, c = s
                x, y = ((v[i] & 1023).astype(np.float32) for i in (b, c))
                result = (x * y - x).astype(np.int32).view(np.uint32)
            elif kind == "wide":  # the upper half of a product
                a, b, c = s
                result = (v[b].astype(np.uint64) * v[c] >> np.uint64(32)).astype(np.uint32)
            elif kind == "ballot":
                a, b, c = s
                bits = (v[b] < v[c]).reshape(-1, 32)
                result = np.repeat(np.packbits(bits, axis=1, bitorder="little").view(np.uint32).ravel(), 32)
            elif kind == "shuffle":
                a, b, c = s
                result = v[b][lanes // 32 * 32 + (v[c] & 31)]
            elif kind == "share":
                a, b, c = s
                result = v[b][(lanes + v[c]) % lanes.size]
            elif kind == "if":
                op, a, b, yes, no = s
                taken = COMPARE[op](v[a], v[b])
                self.run(yes, mask & taken)
                self.run(no, mask & ~taken)
                continue
            else:
                trips, body = v[s[0]] & 7, s[1]
                for i in range(7):
                    self.run(body, mask & (i < trips))
                continue
            v[a] = np.where(mask, result, v[a])


class Writer:
    """Writes a tree as a kernel of one block; variables are stack slots, which LLVM makes registers."""

    def __init__(self, threads):
        self.threads, self.lines, self.names = threads, [], 0

    def op(self, text):
        self.names += 1
        self.lines.append(f"    %v{self.names} = {text}")
        return f"%v{self.names}"

    def label(self, name):
        self.lines.append(f"  ^{name}:")

    def line(self, text):
        self.lines.append("    " + text)

    def constant(self, value):
        return self.op(f"llvm.mlir.constant({value} : i32) : i32")

    def binary(self, op, x, y):
        return self.op(f"llvm.{op}({x}, {y}) : (i32, i32) -> i32" if op.startswith("intr") else
                       f"llvm.{op} {x}, {y} : i32")

    def get(self, variable):
        return self.op(f"llvm.load %slot{variable} : !llvm.ptr -> i32")

    def set(self, variable, value):
        self.line(f"llvm.store {value}, %slot{variable} : i32, !llvm.ptr")

    def at(self, pointer, index, space):
        return self.op(f"llvm.getelementptr {pointer}[{index}] : (!llvm.ptr<{space}>, i32) -> !llvm.ptr<{space}>, i32")

    def tree(self, tree):
        for kind, *s in tree:
            getattr(self, "write_" + kind)(*s)

    def write_assign(self, op, a, b, c):
        x, y = self.get(b), self.get(c)
        if op in ("shl", "lshr", "ashr"):
            y = self.binary("and", y, self.constant(31))
        elif op in ("udiv", "urem"):
            y = self.binary("or", y, self.constant(1))
        self.set(a, self.binary(op, x, y))

    def write_float(self, a, b, c):
        x, y = (self.op(f"llvm.sitofp {self.binary('and', self.get(i), self.constant(1023))} : i32 to f32")
                for i in (b, c))
        product = self.op(f"llvm.fmul {x}, {y} : f32")
        self.set(a, self.op(f"llvm.fptosi {self.op(f'llvm.fsub {product}, {x} : f32')} : f32 to i32"))

    def write_wide(self, a, b, c):
        x, y = (self.op(f"llvm.zext {self.get(i)} : i32 to i64") for i in (b, c))
        shift = self.op("llvm.mlir.constant(32 : i64) : i64")
        high = self.op(f"llvm.lshr {self.op(f'llvm.mul {x}, {y} : i64')}, {shift} : i64")
        self.set(a, self.op(f"llvm.trunc {high} : i64 to i32"))

    def write_ballot(self, a, b, c):
        less = self.op(f'llvm.icmp "ult" {self.get(b)}, {self.get(c)} : i32')
        self.set(a, self.op(f"nvvm.vote.sync ballot %all, {less} -> i32"))

    def write_shuffle(self, a, b, c):
        x, lane = self.get(b), self.get(c)
        self.set(a, self.op(f"nvvm.shfl.sync idx %all, {x}, {lane}, %c31 : i32 -> i32"))

    def write_share(self, a, b, c):
        self.line(f"llvm.store {self.get(b)}, {self.at('%shared', '%tid', 3)} : i32, !llvm.ptr<3>")
        self.line("nvvm.barrier")
        # Without overflow: the sum modulo 2^32 is not the sum modulo the threads.
        far = self.binary("urem", self.get(c), "%threads")
        place = self.binary("urem", self.binary("add", "%tid", far), "%threads")
        self.set(a, self.op(f"llvm.load {self.at('%shared', place, 3)} : !llvm.ptr<3> -> i32"))
        self.line("nvvm.barrier")

    def write_if(self, op, a, b, yes, no):
        self.names += 1
        n = self.names
        taken = self.op(f'llvm.icmp "{op}" {self.get(a)}, {self.get(b)} : i32')
        self.line(f"llvm.cond_br {taken}, ^yes{n}, ^no{n}")
        for name, body in (f"yes{n}", yes), (f"no{n}", no):
            self.label(name)
            self.tree(body)
            self.line(f"llvm.br ^join{n}")
        self.label(f"join{n}")

    def write_loop(self, a, body):
        self.names += 1
        n = self.names
        trips = self.binary("and", self.get(a), self.constant(7))
        zero, one = self.constant(0), self.constant(1)
        self.line(f"llvm.br ^test{n}({zero} : i32)")
        self.lines.append(f"  ^test{n}(%i{n}: i32):")
        more = self.op(f'llvm.icmp "ult" %i{n}, {trips} : i32')
        self.line(f"llvm.cond_br {more}, ^body{n}, ^after{n}")
        self.label(f"body{n}")
        self.tree(body)
        self.line(f"llvm.br ^test{n}({self.binary('add', f'%i{n}', one)} : i32)")
        self.label(f"after{n}")

    def kernel(self, tree):
        for i in range(VARIABLES):
            self.line(f"%slot{i} = llvm.alloca %c1 x i32 : (i32) -> !llvm.ptr")
            index = self.binary("add", "%tid", self.constant(i * self.threads))
            self.set(i, self.op(f"llvm.load {self.at('%src', index, 1)} : !llvm.ptr<1> -> i32"))
        self.tree(tree)
        for i in range(VARIABLES):
            index = self.binary("add", "%tid", self.constant(i * self.threads))
            self.line(f"llvm.store {self.get(i)}, {self.at('%dst', index, 1)} : i32, !llvm.ptr<1>")
        body = "\n".join(self.lines)
        return f"""gpu.module @m {{
  llvm.mlir.global internal @words() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<{self.threads} x i32>
  llvm.func @k(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %threads: i32) attributes {{gpu.kernel, nvvm.kernel}} {{
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %shared = llvm.mlir.addressof @words : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
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
    with tempfile.TemporaryDirectory() as folder:
        file = options.keep or pathlib.Path(folder, "random.mlir")
        for seed in range(options.seed, options.seed + options.count):
            rng = np.random.default_rng(seed)
            threads = 32 * int(rng.integers(1, 4))
            tree = make_tree(rng, 3, True)
            values = rng.integers(0, 2**32, (VARIABLES, threads), dtype=np.uint32) >> rng.choice(
                np.array([0, 16, 28], np.uint32), (VARIABLES, 1))
            oracle = Oracle(values.copy())
            oracle.run(tree, np.ones(threads, bool))
            file.write_text(Writer(threads).kernel(tree))
            arguments = [values.view(np.int32), np.zeros((VARIABLES, threads), np.int32), i32(threads)]
            case = Case("random", "k", lambda _, a=arguments: (a, {1: oracle.v.view(np.int32)}), block=(threads,))
            complaint = run(options.tile_run, case, file).complaint()
            if complaint:
                print(f"seed {seed}: FAIL: {complaint}")
                return 1
    print(f"{options.count} kernels agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
