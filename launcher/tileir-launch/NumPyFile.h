//===- NumPyFile.h - The format of NumPy's files ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one reader and writer of .npy files (NEP 1, format versions 1 to 3), in
// plain C++, for tile-launch and for tileir::readNumPy. The format is a magic
// string, a version, the length of a header, the header (a Python dictionary
// literal of dtype, order and shape) and the raw elements. Read: C order, both
// byte orders, dtypes b1, i1, i2, i4, i8, f2, f4, f8, and those that ml_dtypes
// writes for types that NumPy has not: V2 for bf16, V1 for f8E4M3FN and f1 for
// f8E5M2. Written: version 1, little endian; f8E5M2 as V1, since NumPy cannot
// read f1. So V1 may be either f8, and who reads it says which. Also read are
// u1, u2, u4, u8, for who takes integers without signs. The file may be
// hostile: nothing is trusted before it was checked.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_NUMPYFILE_H
#define TILEIR_LAUNCH_NUMPYFILE_H

#include "tileir-launch/Error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tileir::launch {

/// A type of elements: NumPy's name, ours, the order of bytes that is written.
struct NumPyType {
  std::string_view dtype, type;
  char order;
  size_t bytes;
};

inline constexpr NumPyType kNumPyTypes[] = {
    {"b1", "i1", '|', 1},       {"i1", "i8", '|', 1},
    {"i2", "i16", '<', 2},      {"i4", "i32", '<', 4},
    {"i8", "i64", '<', 8},      {"f2", "f16", '<', 2},
    {"f4", "f32", '<', 4},      {"V2", "bf16", '|', 2},
    {"f8", "f64", '<', 8},      {"i8", "index", '<', 8},
    {"V1", "f8E4M3FN", '|', 1}, {"V1", "f8E5M2", '|', 1},
    {"f1", "f8E5M2", '<', 1},   {"u1", "ui8", '|', 1},
    {"u2", "ui16", '<', 2},     {"u4", "ui32", '<', 4},
    {"u8", "ui64", '<', 8}};

/// A file in memory, checked: `elements` are as many bytes as the shape has.
struct NumPyFile {
  std::string dtype; ///< as in the file, with the order of bytes
  NumPyType type;
  std::vector<int64_t> shape;
  std::string_view elements;

  /// Copies the elements to `data`, in this machine's order of bytes.
  void copyElements(char *data) const {
    std::copy(elements.begin(), elements.end(), data);
    // True is 1 and nothing else, for compiled code.
    if (type.type == "i1")
      for (size_t i = 0; i < elements.size(); ++i)
        data[i] = data[i] != 0;
    if (dtype.front() == '>')
      for (size_t i = 0; i < elements.size(); i += type.bytes)
        std::reverse(data + i, data + i + type.bytes);
  }
};

/// Parses a file of NumPy. Errors begin with its name.
class NumPyParser {
public:
  NumPyParser(std::string_view contents, std::string name)
      : contents(contents), name(std::move(name)) {}

  Error parse(NumPyFile &file) {
    if (Error error = splitHeader())
      return error;
    bool isFortran = false;
    if (Error error = parseHeader(file, isFortran))
      return error;
    std::string_view dtype = file.dtype;
    if (!dtype.empty() && std::strchr("<>|=", dtype.front()))
      dtype.remove_prefix(1);
    auto type = std::find_if(std::begin(kNumPyTypes), std::end(kNumPyTypes),
                             [&](auto &type) { return type.dtype == dtype; });
    if (type == std::end(kNumPyTypes))
      return fail(
          "dtype '" + file.dtype +
          "' is not supported: expected b1, i1, i2, i4, i8, f2, f4, "
          "f8, V2 for bf16, or V1 for f8; convert with numpy.astype, or "
          "with view('V1') bytes that are f8");
    file.type = *type;
    if (isFortran && file.shape.size() > 1)
      return fail("Fortran order is not supported: expected C order; convert "
                  "with numpy.ascontiguousarray");
    file.elements = contents;
    return checkSize(file);
  }

private:
  Error fail(const std::string &message) const {
    return Error(name + ": " + message);
  }

  Error expected(const std::string &what) const {
    return fail("malformed NumPy header: expected " + what + ", found \"" +
                std::string(rest.substr(0, 20)) + "\"");
  }

  /// Leaves the header in `rest` and the elements in `contents`.
  Error splitHeader() {
    constexpr std::string_view magic("\x93NUMPY");
    if (contents.substr(0, magic.size()) != magic)
      return fail("not a NumPy file: expected it to begin with \\x93NUMPY");
    contents.remove_prefix(magic.size());
    if (contents.size() < 4)
      return fail("truncated NumPy file: expected a version and a header");
    unsigned version = uint8_t(contents[0]);
    if (version < 1 || version > 3)
      return fail("NumPy format version " + std::to_string(version) +
                  " is not known: expected 1 to 3");
    contents.remove_prefix(2);
    size_t width = version == 1 ? 2 : 4, length = 0;
    if (contents.size() < width)
      return fail("truncated NumPy file: expected the length of its header");
    for (size_t i = 0; i < width; ++i)
      length |= size_t(uint8_t(contents[i])) << (8 * i);
    contents.remove_prefix(width);
    if (contents.size() < length)
      return fail("truncated NumPy file: expected a header of " +
                  std::to_string(length) + " bytes, found " +
                  std::to_string(contents.size()));
    rest = contents.substr(0, length);
    contents.remove_prefix(length);
    return Error();
  }

