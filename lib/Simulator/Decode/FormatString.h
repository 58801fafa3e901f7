//===- FormatString.h -------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversions of a format of printf, as the device has them: what each
// takes from the arguments.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_DECODE_FORMATSTRING_H
#define TILEIR_LIB_SIMULATOR_DECODE_FORMATSTRING_H

#include <string>
#include <vector>

namespace tileir::sim {

/// Text, and then one conversion, if there is any.
struct FormatPart {
  std::string text;       ///< before it, with "%%" as "%"
  std::string conversion; ///< "%-*.2llx"; empty: only text
  unsigned stars = 0;     ///< widths and precisions that are arguments, i32
  bool isWide = false;    ///< the value has 8 bytes, not 4
  char kind = 0;          ///< its last letter
};

/// The parts of a format; false: there is a conversion that is not known.
bool parseFormat(const std::string &format, std::vector<FormatPart> &parts);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_DECODE_FORMATSTRING_H
