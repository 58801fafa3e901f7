//===- AxisInfo.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lattice and the way through control flow; AxisInfoTransfer.cpp knows the
// ops.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

int64_t tile::getPowerOfTwo(int64_t divisor) {
  return divisor & (~uint64_t(divisor) + 1);
}

//===----------------------------------------------------------------------===//
// AxisInfo
//===----------------------------------------------------------------------===//

bool AxisProperties::operator==(const AxisProperties &other) const {
  return contiguity == other.contiguity && divisibility == other.divisibility &&
         constancy == other.constancy;
}

AxisInfo::AxisInfo(Type type)
    : axes(std::max<size_t>(getShape(type).size(), 1)) {
  if (auto memref = dyn_cast<MemRefType>(type)) {
    axes.resize(memref.getRank() + !memref.getRank());
    for (auto [properties, size] : llvm::zip(axes, memref.getShape()))
      properties.divisibility = ShapedType::isDynamic(size) ? 1 : size;
  }
  if (auto pointer = dyn_cast<PtrType>(getElement(type)))
    unit = llvm::divideCeil(pointer.getPointee().getIntOrFloatBitWidth(), 8);
}

AxisInfo::AxisInfo(Type type, int64_t divisibility, bool isConstant)
    : AxisInfo(type) {
  for (AxisProperties &properties : axes)
    properties.divisibility = divisibility;
  if (isConstant && TileType::isTile(type))
    for (auto [properties, size] : llvm::zip(axes, getShape(type)))
      properties.constancy = size;
}

int64_t AxisInfo::getDivisor(unsigned axis, int64_t stride) const {
  const AxisProperties &properties = axes[axis];
  int64_t step = std::gcd(properties.contiguity, stride);
  if (step == properties.contiguity)
    return properties.divisibility;
  // The first of a run, and every step-th one after it. The run may wrap.
  return getPowerOfTwo(std::gcd(properties.divisibility, step * unit));
}

int64_t AxisInfo::getDivisor() const {
  int64_t best = 1;
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    int64_t divisor = getDivisor(axis, 1);
    if (divisor == 0)
      return 0;
    best = std::max(best, divisor);
  }
  return best;
}

void AxisInfo::cutRuns(unsigned axis, int64_t length) {
  int64_t divisor = getDivisor(axis, length);
  axes[axis].contiguity = length;
  axes[axis].divisibility = divisor;
}

AxisInfo AxisInfo::join(const AxisInfo &lhs, const AxisInfo &rhs) {
  if (lhs.isUnset() || rhs.isUnset())
    return lhs.isUnset() ? rhs : lhs;
  AxisInfo result = lhs;
  if (lhs.value != rhs.value)
    result.value.reset();
  for (unsigned axis = 0; axis < lhs.getNumAxes(); ++axis) {
    int64_t run = std::gcd(lhs[axis].contiguity, rhs[axis].contiguity);
    result.axes[axis] = {
        run, std::gcd(lhs.getDivisor(axis, run), rhs.getDivisor(axis, run)),
        std::gcd(lhs[axis].constancy, rhs[axis].constancy)};
  }
  return result;
}

bool AxisInfo::operator==(const AxisInfo &other) const {
  return axes == other.axes && unit == other.unit && value == other.value;
}

