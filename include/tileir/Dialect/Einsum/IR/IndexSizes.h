//===- IndexSizes.h - Sizes of indices --------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The size of each index as the shapes of a contraction tell it, or where it
// is found at run time.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_INDEXSIZES_H
#define TILEIR_DIALECT_EINSUM_IR_INDEXSIZES_H

#include "tileir/Dialect/Einsum/IR/IndexRange.h"

namespace tileir::einsum {

/// Where the size of one index is found.
struct IndexSize {
  enum class Source {
    Unknown,   // nothing tells it
    Attribute, // the `sizes` attribute
    Axis,      // axis `axis` of `value`, which is this index alone
    Window     // the largest that keeps axis `axis` of `value` inside
  };
  Source source = Source::Unknown;
  mlir::Value value;
  unsigned axis = 0;
  /// The size if it is static, otherwise ShapedType::kDynamic.
  int64_t size = mlir::ShapedType::kDynamic;
  /// Window: which input `value` is.
  unsigned operand = 0;

  bool isStatic() const { return !mlir::ShapedType::isDynamic(size); }
};

/// The sizes of all indices of a contraction. Contradictions go to `emitError`
/// (null: they are not reported), which makes this fail.
mlir::FailureOr<llvm::SmallVector<IndexSize>>
inferIndexSizes(SpecAttr spec, mlir::ValueRange inputs, mlir::ValueRange tables,
                mlir::Value outs, mlir::ShapedType resultType,
                mlir::DictionaryAttr sizes, bool padded,
                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
mlir::FailureOr<llvm::SmallVector<IndexSize>> inferIndexSizes(
    ContractOp op,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError = nullptr);

/// The static sizes of all indices; ShapedType::kDynamic where unknown.
llvm::SmallVector<int64_t> getStaticIndexSizes(ContractOp op);

/// Gives the size of an axis of a value.
using GetDim =
    llvm::function_ref<mlir::OpFoldResult(mlir::Value value, unsigned axis)>;

/// The sizes of all indices as constants or index values, which are created at
/// the builder's insertion point. They are affine symbols where dims of the
/// operands are. `getDim`, if given, gives the dynamic ones of these.
llvm::SmallVector<mlir::OpFoldResult> reifyIndexSizes(mlir::OpBuilder &builder,
                                                      ContractOp op,
                                                      GetDim getDim = nullptr);

/// What the size of an axis is taken from: pointwise ops take those of their
/// results from the first operand that runs along the axis. Ends at an axis of
/// static size or of what no pointwise op computes.
std::pair<mlir::Value, unsigned> getSizeSource(mlir::Value value,
                                               unsigned axis);

/// The size of an axis of a tensor, without a use of what pointwise ops and
/// contractions compute. `getDim` gives the dynamic sizes of all else.
mlir::OpFoldResult reifyDim(mlir::OpBuilder &builder, mlir::Value value,
                            unsigned axis, GetDim getDim);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_INDEXSIZES_H
