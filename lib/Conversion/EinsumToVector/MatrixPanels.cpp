//===- MatrixPanels.cpp - Operands as matrix units read them --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies go by blocks of 16 groups and 16 lanes or rows, which are 16 vectors:
// read along what follows in memory, by groups or by lanes, and transposed in
// registers where that is not the order in which they are written.
//
//===----------------------------------------------------------------------===//

#include "MatrixUnit.h"
#include "PackEmitter.h"
#include "TileEmitter.h"
#include "tileir/Conversion/EinsumLowering/VectorTranspose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_vector;

/// Whether registers can be loaded from where `operand`, that of the rows, is.
static bool isInPlace(const Nest &nest, const Operand &operand, unsigned dim) {
  if (operand.expression)
    return false;
  const Access &access = nest.accesses[operand.accesses.front()];
  return access.strides[dim] == 1 && !access.tablesDependOn(dim) &&
         !access.tablesDependOn(*nest.rows) &&
         nest.dims[dim].getSize() % (kMatrixGroups * nest.groupSize) == 0 &&
         nest.dims[*nest.rows].getSize() >= kMatrixRows;
}

void to_vector::prepareMatrixKernel(Nest &nest) {
  nest.groupSize = 32 / nest.inputTypes.front().getIntOrFloatBitWidth();
  nest.tileRows = llvm::alignTo(nest.tileRows, kMatrixRows);
  size_t rows =
      nest.spec.getIndices().find(nest.dims[*nest.rows].getIndices().back());
  nest.rowsInput = nest.spec.getContractionDim(rows) != ContractionDim::M;
  const Operand &ofRows = nest.inputs[nest.rowsInput];
  // The least padding, and then no copy; of those that cost the same, the
  // innermost.
  std::optional<std::pair<double, bool>> least;
  for (unsigned dim : llvm::reverse(nest.sums)) {
    double size = nest.dims[dim].getSize();
    std::pair cost(llvm::alignTo(size, kMatrixGroups * nest.groupSize) / size,
                   !isInPlace(nest, ofRows, dim));
    if (least && *least <= cost)
      continue;
    least = cost;
    nest.grouped = dim;
  }
  llvm::erase(nest.sums, *nest.grouped);
  nest.sums.push_back(*nest.grouped);
  auto pack = [&](int64_t input) {
    if (!llvm::is_contained(nest.pack, input))
      nest.pack.push_back(input);
  };
  pack(1 - nest.rowsInput);
  if (least->second)
    pack(nest.rowsInput);
  nest.overlapsRows = !llvm::is_contained(nest.pack, int64_t(nest.rowsInput));
}

/// The steps of a summed dimension that registers hold, also beyond its end.
static int64_t getHeldSteps(const Nest &nest, unsigned dim) {
  int64_t size = nest.dims[dim].getSize();
  return dim == nest.grouped
             ? llvm::alignTo(size, kMatrixGroups * nest.groupSize)
             : size;
}

Access to_vector::allocateMatrixPanels(IndexBuilder &index, const Nest &nest,
                                       unsigned input, unsigned panelDim) {
  Access panels;
  panels.strides.assign(nest.dims.size(), 0);
  panels.panelDim = panelDim;
  panels.strides[panelDim] = nest.groupSize;
  int64_t depth = 1;
  for (unsigned dim : llvm::reverse(nest.sums)) {
    panels.strides[dim] = depth;
    depth *= getHeldSteps(nest, dim);
  }
  panels.panelDepth = depth;
  int64_t size = llvm::alignTo(nest.dims[panelDim].getSize(), kMatrixLanes);
  auto type = MemRefType::get({size * depth}, nest.inputTypes[input]);
  panels.buffer = memref::AllocOp::create(index.builder, index.loc, type,
                                          index.builder.getI64IntegerAttr(64));
  return panels;
}

namespace {

/// A part of the lanes or rows of an operand, of which a panel has as many as
/// `vectors` have.
struct PanelParts {
  Parts parts;
  SmallVector<Lanes> vectors;

  int64_t getWidth() const { return vectors.size() * kMatrixLanes; }
};

class PanelEmitter {
public:
  PanelEmitter(IndexBuilder &index, const Nest &nest, const Operand &operand,
               const Access &panels)
      : index(index), nest(nest), operand(operand), panels(panels),
        panelDim(*panels.panelDim), isOfRows(panels.panelDim == nest.rows),
        readsGroups(!followsAlong(panelDim)), along(nest),
        loader(index, along, nest.accesses) {
    along.lanes = readsGroups ? *nest.grouped : panelDim;
  }

