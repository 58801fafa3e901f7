//===- TileKernelEmitter.h - The kernel of one fusion -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is in four sources: TileKernelEmitter.cpp (blocks, epilogue and
// store), OperandEmitter.cpp (what is read in each step of a sum),
// SumEmitter.cpp (its loop), and BoxEmitter.cpp (the same of boxes).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEKERNELEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEKERNELEMITTER_H

#include "BoxPlan.h"
#include "HostEmitter.h"
#include "tileir/Conversion/EinsumLowering/Expression.h"
#include "tileir/Conversion/TileLowering/KernelBuilder.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

namespace tileir::to_tile {

/// A contraction of a kernel.
struct Contraction {
  Contraction(mlir::OpBuilder &builder,
              const lowering::ContractMemRefs &memrefs,
              const PlanOptions &options, mlir::SymbolTable &symbols)
      : memrefs(memrefs), op(memrefs.getOp()), plan(op, options),
        sizes(einsum::reifyIndexSizes(builder, op,
                                      [&](mlir::Value operand, unsigned axis) {
                                        return memrefs.getDim(builder, operand,
                                                              axis);
                                      })),
        host(builder, plan, this->memrefs, sizes, symbols) {}

  /// The memory of operands; null for one that the kernel computes.
  lowering::ContractMemRefs memrefs;
  einsum::ContractOp op;
  TilePlan plan;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  HostEmitter host;
};

/// The ops that become one kernel.
struct Fusion {
  Fusion(mlir::Location loc, llvm::StringRef name, mlir::Block *body)
      : loc(loc), name(name), body(body) {}

  mlir::Location loc;
  llvm::StringRef name;
  /// The body of an einsum.kernel; null for a contraction alone.
  mlir::Block *body;
  std::vector<std::unique_ptr<Contraction>> contractions;
  /// The contiguous memory of what is read.
  llvm::DenseMap<mlir::Value, mlir::Value> memory;
  /// The contiguous memory of the result.
  mlir::Value result;
  /// The tile configuration of the kernel; null: the defaults.
  tile::ConfigAttr config;
};

/// How often a kernel reads operands in each way.
struct ReadCounts {
  unsigned views = 0, strided = 0, tables = 0, masked = 0;
};

/// Adds the kernel of `fusion` to the module of `symbols`, and launches it
/// where `builder` stands.
ReadCounts emitKernel(mlir::OpBuilder &builder, Fusion &fusion,
                      mlir::SymbolTable &symbols);

/// An aggregate axis of a block: the rows or columns of a program.
struct BlockAxis {
  int64_t size = 1;   // of the block
  mlir::Value start;  // i64; null is 0
  mlir::Value inside; // a tile of i1; null if all are
  llvm::SmallVector<unsigned> indices;
  /// The position divided by the indices before each one, of which that is the
  /// remainder.
  llvm::SmallVector<mlir::Value> quotients;

  /// The index that is the position along this axis, if it is one index.
  std::optional<unsigned> getIndex() const {
    return indices.size() == 1 ? std::optional<unsigned>(indices.front())
                               : std::nullopt;
  }
};

/// A dense block of a memref. Each axis of the memref stays at an index or runs
/// along an axis of the tile.
struct View {
  mlir::Value memref;
  /// The index at which each axis starts.
  llvm::SmallVector<mlir::Value> indices;
  /// The axis to whose index the step of the sum is added.
  std::optional<unsigned> stepAxis;
  /// The axes that run, in order, and the axes of the tile along which.
  llvm::SmallVector<int64_t> axes;
  llvm::SmallVector<unsigned> along;
  /// Whether no program's block leaves the memref along them.
  llvm::SmallVector<bool, 2> inside;
};

/// The part of an offset that depends on the position in the sum. Within groups
/// of positions it goes up by a constant, and for the first position of each
/// group one of these tells it:
struct Offsets {
  /// what it goes up by from one position to the next, a scalar;
  mlir::Value advance;
  /// a table of groups, in units, if a step has several ones;
  mlir::Value table;
  /// or which one of what the loop carries points to the entry of a step.
  unsigned carried = 0;
  int64_t group = 1, unit = 1;

