//===- TileMath.cpp - Arithmetic across the elements of tiles -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dot products, reductions and scans. Their order is not specified: here
// elements are combined one after the other, the first first, in the element
// type; those of a dot in f32 for f16 and bf16, rounded once at the end.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileChannels.h"
#include "Tile/TileElements.h"
#include "Tile/TileLaunch.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

// Products are rounded before they are added.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// Tells how long the sums have become that repetitions of `op` in the program
/// add to.
static void noteSum(Evaluator &evaluator, Operation *op, int64_t length) {
  evaluator.noteReduction(
      evaluator.launch ? evaluator.launch->addToSum(op, length) : length);
}

//===----------------------------------------------------------------------===//
// dot
//===----------------------------------------------------------------------===//

// Elements to and from the type in which sums are formed. Unsigned arithmetic
// is that of i32 modulo 2^32.
static void convert(Scalar from, uint32_t &to) { to = from.bits; }
static void convert(Scalar from, float &to) { to = toDouble(from); }
static void convert(Scalar from, double &to) { to = toDouble(from); }
static Scalar convert(uint32_t from, ElementKind to) {
  return makeInteger(to, from);
}
static Scalar convert(double from, ElementKind to) {
  return makeFloat(to, from);
}

template <typename T> static std::vector<T> getNumbers(const Array &array) {
  std::vector<T> numbers(array.getNumElements());
  for (auto [i, number] : llvm::enumerate(numbers))
    convert(array.read(i), number);
  return numbers;
}

/// Each sum begins with the accumulator and takes products in order.
template <typename T>
static void computeDot(const Array &a, const Array &b, const Array &acc,
                       const Array &result, bool isTF32 = false) {
  int64_t rows = acc.shape[acc.getRank() - 2], columns = acc.shape.back();
  int64_t depth = a.shape.back();
  int64_t batches = acc.getNumElements() / (rows * columns);
  std::vector<T> left = getNumbers<T>(a), right = getNumbers<T>(b);
  std::vector<T> sums = getNumbers<T>(acc);
  if constexpr (std::is_same_v<T, float>)
    if (isTF32)
      for (std::vector<T> *factors : {&left, &right})
        llvm::transform(*factors, factors->begin(), roundToTF32);
  for (int64_t row = 0; row < batches * rows; ++row) {
    T *sum = &sums[row * columns];
    const T *factors = &left[row * depth];
    const T *block = &right[row / rows * depth * columns];
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t column = 0; column < columns; ++column)
        sum[column] = sum[column] + factors[k] * block[k * columns + column];
  }
  for (auto [i, sum] : llvm::enumerate(sums))
    result.write(i, convert(sum, result.kind));
}

FailureOr<Array> interp::multiply(Evaluator &evaluator, Operation *op,
                                  const Array &a, const Array &b,
                                  const Array &acc, bool isTF32) {
  if (failed(checkNoPoison(op, a, "an element of a")) ||
      failed(checkNoPoison(op, b, "an element of b")) ||
      failed(checkNoPoison(op, acc, "an element of the accumulator")))
    return failure();
  auto result = allocate(op, acc.kind, acc.shape);
  if (failed(result))
    return failure();
  switch (acc.kind) {
  case ElementKind::F16:
  case ElementKind::BF16:
  case ElementKind::F32:
    computeDot<float>(a, b, acc, *result, isTF32);
    break;
  case ElementKind::F64:
    computeDot<double>(a, b, acc, *result);
    break;
  default:
    computeDot<uint32_t>(a, b, acc, *result);
  }
  noteSum(evaluator, op, a.shape.back());
  return result;
}

