//===- TileAllocateShared.cpp - tile-allocate-shared ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are numbered in the order in which they are written, and a buffer lives
// from its first access to its last one. If one iteration of a loop may leave
// in the buffer what is needed outside of it or in another one, it lives all
// through the loop: unless all accesses are in the loop, and each load comes
// after a store of the whole buffer in the same iteration. What is copied
// asynchronously may arrive until a wait that leaves nothing pending. What
// roles share lives from their beginning until all products that read it are
// done, and the loop that they are in. Large buffers are placed first, each at
// the lowest offset that is free while it lives. The barriers of channels are
// buffers, too.
//
// Needs buffers that are used as S3 of tile-verify-promoted says. Run
// tile-insert-barriers afterwards: it orders what shares memory.
//
//===----------------------------------------------------------------------===//

#include "LocalAccess.h"

#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEALLOCATESHAREDPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

namespace {

/// A buffer, or the barriers of a channel.
struct Buffer {
  Operation *op; ///< tile.alloc or tile.channel
  int64_t bytes, alignment;
  /// The first and the last op while which it lives.
  unsigned begin, end;
  int64_t offset = 0;

  int64_t getEnd() const { return offset + bytes; }
  bool livesWith(const Buffer &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// The buffers of a kernel.
class Allocator {
public:
  explicit Allocator(func::FuncOp kernel) : kernel(kernel), dominance(kernel) {}

  void findBuffers();
  /// Buffers have memory of their own if there is room in the first
  /// `shareAbove` bytes, or in what is needed anyway.
  void place(int64_t shareAbove);
  /// Bytes of all buffers together.
  int64_t getNumBytes() const;

  SmallVector<Buffer> buffers;

private:
  Buffer getBuffer(AllocOp alloc);
  /// The number of the wait after which no product of `role` reads what
  /// `access` does.
  unsigned findWait(RolesOp roles, Operation *access);
  /// Whether something that one iteration of `loop` leaves may be needed.
  bool outlivesIteration(ArrayRef<LocalAccess> accesses, Operation *loop);
  /// The number of the wait, one of `waits`, after which nothing of `copy` is
  /// pending.
  template <typename WaitOp>
  unsigned findWait(ArrayRef<WaitOp> waits, Operation *copy);

  func::FuncOp kernel;
  DominanceInfo dominance;
  llvm::DenseMap<Operation *, unsigned> number;
  /// In the order in which they are written.
  SmallVector<AsyncWaitOp> waits;
  SmallVector<BulkStoreWaitOp> storeWaits;
};

} // namespace

bool Allocator::outlivesIteration(ArrayRef<LocalAccess> accesses,
                                  Operation *loop) {
  return llvm::any_of(accesses, [&](const LocalAccess &access) {
    if (!loop->isProperAncestor(access.op) || access.isAsync)
      return true;
    return !access.isWrite &&
           llvm::none_of(accesses, [&](const LocalAccess &store) {
             return store.isWrite && store.indices.empty() &&
                    dominance.properlyDominates(store.op, access.op);
           });
  });
}

template <typename WaitOp>
unsigned Allocator::findWait(ArrayRef<WaitOp> waits, Operation *copy) {
  for (WaitOp wait : waits) {
    // A wait comes after each copy of a loop before it, and of its own block.
    Operation *before = wait->getBlock()->findAncestorOpInBlock(*copy);
    if (wait.getPending() == 0 && before && before->isBeforeInBlock(wait))
      return number[wait];
  }
  return waits.empty() ? 0 : number[waits.back()];
}

unsigned Allocator::findWait(RolesOp roles, Operation *access) {
  Block &role = roles.getRoles()[RolesOp::find(access).second].front();
  Operation *last = &roles.getRoles().back().front().back();
  if (isa<MmaAsyncOp>(access))
    for (Operation *op = access; op != roles; op = op->getParentOp())
      for (auto wait : op->getBlock()->getOps<MmaWaitOp>()) {
        if (wait.getPending() != 0 || !op->isBeforeInBlock(wait))
          continue;
        // In a loop the next iteration reads again.
        Operation *outermost = role.findAncestorOpInBlock(*wait);
        return outermost == wait
                   ? number[wait]
                   : number[&outermost->getRegions().back().back().back()];
      }
  // Copies arrive before the products that read them.
  return isa<BulkLoadOp>(access) ? number[roles] : number[last];
}

Buffer Allocator::getBuffer(AllocOp alloc) {
  int64_t bytes = tile::getNumBytes(alloc.getBuffer().getType());
  if (llvm::any_of(alloc->getUsers(), isOfChannel)) {
    RolesOp roles = RolesOp::find(*alloc->user_begin()).first;
    Buffer buffer{alloc, bytes, getAlignment(alloc), 0,
                  unsigned(number.size())};
    // Without products of one op of roles nothing says when copies are done.
    bool isRead = llvm::any_of(alloc->getUsers(), llvm::IsaPred<MmaAsyncOp>);
    if (!roles || !isRead ||
        llvm::any_of(alloc->getUsers(), [&](Operation *op) {
          return RolesOp::find(op).first != roles;
        }))
      return buffer;
    buffer.begin = buffer.end = number[roles];
    for (Operation *user : alloc->getUsers())
      buffer.end = std::max(buffer.end, findWait(roles, user));
    return buffer;
  }
  SmallVector<LocalAccess> accesses;
  unsigned begin = number[alloc], end = begin;
  for (Operation *user : alloc->getUsers()) {
    accesses.push_back(*LocalAccess::get(user));
    unsigned at = number[user];
    if (accesses.back().isAsync)
      end = std::max(end, isa<BulkStoreOp>(user)
                              ? findWait<BulkStoreWaitOp>(storeWaits, user)
                              : findWait<AsyncWaitOp>(waits, user));
    begin = accesses.size() == 1 ? at : std::min(begin, at);
    end = std::max(end, at);
  }
  for (const LocalAccess &access : accesses)
    for (Operation *loop = access.op->getParentOp(); loop != kernel;
         loop = loop->getParentOp())
      if (isa<LoopLikeOpInterface>(loop) && outlivesIteration(accesses, loop)) {
        begin = std::min(begin, number[loop]);
        end = std::max(end, number[&loop->getRegions().back().back().back()]);
      }
  return Buffer{alloc, bytes, getAlignment(alloc), begin, end};
}

void Allocator::findBuffers() {
  SmallVector<AllocOp> allocs;
  SmallVector<ChannelOp> channels;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    number.try_emplace(op, number.size());
    if (auto alloc = dyn_cast<AllocOp>(op))
      allocs.push_back(alloc);
    if (auto channel = dyn_cast<ChannelOp>(op))
      channels.push_back(channel);
    if (auto wait = dyn_cast<AsyncWaitOp>(op))
      waits.push_back(wait);
    if (auto wait = dyn_cast<BulkStoreWaitOp>(op))
      storeWaits.push_back(wait);
  });
  for (AllocOp alloc : allocs)
    buffers.push_back(getBuffer(alloc));
  // Barriers are there as long as the program.
  for (ChannelOp channel : channels)
    buffers.push_back(Buffer{channel, channel.getNumBytes(), kBufferAlignment,
                             0, unsigned(number.size())});
}

