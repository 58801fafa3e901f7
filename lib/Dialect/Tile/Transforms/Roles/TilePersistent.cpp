//===- TilePersistent.cpp - tile-persistent -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs roles, as tile-warp-specialize and tile-multicast leave them.
// Afterwards each role is a loop over blocks, of which a program takes every
// n-th, if n programs are launched. What the kernel computes before its roles
// of the number of the program, each role computes of the number of the block,
// in its loop. Iterations of channels are numbered on from block to block, so
// that one role is ahead of the other across blocks as well.
//
// Blocks are numbered as a GPU starts programs: x fastest. Programs of a
// cluster so have blocks side by side along x, and as many of them.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPERSISTENTPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using llvm::formatv;

/// Whether the op before the roles says what roles share, and not of what the
/// program computes.
static bool isShared(Operation *op) { return isa<AllocOp, ChannelOp>(op); }

/// The loop of a role that carries the number of this access's iteration, from
/// 0 on; null if there is none.
static scf::ForOp findCounter(Operation *access, unsigned &position) {
  Value number = access->getOperand(1);
  // What is released may be an iteration before.
  if (auto before = number.getDefiningOp<arith::SubIOp>())
    number = before.getLhs();
  auto argument = dyn_cast<BlockArgument>(number);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || argument == loop.getInductionVar() ||
      !isa<RolesOp>(loop->getParentOp()) ||
      !matchPattern(loop.getTiedLoopInit(argument)->get(), m_Zero()))
    return {};
  position = argument.getArgNumber() - 1;
  return loop;
}

namespace {

/// A kernel whose programs are to compute several blocks.
struct Kernel {
  func::FuncOp function;
  RolesOp roles;
  /// Blocks along x, y and z.
  std::array<int64_t, 3> grid;
  /// Of each role: the loop whose iterations are those of its channel, and the
  /// value that counts them.
  SmallVector<std::pair<scf::ForOp, unsigned>, 2> counters;

  int64_t countBlocks() const { return grid[0] * grid[1] * grid[2]; }
  /// The failure reason, or an empty text.
  std::string check(ArrayRef<LaunchOp> launches);
  void apply(IRRewriter &rewriter, int64_t numPrograms);

private:
  std::string findCounters();
  void loopOverBlocks(IRRewriter &rewriter, unsigned role, int64_t numPrograms);
};

struct TilePersistentPass
    : tileir::tile::impl::TilePersistentPassBase<TilePersistentPass> {
  using TilePersistentPassBase::TilePersistentPassBase;

  void runOnOperation() override {
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isKernel(kernel) && getConfig(kernel).persistent > 0)
        run(kernel, users.getUsers(kernel));
  }

private:
  void run(func::FuncOp function, ArrayRef<Operation *> users);
};

} // namespace

std::string Kernel::findCounters() {
  counters.resize(roles.getRoles().size());
  std::string reason;
  roles->walk([&](Operation *op) {
    if (!isa<ChannelAcquireOp, ChannelWaitOp, ChannelReleaseOp>(op))
      return WalkResult::advance();
    unsigned position = 0;
    scf::ForOp loop = findCounter(op, position);
    auto &counter = counters[RolesOp::find(op).second];
    if (!loop || (counter.first && counter != std::pair(loop, position))) {
      reason = formatv("the iteration of a '{0}' is not counted from 0 by the "
                       "loop of its role",
                       op->getName().getStringRef());
      return WalkResult::interrupt();
    }
    counter = {loop, position};
    return WalkResult::advance();
  });
  return reason;
}

std::string Kernel::check(ArrayRef<LaunchOp> launches) {
  auto found = function.getBody().front().getOps<RolesOp>();
  if (!llvm::hasSingleElement(found))
    return "its warps have no roles";
  roles = *found.begin();
  for (Operation &op : *roles->getBlock()) {
    bool isAfter = roles->isBeforeInBlock(&op) && !isa<func::ReturnOp>(op);
    bool isReading = isMemoryEffectFree(&op) || isa<AssumeOp, LoadOp>(op);
    if (&op != roles && !isShared(&op) && (isAfter || !isReading) &&
        !isa<func::ReturnOp>(op))
      return formatv("'{0}' is outside of the roles",
                     op.getName().getStringRef());
  }
  for (LaunchOp launch : launches) {
    std::array<int64_t, 3> sizes;
    std::array<Value, 3> values = {launch.getGridX(), launch.getGridY(),
                                   launch.getGridZ()};
    for (auto [size, value] : llvm::zip_equal(sizes, values)) {
      APInt constant;
      if (!matchPattern(value, m_ConstantInt(&constant)))
        return "a launch has a grid that is known at run time only";
      size = constant.getSExtValue();
    }
    if (launch != launches.front() && sizes != grid)
      return "launches have different grids";
    grid = sizes;
  }
  return findCounters();
}

