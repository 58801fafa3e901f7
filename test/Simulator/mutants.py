"""Planted faults: each is an edit of a correct kernel, and what the simulator must say of it.

`expect` is the kind of a finding, or "differs": the kernel breaks no rule, but the result is not NumPy's; or "nothing",
where the simulator is known to be blind.
"""
import dataclasses
import re
from dataclasses import dataclass, field

import numpy as np
from harness import Scalar

OUT, MISALIGNED, READ_ONLY = "out-of-bounds", "misaligned", "read-only"
SHARED, GLOBAL, UNINITIALIZED, WAIT = "shared-race", "global-race", "uninitialized-shared", "missing-wait"
DIVERGENT, MISMATCHED, COLLECTIVE = "divergent-barrier", "mismatched-barrier", "mismatched-collective"
SAME, VOLATILE, SKIPPED = "same-value-store", "unordered-volatile", "skipped-barrier"
DEADLOCK, ENDLESS, DIFFERS, NOTHING = "deadlock", "step-limit", "differs", "nothing"
I32, F32 = "(!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32", "(!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32"


@dataclass
class Mutant:
    """`old` occurs exactly once in the text of the kernel's function; a pattern: its first match is replaced."""
    kernel: str   # the name of a Case, "copy.tail", or "gemm" and options of gemm.py
    fault: str    # in words
    old: object
    new: str
    expect: str
    launch: dict = field(default_factory=dict)  # fields of the Case that are other ones
    options: tuple = ()                         # of tile-run

    def apply(self, text, entry):
        """The file's text with the edit; a ValueError if it does not apply."""
        start = text.index(f"llvm.func @{entry}(")
        end = text.index("\n  }\n", start)
        body = text[start:end]
        if isinstance(self.old, re.Pattern):
            edited, matches = self.old.subn(self.new, body, count=1)
        else:
            edited, matches = body.replace(self.old, self.new), body.count(self.old) if self.old else 1
        if matches != 1:
            raise ValueError(f"{self.kernel}: {self.fault}: {matches} matches of {self.old!r}")
        return text[:start] + edited + text[end:]

    def change(self, case):
        return dataclasses.replace(case, **self.launch)


BARRIER = "    nvvm.barrier\n"


def meet_warps(rng):
    """Arguments of order.meet by which whole warps take the branch."""
    x = rng.integers(-8, 8, 128).astype(np.int32)
    return [x, np.zeros(128, np.int32), Scalar("i32", 64)], {
        1: np.where(np.arange(128) < 64, 2 * x, x).astype(np.int32)}


