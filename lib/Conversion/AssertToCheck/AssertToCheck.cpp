//===- AssertToCheck.cpp - convert-assert-to-check ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream lowers cf.assert to a message and abort, which takes down the
// program that a kernel is part of. Here it becomes a check like those of
// contractions: the call of the kernel fails, with the message.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/AssertToCheck/AssertToCheck.h"
#include "tileir/Conversion/EinsumLowering/CheckEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTASSERTTOCHECKPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;

namespace {
struct ConvertAssertToCheckPass
    : tileir::impl::ConvertAssertToCheckPassBase<ConvertAssertToCheckPass> {
  void runOnOperation() override {
    lowering::CheckEmitter checks(getOperation(), RuntimeChecks::All);
    SmallVector<cf::AssertOp> asserts;
    getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
    for (cf::AssertOp op : asserts) {
      OpBuilder builder(op);
      checks.emitCheck(builder, op.getLoc(), op.getArg(),
                       "assertion failed: " + op.getMsg(), ValueRange());
      op.erase();
      ++numAsserts;
    }
    checks.finish();
  }
};
} // namespace
