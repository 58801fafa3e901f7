//===- Passes.td - Conversions between dialects ------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_PASSES_TD
#define TILEIR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "tileir/Conversion/CpuPasses.td"
include "tileir/Conversion/TilePasses.td"
include "tileir/Conversion/TritonPasses.td"

def ConvertEinsumToAffinePass
    : Pass<"convert-einsum-to-affine", "::mlir::ModuleOp"> {
  let summary = "Lower einsum.contract to affine loops";
  let description = [{
    The plain meaning of any specification, as loops on memrefs: the outermost
    indices of the result as one `affine.parallel`, the other indices of the
    result as `affine.for` inside of it, then the reduced indices as `affine.for`
    with the sum as loop-carried value. Contractions of three or more operands
    are first split as by `einsum-contract-pairwise`. On tensors the loops work
    on `bufferization.to_buffer` of the operands; usually one runs
    `one-shot-bufferize` before.

    Operands whose axes are affine are read by `affine.load`. Axes with look-ups
    load the table by `memref.load` and compute the index in `arith`. With
    `pad = "zero"` a read that may fall outside is guarded by `affine.if` or
    `scf.if`. Where sizes are dynamic but not affine symbols, the loops are those
    of `scf`.

    `checks` tells what is verified at run time; a failed check calls
    `tileirReportCheck(site, values)`, where `site` is an index into the module's
    attribute `einsum.check_sites` of message templates:

    - `none`: nothing.
    - `sizes` (default): before the loops, that dynamic sizes agree and that
      linear axes of dynamic size stay inside; the loops run only if so.
      Divisors from tables: that they are positive.
    - `all`: also each read that is not known to stay inside; it gives 0 if not.

    Example: `einsum.contract "mk, kn -> mn"` becomes

    ```mlir
    affine.parallel (%m) = (0) to (64) {
      affine.for %n = 0 to 32 {
        %zero = arith.constant 0.0 : f32
        %sum = affine.for %k = 0 to 16 iter_args(%acc = %zero) -> (f32) {
          %a = affine.load %A[%m, %k] : memref<64x16xf32>
          %b = affine.load %B[%k, %n] : memref<16x32xf32>
          %ab = arith.mulf %a, %b : f32
          %next = arith.addf %acc, %ab : f32
          affine.yield %next : f32
        }
        affine.store %sum, %C[%m, %n] : memref<64x32xf32>
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
  let options = [
    Option<"checks", "checks", "::tileir::RuntimeChecks",
           "::tileir::RuntimeChecks::Sizes", "What is verified at run time",
           [{::llvm::cl::values(
             clEnumValN(::tileir::RuntimeChecks::None, "none", "nothing"),
             clEnumValN(::tileir::RuntimeChecks::Sizes, "sizes",
                        "sizes, before the loops"),
             clEnumValN(::tileir::RuntimeChecks::All, "all",
                        "sizes, and each read"))}]>,
    Option<"parallelIterations", "parallel-iterations", "int64_t", "64",
           "Make as many outer loops parallel as give this many iterations; "
           "0 for none">
  ];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Contractions lowered">,
    Statistic<"numAffineReads", "num-affine-reads",
              "Operands read by affine.load">,
    Statistic<"numGeneralReads", "num-general-reads",
              "Operands read by memref.load">,
    Statistic<"numGuardedReads", "num-guarded-reads",
              "Operands read under a guard, for padding or a check">
  ];
}

def ConvertEinsumToVectorPass
    : Pass<"convert-einsum-to-vector", "::mlir::ModuleOp"> {
  let summary = "Lower contractions with a schedule to vector kernels";
  let description = [{
    Contractions whose `schedule` (`#einsum.schedule`) has `prim` dimensions
    become what the schedule says: a parallel loop over its `parallel` dimensions,
    loops over the `seq` ones, and inside of them a kernel over tiles of rows and
    vectors that are held in registers while their sum is formed, a vector each.
    The last vector of a dimension begins earlier where lanes are left over, and
    computes some elements twice; it is masked where that would change a result
    (sums that go on, an epilogue that reads what it replaces) or there are
    fewer lanes than it has. Operands that `pack` names are copied into panels,
    in the order in which the kernel reads them; blocks are transposed in
    registers where that is another one. Offsets that are not strided are read
    from tables, which are computed before the loops.

    An operand that a `tensor.pad` makes for the contraction alone is not made
    as a whole where the loops can do better. If the kernel reads other elements
    of it for each lane, as of the image of a convolution of each channel, it is
    **bordered**: the kernel reads what is padded, and tiles of rows that reach
    into the border read a copy of theirs. Else it is **staged**, if the box
    that some iterations read fits in the part of the second cache that
    operands share, and all boxes together are not much larger than the operand:
    each of these iterations copies its box with its border first. Steps of a
    window that lead to a border of zeros along an axis are left out where a loop
    around the kernel tells which they are, as those of the lines above an image
    do. An infinite weight that would be multiplied by such a zero does not make
    the sum NaN then.

    On tensors the loops work on `bufferization.to_buffer` of the operands. Each
    of these stands right before the loops that read it, as bufferization may
    let whatever comes next write there: do not run passes that move, merge or
    fold ops (`canonicalize`, `cse`) between this pass and `one-shot-bufferize`.
    A `bufferization.to_tensor` that is not `writable`, as results of this pass
    are, is read from its memref. A result that goes to a memref by
    `bufferization.materialize_in_destination` is written there. The pointwise
    ops of an `einsum.kernel` whose only contraction has a schedule are computed
    on registers: those after it when the tile is touched last, those before it
    wherever their result is read.

    Vectors are those of the machine (`#einsum.machine`), whose attribute the
    module loses. `checks` is that of `convert-einsum-to-affine`, of which only
    the one of divisors from tables applies to static sizes.

    Where the machine has products of pairs of bf16 (`bf16`), and two operands
    of bf16 are summed in f32, two steps of a sum are one: operands are copied
    into panels of pairs `[lanes][sums, one of them by twos][lane][2]`, with 0
    after the last of an odd number; an operand that has its pairs side by side
    is read where it is. The instruction takes denormal numbers as 0. Two
    operands of i8 that are summed in i32 are copied into pairs of i16, or, on a
    machine with `vnni`, into groups of four i8, of which one operand has no sign
    (see convert-dot-to-llvm).

    With `matrix` the kernel is one of registers of 16 rows of 64 bytes, by ops of
    `amx`: panels of lanes are `[lanes][sums][group][lane][element]`, of rows
    `[16 rows][sums][16 groups][row][group][element]`, groups of 2 or 4 steps, with
    0 for what is missing; rows whose steps fill registers are read where they
    are. It is an error if the machine has no matrix unit.

    A remark tells why a contraction with a schedule was left.

    Example: `einsum.contract "mk, kn -> mn"` with tiles of one row and one
    vector becomes, inside of the loops over tiles,

    ```mlir
    %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (vector<16xf32>) {
      %a_offset = arith.addi %a_row, %k : index
      %a = memref.load %A[%a_offset] : memref<4096xf32>
      %a_vector = vector.broadcast %a : f32 to vector<16xf32>
      %k_row = arith.muli %k, %c64 : index
      %b_offset = arith.addi %b_column, %k_row : index
      %b = vector.load %B[%b_offset] : memref<4096xf32>, vector<16xf32>
      %next = vector.fma %a_vector, %b, %acc : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    vector.store %sum, %C[%c_offset] : memref<4096xf32>, vector<16xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect",
    "::mlir::amx::AMXDialect", "::mlir::x86vector::X86VectorDialect"];
  let options = [
    Option<"checks", "checks", "::tileir::RuntimeChecks",
           "::tileir::RuntimeChecks::Sizes", "What is verified at run time",
           [{::llvm::cl::values(
             clEnumValN(::tileir::RuntimeChecks::None, "none", "nothing"),
             clEnumValN(::tileir::RuntimeChecks::Sizes, "sizes",
                        "sizes, before the loops"),
             clEnumValN(::tileir::RuntimeChecks::All, "all",
                        "sizes, and each read"))}]>,
    Option<"deallocate", "deallocate", "bool", "true",
           "Free buffers of panels and tables; where the buffer deallocation "
           "pipeline comes after it, that does">
  ];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Contractions lowered">,
    Statistic<"numPacked", "num-packed", "Operands copied into panels">,
    Statistic<"numStaged", "num-staged", "Padded operands copied box by box">,
    Statistic<"numBordered", "num-bordered",
              "Padded operands of which tiles at the border are copied">,
    Statistic<"numLeft", "num-left", "Contractions left">
  ];
}

def ConvertLinalgToVectorPass
    : Pass<"convert-linalg-to-vector", "::mlir::ModuleOp"> {
  let summary = "Lower linalg on small dense buffers to vectors";
  let description = [{
    What tile programs compute on the buffers of their tiles, and networks around
    their contractions, becomes loops over vectors of the machine
    (`#einsum.machine`), where shapes are static:

    | op | becomes |
    |---|---|
    | `linalg.contract` | the kernel that `einsum-choose-schedule` and `convert-einsum-to-vector` make of the same contraction, for one thread; it starts from what the result holds |
    | `linalg.generic` without sums | a vector along the last loop at once; elements of operands that do not move along it are loaded once for a vector |
    | operands of these whose last axis is not the last loop, if 4 divides their sizes | squares of up to 16 x 16 elements, transposed in registers: into the result where no more is done, else into a buffer first |
    | `linalg.reduce` along the last axis | a vector of partial results, which are combined at the end: floats are added in another order |
    | `linalg.reduce` along another axis | vectors of results |
    | `linalg.generic` whose last loop alone is a sum, or the like | the same as along the last axis, of what its body computes |
    | reductions over windows of up to 64 places (`linalg.pooling_nchw_max`, ...), or of a `linalg.generic` over as many elements along axes before the last one | vectors along the last axis of the result; what they read at strides of up to 4 is taken from vectors of all between |

    A reduction goes over as many lanes as the loop right before it that used its
    operand, so that `scf-fuse-loops` can make one loop of both; and where a
    `linalg.fill` comes right before it, it begins with the scalar instead.

    With `bordered-windows` it lowers nothing but max pooling whose input is a
    copy in the middle of a buffer filled with the least number, with vectors
    along an axis without a border: it reads the nearest element of what is
    copied in the place of the border, and neither buffer nor copy are left. To
    come before `memref-copy-with-border`.

    A maximum or minimum that drops NaN is one of numbers in each lane, and the
    row is combined as written where it had none. With vectors of 512 bits, a
    division of f32 by one number for all lanes becomes products with its
    reciprocal, corrected to what the division gives, where both operands are
    between 2^-60 and 2^60, or the dividend is 0.

    It leaves what has no vectors along the last loop: operands that are
    transposed, elements of `i1`, loops of less than four steps, bodies with
    more than element-wise ops. `convert-linalg-to-loops` takes that.

    Example, with vectors of 128 bits, two of which are taken at once:

    ```mlir
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                     affine_map<(i, j) -> (i)>,
                                     affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : memref<4x64xf32>, memref<4xf32>)
        outs(%y : memref<4x64xf32>) {
    ^bb0(%a: f32, %b: f32, %_: f32):
      %d = arith.subf %a, %b : f32
      linalg.yield %d : f32
    }
    ```

    becomes

    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c64 step %c8 {
        %a = vector.load %x[%i, %j] : memref<4x64xf32>, vector<8xf32>
        %b = memref.load %max[%i] : memref<4xf32>
        %bs = vector.broadcast %b : f32 to vector<8xf32>
        %d = arith.subf %a, %bs : vector<8xf32>
        vector.store %d, %y[%i, %j] : memref<4x64xf32>, vector<8xf32>
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::amx::AMXDialect", "::mlir::x86vector::X86VectorDialect",
    "::tileir::einsum::EinsumDialect"];
  let options = [
    Option<"parallel", "parallel", "bool", "false",
           "Make loops around vectors parallel, as those of whole tensors; the "
           "loops of a tile are not">,
    Option<"minParallelElements", "min-parallel-elements", "int64_t", "16384",
           "Elements of the least op whose loops are parallel: threads take "
           "some microseconds to begin">,
    Option<"borderedWindows", "bordered-windows", "bool", "false",
           "Only max pooling whose input has a border that it need not read, "
           "before memref-copy-with-border makes it">,
    Option<"collapse", "collapse", "bool", "false",
           "Go through loops of linalg.generic as one before, where all "
           "operands are dense and do: rows may be short">
  ];
  let statistics = [
    Statistic<"numProducts", "num-products", "Products lowered">,
    Statistic<"numPointwise", "num-pointwise", "Element-wise ops lowered">,
    Statistic<"numReductions", "num-reductions", "Reductions lowered">,
    Statistic<"numDivisions", "num-divisions", "Divisions that became products">
  ];
}

def ConvertLinalgToEinsumPass
    : Pass<"convert-linalg-to-einsum"> {
  let summary = "Turn contractions and convolutions of linalg into einsum";
  let description = [{
    Structured ops (named ones, `linalg.contract`, `linalg.reduce`,
    `linalg.transpose`, `linalg.generic`, ...), on tensors or memrefs, whose
    region multiplies elements of the operands and adds the product to the
    element of the output become `einsum.contract`. Loop i is the i-th index of
    the alphabet, each indexing map a term. A factor that a structured op makes of
    another tensor by moving, repeating or extending its elements gives way to
    that. What no map of a factor tells, as the window of a pooling, goes to
    `sizes`. Operands may be extended (`extf`,
    `extsi`) to the element type of the output, in which sums are formed: `acc`.

    A structured op adds to what its output was. If that is 0 by a
    `linalg.fill` or a constant, the contraction alone replaces it; otherwise
    the contraction's result is added to it, by `arith` on tensors, on memrefs
    by `linalg.add` from a buffer. Results differ from those of linalg in
    nothing but the order of additions and of multiplications. Memrefs that are
    not views of one buffer are taken not to overlap.

    These stay, and a remark tells why: regions that do anything else (unsigned
    casts, maxima), element-wise ops, also those with operands that are broadcast,
    broadcasts, operands that are scalars,
    dynamic windows of poolings, maps with symbols, outputs that are views of
    what an operand is a view of, and what the constraints of `einsum.contract`
    exclude.

    Example:

    ```mlir
    func.func @f(%x: tensor<1x3x13x13xf32>, %w: tensor<8x3x3x3xf32>)
        -> tensor<1x8x6x6xf32> {
      %zero = arith.constant dense<0.0> : tensor<1x8x6x6xf32>
      %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
             ins(%x, %w : tensor<1x3x13x13xf32>, tensor<8x3x3x3xf32>)
             outs(%zero : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
      return %y : tensor<1x8x6x6xf32>
    }
    ```

    becomes

    ```mlir
    func.func @f(%x: tensor<1x3x13x13xf32>, %w: tensor<8x3x3x3xf32>)
        -> tensor<1x8x6x6xf32> {
      %y = einsum.contract "ae(2*c+f)(2*d+g), befg -> abcd" (%x, %w)
             : (tensor<1x3x13x13xf32>, tensor<8x3x3x3xf32>)
             -> tensor<1x8x6x6xf32>
      return %y : tensor<1x8x6x6xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::tileir::einsum::EinsumDialect"];
  let statistics = [
    Statistic<"numConverted", "num-converted", "Ops turned into contractions">,
    Statistic<"numKept", "num-kept", "Ops that read arrays, but stay">
  ];
}

def ConvertEinsumToTilePass
    : Pass<"convert-einsum-to-tile", "::mlir::ModuleOp"> {
  let summary = "Lower einsum.contract to tile kernels and their launches";
  let description = [{
    Each `einsum.kernel`, and each contraction outside of one, becomes a tile
    kernel, of which a program computes one block of the result, and a
    `tile.launch` in its place. The block is that of the op's `tile.config`,
    which becomes the kernel's. What is on tensors works on their buffers; a
    result that is only copied to an argument that is on the device
    (`bufferization.materialize_in_destination`, `tile.on_device`) is written
    there.
    `einsum-contract-pairwise` and `einsum-fuse` come before;
    `tile-bufferize-host` and `buffer-deallocation-pipeline`, which frees the
    buffers of tables, after.

    Indices of the result that only the first operand has make up M of a block,
    those of the second N, and those of both are a batch, fixed within a
    program; the grid has an axis for each of the three. Programs unpack
    positions along M and N into indices from the smallest stride in the
    result to the largest. Blocks that reach over the end are masked.

    A step of a program's loop sums over the block's K by `tile.dot`. It
    reads of an operand

    - a dense block, by `tile.load_view`, where M (or N) and K are
      one index each, which are axes of the operand;
    - else what pointers point at. A step adds to them a constant, where
      successive positions of the sum are equally far apart in memory;
    - or else entries of an **offset table**: a constant of the module if it
      depends on no run-time value, or else filled by a loop before the launch.
      It has one per group of positions, as many as divide K and the size
      of the innermost summed index, if offsets go up by a constant with that
      index; pointers go along a group before the loop. If a step is one group,
      it loads one scalar.

    If the configuration has a `cluster`, and there are several blocks along M, the
    grid is a multiple of it along x; programs beyond the last block read zeros
    and write nothing.

    If the target's warpgroups multiply blocks of this size (`wgmma`), and M, N or
    K is several indices or an axis is a sum of some, a block is a **box**: a
    range of each index instead of one range of all. Operands and results are
    then windows of memory, loaded and stored by views with all its axes, which
    `tile-warp-specialize` lets tensor maps copy; padding is what is outside of a
    window. Boxes are powers of two, along K with at most the block's elements,
    and along other indices than those added to an index of the result; of all
    those that take the fewest steps. Where a window is may be looked up, in tables
    of indices along K of which a step has one value each. Along an axis with
    an index times 2 to 8 windows have `steps`.
    Blocks stay ranges if
    sizes are dynamic, if operands are computed or otherwise looked up, if memory is not as tensor maps need it
    (rows of a multiple of 16 bytes, the last axis in the box with 32 bytes, five
    axes at most), or if boxes leave a third more in vain.

    So the loop has the same number of index operations however many indices are
    summed over. With `pad = "zero"` positions along an axis where reads may fall
    outside are compared with its size; those that depend on summed indices come
    from a table, too, or go up by a constant.

    In an `einsum.kernel`, pointwise ops that make an operand are computed in
    each step, those that use results of contractions after the last step, with
    the elements of their other operands that stand at the place of the block.
    Several contractions are computed one after the other.

    Where there is no M, no N or no K, or for products that
    `tile.dot` does not form (i32), or where the contractions of a kernel divide
    its result in different ways, a program computes some elements of the result
    one by one: all indices of the result are along M, and products are reduced.
    Copies that order axes in another way have M and N all the same: the
    indices that follow each other in the memory of the result and of the
    operand. `narrow-dots` is for targets with matrix instructions: there products
    of f16 and bf16 without M or without N are dots, too.

    `checks` is that of `convert-einsum-to-affine`. Kernels cannot report, so that
    reads are tried by loops before the launch.

    - Contractions have one or two operands, and stand in a function.
    - In an `einsum.kernel`, the result depends on a contraction, axis i of whose
      result is axis i of the kernel's; operands of contractions do not depend on
      other contractions; tables are inputs; constants have one value; and what
      it computes has static shapes and elements of 1, 8, 16, 32 or 64 bits, what
      it reads elements of 8, 16, 32 or 64.
    - `min-block` is three positive numbers, M x N x K, if given. Blocks are cut
      where sizes are smaller: to these, or, for targets with tiles of powers of
      two, as `min-block` says.

    Example: `einsum.contract "mk, kn -> mn"` of 512 x 512 and 512 x 256 elements
    becomes

    ```mlir
    tile.launch @f_contract grid(%c4, %c2, %c1) (%A, %B, %C)
        : memref<512x512xf32>, memref<512x256xf32>, memref<512x256xf32>
    ```

    of a kernel that, canonicalized, ends in

    ```mlir
    %sum = scf.for %k = %c0 to %c512 step %c32 iter_args(%acc = %zero)
        -> (tensor<128x128xf32>) {
      %a = tile.load_view %A[%row, %k] axes [0, 1]
          in_bounds [true, true] : memref<512x512xf32> -> tensor<128x32xf32>
      %b = tile.load_view %B[%k, %column] axes [0, 1]
          in_bounds [true, true] : memref<512x256xf32> -> tensor<32x128xf32>
      %next = tile.dot %a, %b, %acc
          : tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x128xf32>
      scf.yield %next : tensor<128x128xf32>
    }
    tile.store_view %sum, %C[%row, %column] axes [0, 1]
        in_bounds [true, true] : tensor<128x128xf32>, memref<512x256xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::tileir::tile::TileDialect"];
  let options = [
    Option<"minBlock", "min-block", "std::string", "\"\"",
           "Cut blocks of small sizes to powers of two, and to no less than "
           "this; by default to the sizes">,
    Option<"narrowDots", "narrow-dots", "bool", "false",
           "Form products of f16 and bf16 that have only M, or only N, by "
           "tile.dot, too">,
    Option<"checks", "checks", "::tileir::RuntimeChecks",
           "::tileir::RuntimeChecks::Sizes", "What is verified at run time",
           [{::llvm::cl::values(
             clEnumValN(::tileir::RuntimeChecks::None, "none", "nothing"),
             clEnumValN(::tileir::RuntimeChecks::Sizes, "sizes",
                        "sizes, before the loops"),
             clEnumValN(::tileir::RuntimeChecks::All, "all",
                        "sizes, and each read"))}]>
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels made">,
    Statistic<"numLowered", "num-lowered", "Contractions lowered">,
    Statistic<"numDots", "num-dots", "Contractions computed by tile.dot">,
    Statistic<"numDenseOperands", "num-dense-operands",
              "Operands read as dense blocks">,
    Statistic<"numStridedOperands", "num-strided-operands",
              "Operands whose pointers advance by a constant">,
    Statistic<"numTableOperands", "num-table-operands",
              "Operands whose offsets come from a table">
  ];
}

def EinsumExchangeOperandsPass
    : Pass<"einsum-exchange-operands", "::mlir::ModuleOp"> {
  let summary = "Exchange operands where the matrix instructions ask for it";
  let description = [{
    Instructions of warpgroups (`wgmma`) multiply 64 rows of A or more, and take
    A from registers, but B from shared memory alone. So where a kernel's only
    contraction has its operands in the other order, M and N change places, and
    the result is computed transposed:

    - if pointwise ops of the kernel make B and not A (a prologue, such as the
      conversion of narrow weights);
    - if M is less than 64, N is not, and no pointwise ops make A (few rows, as
      when a model makes one word after the other).

    N has to be 64 at least, or unknown. Contractions that no such instruction
    of the target takes are left alone, and so are those with a `tile.config`:
    its blocks are of M and N as they are. The blocks of `config`, which
    `tile-select-config` will give them, are of what this pass leaves; if they
    are not for such instructions, nothing is exchanged. A remark tells what was
    exchanged, and why, or why not. After `einsum-fuse`.

    Example: on `sm_90a`

    ```mlir
    func.func @f(%a: tensor<16x512xbf16>, %b: tensor<512x256xbf16>) -> tensor<16x256xf32> {
      %c = einsum.contract "mk, kn -> mn" (%a, %b)
          : (tensor<16x512xbf16>, tensor<512x256xbf16>) -> tensor<16x256xf32>
      return %c : tensor<16x256xf32>
    }
    ```

    becomes

    ```mlir
    func.func @f(%a: tensor<16x512xbf16>, %b: tensor<512x256xbf16>) -> tensor<16x256xf32> {
      %c = einsum.contract "kn, mk -> mn" (%b, %a)
          : (tensor<512x256xbf16>, tensor<16x512xbf16>) -> tensor<16x256xf32>
      return %c : tensor<16x256xf32>
    }
    ```
  }];
  let dependentDialects = ["::tileir::einsum::EinsumDialect"];
  let options = [
    Option<"config", "config", "std::string", "\"\"",
           "The tile configuration of each kernel, if it is known">
  ];
  let statistics = [
    Statistic<"numExchanged", "num-exchanged",
              "Contractions whose operands are exchanged">
  ];
}

def EinsumVerifyKernelsPass
    : Pass<"einsum-verify-kernels", "::mlir::ModuleOp"> {
  let summary = "Verify the contract of what becomes tile programs";
  let description = [{
    What `einsum-contract-pairwise` and `einsum-fuse` leave, and
    `convert-einsum-to-tile` relies on, of each `einsum.kernel` and of each
    contraction outside of one. A violation is an error at the op, with the
    number of the constraint. Changes nothing.

    - (K1) It is in a `func.func`.
    - (K2) Contractions have one or two operands.
    - (K3) A `tensor.empty` in a kernel has a static shape: a dynamic one is an
      operand of the kernel, which tells its size.
    - (K4) Elements have 8, 16, 32 or 64 bits, as memory addresses them; those
      that stay in a kernel may have 1.
    - (K5) Constants in a kernel are of one value.
    - (K6) Operands of contractions are computed from the kernel's inputs by
      pointwise ops.
    - (K7) Tables are inputs of the kernel.
    - (K8) Axis i of a contraction's result becomes axis i of the kernel's.
    - (K9) A kernel's result depends on a contraction.

    Example: of

    ```mlir
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
        %e = math.exp %p : tensor<4xf32>
        einsum.yield %e : tensor<4xf32>
      }
      return %y : tensor<4xf32>
    }
    ```

    it says `einsum-verify-kernels K9: 'einsum.kernel' op expected its result to
    depend on a contraction, found none: run einsum-inline-kernels for kernels
    without`.
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels",
              "Kernels and contractions that keep the contract">
  ];
}

def TileSelectConfigPass : Pass<"tile-select-config", "::mlir::ModuleOp"> {
  let summary = "Give kernels their tile configurations";
  let description = [{
    Sets `tile.config` of each `einsum.kernel`, of each contraction outside of
    one, and of each tile kernel: what the option `config` gives, or what is
    selected for it. Later passes read how a product is divided from there. What
    has a `tile.config` keeps it. `einsum-contract-pairwise` and `einsum-fuse`
    come before.

    With `config={block=64x64x32 warp=32x32}`, or any other text that may
    stand in `#tile.config<...>`, all get that one; fields that are left out have
    their defaults, and `stages` is 3 if the target has asynchronous copies, or, in
    a program of tiles, what fits into its shared memory. If
    it has none, what is loaded for the next step waits in registers: if neither
    `block` nor `split_k` is given, K of the block of a contraction is as many
    bytes for elements of more than 16 bits as for those of 16.

    With `config=auto`, each kernel of products that tensor cores can compute
    gets the configuration whose time is least by the roofline estimate of the
    simulator, of all that fit the chip: blocks of 16 to 256 along M and N and 8
    to 64 along K, warps of 16 to 128 along M and N, each atom of the target,
    split-K factors 1, 2 and 4; powers of two all of them. What the estimate
    takes, the counts of the simulator, follows from the sizes, the order of the
    operands in memory and the configuration. If the target has asynchronous
    copies, `stages` is 3 or 4, by the latency that they hide and the shared
    memory that they take; with `config={auto stages=5}` it is 5 (1 to 8). On
    other targets the estimate knows no latencies: there are 2 stages, or 1 with
    `config={auto stages=1}`. There are never more than steps. Where L2
    does not hold the operands, `group` is the power of two with which device
    memory moves least. If the target has instructions of warpgroups (wgmma), and
    both operands of the only product are in memory with rows at multiples of 16
    bytes, the configurations by which `tile-warp-specialize` divides it are
    candidates, too: blocks of 64, 128 and 256 along M and of 16 to 256 along N,
    K of 64 and of 128 bytes, or the boxes of these sizes that
    `convert-einsum-to-tile` makes; 3, 4 or 6 stages, whose copies all wait
    together; and clusters of two programs along M, which read B once. A size that is known only at run time is taken to be
    1024, or the closest one that `einsum.at_least` and `einsum.at_most` of the
    argument promise.

    A remark tells the selection, its estimate, the pipe that binds, the
    instructions, sectors and wavefronts that are predicted, and the best configuration with another
    block; with `list`, others tell the best ones, the fastest first; or why there is none, and the op gets the defaults:
    elements that no atom of the target takes, no M, N or sum, products of a
    kernel that divide the result in different ways. If a kernel's products fit
    the chip one by one only, it is unfused as by `einsum-inline-kernels`.

    The GPU is that of the module's `tile.target`, which `tile-attach-target`
    sets, or else the default one.

    Example: with `config=auto`,

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b)
        : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
    ```

    becomes

    ```mlir
    %c = einsum.contract "mk, kn -> mn" (%a, %b)
        {tile.config = #tile.config<block=64x128x64 warp=32x64 atom=volta_16x16x8 split_k=1 stages=2>}
        : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
    ```
  }];
  let dependentDialects = ["::tileir::tile::TileDialect"];
  let options = [
    Option<"config", "config", "std::string", "\"\"",
           "The tile configuration, as in #tile.config<...>; or 'auto', which "
           "selects by a model of the cost">,
    Option<"list", "list", "int64_t", "0",
           "Tell so many of the best ones that 'auto' compares, in remarks">
  ];
  let statistics = [
    Statistic<"numSelected", "num-selected",
              "Kernels whose configuration was selected">,
    Statistic<"numDefault", "num-default", "Kernels without a selection">,
    Statistic<"numUnfused", "num-unfused",
              "Kernels that do not fit as a whole">
  ];
}

#endif // TILEIR_CONVERSION_PASSES_TD
