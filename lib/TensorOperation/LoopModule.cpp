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

/// Returns how an operand of `description` with `strides` moves. A dimension of
/// size 1 moves it where `hasRole` says.
static LetterLayout
getLayout(const OperationDescription &description, ArrayRef<int64_t> strides,
          llvm::function_ref<bool(ContractionDim)> hasRole) {
  LetterLayout layout;
  for (auto [dim, size] : enumerate(description.dimSizes))
    if (size == 1 ? hasRole(description.dimTypes[dim]) : strides[dim] != 0)
      layout.add(getLetter(dim), size, strides[dim]);
  layout.finish();
  return layout;
}

static OperationFunction describe(MLIRContext *context,
                                  const OperationDescription &description) {
  Primitive main = description.main;
  bool product = isProduct(main);
  OperationFunction function;
  function.type = description.type;
  auto isKept = [](ContractionDim role) { return role != ContractionDim::K; };
  function.output = getLayout(description, description.stridesOut, isKept);
  LetterLayout left =
      getLayout(description, description.stridesIn0, [&](ContractionDim role) {
        return !product || role != ContractionDim::N;
      });
  LetterLayout right;
  if (main != Primitive::Copy)
    right = getLayout(description, description.stridesIn1,
                      [&](ContractionDim role) {
                        return !product || role != ContractionDim::M;
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
  // Those of the result come first.
  std::string letters(function.output.letters.begin(),
                      function.output.letters.end());
  for (auto [dim, role] : enumerate(description.dimTypes))
    if (!is_contained(letters, getLetter(dim)))
      letters += getLetter(dim);
  SmallVector<AffineMap> terms;
  auto addOperand = [&](const LetterLayout &layout) {
    terms.push_back(
        layout.getTerm(context, ArrayRef(letters.data(), letters.size())));
    function.operands.push_back(layout.getTermShape());
  };
  addOperand(left);
  if (!combines && main != Primitive::Copy)
    addOperand(right);
  function.spec =
      SpecAttr::getCanonical(context, letters, function.output.letters.size(),
                             /*lookups=*/{}, terms);
  // Axes with gaps do not tell them.
  NamedAttrList sizes;
  for (auto [dim, size] : enumerate(description.dimSizes)) {
    char letter = getLetter(dim);
    sizes.append(StringRef(&letter, 1),
                 IntegerAttr::get(mlir::IntegerType::get(context, 64), size));
  }
  function.letterSizes = sizes.getDictionary(context);
  Primitive first = description.firstTouch;
  function.load =
      product && (first == Primitive::None || first == Primitive::Load);
  function.bias = first == Primitive::Bias;
  if (function.bias)
    function.other = getLayout(description, description.stridesBias,
                               [](ContractionDim) { return false; });
  function.relu = description.lastTouch == Primitive::Relu;
  return function;
}

Expected<OperationModule>
tileir::makeModule(MLIRContext *context,
                   const OperationDescription &description) {
  OperationFunction function = describe(context, description);
  auto module = makeModule(context, function);
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
