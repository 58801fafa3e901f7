//===- KernelForm.cpp - Which structured ops have a kernel ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A position of the parallel loops is an element of a tile: it has to have an
// element of each output to itself, and what the region does has to be arith,
// math or a load.
//
//===----------------------------------------------------------------------===//

#include "KernelForm.h"

#include "StructuredAccess.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_tile;

Type linalg_to_tile::getTileElement(Type type) {
  return type.isIndex() ? IntegerType::get(type.getContext(), 64) : type;
}

/// Whether memory that kernels have pointers to may hold `type`.
static bool isPointee(Type type) {
  return type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64) ||
         isa<Float8E4M3FNType, Float8E5M2Type, Float16Type, BFloat16Type,
             Float32Type, Float64Type>(type);
}

/// Whether a tile may have elements of `type`, once index is i64.
static bool isNumber(Type type) {
  return type.isIndex() || type.isSignlessInteger(1) || isPointee(type);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyMemory(Value memref, Miss miss) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || type.getMemorySpace())
    return miss("it accesses " + debugString(memref.getType()) +
                ", which is no ranked memref of the host");
  if (!isPointee(type.getElementType()))
    return miss("kernels have no pointers to " +
                debugString(type.getElementType()));
  Value root = findRoot(memref);
  if (!root)
    return miss("it accesses " + debugString(type) +
                ", which is not known to be a view of a memref without gaps");
  if (!isOneBuffer(root))
    return miss("it accesses " + debugString(type) +
                ", which may be one of several buffers");
  return success();
}

/// Indices are sums, multiples, and quotients and remainders of what is not
/// negative.
static bool isComputable(AffineExpr expr) {
  bool computable = true;
  expr.walk([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    auto divisor = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                          : AffineConstantExpr();
    switch (part.getKind()) {
    case AffineExprKind::SymbolId:
    case AffineExprKind::CeilDiv:
      computable = false;
      return;
    case AffineExprKind::FloorDiv:
    case AffineExprKind::Mod:
      computable &= divisor && divisor.getValue() > 0;
      binary.getLHS().walk([&](AffineExpr dividend) {
        auto constant = dyn_cast<AffineConstantExpr>(dividend);
        computable &= !constant || constant.getValue() >= 0;
      });
      return;
    default:
      return;
    }
  });
  return computable;
}

/// Each position of the parallel loops has an element of the output.
static LogicalResult verifyOutput(linalg::LinalgOp op, OpOperand &output,
                                  Miss miss) {
  auto sizes = op.getStaticLoopRanges();
  llvm::SmallBitVector isTold(op.getNumLoops());
  for (AffineExpr expr : op.getMatchingIndexingMap(&output).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim && !isa<AffineConstantExpr>(expr))
      return miss("an output is not indexed by loops alone");
    if (dim)
      isTold.set(dim.getPosition());
  }
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isParallel = iterator == utils::IteratorType::parallel;
    if (!isParallel && iterator != utils::IteratorType::reduction)
      return miss("loop " + Twine(loop) +
                  " is neither parallel nor a "
                  "reduction");
    if (!isParallel && isTold[loop])
      return miss("reduction loop " + Twine(loop) + " indexes an output");
    if (isParallel && !isTold[loop] && sizes[loop] != 1)
      return miss("parallel loop " + Twine(loop) +
                  " indexes no axis of an output");
  }
  return success();
}

/// What is written may be read at the same place alone, and before.
static LogicalResult verifyOverlap(linalg::LinalgOp op, OpOperand &input,
                                   Miss miss) {
  for (OpOperand &output : op.getDpsInitsMutable())
    if (output.get() == input.get() && (op.getNumReductionLoops() != 0 ||
                                        op.getMatchingIndexingMap(&input) !=
                                            op.getMatchingIndexingMap(&output)))
      return miss("it reads elements of an output that other positions write");
  return success();
}

//===----------------------------------------------------------------------===//
// The region
//===----------------------------------------------------------------------===//

/// A value from outside of the region.
static LogicalResult verifyCaptured(Value value, Miss miss) {
  Type type = value.getType();
  if (!type.isIntOrIndexOrFloat() || !isNumber(type))
    return miss("it uses a value of " + debugString(type) +
                " from outside of its region");
  return success();
}

static LogicalResult verifyLoad(linalg::LinalgOp op, memref::LoadOp load,
                                Miss miss) {
  for (OpOperand &output : op.getDpsInitsMutable())
    if (findRoot(output.get()) == findRoot(load.getMemRef()))
      return miss("it reads elements of an output that other positions write");
  return verifyMemory(load.getMemRef(), miss);
}

static LogicalResult verifyOp(linalg::LinalgOp op, Operation &inner,
                              Miss miss) {
  if (isa<linalg::YieldOp, linalg::IndexOp, cf::AssertOp>(inner))
    return success();
  if (auto load = dyn_cast<memref::LoadOp>(inner))
    return verifyLoad(op, load, miss);
  if (auto dim = dyn_cast<memref::DimOp>(inner)) {
    bool isConstant = dim.getConstantIndex().has_value();
    bool isOutside = dim.getSource().getParentBlock() != op.getBlock();
    return isConstant && isOutside ? success()
                                   : miss("it computes an axis of memref.dim");
  }
  // These are expanded on the host alone.
  bool isLeft = isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp,
                    math::IPowIOp>(inner);
  bool isArithmetic =
      isa<arith::ArithDialect, math::MathDialect>(inner.getDialect());
  bool hasTile = isa<arith::ConstantOp>(inner) || isa<arith::SelectOp>(inner) ||
                 OpTrait::hasElementwiseMappableTraits(&inner);
  if (!isArithmetic || isLeft || !hasTile)
    return miss("its region has '" + inner.getName().getStringRef() +
                "', which is not computed on tiles");
  for (Type type : inner.getResultTypes())
    if (!isNumber(type))
      return miss("its region computes with " + debugString(type));
  return success();
}

static LogicalResult verifyRegion(linalg::LinalgOp op, Miss miss) {
  for (Operation &inner : *op.getBlock()) {
    if (failed(verifyOp(op, inner, miss)))
      return failure();
    for (Value value : inner.getOperands())
      if (!isa<MemRefType>(value.getType()) &&
          value.getParentBlock() != op.getBlock() &&
          failed(verifyCaptured(value, miss)))
        return failure();
  }
  return success();
}

LogicalResult linalg_to_tile::verifyHasKernel(linalg::LinalgOp op, Miss miss) {
  if (!op.hasPureBufferSemantics())
    return miss("it is on tensors: bufferize first");
  for (Operation *around = op->getParentOp(); !isa<func::FuncOp>(around);
       around = around->getParentOp())
    if (!isa<RegionBranchOpInterface>(around))
      return miss("it stands in '" + around->getName().getStringRef() +
                  "', where kernels are not launched");
  for (OpOperand &operand : op->getOpOperands()) {
    bool isOutput = op.isDpsInit(&operand);
    if (isOutput ? failed(verifyOutput(op, operand, miss))
                 : failed(verifyOverlap(op, operand, miss)))
      return failure();
    if (!isOutput && !isRead(op, operand))
      continue;
    if (!isa<MemRefType>(operand.get().getType())) {
      if (failed(verifyCaptured(operand.get(), miss)))
        return failure();
      continue;
    }
    if (failed(verifyMemory(operand.get(), miss)))
      return failure();
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      if (!isComputable(expr))
        return miss("operand " + Twine(operand.getOperandNumber()) +
                    " has an index that is not computed on tiles");
  }
  return verifyRegion(op, miss);
}
