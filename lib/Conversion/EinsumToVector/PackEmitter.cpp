//===- PackEmitter.cpp - Copies of operands in panels ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand whose lanes follow each other in memory is copied by vectors. If
// instead what is summed does, blocks are transposed in registers. Anything
// else is gathered.
//
//===----------------------------------------------------------------------===//

#include "PackEmitter.h"

#include "Groups.h"
#include "LaneRuns.h"
#include "TileEmitter.h"
#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"
#include "tileir/Conversion/EinsumLowering/VectorTranspose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::lowering;
using namespace tileir::to_vector;

std::optional<unsigned> to_vector::getPanelDim(const Nest &nest,
                                               const Operand &operand) {
  // By the specification: a value that is the same for all may be one of them.
  if (nest.isMatrix)
    return &operand == &nest.inputs[nest.rowsInput] ? nest.rows : nest.lanes;
  bool byLanes = nest.lanes && nest.dependsOn(operand, *nest.lanes);
  bool byRows = nest.rows && nest.dependsOn(operand, *nest.rows);
  if (byLanes == byRows)
    return std::nullopt;
  return byLanes ? nest.lanes : nest.rows;
}

Access to_vector::allocatePanels(IndexBuilder &index, const Nest &nest,
                                 unsigned panelDim) {
  Access panels;
  panels.strides.assign(nest.dims.size(), 0);
  panels.panelDim = panelDim;
  panels.strides[panelDim] = 1;
  int64_t depth = 1;
  for (unsigned dim : llvm::reverse(nest.sums)) {
    panels.strides[dim] = depth;
    depth *= nest.getSteps(dim);
  }
  panels.panelDepth = depth;
  int64_t width = nest.dims[panelDim].getSize();
  if (panelDim == nest.lanes) {
    LaneParts last = getLaneParts(nest).back();
    width = last.parts.begin + (last.parts.count - 1) * last.parts.size +
            last.getWidth();
  }
  auto type = MemRefType::get({width * depth}, nest.getFactorType());
  panels.buffer = memref::AllocOp::create(index.builder, index.loc, type,
                                          index.builder.getI64IntegerAttr(64));
  return panels;
}

namespace {

class PackEmitter {
public:
  PackEmitter(IndexBuilder &index, const Nest &nest, const Operand &operand,
              const Access &panels)
      : index(index), nest(nest), operand(operand), panels(panels),
        loader(index, nest, nest.accesses) {
    for (const Access &access : nest.accesses)
      steps.push_back(access.panelDim ? access : stepByGroups(nest, access));
  }

  /// Copies `vectors` of a panel whose first element is at `target`; elements
  /// along `sums` are `width` apart, times their stride in `panels`.
  void emit(ArrayRef<Cursor> cursors, Cursor target, ArrayRef<Lanes> vectors,
            int64_t width) {
    Access panel = panels;
    for (unsigned dim : nest.sums)
      panel.strides[dim] *= width;
    runs.clear();
    int64_t begin = 0;
    for (Lanes lanes : vectors) {
      runs.emplace_back();
      if (!operand.expression && !nest.grouped &&
          hasLaneRuns(getAccess(), *panels.panelDim, lanes))
        runs.back() =
            findLaneRuns(index, getAccess(),
                         advance(getAccess(), cursors[operand.accesses.front()],
                                 *panels.panelDim, begin),
                         *panels.panelDim, lanes);
      begin += lanes.count;
    }
    emitSums(0, cursors, target, panel, vectors, nest.groupSize);
  }

  /// Whether a panel's values are read by vectors along it.
  bool readsVectors() const {
    return !operand.expression && !getAccess().tablesDependOn(*panels.panelDim);
  }

private:
  /// `numSteps`: how many steps of a grouped dimension are left for a group.
  void emitSums(unsigned level, ArrayRef<Cursor> cursors, Cursor target,
                const Access &panel, ArrayRef<Lanes> vectors,
                int64_t numSteps) {
    if (level == nest.sums.size())
      return emitCopies(cursors, target, panel, vectors, numSteps);
    unsigned dim = nest.sums[level];
    int64_t size = nest.dims[dim].getSize(), step = 1;
    int64_t perStep = nest.grouped == dim ? nest.groupSize : 1;
    bool transposes = level + 1 == nest.sums.size() && canTranspose(dim);
    if (transposes)
      step = nest.getVectorLanes();
    auto emitAt = [&](Value begin, int64_t constant, int64_t count) {
      SmallVector<Cursor> moved;
      for (auto [cursor, access] : llvm::zip(cursors, steps))
        moved.push_back(move(access, cursor, dim, begin, constant));
      Cursor to = move(panel, target, dim, begin, constant);
      if (transposes)
        emitTransposed(moved, to, panel, vectors, dim, count);
      else
        emitSums(level + 1, moved, to, panel, vectors,
                 nest.grouped == dim ? std::min(count, perStep) : numSteps);
    };
    int64_t looped = size / perStep / step * step;
    if (looped > 0)
      emitParts(index, {0, step, looped / step},
                [&](Value begin, int64_t constant) {
                  emitAt(begin, constant, step * perStep);
                });
    if (int64_t rest = size - looped * perStep; rest > 0)
      emitAt(Value(), looped, rest);
  }

