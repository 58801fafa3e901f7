//===- TileEmitter.cpp - Tiles of registers -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accumulators, a vector each, are carried by the loops over what is summed
// (outer products: a vector of one operand times elements of the other). What
// does not change with the row or the vector is loaded once a step.
//
//===----------------------------------------------------------------------===//

#include "TileEmitter.h"

#include "DotEmitter.h"
#include "Groups.h"
#include "PackEmitter.h"
#include "PrefetchEmitter.h"
#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"
#include "tileir/Conversion/EinsumLowering/Expression.h"
#include "tileir/Conversion/EinsumLowering/UnrolledLoop.h"
#include "tileir/Conversion/EinsumLowering/VectorTranspose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_vector;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool OperandLoader::dependsOnLanes(const Operand &operand) const {
  return nest.lanes && llvm::any_of(operand.accesses, [&](unsigned access) {
           return access < accesses.size() &&
                  accesses[access].dependsOn(*nest.lanes);
         });
}

Value OperandLoader::loadAccess(unsigned number, Lanes lanes,
                                const Cursor &cursor) {
  const Access &access = accesses[number];
  if (!nest.lanes || !access.dependsOn(*nest.lanes))
    return loadScalar(index, access, resolve(index, access, cursor));
  if (access.panelDim)
    lanes.count = lanes.width;
  return loadLanes(index, access, cursor, nest.lanes, lanes);
}

