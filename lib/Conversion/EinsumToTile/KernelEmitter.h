//===- KernelEmitter.h - The kernel of one fusion -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is in three sources: KernelEmitter.cpp (blocks, epilogue and
// store), OperandEmitter.cpp (what is read in each step of a sum), and
// SumEmitter.cpp (its loop).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELEMITTER_H

#include "HostEmitter.h"
#include "KernelBuilder.h"
#include "PointwiseEmitter.h"

#include "tileir/Dialect/Einsum/IR/LetterSizes.h"

namespace tileir {

/// A contraction of a kernel.
struct Contraction {
  Contraction(mlir::OpBuilder &builder, einsum::ContractOp op,
              einsum::ContractOp form, BlockShape block,
              std::optional<BlockShape> minBlock, bool checksReads,
              mlir::SymbolTable &symbols)
      : op(op), plan(form, block, minBlock, checksReads),
        sizes(einsum::reifyLetterSizes(builder, form)),
        host(builder, plan, sizes, symbols) {}

  /// As it stands, with what is read of each operand.
  einsum::ContractOp op;
  /// Of its form on memrefs, which tells the shapes of operands.
  TilePlan plan;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  HostEmitter host;
};

/// What becomes one kernel.
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
};

/// How often a kernel reads in each way.
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
  llvm::SmallVector<unsigned> letters;

  /// The letter that is the position along this axis, if it is one letter.
  std::optional<unsigned> getLetter() const {
    return letters.size() == 1 ? std::optional<unsigned>(letters.front())
                               : std::nullopt;
  }
};

/// A dense block of a memref. Each axis of the memref stays at an index or runs
/// along an axis of the tile.
struct View {
  mlir::Value memref;
  /// The index at which each axis starts; null: at the step of the sum.
  llvm::SmallVector<mlir::Value> indices;
  /// The axes that run, in order, and the axes of the tile along which.
  llvm::SmallVector<int64_t> axes;
  llvm::SmallVector<unsigned> along;
  /// Whether no program's block leaves the memref along them.
  llvm::SmallVector<bool, 2> inside;
};

/// How a program reads one leaf of an operand.
struct LeafSource {
  std::optional<View> view;
  /// Else pointers to what the first step reads, a tile of the block's shape,
  /// and what they advance by per step (a scalar), or the table of offsets.
  mlir::Value pointers, advance, table;
};

/// How a program reads one operand.
struct Source {
  Expression expression;
  llvm::SmallVector<LeafSource, 1> leaves; // as the expression lists them
  /// A mask that does not change from step to step; null if all is true.
  mlir::Value mask;
  /// Axes to compare with the operand's size in each step.
  struct Position {
    mlir::Value external; // a tile of the block's shape
    mlir::Value table;
    mlir::Value size; // likewise
  };
  llvm::SmallVector<Position> positions;
};

class KernelEmitter : KernelBuilder {
public:
  KernelEmitter(mlir::OpBuilder &hostBuilder, Fusion &fusion,
                mlir::SymbolTable &symbols);

  ReadCounts emit();

private:
  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  mlir::Value getProgram(tile::Axis axis);
  BlockAxis emitAxis(tile::Axis gridAxis, llvm::ArrayRef<unsigned> group,
                     int64_t size);
  void unpack(mlir::Value position, llvm::ArrayRef<unsigned> group);
  mlir::Value emitExternal(Contraction &contraction, mlir::AffineExpr expr,
                           const BlockAxis &axis);
  mlir::Value emitLookup(Contraction &contraction, einsum::LookupAttr lookup,
                         const BlockAxis &axis);
  mlir::Value emitOffset(Contraction &contraction,
                         llvm::ArrayRef<mlir::AffineExpr> exprs,
                         llvm::ArrayRef<mlir::OpFoldResult> strides,
                         const BlockAxis &axis);
  /// The value of a letter; null is 0, as for summed letters of one value.
  mlir::Value getLetter(unsigned letter) const {
    return letter < letters.size() ? letters[letter] : mlir::Value();
  }
  /// Whether a letter has one value in a program.
  bool isFixed(unsigned letter) const {
    mlir::Value value = getLetter(letter);
    return !value || !llvm::isa<mlir::RankedTensorType>(value.getType());
  }
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
                               llvm::ArrayRef<unsigned> letters);
  std::optional<View> getResultView(mlir::Value memref,
                                    llvm::ArrayRef<unsigned> letters);
  mlir::Value emitResult();
  mlir::Value loadResultLeaf(const Leaf &leaf);
  void emitStore(mlir::Value result);

  //===--------------------------------------------------------------------===//
  // Operands (OperandEmitter.cpp)
  //===--------------------------------------------------------------------===//

  Source emitSource(Contraction &contraction, unsigned operand);
  LeafSource emitLeaf(Contraction &contraction, unsigned operand,
                      const Leaf &leaf);
  std::optional<View> getView(Contraction &contraction, unsigned operand,
                              const Access &access, mlir::Value memref);
  mlir::Value passTable(Contraction &contraction, unsigned operand,
                        llvm::ArrayRef<mlir::AffineExpr> exprs,
                        llvm::ArrayRef<mlir::OpFoldResult> factors);
  void emitPositions(Source &source, Contraction &contraction,
                     unsigned operand);
  /// Loads the block of an operand. `step` is the first position of the step in
  /// the sum, `stepInside` says which ones there are (null: all); `pointers`
  /// are those of leaves that advance.
  mlir::Value emitLoad(const Source &source, Contraction &contraction,
                       unsigned operand, mlir::ValueRange &pointers,
                       mlir::Value step, mlir::Value stepInside);
  mlir::Value loadTable(Contraction &contraction, mlir::Value table,
                        mlir::Value step);

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

  Fusion &fusion;
  const TilePlan &plan; // of the first contraction; all divide results alike
  HostEmitter &host;    // likewise
  /// The values of the letters of the result; null is 0.
  llvm::SmallVector<mlir::Value> letters;
  BlockAxis rows, columns;
  ReadCounts counts;
};

} // namespace tileir

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELEMITTER_H