  /// Goes along what follows in memory: lanes within steps, or steps within
  /// lanes.
  void emit(ArrayRef<PanelParts> all, ArrayRef<Cursor> cursors) {
    if (!readsGroups)
      return emitSums(0, {}, cursors, [&](ArrayRef<Cursor> at, Steps steps) {
        for (const PanelParts &panel : all)
          emitPanels(panel, at, [&](ArrayRef<Cursor> at, Cursor target) {
            emitBlocks(panel, at, target, steps);
          });
      });
    for (const PanelParts &panel : all)
      emitPanels(panel, cursors, [&](ArrayRef<Cursor> at, Cursor target) {
        emitSums(0, {}, at, [&](ArrayRef<Cursor> at, Steps steps) {
          emitBlocks(panel, at, target, steps);
        });
      });
  }

private:
  /// Where loops over a sum are: places in panels of one lane, and how many
  /// steps the last one has there.
  struct Steps {
    Value begin;
    int64_t constant = 0, count = 0;
  };

  void emitSums(unsigned level, Steps steps, ArrayRef<Cursor> cursors,
                function_ref<void(ArrayRef<Cursor>, Steps)> body) {
    if (level == nest.sums.size())
      return body(cursors, steps);
    unsigned dim = nest.sums[level];
    int64_t size = nest.dims[dim].getSize(),
            step = dim == nest.grouped ? getBlockSteps() : 1,
            rest = size % step;
    auto emitAt = [&](Value begin, int64_t constant, int64_t count) {
      SmallVector<Cursor> moved =
          moveTo(index, nest, cursors, dim, begin, constant);
      Steps at{steps.begin, steps.constant + constant * panels.strides[dim],
               count};
      if (begin)
        at.begin = index.add(at.begin, begin, panels.strides[dim]);
      emitSums(level + 1, at, moved, body);
    };
    if (size > rest)
      emitParts(index, {0, step, size / step},
                [&](Value begin, int64_t constant) {
                  emitAt(begin, constant, step);
                });
    if (rest)
      emitAt(Value(), size - rest, rest);
  }

  void emitPanels(const PanelParts &panel, ArrayRef<Cursor> cursors,
                  function_ref<void(ArrayRef<Cursor>, Cursor)> body) {
    emitParts(index, panel.parts, [&](Value begin, int64_t constant) {
      Cursor target = getStart(panels);
      if (begin)
        target.offset.value =
            index.add(target.offset.value, begin, panels.panelDepth);
      target.offset.constant += constant * panels.panelDepth;
      body(moveTo(index, nest, cursors, panelDim, begin, constant), target);
    });
  }

  void emitBlocks(const PanelParts &panel, ArrayRef<Cursor> cursors,
                  Cursor target, Steps steps) {
    if (steps.begin)
      target.offset.value =
          index.add(target.offset.value, steps.begin, panel.getWidth());
    target.offset.constant += steps.constant * panel.getWidth();
    for (Lanes lanes : panel.vectors)
      emitBlock(cursors, target, lanes, steps.count, panel.getWidth());
  }

  int64_t getBlockSteps() const { return kMatrixGroups * nest.groupSize; }

  /// Whether an element of the operand follows the one before along `dim`.
  bool followsAlong(unsigned dim) const {
    return llvm::any_of(operand.accesses, [&](unsigned number) {
      const Access &access = nest.accesses[number];
      return access.strides[dim] == 1 && !access.tablesDependOn(dim);
    });
  }

  Value getZero(VectorType type) {
    return index.getConstant(cast<TypedAttr>(index.builder.getZeroAttr(type)));
  }

  /// The operand `step` steps of the sum and `lane` lanes after `cursors`.
  Value load(ArrayRef<Cursor> cursors, int64_t step, int64_t lane,
             Lanes lanes) {
    Value value = loader.load(operand, lanes, [&](unsigned access) {
      const Access &from = nest.accesses[access];
      Cursor cursor = advance(from, cursors[access], *nest.grouped, step);
      return advance(from, cursor, panelDim, lane);
    });
    OpBuilder &builder = index.builder;
    if (!isa<VectorType>(value.getType()))
      value = vector::BroadcastOp::create(
          builder, index.loc, VectorType::get(lanes.width, value.getType()),
          value);
    else if (!operand.expression)
      return value;
    if (!readsGroups || lanes.count == lanes.width)
      return value;
    // Steps beyond the end are 0, also of what is computed.
    return arith::SelectOp::create(builder, index.loc, getMask(index, lanes),
                                   value,
                                   getZero(cast<VectorType>(value.getType())));
  }

