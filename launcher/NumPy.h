//===- NumPy.h - Arrays of tile-launch --------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays from files of NumPy, and arrays that are drawn.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_NUMPY_H
#define TILEIR_LAUNCH_NUMPY_H

#include "tileir-launch/Manifest.h"
#include "tileir-launch/NumPyFile.h"

#include <random>

namespace tileir::launch {

struct Array {
  std::string type;
  std::vector<int64_t> shape;
  std::string bytes;

  int64_t getNumElements() const {
    int64_t number = 1;
    for (int64_t size : shape)
      number *= size;
    return number;
  }
};

inline Array makeZeros(const std::string &type, std::vector<int64_t> shape) {
  Array array{type, std::move(shape), ""};
  array.bytes.assign(size_t(array.getNumElements()) * getElementBytes(type),
                     '\0');
  return array;
}

/// Small whole numbers, with which sums are exact.
inline Array drawArray(const std::string &type, std::vector<int64_t> shape,
                       std::mt19937_64 &generator) {
  Array array = makeZeros(type, std::move(shape));
  size_t width = getElementBytes(type);
  for (size_t i = 0; i < array.bytes.size(); i += width) {
    int64_t number = int64_t(generator() % 9) - 4;
    uint64_t bits = getBits(type, double(type == "i1" ? number & 1 : number));
    std::memcpy(&array.bytes[i], &bits, width);
  }
  return array;
}

/// Reads a file whose elements have to be of `type`.
inline Error readNumPy(const std::string &path, const std::string &type,
                       Array &array) {
  std::string contents;
  if (Error error = readFile(path, contents))
    return error;
  NumPyFile file;
  if (Error error = NumPyParser(contents, "'" + path + "'").parse(file))
    return error;
  // Files do not tell i64 from index.
  // Files do not tell one f8 from another (see NumPyFile.h).
  bool isF8 = type == "f8E5M2" && file.type.type == "f8E4M3FN";
  if (!isF8 && file.type.type != (type == "index" ? "i64" : type))
    return Error("'" + path + "': expected elements of type " + type +
                 ", found '" + file.dtype + "'");
  array = makeZeros(type, file.shape);
  file.copyElements(array.bytes.data());
  return Error();
}

inline Error writeNumPy(const std::string &path, const Array &array) {
  std::ofstream file(path, std::ios::binary);
  file << makeNumPyHeader(array.type, array.shape) << array.bytes;
  file.close();
  return file ? Error() : Error("cannot write '" + path + "'");
}

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_NUMPY_H
