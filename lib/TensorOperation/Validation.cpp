//===- Validation.cpp - Rules for descriptions ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for descriptions by loops. Each check tells one mistake, in the order
// in which a reader of the description would find them: values that are no
// values, lengths, sizes and strides of each dimension, and then what
// dimensions are together.
//
//===----------------------------------------------------------------------===//

#include "FieldChecks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace llvm;
using namespace tileir;
using namespace tileir::tensor_operation;

/// The number of indices.
static constexpr size_t kMaxDims = 52;

static constexpr std::array kTypes = {
    "F32", "F64", "F16", "BF16", "I32", "I8", "F8E4M3FN", "F8E5M2", "I64"};
static constexpr std::array kRoles = {"C", "M", "N", "K"};
static constexpr std::array kExecutions = {"SEQ", "SHARED", "PRIM"};
static constexpr std::array kPrimitives = {
    "NONE", "ZERO", "LOAD", "BIAS", "COPY", "ADD",    "SUB",
    "MUL",  "DIV",  "MIN",  "MAX",  "GEMM", "BRGEMM", "RELU"};

StringRef tensor_operation::getName(OperationType type) {
  return kTypes[static_cast<size_t>(type)];
}
StringRef tensor_operation::getName(ContractionDim role) {
  return kRoles[static_cast<size_t>(role)];
}
StringRef tensor_operation::getName(DimExecution execution) {
  return kExecutions[static_cast<size_t>(execution)];
}
StringRef tensor_operation::getName(Primitive primitive) {
  return kPrimitives[static_cast<size_t>(primitive)];
}

bool tensor_operation::isNarrow(OperationType type) {
  return type == OperationType::F16 || type == OperationType::BF16 ||
         type == OperationType::I8 || type == OperationType::F8E4M3FN ||
         type == OperationType::F8E5M2;
}

bool tensor_operation::isProduct(Primitive main) {
  return main == Primitive::Gemm || main == Primitive::Brgemm;
}

unsigned tensor_operation::getNumOperands(Primitive main) {
  return main == Primitive::Copy ? 1 : 2;
}

Error tensor_operation::checkPlace(StringRef field, Primitive value,
                                   ArrayRef<Primitive> allowed) {
  if (Error error = checkEnum(field.str(), value, ArrayRef(kPrimitives)))
    return error;
  if (is_contained(allowed, value))
    return Error::success();
  SmallVector<StringRef> names;
  for (Primitive primitive : allowed)
    names.push_back(getName(primitive));
  return fail("expected {0} to be one of {1}, found {2}", field,
              join(names, ", "), getName(value));
}

Error tensor_operation::checkType(StringRef field, OperationType type,
                                  size_t count) {
  return checkEnum(field.str(), type, ArrayRef(kTypes).take_front(count));
}

static constexpr std::array kMain = {
    Primitive::Copy, Primitive::Add,  Primitive::Sub,
    Primitive::Mul,  Primitive::Div,  Primitive::Min,
    Primitive::Max,  Primitive::Gemm, Primitive::Brgemm};

namespace {
/// The checks of one description.
struct Validator {
  const OperationDescription &description;

  size_t getNumDims() const { return description.dimTypes.size(); }
  int64_t getSize(size_t dim) const { return description.dimSizes[dim]; }
  ContractionDim getRole(size_t dim) const { return description.dimTypes[dim]; }

  /// The name of a dimension in messages.
  std::string name(size_t dim) const {
    return formatv("dimension {0} ({1}, size {2})", dim, getName(getRole(dim)),
                   getSize(dim));
  }

  size_t countPrims(bool summed) const {
    return count_if(seq<size_t>(0, getNumDims()), [&](size_t dim) {
      return description.execTypes[dim] == DimExecution::Prim &&
             (getRole(dim) == ContractionDim::K) == summed;
    });
  }

  Error checkValues() const;
  Error checkLengths() const;
  Error checkSizes() const;
  Error checkExtent(StringRef field, ArrayRef<int64_t> strides) const;
  Error checkRoles() const;
  Error checkOutput() const;
  Error checkExecution() const;
  Error checkKernel() const;
  Error checkTouches() const;
};
} // namespace

Error Validator::checkValues() const {
  if (Error error = checkType("type", description.type, kNumLoopTypes))
    return error;
  if (Error error = checkPlace("first_touch", description.firstTouch, kFirst))
    return error;
  if (Error error = checkPlace("main", description.main, kMain))
    return error;
  if (Error error = checkPlace("last_touch", description.lastTouch, kLast))
    return error;
  for (auto [dim, role] : enumerate(description.dimTypes))
    if (Error error =
            checkEnum(formatv("dim_types[{0}]", dim), role, ArrayRef(kRoles)))
      return error;
  for (auto [dim, execution] : enumerate(description.execTypes))
    if (Error error = checkEnum(formatv("exec_types[{0}]", dim), execution,
                                ArrayRef(kExecutions)))
      return error;
  if (description.threads < 0)
    return fail("expected threads to be positive, or 0 for all cores, found "
                "{0}",
                description.threads);
  bool isInteger = description.type == OperationType::I32 ||
                   description.type == OperationType::I8;
  if (description.main == Primitive::Div && isInteger)
    return fail("expected a float type for DIV, found {0}",
                getName(description.type));
  return Error::success();
}

