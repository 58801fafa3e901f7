//===- DotEmitter.cpp - Sums along vectors --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes that a dimension leaves over, and results without a dimension for
// lanes, cost a vector for each step of the sum. Vectors along the sum instead
// cost one for as many steps as they have lanes, and a sum of the lanes at the
// end.
//
//===----------------------------------------------------------------------===//

#include "DotEmitter.h"

#include "Groups.h"
#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace tileir;
using namespace tileir::lowering;
using namespace tileir::to_vector;

/// The cost of summing up the lanes of a vector, in multiply-adds.
static constexpr int64_t kReductionCost = 4;
/// Bytes of a copy that may lie on the stack.
static constexpr int64_t kStackBytes = 32 << 10;

/// Whether `access` follows along `dim`.
static bool followsAlong(const Access &access, unsigned dim) {
  return access.strides[dim] == 1 && !access.tablesDependOn(dim) &&
         !access.panelDim;
}

static bool dependsOnRows(const Nest &nest, const Access &access) {
  return nest.rows && access.dependsOn(*nest.rows);
}

int64_t to_vector::getDotLanes(const Nest &nest) {
  int64_t lanes = 1;
  if (nest.isAlongSum)
    lanes = std::min(nest.tileVectors, nest.getVectorLanes());
  else if (nest.lanes)
    lanes = nest.dims[*nest.lanes].getSize() % nest.getVectorLanes();
  if (nest.sums.empty() || lanes == 0 || nest.grouped)
    return 0;
  unsigned dim = nest.sums.back();
  for (auto [i, input] : llvm::enumerate(nest.inputs)) {
    const Access &access = nest.accesses[input.accesses.front()];
    if (input.expression ||
        (!followsAlong(access, dim) &&
         (dependsOnRows(nest, access) || access.tablesDependOn(dim))))
      return 0;
    // Panels of rows do not follow along a sum, and those of lanes are as wide
    // as vectors of lanes.
    if ((nest.isAlongSum || dependsOnRows(nest, access)) &&
        llvm::is_contained(nest.pack, int64_t(i)))
      return 0;
  }
  if (nest.isAlongSum)
    return lanes;
  int64_t steps = 1, vectors = 1;
  for (unsigned sum : nest.sums) {
    int64_t size = nest.dims[sum].getSize();
    steps *= size;
    vectors *=
        sum == dim ? llvm::divideCeil(size, nest.getVectorLanes()) : size;
  }
  return 5 * lanes * (vectors + kReductionCost) < 4 * steps ? lanes : 0;
}

namespace {

/// Goes over what is summed, the innermost dimension by vectors.
class SumLoops {
public:
  /// The computation at a place, for vectors of some lanes along the sum.
  using Body = function_ref<SmallVector<Value>(ArrayRef<Cursor>, Lanes,
                                               ArrayRef<Value>)>;

  SumLoops(IndexBuilder &index, const Nest &nest, ArrayRef<Access> accesses,
           int64_t width, Body body)
      : index(index), nest(nest), accesses(accesses), width(width), body(body) {
  }