/// Puts a role into a loop over the blocks of this program.
void Kernel::loopOverBlocks(IRRewriter &rewriter, unsigned role,
                            int64_t numPrograms) {
  Block &body = roles.getRoles()[role].front();
  Location loc = roles.getLoc();
  SmallVector<Operation *> ops = llvm::map_to_vector(
      body.without_terminator(), [](Operation &op) { return &op; });
  rewriter.setInsertionPointToStart(&body);
  auto createNumber = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(rewriter, loc, value, 32);
  };
  Value first = ProgramIdOp::create(rewriter, loc, tile::Axis::X);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  auto loop = scf::ForOp::create(
      rewriter, loc, first, createNumber(countBlocks()),
      createNumber(numPrograms), zero,
      [](OpBuilder &, Location, Value, ValueRange) {}, /*unsignedCmp=*/false);
  for (Operation *op : ops)
    rewriter.moveOpBefore(op, loop.getBody(), loop.getBody()->end());

  // The number of the block, in place of the program's.
  rewriter.setInsertionPointToStart(loop.getBody());
  std::array<Value, 3> ids;
  Value rest = loop.getInductionVar();
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value size = createNumber(grid[axis]);
    ids[axis] = arith::RemUIOp::create(rewriter, loc, rest, size);
    rest = arith::DivUIOp::create(rewriter, loc, rest, size);
  }
  IRMapping mapping;
  auto mapNumbers = [&](Operation *op) {
    if (auto id = dyn_cast<ProgramIdOp>(op))
      mapping.map(id.getResult(), ids[unsigned(id.getAxis())]);
    else if (auto number = dyn_cast<NumProgramsOp>(op))
      mapping.map(number.getResult(),
                  createNumber(grid[unsigned(number.getAxis())]));
    else
      return false;
    return true;
  };
  for (Operation &op : *roles->getBlock())
    if (op.isBeforeInBlock(roles) && !isShared(&op) && !mapNumbers(&op))
      rewriter.clone(op, mapping);
  SmallVector<Operation *> numbers;
  for (Operation *op : ops)
    op->walk([&](Operation *inner) {
      if (mapNumbers(inner)) {
        numbers.push_back(inner);
        return;
      }
      for (OpOperand &operand : inner->getOpOperands())
        if (Value mapped = mapping.lookupOrNull(operand.get()))
          operand.set(mapped);
    });
  for (Operation *op : numbers)
    rewriter.replaceOp(op, mapping.lookup(op->getResult(0)));

  Value next = loop.getRegionIterArg(0);
  if (auto [counter, position] = counters[role]; counter) {
    counter.getInitArgsMutable()[position].assign(next);
    next = counter.getResult(position);
  }
  rewriter.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(rewriter, loc, next);
}

void Kernel::apply(IRRewriter &rewriter, int64_t numPrograms) {
  for (unsigned role = 0; role < counters.size(); ++role)
    loopOverBlocks(rewriter, role, numPrograms);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*roles->getBlock())))
    if (isOpTriviallyDead(&op) || (op.use_empty() && isa<LoadOp>(op)))
      rewriter.eraseOp(&op);
}

void TilePersistentPass::run(func::FuncOp function,
                             ArrayRef<Operation *> users) {
  auto opts = remark::RemarkOpts::name("persistent").category("tile");
  layout::TileConfig config = getConfig(function);
  auto launches = llvm::map_to_vector(
      users, [](Operation *op) { return dyn_cast<LaunchOp>(op); });
  Kernel kernel{function, {}, {}, {}};
  std::string reason;
  if (launches.empty() || llvm::is_contained(launches, LaunchOp()))
    reason = "it is not launched in its module";
  else
    reason = kernel.check(launches);
  TargetAttr target = TargetAttr::find(function);
  int64_t sms = programs != 0 ? int64_t(programs)
                : target      ? target.getSms()
                              : 0;
  int64_t numPrograms =
      llvm::alignDown(uint64_t(sms * config.persistent), config.cluster);
  if (reason.empty() && numPrograms == 0)
    reason = "the number of multiprocessors is not known: set 'sms' of "
             "#tile.target";
  if (reason.empty() && !llvm::isInt<32>(kernel.countBlocks() + numPrograms))
    reason = formatv("it has {0} blocks: numbers of 32 bits do not count them",
                     kernel.countBlocks());
  if (reason.empty() && kernel.countBlocks() <= numPrograms)
    reason = formatv("it has {0} blocks for {1} programs", kernel.countBlocks(),
                     numPrograms);
  if (!reason.empty()) {
    ++numKept;
    remark::missed(function.getLoc(), opts) << remark::reason("{0}", reason);
    return;
  }
  IRRewriter rewriter(&getContext());
  kernel.apply(rewriter, numPrograms);
  for (LaunchOp launch : launches) {
    rewriter.setInsertionPoint(launch);
    auto createSize = [&](int64_t size) -> Value {
      return arith::ConstantIndexOp::create(rewriter, launch.getLoc(), size);
    };
    launch.getGridXMutable().assign(createSize(numPrograms));
    launch.getGridYMutable().assign(createSize(1));
    launch.getGridZMutable().assign(createSize(1));
  }
  ++numPersistent;
  remark::passed(function.getLoc(), opts)
      << remark::metric("blocks", kernel.countBlocks())
      << remark::metric("programs", numPrograms);
}
