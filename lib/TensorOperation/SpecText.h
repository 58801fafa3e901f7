//===- SpecText.h - Places in the text of a specification -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parsed specification has no places, and may have exchanged what it adds
// up. This finds in the text what errors point at and what order tables have.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_SPECTEXT_H
#define TILEIR_LIB_TENSOROPERATION_SPECTEXT_H

#include "tileir/TensorOperation/TensorOperation.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tileir::tensor_operation {

/// The terms, axes and names of a text. One that is no specification has some,
/// too; places that it does not have are empty.
class SpecText {
public:
  explicit SpecText(llvm::StringRef text);

  /// Tables, in the order in which they are first named.
  llvm::ArrayRef<llvm::StringRef> getTables() const { return tables; }

  /// Indices of the result that no operand uses.
  llvm::ArrayRef<char> getUnusedResultIndices() const { return unused; }

  /// The text with blanks instead of these indices of the result: all else
  /// stays where it is.
  std::string withoutResultIndices(llvm::ArrayRef<char> indices) const;

  /// Errors of shapes, about a term, an axis, an index or a table.
  ErrorDetails atTerm(size_t operand) const;
  ErrorDetails atAxis(size_t operand, size_t axis) const;
  ErrorDetails atIndex(char index) const;
  ErrorDetails atTable(llvm::StringRef table) const;

private:
  struct Term {
    llvm::StringRef text;
    llvm::SmallVector<llvm::StringRef> axes;
  };

  void scanTerm(llvm::StringRef term);
  void scanAxis(llvm::StringRef axis);
  ErrorDetails at(llvm::StringRef part, int operand = -1, int axis = -1) const;

  llvm::StringRef text, result;
  llvm::SmallVector<Term> terms;
  llvm::SmallVector<llvm::StringRef> tables;
  /// The first place of each index.
  llvm::SmallVector<llvm::StringRef> indices;
  llvm::SmallVector<char> unused;
};

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_SPECTEXT_H
