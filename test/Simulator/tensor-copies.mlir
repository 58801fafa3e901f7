// Mbarriers, tensor copies and bulk copies of the NVVM dialect: a block loads a tile of 8 x 16 words by a tensor map,
// which the host has made, doubles it, and stores it.
// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.arange(20 * 40, dtype=np.int32).reshape(20, 40))"
// RUN: tile-run %s --backend=sim --entry=main --chip=sm_90a --inputs=%t.x.npy,zeros:20x40xi32 \
// RUN:   --outputs=%t.x2.npy,%t.y.npy --report=%t.json | FileCheck %s
// CHECK: copy
// CHECK-NOT: finding
// RUN: %python -c "import numpy as np; x, y = np.load(r'%t.x.npy'), np.load(r'%t.y.npy'); z = 0 * x; z[4:20] = 2 * x[4:20]; z[:, 32:] = 0; assert np.array_equal(y, z), y"
// RUN: %python -c "import json; l = json.load(open(r'%t.json'))['launches'][0]; assert l['bulkBytes'] == 2 * 16 * 32 * 4, l['bulkBytes']"

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<128 x i32>
    llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : i64

    llvm.func @copy(%from: !llvm.ptr, %to: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c8 = llvm.mlir.constant(8 : i32) : i32
      %c16 = llvm.mlir.constant(16 : i32) : i32
      %bytes = llvm.mlir.constant(512 : i32) : i32
      %ticks = llvm.mlir.constant(1000 : i32) : i32
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %full = llvm.mlir.addressof @full : !llvm.ptr<3>
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bx = nvvm.read.ptx.sreg.ctaid.x : i32
      %by = nvvm.read.ptx.sreg.ctaid.y : i32
      %x = llvm.mul %bx, %c16 : i32
      %y0 = llvm.mul %by, %c8 : i32
      %y = llvm.add %y0, %c4 : i32
      %first = llvm.icmp "eq" %tid, %c0 : i32
      llvm.cond_br %first, ^init, ^ready
    ^init:
      nvvm.mbarrier.init %full, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      llvm.cond_br %first, ^load, ^wait
    ^load:
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32 -> i64
      nvvm.cp.async.bulk.tensor.shared.cluster.global %tile, %from, %full, box [%x, %y] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
      llvm.br ^wait
    ^wait:
      %over = nvvm.mbarrier.try_wait %full, %c0 : !llvm.ptr<3>, i32 -> i1
      llvm.cond_br %over, ^double, ^wait
    ^double:
      %p = llvm.getelementptr %tile[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %v = llvm.load %p : !llvm.ptr<3> -> i32
      %w = llvm.add %v, %v : i32
      llvm.store %w, %p : i32, !llvm.ptr<3>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier0
      llvm.cond_br %first, ^store, ^end
    ^store:
      nvvm.cp.async.bulk.tensor.global.shared.cta %to, %tile, box [%x, %y] : !llvm.ptr, !llvm.ptr<3>
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0 {read}
      llvm.br ^end
    ^end:
      llvm.return
    }
  }

  llvm.func @cuTensorMapEncodeTiled(!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, i32) -> i32

  // A map of a tensor of 20 x 40 words with tiles of 8 x 16, in memory of the device.
  func.func @make_map(%tensor: memref<20x40xi32>) -> memref<128xi8> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %n = arith.constant 2 : i64
    %sizes = llvm.alloca %n x i64 : (i64) -> !llvm.ptr
    %strides = llvm.alloca %n x i64 : (i64) -> !llvm.ptr
    %box = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
    %steps = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
    %s = arith.constant dense<[40, 20]> : vector<2xi64>
    %t = arith.constant dense<[160, 0]> : vector<2xi64>
    %b = arith.constant dense<[16, 8]> : vector<2xi32>
    %e = arith.constant dense<1> : vector<2xi32>
    llvm.store %s, %sizes : vector<2xi64>, !llvm.ptr
    llvm.store %t, %strides : vector<2xi64>, !llvm.ptr
    llvm.store %b, %box : vector<2xi32>, !llvm.ptr
    llvm.store %e, %steps : vector<2xi32>, !llvm.ptr
    %map = memref.alloc() : memref<128xi8>
    %at = memref.extract_aligned_pointer_as_index %map : memref<128xi8> -> index
    %i = arith.index_cast %at : index to i64
    %to = llvm.inttoptr %i : i64 to !llvm.ptr
    %j0 = memref.extract_aligned_pointer_as_index %tensor : memref<20x40xi32> -> index
    %j = arith.index_cast %j0 : index to i64
    %from = llvm.inttoptr %j : i64 to !llvm.ptr
    %type = arith.constant 3 : i32
    %status = llvm.call @cuTensorMapEncodeTiled(%to, %type, %two, %from, %sizes, %strides, %box, %steps, %c0, %c0, %c0, %c0) : (!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, i32) -> i32
    %device = gpu.alloc () : memref<128xi8>
    gpu.memcpy %device, %map : memref<128xi8>, memref<128xi8>
    memref.dealloc %map : memref<128xi8>
    return %device : memref<128xi8>
  }

  func.func @main(%x: memref<20x40xi32>, %y: memref<20x40xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %src = gpu.alloc () : memref<20x40xi32>
    %dst = gpu.alloc () : memref<20x40xi32>
    gpu.memcpy %src, %x : memref<20x40xi32>, memref<20x40xi32>
    gpu.memcpy %dst, %y : memref<20x40xi32>, memref<20x40xi32>
    %from = func.call @make_map(%src) : (memref<20x40xi32>) -> memref<128xi8>
    %to = func.call @make_map(%dst) : (memref<20x40xi32>) -> memref<128xi8>
    %i0 = memref.extract_aligned_pointer_as_index %from : memref<128xi8> -> index
    %i1 = arith.index_cast %i0 : index to i64
    %p = llvm.inttoptr %i1 : i64 to !llvm.ptr
    %j0 = memref.extract_aligned_pointer_as_index %to : memref<128xi8> -> index
    %j1 = arith.index_cast %j0 : index to i64
    %q = llvm.inttoptr %j1 : i64 to !llvm.ptr
    gpu.launch_func @kernels::@copy blocks in (%c2, %c2, %c1) threads in (%c128, %c1, %c1) args(%p : !llvm.ptr, %q : !llvm.ptr)
    gpu.memcpy %y, %dst : memref<20x40xi32>, memref<20x40xi32>
    gpu.dealloc %src : memref<20x40xi32>
    gpu.dealloc %dst : memref<20x40xi32>
    gpu.dealloc %from : memref<128xi8>
    gpu.dealloc %to : memref<128xi8>
    return
  }
}
