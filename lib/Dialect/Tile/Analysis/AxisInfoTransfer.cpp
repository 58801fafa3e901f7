//===- AxisInfoTransfer.cpp -----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axis analysis of all ops but integer arithmetic. An op that is not here gives
// values of which nothing is known.
//
//===----------------------------------------------------------------------===//

#include "AxisInfoTransfer.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

//===----------------------------------------------------------------------===//
// Choices and comparisons
//===----------------------------------------------------------------------===//

/// Each element is that of one of the operands after the conditions.
void Transfer::inferChoice(unsigned numConditions) {
  setCommonConstancy();
  ArrayRef<AxisInfo> values = operands.drop_front(numConditions);
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    int64_t run = 0;
    for (unsigned i = 0; i < numConditions; ++i)
      if (hasResultShape(i))
        run = std::gcd(run, operands[i][axis].constancy);
    for (const AxisInfo &value : values)
      run = std::gcd(run, value[axis].contiguity);
    int64_t divisor = 0;
    for (const AxisInfo &value : values)
      divisor = std::gcd(divisor, value.getDivisor(axis, run));
    setRun(axis, run, divisor);
  }
}

/// first, first + 1, ..., first + run - 1 are all on one side of `bound`, if
/// `first` and `bound` are multiples of `run`: in `i < bound` and its opposite
/// `i >= bound`, and the same turned round.
void Transfer::inferCompare(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  setCommonConstancy();
  if (predicate == P::eq || predicate == P::ne)
    return;
  bool isLhs = predicate == P::slt || predicate == P::sge ||
               predicate == P::ult || predicate == P::uge;
  unsigned item = isLhs ? 0 : 1;
  bool isExact = isNonNegative(getOperand(0)) && isNonNegative(getOperand(1));
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    const AxisProperties &properties = operands[item][axis];
    const AxisInfo &bound = operands[1 - item];
    int64_t run =
        std::gcd(std::gcd(properties.contiguity, bound[axis].constancy),
                 std::gcd(properties.divisibility, bound.getDivisor(axis, 1)));
    if (!isExact)
      run = getPowerOfTwo(run);
    info[axis].constancy = std::max(info[axis].constancy, run);
  }
}

//===----------------------------------------------------------------------===//
// Casts, pointers and assumptions
//===----------------------------------------------------------------------===//

/// Infers the result of a cast to more or fewer bits.
void Transfer::inferCast(bool isSigned) {
  auto getWidth = [](Value value) {
    return ConstantIntRanges::getStorageBitwidth(value.getType());
  };
  unsigned from = getWidth(getOperand(0)), to = getWidth(result);
  info = operands[0];
  ConstantIntRanges range = getRange(getOperand(0));
  bool isExact = to >= from ? isSigned || range.smin().isNonNegative()
                            : range.smin().isSignedIntN(to) &&
                                  range.smax().isSignedIntN(to);
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    if (to > from)
      info.cutRuns(axis, getUnwrapped(0, axis, isSigned));
    if (!isExact)
      info[axis].divisibility = getPowerOfTwo(info[axis].divisibility);
  }
  info.value.reset();
}

void Transfer::inferAddPtr(AddPtrOp addptr) {
  setCommonConstancy();
  Type pointee = cast<PtrType>(getElement(result.getType())).getPointee();
  int64_t size = llvm::divideCeil(pointee.getIntOrFloatBitWidth(), 8);
  bool isWide = getElement(addptr.getOffset().getType()).isInteger(64);
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    // Offsets are widened to the width of pointers.
    AxisInfo offset = operands[1];
    if (!isWide)
      offset.cutRuns(axis, getUnwrapped(1, axis, /*isSigned=*/true));
    const AxisInfo &pointer = operands[0];
    int64_t run =
        std::max(std::gcd(pointer[axis].contiguity, offset[axis].constancy),
                 std::gcd(pointer[axis].constancy, offset[axis].contiguity));
    int64_t moved = multiply(offset.getDivisor(axis, run), size);
    setRun(axis, run,
           std::gcd(pointer.getDivisor(axis, run),
                    isWide ? getPowerOfTwo(moved) : moved));
  }
}

/// Addresses stay, the unit of runs that go up by one does not, unless two
/// types of pointers have one size.
void Transfer::inferPointerCast() {
  auto getUnit = [](Value value) -> unsigned {
    auto pointer = dyn_cast<PtrType>(getElement(value.getType()));
    return pointer ? pointer.getPointee().getIntOrFloatBitWidth() / 8 : 1;
  };
  if (getUnit(getOperand(0)) == getUnit(result)) {
    info = operands[0];
    info.value.reset();
    return;
  }
  setCommonConstancy();
  setDivisor(operands[0].getDivisor(), /*isExact=*/false);
}

