//===- TileSplitKBlocks.cpp - tile-split-k-blocks -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Split-K across CTAs by atomics: `factor` programs go through parts of one
// loop, and each adds its sum to memory that the host has set to zero. Program
// z of the new grid is part z % factor of what was program z / factor.
//
// Which kernels can be split says SplittableKernel.h.
//
// Of a loop whose length only a run knows each program computes its part. A
// part may then have no step, and adds zeros. Sizes of the memref, of which
// there is only a pointer afterwards, become arguments of the kernel.
//
//===----------------------------------------------------------------------===//

#include "SplittableKernel.h"

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILESPLITKBLOCKSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

namespace {

class Splitter : public SplittableKernel {
public:
  using SplittableKernel::SplittableKernel;

  void split(int64_t factor);

private:
  Value emitSteps(OpBuilder &builder, int64_t parts);
  void cutLoop(OpBuilder &builder, Value part, int64_t parts);
  SmallVector<Value> passSizes();
  void addInsteadOfStore(OpBuilder &builder);
  void adaptLaunch(LaunchOp launch, unsigned argument, int64_t factor);
};

} // namespace

//===----------------------------------------------------------------------===//
// The kernel and its launches
//===----------------------------------------------------------------------===//

static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            int64_t value) {
  auto scalar = builder.getIntegerAttr(getElement(type), value);
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(tile, scalar));
  return arith::ConstantOp::create(builder, loc, scalar);
}

static Value splat(OpBuilder &builder, Location loc, Value value, Type type) {
  if (!isa<RankedTensorType>(type))
    return value;
  return SplatOp::create(builder, loc, withElement(type, value.getType()),
                         value);
}

/// A number that is not negative as one of `type`.
static Value castTo(OpBuilder &builder, Location loc, Value number, Type type) {
  if (number.getType() == type)
    return number;
  if (number.getType().isIndex() || type.isIndex())
    return arith::IndexCastUIOp::create(builder, loc, type, number);
  if (number.getType().getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(builder, loc, type, number);
  return arith::ExtUIOp::create(builder, loc, type, number);
}

/// The steps of each part, of the type of the loop's bounds.
Value Splitter::emitSteps(OpBuilder &builder, int64_t parts) {
  Type type = loop.getStep().getType();
  if (steps)
    return createConstant(builder, loc, type, getSteps(parts));
  int64_t divisor = parts * *getConstantIntValue(loop.getStep());
  Value length = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                       loop.getLowerBound());
  length = arith::MaxSIOp::create(builder, loc, length,
                                  createConstant(builder, loc, type, 0));
  length = arith::AddIOp::create(
      builder, loc, length, createConstant(builder, loc, type, divisor - 1));
  return arith::DivUIOp::create(builder, loc, length,
                                createConstant(builder, loc, type, divisor));
}

/// Lets the loop run from the first step of `part` on, for the steps of one of
/// `parts`.
void Splitter::cutLoop(OpBuilder &builder, Value part, int64_t parts) {
  builder.setInsertionPoint(loop);
  Type type = loop.getStep().getType();
  Value stepsOfPart = emitSteps(builder, parts);
  Value distance = builder.createOrFold<arith::MulIOp>(
      loc, stepsOfPart,
      createConstant(builder, loc, type, *getConstantIntValue(loop.getStep())));
  Value lower = arith::AddIOp::create(
      builder, loc, loop.getLowerBound(),
      arith::MulIOp::create(builder, loc, castTo(builder, loc, part, type),
                            distance));
  Value upper = arith::AddIOp::create(builder, loc, lower, distance);
  if (!steps || *steps % getSteps(parts) != 0)
    upper = arith::MinSIOp::create(builder, loc, upper, loop.getUpperBound());
  loop.setLowerBound(lower);
  loop.setUpperBound(upper);

  for (auto [carried, init] : llvm::enumerate(loop.getInitArgsMutable())) {
    if (carried == sum)
      continue;
    auto advance = loop.getYieldedValues()[carried].getDefiningOp<AddPtrOp>();
    Value offset = advance.getOffset();
    Type element = getElement(offset.getType());
    Value skipped =
        arith::MulIOp::create(builder, loc, castTo(builder, loc, part, element),
                              castTo(builder, loc, stepsOfPart, element));
    skipped = arith::MulIOp::create(
        builder, loc, offset, splat(builder, loc, skipped, offset.getType()));
    init.set(AddPtrOp::create(builder, loc, init.get(), skipped));
  }
}