  /// Whether accesses that do not go along the sum cannot be aligned.
  bool isOdd() const {
    if (!advance)
      return unit % 2 != 0;
    int64_t step = mlir::getConstantIntValue(advance).value_or(2);
    return step != 1 && step % 2 != 0;
  }
};

/// How a program reads one leaf of an operand.
struct LeafSource {
  std::optional<View> view;
  /// If there is no view, pointers, a tile of the block's shape, to which
  /// offsets are added in each step.
  mlir::Value pointers;
  Offsets offsets;
};

/// How a program reads one operand.
struct Source {
  lowering::Expression expression;
  llvm::SmallVector<LeafSource, 1> leaves; // as the expression lists them
  /// A mask that does not change from step to step; null if all is true.
  mlir::Value mask;
  /// Axes to compare with the operand's size in each step.
  struct Position {
    mlir::Value
        first; // a tile of the block's shape, to which offsets are added
    Offsets offsets;
    mlir::Value size; // a tile of the block's shape
  };
  llvm::SmallVector<Position> positions;
};

/// The position of a loop over the steps of a sum.
struct Step {
  mlir::Value start;        // the first position of the step
  mlir::Value inside;       // which positions there are; null: all
  mlir::ValueRange carried; // pointers to entries of tables
};

class KernelEmitter : tile_lowering::KernelBuilder {
public:
  /// `boxes`: what blocks are; nothing if they are ranges.
  KernelEmitter(mlir::OpBuilder &hostBuilder, Fusion &fusion,
                mlir::SymbolTable &symbols, std::optional<BoxPlan> boxes);

  ReadCounts emit();

private:
  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  /// The number of this program along an axis, of i64 (ProgramOrder.cpp).
  mlir::Value getProgram(tile::Axis axis);
  void emitGroups();
  /// The number of blocks along M or N, if it is known.
  std::optional<int64_t> getNumBlocks(llvm::ArrayRef<unsigned> indices,
                                      int64_t block) const;
  /// The programs of a cluster: 1 where there are no others along M.
  int64_t getCluster() const;
  /// Whether the last cluster is known to have programs beyond all rows.
  bool hasMorePrograms() const;
  BlockAxis emitAxis(tile::Axis gridAxis, llvm::ArrayRef<unsigned> group,
                     int64_t size);
  void unpack(mlir::Value position, BlockAxis &axis);
  mlir::Value emitJoined(const BlockAxis &axis, unsigned first, unsigned last);
  mlir::Value emitExternal(Contraction &contraction, mlir::AffineExpr expr,
                           const BlockAxis &axis);
  mlir::Value emitLookup(Contraction &contraction, einsum::LookupAttr lookup,
                         const BlockAxis &axis);
  mlir::Value emitOffset(Contraction &contraction,
                         llvm::ArrayRef<mlir::AffineExpr> exprs,
                         llvm::ArrayRef<mlir::OpFoldResult> strides,
                         const BlockAxis &axis, bool joins = true);
  /// The value of an index; null is 0, as for summed indices of one value.
  mlir::Value getIndex(unsigned index) const {
    return index < indices.size() ? indices[index] : mlir::Value();
  }
  /// Whether an index has one value in a program.
  bool isFixed(unsigned index) const {
    mlir::Value value = getIndex(index);
    return !value || !llvm::isa<mlir::RankedTensorType>(value.getType());
  }
  mlir::Value emitFixed(const einsum::LinearAxis &axis);
  mlir::Value getIndex(mlir::Value number);
  mlir::Value loadView(const View &view, llvm::ArrayRef<int64_t> shape,
                       mlir::Value step);

  //===--------------------------------------------------------------------===//
  // The result
  //===--------------------------------------------------------------------===//

  /// The shape of the tile of results, and the memory of one of its axes each.
  llvm::SmallVector<int64_t> getResultShape() const;
  mlir::Value getResultMask();
  mlir::Value getResultOffsets(mlir::Value memref,
                               llvm::ArrayRef<unsigned> indices);
  std::optional<View> getResultView(mlir::Value memref,
                                    llvm::ArrayRef<unsigned> indices);
  mlir::Value emitResult();
  mlir::Value loadResultLeaf(const lowering::Leaf &leaf, ReadCounts &counts);
  void emitStore(mlir::Value result);

