// convert-tile-to-linalg: elements that lie side by side are accessed by vectors, checked where that is not sure; what
// the compiled code does agrees with the interpreter, which accesses each element of the tile by itself.
//
// RUN: tile-opt --convert-tile-to-linalg %s | FileCheck %s
//
// Rows of the array are 200 elements; columns that begin anew within a vector, between vectors, or not at all; tiles that
// end inside of the array, and outside.
// RUN: tile-run %s --entry=wrapped --backend=cpu --grid=2,2 --random=1 --inputs=random:40x200xf32,zeros:40x200xf32,16,128,200 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=wrapped --backend=cpu --grid=2,2 --random=2 --inputs=random:40x200xf32,zeros:40x200xf32,13,77,200 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=wrapped --backend=cpu --grid=3,3 --random=3 --inputs=random:40x200xf32,zeros:40x200xf32,24,160,200 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=wrapped --backend=cpu --grid=1,1 --random=4 --inputs=random:40x200xf32,zeros:40x200xf32,1,1,200 --check=interp | FileCheck %s --check-prefix=AGREES
//
// Columns two apart, and one apart: found when it runs.
// RUN: tile-run %s --entry=strided --backend=cpu --grid=1 --random=5 --inputs=random:200xf16,zeros:200xf16,2,93 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=strided --backend=cpu --grid=1 --random=6 --inputs=random:200xf16,zeros:200xf16,1,128 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=strided --backend=cpu --grid=1 --random=7 --inputs=random:200xf16,zeros:200xf16,1,0 --check=interp | FileCheck %s --check-prefix=AGREES
//
// Columns of the tile along rows of memory: all, some under a mask, and such that begin anew within a vector.
// RUN: tile-run %s --entry=columns --backend=cpu --grid=1 --random=8 --inputs=random:48x40xf32,random:16x48xf32,zeros:16x48xf32,48,40 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=columns --backend=cpu --grid=1 --random=9 --inputs=random:48x40xf32,random:16x48xf32,zeros:16x48xf32,37,40 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=columns --backend=cpu --grid=1 --random=9 --inputs=random:48x40xf32,random:16x48xf32,zeros:16x48xf32,40,13 --check=interp | FileCheck %s --check-prefix=AGREES
//
// Columns of the tile along rows of memory, whose distance is an argument.
// RUN: tile-run %s --entry=apart --backend=cpu --grid=1 --random=12 --inputs=random:48x40xf32,zeros:32x48xf32,40 --check=interp | FileCheck %s --check-prefix=AGREES
//
// Columns that are stored as rows of memory: all, and what is inside of a matrix.
// RUN: tile-run %s --entry=stored --backend=cpu --grid=1 --random=10 --inputs=random:16x32xf32,zeros:32x24xf32,16,32 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=stored --backend=cpu --grid=1 --random=11 --inputs=random:16x32xf32,zeros:32x24xf32,13,21 --check=interp | FileCheck %s --check-prefix=AGREES
//
// AGREES: check against interp: passed

// CHECK: #[[$FULL:.*]] = #llvm.loop_unroll<full = true>
// CHECK: #[[$UNROLLED:.*]] = #llvm.loop_annotation<unroll = #[[$FULL]]>

// The analysis knows: no check. All lanes at once, or some under a mask, or none. The loop is short.
// CHECK-LABEL: func.func private @known
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[MASK:.*]] : vector<32xi1> into i1
// CHECK: scf.if %[[ALL]] -> (vector<32xf32>) {
// CHECK-NEXT: llvm.load %[[P:.*]] {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
// CHECK: } else {
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[MASK]] : vector<32xi1> into i1
// CHECK-NEXT: scf.if %[[ANY]] -> (vector<32xf32>) {
// CHECK: llvm.intr.masked.load %[[P]], %[[MASK]], %{{.*}} {alignment = 4 : i32}
// CHECK: } else {
// CHECK-NOT: llvm.
// CHECK: vector.transfer_write %{{.*}}, %{{.*}} {in_bounds = [true]} : vector<32xf32>, tensor<64xf32>
// CHECK: } {loop_annotation = #[[$UNROLLED]]}
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<64xf32>, vector<32xf32>
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
// CHECK: } else {
// CHECK: %[[SOME:.*]] = vector.reduction <or>, %{{.*}} : vector<32xi1> into i1
// CHECK-NEXT: scf.if %[[SOME]] {
// CHECK-NEXT: llvm.intr.masked.store
func.func @known(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %i = tile.range 0 to 64 : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %p mask %m : tensor<64x!tile.ptr<f32>>
  tile.store %p, %v mask %m : tensor<64x!tile.ptr<f32>>
  return
}

