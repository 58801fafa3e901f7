//===- EinsumToVector.cpp - convert-einsum-to-vector ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers contractions that have a schedule, with the pointwise ops of the
// einsum.kernel around them, to loops (NestEmitter.cpp) over register tiles
// (TileEmitter.cpp). Others are left for convert-einsum-to-affine.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumToVector/EinsumToVector.h"

#include "ScheduledOp.h"
#include "tileir/Conversion/EinsumLowering/Buffers.h"
#include "tileir/Conversion/EinsumLowering/CheckEmitter.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTEINSUMTOVECTORPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_vector;

namespace {

struct ConvertEinsumToVectorPass
    : tileir::impl::ConvertEinsumToVectorPassBase<ConvertEinsumToVectorPass> {
  using ConvertEinsumToVectorPassBase::ConvertEinsumToVectorPassBase;

  void runOnOperation() override {
    CheckEmitter checkEmitter(getOperation(), checks);
    SmallVector<ContractOp> scheduled;
    getOperation().walk([&](ContractOp op) {
      ScheduleAttr schedule = op.getScheduleAttr();
      if (schedule && llvm::any_of(schedule.getDims(), [](DimAttr dim) {
            return dim.getExec() == Execution::Prim;
          }))
        scheduled.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (ContractOp op : scheduled) {
      Location loc = op.getLoc();
      MachineAttr machine = MachineAttr::find(op);
      if (op.getScheduleAttr().getMatrix() && !hasMatrixUnit(machine)) {
        op.emitOpError("expects a machine with a matrix unit ('amx', vectors "
                       "of 512 bits) for a schedule with 'matrix', found ")
            << machine.getCpu();
        return signalPassFailure();
      }
      std::string reason;
      auto nest = ScheduledOp::get(op, reason);
      if (!nest) {
        remark::missed(loc, getRemark()) << remark::reason(reason.c_str());
        ++numLeft;
        continue;
      }
      numPacked += op.getScheduleAttr().getPack().size();
      nest->emit(rewriter, checkEmitter, deallocate);
      numStaged += nest->getNumStaged();
      numBordered += nest->isBordered();
      ++numLowered;
    }
    checkEmitter.finish();
  }

  static remark::RemarkOpts getRemark() {
    return remark::RemarkOpts::name("einsum-to-vector").category("einsum");
  }
};

} // namespace
