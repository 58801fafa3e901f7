//===- MmaEmitters.cpp - One matrix instruction ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All atoms are mma.sync: the table of atoms has its sizes, the product its
// types and orders. Upstream's op takes pairs of f16 as vectors, other operands
// narrower than 32 bits as words, and none of f8, which has an intrinsic.
//
//===----------------------------------------------------------------------===//

#include "MmaEmitters.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;

/// What upstream's op calls the type of an operand.
static NVVM::MMATypes getOperandType(Type element) {
  if (element.isF16())
    return NVVM::MMATypes::f16;
  if (element.isBF16())
    return NVVM::MMATypes::bf16;
  if (element.isF32())
    return NVVM::MMATypes::tf32;
  if (element.isF64())
    return NVVM::MMATypes::f64;
  return NVVM::MMATypes::s8;
}

/// A word of an operand as the instruction takes it.
static Value toOperandWord(OpBuilder &builder, Location loc, Value word) {
  Type type = word.getType();
  if (type.isF64() || getElementTypeOrSelf(type).isF16())
    return word;
  // Of f32 the instruction would drop the bits that tf32 lacks.
  if (type.isF32())
    return NVVM::ConvertFloatToTF32Op::create(
        builder, loc, builder.getI32Type(), word, NVVM::FPRoundingMode::RNA);
  if (type.isInteger(32))
    return word;
  Value vector = vector::BitCastOp::create(
      builder, loc, VectorType::get(1, builder.getI32Type()), word);
  return vector::ExtractOp::create(builder, loc, vector, 0);
}

/// The intrinsic for operands of f8: "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.
/// e5m2.f32".
static Value emitFloat8(OpBuilder &builder, MmaOp op, Type result,
                        ValueRange operands) {
  auto getName = [](Value tile) {
    return isa<Float8E4M3FNType>(getElementTypeOrSelf(tile)) ? "e4m3" : "e5m2";
  };
  auto [m, n, k] = op.getAtom().getAtom()->instruction;
  std::string name =
      llvm::formatv("llvm.nvvm.mma.m{0}n{1}k{2}.row.col.f32.{3}.{4}.f32", m, n,
                    k, getName(op.getA()), getName(op.getB()));
  return LLVM::CallIntrinsicOp::create(builder, op.getLoc(), result,
                                       builder.getStringAttr(name), operands)
      .getResult(0);
}

SmallVector<Value> to_gpu::emitMma(OpBuilder &builder, MmaOp op, ValueRange a,
                                   ValueRange b, ValueRange acc) {
  Location loc = op.getLoc();
  auto toWords = [&](ValueRange words) {
    return llvm::map_to_vector(
        words, [&](Value word) { return toOperandWord(builder, loc, word); });
  };
  SmallVector<Value> wordsA = toWords(a), wordsB = toWords(b);
  Type result = LLVM::LLVMStructType::getLiteral(
      op.getContext(), llvm::to_vector(acc.getTypes()));
  Type element = getElementTypeOrSelf(op.getA());
  Value product;
  if (element.isFloat(8)) {
    SmallVector<Value> operands = wordsA;
    llvm::append_range(operands, wordsB);
    llvm::append_range(operands, acc);
    product = emitFloat8(builder, op, result, operands);
  } else {
    auto getOrder = [](tile::Major order) {
      return order == tile::Major::Row ? NVVM::MMALayout::row
                                       : NVVM::MMALayout::col;
    };
    std::array<NVVM::MMALayout, 2> orders = {getOrder(op.getAOrder()),
                                             getOrder(op.getBOrder())};
    std::array<NVVM::MMATypes, 2> types = {
        getOperandType(element),
        getOperandType(getElementTypeOrSelf(op.getB()))};
    std::optional<NVVM::MMAIntOverflow> overflow;
    if (element.isInteger())
      overflow = NVVM::MMAIntOverflow::wrapped;
    product = NVVM::MmaOp::create(builder, loc, result, wordsA, wordsB, acc,
                                  op.getAtom().getAtom()->instruction,
                                  std::nullopt, overflow, types, orders);
  }
  return llvm::map_to_vector(llvm::seq(acc.size()), [&](int64_t i) -> Value {
    return LLVM::ExtractValueOp::create(builder, loc, product, i);
  });
}
