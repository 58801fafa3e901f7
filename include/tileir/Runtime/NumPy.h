//===- NumPy.h - NumPy array files ------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing .npy files (NEP 1, format versions 1 to 3). Read: C
// order, both byte orders, dtypes b1, i1, i2, i4, i8, f2, f4, f8 and V2, which
// stands for bf16 since NumPy has no such type. Refused with a message: Fortran
// order, other dtypes, anything malformed or truncated. Written: version 1,
// little endian.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_NUMPY_H
#define TILEIR_RUNTIME_NUMPY_H

#include "tileir/Runtime/NDArray.h"
#include "llvm/Support/Error.h"

namespace tileir::runtime {

/// What becomes of integers without signs, which arrays do not have.
enum class UnsignedIntegers {
  Refuse,
  Bits ///< they are read as integers of the same bits
};

/// Reads the file at `path`. Errors name the path.
llvm::Expected<NDArray>
readNumPy(llvm::StringRef path,
          UnsignedIntegers unsignedIntegers = UnsignedIntegers::Refuse);

/// Reads the contents of a file; `name` stands for it in errors.
llvm::Expected<NDArray>
parseNumPy(llvm::StringRef contents, llvm::StringRef name,
           UnsignedIntegers unsignedIntegers = UnsignedIntegers::Refuse);

/// Writes `array` to `path`. Errors name the path.
llvm::Error writeNumPy(llvm::StringRef path, const NDArray &array);

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_NUMPY_H
