//===- TileOverlapProducts.cpp - tile-overlap-products --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs roles without layouts, as tile-warp-specialize and tile-persistent
// leave them. A loop with two products, the second one of what is computed of
// the first one, is rotated: an iteration begins the first product of the next
// one, and then its own second one, and computes on the former while the latter
// is on its way. So the first iteration is before the loop but for its second
// product, and the second product of the last one behind it. What the second
// product adds to is computed when the one before has been waited for.
//
// A stage is released an iteration later than before, so the channel gets one
// more.
//
//===----------------------------------------------------------------------===//

#include "LocalAccess.h"

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Layout/Fragments/Warpgroup.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEOVERLAPPRODUCTSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using llvm::formatv;

namespace {

/// A loop of a role with two products.
class Rotation {
public:
  Rotation(scf::ForOp loop, MmaAsyncOp first, MmaAsyncOp last)
      : loop(loop), first(first), last(last) {}

  /// The failure reason; empty if the loop can be rotated.
  std::string check();
  void apply(IRRewriter &rewriter);
  int64_t getStages() { return channel.getStages(); }

private:
  std::string findChannel();
  std::string findSum();
  std::string checkRegisters();
  bool hasRoomForStage();
  void addStage();
  /// All of an iteration but its second product, and what that adds to.
  void cloneFront(IRRewriter &rewriter, IRMapping &mapping,
                  function_ref<void()> beforeWait);
  void cloneSum(IRRewriter &rewriter, IRMapping &mapping);
  /// What the second product reads of its iteration.
  SmallVector<Value> findOperands();
  /// The second product of an iteration, and what follows it.
  MmaAsyncOp begin(IRRewriter &rewriter, ValueRange operands);
  Value finish(IRRewriter &rewriter, MmaAsyncOp product, Value number);

  scf::ForOp loop;
  MmaAsyncOp first, last;
  MmaWaitOp firstWait, lastWait;
  ChannelWaitOp wait;
  ChannelReleaseOp release;
  ChannelOp channel;
  /// Which carried value is the sum, and what is computed of it before the
  /// second product adds to that.
  unsigned sum = 0;
  SetVector<Operation *> ofSum;
};

struct TileOverlapProductsPass
    : tileir::tile::impl::TileOverlapProductsPassBase<TileOverlapProductsPass> {
  using TileOverlapProductsPassBase::TileOverlapProductsPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (RolesOp::find(loop).first)
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      run(loop);
  }

private:
  void run(scf::ForOp loop);
};

} // namespace

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

/// The wait for a product alone, right after which it may be used; null if
/// there is none.
static MmaWaitOp findWait(MmaAsyncOp product) {
  Value result = product.getResult();
  auto wait = result.hasOneUse() ? dyn_cast<MmaWaitOp>(*result.user_begin())
                                 : MmaWaitOp();
  return wait && wait.getPending() == 0 &&
                 wait->getBlock() == product->getBlock()
             ? wait
             : MmaWaitOp();
}

std::string Rotation::findChannel() {
  SmallVector<Operation *> accesses;
  loop.walk([&](Operation *op) {
    if (isa<ChannelAcquireOp, ChannelWaitOp, ChannelReleaseOp, BulkLoadOp>(op))
      accesses.push_back(op);
  });
  if (accesses.size() == 2) {
    wait = dyn_cast<ChannelWaitOp>(accesses.front());
    release = dyn_cast<ChannelReleaseOp>(accesses.back());
  }
  const char *reason = "an iteration does not wait for its stage, and release "
                       "it, once";
  if (!wait || !release || wait->getBlock() != loop.getBody() ||
      release->getBlock() != loop.getBody() ||
      release.getIteration() != wait.getIteration())
    return reason;
  channel = wait.getChannel().getDefiningOp<ChannelOp>();
  auto number = dyn_cast<BlockArgument>(wait.getIteration());
  OpOperand *next = number && number.getOwner() == loop.getBody()
                        ? loop.getTiedLoopYieldedValue(number)
                        : nullptr;
  auto addition =
      next ? next->get().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!addition || addition.getLhs() != number ||
      !matchPattern(addition.getRhs(), m_One()))
    return reason;
  return "";
}