  Cursor move(const Access &access, Cursor cursor, unsigned dim, Value begin,
              int64_t constant) {
    if (begin)
      cursor = advance(index, access, cursor, dim, begin);
    return advance(access, cursor, dim, constant);
  }

  const Access &getAccess() const {
    return nest.accesses[operand.accesses.front()];
  }

  /// Whether vectors along `dim` can be read instead of vectors along panels.
  bool canTranspose(unsigned dim) const {
    return readsVectors() && (!nest.grouped || nest.grouped == dim) &&
           getAccess().strides[dim] == 1 &&
           getAccess().strides[*panels.panelDim] != 1 &&
           !getAccess().tablesDependOn(dim);
  }

  /// A vector of a panel: those of rows have no room beyond the last one.
  Lanes getStored(Lanes lanes) const {
    int64_t count = panels.panelDim == nest.lanes ? lanes.width : lanes.count;
    return {lanes.width, count, 1};
  }

  /// The value of the operand `begin` lanes of a panel after `cursors`, which
  /// may be in runs.
  Value load(ArrayRef<Cursor> cursors, int64_t begin, Lanes lanes,
             ArrayRef<LaneRun> runs) {
    auto getCursor = [&](unsigned access) {
      return advance(nest.accesses[access], cursors[access], *panels.panelDim,
                     begin);
    };
    if (!runs.empty())
      return loadLaneRuns(index, getAccess(),
                          getCursor(operand.accesses.front()), *panels.panelDim,
                          lanes, runs);
    if (!readsVectors())
      return loader.load(operand, lanes, getCursor);
    lanes.stride = getAccess().strides[*panels.panelDim];
    return loadVector(
        index, getAccess(),
        resolve(index, getAccess(), getCursor(operand.accesses.front())),
        lanes);
  }

  /// Whether elements of a vector would be gathered, which takes longer than to
  /// copy one after the other.
  bool areFarApart(Lanes lanes) const {
    return !nest.grouped && readsVectors() && lanes.width > 1 &&
           std::abs(getAccess().strides[*panels.panelDim]) >
               einsum::kMostStride;
  }

  /// Copies the elements of a vector one by one. All are loaded before one is
  /// stored, which might be in the memory of tables for all that LLVM knows.
  void copyElements(ArrayRef<Cursor> cursors, Cursor target,
                    const Access &panel, int64_t begin, Lanes lanes) {
    unsigned dim = *panels.panelDim;
    Position from = resolve(
        index, getAccess(),
        advance(getAccess(), cursors[operand.accesses.front()], dim, begin));
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < lanes.count; ++lane) {
      Value element = loadScalar(index, getAccess(), from);
      elements.push_back(convertElements(index.builder, index.loc, element,
                                         nest.getFactorType()));
      from.constant += getAccess().strides[dim];
    }
    elements.resize(getStored(lanes).count,
                    index.getConstant(cast<TypedAttr>(
                        index.builder.getZeroAttr(nest.getFactorType()))));
    for (auto [lane, element] : llvm::enumerate(elements))
      storeScalar(index, panel,
                  advance(panel, target, dim, begin + lane).offset, element);
  }

  void emitCopies(ArrayRef<Cursor> cursors, Cursor target, const Access &panel,
                  ArrayRef<Lanes> vectors, int64_t numSteps) {
    SmallVector<SmallVector<Cursor>> steps(nest.grouped ? numSteps : 1);
    for (auto [step, moved] : llvm::enumerate(steps))
      for (auto [cursor, access] : llvm::zip(cursors, nest.accesses))
        moved.push_back(step ? advance(access, cursor, *nest.grouped, step)
                             : cursor);
    int64_t begin = 0;
    for (auto [lanes, runs] : llvm::zip(vectors, runs)) {
      if (areFarApart(lanes)) {
        copyElements(cursors, target, panel, begin, lanes);
        begin += lanes.count;
        continue;
      }
      SmallVector<Value> values;
      for (ArrayRef<Cursor> at : steps)
        values.push_back(load(at, begin, lanes, runs));
      Value value = nest.grouped ? makeGroups(index, nest, operand, values)
                                 : values.front();
      value = convertElements(index.builder, index.loc, value,
                              nest.getFactorType());
      Position to = advance(panel, target, *panels.panelDim, begin).offset;
      if (isa<VectorType>(value.getType()))
        storeVector(index, panel, to, getStored(lanes), value);
      else
        storeScalar(index, panel, to, value);
      begin += lanes.count;
    }
  }

