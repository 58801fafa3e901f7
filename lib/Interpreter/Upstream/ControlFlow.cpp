//===- ControlFlow.cpp - func, scf and cf ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls, assertions and structured control flow. Branches between blocks are
// followed by Evaluator::run. Parallel loops run in order, the last dimension
// fastest.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

static void setResults(Evaluator &evaluator, Operation *op,
                       ArrayRef<RuntimeValue> values) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    evaluator.set(result, value);
}

static LogicalResult runCall(Evaluator &evaluator, func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee)
    return op.emitError("calls '")
           << op.getCallee() << "', which is not a function";
  auto results = evaluator.call(op, callee, evaluator.get(op.getOperands()));
  if (failed(results))
    return failure();
  setResults(evaluator, op, *results);
  return success();
}

static LogicalResult runAssert(Evaluator &evaluator, cf::AssertOp op) {
  if (evaluator.getScalar(op.getArg()).bits)
    return success();
  return op.emitError("assertion failed: ") << op.getMsg();
}

//===----------------------------------------------------------------------===//
// Sequential regions
//===----------------------------------------------------------------------===//

/// Runs a region without arguments for the results of `op`.
static LogicalResult runOnce(Evaluator &evaluator, Operation *op,
                             Region &region) {
  auto terminator = evaluator.run(region, {});
  if (failed(terminator))
    return failure();
  setResults(evaluator, op, evaluator.get((*terminator)->getOperands()));
  return success();
}

static LogicalResult runScfIf(Evaluator &evaluator, scf::IfOp op) {
  Region &region = evaluator.getScalar(op.getCondition()).bits
                       ? op.getThenRegion()
                       : op.getElseRegion();
  return region.empty() ? success() : runOnce(evaluator, op, region);
}

static LogicalResult runExecuteRegion(Evaluator &evaluator,
                                      scf::ExecuteRegionOp op) {
  return runOnce(evaluator, op, op.getRegion());
}

static LogicalResult runIndexSwitch(Evaluator &evaluator,
                                    scf::IndexSwitchOp op) {
  int64_t value = evaluator.getInt(op.getArg());
  for (auto [expected, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions()))
    if (value == expected)
      return runOnce(evaluator, op, region);
  return runOnce(evaluator, op, op.getDefaultRegion());
}

static LogicalResult runScfFor(Evaluator &evaluator, scf::ForOp op) {
  ElementKind kind = evaluator.getScalar(op.getLowerBound()).kind;
  // Unsigned comparison of a and b is signed comparison of a and b with the
  // highest bit of 64 flipped.
  auto getBound = [&](Value value) {
    Scalar bound = evaluator.getScalar(value);
    return op.getUnsignedCmp()
               ? int64_t(toUnsigned(bound) ^ (uint64_t(1) << 63))
               : toSigned(bound);
  };
  int64_t step = evaluator.getInt(op.getStep());
  auto tripCount = getTripCount(op, getBound(op.getLowerBound()),
                                getBound(op.getUpperBound()), step);
  if (failed(tripCount))
    return failure();
  int64_t lower = evaluator.getInt(op.getLowerBound());
  SmallVector<RuntimeValue> arguments = {Scalar()};
  llvm::append_range(arguments, evaluator.get(op.getInitArgs()));
  for (int64_t i = 0; i < *tripCount; ++i) {
    arguments.front() =
        makeInteger(kind, uint64_t(lower) + uint64_t(i) * uint64_t(step));
    auto terminator = evaluator.run(op.getRegion(), arguments);
    if (failed(terminator))
      return failure();
    arguments.truncate(1);
    llvm::append_range(arguments, evaluator.get((*terminator)->getOperands()));
  }
  setResults(evaluator, op, ArrayRef(arguments).drop_front());
  return success();
}

