//===- GlobalOrder.cpp - Accesses to global memory in program order -------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accesses of a program happen in order, but its threads run on their own:
// where one thread may touch what another one has written, or is yet to read,
// there has to be a barrier in between. There is none if both accesses are to
// the same place by tiles of one layout without copies, so that each thread
// keeps to its elements; nor if they go through arguments that are not for the
// same memref in any launch. A pointer that is made of an integer may be to any
// of them. Accesses in a loop follow each other both ways.
//
// What other programs see is of the whole program: all threads have done what
// stands before an access that releases, and none goes on before one that
// acquires has happened.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::InDim;

namespace {
struct Access {
  Operation *op;
  bool writes;
  /// A pointer; or a memref and indices.
  SmallVector<Value> place;
  /// The type of the loaded or stored value.
  Type type;
};
} // namespace

static std::optional<Access> getAccess(Operation *op) {
  auto atIndices = [&](bool writes, Value memref, ValueRange indices,
                       Type type) {
    Access access{op, writes, {memref}, type};
    llvm::append_range(access.place, indices);
    return access;
  };
  return TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case([&](LoadOp load) {
        return Access{op, false, {load.getPtr()}, load.getType()};
      })
      .Case([&](StoreOp store) {
        return Access{op, true, {store.getPtr()}, store.getValue().getType()};
      })
      .Case<AtomicRMWOp, AtomicCASOp>([&](auto atomic) {
        return Access{op, true, {atomic.getPtr()}, atomic.getType()};
      })
      .Case([&](LoadViewOp load) {
        return atIndices(false, load.getMemref(), load.getIndices(),
                         load.getType());
      })
      .Case([&](AsyncLoadOp load) {
        return Access{op, false, {load.getPtr()}, load.getTile()};
      })
      .Case([&](AsyncLoadViewOp load) {
        return atIndices(false, load.getMemref(), load.getIndices(),
                         load.getTile());
      })
      .Case([&](StoreViewOp store) {
        return atIndices(true, store.getMemref(), store.getIndices(),
                         store.getValue().getType());
      })
      .Case([&](memref::LoadOp load) {
        return atIndices(false, load.getMemref(), load.getIndices(),
                         load.getType());
      })
      .Case([&](memref::StoreOp store) {
        return atIndices(true, store.getMemref(), store.getIndices(),
                         store.getValue().getType());
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Each thread keeps to its elements.
static bool haveSameThreads(const Access &lhs, const Access &rhs) {
  if (lhs.place != rhs.place || lhs.type != rhs.type ||
      lhs.op->getAttr("axes") != rhs.op->getAttr("axes") ||
      lhs.op->getAttr("steps") != rhs.op->getAttr("steps") ||
      !isa<RankedTensorType>(lhs.type))
    return false;
  layout::LinearLayout layout = getTileLayout(lhs.type);
  return !layout.getFreeBits(InDim::Lane) && !layout.getFreeBits(InDim::Warp);
}

/// The kernel's arguments that a pointer or memref may come from: whatever goes
/// into what it is computed from. None of them if it may be anywhere.
static std::optional<llvm::SetVector<unsigned>>
findArguments(func::FuncOp kernel, Value place) {
  llvm::SetVector<Value> seen;
  llvm::SetVector<unsigned> arguments;
  auto add = [&](Value value) {
    if (isa<PtrType>(getElement(value.getType())) ||
        isa<MemRefType>(value.getType()))
      seen.insert(value);
  };
  add(place);
  for (unsigned i = 0; i < seen.size(); ++i) {
    Value value = seen[i];
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &kernel.getBody().front()) {
      arguments.insert(argument.getArgNumber());
      continue;
    }
    // For a loop or branch, add all its operands, and all that it yields.
    Operation *op =
        argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    if (isa<IntToPtrOp>(op))
      return std::nullopt;
    llvm::for_each(op->getOperands(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getTerminator()->getOperands(), add);
  }
  return arguments;
}

/// Returns the buffer of which a launch passes a view. No launch that is
/// lowered passes pointers.
static Value getBuffer(Value argument) {
  auto memref = dyn_cast<MemrefValue>(argument);
  return memref ? memref::skipViewLikeOps(memref) : argument;
}

/// Whether two arguments may be the same memory.
static bool mayAlias(func::FuncOp kernel, ArrayRef<LaunchOp> launches,
                     unsigned lhs, unsigned rhs) {
  if (lhs == rhs)
    return true;
  if (launches.empty())
    return !kernel.getArgAttr(lhs, TileDialect::kNoAlias) &&
           !kernel.getArgAttr(rhs, TileDialect::kNoAlias);
  return llvm::any_of(launches, [&](LaunchOp launch) {
    return getBuffer(launch.getArguments()[lhs]) ==
           getBuffer(launch.getArguments()[rhs]);
  });
}

/// Whether `lhs` may happen before `rhs`, which stands after it or not.
static bool mayPrecede(Operation *lhs, Operation *rhs, bool standsBefore) {
  if (standsBefore)
    return true;
  for (auto loop = lhs->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (loop->isProperAncestor(rhs))
      return true;
  return false;
}

static void createBarrierBefore(Operation *op) {
  if (isa_and_nonnull<BarrierOp>(op->getPrevNode()))
    return;
  OpBuilder builder(op);
  BarrierOp::create(builder, op->getLoc());
}

/// Puts barriers before the ops that release, and behind those that acquire.
static void orderForOthers(func::FuncOp kernel) {
  kernel.walk([](Operation *op) {
    if (releases(op))
      createBarrierBefore(op);
    if (!acquires(op))
      return;
    // The result may be on its way to other threads by a barrier already.
    Operation *next = op->getNextNode();
    while (!next->hasTrait<OpTrait::IsTerminator>() &&
           (isa<LocalStoreOp>(next) || isMemoryEffectFree(next)))
      next = next->getNextNode();
    createBarrierBefore(next);
  });
}

static void orderAccesses(func::FuncOp kernel, ArrayRef<LaunchOp> launches) {
  SmallVector<std::pair<Access, std::optional<llvm::SetVector<unsigned>>>>
      accesses;
  kernel.walk([&](Operation *op) {
    if (std::optional<Access> access = getAccess(op))
      accesses.push_back({*access, findArguments(kernel, access->place[0])});
  });
  for (auto [i, second] : llvm::enumerate(accesses))
    for (auto [j, first] : llvm::enumerate(accesses)) {
      const Access &before = first.first, &after = second.first;
      if (i == j || !(before.writes || after.writes) ||
          !mayPrecede(before.op, after.op, j < i) ||
          haveSameThreads(before, after))
        continue;
      auto &from = first.second, &to = second.second;
      if (from && to && llvm::none_of(*from, [&](unsigned lhs) {
            return llvm::any_of(*to, [&](unsigned rhs) {
              return mayAlias(kernel, launches, lhs, rhs);
            });
          }))
        continue;
      createBarrierBefore(after.op);
      break;
    }
}

void to_gpu::orderGlobalAccesses(ModuleOp module) {
  DenseMap<StringAttr, SmallVector<LaunchOp>> launches;
  module.walk([&](LaunchOp launch) {
    launches[launch.getKernelAttr().getAttr()].push_back(launch);
  });
  for (auto kernel : module.getOps<func::FuncOp>())
    if (isKernel(kernel)) {
      orderForOthers(kernel);
      orderAccesses(kernel, launches.lookup(kernel.getNameAttr()));
    }
}
