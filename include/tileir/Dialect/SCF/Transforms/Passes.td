//===- Passes.td - Passes on scf ---------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_SCF_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_SCF_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScfFuseLoopsPass : Pass<"scf-fuse-loops"> {
  let summary = "Make one loop of those that go over the same elements";
  let description = [{
    Of two `scf.for`, or two `scf.parallel` without results, in one block that
    have the same bounds and steps and read or write the same elements of a
    buffer in the same iterations, this pass makes one, where the first one was. What one of them reads or writes
    otherwise keeps them apart if the other one writes it, and so does what
    happens between them. Loops within are then treated likewise.

    Buffers that a function allocates are apart from its arguments, and from
    what pointers lead to unless a pointer is made of them. Arguments are apart
    from others if they have the attribute `llvm.noalias`.

    Example:

    ```mlir
    func.func @sum_of_squares(%m: memref<256xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      scf.for %i = %c0 to %c256 step %c1 {
        %x = memref.load %m[%i] : memref<256xf32>
        %square = arith.mulf %x, %x : f32
        memref.store %square, %m[%i] : memref<256xf32>
      }
      %sum = scf.for %i = %c0 to %c256 step %c1 iter_args(%so_far = %zero) -> (f32) {
        %x = memref.load %m[%i] : memref<256xf32>
        %next = arith.addf %so_far, %x : f32
        scf.yield %next : f32
      }
      return %sum : f32
    }
    ```

    becomes

    ```mlir
    %sum = scf.for %i = %c0 to %c256 step %c1 iter_args(%so_far = %zero) -> (f32) {
      %x = memref.load %m[%i] : memref<256xf32>
      %square = arith.mulf %x, %x : f32
      memref.store %square, %m[%i] : memref<256xf32>
      %y = memref.load %m[%i] : memref<256xf32>
      %next = arith.addf %so_far, %y : f32
      scf.yield %next : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numFused", "num-fused", "Loops that became part of another one">
  ];
}

def ScfOutlineLoopsPass : Pass<"scf-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Make functions of loops, one of those that are equal";
  let description = [{
    Layers of a network repeat, and what is made of the second one is the loop of
    the first one on other buffers. Of outermost loops without results that
    differ in nothing but the values that they use, which are no constants, this
    pass makes one private function, and a call of it of each of them. Loops of
    less than `min-ops` ops stay.

    Of several loops of `min-single-ops` ops or more in a function, each becomes
    a function even if no other one is equal: passes take longer than proportional
    to the size of a function, and threads share those of several ones.

    Example:

    ```mlir
    func.func @twice(%x: memref<64xf32>, %y: memref<64xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      scf.for %i = %c0 to %c64 step %c1 {
        %a = memref.load %x[%i] : memref<64xf32>
        %b = math.exp %a : f32
        memref.store %b, %y[%i] : memref<64xf32>
      }
      scf.for %i = %c0 to %c64 step %c1 {
        %a = memref.load %y[%i] : memref<64xf32>
        %b = math.exp %a : f32
        memref.store %b, %x[%i] : memref<64xf32>
      }
      return
    }
    ```

    becomes, with `min-ops=1`,

    ```mlir
    func.func @twice(%x: memref<64xf32>, %y: memref<64xf32>) {
      call @twice_loop(%x, %y) : (memref<64xf32>, memref<64xf32>) -> ()
      call @twice_loop(%y, %x) : (memref<64xf32>, memref<64xf32>) -> ()
      return
    }
    func.func private @twice_loop(%x: memref<64xf32>, %y: memref<64xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      scf.for %i = %c0 to %c64 step %c1 {
        %a = memref.load %x[%i] : memref<64xf32>
        %b = math.exp %a : f32
        memref.store %b, %y[%i] : memref<64xf32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"minOps", "min-ops", "int64_t", /*default=*/"32",
           "Ops of the least loop that a call is worth">,
    Option<"minSingleOps", "min-single-ops", "int64_t", /*default=*/"0",
           "Ops of the least loop that becomes a function even if it is equal to "
           "no other one; 0: none does">
  ];
  let statistics = [
    Statistic<"numFunctions", "num-functions", "Functions of loops">,
    Statistic<"numCalls", "num-calls", "Loops that became calls">
  ];
}

def ScfPrefetchPass : Pass<"scf-prefetch"> {
  let summary = "Prefetch rows that loops over vectors read and write";
  let description = [{
    Of each row of at least `row-bytes` bytes that an `scf.for` goes through by
    vectors, by pointers of LLVM, this pass prefetches

    - what is read, `distance` bytes before the loop comes there: behind the end
      of a row the next one often begins, which the processor does not know;
    - what is written, in the loop before, if that has the same bounds and step:
      so each line is there when it is stored to.

    A prefetch has no effect but on time, so that addresses need not be valid.

    Example:

    ```mlir
    func.func @halve(%x: !llvm.ptr, %row: memref<1024xf32>) {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c1024 = arith.constant 1024 : index
      %half = arith.constant dense<0.5> : vector<16xf32>
      scf.for %i = %c0 to %c1024 step %c16 {
        %at = arith.index_cast %i : index to i64
        %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %some = llvm.load %address : !llvm.ptr -> vector<16xf32>
        %result = arith.mulf %some, %half : vector<16xf32>
        vector.store %result, %row[%i] : memref<1024xf32>, vector<16xf32>
      }
      return
    }
    ```

    becomes

    ```mlir
    scf.for %i = %c0 to %c1024 step %c16 {
      %at = arith.index_cast %i : index to i64
      %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %later = llvm.getelementptr %address[4096] : (!llvm.ptr) -> !llvm.ptr, i8
      "llvm.intr.prefetch"(%later) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
      %some = llvm.load %address : !llvm.ptr -> vector<16xf32>
      %result = arith.mulf %some, %half : vector<16xf32>
      vector.store %result, %row[%i] : memref<1024xf32>, vector<16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"distance", "distance", "int64_t", /*default=*/"4096",
           "Bytes between what is read and what is prefetched">,
    Option<"rowBytes", "row-bytes", "int64_t", /*default=*/"1024",
           "Bytes of the shortest row that is prefetched">
  ];
  let statistics = [
    Statistic<"numPrefetches", "num-prefetches", "Prefetches of a line">
  ];
}

def ScfSplitParallelLoopsPass : Pass<"scf-split-parallel-loops"> {
  let summary = "Leave as many dimensions parallel as threads need";
  let description = [{
    OpenMP makes one loop of all dimensions of an `scf.parallel`, and divides to
    tell them apart in each iteration: code that no compiler makes vectors of.
    This pass leaves the outer dimensions parallel that have `iterations`
    iterations together, and makes nested `scf.for` of the others.

    Loops stay as they are that have one dimension, whose outer dimensions have
    fewer iterations or sizes that are not known, that reduce values, and those
    around other loops, whose iterations are long.

    Example, with `iterations=16`:

    ```mlir
    func.func @fill(%m: memref<4x64x58xf32>, %x: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c58 = arith.constant 58 : index
      %c64 = arith.constant 64 : index
      scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%c4, %c64, %c58) step (%c1, %c1, %c1) {
        memref.store %x, %m[%i, %j, %k] : memref<4x64x58xf32>
      }
      return
    }
    ```

    becomes

    ```mlir
    scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c64) step (%c1, %c1) {
      scf.for %k = %c0 to %c58 step %c1 {
        memref.store %x, %m[%i, %j, %k] : memref<4x64x58xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let options = [
    Option<"iterations", "iterations", "int64_t", /*default=*/"16",
           "How many parallel iterations are enough">
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Parallel loops split">
  ];
}

#endif // TILEIR_DIALECT_SCF_TRANSFORMS_PASSES_TD
