//===- MmaEmitters.cpp - One matrix instruction ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of emitters: one for each instruction of the table of atoms. What
// is around it (fragments, the order of instructions) is the same for all.
//
//===----------------------------------------------------------------------===//

#include "MmaEmitters.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;

/// The registers of a struct, which upstream's ops return.
static SmallVector<Value> unpackStruct(OpBuilder &builder, Value product,
                                       size_t count) {
  return llvm::map_to_vector(llvm::seq(count), [&](int64_t i) -> Value {
    return LLVM::ExtractValueOp::create(builder, product.getLoc(), product, i);
  });
}

/// Four products of quad pairs: pairs of f16, and sums of f16 in pairs or of
/// f32.
static SmallVector<Value> emitM8N8K4(OpBuilder &builder, MmaOp op, ValueRange a,
                                     ValueRange b, ValueRange acc) {
  auto getOrder = [](tile::Major order) {
    return order == tile::Major::Row ? NVVM::MMALayout::row
                                     : NVVM::MMALayout::col;
  };
  Type result = LLVM::LLVMStructType::getLiteral(
      op.getContext(), llvm::to_vector(acc.getTypes()));
  std::array<NVVM::MMALayout, 2> orders = {getOrder(op.getAOrder()),
                                           getOrder(op.getBOrder())};
  std::array<NVVM::MMATypes, 2> types = {NVVM::MMATypes::f16,
                                         NVVM::MMATypes::f16};
  Value product =
      NVVM::MmaOp::create(builder, op.getLoc(), result, a, b, acc, {8, 8, 4},
                          std::nullopt, std::nullopt, types, orders);
  return unpackStruct(builder, product, acc.size());
}

MmaEmitter to_gpu::findMmaEmitter(const layout::MmaAtom &atom) {
  static constexpr std::pair<StringLiteral, MmaEmitter> kEmitters[] = {
      {"m8n8k4", emitM8N8K4},
  };
  for (auto [instruction, emitter] : kEmitters)
    if (instruction == atom.instruction)
      return emitter;
  return nullptr;
}
