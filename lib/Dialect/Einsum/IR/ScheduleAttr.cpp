//===- ScheduleAttr.cpp - #einsum.schedule and #einsum.dim ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints C23 and C24, which the attribute alone can tell. C25 to C28 need
// the contraction: ScheduleVerify.cpp.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Schedule.h"

using namespace mlir;
using namespace tileir::einsum;

/// Steps beyond which nothing is prefetched in time: caches are smaller.
static constexpr int64_t kMostPrefetch = 1024;

LogicalResult DimAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              StringRef letters, DimKind, Execution,
                              int64_t size, int64_t step,
                              ArrayRef<int64_t> strides) {
  if (letters.empty())
    return emitError() << "expects a dimension to have a letter, found none";
  if (size <= 0)
    return emitError() << "expects the size of dimension \"" << letters
                       << "\" to be positive, found " << size;
  if (step <= 0)
    return emitError() << "expects the step of dimension \"" << letters
                       << "\" to be positive, found " << step;
  return success();
}

/// How many summed dimensions a kernel of `main` has: [least, most].
static std::pair<int64_t, int64_t> getSummedDims(MainPrimitive main) {
  switch (main) {
  case MainPrimitive::Gemm:
  case MainPrimitive::Sum:
    return {1, 1};
  case MainPrimitive::Brgemm:
    return {2, std::numeric_limits<int64_t>::max()};
  default:
    return {0, 0};
  }
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   FirstTouch, MainPrimitive main, LastTouch,
                                   ArrayRef<DimAttr> dims, int64_t lanes,
                                   ArrayRef<int64_t> tile, int64_t unroll,
                                   int64_t prefetch, ArrayRef<int64_t> pack) {
  auto count = [&](Execution exec, bool summed) {
    return llvm::count_if(dims, [&](DimAttr dim) {
      return dim.getExec() == exec && (dim.getKind() == DimKind::K) == summed;
    });
  };
  auto rank = [](DimAttr dim) {
    return dim.getExec() == Execution::Shared ? 0
           : dim.getExec() == Execution::Seq  ? 1
                                              : 2;
  };
  for (auto [outer, inner] : llvm::zip(dims, dims.drop_front(!dims.empty())))
    if (rank(outer) > rank(inner))
      return emitError() << "expects shared dimensions first and prim ones "
                            "last, found "
                         << stringifyExecution(outer.getExec()) << " \""
                         << outer.getLetters() << "\" before "
                         << stringifyExecution(inner.getExec()) << " \""
                         << inner.getLetters() << "\" (C23)";
  for (DimAttr dim : dims)
    if (dim.getExec() == Execution::Shared && dim.getKind() == DimKind::K)
      return emitError() << "expects dimension \"" << dim.getLetters()
                         << "\", which is summed, to be seq or prim, found "
                            "shared (C23)";
  if (int64_t kept = count(Execution::Prim, false); kept > 2)
    return emitError() << "expects at most 2 prim dimensions that are not "
                          "summed, found "
                       << kept << " (C24)";
  auto [least, most] = getSummedDims(main);
  int64_t summed = count(Execution::Prim, true);
  // Before the kernel is identified there is none.
  bool isIdentified = llvm::any_of(
      dims, [](DimAttr dim) { return dim.getExec() == Execution::Prim; });
  if (isIdentified && (summed < least || summed > most))
    return emitError() << "expects " << stringifyMainPrimitive(main)
                       << " to have " << (least == most ? "" : "at least ")
                       << least << " summed prim dimension"
                       << (least == 1 ? "" : "s") << ", found " << summed
                       << " (C24)";
  if (least == 0 && count(Execution::Seq, true) > 0)
    return emitError() << "expects " << stringifyMainPrimitive(main)
                       << " to have no summed dimension (C24)";
  int64_t numDims = dims.size();
  if (lanes != -1 && (lanes < 0 || lanes >= numDims ||
                      dims[lanes].getExec() != Execution::Prim))
    return emitError() << "expects 'lanes' to be the position of a prim "
                          "dimension, found "
                       << lanes;
  if (!tile.empty() && (tile.size() != 2 ||
                        llvm::any_of(tile, [](int64_t n) { return n <= 0; })))
    return emitError() << "expects 'tile' to be two positive numbers, rows and "
                          "vectors, found ["
                       << tile << "]";
  if (unroll < 0)
    return emitError() << "expects 'unroll' to be positive, found " << unroll;
  if (prefetch < 0 || prefetch > kMostPrefetch)
    return emitError() << "expects 'prefetch' to be a number of steps, at most "
                       << kMostPrefetch << ", found " << prefetch;
  for (int64_t operand : pack)
    if (operand < 0 || operand > 1)
      return emitError() << "expects 'pack' to name operands 0 and 1, found "
                         << operand;
  return success();
}

ScheduleAttr tileir::einsum::withDims(ScheduleAttr schedule,
                                      ArrayRef<DimAttr> dims) {
  return ScheduleAttr::get(
      schedule.getContext(), schedule.getFirst(), schedule.getMain(),
      schedule.getLast(), dims, schedule.getLanes(), schedule.getTile(),
      schedule.getUnroll(), schedule.getPrefetch(), schedule.getPack());
}

DimAttr tileir::einsum::withExecution(DimAttr dim, Execution exec) {
  return DimAttr::get(dim.getContext(), dim.getLetters(), dim.getKind(), exec,
                      dim.getSize(), dim.getStep(), dim.getStrides());
}
