// convert-tile-to-linalg: tiles are split into halves of pairs, and joined to pairs, by vectors; compiled code gives what the
// interpreter gives.
//
// RUN: tile-opt --convert-tile-to-linalg --canonicalize %s | FileCheck %s
// RUN: tile-run %s --entry=pairs --backend=cpu --grid=1 --random=1 --inputs=random:4x64xi32,zeros:4x64xi32 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=bytes --backend=cpu --grid=1 --random=2 --inputs=random:256xi8,zeros:256xi8 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=others --backend=cpu --grid=1 --random=3 --inputs=random:64xi32,zeros:64xi32 --check=interp | FileCheck %s --check-prefix=AGREES
//
// AGREES: check against interp: passed

// Halves are taken from vectors of pairs, of which 32 elements follow each other, and exchanged.
// CHECK-LABEL: func.func private @pairs
// CHECK: scf.for %[[I:.*]] = %c0 to %c4 step %c1
// CHECK: scf.for %[[J:.*]] = %c0 to %c32 step %c16
// CHECK: %[[AT:.*]] = arith.addi %[[J]], %[[J]]
// CHECK: %[[PAIRS:.*]] = vector.transfer_read %{{.*}}[%[[I]], %[[AT]]], %{{.*}} {in_bounds = [true]} : tensor<4x64xi32>, vector<32xi32>
// CHECK: %[[HALF:.*]], %{{.*}} = vector.deinterleave %[[PAIRS]] : vector<32xi32> -> vector<16xi32>
// CHECK: vector.transfer_write %[[HALF]], %{{.*}}[%[[I]], %[[J]]]
// CHECK: %{{.*}}, %[[OTHER:.*]] = vector.deinterleave
// CHECK: vector.transfer_write %[[OTHER]]
// CHECK: %[[FIRST:.*]] = vector.transfer_read {{.*}} : tensor<4x32xi32>, vector<16xi32>
// CHECK: %[[SECOND:.*]] = vector.transfer_read {{.*}} : tensor<4x32xi32>, vector<16xi32>
// CHECK: vector.interleave %[[FIRST]], %[[SECOND]] : vector<16xi32> -> vector<32xi32>
// CHECK-NOT: linalg.reduce
// CHECK: return
func.func @pairs(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %zero = arith.constant dense<0> : tensor<1x1x2xi32>
  %zeros = arith.constant dense<0> : tensor<4x32x2xi32>
  %seven = arith.constant dense<7> : tensor<4x32xi32>
  %c64 = arith.constant dense<64> : tensor<4x1xi32>
  %ri = tile.range 0 to 4 : tensor<4xi32>
  %rj = tile.range 0 to 64 : tensor<64xi32>
  %i = tile.reshape %ri : tensor<4xi32> -> tensor<4x1xi32>
  %start = arith.muli %i, %c64 : tensor<4x1xi32>
  %sb = tile.broadcast %start : tensor<4x1xi32> -> tensor<4x64xi32>
  %jb = tile.broadcast %rj : tensor<64xi32> -> tensor<4x64xi32>
  %offset = arith.addi %sb, %jb : tensor<4x64xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<4x64x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %offset : tensor<4x64x!tile.ptr<i32>>, tensor<4x64xi32>
  %v = tile.load %xp : tensor<4x64x!tile.ptr<i32>>
  %pairs = tile.reshape %v : tensor<4x64xi32> -> tensor<4x32x2xi32>
  %two = tile.range 0 to 2 : tensor<2xi32>
  %place = tile.reshape %two : tensor<2xi32> -> tensor<1x1x2xi32>
  %is = arith.cmpi eq, %place, %zero : tensor<1x1x2xi32>
  %mask = tile.broadcast %is : tensor<1x1x2xi1> -> tensor<4x32x2xi1>
  %a = arith.select %mask, %pairs, %zeros : tensor<4x32x2xi1>, tensor<4x32x2xi32>
  %b = arith.select %mask, %zeros, %pairs : tensor<4x32x2xi1>, tensor<4x32x2xi32>
  %first = tile.reduce or %a axis 2 : tensor<4x32x2xi32>
  %second = tile.reduce or %b axis 2 : tensor<4x32x2xi32>
  %next = arith.muli %first, %seven : tensor<4x32xi32>
  %thin0 = tile.reshape %second : tensor<4x32xi32> -> tensor<4x32x1xi32>
  %thin1 = tile.reshape %next : tensor<4x32xi32> -> tensor<4x32x1xi32>
  %wide0 = tile.broadcast %thin0 : tensor<4x32x1xi32> -> tensor<4x32x2xi32>
  %wide1 = tile.broadcast %thin1 : tensor<4x32x1xi32> -> tensor<4x32x2xi32>
  %joined = arith.select %mask, %wide0, %wide1 : tensor<4x32x2xi1>, tensor<4x32x2xi32>
  %w = tile.reshape %joined : tensor<4x32x2xi32> -> tensor<4x64xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<4x64x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %offset : tensor<4x64x!tile.ptr<i32>>, tensor<4x64xi32>
  tile.store %yp, %w : tensor<4x64x!tile.ptr<i32>>
  return
}

