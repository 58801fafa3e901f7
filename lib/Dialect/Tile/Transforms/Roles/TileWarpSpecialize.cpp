//===- TileWarpSpecialize.cpp - tile-warp-specialize ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs a kernel without layouts whose only loop of products loads their
// operands, or has A in registers. Afterwards two roles have its body: the
// first one all of it, with waits instead of loads; the second one the loads
// alone, as copies, and what says where they are. That is left before the
// roles, or, in the loop, is computed by both. A product that only adds to a
// sum is on its way while the next one begins; others are waited for at once.
// Where instructions sum up in fewer bits than f32 has, the product of each
// iteration begins at zero and is added to the sum in f32.
//
// The second role runs ahead of all that the first one does, so nothing that
// comes before the last load may write what is loaded.
//
//===----------------------------------------------------------------------===//

#include "Roles/Specialization.h"
#include "RunAhead.h"

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEWARPSPECIALIZEPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// The roles
//===----------------------------------------------------------------------===//

/// Makes the roles, with empty regions, at the end of the kernel.
RolesOp Specialization::createRoles(RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(kernel.front().getTerminator());
  for (LoadedOperand *operand : getLoaded()) {
    auto tile = cast<RankedTensorType>(operand->load.getType());
    SmallVector<int64_t> shape = {stages, operand->shape[0], operand->shape[1]};
    operand->buffer =
        AllocOp::create(rewriter, operand->load.getLoc(),
                        BufferType::get(rewriter.getContext(), shape,
                                        tile.getElementType(), LayoutAttr()),
                        IntegerAttr());
  }
  for (LoadedProduct &product : products)
    for (LoadedOperand *operand : {&product.a, &product.b})
      for (LoadedOperand *loaded : getLoaded())
        if (operand->load == loaded->load)
          operand->buffer = loaded->buffer;
  channel =
      ChannelOp::create(rewriter, loc, ChannelType::get(rewriter.getContext()),
                        rewriter.getI64IntegerAttr(stages), IntegerAttr());
  DenseI64ArrayAttr registers;
  auto [ofProduct, ofCopy] = layout::getRoleRegisters(groups);
  if (groups > 1)
    registers = rewriter.getDenseI64ArrayAttr({ofProduct, ofCopy});
  auto roles =
      RolesOp::create(rewriter, loc,
                      rewriter.getDenseI64ArrayAttr(
                          {groups * layout::kGroupWarps, layout::kGroupWarps}),
                      registers, /*rolesCount=*/2);
  for (Region &role : roles.getRoles()) {
    rewriter.createBlock(&role);
    EndRoleOp::create(rewriter, loc);
  }
  return roles;
}

/// The loop over iterations of the channel that begins the copies.
void Specialization::fillCopies(RewriterBase &rewriter, Region &role) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPointToStart(&role.front());
  // What is carried to say where the loads are.
  SmallVector<BlockArgument> carried;
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (llvm::any_of(argument.getUsers(),
                     [&](Operation *user) { return inside.contains(user); }))
      carried.push_back(argument);
  SmallVector<Value> inits;
  for (BlockArgument argument : carried)
    inits.push_back(loop.getTiedLoopInit(argument)->get());
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  inits.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
  auto copies =
      scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits,
                         /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  if (!copies.getBody()->empty())
    rewriter.eraseOp(copies.getBody()->getTerminator());
  rewriter.setInsertionPointToStart(copies.getBody());

  IRMapping mapping;
  mapping.map(loop.getInductionVar(), copies.getInductionVar());
  for (auto [from, to] : llvm::zip(carried, copies.getRegionIterArgs()))
    mapping.map(from, to);
  Value number = copies.getRegionIterArgs().back();
  auto acquire = ChannelAcquireOp::create(
      rewriter, loc, rewriter.getIndexType(), channel, number,
      rewriter.getI64IntegerAttr(getStageBytes()));
  SmallVector<LoadedOperand *> loaded = getLoaded();
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!inside.contains(&op))
      continue;
    auto found = llvm::find_if(
        loaded, [&](LoadedOperand *operand) { return operand->load == &op; });
    if (found == loaded.end()) {
      rewriter.clone(op, mapping);
      continue;
    }
    LoadedOperand &operand = **found;
    auto indices =
        llvm::map_to_vector(operand.load.getIndices(), [&](Value index) {
          return mapping.lookupOrDefault(index);
        });
    bool isPlain = operand.isPlain();
    BulkLoadOp::create(
        rewriter, op.getLoc(), operand.load.getMemref(), indices,
        operand.buffer, acquire.getStage(), channel,
        isPlain ? operand.load.getAxesAttr()
                : rewriter.getDenseI64ArrayAttr(operand.axes),
        isPlain ? nullptr : rewriter.getDenseI64ArrayAttr(operand.sizes),
        operand.load.getSteps() ? rewriter.getDenseI64ArrayAttr(operand.steps)
                                : nullptr,
        /*multicast=*/nullptr);
  }
  SmallVector<Value> yielded;
  for (BlockArgument argument : carried)
    yielded.push_back(
        mapping.lookupOrDefault(loop.getTiedLoopYieldedValue(argument)->get()));
  yielded.push_back(arith::AddIOp::create(rewriter, loc, number, one));
  scf::YieldOp::create(rewriter, loc, yielded);
}

