//===- ScheduleSteps.h - Steps of the optimizer of schedules ----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pass of the optimizer is a function from a schedule to a schedule, which
// einsum-choose-schedule calls too. All of them change the order, the number
// and the execution of dimensions only through ScheduleParts, in which these
// come with their kinds and strides.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_SCHEDULESTEPS_H
#define TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_SCHEDULESTEPS_H

#include "tileir/Dialect/Einsum/Analysis/LoopDims.h"

namespace tileir::einsum {

/// The parts of a schedule, to be changed one by one.
struct ScheduleParts {
  ScheduleParts(ContractOp op, ScheduleAttr schedule);
  ScheduleAttr get() const;

  bool hasKernel() const { return count(Execution::Prim) > 0; }
  int64_t count(Execution exec) const;
  /// Moves parallel dimensions to the front and those of the microkernel to the
  /// end.
  void sort();
  /// Leaves `inner` of dimension `position`, and puts the remaining factor,
  /// with execution `exec`, at position `at` at most `position`.
  void split(unsigned position, int64_t inner, Execution exec, unsigned at);
  /// Moves loops outwards that change what lanes are read from and rows are
  /// not: what is packed is packed once, not in each iteration of the others.
  void moveLoopsOfLanes(unsigned numInputs, const LoopDim &lanes,
                        const LoopDim &rows);

  llvm::SmallVector<LoopDim> dims;
  /// Which of `dims` lies along vectors; null if that is open.
  LoopDim lanes;
  /// Whether the kernel runs on the matrix unit.
  bool matrix;
  llvm::SmallVector<int64_t> tile;
  int64_t unroll, prefetch;
  llvm::SmallVector<int64_t> pack;
};

/// Whether a loop is outside of those over panels: batches change what is
/// packed.
bool isOutside(const LoopDim &dim);

/// The dimensions of the schedule of `op` as a line of text.
std::string describe(ContractOp op);

/// The kernel's dimension along vectors: the one that is marked, or else the
/// one with stride 1 in the result; null if there is none.
LoopDim getLanes(const ScheduleParts &parts);

/// How many elements the accumulator has in a vector of `machine`.
int64_t getNumLanes(ContractOp op, MachineAttr machine);

/// A step from the schedule of a contraction to another one. If there is
/// nothing to do, it returns the same one and says why.
using ScheduleStep = llvm::function_ref<ScheduleAttr(
    ContractOp op, ScheduleAttr schedule, std::string &reason)>;

/// Applies `step` to all contractions in `root` that can have a schedule, with
/// remarks in the name of `pass`. Returns how many schedules it changed.
unsigned applyScheduleStep(mlir::Operation *root, llvm::StringRef pass,
                           ScheduleStep step);

/// Makes one dimension of two that follow each other in all operands, if one of
/// them is smaller than `minKernelSize`; of all such dimensions if it is 0.
/// With `byTables`, it also joins two of one operand that do so in the result
/// alone.
ScheduleAttr fuseDims(ContractOp op, ScheduleAttr schedule,
                      int64_t minKernelSize, std::string &reason,
                      bool byTables = false);

/// Decides which dimensions form the kernel, at most `maxSums` summed ones (0:
/// all).
ScheduleAttr identifyPrimitives(ContractOp op, ScheduleAttr schedule,
                                int64_t maxSums, std::string &reason);

/// The dimensions that may become rows or lanes. One of size 1 does only where
/// there are no others.
llvm::SmallVector<LoopDim> getOpenDims(const ScheduleParts &parts);

/// The summed dimensions of the kernel, at most `maxSums` if that is not 0, in
/// the order in which it goes through them: those with large strides first.
llvm::SmallVector<LoopDim>
getKernelSums(ContractOp op, const ScheduleParts &parts, int64_t maxSums);

/// Lanes and rows by the rules of einsum-identify-primitives; null if there are
/// none among the dimensions `open`.
LoopDim findLanes(llvm::ArrayRef<LoopDim> open);
LoopDim findRows(ContractOp op, llvm::ArrayRef<LoopDim> open,
                 const LoopDim &lanes);

/// The reason why these dimensions cannot form a kernel; empty if they can.
std::string getKernelFailureReason(ContractOp op, llvm::ArrayRef<LoopDim> open,
                                   llvm::ArrayRef<LoopDim> sums);

/// Makes a kernel of these dimensions, of which `lanes` and `rows` may be null.
void formKernel(ScheduleParts &parts, const LoopDim &lanes, const LoopDim &rows,
                llvm::ArrayRef<LoopDim> sums);

/// Divides dimensions among `threads` threads, if there are `minWork` steps.
ScheduleAttr parallelizeDims(ContractOp op, ScheduleAttr schedule,
                             int64_t threads, int64_t minWork,
                             std::string &reason);

/// Steps below which dividing them among threads costs more than it gains.
inline constexpr int64_t kLeastParallelWork = 64 * 64 * 64;

} // namespace tileir::einsum

#endif // TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_SCHEDULESTEPS_H