/// The sizes of the memref, as i64 in the kernel: launches pass the dynamic
/// ones.
SmallVector<Value> Splitter::passSizes() {
  auto argument = cast<BlockArgument>(store.getMemref());
  auto memref = cast<MemRefType>(argument.getType());
  OpBuilder builder(store);
  Type i64 = builder.getI64Type();
  SmallVector<Value> sizes;
  for (auto [axis, size] : llvm::enumerate(memref.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(createConstant(builder, loc, i64, size));
      continue;
    }
    unsigned number = kernel.getNumArguments();
    if (failed(kernel.insertArgument(number, i64, {}, loc)))
      llvm_unreachable("functions take any type");
    sizes.push_back(kernel.getArgument(number));
    for (Operation *user : users) {
      auto launch = cast<LaunchOp>(user);
      OpBuilder host(launch);
      Value dim = memref::DimOp::create(
          host, launch.getLoc(), launch.getArguments()[argument.getArgNumber()],
          axis);
      launch.getArgumentsMutable().append(
          arith::IndexCastOp::create(host, launch.getLoc(), i64, dim)
              .getResult());
    }
  }
  return sizes;
}

/// Replaces the store by an addition to the elements at the same places.
void Splitter::addInsteadOfStore(OpBuilder &builder) {
  builder.setInsertionPoint(store);
  auto argument = cast<BlockArgument>(store.getMemref());
  auto memref = cast<MemRefType>(argument.getType());
  Type i64 = builder.getI64Type();
  auto type =
      cast<RankedTensorType>(withElement(store.getValue().getType(), i64));
  SmallVector<Value> sizes = passSizes();
  SmallVector<Value> strides(sizes.size(),
                             createConstant(builder, loc, i64, 1));
  for (unsigned axis = sizes.size(); axis-- > 1;)
    strides[axis - 1] =
        builder.createOrFold<arith::MulIOp>(loc, strides[axis], sizes[axis]);
  SmallVector<int64_t> tileAxes = getTileAxes();
  auto inBounds = store.getInBounds();
  Value start, offsets, mask;
  auto addTo = [&](Value &total, Value value) {
    total = total ? arith::AddIOp::create(builder, loc, total, value) : value;
  };
  for (auto [axis, index] : llvm::enumerate(store.getIndices())) {
    Value number = builder.createOrFold<arith::IndexCastOp>(loc, i64, index);
    addTo(start, arith::MulIOp::create(builder, loc, number, strides[axis]));
    unsigned along = llvm::find(tileAxes, axis) - tileAxes.begin();
    if (along == tileAxes.size())
      continue;
    SmallVector<int64_t> thin(type.getRank(), 1);
    thin[along] = type.getDimSize(along);
    Value position = RangeOp::create(
        builder, loc, type.clone(ArrayRef(thin[along])), 0, thin[along]);
    position = ReshapeOp::create(builder, loc, type.clone(thin), position);
    position = BroadcastOp::create(builder, loc, type, position);
    addTo(offsets,
          arith::MulIOp::create(builder, loc, position,
                                splat(builder, loc, strides[axis], type)));
    if (inBounds && (*inBounds)[along])
      continue;
    // A negative index is a huge unsigned one.
    Value inside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult,
        arith::AddIOp::create(builder, loc, position,
                              splat(builder, loc, number, type)),
        splat(builder, loc, sizes[axis], type));
    mask = mask ? arith::AndIOp::create(builder, loc, mask, inside) : inside;
  }
  auto pointer = PtrType::get(builder.getContext(), memref.getElementType());
  Value value = store.getValue();
  store.erase();
  argument.setType(pointer);
  kernel.setType(builder.getFunctionType(kernel.getBody().getArgumentTypes(),
                                         TypeRange()));
  builder.setInsertionPoint(kernel.getBody().front().getTerminator());
  Value base = AddPtrOp::create(builder, loc, argument, start);
  Value pointers =
      AddPtrOp::create(builder, loc, splat(builder, loc, base, type), offsets);
  AtomicRMWOp::create(builder, loc, value.getType(), AtomicKind::Add, pointers,
                      value, mask);
}

