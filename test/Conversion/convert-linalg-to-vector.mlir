// convert-linalg-to-vector: structured ops on buffers become loops over vectors of the machine, which are of 256 bits
// here; what has no vectors along its last loop stays.
//
// RUN: tile-opt --convert-linalg-to-vector --split-input-file %s | FileCheck %s

// The example of the documentation: two vectors of 128 bits at once.
#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
module attributes {einsum.machine = #einsum.machine<cpu = "generic", vector_bits = 128, registers = 16, fma = 1,
    latency = 4, l1 = 32768, l2 = 262144, l3 = 8388608, cores = 1, bf16 = false>} {
  // CHECK-LABEL: @subtract
  // CHECK-SAME: (%[[X:.*]]: memref<4x64xf32>, %[[MAX:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4x64xf32>)
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c1
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c64{{.*}} step %c8
  // CHECK-NEXT: %[[A:.*]] = vector.load %[[X]][%[[I]], %[[J]]] : memref<4x64xf32>, vector<8xf32>
  // CHECK-NEXT: %[[B:.*]] = memref.load %[[MAX]][%[[I]]]
  // CHECK-NEXT: %[[BS:.*]] = vector.broadcast %[[B]] : f32 to vector<8xf32>
  // CHECK-NEXT: %[[D:.*]] = arith.subf %[[A]], %[[BS]] : vector<8xf32>
  // CHECK-NEXT: vector.store %[[D]], %[[Y]][%[[I]], %[[J]]]
  func.func @subtract(%x: memref<4x64xf32>, %max: memref<4xf32>, %y: memref<4x64xf32>) {
    linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : memref<4x64xf32>, memref<4xf32>) outs(%y : memref<4x64xf32>) {
    ^bb0(%a: f32, %b: f32, %_: f32):
      %d = arith.subf %a, %b : f32
      linalg.yield %d : f32
    }
    return
  }
}

// -----

// A product starts from what the result holds, and keeps it in registers.
// CHECK-LABEL: @product
// CHECK-NOT: linalg.contract
// CHECK: vector.load {{.*}} : memref<1024xf32>, vector<8xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>
// CHECK: vector.fma
// CHECK: vector.store {{.*}} : memref<1024xf32>, vector<8xf32>
#a = affine_map<(m, k, n) -> (m, k)>
#b = affine_map<(m, k, n) -> (k, n)>
#c = affine_map<(m, k, n) -> (m, n)>
func.func @product(%a: memref<32x16xf32>, %b: memref<16x32xf32>, %c: memref<32x32xf32>) {
  linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : memref<32x16xf32>, memref<16x32xf32>)
      outs(%c : memref<32x32xf32>)
  return
}

// -----

// A row of 76: a loop over 32 lanes at once, then 8 and 4. Lanes begin with what changes nothing, and are combined at the
// end, starting from the result.
// CHECK-LABEL: @along
// CHECK-SAME: (%[[X:.*]]: memref<3x76xf32>, %[[Y:.*]]: memref<3xf32>)
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[START:.*]] = memref.load %[[Y]][%[[I]]]
// CHECK: %[[NONE:.*]] = arith.constant dense<-0.000000e+00> : vector<32xf32>
// CHECK: %[[LANES:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[NONE]]) -> (vector<32xf32>)
// CHECK: vector.load %[[X]][%[[I]], %{{.*}}] : memref<3x76xf32>, vector<32xf32>
// CHECK: arith.addf %{{.*}}, %[[BEFORE]] : vector<32xf32>
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %[[LANES]], %[[START]] fastmath<reassoc>
// CHECK: %[[NEXT:.*]] = vector.reduction <add>, %{{.*}}, %[[SUM]] fastmath<reassoc> : vector<8xf32>
// CHECK: %[[LAST:.*]] = vector.reduction <add>, %{{.*}}, %[[NEXT]] fastmath<reassoc> : vector<4xf32>
// CHECK: memref.store %[[LAST]], %[[Y]][%[[I]]]
// CHECK-LABEL: @across
// CHECK-SAME: (%[[X:.*]]: memref<5x8xi32>, %[[Y:.*]]: memref<8xi32>)
// CHECK: %[[START:.*]] = vector.load %[[Y]]
// CHECK: %[[LANES:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c5{{.*}} iter_args(%[[BEFORE:.*]] = %[[START]])
// CHECK: vector.load %[[X]][%[[I]], %{{.*}}] : memref<5x8xi32>, vector<8xi32>
// CHECK: arith.maxsi %{{.*}}, %[[BEFORE]] : vector<8xi32>
// CHECK: vector.store %[[LANES]], %[[Y]]
func.func @along(%x: memref<3x76xf32>, %y: memref<3xf32>) {
  linalg.reduce {arith.addf} ins(%x : memref<3x76xf32>) outs(%y : memref<3xf32>) dimensions = [1]
  return
}
func.func @across(%x: memref<5x8xi32>, %y: memref<8xi32>) {
  linalg.reduce {arith.maxsi} ins(%x : memref<5x8xi32>) outs(%y : memref<8xi32>) dimensions = [0]
  return
}

