//===- Fake.h - What the fake libraries have in common ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Device" memory is of the host. What a test wants to go wrong is a list of
// names: of functions of libraries, or what begins the name of a kernel.
//   TILEIR_FAKE_WRONG  one element of the result is wrong
//   TILEIR_FAKE_FAIL   the call gives an error
//   TILEIR_FAKE_HANG   it does not end
//   TILEIR_FAKE_CRASH  it ends the process
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_LAUNCHER_FAKE_H
#define TILEIR_TEST_LAUNCHER_FAKE_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace fake {

/// Whether a word of the environment's `variable` begins `name`.
inline bool isListed(const char *variable, const std::string &name) {
  const char *given = std::getenv(variable);
  std::istringstream words(given ? given : "");
  std::string word;
  while (words >> word)
    if (name.compare(0, word.size(), word) == 0)
      return true;
  return false;
}

inline bool mustFail(const std::string &name) {
  return isListed("TILEIR_FAKE_FAIL", name);
}

/// A number as f32, from a table: without instructions for f16 a conversion is
/// a call, and sums would take most of the tests' time.
inline float toFloat(_Float16 number) {
  static const std::vector<float> table = [] {
    std::vector<float> values;
    for (unsigned bits = 0; bits < 1 << 16; ++bits) {
      auto half = uint16_t(bits);
      _Float16 value;
      std::memcpy(&value, &half, sizeof half);
      values.push_back(float(value));
    }
    return values;
  }();
  uint16_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return table[bits];
}

/// Makes an element of a result wrong if the test wants it so.
inline void spoil(const std::string &name, _Float16 &element) {
  if (isListed("TILEIR_FAKE_WRONG", name))
    element = element + _Float16(1);
}

} // namespace fake

#endif // TILEIR_TEST_LAUNCHER_FAKE_H