MUTANTS = [
    # --- Indices, masks, alignment
    Mutant("copy.scalar", "load one element further", f"%p = llvm.getelementptr %src[%i] : {F32}",
           f"%p0 = llvm.getelementptr %src[%i] : {F32}\n    %p = llvm.getelementptr %p0[1] : "
           "(!llvm.ptr<1>) -> !llvm.ptr<1>, f32", OUT),
    Mutant("copy.scalar", "store one element before", f"%q = llvm.getelementptr %dst[%i] : {F32}",
           f"%q0 = llvm.getelementptr %dst[%i] : {F32}\n    %q = llvm.getelementptr %q0[-1] : "
           "(!llvm.ptr<1>) -> !llvm.ptr<1>, f32", OUT),
    Mutant("copy.scalar", "all blocks write the same elements", "llvm.add %base, %tid", "llvm.or %tid, %tid", SAME,
           options=("--sim-same-value-stores",)),
    Mutant("copy.tail", "no mask", "llvm.cond_br %inside, ^copy, ^exit", "llvm.br ^copy", OUT),
    Mutant("copy.tail", "mask off by one", '"slt"', '"sle"', OUT),
    Mutant("copy.vector", "128-bit load 4 bytes further", f"%src[%i] : {F32.replace('f32', 'vector<4xf32>')}",
           "%src[%i, 1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>", MISALIGNED),
    Mutant("copy.strided", "wrong stride", "llvm.mul %i, %c2", "llvm.mul %i, %bdim", OUT),
    Mutant("matmul.naive", "no mask on rows", "llvm.and %inN, %inM", "llvm.and %inN, %inN", OUT),
    Mutant("matmul.naive", "rows of B taken as k long", "llvm.mul %i, %n", "llvm.mul %i, %k", DIFFERS),
    Mutant("matmul.tiled", "no mask on k of A", "llvm.and %inM, %inKa", "llvm.and %inM, %inM", OUT),
    Mutant("matmul.tiled", "no mask on k of B", "llvm.and %inN, %inKb", "llvm.and %inN, %inN", OUT),
    Mutant("matmul.tiled", "no mask on the result", "llvm.and %inN, %inM", "llvm.and %inM, %inM", OUT),
    Mutant("matmul.tiled", "a row of the tile of A for all", "llvm.add %place0, %i ", "llvm.add %ty, %i ", DIFFERS),
    Mutant("softmax.rows", "loop over a row one element too long", '%inl = llvm.icmp "ult"', '%inl = llvm.icmp "ule"',
           OUT),
    Mutant("spaces.constant", "index beyond a constant table", "%primes[%x]", "%primes[%tid]", OUT),
    Mutant("spaces.constant", "store to constant memory", "llvm.store %y, %q : i32, !llvm.ptr<1>",
           "llvm.store volatile %y, %c : i32, !llvm.ptr<4>", READ_ONLY),
    Mutant("spaces.local", "index beyond a local array", "%array[%x]", "%array[%tid]", OUT),
    Mutant("spaces.reverse", "too little dynamic shared memory", "", "", OUT, {"shared": 796}),
    Mutant("spaces.reverse", "mirrored index off by one", "llvm.sub %n, %c1", "llvm.or %n, %n", OUT),
    Mutant("transpose.padded_rows", "rows of shared memory too long", "constant(33 :", "constant(34 :", OUT),
    Mutant("transpose.plain", "rows of the result taken as columns", "llvm.mul %z, %rows", "llvm.mul %z, %columns",
           GLOBAL),
    Mutant("transpose.swizzled", "swizzle in the store only", "llvm.xor %q, %tx", "llvm.or %q, %q", DIFFERS),
    Mutant("stencil.steps", "wrong wrap of the ring", "constant(127 :", "constant(126 :", DIFFERS),
    Mutant("histogram.global", "loop one element too long", '"slt"', '"sle"', OUT),
    Mutant("async.zero_fill", "copy not cut at the end", "llvm.intr.smin(%some, %c16)", "llvm.intr.smax(%c16, %c16)",
           OUT),
    Mutant("async.zero_fill", "copy of 16 bytes 4 bytes further", "%chunk[%i]", "%chunk[%tid]", MISALIGNED),
    Mutant("matrices.load1", "row address of ldmatrix off by 4 bytes", "%tile[%twice] : (!llvm.ptr<3>, i32) -> "
           "!llvm.ptr<3>, vector<4xi32>", "%tile[%twice, 1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>",
           MISALIGNED),

    # --- Barriers of blocks
    Mutant("transpose.plain", "no barrier", BARRIER, "", SHARED),
    Mutant("reduce.block", "no barrier", BARRIER, "", SHARED, {"block": (128,)}),
    Mutant("reduce.block", "sums of warps that do not exist", "llvm.lshr %bdim, %c5", "llvm.lshr %bdim, %c2",
           UNINITIALIZED),
    Mutant("reduce.block", "all lanes write the warp's sum", "llvm.cond_br %leads, ^keep, ^meet", "llvm.br ^keep",
           SHARED),
    Mutant("reduce.block", "barrier for the first lanes only", "    llvm.br ^meet\n  ^meet:\n    nvvm.barrier\n",
           "    nvvm.barrier\n    llvm.br ^meet\n  ^meet:\n", DIVERGENT),
    Mutant("reduce.shared_tree", "no barrier", BARRIER, "", SHARED),
    Mutant("reduce.shared_tree", "one thread too many adds", '"ult"', '"ule"', OUT),
    Mutant("reduce.shared_tree", "barrier for the threads that add only",
           re.compile(r"    nvvm.barrier\n(.*\n.*\n)  \^add:\n"), r"\1  ^add:\n    nvvm.barrier\n", SHARED),
    Mutant("scan.block", "no barrier", BARRIER, "", SHARED),
    Mutant("scan.block", "own warp's sum added twice", '"ult" %w, %warp', '"ule" %w, %warp', DIFFERS),
    Mutant("scan.two_buffers", "no barrier", BARRIER, "", SHARED),
    Mutant("scan.two_buffers", "one buffer instead of two", "llvm.sub %c128, %from", "llvm.add %c0, %from", SHARED),
    Mutant("scan.two_buffers", "stale buffer index", "^step(%double, %to,", "^step(%double, %from,", DIFFERS),
    Mutant("histogram.shared", "no barrier after clearing", "  ^cleared:\n    nvvm.barrier\n", "  ^cleared:\n", SHARED),
    Mutant("histogram.shared", "no barrier after counting", "  ^counted:\n    nvvm.barrier\n", "  ^counted:\n", SHARED),
    Mutant("histogram.shared", "counters not cleared", "llvm.cond_br %first, ^clear, ^cleared", "llvm.br ^cleared",
           UNINITIALIZED),
    Mutant("divergence.switches", "barrier in one way of a switch", "%a = llvm.shl", "nvvm.barrier\n    %a = llvm.shl",
           DIVERGENT),
    Mutant("spaces.reverse", "no barrier", BARRIER, "", SHARED),
    Mutant("stencil.steps", "no barrier after filling", "    nvvm.barrier  // filled\n", "", SHARED),
    Mutant("stencil.steps", "no barrier before writing", "    nvvm.barrier  // read\n", "", SHARED),
    Mutant("stencil.steps", "no barrier after writing", "    nvvm.barrier  // written\n", "", SHARED),
    Mutant("matmul.tiled", "no barrier after filling", "    nvvm.barrier  // filled\n", "", SHARED),
    Mutant("matmul.tiled", "no barrier before filling again", "    nvvm.barrier  // read\n", "", SHARED),
    Mutant("matmul.tiled", "threads outside return before the barriers", "    %a0 = llvm.mul %row, %k : i32\n"
           "    llvm.br ^tile(%c0, %zero : i32, f32)", "    %a0 = llvm.mul %row, %k : i32\n    llvm.cond_br %inN, "
           "^tile(%c0, %zero : i32, f32), ^exit", UNINITIALIZED),

    # --- Barriers of parts of a block
    Mutant("barriers.producer_consumer", "producers do not wait for empty",
           "    nvvm.barrier id = %empty number_of_threads = %threads\n", "", SHARED),
    Mutant("barriers.producer_consumer", "consumers do not wait for full",
           "    nvvm.barrier id = %full number_of_threads = %threads\n", "", SHARED),
    Mutant("barriers.producer_consumer", "consumers never say empty",
           "    nvvm.barrier.arrive id = %empty number_of_threads = %threads\n", "", DEADLOCK),
    Mutant("barriers.producer_consumer", "producers never say full",
           "    nvvm.barrier.arrive id = %full number_of_threads = %threads\n", "", DEADLOCK),
    Mutant("barriers.producer_consumer", "barriers of other counts",
           "nvvm.barrier id = %full number_of_threads = %threads",
           "nvvm.barrier id = %full number_of_threads = %c64", MISMATCHED),
    Mutant("barriers.pairs", "barrier of twice the threads", "constant(64 :", "constant(128 :", DEADLOCK),
    Mutant("barriers.pairs", "barrier of half the threads", "constant(64 :", "constant(32 :", SHARED),
    Mutant("barriers.pairs", "barrier of no whole warps", "constant(64 :", "constant(48 :", MISMATCHED),
    Mutant("barriers.warp_barrier", "no warp barrier after writing", "    nvvm.bar.warp.sync %all : i32\n", "", SHARED),
    Mutant("barriers.warp_barrier", "no warp barrier before writing again",
           "    nvvm.bar.warp.sync %all : i32  // read before written\n", "", SHARED),
    Mutant("barriers.warp_barrier", "no last warp barrier", "    nvvm.bar.warp.sync %all : i32  // the last\n", "",
           SHARED),
    Mutant("matrices.load1", "no warp barrier before ldmatrix", "    nvvm.bar.warp.sync %all : i32\n", "", SHARED),

    # --- Warps
    Mutant("reduce.warp", "first step left out", "%c16, %x : i32, f32", "%c5, %x : i32, f32", DIFFERS),
    Mutant("reduce.warp", "member mask without lane 31", "constant(-1 :", "constant(2147483647 :", COLLECTIVE),
    Mutant("scan.warp", "sum taken from lanes that do not exist", "llvm.select %valid, %other, %c0",
           "llvm.select %valid, %other, %other", DIFFERS),
    Mutant("divergence.nested", "ballot of all lanes in a branch", "%a = llvm.add %third, %c100",
           "%v = nvvm.vote.sync ballot %all, %odd -> i32\n    %a = llvm.add %third, %v", COLLECTIVE),
    Mutant("divergence.loops", "loop that never ends", '%done = llvm.icmp "ule"', '%done = llvm.icmp "ult"', ENDLESS,
           options=("--step-limit=100000",)),
    Mutant("collectives.compact", "own lane counted in", "lanemask.lt", "lanemask.le", DIFFERS),
    Mutant("collectives.votes", "member mask of half a warp", "constant(-1 :", "constant(65535 :", COLLECTIVE),
    Mutant("collectives.parts", "wrong bound of the parts", "constant(0x181f :", "constant(0x101f :", DIFFERS),
    Mutant("matrices.load2_transposed", "ldmatrix not transposed", "mma_layout<col>", "mma_layout<row>", DIFFERS),

    # --- Memory order
    Mutant("histogram.shared", "shared counters not atomic", "%old = llvm.atomicrmw add %s, %c1 syncscope(\"block\") "
           "monotonic : !llvm.ptr<3>, i32", "%old = llvm.load %s : !llvm.ptr<3> -> i32\n    %new = llvm.add %old, %c1 "
           ": i32\n    llvm.store %new, %s : i32, !llvm.ptr<3>", SHARED),
    Mutant("histogram.shared", "global counters not atomic", "%sum = llvm.atomicrmw add %q, %count "
           "syncscope(\"device\") monotonic : !llvm.ptr<1>, i32", "%old_sum = llvm.load %q : !llvm.ptr<1> -> i32\n    "
           "%sum = llvm.add %old_sum, %count : i32\n    llvm.store %sum, %q : i32, !llvm.ptr<1>", GLOBAL),
    Mutant("histogram.global", "counters not atomic", "%old = llvm.atomicrmw add %q, %c1 syncscope(\"device\") "
           "monotonic : !llvm.ptr<1>, i32", "%old = llvm.load %q : !llvm.ptr<1> -> i32\n    %new = llvm.add %old, %c1 "
           ": i32\n    llvm.store %new, %q : i32, !llvm.ptr<1>", GLOBAL),
    Mutant("message.warps", "flag stored without release", "release", "monotonic", SHARED),
    Mutant("message.warps", "flag read without acquire", "acquire", "monotonic", SHARED),
    Mutant("message.warps", "flag not cleared", "llvm.cond_br %first, ^clear, ^start", "llvm.br ^start", UNINITIALIZED),
    Mutant("message.warps", "flag raised before all lanes wrote", "    nvvm.bar.warp.sync %all : i32\n", "", SHARED),
    Mutant("message.blocks", "flag read without acquire", "acquire", "monotonic", GLOBAL),
    Mutant("message.blocks", "flag stored without release", "release", "monotonic", GLOBAL),
    Mutant("message.blocks", "flag raised before all threads wrote", BARRIER, "", GLOBAL),
    Mutant("message.blocks", "flag stored for the own block only", '"device") release', '"block") release', GLOBAL),
    Mutant("message.blocks", "flag read from the own block only", '"device") acquire', '"block") acquire', GLOBAL),
    Mutant("message.blocks", "flag that is not raised", "llvm.store %c1, %mine", "llvm.store %c0, %mine", ENDLESS,
           options=("--step-limit=100000",)),
    Mutant("message.last_block", "fence of the own block before counting up",
           "    nvvm.memory.barrier <gpu>\n    %before", "    nvvm.memory.barrier <cta>\n    %before", GLOBAL),
    Mutant("message.last_block", "no fence before counting up",
           "    nvvm.memory.barrier <gpu>\n    %before", "    %before", GLOBAL),
    # LLVM emits a read-modify-write as atom without order, whatever the IR says.
    *(Mutant("message.last_block", f"no fence before counting up, but {order}",
             re.compile(r"nvvm.memory.barrier <gpu>\n    (%before.*) monotonic"), rf"\1 {order}", GLOBAL)
      for order in ("acquire", "release", "acq_rel", "seq_cst")),
    Mutant("message.last_block", "no fence behind counting up", re.compile(r"nvvm.memory.barrier <gpu>\n(?!    %before)"),
           "", GLOBAL),
    Mutant("message.last_block", "the last block not waited for", "llvm.sub %blocks, %c1", "llvm.sub %c1, %c1",
           DIFFERS),
    Mutant("atomics.lock", "lock given back without release", "release", "monotonic", GLOBAL),
    Mutant("atomics.lock", "lock taken without acquire", "acquire", "monotonic", GLOBAL),
    Mutant("atomics.lock", "lock not given back", "llvm.store %c0, %lock", "llvm.store %c1, %lock", ENDLESS,
           options=("--step-limit=100000",)),
    Mutant("atomics.append", "counter not atomic", "%slot = llvm.atomicrmw add %counter, %c1 monotonic : !llvm.ptr<1>, "
           "i32", "%slot = llvm.load %counter : !llvm.ptr<1> -> i32\n    %up = llvm.add %slot, %c1 : i32\n    "
           "llvm.store %up, %counter : i32, !llvm.ptr<1>", SAME,
           options=("--sim-same-value-stores",)),

    # --- Volatile, and barriers that threads go round
    Mutant("order.volatile_sum", "no warp barrier before writing", "    nvvm.bar.warp.sync %all : i32  // read before "
           "written\n", "", VOLATILE),
    Mutant("order.volatile_sum", "no warp barrier after writing", "    nvvm.bar.warp.sync %all : i32  // written before "
           "read\n", "", VOLATILE),
    Mutant("order.volatile_sum", "no barrier", BARRIER, "", VOLATILE),
    Mutant("order.volatile_flag", "no fence before the flag", re.compile(r"    nvvm.memory.barrier <cta>\n    llvm.store"),
           "    llvm.store", SHARED),
    Mutant("order.volatile_flag", "no fence behind the flag", "    nvvm.memory.barrier <cta>  // behind the flag\n", "",
           SHARED),
    Mutant("order.early", "no barrier", BARRIER, "", SHARED),
    Mutant("order.meet", "barrier for the first threads only", "llvm.br ^meet(%twice : i32)\n  ^meet(%y: i32):\n"
           + BARRIER, BARRIER.strip() + "\n    llvm.br ^meet(%twice : i32)\n  ^meet(%y: i32):\n", SKIPPED),
    Mutant("order.meet", "barrier for some warps only", "llvm.br ^meet(%twice : i32)\n  ^meet(%y: i32):\n"
           + BARRIER, BARRIER.strip() + "\n    llvm.br ^meet(%twice : i32)\n  ^meet(%y: i32):\n", SKIPPED,
           {"make": meet_warps}),

    # --- Asynchronous copies
    Mutant("order.copies", "both copies to one place", "%places[%far]", "%places[%tid]", WAIT),
    Mutant("order.copies", "no first wait", "    nvvm.cp.async.wait.group 1\n", "", WAIT),
    Mutant("order.copies", "no last wait", "    nvvm.cp.async.wait.group 0\n", "", WAIT),
    Mutant("order.copies", "copies in one group", re.compile(r"    nvvm.cp.async.commit.group\n(?=    nvvm.cp.async.sh)"),
           "", WAIT),
    Mutant("async.pipeline", "no wait", "    nvvm.cp.async.wait.group 1\n", "", WAIT),
    Mutant("async.pipeline", "wait leaves one group too many", "wait.group 1", "wait.group 2", WAIT),
    Mutant("async.pipeline", "no commit before the loop", "    nvvm.cp.async.commit.group\n    %k2", "    %k2", WAIT),
    Mutant("async.pipeline", "no commit in the loop", "  ^next:\n    nvvm.cp.async.commit.group\n", "  ^next:\n", WAIT),
    Mutant("async.pipeline", "no barrier after the wait", BARRIER, "", SHARED),
    Mutant("async.pipeline", "copy into the stage that is read", "llvm.add %free, %tid", "llvm.add %stage, %tid",
           SHARED),
    Mutant("async.pipeline", "stale stage", "^round(%r1, %stage1 :", "^round(%r1, %stage :", SHARED),
    Mutant("async.zero_fill", "no wait", "    nvvm.cp.async.wait.group 0\n", "", WAIT),
    Mutant("async.zero_fill", "no barrier after the wait", BARRIER, "", SHARED),
    Mutant("async.zero_fill", "no commit", "    nvvm.cp.async.commit.group\n", "", WAIT),
]

