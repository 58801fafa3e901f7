//===- TilePipeline.cpp - tile-pipeline -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs layouts on all tiles of a kernel (tile-verify-layouts), and a target
// with asynchronous copies; elsewhere nothing changes. What a loop loads, only
// to convert it to the layout of an operand through shared memory, is copied
// there asynchronously, some steps ahead, into a ring of as many stages as the
// configuration says. A step is then
//
//     wait for the copies of this step
//     begin the copies of a later step, one group, into the stage that the
//     step before read
//     load the operands from the stage of this step, and multiply
//
// and needs one barrier, behind the wait: it tells that all threads' copies
// have arrived, and that all threads have read the stage that is written again
// (tile-insert-barriers finds so). The loop carries the stage of the step
// before, in which the step begins copies; the one below it is its own: stages
// go down, as that wraps around in fewer instructions.
//
// Loads with a prologue are left to tile-prefetch, which comes afterwards.
//
//===----------------------------------------------------------------------===//

#include "LocalAccess.h"
#include "RunAhead.h"

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Analysis/GlobalRuns.h"
#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"
#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPIPELINEPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::ConversionPlan;

namespace {
/// A load and the conversion of what it loads.
struct StagedLoad {
  Operation *load;
  ConvertLayoutOp conversion;
  layout::LinearLayout shared;
  AllocOp buffer;
};
} // namespace

//===----------------------------------------------------------------------===//
// Which loads
//===----------------------------------------------------------------------===//

static GlobalRun findRun(Operation *load, const DataFlowSolver &solver) {
  if (auto view = dyn_cast<LoadViewOp>(load))
    return ViewAccess::get(view, view.getType()).findRun(solver);
  auto pointers = cast<LoadOp>(load);
  return findPointerRun(pointers.getPtr(), pointers.getMask(), solver);
}

/// Returns the failure reason why a load of the loop cannot be asynchronous; if
/// it can, sets `staged`.
static std::string checkLoad(Operation *load, const DataFlowSolver &solver,
                             StagedLoad &staged) {
  Value tile = load->getResult(0);
  auto conversion = tile.hasOneUse()
                        ? dyn_cast<ConvertLayoutOp>(*tile.user_begin())
                        : ConvertLayoutOp();
  if (!conversion || conversion->getBlock() != load->getBlock())
    return "what it loads is not only converted to the layout of an operand";
  SetVector<Operation *> users;
  getForwardSlice(tile, &users);
  if (llvm::any_of(users, llvm::IsaPred<LoadOp, LoadViewOp>))
    return "other loads depend on it";
  ConversionPlan plan = getConversionPlan(conversion);
  if (plan.kind != ConversionPlan::Kind::SharedMemory)
    return "what it loads does not go through shared memory";
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getElementType().isInteger(1))
    return "it loads predicates";
  if (auto pointers = dyn_cast<LoadOp>(load))
    if (pointers.getOther() && !matchPattern(pointers.getOther(), m_Zero()) &&
        !matchPattern(pointers.getOther(), m_AnyZeroFloat()))
      return "where its mask is false, the element is another one than 0";
  unsigned bits = type.getElementTypeBitWidth();
  GlobalRun run = findRun(load, solver);
  int64_t length =
      getCopyLength(getTileLayout(type), run, plan.swizzle->shared, bits);
  if (length < run.width.getNumElements())
    return llvm::formatv("a load moves {0} elements at once, and a copy {1}: "
                         "those of a fragment lie otherwise",
                         run.width.getNumElements(), length);
  int64_t bytes = length * bits / 8;
  if (bytes < kMinCopyBytes)
    return llvm::formatv(
        "{0} bytes follow one another, and a copy moves {1} at least{2}{3}",
        bytes, kMinCopyBytes, run.width.getReason().empty() ? "" : ": ",
        run.width.getReason());
  staged = {load, conversion, plan.swizzle->shared, nullptr};
  return "";
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

namespace {

class Pipeline {
public:
  Pipeline(scf::ForOp loop, std::vector<StagedLoad> loads, int64_t stages)
      : loop(loop), loads(std::move(loads)), stages(stages) {}

  /// Bytes of shared memory of all stages.
  int64_t getNumBytes() const;
  LogicalResult apply(RewriterBase &rewriter);

private:
  BufferType getBufferType(const StagedLoad &staged) const {
    return getStagedBuffer(staged.conversion, staged.shared, stages);
  }
  /// Makes the loads asynchronous, in the iteration itself. Returns them.
  SmallVector<Operation *> makeAsynchronous(RewriterBase &rewriter);
  /// Computes once more, for the rest, what runs ahead: it would have to be
  /// carried from iteration to iteration.
  void separate(RewriterBase &rewriter, const RunAhead &ahead);
  /// Chooses the stages of all accesses.
  void chooseStages(RewriterBase &rewriter);

