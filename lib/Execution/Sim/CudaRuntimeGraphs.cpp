//===- CudaRuntimeGraphs.cpp - Graphs, for the CUDA runtime ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeGraphs.h"
#include "Sim/CudaRuntimeApi.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cstring>
#include <map>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

CudaGraphNode *CudaGraph::add(CudaWork work) {
  nodes.push_back(std::make_unique<CudaGraphNode>());
  nodes.back()->work = std::move(work);
  return nodes.back().get();
}

std::vector<CudaGraphNode *> CudaGraph::sort() const {
  std::vector<CudaGraphNode *> order;
  std::set<const CudaGraphNode *> done;
  // As far as it can be, the order in which they were added.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto &node : nodes)
      if (!done.count(node.get()) &&
          all_of(node->dependencies,
                 [&](CudaGraphNode *other) { return done.count(other); })) {
        order.push_back(node.get());
        done.insert(node.get());
        changed = true;
      }
  }
  if (order.size() < nodes.size())
    order.clear();
  return order;
}

bool CudaCapture::take(const void *stream, CudaWork work) {
  if (!graph || !streams.count(stream))
    return false;
  // One after another, whichever of the streams it is.
  CudaGraphNode *before =
      graph->nodes.empty() ? nullptr : graph->nodes.back().get();
  CudaGraphNode *node = graph->add(std::move(work));
  if (before)
    node->dependencies = {before};
  return true;
}

namespace {
/// cudaGraphExec_t: what the nodes did when it was made, in order.
struct GraphExec {
  std::vector<std::pair<CudaGraphNode *, CudaWork>> steps;
};
struct Dim3 {
  unsigned x, y, z;
};
/// cudaKernelNodeParams
struct KernelParameters {
  const void *function;
  Dim3 grid, block;
  unsigned shared;
  void **arguments, **extra;
};
/// cudaMemsetParams
struct FillParameters {
  void *target;
  size_t pitch;
  unsigned value, elementBytes;
  size_t width, height;
};
/// cudaHostNodeParams
struct HostParameters {
  void (*function)(void *);
  void *data;
};
/// cudaMemcpy3DParms
using CopyParameters = std::array<char, 160>;
} // namespace

TILEIR_CUDA_API int cudaMemcpy3D(const void *copy);
TILEIR_CUDA_API int cudaMemcpy(void *target, const void *source, size_t bytes,
                               int kind);

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

CudaWork tileir::execution::keepLaunch(const char *name, const void *function,
                                       const runtime::GpuLaunch &launch,
                                       void **arguments) {
  auto api = CudaRuntimeApi::get();
  std::vector<std::vector<char>> values;
  auto kernel = api->getKernel(function);
  if (!kernel) {
    int error =
        api->check(name, kernel.takeError(), kCudaInvalidDeviceFunction);
    return [error] { return error; };
  }
  for (auto [i, argument] : enumerate((*kernel)->arguments)) {
    const char *bytes = static_cast<const char *>(arguments[i]);
    values.emplace_back(bytes, bytes + argument.bytes);
  }
  return [=]() mutable -> int {
    std::vector<void *> pointers;
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    auto api = CudaRuntimeApi::get();
    return api->check(name, api->launch(function, launch, pointers.data()),
                      launch.cooperative ? kCudaCooperativeLaunchTooLarge
                                         : kCudaInvalidDeviceFunction);
  };
}

static CudaWork getWork(const KernelParameters &kernel) {
  if (!kernel.arguments) {
    int error = CudaRuntimeApi::get()->fail(
        "cudaGraphAddKernelNode",
        "expected kernelParams: arguments by 'extra' are not simulated",
        kCudaNotSupported);
    return [error] { return error; };
  }
  runtime::GpuLaunch launch;
  launch.grid = {kernel.grid.x, kernel.grid.y, kernel.grid.z};
  launch.block = {kernel.block.x, kernel.block.y, kernel.block.z};
  launch.dynamicSharedBytes = kernel.shared;
  return keepLaunch("cudaGraphLaunch", kernel.function, launch,
                    kernel.arguments);
}

static CudaWork getWork(const CopyParameters &copy) {
  return [=] { return cudaMemcpy3D(&copy); };
}

