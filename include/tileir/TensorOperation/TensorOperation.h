//===- TensorOperation.h - Operations compiled for this CPU -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor operation, described by its loops (as the tensor operation backend
// of mini_jit is) or by an einsum specification and shapes, becomes a function
// on pointers. Operations are kept, and found by their whole description. This
// header needs neither MLIR nor LLVM; tileir-c/TensorOperation.h is the same in
// C, where the meaning of the fields is given.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TENSOROPERATION_TENSOROPERATION_H
#define TILEIR_TENSOROPERATION_TENSOROPERATION_H

#include "tileir/Dialect/Einsum/IR/ContractionDim.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tileir::runtime {
class JitCode;
} // namespace tileir::runtime

namespace tileir::tensor_operation {
class OperationCompiler;
class TableChecks;
} // namespace tileir::tensor_operation

namespace tileir {

/// Elements of the tensors of an operation. The last three are for contractions
/// by a specification, I64 for their tables alone.
enum class OperationType {
  F32,
  F64,
  F16,
  BF16,
  I32,
  I8,
  F8E4M3FN,
  F8E5M2,
  I64
};

/// The dimension of a contraction that a loop belongs to.
using einsum::ContractionDim;

/// The execution of a dimension: by a loop, by threads, or in the kernel.
enum class DimExecution { Seq, Shared, Prim };

/// The operation at the first touch of a block of the output, the one that is
/// applied to it, and the one at the last touch.
enum class Primitive {
  None,
  Zero,
  Load,
  Bias,
  Copy,
  Add,
  Sub,
  Mul,
  Div,
  Min,
  Max,
  Gemm,
  Brgemm,
  Relu
};

/// An operation by its loops, the outermost first. All vectors have an entry
/// per dimension, but stridesIn1 of a copy, and stridesBias without a bias, are
/// empty. Strides count elements.
struct OperationDescription {
  OperationType type = OperationType::F32;
  Primitive firstTouch = Primitive::Zero;
  Primitive main = Primitive::Gemm;
  Primitive lastTouch = Primitive::None;
  std::vector<ContractionDim> dimTypes;
  std::vector<DimExecution> execTypes;
  std::vector<int64_t> dimSizes;
  std::vector<int64_t> stridesIn0, stridesIn1, stridesOut, stridesBias;
  /// Whether what is Seq may be reordered, fused, split and made primitives.
  bool optimize = false;
  /// Most threads; 0: as many as there are cores.
  int threads = 0;
};

/// A table that a specification looks up in, row-major.
struct TableDescription {
  std::string name;
  /// I32 or I64.
  OperationType type = OperationType::I32;
  std::vector<int64_t> shape;
};

/// A contraction by its specification and the shapes of its inputs.
struct EinsumDescription {
  std::string spec;
  /// The type of the result, and of inputs that have no other.
  OperationType type = OperationType::F32;
  std::vector<std::vector<int64_t>> shapes;
  /// Of indices that no shape tells, as in "r=3,s=3".
  std::string sizes;
  /// "none", "zero", or empty: none.
  std::string padding;
  Primitive firstTouch = Primitive::Zero;
  Primitive lastTouch = Primitive::None;
  /// Per index of the result.
  std::vector<int64_t> stridesBias;
  /// Most threads; 0: as many as there are cores.
  int threads = 0;
  /// Of each input, in elements per axis; those of a row-major one may be left
  /// empty, all of them too.
  std::vector<std::vector<int64_t>> strides;
  /// Per index of the result; empty: row-major.
  std::vector<int64_t> stridesOut;
  /// Of each input; empty: `type`.
  std::vector<OperationType> inputTypes;
  /// Where products and sums are formed; none: as einsum.contract has it.
  std::optional<OperationType> accumulator;
  /// All tables, in the order of inputs; empty: those of the specification as
  /// it names them, I32, of the sizes of their indices.
  std::vector<TableDescription> tables;
  /// Whether what tile-tune found to be fastest is used, where it is known: by
  /// the path of its file of results, empty for that of the user.
  std::optional<std::string> tuned;
};

/// What is wrong with a description or a table, for programs that point at it.
struct ErrorDetails {
  enum class Kind {
    None,
    Description,
    Specification,
    Shape,
    Compilation,
    Table
  };
  Kind kind = Kind::None;
  /// The input, tables after operands, and its axis; -1: none.
  int operand = -1, axis = -1;
  /// The characters of the specification, from 0; -1: none.
  int64_t position = -1, length = 0;
};

/// What became of requests for operations since the start of the process.
struct CacheStatistics {
  size_t hits = 0, misses = 0;
  /// How many operations are kept, and may be.
  size_t size = 0, limit = 0;
};

/// Seconds that the steps of a compilation took.
struct CompileTimes {
  /// Making the module and choosing its schedule.
  double schedule = 0;
  /// Lowering it to the LLVM dialect.
  double lowering = 0;
  /// Translating to LLVM IR, and optimizing that.
  double translation = 0;
  /// Generating machine code.
  double codeGeneration = 0;
  /// Making that code callable.
  double linking = 0;

