//===- NumPy.cpp - NumPy array files --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts NumPy's files to arrays and back. The format itself is read and
// written by tileir-launch/NumPyFile.h, for tile-launch as well.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/NumPy.h"

#include "tileir-launch/NumPyFile.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

static ElementKind getKind(StringRef type) {
  return StringSwitch<ElementKind>(type)
      .Case("i1", ElementKind::I1)
      .Case("i8", ElementKind::I8)
      .Case("i16", ElementKind::I16)
      .Case("i32", ElementKind::I32)
      .Case("i64", ElementKind::I64)
      .Case("f8E4M3FN", ElementKind::F8E4M3FN)
      .Case("f8E5M2", ElementKind::F8E5M2)
      .Case("f16", ElementKind::F16)
      .Case("bf16", ElementKind::BF16)
      .Case("f32", ElementKind::F32)
      .Case("f64", ElementKind::F64);
}

Expected<NDArray> runtime::parseNumPy(StringRef contents, StringRef name,
                                      UnsignedIntegers unsignedIntegers) {
  launch::NumPyFile file;
  if (launch::Error error =
          launch::NumPyParser(contents, name.str()).parse(file))
    return createStringError(error.getMessage());
  StringRef type = file.type.type;
  if (type.consume_front("u") && unsignedIntegers == UnsignedIntegers::Refuse)
    return createStringError(name + ": dtype '" + file.dtype +
                             "' is not supported: expected integers with "
                             "signs; convert with numpy.astype");
  NDArray array(getKind(type), file.shape);
  file.copyElements(reinterpret_cast<char *>(array.getData()));
  return array;
}

Expected<NDArray> runtime::readNumPy(StringRef path,
                                     UnsignedIntegers unsignedIntegers) {
  // Devices have no end.
  if (sys::fs::get_file_type(path) == sys::fs::file_type::character_file)
    return createStringError("cannot read '" + path +
                             "': expected a file, found a device");
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  return parseNumPy((*buffer)->getBuffer(), path, unsignedIntegers);
}

Error runtime::writeNumPy(StringRef path, const NDArray &array) {
  std::string header = launch::makeNumPyHeader(getElementName(array.getKind()),
                                               array.getShape());
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (!error) {
    os << header;
    os.write(reinterpret_cast<const char *>(array.getData()),
             array.getNumBytes());
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return createStringError("cannot write '" + path + "': " + error.message());
  return Error::success();
}