std::string Rotation::findSum() {
  Value result = lastWait.getResult();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  if (!result.hasOneUse() || *result.user_begin() != yield)
    return "the loop uses what the second product gives";
  sum = result.use_begin()->getOperandNumber();
  BlockArgument carried = loop.getRegionIterArg(sum);
  ForwardSliceOptions options;
  options.filter = [&](Operation *op) { return op != last; };
  getForwardSlice(carried, &ofSum, options);
  // In the order of the loop.
  SetVector<Operation *> ordered;
  for (Operation &op : loop.getBody()->without_terminator())
    if (ofSum.contains(&op))
      ordered.insert(&op);
  bool isOfLoop = ordered.size() == ofSum.size();
  ofSum = std::move(ordered);
  auto isForSum = [&](Value value) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      return ofSum.contains(use.getOwner()) || &use == &last.getAccMutable();
    });
  };
  if (!isOfLoop || !isForSum(carried) ||
      llvm::any_of(ofSum, [&](Operation *op) {
        return !isMemoryEffectFree(op) || op->getNumRegions() > 0 ||
               !llvm::all_of(op->getResults(), isForSum);
      }))
    return "more than the second product depends on its sum";
  return "";
}

std::string Rotation::checkRegisters() {
  auto [roles, role] = RolesOp::find(loop);
  int64_t warps = roles.getWarps()[role];
  auto countBits = [](Value value) -> int64_t {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? type.getNumElements() * type.getElementTypeBitWidth() : 0;
  };
  // A of the second product while that of the next one is computed.
  int64_t bits = countBits(first.getA()) + countBits(first.getResult()) +
                 countBits(last.getResult()) + 2 * countBits(last.getA());
  int64_t registers = bits / (warps * 32 * 32);
  int64_t ofThread =
      layout::getRoleRegisters(warps / layout::kGroupWarps).product;
  if (registers + layout::kOtherRegisters <= ofThread)
    return "";
  return formatv("the products take {0} registers of each thread, of {1}",
                 registers, ofThread);
}

/// The buffers that have the stages of a channel.
static SetVector<AllocOp> findBuffers(ChannelOp channel) {
  SetVector<AllocOp> buffers;
  for (Operation *user : channel->getUsers())
    if (auto copy = dyn_cast<BulkLoadOp>(user))
      buffers.insert(copy.getBuffer().getDefiningOp<AllocOp>());
  return buffers;
}

bool Rotation::hasRoomForStage() {
  TargetAttr target = TargetAttr::find(loop);
  if (!target || channel.getStages() == 64)
    return !target;
  int64_t bytes = layout::kStageBarrierBytes;
  for (AllocOp buffer : findBuffers(channel)) {
    BufferType type = buffer.getBuffer().getType();
    bytes += getNumBytes(type) / type.getShape().front();
  }
  getKernel(loop)->walk([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      bytes += getNumBytes(alloc.getBuffer().getType());
    if (auto other = dyn_cast<ChannelOp>(op))
      bytes += other.getNumBytes();
  });
  return bytes <= target.getShared();
}

std::string Rotation::check() {
  firstWait = findWait(first);
  lastWait = findWait(last);
  if (!firstWait || !lastWait || !firstWait->isBeforeInBlock(last))
    return "an iteration does not wait for each of its products by itself";
  std::string reason = findChannel();
  if (reason.empty() && !lastWait->isBeforeInBlock(release))
    reason = "the stage is released before the second product is done";
  if (reason.empty())
    reason = findSum();
  if (reason.empty())
    reason = checkRegisters();
  if (reason.empty() && getStages() == 1 && !hasRoomForStage())
    reason = "there is no room for a second stage";
  return reason;
}

//===----------------------------------------------------------------------===//
// What becomes of them
//===----------------------------------------------------------------------===//

void Rotation::addStage() {
  channel.setStages(channel.getStages() + 1);
  for (AllocOp buffer : findBuffers(channel)) {
    BufferType type = buffer.getBuffer().getType();
    SmallVector<int64_t> shape(type.getShape());
    ++shape.front();
    buffer.getBuffer().setType(BufferType::get(
        type.getContext(), shape, type.getElementType(), type.getLayout()));
  }
}

void Rotation::cloneFront(IRRewriter &rewriter, IRMapping &mapping,
                          function_ref<void()> beforeWait) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == last || &op == lastWait || &op == release || ofSum.contains(&op))
      continue;
    if (&op == firstWait)
      beforeWait();
    rewriter.clone(op, mapping);
  }
}

SmallVector<Value> Rotation::findOperands() {
  SetVector<Value> operands;
  for (Value operand : last->getOperands())
    if (loop->isAncestor(operand.getParentBlock()->getParentOp()))
      operands.insert(operand);
  return operands.takeVector();
}

void Rotation::cloneSum(IRRewriter &rewriter, IRMapping &mapping) {
  for (Operation *op : ofSum)
    rewriter.clone(*op, mapping);
}

