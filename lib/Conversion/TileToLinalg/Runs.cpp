//===- Runs.cpp -----------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the analysis of axes knows needs no check. Mostly it cannot know: a sum
// of i32 may wrap where it becomes an address, and `column % N` may begin anew
// anywhere. Where the pointers are a sum of what is the same for a row and of
// one tile that goes up by one, modulo its width, two addresses tell whether
// they lie side by side. Where it is not known whether that tile does go up by
// one, its elements are compared as well.
//
// Accesses along another axis than the last one are to a tile whose axes are
// turned: K of attention is read by rows of memory, which are columns of the
// tile.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "TileEvaluator.h"
#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

/// Bytes of the longest run: more make more code, and are no faster.
static constexpr int64_t kMostBytes = 128;
/// The least bytes of a run that needs no check, if longer ones need one.
static constexpr int64_t kLeastBytes = 32;
static constexpr int64_t kLeastLanes = 4;

namespace {

/// How values go along an axis.
struct Steps {
  enum Kind {
    Uniform, // they are equal
    ByOne,   // they go up by one, modulo the width of some integer
    Value,   // the same as `value`, which is of integers, and a uniform one
    Unknown
  } kind = Unknown;
  mlir::Value value = {};
};

} // namespace

/// The steps of a sum.
static Steps add(Value sum, Steps lhs, Steps rhs) {
  if (rhs.kind == Steps::Uniform)
    return lhs;
  if (lhs.kind == Steps::Uniform)
    return rhs;
  if (isa<PtrType>(getElement(sum.getType())))
    return {};
  return {Steps::Value, sum};
}

/// The axis of what a reshape takes along which elements go as along `axis` of
/// its result, if there is one.
static std::optional<int64_t> getReshapedAxis(ReshapeOp op, int64_t axis) {
  ArrayRef<int64_t> from = getShape(op.getSource().getType()),
                    to = getShape(op.getType());
  if (std::optional<SmallVector<int64_t>> axes = getAxes(op))
    if (const auto *it = llvm::find(*axes, axis); it != axes->end())
      return it - axes->begin();
  if (axis + 1 == static_cast<int64_t>(to.size()) && !from.empty() &&
      from.back() == to.back())
    return from.size() - 1;
  return std::nullopt;
}

static Steps getSteps(Value tile, int64_t axis) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (!type || type.getShape()[axis] == 1)
    return {Steps::Uniform};
  Operation *op = tile.getDefiningOp();
  Steps unknown;
  if (type.getElementType().isIntOrIndex())
    unknown = {Steps::Value, tile};
  if (!op)
    return unknown;
  if (isa<RangeOp>(op))
    return {Steps::ByOne};
  if (isa<SplatOp>(op))
    return {Steps::Uniform};
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue()) ? Steps{Steps::Uniform}
                                                       : unknown;
  // Of the shape of the access, so that its indices are those of the access.
  auto getOfShape = [&](Value source, int64_t from) {
    Steps steps = getSteps(source, from);
    return steps.kind == Steps::Value ? unknown : steps;
  };
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    ArrayRef<int64_t> shape = getShape(broadcast.getSource().getType());
    int64_t from = axis - (type.getRank() - static_cast<int64_t>(shape.size()));
    if (from < 0 || shape[from] == 1)
      return {Steps::Uniform};
    return getOfShape(broadcast.getSource(), from);
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    std::optional<int64_t> from = getReshapedAxis(reshape, axis);
    return from ? getOfShape(reshape.getSource(), *from) : unknown;
  }
  if (isa<AddPtrOp, arith::AddIOp>(op))
    return add(tile, getSteps(op->getOperand(0), axis),
               getSteps(op->getOperand(1), axis));
  if (isa<arith::SubIOp>(op)) {
    Steps rhs = getSteps(op->getOperand(1), axis);
    return rhs.kind == Steps::Uniform ? getSteps(op->getOperand(0), axis)
                                      : unknown;
  }
  // A range times a number is none, whatever the number is but for 1.
  if (isa<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_Constant()) &&
      getSteps(op->getOperand(0), axis).kind == Steps::ByOne)
    return {};
  // Where these tear a run apart, its ends are not as far apart any more.
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op))
    return getSteps(op->getOperand(0), axis);
  if ((OpTrait::hasElementwiseMappableTraits(op) ||
       isa<IntToPtrOp, PtrToIntOp, PtrToPtrOp>(op)) &&
      llvm::all_of(op->getOperands(), [&](Value operand) {
        return getSteps(operand, axis).kind == Steps::Uniform;
      }))
    return {Steps::Uniform};
  return unknown;
}

/// The run along an axis of an access to `pointers`, under `mask` and with
/// `other` elements, which may be null.
static Run findRun(const DataFlowSolver &solver, Value pointers, Value mask,
                   Value other, int64_t axis) {
  auto type = cast<RankedTensorType>(pointers.getType());
  Type element = cast<PtrType>(type.getElementType()).getPointee();
  if (!hasVectors(element))
    return {};
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  auto isVector = [&](Value tile) {
    return !tile ||
           TileEvaluator::hasVectors(tile, axis, type.getNumElements());
  };
  int64_t size = type.getShape()[axis];
  int64_t lanes = std::gcd(size, kMostBytes / bytes);
  if (lanes < kLeastLanes || !isVector(mask) || !isVector(other))
    return {};
  AxisInfo info = getAxisInfo(solver, pointers);
  int64_t known = std::gcd(info[axis].contiguity, lanes);
  if (known == lanes || known * bytes >= kLeastBytes)
    return {known, axis};
  Steps steps = getSteps(pointers, axis);
  if (steps.kind == Steps::ByOne)
    return {lanes, axis, /*isChecked=*/true};
  if (steps.kind == Steps::Value && isVector(steps.value))
    return {lanes, axis, /*isChecked=*/true, steps.value};
  return known >= kLeastLanes ? Run{known, axis} : Run();
}

/// How sure it is that elements lie side by side.
static int rank(const Run &run) {
  return run.lanes == 0 ? 0 : run.steps ? 1 : run.isChecked ? 2 : 3;
}

/// The run that is the most certain one, of such the one of the last axis.
static Run findRun(const DataFlowSolver &solver, Value pointers, Value mask,
                   Value other) {
  auto type = dyn_cast<RankedTensorType>(pointers.getType());
  if (!type)
    return {};
  Run best;
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    Run run = findRun(solver, pointers, mask, other, axis);
    if (rank(run) > rank(best))
      best = run;
  }
  return best;
}

std::optional<Runs> to_linalg::findRuns(ModuleOp module) {
  DataFlowSolver solver;
  loadAxisInfoAnalysis(solver);
  if (failed(solver.initializeAndRun(module)))
    return std::nullopt;
  Runs runs;
  module.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op); load && isPlainLoad(op))
      runs[op] =
          findRun(solver, load.getPtr(), load.getMask(), load.getOther());
    else if (auto store = dyn_cast<StoreOp>(op))
      runs[op] = findRun(solver, store.getPtr(), store.getMask(), Value());
  });
  return runs;
}
