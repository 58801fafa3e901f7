//===- LayoutAnchors.cpp - Layouts to start from --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before it changes anything, tile-assign-layouts decides how products are
// computed, and with how many warps, and on the layouts of accesses and
// products.
//
//===----------------------------------------------------------------------===//

#include "LayoutAssigner.h"

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Analysis/GlobalRuns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// The axis of a tile of shape `to` whose elements are as far apart as those of
/// `axis` in the tile of shape `from` of which it was made.
static std::optional<unsigned>
getReshapedAxis(ArrayRef<int64_t> from, ArrayRef<int64_t> to, unsigned axis) {
  int64_t distance = llvm::product_of(from.drop_front(axis + 1));
  int64_t inner = 1;
  for (unsigned i = to.size(); i-- > 0; inner *= to[i])
    if (inner == distance && to[i] > 1)
      return i;
  return std::nullopt;
}

/// The axis of a tile along which it was read from memory in runs.
static std::optional<unsigned> getMemoryAxis(Value tile,
                                             const DataFlowSolver &solver) {
  Operation *op = tile.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(tile.getParentBlock()->getParentOp());
    auto argument = cast<BlockArgument>(tile);
    return loop && argument.getArgNumber() > 0
               ? getMemoryAxis(loop.getTiedLoopInit(argument)->get(), solver)
               : std::nullopt;
  }
  if (isAccess(op)) {
    layout::Run run = getRun(op, solver);
    return run.length > 1 ? std::optional<unsigned>(run.axis) : std::nullopt;
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    if (auto axis = getMemoryAxis(reshape.getSource(), solver))
      return getReshapedAxis(getSizes(reshape.getSource()),
                             getSizes(reshape.getResult()), *axis);
  if (auto trans = dyn_cast<TransOp>(op)) {
    auto axis = getMemoryAxis(trans.getSource(), solver);
    if (axis)
      axis = llvm::find(trans.getPermutation(), *axis) -
             trans.getPermutation().begin();
    return axis;
  }
  if (isElementwise(op))
    for (Value operand : op->getOperands())
      if (isTile(operand))
        if (auto axis = getMemoryAxis(operand, solver))
          return axis;
  return std::nullopt;
}

/// The registers of all tiles that the loop with the most carries.
static int64_t countCarriedRegisters(func::FuncOp kernel) {
  int64_t most = 0;
  kernel.walk([&](scf::ForOp loop) {
    int64_t registers = 0;
    for (Type type : loop.getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type);
          tile && tile.getElementType().isIntOrFloat())
        registers += tile.getNumElements() *
                     llvm::divideCeil(tile.getElementTypeBitWidth(), 32);
    most = std::max(most, registers);
  });
  return most;
}

/// Chooses as many warps as leave each thread 64 elements of the largest
/// product, or without products 16 of the largest tile that is stored, which
/// may have as many pointers, and 128 registers for what loops carry.
static int64_t chooseNumWarps(func::FuncOp kernel) {
  int64_t ofProducts = 0, ofStores = 0;
  kernel.walk([&](Operation *op) {
    bool isProduct = isa<DotOp>(op);
    if (!isProduct && !isa<StoreOp, StoreViewOp, AtomicRMWOp, AtomicCASOp>(op))
      return;
    Value tile = isProduct ? op->getResult(0) : getAccessed(op);
    auto type = dyn_cast<RankedTensorType>(tile.getType());
    int64_t &most = isProduct ? ofProducts : ofStores;
    most = std::max(most, type ? type.getNumElements() : 1);
  });
  if (!ofProducts) {
    uint64_t carried = llvm::divideCeil(countCarriedRegisters(kernel), 8);
    ofStores = std::max<int64_t>(ofStores, llvm::bit_ceil(carried));
  }
  int64_t numWarps = ofProducts ? ofProducts / (32 * 64) : ofStores / (32 * 16);
  return std::clamp<int64_t>(numWarps, 4, kMaxWarps);
}

/// The layout of an access, coalesced.
static layout::LinearLayout getAccessLayout(Operation *access, int64_t numWarps,
                                            const DataFlowSolver &solver) {
  Value tile = getAccessed(access);
  Type element = getElement(tile.getType());
  if (auto pointer = dyn_cast<PtrType>(element))
    element = pointer.getPointee();
  unsigned bits = std::max(8u, element.getIntOrFloatBitWidth());
  return layout::getCoalesced(getSizes(tile), bits, getRun(access, solver),
                              numWarps);
}

