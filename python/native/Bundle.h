//===- Bundle.h - Kernels built ahead of time for Python --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bundle that tile-translate wrote, by the library of launcher/: it needs no
// LLVM, and the driver of a GPU for launches alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_PYTHON_NATIVE_BUNDLE_H
#define TILEIR_PYTHON_NATIVE_BUNDLE_H

#include <nanobind/nanobind.h>

namespace tileir::python {

/// Defines the class Bundle of a module.
void defineBundle(nanobind::module_ &module);

} // namespace tileir::python

#endif // TILEIR_PYTHON_NATIVE_BUNDLE_H
