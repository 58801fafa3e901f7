//===- CudaRuntimeGraphs.h - Graphs, for the CUDA runtime -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs of the CUDA runtime: work with its arguments, in an order that
// dependencies allow. What a stream that is captured is given becomes nodes in
// the order of the program; streams that wait for its events are captured, too.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEGRAPHS_H
#define TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEGRAPHS_H

#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace tileir::execution {

/// What a node does; gives a cudaError_t.
using CudaWork = std::function<int()>;

struct CudaGraphNode {
  CudaWork work;
  std::vector<CudaGraphNode *> dependencies;
};
struct CudaGraph {
  std::vector<std::unique_ptr<CudaGraphNode>> nodes;

  CudaGraphNode *add(CudaWork work);
  /// The nodes, each behind those that it depends on. Empty, and there are
  /// nodes: they depend on each other in a circle.
  std::vector<CudaGraphNode *> sort() const;
};

/// The streams that are captured.
struct CudaCapture {
  std::unique_ptr<CudaGraph> graph; ///< null: none is
  void *origin = nullptr;
  std::set<const void *> streams, events;

  /// Whether the stream is captured; then it keeps the work.
  bool take(const void *stream, CudaWork work);
};

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEGRAPHS_H