void Splitter::adaptLaunch(LaunchOp launch, unsigned argument, int64_t factor) {
  OpBuilder builder(launch);
  Value memref = launch.getArguments()[argument];
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  Value zero = arith::ConstantOp::create(builder, launch.getLoc(),
                                         builder.getZeroAttr(element));
  linalg::FillOp::create(builder, launch.getLoc(), zero, memref);
  Value parts =
      arith::ConstantIndexOp::create(builder, launch.getLoc(), factor);
  launch.getGridZMutable().assign(arith::MulIOp::create(
      builder, launch.getLoc(), launch.getGridZ(), parts));
}

void Splitter::split(int64_t factor) {
  int64_t parts = getParts(factor);
  unsigned argument = cast<BlockArgument>(store.getMemref()).getArgNumber();
  SmallVector<ProgramIdOp> ids;
  kernel.walk([&](ProgramIdOp op) {
    if (op.getAxis() == Axis::Z)
      ids.push_back(op);
  });
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value program = ProgramIdOp::create(builder, loc, Axis::Z);
  Value number = createConstant(builder, loc, program.getType(), parts);
  Value part = arith::RemUIOp::create(builder, loc, program, number);
  if (!ids.empty()) {
    Value former = arith::DivUIOp::create(builder, loc, program, number);
    for (ProgramIdOp id : ids) {
      id.replaceAllUsesWith(former);
      id.erase();
    }
  }
  cutLoop(builder, part, parts);
  addInsteadOfStore(builder);
  for (Operation *user : users)
    adaptLaunch(cast<LaunchOp>(user), argument, parts);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct TileSplitKBlocksPass
    : tileir::tile::impl::TileSplitKBlocksPassBase<TileSplitKBlocksPass> {
  using TileSplitKBlocksPassBase::TileSplitKBlocksPassBase;

  void runOnOperation() override {
    if (factor < 0 || programs < 1) {
      getOperation()->emitError("tile-split-k-blocks expects factor to be 0 "
                                "or more and programs to be positive, found ")
          << factor.getValue() << " and " << programs.getValue();
      return signalPassFailure();
    }
    if (factor == 1)
      return;
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isKernel(kernel) && !kernel.isExternal())
        visit(kernel, users.getUsers(kernel));
  }

private:
  void visit(func::FuncOp kernel, ArrayRef<Operation *> users) {
    Splitter splitter(kernel, users);
    auto name = remark::RemarkOpts::name("split-k-blocks").category("tile");
    std::string reason = splitter.match();
    int64_t parts = 1;
    if (reason.empty()) {
      int64_t wanted = factor ? factor : splitter.chooseFactor(programs);
      parts = wanted > 1 ? splitter.getParts(wanted) : 1;
      if (parts < 2)
        reason = "its programs suffice, or its loop is too short";
    }
    if (!reason.empty()) {
      remark::missed(kernel.getLoc(), name) << remark::reason("{0}", reason);
      return;
    }
    splitter.split(parts);
    ++numSplit;
    remark::passed(kernel.getLoc(), name) << remark::metric("split-k", parts);
  }
};

} // namespace
