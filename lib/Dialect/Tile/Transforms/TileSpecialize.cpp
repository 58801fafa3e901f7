//===- TileSpecialize.cpp - tile-specialize -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code on memrefs and launches come in. Afterwards arguments of kernels
// say what their launches imply, and kernels whose accesses could be wider have
// a second version, with the test that chooses it before each launch.
//
// Which assumptions a kernel wants is found by trying: axis analysis runs with
// all that could matter, and then without each of them, and the widths of
// accesses are compared. So no access is described twice, and no size is tested
// in vain.
//
//===----------------------------------------------------------------------===//

#include "LayoutChoice.h"

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace tileir::tile {
#define GEN_PASS_DEF_TILESPECIALIZEPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// The bytes of the widest access.
static constexpr int64_t kWidest = 16;

namespace {

/// That an argument of a kernel, or its size along an axis, is a multiple.
struct SizeAssumption {
  unsigned argument;
  int64_t axis; ///< of a memref; 0 for numbers
  int64_t multiple;
};

/// A kernel and the host code that launches it.
class KernelVersions {
public:
  KernelVersions(func::FuncOp kernel, SmallVector<LaunchOp> launches)
      : kernel(kernel), launches(std::move(launches)) {}

  /// Adds what all launches imply to the kernel; returns how much that is.
  int64_t addImplied(const DataFlowSolver &solver);
  /// Launches the kernel only where what was added holds.
  void guardLaunches();
  /// The assumptions without which some access would be narrower.
  SmallVector<SizeAssumption> findWanted();
  /// Adds a version for `wanted`, which `symbols` gives a name.
  void addVersion(ArrayRef<SizeAssumption> wanted, SymbolTable &symbols);

private:
  SmallVector<SizeAssumption> listCandidates();
  /// The elements that each access could move at once, under further
  /// assumptions.
  SmallVector<int64_t> getLengths(ArrayRef<SizeAssumption> assumptions);
  Value emitHolds(OpBuilder &builder, LaunchOp launch,
                  ArrayRef<SizeAssumption> assumptions);

  func::FuncOp kernel;
  SmallVector<LaunchOp> launches;
  SmallVector<SizeAssumption> implied;
};

} // namespace

//===----------------------------------------------------------------------===//
// Assumptions of arguments
//===----------------------------------------------------------------------===//

/// What an argument, or its size along an axis, is known to be a multiple of.
static int64_t getKnown(func::FuncOp kernel, unsigned argument, int64_t axis) {
  if (auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[argument])) {
    auto sizes = kernel.getArgAttrOfType<DenseI64ArrayAttr>(
        argument, TileDialect::kSizeMultipleOf);
    return sizes ? sizes[axis] : 1;
  }
  auto number =
      kernel.getArgAttrOfType<IntegerAttr>(argument, TileDialect::kMultipleOf);
  return number ? number.getInt() : 1;
}

/// Adds an assumption to those that the argument has.
static void assume(func::FuncOp kernel, const SizeAssumption &assumption) {
  auto [argument, axis, multiple] = assumption;
  Builder builder(kernel.getContext());
  int64_t common = std::lcm(multiple, getKnown(kernel, argument, axis));
  auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[argument]);
  if (!type)
    return kernel.setArgAttr(argument, TileDialect::kMultipleOf,
                             builder.getI64IntegerAttr(common));
  SmallVector<int64_t> sizes(type.getRank(), 1);
  if (auto known = kernel.getArgAttrOfType<DenseI64ArrayAttr>(
          argument, TileDialect::kSizeMultipleOf))
    sizes = llvm::to_vector(known.asArrayRef());
  sizes[axis] = common;
  kernel.setArgAttr(argument, TileDialect::kSizeMultipleOf,
                    builder.getDenseI64ArrayAttr(sizes));
}

