//===- TileMulticast.cpp - tile-multicast ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs roles, as tile-warp-specialize leaves them, and grids that are divided
// into clusters, as convert-einsum-to-tile makes them. Afterwards each program
// of a cluster copies a part of what all of them multiply, to all of them.
// ClusterInfo tells what that is.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/ClusterInfo.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Layout/Shared/Panels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEMULTICASTPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using llvm::formatv;

/// Rows of a panel after which its swizzle repeats: parts begin at multiples.
static constexpr int64_t kPatternRows = 8;

/// Whether `size`, a number of programs, is known to be a multiple.
static bool isMultiple(Value size, int64_t cluster) {
  APInt number;
  if (matchPattern(size, m_ConstantInt(&number)))
    return number.getSExtValue() % cluster == 0;
  auto product = size.getDefiningOp<arith::MulIOp>();
  return product && (isMultiple(product.getLhs(), cluster) ||
                     isMultiple(product.getRhs(), cluster));
}

/// The failure reason why programs of a cluster cannot share a copy, or an
/// empty text.
static std::string checkCopy(BulkLoadOp op, int64_t cluster,
                             ClusterInfo &info) {
  if (!llvm::all_of(op.getIndices(),
                    [&](Value index) { return info.isSame(index); }))
    return "each program copies another block";
  for (Operation *parent = op->getParentOp(); !isa<RolesOp>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || !info.isSame(loop.getInductionVar()))
      return "programs may copy different numbers of blocks";
  }
  ArrayRef<int64_t> stage = op.getStageType().getShape();
  auto outermost = llvm::find_if(op.getTile().getShape(),
                                 [](int64_t size) { return size > 1; });
  if (stage.front() / cluster < kPatternRows || *outermost % cluster != 0)
    return formatv("a block of {0} rows has too few for {1} programs",
                   stage.front(), cluster);
  return "";
}

namespace {
struct TileMulticastPass
    : tileir::tile::impl::TileMulticastPassBase<TileMulticastPass> {
  using TileMulticastPassBase::TileMulticastPassBase;

  void runOnOperation() override {
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isKernel(kernel) && getConfig(kernel).cluster > 1)
        run(kernel, users.getUsers(kernel));
  }

private:
  void run(func::FuncOp kernel, ArrayRef<Operation *> users);
};
} // namespace

void TileMulticastPass::run(func::FuncOp kernel, ArrayRef<Operation *> users) {
  auto opts = remark::RemarkOpts::name("multicast").category("tile");
  int64_t cluster = getConfig(kernel).cluster;
  SmallVector<BulkLoadOp> copies;
  kernel.walk([&](BulkLoadOp op) { copies.push_back(op); });
  std::string reason;
  if (copies.empty())
    reason = "the kernel has no copies in bulk";
  for (Operation *user : users)
    if (auto launch = dyn_cast<LaunchOp>(user);
        !launch || !isMultiple(launch.getGridX(), cluster))
      reason = formatv("a launch is not known to have a multiple of {0} "
                       "programs along x",
                       cluster);
  if (!reason.empty()) {
    remark::missed(kernel.getLoc(), opts) << remark::reason("{0}", reason);
    return;
  }
  ClusterInfo info(cluster);
  for (BulkLoadOp op : copies) {
    if (reason = checkCopy(op, cluster, info); !reason.empty()) {
      remark::missed(op.getLoc(), opts) << remark::reason("{0}", reason);
      continue;
    }
    op.setMulticast(cluster);
    ++numShared;
    remark::passed(op.getLoc(), opts)
        << remark::metric("bytes", op.getNumBytes() / cluster)
        << remark::metric("programs", cluster);
  }
}
