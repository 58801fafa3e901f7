//===- AffineEvaluation.cpp - Evaluates affine expressions ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the tree of an expression with checked 64-bit arithmetic. Divisions
// round down (floordiv) or up (ceildiv), and a modulus is not negative.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

std::optional<int64_t>
interp::evaluate(AffineExpr expr, ArrayRef<int64_t> dims,
                 llvm::function_ref<int64_t(unsigned)> symbol,
                 std::string &reason) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto position = dyn_cast<AffineSymbolExpr>(expr))
    return symbol(position.getPosition());

  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = evaluate(binary.getLHS(), dims, symbol, reason);
  auto rhs =
      lhs ? evaluate(binary.getRHS(), dims, symbol, reason) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  std::optional<int64_t> result;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    result = llvm::checkedAdd(*lhs, *rhs);
    break;
  case AffineExprKind::Mul:
    result = llvm::checkedMul(*lhs, *rhs);
    break;
  default:
    if (*rhs <= 0) {
      reason = "divides " + std::to_string(*lhs) + " by " +
               std::to_string(*rhs) + ", expected a positive divisor";
      return std::nullopt;
    }
    if (binary.getKind() == AffineExprKind::FloorDiv)
      return llvm::divideFloorSigned(*lhs, *rhs);
    if (binary.getKind() == AffineExprKind::CeilDiv)
      return llvm::divideCeilSigned(*lhs, *rhs);
    return llvm::mod(*lhs, *rhs);
  }
  if (!result)
    reason = "overflows 64 bits";
  return result;
}

FailureOr<SmallVector<int64_t>> interp::evaluate(Operation *op, AffineMap map,
                                                 ArrayRef<int64_t> operands) {
  ArrayRef<int64_t> dims = operands.take_front(map.getNumDims());
  ArrayRef<int64_t> symbols = operands.drop_front(map.getNumDims());
  SmallVector<int64_t> results;
  std::string reason;
  for (AffineExpr expr : map.getResults()) {
    auto value =
        evaluate(expr, dims, [&](unsigned i) { return symbols[i]; }, reason);
    if (!value) {
      std::string text;
      llvm::raw_string_ostream(text) << expr;
      return op->emitError("the expression ") << text << " " << reason;
    }
    results.push_back(*value);
  }
  return results;
}