Operation *Specialization::replaceProduct(RewriterBase &rewriter,
                                          LoadedProduct &product, Value stage,
                                          int64_t pending) {
  DotOp dot = product.dot;
  Location loc = dot.getLoc();
  rewriter.setInsertionPoint(dot);
  bool isFromZero = matchPattern(dot.getAcc(), m_AnyZeroFloat());
  bool isAdded = product.isPromoted && !isFromZero;
  Value acc = dot.getAcc();
  if (isAdded)
    acc = arith::ConstantOp::create(rewriter, loc,
                                    rewriter.getZeroAttr(dot.getType()));
  bool isLoaded = bool(product.a.load);
  auto begun = MmaAsyncOp::create(
      rewriter, loc, dot.getType(),
      isLoaded ? Value(product.a.buffer) : Value(dot.getA()), product.a.order,
      product.b.buffer, stage, product.b.order, acc,
      MmaAtomAttr::get(rewriter.getContext(), product.atom),
      isLoaded ? stage : Value());
  Operation *last = begun;
  if (pending >= 0)
    last = MmaWaitOp::create(rewriter, loc, dot.getType(), begun,
                             uint64_t(pending));
  Value result = last->getResult(0);
  if (isAdded)
    result = arith::AddFOp::create(rewriter, loc, dot.getAcc(), result);
  rewriter.replaceOp(dot, result);
  return last;
}

/// All of the kernel but what both roles need.
void Specialization::fillProducts(RewriterBase &rewriter, Region &role) {
  Operation *end = role.front().getTerminator();
  RolesOp roles = cast<RolesOp>(role.getParentOp());
  SmallPtrSet<Operation *, 8> ofRoles = {roles, channel};
  for (LoadedOperand *operand : getLoaded())
    ofRoles.insert(operand->buffer);
  for (Operation &op :
       llvm::make_early_inc_range(kernel.front().without_terminator()))
    if (!ofRoles.contains(&op) && !before.contains(&op))
      rewriter.moveOpBefore(&op, end);

  // With one stage nothing can be on its way when the next copy begins, and a
  // sum of its own is added up at once.
  bool overlaps = stages > 1 && areSums() && !isPromoted();
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  BlockArgument number;
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> added) {
        number = added.back();
        return SmallVector<Value>{
            arith::AddIOp::create(builder, loc, number, one)};
      }));

  SmallVector<Value> sums;
  for (LoadedProduct &product : products)
    sums.push_back(product.dot.getAcc());
  rewriter.setInsertionPoint(products.front().dot);
  auto wait = ChannelWaitOp::create(rewriter, loc, rewriter.getIndexType(),
                                    channel, number);
  Operation *last = nullptr;
  for (auto [i, product] : llvm::enumerate(products)) {
    // Those of this iteration may go on.
    int64_t pending = 0;
    if (overlaps)
      pending = i + 1 == products.size() ? int64_t(products.size()) : -1;
    last = replaceProduct(rewriter, product, wait.getStage(), pending);
  }
  rewriter.setInsertionPointAfter(last);
  Value released = number;
  if (overlaps)
    released = arith::SubIOp::create(rewriter, loc, number, one);
  ChannelReleaseOp::create(rewriter, loc, channel, released);
  for (LoadedOperand *operand : getLoaded()) {
    for (Operation *op : operand->reordering)
      rewriter.eraseOp(op);
    rewriter.eraseOp(operand->load);
  }
  if (!overlaps)
    return;
  rewriter.setInsertionPointAfter(loop);
  for (Value sum : sums) {
    Value result = loop.getTiedLoopResult(cast<BlockArgument>(sum));
    auto all =
        MmaWaitOp::create(rewriter, loc, result.getType(), result, uint64_t(0));
    rewriter.replaceAllUsesExcept(result, all, all);
  }
}