// -----

// Lanes know their index. What does not depend on the lane is computed once.
// CHECK-LABEL: @index
// CHECK: vector.step : vector<8xindex>
// CHECK: %[[I:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: %[[J:.*]] = arith.index_cast %{{.*}} : vector<8xindex> to vector<8xi64>
// CHECK: %[[IS:.*]] = vector.broadcast %[[I]]
// CHECK: arith.addi %[[IS]], %[[J]] : vector<8xi64>
#all = affine_map<(i, j) -> (i, j)>
func.func @index(%y: memref<4x8xi64>) {
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%y : memref<4x8xi64>) {
  ^bb0(%_: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %s = arith.addi %i64, %j64 : i64
    linalg.yield %s : i64
  }
  return
}

// -----

// Turned, of odd sizes, of i1, of dynamic size, of mixed types, along two axes, by two ops: they stay.
// CHECK-LABEL: @left
// CHECK-COUNT-3: linalg.generic
// CHECK: linalg.contract
// CHECK: linalg.reduce
// CHECK: linalg.reduce
#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#a = affine_map<(m, k, n) -> (m, k)>
#b = affine_map<(m, k, n) -> (k, n)>
#c = affine_map<(m, k, n) -> (m, n)>
func.func @left(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %p: memref<8x8xi1>, %d: memref<8x?xf32>,
                %h: memref<8x8xf16>, %s: memref<f32>, %r: memref<8xf32>, %t: memref<6x8xf32>, %u: memref<8x6xf32>) {
  linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<6x8xf32>) outs(%u : memref<8x6xf32>) {
  ^bb0(%a: f32, %_: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %x : memref<8x8xi1>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%m: i1, %a: f32, %b: f32):
    %e = arith.select %m, %a, %b : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%d : memref<8x?xf32>) {
  ^bb0(%a: f32):
    %e = arith.negf %a : f32
    linalg.yield %e : f32
  }
  linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %h : memref<8x8xf32>, memref<8x8xf16>)
      outs(%y : memref<8x8xf32>)
  linalg.reduce {arith.addf} ins(%x : memref<8x8xf32>) outs(%s : memref<f32>) dimensions = [0, 1]
  linalg.reduce ins(%x : memref<8x8xf32>) outs(%r : memref<8xf32>) dimensions = [1] (%e: f32, %sum: f32) {
    %square = arith.mulf %e, %e : f32
    %next = arith.addf %square, %sum : f32
    linalg.yield %next : f32
  }
  return
}

// -----

