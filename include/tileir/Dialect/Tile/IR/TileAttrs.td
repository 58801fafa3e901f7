//===- TileAttrs.td ----------------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_IR_TILEATTRS_TD
#define TILEIR_DIALECT_TILE_IR_TILEATTRS_TD

include "tileir/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tileir::tile";
}

def Tile_Axis : Tile_Enum<"Axis", "an axis of the grid", [
    I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">,
    I32EnumAttrCase<"Z", 2, "z">]>;

def Tile_Major : Tile_Enum<"Major", "the order of a matrix in memory", [
    I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Column", 1, "column">]>;

def Tile_Combiner : Tile_Enum<"Combiner", "an associative operation", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"UMax", 4, "umax">, I32EnumAttrCase<"UMin", 5, "umin">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">, I32EnumAttrCase<"MaxNum", 9, "maxnum">,
    I32EnumAttrCase<"MinNum", 10, "minnum">]> {
  let description = [{
    On floats `add`, `mul`; `max`, `min` in the sense of `arith.maximumf` and
    `arith.minimumf` (NaN if one is NaN); `maxnum`, `minnum` in that of
    `arith.maxnumf` and `arith.minnumf` (NaN only if all are NaN). On integers
    all but these two: `max`, `min` signed, `umax`, `umin` unsigned; sums and
    products modulo the width. On i1 only `and`, `or`, `xor`.
  }];
}

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "what an atomic access does", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"UMax", 3, "umax">,
    I32EnumAttrCase<"UMin", 4, "umin">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">,
    I32EnumAttrCase<"Exchange", 8, "xchg">]> {
  let description = [{
    `add` and `xchg` on integers and floats; `max` and `min` (signed), `umax`,
    `umin`, `and`, `or`, `xor` on integers.
  }];
}

def Tile_MemoryOrder : Tile_Enum<"MemoryOrder", "what an atomic access orders", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">,
    I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">,
    I32EnumAttrCase<"AcqRel", 3, "acq_rel">]> {
  let description = [{
    `relaxed`: nothing. `release`: the accesses of the program before this one
    come before those behind an access that reads what this one wrote, and
    acquires. `acquire`: that other access. `acq_rel`: both.
  }];
}

def Tile_MemoryScope : Tile_Enum<"MemoryScope", "whom an atomic access meets", [
    I32EnumAttrCase<"Program", 0, "cta">, I32EnumAttrCase<"Device", 1, "gpu">,
    I32EnumAttrCase<"System", 2, "sys">]> {
  let description = [{
    The elements are changed at once, and accesses ordered, for: `cta` the
    program alone; `gpu` the programs of the launch; `sys` the host and other
    devices, too.
  }];
}

/// An entry of the table of atoms, written as its name.
def Tile_AtomParameter
    : AttrParameter<"::tileir::layout::AtomRef", "an atom"> {
  let parser = "::tileir::tile::parseAtom($_parser)";
  let printer = "$_printer << $_self->name";
}

def Tile_MmaAtomAttr : AttrDef<Tile_Dialect, "MmaAtom"> {
  let mnemonic = "mma_atom";
  let summary = "A matrix instruction";
  let description = [{
    The least product that a warp forms with a matrix instruction, by its name
    in the table of atoms (`include/tileir/Layout/Fragments/MmaAtom.h`). The
    table says which types and orders of the operands there are, and which
    registers of which lanes hold them.

    | atom | M x N x K | instructions | operands | accumulator |
    |---|---|---|---|---|
    | `volta_16x16x8` | 16 x 16 x 8 | 2 | f16, both orders | f16, f32 |
    | `volta_32x32x8` | 32 x 32 x 8 | 8 | f16, both orders | f16, f32 |
    | `m16n8k8_f16` | 16 x 8 x 8 | 1 | f16 | f16, f32 |
    | `m16n8k16_f16` | 16 x 8 x 16 | 1 | f16 | f16, f32 |
    | `m16n8k16_bf16` | 16 x 8 x 16 | 1 | bf16 | f32 |
    | `m16n8k8_tf32` | 16 x 8 x 8 | 1 | f32, rounded to tf32 | f32 |
    | `m8n8k16_i8` | 8 x 8 x 16 | 1 | i8 | i32 |
    | `m16n8k32_i8` | 16 x 8 x 32 | 1 | i8 | i32 |
    | `m16n8k32_f8` | 16 x 8 x 32 | 1 | f8E4M3FN, f8E5M2 | f32 |
    | `m8n8k4_f64` | 8 x 8 x 4 | 1 | f64 | f64 |
    | `wgmma_k16_f16` | 16 x 8 x 16 | 1/4 | f16 | f16, f32 |
    | `wgmma_k16_bf16` | 16 x 8 x 16 | 1/4 | bf16 | f32 |
    | `wgmma_k8_tf32` | 16 x 8 x 8 | 1/4 | f32, rounded to tf32 | f32 |
    | `wgmma_k32_f8` | 16 x 8 x 32 | 1/4 | f8E4M3FN, f8E5M2 | f16, f32 |
    | `wgmma_k32_i8` | 16 x 8 x 32 | 1/4 | i8 | i32 |

    In `volta_32x32x8` the halves of two fragments are interleaved, so that lanes
    hold runs of eight rows of a column-major A and columns of a row-major B.
    The atoms named after one instruction take A in rows and B in columns. Those
    of `wgmma` are the share of one warp of an instruction of four, which reads
    B from shared memory: `tile.mma_async` takes them, `tile.mma` does not.

    ```mlir
    func.func private @f() attributes {atom = #tile.mma_atom<volta_16x16x8>}
    ```
  }];
  let parameters = (ins Tile_AtomParameter:$atom);
  let assemblyFormat = "`<` $atom `>`";
}

