//===- ScheduleVerify.cpp - Schedules that fit their contraction ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints C23 to C28, as far as they need the contraction.
//
//===----------------------------------------------------------------------===//

#include "ContractOpVerify.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tileir::einsum;

LogicalResult tileir::einsum::verifySchedulable(
    ContractOp op, function_ref<InFlightDiagnostic()> emitError) {
  auto fail = [&](auto... parts) -> LogicalResult {
    if (!emitError)
      return failure();
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "expects a contraction with a schedule to have ";
    (diagnostic << ... << parts);
    return diagnostic << " (C28)";
  };
  if (op.getInputs().size() > 2)
    return fail("one or two operands, found ", op.getInputs().size(),
                ": run einsum-contract-pairwise before");
  if (op.isTF32())
    return fail("precision = \"full\", found \"tf32\"");
  if (op.isPadded())
    return fail("pad = \"none\", found \"zero\": run einsum-pad-operands "
                "before");
  for (unsigned i = 0; i <= op.getInputs().size(); ++i) {
    bool isResult = i == op.getInputs().size();
    Type type = isResult ? op.getOutputType() : op.getInputs()[i].getType();
    if (!getAxisStrides(cast<ShapedType>(type)))
      return fail("operands of static shape and layout, found ", type);
    if (llvm::is_contained(cast<ShapedType>(type).getShape(), 0))
      return fail("operands with elements, found ", type);
  }
  for (auto [index, size] : llvm::enumerate(getStaticIndexSizes(op)))
    if (size <= 0 || ShapedType::isDynamic(size))
      return fail("indices of positive size, found '",
                  op.getSpec().getIndices().substr(index, 1), "' of ",
                  size == 0 ? "size 0" : "a size that is not known");
  return success();
}

/// C25: the dimensions of each group of indices cover it once.
static LogicalResult verifyCover(ContractOp op, ScheduleAttr schedule,
                                 ArrayRef<int64_t> sizes) {
  SpecAttr spec = op.getSpec();
  llvm::MapVector<StringRef, SmallVector<DimAttr>> groups;
  for (DimAttr dim : schedule.getDims())
    groups[dim.getIndices()].push_back(dim);
  SmallVector<StringRef> owners(spec.getNumIndices());
  for (auto &[indices, dims] : groups) {
    int64_t total = 1;
    for (char name : indices) {
      size_t index = spec.getIndices().find(name);
      if (index == StringRef::npos)
        return op.emitOpError("expects the dimensions of its schedule to have "
                              "indices of \"")
               << spec.toString() << "\", found '" << name << "' (C25)";
      if (!owners[index].empty())
        return op.emitOpError("expects index '")
               << name << "' in dimensions of the same indices, found \""
               << owners[index] << "\" and \"" << indices << "\" (C25)";
      owners[index] = indices;
      total *= sizes[index];
    }
    llvm::sort(dims, [](DimAttr a, DimAttr b) {
      return std::make_pair(a.getStep(), a.getSize()) <
             std::make_pair(b.getStep(), b.getSize());
    });
    int64_t covered = 1;
    for (DimAttr dim : dims) {
      if (dim.getStep() != covered)
        return op.emitOpError("expects a dimension of \"")
               << indices << "\" with step " << covered << ", found step "
               << dim.getStep() << " (C25)";
      auto product = llvm::checkedMul(covered, dim.getSize());
      if (!product)
        return op.emitOpError("expects the dimensions of \"")
               << indices << "\" to cover " << total
               << " values, found more than 64 bits hold (C25)";
      covered = *product;
    }
    if (covered != total)
      return op.emitOpError("expects the dimensions of \"")
             << indices << "\" to cover " << total << " values, found "
             << covered << " (C25)";
  }
  for (auto [index, owner] : llvm::enumerate(owners))
    if (owner.empty())
      return op.emitOpError("expects a dimension of index '")
             << spec.getIndices()[index] << "' in its schedule (C25)";
  return success();
}

