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
// Adding is not storing: each element may have one program only, before. So the
// kernels are those that convert-einsum-to-tile makes of products, before they
// get layouts: one loop, one tile.store_view of its sum, at a place that is
// another one for each program.
//
// Of a loop whose length only a run knows each program computes its part. A
// part may then have no step, and adds zeros. Sizes of the memref, of which
// there is only a pointer afterwards, become arguments of the kernel.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// The length that a loop is taken to have of which nothing is known, in
/// elements of K: that of tile-select-config.
static constexpr int64_t kUsualLength = 1024;

namespace {

/// Decides whether a kernel can be split, and does it.
class Splitter {
public:
  Splitter(func::FuncOp kernel, ArrayRef<Operation *> users)
      : kernel(kernel), users(users), loc(kernel.getLoc()) {}

  /// Returns the reason why the kernel is kept; empty if it can be split.
  std::string match();
  /// Chooses the split-K factor for which the kernel's programs become
  /// `programs`.
  int64_t chooseFactor(int64_t programs);
  /// Returns how many parts of equal length a split-K factor of at most
  /// `factor` gives.
  int64_t getParts(int64_t factor) {
    return steps ? llvm::divideCeil(*steps, getSteps(factor)) : factor;
  }
  void split(int64_t factor);

private:
  std::string matchStore();
  std::string matchLoop();
  std::string matchPrograms();
  bool storesApart(Axis axis);
  std::optional<int64_t> getGridSize(LaunchOp launch, Axis axis);
  int64_t getSteps(int64_t factor) { return llvm::divideCeil(*steps, factor); }
  SmallVector<int64_t> getTileAxes();
  Value emitSteps(OpBuilder &builder, int64_t parts);
  void cutLoop(OpBuilder &builder, Value part, int64_t parts);
  SmallVector<Value> passSizes();
  void addInsteadOfStore(OpBuilder &builder);
  void adaptLaunch(LaunchOp launch, unsigned argument, int64_t factor);

  func::FuncOp kernel;
  ArrayRef<Operation *> users;
  Location loc;
  StoreViewOp store;
  scf::ForOp loop;
  unsigned sum = 0;             // which result of the loop
  std::optional<int64_t> steps; // if they are known
};

} // namespace

//===----------------------------------------------------------------------===//
// What can be split
//===----------------------------------------------------------------------===//

std::string Splitter::match() {
  for (auto matchPart :
       {&Splitter::matchStore, &Splitter::matchLoop, &Splitter::matchPrograms})
    if (std::string reason = (this->*matchPart)(); !reason.empty())
      return reason;
  return "";
}

std::string Splitter::matchStore() {
  bool writesElse = false;
  kernel.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isMemoryEffectFree(op) || isa<LoadOp, LoadViewOp, func::FuncOp>(op))
      return;
    auto view = dyn_cast<StoreViewOp>(op);
    writesElse |= !view || store || op->getParentOp() != kernel;
    store = view;
  });
  if (writesElse || !store)
    return "it writes memory in another way than by one 'tile.store_view'";
  auto argument = dyn_cast<BlockArgument>(store.getMemref());
  if (!argument || !argument.hasOneUse() ||
      !kernel.getArgAttr(argument.getArgNumber(), TileDialect::kNoAlias))
    return "what it stores to is not an argument of its own with '" +
           TileDialect::kNoAlias.str() + "'";
  auto type = cast<MemRefType>(argument.getType());
  if (!type.getLayout().isIdentity())
    return "what it stores to has a layout";
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF64() && !element.isInteger(32) &&
      !element.isInteger(64)) {
    std::string name;
    llvm::raw_string_ostream(name) << element;
    return "sums of " + name +
           " would be rounded for each part: expected f32, "
           "f64, i32 or i64; einsum-split-k takes all";
  }
  return "";
}