/// The lowest offset at which `buffer` is free of all `others`.
static int64_t findGap(const Buffer &buffer,
                       SmallVector<const Buffer *> others) {
  llvm::sort(others, [](const Buffer *a, const Buffer *b) {
    return a->offset < b->offset;
  });
  uint64_t offset = 0;
  for (const Buffer *other : others) {
    if (int64_t(offset) + buffer.bytes <= other->offset)
      break;
    offset = std::max(offset, llvm::alignTo(other->getEnd(), buffer.alignment));
  }
  return offset;
}

void Allocator::place(int64_t shareAbove) {
  llvm::stable_sort(buffers, [](const Buffer &a, const Buffer &b) {
    return a.bytes > b.bytes;
  });
  int64_t room = shareAbove;
  SmallVector<const Buffer *> placed;
  for (Buffer &buffer : buffers) {
    buffer.offset = findGap(buffer, placed);
    if (buffer.getEnd() > room) {
      SmallVector<const Buffer *> others;
      llvm::copy_if(
          placed, std::back_inserter(others),
          [&](const Buffer *other) { return buffer.livesWith(*other); });
      buffer.offset = findGap(buffer, others);
    }
    room = std::max(room, buffer.getEnd());
    placed.push_back(&buffer);
  }
}

int64_t Allocator::getNumBytes() const {
  int64_t bytes = 0;
  for (const Buffer &buffer : buffers)
    bytes = std::max(bytes, buffer.getEnd());
  return bytes;
}

namespace {
struct TileAllocateSharedPass
    : tileir::tile::impl::TileAllocateSharedPassBase<TileAllocateSharedPass> {
  using TileAllocateSharedPassBase::TileAllocateSharedPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](func::FuncOp function) {
      if (isKernel(function) && failed(allocate(function)))
        signalPassFailure();
    });
  }

private:
  LogicalResult allocate(func::FuncOp kernel);
};
} // namespace

LogicalResult TileAllocateSharedPass::allocate(func::FuncOp kernel) {
  if (failed(verifyBufferUses(kernel)))
    return failure();
  Allocator allocator(kernel);
  allocator.findBuffers();
  if (allocator.buffers.empty())
    return success();
  allocator.place(capacity == 0 ? shareAbove
                                : std::min<uint64_t>(shareAbove, capacity));
  int64_t bytes = allocator.getNumBytes(), sum = 0;
  Builder builder(&getContext());
  for (const Buffer &buffer : allocator.buffers) {
    auto offset = builder.getI64IntegerAttr(buffer.offset);
    if (auto alloc = dyn_cast<AllocOp>(buffer.op))
      alloc.setOffsetAttr(offset);
    else
      cast<ChannelOp>(buffer.op).setOffsetAttr(offset);
    sum += buffer.bytes;
  }
  if (capacity != 0 && bytes > int64_t(capacity)) {
    const Buffer &largest = allocator.buffers.front();
    InFlightDiagnostic diagnostic = kernel.emitError("needs ");
    diagnostic << bytes << " bytes of shared memory, more than capacity = "
               << capacity.getValue()
               << " of tile-allocate-shared: use smaller tiles or fewer stages";
    diagnostic.attachNote(largest.op->getLoc())
        << "the largest buffer takes " << largest.bytes << " bytes";
    return diagnostic;
  }
  kernel->setAttr(TileDialect::kSharedBytes, builder.getI64IntegerAttr(bytes));
  numBuffers += allocator.buffers.size();
  numBytes += bytes;
  remark::passed(kernel.getLoc(),
                 remark::RemarkOpts::name("allocate-shared").category("tile"))
      << remark::metric("buffers", allocator.buffers.size())
      << remark::metric("bytes", bytes)
      << remark::metric("bytes-of-buffers", sum);
  return success();
}