  double getTotal() const {
    return schedule + lowering + translation + codeGeneration + linking;
  }
};

/// A compiled operation. All members may be called from several threads at the
/// same time.
class TensorOperation {
public:
  using Pointer = std::shared_ptr<const TensorOperation>;

  /// Compiles what `description` tells, or finds it compiled. Where that cannot
  /// be, returns null, and `message` tells what was expected and found.
  static Pointer create(const OperationDescription &description,
                        std::string &message, ErrorDetails *details = nullptr);
  static Pointer create(const EinsumDescription &description,
                        std::string &message, ErrorDetails *details = nullptr);

  /// The text of a program that does what the operation does, which tile-tune
  /// measures; empty if there is none, and `message` tells why.
  static std::string printProgram(const EinsumDescription &description,
                                  std::string &message,
                                  ErrorDetails *details = nullptr);

  /// Whether tables lead to no read outside and to no divisor below 1, as
  /// runChecked verifies, where the contraction runs elsewhere.
  static bool checkTables(const EinsumDescription &description,
                          const void *const *tables, std::string &message,
                          ErrorDetails *details = nullptr);

  /// Forgets compiled operations; those that are in use stay until they are
  /// not.
  static void clearCache();

  /// Keeps at most `operations`, those that were asked for last.
  static void setCacheLimit(size_t operations);

  static CacheStatistics getCacheStatistics();

  ~TensorOperation();
  TensorOperation(const TensorOperation &) = delete;
  TensorOperation &operator=(const TensorOperation &) = delete;

  /// Runs it: nothing but a call of compiled code. `inputs` are the operands,
  /// then the tables (i32, row-major), then the bias. `output` overlaps none.
  void operator()(const void *const *inputs, void *output) const {
    function(inputs, output);
  }

  /// Runs it if its tables lead to no read outside and to no divisor below 1.
  /// If they do, nothing runs, false is returned, and `message` and `details`
  /// tell of the first.
  bool runChecked(const void *const *inputs, void *output, std::string &message,
                  ErrorDetails *details = nullptr) const;

  size_t getNumInputs() const { return numInputs; }

  /// By its loops: the sizes of all dimensions that the output has, in order of
  /// their strides, the largest first. By a specification: of the indices of
  /// the result, as these are ordered; the output is row-major.
  const std::vector<int64_t> &getOutputShape() const { return outputShape; }

  const CompileTimes &getCompileTimes() const { return times; }

  /// Multiplications and additions of its contractions, in the order that was
  /// chosen.
  double getFlops() const { return flops; }

  /// The specifications of its contractions, one a line, in that order.
  const std::string &getContractions() const { return contractions; }

  /// Its schedule as text (#einsum.schedule); that of the last contraction if
  /// there are several.
  const std::string &getSchedule() const { return schedule; }

  /// What tile-tune had found for it, options of einsum-choose-schedule; "auto"
  /// if that is what is chosen without, and empty where nothing was known, or
  /// asked for.
  const std::string &getTuned() const { return tuned; }

private:
  friend class tensor_operation::OperationCompiler;
  TensorOperation();

  void (*function)(const void *const *, void *) = nullptr;
  size_t numInputs = 0;
  std::vector<int64_t> outputShape;
  CompileTimes times;
  double flops = 0;
  std::string schedule, contractions, tuned;
  std::unique_ptr<const tensor_operation::TableChecks> tableChecks;
  std::unique_ptr<runtime::JitCode> code;
};

} // namespace tileir

#endif // TILEIR_TENSOROPERATION_TENSOROPERATION_H