// Columns modulo a size: they are compared with a range, once for all rows, and the ends of a row are.
// CHECK-LABEL: func.func private @wrapped
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c64{{.*}} step %c32
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8{{.*}} step %c1
// CHECK: %[[APART:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
// CHECK: %[[ENDS:.*]] = arith.cmpi eq, %[[APART]], %c124{{.*}} : i64
// CHECK: %[[STEPS:.*]] = vector.reduction <and>, %{{.*}} : vector<32xi1> into i1
// CHECK: %[[IS:.*]] = arith.andi %[[ENDS]], %[[STEPS]] : i1
// CHECK: scf.if %[[IS]] -> (tensor<8x64xf32>)
// CHECK: llvm.load {{.*}} -> vector<32xf32>
// CHECK: vector.transfer_write {{.*}} : vector<32xf32>, tensor<8x64xf32>
// CHECK: } else {
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> f32
// CHECK: tensor.insert
func.func @wrapped(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i32) attributes {tile.kernel} {
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  %px = tile.program_id x
  %py = tile.program_id y
  %i0 = arith.muli %px, %c8 : i32
  %j0 = arith.muli %py, %c64 : i32
  %ri = tile.range 0 to 8 : tensor<8xi32>
  %rj = tile.range 0 to 64 : tensor<64xi32>
  %i0s = tile.splat %i0 : i32 -> tensor<8xi32>
  %j0s = tile.splat %j0 : i32 -> tensor<64xi32>
  %i = arith.addi %i0s, %ri : tensor<8xi32>
  %j = arith.addi %j0s, %rj : tensor<64xi32>
  %ms = tile.splat %m : i32 -> tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %iw = arith.remsi %i, %ms : tensor<8xi32>
  %jw = arith.remsi %j, %ns : tensor<64xi32>
  %im = arith.cmpi slt, %i, %ms : tensor<8xi32>
  %jm = arith.cmpi slt, %j, %ns : tensor<64xi32>
  %lds = tile.splat %ld : i32 -> tensor<8xi32>
  %iwl = arith.muli %iw, %lds : tensor<8xi32>
  %il = arith.muli %i, %lds : tensor<8xi32>
  %iwc = tile.reshape %iwl : tensor<8xi32> -> tensor<8x1xi32>
  %ic = tile.reshape %il : tensor<8xi32> -> tensor<8x1xi32>
  %iwb = tile.broadcast %iwc : tensor<8x1xi32> -> tensor<8x64xi32>
  %ib = tile.broadcast %ic : tensor<8x1xi32> -> tensor<8x64xi32>
  %jwb = tile.broadcast %jw : tensor<64xi32> -> tensor<8x64xi32>
  %jb = tile.broadcast %j : tensor<64xi32> -> tensor<8x64xi32>
  %from = arith.addi %iwb, %jwb : tensor<8x64xi32>
  %to = arith.addi %ib, %jb : tensor<8x64xi32>
  %imc = tile.reshape %im : tensor<8xi1> -> tensor<8x1xi1>
  %imb = tile.broadcast %imc : tensor<8x1xi1> -> tensor<8x64xi1>
  %jmb = tile.broadcast %jm : tensor<64xi1> -> tensor<8x64xi1>
  %mask = arith.andi %imb, %jmb : tensor<8x64xi1>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x64x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<8x64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %from : tensor<8x64x!tile.ptr<f32>>, tensor<8x64xi32>
  %yp = tile.addptr %ys, %to : tensor<8x64x!tile.ptr<f32>>, tensor<8x64xi32>
  %v = tile.load %xp : tensor<8x64x!tile.ptr<f32>>
  tile.store %yp, %v mask %mask : tensor<8x64x!tile.ptr<f32>>
  return
}

// One by one there are two loops, of which the one where all lanes are active has no branch.
// CHECK-LABEL: func.func private @strided
// CHECK: vector.reduction <and>
// CHECK: llvm.load {{.*}} -> vector<64xf16>
// CHECK: %[[ACTIVE:.*]] = vector.reduction <and>, %{{.*}} : vector<64xi1> into i1
// CHECK-NEXT: scf.if %[[ACTIVE]] -> (tensor<64xf16>)
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: llvm.load {{.*}} -> f16
// CHECK: } else {
// CHECK: scf.for
// CHECK: scf.if
// CHECK: llvm.load {{.*}} -> f16
func.func @strided(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %stride: i32, %n: i32) attributes {tile.kernel} {
  %other = arith.constant dense<-3.0> : tensor<64xf16>
  %i = tile.range 0 to 64 : tensor<64xi32>
  %ss = tile.splat %stride : i32 -> tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %is = arith.muli %i, %ss : tensor<64xi32>
  %m = arith.cmpi slt, %is, %ns : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %is : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %yp = tile.addptr %ys, %i : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %v = tile.load %xp mask %m other %other : tensor<64x!tile.ptr<f16>>
  tile.store %yp, %v : tensor<64x!tile.ptr<f16>>
  return
}