  /// Neighbours of all: an element of each, then the next one of each.
  Value interleave(ArrayRef<Value> values) {
    if (values.size() == 1)
      return values.front();
    SmallVector<Value> even, odd;
    for (auto [i, value] : llvm::enumerate(values))
      (i % 2 ? odd : even).push_back(value);
    return vector::InterleaveOp::create(index.builder, index.loc,
                                        interleave(even), interleave(odd));
  }

  /// A vector for each lane, with `count` steps of the sum.
  SmallVector<Value> readGroups(ArrayRef<Cursor> cursors, Lanes lanes,
                                int64_t count) {
    SmallVector<Value> read;
    for (int64_t lane = 0; lane < lanes.count; ++lane)
      read.push_back(load(cursors, /*step=*/0, lanes.begin + lane,
                          {getBlockSteps(), count, 1}));
    return read;
  }

  /// A vector for each group, with its elements of all lanes.
  SmallVector<Value> readLanes(ArrayRef<Cursor> cursors, Lanes lanes,
                               int64_t count) {
    auto type = VectorType::get(kMatrixLanes, getElementType());
    SmallVector<Value> read;
    for (int64_t group = 0; group < count; group += nest.groupSize) {
      SmallVector<Value> elements(nest.groupSize, getZero(type));
      for (int64_t i = 0; i < std::min(nest.groupSize, count - group); ++i)
        elements[i] = load(cursors, group + i, lanes.begin,
                           {kMatrixLanes, lanes.count, 1});
      read.push_back(interleave(elements));
    }
    return read;
  }

  SmallVector<Value> transpose(ArrayRef<Value> values) {
    OpBuilder &builder = index.builder;
    auto words = VectorType::get(kMatrixGroups, builder.getI32Type());
    auto elements = VectorType::get(getBlockSteps(), getElementType());
    SmallVector<Value> block;
    for (Value value : values)
      block.push_back(
          vector::BitCastOp::create(builder, index.loc, words, value));
    block = lowering::createTranspose(index.builder, index.loc, block);
    for (Value &value : block)
      value = vector::BitCastOp::create(builder, index.loc, elements, value);
    return block;
  }

  Type getElementType() const { return panels.getElementType(); }

  void emitBlock(ArrayRef<Cursor> cursors, Cursor target, Lanes lanes,
                 int64_t count, int64_t width) {
    SmallVector<Value> block = readsGroups ? readGroups(cursors, lanes, count)
                                           : readLanes(cursors, lanes, count);
    auto type = VectorType::get(getBlockSteps(), getElementType());
    block.resize(kMatrixGroups, getZero(type));
    if (readsGroups != isOfRows)
      block = transpose(block);
    Lanes whole{getBlockSteps(), getBlockSteps(), 1};
    int64_t stride = nest.groupSize * width;
    target.offset.constant += lanes.begin * nest.groupSize;
    for (auto [i, value] : llvm::enumerate(block)) {
      Position to = target.offset;
      to.constant += i * stride;
      storeVector(index, panels, to, whole, value);
    }
  }

  IndexBuilder &index;
  const Nest &nest;
  const Operand &operand;
  const Access &panels;
  unsigned panelDim;
  /// Whether registers have a row for each row, and whether vectors are read
  /// along groups: else, for each group, and along lanes or rows.
  bool isOfRows, readsGroups;
  Nest along; // with lanes along which vectors are read
  OperandLoader loader;
};

} // namespace

void to_vector::emitMatrixPack(IndexBuilder &index, const Nest &nest,
                               const Operand &operand, ArrayRef<Cursor> cursors,
                               const Access &panels) {
  SmallVector<PanelParts> all;
  if (panels.panelDim == nest.lanes) {
    for (const LaneParts &lanes : getLaneParts(nest))
      all.push_back({lanes.parts, lanes.vectors});
  } else {
    int64_t size = nest.dims[*nest.rows].getSize(), rest = size % kMatrixRows;
    if (size > rest)
      all.push_back({{0, kMatrixRows, size / kMatrixRows},
                     {{kMatrixRows, kMatrixRows, 1}}});
    if (rest)
      all.push_back({{size - rest, rest, 1}, {{kMatrixRows, rest, 1}}});
  }
  PanelEmitter(index, nest, operand, panels).emit(all, cursors);
}
