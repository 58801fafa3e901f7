//===- SplittableKernel.cpp -----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SplittableKernel.h. The loop adds to a zero, by products or additions,
// and what else it carries are pointers that advance evenly. An index of the
// store is the number of a program, times the tile's size.
//
//===----------------------------------------------------------------------===//

#include "SplittableKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// The length that a loop is taken to have of which nothing is known, in
/// elements of K: that of tile-select-config.
static constexpr int64_t kUsualLength = 1024;

std::string SplittableKernel::match() {
  for (auto matchPart :
       {&SplittableKernel::matchStore, &SplittableKernel::matchLoop,
        &SplittableKernel::matchPrograms})
    if (std::string reason = (this->*matchPart)(); !reason.empty())
      return reason;
  return "";
}

std::string SplittableKernel::matchStore() {
  if (makesPointers(kernel))
    return "it makes pointers of integers";
  bool writesElse = false;
  kernel.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isMemoryEffectFree(op) || isPlainLoad(op) || isa<func::FuncOp>(op))
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

std::string SplittableKernel::matchLoop() {
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

static std::optional<int64_t> getGridSize(LaunchOp launch, Axis axis) {
  return getConstantIntValue(axis == Axis::X   ? launch.getGridX()
                             : axis == Axis::Y ? launch.getGridY()
                                               : launch.getGridZ());
}

std::string SplittableKernel::matchPrograms() {
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

SmallVector<int64_t> SplittableKernel::getTileAxes() {
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
bool SplittableKernel::storesApart(Axis axis) {
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

int64_t SplittableKernel::chooseFactor(int64_t programs) {
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
