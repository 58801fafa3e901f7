//===- TileSliceDepth.cpp - tile-slice-depth ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs the loops of tile-pipeline. A product whose operands come from shared
// memory is cut along K, and the loop is rotated, so that there are registers
// of two slices: a step, which finds those of its first slice loaded, is then
//
//     load each later slice, and multiply the one before it
//     wait for the copies of the next step, and begin those of a later one
//     load the first slice of the next step
//     multiply the last slice
//
// While a warp waits for shared memory, it has products to compute; also at the
// wait, where without this all warps wait for their first slice together.
// Behind the last step the first slice of one more is loaded: of zeros, for no
// copy reads anything then. What comes before the loop is the same for step 0.
//
//===----------------------------------------------------------------------===//

#include "RunAhead.h"

#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"
#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Layout/Shared/MatrixAccess.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILESLICEDEPTHPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::LinearLayout;
using layout::Matrix;

namespace {

/// An operand of the product.
struct SlicedOperand {
  Matrix matrix;
  LocalLoadOp load;
  unsigned axis; // K
};

class SlicedLoop {
public:
  explicit SlicedLoop(scf::ForOp loop) : loop(loop) {}

  /// Returns the failure reason why it cannot be; empty if it can.
  std::string check();
  void apply(RewriterBase &rewriter);
  int64_t getNumSlices() const { return size / depth; }

private:
  std::string checkOps();
  RankedTensorType getSliceType(const SlicedOperand &operand);
  bool canSlice(const SlicedOperand &operand);
  Value loadSlice(OpBuilder &builder, const SlicedOperand &operand,
                  const IRMapping &mapping, int64_t slice);
  /// Does for a step, whose values `mapping` has, what the step before does for
  /// it. Returns the first slices.
  SmallVector<Value> prepare(OpBuilder &builder, IRMapping &mapping);

  scf::ForOp loop;
  MmaOp product;
  std::array<SlicedOperand, 2> operands;
  /// Along K, of the product and of a slice.
  int64_t size = 0, depth = 0;
  /// What the step before does, in order.
  SetVector<Operation *> prepared;
};

} // namespace

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

/// Accesses of a thread to shared memory, those of a warp if they are matrices.
static uint64_t countAccesses(LocalLoadOp load, const LinearLayout &registers) {
  unsigned bits = getElementTypeOrSelf(load.getType()).getIntOrFloatBitWidth();
  LinearLayout stage =
      *getStageLayout(load.getBuffer().getType(), load.getStageShape());
  if (TargetAttr::find(load).getLdmatrix())
    if (auto matrices = findMatrixAccess(registers, stage, bits))
      return uint64_t(1) << matrices->otherBits.size();
  return getWidestAccess(registers, stage, bits).accesses;
}

RankedTensorType SlicedLoop::getSliceType(const SlicedOperand &operand) {
  auto whole = cast<RankedTensorType>(operand.load->getResult(0).getType());
  SmallVector<int64_t> shape(whole.getShape());
  shape[operand.axis] = depth;
  LinearLayout layout = getOperand(product.getGrid(),
                                   product.getOperandOf(operand.matrix), shape);
  return RankedTensorType::get(shape, whole.getElementType(),
                               LayoutAttr::get(whole.getContext(), layout));
}

/// Whether slices are read by as many accesses as the whole.
bool SlicedLoop::canSlice(const SlicedOperand &operand) {
  auto whole = cast<RankedTensorType>(operand.load->getResult(0).getType());
  LinearLayout slice =
      getTileLayout(getSliceType(operand)).embed(whole.getShape());
  return getNumSlices() * countAccesses(operand.load, slice) <=
         countAccesses(operand.load, getTileLayout(whole));
}

/// Finds what the step before can do.
std::string SlicedLoop::checkOps() {
  SmallVector<Operation *> roots;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == product.getOperation() || isMemoryEffectFree(&op))
      continue;
    if (!isa<AsyncLoadOp, AsyncLoadViewOp, AsyncWaitOp, LocalLoadOp>(op))
      return "the loop has a " + op.getName().getStringRef().str();
    roots.push_back(&op);
  }
  SetVector<Operation *> sources = getSources(loop, roots, /*isCarried=*/true);
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!sources.contains(&op))
      continue;
    if (isProduct(&op))
      return "where it reads depends on a product";
    if (isMemoryEffectFree(&op) && !isSpeculatable(&op))
      return "a " + op.getName().getStringRef().str() +
             " may fail after the last iteration";
    prepared.insert(&op);
  }
  return "";
}