# --- Tensor cores: kernels of gemm.py
QUADS = "gemm --mma m8n8k4 --swizzle --size 64,64,96"
DENSE = "gemm --mma m16n8k16 --swizzle --size 64,64,96 --ldmatrix"
STAGES = "gemm --mma m16n8k16 --swizzle --size 64,64,160 --ldmatrix --stages 3"
for _kernel in QUADS, DENSE:
    MUTANTS += [
        Mutant(_kernel, "no barrier before filling again", "    nvvm.barrier  // read\n", "", SHARED),
        Mutant(_kernel, "no barrier after filling", "    nvvm.barrier  // filled\n", "", SHARED),
        Mutant(_kernel, "registers of A swapped", re.compile(r"A\[(%\w+), (%\w+)"), r"A[\2, \1", DIFFERS),
        Mutant(_kernel, "registers of B swapped", re.compile(r"B\[(%\w+), (%\w+)\]"), r"B[\2, \1]", DIFFERS),
        Mutant(_kernel, "an accumulator used twice", re.compile(r"C\[%acc[48],"), "C[%acc0,", DIFFERS),
        Mutant(_kernel, "one k tile too many", re.compile(r'"slt" (%\w+), %c96 '), r'"sle" \1, %c96 ', OUT),
        Mutant(_kernel, "one k tile left out", re.compile(r"llvm.br \^loop\(%c0,"), "llvm.br ^loop(%c32,", DIFFERS),
        Mutant(_kernel, "rows of C off by one", re.compile(r"llvm.mul %by, %c64 "), "llvm.add %by, %c1 ", OUT),
    ]
