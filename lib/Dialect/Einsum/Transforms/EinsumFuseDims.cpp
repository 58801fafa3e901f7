//===- EinsumFuseDims.cpp - einsum-fuse-dims ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two dimensions are one if they follow each other in memory everywhere: if in
// each operand and in the result the stride of the outer one is that of the
// inner one times its size. Inside of an einsum.kernel, operands of its
// pointwise ops count as well: they have no strides in the schedule, but they
// have axes for indices of the result.
//
//===----------------------------------------------------------------------===//

#include "ScheduleSteps.h"
#include "tileir/Dialect/Einsum/IR/Pointwise.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMFUSEDIMSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

/// Whether an operand that is read along `axes` of a result of rank `rank` has
/// the axes `outer` and `outer + 1` both, one after the other, or neither.
static bool keepsTogether(ArrayRef<unsigned> axes, unsigned outer) {
  const unsigned *found = llvm::find(axes, outer);
  if (found == axes.end())
    return !llvm::is_contained(axes, outer + 1);
  return found + 1 != axes.end() && found[1] == outer + 1;
}

/// Whether the pointwise ops of the einsum.kernel around `op` go through its
/// result along the axes `outer` and `outer + 1` as one. An op that changes the
/// order of axes, or their number, makes it hard to tell, and so it is no.
static bool isFusableAround(ContractOp op, unsigned outer) {
  auto kernel = dyn_cast<KernelOp>(op->getParentOp());
  if (!kernel)
    return true;
  int64_t rank = op.getOutputType().getRank();
  for (Operation &inner : kernel.getBody().front().without_terminator()) {
    auto pointwise = PointwiseOp::get(&inner);
    if (!pointwise)
      continue;
    bool isWhole =
        cast<ShapedType>(inner.getResult(0).getType()).getRank() == rank;
    for (PointwiseOp::Operand &operand : pointwise->operands) {
      bool isInOrder = llvm::is_sorted(operand.axes);
      bool isIdentity =
          llvm::equal(operand.axes,
                      llvm::seq<unsigned>(0, operand.axes.size())) &&
          (operand.axes.empty() ||
           static_cast<int64_t>(operand.axes.size()) ==
               cast<ShapedType>(inner.getResult(0).getType()).getRank());
      if (isWhole ? !isInOrder || !keepsTogether(operand.axes, outer)
                  : !isIdentity)
        return false;
    }
  }
  return true;
}

/// The dimension that `outer` and `inner` make, or null if they do not follow
/// each other everywhere; with `byTables`, if they do not in the result.
static LoopDim fuse(ContractOp op, const LoopDim &outer, const LoopDim &inner,
                    bool byTables) {
  if (outer.getContractionDim() != inner.getContractionDim() ||
      outer.getExec() != inner.getExec() || outer.getExec() != Execution::Seq)
    return {};
  std::string indices = (outer.getIndices() + inner.getIndices()).str();
  auto dim = DimAttr::get(op.getContext(), indices, Execution::Seq,
                          outer.getSize() * inner.getSize(), /*step=*/1);
  LoopDim fused = getLoopDims(op, dim).front();
  bool needsTable = llvm::any_of(fused.getStrides(), ShapedType::isDynamic);
  bool isAlongOne = inner.getContractionDim() == ContractionDim::M ||
                    inner.getContractionDim() == ContractionDim::N;
  if (needsTable && (!byTables || !isAlongOne ||
                     ShapedType::isDynamic(fused.getResultStride())))
    return {};
  if (inner.isSummed())
    return fused;
  unsigned last = op.getSpec().getIndices().find(outer.getIndices().back());
  return isFusableAround(op, last) ? fused : LoopDim();
}

ScheduleAttr tileir::einsum::fuseDims(ContractOp op, ScheduleAttr schedule,
                                      int64_t minKernelSize,
                                      std::string &reason, bool byTables) {
  ScheduleParts parts(op, schedule);
  auto isWhole = [&](const LoopDim &dim) {
    return llvm::count_if(parts.dims, [&](const LoopDim &other) {
             return other.getIndices() == dim.getIndices();
           }) == 1;
  };
  auto isSmall = [&](const LoopDim &dim) {
    return minKernelSize == 0 || dim.getSize() < minKernelSize;
  };
  // Fuses the first pair it finds.
  auto fuseOne = [&] {
    for (LoopDim &inner : parts.dims)
      for (const LoopDim &outer : parts.dims) {
        if (outer == inner || !isWhole(outer) || !isWhole(inner) ||
            !(isSmall(outer) || isSmall(inner)))
          continue;
        LoopDim fused = fuse(op, outer, inner, byTables);
        if (!fused)
          continue;
        LoopDim gone = outer;
        inner = fused;
        llvm::erase(parts.dims, gone);
        return true;
      }
    return false;
  };
  bool changed = false;
  while (fuseOne())
    changed = true;
  if (!changed) {
    reason = "no two dimensions follow each other in all operands";
    if (minKernelSize > 0)
      reason += ", with one of them smaller than min-kernel-size";
    return schedule;
  }
  return parts.get();
}

namespace {

struct EinsumFuseDimsPass
    : tileir::einsum::impl::EinsumFuseDimsPassBase<EinsumFuseDimsPass> {
  using EinsumFuseDimsPassBase::EinsumFuseDimsPassBase;

  void runOnOperation() override {
    if (minKernelSize < 0) {
      getOperation()->emitError(
          "einsum-fuse-dims expects min-kernel-size to be 0 or more, found ")
          << minKernelSize.getValue();
      return signalPassFailure();
    }
    applyScheduleStep(
        getOperation(), getArgument(),
        [&](ContractOp op, ScheduleAttr schedule, std::string &reason) {
          ScheduleAttr fused = fuseDims(op, schedule, minKernelSize, reason);
          numFused += schedule.getDims().size() - fused.getDims().size();
          return fused;
        });
  }
};

} // namespace
