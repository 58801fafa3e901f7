//===- Linalg.cpp - Structured operations ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any op with an iteration space, indexing maps and a region, by these alone:
// for each point in order, the region runs on the operands' elements, and what
// it yields is written to the outputs. Output tensors are copied first.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

namespace {
/// An operand: an array with its indexing map, or a scalar.
struct Operand {
  std::optional<Array> array;
  AffineMap map;
  Scalar scalar;
};
} // namespace

static FailureOr<SmallVector<Operand>> getOperands(Evaluator &evaluator,
                                                   linalg::LinalgOp op) {
  SmallVector<Operand> operands;
  for (OpOperand &use : op->getOpOperands()) {
    Operand &operand = operands.emplace_back();
    operand.map = op.getMatchingIndexingMap(&use);
    if (operand.map.getNumSymbols() != 0)
      return op.emitError(kUnknownToInterpreter)
             << "indexing maps with symbols";
    if (!isa<ShapedType>(use.get().getType())) {
      operand.scalar = evaluator.getScalar(use.get());
      continue;
    }
    auto array = getLive(evaluator, op, use.get());
    if (failed(array))
      return failure();
    operand.array = **array;
    if (op.isDpsInit(&use) && isa<TensorType>(use.get().getType())) {
      auto copy = clone(op, **array);
      if (failed(copy))
        return failure();
      operand.array = std::move(*copy);
    }
  }
  return operands;
}

/// The sizes of the iteration space, which all axes that a dimension indexes
/// alone must have.
static FailureOr<SmallVector<int64_t>>
getIterationSpace(linalg::LinalgOp op, ArrayRef<Operand> operands) {
  SmallVector<std::optional<int64_t>> sizes(op.getNumLoops());
  for (auto [number, operand] : llvm::enumerate(operands)) {
    if (!operand.array)
      continue;
    for (auto [axis, expr] : llvm::enumerate(operand.map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      int64_t size = operand.array->shape[axis];
      std::optional<int64_t> &known = sizes[dim.getPosition()];
      if (known && *known != size)
        return op.emitError("axis ")
               << axis << " of operand " << number << " has size " << size
               << ", but dimension " << dim.getPosition()
               << " of the iteration space has size " << *known;
      known = size;
    }
  }
  SmallVector<int64_t> result;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (!size)
      return op.emitError("no operand tells the size of dimension ")
             << dim << " of the iteration space";
    result.push_back(*size);
  }
  return result;
}

bool interp::isStructured(Operation *op) { return isa<linalg::LinalgOp>(op); }

LogicalResult interp::runStructured(Evaluator &evaluator, Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  auto operands = getOperands(evaluator, linalgOp);
  if (failed(operands))
    return failure();
  auto sizes = getIterationSpace(linalgOp, *operands);
  if (failed(sizes))
    return failure();
  int64_t reduction = 1;
  for (auto [size, type] :
       llvm::zip_equal(*sizes, linalgOp.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      reduction *= size;
  evaluator.noteReduction(reduction);

  SmallVector<unsigned> regionOperands, outputs;
  for (OpOperand *use : linalgOp.getOpOperandsMatchingBBargs())
    regionOperands.push_back(use->getOperandNumber());
  for (OpOperand &init : linalgOp.getDpsInitsMutable())
    outputs.push_back(init.getOperandNumber());

  SmallVector<int64_t> positions(operands->size());
  ProgressMeter progress(evaluator.options, op->getName().getStringRef());
  int64_t numPoints = getProduct(*sizes).value_or(0), numDone = 0;
  bool done = forEachIndex(*sizes, [&](ArrayRef<int64_t> point) {
    for (auto [operand, position] : llvm::zip_equal(*operands, positions)) {
      if (!operand.array)
        continue;
      auto index = evaluate(op, operand.map, point);
      auto found = succeeded(index) ? getPosition(op, *operand.array, *index)
                                    : FailureOr<int64_t>(failure());
      if (failed(found))
        return false;
      position = *found;
    }
    SmallVector<RuntimeValue> arguments;
    for (unsigned number : regionOperands) {
      const Operand &operand = (*operands)[number];
      arguments.push_back(operand.array ? operand.array->read(positions[number])
                                        : operand.scalar);
    }
    evaluator.linalgPoints.push_back(point);
    llvm::scope_exit leave([&] { evaluator.linalgPoints.pop_back(); });
    auto terminator = evaluator.run(op->getRegion(0), arguments);
    if (failed(terminator))
      return false;
    for (auto [number, value] :
         llvm::zip_equal(outputs, (*terminator)->getOperands()))
      (*operands)[number].array->write(positions[number],
                                       evaluator.getScalar(value));
    if (++numDone % 4096 == 0) // a clock costs as much as a small region
      progress.update(double(numDone) / numPoints);
    return true;
  });
  if (!done)
    return failure();
  // On tensors there is a result for each output, on memrefs there is none.
  for (auto [result, number] : llvm::zip(op->getResults(), outputs))
    evaluator.set(result, *(*operands)[number].array);
  return success();
}

static LogicalResult runIndex(Evaluator &evaluator, linalg::IndexOp op) {
  evaluator.set(op.getResult(),
                makeIndex(evaluator.linalgPoints.back()[op.getDim()]));
  return success();
}

void interp::addLinalgHandlers(HandlerTable &table) { table.add(runIndex); }
