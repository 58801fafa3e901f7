//===- ReadEmitter.cpp - Reads of operands --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Affine wherever it is affine: affine.load, guarded by affine.if for padding.
// Otherwise the index is computed in arith from loads of the tables, and a
// guard is an scf.if.
//
//===----------------------------------------------------------------------===//

#include "ReadEmitter.h"

#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

ReadEmitter::ReadEmitter(OpBuilder &builder, ContractOp op, bool isAffine,
                         CheckEmitter &checks)
    : op(op), spec(op.getSpec()), loc(op.getLoc()), isAffine(isAffine),
      checks(checks), indexEmitter(op, checks) {
  SmallVector<int64_t> sizes = getStaticIndexSizes(op);
  for (auto [operand, input] : llvm::enumerate(op.getInputs())) {
    riskyAxes.push_back(OperandAccess(op, sizes, operand).getAxesOutside());
    SmallVector<Value> &operandDims = dims.emplace_back(
        SmallVector<Value>(spec.getMaps()[operand].getNumResults()));
    for (unsigned axis : riskyAxes.back())
      operandDims[axis] = builder.createOrFold<memref::DimOp>(loc, input, axis);
  }
}

Value ReadEmitter::emit(OpBuilder &builder, unsigned operand,
                        ArrayRef<Value> newIndices) {
  letters = newIndices;
  Value memref = op.getInputs()[operand];
  AffineMap map = spec.getMaps()[operand];
  // Without symbols (look-ups, factors and divisors) an axis is affine.
  auto symbols = llvm::seq<unsigned>(0, map.getNumSymbols());
  bool affineRead = isAffine && llvm::none_of(symbols, [&](unsigned symbol) {
                      return map.isFunctionOfSymbol(symbol);
                    });
  ++(affineRead ? counts.affine : counts.general);

  ArrayRef<unsigned> risky = riskyAxes[operand];
  bool guarded = !risky.empty() &&
                 (op.isPadded() || checks.getLevel() == RuntimeChecks::All);
  counts.guarded += guarded;
  if (!affineRead || (guarded && !op.isPadded()))
    return emitGeneral(builder, operand,
                       guarded ? risky : ArrayRef<unsigned>());
  if (guarded)
    return emitAffineGuarded(builder, operand, risky);
  auto loadMap =
      AffineMap::get(letters.size(), 0, map.getResults(), op.getContext());
  return affine::AffineLoadOp::create(builder, loc, memref, loadMap, letters);
}

/// affine.if (0 <= index < size for the risky axes) { load } else { 0 }.
Value ReadEmitter::emitAffineGuarded(OpBuilder &builder, unsigned operand,
                                     ArrayRef<unsigned> risky) {
  AffineMap map = spec.getMaps()[operand];
  SmallVector<Value> operands(letters);
  SmallVector<AffineExpr> constraints;
  unsigned numSymbols = 0;
  for (unsigned axis : risky) {
    AffineExpr index = map.getResult(axis), size;
    if (auto constant = getConstantIntValue(dims[operand][axis])) {
      size = builder.getAffineConstantExpr(*constant);
    } else {
      size = builder.getAffineSymbolExpr(numSymbols++);
      operands.push_back(dims[operand][axis]);
    }
    constraints.push_back(index);
    constraints.push_back(size - 1 - index);
  }
  auto set = IntegerSet::get(letters.size(), numSymbols, constraints,
                             SmallVector<bool>(constraints.size(), false));
  Value memref = op.getInputs()[operand];
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto ifOp = affine::AffineIfOp::create(builder, loc, element, set, operands,
                                         /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.getThenBlock());
  auto loadMap =
      AffineMap::get(letters.size(), 0, map.getResults(), op.getContext());
  Value inside =
      affine::AffineLoadOp::create(builder, loc, memref, loadMap, letters);
  affine::AffineYieldOp::create(builder, loc, inside);
  builder.setInsertionPointToStart(ifOp.getElseBlock());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  affine::AffineYieldOp::create(builder, loc, zero);
  return ifOp.getResult(0);
}

/// A load at computed indices, under an scf.if where axes are risky.
Value ReadEmitter::emitGeneral(OpBuilder &builder, unsigned operand,
                               ArrayRef<unsigned> risky) {
  Value memref = op.getInputs()[operand];
  SmallVector<Value> indices;
  for (AffineExpr axis : spec.getMaps()[operand].getResults())
    indices.push_back(indexEmitter.emit(builder, operand, axis, letters));
  if (risky.empty())
    return memref::LoadOp::create(builder, loc, memref, indices);

  Value allInside;
  for (unsigned axis : risky) {
    // One unsigned comparison: a negative index is a huge unsigned one.
    Value inside =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              indices[axis], dims[operand][axis]);
    if (!op.isPadded())
      indexEmitter.emitReadCheck(builder, operand, axis, letters, indices[axis],
                                 dims[operand][axis], inside);
    allInside = allInside
                    ? arith::AndIOp::create(builder, loc, allInside, inside)
                    : inside;
  }
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto ifOp = scf::IfOp::create(
      builder, loc, allInside,
      [&](OpBuilder &b, Location l) {
        Value value = memref::LoadOp::create(b, l, memref, indices);
        scf::YieldOp::create(b, l, value);
      },
      [&](OpBuilder &b, Location l) {
        Value zero = arith::ConstantOp::create(b, l, b.getZeroAttr(element));
        scf::YieldOp::create(b, l, zero);
      });
  return ifOp.getResult(0);
}