// 64 bytes.
// CHECK-LABEL: func.func private @bytes
// CHECK: vector.deinterleave {{.*}} : vector<128xi8> -> vector<64xi8>
// CHECK: return
func.func @bytes(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>) attributes {tile.kernel} {
  %zero = arith.constant dense<0> : tensor<2xi32>
  %zeros = arith.constant dense<0> : tensor<128x2xi8>
  %r = tile.range 0 to 256 : tensor<256xi32>
  %h = tile.range 0 to 128 : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<256x!tile.ptr<i8>>
  %xp = tile.addptr %xs, %r : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  %v = tile.load %xp : tensor<256x!tile.ptr<i8>>
  %pairs = tile.reshape %v : tensor<256xi8> -> tensor<128x2xi8>
  %two = tile.range 0 to 2 : tensor<2xi32>
  %is = arith.cmpi eq, %two, %zero : tensor<2xi32>
  %mask = tile.broadcast %is : tensor<2xi1> -> tensor<128x2xi1>
  %b = arith.select %mask, %zeros, %pairs : tensor<128x2xi1>, tensor<128x2xi8>
  %second = tile.reduce or %b axis 1 : tensor<128x2xi8>
  %ys = tile.splat %y : !tile.ptr<i8> -> tensor<128x!tile.ptr<i8>>
  %yp = tile.addptr %ys, %h : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  tile.store %yp, %second : tensor<128x!tile.ptr<i8>>
  return
}

// No halves: a mask of the second one, a sum, pairs along another axis, and a number instead of zeros.
// CHECK-LABEL: func.func private @others
// CHECK-NOT: vector.deinterleave
// CHECK-COUNT-4: linalg.reduce
// CHECK: return
func.func @others(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %zero = arith.constant dense<0> : tensor<2xi32>
  %one = arith.constant dense<1> : tensor<2xi32>
  %zeros = arith.constant dense<0> : tensor<32x2xi32>
  %turned = arith.constant dense<0> : tensor<2x32xi32>
  %ones = arith.constant dense<1> : tensor<32x2xi32>
  %r = tile.range 0 to 64 : tensor<64xi32>
  %h = tile.range 0 to 32 : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<i32>>
  %pairs = tile.reshape %v : tensor<64xi32> -> tensor<32x2xi32>
  %rows = tile.reshape %v : tensor<64xi32> -> tensor<2x32xi32>
  %two = tile.range 0 to 2 : tensor<2xi32>
  %isFirst = arith.cmpi eq, %two, %zero : tensor<2xi32>
  %isSecond = arith.cmpi eq, %two, %one : tensor<2xi32>
  %first = tile.broadcast %isFirst : tensor<2xi1> -> tensor<32x2xi1>
  %second = tile.broadcast %isSecond : tensor<2xi1> -> tensor<32x2xi1>
  %column = tile.reshape %isFirst : tensor<2xi1> -> tensor<2x1xi1>
  %along = tile.broadcast %column : tensor<2x1xi1> -> tensor<2x32xi1>
  %a = arith.select %second, %pairs, %zeros : tensor<32x2xi1>, tensor<32x2xi32>
  %b = arith.select %first, %pairs, %zeros : tensor<32x2xi1>, tensor<32x2xi32>
  %c = arith.select %along, %rows, %turned : tensor<2x32xi1>, tensor<2x32xi32>
  %d = arith.select %first, %pairs, %ones : tensor<32x2xi1>, tensor<32x2xi32>
  %ra = tile.reduce or %a axis 1 : tensor<32x2xi32>
  %rb = tile.reduce add %b axis 1 : tensor<32x2xi32>
  %rc = tile.reduce or %c axis 0 : tensor<2x32xi32>
  %rd = tile.reduce or %d axis 1 : tensor<32x2xi32>
  %ab = arith.addi %ra, %rb : tensor<32xi32>
  %cd = arith.xori %rc, %rd : tensor<32xi32>
  %all = arith.subi %ab, %cd : tensor<32xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %h : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %yp, %all : tensor<32x!tile.ptr<i32>>
  return
}