// A row of memory is a column of the tile: rows are loaded, and the product reads what they make with its axes turned. Its
// other user gets a tile of the other order.
// CHECK-LABEL: func.func private @columns
// CHECK: %[[ROWS:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c32{{.*}} step %c32
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c48{{.*}} step %c1
// CHECK: llvm.load {{.*}} -> vector<32xf32>
// CHECK: vector.transfer_write {{.*}}[%[[J]], %[[I]]] {in_bounds = [true]} : vector<32xf32>, tensor<48x32xf32>
// CHECK: %[[TURNED:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<48x32xf32>) outs({{.*}} : tensor<32x48xf32>)
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %[[ROWS]] : tensor<16x32xf32>, tensor<48x32xf32>)
// CHECK: linalg.reduce ins(%[[TURNED]] : tensor<32x48xf32>)
func.func @columns(%x: !tile.ptr<f32>, %a: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<16x48xf32>
  %ones = arith.constant dense<1.0> : tensor<32x48xf32>
  %c40 = arith.constant dense<40> : tensor<1x48xi32>
  %c48 = arith.constant dense<48> : tensor<16x1xi32>
  %ri = tile.range 0 to 32 : tensor<32xi32>
  %rj = tile.range 0 to 48 : tensor<48xi32>
  %rm = tile.range 0 to 16 : tensor<16xi32>
  %ks = tile.splat %k : i32 -> tensor<32xi32>
  %iw = arith.remsi %ri, %ks : tensor<32xi32>
  %i = tile.reshape %iw : tensor<32xi32> -> tensor<32x1xi32>
  %j = tile.reshape %rj : tensor<48xi32> -> tensor<1x48xi32>
  %m = tile.reshape %rm : tensor<16xi32> -> tensor<16x1xi32>
  %start = arith.muli %j, %c40 : tensor<1x48xi32>
  %ib = tile.broadcast %i : tensor<32x1xi32> -> tensor<32x48xi32>
  %sb = tile.broadcast %start : tensor<1x48xi32> -> tensor<32x48xi32>
  %jb = tile.broadcast %j : tensor<1x48xi32> -> tensor<32x48xi32>
  %ns = tile.splat %n : i32 -> tensor<32x48xi32>
  %sum = arith.addi %ib, %jb : tensor<32x48xi32>
  %mask = arith.cmpi slt, %sum, %ns : tensor<32x48xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x48x!tile.ptr<f32>>
  %xp0 = tile.addptr %xs, %sb : tensor<32x48x!tile.ptr<f32>>, tensor<32x48xi32>
  %xp = tile.addptr %xp0, %ib : tensor<32x48x!tile.ptr<f32>>, tensor<32x48xi32>
  %b = tile.load %xp mask %mask other %ones : tensor<32x48x!tile.ptr<f32>>
  %ml = arith.muli %m, %c48 : tensor<16x1xi32>
  %mb = tile.broadcast %ml : tensor<16x1xi32> -> tensor<16x32xi32>
  %kb = tile.broadcast %ri : tensor<32xi32> -> tensor<16x32xi32>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  %ap0 = tile.addptr %as, %mb : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %ap = tile.addptr %ap0, %kb : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %av = tile.load %ap : tensor<16x32x!tile.ptr<f32>>
  %product = tile.dot %av, %b, %zero : tensor<16x32xf32>, tensor<32x48xf32>, tensor<16x48xf32>
  %colsum = tile.reduce add %b axis 0 : tensor<32x48xf32>
  %all = tile.broadcast %colsum : tensor<48xf32> -> tensor<16x48xf32>
  %result = arith.addf %product, %all : tensor<16x48xf32>
  %yl = tile.broadcast %ml : tensor<16x1xi32> -> tensor<16x48xi32>
  %yj = tile.broadcast %rj : tensor<48xi32> -> tensor<16x48xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x48x!tile.ptr<f32>>
  %yp0 = tile.addptr %ys, %yl : tensor<16x48x!tile.ptr<f32>>, tensor<16x48xi32>
  %yp = tile.addptr %yp0, %yj : tensor<16x48x!tile.ptr<f32>>, tensor<16x48xi32>
  tile.store %yp, %result : tensor<16x48x!tile.ptr<f32>>
  return
}