std::string SlicedLoop::check() {
  SmallVector<Operation *> products = findProducts(loop);
  if (products.size() != 1)
    return llvm::formatv("the loop has {0} products", products.size());
  product = dyn_cast<MmaOp>(products.front());
  if (!product)
    return "its product is not one of matrix instructions";
  unsigned rank = cast<RankedTensorType>(product.getType()).getRank();
  operands = {SlicedOperand{Matrix::A, {}, rank - 1},
              SlicedOperand{Matrix::B, {}, rank - 2}};
  for (SlicedOperand &operand : operands) {
    Value tile = operand.matrix == Matrix::A ? product.getA() : product.getB();
    operand.load = tile.getDefiningOp<LocalLoadOp>();
    if (!operand.load || !tile.hasOneUse() || operand.load.getOffsetsAttr() ||
        operand.load->getBlock() != loop.getBody())
      return "an operand is not read from shared memory for the product alone";
    size = cast<RankedTensorType>(tile.getType()).getDimSize(operand.axis);
  }
  depth = product.getGrid().atom->k;
  auto canAll = [&] {
    return llvm::all_of(operands, [&](auto &o) { return canSlice(o); });
  };
  while (depth < size && !canAll())
    depth *= 2;
  if (depth >= size)
    return "smaller slices would be read by more accesses";
  return checkOps();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

Value SlicedLoop::loadSlice(OpBuilder &builder, const SlicedOperand &operand,
                            const IRMapping &mapping, int64_t slice) {
  LocalLoadOp load = operand.load;
  SmallVector<Value> indices;
  for (Value index : load.getIndices())
    indices.push_back(mapping.lookupOrDefault(index));
  SmallVector<int64_t> offsets(load.getStageShape().size());
  offsets[operand.axis] = slice * depth;
  return LocalLoadOp::create(builder, load.getLoc(), getSliceType(operand),
                             load.getBuffer(), indices,
                             builder.getDenseI64ArrayAttr(offsets));
}

SmallVector<Value> SlicedLoop::prepare(OpBuilder &builder, IRMapping &mapping) {
  SmallVector<Value> slices;
  for (Operation *op : prepared)
    if (op != operands[0].load && op != operands[1].load)
      builder.clone(*op, mapping);
  for (const SlicedOperand &operand : operands)
    slices.push_back(loadSlice(builder, operand, mapping, 0));
  return slices;
}

void SlicedLoop::apply(RewriterBase &rewriter) {
  // What a step gets from the one before, besides what the loop carries.
  SetVector<Value> passed;
  for (Operation *op : prepared)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return user != product.getOperation() && !prepared.contains(user);
          }))
        passed.insert(result);
  for (SlicedOperand &operand : operands)
    for (Value index : operand.load.getIndices())
      if (prepared.contains(index.getDefiningOp()))
        passed.insert(index);

  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInits());
  SmallVector<Value> inits(loop.getInits());
  SmallVector<Value> slices = prepare(rewriter, first);
  for (Value value : passed)
    inits.push_back(first.lookup(value));
  llvm::append_range(inits, slices);

  auto rotated =
      scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits);
  rotated->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  auto arguments = rotated.getRegionIterArgs();
  size_t numCarried = loop.getNumRegionIterArgs();
  rewriter.setInsertionPointToStart(rotated.getBody());
  IRMapping own, after;
  own.map(loop.getInductionVar(), rotated.getInductionVar());
  own.map(loop.getRegionIterArgs(), arguments.take_front(numCarried));
  own.map(passed.getArrayRef(), arguments.slice(numCarried, passed.size()));
  slices.assign(arguments.take_back(2).begin(), arguments.end());

  for (Operation &op : loop.getBody()->without_terminator()) {
    if (prepared.contains(&op))
      continue;
    if (&op != product.getOperation()) {
      rewriter.clone(op, own);
      continue;
    }
    Value acc = own.lookupOrDefault(product.getAcc());
    auto multiply = [&] {
      auto sum = cast<MmaOp>(rewriter.clone(op));
      sum.getAMutable().assign(slices[0]);
      sum.getBMutable().assign(slices[1]);
      sum.getAccMutable().assign(acc);
      acc = sum;
    };
    for (int64_t slice = 1; slice < getNumSlices(); ++slice) {
      SmallVector<Value> later;
      for (const SlicedOperand &operand : operands)
        later.push_back(loadSlice(rewriter, operand, own, slice));
      multiply();
      slices = later;
    }
    Value step = arith::AddIOp::create(rewriter, loc, rotated.getInductionVar(),
                                       rotated.getStep());
    after.map(loop.getInductionVar(), step);
    // Products and what comes after them are not among those that are used.
    for (auto [argument, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      after.map(argument, own.lookupOrDefault(yielded));
    SmallVector<Value> ofNext = prepare(rewriter, after);
    multiply();
    own.map(product.getResult(), acc);
    slices = ofNext;
  }
  SmallVector<Value> yields;
  for (Value value : loop.getYieldedValues())
    yields.push_back(own.lookupOrDefault(value));
  for (Value value : passed)
    yields.push_back(after.lookup(value));
  llvm::append_range(yields, slices);
  scf::YieldOp::create(rewriter, loc, yields);
  rewriter.replaceOp(loop, rotated.getResults().take_front(numCarried));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TileSliceDepthPass
    : tileir::tile::impl::TileSliceDepthPassBase<TileSliceDepthPass> {
  using TileSliceDepthPassBase::TileSliceDepthPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel) || kernel.isExternal() || !TargetAttr::find(kernel))
        continue;
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) {
        if (!loop.getBody()->getOps<AsyncWaitOp>().empty())
          loops.push_back(loop);
      });
      if (!loops.empty() && failed(verifyLayouts(kernel)))
        return signalPassFailure();
      for (scf::ForOp loop : loops)
        run(loop, rewriter);
    }
  }

private:
  void run(scf::ForOp loop, RewriterBase &rewriter) {
    auto name = remark::RemarkOpts::name("slice-depth").category("tile");
    SlicedLoop sliced(loop);
    if (std::string reason = sliced.check(); !reason.empty()) {
      ++numKept;
      remark::missed(loop.getLoc(), name) << remark::reason("{0}", reason);
      return;
    }
    ++numSliced;
    remark::passed(loop.getLoc(), name)
        << remark::metric("slices", sliced.getNumSlices());
    sliced.apply(rewriter);
  }
};
} // namespace