/// The pointers that each thread has of an access, one for each vector.
static int64_t countPointers(Operation *access, int64_t numWarps,
                             const DataFlowSolver &solver) {
  Value mask;
  if (auto load = dyn_cast<LoadOp>(access))
    mask = load.getMask();
  else if (auto store = dyn_cast<StoreOp>(access))
    mask = store.getMask();
  layout::LinearLayout layout = getAccessLayout(access, numWarps, solver);
  int64_t count = layout.getSize(layout::InDim::Register);
  if (isa<AtomicRMWOp, AtomicCASOp>(access) || layout.getRank() == 0)
    return count;
  GlobalRun run = findPointerRun(access->getOperand(0), mask, layout, solver);
  return count / run.width.getNumElements();
}

/// Doubles the number of warps until the pointers of each access leave room in
/// the registers of a thread, two of which each takes.
static int64_t addWarps(func::FuncOp kernel, int64_t numWarps,
                        const DataFlowSolver &solver) {
  constexpr int64_t kMaxPointers = 32;
  kernel.walk([&](Operation *op) {
    if (!isa<LoadOp, StoreOp, AtomicRMWOp, AtomicCASOp>(op) ||
        !isTile(getAccessed(op)))
      return;
    while (numWarps < kMaxWarps &&
           countPointers(op, numWarps, solver) > kMaxPointers)
      numWarps *= 2;
  });
  return numWarps;
}

/// The product whose result, after ops on its elements, is operand A of another
/// one; null if there is none.
static DotOp findProductBefore(Value a) {
  SetVector<Value> values;
  values.insert(a);
  for (size_t i = 0; i < values.size(); ++i) { // grows
    Operation *op = values[i].getDefiningOp();
    if (auto product = dyn_cast_if_present<DotOp>(op))
      return product;
    if (op && (isElementwise(op) || isa<scf::IfOp>(op)))
      values.insert_range(
          llvm::make_filter_range(getSources(values[i]), isTile));
  }
  return {};
}

/// Products one of which gives operand A of the other. If each warp has whole
/// rows of the first one's result, it has all that it needs for the second.
static SmallPtrSet<Operation *, 4> findChained(func::FuncOp kernel) {
  SmallPtrSet<Operation *, 4> chained;
  kernel.walk([&](DotOp op) {
    if (DotOp before = findProductBefore(op.getA()))
      chained.insert({before, op});
  });
  return chained;
}

namespace {
/// What chained products take.
struct ChainCost {
  int64_t accumulators = 0; ///< bits of the results and of operands A
  double cycles = 0;        ///< of an SM's matrix units
  double wavefronts = 0;    ///< of shared memory, for all operands B once
};
} // namespace

/// Bytes that shared memory gives at once.
static constexpr double kWavefrontBytes = 128;

static ChainCost getCost(const SmallPtrSetImpl<Operation *> &chained,
                         const machine::Gpu &gpu) {
  ChainCost cost;
  auto getBits = [](Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    return type.getNumElements() * type.getElementTypeBitWidth();
  };
  for (Operation *op : chained) {
    auto dot = cast<DotOp>(op);
    cost.accumulators += getBits(dot.getResult());
    if (!findProductBefore(dot.getA()))
      cost.accumulators += getBits(dot.getA());
    cost.wavefronts += getBits(dot.getB()) / 8 / kWavefrontBytes;
    unsigned bits = getElement(dot.getA().getType()).getIntOrFloatBitWidth();
    double rate = bits == 8    ? gpu.mma8
                  : bits == 16 ? gpu.mma16
                  : bits == 32 ? gpu.mmaTf32
                               : gpu.mma64;
    auto a = cast<RankedTensorType>(dot.getA().getType());
    cost.cycles += a.getNumElements() * getSizes(dot.getResult()).back() / rate;
  }
  return cost;
}

/// Doubles the number of warps until a thread has room in its registers for
/// what it keeps of chained products. Each warp reads all of their operands B:
/// where these reads would take longer than the products do, less room has to
/// be enough.
static int64_t addWarps(const SmallPtrSetImpl<Operation *> &chained,
                        int64_t numWarps, const machine::Gpu &gpu) {
  constexpr int64_t kMany = 128, kMost = 192;
  ChainCost cost = getCost(chained, gpu);
  for (; numWarps < kMaxWarps; numWarps *= 2) {
    int64_t registers =
        cost.accumulators / (32 * machine::kWarpSize * numWarps);
    // Twice as many warps read, and all threads write once.
    double wavefronts = cost.wavefronts * (2 * numWarps + 1);
    bool isHidden = wavefronts <= cost.cycles * gpu.sharedWavefronts;
    if (registers <= (isHidden ? kMany : kMost))
      break;
  }
  return numWarps;
}