/// Both what is known of the operand, and what is promised.
void Transfer::inferAssume(AssumeOp assume) {
  AxisInfo assumption(result.getType());
  auto getEntry = [](std::optional<ArrayRef<int64_t>> list, unsigned axis) {
    return list ? (*list)[axis] : 1;
  };
  info = operands[0];
  info.value.reset();
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    assumption[axis] = {getEntry(assume.getContiguity(), axis),
                        getEntry(assume.getDivisibility(), axis),
                        getEntry(assume.getConstancy(), axis)};
    int64_t run = std::max(info[axis].contiguity, assumption[axis].contiguity);
    setRun(axis, run,
           getCommonMultiple(operands[0].getDivisor(axis, run),
                             assumption.getDivisor(axis, run)));
    info[axis].constancy =
        std::max(info[axis].constancy, assumption[axis].constancy);
  }
}

//===----------------------------------------------------------------------===//
// Retiling
//===----------------------------------------------------------------------===//

void Transfer::inferBroadcast() {
  ArrayRef<int64_t> from = getShape(getOperand(0).getType());
  ArrayRef<int64_t> to = getShape(result.getType());
  size_t padding = to.size() - from.size();
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    if (axis >= padding)
      info[axis] = operands[0][axis - padding];
    else
      info[axis].divisibility = operands[0].getDivisor();
    if (axis < padding || from[axis - padding] == 1)
      info[axis].constancy = to[axis];
  }
}

