//===- Library.h - A library that is opened at run time ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the driver: no header of the library is needed to build, and its absence
// is an error like others.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_LIBRARY_H
#define TILEIR_BENCHMARKS_LIBRARY_H

#include "tileir-launch/Error.h"

#include <dlfcn.h>
#include <initializer_list>
#include <type_traits>

namespace tileir::bench {

using launch::Error;

class Library {
public:
  /// The first of `files` that is there.
  explicit Library(std::initializer_list<const char *> files) {
    for (const char *file : files)
      if (!handle)
        handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  }

  explicit operator bool() const { return handle != nullptr; }

  /// Looks a function up. Gives the library, false from the first function on
  /// that it lacks: whether all were found is seen at the end.
  template <typename Function>
  Library &find(Function &function, const char *name) {
    if (handle)
      function = reinterpret_cast<Function>(dlsym(handle, name));
    if (handle && !function)
      handle = nullptr;
    return *this;
  }

private:
  void *handle = nullptr;
};

/// The error that a status other than 0 stands for. `call` is what gave it.
inline Error checkStatus(int status, const char *call) {
  return status == 0
             ? Error()
             : Error(std::string(call) + ": status " + std::to_string(status));
}

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_LIBRARY_H
