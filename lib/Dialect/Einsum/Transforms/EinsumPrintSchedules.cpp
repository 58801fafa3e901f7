//===- EinsumPrintSchedules.cpp - einsum-print-schedules ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports schedules together with what follows from them and the contraction:
// the primitives of the kernel, and what dimensions belong to and go through.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/LoopDims.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMPRINTSCHEDULESPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

static void printLoopDim(llvm::raw_ostream &os, const LoopDim &dim) {
  os << '"' << dim.getIndices() << "\" " << stringify(dim.getContractionDim())
     << " " << stringifyExecution(dim.getExec()) << " " << dim.getSize();
  if (dim.getStep() != 1)
    os << " step " << dim.getStep();
  os << " strides [";
  llvm::interleaveComma(dim.getStrides(), os, [&](int64_t stride) {
    if (ShapedType::isDynamic(stride))
      os << '?';
    else
      os << stride;
  });
  os << "]";
}

namespace {

struct EinsumPrintSchedulesPass
    : tileir::einsum::impl::EinsumPrintSchedulesPassBase<
          EinsumPrintSchedulesPass> {
  using EinsumPrintSchedulesPassBase::EinsumPrintSchedulesPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](ContractOp op) {
      ScheduleAttr schedule = op.getScheduleAttr();
      if (!schedule)
        return;
      Primitives primitives = getPrimitives(op);
      std::string text;
      llvm::raw_string_ostream os(text);
      os << "initialization = " << stringify(primitives.initialization)
         << ", main = " << stringify(primitives.main)
         << ", epilogue = " << stringify(primitives.epilogue) << ", dims = [";
      llvm::interleaveComma(getLoopDims(op, schedule.getDims()), os,
                            [&](const LoopDim &dim) { printLoopDim(os, dim); });
      os << "]";
      emitRemark(op.getLoc()) << text;
      ++numPrinted;
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