MmaAsyncOp Rotation::begin(IRRewriter &rewriter, ValueRange operands) {
  IRMapping mapping;
  mapping.map(findOperands(), operands);
  return cast<MmaAsyncOp>(rewriter.clone(*last, mapping));
}

Value Rotation::finish(IRRewriter &rewriter, MmaAsyncOp product, Value number) {
  IRMapping mapping;
  mapping.map(last.getResult(), product.getResult());
  mapping.map(release.getIteration(), number);
  Value result = rewriter.clone(*lastWait, mapping)->getResult(0);
  rewriter.clone(*release, mapping);
  return result;
}

void Rotation::apply(IRRewriter &rewriter) {
  if (hasRoomForStage())
    addStage();
  Location loc = loop.getLoc();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<unsigned> others; // carried values but the sum
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
    if (i != sum)
      others.push_back(i);
  // What an iteration leaves to the next one, and to its second product.
  auto getLeft = [&](IRMapping &mapping) {
    SmallVector<Value> left;
    for (unsigned i : others)
      left.push_back(mapping.lookupOrDefault(yield.getOperand(i)));
    for (Value operand : findOperands())
      left.push_back(mapping.lookupOrDefault(operand));
    return left;
  };
  rewriter.setInsertionPoint(loop);
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                         : arith::CmpIPredicate::slt;
  Value any = arith::CmpIOp::create(rewriter, loc, predicate,
                                    loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), any,
                                  /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, loop.getInitArgs());

  rewriter.setInsertionPointToStart(branch.thenBlock());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
  cloneFront(rewriter, mapping, [] {});
  cloneSum(rewriter, mapping);
  Value next = arith::AddIOp::create(rewriter, loc, loop.getLowerBound(),
                                     loop.getStep());
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  // Iterations are numbered one after the other.
  unsigned counter = llvm::find(loop.getRegionIterArgs(), wait.getIteration()) -
                     loop.getRegionIterArgs().begin();
  unsigned position = llvm::find(others, counter) - others.begin();
  auto getBefore = [&](Value number) -> Value {
    return arith::SubIOp::create(rewriter, loc, number, one);
  };
  auto rotated = scf::ForOp::create(
      rewriter, loc, next, loop.getUpperBound(), loop.getStep(),
      getLeft(mapping), [](OpBuilder &, Location, Value, ValueRange) {},
      loop.getUnsignedCmp());
  rewriter.setInsertionPointToStart(rotated.getBody());
  IRMapping inside;
  inside.map(loop.getInductionVar(), rotated.getInductionVar());
  for (auto [i, argument] : llvm::zip(others, rotated.getRegionIterArgs()))
    inside.map(loop.getRegionIterArg(i), argument);
  ValueRange arguments = rotated.getRegionIterArgs();
  MmaAsyncOp begun;
  cloneFront(rewriter, inside, [&] {
    begun = begin(rewriter, arguments.drop_front(others.size()));
  });
  inside.lookup(firstWait.getResult()).getDefiningOp<MmaWaitOp>().setPending(1);
  Value result = finish(rewriter, begun, getBefore(arguments[position]));
  inside.map(loop.getRegionIterArg(sum), result);
  cloneSum(rewriter, inside);
  scf::YieldOp::create(rewriter, loc, getLeft(inside));

  rewriter.setInsertionPointAfter(rotated);
  ValueRange results = rotated.getResults();
  begun = begin(rewriter, results.drop_front(others.size()));
  result = finish(rewriter, begun, getBefore(results[position]));
  SmallVector<Value> all(results.take_front(others.size()));
  all.insert(all.begin() + sum, result);
  scf::YieldOp::create(rewriter, loc, all);
  rewriter.replaceOp(loop, branch);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void TileOverlapProductsPass::run(scf::ForOp loop) {
  SmallVector<MmaAsyncOp> products;
  bool isNested = false;
  loop.walk([&](MmaAsyncOp op) {
    products.push_back(op);
    isNested |= op->getBlock() != loop.getBody();
  });
  // Products of one kind overlap as they are.
  if (products.size() < 2 || isNested)
    return;
  auto opts = remark::RemarkOpts::name("overlap-products").category("tile");
  Rotation rotation(loop, products[0], products[1]);
  std::string reason =
      products.size() > 2
          ? formatv("the loop has {0} products, not 2", products.size()).str()
          : rotation.check();
  if (!reason.empty()) {
    ++numKept;
    remark::missed(loop.getLoc(), opts) << remark::reason("{0}", reason);
    return;
  }
  IRRewriter rewriter(&getContext());
  rotation.apply(rewriter);
  ++numRotated;
  remark::passed(products[0].getLoc(), opts)
      << remark::metric("stages", rotation.getStages());
}
