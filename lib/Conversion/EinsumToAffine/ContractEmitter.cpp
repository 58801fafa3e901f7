//===- ContractEmitter.cpp - Loops of one contraction ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over the indices of the result, parallel ones outside, and inside them
// loops over the reduced indices that carry the sum in a register.
//
//===----------------------------------------------------------------------===//

#include "ContractEmitter.h"
#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"
#include "tileir/Conversion/EinsumLowering/SizeChecks.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_affine;

namespace {

class ContractEmitter {
public:
  ContractEmitter(OpBuilder &builder, ContractOp op, int64_t parallelIterations,
                  CheckEmitter &checks)
      : builder(builder), op(op), spec(op.getSpec()), loc(op.getLoc()),
        parallelIterations(parallelIterations), checks(checks),
        sizes(reifyIndexSizes(builder, op)), isAffine(areSizesSymbols()),
        reads(builder, op, isAffine, checks), indices(spec.getNumIndices()) {}

  LoweringCounts emit() {
    OpBuilder::InsertionGuard guard(builder);
    if (checks.getLevel() != RuntimeChecks::None)
      if (Value agree = emitSizeChecks(builder, op, sizes, checks)) {
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

  Value getSize(unsigned index) {
    return getValueOrCreateConstantIndexOp(builder, loc, sizes[index]);
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// How many of the outermost indices have `parallelIterations` together.
  unsigned getNumParallel() {
    int64_t iterations = 1;
    unsigned index = 0;
    for (; index < spec.getNumResultIndices(); ++index) {
      if (iterations >= parallelIterations)
        break;
      // A size that is not known counts as large enough.
      int64_t size =
          getConstantIntValue(sizes[index]).value_or(parallelIterations);
      iterations *= std::clamp<int64_t>(size, 1, parallelIterations);
    }
    return index;
  }

  void emitParallelLoops(unsigned numParallel) {
    if (numParallel == 0)
      return emitResultLoops(0);
    if (isAffine) {
      SmallVector<AffineMap> lower(numParallel,
                                   builder.getConstantAffineMap(0));
      SmallVector<AffineExpr> upperExprs;
      SmallVector<Value> upperOperands;
      for (unsigned index = 0; index < numParallel; ++index)
        upperExprs.push_back(getBound(index, upperOperands));
      SmallVector<AffineMap> upper;
      for (AffineExpr expr : upperExprs)
        upper.push_back(AffineMap::get(0, upperOperands.size(), expr));
      auto loop = affine::AffineParallelOp::create(
          builder, loc, TypeRange(), ArrayRef<arith::AtomicRMWKind>(), lower,
          ValueRange(), upper, upperOperands,
          SmallVector<int64_t>(numParallel, 1));
      llvm::copy(loop.getIVs(), indices.begin());
      builder.setInsertionPointToStart(loop.getBody());
    } else {
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      SmallVector<Value> upper;
      for (unsigned index = 0; index < numParallel; ++index)
        upper.push_back(getSize(index));
      auto loop = scf::ParallelOp::create(
          builder, loc, SmallVector<Value>(numParallel, zero), upper,
          SmallVector<Value>(numParallel, one));
      llvm::copy(loop.getInductionVars(), indices.begin());
      builder.setInsertionPointToStart(loop.getBody());
    }
    emitResultLoops(numParallel);
  }

  /// The size of `index` as a constant or as a symbol for a new operand.
  AffineExpr getBound(unsigned index, SmallVectorImpl<Value> &operands) {
    if (auto constant = getConstantIntValue(sizes[index]))
      return builder.getAffineConstantExpr(*constant);
    operands.push_back(cast<Value>(sizes[index]));
    return builder.getAffineSymbolExpr(operands.size() - 1);
  }

  /// A sequential loop over `index`; `body` gets and returns carried values.
  SmallVector<Value>
  emitLoop(unsigned index, ValueRange carried,
           function_ref<SmallVector<Value>(ValueRange)> body) {
    OpBuilder::InsertionGuard guard(builder);
    LoopLikeOpInterface loop;
    if (isAffine) {
      SmallVector<Value> operands;
      AffineExpr bound = getBound(index, operands);
      auto forOp = affine::AffineForOp::create(
          builder, loc, ValueRange(), builder.getConstantAffineMap(0), operands,
          AffineMap::get(0, operands.size(), bound), 1, carried,
          [](OpBuilder &, Location, Value, ValueRange) {});
      loop = forOp;
      indices[index] = forOp.getInductionVar();
      builder.setInsertionPointToStart(forOp.getBody());
      SmallVector<Value> next = body(forOp.getRegionIterArgs());
      affine::AffineYieldOp::create(builder, loc, next);
    } else {
      auto forOp = scf::ForOp::create(
          builder, loc, arith::ConstantIndexOp::create(builder, loc, 0),
          getSize(index), arith::ConstantIndexOp::create(builder, loc, 1),
          carried, [](OpBuilder &, Location, Value, ValueRange) {});
      loop = forOp;
      indices[index] = forOp.getInductionVar();
      builder.setInsertionPointToStart(forOp.getBody());
      SmallVector<Value> next = body(forOp.getRegionIterArgs());
      scf::YieldOp::create(builder, loc, next);
    }
    return loop->getResults();
  }

  void emitResultLoops(unsigned index) {
    if (index < spec.getNumResultIndices()) {
      emitLoop(index, {}, [&](ValueRange) {
        emitResultLoops(index + 1);
        return SmallVector<Value>();
      });
      return;
    }
    ArrayRef<Value> positions =
        ArrayRef(indices).take_front(spec.getNumResultIndices());
    Value result = convertElements(builder, loc, emitSum(),
                                   op.getOutputType().getElementType());
    if (isAffine)
      affine::AffineStoreOp::create(builder, loc, result, op.getOuts(),
                                    positions);
    else
      memref::StoreOp::create(builder, loc, result, op.getOuts(), positions);
  }

  //===--------------------------------------------------------------------===//
  // Sums and products
  //===--------------------------------------------------------------------===//

  Value emitSum() {
    if (spec.getNumIndices() == spec.getNumResultIndices())
      return emitProduct();
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(op.getAccumulatorType()));
    return emitSum(spec.getNumResultIndices(), zero);
  }

  Value emitSum(unsigned index, Value sum) {
    if (index == spec.getNumIndices())
      return createSum(builder, loc, sum, emitProduct());
    return emitLoop(index, sum, [&](ValueRange carried) {
      return SmallVector<Value>{emitSum(index + 1, carried[0])};
    })[0];
  }

  Value emitProduct() {
    Value product;
    for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand) {
      Value factor =
          convertElements(builder, loc, reads.emit(builder, operand, indices),
                          op.getAccumulatorType());
      if (op.isTF32())
        factor = roundToTF32(builder, loc, factor);
      product = product ? createProduct(builder, loc, product, factor) : factor;
    }
    return product;
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
  SmallVector<Value> indices; // their values inside of the loops
};

} // namespace

LoweringCounts to_affine::emitContract(OpBuilder &builder, ContractOp op,
                                       int64_t parallelIterations,
                                       CheckEmitter &checks) {
  return ContractEmitter(builder, op, parallelIterations, checks).emit();
}