/// Calls `visit(argument, axis)` for each number and each dynamic size.
static void forEachSize(func::FuncOp kernel,
                        function_ref<void(unsigned, int64_t)> visit) {
  for (auto [argument, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    if (type.isIntOrIndex() && !type.isInteger(1))
      visit(argument, 0);
    if (auto memref = dyn_cast<MemRefType>(type))
      for (int64_t axis = 0; axis < memref.getRank(); ++axis)
        if (memref.isDynamicDim(axis))
          visit(argument, axis);
  }
}

int64_t KernelVersions::addImplied(const DataFlowSolver &solver) {
  forEachSize(kernel, [&](unsigned argument, int64_t axis) {
    int64_t divisor = 0;
    for (LaunchOp launch : launches) {
      AxisInfo info = getAxisInfo(solver, launch.getArguments()[argument]);
      divisor = std::gcd(divisor, info[axis].divisibility);
    }
    // More than any pass asks for would only make attributes unlike.
    divisor = std::gcd(divisor, int64_t(1) << 20);
    if (getKnown(kernel, argument, axis) % divisor != 0)
      implied.push_back({argument, axis, divisor});
  });
  for (const SizeAssumption &assumption : implied)
    assume(kernel, assumption);
  return implied.size();
}

//===----------------------------------------------------------------------===//
// What is wanted
//===----------------------------------------------------------------------===//

static int64_t getBytes(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// The element type that an access moves; null if `op` is none.
static Type getAccessedElement(Operation *op) {
  if (!isa<LoadOp, StoreOp, LoadViewOp, StoreViewOp>(op))
    return {};
  Type element = getElement(op->getOperand(0).getType());
  if (auto load = dyn_cast<LoadViewOp>(op))
    return load.getMemref().getType().getElementType();
  if (auto pointer = dyn_cast<PtrType>(element))
    return pointer.getPointee();
  return element;
}

/// The elements that a load or store through pointers could move at once.
static int64_t getPointerLength(Value pointers, Value mask, int64_t bytes,
                                const DataFlowSolver &solver) {
  AxisInfo info = getAxisInfo(solver, pointers);
  int64_t best = 1;
  for (unsigned axis = 0; axis < info.getNumAxes(); ++axis) {
    int64_t length = getPowerOfTwo(info[axis].contiguity);
    if (mask)
      length = std::min(
          length, getPowerOfTwo(getAxisInfo(solver, mask)[axis].constancy));
    length = std::min(length, kWidest / bytes);
    while (length > 1 && info.getDivisor(axis, length) % (length * bytes) != 0)
      length /= 2;
    best = std::max(best, length);
  }
  return best;
}

/// The elements that an access to a block of a memref could move at once.
static int64_t getViewLength(Operation *op, ValueRange indices, int64_t bytes,
                             const DataFlowSolver &solver) {
  int64_t length = std::min(getRun(op, solver).length, kWidest / bytes);
  int64_t divisor = getAxisInfo(solver, indices.back()).getDivisor();
  return divisor ? std::min(length, getPowerOfTwo(divisor)) : length;
}

static int64_t getLength(Operation *op, const DataFlowSolver &solver) {
  int64_t bytes = getBytes(getAccessedElement(op));
  if (auto load = dyn_cast<LoadOp>(op))
    return getPointerLength(load.getPtr(), load.getMask(), bytes, solver);
  if (auto store = dyn_cast<StoreOp>(op))
    return getPointerLength(store.getPtr(), store.getMask(), bytes, solver);
  if (auto load = dyn_cast<LoadViewOp>(op))
    return getViewLength(op, load.getIndices(), bytes, solver);
  return getViewLength(op, cast<StoreViewOp>(op).getIndices(), bytes, solver);
}

SmallVector<int64_t>
KernelVersions::getLengths(ArrayRef<SizeAssumption> assumptions) {
  SmallVector<DictionaryAttr> attributes;
  kernel.getAllArgAttrs(attributes);
  for (const SizeAssumption &assumption : assumptions)
    assume(kernel, assumption);
  // Memory of the device begins at multiples of the widest access.
  for (auto [argument, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (isa<PtrType>(type))
      assume(kernel, {unsigned(argument), 0, kWidest});
  SmallVector<int64_t> lengths;
  DataFlowSolver solver;
  loadAxisInfoAnalysis(solver);
  if (succeeded(solver.initializeAndRun(kernel)))
    kernel.walk([&](Operation *op) {
      if (getAccessedElement(op))
        lengths.push_back(getLength(op, solver));
    });
  kernel.setAllArgAttrs(attributes);
  return lengths;
}

/// All that could widen some access.
SmallVector<SizeAssumption> KernelVersions::listCandidates() {
  int64_t most = 1;
  kernel.walk([&](Operation *op) {
    if (Type element = getAccessedElement(op))
      most = std::max(most, kWidest / getBytes(element));
  });
  SmallVector<SizeAssumption> candidates;
  forEachSize(kernel, [&](unsigned argument, int64_t axis) {
    auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[argument]);
    int64_t multiple = type ? kWidest / getBytes(type.getElementType()) : most;
    if (getKnown(kernel, argument, axis) % multiple != 0)
      candidates.push_back({argument, axis, multiple});
  });
  return candidates;
}

SmallVector<SizeAssumption> KernelVersions::findWanted() {
  SmallVector<SizeAssumption> wanted = listCandidates();
  if (wanted.empty())
    return wanted;
  SmallVector<int64_t> widest = getLengths(wanted);
  if (widest == getLengths({}))
    return {};
  for (unsigned i = wanted.size(); i-- > 0;) {
    SmallVector<SizeAssumption> fewer = wanted;
    fewer.erase(fewer.begin() + i);
    if (getLengths(fewer) == widest)
      wanted = fewer;
  }
  return wanted;
}

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

/// The number, or the size of the memref, that a launch passes.
static Value getSize(OpBuilder &builder, LaunchOp launch, unsigned argument,
                     int64_t axis) {
  Value value = launch.getArguments()[argument];
  if (auto alloc =
          value.getDefiningOp<gpu::AllocOp>()) // which folds to nothing
    value = alloc.getDynamicSizes()[alloc.getType().getDynamicDimIndex(axis)];
  else if (isa<MemRefType>(value.getType()))
    value = builder.createOrFold<memref::DimOp>(launch.getLoc(), value, axis);
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value;
}

/// Emits whether the assumptions hold for what `launch` passes; null if they
/// are known to.
Value KernelVersions::emitHolds(OpBuilder &builder, LaunchOp launch,
                                ArrayRef<SizeAssumption> assumptions) {
  Location loc = launch.getLoc();
  llvm::MapVector<Value, int64_t> multiples;
  for (auto [argument, axis, multiple] : assumptions) {
    Value size = getSize(builder, launch, argument, axis);
    APInt constant;
    if (matchPattern(size, m_ConstantInt(&constant)) &&
        constant.getSExtValue() % multiple == 0)
      continue;
    int64_t &known = multiples.insert({size, 1}).first->second;
    known = std::lcm(known, multiple);
  }
  Value all;
  for (const auto &entry : multiples) {
    Value size = entry.first;
    int64_t multiple = entry.second;
    auto getNumber = [&](int64_t number) {
      return arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(size.getType(), number));
    };
    Value rest =
        arith::RemUIOp::create(builder, loc, size, getNumber(multiple));
    Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        rest, getNumber(0));
    all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult()
              : holds;
  }
  return all;
}

void KernelVersions::guardLaunches() {
  for (LaunchOp launch : launches) {
    OpBuilder builder(launch);
    Value holds = emitHolds(builder, launch, implied);
    if (!holds)
      continue;
    auto ifOp = scf::IfOp::create(builder, launch.getLoc(), holds,
                                  /*withElseRegion=*/false);
    launch->moveBefore(ifOp.thenBlock()->getTerminator());
  }
}

void KernelVersions::addVersion(ArrayRef<SizeAssumption> wanted,
                                SymbolTable &symbols) {
  auto aligned = cast<func::FuncOp>(kernel->clone());
  aligned.setSymName((kernel.getSymName() + "_aligned").str());
  symbols.insert(aligned, std::next(Block::iterator(kernel)));
  for (const SizeAssumption &assumption : wanted)
    assume(aligned, assumption);
  for (LaunchOp launch : launches) {
    OpBuilder builder(launch);
    Value holds = emitHolds(builder, launch, wanted);
    if (!holds) {
      launch.setKernel(aligned.getSymName());
      continue;
    }
    auto ifOp = scf::IfOp::create(builder, launch.getLoc(), holds,
                                  /*withElseRegion=*/true);
    builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
    cast<LaunchOp>(builder.clone(*launch)).setKernel(aligned.getSymName());
    launch->moveBefore(ifOp.elseBlock()->getTerminator());
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Removes what functions of the host promise of their arguments, which lowered
/// ones cannot have. Returns whether there was anything.
static bool removePromises(ModuleOp module) {
  bool hasAny = false;
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; !isKernel(function) && i < function.getNumArguments();
         ++i)
      hasAny |= bool(function.removeArgAttr(i, TileDialect::kSizeMultipleOf));
  return hasAny;
}

namespace {
struct TileSpecializePass
    : tileir::tile::impl::TileSpecializePassBase<TileSpecializePass> {
  using TileSpecializePassBase::TileSpecializePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    DataFlowSolver solver;
    loadAxisInfoAnalysis(solver);
    if (failed(solver.initializeAndRun(module)))
      return signalPassFailure();
    bool isPromised = removePromises(module);
    SymbolTable symbols(module);
    SymbolTableCollection tables;
    SymbolUserMap users(tables, module);
    // What host code implies is asked for before it changes.
    SmallVector<std::pair<func::FuncOp, KernelVersions>> kernels;
    for (auto kernel : module.getOps<func::FuncOp>()) {
      SmallVector<LaunchOp> launches;
      for (Operation *user : users.getUsers(kernel))
        if (auto launch = dyn_cast<LaunchOp>(user))
          launches.push_back(launch);
      if (!isKernel(kernel) || kernel.isExternal() || launches.empty() ||
          launches.size() != users.getUsers(kernel).size())
        continue;
      KernelVersions versions(kernel, std::move(launches));
      numAssumptions += versions.addImplied(solver);
      kernels.emplace_back(kernel, std::move(versions));
    }
    for (auto &[kernel, kernelVersions] : kernels) {
      if (isPromised)
        kernelVersions.guardLaunches();
      if (versions)
        addVersion(kernel, kernelVersions, symbols);
    }
  }

private:
  void addVersion(func::FuncOp kernel, KernelVersions &kernelVersions,
                  SymbolTable &symbols) {
    SmallVector<SizeAssumption> wanted = kernelVersions.findWanted();
    if (wanted.empty())
      return;
    kernelVersions.addVersion(wanted, symbols);
    ++numVersions;
    auto remark =
        remark::passed(kernel.getLoc(),
                       remark::RemarkOpts::name("specialize").category("tile"));
    remark << remark::metric("sizes", wanted.size());
  }
};
} // namespace
