//===- CopyWithBorder.cpp - A copy and the border around it ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs are what is contiguous in both. The last vector of one begins earlier
// instead of being masked, so that it writes some elements twice.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/MemRef/Transforms/CopyWithBorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;

/// Vectors that most CPUs have, or take as two.
static constexpr int64_t kVectorBytes = 32;
/// Runs of more vectors are loops.
static constexpr int64_t kMostUnrolled = 16;
/// Smaller targets are not worth the threads.
static constexpr int64_t kLeastParallelBytes = 256 << 10;

namespace {

class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, Value source, Value target,
          ArrayRef<OpFoldResult> begin, ArrayRef<bool> isInside, Value border,
          int64_t vectorBytes)
      : builder(builder), loc(loc), from(getShape(source)),
        to(getShape(target)), begin(begin), isInside(isInside),
        element(cast<MemRefType>(source.getType()).getElementType()),
        source(flatten(source)), target(flatten(target)), border(border),
        vectorBytes(vectorBytes) {
    for (int64_t axis = 0; axis < int64_t(from.size()); ++axis)
      if (!isWhole(axis))
        last = axis;
  }

  void run(bool parallel);

private:
  static ArrayRef<int64_t> getShape(Value memref) {
    return cast<MemRefType>(memref.getType()).getShape();
  }
  static int64_t getSize(ArrayRef<int64_t> shape) {
    return llvm::product_of(shape);
  }
  Value flatten(Value memref);
  /// Whether the same elements of both follow each other along `axis`.
  bool isWhole(int64_t axis) const {
    return from[axis] == to[axis] && isConstantIntValue(begin[axis], 0);
  }
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, int64_t b) {
    return b == 0 ? a : arith::AddIOp::create(builder, loc, a, number(b));
  }
  /// `base` + `index` * `stride`.
  Value step(Value base, Value index, int64_t stride) {
    Value offset = arith::MulIOp::create(builder, loc, index, number(stride));
    return arith::AddIOp::create(builder, loc, base, offset);
  }
  void emitAxis(int64_t axis, Value source, Value target);
  void emitMovingAxis(int64_t axis, Value source, Value target);
  /// A loop over `index`; `emit` is called inside.
  void emitLoop(Value first, Value end, function_ref<void(Value)> emit);
  /// Calls `emit` with the place of each vector of a run, and its size.
  void emitRun(int64_t size, function_ref<void(Value, int64_t)> emit);
  void fill(Value at, int64_t size);
  void copy(Value source, Value target, int64_t size);

  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> from, to;
  ArrayRef<OpFoldResult> begin;
  ArrayRef<bool> isInside;
  Type element;
  Value source, target, border;
  int64_t vectorBytes;
  /// The last axis that is not whole.
  int64_t last = -1;
};

} // namespace

Value Emitter::flatten(Value memref) {
  int64_t size = getSize(getShape(memref));
  return memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get(size, element), memref, /*offset=*/0,
      /*sizes=*/size, /*strides=*/1);
}

void Emitter::emitRun(int64_t size, function_ref<void(Value, int64_t)> emit) {
  if (size == 0)
    return;
  int64_t bits = element.getIntOrFloatBitWidth();
  int64_t lanes = std::min<int64_t>(vectorBytes * 8 / bits,
                                    llvm::bit_floor(uint64_t(size)));
  int64_t whole = llvm::alignDown(uint64_t(size), lanes);
  if (size <= kMostUnrolled * lanes) {
    for (int64_t at = 0; at < whole; at += lanes)
      emit(number(at), lanes);
  } else {
    auto loop = scf::ForOp::create(builder, loc, number(0), number(whole),
                                   number(lanes));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emit(loop.getInductionVar(), lanes);
  }
  if (whole != size)
    emit(number(size - lanes), lanes);
}

void Emitter::fill(Value at, int64_t size) {
  emitRun(size, [&](Value offset, int64_t lanes) {
    Value vector = vector::BroadcastOp::create(
        builder, loc, VectorType::get(lanes, element), border);
    Value place = arith::AddIOp::create(builder, loc, at, offset);
    vector::StoreOp::create(builder, loc, vector, target, place);
  });
}

void Emitter::copy(Value sourceAt, Value targetAt, int64_t size) {
  emitRun(size, [&](Value offset, int64_t lanes) {
    Value here = arith::AddIOp::create(builder, loc, sourceAt, offset);
    Value there = arith::AddIOp::create(builder, loc, targetAt, offset);
    Value vector = vector::LoadOp::create(
        builder, loc, VectorType::get(lanes, element), source, here);
    vector::StoreOp::create(builder, loc, vector, target, there);
  });
}