// Rows of the tile might be rows of memory, if the argument were 1; columns are.
// CHECK-LABEL: func.func private @apart
// CHECK: vector.transfer_write {{.*}} : vector<32xf32>, tensor<48x32xf32>
func.func @apart(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %ld: i32) attributes {tile.kernel} {
  %c48 = arith.constant dense<48> : tensor<32x48xi32>
  %ri = tile.range 0 to 32 : tensor<32xi32>
  %rj = tile.range 0 to 48 : tensor<48xi32>
  %column = tile.reshape %ri : tensor<32xi32> -> tensor<32x1xi32>
  %i = tile.broadcast %column : tensor<32x1xi32> -> tensor<32x48xi32>
  %j = tile.broadcast %rj : tensor<48xi32> -> tensor<32x48xi32>
  %lds = tile.splat %ld : i32 -> tensor<32x48xi32>
  %start = arith.muli %j, %lds : tensor<32x48xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x48x!tile.ptr<f32>>
  %xp0 = tile.addptr %xs, %start : tensor<32x48x!tile.ptr<f32>>, tensor<32x48xi32>
  %xp = tile.addptr %xp0, %i : tensor<32x48x!tile.ptr<f32>>, tensor<32x48xi32>
  %v = tile.load %xp : tensor<32x48x!tile.ptr<f32>>
  %rows = arith.muli %i, %c48 : tensor<32x48xi32>
  %to = arith.addi %rows, %j : tensor<32x48xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x48x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %to : tensor<32x48x!tile.ptr<f32>>, tensor<32x48xi32>
  tile.store %yp, %v : tensor<32x48x!tile.ptr<f32>>
  return
}

// The tile is turned, and its rows are stored.
// CHECK-LABEL: func.func private @stored
// CHECK: %[[TURNED:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<16x32xf32>) outs({{.*}} : tensor<32x16xf32>)
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c32{{.*}} step %c1
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c16{{.*}} step %c16
// CHECK: vector.transfer_read %[[TURNED]][%[[J]], %[[I]]]
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
func.func @stored(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32) attributes {tile.kernel} {
  %c24 = arith.constant dense<24> : tensor<1x32xi32>
  %c32 = arith.constant dense<32> : tensor<16x1xi32>
  %ri = tile.range 0 to 16 : tensor<16xi32>
  %rj = tile.range 0 to 32 : tensor<32xi32>
  %i = tile.reshape %ri : tensor<16xi32> -> tensor<16x1xi32>
  %j = tile.reshape %rj : tensor<32xi32> -> tensor<1x32xi32>
  %il = arith.muli %i, %c32 : tensor<16x1xi32>
  %ilb = tile.broadcast %il : tensor<16x1xi32> -> tensor<16x32xi32>
  %jb = tile.broadcast %j : tensor<1x32xi32> -> tensor<16x32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  %xp0 = tile.addptr %xs, %ilb : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %xp = tile.addptr %xp0, %jb : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %v = tile.load %xp : tensor<16x32x!tile.ptr<f32>>
  %jl = arith.muli %j, %c24 : tensor<1x32xi32>
  %jlb = tile.broadcast %jl : tensor<1x32xi32> -> tensor<16x32xi32>
  %ib = tile.broadcast %i : tensor<16x1xi32> -> tensor<16x32xi32>
  %ms = tile.splat %m : i32 -> tensor<16x32xi32>
  %ns = tile.splat %n : i32 -> tensor<16x32xi32>
  %im = arith.cmpi slt, %ib, %ms : tensor<16x32xi32>
  %jm = arith.cmpi slt, %jb, %ns : tensor<16x32xi32>
  %mask = arith.andi %im, %jm : tensor<16x32xi1>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  %yp0 = tile.addptr %ys, %jlb : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %yp = tile.addptr %yp0, %ib : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  tile.store %yp, %v mask %mask : tensor<16x32x!tile.ptr<f32>>
  return
}

// Each element by itself: a mask that is made elsewhere is no vector.
// CHECK-LABEL: func.func @scattered
// CHECK-NOT: vector
// CHECK: return
func.func @scattered(%x: !tile.ptr<f32>, %m: tensor<64xi1>) {
  %i = tile.range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %p mask %m : tensor<64x!tile.ptr<f32>>
  tile.store %p, %v mask %m : tensor<64x!tile.ptr<f32>>
  return
}
