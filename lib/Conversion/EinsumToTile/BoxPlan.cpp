//===- BoxPlan.cpp - Blocks that are boxes of indices ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of all boxes of the wanted size, those that take the fewest steps.
//
//===----------------------------------------------------------------------===//

#include "BoxPlan.h"

#include "tileir/Conversion/EinsumToTile/Windows.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Layout/Fragments/Warpgroup.h"
#include "tileir/Layout/Shared/Panels.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_tile;

/// How much more work than blocks of ranges may be in vain.
static constexpr double kMaxWaste = 1.34;

namespace {

class BoxChooser {
public:
  explicit BoxChooser(const TilePlan &plan)
      : plan(plan), boxes{SmallVector<int64_t>(plan.sizes.size(), 1), {}},
        canBeLong(plan.sizes.size(), true), least(plan.sizes.size(), 1) {}

  std::optional<BoxPlan> run();

private:
  bool chooseAtom();
  bool readLookups(const LinearAxis &axis);
  bool readAxes();
  bool choose(ArrayRef<unsigned> group, int64_t size);
  bool chooseDepth();
  bool isInOrder(unsigned operand) const;
  bool wastesLittle() const;

  const TilePlan &plan;
  BoxPlan boxes;
  const layout::MmaAtom *atom = nullptr;
  /// Whether a box may have more than one value of an index, and how many it
  /// has at least.
  SmallVector<bool> canBeLong;
  SmallVector<int64_t> least;
};

} // namespace

/// Whether blocks of ranges are no windows of memory.
static bool isNeeded(const TilePlan &plan) {
  if (plan.rows.size() > 1 || plan.columns.size() > 1 || plan.depth.size() > 1)
    return true;
  for (unsigned operand = 0; operand < plan.operands.size(); ++operand)
    for (unsigned axis = 0; axis < plan.spec.getMaps()[operand].getNumResults();
         ++axis)
      if (!plan.spec.getBareIndex(operand, axis))
        return true;
  return false;
}

/// Whether warpgroups multiply blocks of this size.
bool BoxChooser::chooseAtom() {
  std::string reason;
  Type acc = plan.op.getAccumulatorType();
  auto atoms = tile::selectAtoms(tile::listAtoms(plan.op), plan.dotElement,
                                 plan.dotElement, acc, plan.op.isTF32(), reason,
                                 /*ofWarpgroups=*/true);
  if (atoms.empty() || (plan.options.atom && !plan.options.atom->isWarpgroup))
    return false;
  atom = atoms.front();
  layout::TileSizes least = {plan.block.m, plan.block.n, atom->k};
  return layout::checkWarpgroups(*atom, least, acc.getIntOrFloatBitWidth())
      .empty();
}

std::optional<LinearAxis> BoxPlan::getAxis(AffineExpr axis, SpecAttr spec) {
  unsigned numIndices = spec.getNumIndices(),
           numLookups = spec.getLookups().size();
  SmallVector<AffineExpr> lookups;
  for (unsigned i = 0; i < numLookups; ++i)
    lookups.push_back(getAffineDimExpr(numIndices + i, axis.getContext()));
  return LinearAxis::get(axis.replaceSymbols(lookups), numIndices + numLookups);
}

/// Whether the places that an axis looks up are the same in all of a step; then
/// a step has one value of each index that they depend on.
bool BoxChooser::readLookups(const LinearAxis &axis) {
  auto lookups = plan.spec.getLookups();
  for (auto [lookup, factor] : llvm::zip_equal(
           lookups, ArrayRef(axis.coefficients).take_back(lookups.size()))) {
    if (factor == 0)
      continue;
    if (lookup.isIndex())
      return false;
    auto table =
        cast<ShapedType>(plan.op.getTable(lookup.getTable()).getType());
    for (unsigned index : lookup.getIndices()) {
      if (index < plan.spec.getNumResultIndices() || !table.hasStaticShape())
        return false;
      canBeLong[index] = false;
    }
  }
  return true;
}

int64_t BoxPlan::getStep(const LinearAxis &axis) const {
  for (auto [size, factor] :
       llvm::zip(sizes, axis.coefficients)) // lookups are behind the indices
    if (size > 1 && factor > 1)
      return factor;
  return 1;
}

