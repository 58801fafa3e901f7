// einsum-choose-schedule: what options say is done, and the rest chosen; what no kernel does is an error. The kernels that
// are compared can be listed, and each asked for.
//
// DEFINE: %{amx} = sed 's/xf32/xbf16/g; s/vector_bits = 256, registers = 16/vector_bits = 512, registers = 32/; s/bf16 = false/bf16 = false, amx = true/' %s
// RUN: tile-opt %s --einsum-choose-schedule="lanes=m rows=n block=0 tile=4,1 unroll=2 prefetch=6" | FileCheck %s --check-prefix=LANES
// RUN: tile-opt %s --einsum-choose-schedule="panel=8 sum-parts=2 pack=needed prefetch=0" | FileCheck %s --check-prefix=PANEL
// RUN: tile-opt %s --einsum-choose-schedule="panel=0 block=0 pack=lanes" | FileCheck %s --check-prefix=PACK
// RUN: tile-opt %s --einsum-choose-schedule="panel=16 block=64 sum-parts=2 pack=lanes" | FileCheck %s --check-prefix=BLOCK
// RUN: tile-opt %s --einsum-choose-schedule="tile=9,1" | FileCheck %s --check-prefix=NINE
// RUN: tile-opt %s --einsum-choose-schedule="tile=10,1" | FileCheck %s --check-prefix=TEN
// RUN: tile-opt %s --einsum-choose-schedule=list=3 --remark-format=emitRemark --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=LIST
// RUN: tile-opt %s --pass-pipeline="builtin.module(einsum-to-cpu-pipeline{list-configs=2 config={panel=8 block=0}})" --remark-format=emitRemark \
// RUN:   --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=PIPELINE
// RUN: not tile-opt %s --einsum-choose-schedule=panel=7 2>&1 | FileCheck %s --check-prefix=NO-PANEL
// RUN: not tile-opt %s --einsum-choose-schedule=block=7 2>&1 | FileCheck %s --check-prefix=NO-BLOCK
// RUN: not tile-opt %s --einsum-choose-schedule=block=-2 2>&1 | FileCheck %s --check-prefix=NEGATIVE-BLOCK
// RUN: not tile-opt %s --einsum-choose-schedule=lanes=k 2>&1 | FileCheck %s --check-prefix=NO-LANES
// RUN: not tile-opt %s --einsum-choose-schedule=sum-parts=3 2>&1 | FileCheck %s --check-prefix=NO-PARTS
// RUN: not tile-opt %s --einsum-choose-schedule=unit=matrix 2>&1 | FileCheck %s --check-prefix=NO-MATRIX
// RUN: not tile-opt %s --einsum-choose-schedule=unit=tensor 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: %{amx} | tile-opt --einsum-choose-schedule=unit=vector | FileCheck %s --check-prefix=VECTOR
// RUN: %{amx} | tile-opt --einsum-choose-schedule="unit=matrix tile=16,3 list=1" \
// RUN:   --remark-format=emitRemark --remarks-filter=einsum 2>&1 | FileCheck %s --check-prefix=MATRIX
// RUN: not tile-opt %s --einsum-choose-schedule=tile=6 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not tile-opt %s --einsum-choose-schedule=panel=-2 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tile-opt %s --pass-pipeline="builtin.module(einsum-to-cpu-pipeline{config={panl=8}})" 2>&1 | FileCheck %s --check-prefix=NAME

// NO-PANEL: [[#@LINE+35]]:8: error: 'einsum.contract' op has no kernel with 'panel=7': expected lanes and rows among its indices that are not summed, a panel that divides lanes into several, a block that divides rows into several, and sum-parts that divide one of its sums into parts of 32 or more
// NO-BLOCK: error: 'einsum.contract' op has no kernel with 'block=7':
// NEGATIVE-BLOCK: error: einsum-choose-schedule expects block to be -1 or more, found -2
// NO-LANES: error: 'einsum.contract' op has no kernel with 'lanes=k':
// NO-PARTS: error: 'einsum.contract' op has no kernel with 'sum-parts=3':
// NO-MATRIX: error: 'einsum.contract' op has no kernel with 'unit=matrix': {{.*}}; for unit=matrix products of bf16 or i8, each operand with one of lanes and rows, on a machine with 'amx'
// UNIT: for the --unit option: Cannot find option named 'tensor'
// VECTOR-NOT: matrix
// VECTOR: tile =
// MATRIX: list-configs | Category:einsum | config="{{.*}} unit=matrix tile=32,2
// MATRIX: matrix = true, tile = [16, 3]
// TILE: error: einsum-choose-schedule expects tile to be rows and vectors, as 6,2, found 6
// NEGATIVE: error: einsum-choose-schedule expects panel to be -1 or more, found -2
// NAME: no such option panl

// LANES: lanes = 1, tile = [4, 1], unroll = 2, prefetch = 6, {{.*}}dims = [<"n" prim 256>, <"m" prim 256>, <"k" prim 256>]
// PANEL-NOT: pack
// PANEL-NOT: prefetch
// PANEL: dims = [<"n" seq 4 step 64>, <"k" seq 2 step 128>, <"m" prim 256>, <"n" prim 64>, <"k" prim 128>]
// BLOCK: pack = [1], dims = [<"n" seq 2 step 128>, <"k" seq 2 step 128>, <"m" seq 4 step 64>, <"m" prim 64>, <"n" prim 128>, <"k" prim 128>]
// PACK: pack = [1], dims = [<"m" prim 256>, <"n" prim 256>, <"k" prim 256>]
// Without operands that are broadcast from memory, ten sums, unrolled, and what they add would not stay in 16 registers.
// NINE: tile = [9, 1], unroll = 4
// TEN: tile = [10, 1], unroll = 1
// LIST: remark: [Analysis] list-configs | Category:einsum | config="lanes=n rows=m panel={{[0-9]+}} block={{[0-9]+}} sum-parts=1 pack={{.*}} tile={{[0-9]+,[0-9]+}} unroll={{[0-9]+}} prefetch={{[0-9]+}}", estimate={{[0-9]+}}
// LIST-COUNT-2: list-configs
// LIST-NOT: list-configs
// LIST: [Passed] einsum-choose-schedule
// PIPELINE-COUNT-2: list-configs
// PIPELINE-NOT: list-configs
// PIPELINE: [Passed] einsum-choose-schedule | Category:einsum | dims="n n parallel 4, m m prim 256, n n prim 64

module attributes {einsum.machine = #einsum.machine<cpu = "znver3", vector_bits = 256, registers = 16, fma = 2,
    latency = 4, l1 = 32768, l2 = 524288, l3 = 33554432, cores = 2, bf16 = false>} {
func.func @f(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}
}
