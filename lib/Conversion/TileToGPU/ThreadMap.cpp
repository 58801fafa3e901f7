//===- ThreadMap.cpp - Layouts as code of a thread ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bits of a thread's number are those of its lane and then of its warp.
// Each is moved to where its basis has a bit set, runs of bits with consecutive
// powers of two as one field; fields overlap only where bases have several bits
// (swizzles).
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"

#include "Registers.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::layout;
using namespace tileir::to_gpu;

static constexpr unsigned kLaneBits = 5;

Value to_gpu::getThread(OpBuilder &builder, Location loc) {
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), thread);
}

Value to_gpu::getLane(OpBuilder &builder, Location loc) {
  return arith::AndIOp::create(builder, loc, getThread(builder, loc),
                               createI32(builder, loc, (1 << kLaneBits) - 1));
}

Value to_gpu::getWarp(OpBuilder &builder, Location loc) {
  return arith::ShRUIOp::create(builder, loc, getThread(builder, loc),
                                createI32(builder, loc, kLaneBits));
}

Value to_gpu::emitUniformWarp(OpBuilder &builder, Location loc) {
  return emitShuffles(builder, loc, getWarp(builder, loc), NVVM::ShflKind::idx,
                      createI32(builder, loc, 0))
      .front();
}

namespace {
/// Bits [from, from + count) of the thread go to [to, to + count).
struct Field {
  unsigned from, to, count;
};
} // namespace

/// The bases of the thread's bits along an axis.
static SmallVector<uint32_t> getThreadBases(const LinearLayout &map,
                                            unsigned axis) {
  SmallVector<uint32_t> bases;
  auto addBases = [&](InDim in) {
    for (unsigned bit = 0; bit < map.getNumBits(in); ++bit)
      bases.push_back(map.getBasis(in, bit)[axis]);
  };
  addBases(InDim::Lane);
  // Rows of matrices may be those of the first lanes alone.
  bases.resize(kLaneBits);
  addBases(InDim::Warp);
  return bases;
}

static SmallVector<Field> getFields(ArrayRef<uint32_t> bases) {
  SmallVector<Field> fields;
  for (unsigned from = 0; from < bases.size(); ++from)
    for (unsigned to = 0; bases[from] >> to; ++to) {
      if (!(bases[from] >> to & 1))
        continue;
      auto *run = llvm::find_if(fields, [&](const Field &field) {
        return field.from + field.count == from && field.to + field.count == to;
      });
      if (run != fields.end())
        ++run->count;
      else
        fields.push_back({from, to, 1});
    }
  return fields;
}

/// The field of a thread number of `numBits`.
static Value emitField(OpBuilder &builder, Location loc, Value thread,
                       const Field &field, unsigned numBits) {
  Value value = thread;
  uint32_t kept = ((1u << field.count) - 1) << field.from;
  // Bits that a shift to the right drops need no mask.
  uint32_t dropped =
      field.to < field.from ? (1u << (field.from - field.to)) - 1 : 0;
  if ((kept | dropped) != (1u << numBits) - 1)
    value = arith::AndIOp::create(builder, loc, value,
                                  createI32(builder, loc, kept));
  if (field.to > field.from)
    return arith::ShLIOp::create(
        builder, loc, value, createI32(builder, loc, field.to - field.from));
  if (field.to < field.from)
    return arith::ShRUIOp::create(
        builder, loc, value, createI32(builder, loc, field.from - field.to));
  return value;
}

SmallVector<Value> to_gpu::emitThreadPart(OpBuilder &builder, Location loc,
                                          const LinearLayout &map) {
  Value thread = getThread(builder, loc);
  SmallVector<Value> parts;
  for (unsigned axis = 0; axis < map.getRank(); ++axis) {
    SmallVector<uint32_t> bases = getThreadBases(map, axis);
    Value sum;
    for (const Field &field : getFields(bases)) {
      Value value = emitField(builder, loc, thread, field, bases.size());
      sum = sum ? arith::XOrIOp::create(builder, loc, sum, value).getResult()
                : value;
    }
    parts.push_back(sum ? sum : createI32(builder, loc, 0));
  }
  return parts;
}

uint32_t to_gpu::getThreadBits(const LinearLayout &map, unsigned axis) {
  uint32_t bits = 0;
  for (uint32_t basis : getThreadBases(map, axis))
    bits |= basis;
  return bits;
}

Coordinate to_gpu::getRegisterPart(const LinearLayout &map, unsigned reg) {
  return map.apply({{InDim::Register, reg}});
}

Value to_gpu::emitCombine(OpBuilder &builder, Location loc, Value base,
                          int32_t constant, uint32_t freeBits) {
  if (constant == 0)
    return base;
  Value number = createI32(builder, loc, constant);
  if ((constant & ~freeBits) == 0)
    return arith::AddIOp::create(builder, loc, base, number,
                                 arith::IntegerOverflowFlags::nsw |
                                     arith::IntegerOverflowFlags::nuw);
  return arith::XOrIOp::create(builder, loc, base, number);
}

Value to_gpu::emitIsFirst(OpBuilder &builder, Location loc,
                          const LinearLayout &tile) {
  uint64_t copies = tile.getFreeBits(InDim::Lane) |
                    tile.getFreeBits(InDim::Warp) << kLaneBits;
  if (!copies)
    return {};
  Value bits = arith::AndIOp::create(builder, loc, getThread(builder, loc),
                                     createI32(builder, loc, copies));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits,
                               createI32(builder, loc, 0));
}