/// Reads from the axes of operands which indices may be long: those with an
/// axis of their own, to which others may only be added that are not.
bool BoxChooser::readAxes() {
  int64_t bytes = plan.dotElement.getIntOrFloatBitWidth() / 8;
  for (unsigned operand = 0; operand < plan.operands.size(); ++operand) {
    Value input = plan.op.getInputs()[operand];
    auto type = cast<ShapedType>(input.getType());
    ArrayRef<AffineExpr> axes = plan.spec.getMaps()[operand].getResults();
    if (type.getElementType() != plan.dotElement || !type.hasStaticShape() ||
        axes.size() > size_t(layout::kMaxMapAxes) ||
        type.getShape().back() * bytes % layout::kRowAlignment != 0)
      return false;
    SmallVector<unsigned> uses(plan.sizes.size(), 0);
    for (auto [position, axis] : llvm::enumerate(axes)) {
      auto linear = BoxPlan::getAxis(axis, plan.spec);
      if (!linear || !readLookups(*linear))
        return false;
      linear->coefficients.truncate(plan.sizes.size());
      bool isBare = plan.spec.getBareIndex(operand, position).has_value();
      SmallVector<unsigned> ofResult;
      for (auto [index, factor] : llvm::enumerate(linear->coefficients)) {
        if (factor == 0)
          continue;
        ++uses[index];
        bool isSummed = index >= plan.spec.getNumResultIndices();
        bool isStrided = !isSummed && position + 1 != axes.size() &&
                         factor > 1 && factor <= layout::kMaxMapStep;
        if ((factor != 1 && !isStrided) || uses[index] > 1 ||
            (isSummed && !isBare))
          canBeLong[index] = false;
        if (!isSummed)
          ofResult.push_back(index);
      }
      if (ofResult.size() > 1)
        for (unsigned index : ofResult)
          canBeLong[index] = false;
      if (position + 1 == axes.size()) {
        // What is contiguous in memory has to be in the box.
        std::optional<unsigned> fast;
        for (auto [index, factor] : llvm::enumerate(linear->coefficients))
          if (factor == 1 &&
              (isBare || index < plan.spec.getNumResultIndices()))
            fast = index;
        if (!fast)
          return false;
        least[*fast] = std::max(least[*fast], layout::kMinRunBytes / bytes);
      }
    }
    for (unsigned index : plan.depth)
      if (uses[index] == 0)
        canBeLong[index] = false; // the operand would be the same all along
  }
  for (unsigned index : plan.batch)
    canBeLong[index] = false;
  return llvm::all_of(llvm::seq(plan.sizes.size()), [&](size_t index) {
    return !ShapedType::isDynamic(plan.sizes[index]) &&
           (least[index] == 1 || canBeLong[index]);
  });
}

/// Chooses boxes of `size` elements: the fewest, and of these the longest along
/// the first indices of the group.
bool BoxChooser::choose(ArrayRef<unsigned> group, int64_t size) {
  BoxPlan current = boxes, best;
  auto count = [&](const BoxPlan &candidate) {
    return candidate.countBoxes(group, plan.sizes);
  };
  auto visit = [&](auto &self, size_t position, int64_t rest) -> void {
    if (position == group.size()) {
      if (rest == 1 && (best.sizes.empty() || count(current) <= count(best)))
        best = current;
      return;
    }
    unsigned index = group[position];
    int64_t most =
        canBeLong[index]
            ? std::max<int64_t>(llvm::PowerOf2Ceil(plan.sizes[index]),
                                least[index])
            : 1;
    for (int64_t box = least[index]; box <= std::min(most, rest); box *= 2) {
      current.sizes[index] = box;
      self(self, position + 1, rest / box);
    }
    current.sizes[index] = 1;
  };
  visit(visit, 0, size);
  if (best.sizes.empty())
    return false;
  boxes = best;
  return true;
}

/// Of all sizes along K that instructions take, the one with the least work,
/// and of these the largest.
bool BoxChooser::chooseDepth() {
  BoxPlan before = boxes;
  std::optional<BoxPlan> best;
  auto getWork = [&](const BoxPlan &candidate) {
    return candidate.countBoxes(plan.depth, plan.sizes) * candidate.block.k;
  };
  for (int64_t size = llvm::bit_floor(uint64_t(plan.block.k)); size >= atom->k;
       size /= 2) {
    boxes = before;
    boxes.block.k = size;
    if (choose(plan.depth, size) && (!best || getWork(boxes) < getWork(*best)))
      best = boxes;
  }
  if (best)
    boxes = *best;
  return best.has_value();
}

