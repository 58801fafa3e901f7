//===- Access.cpp - Elements at offsets that loops move -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constant parts of offsets are added last: code generation makes them the
// displacement of an address.
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "tileir/Conversion/EinsumLowering/SpreadLoad.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::to_vector;

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value IndexBuilder::getConstant(TypedAttr value) {
  Value &constant = constants[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(constantBlock);
    constant = arith::ConstantOp::create(builder, loc, value);
  }
  return constant;
}

Value IndexBuilder::getConstant(int64_t value) {
  return getConstant(builder.getIndexAttr(value));
}

Value IndexBuilder::add(Value base, Value value, int64_t factor) {
  if (factor == 0)
    return base;
  if (factor != 1)
    value = arith::MulIOp::create(builder, loc, value, getConstant(factor));
  return base ? arith::AddIOp::create(builder, loc, base, value) : value;
}

Value IndexBuilder::add(Value base, int64_t value) {
  if (!base || value == 0)
    return base || value == 0 ? base : getConstant(value);
  return arith::AddIOp::create(builder, loc, base, getConstant(value));
}

//===----------------------------------------------------------------------===//
// Cursors
//===----------------------------------------------------------------------===//

Cursor to_vector::getStart(const Access &access) {
  return {{Value(), access.constant},
          SmallVector<Position>(access.tables.size())};
}

Cursor to_vector::advance(IndexBuilder &index, const Access &access,
                          Cursor cursor, unsigned dim, Value iv) {
  cursor.offset.value = index.add(cursor.offset.value, iv, access.strides[dim]);
  for (auto [position, table] : llvm::zip(cursor.tables, access.tables))
    position.value = index.add(position.value, iv, table.strides[dim]);
  return cursor;
}

Cursor to_vector::advance(const Access &access, Cursor cursor, unsigned dim,
                          int64_t by) {
  cursor.offset.constant += by * access.strides[dim];
  for (auto [position, table] : llvm::zip(cursor.tables, access.tables))
    position.constant += by * table.strides[dim];
  return cursor;
}

Value to_vector::toIndex(IndexBuilder &index, Position position) {
  Value value = index.add(position.value, position.constant);
  return value ? value : index.getConstant(0);
}

/// Adds what those tables hold that `isTaken` is true for.
static Position addEntries(IndexBuilder &index, const Access &access,
                           const Cursor &cursor,
                           function_ref<bool(const OffsetTable &)> isTaken) {
  Position result = cursor.offset;
  for (auto [position, table] : llvm::zip(cursor.tables, access.tables)) {
    if (!isTaken(table))
      continue;
    Value entry = memref::LoadOp::create(index.builder, index.loc, table.buffer,
                                         toIndex(index, position));
    result.value = index.add(result.value, entry, 1);
  }
  return result;
}

Position to_vector::resolve(IndexBuilder &index, const Access &access,
                            const Cursor &cursor) {
  return addEntries(index, access, cursor,
                    [](const OffsetTable &) { return true; });
}

