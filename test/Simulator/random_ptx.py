"""Random PTX against Python: as a .ptx file, and as inline assembly in one or in several blocks.

    random_ptx.py --tile-run PATH [--seed N] [--count N] [--keep FILE]

A program has a few registers of each width, which start from its input. It is a random tree of the statements of
ptx_instructions.py, plain or with a guard; branches, loops and blocks in braces with registers of their own; vectors that
are packed and unpacked; and, where all lanes are together, shuffles, votes, sums and rounds through shared memory. The
oracle goes through the same tree with a number of Python for each thread.
"""
import argparse
import functools
import itertools
import pathlib
import sys
import tempfile
from dataclasses import dataclass, replace

import numpy as np
import ptx_instructions
import ptx_values as ptx
from ptx_instructions import LLVM, REGISTER
from ptx_values import BITS

THREADS = 64
COUNTS = {1: 3, 16: 4, 32: 5, 64: 3}  # registers by their bits
VARIABLES = [(bits, i) for bits, count in COUNTS.items() for i in range(count)]
NAN = {"f16": 0x7e00, "bf16": 0x7fc0, "f32": 0x7fc00000, "f64": 0x7ff8000000000000}

# The lane that is read, of lane i, in the part of the warp that begins at `first`.
SHUFFLES = {"up": lambda i, b, first, width: i - b, "down": lambda i, b, first, width: i + b,
            "bfly": lambda i, b, first, width: i ^ b, "idx": lambda i, b, first, width: first | b & width - 1}
VOTES = {"all": all, "any": any, "uni": lambda bits: len(set(bits)) == 1,
         "ballot": lambda bits: sum(bit << i for i, bit in enumerate(bits))}
REDUCTIONS = {"add.u32": int.__add__, "min.u32": min, "max.u32": max, "add.s32": int.__add__, "min.s32": min, "max.s32": max,
              "and.b32": int.__and__, "or.b32": int.__or__, "xor.b32": int.__xor__}


def mask(bits):
    return (1 << bits) - 1


def pick(rng, bits):
    return bits, int(rng.integers(COUNTS[bits]))


# --- Trees: lists of (kind, ...)


def make_operand(rng, type):
    """A register, or now and then a number, where the type allows it."""
    bits = BITS[type]
    if type[0] in "su" and "x2" not in type and bits >= 16 and rng.random() < 0.15:
        return int(rng.choice([0, 1, 7, 31, 100, mask(bits - 1)]))
    return pick(rng, bits)


