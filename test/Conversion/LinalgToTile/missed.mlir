// What convert-linalg-to-tile leaves as it is, and the remark that says why.
//
// RUN: tile-opt --convert-linalg-to-tile %s --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null \
// RUN:   | FileCheck %s --implicit-check-not=remark:
// Nothing becomes a kernel:
// RUN: tile-opt --convert-linalg-to-tile %s | FileCheck %s --check-prefix=KEPT --implicit-check-not=tile.
// KEPT-LABEL: @regions

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#id = affine_map<(i) -> (i)>
!strided = memref<4x5xf32, strided<[?, 1], offset: ?>>

func.func @regions(%x: memref<4xi32>, %y: memref<4xi32>, %z: f80, %i: index) {
  // CHECK: {{:}}[[@LINE+1]]:3: remark: [Missed] linalg-to-tile | Category:tile | Reason="its region has 'arith.floordivsi', which is not computed on tiles"
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi32>) outs(%y : memref<4xi32>) {
  ^bb0(%a: i32, %old: i32):
    %r = arith.floordivsi %a, %old : i32
    linalg.yield %r : i32
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="its region has 'func.call', which is not computed on tiles"
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi32>) outs(%y : memref<4xi32>) {
  ^bb0(%a: i32, %old: i32):
    %r = func.call @extern(%a) : (i32) -> i32
    linalg.yield %r : i32
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="its region computes with i24"
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi32>) outs(%y : memref<4xi32>) {
  ^bb0(%a: i32, %old: i32):
    %t = arith.trunci %a : i32 to i24
    %r = arith.extsi %t : i24 to i32
    linalg.yield %r : i32
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it uses a value of f80 from outside of its region"
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi32>) outs(%y : memref<4xi32>) {
  ^bb0(%a: i32, %old: i32):
    %r = arith.fptosi %z : f80 to i32
    linalg.yield %r : i32
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it computes an axis of memref.dim"
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi32>) outs(%y : memref<4xi32>) {
  ^bb0(%a: i32, %old: i32):
    %d = memref.dim %x, %i : memref<4xi32>
    %r = arith.index_cast %d : index to i32
    linalg.yield %r : i32
  }
  return
}
func.func private @extern(i32) -> i32

func.func @memory(%s: !strided, %b: memref<4xi1>, %f: memref<4xf80>, %k: memref<4xindex>, %shared: memref<4xf32, 3>) {
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it accesses memref<4x5xf32, strided<[?, 1], offset: ?>>, which is not known to be a view of a memref without gaps"
  linalg.exp ins(%s : !strided) outs(%s : !strided)
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="kernels have no pointers to i1"
  linalg.map { arith.andi } ins(%b, %b : memref<4xi1>, memref<4xi1>) outs(%b : memref<4xi1>)
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="kernels have no pointers to f80"
  linalg.exp ins(%f : memref<4xf80>) outs(%f : memref<4xf80>)
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="kernels have no pointers to index"
  linalg.map { arith.addi } ins(%k, %k : memref<4xindex>, memref<4xindex>) outs(%k : memref<4xindex>)
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it accesses memref<4xf32, 3>, which is no ranked memref of the host"
  linalg.exp ins(%shared : memref<4xf32, 3>) outs(%shared : memref<4xf32, 3>)
  return
}

func.func @several(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>, %which: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.select %which, %x, %y : memref<4xf32>
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it accesses memref<4xf32>, which may be one of several buffers"
  linalg.exp ins(%one : memref<4xf32>) outs(%z : memref<4xf32>)
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it accesses memref<4xf32>, which may be one of several buffers"
  linalg.exp ins(%z : memref<4xf32>) outs(%x : memref<4xf32>)
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y, %b = %z) -> (memref<4xf32>, memref<4xf32>) {
    // CHECK: {{:}}[[@LINE+1]]:5: remark: {{.*}}Reason="it accesses memref<4xf32>, which may be one of several buffers"
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  return
}

func.func @loops(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %v: memref<4xf32>, %w: memref<4xf32>, %n: memref<4xi32>) {
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it reads elements of an output that other positions write"
  linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x4xf32>) outs(%x : memref<4x4xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it reads elements of an output that other positions write"
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%n : memref<4xi32>) outs(%v : memref<4xf32>) {
  ^bb0(%a: i32, %old: f32):
    %i = arith.index_cast %a : i32 to index
    %r = memref.load %v[%i] : memref<4xf32>
    linalg.yield %r : f32
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="parallel loop 1 indexes no axis of an output"
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x4xf32>) outs(%v : memref<4xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="reduction loop 1 indexes an output"
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x4xf32>) outs(%y : memref<4x4xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="operand 0 has an index that is not computed on tiles"
  linalg.generic {indexing_maps = [affine_map<(i) -> ((i + 1) ceildiv 2)>, #id], iterator_types = ["parallel"]} ins(%w : memref<4xf32>) outs(%v : memref<4xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  }
  return
}

func.func @branches(%x: memref<4xf32>, %which: i1) {
  cf.cond_br %which, ^more, ^done
^more:
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="it accesses memref<4xf32>, which may be one of several buffers"
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  cf.br ^done
^done:
  return
}

func.func @device(%x: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%i, %j, %k) in (%ni = %c1, %nj = %c1, %nk = %c1) threads(%a, %b, %c) in (%na = %c1, %nb = %c1, %nc = %c1) {
    // CHECK: {{:}}[[@LINE+1]]:5: remark: {{.*}}Reason="it stands in 'gpu.launch', where kernels are not launched"
    linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
    gpu.terminator
  }
  return
}

// A copy in bytes would be without gaps, where views of the argument may count on its strides.
func.func @strided_booleans(%m: memref<4xi1, strided<[?], offset: ?>>, %x: memref<4xf32>) {
  // CHECK: {{:}}[[@LINE+1]]:3: remark: {{.*}}Reason="kernels have no pointers to i1"
  linalg.select ins(%m, %x, %x : memref<4xi1, strided<[?], offset: ?>>, memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

func.func @tensors(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: {{.*}}Reason="it is on tensors: bufferize first"
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
