//===- GlobalAccess.cpp - Registers from and to global memory -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads are done by all threads that hold an element, stores by the first one:
// they would cost traffic, and say nothing new.
//
//===----------------------------------------------------------------------===//

#include "GlobalAccess.h"
#include "tileir/Conversion/TileLowering/PointerAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::AccessWidth;
using layout::InDim;
using layout::LinearLayout;

static constexpr unsigned kGlobalSpace = 1;

/// Returns the size of a value in memory, in bytes; a predicate takes one.
static unsigned getBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return (vector ? vector.getNumElements() : 1) *
         llvm::divideCeil(getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
                          8);
}

//===----------------------------------------------------------------------===//
// Widths and runs
//===----------------------------------------------------------------------===//

void to_gpu::reportWidth(Operation *op, const AccessWidth &width,
                         GlobalAccesses &accesses) {
  ++(width.getNumElements() > 1 ? accesses.numVectors : accesses.numElements);
  auto name = remark::RemarkOpts::name("global-access").category("tile");
  if (width.getReason().empty())
    remark::passed(op->getLoc(), name)
        << remark::metric("bits", width.getNumBits());
  else
    remark::missed(op->getLoc(), name) << remark::reason(
        "{0} bits at once: {1}", width.getNumBits(), width.getReason());
}

LinearLayout to_gpu::getLayoutOrScalar(Operation *op, Type type) {
  if (isa<RankedTensorType>(type))
    return getTileLayout(type);
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  unsigned bits = llvm::Log2_64(kernel.getKnownBlockSizeAttr()[0]);
  LinearLayout scalar;
  scalar.setBases(InDim::Lane, SmallVector<uint64_t>(5, 0));
  scalar.setBases(InDim::Warp, SmallVector<uint64_t>(bits - 5, 0));
  return scalar;
}

Runs::Runs(const LinearLayout &layout, unsigned axis, int64_t length)
    : offsets({0}) {
  unsigned inside = 0;
  // A scalar has no axis along which there could be more.
  SmallVector<unsigned, 4> bits;
  if (length > 1)
    bits = layout.getContiguousBits(axis);
  bits.truncate(llvm::Log2_64(length));
  for (unsigned bit : bits) {
    inside |= 1u << bit;
    for (unsigned i = 0, e = offsets.size(); i < e; ++i)
      offsets.push_back(offsets[i] | 1u << bit);
  }
  for (unsigned reg = 0; reg < layout.getSize(InDim::Register); ++reg)
    if ((reg & inside) == 0)
      first.push_back(reg);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Value to_gpu::emitPointer(OpBuilder &builder, Location loc, Value address) {
  return LLVM::IntToPtrOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace), address);
}

Value to_gpu::andMasks(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return builder.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}

SmallVector<Value> to_gpu::emitMasked(OpBuilder &builder, Location loc,
                                      Value mask, ValuesBuilder body,
                                      ValuesBuilder other) {
  if (!mask)
    return body(builder);
  auto branch = [](ValuesBuilder inner) {
    return [inner](OpBuilder &builder, Location loc) {
      SmallVector<Value> values = inner(builder);
      scf::YieldOp::create(builder, loc, values);
    };
  };
  if (!other) {
    scf::IfOp::create(builder, loc, mask, branch(body));
    return {};
  }
  return llvm::to_vector_of<Value>(
      scf::IfOp::create(builder, loc, mask, branch(body), branch(other))
          .getResults());
}

namespace {
/// A run, and where it is in memory.
struct AccessAddress {
  unsigned first;
  Value pointer;
};
} // namespace

/// The runs by their mask.
static llvm::MapVector<Value, SmallVector<AccessAddress>>
groupByMask(OpBuilder &builder, Location loc, ArrayRef<unsigned> firsts,
            RunValue getAddress, RunValue getMask) {
  llvm::MapVector<Value, SmallVector<AccessAddress>> groups;
  for (unsigned first : firsts)
    groups[getMask(first)].push_back(
        {first, emitPointer(builder, loc, getAddress(first))});
  return groups;
}

Value to_gpu::emitLoads(OpBuilder &builder, Location loc, Type type,
                        const Runs &runs, RunValue getAddress, RunValue getMask,
                        ArrayRef<Value> others) {
  Type element = getElementTypeOrSelf(type), runType = element;
  ArrayRef<unsigned> offsets = runs.getOffsets();
  if (offsets.size() > 1)
    runType = VectorType::get(offsets.size(), element);

  SmallVector<Value> registers(runs.getFirst().size() * offsets.size());
  for (auto &[mask, places] :
       groupByMask(builder, loc, runs.getFirst(), getAddress, getMask)) {
    ArrayRef<AccessAddress> group = places;
    auto load = [&](OpBuilder &inner) {
      return llvm::map_to_vector(
          group, [&](const AccessAddress &place) -> Value {
            return tile_lowering::createLoad(inner, loc, runType, place.pointer,
                                             getBytes(runType));
          });
    };
    auto other = [&](OpBuilder &inner) {
      if (others.empty())
        return SmallVector<Value>(
            group.size(),
            arith::ConstantOp::create(inner, loc, inner.getZeroAttr(runType)));
      return llvm::map_to_vector(
          group, [&](const AccessAddress &place) -> Value {
            SmallVector<Value> run;
            for (unsigned offset : offsets)
              run.push_back(others[place.first | offset]);
            return offsets.size() > 1 ? packRegisters(inner, loc, run)
                                      : run.front();
          });
    };
    for (auto [place, run] :
         llvm::zip_equal(group, emitMasked(builder, loc, mask, load, other)))
      for (auto [value, offset] :
           llvm::zip_equal(unpackRegisters(builder, loc, run), offsets))
        registers[place.first | offset] = value;
  }
  return isa<VectorType>(type) ? packRegisters(builder, loc, registers)
                               : registers.front();
}

void to_gpu::emitStores(OpBuilder &builder, Location loc, Value value,
                        const LinearLayout &layout, const Runs &runs,
                        RunValue getAddress, RunValue getMask) {
  uint64_t copies = layout.getFreeBits(InDim::Register);
  SmallVector<unsigned> firsts = llvm::to_vector(llvm::make_filter_range(
      runs.getFirst(), [&](unsigned first) { return !(first & copies); }));
  SmallVector<Value> registers = unpackRegisters(builder, loc, value);
  auto storeAll = [&](OpBuilder &outer) {
    for (auto &[mask, places] :
         groupByMask(outer, loc, firsts, getAddress, getMask)) {
      ArrayRef<AccessAddress> group = places;
      auto store = [&](OpBuilder &inner) {
        for (const AccessAddress &place : group) {
          SmallVector<Value> run;
          for (unsigned offset : runs.getOffsets())
            run.push_back(registers[place.first | offset]);
          Value data =
              run.size() > 1 ? packRegisters(inner, loc, run) : run.front();
          tile_lowering::createStore(inner, loc, data, place.pointer,
                                     getBytes(data.getType()));
        }
        return SmallVector<Value>();
      };
      emitMasked(outer, loc, mask, store, nullptr);
    }
    return SmallVector<Value>();
  };
  emitMasked(builder, loc, emitIsFirst(builder, loc, layout), storeAll,
             nullptr);
}