def make_tree(rng, rows, depth, together):
    tree = []
    for _ in range(rng.integers(2, 7)):
        kinds = ["row"] * 8 + ["pack", "unpack"] + ["branch", "loop", "block"] * (depth > 0)
        kind = str(rng.choice(kinds + ["shuffle", "vote", "reduce", "match", "share"] * together))
        if kind == "row":
            row = rows[rng.integers(len(rows))]
            guard = (pick(rng, 1), bool(rng.integers(2))) if row.text.count(";") == 1 and rng.random() < 0.3 else None
            tree.append((kind, row, pick(rng, BITS[row.result]), [make_operand(rng, t) for t in row.operands], guard))
        elif kind in ("pack", "unpack"):
            bits = int(rng.choice([32, 64]))
            tree.append((kind, pick(rng, bits), (bits // 2, 0), (bits // 2, int(rng.integers(1, COUNTS[bits // 2])))))
        elif kind == "branch":
            tree.append((kind, pick(rng, 1), make_tree(rng, rows, depth - 1, False), make_tree(rng, rows, depth - 1, False)))
        elif kind == "loop":
            tree.append((kind, pick(rng, 32), make_tree(rng, rows, depth - 1, False)))
        elif kind == "block":
            tree.append((kind, pick(rng, 32), pick(rng, 32), make_tree(rng, rows, depth - 1, together)))
        elif kind == "shuffle":
            mode, width = str(rng.choice(list(SHUFFLES))), int(rng.choice([4, 8, 16, 32]))
            tree.append((kind, pick(rng, 32), pick(rng, 32), pick(rng, 32), pick(rng, 1), mode, width))
        elif kind == "vote":
            mode = str(rng.choice(list(VOTES)))
            tree.append((kind, pick(rng, 32 if mode == "ballot" else 1), pick(rng, 1), mode))
        elif kind == "reduce":
            tree.append((kind, pick(rng, 32), pick(rng, 32), str(rng.choice(list(REDUCTIONS)))))
        elif kind == "match":
            tree.append((kind, pick(rng, 32), pick(rng, int(rng.choice([32, 64]))), int(rng.choice([1, 3, 255]))))
        else:
            tree.append((kind, pick(rng, 32), pick(rng, 32), pick(rng, 32)))
    return tree


# --- What a tree does


class Oracle:
    def __init__(self, values):
        self.v = values  # of a variable: a number for each thread

    def set(self, variable, numbers, active):
        old = self.v[variable]
        self.v[variable] = [n & mask(variable[0]) if a else o for n, o, a in zip(numbers, old, active)]

    def run(self, tree, active):
        for kind, *s in tree:
            getattr(self, "run_" + kind)(active, *s)

    def run_row(self, active, row, to, operands, guard):
        if guard:
            active = [a and bool(p) != guard[1] for a, p in zip(active, self.v[guard[0]])]
        sources = [[o] * THREADS if isinstance(o, int) else self.v[o] for o in operands]
        numbers = list(self.v[to])
        for thread in (t for t, a in enumerate(active) if a):
            given = [ptx.decode(x[thread], type) for x, type in zip(sources, row.operands)]
            numbers[thread] = canonical(ptx.encode(row.function(*given), row.result), row.result)
        self.set(to, numbers, active)

    def run_pack(self, active, to, low, high):
        self.set(to, [x | y << low[0] for x, y in zip(self.v[low], self.v[high])], active)

    def run_unpack(self, active, wide, low, high):
        value = self.v[wide]
        self.set(low, value, active)
        self.set(high, [x >> low[0] for x in value], active)

    def run_branch(self, active, condition, yes, no):
        taken = [bool(x) for x in self.v[condition]]
        self.run(yes, [a and t for a, t in zip(active, taken)])
        self.run(no, [a and not t for a, t in zip(active, taken)])

    def run_loop(self, active, counter, body):
        trips = [x & 3 for x in self.v[counter]]
        for i in range(3):
            self.run(body, [a and t > i for a, t in zip(active, trips)])

    def run_block(self, active, register, other, body):
        """The body has a register of the same name, which starts as another one."""
        kept = self.v[register]
        self.v[register] = list(self.v[other])
        self.run(body, active)
        self.v[register] = kept

    def run_shuffle(self, active, to, source, lane, inside, mode, width):
        """A lane beyond the part of `width` lanes gives the own value, and no predicate."""
        x, lanes = self.v[source], self.v[lane]
        values, good = [], []
        for t in range(THREADS):
            i = t % 32
            first, last = i // width * width, i // width * width + width - 1
            j = SHUFFLES[mode](i, lanes[t] & 31, first, width)
            good.append(first <= j if mode == "up" else j <= last)
            values.append(x[t - i + j] if good[-1] else x[t])
        self.set(to, values, active)
        self.set(inside, good, active)

    def warps(self, variable):
        """For each thread the values of its warp."""
        x = self.v[variable]
        return [x[t // 32 * 32:t // 32 * 32 + 32] for t in range(THREADS)]

    def run_vote(self, active, to, condition, mode):
        self.set(to, [VOTES[mode](bits) for bits in self.warps(condition)], active)

    def run_reduce(self, active, to, source, operation):
        self.set(to, [functools.reduce(REDUCTIONS[operation], [ptx.signed(v, 32) if "s32" in operation else v for v in warp])
                      for warp in self.warps(source)], active)

    def run_match(self, active, to, source, part):
        values = [[x & part for x in warp] for warp in self.warps(source)]
        self.set(to, [sum((x == warp[t % 32]) << i for i, x in enumerate(warp)) for t, warp in enumerate(values)], active)

    def run_share(self, active, to, source, other):
        x = self.v[source]
        self.set(to, [x[(t + self.v[other][t]) % THREADS] for t in range(THREADS)], active)


def canonical(bits, type):
    """One NaN for all: what payload an instruction gives is not said."""
    if type.endswith("x2"):
        half = type[:-2]
        return canonical(bits & 0xffff, half) | canonical(bits >> 16, half) << 16
    value = ptx.decode(bits, type) if type in NAN else 0
    return NAN[type] if value != value else bits


# --- How it is written


class Writer:
    """PTX of a tree. `names` maps variables to what they are called, `shared` is the address of THREADS words, `slot` that
    of 8 bytes of the thread's own."""

    def __init__(self, names, shared, slot, numbers):
        self.names, self.shared, self.slot, self.numbers, self.lines = dict(names), shared, slot, numbers, []

    def line(self, text):
        self.lines.append(text)

    def write(self, tree):
        for kind, *s in tree:
            getattr(self, "write_" + kind)(*s)

    def write_row(self, row, to, operands, guard):
        n, names = next(self.numbers), {"m": self.slot}
        for name, operand, type in zip("abc", operands, row.operands):
            names[name] = str(operand) if isinstance(operand, int) else self.names[operand]
        prefix = f"@{'!' if guard[1] else ''}{self.names[guard[0]]} " if guard else ""
        kind = next((k for k in sorted(NAN, key=len, reverse=True) if row.result.startswith(k)), None)
        if kind is None:
            if row.text.count(";") == 1:
                self.line(f"{{ {prefix}{row.text.format(d=self.names[to], **names)} }}")
            else:  # Several statements may write the result before they read the last operand.
                self.line(f"{{ .reg .{REGISTER[to[0]][0]} t{n}; {{ {row.text.format(d=f't{n}', **names)} }}")
                self.line(f"mov.{REGISTER[to[0]][0]} {self.names[to]}, t{n}; }}")
            return
        # A float goes through a register of its own, where NaN becomes the one of `canonical`.
        bits, scalar = BITS[row.result], BITS[kind]
        self.line(f"{{ .reg .b{bits} t{n}; .reg .b{scalar} u{n}, w{n}; .reg .pred n{n};")
        self.line(f"mov.b{bits} t{n}, {self.names[to]};")
        self.line(f"{{ {prefix}{row.text.format(d=f't{n}', **names)} }}")
        parts = [f"u{n}", f"w{n}"] if row.result.endswith("x2") else [f"t{n}"]
        if len(parts) > 1:
            self.line(f"mov.b{bits} {{{parts[0]}, {parts[1]}}}, t{n};")
        for part in parts:
            test = (f"setp.nan.{kind} n{n}, {part}, {part};")
            self.line(f"{test} selp.b{scalar} {part}, {NAN[kind]:#x}, {part}, n{n};")
        if len(parts) > 1:
            self.line(f"mov.b{bits} t{n}, {{{parts[0]}, {parts[1]}}};")
        move = f"mov.b{bits} {self.names[to]}, t{n}; }}"
        self.line(prefix + move)

    def write_pack(self, to, low, high):
        self.line(f"mov.b{to[0]} {self.names[to]}, {{{self.names[low]}, {self.names[high]}}};")

    def write_unpack(self, wide, low, high):
        self.line(f"mov.b{wide[0]} {{{self.names[low]}, {self.names[high]}}}, {self.names[wide]};")

    def write_branch(self, condition, yes, no):
        n = next(self.numbers)
        self.line(f"@!{self.names[condition]} bra NO{n};")
        self.write(yes)
        self.line(f"bra END{n};")
        self.line(f"NO{n}:")
        self.write(no)
        self.line(f"END{n}:")

    def write_loop(self, counter, body):
        n = next(self.numbers)
        self.line(f"{{ .reg .b32 i{n}; .reg .pred q{n}; and.b32 i{n}, {self.names[counter]}, 3;")
        self.line(f"AGAIN{n}: setp.eq.u32 q{n}, i{n}, 0; @q{n} bra DONE{n};")
        self.write(body)
        self.line(f"sub.u32 i{n}, i{n}, 1; bra AGAIN{n};")
        self.line(f"DONE{n}: }}")

    def write_block(self, register, other, body):
        n, outer = next(self.numbers), self.names[register]
        self.line(f"{{ .reg .b32 x{n}; mov.b32 x{n}, {self.names[other]};")
        self.names[register] = f"x{n}"
        self.write(body)
        self.names[register] = outer
        self.line("}")

    def write_shuffle(self, to, source, lane, inside, mode, width):
        n, clamp = next(self.numbers), (32 - width) << 8 | (0 if mode == "up" else 31)
        self.line(f"{{ .reg .pred in{n}; .reg .b32 j{n}; and.b32 j{n}, {self.names[lane]}, 31;")
        self.line(f"shfl.sync.{mode}.b32 {self.names[to]}|in{n}, {self.names[source]}, j{n}, {clamp}, -1;")
        self.line(f"mov.pred {self.names[inside]}, in{n}; }}")

    def write_vote(self, to, condition, mode):
        self.line(f"vote.sync.{mode}.{'b32' if mode == 'ballot' else 'pred'} {self.names[to]}, {self.names[condition]}, -1;")

    def write_reduce(self, to, source, operation):
        self.line(f"redux.sync.{operation} {self.names[to]}, {self.names[source]}, -1;")

    def write_match(self, to, source, part):
        n, bits = next(self.numbers), source[0]
        self.line(f"{{ .reg .b{bits} x{n}; and.b{bits} x{n}, {self.names[source]}, {part};")
        self.line(f"match.any.sync.b{bits} {self.names[to]}, x{n}, -1; }}")

    def write_share(self, to, source, other):
        n = next(self.numbers)
        self.line(f"{{ .reg .b32 s{n}, t{n}; mov.u32 t{n}, %tid.x; mad.lo.u32 s{n}, t{n}, 4, {self.shared};")
        self.line(f"st.shared.b32 [s{n}], {self.names[source]}; bar.sync 0; add.u32 t{n}, t{n}, {self.names[other]};")
        self.line(f"and.b32 t{n}, t{n}, {THREADS - 1}; mad.lo.u32 s{n}, t{n}, 4, {self.shared};")
        self.line(f"ld.shared.b32 {self.names[to]}, [s{n}]; bar.sync 0; }}")


def ptx_file(tree, _):
    names = {(bits, i): f"%{REGISTER[bits][1]}{i}" for bits, i in VARIABLES}
    writer = Writer(names, "words", "%slot", itertools.count())
    for k, (bits, i) in enumerate(VARIABLES):
        place, name = 8 * THREADS * k, names[bits, i]
        writer.line(f"ld.global.b{max(bits, 32)} {'%w' if bits == 1 else name}, [%in + {place}];" if bits != 16 else
                    f"ld.global.b16 {name}, [%in + {place}];")
        if bits == 1:
            writer.line(f"setp.ne.u32 {name}, %w, 0;")
    writer.write(tree)
    for k, (bits, i) in enumerate(VARIABLES):
        place, name = 8 * THREADS * k, names[bits, i]
        if bits == 1:
            writer.line(f"selp.b32 %w, 1, 0, {name};")
        writer.line(f"st.global.b{max(bits, 32) if bits != 16 else 16} [%out + {place}], {'%w' if bits == 1 else name};")
    registers = "\n".join(f".reg .{REGISTER[bits][0]} %{REGISTER[bits][1]}<{count}>;" for bits, count in COUNTS.items())
    return f""".version 8.0
.target sm_90
.address_size 64
.visible .entry rows(.param .u64 from, .param .u64 to)
{{
.shared .align 4 .b32 words[{THREADS}];
.shared .align 8 .b8 slots[{8 * THREADS}];
{registers}
.reg .b64 %in, %out, %at;
.reg .b32 %w, %slot;
ld.param.u64 %in, [from];
ld.param.u64 %out, [to];
cvta.to.global.u64 %in, %in;
cvta.to.global.u64 %out, %out;
mov.u32 %w, %tid.x;
mul.wide.u32 %at, %w, 8;
add.s64 %in, %in, %at;
add.s64 %out, %out, %at;
mad.lo.u32 %slot, %w, 8, slots;
""" + "\n".join(writer.lines) + "\nret;\n}\n"


def assembly_file(tree, rng, blocks):
    """All registers go into each block of assembly and come out of it, by names of its own or by its operands."""
    cuts = sorted(int(c) for c in rng.integers(0, len(tree) + 1, blocks - 1))
    numbers, lines = itertools.count(), []
    kinds = [LLVM[bits][0] for bits, _ in VARIABLES]
    letters = [LLVM[bits][1] for bits, _ in VARIABLES]
    values = [f"%start{k}" for k in range(len(VARIABLES))]
    for b, (first, last) in enumerate(zip([0] + cuts, cuts + [len(tree)])):
        has_names = bool(rng.integers(2))
        names = {v: f"{REGISTER[v[0]][1]}{v[1]}" if has_names else f"${k}" for k, v in enumerate(VARIABLES)}
        writer = Writer(names, f"${2 * len(VARIABLES)}", f"${2 * len(VARIABLES) + 1}", numbers)
        writer.line("{")
        if has_names:
            for k, v in enumerate(VARIABLES):
                writer.line(f".reg .{REGISTER[v[0]][0]} {names[v]}; mov.{REGISTER[v[0]][0]} {names[v]}, ${k};")
        writer.write(tree[first:last])
        if has_names:
            for k, v in enumerate(VARIABLES):
                writer.line(f"mov.{REGISTER[v[0]][0]} ${k}, {names[v]};")
        writer.line("}")
        constraints = [f"=&{x}" for x in letters] + [str(k) for k in range(len(letters))] + ["r", "r"]
        passed = ", ".join(f"{kind} {value}" for kind, value in zip(kinds, values))
        text = "\\0A\\09".join(writer.lines)
        lines.append(f"  %all{b} = call {{ {', '.join(kinds)} }} asm sideeffect \"{text}\", \"{','.join(constraints)}\""
                     f"({passed}, i32 %words, i32 %slot)")
        values = [f"%all{b}.{k}" for k in range(len(VARIABLES))]
        lines += [f"  {v} = extractvalue {{ {', '.join(kinds)} }} %all{b}, {k}" for k, v in enumerate(values)]
    loads, stores = [], []
    for k, (kind, value) in enumerate(zip(kinds, values)):
        loads.append(f"  %from{k} = getelementptr i64, ptr addrspace(1) %in, i64 {THREADS * k}")
        loads.append(f"  %word{k} = load i64, ptr addrspace(1) %from{k}")
        loads.append(f"  %start{k} = " + ("add i64 %word" + f"{k}, 0" if kind == "i64" else f"trunc i64 %word{k} to {kind}"))
        stores.append(f"  %to{k} = getelementptr i64, ptr addrspace(1) %out, i64 {THREADS * k}")
        if kind == "i1":
            stores.append(f"  %wide{k} = zext i1 {value} to i32")
        kind, value = ("i32", f"%wide{k}") if kind == "i1" else (kind, value)
        stores.append(f"  store {kind} {value}, ptr addrspace(1) %to{k}")
    return f"""target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
@shared = internal addrspace(3) global [{THREADS} x i32] undef, align 4
@slots = internal addrspace(3) global [{THREADS} x i64] undef, align 8
define ptx_kernel void @rows(ptr addrspace(1) %from, ptr addrspace(1) %to) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %words = ptrtoint ptr addrspace(3) @shared to i32
  %mine = getelementptr i64, ptr addrspace(3) @slots, i32 %t
  %slot = ptrtoint ptr addrspace(3) %mine to i32
  %in = getelementptr i64, ptr addrspace(1) %from, i32 %t
  %out = getelementptr i64, ptr addrspace(1) %to, i32 %t
""" + "\n".join(loads + lines + stores) + "\n  ret void\n}\n"


FORMS = {"file": (".ptx", ptx_file), "block": (".ll", lambda tree, rng: assembly_file(tree, rng, 1)),
         "blocks": (".ll", lambda tree, rng: assembly_file(tree, rng, 4))}


@dataclass
class Program:
    tree: list
    values: dict  # of the registers, before
    form: str
    seed: int     # of how it is written

    @staticmethod
    def draw(seed, rows, form):
        rng = np.random.default_rng(seed)
        values = {}
        for bits, i in VARIABLES:
            type = {1: ["pred"], 16: ["b16", "f16"], 32: ["b32", "f32"], 64: ["b64", "f64"]}[bits]
            drawn = ptx.operands(str(rng.choice(type)), rng, int(rng.integers(9)))
            values[bits, i] = [x & mask(bits) for x in drawn[:THREADS]]
        return Program(make_tree(rng, rows, int(rng.integers(1, 4)), True), values, form, seed)

    def write(self, folder):
        suffix, write = FORMS[self.form]
        source = pathlib.Path(folder, "rows" + suffix)
        source.write_text(write(self.tree, np.random.default_rng(self.seed)))
        return source

    def check(self, tile_run, folder):
        """What is wrong; "" if nothing is."""
        np.save(f"{folder}/in.npy", np.array(list(self.values.values()), np.uint64).view(np.int64))
        np.save(f"{folder}/out.npy", np.zeros((len(VARIABLES), THREADS), np.int64))
        oracle = Oracle(dict(self.values))
        oracle.run(self.tree, [True] * THREADS)
        status, text = ptx_instructions.batch.run([tile_run, str(self.write(folder)), "--backend=sim", "--entry=rows", "--grid=1",
                                      f"--block={THREADS}", "--chip=sm_90", f"--inputs={folder}/in.npy,{folder}/out.npy",
                                      f"--outputs={folder}/in2.npy,{folder}/got.npy"])
        if status:
            return text
        got = np.load(f"{folder}/got.npy").view(np.uint64)
        for k, (bits, i) in enumerate(VARIABLES):
            for thread, expected in enumerate(oracle.v[bits, i]):
                found = int(got[k, thread]) & mask(bits)
                if found != expected:
                    return f"{REGISTER[bits][1]}{i} of thread {thread}: {found:#x}, expected {expected:#x}"
        return ""

    def reduce(self, is_wrong):
        """Leaves out statements as long as the rest is wrong."""
        def shrink(tree, rebuild):
            i = 0
            while i < len(tree):
                bodies = [k for k, part in enumerate(tree[i]) if isinstance(part, list) and tree[i][0] != "row"]
                for shorter in [[]] + [tree[i][k] for k in bodies]:
                    if is_wrong(replace(self, tree=rebuild(tree[:i] + shorter + tree[i + 1:]))):
                        tree = tree[:i] + shorter + tree[i + 1:]
                        break
                else:
                    for k in bodies:
                        def inside(body, tree=tree, i=i, k=k):
                            return rebuild(tree[:i] + [(*tree[i][:k], body, *tree[i][k + 1:])] + tree[i + 1:])
                        body = shrink(tree[i][k], inside)
                        tree = tree[:i] + [(*tree[i][:k], body, *tree[i][k + 1:])] + tree[i + 1:]
                    i += 1
            return tree
        return replace(self, tree=shrink(self.tree, lambda tree: tree))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--keep", help="a file for the first program that is wrong, reduced")
    options = parser.parse_args()
    ptx_instructions.make_rows()
    rows = [r for r in ptx_instructions.ROWS if r.ulps == 0]
    with tempfile.TemporaryDirectory() as folder:
        for n in range(options.count):
            seed = options.seed * 1_000_000 + n
            form = list(FORMS)[n % len(FORMS)]
            program = Program.draw(seed, rows, form)
            if complaint := program.check(options.tile_run, folder):
                if options.keep:
                    program = program.reduce(lambda p: p.check(options.tile_run, folder))
                    pathlib.Path(options.keep).write_text(program.write(folder).read_text())
                    complaint += "; of the program that was kept: " + program.check(options.tile_run, folder)
                sys.exit(f"seed {options.seed}, program {n}, as {form}: {complaint}")
            if n % 1000 == 999:
                print(f"{n + 1} of {options.count}", file=sys.stderr)
    print(f"{options.count} random programs of PTX are right")


if __name__ == "__main__":
    main()
