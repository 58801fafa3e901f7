//===- DetailedError.h - Errors that point at something ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_DETAILEDERROR_H
#define TILEIR_LIB_TENSOROPERATION_DETAILEDERROR_H

#include "tileir/TensorOperation/TensorOperation.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::tensor_operation {

/// An error that knows which input, axis and characters it is about.
class DetailedError : public llvm::ErrorInfo<DetailedError> {
public:
  static char ID;

  DetailedError(std::string message, ErrorDetails details)
      : message(std::move(message)), details(details) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
  const ErrorDetails &getDetails() const { return details; }
  const std::string &getMessage() const { return message; }

private:
  std::string message;
  ErrorDetails details;
};

/// An error at `details`, with the message that `format` and `parts` make.
template <typename... Parts>
llvm::Error failAt(ErrorDetails details, const char *format, Parts &&...parts) {
  return llvm::make_error<DetailedError>(
      llvm::formatv(format, std::forward<Parts>(parts)...).str(), details);
}

/// The message and the details of an error. One without details is a failed
/// compilation: all that users can mend has some.
std::pair<std::string, ErrorDetails> takeDetails(llvm::Error error);

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_DETAILEDERROR_H
