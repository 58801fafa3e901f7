//===- Streaming.cpp - Results that are written past the caches -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store reads its line before it changes a part of it. Of a result that is
// larger than the caches, that is half of what goes through memory, and for
// nothing: whole lines are written. Nontemporal stores do without, but have
// to be aligned: where vectors are is known here but for the result's address,
// which is looked at once.
//
//===----------------------------------------------------------------------===//

#include "Streaming.h"

#include "tileir/Conversion/EinsumLowering/Buffers.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_vector;

Value to_vector::emitStreamCondition(IndexBuilder &index, const Nest &nest,
                                     Value result, MachineAttr machine) {
  const Access &access = nest.accesses[nest.result];
  auto type = cast<MemRefType>(result.getType());
  int64_t bits = type.getElementTypeBitWidth();
  double bytes = static_cast<double>(type.getNumElements()) * bits / 8;
  if (!machine.streams(bytes) || !nest.lanes ||
      access.strides[*nest.lanes] != 1 || !access.tables.empty())
    return {};
  // Parts of a sum are read again.
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.isSummed(dim) && !nest.isPrim(dim))
      return {};
  int64_t vector = nest.getVectorLanes();
  auto isWhole = [&](int64_t elements) { return elements % vector == 0; };
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (dim != nest.lanes && nest.dims[dim].getSize() > 1 &&
        !isWhole(access.strides[dim]))
      return {};
  int64_t offset;
  SmallVector<int64_t> strides;
  if (!isWhole(access.constant) ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || !isWhole(offset))
    return {};
  return lowering::createIsAligned(index.builder, index.loc, result,
                                   vector * bits / 8);
}
