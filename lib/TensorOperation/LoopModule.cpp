//===- LoopModule.cpp - Modules of descriptions by loops ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each dimension is a letter, 'a' the outermost, and the schedule lists these
// letters as the description does.
//
//===----------------------------------------------------------------------===//

#include "ModuleParts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

static MainPrimitive getMainPrimitive(Primitive primitive) {
  switch (primitive) {
  case Primitive::Copy:
    return MainPrimitive::Copy;
  case Primitive::Add:
    return MainPrimitive::Add;
  case Primitive::Sub:
    return MainPrimitive::Sub;
  case Primitive::Mul:
    return MainPrimitive::Mul;
  case Primitive::Div:
    return MainPrimitive::Div;
  case Primitive::Min:
    return MainPrimitive::Min;
  case Primitive::Max:
    return MainPrimitive::Max;
  case Primitive::Brgemm:
    return MainPrimitive::Brgemm;
  default:
    return MainPrimitive::Gemm;
  }
}

static char getLetter(size_t dim) {
  return dim < 26 ? 'a' + dim : 'A' + (dim - 26);
}

/// Where an operand of `description` with `strides` moves. One of size 1 moves
/// where `hasRole` says.
static LetterLayout getLayout(const OperationDescription &description,
                              ArrayRef<int64_t> strides,
                              llvm::function_ref<bool(DimRole)> hasRole) {
  LetterLayout layout;
  for (auto [dim, size] : enumerate(description.dimSizes))
    if (size == 1 ? hasRole(description.dimTypes[dim]) : strides[dim] != 0)
      layout.add(getLetter(dim), size, strides[dim]);
  layout.finish();
  return layout;
}

static FunctionInput getInput(const LetterLayout &layout, StringRef element) {
  std::string type = layout.getFlatShape() + element.str();
  return {type, type};
}

static FunctionText describe(const OperationDescription &description) {
  Primitive main = description.main;
  bool product = isProduct(main);
  FunctionText function;
  function.type = description.type;
  auto isKept = [](DimRole role) { return role != DimRole::K; };
  function.output = getLayout(description, description.stridesOut, isKept);
  LetterLayout left =
      getLayout(description, description.stridesIn0,
                [&](DimRole role) { return !product || role != DimRole::N; });
  LetterLayout right;
  if (main != Primitive::Copy)
    right = getLayout(description, description.stridesIn1, [&](DimRole role) {
      return !product || role != DimRole::M;
    });
  bool combines = !product && main != Primitive::Copy && main != Primitive::Mul;
  if (combines) {
    function.combine = main;
    // A contraction of one operand gives the left side, or, if that does not
    // move along all dimensions, the right one.
    function.isLeft = left.letters.size() < function.output.letters.size();
    if (function.isLeft)
      std::swap(left, right);
    function.other = right;
  }
  StringRef element = function.getElementName();
  std::string result(function.output.letters.begin(),
                     function.output.letters.end());
  function.operands.push_back(getInput(left, element));
  function.spec = left.getTerm();
  if (!combines && main != Primitive::Copy) {
    function.operands.push_back(getInput(right, element));
    function.spec += ", " + right.getTerm();
  }
  function.spec += " -> " + result;
  // What axes with gaps do not tell.
  SmallVector<std::string> sizes;
  for (auto [dim, role] : enumerate(description.dimTypes))
    sizes.push_back(
        formatv("{0} = {1}", getLetter(dim), description.dimSizes[dim]));
  function.attributes = "{sizes = {" + join(sizes, ", ") + "}}";
  Primitive first = description.firstTouch;
  function.load =
      product && (first == Primitive::None || first == Primitive::Load);
  function.bias = first == Primitive::Bias;
  if (function.bias)
    function.other = getLayout(description, description.stridesBias,
                               [](DimRole) { return false; });
  function.relu = description.lastTouch == Primitive::Relu;
  return function;
}

Expected<OperationModule>
tileir::makeModule(MLIRContext *context,
                   const OperationDescription &description) {
  FunctionText function = describe(description);
  auto module = parseModule(context, function);
  if (!module)
    return module.takeError();
  auto makeDims = [&](ContractOp op) {
    SmallVector<DimAttr> dims;
    char letter[1];
    for (auto [dim, execution] : enumerate(description.execTypes)) {
      letter[0] = getLetter(dim);
      dims.push_back(makeDim(op, StringRef(letter, 1),
                             static_cast<Execution>(execution),
                             description.dimSizes[dim], /*step=*/1));
    }
    return dims;
  };
  if (Error error =
          setSchedule(**module, /*isRequired=*/true, [&](ContractOp op) {
            return makeSchedule(op,
                                isProduct(description.main)
                                    ? getFirstTouch(description.firstTouch)
                                    : FirstTouch::None,
                                getMainPrimitive(description.main),
                                function.relu, makeDims(op));
          }))
    return std::move(error);
  OperationModule result;
  result.module = std::move(*module);
  result.numInputs = function.getNumInputs();
  result.outputShape = function.output.sizes;
  result.optimize = description.optimize;
  result.threads = description.threads;
  return result;
}
