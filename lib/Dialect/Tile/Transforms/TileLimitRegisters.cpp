//===- TileLimitRegisters.cpp - tile-limit-registers ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes after tile-allocate-shared. Afterwards kernels with products by fused
// multiply-adds have a limit of registers, where that leaves as many programs
// on a multiprocessor as there are without: the number of programs follows from
// shared memory and from an estimate of the registers that a thread needs.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Analysis/GlobalRuns.h"
#include "tileir/Dialect/Tile/Analysis/RegisterCounts.h"
#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILELIMITREGISTERSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::InDim;
using layout::LinearLayout;

/// Registers for what is not counted: addresses, indices of loops.
static constexpr int64_t kOther = 32;
/// Registers are allocated by so many a thread.
static constexpr int64_t kRegisterUnit = 8;
/// Shared memory that the system takes of each program.
static constexpr int64_t kReservedShared = 1024;

/// The elements along K that a thread reads at once.
static int64_t getDepth(LocalLoadOp load, unsigned axis) {
  Type tile = load->getResult(0).getType();
  LinearLayout layout = getTileLayout(tile);
  auto stage = getStageLayout(load.getBuffer().getType(), load.getStageShape());
  unsigned bits = getElementTypeOrSelf(tile).getIntOrFloatBitWidth();
  int64_t depth = 1;
  for (unsigned bit : layout::getWidestAccess(layout, *stage, bits).vectorBits)
    if (layout.getBasis(InDim::Register, bit)[axis] != 0)
      depth *= 2;
  return depth;
}

/// Registers of the part of A or B that a thread has at once; none if it is not
/// read from shared memory as it is.
static std::optional<int64_t> countFactors(Value operand, unsigned axis) {
  if (auto trans = operand.getDefiningOp<TransOp>())
    return countFactors(trans.getSource(), trans.getPermutation()[axis]);
  auto load = operand.getDefiningOp<LocalLoadOp>();
  if (!load)
    return std::nullopt;
  int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(axis);
  return llvm::divideCeil(
      countRegisters(operand.getType()) * getDepth(load, axis), size);
}

/// Registers of what accesses of a view need: nothing if its size is static,
/// for they differ by constants then.
template <typename Op>
static int64_t countViewAccesses(Op op, Type tile, int64_t ofAccess,
                                 const DataFlowSolver &solver) {
  auto type = dyn_cast<RankedTensorType>(tile);
  if (!type || op.getMemref().getType().hasStaticShape())
    return 0;
  GlobalRun run = ViewAccess::get(op, type).findRun(solver);
  return ofAccess * getTileLayout(type).getSize(InDim::Register) /
         run.width.getNumElements();
}

/// Registers of the pointers of an access, one for each vector.
static int64_t countPointers(Value pointers, Value mask,
                             const DataFlowSolver &solver) {
  if (!isa<RankedTensorType>(pointers.getType()))
    return 0;
  GlobalRun run = findPointerRun(pointers, mask, solver);
  return countRegisters(pointers.getType()) / run.width.getNumElements();
}

/// Estimates the registers that a thread needs; 0 if there is no product in a
/// loop of operands that shared memory has.
static int64_t estimateRegisters(func::FuncOp kernel,
                                 const DataFlowSolver &solver) {
  int64_t factors = 0, accesses = 0;
  kernel.walk([&](Operation *op) {
    if (!op->getParentOfType<scf::ForOp>())
      return;
    TypeSwitch<Operation *>(op)
        .Case([&](DotOp dot) {
          unsigned rank = cast<RankedTensorType>(dot.getType()).getRank();
          auto a = countFactors(dot.getA(), rank - 1);
          auto b = countFactors(dot.getB(), rank - 2);
          if (a && b)
            factors = std::max(factors, *a + *b);
        })
        .Case([&](AsyncLoadViewOp copy) {
          accesses += countViewAccesses(copy, copy.getTile(), 1, solver);
        })
        .Case([&](LoadViewOp load) {
          accesses += countViewAccesses(load, load.getType(), 2, solver);
        })
        .Case<AsyncLoadOp, LoadOp>([&](auto load) {
          accesses += countPointers(load.getPtr(), load.getMask(), solver);
        });
  });
  return factors ? countCarried(kernel) + factors + accesses + kOther : 0;
}

namespace {

struct TileLimitRegistersPass
    : tileir::tile::impl::TileLimitRegistersPassBase<TileLimitRegistersPass> {
  using TileLimitRegistersPassBase::TileLimitRegistersPassBase;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::find(getOperation());
    const machine::Gpu *gpu =
        target ? machine::findGpuOrOlder(target.getChip()) : nullptr;
    if (!gpu)
      return;
    DataFlowSolver solver;
    loadAxisInfoAnalysis(solver);
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    StringRef attribute = NVVM::NVVMDialect::getMaxnregAttrName();
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isKernel(kernel) && !kernel->hasAttr(attribute) &&
          isLimited(kernel, *gpu, estimateRegisters(kernel, solver))) {
        kernel->setAttr(attribute,
                        Builder(kernel).getI32IntegerAttr(registers));
        ++numLimited;
      }
  }

private:
  bool isLimited(func::FuncOp kernel, const machine::Gpu &gpu, int64_t needed) {
    auto name = remark::RemarkOpts::name("limit-registers").category("tile");
    if (needed == 0 || needed > registers) {
      remark::missed(kernel.getLoc(), name) << remark::reason(
          "{0}", needed ? "needs some " + std::to_string(needed) + " registers"
                        : "has no tile.dot of shared memory in a loop");
      return false;
    }
    auto getNumber = [&](StringRef name, int64_t otherwise) {
      auto number = kernel->getAttrOfType<IntegerAttr>(name);
      return number ? number.getInt() : otherwise;
    };
    int64_t shared = getNumber(TileDialect::kSharedBytes, 0) + kReservedShared;
    int64_t threads = machine::kWarpSize * getNumber(TileDialect::kNumWarps, 1);
    auto fit = [&](int64_t ofThread) {
      return gpu.registersPerSm /
             (threads * llvm::alignTo(ofThread, kRegisterUnit));
    };
    int64_t programs = std::min<int64_t>(gpu.sharedPerSm / shared, fit(needed));
    if (programs > int64_t(fit(registers))) {
      remark::missed(kernel.getLoc(), name)
          << remark::reason("{0} programs fit, and fewer with {1} registers",
                            programs, int64_t(registers));
      return false;
    }
    remark::passed(kernel.getLoc(), name) << remark::metric("needed", needed);
    return true;
  }
};

} // namespace
