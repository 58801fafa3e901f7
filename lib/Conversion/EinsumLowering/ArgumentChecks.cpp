//===- ArgumentChecks.cpp - Checks of promised sizes ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions on tensors or memrefs with promises of sizes come in. Static sizes
// have been verified; the others are checked once, when the function is called.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/ArgumentChecks.h"

#include "tileir/Dialect/Einsum/IR/ArgumentAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::lowering;
using namespace tileir::einsum;

/// Emits whether a promise is kept.
static Value emitIsKept(OpBuilder &builder, Location loc, Value size,
                        const SizePromise &promise) {
  using P = arith::CmpIPredicate;
  Value number = arith::ConstantIndexOp::create(builder, loc, promise.number);
  if (promise.attribute != kMultipleOf)
    return arith::CmpIOp::create(
        builder, loc, promise.attribute == kAtLeast ? P::sge : P::sle, size,
        number);
  Value rest = arith::RemUIOp::create(builder, loc, size, number);
  return arith::CmpIOp::create(builder, loc, P::eq, rest,
                               arith::ConstantIndexOp::create(builder, loc, 0));
}

static void emitArgumentChecks(func::FuncOp function, CheckEmitter &checks) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (const SizePromise &promise : listSizePromises(function)) {
    Value argument = function.getArgument(promise.argument);
    Location loc = argument.getLoc();
    auto type = cast<ShapedType>(argument.getType());
    if (!type.isDynamicDim(promise.axis))
      continue;
    Value size;
    if (isa<MemRefType>(type))
      size = memref::DimOp::create(builder, loc, argument, promise.axis);
    else
      size = tensor::DimOp::create(builder, loc, argument, promise.axis);
    checks.emitCheck(builder, loc, emitIsKept(builder, loc, size, promise),
                     promise.getError(function, "{0}"), size);
  }
}

void lowering::emitArgumentChecks(ModuleOp module, CheckEmitter &checks) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isExternal() && checks.getLevel() != RuntimeChecks::None)
      ::emitArgumentChecks(function, checks);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (StringRef name : {kMultipleOf, kAtLeast, kAtMost})
        function.removeArgAttr(i, name);
  }
}
