//===- StructuredKernel.cpp - The kernel of a structured op ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The positions of the parallel loops are numbered in row-major order, and a
// program takes `block` of them, as one tile. Indices come from their numbers
// by division, pointers from indices by the strides of operands. What depends
// on no reduction is loaded before the loop over the reductions, whose
// iterations are numbered likewise. The region is emitted on tiles, its index
// as i64.
//
//===----------------------------------------------------------------------===//

#include "StructuredKernel.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::linalg_to_tile;

/// The fewest elements of a tile: those of a warp.
static constexpr int64_t kMinBlock = 32;

StructuredKernel::StructuredKernel(OpBuilder &hostBuilder, linalg::LinalgOp op,
                                   StringRef name, SymbolTable &symbols,
                                   int64_t block)
    : KernelBuilder(hostBuilder, op.getLoc(), name, symbols), op(op),
      block(block), sizes(getLoopSizes(hostBuilder, op)),
      groups(groupLoops(op)), indices(op.getNumLoops()) {
  for (OpOperand &operand : op->getOpOperands())
    for (auto [axis, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        known[{operand.get(), axis}] = sizes[dim.getPosition()];
  if (auto total = getConstantIntValue(getTotal(/*ofReductions=*/false)))
    this->block = std::min<int64_t>(
        block, std::max<int64_t>(kMinBlock, llvm::PowerOf2Ceil(*total)));
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// `number` as a scalar or a tile, as `type` says.
Value StructuredKernel::getNumber(OpFoldResult number, Type type) {
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return splatNumber(number, tile);
  return passNumber(number);
}

Value StructuredKernel::toTile(Value value) {
  return splat(value, getTile({block}, getElement(value.getType())));
}

Value StructuredKernel::emitIndex(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return createScalarOrSplatConstant(builder, loc, i64, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return indices[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = emitIndex(binary.getLHS()), rhs = emitIndex(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return combine<arith::AddIOp>(lhs, rhs);
  case AffineExprKind::Mul:
    return combine<arith::MulIOp>(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return combine<arith::DivUIOp>(lhs, rhs);
  case AffineExprKind::Mod:
    return combine<arith::RemUIOp>(lhs, rhs);
  default:
    llvm_unreachable("not computable");
  }
}

/// The number of positions of the parallel loops, or of the reductions.
OpFoldResult StructuredKernel::getTotal(bool ofReductions) {
  OpFoldResult total = hostBuilder.getIndexAttr(1);
  for (const LoopGroup &group : groups)
    if (group.isReduction == ofReductions)
      for (unsigned loop = group.first; loop <= group.last; ++loop)
        total = linalg_to_tile::multiply(hostBuilder, loc, total, sizes[loop]);
  return total;
}

/// Unpacks the indices along the parallel loops, or the reductions, at a
/// position.
void StructuredKernel::setIndices(Value position, bool ofReductions) {
  SmallVector<const LoopGroup *> here;
  for (const LoopGroup &group : groups)
    if (group.isReduction == ofReductions)
      here.push_back(&group);
  for (auto [i, group] : llvm::enumerate(llvm::reverse(here))) {
    OpFoldResult size = hostBuilder.getIndexAttr(1);
    for (unsigned loop = group->first; loop <= group->last; ++loop)
      size = linalg_to_tile::multiply(hostBuilder, loc, size, sizes[loop]);
    Value &index = indices[group->last];
    if (isConstantIntValue(size, 1)) {
      index = getNumber(hostBuilder.getIndexAttr(0), i64);
    } else if (i + 1 == here.size()) {
      index = position;
    } else {
      Value divisor = getNumber(size, position.getType());
      index = combine<arith::RemUIOp>(position, divisor);
      position = combine<arith::DivUIOp>(position, divisor);
    }
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

StridedView StructuredKernel::getView(Value memref) {
  auto getSize = [&](Value viewed, int64_t axis) {
    OpFoldResult &size = known[{viewed, axis}];
    if (!size)
      size = memref::getMixedSize(hostBuilder, loc, viewed, axis);
    return size;
  };
  return linalg_to_tile::getView(hostBuilder, loc, memref, getSize);
}

/// What is known of the pointer to a memref without gaps.
StringRef StructuredKernel::getAssumption(Value root) {
  bool isWritten = llvm::any_of(
      op.getDpsInits(), [&](Value output) { return findRoot(output) == root; });
  return isWritten ? StringRef() : StringRef(TileDialect::kReadOnly);
}

/// The pointer to the first element of a view.
Value StructuredKernel::getPointer(const StridedView &view) {
  Value pointer = passPointer(view.root, getAssumption(view.root));
  if (isConstantIntValue(view.offset, 0))
    return pointer;
  return AddPtrOp::create(builder, loc, pointer, passNumber(view.offset));
}

/// Whether an index changes in the loop over the reductions.
bool StructuredKernel::isMovedByReductions(AffineExpr index) {
  return llvm::any_of(groups, [&](const LoopGroup &group) {
    return group.isReduction && index.isFunctionOfDim(group.last);
  });
}

StructuredKernel::Access StructuredKernel::getAccess(OpOperand &operand) {
  StridedView view = getView(operand.get());
  Access access;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Value offset = createScalarOrSplatConstant(builder, loc, i64, 0);
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), view.strides)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    // The index of a group of loops runs along its last axis.
    if (dim && llvm::none_of(groups, [&](const LoopGroup &group) {
          return group.last == dim.getPosition();
        }))
      continue;
    if (isMovedByReductions(expr))
      access.moves.push_back({expr, stride});
    else
      offset = combine<arith::AddIOp>(
          offset, combine<arith::MulIOp>(emitIndex(expr), passNumber(stride)));
  }
  access.pointers = pointTo(getPointer(view), toTile(offset));
  return access;
}

/// Loads from where an access is, in the loop over the reductions or before it.
Value StructuredKernel::load(const Access &access) {
  Value pointers = access.pointers;
  if (!access.moves.empty()) {
    Value offset;
    for (auto [expr, stride] : access.moves) {
      Value move = combine<arith::MulIOp>(emitIndex(expr), passNumber(stride));
      offset = offset ? combine<arith::AddIOp>(offset, move) : move;
    }
    pointers = AddPtrOp::create(builder, loc, pointers, toTile(offset));
  }
  return LoadOp::create(builder, loc, pointers, inside, /*other=*/Value());
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// The outputs after all iterations of the reductions.
SmallVector<Value> StructuredKernel::emitReductions(ValueRange outputs) {
  Type index = builder.getIndexType();
  Value size = passNumber(getTotal(/*ofReductions=*/true));
  auto loop = scf::ForOp::create(
      builder, loc, arith::ConstantIndexOp::create(builder, loc, 0),
      arith::IndexCastOp::create(builder, loc, index, size),
      arith::ConstantIndexOp::create(builder, loc, 1), outputs);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  setIndices(
      arith::IndexCastOp::create(builder, loc, i64, loop.getInductionVar()),
      /*ofReductions=*/true);
  scf::YieldOp::create(builder, loc, emitRegion(loop.getRegionIterArgs()));
  return loop.getResults();
}

void StructuredKernel::emit() {
  OpFoldResult total = getTotal(/*ofReductions=*/false);
  Value program = arith::ExtSIOp::create(
      builder, loc, i64, ProgramIdOp::create(builder, loc, tile::Axis::X));
  Value start =
      multiply(program, createScalarOrSplatConstant(builder, loc, i64, block));
  Value positions = add(toTile(start), createRange(block));
  auto known = getConstantIntValue(total);
  if (!known || *known % block != 0)
    inside = isBelow(positions, splatNumber(total, getTile({block}, i64)));
  setIndices(positions, /*ofReductions=*/false);

  for (OpOperand &operand : op->getOpOperands()) {
    bool isOutput = op.isDpsInit(&operand);
    if (!isa<MemRefType>(operand.get().getType()) ||
        !(isOutput || isRead(op, operand)))
      continue;
    unsigned number = operand.getOperandNumber();
    const Access &access = accesses[number] = getAccess(operand);
    if (!isOutput && access.moves.empty())
      invariants[number] = load(access);
  }
  bool reduces = op.getNumReductionLoops() != 0;
  SmallVector<Value> outputs;
  for (OpOperand &operand : op.getDpsInitsMutable())
    outputs.push_back(reduces || isRead(op, operand)
                          ? load(accesses.at(operand.getOperandNumber()))
                          : Value());
  outputs = reduces ? emitReductions(outputs) : emitRegion(outputs);
  for (auto [operand, value] :
       llvm::zip_equal(op.getDpsInitsMutable(), outputs))
    StoreOp::create(builder, loc,
                    accesses.at(operand.getOperandNumber()).pointers, value,
                    inside);

  Value one = arith::ConstantIndexOp::create(hostBuilder, loc, 1);
  Value size = getValueOrCreateConstantIndexOp(hostBuilder, loc, total);
  Value width = arith::ConstantIndexOp::create(hostBuilder, loc, block);
  launch({hostBuilder.createOrFold<arith::CeilDivUIOp>(loc, size, width), one,
          one});
}
