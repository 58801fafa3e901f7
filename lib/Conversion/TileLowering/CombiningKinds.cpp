//===- CombiningKinds.cpp - Combiners and atomics below tiles -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TileLowering/CombiningKinds.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::tile_lowering;

arith::AtomicRMWKind tile_lowering::getArithKind(Combiner combiner,
                                                 Type element) {
  bool isFloat = isa<FloatType>(element);
  switch (combiner) {
  case Combiner::Add:
    return isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  case Combiner::Mul:
    return isFloat ? arith::AtomicRMWKind::mulf : arith::AtomicRMWKind::muli;
  case Combiner::Max:
    return isFloat ? arith::AtomicRMWKind::maximumf
                   : arith::AtomicRMWKind::maxs;
  case Combiner::Min:
    return isFloat ? arith::AtomicRMWKind::minimumf
                   : arith::AtomicRMWKind::mins;
  case Combiner::UMax:
    return arith::AtomicRMWKind::maxu;
  case Combiner::UMin:
    return arith::AtomicRMWKind::minu;
  case Combiner::And:
    return arith::AtomicRMWKind::andi;
  case Combiner::Or:
    return arith::AtomicRMWKind::ori;
  case Combiner::Xor:
    return arith::AtomicRMWKind::xori;
  case Combiner::MaxNum:
    return arith::AtomicRMWKind::maxnumf;
  case Combiner::MinNum:
    return arith::AtomicRMWKind::minnumf;
  }
  llvm_unreachable("unknown combiner");
}

LLVM::AtomicBinOp tile_lowering::getLLVMKind(AtomicKind kind, Type element) {
  switch (kind) {
  case AtomicKind::Add:
    return isa<FloatType>(element) ? LLVM::AtomicBinOp::fadd
                                   : LLVM::AtomicBinOp::add;
  case AtomicKind::Max:
    return LLVM::AtomicBinOp::max;
  case AtomicKind::Min:
    return LLVM::AtomicBinOp::min;
  case AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Exchange:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("unknown atomic kind");
}
