//===- TableChecks.h - Reads that tables lead to ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_TABLECHECKS_H
#define TILEIR_LIB_TENSOROPERATION_TABLECHECKS_H

#include "SpecText.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include <optional>

namespace tileir::tensor_operation {

/// Verifies, before an operation runs, that its tables lead to no read outside
/// and to no divisor below 1. Each entry is looked at once.
class TableChecks {
public:
  /// `tables` are names and types in the order of inputs.
  TableChecks(const EinsumDescription &description, const SpecText &text,
              einsum::SpecAttr spec, llvm::ArrayRef<int64_t> sizes,
              llvm::ArrayRef<std::pair<std::string, OperationType>> tables);

  struct Failure {
    std::string message;
    ErrorDetails details;
  };
  /// The first read or divisor that is wrong; `inputs` are those of the
  /// operation.
  std::optional<Failure> check(const void *const *inputs) const;

private:
  struct Interval {
    int64_t min, max;
  };
  /// A part of an axis; parts of it stand before it.
  struct Node {
    enum Kind { Constant, Index, Table, Add, Mul, Div, Mod } kind;
    /// The constant, or the number of the index.
    int64_t value = 0;
    size_t lhs = 0, rhs = 0;
    /// Table: its input, whether it is of I64, and each index with its stride.
    size_t input = 0;
    bool isWide = false;
    llvm::SmallVector<std::pair<unsigned, int64_t>> strides;
  };
  struct Axis {
    std::vector<Node> nodes;
    /// The size that reads have to stay in; none if they are padded.
    std::optional<int64_t> size;
    /// Indices in brackets, and the others.
    llvm::SmallVector<unsigned> lookedUp, plain;
    ErrorDetails details;
    std::string text;
  };

  size_t addNode(Axis &axis, mlir::AffineExpr expr);
  std::string describe(llvm::ArrayRef<unsigned> indices,
                       llvm::ArrayRef<Interval> point) const;
  std::optional<Failure> checkAxis(const Axis &axis,
                                   const void *const *inputs) const;
  std::optional<std::string> checkPoint(const Axis &axis,
                                        const void *const *inputs,
                                        llvm::ArrayRef<Interval> point) const;

  einsum::SpecAttr spec;
  llvm::SmallVector<int64_t> sizes;
  size_t numOperands;
  llvm::SmallVector<std::pair<std::string, OperationType>> tables;
  std::string indices;
  std::vector<Axis> axes;
};

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_TABLECHECKS_H