/// tile.dot and tile.mma.
template <typename Op>
static LogicalResult runTileDot(Evaluator &evaluator, Op op) {
  bool isTF32 = false;
  if constexpr (std::is_same_v<Op, tile::DotOp>)
    isTF32 = op.isTF32();
  else
    isTF32 = op.getAtom().getAtom()->isTf32;
  auto result = multiply(evaluator, op, evaluator.getArray(op.getA()),
                         evaluator.getArray(op.getB()),
                         evaluator.getArray(op.getAcc()), isTF32);
  if (failed(result))
    return failure();
  evaluator.set(op.getResult(), std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// reduce and scan
//===----------------------------------------------------------------------===//

static arith::AtomicRMWKind getKind(tile::Combiner combiner, bool isFloat) {
  using K = arith::AtomicRMWKind;
  switch (combiner) {
  case tile::Combiner::Add:
    return isFloat ? K::addf : K::addi;
  case tile::Combiner::Mul:
    return isFloat ? K::mulf : K::muli;
  case tile::Combiner::Max:
    return isFloat ? K::maximumf : K::maxs;
  case tile::Combiner::Min:
    return isFloat ? K::minimumf : K::mins;
  case tile::Combiner::UMax:
    return K::maxu;
  case tile::Combiner::UMin:
    return K::minu;
  case tile::Combiner::And:
    return K::andi;
  case tile::Combiner::Or:
    return K::ori;
  case tile::Combiner::Xor:
    return K::xori;
  case tile::Combiner::MaxNum:
    return K::maxnumf;
  case tile::Combiner::MinNum:
    return K::minnumf;
  }
  llvm_unreachable("unknown combiner");
}

/// Calls `visit` with the position of each element of each line along `axis`,
/// the number of the line in C order of the other axes, and what the elements
/// of the line up to there combine to.
template <typename Op>
static LogicalResult
combineLines(Evaluator &evaluator, Op op, bool isReverse,
             llvm::function_ref<void(int64_t, int64_t, Scalar)> visit) {
  const Array &source = evaluator.getArray(op.getSource());
  if (failed(checkNoPoison(op, source, "an element")))
    return failure();
  auto kind = getKind(op.getCombiner(), isFloat(source.kind));
  int64_t length = source.shape[op.getAxis()];
  int64_t stride = getDenseStrides(source.shape)[op.getAxis()];
  noteSum(evaluator, op, length);
  for (int64_t line = 0; line < source.getNumElements() / length; ++line) {
    int64_t first = line / stride * stride * length + line % stride;
    std::optional<Scalar> total;
    for (int64_t i = 0; i < length; ++i) {
      int64_t position = first + (isReverse ? length - 1 - i : i) * stride;
      Scalar next = source.read(position);
      if (total) {
        auto combined = combine(op, kind, *total, next);
        if (failed(combined))
          return failure();
        next = *combined;
      }
      total = next;
      visit(position, line, next);
    }
  }
  return success();
}

static LogicalResult runReduce(Evaluator &evaluator, tile::ReduceOp op) {
  std::vector<Scalar> totals(*getProduct(tile::getShape(op.getType())));
  if (failed(combineLines(
          evaluator, op, /*isReverse=*/false,
          [&](int64_t, int64_t line, Scalar total) { totals[line] = total; })))
    return failure();
  return setElements(evaluator, op, op.getResult(),
                     [&](int64_t i) -> FailureOr<Scalar> { return totals[i]; });
}

static LogicalResult runScan(Evaluator &evaluator, tile::ScanOp op) {
  const Array &source = evaluator.getArray(op.getSource());
  auto result = allocate(op, source.kind, source.shape);
  if (failed(result) ||
      failed(combineLines(evaluator, op, op.getReverse(),
                          [&](int64_t position, int64_t, Scalar total) {
                            result->write(position, total);
                          })))
    return failure();
  evaluator.set(op.getResult(), std::move(*result));
  return success();
}

void interp::addTileMathHandlers(HandlerTable &table) {
  table.add(runTileDot<tile::DotOp>);
  table.add(runTileDot<tile::MmaOp>);
  table.add(runReduce);
  table.add(runScan);
}
