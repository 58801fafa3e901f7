//===- ElementArithmetic.cpp - Arithmetic on elements ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::lowering;

Value lowering::convertElements(OpBuilder &builder, Location loc, Value value,
                                Type element) {
  Type from = getElementTypeOrSelf(value);
  if (from == element)
    return value;
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned width = element.getIntOrFloatBitWidth();
  // f16 and bf16 meet in f32, which holds both exactly.
  if (fromWidth == width) {
    Value wide = convertElements(builder, loc, value, builder.getF32Type());
    return convertElements(builder, loc, wide, element);
  }
  Type type = element;
  if (auto shaped = dyn_cast<ShapedType>(value.getType()))
    type = shaped.clone(element);
  bool widens = fromWidth < width;
  if (isa<FloatType>(element))
    return widens
               ? arith::ExtFOp::create(builder, loc, type, value).getResult()
               : arith::TruncFOp::create(builder, loc, type, value).getResult();
  return widens
             ? arith::ExtSIOp::create(builder, loc, type, value).getResult()
             : arith::TruncIOp::create(builder, loc, type, value).getResult();
}

Value lowering::roundToTF32(OpBuilder &builder, Location loc, Value value) {
  // 13 of the 23 bits of f32's mantissa are dropped. Half of what the last bit
  // that stays is worth is added; a carry goes on to the exponent.
  constexpr int32_t kHalf = 1 << 12, kKept = ~((1 << 13) - 1);
  Type type = value.getType(), integers = builder.getI32Type();
  if (auto shaped = dyn_cast<ShapedType>(type))
    integers = shaped.clone(integers);
  auto getConstant = [&](int32_t number) -> Value {
    TypedAttr attr = builder.getI32IntegerAttr(number);
    if (auto shaped = dyn_cast<ShapedType>(integers))
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  };
  Value bits = arith::BitcastOp::create(builder, loc, integers, value);
  bits = arith::AddIOp::create(builder, loc, bits, getConstant(kHalf));
  bits = arith::AndIOp::create(builder, loc, bits, getConstant(kKept));
  Value rounded = arith::BitcastOp::create(builder, loc, type, bits);
  // The carry might make a number of NaN.
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      value, value);
  return arith::SelectOp::create(builder, loc, isNaN, value, rounded);
}

template <typename FloatOp, typename IntegerOp>
static Value createBinary(OpBuilder &builder, Location loc, Value lhs,
                          Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs)))
    return FloatOp::create(builder, loc, lhs, rhs);
  return IntegerOp::create(builder, loc, lhs, rhs);
}

Value lowering::createSum(OpBuilder &builder, Location loc, Value lhs,
                          Value rhs) {
  return createBinary<arith::AddFOp, arith::AddIOp>(builder, loc, lhs, rhs);
}

Value lowering::createProduct(OpBuilder &builder, Location loc, Value lhs,
                              Value rhs) {
  return createBinary<arith::MulFOp, arith::MulIOp>(builder, loc, lhs, rhs);
}