std::string Splitter::matchLoop() {
  Value value = store.getValue();
  if (auto trans = value.getDefiningOp<TransOp>())
    value = trans.getSource();
  auto result = dyn_cast<OpResult>(value);
  loop = value.getDefiningOp<scf::ForOp>();
  if (!loop || loop->getParentOp() != kernel || !value.hasOneUse())
    return "what it stores is not the sum of a loop as it is";
  sum = result.getResultNumber();
  Value init = loop.getInitArgs()[sum];
  Value argument = loop.getRegionIterArg(sum);
  Operation *added = loop.getYieldedValues()[sum].getDefiningOp();
  bool adds = isa_and_present<DotOp, arith::AddFOp, arith::AddIOp>(added) &&
              argument.hasOneUse() && *argument.user_begin() == added &&
              added->hasOneUse();
  if (auto dot = dyn_cast_if_present<DotOp>(added))
    adds &= dot.getAcc() == argument;
  if (!adds ||
      !(matchPattern(init, m_Zero()) || matchPattern(init, m_AnyZeroFloat())))
    return "its loop does not add to a zero";

  auto lower = getConstantIntValue(loop.getLowerBound());
  auto upper = getConstantIntValue(loop.getUpperBound());
  auto step = getConstantIntValue(loop.getStep());
  if (!lower || !step || *step < 1)
    return "the start of its loop, or its step, is not static";
  if (upper)
    steps = *upper > *lower ? llvm::divideCeil(*upper - *lower, *step) : 0;
  for (auto [number, yielded] : llvm::enumerate(loop.getYieldedValues())) {
    if (number == sum)
      continue;
    auto addptr = yielded.getDefiningOp<AddPtrOp>();
    if (!addptr || addptr.getPtr() != loop.getRegionIterArg(number) ||
        !loop.isDefinedOutsideOfLoop(addptr.getOffset()) ||
        !loop.getResult(number).use_empty())
      return "its loop carries more than the sum and pointers that advance "
             "evenly";
  }
  return "";
}

std::string Splitter::matchPrograms() {
  if (users.empty() || kernel.isPublic())
    return "not all of its launches are known: expected a private function";
  for (Operation *user : users)
    if (!isa<LaunchOp>(user))
      return "'" + user->getName().getStringRef().str() + "' uses it";
  bool asksNumber = false;
  kernel.walk([&](NumProgramsOp op) { asksNumber |= op.getAxis() == Axis::Z; });
  if (asksNumber)
    return "it asks how many programs there are along z";
  for (Axis axis : {Axis::X, Axis::Y, Axis::Z}) {
    bool isOne = llvm::all_of(users, [&](Operation *user) {
      return getGridSize(cast<LaunchOp>(user), axis) == 1;
    });
    if (!isOne && !storesApart(axis))
      return "it is not known that each element is stored by one program, "
             "along " +
             stringifyAxis(axis).str() + " of the grid";
  }
  return "";
}

std::optional<int64_t> Splitter::getGridSize(LaunchOp launch, Axis axis) {
  return getConstantIntValue(axis == Axis::X   ? launch.getGridX()
                             : axis == Axis::Y ? launch.getGridY()
                                               : launch.getGridZ());
}

/// The axes of the memref along which the stored tile runs.
SmallVector<int64_t> Splitter::getTileAxes() {
  if (auto axes = store.getAxes())
    return llvm::to_vector(*axes);
  return llvm::to_vector(llvm::seq<int64_t>(0, store.getIndices().size()));
}

static Value skipCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether programs that differ along `axis` of the grid store to different
/// elements: an index is the number of the program, times the tile's size.
bool Splitter::storesApart(Axis axis) {
  SmallVector<int64_t> sizes(store.getIndices().size(), 1);
  for (auto [tileAxis, size] :
       llvm::zip_equal(getTileAxes(), getShape(store.getValue().getType())))
    sizes[tileAxis] = size;
  for (auto [index, size] : llvm::zip_equal(store.getIndices(), sizes)) {
    Value number = skipCasts(index);
    int64_t factor = 1;
    if (auto product = number.getDefiningOp<arith::MulIOp>())
      if (auto constant = getConstantIntValue(product.getRhs())) {
        factor = *constant;
        number = skipCasts(product.getLhs());
      }
    auto program = number.getDefiningOp<ProgramIdOp>();
    if (program && program.getAxis() == axis && factor >= size)
      return true;
  }
  return false;
}

int64_t Splitter::chooseFactor(int64_t programs) {
  int64_t present = 1;
  for (Operation *user : users) {
    int64_t ofLaunch = 1;
    for (Axis axis : {Axis::X, Axis::Y, Axis::Z})
      ofLaunch *= std::max<int64_t>(
          getGridSize(cast<LaunchOp>(user), axis).value_or(programs), 1);
    present = std::max(present, ofLaunch);
  }
  // With fewer steps per part, adding the results outweighs them.
  constexpr int64_t kLeastSteps = 4;
  int64_t usual = kUsualLength / *getConstantIntValue(loop.getStep());
  return std::min(programs / present, steps.value_or(usual) / kLeastSteps);
}

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
