//===- ContractEmitter.cpp - Loops of one contraction ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over the letters of the result, parallel ones outside, and inside them
// loops over the reduced letters that carry the sum in a register. Dynamic
// sizes are compared before the loops.
//
//===----------------------------------------------------------------------===//

#include "ContractEmitter.h"

#include "tileir/Dialect/Einsum/IR/LetterSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

/// The largest result, in bytes: more than machines have memory for.
static constexpr int64_t kMaxResultBytes = int64_t(1) << 40;

namespace {

class ContractEmitter {
public:
  ContractEmitter(OpBuilder &builder, ContractOp op, int64_t parallelIterations,
                  CheckEmitter &checks)
      : builder(builder), op(op), spec(op.getSpec()), loc(op.getLoc()),
        parallelIterations(parallelIterations), checks(checks),
        sizes(reifyLetterSizes(builder, op)), isAffine(areSizesSymbols()),
        reads(builder, op, isAffine, checks), letters(spec.getNumLetters()) {}

  LoweringCounts emit() {
    OpBuilder::InsertionGuard guard(builder);
    if (checks.getLevel() != RuntimeChecks::None)
      if (Value agree = emitSizeChecks()) {
        auto ifOp = scf::IfOp::create(builder, loc, agree,
                                      /*withElseRegion=*/false);
        builder.setInsertionPointToStart(ifOp.thenBlock());
      }
    unsigned numParallel = parallelIterations > 0 ? getNumParallel() : 0;
    emitParallelLoops(numParallel);
    LoweringCounts counts = reads.getCounts();
    counts.parallelLoops = numParallel;
    return counts;
  }

private:
  /// Whether all loop bounds and sizes that guards compare with are constants
  /// or affine symbols, so that the loops can be affine.
  bool areSizesSymbols() {
    auto isSymbol = [](OpFoldResult size) {
      auto value = dyn_cast<Value>(size);
      return !value || affine::isValidSymbol(value);
    };
    auto hasSymbolDims = [&](Value memref) {
      // A dim of this memref, created here, will be a symbol if the memref is
      // defined at the top level of the function.
      return cast<MemRefType>(memref.getType()).hasStaticShape() ||
             affine::isTopLevelValue(memref);
    };
    return llvm::all_of(sizes, isSymbol) &&
           llvm::all_of(op.getInputs(), hasSymbolDims);
  }

  //===--------------------------------------------------------------------===//
  // Checks of sizes
  //===--------------------------------------------------------------------===//

  /// Emits checks that dynamic sizes agree. Returns whether they all do, null
  /// if there is nothing to check.
  Value emitSizeChecks() {
    auto letterSizes = inferLetterSizes(op);
    assert(succeeded(letterSizes) && "the verifier checked this");
    Value agree;
    auto check = [&](Value condition, const Twine &message, ValueRange values) {
      checks.emitCheck(builder, loc, condition, message, values);
      agree = agree ? arith::AndIOp::create(builder, loc, agree, condition)
                    : condition;
    };
    auto checkAxis = [&](unsigned letter, Value value, unsigned axis,
                         const Twine &place) {
      const LetterSize &known = (*letterSizes)[letter];
      bool isStatic = known.isStatic() &&
                      !cast<MemRefType>(value.getType()).isDynamicDim(axis);
      bool isSource = known.source == LetterSize::Source::Axis &&
                      known.value == value && known.axis == axis;
      if (isStatic || isSource)
        return;
      Value size = getSize(letter);
      Value dim = builder.createOrFold<memref::DimOp>(loc, value, axis);
      Value equal = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::eq, size, dim);
      check(equal,
            Twine("letter '") + Twine(spec.getLetters()[letter]) +
                "' has size {0}" + describeSource(known) + " but size {1} in " +
                place,
            ValueRange{size, dim});
    };
    for (auto [operand, input] : llvm::enumerate(op.getInputs()))
      for (unsigned axis = 0; axis < spec.getMaps()[operand].getNumResults();
           ++axis) {
        if (auto letter = spec.getBareLetter(operand, axis))
          checkAxis(*letter, input, axis,
                    "axis " + Twine(axis) + " of operand " + Twine(operand));
      }
    for (LookupAttr lookup : spec.getLookups())
      if (!lookup.isLetter())
        for (auto [axis, letter] : llvm::enumerate(lookup.getLetters()))
          checkAxis(letter, op.getTable(lookup.getTable()), axis,
                    "axis " + Twine(axis) + " of table '" + lookup.getTable() +
                        "'");
    for (unsigned letter = 0; letter < spec.getNumResultLetters(); ++letter)
      checkAxis(letter, op.getOuts(), letter,
                "axis " + Twine(letter) + " of the result");
    checkResultSize(check);
    if (!op.isPadded())
      emitLinearChecks(check);
    return agree;
  }