/// C26: indices that are gone through as one belong together.
static LogicalResult verifyContractionDims(ContractOp op,
                                           ScheduleAttr schedule) {
  SpecAttr spec = op.getSpec();
  auto getDim = [&](char name) {
    return spec.getContractionDim(spec.getIndices().find(name));
  };
  for (DimAttr dim : schedule.getDims()) {
    char last = dim.getIndices().back();
    for (char name : dim.getIndices())
      if (getDim(name) != getDim(last))
        return op.emitOpError("expects the indices of dimension \"")
               << dim.getIndices()
               << "\" to belong to one dimension of the contraction, found '"
               << name << "' of " << stringify(getDim(name)) << " and '" << last
               << "' of " << stringify(getDim(last)) << " (C26)";
  }
  return success();
}

/// C23 and C24: what can be summed where.
static LogicalResult verifySums(ContractOp op, ScheduleAttr schedule) {
  SpecAttr spec = op.getSpec();
  bool sums = spec.getNumIndices() > spec.getNumResultIndices();
  bool isUnary = op.getInputs().size() == 1;
  int64_t kept = 0, summed = 0;
  for (DimAttr dim : schedule.getDims()) {
    bool isPrim = dim.getExec() == Execution::Prim;
    if (!isSummed(spec, dim)) {
      kept += isPrim;
      continue;
    }
    if (dim.getExec() == Execution::Parallel)
      return op.emitOpError("expects dimension \"")
             << dim.getIndices()
             << "\", which is summed, to be seq or prim, found parallel (C23)";
    summed += isPrim;
  }
  if (kept > 2)
    return op.emitOpError("expects at most 2 prim dimensions that are not "
                          "summed, found ")
           << kept << " (C24)";
  // Before the kernel is identified there is none.
  if (kept + summed == 0)
    return success();
  if (sums && summed == 0)
    return op.emitOpError("expects a kernel that sums to have a summed prim "
                          "dimension, found none (C24)");
  if (isUnary && summed > 1)
    return op.emitOpError("expects a sum of one operand to have 1 summed prim "
                          "dimension, found ")
           << summed << " (C24)";
  return success();
}

/// C27: what a matrix unit can do.
static LogicalResult verifyMatrix(ContractOp op, ScheduleAttr schedule) {
  if (!schedule.getMatrix())
    return success();
  if (!hasMatrixElements(op)) {
    InFlightDiagnostic diagnostic = op.emitOpError(
        "expects a schedule with 'matrix' to have two operands of bf16 that "
        "are summed in f32, or of i8 in i32, found ");
    llvm::interleaveComma(op.getInputs(), diagnostic, [&](Value input) {
      diagnostic << getElementTypeOrSelf(input);
    });
    return diagnostic << " in " << op.getAccumulatorType() << " (C27)";
  }
  SpecAttr spec = op.getSpec();
  int64_t ofM = 0, ofN = 0;
  for (DimAttr dim : schedule.getDims()) {
    if (dim.getExec() != Execution::Prim)
      continue;
    size_t index = spec.getIndices().find(dim.getIndices().back());
    ofM += spec.getContractionDim(index) == ContractionDim::M;
    ofN += spec.getContractionDim(index) == ContractionDim::N;
  }
  if (schedule.getDims().back().getExec() == Execution::Prim &&
      (ofM != 1 || ofN != 1))
    return op.emitOpError("expects a schedule with 'matrix' to have a prim "
                          "dimension of M and one of N, found ")
           << ofM << " and " << ofN << " (C27)";
  ArrayRef<int64_t> tile = schedule.getTile();
  if (!tile.empty() && !fitsMatrixUnit(tile[0], tile[1]))
    return op.emitOpError("expects 'tile' of a schedule with 'matrix' to fit ")
           << kMatrixRegisters << " registers of " << kMatrixRows
           << " rows, found [" << tile << "] (C27)";
  return success();
}

LogicalResult tileir::einsum::verifySchedule(ContractOp op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  if (!schedule)
    return success();
  auto emitError = [&] { return op.emitOpError(); };
  if (failed(verifySchedulable(op, emitError)) ||
      failed(verifyCover(op, schedule, getStaticIndexSizes(op))) ||
      failed(verifyContractionDims(op, schedule)) ||
      failed(verifySums(op, schedule)) || failed(verifyMatrix(op, schedule)))
    return failure();
  for (int64_t operand : schedule.getPack())
    if (operand >= static_cast<int64_t>(op.getInputs().size()))
      return op.emitOpError("expects 'pack' of its schedule to name operands, "
                            "found ")
             << operand;
  return success();
}
