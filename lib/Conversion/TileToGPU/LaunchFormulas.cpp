//===- LaunchFormulas.cpp - Launches by the sizes of arguments ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are followed to what defines them: sizes are few steps away.
//
//===----------------------------------------------------------------------===//

#include "LaunchFormulas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;

/// The operation of an op in formulas, empty if there is none. `exchanges`
/// becomes whether its operands stand the other way round.
static StringRef getOperation(Operation *op, bool &exchanges) {
  using P = arith::CmpIPredicate;
  exchanges = false;
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::AddIOp>([](Operation *) { return "add"; })
      .Case<arith::SubIOp>([](Operation *) { return "sub"; })
      .Case<arith::MulIOp>([](Operation *) { return "mul"; })
      .Case<arith::DivUIOp, arith::DivSIOp>([](Operation *) { return "div"; })
      .Case<arith::RemUIOp, arith::RemSIOp>([](Operation *) { return "rem"; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [](Operation *) { return "ceildiv"; })
      .Case<arith::MinUIOp, arith::MinSIOp>([](Operation *) { return "min"; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>([](Operation *) { return "max"; })
      .Case<arith::AndIOp>([](Operation *op) {
        return op->getResult(0).getType().isInteger(1) ? "and" : "";
      })
      .Case<arith::OrIOp>([](Operation *op) {
        return op->getResult(0).getType().isInteger(1) ? "or" : "";
      })
      .Case([&](arith::CmpIOp compare) {
        P predicate = compare.getPredicate();
        exchanges = predicate == P::sgt || predicate == P::ugt ||
                    predicate == P::sge || predicate == P::uge;
        if (predicate == P::eq || predicate == P::ne)
          return predicate == P::eq ? "eq" : "ne";
        return predicate == P::slt || predicate == P::ult ||
                       predicate == P::sgt || predicate == P::ugt
                   ? "lt"
                   : "le";
      })
      .Default([](Operation *) { return ""; });
}

/// The formula of a value; null if it depends on more than sizes.
static Attribute getFormula(Value value, FindSize findSize) {
  Builder builder(value.getContext());
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return builder.getI64IntegerAttr(constant.getBitWidth() == 1
                                         ? constant.getZExtValue()
                                         : constant.getSExtValue());
  if (DenseI64ArrayAttr size = findSize(value))
    return size;
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return getFormula(op->getOperand(0), findSize);
  bool exchanges;
  StringRef operation = getOperation(op, exchanges);
  if (operation.empty())
    return {};
  Attribute lhs = getFormula(op->getOperand(exchanges ? 1 : 0), findSize);
  Attribute rhs = getFormula(op->getOperand(exchanges ? 0 : 1), findSize);
  if (!lhs || !rhs)
    return {};
  return builder.getArrayAttr({builder.getStringAttr(operation), lhs, rhs});
}

ArrayAttr to_gpu::getGridFormulas(LaunchOp launch, FindSize findSize) {
  SmallVector<Attribute> sizes;
  for (Value size : {launch.getGridX(), launch.getGridY(), launch.getGridZ()}) {
    sizes.push_back(getFormula(size, findSize));
    if (!sizes.back())
      return {};
  }
  return ArrayAttr::get(launch.getContext(), sizes);
}

/// Adds the parts of a condition, all of which have to hold, to `formulas`.
static bool addConditions(Value condition, FindSize findSize,
                          SmallVectorImpl<Attribute> &formulas) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return addConditions(both.getLhs(), findSize, formulas) &&
           addConditions(both.getRhs(), findSize, formulas);
  // That the result is not too large: who launches has one.
  if (condition.getDefiningOp<arith::CmpFOp>())
    return true;
  Attribute formula = getFormula(condition, findSize);
  if (formula && !llvm::is_contained(formulas, formula))
    formulas.push_back(formula);
  return bool(formula);
}

ArrayAttr to_gpu::getRequirements(LaunchOp launch, FindSize findSize) {
  SmallVector<Attribute> formulas;
  Operation *inner = launch;
  for (Operation *op = launch->getParentOp(); !isa<func::FuncOp>(op);
       inner = op, op = op->getParentOp()) {
    auto ifOp = dyn_cast<scf::IfOp>(op);
    if (!ifOp)
      return {};
    // The kernel of an else takes all other sizes as well.
    bool isThen = inner->getParentRegion() == &ifOp.getThenRegion();
    if (isThen && !addConditions(ifOp.getCondition(), findSize, formulas))
      return {};
  }
  return ArrayAttr::get(launch.getContext(), formulas);
}

StringAttr to_gpu::getFallback(LaunchOp launch) {
  auto ifOp = dyn_cast<scf::IfOp>(launch->getParentOp());
  if (!ifOp || launch->getParentRegion() != &ifOp.getThenRegion())
    return {};
  StringAttr fallback;
  unsigned numLaunches = 0;
  ifOp.getElseRegion().walk([&](Operation *op) {
    if (auto other = dyn_cast<LaunchOp>(op))
      fallback = other.getKernelAttr().getAttr();
    else if (auto lowered = dyn_cast<gpu::LaunchFuncOp>(op))
      fallback = lowered.getKernelName();
    else
      return;
    ++numLaunches;
  });
  return numLaunches == 1 ? fallback : StringAttr();
}