  using Check = function_ref<void(Value, const Twine &, ValueRange)>;

  /// That a result allocated for dynamic sizes is one that can be: the size of
  /// the allocation may have overflowed. In floating point the product cannot.
  void checkResultSize(Check check) {
    auto type = cast<MemRefType>(op.getOuts().getType());
    if (type.hasStaticShape() || !op.getOuts().getDefiningOp<memref::AllocOp>())
      return;
    Type f64 = builder.getF64Type();
    auto getDouble = [&](double value) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getF64FloatAttr(value));
    };
    SmallVector<Value> values;
    std::string shape;
    Value elements = getDouble(1);
    for (unsigned letter = 0; letter < spec.getNumResultLetters(); ++letter) {
      Value size = getSize(letter);
      Value integer =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size);
      Value factor = arith::SIToFPOp::create(builder, loc, f64, integer);
      elements = arith::MulFOp::create(builder, loc, elements, factor);
      shape += "{" + std::to_string(values.size()) + "}x";
      values.push_back(size);
    }
    int64_t maxElements = kMaxResultBytes * 8 / type.getElementTypeBitWidth();
    Value fits =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE, elements,
                              getDouble(static_cast<double>(maxElements)));
    std::string element;
    llvm::raw_string_ostream(element) << type.getElementType();
    check(fits,
          "the result " + shape + element + " is too large: expected at most " +
              Twine(maxElements) + " elements",
          values);
  }

  /// That linear axes whose size or letters are dynamic stay inside.
  void emitLinearChecks(Check check) {
    SmallVector<int64_t> staticSizes = getStaticLetterSizes(op);
    for (auto [operand, input] : llvm::enumerate(op.getInputs()))
      for (auto [axis, expr] :
           llvm::enumerate(spec.getMaps()[operand].getResults())) {
        auto linear = LinearAxis::get(expr, spec.getNumLetters());
        if (!linear || isAxisInside(op, operand, axis, staticSizes))
          continue;
        // The extremes, as expressions of the sizes.
        AffineExpr min = builder.getAffineConstantExpr(linear->constant);
        AffineExpr max = min;
        for (auto [letter, coefficient] :
             llvm::enumerate(linear->coefficients)) {
          AffineExpr reach =
              (builder.getAffineSymbolExpr(letter) - 1) * coefficient;
          (coefficient < 0 ? min : max) = (coefficient < 0 ? min : max) + reach;
        }
        SmallVector<Value> values;
        for (unsigned letter = 0; letter < sizes.size(); ++letter)
          values.push_back(getSize(letter));
        Value low = affine::expandAffineExpr(builder, loc, min, {}, values);
        Value high = affine::expandAffineExpr(builder, loc, max, {}, values);
        Value dim = builder.createOrFold<memref::DimOp>(loc, input, axis);
        Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
        Value fits = arith::AndIOp::create(
            builder, loc,
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, low,
                                  zero),
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, high,
                                  dim));
        // Nothing is read if a letter has no values.
        for (Value size : values) {
          Value none = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::eq, size, zero);
          fits = arith::OrIOp::create(builder, loc, fits, none);
        }
        check(fits,
              "axis " + Twine(axis) + " (" + spec.axisToString(operand, axis) +
                  ") of operand " + Twine(operand) +
                  " reads indices {0} to {1}, outside of its size {2}",
              ValueRange{low, high, dim});
      }
  }

  /// " in axis 1 of operand 0", where the size of a letter was found.
  std::string describeSource(const LetterSize &size) {
    // A window is no case: it sizes only letters that are no axis by
    // themselves.
    if (size.source != LetterSize::Source::Axis)
      return " by 'sizes' or the type of the result";
    std::string axis = " in axis " + std::to_string(size.axis) + " of ";
    for (auto [operand, input] : llvm::enumerate(op.getInputs()))
      if (input == size.value)
        return axis + "operand " + std::to_string(operand);
    for (auto [name, table] : llvm::zip(spec.getTables(), op.getTables()))
      if (table == size.value)
        return axis + "table '" + name.str() + "'";
    return axis + "the result";
  }

  Value getSize(unsigned letter) {
    return getValueOrCreateConstantIndexOp(builder, loc, sizes[letter]);
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// How many of the outermost letters have `parallelIterations` together.
  unsigned getNumParallel() {
    int64_t iterations = 1;
    unsigned letter = 0;
    for (; letter < spec.getNumResultLetters(); ++letter) {
      if (iterations >= parallelIterations)
        break;
      // A size that is not known counts as large enough.
      int64_t size =
          getConstantIntValue(sizes[letter]).value_or(parallelIterations);
      iterations *= std::clamp<int64_t>(size, 1, parallelIterations);
    }
    return letter;
  }

  void emitParallelLoops(unsigned numParallel) {
    if (numParallel == 0)
      return emitResultLoops(0);
    if (isAffine) {
      SmallVector<AffineMap> lower(numParallel,
                                   builder.getConstantAffineMap(0));
      SmallVector<AffineExpr> upperExprs;
      SmallVector<Value> upperOperands;
      for (unsigned letter = 0; letter < numParallel; ++letter)
        upperExprs.push_back(getBound(letter, upperOperands));
      SmallVector<AffineMap> upper;
      for (AffineExpr expr : upperExprs)
        upper.push_back(AffineMap::get(0, upperOperands.size(), expr));
      auto loop = affine::AffineParallelOp::create(
          builder, loc, TypeRange(), ArrayRef<arith::AtomicRMWKind>(), lower,
          ValueRange(), upper, upperOperands,
          SmallVector<int64_t>(numParallel, 1));
      llvm::copy(loop.getIVs(), letters.begin());
      builder.setInsertionPointToStart(loop.getBody());
    } else {
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      SmallVector<Value> upper;
      for (unsigned letter = 0; letter < numParallel; ++letter)
        upper.push_back(getSize(letter));
      auto loop = scf::ParallelOp::create(
          builder, loc, SmallVector<Value>(numParallel, zero), upper,
          SmallVector<Value>(numParallel, one));
      llvm::copy(loop.getInductionVars(), letters.begin());
      builder.setInsertionPointToStart(loop.getBody());
    }
    emitResultLoops(numParallel);
  }

  /// The size of `letter` as a constant or as a symbol for a new operand.
  AffineExpr getBound(unsigned letter, SmallVectorImpl<Value> &operands) {
    if (auto constant = getConstantIntValue(sizes[letter]))
      return builder.getAffineConstantExpr(*constant);
    operands.push_back(cast<Value>(sizes[letter]));
    return builder.getAffineSymbolExpr(operands.size() - 1);
  }

  /// A sequential loop over `letter`; `body` gets and returns carried values.
  SmallVector<Value>
  emitLoop(unsigned letter, ValueRange carried,
           function_ref<SmallVector<Value>(ValueRange)> body) {
    OpBuilder::InsertionGuard guard(builder);
    LoopLikeOpInterface loop;
    if (isAffine) {
      SmallVector<Value> operands;
      AffineExpr bound = getBound(letter, operands);
      auto forOp = affine::AffineForOp::create(
          builder, loc, ValueRange(), builder.getConstantAffineMap(0), operands,
          AffineMap::get(0, operands.size(), bound), 1, carried,
          [](OpBuilder &, Location, Value, ValueRange) {});
      loop = forOp;
      letters[letter] = forOp.getInductionVar();
      builder.setInsertionPointToStart(forOp.getBody());
      SmallVector<Value> next = body(forOp.getRegionIterArgs());
      affine::AffineYieldOp::create(builder, loc, next);
    } else {
      auto forOp = scf::ForOp::create(
          builder, loc, arith::ConstantIndexOp::create(builder, loc, 0),
          getSize(letter), arith::ConstantIndexOp::create(builder, loc, 1),
          carried, [](OpBuilder &, Location, Value, ValueRange) {});
      loop = forOp;
      letters[letter] = forOp.getInductionVar();
      builder.setInsertionPointToStart(forOp.getBody());
      SmallVector<Value> next = body(forOp.getRegionIterArgs());
      scf::YieldOp::create(builder, loc, next);
    }
    return loop->getResults();
  }

  void emitResultLoops(unsigned letter) {
    if (letter < spec.getNumResultLetters()) {
      emitLoop(letter, {}, [&](ValueRange) {
        emitResultLoops(letter + 1);
        return SmallVector<Value>();
      });
      return;
    }
    ArrayRef<Value> indices =
        ArrayRef(letters).take_front(spec.getNumResultLetters());
    Value result = convert(emitSum(), op.getOutputType().getElementType());
    if (isAffine)
      affine::AffineStoreOp::create(builder, loc, result, op.getOuts(),
                                    indices);
    else
      memref::StoreOp::create(builder, loc, result, op.getOuts(), indices);
  }

  //===--------------------------------------------------------------------===//
  // Sums and products
  //===--------------------------------------------------------------------===//

  Value emitSum() {
    if (spec.getNumLetters() == spec.getNumResultLetters())
      return emitProduct();
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(op.getAccumulatorType()));
    return emitSum(spec.getNumResultLetters(), zero);
  }

  Value emitSum(unsigned letter, Value sum) {
    if (letter == spec.getNumLetters())
      return emitBinary<arith::AddFOp, arith::AddIOp>(sum, emitProduct());
    return emitLoop(letter, sum, [&](ValueRange carried) {
      return SmallVector<Value>{emitSum(letter + 1, carried[0])};
    })[0];
  }

  Value emitProduct() {
    Value product;
    for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand) {
      Value factor = convert(reads.emit(builder, operand, letters),
                             op.getAccumulatorType());
      product = product
                    ? emitBinary<arith::MulFOp, arith::MulIOp>(product, factor)
                    : factor;
    }
    return product;
  }

  template <typename FloatOp, typename IntegerOp>
  Value emitBinary(Value lhs, Value rhs) {
    if (isa<FloatType>(lhs.getType()))
      return FloatOp::create(builder, loc, lhs, rhs);
    return IntegerOp::create(builder, loc, lhs, rhs);
  }

  /// Converts between element types, rounding to nearest or keeping the low
  /// bits.
  Value convert(Value value, Type type) {
    Type from = value.getType();
    if (from == type)
      return value;
    unsigned fromWidth = from.getIntOrFloatBitWidth();
    unsigned width = type.getIntOrFloatBitWidth();
    // f16 and bf16 meet in f32, which holds both exactly.
    if (fromWidth == width)
      return convert(convert(value, builder.getF32Type()), type);
    bool widens = fromWidth < width;
    if (isa<FloatType>(type))
      return widens
                 ? arith::ExtFOp::create(builder, loc, type, value).getResult()
                 : arith::TruncFOp::create(builder, loc, type, value)
                       .getResult();
    return widens
               ? arith::ExtSIOp::create(builder, loc, type, value).getResult()
               : arith::TruncIOp::create(builder, loc, type, value).getResult();
  }

  OpBuilder &builder;
  ContractOp op;
  SpecAttr spec;
  Location loc;
  int64_t parallelIterations;
  CheckEmitter &checks;
  SmallVector<OpFoldResult> sizes;
  bool isAffine;
  ReadEmitter reads;
  SmallVector<Value> letters; // their values inside of the loops
};

} // namespace

LoweringCounts tileir::emitContract(OpBuilder &builder, ContractOp op,
                                    int64_t parallelIterations,
                                    CheckEmitter &checks) {
  return ContractEmitter(builder, op, parallelIterations, checks).emit();
}
