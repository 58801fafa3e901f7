//===- TileUseBulkStores.cpp - tile-use-bulk-stores -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs roles, as tile-warp-specialize and tile-persistent leave them, and no
// layouts. Afterwards results go to buffers of shared memory, from which bulk
// copies take them: all that is left of stores is to wait, before a buffer is
// written again and at the end of the role, until it has been read. So a
// program that computes several blocks is on the next one meanwhile.
//
//===----------------------------------------------------------------------===//

#include "LayoutAssigner.h"
#include "LocalAccess.h"
#include "Roles/Specialization.h"

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEUSEBULKSTORESPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using llvm::formatv;

/// The failure reason why no tensor map finds the tile in memory, or an empty
/// text.
static std::string checkMemory(StoreViewOp op, func::FuncOp kernel) {
  auto memref = cast<MemRefType>(op.getMemref().getType());
  auto argument = dyn_cast<BlockArgument>(op.getMemref());
  if (!memref.getLayout().isIdentity() || !argument ||
      argument.getOwner() != &kernel.front() ||
      memref.getRank() > layout::kMaxMapAxes)
    return formatv("it is not to a memref of at most {0} axes in row-major "
                   "order that the kernel takes",
                   layout::kMaxMapAxes);
  if (!argument.hasOneUse())
    return "the kernel also accesses its memref elsewhere";
  if (memref.getRank() > 1 &&
      getRowFactor(kernel, argument) % layout::kRowAlignment != 0)
    return formatv("rows of its memref are not known to be multiples of {0} "
                   "bytes apart",
                   layout::kRowAlignment);
  if (auto axes = op.getAxes(); axes && axes->back() != memref.getRank() - 1)
    return "no axis of the tile is the last one of its memref";
  unsigned bits = memref.getElementTypeBitWidth();
  if (bits % 8 != 0)
    return formatv("elements have {0} bits, no whole bytes", bits);
  auto tile = cast<RankedTensorType>(op.getValue().getType());
  if (!layout::getPanelBytes(tile.getShape(), bits))
    return formatv("{0} has rows of fewer than {1} bytes, or a size that is no "
                   "power of two",
                   tile, layout::kMinRunBytes);
  return "";
}

/// Whether a tile is computed of one that is loaded, element by element.
static bool isOfLoadedTile(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (isa<LoadOp, LoadViewOp>(op))
    return true;
  return (isElementwise(op) || isa<ReshapeOp, TransOp>(op)) &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           return isTile(operand) && isOfLoadedTile(operand);
         });
}

namespace {

/// The results of a kernel.
class Results {
public:
  Results(func::FuncOp kernel, RolesOp roles);

  /// The failure reason; empty if the store can be one in bulk.
  std::string check(StoreViewOp op);
  void replace(IRRewriter &rewriter, StoreViewOp op);
  /// Waits before the end of roles.
  void finish(IRRewriter &rewriter);

private:
  func::FuncOp kernel;
  RolesOp roles;
  /// Bytes of shared memory that roles have in common, and of results: of those
  /// that are written while stages are filled, and of others.
  int64_t bytesOfStages = 0, bytesInLoops = 0, bytesOfOthers = 0;
  /// Those with bulk stores: the first one of a loop waits for the iteration
  /// before, and the end of a role for all.
  llvm::SmallPtrSet<Operation *, 2> loops;
  llvm::SmallSetVector<Region *, 2> rolesWithStores;
};

struct TileUseBulkStoresPass
    : tileir::tile::impl::TileUseBulkStoresPassBase<TileUseBulkStoresPass> {
  using TileUseBulkStoresPassBase::TileUseBulkStoresPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](func::FuncOp function) {
      if (isKernel(function) && !function.isExternal())
        for (auto roles : function.getBody().front().getOps<RolesOp>())
          run(function, roles);
    });
  }

private:
  void run(func::FuncOp kernel, RolesOp roles);
};

} // namespace

