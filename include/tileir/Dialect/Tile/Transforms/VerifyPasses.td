//===- VerifyPasses.td - Contracts of tile kernels ---------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds between the stages of a tile kernel. A constraint has a number: it
// is in the message of its violation and in the test of it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_TRANSFORMS_VERIFYPASSES_TD
#define TILEIR_DIALECT_TILE_TRANSFORMS_VERIFYPASSES_TD

include "mlir/Pass/PassBase.td"

def TileVerifyProgramPass : Pass<"tile-verify-program", "::mlir::ModuleOp"> {
  let summary = "Verify the contract of tile programs";
  let description = [{
    What front ends and `convert-einsum-to-tile` leave, and all passes on tile
    programs rely on. A violation is an error at the op, with the number of the
    constraint. Changes nothing.

    - (P1) A kernel has a body.
    - (P2) Nothing but `tile.launch` names a kernel.
    - (P3) No op of einsum is in a kernel.
    - (P4) No tile has a layout, and no op that takes layouts or shared memory
      is in a kernel.

    With `for-layouts`, also what `tile-assign-layouts` takes:

    - (P5) Control flow is structured: regions of one block, of ops that tell
      how control enters and leaves them.
    - (P6) Sizes of tiles are powers of two.
    - (P7) There is no `tile.psi`.
    - (P8) Tiles are values of `scf.for`, `scf.if`, constants, element-wise ops
      and ops of this dialect.

    Example: of

    ```mlir
    func.func @kernel() attributes {tile.kernel} {
      return
    }
    func.func @main() {
      call @kernel() : () -> ()
      return
    }
    ```

    it says `tile-verify-program P2: 'func.call' op expects kernel @kernel to be
    run by 'tile.launch', found 'func.call': launch it, with a grid`.
  }];
  let options = [Option<"forLayouts", "for-layouts", "bool", "false",
                        "Verify P5 to P8, too">];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels that keep the contract">
  ];
}

def TileVerifyLayoutsPass : Pass<"tile-verify-layouts", "::mlir::ModuleOp"> {
  let summary = "Verify the contract of tile programs with layouts";
  let description = [{
    What `tile-assign-layouts` leaves: P1, P2 and P5 of `tile-verify-program`,
    and that each op finds its operands in the registers of its thread; but
    conversions, reductions and scans may still be among warps. A violation is
    an error at the op, with the number of the constraint. Changes nothing.

    - (L1) A kernel has `tile.num_warps`, a power of two up to 32.
    - (L2) Each tile has a layout.
    - (L3) It is one of 32 lanes, the kernel's warps, and one block.
    - (L4) Operands and results of element-wise ops have one layout.
    - (L5) The result of `tile.reshape`, `tile.trans` or `tile.broadcast` is in
      the threads that hold the operand.
    - (L6) Each thread has those elements of the factors of a `tile.dot` that
      its accumulators need, in the same registers as the other threads.
    - (L7) A constant of several values has the same ones in all threads.
    - (L9) Pointers are not converted among warps.
    - (L10) Memrefs that kernels take are in row-major order without gaps.
    - (L11) Launches pass memrefs, not pointers.
    - (L12) Memrefs that launches pass are in device memory
      (`#gpu.address_space<global>`).

    Example: of

    ```mlir
    func.func @kernel() attributes {tile.kernel, tile.num_warps = 1 : i64} {
      %r = tile.range 0 to 16 : tensor<16xi32>
      return
    }
    ```

    it says `tile-verify-layouts L2: 'tile.range' op expects each tile of a
    kernel to have a layout, as tile-assign-layouts gives them, found
    'tensor<16xi32>'`.
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels that keep the contract">
  ];
}

def TileVerifyPromotedPass : Pass<"tile-verify-promoted", "::mlir::ModuleOp"> {
  let summary = "Verify the contract of tile programs with shared memory";
  let description = [{
    What `tile-promote-shared`, `tile-allocate-shared` and `tile-insert-barriers`
    leave, and `convert-tile-to-gpu` relies on: the contract of
    `tile-verify-layouts`, and what follows. A violation is an error at the op,
    with the number of the constraint. Changes nothing.

    - (S1) Conversions between layouts stay within warps.
    - (S2) So do reductions and scans.
    - (S3) Buffers are those of a `tile.alloc`, and only stores, loads, copies
      and products of shared memory use them.
    - (S4) Each `tile.alloc` has an offset, a multiple of 16.
    - (S5) Buffers are within `tile.shared_bytes` of the kernel.
    - (S6) The layout of a buffer, if it has one, is that of one stage.
    - (S7) A bit of the register chooses the halves of `tile.split` and
      `tile.join`.
    - (S8) A `tile.barrier` is between accesses of different threads to the same
      shared memory, of which one writes, on each path. This one
      `convert-tile-to-gpu` does not verify by itself: the simulator finds what
      it takes.
    - (S9) Asynchronous copies are for targets that have them.
    - (S10) What is stored to a buffer that a bulk store reads has a
      `tile.proxy_fence` behind it, before the next barrier.
    - (S11) The result of an atomic access or volatile load of elements that
      several warps hold is used only by `tile.local_store`, directly or after
      `tile.splat`.

    Example: of

    ```mlir
    func.func @kernel() attributes {tile.kernel, tile.num_warps = 1 : i64} {
      %s = tile.alloc : !tile.buffer<64xf32>
      return
    }
    ```

    it says `tile-verify-promoted S4: 'tile.alloc' op expects an offset, a
    multiple of 16, as tile-allocate-shared leaves it, found none`.
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels that keep the contract">
  ];
}

#endif // TILEIR_DIALECT_TILE_TRANSFORMS_VERIFYPASSES_TD
