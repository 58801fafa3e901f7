//===- CublasLt.cpp - Products with an epilogue by cuBLASLt ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in Cublas.cpp, the transposes are multiplied, so that a bias per row of
// cuBLASLt's result is one per column of ours.
//
//===----------------------------------------------------------------------===//

#include "CublasLt.h"

using namespace tileir::bench;

/// What NVIDIA advises for Hopper, and more than others need.
static constexpr size_t kWorkspaceBytes = size_t(32) << 20;

CublasLt::~CublasLt() {
  if (handle)
    functions.destroy(handle);
}

Error CublasLt::open() {
  Library library(
      {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"});
  Functions &f = functions;
  if (!library.find(f.create, "cublasLtCreate")
           .find(f.destroy, "cublasLtDestroy")
           .find(f.getVersion, "cublasLtGetVersion")
           .find(f.createProduct, "cublasLtMatmulDescCreate")
           .find(f.destroyProduct, "cublasLtMatmulDescDestroy")
           .find(f.setProduct, "cublasLtMatmulDescSetAttribute")
           .find(f.createLayout, "cublasLtMatrixLayoutCreate")
           .find(f.destroyLayout, "cublasLtMatrixLayoutDestroy")
           .find(f.createPreference, "cublasLtMatmulPreferenceCreate")
           .find(f.destroyPreference, "cublasLtMatmulPreferenceDestroy")
           .find(f.setPreference, "cublasLtMatmulPreferenceSetAttribute")
           .find(f.choose, "cublasLtMatmulAlgoGetHeuristic")
           .find(f.multiply, "cublasLtMatmul"))
    return Error();
  if (Error error = checkStatus(f.create(&handle), "cublasLtCreate"))
    return error;
  return workspace.allocate(kWorkspaceBytes);
}

EpilogueProduct::~EpilogueProduct() {
  const CublasLt::Functions &f = library.functions;
  for (void *layout : layouts)
    if (layout)
      f.destroyLayout(layout);
  if (descriptor)
    f.destroyProduct(descriptor);
}

Error EpilogueProduct::describe(const Product &product) {
  constexpr int kF16 = 2, kF32 = 0, kCompute32F = 68;
  constexpr int kTransposeA = 3, kTransposeB = 4;
  const CublasLt::Functions &f = library.functions;
  if (Error error = checkStatus(f.createProduct(&descriptor, kCompute32F, kF32),
                                "cublasLtMatmulDescCreate"))
    return error;
  // Its A is our B.
  int transposes[] = {product.isBTransposed, product.isATransposed};
  for (int i : {0, 1})
    if (Error error = checkStatus(
            f.setProduct(descriptor, i == 0 ? kTransposeA : kTransposeB,
                         &transposes[i], sizeof(int)),
            "cublasLtMatmulDescSetAttribute"))
      return error;
  auto [m, n, k, isATransposed, isBTransposed] = product;
  int64_t sizes[3][2] = {{isBTransposed ? k : n, isBTransposed ? n : k},
                         {isATransposed ? m : k, isATransposed ? k : m},
                         {n, m}};
  for (int i : {0, 1, 2})
    if (Error error =
            checkStatus(f.createLayout(&layouts[i], kF16, uint64_t(sizes[i][0]),
                                       uint64_t(sizes[i][1]), sizes[i][0]),
                        "cublasLtMatrixLayoutCreate"))
      return error;
  return Error();
}

Error EpilogueProduct::choose() {
  constexpr int kMaxWorkspaceBytes = 1;
  const CublasLt::Functions &f = library.functions;
  void *preference = nullptr;
  if (Error error = checkStatus(f.createPreference(&preference),
                                "cublasLtMatmulPreferenceCreate"))
    return error;
  int numChoices = 0;
  int status = f.setPreference(preference, kMaxWorkspaceBytes, &kWorkspaceBytes,
                               sizeof(kWorkspaceBytes));
  if (status == 0)
    status =
        f.choose(library.handle, descriptor, layouts[0], layouts[1], layouts[2],
                 layouts[2], preference, 1, &choice, &numChoices);
  f.destroyPreference(preference);
  if (status == 0 && numChoices == 0)
    return Error("cuBLASLt has no algorithm for it");
  return checkStatus(status ? status : choice.status,
                     "cublasLtMatmulAlgoGetHeuristic");
}

Error EpilogueProduct::prepareBiasRelu(const Product &product, DevicePtr bias) {
  constexpr int kEpilogue = 7, kBiasPointer = 8, kReluBias = 6;
  if (Error error = describe(product))
    return error;
  const CublasLt::Functions &f = library.functions;
  if (Error error = checkStatus(
          f.setProduct(descriptor, kEpilogue, &kReluBias, sizeof(kReluBias)),
          "cublasLtMatmulDescSetAttribute"))
    return error;
  if (Error error = checkStatus(
          f.setProduct(descriptor, kBiasPointer, &bias, sizeof(bias)),
          "cublasLtMatmulDescSetAttribute"))
    return error;
  return choose();
}

Error EpilogueProduct::prepareSum(const Product &product) {
  addedFactor = 1;
  if (Error error = describe(product))
    return error;
  return choose();
}

Error EpilogueProduct::multiply(DevicePtr a, DevicePtr b, DevicePtr added,
                                DevicePtr c) const {
  const float one = 1;
  return checkStatus(
      library.functions.multiply(
          library.handle, descriptor, &one, b, layouts[0], a, layouts[1],
          &addedFactor, added, layouts[2], c, layouts[2], choice.algorithm,
          library.workspace.value({}).bits, kWorkspaceBytes, nullptr),
      "cublasLtMatmul");
}
