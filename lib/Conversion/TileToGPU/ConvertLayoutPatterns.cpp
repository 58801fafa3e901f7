//===- ConvertLayoutPatterns.cpp - From one layout to another -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.convert_layout as layout::planConversion says: nothing, other registers,
// or rounds of shuffles. Which register a lane offers in a round, and to which
// it takes, is the exclusive or of a constant and of a number of the thread: so
// all registers change places by that number before and after, and the rounds
// name them by the constants.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Registers.h"

#include "tileir/Layout/Shared/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::layout;
using namespace tileir::to_gpu;

/// Puts what is in register i ^ part into register i, a bit of `part`, those of
/// `partBits`, after the other.
static void exchange(OpBuilder &builder, Location loc,
                     SmallVector<Value> &registers, Value part,
                     uint32_t partBits) {
  for (uint32_t bit = 1; bit <= partBits; bit <<= 1) {
    if (!(partBits & bit))
      continue;
    Value isSet = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne,
        arith::AndIOp::create(builder, loc, part, createI32(builder, loc, bit)),
        createI32(builder, loc, 0));
    SmallVector<Value> before(registers);
    for (auto [i, value] : llvm::enumerate(registers))
      value = arith::SelectOp::create(builder, loc, isSet, before[i ^ bit],
                                      before[i]);
  }
}

static Value emitRounds(OpBuilder &builder, Location loc,
                        const LinearLayout &rounds, Value source) {
  SmallVector<Value> parts = emitThreadPart(builder, loc, rounds);
  SmallVector<Value> offered = unpackRegisters(builder, loc, source);
  exchange(builder, loc, offered, parts[kOffered],
           getThreadBits(rounds, kOffered));

  // Rounds that take from the same lane share words.
  llvm::MapVector<int32_t, SmallVector<Coordinate>> byLane;
  size_t numRounds = rounds.getSize(InDim::Register);
  for (size_t round = 0; round < numRounds; ++round) {
    Coordinate part = getRegisterPart(rounds, round);
    byLane[part[kFromLane]].push_back(part);
  }
  bool isXor = isButterfly(rounds);
  SmallVector<Value> taken(numRounds);
  for (const auto &[constant, group] : byLane) {
    SmallVector<Value> values;
    for (const Coordinate &part : group)
      values.push_back(offered[part[kOffered]]);
    if (isXor && constant != 0)
      values = emitShuffles(builder, loc, values, NVVM::ShflKind::bfly,
                            createI32(builder, loc, constant));
    else if (!isXor)
      values =
          emitShuffles(builder, loc, values, NVVM::ShflKind::idx,
                       emitCombine(builder, loc, parts[kFromLane], constant));
    for (auto [part, value] : llvm::zip_equal(group, values))
      taken[part[kTaken]] = value;
  }
  exchange(builder, loc, taken, parts[kTaken], getThreadBits(rounds, kTaken));
  return packRegisters(builder, loc, taken);
}

namespace {

struct ConvertConvertLayout : OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ConvertLayoutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = adaptor.getSource();
    ConversionPlan plan = getConversionPlan(op);
    switch (plan.kind) {
    case ConversionPlan::Kind::None:
      break;
    case ConversionPlan::Kind::Registers: {
      SmallVector<int64_t> numbers;
      for (int64_t i = 0; i < getNumRegisters(op.getType()); ++i)
        numbers.push_back(getRegisterPart(plan.registers, i).front());
      source = pickRegisters(rewriter, loc, source, numbers);
      break;
    }
    case ConversionPlan::Kind::Shuffles:
      source = emitRounds(rewriter, loc, plan.rounds, source);
      break;
    case ConversionPlan::Kind::SharedMemory:
      llvm_unreachable("the contract keeps conversions within warps");
    }
    rewriter.replaceOp(op, source);
    return success();
  }
};

} // namespace

void to_gpu::populateThreadConvertLayoutPatterns(const TypeConverter &converter,
                                                 RewritePatternSet &patterns) {
  patterns.add<ConvertConvertLayout>(converter, patterns.getContext());
}
