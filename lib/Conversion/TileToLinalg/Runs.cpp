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
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "TileEvaluator.h"
#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// How values go along the last axis.
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

static Steps getSteps(Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (!type || type.getShape().back() == 1)
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
  if (isa<BroadcastOp, ReshapeOp>(op)) {
    Value source = op->getOperand(0);
    ArrayRef<int64_t> from = getShape(source.getType());
    if (isa<BroadcastOp>(op) && (from.empty() || from.back() == 1))
      return {Steps::Uniform};
    if (from.empty() || from.back() != type.getShape().back())
      return unknown;
    // Of the shape of the access, so that its indices are those of the access.
    Steps steps = getSteps(source);
    return steps.kind == Steps::Value ? unknown : steps;
  }
  if (isa<AddPtrOp, arith::AddIOp>(op))
    return add(tile, getSteps(op->getOperand(0)), getSteps(op->getOperand(1)));
  if (isa<arith::SubIOp>(op)) {
    Steps rhs = getSteps(op->getOperand(1));
    return rhs.kind == Steps::Uniform ? getSteps(op->getOperand(0)) : unknown;
  }
  // Where these tear a run apart, its ends are not as far apart any more.
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op))
    return getSteps(op->getOperand(0));
  if ((OpTrait::hasElementwiseMappableTraits(op) ||
       isa<IntToPtrOp, PtrToIntOp, PtrToPtrOp>(op)) &&
      llvm::all_of(op->getOperands(), [](Value operand) {
        return getSteps(operand).kind == Steps::Uniform;
      }))
    return {Steps::Uniform};
  return unknown;
}

/// The run of an access to `pointers`, under `mask` and with `other` elements,
/// which may be null.
static Run findRun(const DataFlowSolver &solver, Value pointers, Value mask,
                   Value other) {
  auto type = dyn_cast<RankedTensorType>(pointers.getType());
  if (!type || type.getRank() == 0)
    return {};
  Type element = cast<PtrType>(type.getElementType()).getPointee();
  if (!element.isInteger(8) && !element.isInteger(16) &&
      !element.isInteger(32) && !element.isInteger(64) &&
      !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return {};
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  auto isVector = [&](Value tile) {
    return !tile || TileEvaluator::hasVectors(tile, type.getNumElements());
  };
  int64_t size = type.getShape().back();
  int64_t lanes = std::gcd(size, kMostBytes / bytes);
  if (lanes < kLeastLanes || !isVector(mask) || !isVector(other))
    return {};
  AxisInfo info = getAxisInfo(solver, pointers);
  int64_t known = std::gcd(info[type.getRank() - 1].contiguity, lanes);
  if (known == lanes || known * bytes >= kLeastBytes)
    return {known};
  Steps steps = getSteps(pointers);
  if (steps.kind == Steps::ByOne)
    return {lanes, /*isChecked=*/true};
  if (steps.kind == Steps::Value && isVector(steps.value))
    return {lanes, /*isChecked=*/true, steps.value};
  return known >= kLeastLanes ? Run{known} : Run();
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
