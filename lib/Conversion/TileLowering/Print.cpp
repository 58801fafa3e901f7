//===- Print.cpp ----------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TileLowering/Print.h"
#include "tileir/Dialect/Tile/IR/PrintFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tileir;

/// A scalar in the type in which C passes it.
static Value promote(OpBuilder &builder, Location loc, Value scalar,
                     bool isSigned) {
  Type from = scalar.getType(), to = tile::getPrintedType(from);
  if (from == to)
    return scalar;
  if (isa<FloatType>(from)) {
    // No target widens the narrow floats to f64 at once.
    if (from.getIntOrFloatBitWidth() < 32)
      scalar =
          arith::ExtFOp::create(builder, loc, builder.getF32Type(), scalar);
    return arith::ExtFOp::create(builder, loc, to, scalar);
  }
  if (isSigned && !from.isInteger(1))
    return arith::ExtSIOp::create(builder, loc, to, scalar);
  return arith::ExtUIOp::create(builder, loc, to, scalar);
}

void tile_lowering::createPrint(OpBuilder &builder, Location loc,
                                StringRef format, ValueRange scalars) {
  // The op's verifier has parsed it.
  SmallVector<tile::PrintPart> parts =
      llvm::cantFail(tile::parsePrintFormat(format));
  SmallVector<Value> promoted;
  for (auto [part, scalar] : llvm::zip(parts, scalars))
    promoted.push_back(promote(builder, loc, scalar, part.isSigned()));
  gpu::PrintfOp::create(
      builder, loc,
      tile::getCFormat(parts, llvm::to_vector(scalars.getTypes())), promoted);
}
