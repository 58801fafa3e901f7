//===- LayoutChoice.cpp - Layouts of accesses and products ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutChoice.h"

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Layout/Fragments/Blocked.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::InDim;
using layout::LinearLayout;
using layout::Run;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Along the last axis of a memref elements lie side by side. Accesses are no
/// wider than rows of dynamic size are known to be aligned.
static Run getViewRun(TypedValue<MemRefType> memref, RankedTensorType tile,
                      std::optional<ArrayRef<int64_t>> axes,
                      const DataFlowSolver &solver) {
  MemRefType type = memref.getType();
  Run run;
  run.axis = tile.getRank() - 1;
  int64_t last = axes ? axes->back() : type.getRank() - 1;
  if (last != type.getRank() - 1 || !type.isLastDimUnitStride())
    return run;
  run.length = tile.getDimSize(run.axis);
  if (type.isDynamicDim(last))
    run.length =
        std::min(run.length,
                 getPowerOfTwo(getAxisInfo(solver, memref)[last].divisibility));
  return run;
}

Run tile::getRun(Operation *access, const DataFlowSolver &solver) {
  if (auto load = dyn_cast<LoadViewOp>(access))
    return getViewRun(load.getMemref(), load.getType(), load.getAxes(), solver);
  if (auto store = dyn_cast<StoreViewOp>(access))
    return getViewRun(store.getMemref(), store.getValue().getType(),
                      store.getAxes(), solver);
  AxisInfo info = getAxisInfo(solver, access->getOperand(0));
  Run run;
  run.axis = cast<RankedTensorType>(access->getOperand(0).getType()).getRank();
  // Prefer the last one of equal axes.
  run.axis -= run.axis != 0;
  for (unsigned axis = info.getNumAxes(); axis-- > 0;)
    if (info[axis].contiguity > run.length)
      run = {axis, info[axis].contiguity};
  return run;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Returns the grid of warps for a product of `rows` x `columns` by an atom: of
/// the sizes that the configuration asks for if these fit, else the squarest
/// for as many. With `wholeRows` warps lie along M alone.
static std::optional<layout::MmaGrid>
chooseGrid(const layout::MmaAtom &atom, int64_t rows, int64_t columns,
           const layout::TileConfig &config, int64_t numWarps, int64_t maxWarps,
           bool wholeRows) {
  layout::MmaGrid grid{&atom};
  auto fits = [&] { // the rest is larger than an atom
    return rows / grid.warpsM >= atom.m && columns / grid.warpsN >= atom.n;
  };
  grid.warpsM = std::max<int64_t>(1, rows / config.warpM);
  grid.warpsN = std::max<int64_t>(1, columns / config.warpN);
  int64_t chosen = grid.warpsM * grid.warpsN;
  if (fits() && chosen <= maxWarps && (numWarps == 0 || chosen == numWarps) &&
      (!wholeRows || grid.warpsN == 1))
    return grid;
  int64_t most = numWarps ? numWarps : std::min(chosen, maxWarps);
  for (int64_t warps = most; warps >= (numWarps ? numWarps : 1); warps /= 2) {
    std::optional<layout::MmaGrid> best;
    for (int64_t inRows = wholeRows ? warps : 1; inRows <= warps; inRows *= 2) {
      grid.warpsM = inRows;
      grid.warpsN = warps / inRows;
      auto getPerimeter = [&](const layout::MmaGrid &grid) {
        return rows / grid.warpsM + columns / grid.warpsN;
      };
      if (fits() && (!best || getPerimeter(grid) < getPerimeter(*best)))
        best = grid;
    }
    if (best)
      return best;
  }
  return std::nullopt;
}

std::optional<layout::MmaGrid> tile::chooseMma(DotOp op,
                                               const layout::TileConfig &config,
                                               int64_t numWarps, bool wholeRows,
                                               std::string &reason) {
  auto a = cast<RankedTensorType>(op.getA().getType());
  auto b = cast<RankedTensorType>(op.getB().getType());
  auto acc = cast<RankedTensorType>(op.getAcc().getType());
  SmallVector<const layout::MmaAtom *> atoms =
      selectAtoms(listAtoms(op), a.getElementType(), b.getElementType(),
                  acc.getElementType(), op.isTF32(), reason);
  if (atoms.empty())
    return std::nullopt;
  // Each element of a batch gets warps of its own.
  int64_t batches = acc.getRank() == 3 ? acc.getDimSize(0) : 1;
  if (acc.getRank() > 3 || batches > (numWarps ? numWarps : kMaxWarps)) {
    reason = "a batch has more elements than there are warps, or several axes";
    return std::nullopt;
  }
  int64_t depth = a.getShape().back();
  llvm::erase_if(atoms, [&](const layout::MmaAtom *atom) {
    if (depth < atom->k)
      reason = "K is " + std::to_string(depth) + ", and " +
               std::to_string(atom->k) + " of " + atom->name.str();
    return depth < atom->k;
  });
  if (atoms.empty())
    return std::nullopt;
  int64_t rows = acc.getShape().take_back(2)[0],
          columns = acc.getShape().back();
  // The one that is asked for comes first, the others stay in order.
  auto *wanted = llvm::find(atoms, config.atom);
  if (wanted != atoms.end())
    std::rotate(atoms.begin(), wanted, wanted + 1);
  for (const layout::MmaAtom *atom : atoms)
    for (bool isWhole : {true, false}) {
      if (isWhole && !wholeRows)
        continue;
      if (auto grid =
              chooseGrid(*atom, rows, columns, config, numWarps / batches,
                         kMaxWarps / batches, isWhole))
        return grid;
    }
  const layout::MmaAtom *least = *llvm::min_element(
      atoms, [](auto *x, auto *y) { return x->m * x->n < y->m * y->n; });
  reason = "a tile of " + std::to_string(rows) + "x" + std::to_string(columns) +
           " has no " + std::to_string(least->m) + "x" +
           std::to_string(least->n) + " of " + least->name.str() +
           " for each warp";
  return std::nullopt;
}

LinearLayout tile::getDotAccumulator(ArrayRef<int64_t> shape,
                                     int64_t numWarps) {
  unsigned rank = shape.size();
  layout::Blocked blocked;
  blocked.sizePerThread.assign(rank, 1);
  blocked.threadsPerWarp.assign(rank, 1);
  blocked.warpsPerBlock.assign(rank, 1);
  for (unsigned axis = rank; axis-- > 0;)
    blocked.order.push_back(axis);
  int64_t total = 1;
  for (int64_t size : shape)
    total *= size;
  // Squares of four by four reuse each operand four times.
  int64_t perThread = total / (32 * numWarps);
  for (unsigned axis : {rank - 1, rank - 2})
    while (blocked.sizePerThread[axis] < 4 && perThread > 1 &&
           blocked.sizePerThread[axis] < shape[axis]) {
      blocked.sizePerThread[axis] *= 2;
      perThread /= 2;
    }
  int64_t lanes = 32, warps = numWarps;
  for (unsigned axis : blocked.order) {
    int64_t limit = axis + 1 == rank ? 8 : lanes;
    int64_t threads =
        std::min({lanes, limit, shape[axis] / blocked.sizePerThread[axis]});
    blocked.threadsPerWarp[axis] = threads;
    lanes /= threads;
  }
  for (unsigned axis : llvm::reverse(blocked.order)) {
    int64_t left =
        std::max<int64_t>(1, shape[axis] / (blocked.sizePerThread[axis] *
                                            blocked.threadsPerWarp[axis]));
    blocked.warpsPerBlock[axis] = std::min(warps, left);
    warps /= blocked.warpsPerBlock[axis];
  }
  blocked.threadsPerWarp[0] *= lanes;
  blocked.warpsPerBlock[0] *= warps;
  return layout::getBlocked(shape, blocked);
}

/// The layout of `shape` whose bases are those of `layout` after `project`.
/// Registers that would hold copies go.
static LinearLayout
project(const LinearLayout &layout, ArrayRef<int64_t> shape,
        function_ref<layout::Coordinate(const layout::Coordinate &)> project) {
  LinearLayout projected(shape);
  for (InDim in : layout::kInDims)
    for (unsigned bit = 0; bit < layout.getNumBits(in); ++bit) {
      layout::Coordinate basis = project(layout.getBasis(in, bit));
      bool isZero = llvm::all_of(basis, [](int32_t c) { return c == 0; });
      if (!isZero || in != InDim::Register)
        projected.addBasis(in, basis);
    }
  return projected;
}

LinearLayout tile::getDotOperand(const LinearLayout &accumulator,
                                 unsigned operand, ArrayRef<int64_t> shape) {
  unsigned rank = shape.size();
  unsigned depthAxis = operand == 0 ? rank - 1 : rank - 2;
  LinearLayout layout =
      project(accumulator, shape, [&](const layout::Coordinate &basis) {
        layout::Coordinate own = basis;
        own[depthAxis] = 0;
        return own;
      });
  LinearLayout result(shape);
  for (unsigned bit = 0; bit < llvm::Log2_64(shape[depthAxis]); ++bit)
    result.addUnit(InDim::Register, depthAxis, bit);
  for (InDim in : layout::kInDims)
    for (unsigned bit = 0; bit < layout.getNumBits(in); ++bit)
      result.addBasis(in, layout.getBasis(in, bit));
  return result;
}

LinearLayout tile::unbroadcast(const LinearLayout &layout,
                               ArrayRef<int64_t> shape) {
  size_t padding = layout.getRank() - shape.size();
  return project(layout, shape, [&](const layout::Coordinate &basis) {
    layout::Coordinate own(basis.begin() + padding, basis.end());
    for (auto [coordinate, size] : llvm::zip_equal(own, shape))
      if (size == 1)
        coordinate = 0;
    return own;
  });
}
