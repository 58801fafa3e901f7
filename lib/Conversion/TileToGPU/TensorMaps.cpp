//===- TensorMaps.cpp - Host code that makes tensor maps ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime encodes maps (GpuRuntime.h): host code gives it the address, the
// sizes, the box and its steps, and passes the 128 bytes to the kernel by
// value.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "tileir/Target/Gpu/TensorMap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using Kind = machine::TensorType;

static constexpr StringLiteral kEncode = "tileirEncodeTensorMap";

Type to_gpu::getTensorMapBytes(MLIRContext *context) {
  return LLVM::LLVMArrayType::get(IntegerType::get(context, 64),
                                  machine::kTensorMapBytes / 8);
}

static Kind getTensorType(Type element) {
  if (element.isF16())
    return Kind::F16;
  if (element.isBF16())
    return Kind::BF16;
  if (element.isF32())
    return Kind::F32;
  if (element.isF64())
    return Kind::F64;
  switch (element.getIntOrFloatBitWidth()) {
  case 16:
    return Kind::U16;
  case 32:
    return Kind::S32;
  case 64:
    return Kind::S64;
  default:
    return Kind::U8;
  }
}

/// The function of the runtime; see GpuRuntime.cpp for its parameters.
static func::FuncOp declareEncode(ModuleOp module) {
  if (auto function = module.lookupSymbol<func::FuncOp>(kEncode))
    return function;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type number = builder.getI64Type();
  auto function = func::FuncOp::create(
      builder, module.getLoc(), kEncode,
      builder.getFunctionType(
          {pointer, number, number, number, pointer, pointer, pointer, number},
          {}));
  function.setPrivate();
  return function;
}

Value to_gpu::emitTensorMap(MakeTensorMapOp op) {
  Location loc = op.getLoc();
  TensorMapType map = op.getMap().getType();
  MemRefType memref = op.getMemref().getType();
  OpBuilder builder(op);
  func::FuncOp encode = declareEncode(op->getParentOfType<ModuleOp>());
  Type pointer = LLVM::LLVMPointerType::get(op.getContext());
  Type number = builder.getI64Type();
  auto createNumber = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  // At the beginning of the function, lest the stack grow in loops.
  auto allocate = [&](int64_t count) -> Value {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &op->getParentOfType<func::FuncOp>().front());
    return LLVM::AllocaOp::create(builder, loc, pointer, number,
                                  createNumber(count));
  };
  auto store = [&](Value array, int64_t i, Value value) {
    Value at = LLVM::GEPOp::create(builder, loc, pointer, number, array,
                                   LLVM::GEPArg(i));
    LLVM::StoreOp::create(builder, loc, value, at);
  };

  Value bytes = allocate(machine::kTensorMapBytes / 8);
  Value sizes = allocate(memref.getRank()), box = allocate(memref.getRank());
  Value steps = allocate(memref.getRank());
  for (int64_t axis = 0; axis < memref.getRank(); ++axis) {
    Value size = memref::DimOp::create(builder, loc, op.getMemref(), axis);
    store(sizes, axis, arith::IndexCastOp::create(builder, loc, number, size));
    store(box, axis, createNumber(map.getBox()[axis]));
    store(steps, axis, createNumber(map.getSteps()[axis]));
  }
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, loc, op.getMemref());
  address = arith::IndexCastOp::create(builder, loc, number, address);
  func::CallOp::create(
      builder, loc, encode,
      ValueRange{bytes, address,
                 createNumber(int64_t(getTensorType(map.getElementType()))),
                 createNumber(memref.getRank()), sizes, box, steps,
                 createNumber(map.getSwizzle())});
  return LLVM::LoadOp::create(builder, loc, getTensorMapBytes(op.getContext()),
                              bytes);
}
