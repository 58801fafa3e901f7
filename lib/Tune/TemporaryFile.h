//===- TemporaryFile.h - A file that is removed -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TUNE_TEMPORARYFILE_H
#define TILEIR_LIB_TUNE_TEMPORARYFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tileir::tune {

/// A file that is removed in the end.
struct TemporaryFile {
  llvm::SmallString<128> path;
  llvm::FileRemover remover;

  llvm::Error create(llvm::StringRef suffix) {
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("tile-tune", suffix, path))
      return llvm::createStringError("cannot make a temporary file: " +
                                     error.message());
    remover.setFile(path);
    return llvm::Error::success();
  }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
};

} // namespace tileir::tune

#endif // TILEIR_LIB_TUNE_TEMPORARYFILE_H