def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "Where the elements of a tile are";
  let description = [{
    Either which register of which lane of which warp (of which block) holds an
    element, as the encoding of a tile's type; or at which offset of shared
    memory it lies, in a `!tile.buffer`. The same kind of map serves both: each
    bit of these numbers has a coordinate of the tile, its basis, and a place
    holds the element whose coordinate is the exclusive or of the bases of its
    bits. Here register 3 of lane 2 holds (0, 1) ^ (2, 0) ^ (0, 2) = (2, 3):

    ```mlir
    #acc = #tile.layout<register = [[0, 1], [2, 0], [0, 4]],
        lane = [[1, 0], [0, 2], [0, 0], [0, 0], [4, 0]], warp = []>
    func.func private @f(tensor<8x8xf32, #acc>)
    ```

    A basis of zeros says that the bit does not matter: here four groups of
    lanes hold copies. `block = ...` may follow; an empty `warp` says that there
    is one. `docs/layouts.md` explains the algebra.

    The usual layouts have names. They are read as the bases that they stand
    for, and print as such:

    ```mlir
    // 128 threads; each has runs of 8 elements of a row.
    #rows = #tile.layout<blocked shape = [128, 32], register = [1, 8],
        lane = [8, 4], warp = [4, 1], order = [1, 0]>
    // Operands and accumulator of products by an atom, for 2 x 2 warps.
    #a = #tile.layout<mma a row, shape = [128, 32], atom = volta_16x16x8,
        warp = [2, 2]>
    #b = #tile.layout<mma b column, shape = [32, 128], atom = volta_16x16x8,
        warp = [2, 2]>
    #c = #tile.layout<mma c f32, shape = [128, 128], atom = volta_16x16x8,
        warp = [2, 2]>
    // Of a batch of two, with as many warps for each.
    #batch = #tile.layout<mma c f32, shape = [2, 64, 64], atom = volta_16x16x8,
        warp = [2, 2, 2]>
    // Shared memory, for elements of 16 bits, without bank conflicts.
    #shared = #tile.layout<swizzle shape = [128, 32], bits = 16, write = #rows,
        read = #a>
    func.func private @f(tensor<128x32xf16, #a>, !tile.buffer<128x32xf16, #shared>)
    ```

    - T28: a layout fits its tile: as many axes, of powers of two; bases inside;
      a place for each element. Bases have one length, and are 24 at most.
    - T29: tiles have registers, lanes, warps and blocks, buffers have offsets,
      and one for each element. Axes of a buffer before those of its layout are
      stages: tiles of that layout, one behind the other, of any number.
  }];
  // One list per kind of bit, a basis after the other. Without any basis, the
  // rank is 0 and the layout fits tiles of one element.
  let parameters = (ins "unsigned":$rank,
                        ArrayRefParameter<"int32_t">:$registers,
                        ArrayRefParameter<"int32_t">:$lanes,
                        ArrayRefParameter<"int32_t">:$warps,
                        ArrayRefParameter<"int32_t">:$blocks,
                        ArrayRefParameter<"int32_t">:$offsets);
  let builders = [AttrBuilder<(ins "const ::tileir::layout::LinearLayout &":$layout)>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let genMnemonicAlias = 1;
  let extraClassDeclaration = [{
    /// Most bits of a place, and so of the number of an element.
    static constexpr unsigned kMaxBits = 24;
    /// Whether this is an order of shared memory.
    bool isShared() const { return !getOffsets().empty(); }
    ::llvm::ArrayRef<int32_t> getBases(::tileir::layout::InDim in) const;
    /// As a map to the tile, whose shape has to fit.
    ::tileir::layout::LinearLayout
    getLayout(::llvm::ArrayRef<int64_t> shape) const;
    /// The sizes of the axes of a buffer that are no stages.
    ::llvm::ArrayRef<int64_t>
    getTileShape(::llvm::ArrayRef<int64_t> shape) const {
      return getRank() == 0 || getRank() > shape.size()
                 ? shape
                 : shape.take_back(getRank());
    }
    /// T28.
    ::llvm::LogicalResult
    verifyShape(::llvm::ArrayRef<int64_t> shape,
                ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
    /// T28 and T29, in a buffer.
    ::llvm::LogicalResult
    verifyBuffer(::llvm::ArrayRef<int64_t> shape,
                 ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
  }];
}

def Tile_TargetAttr : AttrDef<Tile_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "What a GPU has, as far as passes need to know";
  let description = [{
    The attribute `tile.target` of a module, which `tile-attach-target` sets
    from the table of GPUs: passes read it instead of comparing names of chips.

    - `shared`: bytes of shared memory that a block can have;
    - `threads`: threads of a block;
    - `registers`: registers of 32 bits of a thread;
    - `sms`: multiprocessors; 0, not known, if it is left out;
    - `async`: whether it copies to shared memory while threads go on
      (`tile.async_load`); false if it is left out;
    - `mma`: the atoms (`#tile.mma_atom`) of its matrix units, best first;
    - `ldmatrix`, `stmatrix`: whether a warp can read matrices from shared
      memory, and store them there; false if they are left out.

    - T34: the numbers are positive (`sms` may be 0), and the atoms are in the table.

    ```mlir
    module attributes {tile.target = #tile.target<chip = "sm_70", shared = 98304,
        threads = 1024, registers = 255, mma = ["volta_16x16x8"]>} {
      func.func private @host()
    }
    ```
  }];
  let parameters = (ins StringRefParameter<"name for LLVM">:$chip,
                        "int64_t":$shared, "int64_t":$threads,
                        "int64_t":$registers,
                        DefaultValuedParameter<"int64_t", "0">:$sms,
                        DefaultValuedParameter<"bool", "false">:$async,
                        "::mlir::ArrayAttr":$mma,
                        DefaultValuedParameter<"bool", "false">:$ldmatrix,
                        DefaultValuedParameter<"bool", "false">:$stmatrix);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What an entry of the table of GPUs says.
    static TargetAttr get(::mlir::MLIRContext *context,
                          const ::tileir::machine::Gpu &gpu);
    /// That of the module around `op`; null if it has none.
    static TargetAttr find(::mlir::Operation *op);
    /// The entries of `mma`.
    ::llvm::SmallVector<::tileir::layout::AtomRef> getAtoms() const;
  }];
}

