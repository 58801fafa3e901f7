//===- ReduceInWarps.cpp - Reductions and scans within warps --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions along an axis that warps share are done in three steps: by each
// warp of what it has, a conversion of one element per warp to a layout in
// which each warp has all of those, and a reduction of these. Scans are
// converted as a whole, as each element of the result needs those before.
//
//===----------------------------------------------------------------------===//

#include "ReduceInWarps.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::Coordinate;
using layout::InDim;
using layout::LinearLayout;

static LinearLayout getLinearLayout(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return getLayout(type).getLayout(type.getShape());
}

static RankedTensorType withLayout(Value tile, const LinearLayout &layout) {
  auto type = cast<RankedTensorType>(tile.getType());
  return RankedTensorType::get(layout.getShape(), type.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

/// `value` in the layout of `type`.
static Value convert(RewriterBase &rewriter, Location loc, Type type,
                     Value value) {
  if (value.getType() == type)
    return value;
  return ConvertLayoutOp::create(rewriter, loc, type, value);
}

uint32_t tile::getWarpMask(const LinearLayout &layout, unsigned axis) {
  uint32_t mask = 0;
  for (unsigned bit = 0; bit < layout.getNumBits(InDim::Warp); ++bit)
    mask |= layout.getBasis(InDim::Warp, bit)[axis];
  return mask;
}

static unsigned countCopies(const LinearLayout &layout) {
  unsigned count = 0;
  for (InDim in : layout::kInDims)
    count += llvm::popcount(layout.getFreeBits(in));
  return count;
}

/// `layout` with registers for what warps choose along `axis`.
static LinearLayout gatherAxis(const LinearLayout &layout, unsigned axis) {
  LinearLayout result = layout;
  SmallVector<uint64_t> warps, registers;
  for (unsigned bit = 0; bit < layout.getNumBits(InDim::Warp); ++bit) {
    Coordinate kept = layout.getBasis(InDim::Warp, bit);
    Coordinate moved(kept.size(), 0);
    std::swap(kept[axis], moved[axis]);
    warps.push_back(layout.getElement(kept));
    registers.push_back(layout.getElement(moved));
  }
  result.setBases(InDim::Warp, warps);
  for (uint64_t basis : registers) {
    LinearLayout more = result;
    more.addBasis(InDim::Register, basis);
    if (countCopies(more) == countCopies(result))
      result = more;
  }
  return result;
}

/// Reduces what each warp has along the axis, and gives the tile whose only
/// elements along `axis` are those of different warps, or `source` itself if
/// warps do not have parts of the axis side by side.
static Value reducePartsOfWarps(RewriterBase &rewriter, ReduceOp op) {
  Value source = op.getSource();
  int64_t axis = op.getAxis();
  LinearLayout layout = getLinearLayout(source);
  uint32_t mask = getWarpMask(layout, axis);
  if (!llvm::isShiftedMask_32(mask))
    return source;
  SmallVector<int64_t> shape(layout.getShape());
  int64_t inner = int64_t(1) << llvm::countr_zero(mask);
  int64_t warps = int64_t(1) << llvm::popcount(mask);
  int64_t outer = shape[axis] / (inner * warps);
  shape[axis] = warps;
  SmallVector<int64_t, 2> parts; // the later axis first
  if (inner > 1) {
    shape.insert(shape.begin() + axis + 1, inner);
    parts.push_back(axis + 1 + (outer > 1));
  }
  if (outer > 1) {
    shape.insert(shape.begin() + axis, outer);
    parts.push_back(axis);
  }
  if (parts.empty())
    return source;
  source = ReshapeOp::create(rewriter, op.getLoc(),
                             withLayout(source, layout.reshape(shape)), source);
  for (int64_t part : parts)
    source =
        ReduceOp::create(rewriter, op.getLoc(), op.getCombiner(), source, part);
  return source;
}

static void reduceAcrossWarps(RewriterBase &rewriter, ReduceOp op) {
  rewriter.setInsertionPoint(op);
  Value source = reducePartsOfWarps(rewriter, op);
  LinearLayout gathered = gatherAxis(getLinearLayout(source), op.getAxis());
  source = convert(rewriter, op.getLoc(), withLayout(source, gathered), source);
  Value result = ReduceOp::create(rewriter, op.getLoc(), op.getCombiner(),
                                  source, op.getAxis());
  rewriter.replaceOp(op, convert(rewriter, op.getLoc(), op.getType(), result));
}

static void scanAcrossWarps(RewriterBase &rewriter, ScanOp op) {
  rewriter.setInsertionPoint(op);
  LinearLayout gathered =
      gatherAxis(getLinearLayout(op.getSource()), op.getAxis());
  Value source = convert(rewriter, op.getLoc(),
                         withLayout(op.getSource(), gathered), op.getSource());
  Value result =
      ScanOp::create(rewriter, op.getLoc(), source.getType(), op.getCombiner(),
                     source, op.getAxis(), op.getReverse());
  rewriter.replaceOp(op, convert(rewriter, op.getLoc(), op.getType(), result));
}

unsigned tile::reduceInWarps(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    auto reduce = dyn_cast<ReduceOp>(op);
    auto scan = dyn_cast<ScanOp>(op);
    if ((!reduce && !scan) || !getKernel(op) ||
        !tile::getLayout(op->getOperand(0).getType()))
      return;
    int64_t axis = reduce ? reduce.getAxis() : scan.getAxis();
    if (getWarpMask(getLinearLayout(op->getOperand(0)), axis) != 0)
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : ops)
    if (auto reduce = dyn_cast<ReduceOp>(op))
      reduceAcrossWarps(rewriter, reduce);
    else
      scanAcrossWarps(rewriter, cast<ScanOp>(op));
  return ops.size();
}
