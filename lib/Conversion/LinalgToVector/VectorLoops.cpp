//===- VectorLoops.cpp - Loops over vectors -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No lane is masked: what a row has left after its last full vector is done by
// vectors of half as many lanes, and so on.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileir/Conversion/EinsumLowering/UnrolledLoop.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;

bool linalg_to_vector::isVectorElement(Type type) {
  return type.isIndex() ||
         (type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0);
}

bool linalg_to_vector::hasVectors(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t offset;
  SmallVector<int64_t> strides;
  return isVectorElement(type.getElementType()) && type.getRank() > 0 &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

int64_t linalg_to_vector::getNumLanes(Operation *op, unsigned bits,
                                      int64_t count, int64_t size) {
  int64_t lanes = count * einsum::MachineAttr::find(op).getVectorBits() / bits;
  return llvm::bit_floor(uint64_t(std::clamp<int64_t>(lanes, 1, size)));
}

bool linalg_to_vector::isParallel(linalg::LinalgOp op, int64_t minElements) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  return minElements != std::numeric_limits<int64_t>::max() &&
         (ShapedType::isDynamicShape(ranges) ||
          ShapedType::getNumElements(ranges) >= minElements);
}

void linalg_to_vector::buildLoops(
    OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
    function_ref<void(OpBuilder &, ValueRange)> body, bool parallel,
    ArrayRef<int64_t> steps) {
  auto getConstants = [&](ArrayRef<int64_t> numbers) {
    return llvm::map_to_vector(numbers, [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, number);
    });
  };
  auto begin = getConstants(SmallVector<int64_t>(shape.size(), 0));
  auto end = getConstants(shape);
  auto step = getConstants(steps.empty() ? SmallVector<int64_t>(shape.size(), 1)
                                         : llvm::to_vector(steps));
  if (parallel && !shape.empty()) {
    scf::ParallelOp::create(builder, loc, begin, end, step,
                            [&](OpBuilder &inner, Location,
                                ValueRange indices) { body(inner, indices); });
    return;
  }
  scf::buildLoopNest(builder, loc, begin, end, step,
                     [&](OpBuilder &inner, Location, ValueRange indices) {
                       body(inner, indices);
                     });
}

void linalg_to_vector::buildVectors(
    OpBuilder &builder, Location loc, int64_t size, int64_t lanes,
    function_ref<void(OpBuilder &, Value, int64_t)> body, bool parallel) {
  auto getConstant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  int64_t done = size - size % lanes;
  if (done > lanes && parallel) {
    scf::ParallelOp::create(
        builder, loc, getConstant(0), getConstant(done), getConstant(lanes),
        [&](OpBuilder &inner, Location, ValueRange indices) {
          body(inner, indices.front(), lanes);
        });
  } else if (done > lanes) {
    auto loop = scf::ForOp::create(builder, loc, getConstant(0),
                                   getConstant(done), getConstant(lanes));
    OpBuilder inner(loc.getContext());
    inner.setInsertionPointToStart(loop.getBody());
    body(inner, loop.getInductionVar(), lanes);
    lowering::unrollShortLoop(loop);
  } else {
    done = 0;
  }
  for (int64_t width = lanes; width > 0; width /= 2)
    for (; size - done >= width; done += width)
      body(builder, getConstant(done), width);
}