  //===--------------------------------------------------------------------===//
  // Operands (OperandEmitter.cpp)
  //===--------------------------------------------------------------------===//

  Source emitSource(Contraction &contraction, unsigned operand);
  LeafSource emitLeaf(Contraction &contraction, unsigned operand,
                      const lowering::Leaf &leaf);
  std::optional<View> getView(Contraction &contraction, unsigned operand,
                              const lowering::Leaf &leaf,
                              const einsum::OperandAccess &access);
  Offsets passOffsets(Contraction &contraction, unsigned operand,
                      llvm::ArrayRef<mlir::AffineExpr> exprs,
                      llvm::ArrayRef<mlir::OpFoldResult> factors,
                      const StepPattern &pattern, mlir::Value &inGroups);
  mlir::Value loadOffsets(Contraction &contraction, unsigned operand,
                          const Offsets &offsets, const Step &step);
  void emitPositions(Source &source, Contraction &contraction,
                     unsigned operand);
  mlir::Value emitLoad(const Source &source, Contraction &contraction,
                       unsigned operand, const Step &step);
  mlir::Value emitCopied(Contraction &contraction, unsigned operand);

  /// Which axis of an operand's block runs along the sum; rows or columns run
  /// along the other one.
  unsigned getDepthAxis(Contraction &contraction, unsigned operand) const {
    return contraction.plan.usesDot() && operand == 1 ? 0 : 1;
  }
  unsigned getExternalAxis(Contraction &contraction, unsigned operand) const {
    return contraction.plan.hasDepth() ? 1 - getDepthAxis(contraction, operand)
                                       : 0;
  }
  const BlockAxis &getBlockAxis(Contraction &contraction,
                                unsigned operand) const {
    return contraction.plan.usesDot() && operand == 1 ? columns : rows;
  }
  llvm::SmallVector<int64_t> getShape(Contraction &contraction,
                                      unsigned operand) const;

  //===--------------------------------------------------------------------===//
  // Sums (SumEmitter.cpp)
  //===--------------------------------------------------------------------===//

  mlir::Value emitSum(Contraction &contraction);
  mlir::Value emitStep(Contraction &contraction,
                       llvm::ArrayRef<mlir::Value> tiles, mlir::Value sum);

  //===--------------------------------------------------------------------===//
  // Boxes (BoxEmitter.cpp)
  //===--------------------------------------------------------------------===//

  /// Whether some box along `index` is outside of all of its values, in
  /// programs beyond all rows.
  bool mayBeBeyond(unsigned index) const;
  void unpackBoxes(mlir::Value number, llvm::ArrayRef<unsigned> group);
  mlir::Value lookUp(Contraction &contraction, einsum::LookupAttr lookup);
  mlir::Value loadBox(Contraction &contraction, mlir::Value memref,
                      llvm::ArrayRef<mlir::AffineExpr> axes,
                      llvm::ArrayRef<unsigned> order);
  mlir::Value loadBoxOfOperand(Contraction &contraction, unsigned operand);
  mlir::Value emitBoxSum(Contraction &contraction);
  mlir::Value loadBoxOfResult(const lowering::Leaf &leaf);
  void storeBox(mlir::Value result);
  void launchBoxes();

  Fusion &fusion;
  const TilePlan &plan; // of the first contraction; all divide results alike
  HostEmitter &host;    // likewise
  /// The values of the indices of the result; null is 0.
  llvm::SmallVector<mlir::Value> indices;
  BlockAxis rows, columns;
  /// The numbers of this program along M and N, of i32; null: as in the grid.
  std::array<mlir::Value, 2> grouped;
  /// The values that the loop of the sum being emitted carries: pointers to the
  /// entries of a step in tables.
  llvm::SmallVector<mlir::Value> carried;
  ReadCounts counts;
  std::optional<BoxPlan> boxes;
  /// Where the box of this program, and of the step, begins along each index:
  /// an index; null is 0.
  llvm::SmallVector<mlir::Value> starts;
};

} // namespace tileir::to_tile

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEKERNELEMITTER_H