static LogicalResult runWhile(Evaluator &evaluator, scf::WhileOp op) {
  SmallVector<RuntimeValue> arguments = evaluator.get(op.getInits());
  while (true) {
    auto condition = evaluator.run(op.getBefore(), arguments);
    if (failed(condition))
      return failure();
    auto conditionOp = cast<scf::ConditionOp>(*condition);
    SmallVector<RuntimeValue> passed = evaluator.get(conditionOp.getArgs());
    if (!evaluator.getScalar(conditionOp.getCondition()).bits) {
      setResults(evaluator, op, passed);
      return success();
    }
    auto yield = evaluator.run(op.getAfter(), passed);
    if (failed(yield))
      return failure();
    arguments = evaluator.get((*yield)->getOperands());
  }
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

/// Calls `body` with the induction variables of each iteration.
static LogicalResult forEachIteration(
    Operation *op, ArrayRef<int64_t> lower, ArrayRef<int64_t> upper,
    ArrayRef<int64_t> steps,
    llvm::function_ref<LogicalResult(ArrayRef<RuntimeValue>)> body) {
  SmallVector<int64_t> counts;
  for (auto [first, last, step] : llvm::zip_equal(lower, upper, steps)) {
    auto count = getTripCount(op, first, last, step);
    if (failed(count))
      return failure();
    counts.push_back(*count);
  }
  SmallVector<RuntimeValue> variables(counts.size());
  return success(forEachIndex(counts, [&](ArrayRef<int64_t> iteration) {
    for (auto [variable, first, i, step] :
         llvm::zip_equal(variables, lower, iteration, steps))
      variable = makeIndex(first + i * step);
    return succeeded(body(variables));
  }));
}

static LogicalResult runScfParallel(Evaluator &evaluator, scf::ParallelOp op) {
  SmallVector<RuntimeValue> totals = evaluator.get(op.getInitVals());
  auto body = [&](ArrayRef<RuntimeValue> variables) -> LogicalResult {
    auto terminator = evaluator.run(op.getRegion(), variables);
    if (failed(terminator))
      return failure();
    auto reduce = cast<scf::ReduceOp>(*terminator);
    for (auto [total, operand, region] : llvm::zip_equal(
             totals, reduce.getOperands(), reduce.getReductions())) {
      auto yield = evaluator.run(region, {total, evaluator.get(operand)});
      if (failed(yield))
        return failure();
      total = evaluator.get((*yield)->getOperand(0));
    }
    return success();
  };
  if (failed(forEachIteration(op, evaluator.getInts(op.getLowerBound()),
                              evaluator.getInts(op.getUpperBound()),
                              evaluator.getInts(op.getStep()), body)))
    return failure();
  setResults(evaluator, op, totals);
  return success();
}

/// Iterations read the shared outputs as they were before the loop; what they
/// insert becomes the results.
static LogicalResult runForall(Evaluator &evaluator, scf::ForallOp op) {
  SmallVector<RuntimeValue> shared = evaluator.get(op.getOutputs());
  SmallVector<RuntimeValue> results;
  for (const RuntimeValue &value : shared) {
    auto copy = clone(op, std::get<Array>(value));
    if (failed(copy))
      return failure();
    results.push_back(std::move(*copy));
  }
  auto insert = [&](tensor::ParallelInsertSliceOp insertion) -> LogicalResult {
    auto output = llvm::find(op.getRegionOutArgs(), insertion.getDest());
    const Array &target =
        std::get<Array>(results[output - op.getRegionOutArgs().begin()]);
    auto part =
        slice(insertion, target, evaluator.getInts(insertion.getMixedOffsets()),
              evaluator.getInts(insertion.getMixedSizes()),
              evaluator.getInts(insertion.getMixedStrides()));
    if (failed(part))
      return failure();
    return interp::copy(insertion, evaluator.getArray(insertion.getSource()),
                        dropAxes(*part, insertion.getDroppedDims()));
  };
  auto body = [&](ArrayRef<RuntimeValue> variables) -> LogicalResult {
    SmallVector<RuntimeValue> arguments(variables);
    llvm::append_range(arguments, shared);
    auto terminator = evaluator.run(op.getRegion(), arguments);
    if (failed(terminator))
      return failure();
    for (Operation &combining :
         cast<scf::InParallelOp>(*terminator).getRegion().front()) {
      auto insertion = dyn_cast<tensor::ParallelInsertSliceOp>(combining);
      if (!insertion)
        return combining.emitError(kUnknownToInterpreter)
               << "this op: '" << combining.getName() << "'";
      if (failed(insert(insertion)))
        return failure();
    }
    return success();
  };
  if (failed(forEachIteration(op, evaluator.getInts(op.getMixedLowerBound()),
                              evaluator.getInts(op.getMixedUpperBound()),
                              evaluator.getInts(op.getMixedStep()), body)))
    return failure();
  setResults(evaluator, op, results);
  return success();
}

void interp::addControlHandlers(HandlerTable &table) {
  table.add(runCall);
  table.add(runAssert);
  table.add(runScfIf);
  table.add(runExecuteRegion);
  table.add(runIndexSwitch);
  table.add(runScfFor);
  table.add(runWhile);
  table.add(runScfParallel);
  table.add(runForall);
}
