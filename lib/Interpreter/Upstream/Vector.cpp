//===- Vector.cpp - Vectors of registers ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that make vectors, move their lanes, or reduce them to a scalar. Vectors
// have one axis, so what an op of the vector dialect means for more is not told
// here. Arithmetic on lanes is in Elementwise.cpp, accesses to memory are in
// VectorMemory.cpp. Lanes that are poison may be moved.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// Sets the result of `op`, a vector: lane i is `getLane(i)`.
static LogicalResult setLanes(Evaluator &evaluator, Operation *op,
                              llvm::function_ref<Scalar(int64_t)> getLane) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  auto kind = getKind(op, type);
  if (failed(kind))
    return failure();
  auto vector = allocate(op, *kind, type.getShape());
  if (failed(vector))
    return failure();
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    vector->write(i, getLane(i));
  evaluator.set(op->getResult(0), std::move(*vector));
  return success();
}

/// Any value, also poison, which ops that only move it may read.
static Scalar getLaneValue(Evaluator &evaluator, Value value) {
  return std::get<Scalar>(evaluator.get(value));
}

static Scalar makePoison(ElementKind kind) {
  return {kind, 0, /*isPoison=*/true};
}

//===----------------------------------------------------------------------===//
// From scalars
//===----------------------------------------------------------------------===//

static LogicalResult runVectorBroadcast(Evaluator &evaluator,
                                        vector::BroadcastOp op) {
  if (!isa<VectorType>(op.getSourceType())) {
    Scalar scalar = getLaneValue(evaluator, op.getSource());
    return setLanes(evaluator, op, [&](int64_t) { return scalar; });
  }
  // The source has as many lanes, or one.
  Array source = evaluator.getArray(op.getSource());
  bool isOne = source.shape[0] == 1;
  return setLanes(evaluator, op,
                  [&](int64_t i) { return source.read(isOne ? 0 : i); });
}

static LogicalResult runVectorFromElements(Evaluator &evaluator,
                                           vector::FromElementsOp op) {
  return setLanes(evaluator, op, [&](int64_t i) {
    return getLaneValue(evaluator, op.getElements()[i]);
  });
}

static LogicalResult runStep(Evaluator &evaluator, vector::StepOp op) {
  return setLanes(evaluator, op, makeIndex);
}

/// The first lanes of the mask are true.
static LogicalResult runConstantMask(Evaluator &evaluator,
                                     vector::ConstantMaskOp op) {
  int64_t count = op.getMaskDimSizes().empty() ? 0 : op.getMaskDimSizes()[0];
  return setLanes(evaluator, op,
                  [&](int64_t i) { return makeBool(i < count); });
}

static LogicalResult runCreateMask(Evaluator &evaluator,
                                   vector::CreateMaskOp op) {
  SmallVector<int64_t> counts = evaluator.getInts(op.getOperands());
  int64_t count = counts.empty() ? 0 : counts.front();
  return setLanes(evaluator, op,
                  [&](int64_t i) { return makeBool(i < count); });
}

//===----------------------------------------------------------------------===//
// Moving lanes
//===----------------------------------------------------------------------===//

/// The lanes of both operands are numbered one after the other.
static LogicalResult runShuffle(Evaluator &evaluator, vector::ShuffleOp op) {
  Array first = evaluator.getArray(op.getV1());
  Array second = evaluator.getArray(op.getV2());
  int64_t size = first.shape[0];
  return setLanes(evaluator, op, [&](int64_t i) {
    int64_t lane = op.getMask()[i];
    if (lane == vector::ShuffleOp::kPoisonIndex)
      return makePoison(first.kind);
    return lane < size ? first.read(lane) : second.read(lane - size);
  });
}

static LogicalResult runInterleave(Evaluator &evaluator,
                                   vector::InterleaveOp op) {
  Array lhs = evaluator.getArray(op.getLhs());
  Array rhs = evaluator.getArray(op.getRhs());
  return setLanes(evaluator, op,
                  [&](int64_t i) { return (i % 2 ? rhs : lhs).read(i / 2); });
}

static LogicalResult runVectorExtractSlice(Evaluator &evaluator,
                                           vector::ExtractStridedSliceOp op) {
  Array source = evaluator.getArray(op.getSource());
  int64_t offset = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
  int64_t stride = cast<IntegerAttr>(op.getStrides()[0]).getInt();
  return setLanes(evaluator, op,
                  [&](int64_t i) { return source.read(offset + i * stride); });
}

/// The bits of all lanes, the first one in the lowest bits, in lanes of another
/// width. A lane is poison if any of its bits are.
static LogicalResult runBitCast(Evaluator &evaluator, vector::BitCastOp op) {
  Array source = evaluator.getArray(op.getSource());
  auto kind = getKind(op, op.getType());
  if (failed(kind))
    return failure();
  int64_t from = getWidth(source.kind), to = getWidth(*kind);
  return setLanes(evaluator, op, [&](int64_t i) {
    uint64_t bits = 0;
    int64_t count = std::min(from, to);
    for (int64_t bit = i * to; bit < (i + 1) * to; bit += count) {
      Scalar lane = source.read(bit / from);
      if (lane.isPoison)
        return makePoison(*kind);
      uint64_t part = uint64_t(lane.bits) >> (bit % from) &
                      llvm::maskTrailingOnes<uint64_t>(count);
      bits |= part << (bit - i * to);
    }
    return isFloat(*kind) ? Scalar{*kind, int64_t(bits)}
                          : makeInteger(*kind, bits);
  });
}

