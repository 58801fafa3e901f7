//===- LoopModule.cpp - Modules of descriptions by loops ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each dimension is an index, 'a' the outermost, and the schedule lists these
// indices as the description does.
//
//===----------------------------------------------------------------------===//

#include "ModuleParts.h"

#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tensor_operation;

static char getIndex(size_t dim) {
  return dim < 26 ? 'a' + dim : 'A' + (dim - 26);
}

/// Returns how an operand of `description` with `strides` moves. A dimension of
/// size 1 moves it where `hasRole` says.
static IndexLayout getLayout(const OperationDescription &description,
                             ArrayRef<int64_t> strides,
                             llvm::function_ref<bool(ContractionDim)> hasRole) {
  IndexLayout layout;
  for (auto [dim, size] : enumerate(description.dimSizes))
    if (size == 1 ? hasRole(description.dimTypes[dim]) : strides[dim] != 0)
      layout.add(getIndex(dim), size, strides[dim]);
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
  IndexLayout left =
      getLayout(description, description.stridesIn0, [&](ContractionDim role) {
        return !product || role != ContractionDim::N;
      });
  IndexLayout right;
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
    function.isLeft = left.indices.size() < function.output.indices.size();
    if (function.isLeft)
      std::swap(left, right);
    function.other = right;
  }
  // Those of the result come first.
  std::string indices(function.output.indices.begin(),
                      function.output.indices.end());
  for (auto [dim, role] : enumerate(description.dimTypes))
    if (!is_contained(indices, getIndex(dim)))
      indices += getIndex(dim);
  SmallVector<AffineMap> terms;
  auto addOperand = [&](const IndexLayout &layout) {
    terms.push_back(
        layout.getTerm(context, ArrayRef(indices.data(), indices.size())));
    function.operands.push_back({description.type, layout.getTermShape()});
  };
  addOperand(left);
  if (!combines && main != Primitive::Copy)
    addOperand(right);
  function.spec =
      SpecAttr::getCanonical(context, indices, function.output.indices.size(),
                             /*lookups=*/{}, terms);
  // Axes with gaps do not tell them.
  NamedAttrList sizes;
  for (auto [dim, size] : enumerate(description.dimSizes)) {
    char index = getIndex(dim);
    sizes.append(StringRef(&index, 1),
                 IntegerAttr::get(mlir::IntegerType::get(context, 64), size));
  }
  function.indexSizes = sizes.getDictionary(context);
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

/// Gives the contraction in `module` the loops of `description` as its
/// schedule.
static Error setSchedule(ModuleOp module,
                         const OperationDescription &description) {
  SmallVector<DimAttr> dims;
  for (auto [dim, execution] : enumerate(description.execTypes)) {
    char index = getIndex(dim);
    dims.push_back(DimAttr::get(module.getContext(), StringRef(&index, 1),
                                static_cast<Execution>(execution),
                                description.dimSizes[dim], /*step=*/1));
  }
  ErrorCollector errors(module.getContext());
  auto emitError = [&] { return module.emitOpError(); };
  llvm::function_ref<InFlightDiagnostic()> emit = emitError;
  auto schedule = ScheduleAttr::getChecked(
      emit, module.getContext(), ArrayRef(dims), /*lanes=*/int64_t(-1),
      /*matrix=*/false,
      /*tile=*/ArrayRef<int64_t>(), /*unroll=*/int64_t(0),
      /*prefetch=*/int64_t(0), /*pack=*/ArrayRef<int64_t>());
  WalkResult set = module.walk([&](ContractOp op) {
    if (!schedule)
      return WalkResult::interrupt();
    op.setScheduleAttr(schedule);
    return failed(mlir::verify(op)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  if (set.wasInterrupted())
    return errors.take("the schedule of the operation is not valid");
  return Error::success();
}

Expected<OperationModule>
tensor_operation::makeModule(MLIRContext *context,
                             const OperationDescription &description) {
  OperationFunction function = describe(context, description);
  auto module = makeModule(context, function);
  if (!module)
    return module.takeError();
  if (Error error = setSchedule(**module, description))
    return std::move(error);
  OperationModule result;
  result.module = std::move(*module);
  result.numInputs = function.getNumInputs();
  result.outputShape = function.output.sizes;
  result.optimize = description.optimize;
  result.threads = description.threads;
  return result;
}