void Emitter::emitLoop(Value first, Value end, function_ref<void(Value)> emit) {
  auto loop = scf::ForOp::create(builder, loc, first, end, number(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emit(loop.getInductionVar());
}

void Emitter::emitAxis(int64_t axis, Value sourceAt, Value targetAt) {
  if (axis > last)
    return copy(sourceAt, targetAt, getSize(to.drop_front(axis)));
  int64_t sourceStride = getSize(from.drop_front(axis + 1));
  int64_t targetStride = getSize(to.drop_front(axis + 1));
  std::optional<int64_t> known = getConstantIntValue(begin[axis]);
  if (!known && !isInside[axis])
    return emitMovingAxis(axis, sourceAt, targetAt);
  if (!known)
    sourceAt = step(sourceAt, cast<Value>(begin[axis]), sourceStride);
  int64_t at = known.value_or(0), skipped = std::max<int64_t>(at, 0);
  int64_t before = std::clamp<int64_t>(-at, 0, to[axis]);
  int64_t inside =
      std::clamp<int64_t>(from[axis] - skipped, 0, to[axis] - before);
  sourceAt = add(sourceAt, skipped * sourceStride);
  fill(targetAt, before * targetStride);
  Value middle = add(targetAt, before * targetStride);
  if (axis == last)
    copy(sourceAt, middle, inside * sourceStride);
  else
    emitLoop(number(0), number(inside), [&](Value index) {
      emitAxis(axis + 1, step(sourceAt, index, sourceStride),
               step(middle, index, targetStride));
    });
  fill(add(middle, inside * targetStride),
       (to[axis] - before - inside) * targetStride);
}

/// Where the part of the target is that the source has is known at run time.
void Emitter::emitMovingAxis(int64_t axis, Value sourceAt, Value targetAt) {
  int64_t sourceStride = getSize(from.drop_front(axis + 1));
  int64_t targetStride = getSize(to.drop_front(axis + 1));
  Value at = getValueOrCreateConstantIndexOp(builder, loc, begin[axis]);
  auto clamp = [&](Value value) -> Value {
    value = arith::MaxSIOp::create(builder, loc, value, number(0));
    return arith::MinSIOp::create(builder, loc, value, number(to[axis]));
  };
  auto subtract = [&](int64_t value) -> Value {
    return arith::SubIOp::create(builder, loc, number(value), at);
  };
  Value first = clamp(subtract(0)), end = clamp(subtract(from[axis]));
  auto fillAt = [&](Value index) {
    fill(step(targetAt, index, targetStride), targetStride);
  };
  emitLoop(number(0), first, fillAt);
  emitLoop(first, end, [&](Value index) {
    Value place = arith::AddIOp::create(builder, loc, at, index);
    emitAxis(axis + 1, step(sourceAt, place, sourceStride),
             step(targetAt, index, targetStride));
  });
  emitLoop(end, number(to[axis]), fillAt);
}

void Emitter::run(bool parallel) {
  int64_t first = 0; // the first axis that is not whole
  while (first < last && isWhole(first))
    ++first;
  int64_t count = getSize(from.take_front(first));
  auto emit = [&](Value index) {
    emitAxis(first, step(number(0), index, getSize(from.drop_front(first))),
             step(number(0), index, getSize(to.drop_front(first))));
  };
  OpBuilder::InsertionGuard guard(builder);
  int64_t bytes = getSize(to) * element.getIntOrFloatBitWidth() / 8;
  if (parallel && count > 1 && bytes >= kLeastParallelBytes) {
    auto loop = scf::ParallelOp::create(builder, loc, number(0), number(count),
                                        number(1));
    builder.setInsertionPointToStart(loop.getBody());
    return emit(loop.getInductionVars().front());
  }
  emitLoop(number(0), number(count), emit);
}

void memref_transforms::emitBox(OpBuilder &builder, Location loc, Value source,
                                Value target, ArrayRef<OpFoldResult> begin,
                                ArrayRef<bool> isInside, Value border,
                                int64_t vectorBytes) {
  Emitter(builder, loc, source, target, begin, isInside, border, vectorBytes)
      .run(/*parallel=*/false);
}

void memref_transforms::emitCopyWithBorder(OpBuilder &builder, Location loc,
                                           Value source, Value target,
                                           ArrayRef<int64_t> low, Value border,
                                           bool parallel) {
  auto begin = llvm::map_to_vector(low, [&](int64_t before) -> OpFoldResult {
    return builder.getIndexAttr(-before);
  });
  Emitter(builder, loc, source, target, begin, /*isInside=*/{}, border,
          kVectorBytes)
      .run(parallel);
}
