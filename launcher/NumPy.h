//===- NumPy.h - Arrays of tile-launch --------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files of NumPy in C order, and arrays that are drawn. bf16, which NumPy has
// not, is V2, as for tile-run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_NUMPY_H
#define TILEIR_LAUNCH_NUMPY_H

#include "tileir-launch/Manifest.h"

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

/// NumPy's name for the elements of a type, without the order of bytes.
inline std::string getNumPyType(const std::string &type) {
  if (type == "i1")
    return "b1";
  if (type == "bf16")
    return "V2";
  return (isFloat(type) ? "f" : "i") + std::to_string(getElementBytes(type));
}

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
  auto fail = [&](const std::string &what) {
    return Error("'" + path + "': expected " + what);
  };
  std::string file;
  if (Error error = readFile(path, file))
    return error;
  if (file.size() < 12 || file.compare(0, 6, "\x93NUMPY") != 0)
    return fail("a file of NumPy");
  auto byte = [&](size_t i) { return size_t(uint8_t(file[i])); };
  bool isFirst = byte(6) == 1;
  size_t begin = isFirst ? 10 : 12;
  size_t length = byte(8) | byte(9) << 8;
  if (!isFirst)
    length |= byte(10) << 16 | byte(11) << 24;
  if (length > file.size() - begin)
    return fail("its header to be whole");
  std::string header = file.substr(begin, length);
  auto after = [&](const std::string &key) {
    size_t found = header.find("'" + key + "':");
    return found == std::string::npos ? std::string()
                                      : header.substr(found + key.size() + 3);
  };
  std::string descr = after("descr");
  descr = descr.substr(0, descr.find(','));
  if (descr.find(getNumPyType(type) + "'") == std::string::npos ||
      descr.find('>') != std::string::npos)
    return fail("elements of type " + type + ", found" + descr);
  if (after("fortran_order").find("False") > 1)
    return fail("C order; numpy.ascontiguousarray makes it");
  std::string shape = after("shape");
  size_t open = shape.find('('), close = shape.find(')');
  if (open == std::string::npos || close == std::string::npos)
    return fail("a shape in its header");
  array = {type, {}, ""};
  const char *text = shape.c_str() + open + 1, *end = shape.c_str() + close;
  double numBytes = double(getElementBytes(type));
  while (text < end) {
    char *next = nullptr;
    int64_t size = std::strtoll(text, &next, 10);
    if (next != text) {
      array.shape.push_back(size);
      numBytes *= double(size);
      text = next;
    } else {
      ++text;
    }
  }
  if (numBytes != double(file.size() - begin - length))
    return fail("as many bytes as its shape says");
  array.bytes = file.substr(begin + length);
  return Error();
}

inline Error writeNumPy(const std::string &path, const Array &array) {
  std::string header = "{'descr': '";
  header +=
      getElementBytes(array.type) == 1 || array.type == "bf16" ? "|" : "<";
  header += getNumPyType(array.type) + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    header += std::to_string(size) + ", ";
  header += "), }";
  // The elements begin at a multiple of 64.
  constexpr size_t kPrefix = 10;
  header.append(63 - (kPrefix + header.size()) % 64, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\1' << '\0' << char(header.size() & 255)
       << char(header.size() >> 8) << header << array.bytes;
  file.close();
  return file ? Error() : Error("cannot write '" + path + "'");
}

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_NUMPY_H