/// The lane of `vector` that an op names; none if that is poison.
template <typename Op>
static FailureOr<std::optional<int64_t>> getLane(Evaluator &evaluator, Op op,
                                                 const Array &vector) {
  OpFoldResult lane = op.getMixedPosition().front();
  int64_t index = evaluator.getInt(lane);
  if (isa<Attribute>(lane) && index == Op::kPoisonIndex)
    return std::optional<int64_t>();
  auto position = getPosition(op, vector, index);
  if (failed(position))
    return failure();
  return std::optional<int64_t>(*position);
}

/// One lane, or the whole vector.
static LogicalResult runVectorExtract(Evaluator &evaluator,
                                      vector::ExtractOp op) {
  Array source = evaluator.getArray(op.getSource());
  if (op.getNumIndices() == 0) {
    evaluator.set(op.getResult(), std::move(source));
    return success();
  }
  auto lane = getLane(evaluator, op, source);
  if (failed(lane))
    return failure();
  evaluator.set(op.getResult(),
                *lane ? source.read(**lane) : makePoison(source.kind));
  return success();
}

static LogicalResult runVectorInsert(Evaluator &evaluator,
                                     vector::InsertOp op) {
  if (op.getNumIndices() == 0) {
    evaluator.set(op.getResult(),
                  RuntimeValue(evaluator.get(op.getValueToStore())));
    return success();
  }
  Array target = evaluator.getArray(op.getDest());
  Scalar scalar = getLaneValue(evaluator, op.getValueToStore());
  auto lane = getLane(evaluator, op, target);
  if (failed(lane))
    return failure();
  return setLanes(evaluator, op, [&](int64_t i) {
    if (!*lane)
      return makePoison(target.kind);
    return i == **lane ? scalar : target.read(i);
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static arith::AtomicRMWKind getKind(vector::CombiningKind kind, bool isFloat) {
  using V = vector::CombiningKind;
  using K = arith::AtomicRMWKind;
  switch (kind) {
  case V::ADD:
    return isFloat ? K::addf : K::addi;
  case V::MUL:
    return isFloat ? K::mulf : K::muli;
  case V::MINUI:
    return K::minu;
  case V::MINSI:
    return K::mins;
  case V::MINNUMF:
    return K::minnumf;
  case V::MAXUI:
    return K::maxu;
  case V::MAXSI:
    return K::maxs;
  case V::MAXNUMF:
    return K::maxnumf;
  case V::AND:
    return K::andi;
  case V::OR:
    return K::ori;
  case V::XOR:
    return K::xori;
  case V::MAXIMUMF:
    return K::maximumf;
  case V::MINIMUMF:
    return K::minimumf;
  }
  llvm_unreachable("unknown combining kind");
}

/// Reduces from the first lane to the last, whatever order may be allowed.
static LogicalResult runReduction(Evaluator &evaluator,
                                  vector::ReductionOp op) {
  Array vector = evaluator.getArray(op.getVector());
  if (failed(checkNoPoison(op, vector, "a value")))
    return failure();
  arith::AtomicRMWKind kind = getKind(op.getKind(), isFloat(vector.kind));
  std::optional<Scalar> total;
  if (op.getAcc())
    total = evaluator.getScalar(op.getAcc());
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Scalar lane = vector.read(i);
    auto combined = total ? combine(op, kind, *total, lane) : lane;
    if (failed(combined))
      return failure();
    total = *combined;
  }
  evaluator.set(op.getDest(), *total);
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Adds the products of pairs of neighbours, first that of the odd lanes. What
/// hardware flushes to zero stays here.
static LogicalResult runVectorDot(Evaluator &evaluator,
                                  x86vector::DotBF16Op op) {
  Array sums = evaluator.getArray(op.getSrc());
  Array lhs = evaluator.getArray(op.getA()),
        rhs = evaluator.getArray(op.getB());
  return setLanes(evaluator, op, [&](int64_t i) {
    Scalar sum = sums.read(i);
    for (int64_t lane : {2 * i + 1, 2 * i}) {
      Scalar a = lhs.read(lane), b = rhs.read(lane);
      if (sum.isPoison || a.isPoison || b.isPoison)
        return makePoison(sum.kind);
      sum = makeFloat(sum.kind, toDouble(a) * toDouble(b) + toDouble(sum));
    }
    return sum;
  });
}

void interp::addVectorHandlers(HandlerTable &table) {
  table.add(runVectorBroadcast);
  table.add(runVectorFromElements);
  table.add(runStep);
  table.add(runConstantMask);
  table.add(runCreateMask);
  table.add(runShuffle);
  table.add(runInterleave);
  table.add(runVectorExtractSlice);
  table.add(runVectorExtract);
  table.add(runVectorInsert);
  table.add(runReduction);
  table.add(runBitCast);
  table.add(runVectorDot);
}