  scf::ForOp loop;
  std::vector<StagedLoad> loads;
  int64_t stages;
  AsyncWaitOp wait;
};

} // namespace

int64_t Pipeline::getNumBytes() const {
  int64_t bytes = 0;
  for (const StagedLoad &staged : loads)
    bytes += tile::getNumBytes(getBufferType(staged));
  return bytes;
}

SmallVector<Operation *> Pipeline::makeAsynchronous(RewriterBase &rewriter) {
  Operation *kernel = getKernel(loop);
  rewriter.setInsertionPointToStart(&kernel->getRegion(0).front());
  Value zero = arith::ConstantIndexOp::create(rewriter, loop.getLoc(), 0);
  for (StagedLoad &staged : loads)
    staged.buffer = AllocOp::create(rewriter, staged.load->getLoc(),
                                    getBufferType(staged), IntegerAttr());

  Block *body = loop.getBody();
  SmallVector<Operation *> copies;
  SmallVector<Value> tokens;
  SmallVector<Operation *> firstUsers; // of each load
  for (StagedLoad &staged : loads) {
    Location loc = staged.load->getLoc();
    rewriter.setInsertionPoint(staged.load);
    UnitAttr withNext;
    if (&staged != &loads.back())
      withNext = rewriter.getUnitAttr();
    if (auto view = dyn_cast<LoadViewOp>(staged.load))
      copies.push_back(AsyncLoadViewOp::create(
          rewriter, loc, view.getMemref(), view.getIndices(), staged.buffer,
          zero, /*mask=*/Value(), view.getAxesAttr(), view.getStepsAttr(),
          view.getInBoundsAttr(), withNext, TypeAttr::get(view.getType())));
    else
      copies.push_back(AsyncLoadOp::create(
          rewriter, loc, cast<LoadOp>(staged.load).getPtr(), staged.buffer,
          zero, cast<LoadOp>(staged.load).getMask(), withNext));
    tokens.push_back(copies.back()->getResult(0));
    firstUsers.push_back(body->getTerminator());
    for (Operation *user : staged.conversion->getUsers()) {
      user = body->findAncestorOpInBlock(*user);
      if (user->isBeforeInBlock(firstUsers.back()))
        firstUsers.back() = user;
    }
  }
  rewriter.setInsertionPoint(
      *llvm::min_element(firstUsers, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      }));
  wait = AsyncWaitOp::create(rewriter, loop.getLoc(), tokens,
                             uint64_t(stages - 2));
  for (auto [staged, firstUser] : llvm::zip_equal(loads, firstUsers)) {
    rewriter.setInsertionPoint(firstUser);
    rewriter.replaceOpWithNewOp<LocalLoadOp>(
        staged.conversion, staged.conversion.getType(), staged.buffer, zero);
    rewriter.eraseOp(staged.load);
  }
  return copies;
}

void Pipeline::separate(RewriterBase &rewriter, const RunAhead &ahead) {
  SmallVector<Operation *> clones, rest;
  IRMapping mapping;
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    if (!ahead.contains(&op)) {
      rest.push_back(&op);
    } else if (isMemoryEffectFree(&op)) {
      rewriter.setInsertionPointAfter(&op);
      clones.push_back(rewriter.clone(op, mapping));
    }
  }
  for (Operation *op : rest)
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    });
  for (Operation *clone : llvm::reverse(clones))
    if (clone->use_empty())
      rewriter.eraseOp(clone);
}

/// `stage` - 1 modulo `stages`, of an i32 below `stages`.
static Value createNextStage(OpBuilder &builder, Location loc, Value stage,
                             int64_t stages) {
  auto constant = [&](int64_t number) {
    return arith::ConstantIntOp::create(builder, loc, number, 32);
  };
  if (stages == 2)
    return arith::XOrIOp::create(builder, loc, stage, constant(1));
  // Below 0 there is a huge unsigned number.
  Value down = arith::SubIOp::create(builder, loc, stage, constant(1));
  return arith::MinUIOp::create(builder, loc, down, constant(stages - 1));
}

void Pipeline::chooseStages(RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value first = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
  Value own, before;
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> carried) {
        OpBuilder::InsertionGuard guard(builder);
        BlockArgument stage = carried.back();
        builder.setInsertionPointToStart(stage.getOwner());
        Value next = createNextStage(builder, loc, stage, stages);
        auto cast = [&](Value number) {
          return arith::IndexCastOp::create(builder, loc,
                                            builder.getIndexType(), number);
        };
        before = cast(stage);
        own = cast(next);
        return SmallVector<Value>{next};
      }));
  for (StagedLoad &staged : loads) {
    int64_t stage = stages; // of the copy before the loop
    for (Operation &op : *loop->getBlock()) {
      if (&op == loop.getOperation())
        break;
      if (auto access = LocalAccess::get(&op);
          access && access->buffer == staged.buffer.getBuffer()) {
        rewriter.setInsertionPoint(&op);
        access->indices[0].set(
            arith::ConstantIndexOp::create(rewriter, loc, --stage));
      }
    }
    for (Operation &op : *loop.getBody())
      if (auto access = LocalAccess::get(&op);
          access && access->buffer == staged.buffer.getBuffer())
        access->indices[0].set(access->isWrite ? before : own);
  }
}

