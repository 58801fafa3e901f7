//===- RunProgram.h - Programs in tests of the interpreter ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs programs given as text on arrays, and captures results or errors.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_INTERPRETER_RUNPROGRAM_H
#define TILEIR_TEST_UNIT_INTERPRETER_RUNPROGRAM_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Interpreter/Interpreter.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

namespace tileir::test {

using namespace mlir;
using namespace runtime;
using K = ElementKind;
using Doubles = std::vector<double>;
using Shape = std::vector<int64_t>;

//===----------------------------------------------------------------------===//
// Running programs
//===----------------------------------------------------------------------===//

inline MLIRContext &getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registry.insert<affine::AffineDialect, amx::AMXDialect, arith::ArithDialect,
                    bufferization::BufferizationDialect, cf::ControlFlowDialect,
                    einsum::EinsumDialect, func::FuncDialect,
                    linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect,
                    tensor::TensorDialect, tile::TileDialect, ub::UBDialect,
                    vector::VectorDialect, x86vector::X86VectorDialect>();
    auto *result = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    return result;
  }();
  return *context;
}

/// What a program gave: results, or the text of its errors.
struct Outcome {
  std::vector<NDArray> results;
  int64_t longestReduction = 0;
  std::string error;
};

/// Runs the first function of `program`, which may write to its arguments, by
/// `execute`.
inline Outcome
runBy(StringRef program,
      llvm::function_ref<FailureOr<InterpreterResult>(func::FuncOp)> execute) {
  Outcome outcome;
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
    outcome.error += diagnostic.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(program, &getContext());
  if (!module) {
    ADD_FAILURE() << "does not parse: " << outcome.error << "\n"
                  << program.str();
    return outcome;
  }
  auto result = execute(*module->getOps<func::FuncOp>().begin());
  EXPECT_EQ(failed(result), !outcome.error.empty()) << outcome.error;
  if (succeeded(result)) {
    outcome.results.assign(result->results.begin(), result->results.end());
    outcome.longestReduction = result->longestReduction;
  }
  return outcome;
}

inline Outcome runInPlace(StringRef program,
                          MutableArrayRef<NDArray> arguments) {
  return runBy(program, [&](func::FuncOp function) {
    return interpret(function, arguments);
  });
}

using Grid = std::array<int64_t, 3>;

/// Runs the first function of `program`, a kernel, on a grid, forwards and
/// backwards, which must not make a difference.
inline Outcome runKernel(StringRef program, Grid grid,
                         std::vector<NDArray> &arguments) {
  std::vector<NDArray> copies = arguments;
  auto runOn = [&](std::vector<NDArray> &arrays, bool reverse) {
    return runBy(program, [&](func::FuncOp kernel) {
      InterpreterOptions options;
      options.reverseGrid = reverse;
      return interpretKernel(kernel, grid, arrays, options);
    });
  };
  Outcome outcome = runOn(arguments, /*reverse=*/false);
  Outcome reversed = runOn(copies, /*reverse=*/true);
  EXPECT_EQ(outcome.error.empty(), reversed.error.empty()) << reversed.error;
  if (outcome.error.empty())
    for (auto [array, copy] : llvm::zip_equal(arguments, copies))
      EXPECT_EQ(llvm::ArrayRef(array.getData(), array.getNumBytes()),
                llvm::ArrayRef(copy.getData(), copy.getNumBytes()));
  return outcome;
}

inline std::string kernelError(StringRef program, Grid grid,
                               std::vector<NDArray> arguments) {
  return runKernel(program, grid, arguments).error;
}

inline Outcome run(StringRef program, std::vector<NDArray> arguments = {}) {
  return runInPlace(program, arguments);
}

inline NDArray array(K kind, Shape shape, const Doubles &values) {
  NDArray result(kind, shape);
  EXPECT_EQ(result.getNumElements(), int64_t(values.size()));
  for (auto [i, value] : llvm::enumerate(values)) {
    if (isFloat(kind))
      result.setDouble(i, value);
    else
      result.setInteger(i, static_cast<int64_t>(value));
  }
  return result;
}

inline NDArray scalar(K kind, double value) { return array(kind, {}, {value}); }
inline NDArray integer(K kind, int64_t value) {
  NDArray result(kind, {});
  result.setInteger(0, value);
  return result;
}

/// Small integers, none of which is the same as its neighbours.
inline NDArray numbers(K kind, Shape shape) {
  NDArray result(kind, shape);
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    if (isFloat(kind))
      result.setDouble(i, i * 7 % 13 - 6);
    else
      result.setInteger(i, i * 7 % 13 - 6);
  }
  return result;
}

inline Doubles valuesOf(const NDArray &array) {
  Doubles values;
  for (int64_t i = 0; i < array.getNumElements(); ++i)
    values.push_back(isFloat(array.getKind()) ? array.getDouble(i)
                                              : double(array.getInteger(i)));
  return values;
}

/// The values of the only result.
inline Doubles only(const Outcome &outcome) {
  EXPECT_EQ(outcome.error, "");
  if (outcome.results.size() != 1) {
    ADD_FAILURE() << "has " << outcome.results.size() << " results";
    return {};
  }
  return valuesOf(outcome.results.front());
}

inline std::string typeOf(const NDArray &array) {
  std::string text = shapeToString(array.getShape(), array.getKind());
  return array.getShape().empty() ? text : "tensor<" + text + ">";
}

/// The function `%r = op`, of arguments %0, %1, ...
inline std::string function(StringRef op, ArrayRef<NDArray> arguments,
                            StringRef resultType) {
  std::string text = "func.func @f(";
  for (auto [i, argument] : llvm::enumerate(arguments))
    text += (i ? ", %" : "%") + std::to_string(i) + ": " + typeOf(argument);
  return text + ") -> " + resultType.str() + " {\n%r = " + op.str() +
         "\nreturn %r : " + resultType.str() + "\n}";
}

/// Applies one op; the type of the result is the last word of `op`.
inline NDArray apply(StringRef op, std::vector<NDArray> arguments,
                     StringRef resultType = "") {
  if (resultType.empty())
    resultType = op.substr(op.find_last_of(' ') + 1);
  auto outcome = run(function(op, arguments, resultType), arguments);
  EXPECT_EQ(outcome.error, "");
  return outcome.results.empty() ? NDArray(K::F64, {1}) : outcome.results[0];
}

inline double real(StringRef op, std::vector<NDArray> arguments,
                   StringRef resultType = "") {
  return apply(op, std::move(arguments), resultType).getDouble(0);
}

inline int64_t whole(StringRef op, std::vector<NDArray> arguments,
                     StringRef resultType = "") {
  return apply(op, std::move(arguments), resultType).getInteger(0);
}

inline std::string errorOf(StringRef op, std::vector<NDArray> arguments,
                           StringRef resultType = "") {
  if (resultType.empty())
    resultType = op.substr(op.find_last_of(' ') + 1);
  return run(function(op, arguments, resultType), arguments).error;
}

inline std::string runForError(StringRef program,
                               std::vector<NDArray> arguments = {}) {
  return run(program, std::move(arguments)).error;
}

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

} // namespace tileir::test

#endif // TILEIR_TEST_UNIT_INTERPRETER_RUNPROGRAM_H
