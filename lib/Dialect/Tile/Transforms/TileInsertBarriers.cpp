//===- TileInsertBarriers.cpp - tile-insert-barriers ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the flow of control with the set of accesses that some threads may
// still be busy with: those since the last barrier, on any path. An access that
// one of them forbids gets a barrier before it, which empties the set. What the
// end of an iteration leaves is pending at the beginning of the next one; loops
// are repeated until nothing new is. A loop is first done as if nothing were
// pending before it; if what is pending does matter in it, one barrier before
// the loop is enough.
//
// Two accesses forbid each other if one writes, bytes that both touch may be
// the same, and not by the same thread: each thread keeps to its own elements
// if the tiles have the same layout, without copies. Two accesses to the same
// buffer do not meet if their indices differ: an index is kept as the exclusive
// or of a value and a constant, and that of the iteration before is put in
// terms of this iteration's values, if the loop carries the value and the next
// one is it by an exclusive or with a constant, too.
//
// What channels order needs no barriers; products that read what they brought
// are pending for whoever uses the same memory after them.
//
// Needs offsets (tile-allocate-shared) and structured control flow: S3 and S4
// of tile-verify-promoted, P5 of tile-verify-program. Keeps the barriers that
// there are.
//
//===----------------------------------------------------------------------===//

#include "LocalAccess.h"

#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEINSERTBARRIERSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

/// `root` ^ `constant`, of a null root the constant alone.
struct Index {
  Value root;
  int64_t constant = 0;

  static Index get(Value value) {
    Index index{value};
    APInt constant;
    while (auto op = index.root.getDefiningOp<arith::XOrIOp>()) {
      if (!matchPattern(op.getRhs(), m_ConstantInt(&constant)))
        break;
      index.root = op.getLhs();
      index.constant ^= constant.getSExtValue();
    }
    if (matchPattern(index.root, m_ConstantInt(&constant))) {
      index.root = {};
      index.constant ^= constant.getSExtValue();
    }
    return index;
  }
  bool operator==(const Index &other) const {
    return root == other.root && constant == other.constant;
  }
};

/// An access that threads may be busy with. An index is none if nothing is
/// known of it.
struct Pending {
  LocalAccess access;
  SmallVector<std::optional<Index>, 2> indices;
  /// Whether nobody has waited for it yet: barriers leave it pending, and it
  /// forbids nothing that they could order.
  bool isOnItsWay;

  explicit Pending(const LocalAccess &access)
      : access(access), isOnItsWay(access.isAsync) {
    for (OpOperand &index : access.indices)
      indices.push_back(Index::get(index.get()));
  }
  bool operator==(const Pending &other) const {
    return access.op == other.access.op &&
           access.buffer == other.access.buffer && indices == other.indices &&
           isOnItsWay == other.isOnItsWay;
  }
};

/// The accesses since the last barrier.
using State = SmallVector<Pending>;

} // namespace

/// A barrier: what is left are copies that nobody has waited for.
static void passBarrier(State &state) {
  llvm::erase_if(state,
                 [](const Pending &pending) { return !pending.isOnItsWay; });
}

/// Adds what is not there yet; returns whether there was something.
static bool join(State &state, const State &more) {
  size_t size = state.size();
  for (const Pending &pending : more)
    if (!llvm::is_contained(state, pending))
      state.push_back(pending);
  return state.size() != size;
}

/// A wait for accesses of these kinds: any may be one that is done; without
/// `numPending` all are.
template <typename... Kinds>
static void passWait(State &state, int64_t numPending) {
  auto isOfKind = [](const Pending &pending) {
    return isa<Kinds...>(pending.access.op);
  };
  State done;
  for (Pending pending : state)
    if (isOfKind(pending)) {
      pending.isOnItsWay = false;
      done.push_back(pending);
    }
  if (numPending == 0)
    llvm::erase_if(state, isOfKind);
  join(state, done);
}

/// Whether each thread accesses elements that no other one has.
static bool isDividedAmongThreads(RankedTensorType tile) {
  auto layout = dyn_cast_if_present<LayoutAttr>(tile.getEncoding());
  return layout && layout.getLayout(tile.getShape()).isInjective();
}

static bool mayConflict(const Pending &pending, const Pending &next) {
  if (pending.isOnItsWay)
    return false;
  const LocalAccess &first = pending.access, &second = next.access;
  if (!first.isWrite && !second.isWrite)
    return false;
  if (first.buffer != second.buffer) {
    auto getRange = [](Value buffer) {
      auto alloc = buffer.getDefiningOp<AllocOp>();
      int64_t begin = *alloc.getOffset();
      return std::pair(begin, begin + getNumBytes(alloc.getBuffer().getType()));
    };
    auto [firstBegin, firstEnd] = getRange(first.buffer);
    auto [secondBegin, secondEnd] = getRange(second.buffer);
    return firstBegin < secondEnd && secondBegin < firstEnd;
  }
  if (first.tile == second.tile && isDividedAmongThreads(first.tile))
    return false;
  return llvm::none_of(
      llvm::zip_equal(pending.indices, next.indices), [](auto pair) {
        auto &[a, b] = pair;
        return a && b && a->root == b->root && a->constant != b->constant;
      });
}

