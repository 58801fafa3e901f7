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

#include <cstdlib>
#include <sstream>
#include <string>

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

/// Makes an element of a result wrong if the test wants it so.
inline void spoil(const std::string &name, _Float16 &element) {
  if (isListed("TILEIR_FAKE_WRONG", name))
    element = element + _Float16(1);
}

} // namespace fake

#endif // TILEIR_TEST_LAUNCHER_FAKE_H