  SmallVector<Value> emit(ArrayRef<Cursor> cursors, ArrayRef<Value> values,
                          unsigned level = 0) {
    unsigned dim = nest.sums[level];
    bool isInnermost = level + 1 == nest.sums.size();
    int64_t size = nest.dims[dim].getSize();
    int64_t step = isInnermost ? width : 1;
    auto emitAt = [&](ArrayRef<Cursor> at, ArrayRef<Value> values,
                      int64_t count) {
      if (isInnermost)
        return body(at, {width, count, 1}, values);
      return emit(at, values, level + 1);
    };
    SmallVector<Value> results(values);
    int64_t looped = size - size % step;
    if (looped > step) {
      auto loop = scf::ForOp::create(
          index.builder, index.loc, index.getConstant(0),
          index.getConstant(looped), index.getConstant(step), values);
      OpBuilder::InsertionGuard guard(index.builder);
      index.builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Cursor> moved;
      for (auto [cursor, access] : llvm::zip(cursors, accesses))
        moved.push_back(
            advance(index, access, cursor, dim, loop.getInductionVar()));
      auto carried = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
      results = emitAt(moved, carried, step);
      // A loop without values has its end already.
      if (!values.empty())
        scf::YieldOp::create(index.builder, index.loc, results);
      results = llvm::to_vector_of<Value>(loop.getResults());
    } else if (looped > 0) {
      results = emitAt(cursors, results, step);
    }
    if (looped < size) {
      SmallVector<Cursor> moved;
      for (auto [cursor, access] : llvm::zip(cursors, accesses))
        moved.push_back(advance(access, cursor, dim, looped));
      results = emitAt(moved, results, size - looped);
    }
    return results;
  }

private:
  IndexBuilder &index;
  const Nest &nest;
  ArrayRef<Access> accesses;
  int64_t width;
  Body body;
};

} // namespace

/// Whether threads may share what the function has where `builder` stands.
static bool isShared(OpBuilder &builder) {
  Operation *op = builder.getInsertionBlock()->getParentOp();
  while (isa<scf::ForOp, scf::IfOp>(op))
    op = op->getParentOp();
  return !isa<FunctionOpInterface>(op);
}

Value to_vector::allocate(IndexBuilder &index, const Nest &nest, int64_t size) {
  OpBuilder &builder = index.builder;
  auto type = MemRefType::get({size}, nest.accumulator);
  int64_t bytes = size * nest.accumulator.getIntOrFloatBitWidth() / 8;
  auto alignment = builder.getI64IntegerAttr(64);
  if (isShared(builder) || bytes > kStackBytes)
    return memref::AllocOp::create(builder, index.loc, type, alignment);
  OpBuilder::InsertionGuard guard(builder);
  index.setInsertionPointToConstants();
  return memref::AllocaOp::create(builder, index.loc, type, alignment);
}

SmallVector<Value> to_vector::packForDots(IndexBuilder &index, Nest &nest,
                                          Lanes lanes,
                                          SmallVectorImpl<Cursor> &cursors) {
  unsigned dim = nest.sums.back();
  SmallVector<Value> allocated;
  for (Operand &input : nest.inputs) {
    unsigned number = input.accesses.front();
    Access from = nest.accesses[number];
    if (followsAlong(from, dim))
      continue;
    // Panels of so few lanes have this width.
    if (from.panelDim) {
      for (unsigned sum : nest.sums)
        from.strides[sum] *= lanes.width;
      from.panelDim.reset();
    }
    Access to;
    to.strides.assign(nest.dims.size(), 0);
    int64_t depth = 1;
    for (unsigned sum : llvm::reverse(nest.sums)) {
      to.strides[sum] = depth;
      depth *= nest.dims[sum].getSize();
    }
    bool hasLanes = nest.lanes && from.dependsOn(*nest.lanes);
    if (nest.lanes)
      to.strides[*nest.lanes] = hasLanes ? depth : 0;
    int64_t count = hasLanes ? lanes.count : 1;
    to.buffer = allocate(index, nest, count * depth);
    if (to.buffer.getDefiningOp<memref::AllocOp>())
      allocated.push_back(to.buffer);
    for (int64_t lane = 0; lane < count; ++lane) {
      Access pair[] = {from, to};
      Cursor starts[] = {cursors[number], getStart(to)};
      if (nest.lanes)
        for (auto [access, cursor] : llvm::zip(pair, starts))
          cursor = advance(access, cursor, *nest.lanes, lane);
      auto copy = [&](ArrayRef<Cursor> at, Lanes part,
                      ArrayRef<Value>) -> SmallVector<Value> {
        Lanes source = part;
        source.stride = from.strides[dim];
        Value value =
            loadVector(index, from, resolve(index, from, at[0]), source);
        value =
            convertElements(index.builder, index.loc, value, nest.accumulator);
        storeVector(index, to, at[1].offset, part, value);
        return {};
      };
      SumLoops(index, nest, pair, nest.getVectorLanes(), copy).emit(starts, {});
    }
    input.accesses.front() = nest.accesses.size();
    cursors.push_back(getStart(to));
    nest.accesses.push_back(to);
    nest.dotGroupSize = 1;
  }
  nest.groupSize = nest.dotGroupSize;
  return allocated;
}