Position to_vector::resolveBesides(IndexBuilder &index, const Access &access,
                                   const Cursor &cursor, unsigned dim) {
  return addEntries(index, access, cursor, [&](const OffsetTable &table) {
    return table.strides[dim] == 0;
  });
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Value to_vector::getMask(IndexBuilder &index, Lanes lanes) {
  SmallVector<bool> bits(lanes.width, false);
  std::fill_n(bits.begin(), lanes.count, true);
  auto type = VectorType::get(lanes.width, index.builder.getI1Type());
  return index.getConstant(DenseElementsAttr::get(type, bits));
}

static Value getZero(IndexBuilder &index, VectorType type) {
  return index.getConstant(cast<TypedAttr>(index.builder.getZeroAttr(type)));
}

/// The offsets of lanes `stride` apart.
static Value getLaneOffsets(IndexBuilder &index, Lanes lanes) {
  SmallVector<int64_t> offsets;
  for (int64_t lane = 0; lane < lanes.width; ++lane)
    offsets.push_back(lane < lanes.count ? lane * lanes.stride : 0);
  auto type = VectorType::get(lanes.width, index.builder.getIndexType());
  return index.getConstant(cast<TypedAttr>(
      static_cast<Attribute>(DenseIntElementsAttr::get(type, offsets))));
}

/// The elements at `position` plus each of `offsets`.
static Value gather(IndexBuilder &index, const Access &access,
                    Position position, Lanes lanes, Value offsets) {
  auto type = VectorType::get(lanes.width, access.getElementType());
  return vector::GatherOp::create(index.builder, index.loc, type, access.buffer,
                                  ValueRange(toIndex(index, position)), offsets,
                                  getMask(index, lanes), getZero(index, type));
}

static void scatter(IndexBuilder &index, const Access &access,
                    Position position, Lanes lanes, Value offsets,
                    Value value) {
  vector::ScatterOp::create(index.builder, index.loc, Type(), access.buffer,
                            ValueRange(toIndex(index, position)), offsets,
                            getMask(index, lanes), value);
}

Value to_vector::loadScalar(IndexBuilder &index, const Access &access,
                            Position position) {
  return memref::LoadOp::create(index.builder, index.loc, access.buffer,
                                toIndex(index, position));
}

void to_vector::prefetchLine(IndexBuilder &index, const Access &access,
                             Position position, bool isWrite) {
  memref::PrefetchOp::create(index.builder, index.loc, access.buffer,
                             toIndex(index, position), isWrite,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

void to_vector::storeScalar(IndexBuilder &index, const Access &access,
                            Position position, Value value) {
  memref::StoreOp::create(index.builder, index.loc, value, access.buffer,
                          toIndex(index, position));
}

/// Loads elements a few places apart, or returns null.
static Value loadSpread(IndexBuilder &index, const Access &access,
                        Position position, Lanes lanes) {
  Type type = access.getElementType();
  bool isNarrow = type.isIntOrFloat() && type.getIntOrFloatBitWidth() < 32 &&
                  lanes.width * type.getIntOrFloatBitWidth() == 512;
  int64_t mostStride =
      isNarrow ? einsum::kMostNarrowStride : einsum::kMostStride;
  Value spread = lowering::createSpreadLoad(
      index.builder, index.loc, access.buffer,
      [&](int64_t places) {
        return SmallVector<Value>{
            toIndex(index, {position.value, position.constant + places})};
      },
      lanes.width, lanes.count, lanes.stride, mostStride);
  if (!spread || lanes.count == lanes.width)
    return spread;
  return arith::SelectOp::create(
      index.builder, index.loc, getMask(index, lanes), spread,
      getZero(index, cast<VectorType>(spread.getType())));
}

Value to_vector::loadVector(IndexBuilder &index, const Access &access,
                            Position position, Lanes lanes) {
  OpBuilder &builder = index.builder;
  auto type = VectorType::get(lanes.width, access.getElementType());
  if (lanes.stride == 0 || lanes.width == 1)
    return vector::BroadcastOp::create(builder, index.loc, type,
                                       loadScalar(index, access, position));
  if (Value spread = loadSpread(index, access, position, lanes))
    return spread;
  if (lanes.stride != 1)
    return gather(index, access, position, lanes, getLaneOffsets(index, lanes));
  Value offset = toIndex(index, position);
  if (lanes.count == lanes.width)
    return vector::LoadOp::create(builder, index.loc, type, access.buffer,
                                  offset);
  return vector::MaskedLoadOp::create(builder, index.loc, type, access.buffer,
                                      offset, getMask(index, lanes),
                                      getZero(index, type));
}

void to_vector::storeVector(IndexBuilder &index, const Access &access,
                            Position position, Lanes lanes, Value value,
                            bool streams) {
  OpBuilder &builder = index.builder;
  Value offset = toIndex(index, position);
  // Code generation makes a wrong store of a masked one of one lane that
  // truncates.
  if (lanes.count == 1) {
    Value element = vector::ExtractOp::create(builder, index.loc, value, 0);
    memref::StoreOp::create(builder, index.loc, element, access.buffer, offset);
  } else if (lanes.count < lanes.width &&
             access.getElementType().getIntOrFloatBitWidth() < 32) {
    // Code generation widens masked stores of narrow elements.
    for (int64_t lane = 0; lane < lanes.count; ++lane) {
      Value element =
          vector::ExtractOp::create(builder, index.loc, value, lane);
      storeScalar(index, access,
                  {position.value, position.constant + lane * lanes.stride},
                  element);
    }
  } else if (lanes.stride != 1) {
    scatter(index, access, position, lanes, getLaneOffsets(index, lanes),
            value);
  } else if (lanes.count == lanes.width) {
    llvm::MaybeAlign align;
    if (streams)
      align = llvm::Align(lanes.width *
                          access.getElementType().getIntOrFloatBitWidth() / 8);
    vector::StoreOp::create(builder, index.loc, value, access.buffer, offset,
                            /*nontemporal=*/streams, align);
  } else {
    vector::MaskedStoreOp::create(builder, index.loc, access.buffer, offset,
                                  getMask(index, lanes), value);
  }
}

//===----------------------------------------------------------------------===//
// Lanes along a dimension
//===----------------------------------------------------------------------===//

namespace {
/// Where lanes are that tables tell: the entries along lanes are a vector of
/// offsets, those of other tables are added to the position.
struct TabledLanes {
  Position position;
  Value offsets;
};
} // namespace

static TabledLanes getTabledLanes(IndexBuilder &index, const Access &access,
                                  const Cursor &cursor, unsigned dim,
                                  Lanes lanes) {
  TabledLanes result;
  auto add = [&](Value offsets) {
    result.offsets = result.offsets
                         ? arith::AddIOp::create(index.builder, index.loc,
                                                 result.offsets, offsets)
                         : offsets;
  };
  for (auto [position, table] : llvm::zip(cursor.tables, access.tables)) {
    if (table.strides[dim] == 0)
      continue;
    Access entries;
    entries.buffer = table.buffer;
    add(loadVector(index, entries, position,
                   {lanes.width, lanes.count, table.strides[dim]}));
  }
  if (lanes.stride != 0)
    add(getLaneOffsets(index, lanes));
  result.position = resolveBesides(index, access, cursor, dim);
  return result;
}

Value to_vector::loadLanes(IndexBuilder &index, const Access &access,
                           const Cursor &cursor, std::optional<unsigned> dim,
                           Lanes lanes) {
  if (!dim)
    return loadVector(index, access, resolve(index, access, cursor), lanes);
  lanes.stride = access.strides[*dim];
  if (!access.tablesDependOn(*dim))
    return loadVector(index, access, resolve(index, access, cursor), lanes);
  TabledLanes place = getTabledLanes(index, access, cursor, *dim, lanes);
  return gather(index, access, place.position, lanes, place.offsets);
}

void to_vector::storeLanes(IndexBuilder &index, const Access &access,
                           const Cursor &cursor, std::optional<unsigned> dim,
                           Lanes lanes, Value value, bool streams) {
  if (!dim)
    return storeVector(index, access, resolve(index, access, cursor), lanes,
                       value);
  lanes.stride = access.strides[*dim];
  if (!access.tablesDependOn(*dim))
    return storeVector(index, access, resolve(index, access, cursor), lanes,
                       value, streams);
  TabledLanes place = getTabledLanes(index, access, cursor, *dim, lanes);
  scatter(index, access, place.position, lanes, place.offsets, value);
}
