//===- Primitives.h - Parts of a kernel on the CPU --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the kernel of a contraction: what a block of the result starts
// from, what is computed, and what is done to a finished block. They follow
// from the contraction and the pointwise ops of the einsum.kernel around it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_ANALYSIS_PRIMITIVES_H
#define TILEIR_DIALECT_EINSUM_ANALYSIS_PRIMITIVES_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

/// Places between the elements of a vector up to which all between are loaded,
/// too, and those that count taken by one operation for two vectors.
inline constexpr int64_t kMostStride = 4;
/// The same of elements of less than 32 bits in vectors of 512, which no
/// instruction gathers.
inline constexpr int64_t kMostNarrowStride = 16;

/// The least number of elements side by side, of those that tables lead to,
/// that are copied by vectors: others are gathered.
inline constexpr int64_t kLeastRun = 4;

/// What a block of the result starts from: nothing, where nothing is summed; 0;
/// an operand that is added to the sum; or such an operand that is broadcast.
enum class Initialization { None, Zero, Load, Bias };

/// What the kernel computes: a copy of one operand, also a permuted one; its
/// sum; an operand combined with another one; a sum of products; or a sum of
/// such sums.
enum class MainPrimitive {
  Copy,
  Sum,
  Add,
  Sub,
  Mul,
  Div,
  Min,
  Max,
  Gemm,
  Brgemm
};

/// What is done to a finished block: nothing, a maximum with 0, or any other
/// pointwise ops.
enum class Epilogue { None, Relu, Fused };

llvm::StringRef stringify(Initialization initialization);
llvm::StringRef stringify(MainPrimitive main);
llvm::StringRef stringify(Epilogue epilogue);

struct Primitives {
  Initialization initialization;
  MainPrimitive main;
  Epilogue epilogue;

  bool startsFromOperand() const {
    return initialization == Initialization::Load ||
           initialization == Initialization::Bias;
  }
};

/// The primitives of `op` with its schedule.
Primitives getPrimitives(ContractOp op);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_ANALYSIS_PRIMITIVES_H