/// Whether the indices of a block follow each other in memory as in tiles, in
/// an order that the instruction takes.
bool BoxChooser::isInOrder(unsigned operand) const {
  ArrayRef<AffineExpr> axes = plan.spec.getMaps()[operand].getResults();
  ArrayRef<unsigned> external = operand == 0 ? plan.rows : plan.columns;
  auto isLongIn = [&](AffineExpr axis, unsigned index) {
    return boxes.sizes[index] > 1 && axis.isFunctionOfDim(index);
  };
  auto isAlong = [&](AffineExpr axis, ArrayRef<unsigned> group) {
    return llvm::any_of(group,
                        [&](unsigned index) { return isLongIn(axis, index); });
  };
  bool isAlongK = isAlong(axes.back(), plan.depth);
  bool isRow = isAlongK == (operand == 0);
  auto matrix = operand == 0 ? layout::Matrix::A : layout::Matrix::B;
  auto scalar = tile::getScalar(plan.dotElement);
  if (!isSharedOperand(*atom,
                       {matrix, *scalar,
                        isRow ? layout::Major::Row : layout::Major::Column}))
    return false;
  // The first index of a group is the one with the smallest stride in tiles.
  for (ArrayRef<unsigned> group : {external, ArrayRef(plan.depth)}) {
    int64_t last = axes.size();
    for (unsigned index : group)
      for (auto [position, axis] : llvm::enumerate(axes))
        if (isLongIn(axis, index)) {
          if (int64_t(position) > last)
            return false;
          last = position;
        }
  }
  return true;
}

bool BoxChooser::wastesLittle() const {
  double boxed = 1, ranged = 1;
  std::pair<ArrayRef<unsigned>, std::array<int64_t, 2>> groups[] = {
      {plan.rows, {plan.block.m, boxes.block.m}},
      {plan.columns, {plan.block.n, boxes.block.n}},
      {plan.depth, {plan.block.k, boxes.block.k}}};
  for (auto [group, blocks] : groups) {
    boxed *= double(boxes.countBoxes(group, plan.sizes)) * blocks[1];
    ranged *= llvm::alignTo(plan.getStaticSize(group), blocks[0]);
  }
  return boxed <= kMaxWaste * ranged;
}

std::optional<BoxPlan> BoxChooser::run() {
  if (!plan.usesDot() || plan.operands.size() != 2 || plan.rows.empty() ||
      plan.columns.empty() || !isNeeded(plan) || !chooseAtom() || !readAxes())
    return std::nullopt;
  boxes.block.m = plan.block.m;
  boxes.block.n = plan.block.n;
  if (!choose(plan.rows, plan.block.m) || !choose(plan.columns, plan.block.n) ||
      !chooseDepth() || !isInOrder(0) || !isInOrder(1) || !wastesLittle())
    return std::nullopt;
  return boxes;
}

int64_t BoxPlan::countBoxes(ArrayRef<unsigned> indices,
                            ArrayRef<int64_t> ofIndices) const {
  int64_t number = 1;
  for (unsigned index : indices)
    number *= llvm::divideCeil(ofIndices[index], sizes[index]);
  return number;
}

std::optional<BoxPlan> BoxPlan::get(const TilePlan &plan) {
  return BoxChooser(plan).run();
}

std::optional<layout::TileSizes>
to_tile::getWindows(ContractOp op, const layout::TileConfig &config) {
  TilePlan plan(op, {config.block, config.atom, layout::TileSizes(),
                     /*narrowDots=*/false, /*checksReads=*/false});
  if (!plan.usesDot() || plan.operands.size() != 2 ||
      plan.block.m != config.block.m || plan.block.n != config.block.n)
    return std::nullopt;
  bool hasComputed = op.isComputed(0) || op.isComputed(1);
  if (isNeeded(plan)) {
    std::optional<BoxPlan> boxes =
        hasComputed ? std::nullopt : BoxPlan::get(plan);
    return boxes ? std::optional(boxes->block) : std::nullopt;
  }
  for (unsigned operand : {0, 1}) {
    if (op.isComputed(operand))
      continue;
    auto type = cast<ShapedType>(op.getInputs()[operand].getType());
    auto scalar = tile::getScalar(type.getElementType());
    int64_t rank = type.getRank();
    if (type.getElementType() != plan.dotElement || !scalar ||
        rank > layout::kMaxMapAxes)
      return std::nullopt;
    ContractionDim fast =
        plan.spec.getContractionDim(*plan.spec.getBareIndex(operand, rank - 1));
    bool isRow = fast == (operand == 0 ? ContractionDim::K : ContractionDim::N);
    auto matrix = operand == 0 ? layout::Matrix::A : layout::Matrix::B;
    if (fast == ContractionDim::Batch ||
        !isSharedOperand(*config.atom,
                         {matrix, *scalar,
                          isRow ? layout::Major::Row : layout::Major::Column}))
      return std::nullopt;
  }
  return plan.block;
}