  /// Reads `count` elements along `dim` of each lane, and transposes them, or
  /// their groups. Full vectors that follow each other are a loop: one is some
  /// 150 instructions.
  void emitTransposed(ArrayRef<Cursor> cursors, Cursor target,
                      const Access &panel, ArrayRef<Lanes> vectors,
                      unsigned dim, int64_t count) {
    const Access &access = getAccess();
    unsigned panelDim = *panels.panelDim;
    int64_t full = nest.getVectorLanes(), begin = 0;
    auto isFull = [&](Lanes lanes) {
      return lanes.width == full && lanes.count == full;
    };
    while (!vectors.empty()) {
      Lanes lanes = vectors.front();
      ArrayRef<Lanes> alike = vectors.take_while(isFull);
      int64_t number = std::max<int64_t>(alike.size(), 1);
      emitParts(
          index, {begin, lanes.count, number}, [&](Value iv, int64_t constant) {
            Cursor from = cursors[operand.accesses.front()], to = target;
            if (iv) {
              from = advance(index, access, from, panelDim, iv);
              to = advance(index, panel, to, panelDim, iv);
            }
            emitTransposedVector(advance(access, from, panelDim, constant),
                                 advance(panel, to, panelDim, constant), panel,
                                 lanes, dim, count);
          });
      begin += number * lanes.count;
      vectors = vectors.drop_front(number);
    }
  }

  /// The same of one vector.
  void emitTransposedVector(Cursor cursor, Cursor target, const Access &panel,
                            Lanes lanes, unsigned dim, int64_t count) {
    const Access &access = getAccess();
    int64_t full = nest.getVectorLanes(), perStep = nest.groupSize;
    auto type = VectorType::get(full, nest.getFactorType());
    Value zero =
        index.getConstant(cast<TypedAttr>(index.builder.getZeroAttr(type)));
    SmallVector<Value> rows;
    for (int64_t lane = 0; lane < full; ++lane) {
      if (lane >= lanes.count) {
        rows.push_back(zero);
        continue;
      }
      Cursor at = advance(access, cursor, *panels.panelDim, lane);
      Value row = loadVector(index, access, resolve(index, access, at),
                             {full * perStep, count, 1});
      if (nest.grouped)
        row = toGroups(index, nest, operand, row);
      rows.push_back(
          convertElements(index.builder, index.loc, row, nest.getFactorType()));
    }
    SmallVector<Value> columns =
        lowering::createTranspose(index.builder, index.loc, rows);
    for (int64_t i = 0; i * perStep < count; ++i) {
      Value column = columns[i];
      if (lanes.width != full)
        column = vector::ExtractStridedSliceOp::create(
            index.builder, index.loc, column,
            /*offsets=*/ArrayRef<int64_t>{0},
            /*sizes=*/ArrayRef<int64_t>{lanes.width},
            /*strides=*/ArrayRef<int64_t>{1});
      storeVector(index, panel, advance(panel, target, dim, i).offset,
                  getStored(lanes), column);
    }
  }

  IndexBuilder &index;
  const Nest &nest;
  const Operand &operand;
  const Access &panels;
  SmallVector<Access> steps;              // accesses that steps of sums move
  SmallVector<SmallVector<LaneRun>> runs; // of each vector of a panel, or none
  OperandLoader loader;
};

} // namespace

void to_vector::emitPack(IndexBuilder &index, const Nest &nest,
                         const Operand &operand, ArrayRef<Cursor> cursors,
                         const Access &panels) {
  PackEmitter emitter(index, nest, operand, panels);
  auto emitPart = [&](Parts parts, ArrayRef<Lanes> vectors, int64_t width) {
    emitParts(index, parts, [&](Value begin, int64_t constant) {
      SmallVector<Cursor> moved;
      for (auto [from, access] : llvm::zip(cursors, nest.accesses)) {
        Cursor cursor = from;
        if (begin)
          cursor = advance(index, access, cursor, *panels.panelDim, begin);
        moved.push_back(advance(access, cursor, *panels.panelDim, constant));
      }
      Cursor target = getStart(panels);
      if (begin)
        target.offset.value =
            index.add(target.offset.value, begin, panels.panelDepth);
      target.offset.constant += constant * panels.panelDepth;
      emitter.emit(moved, target, vectors, width);
    });
  };
  if (panels.panelDim == nest.lanes) {
    for (const LaneParts &lanes : getLaneParts(nest))
      emitPart(lanes.parts, lanes.vectors, lanes.getWidth());
    return;
  }
  for (Parts rows : getRowParts(nest, nest.tileRows)) {
    SmallVector<Lanes> vectors;
    int64_t step = emitter.readsVectors() ? nest.getVectorLanes() : 1;
    for (int64_t begin = 0; begin < rows.size; begin += step)
      vectors.push_back({step, std::min(step, rows.size - begin), 1});
    emitPart(rows, vectors, rows.size);
  }
}
