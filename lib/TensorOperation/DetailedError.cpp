//===- DetailedError.cpp - Errors that point at something -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DetailedError.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::tensor_operation;

char DetailedError::ID = 0;

void DetailedError::log(raw_ostream &os) const { os << message; }

std::error_code DetailedError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

std::pair<std::string, ErrorDetails>
tensor_operation::takeDetails(Error error) {
  ErrorDetails details = {ErrorDetails::Kind::Compilation};
  std::string message;
  error = handleErrors(std::move(error), [&](const DetailedError &detailed) {
    details = detailed.getDetails();
    message = detailed.getMessage();
  });
  // Those without details, if there are any.
  return {message + toString(std::move(error)), details};
}