/// The sums of the lanes of each of `vectors`, at most as many as each has
/// lanes: `lanes` of them make a row. A step adds the halves of two vectors and
/// so halves their number, or, when there is one, the lanes of each sum.
static SmallVector<Value> sumLanes(IndexBuilder &index,
                                   SmallVector<Value> vectors, int64_t rows,
                                   Lanes lanes) {
  OpBuilder &builder = index.builder;
  Location loc = index.loc;
  int64_t width = cast<VectorType>(vectors.front().getType()).getDimSize(0);
  vectors.resize(llvm::PowerOf2Ceil(vectors.size()), vectors.back());
  int64_t perSum = width; // lanes that belong to one sum
  for (; perSum > 1; perSum /= 2) {
    bool isLast = vectors.size() == 1;
    SmallVector<int64_t> lower, upper;
    for (int64_t from = 0; from < (isLast ? width : 2 * width); from += perSum)
      for (int64_t lane = 0; lane < perSum / 2; ++lane) {
        lower.push_back(from + lane);
        upper.push_back(from + perSum / 2 + lane);
      }
    // With one vector the result is half as long; its lanes are repeated.
    lower.resize(width, 0);
    upper.resize(width, 0);
    SmallVector<Value> next;
    for (size_t i = 0; i < vectors.size(); i += 2) {
      Value a = vectors[i], b = isLast ? a : vectors[i + 1];
      next.push_back(createSum(
          builder, loc, vector::ShuffleOp::create(builder, loc, a, b, lower),
          vector::ShuffleOp::create(builder, loc, a, b, upper)));
    }
    vectors = std::move(next);
  }
  SmallVector<Value> results;
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<int64_t> places;
    for (int64_t lane = 0; lane < lanes.width; ++lane)
      places.push_back(row * lanes.count + std::min(lane, lanes.count - 1));
    results.push_back(vector::ShuffleOp::create(builder, loc, vectors.front(),
                                                vectors.front(), places));
  }
  return results;
}

namespace {

/// Dot products of rows and lanes, of which each is a vector of sums.
class DotProducts {
public:
  DotProducts(IndexBuilder &index, const Nest &nest, ArrayRef<Access> accesses,
              int64_t rows, int64_t lanes)
      : index(index), builder(index.builder), loc(index.loc), nest(nest),
        accesses(accesses), rows(rows), lanes(lanes) {}

  SmallVector<Value> emit(ArrayRef<Cursor> cursors) {
    auto type = VectorType::get(nest.getVectorLanes(), nest.accumulator);
    Value zero = index.getConstant(cast<TypedAttr>(builder.getZeroAttr(type)));
    SmallVector<Value> sums(rows * lanes + getNumCorrections(), zero);
    auto addProducts = [&](ArrayRef<Cursor> at, Lanes part,
                           ArrayRef<Value> sums) {
      return emitStep(at, part, sums);
    };
    sums = SumLoops(index, nest, accesses,
                    nest.getVectorLanes() * nest.groupSize, addProducts)
               .emit(cursors, sums);
    for (int64_t i = 0; hasCorrections() && i < rows * lanes; ++i)
      sums[i] = arith::SubIOp::create(builder, loc, sums[i],
                                      sums[rows * lanes + getCorrection(i)]);
    sums.truncate(rows * lanes);
    return sums;
  }

private:
  /// What a step multiplies, by input, row and lane.
  using Factors = std::map<std::array<int64_t, 3>, Value>;