void Specialization::apply(RewriterBase &rewriter) {
  // Each role says how many it has.
  kernel->removeAttr(NVVM::NVVMDialect::getMaxnregAttrName());
  RolesOp roles = createRoles(rewriter);
  fillCopies(rewriter, roles.getRoles()[1]);
  fillProducts(rewriter, roles.getRoles()[0]);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TileWarpSpecializePass
    : tileir::tile::impl::TileWarpSpecializePassBase<TileWarpSpecializePass> {
  using TileWarpSpecializePassBase::TileWarpSpecializePassBase;

  void runOnOperation() override {
    getOperation()->walk([&](func::FuncOp function) {
      if (isKernel(function) && !function.isExternal())
        run(function);
    });
  }

private:
  void run(func::FuncOp kernel);
};
} // namespace

/// Makes a kernel that warpgroups do not multiply one of the best instructions
/// of warps.
static void forgetWarpgroups(func::FuncOp kernel) {
  layout::TileConfig config = getConfig(kernel);
  if (!config.atom || !config.atom->isWarpgroup)
    return;
  layout::TileConfig plain;
  config.atom = plain.atom;
  config.warpM = plain.warpM;
  config.warpN = plain.warpN;
  kernel->setAttr(TileDialect::kConfig,
                  ConfigAttr::get(kernel.getContext(), config));
}

/// Puts a product of a kernel's own block into a loop of one iteration, with
/// the loads of its operands if they are for it alone.
static scf::ForOp wrapInLoop(RewriterBase &rewriter, DotOp dot) {
  Location loc = dot.getLoc();
  rewriter.setInsertionPoint(dot);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto loop = scf::ForOp::create(rewriter, loc, zero, one, one, dot.getAcc());
  rewriter.replaceAllUsesWith(dot.getResult(), loop.getResult(0));
  rewriter.moveOpBefore(dot, loop.getBody(), loop.getBody()->begin());
  rewriter.modifyOpInPlace(
      dot, [&] { dot.getAccMutable().assign(loop.getRegionIterArg(0)); });
  rewriter.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(rewriter, loc, dot.getResult());
  for (Value operand : {dot.getB(), dot.getA()}) {
    Operation *before = dot;
    for (Operation *op = operand.getDefiningOp();
         op && op->hasOneUse() && op->getBlock() == loop->getBlock() &&
         isa<TransOp, ReshapeOp, LoadViewOp>(op);
         op = op->getOperand(0).getDefiningOp()) {
      rewriter.moveOpBefore(op, before);
      before = op;
    }
  }
  return loop;
}

void TileWarpSpecializePass::run(func::FuncOp kernel) {
  SmallVector<Operation *> products;
  kernel.walk([&](Operation *op) {
    if (isProduct(op))
      products.push_back(op);
  });
  if (products.empty())
    return;
  auto opts = remark::RemarkOpts::name("warp-specialize").category("tile");
  IRRewriter rewriter(&getContext());
  auto dot = dyn_cast<DotOp>(products.front());
  auto loop = dyn_cast<scf::ForOp>(products.front()->getParentOp());
  SmallVector<DotOp> dots;
  for (Operation *product : products)
    if (auto other = dyn_cast<DotOp>(product);
        other && other->getParentOp() == products.front()->getParentOp())
      dots.push_back(other);
  std::string reason;
  if (!dot || getLayout(dot.getType()))
    reason = "tiles have layouts already";
  else if (dots.size() < products.size())
    reason = "products are in different loops";
  else if (products.size() > 1 && !loop)
    reason = formatv("{0} products are in no loop", products.size());
  else if (dot->getParentOp() == kernel)
    loop = wrapInLoop(rewriter, dot);
  else if (!loop)
    reason = "the product is in no loop";
  if (!reason.empty()) {
    ++numKept;
    forgetWarpgroups(kernel);
    remark::missed(products.front()->getLoc(), opts)
        << remark::reason("{0}", reason);
    return;
  }
  Specialization specialization(kernel, loop, dots);
  if (reason = specialization.check(); !reason.empty()) {
    ++numKept;
    forgetWarpgroups(kernel);
    remark::missed(dot.getLoc(), opts) << remark::reason("{0}", reason);
    (void)loop.promoteIfSingleIteration(rewriter);
    return;
  }
  if (promoteSums) {
    std::string reason = specialization.promoteSums();
    if (!reason.empty())
      remark::missed(dot.getLoc(),
                     remark::RemarkOpts::name("promote-sums").category("tile"))
          << remark::reason("{0}", reason);
    numPromoted += specialization.isPromoted();
  }
  ++numSpecialized;
  remark::passed(loop.getLoc(), opts)
      << remark::metric("stages", specialization.getStages())
      << remark::metric("bytes", specialization.getNumBytes());
  specialization.apply(rewriter);
}