void AxisInfo::print(raw_ostream &os) const {
  auto printList = [&](StringRef name, int64_t AxisProperties::*property) {
    os << name << " = [";
    llvm::interleaveComma(axes, os, [&](const AxisProperties &properties) {
      os << properties.*property;
    });
    os << ']';
  };
  printList("contiguity", &AxisProperties::contiguity);
  printList(", divisibility", &AxisProperties::divisibility);
  printList(", constancy", &AxisProperties::constancy);
  if (value)
    os << ", value = " << *value;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

static bool isInteger(Type type) { return getElement(type).isIntOrIndex(); }

LogicalResult
AxisInfoAnalysis::visitOperation(Operation *op,
                                 ArrayRef<const AxisInfoLattice *> operands,
                                 ArrayRef<AxisInfoLattice *> results) {
  // An operand not yet reached may still turn out to be anything.
  SmallVector<AxisInfo> operandInfos;
  for (const AxisInfoLattice *operand : operands) {
    if (operand->getValue().isUnset())
      return success();
    operandInfos.push_back(operand->getValue());
  }
  auto getLattice = [&](Value value) {
    return getOrCreateFor<dataflow::IntegerValueRangeLattice>(
        getProgramPointAfter(op), value);
  };
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      if (isInteger(value.getType()) &&
          getLattice(value)->getValue().isUninitialized())
        return success();
  auto getRange = [&](Value value) {
    return getLattice(value)->getValue().getValue();
  };

  for (auto [result, lattice] : llvm::zip(op->getResults(), results)) {
    AxisInfo info(result.getType());
    if (isInteger(result.getType()) || isa<MemRefType>(result.getType()) ||
        isa<PtrType>(getElement(result.getType())))
      info = inferAxisInfo(result, operandInfos, getRange);
    propagateIfChanged(lattice, lattice->join(info));
  }
  return success();
}

void AxisInfoAnalysis::visitNonControlFlowArguments(
    Operation *op, const RegionSuccessor &successor,
    ArrayRef<AxisInfoLattice *> arguments, unsigned firstIndex) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  auto variables = loop ? loop.getLoopInductionVars() : std::nullopt;
  auto starts = loop ? loop.getLoopLowerBounds() : std::nullopt;
  auto steps = loop ? loop.getLoopSteps() : std::nullopt;
  if (!variables || !starts || !steps)
    return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
        op, successor, arguments, firstIndex);
  // start + i * step, which ends before it could wrap.
  ProgramPoint *point =
      getProgramPointBefore(&successor.getSuccessor()->front());
  auto getDivisor = [&](OpFoldResult bound) -> std::optional<int64_t> {
    if (auto constant = getConstantIntValue(bound))
      return std::abs(*constant);
    const AxisInfo &info =
        getLatticeElementFor(point, cast<Value>(bound))->getValue();
    return info.isUnset() ? std::nullopt : std::optional(info.getDivisor());
  };
  auto forOp = dyn_cast<scf::ForOp>(op);
  bool isUnsigned = forOp && forOp.getUnsignedCmp();
  for (auto [variable, start, step] : llvm::zip(*variables, *starts, *steps)) {
    auto startDivisor = getDivisor(start), stepDivisor = getDivisor(step);
    if (!startDivisor || !stepDivisor)
      continue;
    int64_t divisor = std::gcd(*startDivisor, *stepDivisor);
    // Great unsigned numbers are negative ones here.
    if (isUnsigned)
      divisor = getPowerOfTwo(divisor);
    AxisInfoLattice *lattice = getLatticeElement(variable);
    propagateIfChanged(lattice,
                       lattice->join(AxisInfo(variable.getType(), divisor)));
  }
}

/// The properties of an argument that its attributes promise.
static AxisInfo getArgumentInfo(FunctionOpInterface function, unsigned number) {
  Type type = function.getArgumentTypes()[number];
  AxisInfo info(type);
  if (isa<MemRefType>(type)) {
    if (auto multiples = function.getArgAttrOfType<DenseI64ArrayAttr>(
            number, TileDialect::kSizeMultipleOf))
      for (auto [axis, multiple] : llvm::enumerate(multiples.asArrayRef()))
        if (cast<MemRefType>(type).isDynamicDim(axis))
          info[axis].divisibility = multiple;
    return info;
  }
  auto multiple =
      function.getArgAttrOfType<IntegerAttr>(number, TileDialect::kMultipleOf);
  return multiple ? AxisInfo(type, multiple.getInt()) : info;
}

void AxisInfoAnalysis::setToEntryState(AxisInfoLattice *lattice) {
  Value value = lattice->getAnchor();
  AxisInfo info(value.getType());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (function && argument.getOwner() == &function.getFunctionBody().front())
      info = getArgumentInfo(function, argument.getArgNumber());
  }
  propagateIfChanged(lattice, lattice->join(info));
}

void tile::loadAxisInfoAnalysis(DataFlowSolver &solver) {
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  solver.load<AxisInfoAnalysis>();
}

AxisInfo tile::getAxisInfo(const DataFlowSolver &solver, Value value) {
  auto *lattice = solver.lookupState<AxisInfoLattice>(value);
  if (!lattice || lattice->getValue().isUnset())
    return AxisInfo(value.getType());
  return lattice->getValue();
}
