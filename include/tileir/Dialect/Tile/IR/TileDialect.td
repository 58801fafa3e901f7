//===- TileDialect.td --------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_IR_TILEDIALECT_TD
#define TILEIR_DIALECT_TILE_IR_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tileir::tile";
  let summary = "Single-threaded programs on tiles: Triton-IR in MLIR";
  let description = [{
    A **kernel** is a `func.func` with the attribute `tile.kernel`. It is run as
    a grid of programs, each of which is one thread of control that computes on
    **tiles**: statically shaped tensors, which are values in registers and are
    never bufferized inside a kernel. `arith` and `math` ops work on tiles
    element by element, `scf` is the control flow; this dialect adds what
    Triton-IR adds to LLVM-IR (P. Tillet, H. T. Kung, D. Cox, MAPL 2019,
    sections 3 and 4): retiling, dot products, reductions, tiles of pointers
    with masked loads and stores, and predicated values. An integer division
    that is undefined (by zero, or one whose quotient does not fit) makes its
    element undefined, and nothing else.

    ```mlir
    func.func @copy(%a: !tile.ptr<f32> {tile.readonly}, %b: !tile.ptr<f32>,
                    %n: i32 {tile.multiple_of = 8 : i64})
        attributes {tile.kernel} {
      %c64 = arith.constant 64 : i32
      %id = tile.program_id x
      %start = arith.muli %id, %c64 : i32
      %first = tile.splat %start : i32 -> tensor<64xi32>
      %lane = tile.range 0 to 64 : tensor<64xi32>
      %i = arith.addi %first, %lane : tensor<64xi32>
      %size = tile.splat %n : i32 -> tensor<64xi32>
      %inside = arith.cmpi slt, %i, %size : tensor<64xi32>
      %base = tile.splat %a : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %x = tile.load %p mask %inside : tensor<64x!tile.ptr<f32>>
      %bs = tile.splat %b : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %q = tile.addptr %bs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      tile.store %q, %x mask %inside : tensor<64x!tile.ptr<f32>>
      return
    }
    ```

    A kernel has no results. Its arguments are pointers, memrefs, integers and
    floats, and may carry assumptions, which passes use and the interpreter checks:

    | attribute | on | meaning |
    |---|---|---|
    | `tile.multiple_of = N : i64` | an integer | its value is a multiple of N |
    | | a pointer or memref | its address is a multiple of N bytes |
    | `tile.size_multiple_of = array<i64: ...>` | a memref | the size of each axis is a multiple of its entry; 1: nothing is known |
    | `tile.readonly` | a pointer or memref | no program of the grid writes to what it points at |
    | `tile.noalias` | a pointer or memref | what it points at is reached through no other argument |

    Functions that launch kernels may carry `tile.size_multiple_of`, too; passes
    tell kernels what it says of what they are given (`tile-specialize`). And
    `tile.on_device` on a memref, or on a tensor that becomes one: who calls the
    function gives memory of the device, which begins at a multiple of 16 bytes
    (`tile-place-buffers`).

    On its way to a GPU a kernel gets `tile.num_warps = N : i64`, the warps of a
    program, and `tile.shared_bytes = N : i64`, the shared memory of one.

    **Memory order.** The accesses of one program happen in program order. Those
    of different programs are not ordered, but where one acquires what another
    has released (see `MemoryOrder`): two programs of a grid may access the same
    element only if neither writes it, if both do so atomically, or if one of
    the accesses comes before the other by a release and an acquire.

    **Broadcasting** (MAPL 2019, section 3.2.2) is explicit: `tile.broadcast`
    pads a shape with ones on the left and repeats axes of size one; front ends
    find the common shape by `getBroadcastShape` (Tile.h).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    /// Names of the attributes of kernels and of their arguments.
    static constexpr ::llvm::StringLiteral kKernel = "tile.kernel";
    static constexpr ::llvm::StringLiteral kNumWarps = "tile.num_warps";
    static constexpr ::llvm::StringLiteral kTarget = "tile.target";
    static constexpr ::llvm::StringLiteral kConfig = "tile.config";
    static constexpr ::llvm::StringLiteral kSharedBytes = "tile.shared_bytes";
    static constexpr ::llvm::StringLiteral kMultipleOf = "tile.multiple_of";
    static constexpr ::llvm::StringLiteral kSizeMultipleOf =
        "tile.size_multiple_of";
    static constexpr ::llvm::StringLiteral kReadOnly = "tile.readonly";
    static constexpr ::llvm::StringLiteral kNoAlias = "tile.noalias";
    static constexpr ::llvm::StringLiteral kOnDevice = "tile.on_device";
  }];
}

#endif // TILEIR_DIALECT_TILE_IR_TILEDIALECT_TD