  bool hasRows(unsigned input) const {
    return nest.rows && nest.dependsOn(nest.inputs[input], *nest.rows);
  }
  bool hasLanes(unsigned input) const {
    return nest.lanes && nest.dependsOn(nest.inputs[input], *nest.lanes);
  }

  /// Sums of fours contain what emitCorrection tells, of each vector of the
  /// input that has signs.
  bool hasCorrections() const { return nest.groupSize == 4; }
  int64_t getNumCorrections() const {
    unsigned input = 1 - nest.rowsInput;
    return hasCorrections()
               ? (hasRows(input) ? rows : 1) * (hasLanes(input) ? lanes : 1)
               : 0;
  }
  /// The correction of dot product `dot`.
  int64_t getCorrection(int64_t dot) const {
    unsigned input = 1 - nest.rowsInput;
    int64_t row = hasRows(input) ? dot / lanes : 0;
    return hasLanes(input) ? row * lanes + dot % lanes : row;
  }

  Value getFactor(Factors &known, ArrayRef<Cursor> cursors, Lanes part,
                  unsigned input, int64_t row, int64_t lane) {
    if (!hasRows(input))
      row = 0;
    if (!hasLanes(input))
      lane = 0;
    Value &factor = known[{input, row, lane}];
    if (factor)
      return factor;
    const Operand &operand = nest.inputs[input];
    unsigned number = operand.accesses.front();
    const Access &access = accesses[number];
    Cursor cursor = cursors[number];
    if (nest.rows)
      cursor = advance(access, cursor, *nest.rows, row);
    if (nest.lanes)
      cursor = advance(access, cursor, *nest.lanes, lane);
    factor = loadVector(index, access, resolve(index, access, cursor), part);
    if (nest.groupSize == 1)
      factor = convertElements(builder, loc, factor, nest.accumulator);
    else if (nest.accumulator.isInteger())
      factor = toElements(index, nest, operand,
                          toGroups(index, nest, operand, factor));
    return factor;
  }

  Value multiplyAdd(Value lhs, Value rhs, Value sum) {
    if (nest.groupSize > 1)
      return multiplyGroups(index, nest, lhs, rhs, sum);
    if (isa<FloatType>(nest.accumulator))
      return vector::FMAOp::create(builder, loc, lhs, rhs, sum);
    return createSum(builder, loc, sum, createProduct(builder, loc, lhs, rhs));
  }

  SmallVector<Value> emitStep(ArrayRef<Cursor> cursors, Lanes part,
                              ArrayRef<Value> sums) {
    Factors known;
    SmallVector<Value> results(sums);
    for (int64_t i = 0; i < rows * lanes; ++i) {
      auto getOf = [&](unsigned input) {
        return getFactor(known, cursors, part, input, i / lanes, i % lanes);
      };
      Value lhs = getOf(0);
      results[i] = nest.inputs.size() == 1
                       ? createSum(builder, loc, sums[i], lhs)
                       : multiplyAdd(lhs, getOf(1), sums[i]);
      if (!hasCorrections())
        continue;
      Value &correction = results[rows * lanes + getCorrection(i)];
      if (correction == sums[rows * lanes + getCorrection(i)])
        correction =
            emitCorrection(index, nest, getOf(1 - nest.rowsInput), correction);
    }
    return results;
  }

  IndexBuilder &index;
  OpBuilder &builder;
  Location loc;
  const Nest &nest;
  ArrayRef<Access> accesses;
  int64_t rows, lanes;
};

} // namespace

SmallVector<Value> to_vector::emitDots(IndexBuilder &index, const Nest &nest,
                                       ArrayRef<Access> accesses, int64_t rows,
                                       Lanes lanes, ArrayRef<Cursor> cursors) {
  SmallVector<Value> sums =
      DotProducts(index, nest, accesses, rows, lanes.count).emit(cursors);
  return sumLanes(index, sums, rows, lanes);
}
