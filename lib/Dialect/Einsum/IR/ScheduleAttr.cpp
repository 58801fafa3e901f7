//===- ScheduleAttr.cpp - #einsum.schedule and #einsum.dim ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constraints that the attribute alone can tell: the order of dimensions
// (C23), and what numbers can be. The others need the contraction:
// ScheduleVerify.cpp.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Schedule.h"

using namespace mlir;
using namespace tileir::einsum;

/// Steps beyond which nothing is prefetched in time: caches are smaller.
static constexpr int64_t kMostPrefetch = 1024;

LogicalResult DimAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              StringRef indices, Execution, int64_t size,
                              int64_t step) {
  if (indices.empty())
    return emitError() << "expects a dimension to have an index, found none";
  if (size <= 0)
    return emitError() << "expects the size of dimension \"" << indices
                       << "\" to be positive, found " << size;
  if (step <= 0)
    return emitError() << "expects the step of dimension \"" << indices
                       << "\" to be positive, found " << step;
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<DimAttr> dims, int64_t lanes, bool,
                                   ArrayRef<int64_t> tile, int64_t unroll,
                                   int64_t prefetch, ArrayRef<int64_t> pack) {
  auto rank = [](DimAttr dim) {
    return dim.getExec() == Execution::Parallel ? 0
           : dim.getExec() == Execution::Seq    ? 1
                                                : 2;
  };
  for (auto [outer, inner] : llvm::zip(dims, dims.drop_front(!dims.empty())))
    if (rank(outer) > rank(inner))
      return emitError() << "expects parallel dimensions first and prim ones "
                            "last, found "
                         << stringifyExecution(outer.getExec()) << " \""
                         << outer.getIndices() << "\" before "
                         << stringifyExecution(inner.getExec()) << " \""
                         << inner.getIndices() << "\" (C23)";
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
