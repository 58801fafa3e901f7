//===- PointerAccess.cpp - Loads and stores at pointers -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TileLowering/PointerAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tileir;

/// The type that LLVM has for numbers in memory.
static Type getStored(Type type) {
  if (!isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type)))
    return type;
  Type byte = IntegerType::get(type.getContext(), 8);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(byte)) : byte;
}

static Value bitcast(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::BitcastOp::create(builder, loc, type, value);
}

Value tile_lowering::createLoad(OpBuilder &builder, Location loc, Type type,
                                Value pointer, unsigned alignment,
                                bool isVolatile) {
  Value loaded = LLVM::LoadOp::create(builder, loc, getStored(type), pointer,
                                      alignment, isVolatile);
  return bitcast(builder, loc, loaded, type);
}

void tile_lowering::createStore(OpBuilder &builder, Location loc, Value value,
                                Value pointer, unsigned alignment) {
  value = bitcast(builder, loc, value, getStored(value.getType()));
  LLVM::StoreOp::create(builder, loc, value, pointer, alignment);
}

Value tile_lowering::createCompareAndSwap(OpBuilder &builder, Location loc,
                                          Value pointer, Value compare,
                                          Value value,
                                          LLVM::AtomicOrdering order,
                                          StringRef syncScope) {
  Type type = value.getType();
  Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  bool isOrdered = order != LLVM::AtomicOrdering::monotonic;
  Value result = LLVM::AtomicCmpXchgOp::create(
      builder, loc, pointer, bitcast(builder, loc, compare, bits),
      bitcast(builder, loc, value, bits), order,
      isOrdered ? LLVM::AtomicOrdering::acquire : order, syncScope);
  Value old =
      LLVM::ExtractValueOp::create(builder, loc, result, ArrayRef<int64_t>{0});
  return bitcast(builder, loc, old, type);
}