Error Validator::checkLengths() const {
  size_t numDims = getNumDims();
  if (numDims == 0 || numDims > kMaxDims)
    return fail("expected between 1 and {0} dimensions, found {1}", kMaxDims,
                numDims);
  auto check = [&](StringRef field, size_t size) -> Error {
    if (size == numDims)
      return Error::success();
    return fail("expected {0} to have {1} entries, as many as dim_types, found "
                "{2}",
                field, numDims, size);
  };
  auto checkEmpty = [&](StringRef field, StringRef reason,
                        size_t size) -> Error {
    if (size == 0)
      return Error::success();
    return fail("expected {0} to be empty, for {1}, found {2} entries", field,
                reason, size);
  };
  if (Error error = check("exec_types", description.execTypes.size()))
    return error;
  if (Error error = check("dim_sizes", description.dimSizes.size()))
    return error;
  if (Error error = check("strides_in0", description.stridesIn0.size()))
    return error;
  if (Error error = description.main == Primitive::Copy
                        ? checkEmpty("strides_in1", "COPY has one operand",
                                     description.stridesIn1.size())
                        : check("strides_in1", description.stridesIn1.size()))
    return error;
  if (Error error = check("strides_out", description.stridesOut.size()))
    return error;
  return description.firstTouch == Primitive::Bias
             ? check("strides_bias", description.stridesBias.size())
             : checkEmpty("strides_bias", "first_touch is not BIAS",
                          description.stridesBias.size());
}

/// Checks that offsets fit, in bytes.
Error Validator::checkExtent(StringRef field, ArrayRef<int64_t> strides) const {
  int64_t extent = 8;
  for (auto [dim, stride] : enumerate(strides)) {
    if (stride < 0)
      return fail("expected {0}[{1}] not to be negative, found {2}", field, dim,
                  stride);
    int64_t bytes;
    if (MulOverflow<int64_t>(getSize(dim) - 1, stride, bytes) ||
        MulOverflow<int64_t>(bytes, 8, bytes) ||
        AddOverflow<int64_t>(extent, bytes, extent))
      return fail("expected offsets of 64 bits, found {0}[{1}] = {2} at a "
                  "dimension of size {3}",
                  field, dim, stride, getSize(dim));
  }
  return Error::success();
}

Error Validator::checkSizes() const {
  for (auto [dim, size] : enumerate(description.dimSizes))
    if (size <= 0)
      return fail("expected dim_sizes[{0}] to be positive, found {1}", dim,
                  size);
  for (auto [field, strides] :
       {std::pair<StringRef, const std::vector<int64_t> *>(
            "strides_in0", &description.stridesIn0),
        {"strides_in1", &description.stridesIn1},
        {"strides_out", &description.stridesOut},
        {"strides_bias", &description.stridesBias}})
    if (Error error = checkExtent(field, *strides))
      return error;
  return Error::success();
}

/// Checks that dimensions move in the operands that their roles say. One of
/// size 1 moves nowhere, whatever its strides.
Error Validator::checkRoles() const {
  bool product = isProduct(description.main);
  bool isUnary = description.main == Primitive::Copy;
  for (size_t dim = 0; dim < getNumDims(); ++dim) {
    ContractionDim role = getRole(dim);
    if (!product && role == ContractionDim::K)
      return fail(
          "expected no dimension of type K, for {0} does not sum, found "
          "{1}",
          getName(description.main), name(dim));
    if (getSize(dim) == 1)
      continue;
    bool in0 = description.stridesIn0[dim] != 0;
    bool in1 = !isUnary && description.stridesIn1[dim] != 0;
    bool out = description.stridesOut[dim] != 0;
    auto mismatch = [&](StringRef expected) {
      return fail("expected {0} {1}, found strides {2}, {3}, {4}", name(dim),
                  expected, description.stridesIn0[dim],
                  isUnary ? 0 : description.stridesIn1[dim],
                  description.stridesOut[dim]);
    };
    if (role == ContractionDim::K) {
      if (out)
        return mismatch("to have stride 0 in out, for it is summed");
      if (!in0 && !in1)
        return mismatch("to have a stride in in0 or in1");
      continue;
    }
    if (!out)
      return mismatch(product ? "to have a stride in out; one that is summed "
                                "is of type K"
                              : "to have a stride in out");
    if (product) {
      bool fits = role == ContractionDim::Batch ? in0 && in1
                  : role == ContractionDim::M   ? in0 && !in1
                                                : !in0 && in1;
      if (!fits)
        return mismatch(role == ContractionDim::Batch
                            ? "to have strides in in0, in1 and out"
                        : role == ContractionDim::M
                            ? "to have strides in in0 and out, and 0 in in1"
                            : "to have strides in in1 and out, and 0 in in0");
    } else if (isUnary && !in0) {
      return mismatch("to have a stride in in0: COPY repeats no elements");
    } else if (!in0 && !in1) {
      return mismatch("to have a stride in in0 or in1");
    }
  }
  // Only products may have an operand repeated on both sides.
  if (product || isUnary || description.main == Primitive::Mul)
    return Error::success();
  auto isWhole = [&](ArrayRef<int64_t> strides) {
    return all_of(seq<size_t>(0, getNumDims()), [&](size_t dim) {
      return strides[dim] != 0 || getSize(dim) == 1;
    });
  };
  if (!isWhole(description.stridesIn0) && !isWhole(description.stridesIn1))
    return fail("expected one operand of {0} to have a stride in all "
                "dimensions, found a 0 in strides_in0 and in strides_in1",
                getName(description.main));
  return Error::success();
}