LogicalResult Pipeline::apply(RewriterBase &rewriter) {
  SmallVector<Operation *> copies = makeAsynchronous(rewriter);
  RunAhead ahead(loop, copies);
  separate(rewriter, ahead);
  SetVector<Operation *> first;
  for (Operation &op : *loop.getBody()) {
    if (!ahead.contains(&op))
      first.insert(&op);
    if (&op == wait.getOperation())
      break;
  }
  rewriter.setInsertionPoint(loop);
  FailureOr<scf::ForOp> pipelined = ahead.apply(rewriter, stages - 1, first);
  if (failed(pipelined))
    return loop.emitError("tile-pipeline found a loop that upstream's "
                          "pipeliner does not take: use 'stages = 1'");
  loop = *pipelined;
  chooseStages(rewriter);
  // Of the steps after the last one zeros are still on their way.
  rewriter.setInsertionPointAfter(loop);
  AsyncWaitOp::create(rewriter, loop.getLoc(), ValueRange(), uint64_t(0));
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TilePipelinePass
    : tileir::tile::impl::TilePipelinePassBase<TilePipelinePass> {
  using TilePipelinePassBase::TilePipelinePassBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    getOperation()->walk([&](func::FuncOp function) {
      TargetAttr target = TargetAttr::find(function);
      if (isKernel(function) && !function.isExternal() && target &&
          target.getAsync() && getConfig(function).stages > 1)
        kernels.push_back(function);
    });
    for (func::FuncOp kernel : kernels)
      if (failed(run(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult run(func::FuncOp kernel);
  /// The loads of a loop that can be asynchronous, in its order.
  std::vector<StagedLoad> findLoads(scf::ForOp loop,
                                    const DataFlowSolver &solver);
  void keep(Operation *op, StringRef reason) {
    ++numKept;
    remark::missed(op->getLoc(),
                   remark::RemarkOpts::name("pipeline").category("tile"))
        << remark::reason("{0}", reason);
  }
};
} // namespace

std::vector<StagedLoad>
TilePipelinePass::findLoads(scf::ForOp loop, const DataFlowSolver &solver) {
  std::vector<StagedLoad> loads;
  SmallVector<Operation *> ops;
  for (Operation *op :
       getSources(loop, findProducts(loop), /*isCarried=*/false)) {
    if (!isPlainLoad(op) || !isa<RankedTensorType>(op->getResult(0).getType()))
      continue;
    StagedLoad staged;
    if (std::string reason = checkLoad(op, solver, staged); !reason.empty()) {
      keep(op, reason);
      continue;
    }
    loads.push_back(staged);
    ops.push_back(op);
  }
  if (loads.empty())
    return {};
  llvm::sort(loads, [](const StagedLoad &a, const StagedLoad &b) {
    return a.load->isBeforeInBlock(b.load);
  });
  if (std::string reason = RunAhead(loop, ops).check(); !reason.empty()) {
    keep(loop, reason);
    return {};
  }
  return loads;
}

LogicalResult TilePipelinePass::run(func::FuncOp kernel) {
  if (failed(verifyLayouts(kernel)))
    return failure();
  int64_t stages = getConfig(kernel).stages;
  int64_t limit = TargetAttr::find(kernel).getShared();
  DataFlowSolver solver;
  loadAxisInfoAnalysis(solver);
  if (failed(solver.initializeAndRun(kernel)))
    return failure();
  std::vector<Pipeline> pipelines;
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    std::vector<StagedLoad> loads = findLoads(loop, solver);
    if (loads.empty())
      continue;
    Pipeline pipeline(loop, loads, stages);
    int64_t bytes = pipeline.getNumBytes();
    if (bytes > limit)
      return loop.emitError("tile-pipeline needs ")
             << bytes << " bytes of shared memory for " << stages
             << " stages, the chip has " << limit
             << ": use fewer 'stages' or a smaller 'block' in tile.config";
    ++numPipelined;
    numCopies += loads.size();
    remark::passed(loop.getLoc(),
                   remark::RemarkOpts::name("pipeline").category("tile"))
        << remark::metric("loads", loads.size())
        << remark::metric("stages", stages) << remark::metric("bytes", bytes);
    pipelines.push_back(pipeline);
  }
  IRRewriter rewriter(&getContext());
  for (Pipeline &pipeline : pipelines)
    if (failed(pipeline.apply(rewriter)))
      return failure();
  return success();
}
