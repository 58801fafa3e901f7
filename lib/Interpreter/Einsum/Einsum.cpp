//===- Einsum.cpp - einsum.contract ---------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gathers what the op works on and checks what only holds at run time: sizes of
// indices, and that the output of the memref form is not an input too.
//
//===----------------------------------------------------------------------===//

#include "Einsum/Einsum.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// Checks that no element of outs is one of another operand.
static LogicalResult checkOverlap(const Contraction &contraction) {
  const Array &outs = *contraction.outs;
  auto forEachByte = [](const Array &array, auto visit) {
    return forEachIndex(array.shape, [&](ArrayRef<int64_t> index) {
      int64_t size = getElementSize(array.kind);
      int64_t first = array.base + array.getPosition(index) * size;
      return visit(first, first + size);
    });
  };
  llvm::BitVector written;
  auto check = [&](const Array &array, const Twine &what) -> LogicalResult {
    if (array.storage != outs.storage)
      return success();
    if (written.empty()) {
      written.resize(outs.storage->getNumBytes());
      forEachByte(outs, [&](int64_t first, int64_t last) {
        written.set(first, last);
        return true;
      });
    }
    bool isDisjoint = forEachByte(array, [&](int64_t first, int64_t last) {
      return written.find_first_in(first, last) < 0;
    });
    return isDisjoint ? success()
                      : contraction.op->emitError("outs overlaps ") << what;
  };
  for (auto [i, input] : llvm::enumerate(contraction.inputs))
    if (failed(check(input, "operand " + Twine(i))))
      return failure();
  for (auto [name, table] :
       llvm::zip_equal(contraction.spec.getTables(), contraction.tables))
    if (failed(check(table, "table '" + name + "'")))
      return failure();
  return success();
}

static LogicalResult runContract(Evaluator &evaluator, einsum::ContractOp op) {
  Contraction contraction;
  contraction.op = op;
  contraction.spec = op.getSpec();
  auto getAll = [&](ValueRange values, SmallVectorImpl<Array> &arrays) {
    for (Value value : values) {
      auto array = getLive(evaluator, op, value);
      if (failed(array))
        return failure();
      arrays.push_back(**array);
    }
    return success();
  };
  SmallVector<Array, 1> outs;
  if (failed(getAll(op.getInputs(), contraction.inputs)) ||
      failed(getAll(op.getTables(), contraction.tables)) ||
      failed(
          getAll(op.getOuts() ? ValueRange(op.getOuts()) : ValueRange(), outs)))
    return failure();
  for (const Array &input : contraction.inputs)
    if (failed(checkNoPoison(op, input, "an operand")))
      return failure();
  if (!outs.empty())
    contraction.outs = outs.front();
  if (failed(resolveSizes(contraction)))
    return failure();
  evaluator.noteReduction(
      getProduct(contraction.getReducedSizes()).value_or(1));

  auto kind = getKind(op, op.getOutputType());
  auto accumulator = getKind(op, op.getAccumulatorType());
  if (failed(kind) || failed(accumulator))
    return failure();
  FailureOr<Array> output = failure();
  if (op.hasTensorForm())
    output = allocate(op, *kind, contraction.getResultSizes());
  else if (succeeded(checkOverlap(contraction)))
    output = *contraction.outs;
  if (failed(output))
    return failure();

  if (failed(
          computeSums(contraction, *output, *accumulator, evaluator.options)))
    return failure();
  if (op.hasTensorForm())
    evaluator.set(op.getResult(), std::move(*output));
  return success();
}

static LogicalResult runKernel(Evaluator &evaluator, einsum::KernelOp op) {
  auto yield =
      evaluator.run(op.getBody(), evaluator.get(ValueRange(op.getInputs())));
  if (failed(yield))
    return failure();
  evaluator.set(op.getResult(), evaluator.get((*yield)->getOperand(0)));
  return success();
}

void interp::addEinsumHandlers(HandlerTable &table) {
  table.add(runContract);
  table.add(runKernel);
}
