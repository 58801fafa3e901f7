//===- TilePasses.td - Conversions of tile programs --------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILEPASSES_TD
#define TILEIR_CONVERSION_TILEPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileToLinalgPass
    : Pass<"convert-tile-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower tile kernels to linalg on tensors, and to loops";
  let description = [{
    Kernels become private functions with six more arguments of i32, the
    program's place in the grid and the grid's sizes; a `tile.launch` becomes an
    `scf.parallel` over the grid that calls the function. Pointers become
    addresses of i64, in tiles as well.

    | op | becomes |
    |---|---|
    | `splat`, splat constants | `linalg.fill` |
    | `range`, `broadcast`, `trans` | `linalg.generic` |
    | `reshape` | `tensor.collapse_shape`, `tensor.expand_shape` |
    | `dot` | `linalg.contract`; sums of f16 and bf16 are rounded once |
    | `reduce` | `linalg.reduce`; of `or` that takes the first or second one of each pair, vectors |
    | `scan` | a nest of `scf.for` |
    | `cmpp`, `psi`, `assume`, `addptr` | `arith` ops |
    | `int_to_ptr`, `ptr_to_int`, `ptr_to_ptr` | addresses as they are |
    | `load`, `store`, `atomic_rmw`, `atomic_cas` | `llvm.load`, ... in a nest of `scf.for`; of vectors where elements lie side by side |
    | `load_view`, `store_view` | `memref.load`, `memref.store` in such a nest, with bounds cut to the memref |

    Elements of a load or store lie side by side where the analysis of axes knows
    so (`tile-print-axis-info`), or where the pointers are the sum of what is the
    same for a row and of one tile that is, or may be, a range: then two
    addresses are compared when it runs, and the elements of that tile if need
    be, and what turns out not to lie so is accessed one by one. This may be along
    any axis of the tile; along another one than the last, elements are moved to
    their axes, which a `dot` does without, as for the operand of a `trans`.
    Pointers and masks are computed where they are used, from the rows and columns
    that they are made of. A mask that is true for a whole vector costs a branch,
    one that is false for all of it two, and another one an access under a mask.
    Elements of f8 are accessed one by one.

    Where no predicate of a `psi` is true, the element is that of its first pair.
    `arith` and `math` ops on tiles stay: `convert-elementwise-to-linalg` takes
    them.

    - A kernel has a body, and nothing but `tile.launch` uses it.

    Example:

    ```mlir
    func.func @sum(%rows: memref<64x8xf32>, %sums: !tile.ptr<f32>)
        attributes {tile.kernel} {
      %c0 = arith.constant 0 : index
      %id = tile.program_id x
      %i = arith.index_cast %id : i32 to index
      %row = tile.load_view %rows[%i, %c0] axes [1]
          : memref<64x8xf32> -> tensor<8xf32>
      %sum = tile.reduce add %row axis 0 : tensor<8xf32>
      %p = tile.addptr %sums, %id : !tile.ptr<f32>, i32
      tile.store %p, %sum : !tile.ptr<f32>
      return
    }
    ```

    becomes

    ```mlir
    func.func private @sum(%rows: memref<64x8xf32>, %sums: i64, %x: i32,
                           %y: i32, %z: i32, %nx: i32, %ny: i32, %nz: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %size = arith.constant 4 : i64
      %zero = arith.constant 0.0 : f32
      %identity = arith.constant -0.0 : f32
      %i = arith.index_cast %x : i32 to index
      %e = tensor.empty() : tensor<8xf32>
      %none = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>)
          -> tensor<8xf32>
      %row = scf.for %j = %c0 to %c8 step %c1 iter_args(%part = %none)
          -> tensor<8xf32> {
        %element = memref.load %rows[%i, %j] : memref<64x8xf32>
        %more = tensor.insert %element into %part[%j] : tensor<8xf32>
        scf.yield %more : tensor<8xf32>
      }
      %s = tensor.empty() : tensor<f32>
      %init = linalg.fill ins(%identity : f32) outs(%s : tensor<f32>)
          -> tensor<f32>
      %reduced = linalg.reduce { arith.addf } ins(%row : tensor<8xf32>)
          outs(%init : tensor<f32>) dimensions = [0]
      %sum = tensor.extract %reduced[] : tensor<f32>
      %wide = arith.extsi %x : i32 to i64
      %offset = arith.muli %wide, %size : i64
      %address = arith.addi %sums, %offset : i64
      %p = llvm.inttoptr %address : i64 to !llvm.ptr
      llvm.store %sum, %p {alignment = 4 : i64} : f32, !llvm.ptr
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numVectors", "num-vectors", "Accesses by vectors">,
    Statistic<"numKernels", "num-kernels", "Kernels lowered">,
    Statistic<"numLaunches", "num-launches", "Launches lowered">
  ];
}

def ConvertTileToGPUPass : Pass<"convert-tile-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower tile kernels with layouts to GPU kernels";
  let description = [{
    A program becomes a block of `tile.num_warps` warps. Kernels become functions
    of a `gpu.module` @kernels, a `tile.launch` a `gpu.launch_func`, with
    `tile.arguments` of what it passes. Memrefs are those of the device, as
    `tile-place-buffers` leaves them; afterwards their types do not say so. What
    a kernel has of attributes of the NVVM dialect, as `nvvm.maxnreg`, goes along.

    | of a program | of a thread |
    |---|---|
    | a tile with R registers | `vector<R x element>`, register by register |
    | `!tile.ptr` | an address, an i64 |
    | `!tile.buffer` | its offset in bytes in the shared memory, an i32 |
    | a memref | its address, and its dynamic sizes, each an i64 |
    | `program_id`, `num_programs` | `gpu.block_id`, `gpu.grid_dim` |

    Floats are computed as vectors. Numbers, addresses and predicates are
    computed one by one, and what several registers have in common, as a row's
    number, is computed once. `range` computes them from lane and warp; what
    retiles a tile selects registers, or is nothing at all.

    Accesses to global memory move up to 128 bits, as far as the layout, what
    axis analysis knows of pointers, masks and indices, and the sizes of memrefs
    allow; a remark tells for each what they allow. What is accessed
    under one mask is accessed in one branch. An element that several threads
    hold is loaded by all of them, but stored by one.

    Threads wait for each other by `gpu.barrier` where one may touch what another
    one has stored, or has yet to load: through arguments that some launch passes
    one memref for (or, of a kernel without launches, that are not
    `tile.noalias`), other than by tiles of one layout at one place. They also
    do so before an atomic access that releases and behind one that acquires:
    what orders programs orders all their threads.

    - Kernels have `tile.num_warps`, and `tile.shared_bytes` if they use shared
      memory. Each tile has a layout of 32 lanes and as many warps, what is
      computed per element one layout; the layout of what retiles a tile differs
      from that of the operand in registers only.
    - `tile.psi` is gone (`tile-psi-to-select`), and so are conversions of
      layouts by way of shared memory (`tile-promote-shared`).
    - Constants are the same in all threads. The result of an atomic access is
      not used where several warps hold an element.
    - Launches pass memrefs for pointers. Memrefs have the identity layout, are
      in `#gpu.address_space<global>`, and begin at multiples of 16 bytes, as
      those of `gpu.alloc` do.

    Example:

    ```mlir
    #l = #tile.layout<register = [[1], [2]],
        lane = [[4], [8], [16], [32], [64]], warp = []>
    func.func @square(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64})
        attributes {tile.kernel, tile.num_warps = 1 : i64} {
      %i = tile.range 0 to 128 : tensor<128xi32, #l>
      %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #l>
      %q = tile.addptr %ps, %i
          : tensor<128x!tile.ptr<f32>, #l>, tensor<128xi32, #l>
      %x = tile.load %q : tensor<128x!tile.ptr<f32>, #l>
      %y = arith.mulf %x, %x : tensor<128xf32, #l>
      tile.store %q, %y : tensor<128x!tile.ptr<f32>, #l>
      return
    }
    ```

    becomes, once canonicalized,

    ```mlir
    gpu.module @kernels {
      gpu.func @square(%p: i64) kernel
          attributes {known_block_size = array<i32: 32, 1, 1>} {
        %c4 = arith.constant 4 : i64
        %c2 = arith.constant 2 : i32
        %id = gpu.thread_id x
        %thread = arith.index_cast %id : index to i32
        %i = arith.shli %thread, %c2 : i32
        %wide = arith.extsi %i : i32 to i64
        %bytes = arith.muli %wide, %c4 : i64
        %address = arith.addi %p, %bytes : i64
        %q = llvm.inttoptr %address : i64 to !llvm.ptr<1>
        %x = llvm.load %q {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
        %y = arith.mulf %x, %x : vector<4xf32>
        llvm.store %y, %q {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
        gpu.return
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels lowered">,
    Statistic<"numLaunches", "num-launches", "Launches lowered">,
    Statistic<"numVectorAccesses", "num-vector-accesses",
              "Accesses to global memory by several elements at once">,
    Statistic<"numElementAccesses", "num-element-accesses",
              "Accesses to global memory by single elements">
  ];
}

def ConvertLinalgToTilePass
    : Pass<"convert-linalg-to-tile", "::mlir::ModuleOp"> {
  let summary = "Make kernels of structured ops between products";
  let description = [{
    Structured ops on memrefs, as bufferization leaves them (`linalg.generic`,
    `linalg.map`, poolings, transpositions, broadcasts, fills), and
    `memref.copy`, become tile kernels and their launches, so that what they
    access need not leave the device. Afterwards `tile-place-buffers` tells where
    it is.

    A program computes `block` positions of the parallel loops, one element of a
    tile each. Loops whose elements follow each other in the memory of all
    operands are one loop; indices along the others come from the position by
    division. Reductions are a loop over tiles of the outputs. Operands are
    accessed by tiles of pointers: views are followed to the memref without gaps
    that they are views of. The region is the same ops on tiles, with i64 for
    index; `memref.load` in it becomes a load at pointers that are computed,
    which reads 0 where a `cf.assert` before it does not hold: kernels do not
    report that.

    Buffers of i1 that only structured ops, views and single accesses use, and
    constants of i1, become bytes; of an argument of i1 that these read the host
    makes a copy of bytes first.

    Fills and copies of whole buffers stay, if `tile-place-buffers` makes them
    those of the device. These stay on the host, and a remark tells why: ops
    whose region is not arith, math and loads; outputs that loops do not index
    one by one, or that other positions read; memory that is not a view of a
    memref without gaps, that may be one of several buffers, or of i1 or index.

    Example:

    ```mlir
    func.func @relu(%x: memref<4x1000xf16>, %y: memref<4x1000xf16>) {
      %zero = arith.constant 0.0 : f16
      linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>,
                           affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : memref<4x1000xf16>) outs(%y : memref<4x1000xf16>) {
      ^bb0(%a: f16, %old: f16):
        %b = arith.maximumf %a, %zero : f16
        linalg.yield %b : f16
      }
      return
    }
    ```

    becomes, once canonicalized,

    ```mlir
    func.func @relu(%x: memref<4x1000xf16>, %y: memref<4x1000xf16>) {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      tile.launch @relu_generic grid(%c4, %c1, %c1) (%x, %y)
          : memref<4x1000xf16>, memref<4x1000xf16>
      return
    }
    func.func private @relu_generic(%x: !tile.ptr<f16> {tile.readonly},
                                    %y: !tile.ptr<f16>)
        attributes {tile.kernel} {
      %zero = arith.constant dense<0.0> : tensor<1024xf16>
      %total = arith.constant dense<4000> : tensor<1024xi64>
      %width = arith.constant 1024 : i64
      %id = tile.program_id x
      %program = arith.extsi %id : i32 to i64
      %start = arith.muli %program, %width : i64
      %starts = tile.splat %start : i64 -> tensor<1024xi64>
      %range = tile.range 0 to 1024 : tensor<1024xi64>
      %position = arith.addi %starts, %range : tensor<1024xi64>
      %inside = arith.cmpi ult, %position, %total : tensor<1024xi64>
      %xs = tile.splat %x : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
      %p = tile.addptr %xs, %position
          : tensor<1024x!tile.ptr<f16>>, tensor<1024xi64>
      %a = tile.load %p mask %inside : tensor<1024x!tile.ptr<f16>>
      %ys = tile.splat %y : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
      %q = tile.addptr %ys, %position
          : tensor<1024x!tile.ptr<f16>>, tensor<1024xi64>
      %b = arith.maximumf %a, %zero : tensor<1024xf16>
      tile.store %q, %b mask %inside : tensor<1024x!tile.ptr<f16>>
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::tileir::tile::TileDialect"];
  let options = [
    Option<"block", "block", "int64_t", "1024",
           "Positions of the parallel loops that a program computes, a power of "
           "two; ops with fewer take fewer">
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels made">,
    Statistic<"numKept", "num-kept", "Structured ops that stay on the host">
  ];
}

#endif // TILEIR_CONVERSION_TILEPASSES_TD
