//===- LoopAccess.cpp - What an op reads and writes -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers that a function allocates are apart from each other and from its
// arguments, and from what pointers lead to unless something may have made a
// pointer of them. Arguments with `llvm.noalias` are apart from all others.
//
//===----------------------------------------------------------------------===//

#include "LoopAccess.h"
#include "tileir/Dialect/MemRef/Transforms/OwnMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::scf_transforms;
using memref_transforms::isArgumentOfOwnMemory;

/// The buffer of which a memref is a view.
static Value getBuffer(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

static bool isAllocated(Value buffer) {
  return buffer.getDefiningOp<memref::AllocOp>() ||
         buffer.getDefiningOp<memref::AllocaOp>();
}

static bool isArgument(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  return argument &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Whether all that uses a memref reads or writes it, so that nothing has its
/// address.
static bool isPrivate(Value memref) {
  return llvm::all_of(memref.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<ViewLikeOpInterface>(op))
      return llvm::all_of(op->getResults(), isPrivate);
    if (isa<memref::DeallocOp>(op))
      return true;
    SmallVector<Access> accesses;
    return !isa<CallOpInterface>(op) && op->getNumRegions() == 0 &&
           isa<MemoryEffectOpInterface>(op) &&
           succeeded(collectAccesses(op, accesses)) && !accesses.empty();
  });
}

static bool mayShareMemory(Value lhs, Value rhs) {
  if (lhs)
    lhs = getBuffer(lhs);
  if (rhs)
    rhs = getBuffer(rhs);
  if (lhs == rhs)
    return true;
  if (!lhs || !rhs) {
    Value buffer = lhs ? lhs : rhs;
    return !isAllocated(buffer) || !isPrivate(buffer);
  }
  auto isOutside = [](Value buffer) {
    return isAllocated(buffer) || isArgument(buffer) ||
           buffer.getDefiningOp<memref::GetGlobalOp>();
  };
  auto isApart = [](Value buffer) {
    return isAllocated(buffer) || isArgumentOfOwnMemory(buffer);
  };
  return !(isApart(lhs) && isOutside(rhs)) && !(isOutside(lhs) && isApart(rhs));
}

bool scf_transforms::mayConflict(const Access &lhs, const Access &rhs) {
  return (lhs.isWrite || rhs.isWrite) && mayShareMemory(lhs.memref, rhs.memref);
}

/// Where the op accesses a row of elements; no indices if it is not known.
static Access getElements(Operation *op) {
  auto ofVector = [](auto access) -> Access {
    VectorType type = access.getVectorType();
    if (type.getRank() != 1 || type.isScalable())
      return Access();
    return {{}, false, access.getIndices(), type.getNumElements()};
  };
  auto ofTransfer = [&](VectorTransferOpInterface transfer) -> Access {
    VectorType type = transfer.getVectorType();
    if (type.getRank() != 1 || type.isScalable() || transfer.getMask() ||
        !transfer.getPermutationMap().isMinorIdentity())
      return Access();
    return {{}, false, transfer.getIndices(), type.getNumElements()};
  };
  return llvm::TypeSwitch<Operation *, Access>(op)
      .Case<memref::LoadOp, memref::StoreOp>([](auto access) -> Access {
        return {{}, false, access.getIndices(), 1};
      })
      .Case<vector::LoadOp, vector::StoreOp>(ofVector)
      .Case<VectorTransferOpInterface>(ofTransfer)
      .Default([](Operation *) { return Access(); });
}

static LogicalResult collectOwn(Operation *op,
                                SmallVectorImpl<Access> &accesses) {
  if (isa<LLVM::LLVMDialect>(op->getDialect()) && !isa<CallOpInterface>(op)) {
    if (isMemoryEffectFree(op))
      return success();
    if (isa<LLVM::AllocaOp>(op))
      return failure();
    Access access;
    access.isWrite =
        !isa<LLVM::LoadOp, LLVM::MaskedLoadOp, LLVM::masked_gather>(op);
    accesses.push_back(access);
    return success();
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return success(op->hasTrait<OpTrait::HasRecursiveMemoryEffects>());
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value memref = effect.getValue();
    if (isa<MemoryEffects::Allocate>(effect.getEffect()) && memref)
      continue;
    if (!memref || !isa<MemRefType>(memref.getType()))
      return failure();
    Access access = getElements(op);
    access.memref = memref;
    access.isWrite = !isa<MemoryEffects::Read>(effect.getEffect());
    accesses.push_back(access);
  }
  return success();
}

LogicalResult
scf_transforms::collectAccesses(Operation *op,
                                SmallVectorImpl<Access> &accesses) {
  return success(!op->walk([&](Operation *inner) {
                      return WalkResult(collectOwn(inner, accesses));
                    }).wasInterrupted());
}

bool scf_transforms::haveSameIterations(LoopLikeOpInterface lhs,
                                        LoopLikeOpInterface rhs) {
  return lhs->getName() == rhs->getName() &&
         isEqualConstantIntOrValueArray(*lhs.getLoopLowerBounds(),
                                        *rhs.getLoopLowerBounds()) &&
         isEqualConstantIntOrValueArray(*lhs.getLoopUpperBounds(),
                                        *rhs.getLoopUpperBounds()) &&
         isEqualConstantIntOrValueArray(*lhs.getLoopSteps(),
                                        *rhs.getLoopSteps());
}

bool scf_transforms::areOfOneIteration(const Access &lhs,
                                       LoopLikeOpInterface left,
                                       const Access &rhs,
                                       LoopLikeOpInterface right) {
  size_t rank = lhs.indices.size();
  if (lhs.memref != rhs.memref || rhs.indices.size() != rank)
    return false;
  auto isWithin = [&](const Access &access, size_t axis, OpFoldResult step) {
    int64_t count = axis + 1 == rank ? access.numElements : 1;
    return count == 1 || getConstantIntValue(step).value_or(0) >= count;
  };
  auto goesAlong = [&](Value leftIndex, Value rightIndex, OpFoldResult step) {
    return llvm::any_of(llvm::seq<size_t>(0, rank), [&](size_t axis) {
      return lhs.indices[axis] == leftIndex &&
             rhs.indices[axis] == rightIndex && isWithin(lhs, axis, step) &&
             isWithin(rhs, axis, step);
    });
  };
  for (auto [leftIndex, rightIndex, step] :
       llvm::zip_equal(*left.getLoopInductionVars(),
                       *right.getLoopInductionVars(), *left.getLoopSteps()))
    if (!goesAlong(leftIndex, rightIndex, step))
      return false;
  return true;
}