/// Checks that no two points of the output have the same place: each stride is
/// beyond all that smaller ones reach.
Error Validator::checkOutput() const {
  SmallVector<size_t> dims;
  for (size_t dim = 0; dim < getNumDims(); ++dim)
    if (getSize(dim) > 1 && getRole(dim) != ContractionDim::K)
      dims.push_back(dim);
  sort(dims, [&](size_t a, size_t b) {
    return description.stridesOut[a] < description.stridesOut[b];
  });
  int64_t extent = 1;
  for (auto [position, dim] : enumerate(dims)) {
    int64_t stride = description.stridesOut[dim];
    if (stride < extent)
      return fail("expected the stride of {0} in out to be at least {1}, which "
                  "{2} takes, found {3}: elements of the output would overlap",
                  name(dim), extent, name(dims[position - 1]), stride);
    extent += (getSize(dim) - 1) * stride;
  }
  return Error::success();
}

Error Validator::checkExecution() const {
  for (size_t dim = 0; dim + 1 < getNumDims(); ++dim) {
    DimExecution outer = description.execTypes[dim];
    DimExecution inner = description.execTypes[dim + 1];
    if ((inner == DimExecution::Shared && outer != DimExecution::Shared) ||
        (outer == DimExecution::Prim && inner != DimExecution::Prim))
      return fail("expected SHARED dimensions first and PRIM ones last, found "
                  "{0}, which is {1}, before {2}, which is {3}",
                  name(dim), getName(outer), name(dim + 1), getName(inner));
  }
  for (size_t dim = 0; dim < getNumDims(); ++dim)
    if (description.execTypes[dim] == DimExecution::Shared &&
        getRole(dim) == ContractionDim::K)
      return fail("expected {0} to be SEQ or PRIM, for threads cannot share a "
                  "sum, found SHARED",
                  name(dim));
  return Error::success();
}

/// Checks that the PRIM dimensions are those of the main primitive.
Error Validator::checkKernel() const {
  size_t kept = countPrims(false), summed = countPrims(true);
  if (isProduct(description.main) &&
      !is_contained(description.dimTypes, ContractionDim::K))
    return fail("expected a dimension of type K for {0}, found none",
                getName(description.main));
  // The optimizer finds the kernel if there is none.
  if (kept + summed == 0 && description.optimize)
    return Error::success();
  if (kept == 0 || kept > 2)
    return fail("expected 1 or 2 PRIM dimensions that are not of type K for "
                "{0}, found {1}",
                getName(description.main), kept);
  if (description.main == Primitive::Gemm && summed != 1)
    return fail("expected 1 PRIM dimension of type K for GEMM, found {0}{1}",
                summed, summed > 1 ? ": several are a BRGEMM" : "");
  if (description.main == Primitive::Brgemm && summed < 2)
    return fail("expected 2 or more PRIM dimensions of type K for BRGEMM, "
                "found {0}",
                summed);
  if (!isNarrow(description.type))
    return Error::success();
  for (size_t dim = 0; dim < getNumDims(); ++dim)
    if (getRole(dim) == ContractionDim::K &&
        description.execTypes[dim] != DimExecution::Prim)
      return fail("expected {0} to be PRIM, for sums of {1} are formed in {2} "
                  "and an output of {1} cannot keep parts of them",
                  name(dim), getName(description.type),
                  description.type == OperationType::I8 ? "I32" : "F32");
  return Error::success();
}

Error Validator::checkTouches() const {
  Primitive first = description.firstTouch;
  if (!isProduct(description.main) &&
      (first == Primitive::Load || first == Primitive::Bias))
    return fail("expected first_touch NONE or ZERO for {0}, which overwrites "
                "the output, found {1}",
                getName(description.main), getName(first));
  for (auto [dim, stride] : enumerate(description.stridesBias))
    if (stride != 0 && getRole(dim) == ContractionDim::K && getSize(dim) > 1)
      return fail(
          "expected strides_bias[{0}] to be 0, for {1} is summed, found "
          "{2}",
          dim, name(dim), stride);
  return Error::success();
}

Error tensor_operation::validate(const OperationDescription &description) {
  Validator validator{description};
  using Check = Error (Validator::*)() const;
  for (Check check : {&Validator::checkValues, &Validator::checkLengths,
                      &Validator::checkSizes, &Validator::checkRoles,
                      &Validator::checkOutput, &Validator::checkExecution,
                      &Validator::checkKernel, &Validator::checkTouches})
    if (Error error = (validator.*check)())
      return error;
  return Error::success();
}
