// The sum of integers, block by block, as a whole program in CUDA C++. No GPU and no nvcc is needed:
//
//   build/bin/tile-run examples/cuda/sum.cu --backend=sim --chip=sm_80 --args=1000
//
// Without the barrier in the loop (--clang-arg=-DFORGET) the simulator names the two lines that race.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                                   \
  if (cudaError_t error = call) {                                                                                     \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                                              \
    std::exit(2);                                                                                                     \
  }

__device__ int total;

template <int N> __global__ void sum(const int *x, int n) {
  __shared__ int parts[N];
  int i = blockIdx.x * N + threadIdx.x;
  parts[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int half = N / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
#ifndef FORGET
    __syncthreads();
#endif
  }
  if (threadIdx.x == 0)
    atomicAdd(&total, parts[0]);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = i;
  int *device, result;
  CHECK(cudaMalloc(&device, n * sizeof(int)));
  CHECK(cudaMemcpy(device, x.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  sum<256><<<(n + 255) / 256, 256>>>(device, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyFromSymbol(&result, total, sizeof result));
  CHECK(cudaFree(device));
  std::printf("the sum of 0 to %d is %d\n", n - 1, result);
  return result == n * (n - 1) / 2 ? 0 : 1;
}
