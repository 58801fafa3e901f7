//===- CpuPasses.td - Conversions on the way to CPUs --------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_CPUPASSES_TD
#define TILEIR_CONVERSION_CPUPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertAssertToCheckPass
    : Pass<"convert-assert-to-check", "::mlir::ModuleOp"> {
  let summary = "Report assertions that fail instead of aborting";
  let description = [{
    Upstream lowers `cf.assert` to `abort`. Here one becomes a check as those of
    contractions (see `convert-einsum-to-affine`): where its condition does not
    hold it calls `tileirReportCheck` with the index of its message, which has
    the place in front, in `einsum.check_sites`. The function goes on, and its
    caller reports the message.

    Example:

    ```mlir
    func.func @check(%c: i1) {
      cf.assert %c, "expected a size that is not 0"
      return
    }
    ```

    becomes

    ```mlir
    module attributes {einsum.check_sites =
        ["k.mlir:2:3: assertion failed: expected a size that is not 0"]} {
      func.func @check(%c: i1) {
        %true = arith.constant true
        %failed = arith.xori %c, %true : i1
        scf.if %failed {
          %site = arith.constant 0 : i64
          memref.alloca_scope {
            %buffer = memref.alloca() : memref<0xi64>
            %values = memref.cast %buffer : memref<0xi64> to memref<?xi64>
            func.call @tileirReportCheck(%site, %values) : (i64, memref<?xi64>) -> ()
          }
        }
        return
      }
      func.func private @tileirReportCheck(i64, memref<?xi64>)
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numAsserts", "num-asserts", "Assertions that became checks">
  ];
}

def ConvertDotToLLVMPass : Pass<"convert-dot-to-llvm"> {
  let summary = "Products of fours of i8 that are added up, as LLVM has them";
  let description = [{
    Makes products of u8 and i8, of which each fourth one is taken and all four
    are added to an i32, calls of `vpdpbusd`, where the product has the attribute
    `fours`: the machine has it (`vnni`). LLVM sees only products of two.

    Example: `%sum` of four i32 and `%a` and `%b` of sixteen i8,

    ```mlir
    func.func @dot(%sum: vector<4xi32>, %a: vector<16xi8>, %b: vector<16xi8>) -> vector<4xi32> {
      %x = arith.extui %a : vector<16xi8> to vector<16xi32>
      %y = arith.extsi %b : vector<16xi8> to vector<16xi32>
      %p = arith.muli %x, %y {fours} : vector<16xi32>
      %0 = vector.shuffle %p, %p [0, 4, 8, 12] : vector<16xi32>, vector<16xi32>
      %1 = vector.shuffle %p, %p [1, 5, 9, 13] : vector<16xi32>, vector<16xi32>
      %2 = vector.shuffle %p, %p [2, 6, 10, 14] : vector<16xi32>, vector<16xi32>
      %3 = vector.shuffle %p, %p [3, 7, 11, 15] : vector<16xi32>, vector<16xi32>
      %01 = arith.addi %0, %1 : vector<4xi32>
      %23 = arith.addi %2, %3 : vector<4xi32>
      %all = arith.addi %01, %23 : vector<4xi32>
      %result = arith.addi %all, %sum : vector<4xi32>
      return %result : vector<4xi32>
    }
    ```

    becomes

    ```text
    %result = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128"(%sum, %a, %b)
        : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numDots", "num-dots", "Sums of four products">];
}

def ConvertAMXToLLVMPass
    : Pass<"convert-amx-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Matrix registers of x86, and branches, as LLVM has them";
  let description = [{
    Makes ops of `amx` calls of LLVM's intrinsics, and branches of `cf`, which
    pass registers from one block to another, those of LLVM. An `amx.tile_load`
    with the attribute `nontemporal` becomes `tileloaddt1`: what it reads stays
    less long in the first cache than what others read. LLVM adds what
    configures the registers, outside of loops, and releases them.

    Example:

    ```mlir
    func.func @load(%a: memref<512xbf16>, %i: index, %stride: index) {
      %once = amx.tile_load %a[%i], %stride {nontemporal}
          : memref<512xbf16> into !amx.tile<16x32xbf16>
      return
    }
    ```

    becomes, among others,

    ```text
    llvm.call_intrinsic "llvm.x86.tileloaddt164.internal"(%rows, %bytes, %pointer, %step)
        : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numProducts", "num-products", "Products of registers">
  ];
}

def ConvertPrintfToLLVMPass
    : Pass<"convert-printf-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Print by the C library";
  let description = [{
    Makes each `gpu.printf` outside of GPU modules, which `tile.print` becomes on
    any target, a call of C's `printf`. Arguments are of type i32, i64 or f64, as
    C passes them.

    Example:

    ```mlir
    func.func @print(%n: i32) {
      gpu.printf "n is %d\n", %n : i32
      return
    }
    ```

    becomes

    ```mlir
    llvm.mlir.global internal constant @printf_format("n is %d\0A\00")
    llvm.func @printf(!llvm.ptr, ...) -> i32
    func.func @print(%n: i32) {
      %format = llvm.mlir.addressof @printf_format : !llvm.ptr
      %length = llvm.call @printf(%format, %n) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numPrints", "num-prints", "Calls of printf">
  ];
}

def ConvertPadToMemRefPass
    : Pass<"convert-pad-to-memref", "::mlir::ModuleOp"> {
  let summary = "Make buffers of operands with a border of zeros";
  let description = [{
    What `einsum-pad-operands` makes would be copied element by element once it
    is bufferized. Where the operand is the tensor of a memref
    (`bufferization.to_tensor`), a `tensor.pad` with zeros becomes a buffer, and
    loops on vectors that copy the operand to it and clear its border. If the
    operand has gaps in memory, `memset` clears the buffer, and a contraction of
    one operand, on memrefs, copies to its middle. A contraction that stays
    padded becomes one on memrefs. Contractions get a schedule, as all do.
    Nothing frees the buffers: `convert-cpu-to-llvm{free-buffers}` does.

    Pads of another value, of dynamic size, or of what is no memref stay. So do
    those that the contraction that alone reads them stages, or of which it
    copies tiles at the border (`convert-einsum-to-vector`), by its schedule;
    and, with `before-schedules`, those that it may, once it has one.

    Example:

    ```mlir
    func.func @pad(%x: memref<6xf32>) -> tensor<8xf32> {
      %zero = arith.constant 0.0 : f32
      %t = bufferization.to_tensor %x restrict : memref<6xf32> to tensor<6xf32>
      %p = tensor.pad %t low[1] high[1] {
      ^bb0(%i: index):
        tensor.yield %zero : f32
      } : tensor<6xf32> to tensor<8xf32>
      return %p : tensor<8xf32>
    }
    ```

    becomes a `memref.alloc` of eight elements, to which vectors are stored: one
    zero, four elements from the first one on, four from the third one on, and
    another zero.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"false",
           "Make the outer loop of large copies parallel">,
    Option<"beforeSchedules", "before-schedules", "bool", /*default=*/"false",
           "Leave what a contraction without a schedule may stage">
  ];
  let statistics = [
    Statistic<"numReplaced", "num-replaced", "Buffers made of padded operands">
  ];
}

def ConvertCpuToLLVMPass
    : Pass<"convert-cpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower loops, vectors and memrefs by one conversion";
  let description = [{
    Lowers `scf`, `vector`, `memref`, `arith`, `math` and what else
    `convert-einsum-to-vector` makes to the LLVM dialect, by one conversion with
    the patterns of upstream's passes: these go through the module one by one,
    and take most of the time that a small kernel takes to compile. The last
    pass of the fast tier of `einsum-to-cpu-pipeline`.

    Memrefs become bare pointers, so that they need static shapes. Therefore
    reports of failed checks lose their values. Tensors that nothing reads are
    erased; where other ops on tensors, or contractions, are left, it fails.

    Example:

    ```mlir
    func.func @first(%x: memref<8xf32>) -> vector<4xf32> {
      %c0 = arith.constant 0 : index
      %v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
      return %v : vector<4xf32>
    }
    ```

    becomes

    ```mlir
    llvm.func @first(%x: !llvm.ptr) -> vector<4xf32> {
      %c0 = llvm.mlir.constant(0 : index) : i64
      %address = llvm.getelementptr %x[%c0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %address {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
      llvm.return %v : vector<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect", "::mlir::omp::OpenMPDialect"];
  let options = [
    Option<"freeBuffers", "free-buffers", "bool", "false",
           "Free buffers that a function allocates outside of loops and nothing "
           "frees: there are no owners, as buffer deallocation finds them">
  ];
  let statistics = [
    Statistic<"numFreed", "num-freed", "Buffers freed">
  ];
}

#endif // TILEIR_CONVERSION_CPUPASSES_TD
