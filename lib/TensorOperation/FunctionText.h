//===- FunctionText.h - The function of an operation as text ----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_FUNCTIONTEXT_H
#define TILEIR_LIB_TENSOROPERATION_FUNCTIONTEXT_H

#include "Validation.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace tileir {

/// A tensor in memory by the letters it moves along. Its axes are the letters
/// by stride, the largest first.
struct LetterLayout {
  llvm::SmallVector<char> letters;
  llvm::SmallVector<int64_t> sizes, strides;

  /// Adds a letter, which is put to its place by `finish`.
  void add(char letter, int64_t size, int64_t stride);
  /// Sorts the axes. An axis of size 1 has whatever stride fits.
  void finish();

  /// Whether each axis follows the next one without gaps.
  bool isDense() const;
  /// From the first element to beyond the last one.
  int64_t getExtent() const;

  /// As a term of a specification: the letters, or, where there are gaps, the
  /// offset, so that the operand is one axis.
  std::string getTerm() const;
  std::string getFlatShape() const;
  /// The axes as "4x8x", with gaps told by strides.
  std::string getShape() const;
  std::string getStrides() const;
};

/// An operand of the function.
struct FunctionInput {
  /// Without "memref<" and ">": "4x8xf32, strided<[16, 1]>".
  std::string memref;
  /// As a tensor: "4x8xf32".
  std::string tensor;
};

/// What the function computes.
struct FunctionText {
  OperationType type;
  /// Of the contraction: "mk, kn -> mn".
  std::string spec;
  /// Attributes of the contraction, as "{pad = \"zero\"}", or empty.
  std::string attributes;
  /// Operands of the contraction.
  llvm::SmallVector<FunctionInput> operands;
  /// Names and types of tables.
  llvm::SmallVector<std::pair<std::string, std::string>> tables;
  LetterLayout output;
  /// Where another operand is combined with the result: None or Add, ..., Max.
  Primitive combine = Primitive::None;
  /// Whether that other operand is the left one.
  bool isLeft = false;
  /// The other operand, or the bias.
  LetterLayout other;
  bool load = false, bias = false, relu = false;
  /// Whether passes still have to make kernels: on tensors, without a kernel.
  bool isPlain = false;

  /// Whether there is anything but the contraction.
  bool isFused() const {
    return combine != Primitive::None || load || bias || relu;
  }
  size_t getNumInputs() const {
    return operands.size() + tables.size() +
           (combine != Primitive::None || bias);
  }
  /// The type of elements: "f32".
  llvm::StringRef getElementName() const;
  std::string print() const;
};

} // namespace tileir

#endif // TILEIR_LIB_TENSOROPERATION_FUNCTIONTEXT_H
