//===- Error.h - What went wrong --------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_ERROR_H
#define TILEIR_LAUNCH_ERROR_H

#include <string>
#include <utility>

namespace tileir::launch {

/// A failure with its message, or success. It stands in place of exceptions,
/// which code around a compiler is often built without.
class [[nodiscard]] Error {
public:
  Error() = default;
  explicit Error(std::string message) : message(std::move(message)) {}
  /// Whether something went wrong.
  explicit operator bool() const { return !message.empty(); }
  const std::string &getMessage() const { return message; }

private:
  std::string message;
};

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_ERROR_H
