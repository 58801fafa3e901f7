//===- ClusterInfo.cpp - What programs of a cluster share -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of programs are consecutive along x, from a multiple of the cluster's
// size: a multiple of that divides them to the same number, and leaves
// consecutive ones. All else that is computed of what is the same is the same.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/ClusterInfo.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

ClusterInfo::Info ClusterInfo::get(Value value) {
  // What a loop carries is taken to be the same until it is known.
  auto [found, isNew] = known.try_emplace(value, Info{Kind::Same, 1});
  if (!isNew)
    return found->second;
  Info info = compute(value);
  if (isa<BlockArgument>(value) && info.kind != Kind::Same)
    forgetSame();
  return known[value] = info;
}

/// What was found by the assumption that a loop carries the same. What is not
/// the same is not with fewer assumptions either.
void ClusterInfo::forgetSame() {
  SmallVector<Value> same;
  for (auto &[value, info] : known)
    if (info.kind != Kind::Unknown)
      same.push_back(value);
  for (Value value : same)
    known.erase(value);
}

ClusterInfo::Info ClusterInfo::computeCarried(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    // Of a kernel: all programs get the same arguments.
    return {isKernel(argument.getOwner()->getParentOp()) ? Kind::Same
                                                         : Kind::Unknown,
            1};
  SmallVector<Value> sources = {loop.getLowerBound(), loop.getUpperBound(),
                                loop.getStep()};
  if (argument != loop.getInductionVar())
    sources.append({loop.getTiedLoopInit(argument)->get(),
                    loop.getTiedLoopYieldedValue(argument)->get()});
  bool isSame =
      llvm::all_of(sources, [&](Value source) { return this->isSame(source); });
  return {isSame ? Kind::Same : Kind::Unknown, 1};
}

ClusterInfo::Info ClusterInfo::computeArith(Operation *op) {
  Info a = get(op->getOperand(0)), b = get(op->getOperand(1));
  int64_t common = std::gcd(a.divisor, b.divisor);
  bool areSame = a.kind == Kind::Same && b.kind == Kind::Same;
  bool isAlignedBy = a.kind == Kind::Consecutive && b.kind == Kind::Same &&
                     common % cluster == 0;
  if (isa<arith::MulIOp>(op) && areSame)
    return {Kind::Same, std::min<int64_t>(a.divisor, 1 << 20) *
                            std::min<int64_t>(b.divisor, 1 << 20)};
  if (isa<arith::AddIOp>(op) && a.kind == Kind::Same &&
      b.kind == Kind::Consecutive && common % cluster == 0)
    return {Kind::Consecutive, common};
  // Signed division rounds towards zero, and there is no zero between the
  // numbers of a cluster if they are taken as unsigned.
  if (isa<arith::AddIOp, arith::SubIOp, arith::RemUIOp>(op) && isAlignedBy)
    return {Kind::Consecutive, common};
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinUIOp, arith::MinSIOp,
          arith::MaxUIOp, arith::MaxSIOp, arith::RemUIOp, arith::RemSIOp>(op) &&
      areSame)
    return {Kind::Same, common};
  if (isa<arith::DivUIOp, arith::FloorDivSIOp>(op) && isAlignedBy)
    return {Kind::Same, 1};
  return {areSame ? Kind::Same : Kind::Unknown, 1};
}

ClusterInfo::Info ClusterInfo::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeCarried(argument);
  Operation *op = value.getDefiningOp();
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    int64_t divisor = number.getSExtValue();
    return {Kind::Same, divisor == 0 ? cluster : std::abs(divisor)};
  }
  if (auto program = dyn_cast<ProgramIdOp>(op))
    return program.getAxis() == Axis::X ? Info{Kind::Consecutive, cluster}
                                        : Info{Kind::Same, 1};
  if (auto programs = dyn_cast<NumProgramsOp>(op))
    return {Kind::Same, programs.getAxis() == Axis::X ? cluster : 1};
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp,
          arith::IndexCastUIOp, AssumeOp>(op))
    return get(op->getOperand(0));
  if (op->getNumOperands() == 2 && op->getNumRegions() == 0 &&
      isa<arith::ArithDialect>(op->getDialect()))
    return computeArith(op);
  bool isSame = op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
                llvm::all_of(op->getOperands(), [&](Value operand) {
                  return this->isSame(operand);
                });
  return {isSame ? Kind::Same : Kind::Unknown, 1};
}