Value OperandLoader::load(const Operand &operand, Lanes lanes,
                          function_ref<Cursor(unsigned)> getCursor,
                          Value contraction, RowVectors *known) {
  if (!operand.expression)
    return loadAccess(operand.accesses.front(), lanes,
                      getCursor(operand.accesses.front()));
  bool isVector = contraction || dependsOnLanes(operand);
  auto getType = [&](Type element) -> Type {
    return isVector ? VectorType::get(lanes.width, element) : element;
  };
  auto getLeaf = [&](const Leaf &leaf) -> Value {
    unsigned position = llvm::find(operand.expression->getLeaves(), leaf) -
                        operand.expression->getLeaves().begin();
    unsigned access = operand.accesses[position];
    if (access >= accesses.size())
      return contraction;
    Type type = getType(accesses[access].getElementType());
    std::pair<unsigned, Type> key(access, type);
    if (known && known->contains(key))
      return known->lookup(key);
    Value value = loadAccess(access, lanes, getCursor(access));
    if (value.getType() == type)
      return value;
    value = vector::BroadcastOp::create(index.builder, index.loc, type, value);
    if (known)
      known->insert({key, value});
    return value;
  };
  return operand.expression->emit(index.builder, getType, getLeaf);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Cursor to_vector::advanceInTile(const Nest &nest, const Access &access,
                                Cursor cursor, int64_t row, int64_t lane) {
  if (nest.rows)
    cursor = advance(access, cursor, *nest.rows, row);
  if (nest.lanes)
    cursor = advance(access, cursor, *nest.lanes, lane);
  return cursor;
}

namespace {

class TileEmitter {
public:
  TileEmitter(IndexBuilder &index, const Nest &nest, int64_t rows,
              const LaneParts &lanes)
      : index(index), builder(index.builder), loc(index.loc), nest(nest),
        rows(rows), lanes(lanes), accesses(nest.accesses),
        loader(index, nest, accesses),
        prefetch(index, nest, accesses, rows, lanes) {
    // In a panel of some width, elements along a sum are that far apart.
    for (Access &access : accesses)
      if (!access.panelDim)
        access = stepByGroups(nest, access);
      else
        for (unsigned dim : nest.sums)
          access.strides[dim] *=
              access.panelDim == nest.lanes ? lanes.getWidth() : rows;
  }

  void emit(ArrayRef<Cursor> start, Value isFirst, Value isLast) {
    SmallVector<Cursor> cursors(start);
    resolveFixedTables(cursors);
    // Sums that go on read the result at once.
    if (!isFirst)
      prefetch.emitResult(cursors);
    SmallVector<Value> values = getInitial(cursors, isFirst);
    if (lanes.areDots) {
      SmallVector<Value> dots =
          emitDots(index, nest, accesses, rows, lanes.vectors.front(), cursors);
      // Sums start from 0; what else they start from is added to them.
      for (auto [value, dot] : llvm::zip(values, dots))
        value =
            isFirst || nest.start ? createSum(builder, loc, value, dot) : dot;
    } else {
      // Corrections are one more row.
      if (hasCorrections())
        for (const Lanes &part : lanes.vectors)
          values.push_back(getZero(part));
      values = emitSums(0, cursors, std::move(values));
      if (hasCorrections())
        correct(values);
    }
    emitStore(cursors, values, isLast);
  }

  void emitStore(ArrayRef<Cursor> cursors, ArrayRef<Value> values,
                 Value isLast) {
    if (!isLast)
      return store(cursors, values, /*isFinal=*/true);
    auto condition = scf::IfOp::create(builder, loc, isLast,
                                       /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(condition.thenBlock());
    store(cursors, values, /*isFinal=*/true);
    builder.setInsertionPointToStart(condition.elseBlock());
    store(cursors, values, /*isFinal=*/false);
  }

  /// The values that sums start from when the tile is initialized, and those
  /// that the result holds when the tile is visited again.
  SmallVector<Value> getInitial(ArrayRef<Cursor> cursors, Value isFirst) {
    if (nest.sums.empty() && !isFirst)
      return {};
    SmallVector<Value> values;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0, e = lanes.vectors.size(); i < e; ++i) {
        Value value = getStart(cursors, row, i);
        if (isFirst) {
          Value held = loadLanes(index, accesses[nest.held],
                                 at(cursors, nest.held, row, i), nest.lanes,
                                 lanes.vectors[i]);
          value = arith::SelectOp::create(builder, loc, isFirst, value, held);
        }
        values.push_back(value);
      }
    return values;
  }

private:
  /// Adds entries of tables that are the same for the whole tile.
  void resolveFixedTables(SmallVectorImpl<Cursor> &cursors) {
    for (auto [access, cursor] : llvm::zip(accesses, cursors))
      for (int64_t i = access.tables.size(); i-- > 0;) {
        ArrayRef<int64_t> strides = access.tables[i].strides;
        auto changes = [&](unsigned dim) { return strides[dim] != 0; };
        if (llvm::any_of(nest.sums, changes) ||
            (nest.lanes && changes(*nest.lanes)) ||
            (nest.rows && changes(*nest.rows)))
          continue;
        Access one = access;
        one.tables = {access.tables[i]};
        cursor.offset =
            resolve(index, one, {cursor.offset, {cursor.tables[i]}});
        access.tables.erase(access.tables.begin() + i);
        cursor.tables.erase(cursor.tables.begin() + i);
      }
  }

  /// The cursor of `access` at a row and a vector of the tile.
  Cursor at(ArrayRef<Cursor> cursors, unsigned access, int64_t row,
            int64_t vector) {
    return advanceInTile(nest, accesses[access], cursors[access], row,
                         lanes.vectors[vector].begin);
  }

  Value getZero(const Lanes &part) {
    auto type = VectorType::get(part.width, nest.accumulator);
    return index.getConstant(cast<TypedAttr>(builder.getZeroAttr(type)));
  }

  /// Whether sums contain what emitCorrection tells.
  bool hasCorrections() const { return nest.groupSize == 4; }

  /// Subtracts the row of corrections from the others.
  void correct(SmallVector<Value> &values) {
    size_t numVectors = lanes.vectors.size(), count = rows * numVectors;
    for (size_t i = 0; i < count; ++i)
      values[i] = arith::SubIOp::create(builder, loc, values[i],
                                        values[count + i % numVectors]);
    values.truncate(count);
  }

  Value getStart(ArrayRef<Cursor> cursors, int64_t row, int64_t vector) {
    Lanes part = lanes.vectors[vector];
    auto type = VectorType::get(part.width, nest.accumulator);
    if (!nest.start)
      return getZero(part);
    Value value = loader.load(*nest.start, part, [&](unsigned access) {
      return at(cursors, access, row, vector);
    });
    if (value.getType() != type)
      value = vector::BroadcastOp::create(builder, loc, type, value);
    return value;
  }

  /// How many steps of summed dimension `level` are one iteration.
  int64_t getUnroll(unsigned level) {
    int64_t unroll = nest.unroll;
    for (unsigned i = nest.sums.size(); i-- > 0;) {
      int64_t size = nest.getSteps(nest.sums[i]);
      int64_t here = std::clamp<int64_t>(unroll, 1, size);
      if (i == level)
        return here;
      // The dimensions around a loop are not unrolled.
      unroll = here == size ? unroll / size : 1;
    }
    llvm_unreachable("there is no such level");
  }

  SmallVector<Value> emitSums(unsigned level, ArrayRef<Cursor> cursors,
                              SmallVector<Value> values) {
    if (level == nest.sums.size())
      return emitStep(cursors, std::move(values));
    unsigned dim = nest.sums[level];
    int64_t size = nest.getSteps(dim), unroll = getUnroll(level);
    bool isInnermost = level + 1 == nest.sums.size();
    auto emitSteps = [&](ArrayRef<Cursor> from, int64_t begin, int64_t count) {
      std::vector<Step> steps;
      for (int64_t i = begin; i < begin + count; ++i) {
        SmallVector<Cursor> moved;
        for (auto [cursor, access] : llvm::zip(from, accesses))
          moved.push_back(advance(access, cursor, dim, i));
        if (isInnermost)
          prefetch.emitInputs(moved, i - begin, count);
        if (isInnermost && goesByRows())
          steps.push_back({moved, {}, {}});
        else
          values = emitSums(level + 1, moved, std::move(values));
      }
      if (!steps.empty())
        values = emitStepsByRows(steps, std::move(values));
    };
    int64_t looped = size - size % unroll;
    if (looped > unroll) {
      Value first = index.getConstant(0), end = index.getConstant(looped);
      if (unroll == 1 && nest.bounds[dim].first)
        std::tie(first, end) = nest.bounds[dim];
      auto loop = scf::ForOp::create(builder, loc, first, end,
                                     index.getConstant(unroll), values);
      // It is unrolled as far as registers allow.
      keepLoop(loop);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      window.clear();
      values = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
      SmallVector<Cursor> moved;
      for (auto [cursor, access] : llvm::zip(cursors, accesses))
        moved.push_back(
            advance(index, access, cursor, dim, loop.getInductionVar()));
      emitSteps(moved, 0, unroll);
      window.clear();
      scf::YieldOp::create(builder, loc, values);
      values = llvm::to_vector_of<Value>(loop.getResults());
    } else {
      emitSteps(cursors, 0, looped);
    }
    emitSteps(cursors, looped, size - looped);
    return values;
  }

  /// Whether `operand` follows along rows, not lanes, in memory.
  bool isTransposed(const Operand &operand) const {
    if (operand.expression || !nest.rows || !nest.lanes)
      return false;
    const Access &access = accesses[operand.accesses.front()];
    int64_t alongLanes = access.strides[*nest.lanes];
    return alongLanes != 0 && alongLanes != 1 &&
           access.strides[*nest.rows] == 1 &&
           !access.tablesDependOn(*nest.rows) &&
           !access.tablesDependOn(*nest.lanes);
  }

  /// The vectors along lanes of the rows from `row` on, at most as many as
  /// vectors have lanes: read along rows, and transposed.
  SmallVector<Value> loadTransposed(const Operand &operand,
                                    ArrayRef<Cursor> cursors, int64_t row,
                                    int64_t vector) {
    unsigned number = operand.accesses.front();
    const Access &access = accesses[number];
    int64_t width = lanes.vectors[vector].width;
    Lanes alongRows{width, std::min(width, rows - row), 1};
    auto type = VectorType::get(width, nest.accumulator);
    SmallVector<Value> read(
        width, index.getConstant(cast<TypedAttr>(builder.getZeroAttr(type))));
    for (int64_t lane = 0; lane < lanes.vectors[vector].count; ++lane) {
      Cursor cursor =
          advance(access, at(cursors, number, row, vector), *nest.lanes, lane);
      read[lane] = convertElements(
          builder, loc,
          loadVector(index, access, resolve(index, access, cursor), alongRows),
          nest.accumulator);
    }
    return lowering::createTranspose(index.builder, index.loc, read);
  }

  /// Loads what is multiplied: elements, or groups of them.
  Value loadFactor(const Operand &operand, Lanes part,
                   function_ref<Cursor(unsigned)> getCursor) {
    unsigned number = operand.accesses.front();
    const Access &access = accesses[number];
    if (nest.grouped && !access.panelDim) {
      if (!loader.dependsOnLanes(operand))
        return loadGroup(index, nest, operand, access,
                         resolve(index, access, getCursor(number)));
      SmallVector<Value> elements;
      for (int64_t i = 0; i < nest.groupSize; ++i)
        elements.push_back(loadLanes(
            index, access,
            advance(nest.accesses[number], getCursor(number), *nest.grouped, i),
            nest.lanes, part));
      return makeGroups(index, nest, operand, elements);
    }
    return convertElements(builder, loc, loader.load(operand, part, getCursor),
                           nest.getFactorType());
  }

  /// The place for what rows of input `input` read at `cursor`; none if tables
  /// or pointwise ops come between.
  Value *findInWindow(unsigned input, const Cursor &cursor, int64_t width) {
    if (nest.inputs[input].expression || !cursor.tables.empty())
      return nullptr;
    return &window[{input, cursor.offset.value.getAsOpaquePointer(),
                    cursor.offset.constant, width}];
  }

  bool dependsOnRows(const Operand &operand) const {
    return nest.rows && llvm::any_of(operand.accesses, [&](unsigned access) {
             return accesses[access].dependsOn(*nest.rows);
           });
  }

  /// A step of the sums, and what was loaded for it.
  struct Step {
    SmallVector<Cursor> cursors;
    std::map<std::array<int64_t, 3>, Value> scalars, known;
  };

  /// What a step multiplies of input `input` for a vector of a row.
  Value getFactor(Step &step, unsigned input, int64_t row, int64_t vector) {
    const Operand &operand = nest.inputs[input];
    bool hasLanes = loader.dependsOnLanes(operand);
    bool hasRows = dependsOnRows(operand);
    Lanes part = lanes.vectors[vector];
    int64_t atRow = hasRows ? row : 0, atVector = hasLanes ? vector : 0;
    Value &factor = step.known[{input, atRow, hasLanes ? vector : -part.width}];
    if (factor)
      return factor;
    if (isTransposed(operand)) {
      for (auto [i, value] :
           llvm::enumerate(loadTransposed(operand, step.cursors, row, vector)))
        step.known[{input, int64_t(row + i), vector}] = value;
      return factor;
    }
    Value *same = nullptr;
    if (hasRows)
      same = findInWindow(
          input, at(step.cursors, operand.accesses.front(), row, atVector),
          part.width);
    if (same && *same)
      return factor = *same;
    Value &loaded = step.scalars[{input, atRow, atVector}];
    if (!loaded)
      loaded = loadFactor(operand, part, [&](unsigned access) {
        return at(step.cursors, access, atRow, atVector);
      });
    factor = loaded;
    auto type = VectorType::get(part.width, nest.getFactorType());
    if (loaded.getType() != type)
      factor = vector::BroadcastOp::create(builder, loc, type, loaded);
    if (nest.grouped)
      factor = toElements(index, nest, operand, factor);
    if (same)
      *same = factor;
    return factor;
  }

  Value emitProduct(Step &step, int64_t row, int64_t vector, Value sum) {
    Value factor = getFactor(step, 0, row, vector);
    if (nest.inputs.size() == 2)
      return multiplyAdd(factor, getFactor(step, 1, row, vector), sum);
    return sum ? createSum(builder, loc, sum, factor) : factor;
  }

  /// Emits one product for each element of the tile.
  SmallVector<Value> emitStep(ArrayRef<Cursor> cursors,
                              SmallVector<Value> values) {
    Step step{SmallVector<Cursor>(cursors), {}, {}};
    SmallVector<Value> results;
    int64_t numVectors = lanes.vectors.size();
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < numVectors; ++i)
        results.push_back(emitProduct(
            step, row, i,
            values.empty() ? Value() : values[row * numVectors + i]));
    if (hasCorrections())
      for (int64_t i = 0; i < numVectors; ++i)
        results.push_back(emitCorrection(
            index, nest, getFactor(step, 1 - nest.rowsInput, 0, i),
            values[rows * numVectors + i]));
    return results;
  }

  /// Whether steps are emitted row by row: what rows share of vectors of a
  /// window would take too many registers until the next step.
  bool goesByRows() const {
    return !hasCorrections() &&
           llvm::any_of(nest.inputs, [&](const Operand &operand) {
             return loader.dependsOnLanes(operand) && dependsOnRows(operand) &&
                    !isTransposed(operand);
           });
  }

  /// Emits the products of several steps, those of one element one after the
  /// other.
  SmallVector<Value> emitStepsByRows(MutableArrayRef<Step> steps,
                                     SmallVector<Value> values) {
    int64_t numVectors = lanes.vectors.size();
    for (int64_t row = 0; row < rows; ++row)
      for (Step &step : steps)
        for (int64_t i = 0; i < numVectors; ++i) {
          Value &sum = values[row * numVectors + i];
          sum = emitProduct(step, row, i, sum);
        }
    return values;
  }

  Value multiplyAdd(Value lhs, Value rhs, Value sum) {
    if (!sum)
      return createProduct(builder, loc, lhs, rhs);
    if (nest.grouped)
      return multiplyGroups(index, nest, lhs, rhs, sum);
    if (isa<FloatType>(nest.accumulator))
      return vector::FMAOp::create(builder, loc, lhs, rhs, sum);
    return createSum(builder, loc, sum, createProduct(builder, loc, lhs, rhs));
  }

  void store(ArrayRef<Cursor> cursors, ArrayRef<Value> values, bool isFinal) {
    if (!nest.streams)
      return store(cursors, values, isFinal, /*streams=*/false);
    auto condition = scf::IfOp::create(builder, loc, nest.streams,
                                       /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(condition.thenBlock());
    store(cursors, values, isFinal, /*streams=*/true);
    builder.setInsertionPointToStart(condition.elseBlock());
    store(cursors, values, isFinal, /*streams=*/false);
  }

  void store(ArrayRef<Cursor> cursors, ArrayRef<Value> values, bool isFinal,
             bool streams) {
    for (int64_t row = 0; row < rows; ++row) {
      // Stores between loads would keep LLVM from seeing that they are equal.
      OperandLoader::RowVectors known;
      for (int64_t i = 0, e = lanes.vectors.size(); i < e; ++i) {
        Lanes part = lanes.vectors[i];
        Value value = values[row * e + i];
        if (isFinal) {
          value = convertElements(builder, loc, value, nest.contracted);
          if (nest.epilogue.expression)
            value = loader.load(
                nest.epilogue, part,
                [&](unsigned access) { return at(cursors, access, row, i); },
                value, &known);
        }
        bool isWhole = (lanes.parts.begin + part.begin) % part.width == 0;
        unsigned to = isFinal ? nest.result : nest.held;
        storeLanes(index, accesses[to], at(cursors, to, row, i), nest.lanes,
                   part, value, streams && isWhole);
      }
    }
  }

  IndexBuilder &index;
  OpBuilder &builder;
  Location loc;
  const Nest &nest;
  int64_t rows;
  const LaneParts &lanes;
  SmallVector<Access> accesses;
  OperandLoader loader;
  PrefetchEmitter prefetch;
  /// What was read along rows in this iteration, by input, place and width:
  /// steps of a window read what others did. The fast tier has no pass that
  /// finds it.
  std::map<std::tuple<unsigned, const void *, int64_t, int64_t>, Value> window;
};

} // namespace

void to_vector::emitTile(IndexBuilder &index, const Nest &nest, int64_t rows,
                         const LaneParts &lanes, ArrayRef<Cursor> cursors,
                         Value isFirst, Value isLast) {
  TileEmitter(index, nest, rows, lanes).emit(cursors, isFirst, isLast);
}

SmallVector<Value> to_vector::loadStartRow(IndexBuilder &index,
                                           const Nest &nest,
                                           const LaneParts &lanes,
                                           ArrayRef<Cursor> cursors) {
  return TileEmitter(index, nest, /*rows=*/1, lanes)
      .getInitial(cursors, /*isFirst=*/Value());
}

void to_vector::storeRow(IndexBuilder &index, const Nest &nest,
                         const LaneParts &lanes, ArrayRef<Cursor> cursors,
                         ArrayRef<Value> values) {
  TileEmitter(index, nest, /*rows=*/1, lanes)
      .emitStore(cursors, values, /*isLast=*/Value());
}
