//===- Check.cpp - Compare outputs with a reference -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Check.h"

#include "tileir/Runtime/Compare.h"

#include "llvm/Support/Format.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

std::string CheckOutcome::describeWorst() const {
  std::string text;
  raw_string_ostream os(text);
  os << "output " << output << " at [";
  interleaveComma(index, os);
  os << "] is " << format("%.9g", got) << ", expected "
     << format("%.9g", expected);
  return text;
}

/// The element kind that decides the tolerance: the least precise float of
/// inputs and outputs, or an integer one. Inputs of f8 are exact in products,
/// which are summed in more precise types: they count as f16.
static ElementKind getLeastPrecise(ArrayRef<NDArray> arguments,
                                   ArrayRef<NDArray> outputs) {
  ElementKind least = ElementKind::I32;
  auto consider = [&](ElementKind kind) {
    for (ElementKind order :
         {ElementKind::F8E5M2, ElementKind::F8E4M3FN, ElementKind::BF16,
          ElementKind::F16, ElementKind::F32, ElementKind::F64})
      if (kind == order || least == order) {
        least = order;
        return;
      }
  };
  for (const NDArray &array : arguments)
    consider(isF8(array.getKind()) ? ElementKind::F16 : array.getKind());
  for (const NDArray &array : outputs)
    consider(array.getKind());
  return least;
}

Expected<CheckOutcome>
execution::checkOutputs(ArrayRef<NDArray> arguments, const RunResult &got,
                        const RunResult &expected,
                        std::optional<double> tolerance) {
  if (got.outputs.size() != expected.outputs.size())
    return createStringError("the function has another number of results");
  CheckOutcome outcome;
  outcome.passed = true;
  double floatTolerance = getDefaultTolerance(
      getLeastPrecise(arguments, got.outputs), expected.longestReduction);
  for (unsigned i = 0; i < got.outputs.size(); ++i) {
    const NDArray &array = got.outputs[i], &reference = expected.outputs[i];
    if (array.getShape() != reference.getShape() ||
        array.getKind() != reference.getKind())
      return createStringError(
          "output " + Twine(i) + " has shape " +
          shapeToString(array.getShape(), array.getKind()) + ", expected " +
          shapeToString(reference.getShape(), reference.getKind()));
    Difference difference = compare(array, reference);
    double limit = tolerance                  ? *tolerance
                   : isFloat(array.getKind()) ? floatTolerance
                                              : 0;
    bool passed = difference.isWithin(limit);
    // Keep the worst output: the first that failed, or the largest error.
    bool isWorse =
        i == 0 || (outcome.passed && !passed) ||
        (outcome.passed == passed && !(difference.error <= outcome.error));
    outcome.passed &= passed;
    if (!isWorse)
      continue;
    outcome.output = i;
    outcome.error = difference.error;
    outcome.tolerance = limit;
    if (array.getNumElements() == 0)
      continue;
    outcome.index = array.getCoordinates(difference.worst);
    outcome.got = array.getDouble(difference.worst);
    outcome.expected = reference.getDouble(difference.worst);
  }
  return outcome;
}

Expected<CheckOutcome>
execution::checkAgainst(Backend &reference, mlir::func::FuncOp entry,
                        ArrayRef<NDArray> arguments, const RunResult &got,
                        std::optional<double> tolerance) {
  auto executable = reference.compile(entry);
  if (!executable)
    return executable.takeError();
  auto expected = (*executable)->run(arguments);
  if (!expected)
    return expected.takeError();
  auto outcome = checkOutputs(arguments, got, *expected, tolerance);
  if (outcome)
    outcome->against = reference.getName().str();
  return outcome;
}
