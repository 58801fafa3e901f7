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
using namespace tileir::lowering;
using namespace tileir::to_affine;

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
  indices = newIndices;
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
      AffineMap::get(indices.size(), 0, map.getResults(), op.getContext());
  return affine::AffineLoadOp::create(builder, loc, memref, loadMap, indices);
}

/// affine.if (0 <= index < size for the risky axes) { load } else { 0 }.
Value ReadEmitter::emitAffineGuarded(OpBuilder &builder, unsigned operand,
                                     ArrayRef<unsigned> risky) {
  AffineMap map = spec.getMaps()[operand];
  SmallVector<Value> operands(indices);
  SmallVector<AffineExpr> constraints;
  unsigned numSymbols = 0;
  for (unsigned axis : risky) {
    AffineExpr position = map.getResult(axis), size;
    if (auto constant = getConstantIntValue(dims[operand][axis])) {
      size = builder.getAffineConstantExpr(*constant);
    } else {
      size = builder.getAffineSymbolExpr(numSymbols++);
      operands.push_back(dims[operand][axis]);
    }
    constraints.push_back(position);
    constraints.push_back(size - 1 - position);
  }
  auto set = IntegerSet::get(indices.size(), numSymbols, constraints,
                             SmallVector<bool>(constraints.size(), false));
  Value memref = op.getInputs()[operand];
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto ifOp = affine::AffineIfOp::create(builder, loc, element, set, operands,
                                         /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.getThenBlock());
  auto loadMap =
      AffineMap::get(indices.size(), 0, map.getResults(), op.getContext());
  Value inside =
      affine::AffineLoadOp::create(builder, loc, memref, loadMap, indices);
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
  SmallVector<Value> positions;
  for (AffineExpr axis : spec.getMaps()[operand].getResults())
    positions.push_back(indexEmitter.emit(builder, operand, axis, indices));
  if (risky.empty())
    return memref::LoadOp::create(builder, loc, memref, positions);

  Value allInside;
  for (unsigned axis : risky) {
    // One unsigned comparison: a negative index is a huge unsigned one.
    Value inside =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              positions[axis], dims[operand][axis]);
    if (!op.isPadded())
      indexEmitter.emitReadCheck(builder, operand, axis, indices,
                                 positions[axis], dims[operand][axis], inside);
    allInside = allInside
                    ? arith::AndIOp::create(builder, loc, allInside, inside)
                    : inside;
  }
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto ifOp = scf::IfOp::create(
      builder, loc, allInside,
      [&](OpBuilder &b, Location l) {
        Value value = memref::LoadOp::create(b, l, memref, positions);
        scf::YieldOp::create(b, l, value);
      },
      [&](OpBuilder &b, Location l) {
        Value zero = arith::ConstantOp::create(b, l, b.getZeroAttr(element));
        scf::YieldOp::create(b, l, zero);
      });
  return ifOp.getResult(0);
}
