//===- Passes.td - Passes of the tile dialect --------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "tileir/Dialect/Tile/Transforms/LoopPasses.td"
include "tileir/Dialect/Tile/Transforms/RolePasses.td"
include "tileir/Dialect/Tile/Transforms/SharedMemoryPasses.td"
include "tileir/Dialect/Tile/Transforms/VerifyPasses.td"

def TileAssignLayoutsPass
    : Pass<"tile-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "Give each tile of a kernel a layout";
  let description = [{
    Says which register of which thread holds each element: `#tile.layout` as
    the encoding of each tile of a kernel, and `tile.num_warps` of the kernel.

    - **Accesses of memory** are coalesced: a thread has a vector of up to 128
      bits where axis analysis (or the memref) tells that elements lie side by
      side, lanes go on from there. What is loaded only to be repeated, as a
      bias, is loaded where its elements are needed.
    - **Products** whose types an atom of the target takes (`#tile.mma_atom`)
      are divided among warps as the `warp` of the kernel's `tile.config` says,
      and become `tile.mma`, by its `atom` if that fits, else by the target's
      best that does; their operands run in the order in which they were read
      from memory, as far as the atom has it. The first one decides on the
      number of warps; others, and tiles that are too small, get the squarest
      division that there is. There are more warps where a thread would have
      more than 32 pointers of an access, each for an element or an aligned
      vector; up to 32, as a program can have, and as the product has atoms for.
      Where a product's result, after element-wise ops, is operand A of another
      one, warps lie along M in both, each with whole rows. There are more of
      them where a thread would have more than 192 registers of the two results
      and the first operand A; or more than 128, if reading operands B by twice
      as many warps still takes no longer than the products. With an `mma.sync`
      of 16 x 8 the result becomes the operand in registers. All other products
      stay `tile.dot`: each thread has a square of the result, and the rows and
      columns that it needs.
    - **Sums, scans and element-wise ops** have the layouts of their operands;
      where these differ, one in which memory is accessed. Where something that
      was loaded and repeated joins a product, that is the layout of the store;
      where it is computed of products, as sums of their rows are, it stays
      with them.
    - **Constants, ranges, pointers, masks**, and tiles that are repeated,
      transposed or reshaped, are made once more in each layout that is needed.

    Where a tile is needed in another layout, `tile.convert_layout` is inserted.
    A remark tells how each product is computed, and why.

    - Sizes of tiles are powers of two; control flow is that of scf.for and
      scf.if; `tile-psi-to-select` comes before.

    Example: of a matrix product of 128x32 by 32x128 elements of f16, the
    accumulator of 8 warps gets

    ```mlir
    #c = #tile.layout<mma c f32, shape = [128, 128], atom = volta_16x16x8, warp = [2, 4]>
    func.func private @accumulator(tensor<128x128xf32, #c>)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::tileir::tile::TileDialect"];
  let options = [
    Option<"numWarps", "num-warps", "int64_t", "0",
           "Warps of kernels without products by matrix instructions; 0: as "
           "many as leave each thread 64 elements of a product, or 16 of a "
           "tile that is stored, and 32 pointers of an access, at least 4">,
    Option<"useMma", "mma", "bool", "true", "Use matrix instructions">
  ];
  let statistics = [
    Statistic<"numConversions", "num-conversions", "Conversions inserted">,
    Statistic<"numMmas", "num-mmas", "Products by matrix instructions">
  ];
}

def TileAttachTargetPass : Pass<"tile-attach-target", "::mlir::ModuleOp"> {
  let summary = "Say for which GPU the kernels of a module are";
  let description = [{
    Sets `tile.target` of the module to what is known of a chip. A module that
    has a target keeps it, if its chip is the same.

    Example: with `chip=sm_70`, the module becomes

    ```mlir
    module attributes {tile.target = #tile.target<chip = "sm_70", shared = 98304,
        threads = 1024, registers = 255, mma = ["volta_16x16x8"]>} {
      func.func private @host()
    }
    ```
  }];
  let dependentDialects = ["::tileir::tile::TileDialect"];
  let options = [Option<"chip", "chip", "std::string",
                        "::tileir::machine::kDefaultGpu.str()",
                        "Name of the chip, as for LLVM">];
  let statistics = [
    Statistic<"numAttached", "num-attached", "Modules that got a target">
  ];
}

def TileCheckResourcesPass
    : Pass<"tile-check-resources", "::mlir::ModuleOp"> {
  let summary = "Check that the kernels fit their GPU";
  let description = [{
    Compares what each kernel needs with `tile.target`, before code is generated:

    - shared memory: `tile.shared_bytes`, of `tile-allocate-shared`;
    - threads: 32 times `tile.num_warps`;
    - registers of a thread: those of the tiles that a loop carries, which are
      live through all of it. What else is live is not counted.

    What does not fit is an error that names the options to change. Without a
    target nothing is checked.

    Example: this is refused, as it needs 1025 bytes.

    ```mlir
    module attributes {tile.target = #tile.target<chip = "small", shared = 1024,
        threads = 64, registers = 32, mma = []>} {
      func.func @kernel() attributes {tile.kernel, tile.num_warps = 2 : i64,
                                      tile.shared_bytes = 1025 : i64} {
        return
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numChecked", "num-checked", "Kernels checked">
  ];
}

def TileLimitRegistersPass : Pass<"tile-limit-registers", "::mlir::ModuleOp"> {
  let summary = "Limit the registers of products without matrix instructions";
  let description = [{
    ptxas takes all registers that do not lower the number of programs of a
    multiprocessor. Where a kernel has a `tile.dot` in a loop, of what is in
    shared memory, and as many programs fit if its threads have `registers`
    each, this sets `nvvm.maxnreg`, by which ptxas schedules for fewer.

    How many programs fit is told by `tile.shared_bytes`, `tile.num_warps`, and
    an estimate of the registers that a thread needs:

    - those of tiles that loops carry;
    - those of operands for one K, or for a vector along K where shared memory
      is read by such;
    - one for each asynchronous copy of a view of dynamic size, two for each
      other load of one, and for each access by a pointer;
    - 32 for all else.

    Kernels that need more, that have the attribute or no known GPU are left
    alone.

    Example: of shared memory for three programs of 256 threads there is more
    than registers for two, so that this kernel gets `nvvm.maxnreg = 224` if it
    needs more than 128.

    ```mlir
    module attributes {tile.target = #tile.target<chip = "sm_90", shared = 232448,
        threads = 1024, registers = 255, async = true, mma = []>} {
      func.func @kernel() attributes {tile.kernel, tile.num_warps = 8 : i64,
                                      tile.shared_bytes = 65536 : i64} {
        return
      }
    }
    ```
  }];
  let options = [Option<"registers", "registers", "int64_t", "224",
                        "The limit of a thread">];
  let statistics = [
    Statistic<"numLimited", "num-limited", "Kernels that got a limit">
  ];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def TileBufferizeHostPass : Pass<"tile-bufferize-host", "::mlir::ModuleOp"> {
  let summary = "Bufferize what is not in kernels";
  let description = [{
    Tensors inside of a `tile.kernel` are tiles, values in registers; those
    outside of one are arrays in memory. This is upstream's one-shot
    bufferization for the latter, across functions and with identity layouts;
    element-wise ops on tensors become linalg before, since they have no
    buffers. Tile kernels stay as they are.

    Example:

    ```mlir
    func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
      %y = arith.addf %x, %x : tensor<64xf32>
      return %y : tensor<64xf32>
    }
    func.func private @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel} {
      %x = arith.constant dense<1.0> : tensor<64xf32>
      %i = tile.range 0 to 64 : tensor<64xi32>
      %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %q = tile.addptr %s, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      tile.store %q, %x : tensor<64x!tile.ptr<f32>>
      return
    }
    ```

    becomes a `@main` that takes and returns `memref<64xf32>`, and the same
    `@kernel`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numAllocations", "num-allocations", "Buffers allocated">,
    Statistic<"numInPlace", "num-in-place", "Tensors written in place">
  ];
}

def TileSpecializePass : Pass<"tile-specialize", "::mlir::ModuleOp"> {
  let summary = "Make kernels for what is known of sizes, or tested at run time";
  let description = [{
    Wide accesses need sizes that are multiples of as many elements. Of sizes
    known only at run time, this pass

    - tells kernels what host code knows: where each launch passes a memref
      whose size along an axis is a multiple, or a number that is one, by
      constants, arithmetic or `tile.size_multiple_of` of an argument of the
      function, the argument of the kernel gets `tile.size_multiple_of` or
      `tile.multiple_of`. If such a promise is involved, host code tests it
      and launches nothing where it does not hold;
    - with `versions`, finds out which further assumptions would make any access
      of the kernel wider. If there are some, the kernel gets a second version
      for them, called like it with `_aligned` at the end, and host code chooses
      by one `scf.if` on remainders. The kernel itself stays as it is, for all
      other sizes. This doubles the code of such kernels, and the time to
      compile them.

    Only kernels all of whose uses are launches change. It runs after
    `tile-place-buffers`, so that both versions are launched with the same memory.

    Example:

    ```mlir
    func.func @kernel(%x: memref<?x?xf32>) attributes {tile.kernel} {
      %c0 = arith.constant 0 : index
      %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
      tile.store_view %zeros, %x[%c0, %c0] : tensor<16x16xf32>, memref<?x?xf32>
      return
    }
    func.func @main(%x: memref<?x?xf32>) {
      %c1 = arith.constant 1 : index
      tile.launch @kernel grid(%c1, %c1, %c1)(%x) : memref<?x?xf32>
      return
    }
    ```

    gets

    ```mlir
    func.func private @kernel_aligned(memref<?x?xf32>
        {tile.size_multiple_of = array<i64: 1, 4>}) attributes {tile.kernel}
    ```

    and the launch becomes

    ```mlir
    %n = memref.dim %x, %c1 : memref<?x?xf32>
    %rest = arith.remui %n, %c4 : index
    %holds = arith.cmpi eq, %rest, %c0 : index
    scf.if %holds {
      tile.launch @kernel_aligned grid(%c1, %c1, %c1)(%x) : memref<?x?xf32>
    } else {
      tile.launch @kernel grid(%c1, %c1, %c1)(%x) : memref<?x?xf32>
    }
    ```
  }];
  let options = [
    Option<"versions", "versions", "bool", /*default=*/"true",
           "Make a second version of kernels, for sizes that allow wider "
           "accesses">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::tileir::tile::TileDialect"];
  let statistics = [
    Statistic<"numAssumptions", "num-assumptions",
              "Assumptions of kernels that host code implies">,
    Statistic<"numVersions", "num-versions", "Kernels with a second version">
  ];
}

def TilePsiToSelectPass : Pass<"tile-psi-to-select"> {
  let summary = "Turn predicated values into arith ops";
  let description = [{
    Replaces `tile.psi` by a chain of `arith.select`, in which the last true
    predicate wins; where none is true, the first pair's value is taken.
    Replaces `tile.cmpp` by `arith.cmpi` or `arith.cmpf` and, if the opposite
    predicate is used, its negation. Afterwards neither op is left.

    Example:

    ```mlir
    %t, %e = tile.cmpp ogt %x, %zero : tensor<64xf32>
    %r = tile.psi %t ? %x, %e ? %zero : tensor<64xi1>, tensor<64xf32>
    ```

    becomes

    ```mlir
    %t = arith.cmpf ogt, %x, %zero : tensor<64xf32>
    %true = arith.constant dense<true> : tensor<64xi1>
    %e = arith.xori %t, %true : tensor<64xi1>
    %r = arith.select %e, %zero, %x : tensor<64xi1>, tensor<64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numSelects", "num-selects", "Selects created">
  ];
}

def TileEliminateMasksPass : Pass<"tile-eliminate-masks"> {
  let summary = "Remove masks that are known to be all true or all false";
  let description = [{
    An `arith.cmpi` of tiles in a kernel is replaced

    - by a constant, where integer ranges tell the answer (from constants,
      `tile.range`, `tile.assume`, bounds of loops), or where it compares the
      induction variable of an `scf.for`, plus a `tile.range`, with the upper
      bound of the loop, and axis analysis knows a number that divides both and
      is not less than the length of the range: then all lanes are inside;
    - by the splat of a comparison of scalars, `first < bound` for
      `first + lane < bound`, where a power of two divides both and is not less
      than the number of lanes: then all are inside or none is.

    Loads and stores whose mask has become all true lose it, those whose mask is
    all false go away, as by canonicalization.

    Example, in a loop `for %k = %c0 to %n step %c8`, where `%n` is an argument
    with `tile.multiple_of = 8`:

    ```mlir
    %ks = tile.splat %k : i32 -> tensor<8xi32>
    %lane = tile.range 0 to 8 : tensor<8xi32>
    %i = arith.addi %ks, %lane : tensor<8xi32>
    %ns = tile.splat %n : i32 -> tensor<8xi32>
    %inside = arith.cmpi slt, %i, %ns : tensor<8xi32>
    %x = tile.load %p mask %inside : tensor<8x!tile.ptr<f32>>
    ```

    becomes

    ```mlir
    %x = tile.load %p : tensor<8x!tile.ptr<f32>>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::tileir::tile::TileDialect"];
  let statistics = [
    Statistic<"numConstant", "num-constant", "Comparisons whose answer is known">,
    Statistic<"numUniform", "num-uniform",
              "Comparisons that became those of scalars">
  ];
}

def TilePrintAxisInfoPass : Pass<"tile-print-axis-info"> {
  let summary = "Tell what is known along the axes of tiles";
  let description = [{
    Reports, as a remark on each integer, pointer, or tile of them in a kernel,
    what axis analysis (AxisInfo.h) found out, with an entry per axis (one for a
    scalar). Changes nothing; for tests, and for the curious.

    - `contiguity`: elements come in runs of so many that go up by one;
    - `divisibility`: the first element of each such run is a multiple of it
      (pointers: in bytes; 0: it is 0);
    - `constancy`: elements come in runs of so many equal ones;
    - `value`: that of all elements, if it is known.

    Example:

    ```mlir
    // remark: contiguity = [48], divisibility = [0], constancy = [1]
    %lane = tile.range 0 to 48 : tensor<48xi32>
    ```

    With `annotate`, each value is followed by a `tile.assume` of the same assumptions,
    instead of a remark: the interpreter then checks them.
  }];
  let dependentDialects = ["::tileir::tile::TileDialect"];
  let options = [
    Option<"annotate", "annotate", "bool", "false",
           "Insert tile.assume ops instead of giving remarks">
  ];
}

def TilePrintLayoutsPass : Pass<"tile-print-layouts"> {
  let summary = "Show the layouts of tiles and buffers";
  let description = [{
    Reports, as a remark where it is first seen, each layout together with the
    shape that it is of. Changes nothing.

    - `registers`: elements that each lane holds;
    - `copies`: places of each element;
    - `contiguity`: per axis, how many registers run along it side by side.

    Example:

    ```mlir
    #rows = #tile.layout<blocked shape = [8, 32], register = [1, 4],
        lane = [4, 8], warp = [1, 1]>
    // remark: 8x32xf32: register = [[0, 1], [0, 2], [4, 0]], lane = [[0, 4],
    // [0, 8], [0, 16], [1, 0], [2, 0]], warp = []; registers = 8, copies = 1,
    // contiguity = [1, 4]
    func.func private @f(tensor<8x32xf32, #rows>)
    ```

    With `svg`, a picture of each is written, too: the elements of the tile, in
    each the lanes (and warp) that hold it and the register, or the bank and the
    offset. `docs/layouts.md` has examples.
  }];
  let dependentDialects = ["::tileir::tile::TileDialect"];
  let options = [
    Option<"svg", "svg", "std::string", "",
           "Folder for layout0.svg, layout1.svg, ... (in the order of remarks)">
  ];
}

def TilePeepholePass : Pass<"tile-peephole"> {
  let summary = "Simplify how tiles are retiled and masked";
  let description = [{
    Rewrites, beside the canonicalizations of the dialect,

    - f(retile x, retile y) to retile f(x, y), where f is elementwise, and retile
      the same `tile.trans`, `tile.reshape` or `tile.broadcast` (operands that
      are splats take any shape);
    - dot(b^T, a^T, c) to dot(a, b, c^T)^T, where c is a splat, a
      broadcast, or transposed;
    - the transposition of a broadcast to the broadcast of a transposition, that
      of axes of one element to a `tile.reshape`;
    - a reshape before a broadcast that adds the same axes itself to nothing;
    - `select(m, load(p, m), z)` to a load with `other`.

    Where tiles have layouts, they are not retiled: a layout is for one shape.

    Example:

    ```mlir
    %at = tile.trans %a [1, 0] : tensor<8x4xf32>
    %bt = tile.trans %b [1, 0] : tensor<6x8xf32>
    %c = tile.dot %at, %bt, %zero
        : tensor<4x8xf32>, tensor<8x6xf32>, tensor<4x6xf32>
    %ct = tile.trans %c [1, 0] : tensor<4x6xf32>
    ```

    becomes

    ```mlir
    %ct = tile.dot %b, %a, %zero
        : tensor<6x8xf32>, tensor<8x4xf32>, tensor<6x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::tileir::tile::TileDialect"];
  let statistics = [
    Statistic<"numRewrites", "num-rewrites", "Rewrites done">
  ];
}

def TilePlaceBuffersPass : Pass<"tile-place-buffers", "::mlir::ModuleOp"> {
  let summary = "Keep on the device what kernels access";
  let description = [{
    Host and device have memory of their own. Each memref of host code that a
    `tile.launch` takes gets a counterpart on the device, a `gpu.alloc` in
    `#gpu.address_space<global>`, from the first launch that needs it to the
    last. Launches take that; the host sees arguments and results only:

    - An argument is copied to the device once, before the first launch, and
      back once, before the function returns, if a kernel may have written it. A
      constant (`memref.global`) is copied once for each call of the function.
    - A result is copied to the host once. What only kernels access has no
      memory on the host.
    - `linalg.fill` of 16 or 32 bits and copies of whole memrefs are done by the
      device.
    - Where host code between launches accesses the data, it is copied; a remark
      names the op. Loops and branches in which there are only launches, or none,
      are as one access: copies stand outside of them.

    A memref of which it is not known which memory it is (chosen by a branch,
    carried through a loop, given by a call), is copied before each launch and
    back after it, with a remark. So is all in a function with more than one
    block. Memrefs that are arguments of a function do not overlap.

    An argument with `tile.on_device` is memory of the device already: launches
    take it as it is, and nothing is copied. Host code may not access it.

    Memory of the device begins at multiples of 16 bytes: pointers that kernels
    take are marked so by `tile.multiple_of`.

    The buffers of a bundle's manifest are named here: `tile.memory` of a
    `gpu.alloc` is its argument (`"argument 0"`), result or constant, or
    `"temporary 0"` for what only kernels access, `"computed 0"` for what host
    code gives them; without it there is no telling.

    Example: in

    ```mlir
    func.func @main(%x: memref<64xf32>) -> memref<64xf32> {
      %c1 = arith.constant 1 : index
      %t = memref.alloc() : memref<64xf32>
      %y = memref.alloc() : memref<64xf32>
      tile.launch @f grid(%c1, %c1, %c1) (%x, %t) : memref<64xf32>, memref<64xf32>
      tile.launch @f grid(%c1, %c1, %c1) (%t, %y) : memref<64xf32>, memref<64xf32>
      memref.dealloc %t : memref<64xf32>
      return %y : memref<64xf32>
    }
    func.func private @f(%x: memref<64xf32> {tile.readonly}, %y: memref<64xf32>)
        attributes {tile.kernel} {
      return
    }
    ```

    `%t` becomes memory of the device, and `%y` has the only copy back:

    ```mlir
    #device = #gpu.address_space<global>
    func.func @main(%x: memref<64xf32>) -> memref<64xf32> {
      %c1 = arith.constant 1 : index
      %y = memref.alloc() : memref<64xf32>
      %dx = gpu.alloc () {tile.memory = "argument 0"} : memref<64xf32, #device>
      gpu.memcpy %dx, %x : memref<64xf32, #device>, memref<64xf32>
      %dt = gpu.alloc () {tile.memory = "temporary 0"} : memref<64xf32, #device>
      tile.launch @f grid(%c1, %c1, %c1) (%dx, %dt)
          : memref<64xf32, #device>, memref<64xf32, #device>
      gpu.dealloc %dx : memref<64xf32, #device>
      %dy = gpu.alloc () {tile.memory = "result 0"} : memref<64xf32, #device>
      tile.launch @f grid(%c1, %c1, %c1) (%dt, %dy)
          : memref<64xf32, #device>, memref<64xf32, #device>
      gpu.dealloc %dt : memref<64xf32, #device>
      gpu.memcpy %y, %dy : memref<64xf32>, memref<64xf32, #device>
      gpu.dealloc %dy : memref<64xf32, #device>
      return %y : memref<64xf32>
    }
    func.func private @f(%x: memref<64xf32> {tile.readonly}, %y: memref<64xf32>)
        attributes {tile.kernel} {
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
  let options = [
    Option<"perLaunch", "per-launch", "bool", "false",
           "Copy for each launch on its own, as if nothing were known: what "
           "differs then is the placement's fault">
  ];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "Buffers that live on the device">,
    Statistic<"numToDevice", "num-to-device", "Copies to these">,
    Statistic<"numToHost", "num-to-host", "Copies from these">,
    Statistic<"numPerLaunch", "num-per-launch",
              "Buffers copied for one launch only">
  ];
}

def TileSplitKPass : Pass<"tile-split-k"> {
  let summary = "Sum up parts of a block's K in different warps";
  let description = [{
    Divides K of each `tile.dot` of a kernel by the split-K factor `split_k` of
    its `tile.config`. The parts become the elements of a batch, and are summed
    up: where a loop carries the accumulator, after the loop.
    `tile-assign-layouts` gives each element of the batch warps of its own, so
    that so many times as many warps share a block, and moves the parts to the
    layout of the stores to add them up there.

    A product whose parts would have a K of less than 8, or that is one of a
    batch, is kept, with a remark.

    Example, with `split_k = 2`:

    ```mlir
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %sum = tile.dot %a, %b, %acc
          : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %sum : tensor<64x64xf32>
    }
    ```

    becomes

    ```mlir
    %parts = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zeros) -> (tensor<2x64x64xf32>) {
      %0 = tile.reshape %a : tensor<64x32xf16> -> tensor<64x2x16xf16>
      %1 = tile.trans %0 [1, 0, 2] : tensor<64x2x16xf16>
      %2 = tile.reshape %b : tensor<32x64xf16> -> tensor<2x16x64xf16>
      %sum = tile.dot %1, %2, %acc
          : tensor<2x64x16xf16>, tensor<2x16x64xf16>, tensor<2x64x64xf32>
      scf.yield %sum : tensor<2x64x64xf32>
    }
    %r = tile.reduce add %parts axis 0 : tensor<2x64x64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::tileir::tile::TileDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "Products divided">];
}

def TileSplitKBlocksPass : Pass<"tile-split-k-blocks", "::mlir::ModuleOp"> {
  let summary = "Divide long sums among programs, which add by atomics";
  let description = [{
    Split-K across blocks: where a kernel stores the sum that a loop has formed,
    `factor` times as many programs, along z of the grid, go through parts of the
    loop each, and add their sums by `tile.atomic_rmw` to memory that the host
    fills with zeros before the launch. With `factor=0` there are as many parts as
    make the programs of a launch up to `programs`, of at least four steps; a
    loop whose length only a run knows counts as one over 1024, and a grid that
    only a run knows has programs enough.

    The order of the additions is another one, for floats perhaps in each run;
    `einsum-split-k` is the alternative that always gives the same result, by a
    second kernel and memory for the parts.

    A kernel is kept, with a remark, unless

    - it writes memory by one `tile.store_view` of f32, f64, i32 or i64, of what
      a loop has added to zero, and does nothing else to it: an epilogue or a
      conversion comes after the sum of all parts; the loop's start and step are
      static, its end need not be;
    - the memref has no layout and is an argument with `tile.noalias`; its dynamic
      sizes become arguments of the kernel;
    - each program stores to a place of its own: indices are numbers of the
      program times the size of the tile;
    - besides the sum, the loop carries nothing but pointers that advance evenly.

    Example: of 32 steps, with `factor=4`,

    ```mlir
    func.func @main(%a: memref<64x1024xf16>, %b: memref<1024x64xf16>, %c: memref<64x64xf32>) {
      %c1 = arith.constant 1 : index
      tile.launch @product grid(%c1, %c1, %c1) (%a, %b, %c)
          : memref<64x1024xf16>, memref<1024x64xf16>, memref<64x64xf32>
      return
    }
    func.func private @product(%a: memref<64x1024xf16>, %b: memref<1024x64xf16>,
                               %c: memref<64x64xf32> {tile.noalias}) attributes {tile.kernel} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c1024 = arith.constant 1024 : index
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %sum = scf.for %k = %c0 to %c1024 step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
        %x = tile.load_view %a[%c0, %k] : memref<64x1024xf16> -> tensor<64x32xf16>
        %y = tile.load_view %b[%k, %c0] : memref<1024x64xf16> -> tensor<32x64xf16>
        %next = tile.dot %x, %y, %acc
            : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
        scf.yield %next : tensor<64x64xf32>
      }
      tile.store_view %sum, %c[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
      return
    }
    ```

    becomes a launch with a grid of 1 x 1 x 4 after a `linalg.fill`, of a kernel
    whose loop has 8 steps, from `256 * tile.program_id z` on, and which ends in

    ```mlir
    %old = tile.atomic_rmw add %pointers, %sum : tensor<64x64x!tile.ptr<f32>>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::tileir::tile::TileDialect"];
  let options = [
    Option<"factor", "factor", "int64_t", "0",
           "The split-K factor: parts of a sum; 1: none are split, 0: as many "
           "as fill the GPU">,
    Option<"programs", "programs", "int64_t",
           "::tileir::machine::getDefaultGpu().sms",
           "Programs that fill the GPU: its multiprocessors">
  ];
  let statistics = [Statistic<"numSplit", "num-split", "Kernels split">];
}

#endif // TILEIR_DIALECT_TILE_TRANSFORMS_PASSES_TD