void Transfer::inferReshape() {
  ArrayRef<int64_t> from = getShape(getOperand(0).getType());
  ArrayRef<int64_t> to = getShape(result.getType());
  setDivisor(operands[0].getDivisor(), /*isExact=*/true);
  SmallVector<unsigned> fromAxes, toAxes;
  for (auto [axes, shape] :
       {std::pair(&fromAxes, from), std::pair(&toAxes, to)})
    for (auto [axis, size] : llvm::enumerate(shape))
      if (size != 1)
        axes->push_back(axis);
  auto isSame = [&](auto pair) {
    return from[std::get<0>(pair)] == to[std::get<1>(pair)];
  };
  // Axes of one element come and go.
  if (fromAxes.size() == toAxes.size() &&
      llvm::all_of(llvm::zip(fromAxes, toAxes), isSame)) {
    for (auto [source, target] : llvm::zip(fromAxes, toAxes))
      info[target] = operands[0][source];
    return;
  }
  // Else only runs within the last axes of more than one element remain.
  if (fromAxes.empty() || toAxes.empty())
    return;
  AxisInfo source = operands[0];
  unsigned last = fromAxes.back();
  int64_t size = to[toAxes.back()];
  source.cutRuns(last, std::gcd(source[last].contiguity, size));
  info[toAxes.back()] = source[last];
  info[toAxes.back()].constancy = std::gcd(source[last].constancy, size);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Infers what divides the sizes of a memref.
void Transfer::inferMemRef() {
  auto setSizes = [&](MemRefType type, OperandRange dynamicSizes) {
    if (dynamicSizes.empty())
      return;
    unsigned operand = dynamicSizes.getBeginOperandIndex();
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(axis))
        info[axis].divisibility = operands[operand++].getDivisor();
  };
  TypeSwitch<Operation *>(op)
      .Case<memref::AllocOp, memref::AllocaOp, gpu::AllocOp>([&](auto alloc) {
        setSizes(alloc.getType(), alloc.getDynamicSizes());
      })
      .Case([&](memref::CastOp cast) {
        bool hasRank = isa<MemRefType>(cast.getSource().getType());
        for (unsigned axis = 0; hasRank && axis < getNumAxes(); ++axis)
          info[axis].divisibility = operands[0][axis].divisibility;
      });
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

AxisInfo Transfer::infer() {
  if (isa<MemRefType>(result.getType())) {
    inferMemRef();
    return info;
  }
  TypeSwitch<Operation *>(op)
      .Case([&](arith::ConstantOp constant) {
        // Splats are handled below.
        if (auto values = dyn_cast<DenseIntElementsAttr>(constant.getValue())) {
          APInt bits(64, 0);
          for (const APInt &value : values)
            bits |= value.sextOrTrunc(64);
          setDivisor(bits.getSExtValue(), /*isExact=*/false);
        }
      })
      .Case([&](RangeOp range) {
        setRun(0, range.getEnd() - range.getStart(),
               getMagnitude(range.getStart()));
      })
      .Case([&](SplatOp splat) {
        info = AxisInfo(splat.getType(), operands[0].getDivisor(),
                        /*isConstant=*/true);
      })
      .Case([&](BroadcastOp) { inferBroadcast(); })
      .Case([&](ReshapeOp) { inferReshape(); })
      .Case([&](TransOp trans) {
        for (auto [axis, source] : llvm::enumerate(trans.getPermutation()))
          info[axis] = operands[0][source];
      })
      .Case([&](AddPtrOp addptr) { inferAddPtr(addptr); })
      .Case<IntToPtrOp, PtrToIntOp, PtrToPtrOp>(
          [&](Operation *) { inferPointerCast(); })
      .Case([&](AssumeOp assume) { inferAssume(assume); })
      .Case<arith::AddIOp, arith::SubIOp>([&](Operation *) { inferSum(); })
      .Case([&](arith::MulIOp) {
        if (getConstant(0) == 1 || getConstant(1) == 1)
          info = operands[getConstant(0) == 1 ? 1 : 0];
        else
          inferProduct(operands[0].getDivisor(), operands[1].getDivisor());
      })
      .Case([&](arith::ShLIOp) {
        auto shift = getConstant(1);
        if (shift && *shift >= 0 && *shift < 62)
          inferProduct(operands[0].getDivisor(), int64_t(1) << *shift);
        else
          setCommonConstancy();
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](Operation *) {
            if (getConstant(1) == 1)
              info = operands[0];
            else
              inferQuotient(getConstant(1).value_or(0),
                            !isa<arith::DivUIOp>(op),
                            isa<arith::FloorDivSIOp>(op));
          })
      .Case<arith::ShRUIOp, arith::ShRSIOp>([&](Operation *) {
        auto shift = getConstant(1);
        bool isKnown = shift && *shift >= 0 && *shift < 62;
        inferQuotient(isKnown ? int64_t(1) << *shift : 0,
                      isa<arith::ShRSIOp>(op), /*isFloor=*/true);
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](Operation *) {
        inferRemainder(getConstant(1).value_or(0), isa<arith::RemSIOp>(op));
      })
      .Case([&](arith::AndIOp) { inferAnd(); })
      .Case([&](arith::OrIOp) {
        // The or of values that have no bit in common is their sum.
        auto isBelow = [&](unsigned low, unsigned high) {
          uint64_t unit = getPowerOfTwo(operands[high].getDivisor());
          return getRange(getOperand(low)).umax().ult(unit);
        };
        if (isBelow(0, 1) || isBelow(1, 0))
          return inferSum();
        setCommonConstancy();
        setDivisor(std::gcd(operands[0].getDivisor(), operands[1].getDivisor()),
                   /*isExact=*/false);
      })
      .Case([&](arith::XOrIOp) {
        setCommonConstancy();
        setDivisor(std::gcd(operands[0].getDivisor(), operands[1].getDivisor()),
                   /*isExact=*/false);
      })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](Operation *) {
            setCommonConstancy();
            setDivisor(
                std::gcd(operands[0].getDivisor(), operands[1].getDivisor()),
                /*isExact=*/true);
          })
      .Case([&](arith::SelectOp) { inferChoice(/*numConditions=*/1); })
      .Case([&](PsiOp psi) { inferChoice(psi.getPredicates().size()); })
      .Case(
          [&](arith::CmpIOp compare) { inferCompare(compare.getPredicate()); })
      .Case([&](CmppOp compare) {
        if (isa<IntegerType>(getElement(compare.getLhs().getType())))
          inferCompare(*arith::symbolizeCmpIPredicate(compare.getPredicate()));
        else
          setCommonConstancy();
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [&](Operation *) { inferCast(/*isSigned=*/true); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [&](Operation *) { inferCast(/*isSigned=*/false); })
      .Case([&](arith::TruncIOp) { inferCast(/*isSigned=*/true); })
      .Case([&](memref::DimOp dim) {
        auto axis = getConstant(1);
        if (isa<MemRefType>(dim.getSource().getType()) && axis && *axis >= 0 &&
            *axis < operands[0].getNumAxes())
          setDivisor(operands[0][*axis].divisibility, /*isExact=*/true);
      });
  // Range analysis may know the result to be one integer.
  if (getElement(result.getType()).isIntOrIndex())
    if (auto value = getRange(result).getConstantValue();
        value && value->getSignificantBits() <= 64) {
      bool isTruth = value->getBitWidth() == 1;
      int64_t number = isTruth ? value->getZExtValue() : value->getSExtValue();
      info = AxisInfo(result.getType(), getMagnitude(number),
                      /*isConstant=*/true);
      info.value = number;
    }
  return info;
}

AxisInfo tile::inferAxisInfo(OpResult result, ArrayRef<AxisInfo> operands,
                             GetRange getRange) {
  return Transfer(result, operands, getRange).infer();
}
