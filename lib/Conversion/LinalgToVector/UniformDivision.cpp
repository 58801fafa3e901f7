//===- UniformDivision.cpp - Divide vectors by one number -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors divide 16 floats in the time of 30 to 50 other operations, but all
// elements of a row of softmax or of a norm have one divisor b. With r = 1 / b,
// rounded once, for all of them, x / b is
//
//   q0 = x r, q1 = q0 + r (x - q0 b), q2 = q1 + r (x - q1 b)
//
// by fused multiply-add: the remainders are exact, q1 is within a unit of the
// last place, and then q2 is rounded as a division is (P. W. Markstein,
// "Computation of elementary functions on the IBM RISC System/6000 processor",
// theorem 8). That holds where nothing underflows or overflows on the way:
// other vectors are divided. Zeros, of which masks make many, are x r.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

/// Narrower vectors are divided in the time of the products.
static constexpr int64_t kLeastVectorBits = 512;

/// Bits of the powers of two between which operands, but for their signs, are
/// taken: quotients and remainders are normal numbers then.
static constexpr int32_t kLeastBits = (127 - 60) << 23;
static constexpr int32_t kMostBits = (127 + 60) << 23;

namespace {
/// What depends on the bits of floats, of scalars or vectors.
struct Bits {
  Bits(ImplicitLocOpBuilder &builder, Value floats)
      : builder(builder), type(isa<VectorType>(floats.getType())
                                   ? Type(cast<VectorType>(floats.getType())
                                              .clone(builder.getI32Type()))
                                   : Type(builder.getI32Type())) {
    Value all = arith::BitcastOp::create(builder, type, floats);
    magnitude = arith::AndIOp::create(builder, all, get(0x7fffffff));
  }

  Value isZero() {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, magnitude,
                                 get(0));
  }
  Value isInRange() {
    Value above = arith::SubIOp::create(builder, magnitude, get(kLeastBits));
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::ule, above,
                                 get(kMostBits - kLeastBits));
  }

private:
  Value get(int32_t number) {
    TypedAttr attr = builder.getI32IntegerAttr(number);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(builder, attr);
  }

  ImplicitLocOpBuilder &builder;
  Type type;
  Value magnitude;
};
} // namespace

/// q0, q1 and q2 of x / b.
static Value divideByProducts(ImplicitLocOpBuilder &builder, Value x, Value b,
                              Value isZero) {
  auto type = cast<VectorType>(x.getType());
  auto getSplat = [&](Value scalar) -> Value {
    return vector::BroadcastOp::create(builder, type, scalar);
  };
  Value one = arith::ConstantOp::create(builder, builder.getF32FloatAttr(1));
  Value r = getSplat(arith::DivFOp::create(builder, one, b));
  Value negative = getSplat(arith::NegFOp::create(builder, b));
  Value product = arith::MulFOp::create(builder, x, r);
  Value quotient = product;
  for (unsigned i = 0; i < 2; ++i) {
    Value remainder = math::FmaOp::create(builder, quotient, negative, x);
    quotient = math::FmaOp::create(builder, remainder, r, quotient);
  }
  return arith::SelectOp::create(builder, isZero, product, quotient);
}

unsigned linalg_to_vector::expandUniformDivisions(Operation *root) {
  SmallVector<std::pair<arith::DivFOp, Value>> divisions;
  root->walk([&](arith::DivFOp op) {
    auto type = dyn_cast<VectorType>(op.getType());
    auto splat = op.getRhs().getDefiningOp<vector::BroadcastOp>();
    if (type && type.getRank() == 1 && type.getElementType().isF32() && splat &&
        splat.getSource().getType().isF32() &&
        op->getParentOfType<LoopLikeOpInterface>() &&
        einsum::MachineAttr::find(op).getVectorBits() >= kLeastVectorBits)
      divisions.push_back({op, splat.getSource()});
  });
  for (auto [op, b] : divisions) {
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    Value x = op.getLhs();
    Bits bits(builder, x);
    Value isZero = bits.isZero();
    Value fits = arith::OrIOp::create(builder, isZero, bits.isInRange());
    fits =
        vector::ReductionOp::create(builder, vector::CombiningKind::AND, fits);
    fits = arith::AndIOp::create(builder, fits, Bits(builder, b).isInRange());
    auto branch = scf::IfOp::create(builder, op.getType(), fits,
                                    /*withElseRegion=*/true);
    op->replaceAllUsesWith(branch);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, divideByProducts(builder, x, b, isZero));
    builder.setInsertionPointToStart(branch.elseBlock());
    Operation *kept = builder.clone(*op);
    scf::YieldOp::create(builder, kept->getResult(0));
    op->erase();
  }
  return divisions.size();
}