/// Updates pending accesses when control leaves a region of `op`: values of the
/// region are gone. If `isNextIteration`, control returns to the loop `op`.
static void leave(State &state, Operation *op, bool isNextIteration) {
  auto loop = isNextIteration ? dyn_cast<scf::ForOp>(op) : scf::ForOp();
  for (Pending &pending : state)
    for (std::optional<Index> &index : pending.indices) {
      if (!index || !index->root ||
          !op->isAncestor(index->root.getParentBlock()->getParentOp()))
        continue;
      auto argument = dyn_cast<BlockArgument>(index->root);
      OpOperand *yielded = nullptr;
      if (loop && argument && argument.getOwner() == loop.getBody())
        yielded = loop.getTiedLoopYieldedValue(argument);
      Index next = yielded ? Index::get(yielded->get()) : Index();
      if (next.root && next.root == argument)
        index->constant ^= next.constant; // exclusive ors undo themselves
      else
        index.reset();
    }
}

//===----------------------------------------------------------------------===//
// The flow of control
//===----------------------------------------------------------------------===//

namespace {

class Inserter {
public:
  /// With `verifyOnly` nothing is inserted.
  explicit Inserter(bool verifyOnly = false) : verifyOnly(verifyOnly) {}

  /// Goes through a block, from what is pending before it to what is after it.
  void run(Block &block, State &state);

  unsigned numInserted = 0;
  /// The first op before which a barrier was missing.
  Operation *firstMissing = nullptr;

private:
  void run(Operation *op, State &state);
  void runRegions(RegionBranchOpInterface op, State &state);
  void insertBefore(Operation *op, State &state);

  /// While this is set, barriers that are missing are only noted.
  bool *isMissing = nullptr;
  bool verifyOnly;
};

} // namespace

void Inserter::insertBefore(Operation *op, State &state) {
  passBarrier(state);
  if (isMissing) {
    *isMissing = true;
    return;
  }
  if (!firstMissing)
    firstMissing = op;
  if (verifyOnly)
    return;
  OpBuilder builder(op);
  BarrierOp::create(builder, op->getLoc());
  ++numInserted;
}

void Inserter::run(Block &block, State &state) {
  // Barriers are inserted on the way, before the op.
  for (Operation &op : block)
    run(&op, state);
}

void Inserter::run(Operation *op, State &state) {
  if (isa<BarrierOp>(op))
    return passBarrier(state);
  if (auto wait = dyn_cast<AsyncWaitOp>(op))
    return passWait<AsyncLoadOp, AsyncLoadViewOp>(state, wait.getPending());
  if (auto wait = dyn_cast<MmaWaitOp>(op))
    return passWait<MmaAsyncOp>(state, wait.getPending());
  if (auto wait = dyn_cast<BulkStoreWaitOp>(op))
    return passWait<BulkStoreOp>(state, wait.getPending());
  if (auto accesses = LocalAccess::list(op); !accesses.empty()) {
    State next;
    for (const LocalAccess &access : accesses)
      next.push_back(Pending(access));
    if (llvm::any_of(state, [&](const Pending &pending) {
          return llvm::any_of(next, [&](const Pending &one) {
            return mayConflict(pending, one);
          });
        }))
      insertBefore(op, state);
    join(state, next);
    return;
  }
  if (op->getNumRegions() == 0)
    return;
  auto branch = cast<RegionBranchOpInterface>(op);
  if (!isa<LoopLikeOpInterface>(op) || isMissing)
    return runRegions(branch, state);

  State fromNothing;
  runRegions(branch, fromNothing);
  bool missing = false;
  isMissing = &missing;
  State before = state;
  runRegions(branch, before);
  isMissing = nullptr;
  if (missing)
    insertBefore(op, state);
  state = missing ? std::move(fromNothing) : std::move(before);
}

void Inserter::runRegions(RegionBranchOpInterface op, State &state) {
  llvm::MapVector<Region *, State> entries;
  SetVector<Region *> changed;
  State after;
  // `from` is null when control comes from the op itself.
  auto go = [&](Region *from, State leaving) {
    SmallVector<RegionSuccessor> successors;
    if (from)
      op.getSuccessorRegions(*from, successors);
    else
      op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (const RegionSuccessor &successor : successors) {
      Region *to = successor.getSuccessor();
      State arriving = leaving;
      if (from)
        leave(arriving, op, /*isNextIteration=*/to == from);
      if (!to)
        join(after, arriving);
      else if (bool isNew = !entries.contains(to);
               join(entries[to], arriving) || isNew)
        changed.insert(to);
    }
  };
  go(nullptr, state);
  while (!changed.empty()) {
    Region *region = changed.pop_back_val();
    State inside = entries[region];
    run(region->front(), inside);
    go(region, std::move(inside));
  }
  state = std::move(after);
}

Operation *tile::findMissingBarrier(func::FuncOp kernel) {
  Inserter inserter(/*verifyOnly=*/true);
  State state;
  inserter.run(kernel.getBody().front(), state);
  return inserter.firstMissing;
}

namespace {
struct TileInsertBarriersPass
    : tileir::tile::impl::TileInsertBarriersPassBase<TileInsertBarriersPass> {
  using TileInsertBarriersPassBase::TileInsertBarriersPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](func::FuncOp function) {
      if (!isKernel(function) || function.isExternal())
        return;
      if (failed(verifyControlFlow(function)) ||
          failed(verifyBufferUses(function)) || failed(verifyOffsets(function)))
        return signalPassFailure();
      Inserter inserter;
      State state;
      inserter.run(function.getBody().front(), state);
      numBarriers += inserter.numInserted;
    });
  }
};
} // namespace