def Tile_ConfigAttr : AttrDef<Tile_Dialect, "Config"> {
  let mnemonic = "config";
  let summary = "A tile configuration: how a kernel divides a product";
  let description = [{
    The attribute `tile.config` of an op that becomes a kernel (`einsum.contract`,
    `einsum.kernel`), and of kernels. `tile-select-config` sets it; an op without
    one has the defaults.

    | field | default | meaning | read by |
    |---|---|---|---|
    | `block` | `128x128x32` | M, N and K of a program's tiles | `convert-einsum-to-tile` |
    | `warp` | `64x32` | M and N of what a warp computes | `tile-assign-layouts` |
    | `atom` | the target's best that fits | the matrix instruction to try first (`#tile.mma_atom`) | `tile-assign-layouts` |
    | `split_k` | 1 | the split-K factor: parts of a block's K that different warps sum up | `tile-split-k` |
    | `stages` | 2; up to 3 by `tile-select-config` if the target has `async` | steps whose operands are in flight at once; more than 2 where `#tile.target` has `async` | `tile-pipeline`, `tile-prefetch`, `tile-promote-shared` |
    | `group` | 0, all | blocks along M of a group: the programs of a group, of all N, follow one another, and share what they read by L2 | `convert-einsum-to-tile` |
    | `cluster` | 1 | programs along M that form a cluster, and copy for each other what all of them multiply; more than 1 where `#tile.target` has atoms of warpgroups | `convert-einsum-to-tile`, `tile-multicast` |
    | `persistent` | 0 | programs for each multiprocessor, which compute several blocks one after the other; 0: a program for each block | `tile-persistent` |

    Fields come in any order, and have their default if they are left out. The
    text between `<` and `>` is also what options named `config` take.

    - T35: `block` is three numbers from 1 to 65536, `warp` two powers of two
      from 16 to 4096, `split_k` 1, 2, 4 or 8, `stages` a number from 1 to 16,
      `group` one from 0 to 65536, `cluster` 1, 2, 4 or 8, `persistent` a number
      from 0 to 32.

    ```mlir
    func.func private @f() attributes {tile.config = #tile.config<block=128x64x32
        warp=64x32 atom=volta_16x16x8 split_k=1 stages=2>}
    func.func private @g() attributes {tile.config = #tile.config<stages=1>}
    ```
  }];
  let parameters = (ins "::tileir::layout::TileConfig":$config);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// That of `op`; null if it has none.
    static ConfigAttr find(::mlir::Operation *op);
  }];
}

#endif // TILEIR_DIALECT_TILE_IR_TILEATTRS_TD
