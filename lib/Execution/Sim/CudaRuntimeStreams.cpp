//===- CudaRuntimeStreams.cpp - Streams, for the CUDA runtime
//--------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeApi.h"

#include <algorithm>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

static int createStream(void **stream) {
  *stream = new int(0); // an address of its own
  return kCudaSuccess;
}

TILEIR_CUDA_API int cudaStreamCreate(void **stream) {
  return createStream(stream);
}
TILEIR_CUDA_API int cudaStreamCreateWithFlags(void **stream, unsigned) {
  return createStream(stream);
}
TILEIR_CUDA_API int cudaStreamCreateWithPriority(void **stream, unsigned, int) {
  return createStream(stream);
}
TILEIR_CUDA_API int cudaStreamDestroy(void *stream) {
  delete static_cast<int *>(stream);
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaStreamSynchronize(void *) {
  return CudaRuntimeApi::get()->synchronize();
}
TILEIR_CUDA_API int cudaStreamQuery(void *) {
  return CudaRuntimeApi::get()->synchronize();
}
/// A stream that waits for an event of a captured one is captured with it.
TILEIR_CUDA_API int cudaStreamWaitEvent(void *stream, void *event, unsigned) {
  auto api = CudaRuntimeApi::get();
  if (api->capture.events.count(event))
    api->capture.streams.insert(stream);
  return kCudaSuccess;
}

// An event is the time at which it was recorded.
TILEIR_CUDA_API int cudaEventCreate(double **event) {
  *event = new double(0);
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaEventCreateWithFlags(double **event, unsigned) {
  return cudaEventCreate(event);
}
TILEIR_CUDA_API int cudaEventDestroy(double *event) {
  delete event;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaEventRecord(double *event, void *stream) {
  auto api = CudaRuntimeApi::get();
  auto note = [event] {
    *event = CudaRuntimeApi::get()->microseconds;
    return int(kCudaSuccess);
  };
  if (!api->capture.graph || !api->capture.streams.count(stream))
    return note();
  api->capture.events.insert(event);
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaEventSynchronize(double *) {
  return CudaRuntimeApi::get()->synchronize();
}
TILEIR_CUDA_API int cudaEventQuery(double *) {
  return CudaRuntimeApi::get()->synchronize();
}
TILEIR_CUDA_API int cudaEventElapsedTime(float *milliseconds, double *begin,
                                         double *end) {
  // Programs divide by it.
  *milliseconds = std::max(float((*end - *begin) / 1000), 1e-6f);
  return kCudaSuccess;
}

// Host functions of a stream are called at once.
TILEIR_CUDA_API int cudaStreamAddCallback(void *stream,
                                          void (*callback)(void *, int, void *),
                                          void *data, unsigned) {
  // Not while the runtime is locked: it may wait for other threads.
  int status = CudaRuntimeApi::get()->synchronize();
  callback(stream, status, data);
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaLaunchHostFunc(void *stream, void (*function)(void *),
                                       void *data) {
  auto call = [=] {
    function(data);
    return int(kCudaSuccess);
  };
  if (CudaRuntimeApi::get()->capture.take(stream, call))
    return kCudaSuccess;
  function(data);
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaStreamSetAttribute() { return kCudaSuccess; }
TILEIR_CUDA_API int cudaStreamGetPriority(void *, int *priority) {
  *priority = 0;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaDeviceGetStreamPriorityRange(int *least,
                                                     int *greatest) {
  *least = *greatest = 0;
  return kCudaSuccess;
}