Results::Results(func::FuncOp kernel, RolesOp roles)
    : kernel(kernel), roles(roles) {
  kernel.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      bytesOfStages += getNumBytes(alloc.getBuffer().getType());
    if (auto channel = dyn_cast<ChannelOp>(op))
      bytesOfStages += channel.getNumBytes();
  });
}

std::string Results::check(StoreViewOp op) {
  bool isInLoop = isa<scf::ForOp>(op->getParentOp());
  Operation *outer = isInLoop ? op->getParentOp() : op.getOperation();
  if (outer->getParentOp() != roles)
    return formatv("it is in a '{0}'",
                   op->getParentOp()->getName().getStringRef());
  if (std::string reason = checkMemory(op, kernel); !reason.empty())
    return reason;
  if (isOfLoadedTile(op.getValue()))
    return "it is of a tile computed of loaded ones, in whose layout it is";
  auto tile = cast<RankedTensorType>(op.getValue().getType());
  int64_t bytes = tile.getNumElements() * tile.getElementTypeBitWidth() / 8;
  TargetAttr target = TargetAttr::find(kernel);
  // Results behind the loop may have the place of stages.
  int64_t inLoops = bytesInLoops + (isInLoop ? bytes : 0);
  int64_t ofOthers = bytesOfOthers + (isInLoop ? 0 : bytes);
  int64_t all = std::max(bytesOfStages, ofOthers) + inLoops;
  if (target && all > target.getShared())
    return formatv("stages and results take {0} bytes of shared memory, the "
                   "chip has {1}",
                   all, target.getShared());
  bytesInLoops = inLoops;
  bytesOfOthers = ofOthers;
  return "";
}

void Results::replace(IRRewriter &rewriter, StoreViewOp op) {
  Location loc = op.getLoc();
  auto tile = cast<RankedTensorType>(op.getValue().getType());
  rewriter.setInsertionPoint(roles);
  auto buffer =
      AllocOp::create(rewriter, loc,
                      BufferType::get(rewriter.getContext(), tile.getShape(),
                                      tile.getElementType(), LayoutAttr()),
                      IntegerAttr());
  rewriter.setInsertionPoint(op);
  Operation *parent = op->getParentOp();
  if (isa<scf::ForOp>(parent) && loops.insert(parent).second)
    BulkStoreWaitOp::create(rewriter, loc, uint64_t(0));
  LocalStoreOp::create(rewriter, loc, op.getValue(), buffer, ValueRange());
  rolesWithStores.insert(&roles.getRoles()[RolesOp::find(op).second]);
  rewriter.replaceOpWithNewOp<BulkStoreOp>(op, buffer, op.getMemref(),
                                           op.getIndices(), op.getAxesAttr());
}

void Results::finish(IRRewriter &rewriter) {
  for (Region *role : rolesWithStores) {
    Operation *end = role->front().getTerminator();
    rewriter.setInsertionPoint(end);
    BulkStoreWaitOp::create(rewriter, end->getLoc(), uint64_t(0));
  }
}

void TileUseBulkStoresPass::run(func::FuncOp kernel, RolesOp roles) {
  auto opts = remark::RemarkOpts::name("use-bulk-stores").category("tile");
  Results results(kernel, roles);
  IRRewriter rewriter(&getContext());
  SmallVector<StoreViewOp> stores;
  roles.walk([&](StoreViewOp op) { stores.push_back(op); });
  for (StoreViewOp op : stores) {
    if (std::string reason = results.check(op); !reason.empty()) {
      ++numKept;
      remark::missed(op.getLoc(), opts) << remark::reason("{0}", reason);
      continue;
    }
    ++numStores;
    auto tile = cast<RankedTensorType>(op.getValue().getType());
    remark::passed(op.getLoc(), opts) << remark::metric(
        "bytes", tile.getNumElements() * tile.getElementTypeBitWidth() / 8);
    results.replace(rewriter, op);
  }
  results.finish(rewriter);
}