// Lanes of a maximum begin at an infinity and are never NaN. A row that has nothing beyond is combined as written.
// CHECK-LABEL: @maxnum
// CHECK-SAME: (%[[X:.*]]: memref<72xf32>, %[[Y:.*]]: memref<f32>)
// CHECK: %[[START:.*]] = memref.load %[[Y]]
// CHECK: %[[LANES:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<32xf32>)
// CHECK: %[[V:.*]] = vector.load %[[X]][%{{.*}}] : memref<72xf32>, vector<32xf32>
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %[[V]], %[[BEFORE]] : vector<32xf32>
// CHECK: arith.select %[[ABOVE]], %[[V]], %[[BEFORE]]
// CHECK: vector.extract_strided_slice %[[LANES]] {offsets = [16], sizes = [16], strides = [1]}
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: arith.maxnumf %{{.*}}, %[[START]] : f32
// CHECK: } else {
// CHECK: scf.for {{.*}} iter_args(%[[B:.*]] = %[[START]]) -> (f32)
// CHECK: arith.maxnumf %{{.*}}, %[[B]] : f32
// CHECK: memref.store %[[R]], %[[Y]]
func.func @maxnum(%x: memref<72xf32>, %y: memref<f32>) {
  linalg.reduce ins(%x : memref<72xf32>) outs(%y : memref<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %0 = arith.maxnumf %a, %b : f32
      linalg.yield %0 : f32
    }
  return
}

// -----

// A sum goes over as many lanes as the loop before it, so that one loop can be made of both (scf-fuse-loops), and begins with
// the scalar that fills its result.
// CHECK-LABEL: @after_loop
// CHECK-NOT: linalg
// CHECK: scf.for {{.*}} step %c16
// CHECK: scf.for {{.*}} step %c16{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>)
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %{{.*}}, %cst{{.*}} fastmath<reassoc> : vector<16xf32> into f32
// CHECK: memref.store %[[SUM]], %[[Y:.*]][] : memref<f32>
// CHECK: memref.load %[[Y]][] : memref<f32>
func.func @after_loop(%x: memref<128xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<128xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<128xf32>) outs(%e : memref<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %exp = math.exp %in : f32
    linalg.yield %exp : f32
  }
  %y = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%y : memref<f32>)
  linalg.reduce {arith.addf} ins(%e : memref<128xf32>) outs(%y : memref<f32>) dimensions = [0]
  %sum = memref.load %y[] : memref<f32>
  memref.dealloc %e : memref<128xf32>
  return %sum : f32
}

// -----

// The fill is needed: something reads it, or writes to the result, before the sum; or its result is known by two names.
// CHECK-LABEL: @needed
// CHECK-COUNT-4: linalg.fill
// CHECK-NOT: linalg.fill
func.func @needed(%x: memref<128xf32>) -> (f32, f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%a : memref<f32>)
  %before = memref.load %a[] : memref<f32>
  linalg.reduce {arith.addf} ins(%x : memref<128xf32>) outs(%a : memref<f32>) dimensions = [0]
  %b = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%b : memref<f32>)
  memref.store %one, %b[] : memref<f32>
  linalg.reduce {arith.addf} ins(%x : memref<128xf32>) outs(%b : memref<f32>) dimensions = [0]
  %c = memref.alloc() : memref<1xf32>
  %d = memref.collapse_shape %c [] : memref<1xf32> into memref<f32>
  linalg.fill ins(%zero : f32) outs(%d : memref<f32>)
  memref.store %one, %c[%c0] : memref<1xf32>
  linalg.reduce {arith.addf} ins(%x : memref<128xf32>) outs(%d : memref<f32>) dimensions = [0]
  %e = memref.alloc() : memref<f32>
  %f = memref.expand_shape %e [] output_shape [1] : memref<f32> into memref<1xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<f32>)
  memref.store %one, %f[%c0] : memref<1xf32>
  linalg.reduce {arith.addf} ins(%x : memref<128xf32>) outs(%e : memref<f32>) dimensions = [0]
  %u = memref.load %a[] : memref<f32>
  %v = memref.load %b[] : memref<f32>
  %w = memref.load %d[] : memref<f32>
  %y = memref.load %e[] : memref<f32>
  return %before, %u, %v, %w, %y : f32, f32, f32, f32, f32
}
