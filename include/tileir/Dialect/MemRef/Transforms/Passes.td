//===- Passes.td - Passes on memref ------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_MEMREF_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_MEMREF_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def MemRefCopyWithBorderPass
    : Pass<"memref-copy-with-border", "::mlir::func::FuncOp"> {
  let summary = "Copy and fill the border around it in one go";
  let description = [{
    Of a `tensor.pad`, bufferization makes a buffer that is filled, and a copy
    into its middle: most of it is written twice, and a copy by rows calls a
    function for each. Where the buffer is used by nothing else until then, and
    source and buffer are of static shape and contiguous, loops on vectors take
    the place of both, which write the border between the rows.

    Example:

    ```mlir
    func.func @pad(%x: memref<16xf32>) -> memref<18xf32> {
      %zero = arith.constant 0.0 : f32
      %y = memref.alloc() : memref<18xf32>
      linalg.fill ins(%zero : f32) outs(%y : memref<18xf32>)
      %middle = memref.subview %y[1] [16] [1] : memref<18xf32> to memref<16xf32, strided<[1], offset: 1>>
      memref.copy %x, %middle : memref<16xf32> to memref<16xf32, strided<[1], offset: 1>>
      return %y : memref<18xf32>
    }
    ```

    becomes stores of one zero, of two vectors of eight elements, and of another
    zero.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"false",
           "Make the outer loop of large copies parallel">
  ];
  let statistics = [
    Statistic<"numReplaced", "num-replaced", "Copies with a border">
  ];
}

def MemRefFenceNontemporalPass
    : Pass<"memref-fence-nontemporal", "::mlir::func::FuncOp"> {
  let summary = "Have other threads see nontemporal stores";
  let description = [{
    A nontemporal store goes past the caches, and other stores of its thread may
    overtake it: who is told by one of them that a result is there would find
    it in part. This pass puts a fence at the end of functions with such stores,
    and of what threads of OpenMP run: it comes after `convert-scf-to-openmp`.

    Example:

    ```mlir
    func.func @fill(%value: vector<16xf32>, %y: memref<16xf32>) {
      %zero = arith.constant 0 : index
      vector.store %value, %y[%zero] {nontemporal = true} : memref<16xf32>, vector<16xf32>
      return
    }
    ```

    becomes

    ```mlir
    func.func @fill(%value: vector<16xf32>, %y: memref<16xf32>) {
      %zero = arith.constant 0 : index
      vector.store %value, %y[%zero] {nontemporal = true} : memref<16xf32>, vector<16xf32>
      llvm.fence seq_cst
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numFences", "num-fences", "Fences">
  ];
}

def MemRefFreeEarlyPass : Pass<"memref-free-early", "::mlir::func::FuncOp"> {
  let summary = "Free buffers behind their last use";
  let description = [{
    A function that frees what it allocates at its end, as upstream's
    deallocation has it, needs the memory of all its buffers at once: those of a
    network are in no cache any more when their memory is used again. This pass
    runs upstream's `optimize-allocation-liveness`, which frees each buffer
    behind its last use, in functions that make no address of a buffer: of an
    address nobody knows who uses it.

    Example:

    ```mlir
    func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) {
      %a = memref.alloc() : memref<1024xf32>
      linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
      linalg.sqrt ins(%a : memref<1024xf32>) outs(%y : memref<1024xf32>)
      linalg.exp ins(%y : memref<1024xf32>) outs(%y : memref<1024xf32>)
      memref.dealloc %a : memref<1024xf32>
      return
    }
    ```

    becomes

    ```mlir
    %a = memref.alloc() : memref<1024xf32>
    linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
    linalg.sqrt ins(%a : memref<1024xf32>) outs(%y : memref<1024xf32>)
    memref.dealloc %a : memref<1024xf32>
    linalg.exp ins(%y : memref<1024xf32>) outs(%y : memref<1024xf32>)
    ```
  }];
  let statistics = [
    Statistic<"numLeft", "num-left", "Functions that make addresses of buffers">
  ];
}

def MemRefHoistLoadsPass : Pass<"memref-hoist-loads", "::mlir::func::FuncOp"> {
  let summary = "Move loads and computations that do not change out of loops";
  let description = [{
    Does what upstream's `loop-invariant-code-motion` does, and moves loads of
    scalars as well, with all that is computed of them: out of an `scf.for` of a
    constant number of iterations, at least one, that writes nothing that may be
    the same buffer. A row that is divided by its sum needs one division then.

    No more than `max-loads` leave a loop, which registers hold.

    Example:

    ```mlir
    func.func @divide(%x: memref<64x768xf32>, %i: index) {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c768 = arith.constant 768 : index
      %sums = memref.alloc() : memref<64xf32>
      linalg.reduce { arith.addf } ins(%x : memref<64x768xf32>) outs(%sums : memref<64xf32>) dimensions = [1]
      scf.for %j = %c0 to %c768 step %c16 {
        %sum = memref.load %sums[%i] : memref<64xf32>
        %all = vector.broadcast %sum : f32 to vector<16xf32>
        %row = vector.load %x[%i, %j] : memref<64x768xf32>, vector<16xf32>
        %part = arith.divf %row, %all : vector<16xf32>
        vector.store %part, %x[%i, %j] : memref<64x768xf32>, vector<16xf32>
      }
      memref.dealloc %sums : memref<64xf32>
      return
    }
    ```

    becomes

    ```mlir
    %sum = memref.load %sums[%i] : memref<64xf32>
    %all = vector.broadcast %sum : f32 to vector<16xf32>
    scf.for %j = %c0 to %c768 step %c16 {
      %row = vector.load %x[%i, %j] : memref<64x768xf32>, vector<16xf32>
      %part = arith.divf %row, %all : vector<16xf32>
      vector.store %part, %x[%i, %j] : memref<64x768xf32>, vector<16xf32>
    }
    ```
  }];
  let options = [
    Option<"maxLoads", "max-loads", "unsigned", "8",
           "Loads that leave a loop at most">
  ];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Loads moved out of loops">
  ];
}

def MemRefPromoteToStackPass
    : Pass<"memref-promote-to-stack", "::mlir::func::FuncOp"> {
  let summary = "Keep buffers on the stack where they need little of it";
  let description = [{
    A program of tiles that computes one row takes as long to allocate buffers
    for it as to compute. This pass runs upstream's `promote-buffers-to-stack`
    with a limit that depends on the function: buffers of any constant size are
    promoted where all of them together have at most `budget` bytes; otherwise
    those of at most `small` bytes, as a function may have hundreds of them, and
    a thread of OpenMP has little stack.

    Example:

    ```mlir
    func.func @row(%x: vector<1024xf32>) -> vector<1024xf32> {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
      vector.store %x, %m[%c0] : memref<1024xf32>, vector<1024xf32>
      %y = vector.load %m[%c0] : memref<1024xf32>, vector<1024xf32>
      return %y : vector<1024xf32>
    }
    ```

    becomes

    ```mlir
    func.func @row(%x: vector<1024xf32>) -> vector<1024xf32> {
      %c0 = arith.constant 0 : index
      %m = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
      vector.store %x, %m[%c0] : memref<1024xf32>, vector<1024xf32>
      %y = vector.load %m[%c0] : memref<1024xf32>, vector<1024xf32>
      return %y : vector<1024xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let options = [
    Option<"budget", "budget", "int64_t", /*default=*/"65536",
           "Bytes on the stack that are few for a function">,
    Option<"small", "small", "int64_t", /*default=*/"1024",
           "Bytes of a buffer that is promoted in any case">
  ];
  let statistics = [
    Statistic<"numPromoted", "num-promoted", "Buffers on the stack">
  ];
}

#endif // TILEIR_DIALECT_MEMREF_TRANSFORMS_PASSES_TD