static CudaWork getWork(const FillParameters &fill) {
  return [=] {
    constexpr int kHostToDevice = 1;
    std::vector<char> row(fill.width * fill.elementBytes);
    for (size_t i = 0; i < row.size(); ++i)
      row[i] = char(fill.value >> 8 * (i % fill.elementBytes));
    for (size_t y = 0; y < fill.height; ++y)
      if (int error =
              cudaMemcpy(static_cast<char *>(fill.target) + y * fill.pitch,
                         row.data(), row.size(), kHostToDevice))
        return error;
    return int(kCudaSuccess);
  };
}

static CudaWork getWork(const HostParameters &host) {
  return [=] {
    host.function(host.data);
    return int(kCudaSuccess);
  };
}

static CudaWork getWork(const std::vector<CudaGraphNode *> &order) {
  std::vector<CudaWork> steps;
  for (const CudaGraphNode *node : order)
    steps.push_back(node->work);
  return [steps] {
    for (const CudaWork &step : steps)
      if (int error = step())
        return error;
    return int(kCudaSuccess);
  };
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static int addNode(CudaGraphNode **node, CudaGraph *graph,
                   CudaGraphNode *const *dependencies, size_t count,
                   CudaWork work) {
  auto api = CudaRuntimeApi::get();
  CudaGraphNode *added = graph->add(std::move(work));
  added->dependencies.assign(dependencies, dependencies + count);
  if (node)
    *node = added;
  return kCudaSuccess;
}

TILEIR_CUDA_API int cudaGraphCreate(CudaGraph **graph, unsigned) {
  *graph = new CudaGraph;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaGraphDestroy(CudaGraph *graph) {
  delete graph;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaGraphAddKernelNode(CudaGraphNode **node,
                                           CudaGraph *graph,
                                           CudaGraphNode *const *dependencies,
                                           size_t count,
                                           const KernelParameters *kernel) {
  return addNode(node, graph, dependencies, count, getWork(*kernel));
}
TILEIR_CUDA_API int cudaGraphAddMemcpyNode(CudaGraphNode **node,
                                           CudaGraph *graph,
                                           CudaGraphNode *const *dependencies,
                                           size_t count,
                                           const CopyParameters *copy) {
  return addNode(node, graph, dependencies, count, getWork(*copy));
}
TILEIR_CUDA_API int cudaGraphAddMemcpyNode1D(
    CudaGraphNode **node, CudaGraph *graph, CudaGraphNode *const *dependencies,
    size_t count, void *target, const void *source, size_t bytes, int kind) {
  return addNode(node, graph, dependencies, count,
                 [=] { return cudaMemcpy(target, source, bytes, kind); });
}
TILEIR_CUDA_API int cudaGraphAddMemsetNode(CudaGraphNode **node,
                                           CudaGraph *graph,
                                           CudaGraphNode *const *dependencies,
                                           size_t count,
                                           const FillParameters *fill) {
  if (fill->elementBytes != 1 && fill->elementBytes != 2 &&
      fill->elementBytes != 4)
    return CudaRuntimeApi::get()->fail("cudaGraphAddMemsetNode",
                                       "expected elements of 1, 2 or 4 bytes");
  return addNode(node, graph, dependencies, count, getWork(*fill));
}
TILEIR_CUDA_API int cudaGraphAddHostNode(CudaGraphNode **node, CudaGraph *graph,
                                         CudaGraphNode *const *dependencies,
                                         size_t count,
                                         const HostParameters *host) {
  return addNode(node, graph, dependencies, count, getWork(*host));
}
TILEIR_CUDA_API int cudaGraphAddEmptyNode(CudaGraphNode **node,
                                          CudaGraph *graph,
                                          CudaGraphNode *const *dependencies,
                                          size_t count) {
  return addNode(node, graph, dependencies, count,
                 getWork(std::vector<CudaGraphNode *>()));
}
TILEIR_CUDA_API int
cudaGraphAddChildGraphNode(CudaGraphNode **node, CudaGraph *graph,
                           CudaGraphNode *const *dependencies, size_t count,
                           const CudaGraph *child) {
  return addNode(node, graph, dependencies, count, getWork(child->sort()));
}
/// `edges`, since CUDA 13, are of kinds that no sample uses.
TILEIR_CUDA_API int cudaGraphAddDependencies(CudaGraph *,
                                             CudaGraphNode *const *from,
                                             CudaGraphNode *const *to,
                                             const void *, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i]->dependencies.push_back(from[i]);
  return kCudaSuccess;
}
TILEIR_CUDA_API int
cudaGraphKernelNodeSetParams(CudaGraphNode *node,
                             const KernelParameters *kernel) {
  node->work = getWork(*kernel);
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaGraphGetNodes(const CudaGraph *graph,
                                      CudaGraphNode **nodes, size_t *count) {
  if (nodes)
    for (size_t i = 0; i < std::min(*count, graph->nodes.size()); ++i)
      nodes[i] = graph->nodes[i].get();
  *count = graph->nodes.size();
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaGraphClone(CudaGraph **clone, const CudaGraph *graph) {
  *clone = new CudaGraph;
  std::map<const CudaGraphNode *, CudaGraphNode *> copies;
  for (const auto &node : graph->nodes)
    copies[node.get()] = (*clone)->add(node->work);
  for (const auto &node : graph->nodes)
    for (const CudaGraphNode *other : node->dependencies)
      copies[node.get()]->dependencies.push_back(copies[other]);
  return kCudaSuccess;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// False: the nodes wait for each other.
static bool setSteps(GraphExec &exec, const CudaGraph &graph) {
  exec.steps.clear();
  for (CudaGraphNode *node : graph.sort())
    exec.steps.push_back({node, node->work});
  return exec.steps.size() == graph.nodes.size();
}

TILEIR_CUDA_API int cudaGraphInstantiate(GraphExec **exec,
                                         const CudaGraph *graph,
                                         unsigned long long) {
  *exec = new GraphExec;
  if (setSteps(**exec, *graph))
    return kCudaSuccess;
  return CudaRuntimeApi::get()->fail(
      "cudaGraphInstantiate", "expected nodes that do not wait for each other");
}
TILEIR_CUDA_API int cudaGraphInstantiateWithFlags(GraphExec **exec,
                                                  const CudaGraph *graph,
                                                  unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}
TILEIR_CUDA_API int cudaGraphExecDestroy(GraphExec *exec) {
  delete exec;
  return kCudaSuccess;
}
TILEIR_CUDA_API int
cudaGraphExecKernelNodeSetParams(GraphExec *exec, CudaGraphNode *node,
                                 const KernelParameters *kernel) {
  for (auto &[other, work] : exec->steps)
    if (other == node) {
      work = getWork(*kernel);
      return kCudaSuccess;
    }
  return CudaRuntimeApi::get()->fail("cudaGraphExecKernelNodeSetParams",
                                     "expected a node of the graph");
}
/// The result begins with what became of it: 0, success.
TILEIR_CUDA_API int cudaGraphExecUpdate(GraphExec *exec, const CudaGraph *graph,
                                        int *result) {
  if (result)
    *result = 0;
  return setSteps(*exec, *graph) ? kCudaSuccess : kCudaInvalidValue;
}
TILEIR_CUDA_API int cudaGraphUpload(GraphExec *, void *) {
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaGraphLaunch(GraphExec *exec, void *stream) {
  auto run = [steps = exec->steps] {
    for (const auto &step : steps)
      if (int error = step.second())
        return error;
    return int(kCudaSuccess);
  };
  if (CudaRuntimeApi::get()->capture.take(stream, run))
    return kCudaSuccess;
  return run(); // not while the runtime is locked: nodes may call the host
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

TILEIR_CUDA_API int cudaStreamBeginCapture(void *stream, int) {
  auto api = CudaRuntimeApi::get();
  constexpr int kNotCapturable = 900;
  if (!stream || api->capture.graph)
    return api->fail("cudaStreamBeginCapture",
                     stream ? "expected one capture at a time"
                            : "expected a stream that was created, found the "
                              "default stream",
                     CudaError(kNotCapturable));
  api->capture = {};
  api->capture.graph = std::make_unique<CudaGraph>();
  api->capture.origin = stream;
  api->capture.streams = {stream};
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaStreamEndCapture(void *stream, CudaGraph **graph) {
  auto api = CudaRuntimeApi::get();
  constexpr int kUnmatched = 903;
  if (!api->capture.graph || api->capture.origin != stream)
    return api->fail("cudaStreamEndCapture",
                     "expected the stream that the capture began with",
                     CudaError(kUnmatched));
  *graph = api->capture.graph.release();
  api->capture = {};
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaStreamIsCapturing(void *stream, int *status) {
  auto api = CudaRuntimeApi::get();
  *status = api->capture.graph && api->capture.streams.count(stream);
  return kCudaSuccess;
}
