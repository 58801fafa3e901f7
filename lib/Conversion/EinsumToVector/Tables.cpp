//===- Tables.cpp - Accesses and their offset tables ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An axis is f(indices of the result) + g(summed indices) (C3). So the part of
// an operand that is not strided is one table of offsets for either kind of
// indices, as pointer increments are in the post on extended contractions:
// indices of tables or are divided, and indices that are gone through
// as one and do not follow each other in this operand.
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/Analysis/LoopDims.h"
#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_vector;

Value to_vector::flatten(IndexBuilder &index, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] bool strided =
      succeeded(type.getStridesAndOffset(strides, offset));
  assert(strided && "a schedule needs static strides (C28)");
  int64_t size = 1;
  for (auto [length, stride] : llvm::zip(type.getShape(), strides))
    size += (length - 1) * stride;
  OpFoldResult start = index.builder.getIndexAttr(offset);
  if (ShapedType::isDynamic(offset))
    start = memref::ExtractStridedMetadataOp::create(index.builder, index.loc,
                                                     memref)
                .getOffset();
  auto layout = StridedLayoutAttr::get(type.getContext(), offset, {1});
  auto flat =
      MemRefType::get({size}, type.getElementType(),
                      offset == 0 ? MemRefLayoutAttrInterface() : layout,
                      type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      index.builder, index.loc, flat, memref, start,
      ArrayRef<OpFoldResult>{index.builder.getIndexAttr(size)},
      ArrayRef<OpFoldResult>{index.builder.getIndexAttr(1)});
}

namespace {

/// The indices of some dimensions, with their sizes.
struct IndexGroup {
  StringRef letters;
  int64_t size;
};

class TableEmitter {
public:
  TableEmitter(IndexBuilder &index, const ContractMemRefs &memrefs,
               unsigned operand, const OperandAccess &access,
               ArrayRef<int64_t> sizes, CheckEmitter &checks)
      : index(index), spec(memrefs.getOp().getSpec()), operand(operand),
        access(access), sizes(sizes), indexEmitter(memrefs, checks) {}

  /// A table of an entry for each combination of values of the groups' indices.
  Value emit(ArrayRef<IndexGroup> groups) {
    OpBuilder &builder = index.builder;
    SmallVector<unsigned> letters;
    int64_t size = 1;
    for (const IndexGroup &group : groups)
      for (char name : group.letters) {
        letters.push_back(spec.getIndices().find(name));
        size *= sizes[letters.back()];
      }
    auto type = MemRefType::get({size}, builder.getIndexType());
    Value table = memref::AllocOp::create(builder, index.loc, type);
    index.buffers.push_back(table);
    SmallVector<Value> lower(letters.size(), index.getConstant(0)),
        step(letters.size(), index.getConstant(1)), upper;
    for (unsigned letter : letters)
      upper.push_back(index.getConstant(sizes[letter]));
    scf::buildLoopNest(
        builder, index.loc, lower, upper, step,
        [&](OpBuilder &, Location, ValueRange values) {
          Value entry, position;
          SmallVector<Value> indexValues(spec.getNumIndices());
          int64_t stride = size;
          for (auto [letter, value] : llvm::zip(letters, values)) {
            indexValues[letter] = value;
            position = index.add(position, value, stride /= sizes[letter]);
          }
          entry = emitOffset(letters, indexValues);
          memref::StoreOp::create(builder, index.loc, entry, table, position);
        });
    return table;
  }

private:
  /// Emits what the terms that use `letters` add to the offset.
  Value emitOffset(ArrayRef<unsigned> letters, ArrayRef<Value> values) {
    Value offset;
    for (AxisTerm term : access.getOffsetTerms()) {
      if (llvm::none_of(letters, [&](unsigned letter) {
            return spec.usesIndex(term.expr, letter);
          }))
        continue;
      Value value =
          indexEmitter.emit(index.builder, operand, term.expr, values);
      offset = index.add(offset, value, term.factor);
    }
    return offset ? offset : index.getConstant(0);
  }

  IndexBuilder &index;
  SpecAttr spec;
  unsigned operand;
  const OperandAccess &access;
  ArrayRef<int64_t> sizes;
  IndexEmitter indexEmitter;
};

} // namespace

Access to_vector::makeAccess(IndexBuilder &index,
                             const ContractMemRefs &memrefs,
                             ArrayRef<DimAttr> dims, unsigned operand,
                             AffineMap map, Value memref,
                             CheckEmitter &checks) {
  SpecAttr spec = memrefs.getOp().getSpec();
  SmallVector<int64_t> sizes = getStaticIndexSizes(memrefs.getOp());
  OperandAccess source(spec, sizes, map, cast<MemRefType>(memref.getType()));
  Access access;
  access.buffer = flatten(index, memref);
  access.constant = source.getConstant();
  SmallVector<IndexGroup> groups[2];
  for (DimAttr dim : dims) {
    SmallVector<unsigned> indices = getIndices(spec, dim);
    auto stride = source.getStride(indices);
    access.strides.push_back(stride.value_or(0) * dim.getStep());
    if (stride)
      continue;
    auto &side = groups[isSummed(spec, dim)];
    if (llvm::any_of(side, [&](const IndexGroup &group) {
          return group.letters == dim.getIndices();
        }))
      continue;
    side.push_back({dim.getIndices(), getTotalSize(indices, sizes)});
  }
  TableEmitter emitter(index, memrefs, operand, source, sizes, checks);
  for (ArrayRef<IndexGroup> side : groups) {
    if (side.empty())
      continue;
    OffsetTable table{emitter.emit(side), {}};
    unsigned innermost = spec.getIndices().find(side.back().letters.back());
    if (source.getStride(innermost) == 1)
      table.row = sizes[innermost];
    for (DimAttr dim : dims) {
      int64_t stride = dim.getStep();
      bool isInTable = false;
      for (const IndexGroup &group : side)
        if (isInTable)
          stride *= group.size;
        else
          isInTable = group.letters == dim.getIndices();
      table.strides.push_back(isInTable ? stride : 0);
    }
    access.tables.push_back(std::move(table));
  }
  return access;
}