MUTANTS += [
    Mutant(QUADS, "layout of A that is not the data's", re.compile("layoutA = #nvvm.mma_layout<row>"),
           "layoutA = #nvvm.mma_layout<col>", DIFFERS),
    Mutant(QUADS, "lanes of the upper half not told apart", re.compile(r"llvm.lshr %lane, %c4 "),
           "llvm.lshr %lane, %c5 ", SAME, options=("--sim-same-value-stores",)),
    Mutant(DENSE, "too little dynamic shared memory", "", "", OUT, {"shared": 8192 - 16}),
    Mutant(DENSE, "ldmatrix transposed", re.compile("mma_layout<row>, shape = #nvvm.ld"),
           "mma_layout<col>, shape = #nvvm.ld", DIFFERS),
    Mutant(STAGES, "no wait", "    nvvm.cp.async.wait.group 1\n", "", WAIT),
    Mutant(STAGES, "wait leaves one group too many", "wait.group 1", "wait.group 2", WAIT),
    Mutant(STAGES, "no barrier", "    nvvm.barrier  // filled, and the stage before is read\n", "", SHARED),
    Mutant(STAGES, "no commit in the loop", "  ^copy_done:\n    nvvm.cp.async.commit.group\n", "  ^copy_done:\n", WAIT),
    Mutant(STAGES, "stage filled that is being read", re.compile(r"llvm.br \^loop\(%c0, %c0, %c\d+"),
           "llvm.br ^loop(%c0, %c0, %c0", SHARED),
]
