//===- FieldChecks.h - Rules for fields of descriptions ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks that descriptions of both kinds share.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_FIELDCHECKS_H
#define TILEIR_LIB_TENSOROPERATION_FIELDCHECKS_H

#include "DetailedError.h"
#include "Validation.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <array>

namespace tileir::tensor_operation {

/// The number of types of loops, of operands of contractions, and of all.
constexpr size_t kNumLoopTypes = 6, kNumOperandTypes = 8;

/// What may stand at the first and at the last touch.
constexpr std::array kFirst = {Primitive::None, Primitive::Zero,
                               Primitive::Load, Primitive::Bias};
constexpr std::array kLast = {Primitive::None, Primitive::Relu};

/// An error in the fields of a description.
template <typename... Parts>
llvm::Error fail(const char *format, Parts &&...parts) {
  return failAt({ErrorDetails::Kind::Description}, format,
                std::forward<Parts>(parts)...);
}

/// Checks that `value` is one of `names`.
template <typename Enum>
llvm::Error checkEnum(const std::string &field, Enum value,
                      llvm::ArrayRef<const char *> names) {
  auto number = static_cast<int64_t>(value);
  if (number >= 0 && number < static_cast<int64_t>(names.size()))
    return llvm::Error::success();
  return fail("expected {0} to be one of {1}, found the value {2}", field,
              llvm::join(names, ", "), number);
}

/// Checks that `type` is one of the first `count` ones.
llvm::Error checkType(llvm::StringRef field, OperationType type, size_t count);

/// Checks that the primitive `value` stands at the right place.
llvm::Error checkPlace(llvm::StringRef field, Primitive value,
                       llvm::ArrayRef<Primitive> allowed);

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_FIELDCHECKS_H