static int64_t getNumWarps(DotOp op, const layout::MmaGrid &grid) {
  // Each element of a batch has warps of its own.
  ArrayRef<int64_t> batches = getSizes(op.getResult()).drop_back(2);
  return grid.warpsM * grid.warpsN * llvm::product_of(batches);
}

/// Decides on products, and with them on the number of warps.
void LayoutAssigner::chooseMmas() {
  DataFlowSolver solver;
  loadAxisInfoAnalysis(solver);
  if (failed(solver.initializeAndRun(kernel)))
    return;
  if (numWarps == 0)
    numWarps = addWarps(kernel, chooseNumWarps(kernel), solver);
  SmallPtrSet<Operation *, 4> chained = findChained(kernel);
  TargetAttr target = TargetAttr::find(kernel);
  const machine::Gpu *gpu =
      target ? machine::findGpuOrOlder(target.getChip()) : nullptr;
  bool isFirst = true;
  kernel.walk([&](RolesOp roles) {
    numWarps = roles.getWarps().front();
    isFirst = false;
  });
  kernel.walk([&](DotOp op) {
    auto name = remark::RemarkOpts::name("assign-layouts").category("tile");
    std::string reason = "'mma' is false";
    auto choose = [&](int64_t warps) {
      return chooseMma(op, config, warps, chained.contains(op), reason);
    };
    std::optional<layout::MmaGrid> grid;
    if (useMma)
      grid = choose(isFirst ? 0 : numWarps);
    if (grid && isFirst) {
      int64_t most = addWarps(kernel, getNumWarps(op, *grid), solver);
      if (gpu && chained.contains(op))
        most = addWarps(chained, most, *gpu);
      for (int64_t warps = most; warps > getNumWarps(op, *grid); warps /= 2)
        if (auto other = choose(warps))
          grid = other;
    }
    if (!grid) {
      remark::missed(op.getLoc(), name) << remark::reason("{0}", reason);
      return;
    }
    isFirst = false;
    numWarps = getNumWarps(op, *grid);
    // Fragments run in the order in which memory does, if they can.
    auto getOperand = [&](layout::Matrix matrix, Value value) {
      bool isColumn =
          matrix != layout::Matrix::Acc &&
          getMemoryAxis(value, solver) == getSizes(value).size() - 2;
      return chooseOrder(
          *grid->atom, {matrix, *getScalar(getElement(value.getType())),
                        isColumn ? layout::Major::Column : layout::Major::Row});
    };
    mmas[op] = {*grid, getOperand(layout::Matrix::A, op.getA()),
                getOperand(layout::Matrix::B, op.getB()),
                getOperand(layout::Matrix::Acc, op.getAcc())};
    remark::passed(op.getLoc(), name)
        << remark::metric("warps-m", grid->warpsM)
        << remark::metric("warps-n", grid->warpsN)
        << remark::metric("atom", grid->atom->name.str());
  });
}

void LayoutAssigner::chooseAnchors() {
  DataFlowSolver solver;
  loadAxisInfoAnalysis(solver);
  if (failed(solver.initializeAndRun(kernel)))
    return;
  kernel.walk([&](Operation *op) {
    if (isAccess(op) && isTile(getAccessed(op)))
      anchors[op] = getAttr(getAccessLayout(op, numWarps, solver));
    if (auto product = dyn_cast<MmaAsyncOp>(op)) {
      anchors[op] = getAttr(product.getAccLayout());
      fragments.insert(anchors[op]);
    }
    auto dot = dyn_cast<DotOp>(op);
    if (!dot)
      return;
    auto mma = mmas.find(op);
    ArrayRef<int64_t> shape = getSizes(dot.getAcc());
    if (mma == mmas.end()) {
      anchors[op] = getAttr(getDotAccumulator(shape, numWarps));
      return;
    }
    anchors[op] =
        getAttr(layout::getOperand(mma->second.grid, mma->second.acc, shape));
    fragments.insert(anchors[op]);
  });
  // A tile that is broadcast before its use is loaded in the layout needed
  // there.
  llvm::SmallVector<std::pair<Operation *, LayoutAttr>> loads;
  kernel.walk([&](Operation *op) {
    if (isa<LoadOp, LoadViewOp>(op) && isTile(op->getResult(0)))
      if (LayoutAttr layout = findRepeated(op->getResult(0), false))
        loads.push_back({op, layout});
  });
  for (auto [op, layout] : loads)
    anchors[op] = layout;
}

LayoutAttr LayoutAssigner::getDefault(Type tile) {
  auto type = cast<RankedTensorType>(tile);
  layout::Run run;
  if (type.getRank() > 0)
    run = {unsigned(type.getRank() - 1), 4};
  return getAttr(layout::getCoalesced(type.getShape(), 32, run, numWarps));
}