  Error parseHeader(NumPyFile &file, bool &isFortran) {
    std::vector<std::string> keys;
    if (!consume('{'))
      return expected("'{'");
    while (!consume('}')) {
      std::string key;
      if (!parseString(key) || !consume(':'))
        return expected("a key such as 'descr'");
      if (std::find(keys.begin(), keys.end(), key) != keys.end())
        return expected("the key '" + key + "' only once");
      keys.push_back(key);
      bool isRead = false;
      if (key == "descr")
        isRead = parseString(file.dtype);
      else if (key == "fortran_order")
        isRead = parseBool(isFortran);
      else if (key == "shape")
        isRead = parseShape(file.shape);
      else
        return expected("one of the keys 'descr', 'fortran_order', 'shape'");
      if (!isRead)
        return expected("a plain dtype, True or False, or a tuple of sizes "
                        "after '" +
                        key + "'");
      if (!consume(',') && rest.substr(0, 1) != "}")
        return expected("',' or '}'");
    }
    if (keys.size() != 3)
      return expected("the keys 'descr', 'fortran_order' and 'shape'");
    return rest.empty() ? Error() : expected("nothing after '}'");
  }

  Error checkSize(const NumPyFile &file) const {
    int64_t bytes = int64_t(file.type.bytes);
    bool fits = true;
    std::string shape;
    for (int64_t size : file.shape) {
      fits = fits && !__builtin_mul_overflow(bytes, size, &bytes);
      shape += std::to_string(size) + "x";
    }
    auto found = int64_t(file.elements.size());
    if (fits && bytes == found)
      return Error();
    return fail(std::string(fits && bytes < found ? "malformed" : "truncated") +
                " NumPy file: expected " +
                (fits ? std::to_string(bytes) : "2^63 or more") +
                " bytes of elements for " + shape +
                std::string(file.type.type) + ", found " +
                std::to_string(found));
  }

  void skipSpace() {
    size_t begin = rest.find_first_not_of(" \t\n\v\f\r");
    rest.remove_prefix(std::min(begin, rest.size()));
  }

  bool consume(char c) {
    skipSpace();
    bool found = !rest.empty() && rest.front() == c;
    if (found)
      rest.remove_prefix(1);
    skipSpace();
    return found;
  }

  bool consumeWord(std::string_view word) {
    if (rest.substr(0, word.size()) != word)
      return false;
    rest.remove_prefix(word.size());
    skipSpace();
    return true;
  }

  bool parseString(std::string &value) {
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return false;
    size_t end = rest.find(rest.front(), 1);
    if (end == std::string_view::npos)
      return false;
    value = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    skipSpace();
    return true;
  }

  bool parseBool(bool &value) {
    value = consumeWord("True");
    return value || consumeWord("False");
  }

  bool parseShape(std::vector<int64_t> &shape) {
    if (!consume('('))
      return false;
    bool hasComma = true; // (3) is a number, (3,) a tuple
    while (!consume(')')) {
      int64_t size = 0;
      size_t digits = 0;
      for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9';
           ++digits)
        if (__builtin_mul_overflow(size, int64_t(10), &size) ||
            __builtin_add_overflow(size, int64_t(rest[digits] - '0'), &size))
          return false;
      if (digits == 0)
        return false;
      rest.remove_prefix(digits);
      shape.push_back(size);
      hasComma = consume(',');
      if (!hasComma && rest.substr(0, 1) != ")")
        return false;
    }
    return hasComma || shape.size() > 1;
  }

  std::string_view contents;
  std::string name;
  std::string_view rest;
};

/// All that stands before the elements of a file, in version 1 of the format.
template <typename Shape>
std::string makeNumPyHeader(std::string_view type, const Shape &shape) {
  auto found = std::find_if(std::begin(kNumPyTypes), std::end(kNumPyTypes),
                            [&](auto &entry) { return entry.type == type; });
  std::string header = "{'descr': '";
  header += found->order;
  header += std::string(found->dtype) + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : shape)
    header += std::to_string(size) + ",";
  header += "), }";
  // The elements begin at a multiple of 64 bytes; the header ends in a newline.
  constexpr size_t prefix = 10;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string begin("\x93NUMPY\x01\x00", 8);
  begin += char(header.size() & 255);
  begin += char(header.size() >> 8);
  return begin + header;
}

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_NUMPYFILE_H
